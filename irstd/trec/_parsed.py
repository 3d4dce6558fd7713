"""Runs and qrels taken apart: what `irstd.trec` reads and `irstd.evaluate` scores."""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, NoReturn

import numpy as np
import pandas as pd

from irstd._base.checks import ids, needed
from irstd.trec._files import Lines, read_bytes, read_number, take_apart
from irstd.trec.convert import as_qrels, as_run

LINES: dict[str, dict[str, type]] = {
    "score": dict(topic=str, Q0=str, document=str, rank=str, score=float, tag=str),
    "relevance": dict(topic=str, iteration=str, document=str, relevance=int),
}


class Table(NamedTuple):
    """A run or qrels taken apart: for each line its topic, document, and score or grade."""

    topics: list[str]  # in order of first appearance
    codes: np.ndarray  # for each line, the place of its topic in `topics`
    names: Any  # Arrow's array of the documents, each once
    documents: np.ndarray  # for each line, the place of its document in `names`
    values: np.ndarray
    tags: list[str]

    def frame(self, value: str) -> pd.DataFrame:
        pa = needed("pyarrow")
        columns = {
            "query_id": pa.array(self.topics, pa.large_string()).take(pa.array(self.codes)),
            "doc_id": self.names.take(pa.array(self.documents)),
            value: self.values,
        }
        return pa.table(columns).to_pandas()


def table_of(source: Any, value: str, name: str) -> Table:
    """A run ("score") or qrels ("relevance") taken apart: a file, or what `as_run` knows."""
    pa = needed("pyarrow")
    if isinstance(source, (str, os.PathLike)):
        data, columns = read_bytes(source), LINES[value]
        fields = _by_arrow(data, columns)
        if fields is None:
            slow = take_apart(source, data, columns).columns
            kinds = {name: pa.large_string() if k is str else None for name, k in columns.items()}
            fields = {name: pa.array(words, kinds[name]) for name, words in slow.items()}
        tags = fields["tag"].unique().to_pylist() if "tag" in fields else []
        numbers, fail = fields[value].to_numpy(), Lines(source, data, fields).fail
        return _table(fields["topic"], fields["document"], numbers, fail, tags)
    frame = as_run(source, name) if value == "score" else as_qrels(source, name)
    if frame.empty:
        raise ValueError(f"{name} has no rows")

    def fail_in_frame(row: int, problem: str) -> NoReturn:
        raise ValueError(f"{name}, row {row}: {problem}: {frame.iloc[row].to_dict()}")

    topics, documents = (
        pa.array(ids(frame[key], f"{name}: {key}"), pa.large_string())
        for key in ("query_id", "doc_id")
    )
    return _table(topics, documents, frame[value].to_numpy(dtype=float), fail_in_frame, [])


def _by_arrow(data: bytes, columns: Mapping[str, type]) -> dict[str, Any] | None:
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
    fields = {name: table.combine_chunks()[name].chunk(0) for name in columns}
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


def _table(topics: Any, documents: Any, values: Any, fail: Callable, tags: list[str]) -> Table:
    by_topic, by_name = topics.dictionary_encode(), documents.dictionary_encode()
    codes, places = by_topic.indices.to_numpy(), by_name.indices.to_numpy()
    pairs = codes * np.int64(len(by_name.dictionary)) + places
    if not (np.diff(np.sort(pairs)) > 0).all():
        row = int(pd.Series(pairs).duplicated().to_numpy().argmax())
        fail(row, f"the document {documents[row]} appears twice in its topic")
    return Table(by_topic.dictionary.to_pylist(), codes, by_name.dictionary, places, values, tags)


def ranks(run: Table) -> np.ndarray:
    """The rank, from 0, of each line in its topic.

    Score descending, then document id descending in the order of its bytes.
    """
    codes, scores, order = run.codes, run.values, np.arange(len(run.codes))
    falling = (codes[1:] == codes[:-1]) & (scores[1:] < scores[:-1])
    if not ((codes[1:] > codes[:-1]) | falling).all():  # of few files: to sort takes time
        words = needed("pyarrow.compute").rank(run.names, sort_keys="descending").to_numpy()
        order = np.lexsort((words[run.documents], -scores, codes))
    first = np.searchsorted(codes[order], np.arange(len(run.topics), dtype=codes.dtype))
    places = np.empty_like(order)
    places[order] = np.arange(len(codes)) - first[codes[order]]
    return places
