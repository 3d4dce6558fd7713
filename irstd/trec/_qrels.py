"""What was judged, as runs are scored against it: grades of documents, ideal rankings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irstd._checks import needed
from irstd.metrics import Ranking
from irstd.trec._parsed import Table, ranks

if TYPE_CHECKING:
    import pyarrow as pa

LARGEST_POWER = 1000  # the sum of a run's 2^grade must be a number


class Judgments(NamedTuple):
    """The topics that count, and what was judged for them."""

    topics: list[str]
    empty: list[str]  # topics that do not: they have no relevant document
    documents: pa.Array  # those that matter, each once
    keys: np.ndarray  # topic * len(documents) + document, ascending
    grades: np.ndarray  # of each key
    levels: dict[int, Level]  # by the lowest grade that is relevant


class Level(NamedTuple):
    """The judged documents, for those to whom a grade is relevant or not."""

    ideal: Ranking
    n_relevant: np.ndarray  # topics
    n_nonrelevant: np.ndarray  # topics: of grades from 0 on


def judge(
    qrels: Table, min_relevance: int, levels: Iterable[int], depth: int, gain: str, all_judged: bool
) -> Judgments:
    """The judgments of each topic that has a relevant document.

    Of the documents, those are kept that are relevant for one of `levels`, or `all_judged`: to look
    for all of them in each run costs `evaluate` three quarters more time.
    """
    relevant = np.zeros(len(qrels.topics), bool)
    relevant[qrels.codes[qrels.values >= min_relevance]] = True
    names = np.array(qrels.topics, dtype=object)
    if not relevant.any():
        raise ValueError(f"no topic of the qrels has a document of relevance >= {min_relevance}")
    highest = qrels.values.max()
    if gain == "exponential" and highest > LARGEST_POWER:
        raise ValueError(
            f'gain="exponential" needs grades up to {LARGEST_POWER}, the qrels have {highest:.0f}:'
            " 2^grade is no number any more"
        )
    lowest = -np.inf if all_judged else min(levels)
    lines = np.flatnonzero((qrels.values >= lowest) & relevant[qrels.codes])
    rows = (np.cumsum(relevant) - 1)[qrels.codes[lines]]
    known, places = np.unique(qrels.documents[lines], return_inverse=True)
    keys = rows * len(known) + places
    order = np.argsort(keys)
    keys, rows, grades = keys[order], rows[order], qrels.values[lines][order].astype(float)
    parts = {level: _level(rows, grades, relevant.sum(), level, depth, gain) for level in levels}
    topics, empty = names[relevant].tolist(), names[~relevant].tolist()
    return Judgments(topics, empty, qrels.names.take(known), keys, grades, parts)


def _level(
    rows: np.ndarray, grades: np.ndarray, topics: int, level: int, depth: int, gain: str
) -> Level:
    good = grades >= level
    n_relevant = np.bincount(rows[good], minlength=topics)
    n_nonrelevant = np.bincount(rows[(grades >= 0) & ~good], minlength=topics)
    ideal = np.zeros((topics, min(depth, max(1000, n_relevant.max()))))
    rows, grades = rows[good], grades[good]
    order = np.lexsort((-grades, rows))
    places = np.arange(len(order)) - np.repeat(np.cumsum(n_relevant) - n_relevant, n_relevant)
    kept = places < ideal.shape[1]
    ideal[rows[order][kept], places[kept]] = grades[order][kept]
    return Level(Ranking.of(ideal, gain, n_relevant), n_relevant, n_nonrelevant)


def grades_by_rank(run: Table, judgments: Judgments, depth: int) -> np.ndarray:
    """The grade of the document at each rank (topics x ranks), NaN if it is not judged.

    -inf where the run has no document. Unless a metric needs to know of all that is judged, what
    is not relevant is like what is not judged.
    """
    row_of = {topic: row for row, topic in enumerate(judgments.topics)}
    rows = np.array([row_of.get(topic, -1) for topic in run.topics])
    lengths = np.bincount(run.codes)
    grades = np.full((len(row_of), min(depth, lengths.max())), -np.inf)
    for row, length in zip(rows, lengths, strict=True):
        if row >= 0:
            grades[row, :length] = np.nan
    known = needed("pyarrow.compute").index_in(run.names, judgments.documents)
    known = known.fill_null(-1).to_numpy()[run.documents]
    lines = np.flatnonzero(known >= 0)
    rows, places = rows[run.codes[lines]], ranks(run)[lines]
    keys = rows * len(judgments.documents) + known[lines]
    found = np.minimum(np.searchsorted(judgments.keys, keys), len(judgments.keys) - 1)
    kept = (judgments.keys[found] == keys) & (places < grades.shape[1])
    grades[rows[kept], places[kept]] = judgments.grades[found[kept]]
    return grades
