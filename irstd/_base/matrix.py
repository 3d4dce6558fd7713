"""Checks of score matrices and of paired samples."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from irstd._base.messages import format_topics, list_items, listed, warn

ByMetric = dict[str | None, pd.DataFrame]  # score matrices; a single one may have no name
Sample = Sequence[float] | np.ndarray | pd.Series  # one number per topic, or per system
LARGEST = 1e75  # score whose fourth power is finite, as that of 1 / LARGEST is not 0
BOUNDS = f"-{LARGEST:g} and {LARGEST:g}"
SUMS = frozenset(
    "all amean average avg count delta diff difference durchschnitt gemiddelde gesamt gmap gmean"
    " macro map max maximum mean median micro min minimum mittelwert moyenne overall promedio sd"
    " std stdev stderr sum summary summe total var variance \u00f8 pvalue pval cilow cihigh cilower"
    " ciupper standarddeviation standarderror".split()
)
ALLOWED = SUMS.union(  # with words that may accompany those of SUMS in the name of a summary
    "topic topics query queries score scores ap ndcg mrr rr of the over row run runs system"
    " systems".split()
)
WORDS = re.compile(r"\d{4,}|[A-Z]+(?![^\W\d_A-Z])|[A-Z]?[^\W\d_A-Z]+")
OTHER_AXES = {"topic": ("system", "metric"), "system": ("topic", "metric")}
REMEDIES = {  # by type of what is given for a score matrix
    "Series": ": give its .to_frame() if it is by topic",
    "ndarray": ": give pd.DataFrame(values, topics, systems)",
    "tuple": ": give irstd.Factors.from_csv(means, sds) or a DataFrame",
    "str": ": give irstd.read_scores(path) or irstd.load_dataset(name)",
}


def is_summary(name: str) -> bool:
    """Return True for the name of a summary row or column: ``all``, ``Avg. (6)``."""
    words = [word.lower() for word in WORDS.findall(name)]
    if "".join(words) in SUMS or ("%" in name and name.strip(" %").isdigit()):
        return True
    return ALLOWED.issuperset(words) and not SUMS.isdisjoint(words)


def convert_labels(index: pd.Index, levels: Sequence[str], name: str) -> pd.Index:
    """Return unique labels as text, or raise if any are missing or repeated."""
    if index.nlevels != len(levels):
        raise ValueError(
            f"{name} must be labeled by {' and '.join(levels)}, found the label {index[0]!r}"
        )
    if index.name in OTHER_AXES.get(levels[-1], ()):
        raise ValueError(
            f"{name} must have one label per {levels[-1]}, found {index.name}s: {listed(index, 3)}"
        )
    parts = [index.get_level_values(level) for level in range(index.nlevels)]
    if any(part.hasnans for part in parts):
        raise ValueError(f"{name} has a {levels[-1]} without a name (NaN)")
    texts = [pd.Index(map(str, part.tolist()), dtype=str) for part in parts]
    labels = texts[0]
    if levels == ["topic"] and len(labels) and is_summary(labels[-1]):
        raise ValueError(f"{name}: {labels[-1]!r} is a summary row, not a topic: remove it")
    if len(texts) > 1:
        labels = pd.MultiIndex.from_arrays(texts)
    if not labels.is_unique:
        repeated = labels[labels.duplicated()][0]
        raise ValueError(
            f"{name} has the {levels[-1]} {repeated!r} more than once (ids are compared as text)"
        )
    return labels.set_names(levels)


class ScoreTable(pd.DataFrame):
    """Scores of several metrics, with columns (metric, system).

    The score matrix ``scores["AP"]`` keeps its metric in ``attrs``.
    """

    @classmethod
    def from_scores(cls, scores: pd.DataFrame) -> ScoreTable:
        """Create a `ScoreTable` from scores, with their ``attrs``."""
        table = cls(scores)
        table.attrs = scores.attrs
        return table

    @property
    def _constructor(self) -> Callable[..., ScoreTable]:
        return ScoreTable

    def __getitem__(self, key: Any) -> Any:
        part = super().__getitem__(key)
        if self.columns.nlevels == 1 or not isinstance(part, pd.DataFrame):
            return part
        if part.columns.nlevels == 1 and self.columns.names[0] == "metric":
            part = pd.DataFrame(part)
            part.attrs = {**self.attrs, "metric": key}
        return part


def scores_by_metric(scores: object, name: str = "scores", **options: Any) -> ByMetric:
    """Return checked score matrices by metric.

    A single matrix whose metric has no name is under None.
    """
    table = check_scores(scores, name, several=True, complete=False, **options)
    return split_by_metric(table, table.attrs.get("metric"))


def check_scores(
    scores: object,
    name: str = "scores",
    *,
    several=False,
    complete=True,
    topics=1,
    systems=1,
    column_of="system",
) -> pd.DataFrame:
    """Return a checked score matrix: float scores, text ids, named axes.

    Columns (metric, system) are accepted if `several`, missing scores (NaN) unless `complete`;
    `topics` and `systems` (per metric) are the minimum numbers; `column_of` is what a column is of.
    """
    table = _check_form(scores, name, several, column_of)
    matrix = table.astype(float)
    levels = ["metric", column_of][-table.columns.nlevels :]
    matrix.index = convert_labels(table.index, ["topic"], name)
    matrix.columns = convert_labels(table.columns, levels, name)
    sizes = matrix.abs()
    too_large = sizes > LARGEST
    if too_large.to_numpy().any():
        where = _locate(too_large)
        raise ValueError(
            f"{name} must be numbers between {BOUNDS}, but are infinite or larger {where}"
        )
    _refuse_tiny(sizes, name)
    if complete:
        refuse_missing(matrix, name)
    fewest = min(part.shape[1] for part in split_by_metric(matrix).values())
    for number, least, unit in ((len(matrix), topics, "topics"), (fewest, systems, "systems")):
        if number < least:
            raise ValueError(f"{name} must have at least {least} {unit}, found {number}")
    return matrix


def _refuse_tiny(sizes: pd.DataFrame | np.ndarray, name: str) -> None:
    """Raise if all scores are so small that their fourth powers underflow."""
    if 0 < np.fmax.reduce(sizes, axis=None) < 1 / LARGEST:
        raise ValueError(f"{name} are all below {1 / LARGEST:g}: give them in another unit")


def _locate(holds: pd.DataFrame) -> str:
    """Format the topics and columns for which a condition holds."""
    columns = list_items(holds.columns[holds.any()], f"{holds.columns.names[-1]}s")
    return f"on {format_topics(holds)}, for {columns}"


def _check_form(scores: object, name: str, several: bool, column_of: str) -> pd.DataFrame:
    """Return `scores`, or raise unless they are a numeric table, topics by systems."""
    if not isinstance(scores, pd.DataFrame):
        given = type(scores).__name__
        raise TypeError(
            f"{name} must be a score matrix (a DataFrame: one row per topic, one column per"
            f" {column_of}), got {given}{REMEDIES.get(given, '')}"
        )
    if "seed" in scores.columns.names:
        means = f'{name}.T.groupby("system").mean().T'
        raise ValueError(f"{name} has several seeds per system: give their means, {means}")
    if scores.columns.nlevels > 1 and not several:
        metric = next(iter(scores.columns.get_level_values(0)), "AP")
        raise ValueError(f'{name} has several metrics: choose one, as in {name}["{metric}"]')
    if scores.empty:
        raise ValueError("{} is empty: {} topics x {} systems".format(name, *scores.shape))
    for column, kind in scores.dtypes.items():
        if not _is_real_dtype(kind):
            raise TypeError(
                f"{name} must be numeric, but column {column} is of dtype {kind}: let"
                " irstd.read_scores convert the table"
            )
    if scores.index.name == "system" or scores.columns.name == "topic":
        raise ValueError(f"{name} has one row per system: give {name}.T")
    if scores.index.name != "topic" and scores.columns.name != "system":
        warn_of_systems_in_rows(scores, name)
    return scores


def warn_of_systems_in_rows(scores: pd.DataFrame, name: str) -> None:
    """Warn if the rows seem to be systems, and the columns topics.

    Columns are whole numbers, as topic ids often are, and rows are not.
    """
    if isinstance(scores.columns, pd.RangeIndex) or scores.columns.nlevels > 1:
        return
    are_whole = [scores.axes[axis].map(str).str.fullmatch("[0-9]+") for axis in (0, 1)]
    if are_whole[1].all() and not are_whole[0].any():
        warn(
            f"{name} has {list_items(scores.columns, 'columns', 2)}, and"
            f" {list_items(scores.index, 'rows', 2)}: if the rows are systems, give the frame's"
            ' .T; if they are topics, name the index "topic"'
        )


def _is_real_dtype(kind: Any) -> bool:
    """Return True if a dtype holds real numbers."""
    return pd.api.types.is_numeric_dtype(kind) and kind.kind != "c"


def refuse_missing(scores: pd.DataFrame, name: str) -> None:
    """Raise if scores are missing (NaN), naming topics and systems."""
    missing = scores.isna()
    if missing.to_numpy().any():
        raise ValueError(f"{name} has missing scores (NaN) {_locate(missing)}: drop or fill them")


def check_incomplete_scores(scores: pd.DataFrame, *, least: int = 1) -> pd.DataFrame:
    """Return a checked score matrix in which each system has at least one score."""
    scores = check_scores(scores, complete=False, topics=least, systems=2)
    empty = scores.columns[scores.isna().all()]
    if len(empty):
        raise ValueError(
            f"all scores are missing (NaN) for {list_items(empty, 'systems')}: leave out systems"
            " without scores"
        )
    return scores


def split_by_metric(scores: pd.DataFrame, name: Any = None) -> dict[Any, pd.DataFrame]:
    """Split scores into score matrices by metric; a single one is under `name`."""
    if scores.columns.nlevels == 1:
        return {name: scores}
    metrics = scores.columns.get_level_values(0).unique()
    return {metric: scores[metric] for metric in metrics}


def check_numbers(
    values: Sample, name: str, *, least: int = 2, of: str = "topics"
) -> np.ndarray | pd.Series:
    """Return finite numbers by topic or system as a float array or Series.

    Text, dates, complex and masked arrays are refused: NumPy would turn them into numbers.
    """
    if isinstance(values, np.ma.MaskedArray):
        raise TypeError(f"{name} must not be a masked array: give {name}.compressed()")
    if not isinstance(values, pd.Series):
        values = np.asarray(values)
    if not _is_real_dtype(values.dtype):
        raise TypeError(
            f"{name} must be real numbers, one per {of.rstrip('s')}, got values of dtype"
            f" {values.dtype}"
        )
    if values.ndim != 1 or len(values) < least:
        raise ValueError(
            f"{name} must have one number for each of at least {least} {of}, got an array of shape"
            f" {values.shape}"
        )
    numbers = values.astype(float)
    if isinstance(numbers, pd.Series):
        numbers.index = convert_labels(numbers.index, [of.rstrip("s")], name)
    sizes = np.abs(np.asarray(numbers))
    _refuse_tiny(sizes, name)
    is_wrong = ~(sizes <= LARGEST)  # NaN is not
    if is_wrong.any():
        where = list_items(pd.Series(numbers).index[is_wrong], of)
        raise ValueError(
            f"{name} must be numbers between {BOUNDS}, but is NaN, infinite or larger for {where}"
        )
    return numbers


def match_samples(
    a: Sample, b: Sample, names: tuple[str, str] = ("a", "b"), *, least: int = 2, of: str = "topics"
) -> tuple[np.ndarray, np.ndarray]:
    """Return two samples as arrays, matched by label if both are Series."""
    a = check_numbers(a, names[0], least=least, of=of)
    b = check_numbers(b, names[1], least=least, of=of)
    if isinstance(a, pd.Series) and isinstance(b, pd.Series):
        if of == "topics":
            check_same_attributes({names[0]: a, names[1]: b}, "collection", "metric")
        if not a.index.equals(b.index):
            check_same_labels(a.index, b.index, names, of=of)
            b = b.reindex(a.index)
    if len(a) != len(b):
        raise ValueError(
            f"{names[0]} and {names[1]} must have the same {of}, got {len(a)} and {len(b)} values"
        )
    return np.asarray(a), np.asarray(b)


def check_same_attributes(tables: Mapping[Any, Any], *attributes: str) -> None:
    """Raise if tables name different collections or metrics in ``attrs``."""
    for attribute in attributes:
        values = {getattr(table, "attrs", {}).get(attribute) for table in tables.values()}
        different = sorted(filter(None, values))
        if len(different) > 1:
            names = " and ".join(tables)
            raise ValueError(f"{names} must have the same {attribute}, got {listed(different)}")


def check_same_labels(
    first: pd.Index, second: pd.Index, names: tuple[str, str], *, of: str = "systems"
) -> None:
    """Raise unless two indexes have the same labels, in any order."""
    only_in_first = first.difference(second, sort=False)
    only_in_second = second.difference(first, sort=False)
    refuse_similar_ids([*only_in_first, *only_in_second], " and ".join(names))
    for name, alone in zip(names, (only_in_first, only_in_second), strict=True):
        if len(alone):
            raise ValueError(
                f"{names[0]} and {names[1]} must have the same {of}; only {name} has"
                f" {list_items(alone, of)}"
            )


def refuse_similar_ids(labels: Iterable[str], name: str) -> None:
    """Raise if two ids differ only in spelling, such as ``1``, ``01``, ``1.0``."""
    spellings: dict[str, str] = {}
    for label in labels:
        # without spaces and superfluous zeros: 01 and 1.0 are 1
        plain = re.sub(r"^0*([0-9]+?)(\.0*)?$", r"\1", label.strip())
        earlier = spellings.setdefault(plain, label)
        if earlier != label:
            raise ValueError(
                f"{name}: {earlier!r} and {label!r} look like the same id: use one spelling"
            )
