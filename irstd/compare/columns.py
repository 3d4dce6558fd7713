"""The columns of a paper's table, by metric or by collection, and their cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from irstd._base.matrix import scores_by_metric
from irstd._base.messages import listed, warn
from irstd._base.several import MEAN, ByCollection, check_collections
from irstd.compare.over_collections import means_over_collections
from irstd.seeds import Seeds, seeds_of

CELL = ["column", "system"]


@dataclass(frozen=True)
class ScoreColumns:
    """The scores of each column."""

    tables: dict[str, pd.DataFrame]  # means over seeds; without systems that have no score
    by_seed: dict[str, pd.DataFrame]  # with columns (system, seed); none without seeds
    over_collections: bool  # whether there is a last column, their mean

    @property
    def sizes(self) -> dict[str, int]:
        """The number of topics of each column."""
        sizes = {name: len(table) for name, table in self.tables.items()}
        if self.over_collections:
            sizes[MEAN] = sum(sizes.values())
        return sizes


def columns_of(
    scores: pd.DataFrame | ByCollection, baselines: list[str] | None, seeds: Seeds | None
) -> ScoreColumns:
    """A column for each metric, or for each collection and their mean."""
    topics = 5 if baselines is None else 2
    over_collections = isinstance(scores, Mapping)
    if isinstance(scores, Mapping):
        systems = [] if seeds else baselines or []
        tables = check_collections(scores, topics=topics, systems=systems)
    else:
        tables = {}
        for metric, part in scores_by_metric(scores, topics=topics, systems=2).items():
            tables[metric or "score"] = part.dropna(axis="columns", how="all")
        _warn_of_empty(scores.columns.unique(-1), tables)
    if seeds is None:
        return ScoreColumns(tables, {}, over_collections)
    if len(tables) > 1 and not over_collections:
        first = next(iter(tables))
        raise ValueError(f'with seeds, give the scores of one metric, as scores["{first}"]')
    by_seed = {name: seeds_of(table, seeds) for name, table in tables.items()}
    means = {name: table.T.groupby("system").mean().T for name, table in by_seed.items()}
    return ScoreColumns(means, by_seed, over_collections)


def _warn_of_empty(systems: pd.Index, tables: dict[str, pd.DataFrame]) -> None:
    """Name the systems that have no score in any table."""
    shown = set().union(*tables.values())
    empty = [name for name in systems if str(name) not in shown]
    if empty:
        warn(f"left out, as they have no score at all: {listed(empty, 20)}")


def cells_of(columns: ScoreColumns, level: float) -> pd.DataFrame:
    """By column and system, best first: mean, topics, whether these are all, and who is best."""
    parts = {}
    for name, table in columns.tables.items():
        parts[name] = pd.DataFrame({"mean": table.mean(), "topics": table.count()})
    first = next(iter(columns.tables))
    if columns.over_collections:
        parts[MEAN] = means_over_collections(columns.tables, level)
        first = MEAN
    cells = pd.concat(parts, names=CELL)
    in_first = parts[first]["mean"].round(12)  # equal on paper is equal
    of_all = in_first.reindex(cells.index.unique("system"))
    systems = of_all.sort_values(ascending=False, kind="stable").index
    cells = cells.reindex(pd.MultiIndex.from_product([list(parts), systems], names=CELL))
    n_topics = cells.index.get_level_values("column").map(columns.sizes)
    cells["finished"] = cells["topics"] == n_topics
    # A mean over other topics is not the best.
    means: Any = cells["mean"].round(12).where(cells["finished"])
    cells["best"] = means == means.groupby("column").transform("max")
    if columns.by_seed:
        cells["spread"] = _spreads(columns)
        cells = cells.drop(columns=["low", "high"], errors="ignore")
    return cells.reindex(columns=["mean", "spread", "low", "high", "topics", "finished", "best"])


def _spreads(columns: ScoreColumns) -> pd.Series:
    """The standard deviation over seeds of each column's means, by column and system."""
    means: Any = pd.DataFrame({name: table.mean() for name, table in columns.by_seed.items()})
    if columns.over_collections:
        means[MEAN] = means.mean(axis=1, skipna=False)
    return means.groupby("system").std().unstack()
