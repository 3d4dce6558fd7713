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
    """Ground truth of a collection before judging, shared by all its pools."""

    name: str
    topics: pd.DataFrame  # separation, true_relevant
    systems: pd.DataFrame  # those of `draw_systems`, original, later, move
    ranks: np.ndarray  # systems x relevant documents, those of a topic side by side
    key: tuple[int, ...]  # seeds what is drawn only when it is needed
    parameters: Parameters  # of its topics and documents

    @functools.cached_property
    def topic_of(self) -> np.ndarray:
        """Position of each relevant document's topic."""
        return np.repeat(np.arange(len(self.topics)), self.topics["true_relevant"])

    def per_topic(self, relevant: np.ndarray) -> np.ndarray:
        """Count the selected relevant documents by topic."""
        return np.bincount(self.topic_of[relevant], minlength=len(self.topics))

    @functools.cached_property
    def labels(self) -> tuple[np.ndarray, np.ndarray]:
        """Ids of relevant documents, and of the others (topics x candidates)."""
        rng = np.random.default_rng([*self.key, 0])
        relevant = []
        others = []
        for n_relevant in self.topics["true_relevant"]:
            mixed = rng.permutation(n_relevant + CANDIDATES)
            relevant.append(mixed[:-CANDIDATES])
            others.append(mixed[-CANDIDATES:])
        return np.concatenate(relevant), np.stack(others)

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

    def relevant_in(self, systems: np.ndarray, depth: int) -> np.ndarray:
        """Return True for relevant documents that any of the systems ranks within `depth`."""
        return (self.ranks[systems] <= depth).any(axis=0)

    def others_in(self, systems: np.ndarray, depth: int) -> np.ndarray:
        """Return True for other documents that any of the systems ranks within `depth`."""
        found = np.zeros((len(self.topics), CANDIDATES), bool)
        for system in systems:
            topic, _, candidate = self.others(system, depth)
            found[topic, candidate] = True
        return found

    def by_rank(self, system: int, values: np.ndarray) -> np.ndarray:
        """Arrange values of relevant documents by topic and rank, 0 elsewhere."""
        # One column more than a run is long, for the documents that it does not retrieve.
        table = np.zeros((len(self.topics), RUN_LENGTH + 1), values.dtype)
        ranks = np.minimum(self.ranks[system], RUN_LENGTH + 1)
        table[self.topic_of, ranks - 1] = values
        return table[:, :RUN_LENGTH]

    def others(
        self, system: int, depth: int = RUN_LENGTH
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return topics, ranks (from 0) and ids of a run's non-relevant documents."""
        is_relevant = self.by_rank(system, np.ones(len(self.topic_of), bool))
        free = ~is_relevant[:, :depth]
        topic, rank = np.nonzero(free)
        place = free.cumsum(axis=1)[topic, rank] - 1  # 0 is the first of them on a topic
        candidate = self.preference(system)[topic, place]
        return topic, rank, candidate

    def frame(self, topic: np.ndarray, labels: np.ndarray) -> pd.DataFrame:
        """Return topic and document ids as columns of a run or qrels frame."""
        topics = self.topics.index.to_numpy()[topic]
        pairs = zip(topics, labels, strict=True)
        documents = [f"sim{topic}-{label:04d}" for topic, label in pairs]
        return pd.DataFrame({"query_id": topics, "doc_id": documents})
