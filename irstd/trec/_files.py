"""Files in: found, unpacked, and taken apart into columns; errors with file and line."""

from __future__ import annotations

import codecs
import contextlib
import glob
import gzip
import io
import itertools
import math
import os
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from irstd._checks import listed

fast_zlib: Any = zlib
with contextlib.suppress(ImportError):  # Pyodide has none
    from isal import isal_zlib as fast_zlib

GZIP_MAGIC = b"\x1f\x8b"
UNPACKED, UNPACKED_TIMES = 64_000_000, 100  # a run shrinks to a fifth, seldom to a twentieth
TEXT = pa.large_string()
BLOCK = 1 << 30  # bytes that Arrow takes apart at a time: nearly always the whole file
BLANKS = bytes.maketrans(b"\t\v\f\r", b"    ")
KINDS: dict[type, str] = {float: "a finite number", int: "a whole number of 32 bits"}


def find_files(paths: str | os.PathLike | Iterable) -> list[Path]:
    """Files named by a path, a folder, a glob or a list of these, in the order of their names."""
    files = _find(paths)
    uses = Counter(map(os.path.abspath, files))
    twice = [file for file, times in uses.items() if times > 1]
    if twice:
        raise ValueError(f"named twice, by a path or by patterns that overlap: {listed(twice)}")
    return files


def _find(paths: str | os.PathLike | Iterable) -> list[Path]:
    if isinstance(paths, (bytes, Mapping, pd.DataFrame)) or not isinstance(
        paths, (str, os.PathLike, Iterable)
    ):
        raise TypeError(
            f"expected a path, a folder, a pattern or a list of these, got {type(paths).__name__}"
        )
    if not isinstance(paths, (str, os.PathLike)):
        found = [file for path in paths for file in _find(path)]
        if not found:
            raise ValueError(
                "no file given; expected a path, a folder, a pattern or a list of these"
            )
        return found
    if not str(paths).strip():
        raise ValueError("an empty path; expected a file, a folder of files or a pattern")
    path = Path(paths).expanduser()
    if path.is_dir():
        found = sorted(p for p in path.iterdir() if p.is_file() and not p.name.startswith("."))
    elif path.exists():
        found = [path]
    elif glob.has_magic(str(path)):
        found = sorted(Path(name) for name in glob.glob(str(path)) if os.path.isfile(name))
    else:
        raise FileNotFoundError(f"{path}: there is no such file or folder")
    if not found:
        raise ValueError(f"{paths}: no file found; expected a file, a folder of files or a pattern")
    return found


def read_bytes(path: str | os.PathLike) -> bytes:
    """The content of a file, which must be UTF-8, unpacked if its first bytes say it is gzipped."""
    file = Path(path).expanduser()
    if file.is_char_device() or file.is_block_device():
        raise ValueError(f"{path}: is a device; expected a file")
    data = file.read_bytes()
    if data.startswith(GZIP_MAGIC):
        data = _unpack(data, path)
    if data.startswith(codecs.BOM_UTF8):
        data = data[len(codecs.BOM_UTF8) :]
    wrong = data.find(b"\0")
    if wrong < 0 and not data.isascii():
        try:
            data.decode()
        except UnicodeDecodeError as error:
            wrong = error.start
    if wrong >= 0:
        line = data.count(b"\n", 0, wrong) + 1
        raise ValueError(f"{path}:{line}: the byte {data[wrong]:#04x}; expected text in UTF-8")
    return data


