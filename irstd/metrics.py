"""The metrics, each a line or two of array arithmetic on relevance by rank.

A run becomes one array of relevance by rank (topics x depth): the grade of the document at each
rank, 0 or less where it is not relevant, NaN where it is not judged, -inf where there is none. The
ideal ranking of the judged relevant documents is another such array, so a normalized metric is the
metric of the run divided by that of the ideal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

METRICS = ("AP", "SP", "DCG", "nDCG", "VDCG", "nVDCG", "P@10", "RR", "RBP.8", "RBP.95", "RP")


@dataclass(frozen=True, eq=False)
class Ranking:
    """What a metric sees of a run."""

    grades: np.ndarray  # topics x depth: see above
    gains: np.ndarray  # topics x depth: grade (or 2^grade - 1) of the relevant, 0 of the others
    hits: np.ndarray  # topics x depth: whether the document at each rank is relevant
    n_relevant: np.ndarray  # topics
    n_nonrelevant: Any  # topics: how many are judged and not (None: unknown), grades below 0 apart
    top: float  # the highest grade there is
    known: dict[tuple, np.ndarray] = field(default_factory=dict)  # scores that are computed

    @classmethod
    def of(
        cls,
        grades: np.ndarray,
        gain: str,
        n_relevant: np.ndarray,
        n_nonrelevant: Any = None,
        top: float = 0,
    ) -> Ranking:
        """From the grades by rank."""
        hits = grades > 0
        gains = np.where(hits, grades, 0)
        top = max(4, top, gains.max(initial=0))  # 4 as in TREC's gdeval
        gains = 2.0**gains - 1 if gain == "exponential" else gains
        return cls(grades, gains, hits, n_relevant, n_nonrelevant, top)

    def score(self, name: str, *argument: float) -> np.ndarray:
        """A metric of FORMULAS for each topic."""
        key = (name, *argument)
        if key not in self.known:
            self.known[key] = FORMULAS[name][0](self, *argument)
        return self.known[key]


def _ranks(ranking: Ranking) -> np.ndarray:
    return np.arange(1, ranking.hits.shape[1] + 1)


def _share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Part by whole, 0 where the whole is 0."""
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)


def sum_of_precisions(ranking: Ranking, *k: int) -> np.ndarray:
    """SP: the precision at the rank of each relevant document, summed."""
    hits = ranking.hits
    return (hits.cumsum(axis=1) / _ranks(ranking) * hits)[:, slice(*k or [None])].sum(axis=1)


def average_precision(ranking: Ranking, *k: int) -> np.ndarray:
    """AP: SP by the number of relevant documents."""
    return _share(ranking.score("SP", *k), ranking.n_relevant)


def precision(ranking: Ranking, k: int) -> np.ndarray:
    """P@k: the share of the first k ranks that are relevant."""
    return ranking.hits[:, :k].sum(axis=1) / k


def recall(ranking: Ranking, k: int) -> np.ndarray:
    """R@k: the share of the relevant documents that are among the first k."""
    return _share(ranking.hits[:, :k].sum(axis=1), ranking.n_relevant)


def success(ranking: Ranking, k: int) -> np.ndarray:
    """Success@k: whether a relevant document is among the first k."""
    return ranking.hits[:, :k].any(axis=1).astype(float)


def judged(ranking: Ranking, k: int) -> np.ndarray:
    """Judged@k: the share of the first k documents that are judged."""
    first = ranking.grades[:, :k]
    return _share(np.isfinite(first).sum(axis=1), (~np.isneginf(first)).sum(axis=1))


def returned(ranking: Ranking, level: int | None = None) -> np.ndarray:
    """NumRet: how many documents the run has; with a level, how many that are relevant."""
    counted = ranking.hits if level else ~np.isneginf(ranking.grades)
    return counted.sum(axis=1).astype(float)


def reciprocal_rank(ranking: Ranking, k: int | None = None) -> np.ndarray:
    """RR: one over the rank of the first relevant document, or 0."""
    hits = ranking.hits[:, :k]
    return hits.any(axis=1) / (hits.argmax(axis=1) + 1)


def rank_biased_precision(ranking: Ranking, p: float) -> np.ndarray:
    """RBP: relevance weighted by (1 - p) p^(rank - 1)."""
    return (ranking.hits * ((1 - p) * p ** (_ranks(ranking) - 1.0))).sum(axis=1)


def expected_reciprocal_rank(ranking: Ranking, k: int | None = None) -> np.ndarray:
    """ERR: the expected 1 / rank at which a user stops, who does so by (2^g - 1) / 2^top."""
    grades = np.where(ranking.hits, ranking.grades, 0)[:, :k]
    stops = 2.0 ** (grades - ranking.top) - 2.0**-ranking.top
    goes_on = np.cumprod(1 - stops, axis=1)
    reached = np.hstack([np.ones((len(stops), 1)), goes_on[:, :-1]])
    return (reached * stops / _ranks(ranking)[:k]).sum(axis=1)


def bpref(ranking: Ranking) -> np.ndarray:
    """bpref: for each relevant document, how few of those judged not relevant are above it."""
    wrong = (ranking.grades == 0).cumsum(axis=1)
    least = np.minimum(ranking.n_relevant, ranking.n_nonrelevant)[:, None]
    above = np.minimum(wrong, ranking.n_relevant[:, None]) / np.maximum(least, 1)
    return _share(((1 - above) * ranking.hits).sum(axis=1), ranking.n_relevant)


