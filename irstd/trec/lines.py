"""Lines of a file as columns of words and numbers: by Arrow, where it is installed, or one by one.

`take_apart` decides what is a line, a field and a number; Arrow, which is many times as fast, reads
the files that it takes for certain in the same way.
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

from irstd.trec.disk import AnyPath

Columns = Mapping[str, type]  # by name: str, float, int, or bytes for what is not used
KINDS: dict[type, str] = {float: "a finite number", int: "a whole number of 32 bits"}


class Words(NamedTuple):
    """A column of words, such as documents: each once, and for each line which one it is."""

    unique: Any  # an array of NumPy or, by Arrow, of pandas; in order of first appearance
    codes: np.ndarray  # for each line, the place of its word in `unique`

    @classmethod
    def of(cls, column: Sequence[str]) -> Words:
        """A column that is given line by line."""
        codes, unique = pd.factorize(np.array(column, dtype=object))
        return cls(unique, codes)

    def texts(self, codes: Any = slice(None)) -> list[str]:
        """Some of the words, as text."""
        return np.asarray(self.unique[codes], dtype=object).tolist()

    def places_among(self, words: np.ndarray) -> np.ndarray:
        """For each of the unique words, its place among some others; -1 if it is none of them."""
        if isinstance(self.unique, np.ndarray):
            return pd.Index(words, dtype=object).get_indexer(self.unique)
        pyarrow = importlib.import_module("pyarrow")
        compute = importlib.import_module("pyarrow.compute")
        others = pyarrow.array(words, pyarrow.large_string())
        places = compute.index_in(pyarrow.array(self.unique), others)
        return places.fill_null(-1).to_numpy()

    def in_order(self, lines: np.ndarray) -> np.ndarray:
        """Whole numbers from 0 that are in the order of the words of some lines, by their bytes."""
        codes, used = pd.factorize(self.codes[lines])
        places = np.empty(len(used), dtype=int)
        places[self.unique[used].argsort()] = np.arange(len(used))
        return places[codes]


def columns_of(path: AnyPath, data: bytes, columns: Columns) -> dict[str, Any]:
    """The columns of a file: words, and numbers as arrays."""
    fields: Any = by_arrow(data, columns)
    if fields is not None:
        return fields
    fields = take_apart(path, data, columns)
    for name, kind in columns.items():
        if kind is str:
            fields[name] = Words.of(fields[name])
        else:
            fields[name] = np.array(fields[name])
    return fields


# Line by line


def take_apart(path: AnyPath, data: bytes, columns: Columns) -> dict[str, list]:
    """The fields, line by line; ValueError with the line that is wrong."""
    lines = list(lines_of(data).values())
    expected = f"expected {len(columns)} columns ({' '.join(columns)})"
    if not lines:
        raise ValueError(f"{path}: holds no lines; {expected}")
    wrong = []
    words: list[bytes] = []  # of all lines: a list for each of them would keep the collector busy
    for row, line in enumerate(lines):
        of_line = line.split()
        if len(of_line) != len(columns):
            hint = ""
            if "tag" in columns and len(of_line) > len(columns):
                hint = "; the tag must be one word"
            wrong.append((row, f"{expected}, found {len(of_line)}{hint}"))
            break
        words += of_line
    fields: dict[str, list] = {}
    for place, (name, kind) in enumerate(columns.items()):
        column = words[place :: len(columns)]
        fields[name] = column
        if kind is str:
            fields[name] = [word.decode() for word in column]
        elif kind is not bytes:
            fields[name] = [read_number(word, kind) for word in column]
            if None in fields[name]:
                row = fields[name].index(None)
                wrong.append((row, f"{show(column[row])} is not {KINDS[kind]}"))
    if wrong:
        fail(path, data, *min(wrong))
    return fields


def fail(path: AnyPath, data: bytes, row: int, problem: str) -> NoReturn:
    """Raise what is wrong in a row of a file, with its line."""
    number, line = list(lines_of(data).items())[row]
    raise ValueError(f"{path}:{number}: {problem}: {show(line)}")


def lines_of(data: bytes) -> dict[int, bytes]:
    """The lines by their numbers, but for blank ones and comments."""
    lines = enumerate(data.split(b"\n"), 1)
    return {number: line for number, line in lines if line.strip() and not line.startswith(b"#")}


def read_number(word: bytes, kind: type) -> float | int | None:
    """A number as C would read it: Python reads 1_000, other tools do not."""
    try:
        value = kind(word)
    except ValueError:
        return None
    if b"_" in word:
        return None
    if kind is float and not math.isfinite(value):
        return None
    if kind is int and not -(2**31) <= value < 2**31:
        return None
    return value


def show(text: bytes, limit: int = 80) -> str:
    """A line of a file as it can be printed in a message."""
    line = text.decode("utf-8", "backslashreplace").strip()
    if len(line) > limit:
        line = line[:limit] + "..."
    return repr(line)


# By Arrow


def installed_arrow() -> Any:
    """The module pyarrow, None where it is not installed.

    Ctrl-C is left to Python: one that comes while Arrow reads would be lost.
    """
    try:
        pyarrow = importlib.import_module("pyarrow")
    except ImportError:
        return None
    pyarrow.enable_signal_handlers(False)
    return pyarrow


def by_arrow(data: bytes, columns: Columns) -> dict[str, Any] | None:
    """The columns of a file; None if Arrow is not here, or may not read as `take_apart` does."""
    blanks = [mark for mark in b" \t\v\f\r" if mark in data]
    one_blank = blanks in ([ord(" ")], [ord("\t")])
    has_comments = b"#" in data and re.search(rb"(?m)^#", data)
    if not one_blank or has_comments or data.startswith(codecs.BOM_UTF8):
        return None
    pyarrow = installed_arrow()
    if pyarrow is None:
        return None
    table = _table(pyarrow, data, columns, chr(blanks[0]))
    if table is None:
        return None
    values = {}
    for name, kind in columns.items():
        values[name] = _values(table[name].chunk(0), kind)
        if values[name] is None:
            return None
    return values


def _table(pyarrow: Any, data: bytes, columns: Columns, delimiter: str) -> Any:
    """Arrow's table of a file, whole numbers as text; None if it is not as expected."""
    csv = importlib.import_module("pyarrow.csv")
    text = pyarrow.large_string()
    arrow_types = {str: pyarrow.dictionary(pyarrow.int32(), text), float: pyarrow.float64()}
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


def _values(column: Any, kind: type) -> Any:
    """The values of a column; None if some are to be refused, or not surely as line by line."""
    compute = importlib.import_module("pyarrow.compute")
    if kind is float:
        numbers = column.to_numpy()
        return numbers if np.isfinite(numbers).all() else None
    if kind is int:
        if not compute.all(compute.match_substring_regex(column, "^-?[0-9]{1,9}$")).as_py():
            return None
        return column.cast("int64").to_numpy()
    words = column.dictionary if kind is str else column
    if compute.min(compute.binary_length(words)).as_py() == 0:  # two blanks side by side
        return None
    if kind is str:
        return Words(pd.arrays.ArrowExtensionArray(words), column.indices.to_numpy())
    return column
