"""Every check of arguments, once: errors say what was wrong, what was found, what is accepted."""

from __future__ import annotations

import difflib
import importlib
import math
import sys
import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

IDS = (str, int, np.integer)
Seed = int | np.random.Generator
Sample = Sequence[float] | np.ndarray | pd.Series  # one number per topic, or per system

PACKAGE = str(Path(__file__).parents[1])
LARGEST = 1e100  # score; the squares of larger ones are lost
BOUNDS = f"-{LARGEST:g} and {LARGEST:g}"


def warn(*messages: str) -> None:
    """Warn at the line outside irstd that led here, however deep the call."""
    level, frame = 1, sys._getframe()
    while frame.f_back and frame.f_code.co_filename.startswith(PACKAGE):
        level, frame = level + 1, frame.f_back
    for message in messages:
        warnings.warn(message, stacklevel=level)


def listed(items: Iterable, limit: int = 5) -> str:
    """The first few items as text, for a message: ``301, 302, 303 and 47 more``."""
    items = [str(item) for item in items]
    text = ", ".join(items[:limit])
    return text + (f" and {len(items) - limit} more" if len(items) > limit else "")


def topics_where(holds: pd.DataFrame) -> str:
    """The topics on which something holds of any system, for a message; no text if on none."""
    return listed(holds.index[holds.any(axis=1)])


def check_choice(value: object, choices: Collection[str], name: str) -> None:
    """Raise ValueError unless `value` is one of `choices`."""
    if not isinstance(value, str) or value not in choices:
        lower = {choice.lower(): choice for choice in choices}
        near = [choice for key, choice in lower.items() if str(value).lower() in key.split("_")]
        near += [lower[x] for x in difflib.get_close_matches(str(value).lower(), lower, n=1)]
        hint = f"; did you mean {near[0]!r}?" if near else ""
        known = listed(map(repr, choices), 5 if near else 40)
        raise ValueError(f"{name} must be one of {known}, got {value!r:.60}{hint}")


def check_flag(value: object, name: str) -> bool:
    """Return `value` as bool, or raise if it is anything but True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, got {value!r}")
    return bool(value)


def needed(module: str) -> Any:
    """A module that is imported when it is used, as not every installation has it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        install = f"not installed: pip install {module.split('.')[0]}"
        raise ModuleNotFoundError(f"this needs {module}, which is {install}") from error


def with_progress(steps: Iterable, progress: bool, **options: Any) -> Iterable:
    """The steps, counted by a progress bar (with tqdm's options) if one is asked for."""
    if not check_flag(progress, "progress"):
        return steps
    return needed("tqdm.auto").tqdm(steps, **options)


def check_text(value: object, name: str) -> str:
    """Return `value` as str, or raise if it is no text that can be seen."""
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise ValueError(f"{name} must be text that can be seen, got {value!r}")
    return str(value)


