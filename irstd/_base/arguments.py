"""Validation of single function arguments."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Mapping
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from irstd._base.messages import format_topics, import_optional, listed

Seed = int | np.random.Generator
FINITE = pd.Interval(-np.inf, np.inf, closed="neither")
MANY = 15  # choices that a message lists
LONG = 6  # letters; shorter words are too much alike for spelling distance
SYNONYMS = {  # of choices, without "-" and "_"; "" if no choice means the same
    "bh": "fdr_bh", "benjaminihochberg": "fdr_bh", "fdr": "fdr_bh",
    "by": "fdr_by", "benjaminiyekutieli": "fdr_by", "holmbonferroni": "holm",
    "zscore": "z", "standard": "z", "cdf": "normal", "gaussian": "normal",
    "hochberg": "simes-hochberg",
    "ttest": "t", "student": "t", "pairedt": "t", "signedrank": "wilcoxon", "hsd": "tukey",
    "tukeyhsd": "tukey", "permutation": "randomization", "anova": "",
    "brownforsythe": "levene", "levenemedian": "levene", "ftest": "f",
    "kendall": "tau", "kendalltau": "tau", "taub": "tau", "spearman": "",
    "twotailed": "two-sided", "onesided": "", "onetailed": "",
}  # fmt: skip


def check_choice(value: object, choices: Collection[str], name: str) -> None:
    """Raise ValueError unless `value` is one of `choices`."""
    if isinstance(value, str) and value in choices:
        return
    suggestion = _suggest_choice(str(value), choices)
    hint = f"; did you mean {suggestion!r}?" if suggestion else ""
    accepted = listed(map(repr, choices), 5 if suggestion or len(choices) > MANY else MANY)
    raise ValueError(f"{name} must be one of {accepted}, got {value!r:.60}{hint}")


def _suggest_choice(value: str, choices: Collection[str]) -> str:
    """Return the choice meant by a synonym or misspelling, or ""."""
    forms = SYNONYMS | {normalize_word(choice): choice for choice in choices}
    meaning = find_meaning(normalize_word(value), forms)
    return meaning if meaning in choices else ""


def normalize_word(word: str) -> str:
    """Return a word in lower case, without spaces and punctuation."""
    return re.sub(r"[\s_.-]", "", word.lower())


def find_meaning(word: str, meanings: Mapping[str, str]) -> str:
    """Return the meaning of a word, or of the words that it seems to misspell, or "".

    Words of fewer than six letters match only if they have the same letters in another order.
    """
    if word in meanings:
        return meanings[word]
    matches = [form for form in meanings if sorted(form) == sorted(word) and len(word) > 2]
    if len(word) >= LONG:
        matches += difflib.get_close_matches(word, meanings, cutoff=0.85)
    candidates = {meanings[match] for match in matches}
    return candidates.pop() if len(candidates) == 1 else ""


def check_flag(value: object, name: str) -> bool:
    """Return `value` as bool, or raise unless it is True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, got {value!r:.60}")
    return bool(value)


def check_text(value: object, name: str) -> str:
    """Return `value` as str, or raise unless it is a non-empty printable string."""
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise ValueError(f"{name} must be a non-empty printable string, got {value!r:.60}")
    return str(value)


def check_count(value: object, name: str, minimum: int = 1) -> int:
    """Return `value` as int, or raise unless it is a whole number >= `minimum`."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"{name} must be a whole number, got {value!r:.60}")
    if value < minimum:
        raise ValueError(f"{name} must be at least {minimum}, got {value}")
    return int(value)


def check_list(values: object, name: str, example: str) -> list:
    """Return `values` as a list, or raise if they are text, not iterable or none."""
    items = []
    if isinstance(values, Iterable) and not isinstance(values, str):
        items = list(values)
    if not items:
        raise ValueError(f"{name} must be a non-empty list, such as {example}, got {values!r:.60}")
    return items


def check_sizes(values: Iterable[int], minimum: int) -> list[int]:
    """Return sizes as a list of whole numbers >= `minimum`, or raise."""
    values = check_list(values, "sizes", "[10, 20]")
    return [check_count(value, "sizes", minimum) for value in values]


def check_real(value: object, name: str, interval: pd.Interval = FINITE) -> float:
    """Return `value` as float, or raise unless it is a number in `interval`."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number, got {value!r:.60}")
    if value not in interval:
        raise ValueError(f"{name} must be a number in {interval}, got {value}")
    return float(value)


def check_alpha(alpha: object) -> float:
    """Return the significance level as float, or raise unless it is in (0, 1]."""
    return check_real(alpha, "alpha", pd.Interval(0, 1, closed="right"))


def check_level(level: object) -> float:
    """Return the confidence level as float, or raise unless it is in (0, 1)."""
    return check_real(level, "level", pd.Interval(0, 1, closed="neither"))


def check_epsilon(scores: pd.DataFrame, epsilon: float, adjust: str = "uniform") -> float:
    """Return epsilon as float, or raise if the geometric mean would be undefined."""
    epsilon = check_real(epsilon, "epsilon", pd.Interval(0, np.inf, closed="both"))
    if epsilon == np.inf and adjust != "uniform":
        raise ValueError(f'an infinite epsilon needs adjust="uniform", got adjust={adjust!r}')
    negative = format_topics(scores < 0)
    if negative:
        raise ValueError(f"a geometric mean needs scores >= 0: some are negative on {negative}")
    zero = format_topics(scores == 0)
    if epsilon == 0 and zero:
        raise ValueError(f"epsilon must be > 0, since some scores are 0 on {zero}")
    return epsilon


def make_generator(seed: Seed) -> np.random.Generator:
    """Return a NumPy random generator for a seed or an existing generator."""
    if isinstance(seed, np.random.Generator):
        return seed
    return np.random.default_rng(check_count(seed, "seed", 0))


def check_columns(frame: pd.DataFrame, columns: Iterable[str], name: str) -> None:
    """Raise unless `frame` is a DataFrame with each of `columns` exactly once."""
    if not isinstance(frame, pd.DataFrame):
        raise TypeError(f"{name} must be a DataFrame, got {type(frame).__name__}")
    for column in columns:
        if list(frame.columns).count(column) != 1:
            found = listed(frame.columns, 10) or "none"
            raise ValueError(
                f"{name} must have one column {column!r}; expected {listed(columns)}, found {found}"
            )


def convert_ids(column: pd.Series, name: str) -> list[str]:
    """Return ids as text, or raise if they are missing, floats or mixed."""
    if column.isna().any():
        raise ValueError(f"{name} is missing in {column.isna().sum()} of {len(column)} rows")
    values = column.tolist()
    if pd.api.types.infer_dtype(values) not in ("string", "integer", "empty"):
        examples = {type(value).__name__: f"{value!r:.40}" for value in values}
        found = listed(f"{value} ({kind})" for kind, value in examples.items())
        raise TypeError(f"{name} must be all text or all whole numbers, got {found}")
    return [str(value) for value in values]


def with_progress(steps: Iterable, progress: bool, **options: Any) -> Iterable:
    """Return an iterable, with a tqdm progress bar if `progress`."""
    if not check_flag(progress, "progress"):
        return steps
    return import_optional("tqdm.auto").tqdm(steps, **options)
