"""Ground truth of a simulated collection: topics, systems and documents."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from irstd.simulate._design import Parameters

RUN_LENGTH = 1000
CANDIDATES = 5000
CANDIDATE_POWER = 0.87


@dataclass(frozen=True, eq=False)
class Truth:
    """Ground truth of a collection before judging, shared by all its pools.

    Its documents have positions: all relevant ones, then 5,000 others per topic.
    """

    name: str
    topics: pd.DataFrame  # separation, true_relevant
    systems: pd.DataFrame  # those of `draw_systems`
    ranks: np.ndarray  # systems x relevant documents, those of a topic side by side
    key: tuple[int, ...]  # seeds what is drawn only when it is needed
    parameters: Parameters  # of its topics and documents

    @property
    def n_relevant(self) -> int:
        """Number of relevant documents, which come first of all documents."""
        return self.ranks.shape[1]

    @functools.cached_property
    def topic_of(self) -> np.ndarray:
        """Position of each document's topic."""
        topics = np.arange(len(self.topics))
        of_relevant = np.repeat(topics, self.topics["true_relevant"])
        return np.concatenate([of_relevant, np.repeat(topics, CANDIDATES)])

    def count_by_topic(self, selected: np.ndarray) -> np.ndarray:
        """Count the selected documents by topic."""
        return np.bincount(self.topic_of[selected], minlength=len(self.topics))

    @functools.cached_property
    def labels(self) -> np.ndarray:
        """Number of each document in its id."""
        rng = np.random.default_rng([*self.key, 0])
        relevant = []
        others = []
        for n_relevant in self.topics["true_relevant"]:
            mixed = rng.permutation(n_relevant + CANDIDATES)
            relevant.append(mixed[:-CANDIDATES])
            others.append(mixed[-CANDIDATES:])
        return np.concatenate(relevant + others)

    @functools.cached_property
    def preference(self) -> Callable[[int], np.ndarray]:
        """Rankings of non-relevant documents by system, drawn at first use.

        Topics x ranks, the candidates' columns. Waiting times of competing exponential clocks draw
        without replacement by weight.
        """
        return functools.cache(self._draw_preference)  # held by this object, and freed with it

    def _draw_preference(self, system: int) -> np.ndarray:
        rng = np.random.default_rng([*self.key, 1, system])
        times = rng.standard_exponential((len(self.topics), CANDIDATES), np.float32)
        times *= np.arange(1, CANDIDATES + 1, dtype=np.float32) ** CANDIDATE_POWER
        # The first thousand, in no order, and then these in their order: faster than to sort all.
        first = np.argpartition(times, RUN_LENGTH, axis=1)[:, :RUN_LENGTH]
        times_of_first = np.take_along_axis(times, first, axis=1)
        order = np.argsort(times_of_first, axis=1)
        return np.take_along_axis(first, order, axis=1).astype(np.int16)

    def rank_relevant(self, system: int) -> np.ndarray:
        """Return a run's relevant documents by topic and rank, -1 elsewhere."""
        # One column more than a run is long, for the documents that it does not retrieve.
        table = np.full((len(self.topics), RUN_LENGTH + 1), -1)
        ranks = np.minimum(self.ranks[system], RUN_LENGTH + 1)
        table[self.topic_of[: self.n_relevant], ranks - 1] = np.arange(self.n_relevant)
        return table[:, :RUN_LENGTH]

    def rank_all(self, system: int) -> np.ndarray:
        """Return a run's documents by topic and rank."""
        documents = self.rank_relevant(system)
        free = documents < 0
        topic, rank = np.nonzero(free)
        place = free.cumsum(axis=1)[topic, rank] - 1  # 0 is the first of them on a topic
        candidate = self.preference(system)[topic, place]
        documents[topic, rank] = self.n_relevant + topic * CANDIDATES + candidate
        return documents

    def retrieved(self, systems: np.ndarray, depth: int) -> np.ndarray:
        """Return True for documents that any of the systems ranks within `depth`."""
        found = np.zeros(len(self.topic_of), bool)
        for system in systems:
            found[self.rank_all(system)[:, :depth]] = True
        return found

    def frame(self, documents: np.ndarray) -> pd.DataFrame:
        """Return topic and document ids as columns of a run or qrels frame."""
        topics = self.topics.index.to_numpy()[self.topic_of[documents]]
        pairs = zip(topics, self.labels[documents], strict=True)
        ids = [f"sim{topic}-{label:04d}" for topic, label in pairs]
        return pd.DataFrame({"query_id": topics, "doc_id": ids})
