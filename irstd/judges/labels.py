"""Agreement between two judges on relevance labels."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from irstd._base.arrays import ratio
from irstd.trec.disk import AnyPath
from irstd.trec.parsed import parse_table

Judgments = pd.DataFrame | Mapping | AnyPath

MOST_GRADES = 1000  # the square table of counts for more would not fit into memory


class LabelAgreement(NamedTuple):
    """Agreement between two sets of relevance labels; see `compare_labels`."""

    documents: int
    same: float
    kappa: float
    weighted_kappa: float
    confusion: pd.DataFrame


def compare_labels(a: Judgments, b: Judgments) -> LabelAgreement:
    """Compare the labels that two judges give the same documents.

    Parameters
    ----------
    a, b : qrels frame, path, or dict ``{topic: {document: grade}}``
        The judgments of each judge.

    Returns
    -------
    LabelAgreement
        A named tuple, over the documents that both have judged for the same topic:

        ============== ==================================================================
        documents      number of these documents
        same           share with the same grade
        kappa          Cohen's kappa, (same - chance) / (1 - chance): 0 at chance, at most 1
        weighted_kappa the same, with disagreements weighted by the squared difference of grades
        confusion      DataFrame of counts: grades of `a` (rows) by grades of `b`
        ============== ==================================================================

    Raises
    ------
    ValueError
        If no document is judged by both; if one judge has judged a document twice for a topic; if
        there are 1000 grades or more. Ids are compared as text.

    References
    ----------
    Cohen (1968), doi:10.1037/h0026256.

    Examples
    --------
    >>> people = {"1": {"a": 2, "b": 0, "c": 1, "d": 0}}
    >>> model = {"1": {"a": 2, "b": 1, "c": 1, "d": 0}}
    >>> agreement = compare_labels(people, model)
    >>> round(agreement.kappa, 3), round(agreement.weighted_kappa, 3)
    (0.636, 0.8)
    >>> agreement.confusion
    relevance_b  0  1  2
    relevance_a
    0            1  1  0
    1            0  1  0
    2            0  0  1
    """
    by_a = parse_table(a, "relevance", "a").to_frame("relevance")
    by_b = parse_table(b, "relevance", "b").to_frame("relevance")
    both = by_a.merge(by_b, on=["query_id", "doc_id"], suffixes=("_a", "_b"))
    if both.empty:
        raise ValueError("a and b have no document in common: topic and document ids must agree")
    x = both["relevance_a"].astype(int)
    y = both["relevance_b"].astype(int)
    grades = np.union1d(x, y)
    if len(grades) >= MOST_GRADES:
        raise ValueError(
            f"a and b have {len(grades)} different grades: give relevance labels, not scores"
        )
    confusion = pd.crosstab(x, y).reindex(index=grades, columns=grades, fill_value=0)
    counts = confusion.to_numpy()
    by_chance = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / len(both)
    kappas = []
    for weights in (np.not_equal.outer(grades, grades), np.subtract.outer(grades, grades) ** 2):
        disagreement = ratio((weights * counts).sum(), (weights * by_chance).sum(), math.nan)
        kappas.append(1 - float(disagreement))
    kappa, weighted_kappa = kappas
    agreement = float((x == y).mean())
    return LabelAgreement(len(both), agreement, kappa, weighted_kappa, confusion)
