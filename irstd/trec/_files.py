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
import stat
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from irstd._base.checks import listed

GZIP_MAGIC = b"\x1f\x8b"
UNPACKED, UNPACKED_TIMES = 64_000_000, 50  # a run shrinks to a fifth, seldom to a twentieth
KINDS: dict[type, str] = {float: "a finite number", int: "a whole number of 32 bits"}
EXPECTED = "a path, a folder, a pattern or a list of these"


def find_files(paths: str | os.PathLike | Iterable) -> list[Path]:
    """Files named by a path, a folder, a glob or a list of these, in the order of their names."""
    several = isinstance(paths, Iterable) and not isinstance(paths, (str, os.PathLike))
    files = [file for path in (paths if several else [paths]) for file in _find(path)]  # type: ignore[union-attr]
    if not files:
        raise ValueError(f"no file given; expected {EXPECTED}")
    uses = Counter(map(os.path.abspath, files))
    twice = [file for file, times in uses.items() if times > 1]
    if twice:
        raise ValueError(f"named twice, by a path or by patterns that overlap: {listed(twice)}")
    return files


def _find(given: Any) -> list[Path]:
    if not isinstance(given, (str, os.PathLike)):
        raise TypeError(f"expected {EXPECTED}, got {type(given).__name__}")
    if not str(given).strip():
        raise ValueError("an empty path; expected a file, a folder of files or a pattern")
    path = Path(given).expanduser()
    if path.exists() and not path.is_dir():
        return [path]
    pattern = glob.escape(str(path)) + "/*" if path.is_dir() else str(path)
    if not glob.has_magic(pattern):
        raise FileNotFoundError(f"{path}: there is no such file or folder")
    found = sorted(Path(name) for name in glob.glob(pattern) if os.path.isfile(name))
    if not found:
        raise ValueError(f"{given}: no file found; expected a file, a folder of files or a pattern")
    return found


def is_open(path: Path) -> bool:
    """Whether a path names what this process has open, as ``/dev/stdin`` and ``<(...)`` do."""
    return str(path.absolute().parent) in ("/dev", "/dev/fd", "/proc/self/fd")


def read_bytes(path: str | os.PathLike) -> bytes:
    """The content of a file, which must be UTF-8, unpacked if its first bytes say it is gzipped."""
    file = Path(path).expanduser()
    mode = file.stat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or (stat.S_ISFIFO(mode) and is_open(file))):
        raise ValueError(f"{path}: is a device, a pipe or a socket; expected a file")
    data = file.read_bytes()
    if data.startswith(GZIP_MAGIC):
        data = _unpack(data, path)
    data = data.removeprefix(codecs.BOM_UTF8)
    wrong = data.find(b"\0")
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
    opener: Any = gzip
    damage: Any = zlib
    with contextlib.suppress(ImportError):  # without it, gzipped runs take 30% more time
        from isal import igzip, isal_zlib

        opener, damage = igzip, isal_zlib
    limit = max(UNPACKED, UNPACKED_TIMES * len(data))
    try:
        with opener.open(io.BytesIO(data)) as file:
            text = file.read(limit + 1)
    except (EOFError, OSError, damage.error) as error:
        raise ValueError(
            f"{path}: the gzip file is cut off or damaged ({error}); get it again"
        ) from error
    if len(text) > limit:
        raise ValueError(
            f"{path}: the gzip file holds more than {limit / 1e6:.0f} MB, which no run of its"
            " size does; unpack it yourself if it is to be trusted"
        )
    return text


class Lines(NamedTuple):
    """A file taken apart: a column for each field, an item for each line that holds any."""

    path: str | os.PathLike
    data: bytes
    columns: Mapping[str, Any]

    def fail(self, row: int, problem: str) -> NoReturn:
        number, line = next(itertools.islice(_lines(self.data), row, None))
        raise ValueError(f"{self.path}:{number}: {problem}: {show(line)}")


def read_lines(path: str | os.PathLike, columns: Mapping[str, type]) -> Lines:
    """A file whose lines have `columns` (str, float or int), separated by white space."""
    return take_apart(path, read_bytes(path), columns)


def take_apart(path: str | os.PathLike, data: bytes, columns: Mapping[str, type]) -> Lines:
    """The fields, line by line; or ValueError with the line that is wrong.

    This loop decides what is a line, a field and a number.
    """
    lines = Lines(path, data, {name: [] for name in columns})
    expected = f"expected {len(columns)} columns ({' '.join(columns)})"
    row = -1
    for row, (_, line) in enumerate(_lines(data)):
        words = line.split()
        if len(words) != len(columns):
            hint = "; the tag must be one word" if len(words) > 6 == len(columns) else ""
            lines.fail(row, f"{expected}, found {len(words)}{hint}")
        for (name, kind), word in zip(columns.items(), words, strict=True):
            value = word.decode() if kind is str else read_number(word, kind)
            if value is None:
                lines.fail(row, f"{show(word)} is not {KINDS[kind]}")
            lines.columns[name].append(value)
    if row < 0:
        raise ValueError(f"{path}: holds no lines; {expected}")
    return lines


def _lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The lines with their numbers, but for blank ones and comments."""
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.startswith(b"#") and line.strip():
            yield number, line


def read_number(word: bytes, kind: type) -> float | int | None:
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
        if word.split() != [word] or word.encode().split() != [word.encode()] or "\0" in word:
            raise ValueError(f"{what} must not be empty or hold white space or NUL, got {word!r}")


def check_topics(topics: Iterable[str]) -> None:
    """Raise unless a line that begins with any of `topics` can be read back."""
    topics = list(topics)
    check_words(topics, "query_id")
    for topic in topics:
        if topic.startswith(("#", "\ufeff")):  # a comment, a byte order mark
            raise ValueError(f"query_id must not begin with {topic[0]!r}, got {topic!r}")
