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
        """The run or qrels frame, whose last column is called `value`."""
        pa = needed("pyarrow")
        topics = pa.array(self.topics, pa.large_string())
        topics = topics.take(pa.array(self.codes))
        fields = {"query_id": topics, "doc_id": self.documents, value: self.values}
        return pa.table(fields).to_pandas()


def table_of(source: Any, value: str, name: str) -> Table:
    """A run ("score") or qrels ("relevance") taken apart: a file, or what `as_run` knows."""
    if isinstance(source, (str, os.PathLike)):
        return _table_of_file(source, value)
    frame = as_run(source, name) if value == "score" else as_qrels(source, name)

    def fail_in_frame(row: int, problem: str) -> NoReturn:
        fields = frame.iloc[row].to_dict()
        raise ValueError(f"{name}, row {row}: {problem}: {fields}")

    pa = needed("pyarrow")
    topic_ids = ids(frame["query_id"], f"{name}: query_id")
    document_ids = ids(frame["doc_id"], f"{name}: doc_id")
    topics = pa.array(topic_ids, pa.large_string())
    documents = pa.array(document_ids, pa.large_string())
    values = frame[value].to_numpy(dtype=float)
    return _table(topics, documents, values, fail_in_frame, tags=[])


def _table_of_file(path: str | os.PathLike, value: str) -> Table:
    """A run ("score") or qrels ("relevance") in a file, taken apart."""
    pa = needed("pyarrow")
    data = read_bytes(path)
    columns = LINES[value]
    fields = _by_arrow(data, columns)
    if fields is None:
        fields = {}
        for name, words in take_apart(path, data, columns).items():
            arrow_type = pa.large_string() if columns[name] is str else None
            fields[name] = pa.array(words, arrow_type)
    tags = []
    if "tag" in fields:
        tags = fields["tag"].unique().to_pylist()
    fail_in_file = functools.partial(fail, path, data)
    numbers = fields[value].to_numpy()
    return _table(fields["topic"], fields["document"], numbers, fail_in_file, tags)


def _by_arrow(data: bytes, columns: Mapping[str, type]) -> dict[str, Any] | None:
    """The fields by Arrow's reader of CSV; None if it may take a file otherwise than the loop."""
    # ten times as fast as a loop over the lines
    blanks = [mark for mark in b" \t\v\f\r" if mark in data]
    has_comments = b"#" in data and re.search(rb"(?m)^#", data)
    one_blank = blanks in ([ord(" ")], [ord("\t")])
    if not one_blank or has_comments or data.startswith(b"\xef\xbb\xbf"):
        return None
    table = _arrow_table(data, columns, chr(blanks[0]))
    if table is None:
        return None
    fields = {}
    for name, kind in columns.items():
        field = _checked(table[name].chunk(0), kind)
        if field is None:
            return None
        fields[name] = field
    return fields


def _arrow_table(data: bytes, columns: Mapping[str, type], delimiter: str) -> Any:
    """Arrow's table of a file, whole numbers as text; None if it is not as expected."""
    pa = needed("pyarrow")
    csv = needed("pyarrow.csv")
    types = {}
    for name, kind in columns.items():
        types[name] = pa.float64() if kind is float else pa.large_string()
    block = min(len(data) + 1, 1 << 30)  # nearly always the whole file
    try:
        table = csv.read_csv(
            pa.BufferReader(data),
            csv.ReadOptions(use_threads=False, column_names=list(columns), block_size=block),
            csv.ParseOptions(delimiter=delimiter, quote_char=False),
            csv.ConvertOptions(column_types=types, null_values=[], check_utf8=False),
        )
        return table.combine_chunks()
    except pa.ArrowInvalid:
        return None


def _checked(field: Any, kind: type) -> Any:
    """Arrow's array of a column; None if the loop over the lines may refuse it."""
    if kind is float:
        return field if np.isfinite(field.to_numpy()).all() else None
    if kind is str:
        lengths = np.diff(_ends(field))
        return field if lengths.all() else None  # else two blanks side by side
    pc = needed("pyarrow.compute")
    if not pc.all(pc.match_substring_regex(field, "^-?[0-9]{1,9}$")).as_py():
        return None
    return field.cast(needed("pyarrow").int64())


