"""Runs and qrels, parsed from files, frames or dicts."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from irstd._base.arguments import check_columns, ids
from irstd._base.frames import as_frame
from irstd._base.messages import import_optional
from irstd.trec.disk import AnyPath, read_bytes
from irstd.trec.lines import Columns, Words, columns_of, fail, has_arrow

RUN: Columns = dict(topic=str, Q0=bytes, document=str, rank=object, score=float, tag=str)
RUN_OF_RANKS: Columns = dict(topic=str, document=str, rank=int)  # MS MARCO; bytes: not used
QRELS: Columns = dict(topic=str, iteration=bytes, document=str, relevance=int)
QRELS_OF_BEIR: Columns = dict(topic=str, document=str, relevance=int)
HEADER_OF_BEIR = [b"query-id", b"corpus-id", b"score"]
OF_PYTERRIER = {"qid": "query_id", "docno": "doc_id", "label": "relevance"}


class Table(NamedTuple):
    """Parsed run or qrels: topic, document and score or grade of each line."""

    topics: list[str]  # in order of first appearance
    codes: np.ndarray  # for each line, the place of its topic in `topics`
    documents: Words
    values: np.ndarray
    tags: list[str]
    ranks: Any = None  # as the file has them, if it has scores, too
    places: Any = None  # of each line's document among those of the judgments, -1 for others

    def frame(self, value: str) -> pd.DataFrame:
        """Return the frame of a run or qrels, with `value` as the last column."""
        topics = np.array(self.topics, dtype=object)
        documents = np.asarray(self.documents.words, dtype=object)
        fields = {
            "query_id": topics[self.codes],
            "doc_id": documents[self.documents.codes],
            value: self.values,
        }
        return pd.DataFrame(fields)

    def with_lines(self, lines: np.ndarray) -> Table:
        """Select some of the lines."""
        documents = self.documents._replace(codes=self.documents.codes[lines])
        codes, values, places = self.codes[lines], self.values[lines], self.places[lines]
        return self._replace(codes=codes, documents=documents, values=values, places=places)


def table_of(source: Any, value: str, name: str) -> Table:
    """Parse a run ("score") or qrels ("relevance"): a file, frame or dict."""
    if isinstance(source, AnyPath):
        return _parse_file(source, value)
    table = _parse_dict(source, value) if isinstance(source, dict) else None
    if table:
        return table
    frame = frame_of(source, value, name)
    topics = Words.from_column(_convert_ids(frame["query_id"], f"{name}: query_id"))
    documents = Words.from_column(_convert_ids(frame["doc_id"], f"{name}: doc_id"))
    values = frame[value].to_numpy(dtype=float)
    ranks = _to_numbers(frame["rank"]) if "rank" in frame and value == "score" else None
    row, problem = _find_repeated(topics, documents)
    if ranks is not None and not problem:
        row, problem = _find_swapped_rank(topics.codes, ranks, values)
    if problem:
        raise ValueError(f"{name}, row {row}: {problem}: {frame.iloc[row].to_dict()}")
    return Table(topics.texts(), topics.codes, documents, values, [], ranks)


def _parse_dict(data: dict, value: str) -> Table | None:
    """Parse a dict of dicts; None if its ids or numbers need the checks of a frame."""
    by_topic = {topic: documents for topic, documents in data.items() if documents}
    if not by_topic or {*map(type, by_topic.values())} != {dict}:
        return None
    held = [documents.values() for documents in by_topic.values()]
    if not {*map(type, chain.from_iterable(held))} <= {float, int, np.float32, np.float64}:
        return None
    topics = _to_arrow_text(list(by_topic))
    documents = _to_arrow_text(list(chain.from_iterable(by_topic.values())))
    if topics is None or documents is None:
        return None
    values = np.fromiter(chain.from_iterable(held), float, len(documents))
    is_right = np.isfinite(values) if value == "score" else values % 1 == 0
    if not is_right.all():
        return None
    codes = np.repeat(np.arange(len(topics)), [len(documents) for documents in held])
    words = Words(documents, np.arange(len(documents)))
    return Table(topics.to_pylist(), codes, words, values, [])


def _to_arrow_text(column: Any) -> Any:
    """Convert a list or column of text to an Arrow array; None if it is not text."""
    if not has_arrow():
        return None
    pyarrow = import_optional("pyarrow")
    try:
        array = pyarrow.array(column)
    except (pyarrow.ArrowException, OverflowError, UnicodeError):
        return None
    is_text = pyarrow.types.is_string(array.type) or pyarrow.types.is_large_string(array.type)
    if not is_text or array.null_count:
        return None
    return array.combine_chunks() if isinstance(array, pyarrow.ChunkedArray) else array


def _convert_ids(column: pd.Series, name: str) -> Any:
    """Convert a column of ids to text."""
    array = _to_arrow_text(column)
    return ids(column, name) if array is None else array


def frame_of(data: Any, value: str, name: str) -> pd.DataFrame:
    """Return a checked frame with columns ``query_id``, ``doc_id`` and `value`."""
    columns = ["query_id", "doc_id", value]
    if isinstance(data, Mapping):
        rows = []
        for topic, documents in data.items():
            if not isinstance(documents, Mapping):
                raise ValueError(
                    f"{name} must be {{topic: {{document: {value}}}}}, or a frame; several are"
                    ' {"name": run}'
                )
            rows += [(topic, document, held) for document, held in documents.items()]
        data = pd.DataFrame(rows, columns=columns)
    data = as_frame(data)
    if isinstance(data, pd.DataFrame):
        names = {theirs: ours for theirs, ours in OF_PYTERRIER.items() if ours not in data}
        data = data.rename(columns=names)
    check_columns(data, columns, name)
    column = data[value].infer_objects()  # numbers that pandas holds as objects
    numbers = np.full(len(column), np.nan)
    if column.dtype.kind in "iuf":
        numbers = column.to_numpy(dtype=float, na_value=np.nan)
    expected = "finite" if value == "score" else "whole"
    wrong = ~np.isfinite(numbers) if value == "score" else numbers % 1 != 0
    if wrong.any():
        row = int(wrong.argmax())
        found = f"{column.tolist()[row]!r} in row {row}"
        raise ValueError(f"{name}: {value} must be {expected} numbers, found {found}")
    return data


def _parse_file(path: AnyPath, value: str) -> Table:
    """Parse a file of a run ("score") or qrels ("relevance")."""
    if os.path.isdir(path):
        raise ValueError(f"{path} is a folder: give the file in it, such as qrels/test.tsv")
    data = read_bytes(path)
    if data.lstrip().startswith(b"{"):
        raise ValueError(f"{path}: is JSON: give the dict or frame that json.load makes of it")
    data, columns = _detect_form(data, value)
    fields = columns_of(path, data, columns)
    topics = fields["topic"]
    documents = fields["document"]
    row, problem = _find_repeated(topics, documents)
    is_of_ranks = value not in fields  # of MS MARCO
    ranks: Any = _to_numbers(fields["rank"]) if "rank" in fields else None
    if is_of_ranks and not problem:
        row, problem = _find_wrong_rank(topics.codes, ranks)
    elif ranks is not None and not problem:
        row, problem = _find_swapped_rank(topics.codes, ranks, fields[value])
    if problem:
        fail(path, data, row, problem)
    if is_of_ranks:
        fields[value] = -ranks.astype(float)
        ranks = None
    tags = []
    if "tag" in fields:
        tags = fields["tag"].texts()
    return Table(topics.texts(), topics.codes, documents, fields[value], tags, ranks)


def _detect_form(data: bytes, value: str) -> tuple[bytes, Columns]:
    """Return the data without a header, and the kinds of the columns.

    The line of names is left as a blank one, so that the others keep their numbers.
    """
    first = re.search(rb"(?m)^(?!#)[^\n]*\S[^\n]*$", data)
    words = first[0].split() if first else []
    if value == "score":
        is_of_ranks = len(words) == 3 and words[2].isdigit()
        return data, RUN_OF_RANKS if is_of_ranks else RUN
    names = [word.lower().replace(b"_", b"-") for word in words]
    if first and names == HEADER_OF_BEIR:
        return data[: first.start()] + data[first.end() :], QRELS_OF_BEIR
    return data, QRELS


def _find_repeated(topics: Words, documents: Words) -> tuple[int, str]:
    """Return the first line that repeats a document, and the problem; "" if none does."""
    if len(documents.words) == len(documents.codes):  # each word is there once
        return -1, ""
    pairs = topics.codes * np.int64(len(documents.words)) + documents.codes
    repeated = pd.Series(pairs).duplicated().to_numpy()
    if not repeated.any():
        return -1, ""
    row = int(repeated.argmax())
    (document,) = documents.texts(documents.codes[[row]])
    return row, f"the document {document} appears twice in its topic"


def _find_wrong_rank(codes: np.ndarray, ranks: np.ndarray) -> tuple[int, str]:
    """Return the first line with a wrong rank, and the problem; "" if there is none.

    `codes` has the topic of each line. Ranks are 1, 2, 3 ... on each topic: a gap would move up
    what is below it, and a column of scores would be taken for ranks.
    """
    table = pd.DataFrame({"topic": codes, "rank": ranks})
    steps = table.groupby("topic")["rank"].diff().dropna()
    if len(steps) and (steps < 0).all():
        return int(steps.index[0]), "the ranks fall from line to line on every topic, as scores do"
    sizes = table.groupby("topic")["rank"].transform("size")
    wrong = table.duplicated() | ~table["rank"].between(1, sizes)
    if wrong.any():
        row = int(wrong.to_numpy().argmax())
        size = sizes.iloc[row]
        return row, f"ranks must be 1 to {size} on a topic of {size} lines, each once"
    return -1, ""


def _to_numbers(ranks: Any) -> np.ndarray:
    """Convert ranks to numbers, NaN for text: some tools write ``-`` there."""
    if isinstance(ranks, np.ndarray) and ranks.dtype.kind == "i":
        return ranks
    return pd.to_numeric(pd.Series(ranks), errors="coerce").to_numpy(float, na_value=np.nan)


def _find_swapped_rank(codes: np.ndarray, ranks: np.ndarray, scores: np.ndarray) -> tuple[int, str]:
    """Return the first line with rank and score swapped, and the problem, if any."""
    if ranks.dtype.kind == "f":
        broken = np.flatnonzero(np.isfinite(ranks) & (ranks % 1 != 0))
        if len(broken):
            problem = f"the rank {ranks[broken[0]]:g} is no whole number"
            return int(broken[0]), f"{problem}; are rank and score swapped?"
    same_topic = codes[1:] == codes[:-1]
    if not same_topic.any():
        return -1, ""
    first = int(same_topic.argmax())
    if scores[first : first + 2].tolist() not in ([0, 1], [1, 2]):
        return -1, ""
    rank_steps = np.diff(ranks)[same_topic]
    are_ranks = (np.diff(scores)[same_topic] == 1).all()
    if are_ranks and (rank_steps <= 0).all() and (rank_steps < -1).any():
        return first, "the scores are 1, 2, 3 ...; are rank and score swapped?"
    return -1, ""


def ranks(run: Table, lines: Any = slice(None)) -> np.ndarray:
    """Return the ranks (from 0) of lines by score, then descending document id."""
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


def are_tied(run: Table) -> bool:
    """Return True if all scores of each topic are equal."""
    steps = np.diff(run.values)[run.codes[1:] == run.codes[:-1]]
    return len(steps) > 1 and not steps.any()


def count_contrary_ranks(run: Table) -> tuple[int, int]:
    """Count the lines whose rank contradicts their score, and those that differ."""
    if run.ranks is None:
        return 0, 0
    both_rise = (np.diff(run.values) * np.diff(run.ranks))[run.codes[1:] == run.codes[:-1]]
    contrary = int((both_rise > 0).sum())
    return contrary, contrary + int((both_rise < 0).sum())
