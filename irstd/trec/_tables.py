"""Runs and qrels taken apart: what `irstd.trec` reads and `irstd.evaluate` scores."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from irstd._checks import check_columns, ids
from irstd.trec._files import TEXT, read_lines

RUN_LINE = {"topic": str, "Q0": str, "document": str, "rank": str, "score": float, "tag": str}
WEIGHTS = np.random.default_rng(0).integers(0, 1 << 63, 9, dtype=np.uint64) * np.uint64(
    2
) + np.uint64(1)
QRELS_LINE = {"topic": str, "iteration": str, "document": str, "relevance": int}


class Table(NamedTuple):
    """A run or qrels taken apart: for each line its topic, document, and score or grade."""

    topics: list[str]  # in order of first appearance
    codes: np.ndarray  # for each line, the place of its topic in `topics`
    documents: pa.LargeStringArray
    values: np.ndarray
    tags: list[str]

    def frame(self, value: str) -> pd.DataFrame:
        columns = {
            "query_id": pa.array(self.topics, TEXT).take(pa.array(self.codes)),
            "doc_id": self.documents,
            value: self.values,
        }
        return pa.table(columns).to_pandas()


def parse_run(path: str | os.PathLike) -> Table:
    """A run file taken apart, which is all that `evaluate` needs of it."""
    lines = read_lines(path, RUN_LINE)
    topics, documents, tags = (lines.columns[name] for name in ("topic", "document", "tag"))
    table = _table(topics, documents, lines.numbers("score"), lines.fail)
    return table._replace(tags=tags.unique().to_pylist())


def parse_qrels(path: str | os.PathLike) -> Table:
    """A qrels file taken apart."""
    lines = read_lines(path, QRELS_LINE)
    topics, documents = lines.columns["topic"], lines.columns["document"]
    return _table(topics, documents, lines.numbers("relevance"), lines.fail)


def table_of(frame: pd.DataFrame, value: str, name: str) -> Table:
    """A run or qrels frame taken apart, checked as a file would be."""
    check_columns(frame, ("query_id", "doc_id", value), name)
    if frame.empty:
        raise ValueError(f"{name} has no rows")
    numbers = frame[value]
    if not pd.api.types.is_numeric_dtype(numbers) or numbers.dtype.kind not in "fiu":
        raise TypeError(f"{name}: the column {value!r} must be numbers, found {numbers.dtype}")
    values = numbers.to_numpy(dtype=float, na_value=np.nan)
    odd = ~np.isfinite(values) if value == "score" else ~(values % 1 == 0)
    if odd.any():
        kind = "finite" if value == "score" else "whole"
        row = int(odd.argmax())
        raise ValueError(
            f"{name}: {value} must be {kind} numbers, found {values[row]} in row {row}"
        )

    def fail(row: int, problem: str) -> NoReturn:
        raise ValueError(f"{name}, row {row}: {problem}: {frame.iloc[row].to_dict()}")

    topics, documents = (_text(frame[key], f"{name}: {key}") for key in ("query_id", "doc_id"))
    return _table(topics, documents, values, fail)


def _text(column: pd.Series, name: str) -> pa.ChunkedArray:
    words = ids(column, name)
    try:
        return pa.chunked_array([pa.array(words, TEXT)])
    except UnicodeEncodeError as error:
        raise ValueError(f"{name} must be text, got {error.object!r}") from error


def _table(topics: Any, documents: Any, values: np.ndarray, fail: Callable) -> Table:
    by_topic, documents = topics.chunk(0).dictionary_encode(), documents.chunk(0)
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

    Three times as fast as to look up each id, and the answer for almost all files.
    """
    width = -(-pc.max(pc.binary_length(documents)).as_py() // 8)  # eight bytes are a number
    if width > 8:
        return True
    padded = pc.ascii_rpad(documents, 8 * max(width, 1)).buffers()[2]
    words = np.frombuffer(padded, np.uint64, len(codes) * max(width, 1)).reshape(len(codes), -1)
    sums = words @ WEIGHTS[: words.shape[1]] + codes.astype(np.uint64) * WEIGHTS[-1]
    sums.sort()
    return bool((sums[1:] == sums[:-1]).any())


def rank_lines(run: Table, lines: np.ndarray) -> np.ndarray:
    """The ranks, from 0, that some of the lines have in their topics.

    Score descending, then document id descending in the order of its bytes. Only ties that these
    lines are part of are put in order.
    """
    codes, scores = run.codes, run.values
    places, order = lines, None
    same = codes[1:] == codes[:-1]
    if not ((codes[1:] >= codes[:-1]) & ((scores[1:] <= scores[:-1]) | ~same)).all():
        order = np.lexsort((-scores, codes))
        codes, scores = codes[order], scores[order]
        same = codes[1:] == codes[:-1]
    tied = same & (scores[1:] == scores[:-1])
    if order is not None or tied.any():
        order = np.arange(len(codes)) if order is None else order
        order = _rank_ties(run, lines, order, np.insert(~tied, 0, False).cumsum())
        inverse = np.empty(len(order), np.int64)
        inverse[order] = np.arange(len(order))
        places = inverse[lines]
    first = np.searchsorted(codes, np.arange(len(run.topics)))
    return places - first[run.codes[lines]]


def _rank_ties(run: Table, lines: np.ndarray, order: np.ndarray, ties: np.ndarray) -> np.ndarray:
    """`order` by document, descending, within the ties that `lines` are part of."""
    asked = np.isin(order, lines) if len(lines) < len(order) else np.ones(len(order), bool)
    involved = np.zeros(ties[-1] + 1, bool)
    involved[ties[asked]] = True
    among = np.flatnonzero((involved & (np.bincount(ties) > 1))[ties])
    if among.size:
        words = pc.rank(run.documents.take(order[among]), tiebreaker="dense").to_numpy()
        order[among] = order[among][np.lexsort((-words.astype(np.int64), ties[among]))]
    return order
