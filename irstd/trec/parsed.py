"""Runs and qrels taken apart, as `irstd.evaluate` scores them: grades by rank, ideal rankings."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, NoReturn

import numpy as np
import pandas as pd

from irstd._base.arguments import ids
from irstd._base.messages import needed
from irstd.metrics import Ranking
from irstd.trec.convert import as_qrels, as_run
from irstd.trec.files import fail, read_bytes, take_apart

LINES: dict[str, dict[str, type]] = {
    "score": dict(topic=str, Q0=str, document=str, rank=str, score=float, tag=str),
    "relevance": dict(topic=str, iteration=str, document=str, relevance=int),
}
WEIGHTS = np.random.default_rng(0).integers(2**64, size=9, dtype=np.uint64)


class Table(NamedTuple):
    """A run or qrels taken apart: for each line its topic, document, and score or grade."""

    topics: list[str]  # in order of first appearance
    codes: np.ndarray  # for each line, the place of its topic in `topics`
    documents: Any  # Arrow's array
    values: np.ndarray
    tags: list[str]

    def frame(self, value: str) -> pd.DataFrame:
        pa = needed("pyarrow")
        topics = pa.array(self.topics, pa.large_string()).take(pa.array(self.codes))
        fields = {"query_id": topics, "doc_id": self.documents, value: self.values}
        return pa.table(fields).to_pandas()


def table_of(source: Any, value: str, name: str) -> Table:
    """A run ("score") or qrels ("relevance") taken apart: a file, or what `as_run` knows."""
    pa = needed("pyarrow")
    if isinstance(source, (str, os.PathLike)):
        data, columns = read_bytes(source), LINES[value]
        fields = _by_arrow(data, columns)
        if fields is None:
            slow = take_apart(source, data, columns)
            kinds = {name: pa.large_string() if k is str else None for name, k in columns.items()}
            fields = {name: pa.array(words, kinds[name]) for name, words in slow.items()}
        tags = fields["tag"].unique().to_pylist() if "tag" in fields else []
        numbers, at = fields[value].to_numpy(), functools.partial(fail, source, data)
        return _table(fields["topic"], fields["document"], numbers, at, tags)
    frame = as_run(source, name) if value == "score" else as_qrels(source, name)

    def fail_in_frame(row: int, problem: str) -> NoReturn:
        raise ValueError(f"{name}, row {row}: {problem}: {frame.iloc[row].to_dict()}")

    words = (ids(frame[key], f"{name}: {key}") for key in ("query_id", "doc_id"))
    topics, documents = (pa.array(each, pa.large_string()) for each in words)
    return _table(topics, documents, frame[value].to_numpy(dtype=float), fail_in_frame, [])


def _by_arrow(data: bytes, columns: Mapping[str, type]) -> dict[str, Any] | None:
    """The fields by Arrow's reader of CSV; None if it may take a file otherwise than the loop."""
    # ten times as fast as a loop over the lines
    pa, pc, csv = needed("pyarrow"), needed("pyarrow.compute"), needed("pyarrow.csv")
    marks = [mark for mark in b" \t\v\f\r" if mark in data]
    comments = b"#" in data and re.search(rb"(?m)^#", data)
    if marks not in ([32], [9]) or comments or data.startswith(b"\xef\xbb\xbf"):
        return None
    kinds = {n: pa.float64() if k is float else pa.large_string() for n, k in columns.items()}
    block = min(len(data) + 1, 1 << 30)  # nearly always the whole file
    try:
        table = csv.read_csv(
            pa.BufferReader(data),
            csv.ReadOptions(use_threads=False, column_names=list(columns), block_size=block),
            csv.ParseOptions(delimiter=chr(marks[0]), quote_char=False),
            csv.ConvertOptions(column_types=kinds, null_values=[], check_utf8=False),
        ).combine_chunks()
    except pa.ArrowInvalid:
        return None
    fields = {name: table[name].chunk(0) for name in columns}
    for name, kind in columns.items():
        if kind is float:
            fits = np.isfinite(fields[name].to_numpy()).all()
        elif kind is str:
            fits = np.diff(_ends(fields[name])).all()  # else two blanks side by side
        else:
            fits = pc.all(pc.match_substring_regex(fields[name], "^-?[0-9]{1,9}$")).as_py()
            fields[name] = fields[name].cast(pa.int64()) if fits else None
        if not fits:
            return None
    return fields