def check_count(value: object, name: str, minimum: int = 1) -> int:
    """Return `value` as int, or raise if it is not a whole number >= `minimum`."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"{name} must be a whole number, got {value!r}")
    if value < minimum:
        raise ValueError(f"{name} must be at least {minimum}, got {value}")
    return int(value)


def check_sizes(values: Iterable[int], minimum: int = 1) -> list[int]:
    """Return sizes >= `minimum` as a list that is not empty."""
    if counts := [check_count(value, "sizes", minimum) for value in values]:
        return counts
    raise ValueError("sizes must have one number or more, got none")


def check_real(
    value: object, name: str, low: float = -np.inf, high: float = np.inf, *, open_: str = ""
) -> float:
    """Return `value` as float, or raise if it is no finite number from `low` to `high`.

    `open_` names the ends that are themselves refused: "low", "high" or "low high".
    """
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number, got {repr(value)[:60]}")
    number, ends = float(value), {low: "low", high: "high"}
    if low <= number <= high and np.isfinite(number) and ends.get(number, "-") not in open_:
        return number
    least = f"{'above' if 'low' in open_ else 'at least'} {low:g}"
    most = f"{'below' if 'high' in open_ else 'at most'} {high:g}"
    bounds = [least] * math.isfinite(low) + [most] * math.isfinite(high)
    raise ValueError(f"{name} must be {' and '.join(bounds) or 'finite'}, got {value!r}")


def check_alpha(alpha: object) -> float:
    """Return a level of significance: a share, above 0 and at most 1."""
    return check_real(alpha, "alpha", 0, 1, open_="low")


def check_epsilon(scores: pd.DataFrame, epsilon: float, adjust: str = "uniform") -> float:
    """Return epsilon as float, or raise if it and the scores have no geometric mean."""
    if not isinstance(epsilon, float) or epsilon != np.inf:
        epsilon = check_real(epsilon, "epsilon", 0)
    elif adjust != "uniform":
        raise ValueError(f'an infinite epsilon needs adjust="uniform", got adjust={adjust!r}')
    if topics := topics_where(scores < 0):
        raise ValueError(f"a geometric mean needs scores >= 0; negative on the topics {topics}")
    if epsilon == 0 and (topics := topics_where(scores == 0)):
        raise ValueError(f"epsilon must be positive where scores are 0: so on the topics {topics}")
    return epsilon


def generator(seed: Seed) -> np.random.Generator:
    """The source of random numbers that `seed` stands for."""
    given = isinstance(seed, np.random.Generator)
    return np.random.default_rng(seed if given else check_count(seed, "seed", 0))


def check_columns(frame: pd.DataFrame, columns: Iterable[str], name: str) -> None:
    """Raise unless `frame` is a DataFrame that has all of `columns`, each once."""
    if not isinstance(frame, pd.DataFrame):
        raise TypeError(f"{name} must be a DataFrame, got {type(frame).__name__}")
    for column in columns:
        if list(frame.columns).count(column) != 1:
            found = f"found {listed(frame.columns, 10)}; expected {listed(columns)}"
            raise ValueError(f"{name} must have the column {column!r} once; {found}")


def ids(column: pd.Series, name: str) -> list[str]:
    """Topic or document ids as a list of str; whole numbers become their digits."""
    if column.isna().any():
        raise ValueError(f"{name} has missing values in {int(column.isna().sum())} rows")
    values = column.tolist()
    kinds = set(map(type, values))
    if kinds == {str}:
        return values
    if odd := [kind for kind in kinds if kind is bool or not issubclass(kind, IDS)]:
        value = next(value for value in values if type(value) in odd)
        raise TypeError(f"{name} must be text, got {value!r} ({odd[0].__name__})")
    if len({issubclass(kind, str) for kind in kinds}) > 1:
        raise TypeError(f"{name} mixes text and numbers, so that 1 and '1' may be two or one")
    return list(map(str, values))


def _labels(index: pd.Index, levels: Sequence[str], name: str) -> pd.Index:
    """Labels as text, each once, on levels of these names."""
    if index.nlevels != len(levels):
        raise ValueError(f"{name} must have ids ({', '.join(levels)}), found {index[0]}")
    parts = [index.get_level_values(level) for level in range(len(levels))]
    if any(part.isna().any() for part in parts):
        raise ValueError(f"{name} has a {levels[-1]} without a name (NaN)")
    words = [pd.Index([str(x) for x in part.tolist()], dtype=str) for part in parts]
    found = pd.MultiIndex.from_arrays(words) if len(words) > 1 else words[0]
    if not found.is_unique:
        twice = f"{levels[-1]} {listed(found[found.duplicated()].unique())}"
        raise ValueError(f"{name} has the {twice} more than once (ids are compared as text)")
    return found.set_names(levels)


def check_scores(
    scores: object, name: str = "scores", *, several=False, complete=True, topics=1, systems=1
) -> pd.DataFrame:
    """Return a score matrix as floats, with text topic ids, index and column names set.

    Columns (metric, system) are accepted if `several`, missing scores (NaN) unless `complete`;
    `topics` and `systems` (per metric) are the least number of each.
    """
    if not isinstance(scores, pd.DataFrame):
        said = f"{name} must be a score matrix (a DataFrame: one row per topic, one column per"
        raise TypeError(f"{said} system), got {type(scores).__name__}")
    if "seed" in scores.columns.names:
        means = f'{name}.T.groupby("system").mean().T'
        raise ValueError(f"{name} has several seeds per system: give their means, {means}")
    if scores.columns.nlevels > 1 and not several:
        metric = next(iter(scores.columns.get_level_values(0)), "AP")
        raise ValueError(f'{name} must be those of one metric: choose it, as in {name}["{metric}"]')
    if scores.empty:
        raise ValueError(f"{name} is empty: {len(scores)} topics x {scores.shape[1]} systems")
    for column, kind in zip(scores.columns, scores.dtypes, strict=True):
        if kind != "float64" and not (kind.kind in "fiub" and pd.api.types.is_numeric_dtype(kind)):
            raise TypeError(f"{name} must be numbers; not so in the column {column} ({kind})")
    if (scores.index.name, scores.columns.name) == ("system", "topic"):
        raise ValueError(f"{name} has a row per system: give {name}.T")
    matrix = scores.astype(float)
    matrix.index = _labels(scores.index, ["topic"], name)
    matrix.columns = _labels(scores.columns, ["metric", "system"][-scores.columns.nlevels :], name)
    odd = np.argwhere(np.abs(matrix.to_numpy()) > LARGEST)
    if len(odd):
        where = f"topic {matrix.index[odd[0, 0]]}, system {matrix.columns[odd[0, 1]]}"
        raise ValueError(f"{name} must be between {BOUNDS}; larger or infinite at {where}")
    if complete:
        refuse_missing(matrix, name)
    fewest = min(part.shape[1] for part in by_metric(matrix).values())
    for found, least, what in ((len(matrix), topics, "topics"), (fewest, systems, "systems")):
        if found < least:
            raise ValueError(f"this needs {least} {what} or more, {name} has {found}")
    return matrix


def refuse_missing(scores: pd.DataFrame, name: str = "scores") -> None:
    """Raise if a score is missing (NaN), naming topics and systems."""
    missing = scores.isna()
    if missing.to_numpy().any():
        systems = listed(scores.columns[missing.any()])
        where = f"on the topics {topics_where(missing)}, of the systems {systems}"
        remedy = "drop these or fill them in (pairwise_tests has missing='pairwise')"
        raise ValueError(f"{name} are missing (NaN) {where}; {remedy}")


def with_gaps(scores: pd.DataFrame, *, least: int = 1) -> pd.DataFrame:
    """A score matrix in which every system has a score."""
    scores = check_scores(scores, complete=False, topics=least, systems=2)
    if empty := listed(scores.columns[scores.isna().all()]):
        raise ValueError(f"scores has none at all of the systems {empty}; leave them out")
    return scores


def metrics_of(scores: pd.DataFrame) -> list[str]:
    """Those of a table; of a selection from one, which keeps its `attrs`, those it may be of."""
    if scores.columns.nlevels > 1:
        return list(scores.columns.unique(0))
    metric = scores.attrs.get("metric")
    return list(scores.attrs.get("metrics", [])) if metric is None else [metric]


def by_metric(scores: pd.DataFrame, name: Any = None) -> dict[Any, pd.DataFrame]:
    """Score matrices by metric; a single one under `name`."""
    if scores.columns.nlevels == 1:
        return {name: scores}
    return {metric: scores[metric] for metric in scores.columns.get_level_values(0).unique()}


def check_numbers(
    values: Sample, name: str, *, least: int = 2, of: str = "topics"
) -> np.ndarray | pd.Series:
    """Return the numbers of one system (or one for each), present and finite; a Series stays one.

    Text, dates, complex and masked arrays are refused: NumPy would turn them into numbers.
    """
    if isinstance(values, np.ma.MaskedArray):
        raise TypeError(f"{name} is a masked array: give the numbers that are not masked")
    given = values if isinstance(values, pd.Series) else np.asarray(values)
    if not pd.api.types.is_numeric_dtype(given.dtype) or given.dtype.kind == "c":
        raise TypeError(f"{name} must be real numbers, got {given.dtype}")
    if given.ndim != 1 or len(given) < least:
        raise ValueError(f"{name} must be the scores of {least} {of} or more, got {given.shape}")
    numbers = given.astype(float)
    if isinstance(numbers, pd.Series):
        numbers.index = _labels(numbers.index, [of.rstrip("s")], name)
    odd = np.flatnonzero(~(np.abs(np.asarray(numbers)) <= LARGEST))
    if len(odd):
        where = listed(numbers.index[odd] if isinstance(numbers, pd.Series) else odd)
        raise ValueError(f"{name} is missing or infinite on the {of} {where}: not between {BOUNDS}")
    return numbers


def match(
    a: Sample, b: Sample, names: tuple[str, str] = ("a", "b"), *, least: int = 2, of: str = "topics"
) -> tuple[np.ndarray, np.ndarray]:
    """Two lists of numbers side by side, matched by label where both have labels."""
    a = check_numbers(a, names[0], least=least, of=of)
    b = check_numbers(b, names[1], least=least, of=of)
    if isinstance(a, pd.Series) and isinstance(b, pd.Series):
        if of == "topics":
            check_alike({names[0]: a, names[1]: b}, "collection", "metric")
        check_same(a.index, b.index, names, of=of)
        b = b.reindex(a.index)
    if len(a) != len(b):
        said = f"{names[0]} and {names[1]} must be of the same {of}"
        raise ValueError(f"{said}, got {len(a)} and {len(b)}")
    return np.asarray(a, dtype=float), np.asarray(b, dtype=float)


def as_pair(a: Any, b: Any = None) -> pd.DataFrame:
    """Two systems as columns: two samples, a matrix with two columns, or a matrix and two names."""
    if not isinstance(a, pd.DataFrame):
        values = np.column_stack(match(a, b))
        labels = [each.index for each in (a, b) if isinstance(each, pd.Series)]
        return pd.DataFrame(values, labels[0] if labels else None, ["a", "b"])
    scores = check_scores(a)
    names = list(scores.columns if b is None else b)
    if len(names) != 2 or isinstance(b, str):
        raise ValueError('give two systems: scores[["a", "b"]], or two Series')
    for name in names:
        check_choice(name, scores.columns, "system")
    return scores[names]


def check_several(scores: object, **options: Any) -> dict[Any, pd.DataFrame]:
    """Score matrices by name: a single one (named None), or those of a dict or list, checked."""
    if isinstance(scores, pd.DataFrame) or not isinstance(scores, Iterable):
        return {None: check_scores(scores, **options)}
    given = dict(scores if isinstance(scores, Mapping) else enumerate(scores))
    if not given:
        raise ValueError("scores must be a score matrix or several, got none")
    return {name: check_scores(x, f"scores[{name!r}]", **options) for name, x in given.items()}


def check_alike(tables: Mapping[Any, Any], *what: str) -> None:
    """Raise unless all scores that say of what collection, or metric, they are say the same."""
    for of in what:
        told = {name: t.attrs[of] for name, t in tables.items() if getattr(t, "attrs", {}).get(of)}
        if len(known := set(told.values())) > 1:
            said = f"{' and '.join(map(str, told))} are not of the same {of}"
            raise ValueError(f"{said}, but of {listed(sorted(known))}")


def warn_of_common(tables: Mapping[Any, pd.DataFrame]) -> None:
    """Name the topics that two of several collections share."""
    for (name, table), (other, theirs) in combinations(tables.items(), 2):
        if common := listed(table.index.intersection(theirs.index)):
            warn(f"{name} and {other} have the topics {common} in common")


def check_same(
    one: pd.Index, other: pd.Index, names: tuple[str, str], *, of: str = "systems"
) -> None:
    """Raise unless both have the same labels, in any order."""
    for mine, theirs, name in ((one, other, names[0]), (other, one, names[1])):
        if len(alone := mine.difference(theirs, sort=False)):
            said = f"{names[0]} and {names[1]} must be of the same {of}"
            raise ValueError(f"{said}; only {name} has {listed(alone)}")
