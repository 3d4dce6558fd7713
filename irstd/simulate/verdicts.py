"""Simulated judges with false negatives and false positives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from irstd.simulate._truth import RUN_LENGTH, Truth
from irstd.simulate.pools import Collection


@dataclass(frozen=True, kw_only=True)
class Judge:
    """Simulated judge: error rates and preferences.

    A document is judged relevant if the evidence exceeds the criterion for the topic:

        acuity * relevant + taste * liked + N(0, 1) > criterion + topic_sd * N(0, 1)

    All documents that any run has at the pool's depth are judged, pooled or not.

    Attributes
    ----------
    criterion : float
        Evidence that the judge asks for: low in a lenient judge, high in a strict one.
    acuity : float, default 3
        Evidence for relevant documents: without taste, a share Phi(acuity - criterion) of
        them is recognized, and a share Phi(-criterion) of the others is judged relevant.
    topic_sd : float, default 0
        Standard deviation of the criterion over topics.
    taste : float, default 0
        Evidence for a document that the favorites' runs rank first (``liked`` is 1); it falls with
        the logarithm of the rank, to 0 at rank 1000.
    favorites : tuple of str, default ()
        Groups whose runs the judge likes, on average; () for all groups that are pooled.
    seed : int, default 0
        Judges with the same seed draw the same random numbers N(0, 1).

    Examples
    --------
    >>> import irstd
    >>> collection = irstd.simulate_campaign()["sim-robust2003"]
    >>> by_people = collection.scores()
    >>> by_judge = Judge(criterion=3.5).scores(collection)
    >>> by_people.mean(axis=None).round(3).item(), by_judge.mean(axis=None).round(3).item()
    (0.318, 0.114)
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
        """Return a score matrix by this judge.

        `metric` and `systems` are as in `Collection.scores`. Topics on which the judge finds
        nothing relevant are left out, with a warning.
        """
        without = "the judge finds nothing relevant on some topics, which are left out"
        verdicts = self._judge_documents(collection)
        return collection._score_systems(systems, metric, verdicts, without=without)

    def _judge_documents(self, collection: Collection) -> np.ndarray:
        """Return True for documents that the judge labels relevant, among those it sees."""
        truth = collection._truth
        rng = np.random.default_rng([*truth.key, 4, self.seed])
        criterion = self.criterion + self.topic_sd * rng.standard_normal(len(truth.topics))
        n_documents = len(truth.topic_of)
        is_relevant = np.arange(n_documents) < truth.n_relevant
        evidence = self.acuity * is_relevant - criterion[truth.topic_of]
        evidence += rng.standard_normal(n_documents)
        if self.taste:
            rows = collection.judge(groups=self.favorites or None)._pool
            evidence += self.taste * _compute_preferences(truth, rows)
        return (evidence > 0) & collection._is_retrieved


def _compute_preferences(truth: Truth, rows: np.ndarray) -> np.ndarray:
    """Return preferences: 1 for documents ranked first by these runs, 0 at rank 1000."""
    weights = 1 - np.log(np.arange(1, RUN_LENGTH + 1)) / np.log(RUN_LENGTH)
    liked = np.zeros(len(truth.topic_of))
    for row in rows:
        liked[truth.rank_all(row)] += weights / len(rows)
    return liked


# Like the judges of `judges-dl2019` and `judges-dl2020`.
JUDGES = {
    "careful": Judge(criterion=2.5, acuity=3.2, topic_sd=0.8, taste=3.0, seed=13),
    "lenient": Judge(criterion=0.5, topic_sd=0.8, taste=1.0, seed=2),
    "strict": Judge(criterion=2.8, acuity=3.5, topic_sd=0.8, seed=3),
    "harsh": Judge(criterion=3.5, acuity=3.0, topic_sd=0.4, taste=0.3, seed=5),
}


def judge_collection(
    collection: Collection,
    metric: str = "nRBP.9",
    systems: str | Sequence[str] = "original",
) -> pd.DataFrame:
    """Score the same runs by people's labels and by four simulated judges.

    Parameters
    ----------
    collection : Collection
        A collection of a simulated campaign.
    metric : str, default "nRBP.9"
        As `irstd.evaluate` takes it; the default weights ranks much as the public scores of
        ``judges-dl2019`` do.
    systems : {"original", "later"} or sequence of str, default "original"
        As in `Collection.scores`.

    Returns
    -------
    DataFrame
        Columns ``(judge, system)``: the people as ``"original"``, then the judges ``"careful"``,
        ``"lenient"``, ``"strict"`` and ``"harsh"``, which are like the language models of the
        public data sets. NaN on topics on which a judge finds nothing relevant.

    Examples
    --------
    >>> import irstd
    >>> scores = judge_collection(irstd.simulate_campaign()["sim-robust2003"])
    >>> scores.T.groupby("judge", sort=False).mean().mean(axis=1).round(3)
    judge
    original    0.474
    careful     0.461
    lenient     0.648
    strict      0.356
    harsh       0.258
    dtype: float64
    """
    parts = {"original": collection.scores(metric, systems)}
    for name, judge in JUDGES.items():
        parts[name] = judge.scores(collection, metric, systems)
    return pd.concat(parts, axis=1, names=["judge", "system"])
