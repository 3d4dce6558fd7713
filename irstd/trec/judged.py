"""Relevance judgments, and the grades that they give to the ranks of a run."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from irstd.metrics import Ranking
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
    levels: dict[int, Ranking]  # ideal rankings by the lowest relevant grade


def collect_judgments(
    qrels: Table, min_relevance: int, levels: Iterable[int], gain: str, all_judged: bool
) -> Judgments:
    """Return the judgments of each topic with a relevant document.

    Documents that are not relevant for any of `levels` are dropped, unless `all_judged`: to look
    them up in each run makes `evaluate` take half as long again.
    """
    codes_of_relevant = qrels.codes[qrels.values >= min_relevance]
    has_relevant = np.bincount(codes_of_relevant, minlength=len(qrels.topics)) > 0
    if not has_relevant.any():
        raise ValueError(f"no topic of the qrels has a document of relevance >= {min_relevance}")
    names = np.array(qrels.topics)
    topics = names[has_relevant].tolist()
    empty = names[~has_relevant].tolist()
    lowest = -np.inf if all_judged else min(levels)
    lines = np.flatnonzero((qrels.values >= lowest) & has_relevant[qrels.codes])
    row_of_code = np.cumsum(has_relevant) - 1
    rows = row_of_code[qrels.codes[lines]]
    words = qrels.documents.take(lines).tolist()
    documents: dict[str, int] = {}
    positions = np.array([documents.setdefault(word, len(documents)) for word in [*words, *topics]])
    keys = rows * len(documents) + positions[: len(lines)]
    order = np.argsort(keys)
    rows = rows[order]
    grades = qrels.values[lines][order].astype(float)
    ideals = {
        level: _make_ideal_ranking(rows, grades, len(topics), level, gain) for level in levels
    }
    topic_positions = positions[len(lines) :]
    return Judgments(topics, empty, list(documents), topic_positions, keys[order], grades, ideals)


def _make_ideal_ranking(
    rows: np.ndarray, grades: np.ndarray, topics: int, level: int, gain: str
) -> Ranking:
    """Return the ideal ranking, in which grades from `level` on are relevant."""
    n_relevant = np.bincount(rows[grades >= level], minlength=topics)
    best = np.lexsort((-grades, rows))
    best = best[grades[best] >= level]
    first = np.cumsum(n_relevant) - n_relevant
    rank = np.arange(len(best)) - first[rows[best]]
    ideal = np.zeros((topics, max(1000, n_relevant.max())))
    ideal[rows[best], rank] = grades[best]
    return Ranking.from_grades(ideal, gain, n_relevant)


def match_run(run: Table, judgments: Judgments) -> Table:
    """Match the topics and documents of a run to those of the judgments."""
    row_of = {topic: row for row, topic in enumerate(judgments.topics)}
    rows = np.array([row_of.get(topic, -1) for topic in run.topics])
    positions = find_positions(run.documents, judgments.documents)
    return run._replace(topic_rows=rows, judged_positions=positions)


def get_grades_by_rank(run: Table, judgments: Judgments, depth: int) -> np.ndarray:
    """Return grades by rank (topics x ranks), NaN for unjudged documents.

    They are -inf where the run has no document. Nonrelevant documents that the judgments have
    dropped count as unjudged.
    """
    lengths = np.bincount(run.codes, minlength=len(run.topic_rows))
    returned = np.zeros(len(judgments.topics) + 1)  # the last is of topics without judgments
    returned[run.topic_rows] = lengths
    all_ranks = np.arange(max(1, min(depth, lengths.max())))
    grades = np.where(all_ranks < returned[:-1, None], np.nan, -np.inf)
    lines, positions = _find_judged_lines(run, judgments)
    rank = rank_lines(run, lines)
    is_kept = rank < grades.shape[1]
    rows = run.topic_rows[run.codes[lines[is_kept]]]
    grades[rows, rank[is_kept]] = judgments.grades[positions[is_kept]]
    return grades


def _find_judged_lines(run: Table, judgments: Judgments) -> tuple[np.ndarray, np.ndarray]:
    """Return the judged lines of a run, and the positions of their grades."""
    lines = np.flatnonzero(run.judged_positions >= 0)
    keys = run.topic_rows[run.codes[lines]] * len(judgments.documents) + run.judged_positions[lines]
    positions = np.searchsorted(judgments.keys, keys)
    positions = np.minimum(positions, len(judgments.keys) - 1)
    is_judged = judgments.keys[positions] == keys
    return lines[is_judged], positions[is_judged]


def drop_unjudged(run: Table, judgments: Judgments) -> Table:
    """Drop unjudged documents from a run, as trec_eval -J does."""
    lines, positions = _find_judged_lines(run, judgments)
    return run.select_lines(lines[judgments.grades[positions] >= 0])


def find_identical_ids(run: Table, judgments: Judgments) -> np.ndarray:
    """Return the lines of judged topics whose document id equals the topic id."""
    positions = np.append(judgments.topic_positions, -2)  # no line has -2: topics not judged
    return np.flatnonzero(run.judged_positions == positions[run.topic_rows][run.codes])
