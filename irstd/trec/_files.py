"""Bytes of files: gzip or plain, taken apart into fields, errors with file and line.

A run of a hundred thousand lines has six times as many fields. Making a Python object of each
costs more than all the rest of the work, so fields are kept as places in the text (`Column`).
"""

from __future__ import annotations

import codecs
import glob
import gzip
import io
import os
import re
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, NoReturn

import numpy as np

from irstd._checks import listed

GZIP_MAGIC = b"\x1f\x8b"
UNPACKED, UNPACKED_TIMES = 64_000_000, 100  # a run shrinks to a fifth, seldom to a twentieth
PADDING = 64  # bytes that may be read, but do not count, behind the end of a text
LONG = 1024  # bytes of a field, after which eight at a time take too long
LOW_BYTES = np.array([(1 << 8 * n) - 1 for n in range(9)], np.uint64)


def find_files(paths: str | os.PathLike | Iterable) -> list[Path]:
    """Files named by a path, a folder, a glob or a list of these, in the order of their names."""
    if not isinstance(paths, (str, os.PathLike)):
        return [file for path in paths for file in find_files(path)]
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
    try:
        member = zlib.decompressobj(wbits=31)
        unpacked = member.decompress(data, UNPACKED)
        if member.eof and not member.unused_data:
            return unpacked
        unpacked = []  # a large file, one of several members, or something wrong with it
        size, source = 0, io.BytesIO(data)
        with gzip.GzipFile(fileobj=source) as file:
            while part := file.read(UNPACKED // 4):
                unpacked.append(part)
                size += len(part)
                if size > max(UNPACKED, UNPACKED_TIMES * source.tell()):
                    raise ValueError(
                        f"{path}: the gzip file holds more than {size / 1e6:.0f} MB in its first"
                        f" {source.tell() / 1e6:.2f} MB, over {UNPACKED_TIMES} times as much, which"
                        " no run does; unpack it yourself if it is to be trusted"
                    )
        return b"".join(unpacked)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise ValueError(
            f"{path}: the gzip file is cut off or damaged ({error}); get it again"
        ) from error


class Column:
    """One field of each line, as places in the text that holds them."""

    def __init__(self, text: bytes, starts: np.ndarray, ends: np.ndarray):
        self.text, self.starts, self.ends = text, starts, ends

    @classmethod
    def of(cls, words: Sequence[str]) -> Column:
        """The column of a data frame."""
        text = "".join(words)
        if not text.isascii():
            words = [word.encode() for word in words]
        ends = np.cumsum(np.fromiter(map(len, words), np.int64, len(words)))
        starts = np.concatenate([[0], ends[:-1]]).astype(np.int64)
        return cls(text.encode() + bytes(PADDING), starts, ends)

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, row: int) -> bytes:
        return self.text[self.starts[row] : self.ends[row]]

    def tolist(self) -> list[bytes]:
        bounds = zip(self.starts.tolist(), self.ends.tolist(), strict=True)
        return [self.text[start:end] for start, end in bounds]

    def at(self, rows: np.ndarray) -> Column:
        return Column(self.text, self.starts[rows], self.ends[rows])

    def words(self) -> np.ndarray:
        """The fields as an array of bytes."""
        lengths = self.ends - self.starts
        width = int(lengths.max(initial=1))
        if width > PADDING:
            return np.array(self.tolist(), dtype=object)
        text = np.frombuffer(self.text, np.uint8)
        windows = np.lib.stride_tricks.sliding_window_view(text, width)[self.starts]
        windows[np.arange(width) >= lengths[:, None]] = 0
        return windows.view(f"S{width}").ravel()

    def hashes(self) -> np.ndarray:
        """A 64-bit number of each field: different for different fields, but not for certain."""
        text = np.frombuffer(self.text, np.uint8)
        words = np.ndarray(len(text) - 7, "<u8", text, strides=(1,))  # eight bytes at every place
        result = np.zeros(len(self), np.uint64)
        lengths = self.ends - self.starts
        rows, at, left = slice(None), self.starts, np.minimum(lengths, LONG)
        while len(at):
            word = words[at] & LOW_BYTES[np.minimum(left, 8)]
            mixed = (result[rows] ^ word) * np.uint64(0x9E3779B97F4A7C15)
            result[rows] = mixed ^ (mixed >> np.uint64(29))
            more = np.flatnonzero(left > 8)
            rows = more if isinstance(rows, slice) else rows[more]
            at, left = at[more] + 8, left[more] - 8
        for row in np.flatnonzero(lengths > LONG):
            result[row] ^= np.uint64(hash(self[row]) & 0xFFFFFFFFFFFFFFFF)
        return result


