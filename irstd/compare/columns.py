"""The columns of a paper's table: by metric or by collection, and what is tested in each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from irstd._base.arguments import check_alpha, check_choice
from irstd._base.clusters import Clusters
from irstd._base.matrix import check_alike, scores_by_metric
from irstd._base.messages import listed, warn
from irstd._base.several import MEAN, check_collections
from irstd.compare.over_collections import means_over_collections, pairs_over_collections
from irstd.seeds import Seeds, compare_seeds, seeds_of
from irstd.significance import pair_tests
from irstd.significance.corrections import corrected
from irstd.significance.means import pairwise_tests

Scores = pd.DataFrame | Mapping[str, pd.DataFrame]


@dataclass(frozen=True)
class Rules:
    """What is tested in a table, and how; see `comparison_table`."""

    baselines: list[str] | None  # None: the group that holds the best is marked
    method: str
    correction: str | None
    alpha: float
    clusters: Clusters | None
    margin: float | None
    seeds: Seeds | None

    def __post_init__(self) -> None:
        """Raise if no table can be made by them."""
        check_alpha(self.alpha)
        check_choice(self.method, pair_tests.METHODS, "method")
        if pair_tests.METHODS[self.method].spread is not None:
            raise ValueError(f"method must be a test of means, ranks or signs, got {self.method!r}")
        if self.baselines is None and (self.method != "t" or self.margin is not None):
            raise ValueError("a margin, and other tests than t, need a baseline")
        of_topics = self.method != "t" or self.clusters is not None or self.margin is not None
        if self.seeds is not None and (self.baselines is None or of_topics):
            raise ValueError("seeds need a baseline, and go with t alone: no clusters, no margin")


@dataclass(frozen=True)
class Columns:
    """The scores of each column."""

    tables: dict[str, pd.DataFrame]  # means over seeds; without systems that have no score
    by_seed: dict[str, pd.DataFrame]  # with columns (system, seed); none without seeds
    over_collections: bool  # whether there is a last column, their mean


def columns_of(scores: Scores, rules: Rules) -> Columns:
    """A column for each metric, or for each collection and their mean."""
    named = scores if isinstance(scores, Mapping) else {"score": scores}
    by_seed = {}
    if rules.seeds is not None:
        check_alike(named, "metric")
        by_seed = {name: seeds_of(table, rules.seeds) for name, table in named.items()}
        named = {name: table.T.groupby("system").mean().T for name, table in by_seed.items()}
    least = 5 if rules.baselines is None else 2
    if isinstance(scores, Mapping):
        if rules.method != "t":
            raise ValueError(
                f'several collections are compared by method="t", not {rules.method!r}'
            )
        return Columns(check_collections(named, topics=least), by_seed, over_collections=True)
    tables = {}
    for metric, part in scores_by_metric(named["score"], topics=least, systems=2).items():
        tables[metric or "score"] = part.dropna(axis="columns", how="all")
    shown = set().union(*(table.columns for table in tables.values()))
    empty = [name for name in named["score"].columns.unique(-1) if str(name) not in shown]
    if empty:
        warn(f"left out, as they have no score at all: {listed(empty, 20)}")
    by_seed = dict(zip(tables, by_seed.values(), strict=False))  # of one metric, or none
    return Columns(tables, by_seed, over_collections=False)


def cells_of(columns: Columns, signs: pd.Series, level: float) -> pd.DataFrame:
    """By column and system, best first: mean, topics, whether these are all, and who is best."""
    tables = columns.tables
    means = pd.DataFrame({name: table.mean() for name, table in tables.items()})
    topics = pd.DataFrame({name: table.count() for name, table in tables.items()})
    sizes = pd.Series({name: len(table) for name, table in tables.items()})
    if columns.over_collections:
        means[MEAN] = means.mean(axis=1, skipna=False)
        topics[MEAN] = topics.sum(axis=1, skipna=False)
        sizes[MEAN] = sizes.sum()
    goodness = signs * means.round(12)  # equal on paper is equal
    first = MEAN if columns.over_collections else signs.index[0]
    systems = goodness[first].sort_values(ascending=False, kind="stable").index
    finished = topics == sizes  # a mean over other topics is not the best
    goodness = goodness.where(finished)
    best = goodness == goodness.max()
    wide = {"mean": means, "topics": topics, "finished": finished, "best": best}
    cells = pd.DataFrame({name: table.loc[systems].unstack() for name, table in wide.items()})
    cells = cells.rename_axis(["column", "system"])
    if columns.by_seed:
        of_seeds = pd.DataFrame({name: table.mean() for name, table in columns.by_seed.items()})
        of_seeds[MEAN] = of_seeds.mean(axis=1, skipna=False)
        cells["spread"] = of_seeds.groupby("system").std().unstack()
    elif columns.over_collections:
        interval = means_over_collections(tables, level)[["low", "high"]]
        cells = cells.join(pd.concat({MEAN: interval}, names=cells.index.names))
    return cells.reindex(columns=["mean", "spread", "low", "high", "topics", "finished", "best"])


def pairs_tested(columns: Columns, systems: pd.Index, rules: Rules) -> pd.DataFrame:
    """The tests of all columns, one row a pair; without a baseline of who has all topics.

    `systems` are those of each column, as (column, system).
    """
    if columns.by_seed:
        return _tests_with_seeds(columns, systems, rules)
    tables = columns.tables
    if rules.baselines is None:
        tables = {name: table.dropna(axis="columns") for name, table in tables.items()}
        if min(table.shape[1] for table in tables.values()) < 2:
            raise ValueError("a table without a baseline needs two systems with all topics")
    options: dict = {
        "baseline": rules.baselines,
        "correction": rules.correction,
        "clusters": rules.clusters,
        "margin": rules.margin,
    }
    if columns.over_collections:
        tests = pairs_over_collections(tables, **options)
        return tests.rename(columns={"collection": "column"})
    parts = []
    for metric, table in tables.items():
        missing = "pairwise" if table.isna().any(axis=None) else "raise"
        tests = pairwise_tests(table, rules.method, missing=missing, **options)
        tests.insert(0, "column", metric)
        parts.append(tests)
    return pd.concat(parts, ignore_index=True)


def _tests_with_seeds(columns: Columns, systems: pd.Index, rules: Rules) -> pd.DataFrame:
    """Tests with the baselines on topics and seeds, corrected together."""
    samples = {name: [table] for name, table in columns.by_seed.items()}
    samples[MEAN] = list(columns.by_seed.values())
    baselines = rules.baselines or []
    rows = []
    for column, system in systems:
        for baseline in baselines:
            pair = {"column": column, "system_a": system, "system_b": baseline}
            if system not in baselines:
                rows.append(pair | compare_seeds(samples[column], system, baseline).to_dict())
    tests = pd.DataFrame(rows)
    tests["direction"] = np.sign(tests["difference"]).astype(int)
    return corrected(tests, rules.correction)
