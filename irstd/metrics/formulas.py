"""Definitions of the metrics: one function per metric, with its names and formula.

A function takes a `Ranking` and, if its name has one, the cut-off k or the persistence p; it
returns one score per topic. Its docstring has the formula after ": ", as in `irstd.evaluate`.
"""

from __future__ import annotations

import numpy as np

from irstd.metrics.registry import Ranking, divide_or_zero, register_metric


def precisions_at_hits(ranking: Ranking) -> np.ndarray:
    """Return the precision at each rank with a relevant document, 0 elsewhere."""
    return ranking.hits.cumsum(axis=1) / ranking.ranks * ranking.hits


@register_metric(
    "AP",
    "AP@k",
    trec_eval={"map": "AP", "map_cut_k": "AP@k"},
    ir_measures={"AP": "AP", "AP@k": "AP@k"},
    understood={"map_at_k": "AP@k"},
)
def average_precision(ranking: Ranking, k: int | None = None) -> np.ndarray:
    """Return average precision (AP): SP / R."""
    precisions = ranking.score(precisions_at_hits)  # computed once for AP and SP
    return divide_or_zero(precisions[:, :k].sum(axis=1), ranking.n_relevant)


@register_metric("SP", highest=np.inf)
def sum_of_precisions(ranking: Ranking) -> np.ndarray:
    """Return the sum of precisions (SP): sum_i rel_i P@i."""
    return ranking.score(precisions_at_hits).sum(axis=1)


@register_metric("JDCG", "JDCG@k", "nJDCG", "nJDCG@k", highest=np.inf)
def jdcg(ranking: Ranking, k: int | None = None) -> np.ndarray:
    """Return DCG as first defined (JDCG): sum_i g_i / max(1, log2 i)."""
    discount = np.maximum(np.log2(ranking.ranks), 1)
    return (ranking.gains / discount)[:, :k].sum(axis=1)


@register_metric(
    "DCG",
    "DCG@k",
    "nDCG",
    "nDCG@k",
    highest=np.inf,
    trec_eval={"ndcg": "nDCG", "ndcg_cut_k": "nDCG@k", "dcg": "DCG"},
    ir_measures={"nDCG": "nDCG", "nDCG@k": "nDCG@k"},
    understood={"ndcg@k": "nDCG@k", "ndcg_at_k": "nDCG@k"},
)
def dcg(ranking: Ranking, k: int | None = None) -> np.ndarray:
    """Return discounted cumulated gain (DCG): sum_i g_i / log2(i + 1)."""
    discount = np.log2(ranking.ranks + 1)
    return (ranking.gains / discount)[:, :k].sum(axis=1)


@register_metric(
    "P@k",
    "nP@k",
    trec_eval={"P_k": "P@k"},
    ir_measures={"P@k": "P@k"},
    understood={"precision@k": "P@k", "precision_at_k": "P@k"},
)
def precision(ranking: Ranking, k: int) -> np.ndarray:
    """Return precision (P): sum_{i<=k} rel_i / k."""
    return ranking.hits[:, :k].sum(axis=1) / k


@register_metric(
    "RR",
    "RR@k",
    trec_eval={"recip_rank": "RR"},
    ir_measures={"RR": "RR", "RR@k": "RR@k"},
    understood={"mrr": "RR", "mrr@k": "RR@k", "mrr_at_k": "RR@k"},
)
def reciprocal_rank(ranking: Ranking, k: int | None = None) -> np.ndarray:
    """Return reciprocal rank (RR): 1 / (rank of the first relevant document)."""
    hits = ranking.hits[:, :k]
    return hits.any(axis=1) / (hits.argmax(axis=1) + 1)


@register_metric("RBP.p", "nRBP.p", ir_measures={"RBP(p=0.8,rel=1)": "RBP.8"})
def rank_biased_precision(ranking: Ranking, p: float) -> np.ndarray:
    """Return rank-biased precision (RBP): (1 - p) sum_i rel_i p^(i - 1)."""
    weights = (1 - p) * p ** (ranking.ranks - 1.0)
    return (ranking.hits * weights).sum(axis=1)


