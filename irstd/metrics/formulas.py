"""Definitions of the metrics: a function each, with its names, formula and source.

A function takes a `Ranking` and, if its name has one, the cut-off k or the persistence p; it
returns a score for each topic, in a line or two of array arithmetic.
"""

from __future__ import annotations

import numpy as np

from irstd.metrics.registry import REGISTRY, Ranking, metric, share


def precisions_at_hits(ranking: Ranking) -> np.ndarray:
    """Return the precision at each rank with a relevant document, 0 at other ranks."""
    return ranking.hits.cumsum(axis=1) / ranking.ranks * ranking.hits


@metric(
    "AP",
    "AP",
    "AP@k",
    formula="SP / R",
    tex=r"\frac{1}{R}\sum_i r_i\,\mathrm{P@}i",
    source="TREC",
    note="A perfect run of k < R documents reaches an AP of k / R.",
    by_default=("AP",),
    trec_eval={"map": "AP", "map_cut_k": "AP@k"},
    ir_measures={"AP": "AP", "AP@k": "AP@k"},
    understood={"map": "AP", "map_at_k": "AP@k"},
)
def average_precision(ranking: Ranking, k: int | None = None) -> np.ndarray:
    """AP: average precision, SP divided by the number of relevant documents."""
    precisions = ranking.score(precisions_at_hits)  # which are computed once for both
    return share(precisions[:, :k].sum(axis=1), ranking.n_relevant)


@metric(
    "SP",
    "SP",
    formula="sum_i rel_i P@i",
    highest=np.inf,
    tex=r"\sum_i r_i\,\mathrm{P@}i",
    source="Webber 2008",
    doi="10.1145/1390334.1390346",
    by_default=("SP",),
)
def sum_of_precisions(ranking: Ranking) -> np.ndarray:
    """SP: sum of precisions at the ranks of the relevant documents."""
    return ranking.score(precisions_at_hits).sum(axis=1)


@metric(
    "JDCG",
    "JDCG",
    "JDCG@k",
    "nJDCG",
    "nJDCG@k",
    formula="sum_i g_i / max(1, log2 i)",
    highest=np.inf,
    tex=r"\sum_i g_i / \max(1, \log_2 i)",
    source="Järvelin 2002",
    doi="10.1145/582415.582418",
    note="JDCG and nJDCG are DCG and nDCG as Jarvelin and Kekalainen (2002) define them, base 2,"
    " which leaves ranks 1 and 2 undiscounted; the factors of 2008 are of these.",
    by_default=("JDCG", "nJDCG"),
)
def jdcg(ranking: Ranking, k: int | None = None) -> np.ndarray:
    """JDCG: original DCG, without discount at ranks 1 and 2, then by log2(rank)."""
    discount = np.maximum(np.log2(ranking.ranks), 1)
    return (ranking.gains / discount)[:, :k].sum(axis=1)


@metric(
    "DCG",
    "DCG",
    "DCG@k",
    "nDCG",
    "nDCG@k",
    formula="sum_i g_i / log2(i + 1)",
    highest=np.inf,
    tex=r"\sum_i g_i / \log_2(i+1)",
    source="Burges 2005",
    doi="10.1145/1102351.1102363",
    note="DCG and nDCG are those of trec_eval, ir_measures, ranx, PyTerrier and BEIR, with linear"
    " gains unless told otherwise.",
    by_default=("DCG", "nDCG"),
    trec_eval={"ndcg": "nDCG", "ndcg_cut_k": "nDCG@k", "dcg": "DCG"},
    ir_measures={"nDCG": "nDCG", "nDCG@k": "nDCG@k"},
    understood={"ndcg": "nDCG", "ndcg@k": "nDCG@k", "ndcg_at_k": "nDCG@k"},
)
def dcg(ranking: Ranking, k: int | None = None) -> np.ndarray:
    """DCG: discounted cumulated gain, with gains divided by log2(rank + 1)."""
    discount = np.log2(ranking.ranks + 1)
    return (ranking.gains / discount)[:, :k].sum(axis=1)


