"""Runs and qrels taken apart: what `irstd.trec` reads and `irstd.evaluate` scores."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NamedTuple, NoReturn

import numpy as np
import pandas as pd

from irstd._checks import check_columns, ids
from irstd.trec._files import Column, read_lines

RUN_LINE = ("topic", "Q0", "document", "rank", "score", "tag")
QRELS_LINE = ("topic", "iteration", "document", "relevance")


class Table(NamedTuple):
    """A run or qrels taken apart: for each line its topic, document, and score or grade."""

    topics: list[str]  # in order of first appearance
    codes: np.ndarray  # for each line, the place of its topic in `topics`
    documents: Column
    values: np.ndarray
    tags: list[str]

    def frame(self, value: str, known: dict[str, str] | None = None) -> pd.DataFrame:
        topics = np.array(self.topics, dtype=object)[self.codes]
        documents = decode(self.documents)
        if known is not None:
            documents = [known.setdefault(document, document) for document in documents]
        return pd.DataFrame({"query_id": topics, "doc_id": documents, value: self.values})


def parse_run(path: str | os.PathLike) -> Table:
    """A run file taken apart, which is all that `evaluate` needs of it."""
    lines = read_lines(path, RUN_LINE)
    scores = lines.numbers(4, np.float64, "a finite number")
    table = _table(lines.column(0), lines.column(2), scores, lines.fail)
    tags = _distinct(lines.column(5))[0]
    return table._replace(tags=tags)


def parse_qrels(path: str | os.PathLike) -> Table:
    """A qrels file taken apart."""
    lines = read_lines(path, QRELS_LINE)
    grades = lines.numbers(3, np.int32, "a whole number")
    return _table(lines.column(0), lines.column(2), grades.astype(np.int64), lines.fail)


def table_of(frame: pd.DataFrame, value: str, name: str) -> Table:
    """A run or qrels frame taken apart, checked as a file would be."""
    check_columns(frame, ("query_id", "doc_id", value), name)
    numbers = frame[value]
    if not pd.api.types.is_numeric_dtype(numbers) or pd.api.types.is_bool_dtype(numbers):
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

    topics = Column.of(ids(frame["query_id"], f"{name}: query_id"))
    documents = Column.of(ids(frame["doc_id"], f"{name}: doc_id"))
    return _table(topics, documents, values, fail)


def _table(topics: Column, documents: Column, values: np.ndarray, fail: Callable) -> Table:
    names, codes = _distinct(topics)
    keys = documents.hashes() + codes.astype(np.uint64) * np.uint64(0xD6E8FEB86659FD93)
    if len(keys) > 1 and (np.diff(np.sort(keys)) == 0).any():  # perhaps a document stands twice
        seen = set()
        for row, pair in enumerate(zip(codes.tolist(), documents.tolist(), strict=True)):
            if pair in seen:
                fail(row, f"the document {pair[1].decode()} stands twice in its topic")
            seen.add(pair)
    return Table(names, codes, documents, values, [])


def _distinct(column: Column) -> tuple[list[str], np.ndarray]:
    """The different words of a column by first appearance, and for each line which it has."""
    words = column.words()
    starts = np.concatenate([[0], np.flatnonzero(words[1:] != words[:-1]) + 1])
    places: dict[bytes, int] = {}
    codes = [places.setdefault(word, len(places)) for word in words[starts].tolist()]
    lengths = np.diff(starts, append=len(words))
    return [word.decode() for word in places], np.repeat(np.array(codes), lengths)


def decode(column: Column) -> list[str]:
    return [word.decode() for word in column.tolist()]


def rank_lines(run: Table) -> tuple[np.ndarray, np.ndarray]:
    """The order of the lines, topic by topic, and for each line its rank in its topic, from 0.

    Score descending, then document id descending in the order of its bytes.
    """
    codes, scores = run.codes, run.values
    order = np.arange(len(codes))
    same = codes[1:] == codes[:-1]
    if not ((codes[1:] >= codes[:-1]) & ((scores[1:] <= scores[:-1]) | ~same)).all():
        order = np.lexsort((-scores, codes))
        codes, scores = codes[order], scores[order]
        same = codes[1:] == codes[:-1]
    tied = same & (scores[1:] == scores[:-1])
    if tied.any():
        among = np.flatnonzero(np.append(tied, False) | np.insert(tied, 0, False))
        group = np.insert(~tied, 0, False).cumsum()[among]
        _, word = np.unique(run.documents.at(order[among]).words(), return_inverse=True)
        order[among] = order[among][np.lexsort((-word, group))]
    first = np.concatenate([[0], np.flatnonzero(~same) + 1])
    ranks = np.empty(len(order), np.int64)
    ranks[order] = np.arange(len(order)) - np.repeat(first, np.diff(first, append=len(order)))
    return order, ranks
