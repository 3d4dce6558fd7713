"""Columns of a comparison table, by metric or by collection, and their mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from irstd._base.arrays import ratio, t_estimate
from irstd._base.matrix import refuse_missing
from irstd._base.messages import warn
from irstd._base.several import (
    MEAN,
    PERCENT,
    ByCollection,
    check_collections,
    check_metrics,
    find_smaller_is_better,
)
from irstd.metrics import check_range
from irstd.seeds import Seeds, split_seeds
from irstd.significance.corrections import add_adjusted_pvalues, check_correction
from irstd.significance.pair_tables import tabulate_tests
from irstd.significance.pair_tests import Rules

CELL = ["column", "system"]
COUNTS = ("topics", "wins", "ties", "losses", "clusters")  # summed over collections
FEW_TOPICS = 4  # in a collection; with fewer, the mean over collections has a liberal test


@dataclass(frozen=True)
class ScoreColumns:
    """Score matrices for the columns of a comparison table."""

    tables: dict[str, pd.DataFrame]  # means over seeds; without systems that have no score
    by_seed: dict[str, pd.DataFrame]  # with columns (system, seed); empty without seeds
    over_collections: bool  # adds their mean as the last column
    smaller: frozenset[str]  # columns in which smaller is better

    @property
    def sizes(self) -> dict[str, int]:
        """Number of topics by column."""
        sizes = {name: len(table) for name, table in self.tables.items()}
        if self.over_collections:
            sizes[MEAN] = sum(sizes.values())
        return sizes

    def signs(self, names: pd.Series | pd.Index) -> np.ndarray:
        """Return 1 for each column in which larger is better, -1 for the others."""
        return np.where(names.isin(self.smaller), -1, 1)

    def orient(self, tests: pd.DataFrame) -> pd.DataFrame:
        """Return tests with positive differences where system_a is better."""
        signs = self.signs(tests["column"])
        return tests.assign(**tests[["difference", "direction"]].mul(signs, axis=0))


def make_columns(
    scores: pd.DataFrame | ByCollection,
    baselines: list[str] | None,
    seeds: Seeds | None,
    smaller_is_better: bool | Iterable[str],
) -> ScoreColumns:
    """Check scores and split them into columns: by metric, or by collection with their mean."""
    topics = 5 if baselines is None else 2
    over_collections = isinstance(scores, Mapping)
    if isinstance(scores, Mapping):
        systems = [] if seeds else baselines or []
        tables = check_collections(scores, topics=topics, systems=systems)
    else:
        tables = check_metrics(scores, topics=topics)
    smaller = find_smaller_is_better(tables, over_collections, smaller_is_better)
    if not over_collections:
        for metric, table in tables.items():
            # standardized scores may be of any size
            if (table > PERCENT).any(axis=None) and not (table < 0).any(axis=None):
                check_range(table, metric, "scores")
    if seeds is None:
        return ScoreColumns(tables, {}, over_collections, smaller)
    if len(tables) > 1 and not over_collections:
        first = next(iter(tables))
        raise ValueError(f'seeds= needs scores of one metric: choose one, as in scores["{first}"]')
    for table in tables.values():
        refuse_missing(table, "scores")
    by_seed = {name: split_seeds(table, seeds) for name, table in tables.items()}
    means = {name: table.T.groupby("system").mean().T for name, table in by_seed.items()}
    return ScoreColumns(means, by_seed, over_collections, smaller)


def make_cells(columns: ScoreColumns, level: float) -> pd.DataFrame:
    """Return table cells by column and system, best system first."""
    parts = {name: estimate_means(table) for name, table in columns.tables.items()}
    first = next(iter(parts))
    if columns.over_collections:
        _warn_of_few_topics(parts)
        parts[MEAN] = average_over_collections(parts, level)
        first = MEAN
    cells = pd.concat(parts, names=CELL).rename(columns={"difference": "mean"})
    first_means = parts[first]["difference"].round(12)  # so that rounding errors do not break ties
    first_means = first_means.reindex(cells.index.unique("system"))
    systems = first_means.sort_values(ascending=first in columns.smaller, kind="stable").index
    cells = cells.reindex(pd.MultiIndex.from_product([list(parts), systems], names=CELL))
    names = cells.index.get_level_values("column")
    cells["finished"] = cells["topics"] == names.map(columns.sizes)
    # The mean of an incomplete system is over other topics, and never the best.
    means = columns.signs(names) * cells["mean"].round(12).where(cells["finished"])
    cells["best"] = means == means.groupby("column").transform("max")
    if columns.by_seed:
        cells["spread"] = _measure_seed_spread(columns)
        cells = cells.drop(columns=["low", "high"], errors="ignore")
    return cells.reindex(columns=["mean", "spread", "low", "high", "topics", "finished", "best"])


def estimate_means(scores: pd.DataFrame) -> pd.DataFrame:
    """Return system means (from 0) with standard errors, degrees of freedom and topics."""
    topics = scores.count()
    return pd.DataFrame(
        {"difference": scores.mean(), "se": scores.sem(), "df": topics - 1, "topics": topics}
    )


def _warn_of_few_topics(parts: dict[str, pd.DataFrame]) -> None:
    """Warn if a system has few topics on a collection."""
    few = pd.Series({name: part["topics"].min() for name, part in parts.items()})
    if few.min() < FEW_TOPICS:
        warn(
            f"{few.idxmin()!r} has systems with fewer than {FEW_TOPICS} topics: tests of the mean"
            " over collections rejected up to 13% of true null hypotheses at alpha .05"
        )


def _measure_seed_spread(columns: ScoreColumns) -> pd.Series:
    """Return the standard deviation of means over seeds, by column and system."""
    means: Any = pd.DataFrame({name: table.mean() for name, table in columns.by_seed.items()})
    if columns.over_collections:
        means[MEAN] = means.mean(axis=1, skipna=False)
    return means.groupby("system").std().unstack()


def average_over_collections(parts: Mapping[str, pd.DataFrame], level: float) -> pd.DataFrame:
    """Average differences over collections, with t-tests, and sum numbers of topics.

    Rows are those that all parts have. Topics are independent between collections: with the
    variance v_c of the mean on each of k collections, their mean has the variance sum(v_c) / k^2,
    with Satterthwaite's degrees of freedom. Collections are fixed, not a sample.
    """
    columns: Any = pd.concat(parts, axis=1, join="inner").swaplevel(axis=1)
    variances = (columns["se"].to_numpy() / len(parts)) ** 2
    variance = variances.sum(axis=1)
    dfs = columns["df"].to_numpy()
    df = ratio(variance**2, (variances**2 / dfs).sum(axis=1))
    df = np.where(variance == 0, dfs.min(axis=1), df)
    se = np.sqrt(variance)
    difference = columns["difference"].mean(axis=1)
    averages = pd.DataFrame(t_estimate(difference, se, df, level) | {"se": se, "df": df})
    for name in COUNTS:
        if name in columns:
            averages[name] = columns[name].sum(axis=1)
    return averages


def test_columns(columns: ScoreColumns, rules: Rules) -> pd.DataFrame:
    """Test the pairs of systems in each column of the table.

    Without a baseline only systems with all topics are tested.
    """
    tables = columns.tables
    if rules.baselines is None:
        tables = {name: table.dropna(axis="columns") for name, table in tables.items()}
        if min(table.shape[1] for table in tables.values()) < 2:
            raise ValueError(
                "without a baseline, two or more systems must have scores on all topics: give a"
                " baseline, or fewer topics"
            )
    if columns.over_collections:
        tests = tabulate_tests_by_collection(tables, replace(rules, correction=None))
    else:
        tests = {name: tabulate_tests(table, rules) for name, table in tables.items()}
    joined = pd.concat(tests, names=["column", "pair"])
    joined = joined.reset_index("column").reset_index(drop=True)
    if columns.over_collections:  # all tests are one family
        check_correction(rules, len(joined), min(map(len, tables.values())))
        joined = add_adjusted_pvalues(joined, rules.correction)
    return joined


def tabulate_tests_by_collection(tables: ByCollection, rules: Rules) -> dict[str, pd.DataFrame]:
    """Test pairs on each collection, and by t-test their mean over all collections."""
    tests = {}
    by_t_test = {}
    for name, table in tables.items():
        clusters = rules.clusters
        if clusters is not None:
            if not isinstance(clusters, Mapping) or name not in clusters:
                raise ValueError(f"clusters must be a dict by collection: {name!r} is missing")
            clusters = clusters[name]
        of_means = tabulate_tests(table, replace(rules, clusters=clusters))
        tests[name] = of_means
        if rules.method != "t":
            of_means = tabulate_tests(table, Rules(baselines=rules.baselines))
        by_t_test[name] = of_means.dropna(subset="difference").set_index(["system_a", "system_b"])
    means = average_over_collections(by_t_test, rules.level)
    means["direction"] = np.sign(means["difference"]).astype(int)
    return tests | {MEAN: means.reset_index()}
