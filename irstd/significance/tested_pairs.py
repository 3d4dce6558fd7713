"""Tests of given pairs of systems, all on the same topics or each on those that both have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from irstd._base.arrays import cleared, ratio
from irstd.significance import mean_tests, pair_tests
from irstd.significance.pairs import (
    clustered_errors,
    in_unit,
    moments_of_differences,
    sides,
    with_t,
)

# Columns after the two systems: of tests of ranks, signs or spreads, and of tests of means.
COLUMNS = ["difference", "statistic", "direction", "pvalue"]
SIZES = ["statistic", "pvalue", "difference", "low", "high", "effect_size"]
COLUMNS_OF_MEANS = ["difference", "low", "high", "effect_size", "statistic", "direction", "pvalue"]


@dataclass(frozen=True)
class Rules:
    """By what pairs are tested: the arguments of `pairwise_tests`, checked."""

    method: str
    correction: str | None
    alternative: str
    level: float
    missing: str
    margin: float | None
    trials: int
    rng: np.random.Generator
    progress: bool

    @property
    def random_options(self) -> dict[str, Any]:
        """What a randomized method takes."""
        if not pair_tests.METHODS[self.method].random:
            return {}
        return {"trials": self.trials, "rng": self.rng, "progress": self.progress}

    def quantile(self, df: int) -> float:
        """How many errors an interval reaches to each side, or to its one."""
        share = self.level
        if self.alternative == "two-sided":
            share = (1 + self.level) / 2
        return stats.t.ppf(share, df)


def tests_of_pairs(
    values: np.ndarray,
    i: np.ndarray,
    j: np.ndarray,
    clusters: np.ndarray | None,
    rules: Rules,
) -> pd.DataFrame:
    """Test pairs of systems on the same topics: `COLUMNS`, or `COLUMNS_OF_MEANS`, by pair."""
    if clusters is not None:
        return _test_clusters(values, i, j, clusters, rules)
    properties = pair_tests.METHODS[rules.method]
    options = rules.random_options
    if properties.signed:
        options["alternative"] = rules.alternative
    if properties.spread is not None:
        (unit_free,) = in_unit(values)
        statistic, p = properties.test(unit_free, i, j, **options)
        spread = properties.spread(values)
        larger = np.maximum(spread[i], spread[j])
        sizes = {"difference": cleared(spread[i] - spread[j], larger)}
        direction = np.sign(sizes["difference"])
    elif properties.ranks:
        statistic, p = properties.test(values, i, j, **options)
        means = values.mean(axis=0)
        sizes = {"difference": means[i] - means[j]}
        direction = np.sign(statistic)
        if properties.counts is not None:  # whose statistic has no sign
            direction = sides(values, i, j, properties.counts)
    else:
        mean, sd = moments_of_differences(values, i, j)
        if rules.method == "t":  # from the moments that the sizes need too
            statistic, p = mean_tests.t_of_moments(mean, sd, len(values), rules.alternative)
        else:
            statistic, p = properties.test(values, i, j, **options)
        if properties.of_all:
            half = np.full(len(sd), _half_width_of_all(values, rules.level))
        else:
            half = rules.quantile(len(values) - 1) * sd / np.sqrt(len(values))
        sizes = _sizes_of_means(mean, sd, half, rules)
        direction = np.sign(mean)
    test = {"statistic": statistic, "direction": direction.astype(int), "pvalue": p}
    return pd.DataFrame(sizes | test)


def _test_clusters(
    values: np.ndarray,
    i: np.ndarray,
    j: np.ndarray,
    clusters: np.ndarray,
    rules: Rules,
) -> pd.DataFrame:
    """The t-test with the error of cluster sums: `COLUMNS_OF_MEANS`, and how many clusters."""
    codes = np.unique(clusters, return_inverse=True)[1]  # of these topics
    n_clusters = codes.max() + 1
    mean, sd = moments_of_differences(values, i, j)
    error = clustered_errors(values, i, j, codes)
    statistic, p = with_t(ratio(mean, error), n_clusters - 1, rules.alternative)
    half = rules.quantile(n_clusters - 1) * error
    sizes = _sizes_of_means(mean, sd, half, rules)
    test = {"statistic": statistic, "direction": np.sign(mean).astype(int), "pvalue": p}
    return pd.DataFrame(sizes | test | {"clusters": n_clusters})


def tests_on_common_topics(
    values: np.ndarray,
    i: np.ndarray,
    j: np.ndarray,
    clusters: np.ndarray | None,
    rules: Rules,
) -> pd.DataFrame:
    """Test each pair on the topics that both systems have; pairs that share them in one go."""
    missing = np.isnan(values)
    complete = ~(missing[:, i] | missing[:, j])  # topics x pairs
    groups, group_of_pair = np.unique(complete, axis=1, return_inverse=True)
    group_of_pair = group_of_pair.ravel()
    tables = []
    for group, on_topics in enumerate(groups.T):
        pairs = np.flatnonzero(group_of_pair == group)
        n_topics = on_topics.sum()
        of_topics = None if clusters is None else clusters[on_topics]
        units = n_topics if of_topics is None else len(np.unique(of_topics))
        if units < pair_tests.least_topics(rules.method):
            table = pd.DataFrame({"direction": 0, "pvalue": 1.0}, index=pairs)
        else:
            table = _test_group(values, on_topics, i[pairs], j[pairs], of_topics, rules)
            table = table.set_axis(pairs)
        tables.append(table.assign(topics=n_topics))
    columns = COLUMNS_OF_MEANS
    properties = pair_tests.METHODS[rules.method]
    if properties.spread is not None or properties.ranks:
        columns = COLUMNS
    if clusters is not None:
        columns = [*columns, "clusters"]
    return pd.concat(tables).sort_index().reindex(columns=[*columns, "topics"])


def _test_group(
    values: np.ndarray,
    on_topics: np.ndarray,
    i: np.ndarray,
    j: np.ndarray,
    clusters: np.ndarray | None,
    rules: Rules,
) -> pd.DataFrame:
    """Test some pairs on some topics; the other systems, which may miss scores, are left out."""
    systems, positions = np.unique([i, j], return_inverse=True)
    new_i, new_j = positions.reshape(2, -1)
    return tests_of_pairs(values[np.ix_(on_topics, systems)], new_i, new_j, clusters, rules)


def _half_width_of_all(values: np.ndarray, level: float) -> float:
    """Half the width of the intervals of all mean differences at a time (Tukey)."""
    error, df = mean_tests.error_of_means(values)
    return error * stats.studentized_range.ppf(level, values.shape[1], df)


def _sizes_of_means(
    mean: np.ndarray, sd: np.ndarray, half: np.ndarray, rules: Rules
) -> dict[str, np.ndarray]:
    """The difference of the means of each pair, its interval and its standardized size."""
    low = mean - half
    high = mean + half
    if rules.alternative == "less":
        low = np.full_like(mean, -np.inf)
    elif rules.alternative == "greater":
        high = np.full_like(mean, np.inf)
    return {"difference": mean, "low": low, "high": high, "effect_size": ratio(mean, sd)}
