"""How far two judges agree on the labels of documents."""

from __future__ import annotations

from os import PathLike
from typing import Any, NamedTuple

import pandas as pd

from irstd._base.messages import needed
from irstd.trec.convert import as_qrels
from irstd.trec.runs import read_qrels


class LabelAgreement(NamedTuple):
    """How far two sets of judgments agree, see `compare_labels`."""

    documents: int
    same: float
    kappa: float
    weighted_kappa: float
    confusion: pd.DataFrame


def compare_labels(a: Any, b: Any) -> LabelAgreement:
    """Compare the labels that two judges give the same documents.

    Parameters
    ----------
    a, b : qrels frame, path, or a form that `as_qrels` knows
        What each has judged.

    Returns
    -------
    LabelAgreement
        A named tuple, of the documents that both have judged for the same topic:

        ============== ==================================================================
        documents      how many these are
        same           share with the same grade
        kappa          Cohen's: same, less what chance gives, 0 at chance and 1 at most
        weighted_kappa the same with the squares of the differences of grades as weights
        confusion      DataFrame of counts: grades of `a` (rows) by grades of `b`
        ============== ==================================================================

    References
    ----------
    Cohen (1968), doi:10.1037/h0026256.

    Examples
    --------
    >>> people = {"1": {"a": 2, "b": 0, "c": 1, "d": 0}}
    >>> model = {"1": {"a": 2, "b": 1, "c": 1, "d": 0}}
    >>> found = compare_labels(people, model)
    >>> found.documents, found.same, round(found.kappa, 3), round(found.weighted_kappa, 3)
    (4, 0.75, 0.636, 0.8)
    """
    keys = ["query_id", "doc_id"]
    one, other = (read_qrels(x) if isinstance(x, (str, PathLike)) else as_qrels(x) for x in (a, b))
    both = one.merge(other, on=keys, suffixes=("_a", "_b"))
    if both.empty:
        raise ValueError("a and b have judged no document in common, of the same topic")
    confusion = pd.crosstab(both["relevance_a"], both["relevance_b"])
    seen = [*confusion.index, *confusion.columns]
    grades = range(min(seen), max(seen) + 1)
    square = confusion.reindex(index=grades, columns=grades, fill_value=0)
    kappa = needed("statsmodels.stats.inter_rater").cohens_kappa
    plain, weighted = (kappa(square, wt=wt, return_results=False) for wt in (None, "quadratic"))
    same = float((both["relevance_a"] == both["relevance_b"]).mean())
    return LabelAgreement(len(both), same, float(plain), float(weighted), square)
