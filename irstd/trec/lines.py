"""Parsing of text files into columns of words and numbers.

`parse_with_python` defines lines, fields and numbers. Arrow, which is many times as fast, parses
the files that it is certain to read in the same way.
"""

from __future__ import annotations

import codecs
import importlib
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

import numpy as np
import pandas as pd

from irstd._base.messages import import_optional
from irstd.trec.disk import AnyPath

# Type by column name: str, float, int; bytes if unused; object if it should be whole numbers
Columns = Mapping[str, type]
FORMS = {1: " (a CSV file?)", 4: " (qrels?)", 6: " (a run?)"}  # by number of columns
KINDS: dict[type, str] = {float: "a finite number", int: "a whole number of 32 bits"}


class Words(NamedTuple):
    """Dictionary-encoded column: distinct words, and the code of each line's word."""

    # an array of Arrow or, in a browser, of NumPy; in a file or frame, each word once in order of
    # appearance
    words: Any
    codes: np.ndarray  # for each line, the position of its word in `words`

    @classmethod
    def from_column(cls, column: Any) -> Words:
        """Encode an Arrow array or a list with one word per line."""
        if not has_arrow():
            codes, words = pd.factorize(np.array(column, dtype=object))
            return cls(words, codes)
        if isinstance(column, list):
            column = import_optional("pyarrow").array(column, "large_string")
        compute = import_optional("pyarrow.compute")
        if compute.count_distinct(column[:100]).as_py() > 50:
            encoded = column.dictionary_encode()
            return cls(encoded.dictionary, encoded.indices.to_numpy())
        runs = compute.run_end_encode(column)  # most lines have the topic of the line above
        encoded = runs.values.dictionary_encode()
        lengths = np.diff(runs.run_ends, prepend=0)
        return cls(encoded.dictionary, np.repeat(encoded.indices.to_numpy(), lengths))

    def texts(self, codes: Any = slice(None)) -> list[str]:
        """Return the words at the given positions as text."""
        words = self.words.take(np.arange(len(self.words))[codes])
        return words.tolist()

    def find_positions(self, others: Sequence[str]) -> np.ndarray:
        """Return the position of each line's word in a list, -1 if it is absent."""
        if not has_arrow():
            index: Any = pd.Index(list(others))
            return index.get_indexer(self.words)[self.codes]
        value_set = import_optional("pyarrow").array(others, self.words.type)
        positions = import_optional("pyarrow.compute").index_in(self.words, value_set)
        return positions.fill_null(-1).to_numpy()[self.codes]

    def rank_words(self, lines: np.ndarray) -> np.ndarray:
        """Return the rank of each line's word in byte order, from 0."""
        codes, used = pd.factorize(self.codes[lines])
        order = np.argsort(np.array(self.texts(used), dtype=object))
        ranks = np.empty(len(used), dtype=int)
        ranks[order] = np.arange(len(used))
        return ranks[codes]


def has_arrow() -> bool:
    """Return True if pyarrow can be imported (never in a browser)."""
    try:
        importlib.import_module("pyarrow")
    except ImportError:
        return False
    return True


def parse_columns(path: AnyPath, data: bytes, columns: Columns) -> dict[str, Any]:
    """Parse a file into columns of words and arrays of numbers."""
    fields: Any = parse_with_arrow(data, columns)
    if fields is not None:
        return fields
    fields = parse_with_python(path, data, columns)
    for name, kind in columns.items():
        if kind is str:
            fields[name] = Words.from_column(fields[name])
        else:
            fields[name] = np.array(fields[name])
    return fields


# Line by line


def parse_with_python(path: AnyPath, data: bytes, columns: Columns) -> dict[str, list]:
    """Parse fields line by line; ValueError names the first malformed line."""
    expected = f"expected {len(columns)} columns ({' '.join(columns)})"
    lines = number_lines(data).values()
    if not lines:
        raise ValueError(f"{path}: is empty; {expected}")
    fields: dict[str, list] = {name: [] for name in columns}
    for row, line in enumerate(lines):
        words = line.split()
        if len(words) != len(columns):
            fail_at_row(
                path, data, row, f"{expected}, found {len(words)}{FORMS.get(len(words), '')}"
            )
        for word, (name, kind) in zip(words, columns.items(), strict=True):
            value = read_number(word, kind) if kind in KINDS else word.decode()
            if value is None:
                header = "" if row else " (a header? remove it)"
                fail_at_row(path, data, row, f"{quote_line(word)} is not {KINDS[kind]}{header}")
            fields[name].append(value)
    return fields