def _unpack(data: bytes, path: str | os.PathLike) -> bytes:
    """Gzipped data, unless there is so much in it that it must be meant to fill the memory."""
    plain = data[3:4] in (b"\0", b"\x08")  # ISA-L does not mind what other flags say
    try:
        member = (fast_zlib if plain else zlib).decompressobj(wbits=31)
        whole = member.decompress(data, UNPACKED)
        if member.eof and not member.unused_data:
            return whole
        parts = []  # a large file, one of several members, or something wrong with it
        size, source = 0, io.BytesIO(data)
        with gzip.GzipFile(fileobj=source) as file:
            while part := file.read(UNPACKED // 4):
                parts.append(part)
                size += len(part)
                if size > max(UNPACKED, UNPACKED_TIMES * source.tell()):
                    raise ValueError(
                        f"{path}: the gzip file holds more than {size / 1e6:.0f} MB in its first"
                        f" {source.tell() / 1e6:.2f} MB, over {UNPACKED_TIMES} times as much, which"
                        " no run does; unpack it yourself if it is to be trusted"
                    )
        return b"".join(parts)
    except (EOFError, zlib.error, fast_zlib.error, gzip.BadGzipFile) as error:
        raise ValueError(
            f"{path}: the gzip file is cut off or damaged ({error}); get it again"
        ) from error


class Lines(NamedTuple):
    """A file taken apart: a column for each field, a row for each line that holds any."""

    path: str | os.PathLike
    data: bytes
    columns: pa.Table

    def numbers(self, name: str) -> np.ndarray:
        return self.columns[name].to_numpy()

    def fail(self, row: int, problem: str) -> NoReturn:
        number, line = next(itertools.islice(_lines(self.data), row, None))
        raise ValueError(f"{self.path}:{number}: {problem}: {show(line)}")


def read_lines(path: str | os.PathLike, columns: Mapping[str, type]) -> Lines:
    """A file whose lines have `columns` (str, float or int), separated by white space.

    Arrow's reader takes apart what is plain. Where it may not see what we do, a loop over the lines
    does, which is slow, but decides what is a line, a field and a number, and names what is wrong.
    """
    data = read_bytes(path)
    table = _by_arrow(data, columns)
    if table is None:
        table = _by_arrow(_plain(data), columns)
    if table is None:
        table = _by_line(path, data, columns)
    return Lines(path, data, table)


def _lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The lines with their numbers, but for blank ones and comments."""
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.startswith(b"#") and line.strip():
            yield number, line


def _plain(data: bytes) -> bytes:
    """The same fields, one blank between two, without comments."""
    data = re.sub(rb"(?m)^#[^\n]*", b"", data).translate(BLANKS)
    while b"  " in data:
        data = data.replace(b"  ", b" ")
    return data.replace(b"\n ", b"\n").replace(b" \n", b"\n").strip(b" ")


def _by_arrow(data: bytes, columns: Mapping[str, type]) -> pa.Table | None:
    """The fields by Arrow's reader of CSV; None if it refuses the file, or takes it otherwise."""
    marks = [mark for mark in b" \t\v\f\r" if mark in data]
    comments = b"#" in data and re.search(rb"(?m)^#", data)
    if marks not in ([32], [9]) or comments or data.startswith(codecs.BOM_UTF8):
        return None
    kinds = {name: pa.float64() if kind is float else TEXT for name, kind in columns.items()}
    try:
        table = csv.read_csv(
            pa.BufferReader(data),
            csv.ReadOptions(
                use_threads=False,
                column_names=list(columns),
                block_size=min(len(data) + 1, BLOCK),
            ),
            csv.ParseOptions(delimiter=chr(marks[0]), quote_char=False),
            csv.ConvertOptions(
                column_types=kinds, null_values=[], strings_can_be_null=False, check_utf8=False
            ),
        )
    except pa.ArrowInvalid:
        return None
    table = table.combine_chunks()
    for place, (name, kind) in enumerate(columns.items()):
        column = table[name].chunk(0)
        if kind is float and not np.isfinite(column.to_numpy()).all():
            return None
        if kind is not float and not pc.min(pc.binary_length(column)).as_py():
            return None
        if kind is int:
            words = column.dictionary_encode()
            values = [_number(word.encode(), int) for word in words.dictionary.to_pylist()]
            if None in values:
                return None
            table = table.set_column(place, name, pa.array(values, pa.int64()).take(words.indices))
    return table


def _by_line(path: str | os.PathLike, data: bytes, columns: Mapping[str, type]) -> pa.Table:
    """The fields, line by line; or ValueError with the line that is wrong."""
    lines = list(_lines(data))
    expected = f"{len(columns)} columns ({' '.join(columns)})"
    if not lines:
        raise ValueError(f"{path}: holds no lines; expected {expected}")
    rows = [line.split() for _, line in lines]
    for (number, line), row in zip(lines, rows, strict=True):
        if len(row) != len(columns):
            raise ValueError(
                f"{path}:{number}: expected {expected}, found {len(row)}: {show(line)}"
            )
    fields = {}
    for (name, kind), words in zip(columns.items(), zip(*rows, strict=True), strict=True):
        if kind is str:
            fields[name] = pa.array([word.decode() for word in words], TEXT)
            continue
        values = [_number(word, kind) for word in words]
        if None in values:
            wrong = values.index(None)
            number, line = lines[wrong]
            raise ValueError(
                f"{path}:{number}: {show(words[wrong])} is not {KINDS[kind]}: {show(line)}"
            )
        fields[name] = pa.array(values, pa.float64() if kind is float else pa.int64())
    return pa.table(fields)


def _number(word: bytes, kind: type) -> float | int | None:
    """A number as C would read it: Python reads 1_000, other tools do not."""
    try:
        value = kind(word)
    except ValueError:
        return None
    fits = math.isfinite(value) if kind is float else -(2**31) <= value < 2**31
    return value if fits and b"_" not in word else None


def show(text: bytes, limit: int = 80) -> str:
    """A line of a file as it can be printed in a message."""
    line = text.decode("utf-8", "backslashreplace").strip()
    return repr(line if len(line) <= limit else line[:limit] + "...")


def check_words(words: Iterable[str], what: str) -> None:
    """Raise unless each of `words` can be a field of a TREC file."""
    for word in words:
        if not isinstance(word, str):
            raise TypeError(f"{what} must be text, got {word!r}")
        if word.split(None) != [word] and word.encode().split() != [word.encode()]:
            raise ValueError(f"{what} must not be empty or hold white space, got {word!r}")
        if "\0" in word:
            raise ValueError(f"{what} must not hold NUL, got {word!r}")


def check_topics(topics: Iterable[str]) -> None:
    """Raise ValueError if a line that begins with one of `topics` could not be read back."""
    topics = list(topics)
    check_words(topics, "query_id")
    lost = next((topic for topic in topics if topic.startswith(("#", "\ufeff"))), None)
    if lost is not None:
        raise ValueError(
            "query_id must not begin with '#', which is a comment, or a byte order mark; got"
            f" {lost!r}"
        )