def _table(topics: Any, documents: Any, values: Any, fail_at: Callable, tags: list[str]) -> Table:
    """Arrow's arrays as a Table; `fail_at(row, problem)` if a document is twice in its topic."""
    by_topic = topics.dictionary_encode()
    codes = by_topic.indices.to_numpy()
    if len(codes) and _may_repeat(codes, documents):
        document_codes = documents.dictionary_encode().indices.to_numpy()
        pairs = codes * np.int64(len(documents)) + document_codes
        repeated = pd.Series(pairs).duplicated().to_numpy()
        if repeated.any():
            row = int(repeated.argmax())
            fail_at(row, f"the document {documents[row]} appears twice in its topic")
    return Table(by_topic.dictionary.to_pylist(), codes, documents, values, tags)


def _may_repeat(codes: np.ndarray, documents: Any) -> bool:
    """False if no document is twice in a topic: then nearly always all sums of bytes differ."""
    # To look up each document instead takes `evaluate` a fifth more time.
    longest = int(np.diff(_ends(documents)).max())
    width = 1 + longest // 8  # eight bytes are a number
    if width >= len(WEIGHTS):
        return True
    padded = needed("pyarrow.compute").ascii_rpad(documents, 8 * width).buffers()[2]
    words = np.frombuffer(padded, np.uint64, len(codes) * width)
    words = words.reshape(len(codes), width)
    of_topics = codes.astype(np.uint64) * WEIGHTS[-1]
    sums = words @ WEIGHTS[:width] + of_topics
    return not np.diff(np.sort(sums)).all()


def _ends(words: Any) -> np.ndarray:
    """Where each word of Arrow's array begins, and where the last one ends."""
    _, ends, _ = words.buffers()
    return np.frombuffer(ends, np.int64, len(words) + 1, 8 * words.offset)


def ranks(run: Table, lines: Any = slice(None)) -> np.ndarray:
    """The rank, from 0, of some lines in their topics: by score, then by bytes of the document."""
    codes = run.codes
    scores = run.values
    places = np.arange(len(codes))
    next_topic = codes[1:] > codes[:-1]
    same_topic = codes[1:] == codes[:-1]
    lower_score = same_topic & (scores[1:] < scores[:-1])
    if not (next_topic | lower_score).all():  # of few files: to sort takes time
        words = needed("pyarrow.compute").rank(run.documents, sort_keys="descending").to_numpy()
        order = np.lexsort((words, -scores, codes))
        codes = codes[order]
        places[order] = np.arange(len(order))
    topics = np.arange(len(run.topics), dtype=codes.dtype)
    first = np.searchsorted(codes, topics)
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
    documents = qrels.documents.take(needed("pyarrow").array(lines)).dictionary_encode()
    keys = rows * len(documents.dictionary) + documents.indices.to_numpy()
    order = np.argsort(keys)
    rows = rows[order]
    grades = qrels.values[lines][order].astype(float)
    parts = {level: _level(rows, grades, len(topics), level, gain) for level in levels}
    return Judgments(topics, empty, documents.dictionary, keys[order], grades, parts)


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
    row_of = {topic: row for row, topic in enumerate(judgments.topics)}
    rows = np.array([row_of.get(topic, -1) for topic in run.topics])
    lengths = np.bincount(run.codes)
    returned = np.zeros(len(row_of) + 1)  # the last is of topics that do not count
    returned[rows] = lengths
    all_ranks = np.arange(min(depth, lengths.max()))
    has_document = all_ranks < returned[:-1, None]
    grades = np.where(has_document, np.nan, -np.inf)
    # where each document of the run is among the judged ones; -1 if it is not judged
    documents = needed("pyarrow.compute").index_in(run.documents, judgments.documents)
    documents = documents.fill_null(-1).to_numpy()
    lines = np.flatnonzero(documents >= 0)
    rows = rows[run.codes[lines]]
    rank = ranks(run, lines)
    keys = rows * len(judgments.documents) + documents[lines]
    places = np.searchsorted(judgments.keys, keys)
    places = np.minimum(places, len(judgments.keys) - 1)
    is_judged = judgments.keys[places] == keys
    kept = is_judged & (rank < grades.shape[1])
    grades[rows[kept], rank[kept]] = judgments.grades[places[kept]]
    return grades
