"""Several collections at once: a dict of score matrices by name."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import pandas as pd

from irstd._base.matrix import check_alike, check_scores
from irstd._base.messages import listed, warn

MEAN = "mean"  # over collections; the name of its rows and columns


def check_collections(
    collections: Mapping[str, pd.DataFrame], name: str = "scores", *, topics: int = 2
) -> dict[str, pd.DataFrame]:
    """Score matrices of two collections or more, their systems in one order; gaps are kept."""
    if len(collections) < 2:
        raise ValueError(f"{name} must be of two collections or more; of one, give the matrix")
    tables = {}
    for collection, scores in collections.items():
        if not isinstance(collection, str):
            raise TypeError(f"{name} must have names of collections, got {collection!r}")
        if collection == MEAN:
            raise ValueError(f"a collection is called {MEAN!r}, as the mean over them: rename it")
        label = f"{name}[{collection!r}]"
        table = check_scores(scores, label, complete=False, topics=topics)
        tables[collection] = table.dropna(axis="columns", how="all")
    check_alike(collections, "metric")
    systems = list(dict.fromkeys(system for table in tables.values() for system in table))
    for collection, table in tables.items():
        tables[collection] = table[[system for system in systems if system in table]]
    _refuse_twice(tables)
    return tables


def _refuse_twice(tables: Mapping[str, pd.DataFrame]) -> None:
    """Refuse topics that are in two collections: equal ids, with equal scores of all systems."""
    for (name, table), (other, other_table) in combinations(tables.items(), 2):
        topics = table.index.intersection(other_table.index)
        systems = table.columns.intersection(other_table.columns)
        if not len(topics) or not len(systems):
            continue
        one = table.loc[topics, systems]
        same = topics[(one == other_table.loc[topics, systems]).all(axis=1)]
        same = same[one.loc[same].nunique(axis=1) > 1]  # else they say nothing
        if len(same):
            raise ValueError(
                f"{name} and {other} have the same scores on the topics {listed(same)}:"
                " collections must not share topics"
            )


def systems_on_all(tables: Mapping[str, pd.DataFrame]) -> pd.Index:
    """The systems that are on all collections; a warning names the others."""
    first, *others = tables.values()
    systems = first.columns
    for table in others:
        systems = systems[systems.isin(table.columns)]
    names = dict.fromkeys(system for table in tables.values() for system in table)
    left_out = listed(system for system in names if system not in systems)
    if left_out:
        warn(f"not on all collections, and so without a mean over them: {left_out}")
    if len(systems) < 2:
        raise ValueError("fewer than two systems are on all collections: no means to compare")
    return systems
