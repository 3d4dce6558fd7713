"""The metrics, each a line or two of array arithmetic on relevance by rank.

A run becomes one array of relevance by rank (topics x depth): the grade of the document at each
rank, 0 where it is not relevant. The ideal ranking of the judged relevant documents is another
such array, so a normalized metric is the metric of the run divided by that of the ideal.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

METRICS = (
    "AP",
    "SP",
    "DCG",
    "nDCG",
    "VDCG",
    "nVDCG",
    "P@10",
    "RR",
    "RBP.8",
    "RBP.95",
    "RP",
)


class Ranking(NamedTuple):
    """What a metric sees of a run."""

    gains: np.ndarray  # topics x depth: grade (or 2^grade - 1) of the document at each rank
    hits: np.ndarray  # topics x depth: whether it is relevant


def _ranks(ranking: Ranking) -> np.ndarray:
    return np.arange(1, ranking.hits.shape[1] + 1)


def sum_of_precisions(ranking: Ranking) -> np.ndarray:
    """SP: the precision at the rank of each relevant document, summed."""
    return (ranking.hits.cumsum(axis=1) / _ranks(ranking) * ranking.hits).sum(axis=1)


def precision(ranking: Ranking, k: int) -> np.ndarray:
    """P@k: the share of the first k ranks that are relevant."""
    return ranking.hits[:, :k].sum(axis=1) / k


def reciprocal_rank(ranking: Ranking) -> np.ndarray:
    """RR: one over the rank of the first relevant document, or 0."""
    return ranking.hits.any(axis=1) / (ranking.hits.argmax(axis=1) + 1)


def rank_biased_precision(ranking: Ranking, p: float) -> np.ndarray:
    """RBP: relevance weighted by (1 - p) p^(rank - 1)."""
    return (ranking.hits * ((1 - p) * p ** (_ranks(ranking) - 1.0))).sum(axis=1)


def dcg(ranking: Ranking, k: int | None = None) -> np.ndarray:
    """DCG as Jarvelin and Kekalainen have it, base 2: no discount at ranks 1 and 2, then log2."""
    discount = np.maximum(np.log2(_ranks(ranking)), 1)
    return (ranking.gains / discount)[:, :k].sum(axis=1)


def vdcg(ranking: Ranking, k: int | None = None) -> np.ndarray:
    """The variant of Burges et al.: discounted by log2(rank + 1)."""
    return (ranking.gains / np.log2(_ranks(ranking) + 1))[:, :k].sum(axis=1)


def r_precision(ranking: Ranking, n_relevant: np.ndarray) -> np.ndarray:
    """RP: precision at R, the number of relevant documents of the topic."""
    within = _ranks(ranking) <= n_relevant[:, None]
    return (ranking.hits & within).sum(axis=1) / n_relevant


METRIC_NAME = re.compile(
    r"(?P<name>AP|SP|RR|RP)|(?P<ideal>n?)(?:(?P<gain>DCG|VDCG)(?:@(?P<cut>[1-9]\d*))?"
    r"|P@(?P<k>[1-9]\d*)|RBP(?P<p>\.\d+))"
)


def score_gains(
    gains: np.ndarray,
    ideal: np.ndarray,
    n_relevant: np.ndarray,
    metrics: Sequence[str],
    gain: str = "linear",
) -> dict[str, np.ndarray]:
    """Metrics of one run from its relevance by rank.

    Parameters
    ----------
    gains : int array (topics, depth)
        Grade of the document at each rank; 0: not relevant.
    ideal : int array (topics, depth)
        The same for the ideal ranking of all judged relevant documents.
    n_relevant : int array (topics,)
        How many documents are relevant, which may be more than `depth`.
    metrics : sequence of str
        Names of metrics.
    gain : {"linear", "exponential"}
        Whether a document of grade g gains g or 2^g - 1 (DCG and VDCG only).

    Returns
    -------
    dict of str to float array (topics,)
    """
    run, best = (
        Ranking(2.0**grades - 1 if gain == "exponential" else grades, grades > 0)
        for grades in (gains, ideal)
    )
    return {metric: _score(metric, run, best, n_relevant) for metric in metrics}


def _score(metric: str, run: Ranking, best: Ranking, n_relevant: np.ndarray) -> np.ndarray:
    part = parse_metric(metric)
    if part["name"] == "AP":
        return sum_of_precisions(run) / n_relevant
    if part["name"] == "RP":
        return r_precision(run, n_relevant)
    if part["name"]:
        return {"SP": sum_of_precisions, "RR": reciprocal_rank}[part["name"]](run)
    if part["gain"]:
        function, argument = {"DCG": dcg, "VDCG": vdcg}[part["gain"]], part["cut"]
        argument = argument and int(argument)
    elif part["k"]:
        function, argument = precision, int(part["k"])
    else:
        function, argument = rank_biased_precision, float(part["p"])
    scores = function(run, argument)
    return scores / function(best, argument) if part["ideal"] else scores


def parse_metric(metric: str) -> dict[str, str | None]:
    """The parts of the name of a metric; ValueError if it is none."""
    match = METRIC_NAME.fullmatch(metric)
    if not match or (match["p"] and float(match["p"]) == 0):
        raise ValueError(
            f"unknown metric {metric!r}; expected one of {', '.join(METRICS)}, with any cut-off"
            " (P@20, DCG@10, nDCG@10, VDCG@10, nVDCG@10), any persistence (RBP.5) or the"
            " R-normalized nP@10 and nRBP.8, or a measure of ir_measures"
        )
    return match.groupdict()