@metric(
    "P",
    "P@k",
    "nP@k",
    formula="sum_{i<=k} rel_i / k",
    tex=r"\frac{1}{k}\sum_{i\le k} r_i",
    source="TREC",
    by_default=("P@10",),
    trec_eval={"P_k": "P@k"},
    ir_measures={"P@k": "P@k"},
    understood={"precision@k": "P@k", "precision_at_k": "P@k"},
)
def precision(ranking: Ranking, k: int) -> np.ndarray:
    """P@k: proportion of the first k ranks that are relevant."""
    return ranking.hits[:, :k].sum(axis=1) / k


@metric(
    "RR",
    "RR",
    "RR@k",
    formula="1 / (rank of the first relevant document)",
    source="TREC",
    by_default=("RR",),
    trec_eval={"recip_rank": "RR"},
    ir_measures={"RR": "RR", "RR@k": "RR@k"},
    understood={"mrr": "RR", "mrr@k": "RR@k", "mrr_at_k": "RR@k"},
)
def reciprocal_rank(ranking: Ranking, k: int | None = None) -> np.ndarray:
    """RR: reciprocal rank of the first relevant document, 0 if there is none."""
    hits = ranking.hits[:, :k]
    return hits.any(axis=1) / (hits.argmax(axis=1) + 1)


def weight_below(lengths: np.ndarray, p: float) -> np.ndarray:
    """Return the weight that RBP gives to all ranks below the end of a run."""
    return p**lengths


@metric(
    "RBP",
    "RBP.p",
    "nRBP.p",
    formula="(1 - p) sum_i rel_i p^(i - 1)",
    tex=r"(1-p)\sum_i r_i\,p^{i-1}",
    source="Moffat 2008",
    doi="10.1145/1416950.1416952",
    tail=weight_below,
    by_default=("RBP.8", "RBP.95"),
    ir_measures={"RBP(p=0.8,rel=1)": "RBP.8"},
)
def rank_biased_precision(ranking: Ranking, p: float) -> np.ndarray:
    """RBP: rank-biased precision, relevance weighted by (1 - p) p^(rank - 1)."""
    weights = (1 - p) * p ** (ranking.ranks - 1.0)
    return (ranking.hits * weights).sum(axis=1)


@metric(
    "RP",
    "RP",
    formula="P@R",
    tex=r"\mathrm{P@}R",
    source="TREC",
    by_default=("RP",),
    trec_eval={"Rprec": "RP"},
    ir_measures={"Rprec": "RP"},
    understood={"rprec": "RP", "r-prec": "RP", "r-precision": "RP"},
)
def r_precision(ranking: Ranking) -> np.ndarray:
    """RP: R-precision, at rank R, the number of relevant documents of the topic."""
    within = ranking.ranks <= ranking.n_relevant[:, None]
    return share((ranking.hits & within).sum(axis=1), ranking.n_relevant)


@metric(
    "R",
    "R@k",
    formula="sum_{i<=k} rel_i / R",
    tex=r"\frac{1}{R}\sum_{i\le k} r_i",
    source="TREC",
    trec_eval={"recall_k": "R@k"},
    ir_measures={"R@k": "R@k"},
    understood={"recall@k": "R@k", "recall_at_k": "R@k"},
)
def recall(ranking: Ranking, k: int) -> np.ndarray:
    """R@k: recall, the proportion of the relevant documents among the first k."""
    return share(ranking.hits[:, :k].sum(axis=1), ranking.n_relevant)


