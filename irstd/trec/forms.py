"""Which form a file has, by its beginning; those of JSON and Parquet are read here."""

from __future__ import annotations

import io
import json
import math
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pandas as pd

from irstd._base.messages import needed
from irstd.trec.convert import NAMES
from irstd.trec.files import show

PARQUET = b"PAR1"  # the first bytes of such a file
Columns = dict[str, type]
RUN: Columns = dict(topic=str, Q0=bytes, document=str, rank=bytes, score=float, tag=str)
RUN_OF_RANKS: Columns = dict(topic=str, document=str, rank=int)  # MS MARCO; bytes: not used
QRELS: Columns = dict(topic=str, iteration=bytes, document=str, relevance=int)
QRELS_OF_BEIR: Columns = dict(topic=str, document=str, relevance=int)
HEADER_OF_BEIR = [b"query-id", b"corpus-id", b"score"]
IDS = {"query_id", "doc_id", *NAMES["query_id"], *NAMES["doc_id"]}
NUMBERS = {"score", "rank", "relevance", *NAMES["relevance"]}
LARGEST_GRADE = 2**31
EXPECTED = {"score": "a finite number", "relevance": "a whole number"}


def columns_of(data: bytes, value: str) -> tuple[bytes, Columns]:
    """The data of a file without a line of names, and what its columns hold.

    The line of names is left as a blank one, so that the others keep their numbers.
    """
    first = re.search(rb"(?m)^(?!#)[^\n]*\S[^\n]*$", data)
    if first is None:
        return data, RUN if value == "score" else QRELS
    words = first[0].split()
    if value == "relevance":
        names = [word.lower().replace(b"_", b"-") for word in words]
        if names == HEADER_OF_BEIR:
            return data[: first.start()] + data[first.end() :], QRELS_OF_BEIR
        return data, QRELS
    if len(words) == 3 and re.fullmatch(rb"[0-9]+", words[2]):
        return data, RUN_OF_RANKS
    return data, RUN


def is_parquet(path: str | os.PathLike) -> bool:
    """Whether a file is one of Parquet, by its name or by its first bytes."""
    file = Path(path).expanduser()
    if file.suffix in (".parquet", ".pq"):
        return True
    if not file.is_file():  # what is open, as /dev/stdin, can be read once
        return False
    with file.open("rb") as opened:
        return opened.read(4) == PARQUET


def read_parquet(path: str | os.PathLike) -> pd.DataFrame:
    """The table of a file of Parquet, which pyarrow reads."""
    needed("pyarrow")
    try:
        return pd.read_parquet(Path(path).expanduser(), engine="pyarrow")
    except FileNotFoundError:
        raise
    except (OSError, ValueError, NotImplementedError) as error:  # Arrow's are some of these
        reason = str(error).splitlines()[0]
        raise ValueError(f"{path}: is not Parquet, or is damaged: {reason}") from None


def parquet_of(table: pd.DataFrame) -> bytes:
    """A table as the content of a file of Parquet, which pyarrow makes."""
    needed("pyarrow")
    buffer = io.BytesIO()
    table.to_parquet(buffer, engine="pyarrow", index=False)
    return buffer.getvalue()


def of_json(path: str | os.PathLike, data: bytes, value: str) -> Any:
    """A run or qrels of a file of JSON: ``{topic: {document: score}}``, or an object a line.

    The frame of lines has their numbers in its index, which is called ``line``.
    """
    text = data.decode()

    def fail_at(problem: str, line: int) -> NoReturn:
        raise ValueError(f"{path}:{line}: {problem}")

    rows = json_lines(text, fail_at)
    if rows is not None:
        for line, row in rows.items():
            _check_row(row, value, line, fail_at)
        return pd.DataFrame(list(rows.values()), pd.Index(rows, name="line"))
    try:
        held = json.loads(text, object_pairs_hook=Pairs)
    except json.JSONDecodeError as error:
        fail_at(f"is not JSON: {error.msg}", error.lineno)
    _check_object(text, held, value, fail_at)
    return {topic: dict(documents) for topic, documents in held}


class Pairs(list):
    """The names and values of an object of JSON, of which a dict keeps the last of equal names."""


def json_lines(text: str, fail_at: Callable) -> dict[int, dict] | None:
    """The objects of a file that has one in each line, by the numbers of lines; None if it has not.

    It has if the first is an object of other things than objects; ``fail_at(problem, line)`` is
    then called with a line that is none.
    """
    rows: dict[int, dict] = {}
    names = None
    for line, words in enumerate(text.split("\n"), 1):
        if not words.strip():
            continue
        try:
            row = json.loads(words, object_pairs_hook=Pairs)
        except json.JSONDecodeError as error:
            if names is None:
                return None
            fail_at(f"is not JSON: {error.msg}: {show(words.encode())}", line)
        if names is None:
            if not isinstance(row, Pairs) or all(isinstance(held, Pairs) for _, held in row):
                return None
            names = sorted(name for name, _ in row)
        if not isinstance(row, Pairs) or sorted(name for name, _ in row) != names:
            fail_at(f"expected an object of {', '.join(names)}: {show(words.encode())}", line)
        rows[line] = dict(row)
        if len(rows[line]) < len(names):
            fail_at(f"a name is there twice: {show(words.encode())}", line)
    return rows


def _check_row(row: dict, value: str, line: int, fail_at: Callable) -> None:
    """Refuse a line of a run or qrels that has no id, or no number where one belongs."""
    for name, held in row.items():
        if name in NUMBERS:
            if not _is_number(held, value):
                fail_at(f"{name} is {held!r:.60}; expected {EXPECTED[value]}", line)
        elif name in IDS and not isinstance(held, (str, int)):
            fail_at(f"{name} is {held!r:.60}; expected an id", line)


def _check_object(text: str, held: Any, value: str, fail_at: Callable) -> None:
    """Refuse what is not ``{topic: {document: number}}``, with the line that is wrong."""
    _check_names(text, held, [], fail_at)
    for topic, documents in held:
        if not isinstance(documents, Pairs):
            fail_at(f"{topic!r} has no object of documents", _line_of(text, [topic]))
        _check_names(text, documents, [topic], fail_at)
        for document, number in documents:
            if not _is_number(number, value):
                found = dict(number) if isinstance(number, Pairs) else number
                problem = f"{document!r} has {found!r:.60}; expected {EXPECTED[value]}"
                fail_at(problem, _line_of(text, [topic, document]))


def _check_names(text: str, pairs: Pairs, above: list[str], fail_at: Callable) -> None:
    """Refuse an object that has a name twice."""
    seen = set()
    for name, _ in pairs:
        if name in seen:
            fail_at(f"the name {name!r} is there twice", _line_of(text, [*above, name, name]))
        seen.add(name)


def _is_number(held: Any, value: str) -> bool:
    """Whether it can be a score (finite) or a grade (whole)."""
    if isinstance(held, bool) or not isinstance(held, (int, float)):
        return False
    if value == "score":
        return math.isfinite(held)
    return isinstance(held, int) and abs(held) < LARGEST_GRADE


def _line_of(text: str, names: list[str]) -> int:
    """The line of a name in an object of JSON, the names above it given first."""
    start = end = 0
    for name in names:
        for written in (json.dumps(name), json.dumps(name, ensure_ascii=False)):
            found = re.compile(re.escape(written) + r"\s*:").search(text, end)
            if found:
                start = found.start()
                end = found.end()
                break
    return text.count("\n", 0, start) + 1
