"""What a simulated collection is before anything is judged: topics, systems, all documents."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
import pandas as pd

from irstd.simulate._design import Parameters

RUN_LENGTH = 1000
CANDIDATES = 5000
CANDIDATE_POWER = 0.87


@dataclass(frozen=True, eq=False)
class Truth:
    """What a collection is before anything is judged, shared by all pools that judge it."""

    name: str
    topics: pd.DataFrame  # separation, true_relevant
    systems: pd.DataFrame  # those of `draw_systems`, original, later, move
    ranks: np.ndarray  # systems x relevant documents, those of a topic side by side
    key: tuple[int, ...]  # seeds what is drawn only when it is needed
    topic_parameters: Parameters
    document_parameters: Parameters

    @functools.cached_property
    def topic_of(self) -> np.ndarray:
        """The row of the topic of each relevant document."""
        return np.repeat(np.arange(len(self.topics)), self.topics["true_relevant"])

    @functools.cached_property
    def labels(self) -> tuple[np.ndarray, np.ndarray]:
        """Numbers of the relevant documents, and of the others (topics x candidates)."""
        rng = np.random.default_rng([*self.key, 0])
        relevant = []
        others = []
        for n_relevant in self.topics["true_relevant"]:
            mixed = rng.permutation(n_relevant + CANDIDATES)
            relevant.append(mixed[:-CANDIDATES])
            others.append(mixed[-CANDIDATES:])
        return np.concatenate(relevant), np.stack(others)

    @functools.cached_property
    def _preferences(self) -> dict[int, np.ndarray]:
        return {}

    def preference(self, system: int) -> np.ndarray:
        """The non-relevant documents as a system ranks them (topics x ranks, candidates' columns).

        Waiting times of competing exponential clocks draw without replacement by weight.
        """
        if system not in self._preferences:
            self._preferences[system] = self._draw_preference(system)
        return self._preferences[system]

    def _draw_preference(self, system: int) -> np.ndarray:
        rng = np.random.default_rng([*self.key, 1, system])
        times = rng.standard_exponential((len(self.topics), CANDIDATES), np.float32)
        times *= np.arange(1, CANDIDATES + 1, dtype=np.float32) ** CANDIDATE_POWER
        # The first thousand, in no order, and then these in their order: faster than to sort all.
        first = np.argpartition(times, RUN_LENGTH, axis=1)[:, :RUN_LENGTH]
        times_of_first = np.take_along_axis(times, first, axis=1)
        order = np.argsort(times_of_first, axis=1)
        return np.take_along_axis(first, order, axis=1).astype(np.int16)

    def by_rank(
        self, system: int, documents: np.ndarray | slice, values: np.ndarray | int = 1
    ) -> np.ndarray:
        """`values` of relevant documents at their ranks (topics x ranks), 0 elsewhere."""
        # One column more than a run is long, for the documents that it does not retrieve.
        kind = np.result_type(np.int8, values)
        table = np.zeros((len(self.topics), RUN_LENGTH + 1), kind)
        ranks = np.minimum(self.ranks[system, documents], RUN_LENGTH + 1)
        table[self.topic_of[documents], ranks - 1] = values
        return table[:, :RUN_LENGTH]

    def others(
        self, system: int, depth: int = RUN_LENGTH
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Rows of topics, ranks (from 0) and candidates of a run's non-relevant documents."""
        all_relevant = slice(None)
        free = self.by_rank(system, all_relevant)[:, :depth] == 0
        topic, rank = np.nonzero(free)
        place = free.cumsum(axis=1)[topic, rank] - 1  # 0 is the first of them on a topic
        candidate = self.preference(system)[topic, place]
        return topic, rank, candidate

    def run(self, system: int) -> np.ndarray:
        """Numbers of the documents that a system retrieves (topics x ranks)."""
        relevant, others = self.labels
        labels = self.by_rank(system, slice(None), relevant)
        topic, rank, candidate = self.others(system)
        labels[topic, rank] = others[topic, candidate]
        return labels

    def frame(self, topic: np.ndarray, labels: np.ndarray) -> pd.DataFrame:
        """Documents as the first two columns of a run or qrels frame."""
        topics = self.topics.index.to_numpy()[topic]
        pairs = zip(topics, labels, strict=True)
        documents = [f"sim{topic}-{label:04d}" for topic, label in pairs]
        return pd.DataFrame({"query_id": topics, "doc_id": documents})
