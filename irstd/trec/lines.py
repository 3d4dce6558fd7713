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

# Type by column name: str if words recur from line to line, bytes if not or unused, float, int;
# object if it should be whole numbers
Columns = Mapping[str, type]
FORMS = {1: " (a CSV file?)", 4: " (qrels?)", 6: " (a run?)"}  # by number of columns
KINDS: dict[type, str] = {float: "a finite number", int: "a signed 32-bit integer"}


class Words(NamedTuple):
    """Dictionary-encoded column: distinct words, and the code of each line's word."""

    words: Any  # an array of Arrow or, in a browser, of NumPy, in order of appearance
    codes: np.ndarray  # for each line, the position of its word in `words`

    @classmethod
    def from_column(cls, column: Any) -> Words:
        """Encode an array with one word per line; fast if most lines repeat the one above."""
        if not has_arrow():
            codes, words = pd.factorize(column)
            return cls(words, codes)
        runs = import_optional("pyarrow.compute").run_end_encode(column)
        encoded = runs.values.dictionary_encode()
        lengths = np.diff(runs.run_ends, prepend=0)
        return cls(encoded.dictionary, np.repeat(encoded.indices.to_numpy(), lengths))

    def texts(self) -> list[str]:
        """Return the distinct words as text."""
        return self.words.tolist()


def make_text_array(texts: Sequence[str]) -> Any:
    """Return texts as an array of Arrow or, in a browser, of NumPy."""
    if has_arrow():
        return import_optional("pyarrow").array(texts, "large_string")
    return np.array(texts, dtype=object)


def are_distinct(words: Any, ends: np.ndarray) -> bool:
    """Return True if no word repeats within any of the segments that end at `ends`."""
    starts = [0, *ends[:-1].tolist()]
    sizes = np.diff(ends, prepend=0).tolist()
    parts = map(words.slice, starts, sizes)
    return all(len(part.unique()) == len(part) for part in parts)


def find_positions(words: Any, others: Sequence[str]) -> np.ndarray:
    """Return the position of each word in a list, -1 if it is absent."""
    if not has_arrow():
        index: Any = pd.Index(list(others))
        return index.get_indexer(words)
    value_set = import_optional("pyarrow").array(others, words.type)
    positions = import_optional("pyarrow.compute").index_in(words, value_set)
    return positions.fill_null(-1).to_numpy()


def sort_words(words: Any, groups: np.ndarray) -> np.ndarray:
    """Return the positions that sort words by group, then in descending byte order."""
    if not has_arrow():
        codes, _ = pd.factorize(words, sort=True)
        return np.lexsort((-codes, groups))
    table = import_optional("pyarrow").table({"group": groups, "word": words})
    keys = [("group", "ascending"), ("word", "descending")]
    return import_optional("pyarrow.compute").sort_indices(table, keys).to_numpy()


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
        if kind in (str, bytes):
            fields[name] = make_text_array(fields[name])
        else:
            fields[name] = np.array(fields[name])
        if kind is str:
            fields[name] = Words.from_column(fields[name])
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
                header = "" if row else " (if the line is a header, remove it)"
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


def quote_line(text: bytes) -> str:
    """Quote a line for a message, shortened to 80 characters if it is longer."""
    line = text.decode("utf-8", "backslashreplace").strip()
    return repr(line if len(line) <= 80 else line[:80] + "...")


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
