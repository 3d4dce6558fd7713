"""The one way in which pairs of systems are tested, each on the topics that both have."""

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

BLOCK = 4_000_000  # numbers worked on at a time
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
    """By what pairs are tested; see `pairwise_tests`."""

    method: str = "t"
    alternative: str = "two-sided"
    level: float = 0.95
    clusters: np.ndarray | None = None  # of each topic, a whole number from 0
    trials: int = 10_000
    rng: np.random.Generator | None = None

    def __post_init__(self) -> None:
        """Raise where a method cannot do what is asked for."""
        check_choice(self.method, METHODS, "method")
        check_choice(self.alternative, EXTREMES, "alternative")
        check_level(self.level)
        if self.alternative != "two-sided" and not METHODS[self.method].signed:
            raise ValueError(f"{self.method!r} has no sign: alternative must be 'two-sided'")


def pair_table(scores: pd.DataFrame, i: np.ndarray, j: np.ndarray, rules: Rules) -> pd.DataFrame:
    """Test the systems at positions i and j of a checked matrix; those on the same topics in one.

    A pair has p 1 where there are too few topics for the test.
    """
    values = scores.to_numpy()
    columns = _empty_columns(len(i), rules)
    # Few sets of topics are those of many systems, and fewer still those of pairs of systems.
    known, of_system = np.unique(~np.isnan(values), axis=1, return_inverse=True)
    of_system = of_system.ravel()
    of_pair = of_system[i] * known.shape[1] + of_system[j]
    for both in np.unique(of_pair):
        first, second = divmod(both, known.shape[1])
        on_topics = known[:, first] & known[:, second]
        pairs = np.flatnonzero(of_pair == both)
        systems, positions = np.unique([i[pairs], j[pairs]], return_inverse=True)
        new_i, new_j = positions.reshape(2, -1)
        clusters = None if rules.clusters is None else rules.clusters[on_topics]
        tests = test_pairs(
            values[np.ix_(on_topics, systems)], new_i, new_j, replace(rules, clusters=clusters)
        )
        for name, numbers in tests.items():
            columns[name][pairs] = numbers
    names = {"system_a": scores.columns[i], "system_b": scores.columns[j]}
    return pd.DataFrame({**names, **columns})


def _empty_columns(pairs: int, rules: Rules) -> Columns:
    """Return the columns of so many pairs, before any is tested."""
    columns = {name: np.full(pairs, np.nan) for name in COLUMNS}
    columns |= {name: np.zeros(pairs, dtype=int) for name in COUNTS}
    if rules.clusters is not None:
        columns["clusters"] = np.zeros(pairs, dtype=int)
    return columns


def test_pairs(values: np.ndarray, i: np.ndarray, j: np.ndarray, rules: Rules) -> Columns:
    """Test pairs of systems that all have scores on these topics."""
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
    """Count the topics on which the first system of each pair is better, as good, and worse."""
    wins = (pairs.differences > 0).sum(axis=0)
    losses = (pairs.differences < 0).sum(axis=0)
    return {"wins": wins, "ties": len(pairs.values) - wins - losses, "losses": losses}


def _test_all(pairs: Pairs, clusters: np.ndarray | None, rules: Rules) -> Columns:
    """Test pairs on the same topics."""
    method = METHODS[rules.method]
    if method.spread is not None:
        size = method.spread(pairs.values)
        first = size[pairs.i]
        second = size[pairs.j]
        difference = snap_to_zero(first - second, np.maximum(first, second))
        return _kernel(pairs, rules) | {"difference": difference, "direction": _signs(difference)}
    if method.side is not None:
        direction = _signs(method.side(pairs))
        return _kernel(pairs, rules) | {"difference": pairs.mean, "direction": direction}
    columns = _test_means(pairs, clusters, rules)
    if rules.method != "t":
        columns |= _kernel(pairs, rules)
    return columns


def _kernel(pairs: Pairs, rules: Rules) -> Columns:
    """The statistic and p of each pair, by the method."""
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
    """By t, with intervals; of Tukey's tests these are for all pairs at a time."""
    n, m = pairs.values.shape
    error = pairs.sd / np.sqrt(n)
    df: float = n - 1
    if clusters is not None:
        error = pairs.snap_to_zero(se_of_mean(pairs.differences, clusters))
        df = degrees_of_freedom(clusters)
    elif METHODS[rules.method].of_all:
        of_mean, df = se_of_means(pairs.values)
        error = np.full_like(pairs.mean, np.sqrt(2) * of_mean)
    columns = by_t(pairs.mean, error, df, rules)
    if METHODS[rules.method].of_all:
        half = scipy.stats.studentized_range.ppf(rules.level, m, df) * error / np.sqrt(2)
        columns |= {"low": pairs.mean - half, "high": pairs.mean + half}
    return columns | {"effect_size": ratio(pairs.mean, pairs.sd)}


def by_t(difference: np.ndarray, error: np.ndarray, df, rules: Rules) -> Columns:
    """Test differences with their errors and degrees of freedom, and give their intervals."""
    statistic, p = with_t(ratio(difference, error), df, rules.alternative)
    share = rules.level
    if rules.alternative == "two-sided":
        share = (1 + rules.level) / 2
    half = scipy.stats.t.ppf(share, df) * error
    columns = {
        "difference": difference,
        "low": difference - half,
        "high": difference + half,
        "se": error,
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
