"""Checks of score matrices in several metrics, or from several collections."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import scipy

from irstd._base.arguments import check_choice
from irstd._base.arrays import ratio, two_way_residuals
from irstd._base.matrix import check_same_attributes, check_scores, scores_by_metric
from irstd._base.messages import list_items, listed, warn, warn_of_cost

ByCollection = Mapping[str, pd.DataFrame]  # score matrices by the name of their collection
MEAN = "mean"  # over collections; the name of its rows and columns
NAMES_OF_ROWS = (MEAN, "combined", "another")  # reserved, in tables with one row per collection
# Adjusted p-values of the correlation between scores on topics with equal ids
SAME = 1e-6  # refused
DOUBTFUL = 0.001  # warned of
EQUAL_ROWS = 10  # topics; fewer can have equal scores by chance
PERCENT = 10  # scores above it cannot have the unit of scores that are all <= 1


def check_metrics(scores: pd.DataFrame, *, topics: int) -> dict[str, pd.DataFrame]:
    """Return checked score matrices by metric, without systems that have no score in it.

    A single matrix whose metric has no name is under "score".
    """
    parts = scores_by_metric(scores, topics=topics, systems=2)
    tables = {name or "score": part.dropna(axis=1, how="all") for name, part in parts.items()}
    with_scores = set().union(*tables.values())
    empty = [name for name in scores.columns.unique(-1) if str(name) not in with_scores]
    if empty:
        warn(f"systems without any score are left out: {listed(empty, 20)}")
    return tables


def find_smaller_is_better(
    tables: ByCollection, over_collections: bool, smaller_is_better: bool | Iterable[str]
) -> frozenset[str]:
    """Return the tables, and their mean, in which smaller is better.

    Warns of metrics that look like a cost and are not in `smaller_is_better`.
    """
    metrics = {name: name for name in tables}
    if over_collections:
        names = [table.attrs.get("metric") for table in tables.values()]
        metrics = dict.fromkeys([*tables, MEAN], next(filter(None, names), "score"))
    choices = dict.fromkeys(metrics.values())
    if isinstance(smaller_is_better, bool):
        smaller_is_better = choices if smaller_is_better else ()
    elif isinstance(smaller_is_better, str):
        smaller_is_better = [smaller_is_better]
    chosen = set(smaller_is_better)
    for metric in chosen:
        check_choice(metric, choices, "smaller_is_better")
    for name, table in tables.items():
        if metrics[name] not in chosen:
            warn_of_cost(metrics[name], table)
    return frozenset(name for name, metric in metrics.items() if metric in chosen)


def check_collections(
    collections: ByCollection,
    name: str = "scores",
    *,
    least: int = 2,
    topics: int = 2,
    systems: Iterable[str] = (),
    complete: bool = False,
) -> dict[str, pd.DataFrame]:
    """Return checked score matrices by collection, with the systems in one order.

    Collections must not share topics or differ in metric or unit, and each must have `systems`.
    Missing scores are kept unless the matrices are to be `complete`.
    """
    if not isinstance(collections, Mapping) or len(collections) < least:
        raise ValueError(
            f"{name} must be a dict of {least} or more score matrices by collection name"
        )
    tables = {}
    for collection, scores in collections.items():
        if not isinstance(collection, str):
            raise TypeError(f"{name} must have collection names as keys, got {collection!r}")
        if collection in NAMES_OF_ROWS:
            raise ValueError(
                f"{collection!r} is reserved for a row of the result: rename the collection"
            )
        label = f"{name}[{collection!r}]"
        table = check_scores(scores, label, complete=complete, topics=topics)
        tables[collection] = table.dropna(axis="columns", how="all")
        for system in systems:
            check_choice(system, tables[collection].columns, f"system of {collection}")
    check_same_attributes(collections, "metric")
    order = pd.concat(tables).columns
    for collection, table in tables.items():
        tables[collection] = table[order.intersection(table.columns, sort=False)]
    refuse_shared_topics(tables)
    refuse_mixed_units(tables)
    return tables


def refuse_shared_topics(tables: ByCollection, advice: str = "") -> None:
    """Raise if collections seem to share topics.

    Equal ids may belong to different topics. They count as the same topic if mean scores, or the
    residuals of the same systems, are significantly correlated (adjusted for the number of tests);
    a doubtful correlation gives a warning. Topics with equal rows are the same under any id. One or
    two common ids cannot be tested, and do little harm: with two shared topics, the type I error
    rate of a test at .05 is .053 with 50 topics per collection, .065 with ten.
    """
    _refuse_equal_rows(tables)
    pvalues = {}
    for name_c, name_d in combinations(tables, 2):
        p = _test_same_topics(tables[name_c], tables[name_d])
        if p is not None:
            pvalues[name_c, name_d] = p
    for (name_c, name_d), p in pvalues.items():
        corrected = 2 * len(pvalues) * p  # two tests of each pair
        if corrected > DOUBTFUL:
            continue
        shared = list_items(tables[name_c].index.intersection(tables[name_d].index))
        evidence = f"their scores on {shared} are correlated (p = {corrected:.1g})"
        if corrected <= SAME:
            raise ValueError(
                f"{name_c} and {name_d} must not share topics, but {evidence}; if these are"
                f" different topics, rename them{advice}"
            )
        warn(
            f"{name_c} and {name_d} may share topics, since {evidence}; if so, do not combine them"
        )


def refuse_mixed_units(tables: Mapping[str, Any]) -> None:
    """Raise if one collection's scores are in percent and another's are not."""
    largest = pd.Series(
        {name: np.fmax.reduce(np.abs(table), axis=None) for name, table in tables.items()}
    )
    if largest.min() <= 1 and largest.max() > PERCENT:
        raise ValueError(
            f"the largest value of {largest.idxmin()} is {largest.min():.3g}, that of"
            f" {largest.idxmax()} is {largest.max():.3g} (in percent?): give all in the same unit"
        )


def _refuse_equal_rows(tables: ByCollection) -> None:
    """Raise if two collections have equal scores on half of their topics.

    These are the scores of the systems that all collections have, two or more.
    """
    systems = pd.concat(tables, join="inner").columns
    if len(systems) < 2:
        return
    rows = {}
    for name, table in tables.items():
        distinct = table[systems].dropna().drop_duplicates(keep=False)
        rows[name] = set(distinct.itertuples(index=False, name=None))
    for name_c, name_d in combinations(tables, 2):
        equal = len(rows[name_c] & rows[name_d])
        if equal >= max(EQUAL_ROWS, min(len(tables[name_c]), len(tables[name_d])) / 2):
            raise ValueError(
                f"{name_c} and {name_d} must not share topics, but {equal} topics have equal scores"
                " in both: leave them out of one"
            )


def _test_same_topics(c: pd.DataFrame, d: pd.DataFrame) -> float | None:
    """Return the smaller p-value of two tests for shared topics.

    They are of the correlation of topic means, and of that of residuals. None if fewer than three
    topics have equal ids.
    """
    means = pd.concat([c.mean(axis=1), d.mean(axis=1)], axis=1, join="inner").dropna()
    if len(means) < 3:
        return None
    p = _test_same_residuals(c, d)
    if means.nunique().min() > 2:
        correlation = scipy.stats.pearsonr(means[0], means[1], alternative="greater")
        p = min(p, correlation.pvalue)
    return p


def _test_same_residuals(c: pd.DataFrame, d: pd.DataFrame) -> float:
    """Return the p-value for correlated residuals, under permuted topics.

    A system that does well on a topic by one judge's labels does so by those of another judge,
    however strict.
    """
    c, d = c.align(d, join="inner")
    complete = (c + d).dropna(axis="columns", how="all").dropna()
    if min(complete.shape) < 2:
        return 1.0
    labels = complete.index, complete.columns
    x, y = (two_way_residuals(scores.loc[labels].to_numpy()) for scores in (c, d))
    variance = ((x.T @ x) * (y.T @ y)).sum() / (len(x) - 1)
    return scipy.stats.norm.sf(ratio((x * y).sum(), np.sqrt(variance)))
