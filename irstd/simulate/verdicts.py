"""Simulated judges with false negatives and false positives."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from irstd._base.arguments import check_choice
from irstd.simulate._truth import CANDIDATES, RUN_LENGTH, Truth
from irstd.simulate.pools import Collection, score_runs

Verdicts = tuple[np.ndarray, np.ndarray]  # of the relevant documents; of the others, by topic


@dataclass(frozen=True, kw_only=True)
class Judge:
    """Simulated judge: error rates and preferences.

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
        What a document gains that the favorites rank first; it falls with the log of the rank, to
        nothing at rank 1000.
    favorites : tuple of str, default ()
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
    favorites: tuple[str, ...] = ()
    seed: int = 0

    def scores(
        self, collection: Collection, metric: str = "AP", systems: str | Sequence[str] = "original"
    ) -> pd.DataFrame:
        """Return a score matrix by this judge; parameters as in `Collection.scores`.

        Topics of which it takes no document for relevant are left out, with a warning.
        """
        without = "the judge finds nothing relevant on topics that are left out"
        rows = collection._choose(systems)
        verdicts = self._says(collection)
        tables = score_runs(collection._truth, rows, [metric], *verdicts, without=without)
        return tables[metric]

    def _says(self, collection: Collection) -> Verdicts:
        """Return the documents that the judge labels relevant, among those it sees."""
        truth = collection._truth
        rng = np.random.default_rng([*truth.key, 4, self.seed])
        n_topics = len(truth.topics)
        criterion = self.criterion + self.topic_sd * rng.standard_normal(n_topics)
        # By how much the evidence for a document is above the criterion.
        n_relevant = len(truth.topic_of)
        relevant = self.acuity - criterion[truth.topic_of] + rng.standard_normal(n_relevant)
        others = rng.standard_normal((n_topics, CANDIDATES)) - criterion[:, None]
        if self.taste:
            liked_relevant, liked_others = _liked(truth, self.favorites)
            relevant = relevant + self.taste * liked_relevant
            others = others + self.taste * liked_others
        seen_relevant, seen_others = _seen(truth, collection.depth)
        return (relevant > 0) & seen_relevant, (others > 0) & seen_others


@functools.lru_cache(maxsize=8)
def _seen(truth: Truth, depth: int | None) -> Verdicts:
    """Return the documents that any run retrieves to a depth."""
    depth = depth or RUN_LENGTH
    rows = np.arange(len(truth.systems))
    return truth.relevant_in(rows, depth), truth.others_in(rows, depth)


def _liked(truth: Truth, groups: tuple[str, ...]) -> Verdicts:
    """Return preferences from 1, first in pooled runs of favored groups, to 0 at rank 1000."""
    favorite = truth.systems["pooled"]
    pooled_groups = list(truth.systems.loc[favorite, "group"])
    for group in groups:
        check_choice(group, pooled_groups, "favorites")
    if groups:
        favorite = favorite & truth.systems["group"].isin(groups)
    rows = np.flatnonzero(favorite).tolist()
    relevant = np.mean(_height(truth.ranks[rows]), axis=0)
    others = np.zeros((len(truth.topics), CANDIDATES))
    for row in rows:
        topic, rank, candidate = truth.others(row)
        others[topic, candidate] += _height(rank + 1) / len(rows)
    return relevant, others


def _height(rank: np.ndarray) -> np.ndarray:
    """Return 1 at the first rank, falling to 0 at rank 1000 and beyond."""
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
    """Return scores of the same runs by people and by simulated judges.

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
    for name, judge in judges.items():
        parts[name] = judge.scores(collection, metric, systems)
    return pd.concat(parts, axis=1, names=["judge", "system"])
