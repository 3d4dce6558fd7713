"""Relevance judgments, and the grades that they give to the ranks of a run."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from irstd.metrics import Ranking
from irstd.metrics.tasks import Task
from irstd.trec.lines import find_positions
from irstd.trec.parsed import Table, rank_lines


class Judgments(NamedTuple):
    """Judged documents of all topics with a relevant document."""

    topics: list[str]
    empty: list[str]  # topics without a relevant document
    documents: list[str]  # judged documents that are kept, each once; then the topics
    topic_positions: np.ndarray  # of each topic among `documents`
    keys: np.ndarray  # topic * len(documents) + document, ascending
    grades: np.ndarray  # of each key
    ideals: dict[int, Ranking]  # ideal rankings by the lowest relevant grade


def collect_judgments(qrels: Table, task: Task) -> Judgments:
    """Return the judgments of each topic with a relevant document.

    Documents that are not relevant at any level are dropped unless the task needs them: to look
    them up in each run makes `evaluate` take half as long again.
    """
    is_relevant = qrels.values >= task.min_relevance
    has_relevant = np.bincount(qrels.codes[is_relevant], minlength=len(qrels.topics)) > 0
    if not has_relevant.any():
        raise ValueError(
            f"no topic of the qrels has a document of relevance >= {task.min_relevance}"
        )
    names = np.array(qrels.topics)
    topics = names[has_relevant].tolist()
    empty = names[~has_relevant].tolist()
    lowest = -np.inf if task.needs_nonrelevant else min(task.levels)
    lines = np.flatnonzero((qrels.values >= lowest) & has_relevant[qrels.codes])
    words = [*qrels.documents.take(lines).tolist(), *topics]
    positions, documents = pd.factorize(np.array(words, dtype=object))
    row_of_code = np.cumsum(has_relevant) - 1
    keys = row_of_code[qrels.codes[lines]] * len(documents) + positions[: len(lines)]
    order = np.argsort(keys)
    keys = keys[order]
    grades = qrels.values[lines][order].astype(float)
    ideals = {}
    for level in task.levels:
        is_relevant = grades >= level
        rows = keys[is_relevant] // len(documents)
        ideals[level] = _rank_ideally(rows, grades[is_relevant], len(topics), task.gain)
    topic_positions = positions[len(lines) :]
    return Judgments(topics, empty, documents.tolist(), topic_positions, keys, grades, ideals)


def _rank_ideally(rows: np.ndarray, grades: np.ndarray, n_topics: int, gain: str) -> Ranking:
    """Return the ideal ranking of relevant documents, whose `rows` ascend."""
    n_relevant = np.bincount(rows, minlength=n_topics)
    columns = np.arange(len(rows)) - np.searchsorted(rows, rows)
    ideal = np.zeros((n_topics, max(1000, n_relevant.max())))
    ideal[rows, columns] = grades[np.lexsort((-grades, rows))]
    return Ranking.from_grades(ideal, gain, n_relevant)


class JudgedRun(NamedTuple):
    """Run with the topic and grade of each line in the judgments."""

    run: Table
    rows: np.ndarray  # row of the topic; -1 if the topic has no judgments
    grades: np.ndarray  # NaN if unjudged, or dropped from the judgments
    is_identical: np.ndarray  # True where the document of a judged topic has the topic's id

    def select_lines(self, is_selected: np.ndarray) -> JudgedRun:
        """Return a run of the selected lines."""
        lines = np.flatnonzero(is_selected)
        run = self.run._replace(
            codes=self.run.codes[lines],
            documents=self.run.documents.take(lines),
            values=self.run.values[lines],
        )
        return JudgedRun(run, *(column[lines] for column in self[1:]))


def judge_run(run: Table, judgments: Judgments) -> JudgedRun:
    """Look up the topics and documents of a run in the judgments."""
    row_of = {topic: row for row, topic in enumerate(judgments.topics)}
    topic_rows = np.array([row_of.get(topic, -1) for topic in run.topics])
    rows = topic_rows[run.codes]
    positions = find_positions(run.documents, judgments.documents)
    is_identical = (rows >= 0) & (positions == judgments.topic_positions[rows])
    lines = np.flatnonzero(positions >= 0)
    keys = rows[lines] * len(judgments.documents) + positions[lines]
    nearest = np.searchsorted(judgments.keys, keys)
    nearest = np.minimum(nearest, len(judgments.keys) - 1)
    is_judged = judgments.keys[nearest] == keys
    grades = np.full(len(rows), np.nan)
    grades[lines[is_judged]] = judgments.grades[nearest[is_judged]]
    return JudgedRun(run, rows, grades, is_identical)


def get_grades_by_rank(judged: JudgedRun, n_topics: int, depth: int) -> np.ndarray:
    """Return grades by rank (topics x ranks), NaN for unjudged documents.

    They are -inf where the run has no document.
    """
    ranks = rank_lines(judged.run)
    grades = np.full((n_topics + 1, ranks.max(initial=0) + 1), -np.inf)
    grades[judged.rows, ranks] = judged.grades  # topics without judgments are in the last row
    return grades[:-1, :depth]
