"""Runs and qrels taken apart, as `irstd.evaluate` scores them: grades by rank, ideal rankings."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, NoReturn

import numpy as np
import pandas as pd

from irstd._base.arguments import ids
from irstd.metrics import Ranking
from irstd.trec.arrow import by_arrow
from irstd.trec.convert import FORMS, as_qrels, as_run, wrong_rank
from irstd.trec.files import fail, read_bytes, take_apart
from irstd.trec.forms import columns_of, is_parquet, of_json, read_parquet
from irstd.trec.words import Words


class Table(NamedTuple):
    """A run or qrels taken apart: for each line its topic, document, and score or grade."""

    topics: list[str]  # in order of first appearance
    codes: np.ndarray  # for each line, the place of its topic in `topics`
    documents: Words
    values: np.ndarray
    tags: list[str]

    def frame(self, value: str) -> pd.DataFrame:
        """The run or qrels frame, whose last column is called `value`."""
        topics = np.array(self.topics, dtype=object)
        documents = np.asarray(self.documents.unique, dtype=object)
        fields = {
            "query_id": topics[self.codes],
            "doc_id": documents[self.documents.codes],
            value: self.values,
        }
        return pd.DataFrame(fields)


def table_of(source: Any, value: str, name: str) -> Table:
    """A run ("score") or qrels ("relevance") taken apart: a file, or what `as_run` knows."""
    if isinstance(source, (str, os.PathLike)):
        try:
            return _table_of_file(source, value)
        except ValueError as error:
            if FORMS[value] in str(error):
                raise
            raise ValueError(f"{error}; {FORMS[value]}") from None
    return _table_of_frame(source, value, name)


def _table_of_frame(source: Any, value: str, name: str) -> Table:
    """A run ("score") or qrels ("relevance") in a form that `as_run` or `as_qrels` knows."""
    frame = as_run(source, name) if value == "score" else as_qrels(source, name)

    def fail_in_frame(row: int, problem: str) -> NoReturn:
        fields = frame.iloc[row].to_dict()
        place = f", row {row}"
        if frame.index.name == "line":  # of a file of JSON
            place = f":{frame.index[row]}"
        raise ValueError(f"{name}{place}: {problem}: {fields}")

    topics = Words.of(ids(frame["query_id"], f"{name}: query_id"))
    documents = Words.of(ids(frame["doc_id"], f"{name}: doc_id"))
    values = frame[value].to_numpy(dtype=float)
    _check_unique(topics, documents, fail_in_frame)
    return Table(topics.texts(), topics.codes, documents, values, tags=[])


def _table_of_file(path: str | os.PathLike, value: str) -> Table:
    """A run ("score") or qrels ("relevance") in a file, taken apart."""
    if os.path.isdir(path):
        raise ValueError(f"{path} is a folder: give the file in it, such as qrels/test.tsv")
    if is_parquet(path):
        return _table_of_frame(read_parquet(path), value, str(path))
    data = read_bytes(path)
    if data.lstrip().startswith(b"{"):
        return _table_of_frame(of_json(path, data, value), value, str(path))
    data, columns = columns_of(data, value)
    fields = _fields(path, data, columns)
    topics = fields["topic"]
    documents = fields["document"]
    _check_unique(topics, documents, functools.partial(fail, path, data))
    if value not in fields:  # of MS MARCO
        row, problem = wrong_rank(topics.codes, fields["rank"])
        if problem:
            fail(path, data, row, problem)
        fields[value] = -fields["rank"].astype(float)
    tags = []
    if "tag" in fields:
        tags = fields["tag"].texts()
    return Table(topics.texts(), topics.codes, documents, fields[value], tags)


def _fields(path: str | os.PathLike, data: bytes, columns: Mapping[str, type]) -> dict[str, Any]:
    """The columns of a file of lines: words, and numbers as arrays."""
    fields: Any = by_arrow(data, columns)
    if fields is not None:
        return fields
    fields = take_apart(path, data, columns)
    for name, kind in columns.items():
        if kind is str:
            fields[name] = Words.of(fields[name])
        elif kind is not bytes:
            fields[name] = np.array(fields[name])
    return fields


def _check_unique(topics: Words, documents: Words, fail_at: Callable) -> None:
    """Call `fail_at(row, problem)` if a document is twice in its topic."""
    pairs = topics.codes * np.int64(len(documents.unique)) + documents.codes
    repeated = pd.Series(pairs).duplicated().to_numpy()
    if repeated.any():
        row = int(repeated.argmax())
        (document,) = documents.texts(documents.codes[[row]])
        fail_at(row, f"the document {document} appears twice in its topic")


def ranks(run: Table, lines: Any = slice(None)) -> np.ndarray:
    """The rank, from 0, of some lines in their topics: by score, then by bytes of the document."""
    order = np.arange(len(run.codes))
    codes = run.codes
    scores = run.values
    next_topic = codes[1:] > codes[:-1]
    same_topic = codes[1:] == codes[:-1]
    not_higher = same_topic & (scores[1:] <= scores[:-1])
    if not (next_topic | not_higher).all():  # of few files
        order = np.lexsort((-scores, codes))
        codes = codes[order]
        scores = scores[order]
    like_next = (codes[1:] == codes[:-1]) & (scores[1:] == scores[:-1])
    like_next = np.append(like_next, False)
    like_last = np.roll(like_next, 1)
    tied = np.flatnonzero(like_next | like_last)
    if len(tied):  # there the documents decide
        group = np.cumsum(~like_last[tied])
        by_word = run.documents.in_order(order[tied])
        descending = group * len(tied) - by_word
        order[tied] = order[tied][np.argsort(descending)]
    places = np.empty_like(order)
    places[order] = np.arange(len(order))
    topics = np.arange(len(run.topics), dtype=codes.dtype)
    first = np.searchsorted(codes, topics)
    return places[lines] - first[run.codes[lines]]


class Judgments(NamedTuple):
    """The topics that count, and what was judged for them."""

    topics: list[str]
    empty: list[str]  # topics that do not: they have no relevant document
    documents: np.ndarray  # those that matter, each once
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
    is_relevant = qrels.values >= min_relevance
    counts = np.bincount(qrels.codes[is_relevant], minlength=len(qrels.topics))
    counting = counts > 0
    if not counting.any():
        raise ValueError(f"no topic of the qrels has a document of relevance >= {min_relevance}")
    names = np.array(qrels.topics)
    topics = names[counting].tolist()
    empty = names[~counting].tolist()
    lowest = -np.inf if all_judged else min(levels)
    matters = (qrels.values >= lowest) & counting[qrels.codes]
    lines = np.flatnonzero(matters)
    row_of_code = np.cumsum(counting) - 1
    rows = row_of_code[qrels.codes[lines]]
    used, places = np.unique(qrels.documents.codes[lines], return_inverse=True)
    documents = np.array(qrels.documents.texts(used), dtype=object)
    keys = rows * len(documents) + places
    order = np.argsort(keys)
    rows = rows[order]
    grades = qrels.values[lines][order].astype(float)
    parts = {level: _level(rows, grades, len(topics), level, gain) for level in levels}
    return Judgments(topics, empty, documents, keys[order], grades, parts)


def _level(rows: np.ndarray, grades: np.ndarray, topics: int, level: int, gain: str) -> Level:
    """The judged documents where grades from `level` on are relevant; `topics` is their number."""
    relevant = grades >= level
    nonrelevant = (grades >= 0) & (grades < level)
    n_relevant = np.bincount(rows[relevant], minlength=topics)
    n_nonrelevant = np.bincount(rows[nonrelevant], minlength=topics)
    best = pd.DataFrame({"row": rows, "grade": grades})[relevant]
    best = best.sort_values(["row", "grade"], ascending=False)
    rank = best.groupby("row").cumcount()
    ideal = np.zeros((topics, max(1000, n_relevant.max())))
    ideal[best["row"], rank] = best["grade"]
    return Level(Ranking.of(ideal, gain, n_relevant), n_relevant, n_nonrelevant)


def grades_by_rank(run: Table, judgments: Judgments, depth: int) -> np.ndarray:
    """The grade of the document at each rank (topics x ranks), NaN if it is not judged.

    -inf where the run has no document. Unless a metric needs to know of all that is judged, what
    is not relevant is like what is not judged.
    """
    rows = _rows(run, judgments)
    lengths = np.bincount(run.codes, minlength=len(rows))
    returned = np.zeros(len(judgments.topics) + 1)  # the last is of topics that do not count
    returned[rows] = lengths
    all_ranks = np.arange(max(1, min(depth, lengths.max())))
    has_document = all_ranks < returned[:-1, None]
    grades = np.where(has_document, np.nan, -np.inf)
    lines, found = _judged_lines(run, judgments, rows)
    rank = ranks(run, lines)
    rows = rows[run.codes[lines]]
    kept = rank < grades.shape[1]
    grades[rows[kept], rank[kept]] = judgments.grades[found[kept]]
    return grades


def _judged_lines(run: Table, judgments: Judgments, rows: np.ndarray) -> tuple[np.ndarray, Any]:
    """The lines of a run whose document is judged for their topic, and the place of its grade.

    `rows` has for each topic of the run its place in the judgments, -1 if that does not count.
    """
    places = run.documents.places_among(judgments.documents)
    documents = places[run.documents.codes]
    lines = np.flatnonzero(documents >= 0)
    keys = rows[run.codes[lines]] * len(judgments.documents) + documents[lines]
    found = np.searchsorted(judgments.keys, keys)
    found = np.minimum(found, len(judgments.keys) - 1)
    is_judged = judgments.keys[found] == keys
    return lines[is_judged], found[is_judged]


def only_judged(run: Table, judgments: Judgments) -> Table:
    """A run without what is not judged for its topic, or of a negative grade, as trec_eval -J."""
    lines, found = _judged_lines(run, judgments, _rows(run, judgments))
    return _with_lines(run, lines[judgments.grades[found] >= 0])


def lines_of_topics(run: Table) -> np.ndarray:
    """The lines of a run whose document has the id of their topic."""
    places = run.documents.places_among(np.array(run.topics, dtype=object))
    return np.flatnonzero(places[run.documents.codes] == run.codes)


def without_lines(run: Table, lines: np.ndarray) -> Table:
    """A run without some of its lines."""
    return _with_lines(run, np.delete(np.arange(len(run.codes)), lines))


def _with_lines(run: Table, lines: np.ndarray) -> Table:
    documents = run.documents._replace(codes=run.documents.codes[lines])
    return run._replace(codes=run.codes[lines], documents=documents, values=run.values[lines])


def _rows(run: Table, judgments: Judgments) -> np.ndarray:
    """For each topic of a run its place in the judgments, -1 if it does not count there."""
    row_of = {topic: row for row, topic in enumerate(judgments.topics)}
    return np.array([row_of.get(topic, -1) for topic in run.topics])
