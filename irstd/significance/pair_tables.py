"""Tables of tests by pair, each on the topics that both systems have."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import scipy

from irstd._base.arguments import check_choice, check_level
from irstd._base.arrays import chunks, ratio, se_of_means, snap_to_zero
from irstd._base.clusters import degrees_of_freedom, se_of_mean
from irstd.significance.pair_tests import METHODS, least_topics
from irstd.significance.pairs import EXTREMES, Pairs, with_t

Columns = dict[str, np.ndarray]

BLOCK = 4_000_000  # numbers held at a time
COLUMNS = [
    "difference",
    "low",
    "high",
    "effect_size",
    "se",
    "df",
    "statistic",
    "direction",
    "pvalue",
    "topics",
    "wins",
    "ties",
    "losses",
]
COUNTS = ("direction", "topics", "wins", "ties", "losses")


@dataclass(frozen=True)
class Rules:
    """Test method and options; see `pairwise_tests`."""

    method: str = "t"
    alternative: str = "two-sided"
    level: float = 0.95
    clusters: np.ndarray | None = None  # a whole number from 0 for each topic
    trials: int = 10_000
    rng: np.random.Generator | None = None

    def __post_init__(self) -> None:
        """Raise if an option is invalid or the method does not support it."""
        check_choice(self.method, METHODS, "method")
        check_choice(self.alternative, EXTREMES, "alternative")
        check_level(self.level)
        if self.alternative != "two-sided" and not METHODS[self.method].signed:
            raise ValueError(f"{self.method!r} is two-sided: alternative must be 'two-sided'")


def pair_table(scores: pd.DataFrame, i: np.ndarray, j: np.ndarray, rules: Rules) -> pd.DataFrame:
    """Test the pairs of systems at positions i and j of a checked matrix.

    A pair has p = 1 if it has too few topics for the test.
    """
    values = scores.to_numpy()
    columns = _empty_columns(len(i), rules)
    # Pairs with the same missing topics are tested together.
    patterns, system_patterns = np.unique(~np.isnan(values), axis=1, return_inverse=True)
    system_patterns = system_patterns.ravel()
    pair_patterns = system_patterns[i] * patterns.shape[1] + system_patterns[j]
    for pattern in np.unique(pair_patterns):
        first, second = divmod(pattern, patterns.shape[1])
        has_both = patterns[:, first] & patterns[:, second]
        pairs = np.flatnonzero(pair_patterns == pattern)
        systems, positions = np.unique([i[pairs], j[pairs]], return_inverse=True)
        new_i, new_j = positions.reshape(2, -1)
        clusters = None if rules.clusters is None else rules.clusters[has_both]
        tests = test_pairs(
            values[np.ix_(has_both, systems)], new_i, new_j, replace(rules, clusters=clusters)
        )
        for name, numbers in tests.items():
            columns[name][pairs] = numbers
    names = {"system_a": scores.columns[i], "system_b": scores.columns[j]}
    return pd.DataFrame({**names, **columns})


def _empty_columns(pairs: int, rules: Rules) -> Columns:
    """Return the columns of a table of tests, without results yet."""
    columns = {name: np.full(pairs, np.nan) for name in COLUMNS}
    columns |= {name: np.zeros(pairs, dtype=int) for name in COUNTS}
    if rules.clusters is not None:
        columns["clusters"] = np.zeros(pairs, dtype=int)
    return columns


def test_pairs(values: np.ndarray, i: np.ndarray, j: np.ndarray, rules: Rules) -> Columns:
    """Return the columns of a table of tests of systems without missing scores."""
    n = len(values)
    columns = _empty_columns(len(i), rules)
    columns["topics"][:] = n
    units = n
    clusters = None
    if rules.clusters is not None:
        names, clusters = np.unique(rules.clusters, return_inverse=True)
        units = len(names)
        columns["clusters"][:] = units
    if units < least_topics(rules.method):
        columns["pvalue"][:] = 1
        return columns | _count_wins(Pairs(values, i, j))
    parts = chunks(len(i), n, BLOCK)
    if METHODS[rules.method].random:
        parts = [slice(None)]  # the draws are the same for all pairs
    for part in parts:
        pairs = Pairs(values, i[part], j[part])
        tests = _test_all(pairs, clusters, rules) | _count_wins(pairs)
        for name, numbers in tests.items():
            columns[name][part] = numbers
    return columns


def _count_wins(pairs: Pairs) -> Columns:
    """Return the numbers of topics that the first system of each pair wins, ties and loses."""
    wins = (pairs.differences > 0).sum(axis=0)
    losses = (pairs.differences < 0).sum(axis=0)
    return {"wins": wins, "ties": len(pairs.values) - wins - losses, "losses": losses}


def _test_all(pairs: Pairs, clusters: np.ndarray | None, rules: Rules) -> Columns:
    """Return statistic, p-value, difference, direction and intervals of each pair."""
    method = METHODS[rules.method]
    if method.spread is not None:
        spread = method.spread(pairs.values)
        first = spread[pairs.i]
        second = spread[pairs.j]
        difference = snap_to_zero(first - second, np.maximum(first, second))
        columns = {"difference": difference, "direction": _signs(difference)}
    elif method.direction is not None:
        columns = {"difference": pairs.mean, "direction": _signs(method.direction(pairs))}
    else:
        columns = _test_means(pairs, clusters, rules)
    if rules.method != "t":
        columns |= _run_test(pairs, rules)
    return columns


def _run_test(pairs: Pairs, rules: Rules) -> Columns:
    """Return the statistic and p-value of each pair by the chosen method."""
    method = METHODS[rules.method]
    options: dict[str, Any] = {}
    if method.signed:
        options["alternative"] = rules.alternative
    if method.random:
        options |= {"trials": rules.trials, "rng": rules.rng}
    statistic, p = method.test(pairs, **options)
    return {"statistic": statistic, "pvalue": p}


def _signs(numbers: np.ndarray) -> np.ndarray:
    return np.sign(numbers).astype(int)


def _test_means(pairs: Pairs, clusters: np.ndarray | None, rules: Rules) -> Columns:
    """Return t-tests with intervals, which are simultaneous for Tukey's tests."""
    n, m = pairs.values.shape
    se = pairs.sd / np.sqrt(n)
    df: float = n - 1
    if clusters is not None:
        se = pairs.snap_to_zero(se_of_mean(pairs.differences, clusters))
        df = degrees_of_freedom(clusters)
    elif METHODS[rules.method].of_all:
        se_one_mean, df = se_of_means(pairs.values)
        se = np.full_like(pairs.mean, np.sqrt(2) * se_one_mean)
    columns = t_columns(pairs.mean, se, df, rules)
    if METHODS[rules.method].of_all:
        half = scipy.stats.studentized_range.ppf(rules.level, m, df) * se / np.sqrt(2)
        columns |= {"low": pairs.mean - half, "high": pairs.mean + half}
    return columns | {"effect_size": ratio(pairs.mean, pairs.sd)}


def t_columns(difference: np.ndarray, se: np.ndarray, df, rules: Rules) -> Columns:
    """Return t-tests and intervals of differences with given standard errors."""
    statistic, p = with_t(ratio(difference, se), df, rules.alternative)
    probability = rules.level
    if rules.alternative == "two-sided":
        probability = (1 + rules.level) / 2
    half = scipy.stats.t.ppf(probability, df) * se
    columns = {
        "difference": difference,
        "low": difference - half,
        "high": difference + half,
        "se": se,
        "df": np.ones(difference.shape) * df,
        "statistic": statistic,
        "direction": _signs(difference),
        "pvalue": p,
    }
    if rules.alternative == "less":
        columns["low"] = np.full_like(half, -np.inf)
    elif rules.alternative == "greater":
        columns["high"] = np.full_like(half, np.inf)
    return columns