@metric(
    "Success",
    "Success@k",
    formula="1 if a relevant document is among the first k",
    source="TREC",
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
    """Success@k: 1 if a relevant document is among the first k, else 0."""
    return ranking.hits[:, :k].any(axis=1).astype(float)


@metric(
    "Judged",
    "Judged@k",
    formula="the share of the first k documents that are judged",
    source="ir_measures",
    better="neither",
    has_level=False,
    needs_nonrelevant=True,
    ir_measures={"Judged@k": "Judged@k"},
    understood={"judged_k": "Judged@k", "judged@k": "Judged@k", "judged_at_k": "Judged@k"},
)
def judged(ranking: Ranking, k: int) -> np.ndarray:
    """Judged@k: proportion of the first k documents that are judged."""
    first = ranking.grades[:, :k]
    n_judged = np.isfinite(first).sum(axis=1)
    return share(n_judged, np.minimum(ranking.lengths, k))


@metric(
    "Hole",
    "Hole@k",
    formula="the share of the first k ranks whose document nobody judged",
    source="Thakur 2021",
    note="In Hole, a document is judged if it is so for the topic, and ranks that the run lacks are"
    " no holes; BEIR's own code takes one that is judged for any topic for judged, so that its"
    " number is the same or smaller.",
    better="neither",
    has_level=False,
    needs_nonrelevant=True,
    understood={"hole@k": "Hole@k", "hole_k": "Hole@k", "hole_at_k": "Hole@k"},
)
def hole(ranking: Ranking, k: int) -> np.ndarray:
    """Hole@k: proportion of the first k ranks whose document is not judged."""
    return np.isnan(ranking.grades[:, :k]).sum(axis=1) / k


@metric(
    "ERR",
    "ERR",
    "ERR@k",
    formula="sum_i s_i / i prod_{j<i} (1 - s_j), s_i = (2^g_i - 1) / 2^top",
    tex=r"\sum_i \frac{s_i}{i}\prod_{j<i}(1-s_j)$, $s_i=\frac{2^{g_i}-1}{2^{top}}",
    source="Chapelle 2009",
    doi="10.1145/1645953.1646033",
    note="In ERR, top is 4, as in TREC's gdeval, or the highest grade if that is higher.",
    ir_measures={"ERR@k": "ERR@k"},
)
def expected_reciprocal_rank(ranking: Ranking, k: int | None = None) -> np.ndarray:
    """ERR: expected reciprocal rank of the document at which a user stops."""
    grades = np.where(ranking.hits, ranking.grades, 0)[:, :k]
    stops = 2.0 ** (grades - ranking.top) - 2.0**-ranking.top
    goes_on = np.cumprod(1 - stops, axis=1)
    always = np.ones((len(stops), 1))
    reached = np.hstack([always, goes_on[:, :-1]])
    return (reached * stops / ranking.ranks[:k]).sum(axis=1)


@metric(
    "bpref",
    "bpref",
    formula="sum_i rel_i (1 - min(N_i, R) / min(N, R)) / R",
    tex=r"\frac{1}{R}\sum_i r_i\left(1-\frac{\min(N_i,R)}{\min(N,R)}\right)",
    source="Buckley 2004",
    doi="10.1145/1008992.1009000",
    note="In bpref, N documents are judged not relevant, N_i of them above rank i; those of"
    " negative grades do not count, as in trec_eval.",
    needs_nonrelevant=True,
    trec_eval={"bpref": "bpref"},
    ir_measures={"Bpref": "bpref"},
)
def bpref(ranking: Ranking) -> np.ndarray:
    """bpref: binary preference for relevant over judged nonrelevant documents."""
    n_relevant = ranking.n_relevant[:, None]
    least = np.minimum(ranking.n_relevant, ranking.n_nonrelevant)[:, None]
    wrong = (ranking.grades == 0).cumsum(axis=1)
    above = np.minimum(wrong, n_relevant) / np.maximum(least, 1)
    return share(((1 - above) * ranking.hits).sum(axis=1), ranking.n_relevant)


@metric(
    "NumRet",
    "NumRet",
    formula="documents that the run has; NumRet(rel=k): of grade k or above",
    highest=np.inf,
    source="TREC",
    better="neither",
    gets_level=True,
    trec_eval={"num_ret": "NumRet"},
    ir_measures={"NumRet": "NumRet"},
)
def returned(ranking: Ranking, level: int | None = None) -> np.ndarray:
    """NumRet: number of documents of the run; with a level, of relevant ones."""
    counted = ranking.lengths
    if level:
        counted = ranking.hits.sum(axis=1)
    return counted.astype(float)


METRICS = tuple(name for entry in REGISTRY.values() for name in entry.by_default)
