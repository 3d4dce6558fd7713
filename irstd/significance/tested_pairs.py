"""The one way in which pairs of systems are tested, each on the topics that both have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from irstd._base.arguments import check_choice, check_real
from irstd._base.arrays import cleared, ratio
from irstd._base.clusters import degrees_of_freedom
from irstd.significance import mean_tests
from irstd.significance.pair_tests import METHODS, least_topics
from irstd.significance.pairs import (
    EXTREMES,
    clustered_errors,
    in_unit,
    moments_of_differences,
    sides,
    units_that_differ,
    with_t,
)

Columns = dict[str, np.ndarray]

LEAST_TO_DIFFER = 10  # topics, or clusters, for a verdict that two systems are equivalent
COLUMNS = [
    "difference",
    "low",
    "high",
    "effect_size",
    "error",
    "df",
    "statistic",
    "direction",
    "pvalue",
    "topics",
]


@dataclass(frozen=True)
class Rules:
    """By what pairs are tested; see `pairwise_tests`."""

    method: str = "t"
    alternative: str = "two-sided"
    level: float = 0.95
    margin: float | None = None
    clusters: np.ndarray | None = None  # of each topic, a whole number from 0
    trials: int = 10_000
    rng: np.random.Generator | None = None

    def __post_init__(self) -> None:
        """Raise where a method cannot do what is asked for."""
        check_choice(self.method, METHODS, "method")
        check_choice(self.alternative, EXTREMES, "alternative")
        check_real(self.level, "level", 0, 1, open_="low high")
        if self.alternative != "two-sided" and not METHODS[self.method].signed:
            raise ValueError(f"{self.method!r} has no sign: alternative must be 'two-sided'")
        if self.margin is not None:
            check_real(self.margin, "margin", 0, open_="low")


def pair_table(scores: pd.DataFrame, i: np.ndarray, j: np.ndarray, rules: Rules) -> pd.DataFrame:
    """Test the systems at the places i and j of a checked matrix; those on the same topics in one.

    A pair has p 1 where there are too few topics for the test.
    """
    values = scores.to_numpy()
    # Few sets of topics are those of many systems, and fewer still those of pairs of systems.
    known, of_system = np.unique(~np.isnan(values), axis=1, return_inverse=True)
    of_system = of_system.ravel()
    of_pair = of_system[i] * known.shape[1] + of_system[j]
    parts = []
    for both in np.unique(of_pair):
        first, second = divmod(both, known.shape[1])
        on_topics = known[:, first] & known[:, second]
        pairs = np.flatnonzero(of_pair == both)
        columns = _test_on(values, on_topics, i[pairs], j[pairs], rules)
        parts.append(pd.DataFrame(columns, pairs))
    tests = pd.concat(parts).sort_index()
    asked_for = [name for name in ("clusters", "differ", "margin_pvalue") if name in tests]
    tests = tests.reindex(columns=[*COLUMNS, *asked_for])
    systems = pd.DataFrame({"system_a": scores.columns[i], "system_b": scores.columns[j]})
    return systems.join(tests)


def _test_on(values: np.ndarray, on_topics: np.ndarray, i, j, rules: Rules) -> Columns:
    """Test pairs on these topics, where all their systems have scores; others may have none."""
    systems, positions = np.unique([i, j], return_inverse=True)
    new_i, new_j = positions.reshape(2, -1)
    part = values[np.ix_(on_topics, systems)]
    units = len(part)
    columns = {"topics": np.full(len(i), units)}
    codes = None
    if rules.clusters is not None:
        names, codes = np.unique(rules.clusters[on_topics], return_inverse=True)
        units = len(names)
        columns["clusters"] = np.full(len(i), units)
    if units < least_topics(rules.method):
        columns["direction"] = np.zeros(len(i), int)
        columns["pvalue"] = np.ones(len(i))
        if rules.margin is not None:
            columns["margin_pvalue"] = np.ones(len(i))
        return columns
    properties = METHODS[rules.method]
    if properties.spread is not None or properties.ranks:
        return columns | _test_ranks_or_spreads(part, new_i, new_j, rules)
    return columns | _test_means(part, new_i, new_j, codes, rules)


def _kernel(values: np.ndarray, i, j, rules: Rules) -> tuple[np.ndarray, np.ndarray]:
    """The statistic and p of each pair, by the method."""
    properties = METHODS[rules.method]
    options: dict[str, Any] = {}
    if properties.signed:
        options["alternative"] = rules.alternative
    if properties.random:
        options |= {"trials": rules.trials, "rng": rules.rng}
    return properties.test(values, i, j, **options)


def _test_ranks_or_spreads(values: np.ndarray, i, j, rules: Rules) -> Columns:
    properties = METHODS[rules.method]
    if properties.spread is not None:
        (unit_free,) = in_unit(values)
        statistic, p = _kernel(unit_free, i, j, rules)
        size = properties.spread(values)
    else:
        statistic, p = _kernel(values, i, j, rules)
        size = values.mean(axis=0)
    larger = np.maximum(np.abs(size[i]), np.abs(size[j]))
    difference = cleared(size[i] - size[j], larger)
    direction = np.sign(difference)
    if properties.counts is not None:
        direction = sides(values, i, j, properties.counts)
    return {
        "difference": difference,
        "statistic": statistic,
        "direction": direction.astype(int),
        "pvalue": p,
    }


def _test_means(values: np.ndarray, i, j, clusters: np.ndarray | None, rules: Rules) -> Columns:
    n, m = values.shape
    mean, sd = moments_of_differences(values, i, j)
    if METHODS[rules.method].of_all:
        of_all, df = mean_tests.error_of_means(values)
        error = np.full(len(i), of_all)
        quantile = stats.studentized_range.ppf(rules.level, m, df)
        columns = by_t(mean, error, df, rules)
        columns["low"] = mean - quantile * error
        columns["high"] = mean + quantile * error
    elif clusters is not None:
        error = clustered_errors(values, i, j, clusters)
        columns = by_t(mean, error, degrees_of_freedom(clusters), rules)
    else:
        columns = by_t(mean, sd / np.sqrt(n), n - 1, rules)
    if rules.method != "t":
        columns["statistic"], columns["pvalue"] = _kernel(values, i, j, rules)
    if rules.margin is not None:
        differ = units_that_differ(values, i, j, clusters)
        columns |= within_margin(columns, differ, rules)
    return columns | {"effect_size": ratio(mean, sd)}


def by_t(difference: np.ndarray, error: np.ndarray, df, rules: Rules) -> Columns:
    """Test differences with their errors and degrees of freedom, and give their intervals."""
    statistic, p = with_t(ratio(difference, error), df, rules.alternative)
    share = rules.level
    if rules.alternative == "two-sided":
        share = (1 + rules.level) / 2
    half = stats.t.ppf(share, df) * error
    columns = {
        "difference": difference,
        "low": difference - half,
        "high": difference + half,
        "error": error,
        "df": np.ones(difference.shape) * df,
        "statistic": statistic,
        "direction": np.sign(difference).astype(int),
        "pvalue": p,
    }
    if rules.alternative == "less":
        columns["low"] = np.full_like(half, -np.inf)
    elif rules.alternative == "greater":
        columns["high"] = np.full_like(half, np.inf)
    return columns


def within_margin(tests: Columns, differ: np.ndarray, rules: Rules) -> Columns:
    """Test the null that differences, with their errors, are as far as the margin or farther.

    Two-sided the larger of two one-sided tests (Schuirmann 1987); with an alternative the one that
    tests whether system_a is worse, or better, by the margin. Where fewer than `LEAST_TO_DIFFER`
    topics differ, p is 1: what sets the two apart may be on topics that nobody has seen.
    """
    difference, error, df = tests["difference"], tests["error"], tests["df"]
    _, not_worse = with_t(ratio(difference + rules.margin, error), df, "greater")
    _, not_better = with_t(ratio(difference - rules.margin, error), df, "less")
    p = {"greater": not_worse, "less": not_better}.get(
        rules.alternative, np.maximum(not_worse, not_better)
    )
    return {"differ": differ, "margin_pvalue": np.where(differ < LEAST_TO_DIFFER, 1, p)}