class Lines(NamedTuple):
    """A file taken apart: where each field of each line that is not blank begins and ends."""

    path: Path
    text: bytes
    starts: np.ndarray  # lines x columns
    ends: np.ndarray

    def column(self, number: int) -> Column:
        return Column(self.text, self.starts[:, number], self.ends[:, number])

    def numbers(self, number: int, kind: type, what: str) -> np.ndarray:
        """A column as finite numbers; the first field that is none fails with its line."""
        column = self.column(number)
        words = column.words()
        try:
            values = words.astype(kind)
        except (ValueError, OverflowError):
            values = np.full(len(words), np.nan)
        # Python reads 1_000 as a number, other tools do not.
        if words.dtype == object:  # a field of more than 64 bytes
            fine = np.isfinite(values) & np.array([b"_" not in word for word in words])
        else:
            fine = np.isfinite(values) & (np.char.find(words, b"_") < 0)
        if not fine.all():
            for row, word in enumerate(words):
                if b"_" in word or not _is_finite(word, kind):
                    self.fail(row, f"{show(word)} is not {what}")
        return values

    def fail(self, row: int, problem: str) -> NoReturn:
        start = int(self.starts[row, 0])
        number = self.text.count(b"\n", 0, start)  # the text begins with a line end of its own
        line = self.text[self.text.rindex(b"\n", 0, start) :].split(b"\n", 2)[1]
        raise ValueError(f"{self.path}:{number}: {problem}: {show(line)}")


def read_lines(path: str | os.PathLike, columns: Sequence[str]) -> Lines:
    """A file whose lines have `columns`, separated by white space; blank lines are skipped."""
    data = read_bytes(path)
    if data.startswith(b"#") or b"\n#" in data:
        data = re.sub(rb"(?m)^#[^\n]*", b"", data)  # keeps the numbers of the lines
    end = len(data) + 2
    data = b"".join([b"\n", data, b"\n", bytes(PADDING)])
    text = np.frombuffer(data, np.uint8, end)
    space = (text == 32) | (text - np.uint8(9) < 5)  # space, and \t \n \v \f \r: C's isspace
    edges = np.flatnonzero(space[1:] != space[:-1]) + 1
    starts, ends = edges[0::2], edges[1::2]
    breaks = np.flatnonzero(text == 10)
    expected = f"{len(columns)} columns ({' '.join(columns)})"
    if not len(starts):
        raise ValueError(f"{path}: holds no lines; expected {expected}")
    if not _one_line_each(starts, breaks, len(columns)):
        widths = np.diff(np.searchsorted(starts, breaks))
        wrong = np.flatnonzero((widths != len(columns)) & (widths != 0))
        if wrong.size:
            line, width = int(wrong[0]), widths[wrong[0]]
            found = show(data[breaks[line] + 1 : breaks[line + 1]])
            raise ValueError(f"{path}:{line + 1}: expected {expected}, found {width}: {found}")
    shape = (-1, len(columns))
    return Lines(Path(path), data, starts.reshape(shape), ends.reshape(shape))


def _one_line_each(starts: np.ndarray, breaks: np.ndarray, width: int) -> bool:
    """Whether every `width` fields stand between one line end and the next, no line being blank."""
    n = len(starts) // width
    if len(starts) != n * width or not 0 <= len(breaks) - n - 1 <= 1:
        return False
    inside = (breaks[:n] < starts[::width]) & (starts[width - 1 :: width] < breaks[1 : n + 1])
    return bool(inside.all())


def _is_finite(word: bytes, kind: type) -> bool:
    try:
        return bool(np.isfinite(np.array(word).astype(kind)))
    except (ValueError, OverflowError):
        return False


def show(text: bytes, limit: int = 80) -> str:
    """A line of a file as it can be printed in a message."""
    line = text.decode("utf-8", "backslashreplace").strip()
    return repr(line if len(line) <= limit else line[:limit] + "...")


def check_words(words: Iterable[str], what: str) -> None:
    """Raise ValueError if one of `words` could not stand as a field of a TREC file."""
    words = list(words)
    if " ".join(words).encode().split() == [word.encode() for word in words]:
        return
    wrong = next(word for word in words if word.encode().split() != [word.encode()])
    raise ValueError(f"{what} must not be empty or hold white space, got {wrong!r}")


def check_topics(topics: Iterable[str]) -> None:
    """Raise ValueError if a line that begins with one of `topics` could not be read back."""
    check_words(topics, "query_id")
    comment = next((topic for topic in topics if topic.startswith("#")), None)
    if comment is not None:
        raise ValueError(f"query_id must not begin with '#', which is a comment; got {comment!r}")


def names_of(files: Iterable[Path]) -> str:
    """File names for a message."""
    return listed(file.name for file in files)