def fail_at_row(path: AnyPath, data: bytes, row: int, problem: str) -> NoReturn:
    """Raise ValueError with the number and text of a malformed line."""
    number, line = list(number_lines(data).items())[row]
    raise ValueError(f"{path}:{number}: {problem}: {quote_line(line)}")


def number_lines(data: bytes) -> dict[int, bytes]:
    """Return lines by line number, without blank lines and comments."""
    lines = enumerate(data.split(b"\n"), 1)
    return {number: line for number, line in lines if line.strip() and not line.startswith(b"#")}


def read_number(word: bytes, kind: type) -> float | int | None:
    """Parse a number as C does (Python reads 1_000); return None for other text."""
    try:
        value = kind(word)
    except ValueError:
        return None
    in_range = math.isfinite(value) if kind is float else -(2**31) <= value < 2**31
    return value if in_range and b"_" not in word else None


def quote_line(text: bytes, limit: int = 80) -> str:
    """Quote a line for a message, shortened if it is long."""
    line = text.decode("utf-8", "backslashreplace").strip()
    return repr(line if len(line) <= limit else line[:limit] + "...")


# By Arrow


def parse_with_arrow(data: bytes, columns: Columns) -> dict[str, Any] | None:
    """Parse a file with Arrow; return None if Python might read it differently."""
    blanks = [mark for mark in b" \t\v\f\r" if mark in data]
    one_blank = blanks in ([ord(" ")], [ord("\t")])
    has_comments = b"#" in data and re.search(rb"(?m)^#", data)
    if not has_arrow() or not one_blank or has_comments or data.startswith(codecs.BOM_UTF8):
        return None
    table = _read_arrow_table(data, columns, chr(blanks[0]))
    if table is None:
        return None
    values = {}
    for name, kind in columns.items():
        values[name] = _convert_column(table[name].chunk(0), kind)
        if values[name] is None:
            return None
    return values


def _read_arrow_table(data: bytes, columns: Columns, delimiter: str) -> Any:
    """Return Arrow's table of a file, or None if Arrow cannot parse it.

    Python handles Ctrl-C: Arrow would lose one that comes while it reads.
    """
    pyarrow = import_optional("pyarrow")
    csv = import_optional("pyarrow.csv")
    pyarrow.enable_signal_handlers(False)
    text = pyarrow.large_string()
    arrow_types: dict[Any, Any] = {float: pyarrow.float64(), object: pyarrow.int64()}
    types = {name: arrow_types.get(kind, text) for name, kind in columns.items()}
    block = min(len(data) + 1, 1 << 30)  # nearly always the whole file
    try:
        table = csv.read_csv(
            pyarrow.BufferReader(data),
            csv.ReadOptions(use_threads=False, column_names=list(columns), block_size=block),
            csv.ParseOptions(delimiter=delimiter, quote_char=False),
            csv.ConvertOptions(column_types=types, null_values=[], check_utf8=False),
        )
        return table.combine_chunks()
    except pyarrow.ArrowInvalid:
        return None


def _convert_column(column: Any, kind: type) -> Any:
    """Convert an Arrow column, or return None if it needs line-by-line parsing."""
    if kind is object:
        return column.to_numpy()
    if kind is float:
        numbers = column.to_numpy()
        return numbers if np.isfinite(numbers).all() else None
    compute = import_optional("pyarrow.compute")
    if compute.min(compute.binary_length(column)).as_py() == 0:  # two blanks side by side
        return None
    if kind is bytes:
        return column
    words = Words.from_column(column)
    if kind is str:
        return words
    numbers = [read_number(word.encode(), int) for word in words.texts()]
    return None if None in numbers else np.array(numbers)[words.codes]
