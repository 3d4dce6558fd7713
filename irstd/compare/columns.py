"""The columns of a paper's table: by metric or by collection, and what is tested in each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from irstd._base.arguments import check_alpha, check_choice
from irstd._base.clusters import Clusters
from irstd._base.matrix import check_alike, scores_by_metric
from irstd._base.several import MEAN, check_collections
from irstd.significance import pair_tests
from irstd.significance.corrections import adjusted
from irstd.significance.means import pairwise_tests
from irstd.significance.seeds import Seeds, seed_test, seeds_of
from irstd.significance.several import means_over_collections

Scores = pd.DataFrame | Mapping[str, pd.DataFrame]


@dataclass(frozen=True)
class Rules:
    """What is tested in a table, and how; see `comparison_table`."""

    baseline: str | Sequence[str] | None
    method: str
    correction: str | None
    alpha: float
    clusters: Clusters | None
    margin: float | None

    def __post_init__(self) -> None:
        """Raise if no table can be made by them."""
        check_alpha(self.alpha)
        check_choice(self.method, pair_tests.METHODS, "method")
        if pair_tests.METHODS[self.method].spread is not None:
            raise ValueError(f"method must be a test of means, ranks or signs, got {self.method!r}")
        if self.baseline is None and self.margin is not None:
            raise ValueError("a margin needs a baseline")

    @property
    def baselines(self) -> list[str]:
        """The systems that the others are compared with, each once."""
        if isinstance(self.baseline, str):
            return [self.baseline]
        return list(dict.fromkeys(self.baseline or []))


@dataclass(frozen=True)
class Columns:
    """The scores of each column."""

    tables: dict[str, pd.DataFrame]  # means over seeds; without systems that have no score
    by_seed: dict[str, pd.DataFrame]  # with columns (system, seed); none without seeds
    over_collections: bool  # whether there is a last column, their mean


def columns_of(scores: Scores, seeds: Seeds | None, rules: Rules) -> Columns:
    """A column for each metric, or for each collection and their mean."""
    over_collections = isinstance(scores, Mapping)
    by_t_only = over_collections or seeds is not None or rules.baseline is None
    if by_t_only and rules.method != "t":
        raise ValueError("several collections, seeds, and the group of the best are tested by t")
    by_seed = {}
    if seeds is not None:
        by_seed = _by_seed(scores, seeds, rules)
        scores = {name: table.T.groupby("system").mean().T for name, table in by_seed.items()}
    least = 5 if rules.baseline is None else 2
    if over_collections:
        tables = check_collections(scores, topics=least)
    elif by_seed:
        tables = scores
    else:
        tables = {}
        for metric, part in scores_by_metric(scores, topics=least, systems=2).items():
            tables[metric or "score"] = part.table.dropna(axis="columns", how="all")
    return Columns(tables, by_seed, over_collections)


def _by_seed(scores: Scores, seeds: Seeds, rules: Rules) -> dict[str, pd.DataFrame]:
    """The scores with columns (system, seed)."""
    if len(rules.baselines) != 1 or rules.clusters is not None or rules.margin is not None:
        raise ValueError(
            "with seeds, systems are tested against one baseline: give its name, and neither"
            " clusters nor a margin"
        )
    named = scores if isinstance(scores, Mapping) else {"score": scores}
    check_alike(named, "metric")
    return {name: seeds_of(table, seeds) for name, table in named.items()}


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
    best = goodness == goodness.where(finished).max()
    wide = {"mean": means, "topics": topics, "finished": finished, "best": best & finished}
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


def tests_of(columns: Columns, systems: pd.MultiIndex, rules: Rules) -> pd.DataFrame:
    """The tests of all columns, one row a pair; without a baseline of who has all topics.

    `systems` are those of each column, as (column, system).
    """
    if columns.by_seed:
        return _tests_with_seeds(columns, systems, *rules.baselines, rules.correction)
    tables = columns.tables
    options = {"clusters": rules.clusters, "margin": rules.margin}
    if rules.baseline is not None:
        options |= {"baseline": rules.baselines, "correction": rules.correction}
    else:
        tables = {name: table.dropna(axis="columns") for name, table in tables.items()}
        if min(table.shape[1] for table in tables.values()) < 2:
            raise ValueError("a table without a baseline needs two systems with all topics")
    if columns.over_collections:
        tests = pairwise_tests(tables, missing="pairwise", **options)
        return tests.rename(columns={"collection": "column"})
    parts = []
    for metric, table in tables.items():
        missing = "pairwise" if table.isna().any(axis=None) else "raise"
        tests = pairwise_tests(table, rules.method, missing=missing, **options)
        tests.insert(0, "column", metric)
        parts.append(tests)
    return pd.concat(parts, ignore_index=True)


def _tests_with_seeds(
    columns: Columns, systems: pd.MultiIndex, baseline: str, correction: str | None
) -> pd.DataFrame:
    """Tests with the baseline on topics and seeds, corrected together."""
    samples: dict = {MEAN: columns.by_seed} | columns.by_seed
    rows = []
    for column, system in systems:
        if system != baseline:
            pair = {"column": column, "system_a": system, "system_b": baseline}
            rows.append(pair | seed_test(samples[column], system, baseline).to_dict())
    tests = pd.DataFrame(rows)
    tests["direction"] = np.sign(tests["difference"]).astype(int)
    if correction is not None:
        tests["adjusted_pvalue"] = adjusted(tests["pvalue"].to_numpy(), correction)
    return tests
