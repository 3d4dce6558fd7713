"""Several collections at once: a dict of score matrices by name, and what they must not share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations

import numpy as np
import pandas as pd
import scipy

from irstd._base.arrays import ratio, two_way_residuals
from irstd._base.matrix import check_alike, check_scores
from irstd._base.messages import listed, warn

ByCollection = Mapping[str, pd.DataFrame]  # score matrices by the name of their collection
MEAN = "mean"  # over collections; the name of its rows and columns
NAMES_OF_ROWS = (MEAN, "combined", "another")  # of tables with a row for each collection
# p, times the number of tests, of scores that go together on topics with equal ids
SAME = 1e-6
DOUBTFUL = 0.001
EQUAL_ROWS = 10  # with fewer, ranks and shares can be equal by chance
PERCENT = 10  # scores above it, beside those of a collection with no score above 1


def check_collections(
    collections: ByCollection,
    name: str = "scores",
    *,
    least: int = 2,
    topics: int = 2,
    systems: Iterable[str] = (),
    complete: bool = False,
) -> dict[str, pd.DataFrame]:
    """Score matrices by collection that go under one roof, their systems in one order.

    They must not share topics, nor differ in metric or unit, and each has these `systems`. Gaps are
    kept, for who says them, unless the scores are to be `complete`.
    """
    if not isinstance(collections, Mapping) or len(collections) < least:
        raise ValueError(f"{name} must be a dict of {least} score matrices or more, by name")
    tables = {}
    for collection, scores in collections.items():
        if not isinstance(collection, str):
            raise TypeError(f"{name} must have names of collections, got {collection!r}")
        if collection in NAMES_OF_ROWS:
            raise ValueError(
                f"a collection is called {collection!r}, as a row of the result: rename it"
            )
        label = f"{name}[{collection!r}]"
        table = check_scores(scores, label, complete=complete, topics=topics)
        tables[collection] = table.dropna(axis="columns", how="all")
        for system in systems:
            if system not in tables[collection]:
                raise ValueError(f"{collection} lacks the system {system}")
    check_alike(collections, "metric")
    order = dict.fromkeys(system for table in tables.values() for system in table)
    for collection, table in tables.items():
        tables[collection] = table[[system for system in order if system in table]]
    refuse_related(tables)
    return tables


def refuse_related(tables: ByCollection, advice: str = "") -> None:
    """Refuse collections that share topics, as those by two judges do, or are in two units.

    Ids may be used again, as whole numbers are: topics are the same if their mean scores go
    together, or the residuals of the same systems, by more than chance can do in so many tests;
    where chance might, a warning says so. Equal rows are one topic under any id. One or two
    common ids cannot tell, and do little harm: of two collections of 50 topics that share two, a
    test at .05 rejects .053, of ten topics .065.
    """
    pvalues = {}
    for one, other in combinations(tables, 2):
        _refuse_equal_rows(one, other, tables)
        p = _p_of_same_topics(tables[one], tables[other])
        if p is not None:
            pvalues[one, other] = p
    for (one, other), p in pvalues.items():
        corrected = 2 * len(pvalues) * p  # two tests of each pair
        if corrected <= DOUBTFUL:
            shared = listed(tables[one].index.intersection(tables[other].index))
            found = f"scores of {shared} go together (p {corrected:.1g})"
            if corrected <= SAME:
                raise ValueError(
                    f"{one} and {other} must not share topics: {found}; if these are other topics,"
                    f" rename them{advice}"
                )
            warn(f"{one} and {other} may share topics: {found}; if they do, do not combine them")
    largest = pd.Series({name: table.abs().max(axis=None) for name, table in tables.items()})
    if largest.min() <= 1 and largest.max() > PERCENT:
        raise ValueError(
            f"{largest.idxmin()} has scores up to {largest.min():.3g}, {largest.idxmax()} up to"
            f" {largest.max():.3g}: are these in percent? Give all in one unit"
        )


def _refuse_equal_rows(one: str, other: str, tables: ByCollection) -> None:
    """Refuse two collections if half of the topics have equal scores, whatever their ids."""
    systems = tables[one].columns.intersection(tables[other].columns)
    if len(systems) < 2:
        return
    rows = [_distinct_rows(tables[name][systems]) for name in (one, other)]
    equal = len(rows[0] & rows[1])
    if equal >= max(EQUAL_ROWS, min(len(tables[one]), len(tables[other])) / 2):
        raise ValueError(
            f"{one} and {other} must not share topics: {equal} topics have the same scores in both"
        )


def _distinct_rows(scores: pd.DataFrame) -> set[tuple]:
    """Return the rows that occur once, and in which systems differ."""
    values = scores.dropna().to_numpy()
    rows, counts = np.unique(values, axis=0, return_counts=True)
    is_distinct = (counts == 1) & (np.ptp(rows, axis=1) > 0)
    return set(map(tuple, rows[is_distinct]))


def _p_of_same_topics(one: pd.DataFrame, other: pd.DataFrame) -> float | None:
    """Return the smaller p of two tests that topics with equal ids are the same topics.

    The correlation of topic means, and that of residuals; None with fewer than three such topics.
    """
    means = pd.concat([one.mean(axis=1), other.mean(axis=1)], axis=1, join="inner").dropna()
    if len(means) < 3:
        return None
    p = _p_of_same_residuals(one, other)
    if means.nunique().min() > 2:
        correlation = scipy.stats.pearsonr(means[0], means[1], alternative="greater")
        p = min(p, correlation.pvalue)
    return p


def _p_of_same_residuals(one: pd.DataFrame, other: pd.DataFrame) -> float:
    """Return the p of the products of residuals, against topics that are permuted (normal).

    Systems that do well on a topic by one judge do so by another, however strict each of them is.
    """
    one, other = one.align(other, join="inner")
    known = (one + other).notna()
    if known.all().sum() > 1:  # else of the topics of all systems
        known = known.loc[:, known.all()]
    both = known.all(axis=1)
    if min(both.sum(), known.shape[1]) < 2:
        return 1.0
    x, y = (
        two_way_residuals(scores.loc[both, known.columns].to_numpy()) for scores in (one, other)
    )
    variance = ((x.T @ x) * (y.T @ y)).sum() / (len(x) - 1)
    return float(scipy.stats.norm.sf(ratio((x * y).sum(), np.sqrt(variance))))
