"""Columns of a comparison table, by metric or by collection, and their mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from irstd._base.arguments import check_choice
from irstd._base.arrays import ratio, t_estimate
from irstd._base.matrix import scores_by_metric
from irstd._base.messages import listed, warn, warn_of_cost
from irstd._base.several import MEAN, PERCENT, ByCollection, check_collections
from irstd.metrics import check_range
from irstd.seeds import Seeds, split_seeds
from irstd.significance.corrections import add_adjusted_pvalues, check_correction
from irstd.significance.pair_tables import tabulate_tests
from irstd.significance.pair_tests import Rules

CELL = ["column", "system"]
PAIR = ["system_a", "system_b"]
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


def make_columns(
    scores: pd.DataFrame | ByCollection,
    baselines: list[str] | None,
    seeds: Seeds | None,
    smaller_is_better: bool | Iterable[str] = (),
) -> ScoreColumns:
    """Prepare table columns: one per metric, or one per collection and their mean."""
    topics = 5 if baselines is None else 2
    over_collections = isinstance(scores, Mapping)
    if isinstance(scores, Mapping):
        systems = [] if seeds else baselines or []
        tables = check_collections(scores, topics=topics, systems=systems)
    else:
        tables = {}
        for metric, part in scores_by_metric(scores, topics=topics, systems=2).items():
            tables[metric or "score"] = part.dropna(axis="columns", how="all")
            if metric and not (part < 0).any(axis=None) and (part > PERCENT).any(axis=None):
                check_range(part, metric, "scores")  # not standardized ones
        _warn_of_empty(scores.columns.unique(-1), tables)
    smaller = _find_smaller_is_better(tables, over_collections, smaller_is_better)
    if seeds is None:
        return ScoreColumns(tables, {}, over_collections, smaller)
    if len(tables) > 1 and not over_collections:
        first = next(iter(tables))
        raise ValueError(f'seeds= needs scores of one metric: choose one, as in scores["{first}"]')
    by_seed = {name: split_seeds(table, seeds) for name, table in tables.items()}
    means = {name: table.T.groupby("system").mean().T for name, table in by_seed.items()}
    return ScoreColumns(means, by_seed, over_collections, smaller)


def _find_smaller_is_better(
    tables: dict[str, pd.DataFrame], over_collections: bool, smaller_is_better: bool | Iterable[str]
) -> frozenset[str]:
    """Return the columns in which smaller is better; warn of unlisted cost metrics."""
    metrics = {name: name for name in tables}
    if over_collections:
        names = [table.attrs.get("metric") for table in tables.values()]
        metrics = dict.fromkeys([*tables, MEAN], next(filter(None, names), "score"))
    choices = dict.fromkeys(metrics.values())
    chosen = smaller_is_better
    if isinstance(chosen, bool):
        chosen = choices if chosen else ()
    elif isinstance(chosen, str):
        chosen = [chosen]
    chosen = set(chosen)
    for metric in chosen:
        check_choice(metric, choices, "smaller_is_better")
    for name, table in tables.items():
        if metrics[name] not in chosen:
            warn_of_cost(metrics[name], table)
    return frozenset(name for name, metric in metrics.items() if metric in chosen)


def _warn_of_empty(systems: pd.Index, tables: dict[str, pd.DataFrame]) -> None:
    """Warn of systems without a score in any table."""
    with_scores = set().union(*tables.values())
    empty = [name for name in systems if str(name) not in with_scores]
    if empty:
        warn(f"systems without any score are left out: {listed(empty, 20)}")


def make_cells(columns: ScoreColumns, level: float) -> pd.DataFrame:
    """Return table cells by column and system, best system first."""
    parts = {}
    for name, table in columns.tables.items():
        parts[name] = pd.DataFrame({"mean": table.mean(), "topics": table.count()})
    first = next(iter(columns.tables))
    if columns.over_collections:
        parts[MEAN] = average_over_collections(columns.tables, level)
        first = MEAN
    cells = pd.concat(parts, names=CELL)
    first_means = parts[first]["mean"].round(12)  # so that rounding errors do not break ties
    first_means = first_means.reindex(cells.index.unique("system"))
    systems = first_means.sort_values(ascending=first in columns.smaller, kind="stable").index
    cells = cells.reindex(pd.MultiIndex.from_product([list(parts), systems], names=CELL))
    names = cells.index.get_level_values("column")
    cells["finished"] = cells["topics"] == names.map(columns.sizes)
    # The mean of an incomplete system is over other topics, and never the best.
    means: Any = columns.signs(names) * cells["mean"].round(12).where(cells["finished"])
    cells["best"] = means == means.groupby("column").transform("max")
    if columns.by_seed:
        cells["spread"] = _measure_seed_spread(columns)
        cells = cells.drop(columns=["low", "high"], errors="ignore")
    return cells.reindex(columns=["mean", "spread", "low", "high", "topics", "finished", "best"])


def _measure_seed_spread(columns: ScoreColumns) -> pd.Series:
    """Return the standard deviation of means over seeds, by column and system."""
    means: Any = pd.DataFrame({name: table.mean() for name, table in columns.by_seed.items()})
    if columns.over_collections:
        means[MEAN] = means.mean(axis=1, skipna=False)
    return means.groupby("system").std().unstack()


def average_over_collections(tables: ByCollection, level: float) -> pd.DataFrame:
    """Return each system's mean over collections, with interval and topic count.

    Topics are independent between collections: with the variance v_c of the mean on each of k
    collections, their mean has the variance sum(v_c) / k^2, with Satterthwaite's degrees of
    freedom. Collections are fixed, not a sample.
    """
    by_collection = {name: table.agg(["mean", "sem", "count"]).T for name, table in tables.items()}
    parts: Any = pd.concat(by_collection, axis=1).swaplevel(axis=1)
    few = parts["count"].min()
    if few.min() < FEW_TOPICS:
        warn(
            f"{few.idxmin()!r} has systems with fewer than {FEW_TOPICS} topics: tests of the mean"
            " over collections rejected up to 13% of true null hypotheses at alpha .05"
        )
    mean = parts["mean"].mean(axis=1, skipna=False)
    topics = parts["count"].sum(axis=1, skipna=False)
    se, df = _combine_se(parts["sem"], parts["count"] - 1)
    interval = t_estimate(mean, se, df, level)
    means = pd.DataFrame({"mean": mean, "topics": topics})
    return means.assign(low=interval["low"], high=interval["high"])


def tabulate_collection_tests(
    tables: ByCollection,
    rules: Rules,
    baselines: list[str] | None = None,
    correction: str | None = None,
) -> pd.DataFrame:
    """Test pairs on each collection, and their mean over collections by t-test.

    Their first column is ``column``. Rows of the ``mean`` are for pairs on all collections, with
    the standard error of `average_over_collections`. `tables` are checked already.
    """
    tests = {}
    by_t_test = {}
    for name, table in tables.items():
        clusters = rules.clusters
        if clusters is not None:
            if not isinstance(clusters, Mapping) or name not in clusters:
                raise ValueError(f"clusters must be a dict by collection: {name!r} is missing")
            clusters = clusters[name]
        own_rules = replace(rules, clusters=clusters)
        tests[name] = by_t_test[name] = tabulate_tests(table, own_rules, baselines)
        if rules.method != "t":
            by_t_test[name] = tabulate_tests(table, Rules(), baselines)
    tests[MEAN] = _test_mean(by_t_test)
    result = pd.concat(tests, names=["column"]).reset_index(level="column")
    if correction is not None:
        check_correction(correction, rules, len(result), min(map(len, tables.values())))
    return add_adjusted_pvalues(result.reset_index(drop=True), correction)


def _test_mean(tests: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Test mean differences over collections, for pairs that all collections have."""
    by_pair = {
        name: table.dropna(subset="difference").set_index(PAIR) for name, table in tests.items()
    }
    parts: Any = pd.concat(by_pair, axis=1, join="inner").swaplevel(axis=1)
    se, df = _combine_se(parts["se"], parts["df"])
    difference = parts["difference"].mean(axis=1)
    columns = t_estimate(difference, se, df, Rules().level) | {"se": se, "df": df}
    columns["direction"] = np.sign(difference).astype(int)
    for name in ("topics", "wins", "ties", "losses", "clusters"):
        if name in parts:
            columns[name] = parts[name].sum(axis=1)
    return pd.DataFrame(columns, parts.index).reset_index()


def _combine_se(ses: pd.DataFrame, dfs: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Return standard errors and degrees of freedom of means over collections."""
    parts = (ses.to_numpy() / ses.shape[1]) ** 2
    variance = parts.sum(axis=1)
    part_dfs = dfs.to_numpy()
    df = ratio(variance**2, (parts**2 / part_dfs).sum(axis=1))
    return np.sqrt(variance), np.where(variance == 0, part_dfs.min(axis=1), df)
