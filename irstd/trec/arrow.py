"""Run and qrels files read by Arrow, where it is installed: many times as fast as line by line."""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from irstd.trec.words import Words


def installed() -> Any:
    """The module pyarrow; None where it is not installed."""
    try:
        return importlib.import_module("pyarrow")
    except ImportError:
        return None


def leave_interruptions() -> None:
    """Leave Ctrl-C to Python: one that comes while Arrow reads would be lost."""
    pyarrow = installed()
    if pyarrow:
        pyarrow.enable_signal_handlers(False)


class ArrowWords(Words):
    """Words that Arrow holds, and looks up faster."""

    def places_among(self, words: np.ndarray) -> np.ndarray:
        """For each of the unique words, its place among some others; -1 if it is none of them."""
        pyarrow = importlib.import_module("pyarrow")
        compute = importlib.import_module("pyarrow.compute")
        others = pyarrow.array(words, pyarrow.large_string())
        places = compute.index_in(pyarrow.array(self.unique), others)
        return places.fill_null(-1).to_numpy()


def by_arrow(data: bytes, columns: Mapping[str, type]) -> dict[str, Any] | None:
    """The columns of a file; None if Arrow is not here, or may take it otherwise than line by line.

    `irstd.trec.files.take_apart` decides what is a line, a field and a number.
    """
    blanks = [mark for mark in b" \t\v\f\r" if mark in data]
    one_blank = blanks in ([ord(" ")], [ord("\t")])
    has_comments = b"#" in data and re.search(rb"(?m)^#", data)
    if not one_blank or has_comments or data.startswith(b"\xef\xbb\xbf"):
        return None
    pyarrow = installed()
    if pyarrow is None:
        return None
    table = _read(pyarrow, data, columns, chr(blanks[0]))
    if table is None:
        return None
    values = {}
    for name, kind in columns.items():
        values[name] = _values(table[name].chunk(0), kind)
        if values[name] is None:
            return None
    return values


def _read(pyarrow: Any, data: bytes, columns: Mapping[str, type], delimiter: str) -> Any:
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
        return ArrowWords(pd.arrays.ArrowExtensionArray(words), column.indices.to_numpy())
    return column
