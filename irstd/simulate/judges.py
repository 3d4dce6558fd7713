"""Judges who are not people: they miss relevant documents, and take others for relevant."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from irstd._base.arguments import check_choice
from irstd._base.messages import listed, warn
from irstd.metrics import score_gains
from irstd.simulate._model import CANDIDATES, RUN_LENGTH, Truth
from irstd.simulate.collection import Collection

Verdicts = tuple[np.ndarray, np.ndarray]  # of the relevant documents; of the others, by topic


@dataclass(frozen=True, kw_only=True)
class Judge:
    """How a judge decides whether a document is relevant.

    It sees evidence, and says "relevant" where this is above its criterion for the topic:

        acuity * relevant + taste * liked + N(0, 1) > criterion + topic_sd * N(0, 1)

    It judges all documents that any run has at the pool's depth, also those that the pool missed.

    Attributes
    ----------
    criterion : float
        A low one makes a lenient judge, a high one a strict judge.
    acuity : float, default 3
        How far relevant documents stand out: without taste, a share Phi(acuity - criterion) of
        them is recognized, and a share Phi(-criterion) of the others is taken for relevant.
    topic_sd : float, default 0
        By how much the criterion differs from topic to topic.
    taste : float, default 0
        What a document gains that the favourites rank first; it falls with the log of the rank, to
        nothing at rank 1000.
    favourites : tuple of str, default ()
        The groups whose mean taste the judge shares; () for all that are pooled.
    seed : int, default 0
        Two judges of one seed make the same slips, two of different seeds do not.

    Examples
    --------
    >>> import irstd
    >>> collection = irstd.simulate_campaign()["sim-robust2003"]
    >>> Judge(criterion=3.5).scores(collection).shape
    (50, 78)
    """

    criterion: float
    acuity: float = 3.0
    topic_sd: float = 0.0
    taste: float = 0.0
    favourites: tuple[str, ...] = ()
    seed: int = 0

    def scores(
        self, collection: Collection, metric: str = "AP", systems: str | Sequence[str] = "original"
    ) -> pd.DataFrame:
        """A score matrix by this judge; `metric` and `systems` as in `Collection.scores`.

        Topics of which it takes no document for relevant are left out, with a warning.
        """
        truth, (known, mistaken) = collection._truth, self._says(collection)
        relevant = np.bincount(truth.topic_of[known], minlength=len(truth.topics))
        relevant = relevant + mistaken.sum(axis=1)
        kept, index = relevant > 0, truth.topics.index
        if not kept.all():
            warn(f"the judge finds nothing relevant on the topics {listed(index[~kept])}: left out")
        ideal = (np.arange(RUN_LENGTH) < relevant[:, None]).astype(np.int8)[kept]
        chosen, columns = collection._choose(systems), []
        for row in chosen:
            gains = truth.by_rank(row, np.flatnonzero(known))
            free, order = _others(truth, row)
            gains[free] = np.take_along_axis(mistaken, truth.preference(row), 1)[order]
            columns.append(score_gains(gains[kept], ideal, relevant[kept], [metric])[metric])
        names = truth.systems.index[chosen]
        return pd.DataFrame(np.column_stack(columns), index[kept], names)

    def _says(self, collection: Collection) -> Verdicts:
        """What it takes for relevant, of what it has seen."""
        truth = collection._truth
        rng = np.random.default_rng([*truth.key, 4, self.seed])
        criterion = self.criterion + self.topic_sd * rng.standard_normal(len(truth.topics))
        hits = self.acuity - criterion[truth.topic_of] + rng.standard_normal(len(truth.topic_of))
        alarms = rng.standard_normal((len(criterion), CANDIDATES)) - criterion[:, None]
        if self.taste:
            liked = _liked(truth, self.favourites)
            hits, alarms = hits + self.taste * liked[0], alarms + self.taste * liked[1]
        seen = _seen(truth, collection.depth)
        return (hits > 0) & seen[0], (alarms > 0) & seen[1]


def _others(truth: Truth, row: int) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]:
    """Where a run has documents that are not relevant; the places of these in its preference."""
    free = truth.by_rank(row, slice(None)) == 0
    return free, (np.nonzero(free)[0], free.cumsum(axis=1)[free] - 1)


@functools.lru_cache(maxsize=8)
def _seen(truth: Truth, depth: int | None) -> Verdicts:
    """The documents that any run of the collection has at this depth."""
    depth = depth or RUN_LENGTH
    relevant = np.any(truth.ranks <= depth, axis=0)
    others = np.zeros((len(truth.topics), CANDIDATES), bool)
    for row in range(len(truth.systems)):
        free, (topic, place) = _others(truth, row)
        high = np.nonzero(free)[1] < depth
        others[topic[high], truth.preference(row)[topic[high], place[high]]] = True
    return np.asarray(relevant), others


def _liked(truth: Truth, groups: tuple[str, ...]) -> Verdicts:
    """From 1, first in the runs of these groups that are pooled, to 0 at rank 1000 and beyond."""
    pooled = truth.systems["pooled"]
    for group in groups:
        check_choice(group, set(truth.systems.loc[pooled, "group"]), "favourites")
    favourites = pooled & truth.systems["group"].isin(groups) if groups else pooled
    rows = np.flatnonzero(favourites).tolist()
    relevant = np.mean([_height(truth.ranks[row]) for row in rows], axis=0)
    others = np.zeros((len(truth.topics), CANDIDATES))
    for row in rows:
        free, (topic, place) = _others(truth, row)
        heights = _height(np.nonzero(free)[1] + 1) / len(rows)
        others[topic, truth.preference(row)[topic, place]] += heights
    return relevant, others


def _height(rank: np.ndarray) -> np.ndarray:
    return np.maximum(0, 1 - np.log(rank) / np.log(RUN_LENGTH))


# Like the judges of `judges-dl2019` and `judges-dl2020`, see `judge_collection`.
JUDGES = {
    "careful": Judge(criterion=2.5, acuity=3.2, topic_sd=0.8, taste=3.0, seed=13),
    "lenient": Judge(criterion=0.5, topic_sd=0.8, taste=1.0, seed=2),
    "strict": Judge(criterion=2.8, acuity=3.5, topic_sd=0.8, seed=3),
    "harsh": Judge(criterion=3.5, acuity=3.0, topic_sd=0.4, taste=0.3, seed=5),
}


def judge_collection(
    collection: Collection,
    judges: Mapping[str, Judge] = JUDGES,
    metric: str = "nRBP.9",
    systems: str | Sequence[str] = "original",
) -> pd.DataFrame:
    """Scores of the same runs by people, and by judges who are not.

    Parameters
    ----------
    collection : Collection
        Of a simulated campaign.
    judges : dict of str to Judge
        By default four that are like the language models of the public data sets.
    metric : str, default "nRBP.9"
        As `irstd.evaluate` takes it; the default weighs ranks much as the public scores do.
    systems : {"original", "later", "all"} or sequence of str, default "original"
        As in `Collection.scores`.

    Returns
    -------
    DataFrame
        Columns ``(judge, system)``: the people first, as ``"original"``, then the judges. NaN on
        topics of which a judge finds nothing relevant.
    """
    parts = {"original": collection.scores(metric, systems)}
    parts |= {name: judge.scores(collection, metric, systems) for name, judge in judges.items()}
    return pd.concat(parts, axis=1, names=["judge", "system"])