@register_metric(
    "RP",
    trec_eval={"Rprec": "RP"},
    ir_measures={"Rprec": "RP"},
    understood={"rprec": "RP", "r-prec": "RP", "r-precision": "RP"},
)
def r_precision(ranking: Ranking) -> np.ndarray:
    """Return R-precision (RP): P@R."""
    within = ranking.ranks <= ranking.n_relevant[:, None]
    return divide_or_zero((ranking.hits & within).sum(axis=1), ranking.n_relevant)


@register_metric(
    "R@k",
    trec_eval={"recall_k": "R@k"},
    ir_measures={"R@k": "R@k"},
    understood={"recall@k": "R@k", "recall_at_k": "R@k"},
)
def recall(ranking: Ranking, k: int) -> np.ndarray:
    """Return recall (R): sum_{i<=k} rel_i / R."""
    return divide_or_zero(ranking.hits[:, :k].sum(axis=1), ranking.n_relevant)


@register_metric(
    "Success@k",
    trec_eval={"success_k": "Success@k"},
    ir_measures={"Success@k": "Success@k"},
    understood={
        "accuracy@k": "Success@k",
        "hit@k": "Success@k",
        "hitrate@k": "Success@k",
        "hit_rate@k": "Success@k",
        "hit_rate_at_k": "Success@k",
    },
)
def success(ranking: Ranking, k: int) -> np.ndarray:
    """Return Success@k: 1 if a relevant document is among the first k."""
    return ranking.hits[:, :k].any(axis=1).astype(float)


@register_metric(
    "Judged@k",
    needs_nonrelevant=True,
    ir_measures={"Judged@k": "Judged@k"},
    understood={"judged_k": "Judged@k", "judged@k": "Judged@k", "judged_at_k": "Judged@k"},
)
def judged(ranking: Ranking, k: int) -> np.ndarray:
    """Return Judged@k: the share of the first k documents that are judged."""
    first = ranking.grades[:, :k]
    n_judged = np.isfinite(first).sum(axis=1)
    return divide_or_zero(n_judged, np.minimum(ranking.lengths, k))


@register_metric(
    "Hole@k",
    needs_nonrelevant=True,
    understood={"hole@k": "Hole@k", "hole_k": "Hole@k", "hole_at_k": "Hole@k"},
)
def hole(ranking: Ranking, k: int) -> np.ndarray:
    """Return Hole@k: the share of the first k ranks with an unjudged document."""
    return np.isnan(ranking.grades[:, :k]).sum(axis=1) / k


@register_metric("ERR", "ERR@k", ir_measures={"ERR@k": "ERR@k"})
def expected_reciprocal_rank(ranking: Ranking, k: int | None = None) -> np.ndarray:
    """Return ERR: sum_i s_i / i prod_{j<i} (1 - s_j), s_i = (2^g_i - 1) / 2^top."""
    grades = np.where(ranking.hits, ranking.grades, 0)[:, :k]
    stops = 2.0 ** (grades - ranking.top) - 2.0**-ranking.top
    goes_on = np.cumprod(1 - stops, axis=1)
    always = np.ones((len(stops), 1))
    reached = np.hstack([always, goes_on[:, :-1]])
    return (reached * stops / ranking.ranks[:k]).sum(axis=1)


@register_metric(
    "NumRet",
    highest=np.inf,
    gets_level=True,
    trec_eval={"num_ret": "NumRet"},
    ir_measures={"NumRet": "NumRet"},
)
def returned(ranking: Ranking, level: int | None = None) -> np.ndarray:
    """Return NumRet: documents in the run; NumRet(rel=k): those of grade k or above."""
    counted = ranking.lengths
    if level:
        counted = ranking.hits.sum(axis=1)
    return counted.astype(float)


METRICS = ("AP", "SP", "JDCG", "nJDCG", "DCG", "nDCG", "P@10", "RR", "RBP.8", "RBP.95", "RP")