def _table(topics: Any, documents: Any, values: Any, at: Callable, tags: list[str]) -> Table:
    by_topic = topics.dictionary_encode()
    codes = by_topic.indices.to_numpy()
    if len(codes) and _may_repeat(codes, documents):
        places = documents.dictionary_encode().indices.to_numpy()
        twice = pd.Series(codes * np.int64(len(documents)) + places).duplicated().to_numpy()
        if twice.any():
            row = int(twice.argmax())
            at(row, f"the document {documents[row]} appears twice in its topic")
    return Table(by_topic.dictionary.to_pylist(), codes, documents, values, tags)


def _may_repeat(codes: np.ndarray, documents: Any) -> bool:
    """False if no document is twice in a topic: then nearly always all sums of bytes differ."""
    # To look up each document instead takes `evaluate` a fifth more time.
    width = 1 + int(np.diff(_ends(documents)).max()) // 8  # eight bytes are a number
    if width >= len(WEIGHTS):
        return True
    padded = needed("pyarrow.compute").ascii_rpad(documents, 8 * width).buffers()[2]
    words = np.frombuffer(padded, np.uint64, len(codes) * width).reshape(len(codes), width)
    sums = words @ WEIGHTS[:width] + codes.astype(np.uint64) * WEIGHTS[-1]
    return not np.diff(np.sort(sums)).all()


def _ends(words: Any) -> np.ndarray:
    """Where each word of Arrow's array begins, and where the last one ends."""
    return np.frombuffer(words.buffers()[1], np.int64, len(words) + 1, 8 * words.offset)


def ranks(run: Table, lines: Any = slice(None)) -> np.ndarray:
    """The rank, from 0, of some lines in their topics: by score, then by bytes of the document."""
    codes, scores, places = run.codes, run.values, np.arange(len(run.codes))
    falling = (codes[1:] == codes[:-1]) & (scores[1:] < scores[:-1])
    if not ((codes[1:] > codes[:-1]) | falling).all():  # of few files: to sort takes time
        words = needed("pyarrow.compute").rank(run.documents, sort_keys="descending").to_numpy()
        order = np.lexsort((words, -scores, codes))
        codes, places[order] = codes[order], np.arange(len(order))
    first = np.searchsorted(codes, np.arange(len(run.topics), dtype=codes.dtype))
    return places[lines] - first[run.codes[lines]]


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
    topics, empty = (np.array(qrels.topics)[kept].tolist() for kept in (counts > 0, counts == 0))
    lowest = -np.inf if all_judged else min(levels)
    lines = np.flatnonzero((qrels.values >= lowest) & (counts > 0)[qrels.codes])
    rows = (np.cumsum(counts > 0) - 1)[qrels.codes[lines]]
    known = qrels.documents.take(needed("pyarrow").array(lines)).dictionary_encode()
    keys = rows * len(known.dictionary) + known.indices.to_numpy()
    order = np.argsort(keys)
    rows, grades = rows[order], qrels.values[lines][order].astype(float)
    parts = {level: _level(rows, grades, len(topics), level, gain) for level in levels}
    return Judgments(topics, empty, known.dictionary, keys[order], grades, parts)


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
    known = needed("pyarrow.compute").index_in(run.documents, judgments.documents)
    known = known.fill_null(-1).to_numpy()
    lines = np.flatnonzero(known >= 0)
    rows, places = rows[run.codes[lines]], ranks(run, lines)
    keys = rows * len(judgments.documents) + known[lines]
    found = np.minimum(np.searchsorted(judgments.keys, keys), len(judgments.keys) - 1)
    kept = (judgments.keys[found] == keys) & (places < grades.shape[1])
    grades[rows[kept], places[kept]] = judgments.grades[found[kept]]
    return grades
