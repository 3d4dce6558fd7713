"""Runs and qrels, parsed from files, frames or dicts."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from irstd._base.arguments import check_columns, convert_ids
from irstd._base.frames import as_frame
from irstd._base.messages import import_optional
from irstd.trec.disk import AnyPath, read_bytes
from irstd.trec.lines import (
    Columns,
    are_distinct,
    encode_words,
    fail_at_row,
    has_arrow,
    make_text_array,
    parse_columns,
    sort_words,
)

RUN: Columns = dict(topic=str, Q0=str, document=str, rank=object, score=float, tag=str)
RUN_OF_RANKS: Columns = dict(topic=str, document=str, rank=int)  # MS MARCO
QRELS: Columns = dict(topic=str, iteration=str, document=str, relevance=int)
QRELS_OF_BEIR: Columns = dict(topic=str, document=str, relevance=int)
HEADER_OF_BEIR = re.compile(rb"(?i)\s*query[-_]id\s+corpus[-_]id\s+score\s*\n")
LONG = 30  # lines of a topic from which on it is worthwhile to look at each alone
OF_PYTERRIER = {"qid": "query_id", "docno": "doc_id", "label": "relevance"}


class Table(NamedTuple):
    """Parsed run or qrels: topic, document, and score or grade by line."""

    topics: list[str]  # in order of first appearance
    codes: np.ndarray  # for each line, the place of its topic in `topics`
    documents: Any  # for each line, in an array of Arrow or, in a browser, of NumPy
    values: Any  # array of scores or grades; None while only ranks are known
    tags: list[str]
    ranks: Any = None  # as in the file, if it also has scores

    @property
    def same_topic(self) -> np.ndarray:
        """Mask of lines whose next line has the same topic."""
        return self.codes[1:] == self.codes[:-1]

    @property
    def is_grouped(self) -> bool:
        """True if the lines of each topic follow each other."""
        return (~self.same_topic).sum() < len(self.topics)

    def to_frame(self, value: str) -> pd.DataFrame:
        """Return a run or qrels frame, with `value` as its last column."""
        topics = np.array(self.topics, dtype=object)
        fields = {
            "query_id": topics[self.codes],
            "doc_id": np.asarray(self.documents, dtype=object),
            value: self.values.astype(float if value == "score" else int),
        }
        return pd.DataFrame(fields)


def parse_table(source: Any, value: str, name: str) -> Table:
    """Parse a run ("score") or qrels ("relevance") from a file, frame or dict."""
    if isinstance(source, AnyPath):
        return _parse_file(source, value)
    if isinstance(source, Mapping):
        return _parse_dict(source, value, name)
    return _parse_frame(source, value, name)


def _parse_dict(data: Mapping, value: str, name: str) -> Table:
    """Parse a run or qrels from a dict ``{topic: {document: value}}``."""
    for documents in data.values():
        if not isinstance(documents, Mapping):
            raise ValueError(
                f"{name} must be {{topic: {{document: {value}}}}} or a DataFrame; irstd.evaluate"
                ' takes {"name": run}, even for one run'
            )
    by_topic = {topic: documents for topic, documents in data.items() if documents}
    topics = convert_ids(pd.Series([*by_topic]), f"{name}: query_id")
    codes = np.repeat(np.arange(len(topics)), [*map(len, by_topic.values())])
    column = [*chain.from_iterable(by_topic.values())]
    documents = _convert_ids(column, f"{name}: doc_id")
    column = [*chain.from_iterable(documents.values() for documents in by_topic.values())]
    array = _to_arrow(column)
    numbers = column if array is None else array.to_numpy(zero_copy_only=False)
    values = _check_numbers(pd.Series(numbers), value, name)
    return Table(topics, codes, documents, values, [])


def _parse_frame(data: Any, value: str, name: str) -> Table:
    """Parse a frame with the columns ``query_id``, ``doc_id`` and `value`."""
    frame = as_frame(data)
    if isinstance(frame, pd.DataFrame):
        names = {theirs: ours for theirs, ours in OF_PYTERRIER.items() if ours not in frame}
        frame = frame.rename(columns=names)
    check_columns(frame, ["query_id", "doc_id", value], name)
    codes, topics = encode_words(_convert_ids(frame["query_id"], f"{name}: query_id"))
    documents = _convert_ids(frame["doc_id"], f"{name}: doc_id")
    values = _check_numbers(frame[value], value, name)
    ranks = _convert_ranks(frame["rank"]) if "rank" in frame and value == "score" else None
    table = Table(topics, codes, documents, values, [], ranks)
    row, problem = _find_problem(table)
    if problem:
        raise ValueError(f"{name}, row {row}: {problem}: {frame.iloc[row].to_dict()}")
    return table


def _to_arrow(column: Any) -> Any:
    """Convert a column to an Arrow array, or return None if that is impossible."""
    with suppress(Exception):  # of several kinds
        array = import_optional("pyarrow").array(column)
        return array.combine_chunks() if hasattr(array, "combine_chunks") else array


def _convert_ids(column: Any, name: str) -> Any:
    """Convert ids to text, in an array of Arrow or NumPy."""
    array = _to_arrow(column)
    if array is not None and str(array.type).endswith("string") and not array.null_count:
        return array
    return make_text_array(convert_ids(pd.Series(column), name))


def _check_numbers(column: pd.Series, value: str, name: str) -> np.ndarray:
    """Return finite scores or whole grades as floats, or raise."""
    column = column.infer_objects()  # numbers that pandas holds as objects
    numbers = np.full(len(column), np.nan)
    if column.dtype.kind in "iuf":
        numbers = column.to_numpy(dtype=float, na_value=np.nan)
    expected = "finite"
    wrong = ~np.isfinite(numbers)
    if value == "relevance":
        expected = "whole"
        wrong |= numbers != np.floor(numbers)
    if wrong.any():
        row = wrong.argmax()
        raise ValueError(
            f"{name}: {value} must be a {expected} number, found {column.tolist()[row]!r} in row"
            f" {row}"
        )
    return numbers


def _parse_file(path: AnyPath, value: str) -> Table:
    """Parse the file of a run ("score") or qrels ("relevance")."""
    if os.path.isdir(path):
        raise ValueError(
            f"{path}: is a folder; give a file in it, such as test.tsv; folders are for read_runs,"
            " and for RUNS, which come before QRELS"
        )
    data = read_bytes(path)
    if data.lstrip().startswith(b"{"):
        raise ValueError(f"{path}: is JSON: give the dict of json.load to irstd.evaluate")
    data, columns = _detect_form(data, value)
    fields = parse_columns(path, data, columns)
    codes, topics = encode_words(fields["topic"])
    tags = encode_words(fields["tag"])[1] if "tag" in fields else []
    ranks = _convert_ranks(fields["rank"]) if "rank" in fields else None
    table = Table(topics, codes, fields["document"], fields.get(value), tags, ranks)
    row, problem = _find_problem(table)
    if problem:
        fail_at_row(path, data, row, problem)
    if table.values is None:  # a file of MS MARCO
        return table._replace(values=-table.ranks.astype(float), ranks=None)
    return table


def _detect_form(data: bytes, value: str) -> tuple[bytes, Columns]:
    """Detect the columns of a run or qrels file, and blank out its header.

    The header becomes a blank line, so that line numbers stay.
    """
    if value == "score":
        first = re.search(rb"(?m)^(?!#)[^\n]*\S[^\n]*$", data)
        words = first[0].split() if first else []
        is_of_ranks = len(words) == 3 and words[2].isdigit()
        return data, RUN_OF_RANKS if is_of_ranks else RUN
    header = HEADER_OF_BEIR.match(data)
    if header:
        return b"\n" * header[0].count(b"\n") + data[header.end() :], QRELS_OF_BEIR
    return data, QRELS


def _convert_ranks(ranks: Any) -> np.ndarray:
    """Convert ranks to numbers, with NaN for text such as ``-``."""
    if isinstance(ranks, np.ndarray) and ranks.dtype.kind == "i":
        return ranks
    return pd.to_numeric(pd.Series(ranks), errors="coerce").to_numpy(float, na_value=np.nan)


def _find_problem(table: Table) -> tuple[int, str]:
    """Return the first malformed line with a message, "" if there is none."""
    for is_wrong, problem in _check_lines(table):
        if is_wrong.any():
            return int(is_wrong.argmax()), problem
    return -1, ""


def _check_lines(table: Table) -> Iterator[tuple[np.ndarray, str]]:
    """Yield masks of malformed lines, each with a message."""
    if not _are_documents_distinct(table):
        documents = np.asarray(table.documents, dtype=object)
        yield _is_repeated(table.codes, documents), "the document appears twice in its topic"
    if table.ranks is None:
        return
    if table.values is None:
        yield from _check_ranks(table)
        return
    is_broken = table.ranks > np.floor(table.ranks)
    yield is_broken, "the rank is not a whole number; are rank and score swapped?"
    if _are_swapped(table):
        everywhere = np.full(len(table.codes), True)
        yield everywhere, "the scores are 1, 2, 3 ...; are rank and score swapped?"


def _are_documents_distinct(table: Table) -> bool:
    """Return True if no topic repeats a document; False if that takes a closer look."""
    is_long = len(table.codes) > LONG * len(table.topics)
    if not (has_arrow() and is_long and table.is_grouped):
        return False
    return are_distinct(table.documents, np.bincount(table.codes))


def _is_repeated(codes: np.ndarray, column: np.ndarray) -> np.ndarray:
    """Return a mask of lines with the same topic and entry as an earlier line."""
    return pd.DataFrame({"topic": codes, "entry": column}).duplicated().to_numpy()


def _check_ranks(table: Table) -> Iterator[tuple[np.ndarray, str]]:
    """Yield masks of lines with wrong ranks, each with a message.

    Ranks must be 1, 2, 3 ... on each topic: documents below a gap would move up, and a column of
    scores could be taken for ranks.
    """
    ranks = table.ranks
    falls = table.same_topic & (np.diff(ranks) < 0)
    all_fall = (falls == table.same_topic).all()
    yield (
        np.append(False, falls & all_fall),
        "ranks decrease from line to line on every topic, as scores do",
    )
    sizes = np.bincount(table.codes)[table.codes]
    is_wrong = _is_repeated(table.codes, ranks) | (ranks < 1) | (ranks > sizes)
    yield is_wrong, "ranks must be 1, 2, 3 ... on a topic, each once"


def _are_swapped(table: Table) -> bool:
    """Return True if the scores of each topic count from 1 in steps, and its ranks do not."""
    is_counted = ~table.same_topic | (np.diff(table.ranks) == 1)
    are_counted = table.is_grouped and is_counted.all()
    if are_counted or (table.values % 1 != 0).any():  # nearly always
        return False
    order = np.lexsort((table.values, table.codes))
    same_topic = np.diff(table.codes[order]) == 0
    steps = np.diff(table.values[order])[same_topic]
    rank_steps = np.diff(table.ranks[order])[same_topic]
    return (steps == 1).all() and (rank_steps <= 0).all() and (rank_steps < -1).any()


def rank_lines(run: Table) -> np.ndarray:
    """Return ranks from 0, by descending score and then descending document id."""
    order = np.arange(len(run.codes))
    codes = run.codes
    scores = run.values
    next_topic = codes[1:] > codes[:-1]
    not_higher = run.same_topic & (scores[1:] <= scores[:-1])
    if not (next_topic | not_higher).all():  # few files
        order = np.lexsort((-scores, codes))
        codes = codes[order]
        scores = scores[order]
    like_next = np.append((codes[1:] == codes[:-1]) & (scores[1:] == scores[:-1]), False)
    like_last = np.roll(like_next, 1)
    tied = np.flatnonzero(like_next | like_last)
    if len(tied):  # ordered by document id
        group = np.cumsum(~like_last[tied])
        order[tied] = order[tied][sort_words(run.documents.take(order[tied]), group)]
    ranks = np.empty_like(order)
    ranks[order] = np.arange(len(order))
    first = np.searchsorted(codes, np.arange(len(run.topics)))
    return ranks - first[run.codes]


def are_all_tied(run: Table) -> bool:
    """Return True if the scores of each topic are all equal."""
    is_step = run.same_topic & (run.values[1:] != run.values[:-1])
    return run.same_topic.sum() > 1 and not is_step.any()


def count_contrary_ranks(run: Table) -> tuple[int, int]:
    """Count the ranks that contradict their scores, and all ranks compared."""
    if run.ranks is None:
        return 0, 0
    with np.errstate(over="ignore"):  # of scores near the largest double
        both_rise = np.sign(np.diff(run.values)) * np.diff(run.ranks) * run.same_topic
    contrary = (both_rise > 0).sum()
    return contrary, contrary + (both_rise < 0).sum()
