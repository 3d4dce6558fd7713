"""Leaderboard and ranks by the mean over several collections."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from irstd._base.arrays import places
from irstd._base.several import MEAN, check_collections, systems_on_all
from irstd.compare.over_collections import means_over_collections, pairs_over_collections
from irstd.rankings.best import group_by_tests
from irstd.rankings.draws import bootstrap_means, interval_of_ranks

LEVEL = 0.95  # of the intervals of a leaderboard
COLUMNS = ("value", "low", "high", "rank", "collections", "topics")


def check_plain(*, aggregate: str, **given: object) -> None:
    """Raise if several collections are to be ranked by anything but their means."""
    others = [name for name, value in given.items() if value is not None]
    if aggregate != "mean":
        others.append("aggregate")
    if others:
        raise ValueError(
            f"several collections are ranked by the mean, without {', '.join(others)}:"
            " irstd.standardize({name: scores}) comes before"
        )


def board_of_collections(collections: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The leaderboard by the mean over collections, with a column for each; see `leaderboard`."""
    tables = check_collections(collections)
    for name in tables:
        if name in COLUMNS:
            raise ValueError(
                f"a collection is called {name!r}, as a column of the board: rename it"
            )
    means = pd.DataFrame({name: table.mean() for name, table in tables.items()})
    over_all = means_over_collections(tables, LEVEL)
    ranked = over_all["mean"].dropna()
    ranks = pd.Series(places(ranked.to_numpy()), ranked.index, dtype="Int64")
    counts = pd.DataFrame({name: table.count() for name, table in tables.items()})
    board = pd.DataFrame(
        {
            "value": over_all["mean"],
            "low": over_all["low"],
            "high": over_all["high"],
            "rank": ranks.reindex(means.index),
            "collections": means.notna().sum(axis=1),
            "topics": counts.sum(axis=1).astype(int),
        }
    )
    systems_on_all(tables)  # warns of the others
    board = board.join(means).rename_axis("system")
    return board.sort_index().sort_values("rank", kind="stable")


def ranks_of_collections(
    collections: Mapping[str, pd.DataFrame], trials: int, level: float, rng: np.random.Generator
) -> pd.DataFrame:
    """Ranks by the mean over collections on other topics of these; see `rank_intervals`."""
    tables = check_collections(collections, topics=5)
    systems = systems_on_all(tables).sort_values()
    drawn = np.zeros((trials, len(systems)))
    for name in sorted(tables):
        table = tables[name][systems].sort_index()
        present = table.notna().to_numpy(float)
        drawn += bootstrap_means(table.fillna(0).to_numpy(), present, trials, rng)
    low, high = interval_of_ranks(drawn, level)
    on_all = {name: table[systems] for name, table in tables.items()}
    values = means_over_collections(on_all, level)["mean"]
    tests = pairs_over_collections(on_all)
    of_mean = tests[tests["collection"] == MEAN]
    table = pd.DataFrame(
        {
            "value": values,
            "rank": places(values.to_numpy()),
            "low": low,
            "high": high,
            "best": group_by_tests(of_mean, systems, level),
        },
        index=systems.rename("system"),
    )
    return table.sort_values("rank", kind="stable")
