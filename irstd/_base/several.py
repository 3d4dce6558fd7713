"""Several collections at once: a dict of score matrices by name, and what they must not share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations

import numpy as np
import pandas as pd
import scipy

from irstd._base.arrays import ratio, two_way_residuals
from irstd._base.matrix import check_alike, check_scores
from irstd._base.messages import listed

ByCollection = Mapping[str, pd.DataFrame]  # score matrices by the name of their collection
MEAN = "mean"  # over collections; the name of its rows and columns
NAMES_OF_ROWS = (MEAN, "combined", "another")  # of tables with a row for each collection
# p of the correlation of topic means, or of what is left of scores, of topics that are the same
TOGETHER = 0.001
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
    together, or what is left of the scores of the same systems, by more than chance. One or two
    common ids cannot tell, and do little harm: of two collections of 50 topics that share two, a
    test at .05 rejects .053, of ten topics .065.
    """
    for names in combinations(tables, 2):
        of_topics = [tables[name].mean(axis=1) for name in names]
        means = pd.concat(of_topics, axis=1, join="inner").dropna()
        if len(means) < 3:
            continue
        p = _p_of_same_topics(*(tables[name] for name in names))
        if means.nunique().min() > 2:
            p = min(p, scipy.stats.pearsonr(means[0], means[1], alternative="greater").pvalue)
        if p <= TOGETHER:
            raise ValueError(
                f"{names[0]} and {names[1]} must not share topics: the scores of"
                f" {listed(means.index)} go together; if these are other topics, rename them"
                f"{advice}"
            )
    largest = pd.Series({name: table.abs().max(axis=None) for name, table in tables.items()})
    if largest.min() <= 1 and largest.max() > PERCENT:
        raise ValueError(
            f"{largest.idxmin()} has scores up to {largest.min():.3g}, {largest.idxmax()} up to"
            f" {largest.max():.3g}: are these in percent? Give all in one unit"
        )


def _p_of_same_topics(one: pd.DataFrame, other: pd.DataFrame) -> float:
    """Whether systems that do well on a topic by one of the two do so by the other, too.

    Of scores less the means of topics and of systems: a normal p for the sum of their products,
    against topics that are permuted. Two judges agree on that, however strict each of them is.
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
