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
from contextlib import suppress
from typing import Any, NoReturn

import numpy as np
import pandas as pd

from irstd._base.messages import import_optional
from irstd.trec.disk import AnyPath

# Type by column name: str, float, int; object if it should be whole numbers
Columns = Mapping[str, type]
FORMS = {1: " (a CSV file?)", 4: " (qrels?)", 6: " (a run?)"}  # by number of columns
KINDS: dict[type, str] = {float: "a finite number", int: "a signed 32-bit integer"}


def encode_words(column: Any) -> tuple[np.ndarray, list[str]]:
    """Return the code of each line's word, and the distinct words.

    Words are in order of appearance. Fast if most lines repeat the one above.
    """
    if not has_arrow():
        codes, words = pd.factorize(column)
        return codes, words.tolist()
    runs = import_optional("pyarrow.compute").run_end_encode(column)
    encoded = runs.values.dictionary_encode()
    lengths = np.diff(runs.run_ends, prepend=0)
    return np.repeat(encoded.indices.to_numpy(), lengths), encoded.dictionary.tolist()


def make_text_array(texts: Sequence[str]) -> Any:
    """Return texts as an array of Arrow or, in a browser, of NumPy."""
    if has_arrow():
        return import_optional("pyarrow").array(texts, "large_string")
    return np.array(texts, dtype=object)


def are_distinct(words: Any, sizes: np.ndarray) -> bool:
    """Return True if no word repeats within any of the segments of these sizes."""
    starts = np.cumsum(sizes) - sizes
    parts = map(words.slice, starts.tolist(), sizes.tolist())
    return all(len(part.unique()) == len(part) for part in parts)


def find_positions(words: Any, others: Sequence[str]) -> np.ndarray:
    """Return the position of each word in a list, -1 if it is absent."""
    if not has_arrow():
        index = pd.Index(list(others))
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
    """Parse a file into arrays of words and of numbers."""
    with suppress(ImportError, ValueError):
        return parse_with_arrow(data, columns)
    fields = {}
    for name, values in parse_with_python(path, data, columns).items():
        fields[name] = make_text_array(values) if columns[name] is str else np.array(values)
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


def parse_with_arrow(data: bytes, columns: Columns) -> dict[str, Any]:
    """Parse a file with Arrow; raise ValueError if Python might read it differently.

    Python handles Ctrl-C: Arrow would lose one that comes while it reads.
    """
    pyarrow = import_optional("pyarrow")
    csv = import_optional("pyarrow.csv")
    pyarrow.enable_signal_handlers(False)
    blanks = bytes(mark for mark in b" \t\v\f\r" if mark in data)
    has_comments = b"#" in data and re.search(rb"(?m)^#", data)
    if blanks not in (b" ", b"\t") or has_comments or data.startswith(codecs.BOM_UTF8):
        raise ValueError("words are separated in several ways, or there are comments or marks")
    arrow_types: dict[Any, Any] = {float: pyarrow.float64(), object: pyarrow.int64()}
    text = pyarrow.large_string()
    types = {name: arrow_types.get(kind, text) for name, kind in columns.items()}
    block = min(len(data) + 1, 1 << 30)  # nearly always the whole file
    table = csv.read_csv(
        pyarrow.BufferReader(data),
        csv.ReadOptions(use_threads=False, column_names=list(columns), block_size=block),
        csv.ParseOptions(delimiter=blanks.decode(), quote_char=False),
        csv.ConvertOptions(column_types=types, null_values=[], check_utf8=False),
    )
    arrays = table.combine_chunks().columns
    fields = {}
    for array, (name, kind) in zip(arrays, columns.items(), strict=True):
        fields[name] = _convert_array(array.chunk(0), kind)
    return fields


def _convert_array(array: Any, kind: type) -> Any:
    """Convert a column of Arrow, or raise ValueError if Python must parse it."""
    if kind is object:
        return array.to_numpy()
    if kind is float:
        numbers = array.to_numpy()
        if not np.isfinite(numbers).all():
            raise ValueError("numbers are not finite")
        return numbers
    compute = import_optional("pyarrow.compute")
    if compute.min(compute.binary_length(array)).as_py() == 0:
        raise ValueError("two blanks are side by side")
    if kind is str:
        return array
    codes, words = encode_words(array)
    numbers = [read_number(word.encode(), int) for word in words]
    if None in numbers:
        raise ValueError("numbers are not whole")
    return np.array(numbers)[codes]
