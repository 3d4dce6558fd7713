"""Runs and qrels taken apart: what `irstd.trec` reads and `irstd.evaluate` scores."""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np
import pandas as pd

from irstd._checks import ids, needed
from irstd.trec._files import Lines, read_bytes, read_number, take_apart
from irstd.trec.convert import as_qrels, as_run

if TYPE_CHECKING:
    import pyarrow as pa

RUN_LINE = {"topic": str, "Q0": str, "document": str, "rank": str, "score": float, "tag": str}
QRELS_LINE = {"topic": str, "iteration": str, "document": str, "relevance": int}
FACTORS = np.random.default_rng(0).integers(0, 1 << 63, 9, np.uint64) * np.uint64(2) + np.uint64(1)


class Table(NamedTuple):
    """A run or qrels taken apart: for each line its topic, document, and score or grade."""

    topics: list[str]  # in order of first appearance
    codes: np.ndarray  # for each line, the place of its topic in `topics`
    documents: pa.LargeStringArray
    values: np.ndarray
    tags: list[str]

    def frame(self, value: str) -> pd.DataFrame:
        pa = needed("pyarrow")
        columns = {
            "query_id": pa.array(self.topics, pa.large_string()).take(pa.array(self.codes)),
            "doc_id": self.documents,
            value: self.values,
        }
        return pa.table(columns).to_pandas()


def parse_run(path: str | os.PathLike) -> Table:
    """A run file taken apart, which is all that `evaluate` needs of it."""
    table, lines = _parse(path, RUN_LINE, "score")
    return table._replace(tags=needed("pyarrow.compute").unique(lines.columns["tag"]).to_pylist())


def parse_qrels(path: str | os.PathLike) -> Table:
    """A qrels file taken apart."""
    return _parse(path, QRELS_LINE, "relevance")[0]


def _parse(path: str | os.PathLike, columns: Mapping[str, type], value: str) -> tuple[Table, Lines]:
    data = read_bytes(path)
    fields = _by_arrow(data, columns)
    if fields is None:
        pa = needed("pyarrow")
        kinds = {name: pa.large_string() if k is str else None for name, k in columns.items()}
        slow = take_apart(path, data, columns).columns
        fields = {name: pa.array(words, kinds[name]) for name, words in slow.items()}
    lines = Lines(path, data, fields)
    numbers = fields[value].to_numpy()
    return _table(fields["topic"], fields["document"], numbers, lines.fail), lines


def _by_arrow(data: bytes, columns: Mapping[str, type]) -> dict[str, pa.Array] | None:
    """The fields by Arrow's reader of CSV, ten times as fast as a loop over the lines.

    None if it refuses the file, or may take it otherwise than the loop does.
    """
    pa, pc, csv = needed("pyarrow"), needed("pyarrow.compute"), needed("pyarrow.csv")
    marks = [mark for mark in b" \t\v\f\r" if mark in data]
    comments = b"#" in data and re.search(rb"(?m)^#", data)
    if marks not in ([32], [9]) or comments or data.startswith(codecs.BOM_UTF8):
        return None
    kinds = {n: pa.float64() if k is float else pa.large_string() for n, k in columns.items()}
    block = min(len(data) + 1, 1 << 30)  # nearly always the whole file
    try:
        table = csv.read_csv(
            pa.BufferReader(data),
            csv.ReadOptions(use_threads=False, column_names=list(columns), block_size=block),
            csv.ParseOptions(delimiter=chr(marks[0]), quote_char=False),
            csv.ConvertOptions(column_types=kinds, null_values=[], check_utf8=False),
        )
    except pa.ArrowInvalid:
        return None
    table = table.combine_chunks()
    fields = {name: table[name].chunk(0) for name in columns}
    for name, kind in columns.items():
        if kind is float and not np.isfinite(fields[name].to_numpy()).all():
            return None
        if kind is not float and not pc.min(pc.binary_length(fields[name])).as_py():
            return None  # two blanks side by side
        if kind is int:
            words = fields[name].dictionary_encode()
            values = [read_number(word.encode(), int) for word in words.dictionary.to_pylist()]
            if None in values:
                return None
            fields[name] = pa.array(values, pa.int64()).take(words.indices)
    return fields


def table_of(data: Any, value: str, name: str) -> Table:
    """A run or qrels in any form that `as_run` or `as_qrels` knows, taken apart."""
    frame = as_run(data, name) if value == "score" else as_qrels(data, name)
    if frame.empty:
        raise ValueError(f"{name} has no rows")

    def fail(row: int, problem: str) -> NoReturn:
        raise ValueError(f"{name}, row {row}: {problem}: {frame.iloc[row].to_dict()}")

    pa = needed("pyarrow")
    topics, documents = (
        pa.array(ids(frame[key], f"{name}: {key}"), pa.large_string())
        for key in ("query_id", "doc_id")
    )
    return _table(topics, documents, frame[value].to_numpy(dtype=float), fail)


def _table(topics: Any, documents: Any, values: np.ndarray, fail: Callable) -> Table:
    by_topic = topics.dictionary_encode()
    codes = by_topic.indices.to_numpy()
    if _may_repeat(codes, documents):
        ids = documents.dictionary_encode()
        pairs = pd.Series(codes * np.int64(len(ids.dictionary)) + ids.indices.to_numpy())
        if pairs.duplicated().any():
            row = int(pairs.duplicated().to_numpy().argmax())
            fail(row, f"the document {documents[row]} appears twice in its topic")
    return Table(by_topic.dictionary.to_pylist(), codes, documents, values, [])


def _may_repeat(codes: np.ndarray, documents: pa.LargeStringArray) -> bool:
    """False if no document can be there twice in a topic: most ids differ in a sum of their bytes.

    The answer for almost all files: to look up each id instead costs `evaluate` 40% more time.
    """
    pc = needed("pyarrow.compute")
    width = max(1, -(-pc.max(pc.binary_length(documents)).as_py() // 8))  # 8 bytes are a number
    if width > 8:
        return True
    padded = pc.ascii_rpad(documents, 8 * width).buffers()[2]
    words = np.frombuffer(padded, np.uint64, len(codes) * width).reshape(-1, width)
    sums = words @ FACTORS[:width] + codes.astype(np.uint64) * FACTORS[8]
    sums.sort()
    return bool((sums[1:] == sums[:-1]).any())


def ranks(run: Table) -> np.ndarray:
    """The rank, from 0, of each line in its topic.

    Score descending, then document id descending in the order of its bytes.
    """
    codes, scores = run.codes, run.values
    falling = (codes[1:] == codes[:-1]) & (scores[1:] <= scores[:-1])
    ordered = ((codes[1:] > codes[:-1]) | falling).all()
    order = np.arange(len(codes)) if ordered else np.lexsort((-scores, codes))
    if not ordered:  # of few files: to sort all would be slow
        codes, scores = codes[order], scores[order]
    tied = (codes[1:] == codes[:-1]) & (scores[1:] == scores[:-1])
    if tied.any():
        among = np.flatnonzero(np.append(tied, False) | np.insert(tied, 0, False))
        documents = run.documents.take(order[among])
        words = needed("pyarrow.compute").rank(documents, tiebreaker="dense").to_numpy()
        ties = np.insert(~tied, 0, False).cumsum()[among]
        order[among] = order[among][np.lexsort((-words.astype(np.int64), ties))]
    first = np.searchsorted(codes, np.arange(len(run.topics), dtype=codes.dtype))
    places = np.empty_like(order)
    places[order] = np.arange(len(codes)) - first[codes]
    return places
