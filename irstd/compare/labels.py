"""How far two judges agree on the labels of documents."""

from __future__ import annotations

from os import PathLike
from typing import Any, NamedTuple

import pandas as pd

from irstd._base.messages import needed
from irstd.trec.parsed import frame_of
from irstd.trec.runs import read_qrels

MOST_GRADES = 1000  # more make a square of counts that no memory holds


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
    a, b : qrels frame, path, or dict ``{topic: {document: grade}}``
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

    Raises
    ------
    ValueError
        If no document is common, if one judges a document of a topic twice, or if the largest grade
        is 1000 or more above the least. Ids are compared as text.

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
    both = _qrels(a, "a").merge(_qrels(b, "b"), on=["query_id", "doc_id"], suffixes=("_a", "_b"))
    if both.empty:
        raise ValueError("a and b have judged no document in common, of the same topic")
    confusion = pd.crosstab(both["relevance_a"], both["relevance_b"])
    seen = confusion.index.union(confusion.columns)
    if seen.max() - seen.min() >= MOST_GRADES:
        span = f"grades from {seen.min()} to {seen.max()}"
        raise ValueError(f"{span} are more than {MOST_GRADES}: are they labels of relevance?")
    grades = range(seen.min(), seen.max() + 1)  # also those that nobody gave: weights need them
    confusion = confusion.reindex(index=grades, columns=grades, fill_value=0)
    inter_rater = needed("statsmodels.stats.inter_rater")
    kappa = inter_rater.cohens_kappa(confusion, return_results=False)
    weighted = inter_rater.cohens_kappa(confusion, wt="quadratic", return_results=False)
    same = both["relevance_a"] == both["relevance_b"]
    return LabelAgreement(len(both), float(same.mean()), float(kappa), float(weighted), confusion)


def _qrels(labels: Any, name: str) -> pd.DataFrame:
    """Judgments whose ids are text; ValueError if a document is judged twice for a topic."""
    if isinstance(labels, (str, PathLike)):
        return read_qrels(labels)
    ids = ["query_id", "doc_id"]
    qrels = frame_of(labels, "relevance", name)
    qrels = qrels.astype(dict.fromkeys(ids, str))
    repeated = qrels[qrels.duplicated(ids)]
    if len(repeated):
        topic, document = repeated[ids].iloc[0]
        raise ValueError(f"{name} judges document {document} of topic {topic} twice")
    return qrels