def dcg(ranking: Ranking, k: int | None = None) -> np.ndarray:
    """DCG as Jarvelin and Kekalainen have it, base 2: no discount at ranks 1 and 2, then log2."""
    discount = np.maximum(np.log2(_ranks(ranking)), 1)
    return (ranking.gains / discount)[:, :k].sum(axis=1)


def vdcg(ranking: Ranking, k: int | None = None) -> np.ndarray:
    """The variant of Burges et al.: discounted by log2(rank + 1)."""
    return (ranking.gains / np.log2(_ranks(ranking) + 1))[:, :k].sum(axis=1)


def r_precision(ranking: Ranking) -> np.ndarray:
    """RP: precision at R, the number of relevant documents of the topic."""
    within = _ranks(ranking) <= ranking.n_relevant[:, None]
    return _share((ranking.hits & within).sum(axis=1), ranking.n_relevant)


NEVER, ALWAYS, PERHAPS = "never", "always", "perhaps"
FORMULAS: dict[str, tuple[Callable[..., np.ndarray], str]] = {  # and whether with a cut-off
    "AP": (average_precision, PERHAPS),
    "SP": (sum_of_precisions, NEVER),
    "DCG": (dcg, PERHAPS),
    "VDCG": (vdcg, PERHAPS),
    "P": (precision, ALWAYS),
    "RR": (reciprocal_rank, PERHAPS),
    "RBP": (rank_biased_precision, NEVER),
    "RP": (r_precision, NEVER),
    "R": (recall, ALWAYS),
    "Success": (success, ALWAYS),
    "Judged": (judged, ALWAYS),
    "ERR": (expected_reciprocal_rank, PERHAPS),
    "bpref": (bpref, NEVER),
    "NumRet": (returned, NEVER),
}
NORMALIZED = ("DCG", "VDCG", "P", "RBP")
OF_ALL_JUDGED = ("Judged", "bpref")  # documents that are judged not relevant count, too
SPELLED = {name.lower(): name for name in FORMULAS} | {
    "map": "AP", "mrr": "RR", "ndcg": "nVDCG", "precision": "P", "recall": "R", "rprec": "RP",
}  # fmt: skip
NAME = re.compile(
    r"(?P<normalized>n(?=[DVPR]))?(?P<name>[A-Za-z]+?)(?P<p>\.[0-9]+)?"
    r"(?:\(rel=(?P<level>[1-9][0-9]{0,8})\))?(?:@(?P<k>[1-9][0-9]{0,8}))?"
)


class Metric(NamedTuple):
    """The parts of the name of a metric."""

    name: str  # one of FORMULAS
    argument: tuple[float, ...]  # the cut-off or the persistence, if it has one
    normalized: bool
    level: int | None  # the lowest grade that is relevant, if it says so itself


def parse_metric(metric: str) -> Metric:
    """The parts of the name of a metric; ValueError if it is none."""
    parts = NAME.fullmatch(metric)
    if parts and parts["name"] in FORMULAS:
        name, k, p = parts["name"], parts["k"], parts["p"]
        cut = FORMULAS[name][1]
        fits = cut != (NEVER if k else ALWAYS) and bool(p) == (name == "RBP")
        level = int(parts["level"]) if parts["level"] else None
        fits = fits and not (name == "Judged" and level)
        if fits and (not parts["normalized"] or name in NORMALIZED):
            argument = (int(k),) if k else (float(p),) if p else ()
            argument = (level,) if name == "NumRet" and level else argument
            return Metric(name, argument, bool(parts["normalized"]), level)
    start = re.match(r"[A-Za-z]*", metric)[0]  # type: ignore[index]
    rest = re.sub(r"(@[0-9]+)(\(rel=[0-9]+\))", r"\2\1", metric[len(start) :])
    meant = SPELLED.get(start.lower(), start)
    meant += rest or "@10" * (FORMULAS.get(meant, (None, None))[1] == ALWAYS)
    hint = f": did you mean {meant!r}?" if meant != metric and NAME.fullmatch(meant) else ""
    raise ValueError(
        f"unknown metric {metric[:40]!r}{hint or ';'} help(irstd.evaluate) lists all, as"
        f" {', '.join(METRICS)}, nP@20, AP(rel=2)"
    )


def score_gains(
    gains: np.ndarray,
    ideal: np.ndarray | Ranking,
    n_relevant: np.ndarray,
    metrics: Sequence[str],
    gain: str = "linear",
    n_nonrelevant: np.ndarray | None = None,
) -> dict[str, np.ndarray]:
    """Metrics of one run from its relevance by rank: for each its score by topic.

    `gains` has the grade of the document at each rank (topics x depth; 0 or less: not relevant,
    NaN: not judged, -inf: none), `ideal` the same of the ideal ranking, `n_relevant` the relevant
    documents of each topic, which may be more than the depth; `n_nonrelevant` those that are judged
    and not relevant, as bpref and Judged need them. A document of grade g gains g, or 2^g - 1 if
    `gain` is "exponential". Levels of relevance in the names of `metrics` are left to the caller.
    """
    parsed = {metric: parse_metric(metric) for metric in metrics}
    for metric, parts in parsed.items():
        if parts.name in OF_ALL_JUDGED and n_nonrelevant is None:
            raise ValueError(f"{metric} needs to know which documents are judged")
    best = ideal if isinstance(ideal, Ranking) else Ranking.of(ideal, gain, n_relevant)
    run = Ranking.of(gains, gain, n_relevant, n_nonrelevant, best.top)
    scores = {}
    for metric, parts in parsed.items():
        scores[metric] = run.score(parts.name, *parts.argument)
        if parts.normalized:
            scores[metric] = _share(scores[metric], best.score(parts.name, *parts.argument))
    return scores
