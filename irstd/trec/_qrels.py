"""What was judged, as runs are scored against it: grades of documents, ideal rankings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from irstd._base.checks import needed
from irstd.metrics import Ranking
from irstd.trec._parsed import Table, ranks

LARGEST_POWER = 1000  # the sum of a run's 2^grade must be a number


class Judgments(NamedTuple):
    """The topics that count, and what was judged for them."""

    topics: list[str]
    empty: list[str]  # topics that do not: they have no relevant document
    documents: Any  # Arrow's array of those that matter, each once
    keys: np.ndarray  # topic * len(documents) + document, ascending
    grades: np.ndarray  # of each key
    levels: dict[int, Level]  # by the lowest grade that is relevant


class Level(NamedTuple):
    """The judged documents, for those to whom a grade is relevant or not."""

    ideal: Ranking
    n_relevant: np.ndarray  # topics
    n_nonrelevant: np.ndarray  # topics: of grades from 0 on


def judge(
    qrels: Table, min_relevance: int, levels: Iterable[int], gain: str, all_judged: bool
) -> Judgments:
    """The judgments of each topic that has a relevant document.

    Of the documents, those are kept that are relevant for one of `levels`, or `all_judged`: to look
    for all of them in each run costs `evaluate` half as much time again.
    """
    counts = np.bincount(qrels.codes[qrels.values >= min_relevance], minlength=len(qrels.topics))
    if not counts.any():
        raise ValueError(f"no topic of the qrels has a document of relevance >= {min_relevance}")
    if gain == "exponential" and qrels.values.max() > LARGEST_POWER:
        raise ValueError(
            f'gain="exponential" needs grades up to {LARGEST_POWER}, the qrels have'
            f" {qrels.values.max():.0f}"
        )
    topics, empty = (np.array(qrels.topics)[kept].tolist() for kept in (counts > 0, counts == 0))
    lowest = -np.inf if all_judged else min(levels)
    lines = np.flatnonzero((qrels.values >= lowest) & (counts > 0)[qrels.codes])
    rows = (np.cumsum(counts > 0) - 1)[qrels.codes[lines]]
    known, places = np.unique(qrels.documents[lines], return_inverse=True)
    keys = rows * len(known) + places
    order = np.argsort(keys)
    rows, grades = rows[order], qrels.values[lines][order].astype(float)
    parts = {level: _level(rows, grades, len(topics), level, gain) for level in levels}
    return Judgments(topics, empty, qrels.names.take(known), keys[order], grades, parts)


def _level(rows: np.ndarray, grades: np.ndarray, topics: int, level: int, gain: str) -> Level:
    n_relevant = np.bincount(rows[grades >= level], minlength=topics)
    n_nonrelevant = np.bincount(rows[(grades >= 0) & (grades < level)], minlength=topics)
    ideal = np.zeros((topics, max(1000, n_relevant.max())))
    best = pd.DataFrame({"row": rows, "grade": grades})[grades >= level]
    best = best.sort_values(["row", "grade"], ascending=False)
    ideal[best["row"], best.groupby("row").cumcount()] = best["grade"]
    return Level(Ranking.of(ideal, gain, n_relevant), n_relevant, n_nonrelevant)


def grades_by_rank(run: Table, judgments: Judgments, depth: int) -> np.ndarray:
    """The grade of the document at each rank (topics x ranks), NaN if it is not judged.

    -inf where the run has no document. Unless a metric needs to know of all that is judged, what
    is not relevant is like what is not judged.
    """
    row_of = {topic: row for row, topic in enumerate(judgments.topics)}
    rows = np.array([row_of.get(topic, -1) for topic in run.topics])
    lengths = np.bincount(run.codes)
    returned = np.zeros(len(row_of) + 1)  # the last is of topics that do not count
    returned[rows] = lengths
    places = np.arange(min(depth, lengths.max()))
    grades = np.where(places < returned[:-1, None], np.nan, -np.inf)
    known = needed("pyarrow.compute").index_in(run.names, judgments.documents)
    known = known.fill_null(-1).to_numpy()[run.documents]
    lines = np.flatnonzero(known >= 0)
    rows, places = rows[run.codes[lines]], ranks(run)[lines]
    keys = rows * len(judgments.documents) + known[lines]
    found = np.minimum(np.searchsorted(judgments.keys, keys), len(judgments.keys) - 1)
    kept = (judgments.keys[found] == keys) & (places < grades.shape[1])
    grades[rows[kept], places[kept]] = judgments.grades[found[kept]]
    return grades
