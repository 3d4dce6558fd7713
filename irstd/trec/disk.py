"""Files on disk: finding, unpacking, and atomic writing."""

from __future__ import annotations

import codecs
import glob
import gzip
import importlib
import io
import os
import secrets
import stat
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from irstd._base.messages import listed, warn

AnyPath = str | os.PathLike

GZIP_MAGIC = b"\x1f\x8b"
PARQUET = "Parquet: read it with pd.read_parquet, and give the frame"
NO_TEXT = {
    b"BZh": "packed with bzip2: unpack it first",
    b"\xfd7zXZ": "packed with xz: unpack it first",
    b"PK\x03\x04": "a spreadsheet or another zip file: save it as CSV, or unpack it",
    b"\x04\x22M\x18": "packed with lz4: unpack it first",
    b"PAR1": PARQUET,
}
UNPACKED, UNPACKED_TIMES = 64_000_000, 50  # gzip shrinks a run to a fifth, rarely a twentieth
EXPECTED = "a path, a folder, a pattern or a list of these"


def find_files(paths: AnyPath | Iterable) -> list[Path]:
    """Return the files named by a path, folder, glob or list, sorted by name."""
    if isinstance(paths, str) or not isinstance(paths, Iterable):
        paths = [paths]
    files = [file for path in paths for file in _expand_path(path)]
    repeated = [file for file, number in Counter(files).items() if number > 1]
    if not files:
        raise ValueError(f"no file is given; expected {EXPECTED}")
    if repeated:
        raise ValueError(f"files given twice: {listed(repeated)}; give each file once")
    return files


def _expand_path(name: AnyPath) -> list[Path]:
    """Return the files named by one path, folder or glob."""
    if not isinstance(name, AnyPath) or not str(name).strip():
        raise ValueError(f'expected {EXPECTED}, or {{"name": run}}; got {str(name)[:40]!r}')
    path = Path(name).expanduser()
    if path.is_dir():
        matches = sorted(path.glob("[!.]*"))
    elif path.is_file() or not glob.has_magic(str(path)):
        path.stat()  # raises FileNotFoundError
        return [path]
    else:
        matches = sorted(Path(match) for match in glob.glob(str(path)))
    # names that end in ~ are copies of an editor
    files = [match for match in matches if match.is_file() and not match.name.endswith("~")]
    passed_over = listed(match.name for match in sorted({*matches}.difference(files)))
    if passed_over:
        warn(f"{name}: not read unless given by name: {passed_over}")
    if not files:
        raise ValueError(f"{name}: no file found; expected {EXPECTED}")
    return files


def is_open_stream(path: Path) -> bool:
    """Return True for an open stream, such as ``/dev/stdin`` or ``<(...)``."""
    return str(path.absolute().parent) in ("/dev", "/dev/fd", "/proc/self/fd")


def check_suffix(path: AnyPath, suffix: str) -> None:
    """Raise unless a file to write has the suffix, or the suffix and ``.gz``."""
    name = str(path).lower().removesuffix(".gz")
    if not name.endswith(suffix) and not is_open_stream(Path(path)):
        raise ValueError(f"{path} must end in {suffix} or {suffix}.gz")


def read_bytes(path: AnyPath) -> bytes:
    """Read a UTF-8 file as bytes, unpacking gzip."""
    file = Path(path).expanduser()
    mode = file.stat().st_mode
    open_pipe = stat.S_ISFIFO(mode) and is_open_stream(file)
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or open_pipe):
        raise ValueError(f"{path}: is a device, a pipe or a socket; expected a file")
    data = file.read_bytes()
    if data.startswith(GZIP_MAGIC):
        data = _unpack(data, path)
    data = data.removeprefix(codecs.BOM_UTF8)
    for beginning, advice in NO_TEXT.items():
        if data.startswith(beginning):
            raise ValueError(f"{path}: is {advice}")
    wrong = data.find(b"\0")
    if not data.isascii():
        try:
            data.decode()
        except UnicodeDecodeError as error:
            wrong = error.start
    if wrong >= 0:
        line = data.count(b"\n", 0, wrong) + 1
        raise ValueError(
            f"{path}:{line}: expected text in UTF-8, found the byte {data[wrong]:#04x}"
        )
    return data


def _unpack(data: bytes, path: AnyPath) -> bytes:
    """Unpack gzipped data, or raise if it could fill the memory."""
    try:  # gzip takes 30% longer to read runs
        opener = importlib.import_module("isal.igzip")
    except ImportError:
        opener = gzip
    limit = max(UNPACKED, UNPACKED_TIMES * len(data))
    try:
        text = opener.open(io.BytesIO(data)).read(limit + 1)
    except Exception as error:  # of several kinds
        raise ValueError(f"{path}: the gzip file is cut off or damaged ({error})") from error
    if len(text) > limit:
        raise ValueError(f"{path}: the gzip file holds over {limit / 1e6:.0f} MB: unpack it first")
    return text


def check_words(words: Iterable[str], what: str) -> None:
    """Raise unless each word can be a field of a TREC file."""
    for word in words:
        whole = isinstance(word, str) and word.split() == [word] and "\0" not in word
        # the line would be a comment, or begin with a byte order mark
        begins_wrong = whole and what == "query_id" and word.startswith(("#", "\ufeff"))
        if not whole or begins_wrong:
            raise ValueError(
                f"{what} must be one word, without spaces or a leading #, got {word!r}"
            )


def write_text(text: str, path: AnyPath) -> None:
    """Write a text file atomically; see `write_files`."""
    try:
        data = text.encode()
    except UnicodeEncodeError as error:
        lost = text[error.start]
        raise ValueError(f"{path}: {lost!r} cannot be written in UTF-8: replace it") from error
    write_files({path: data})


def write_files(files: Mapping[Any, bytes]) -> None:
    """Write all files or none, by way of temporary files.

    A name that ends in ``.gz`` is gzipped, without a time stamp, so that equal texts give equal
    bytes. Symbolic links are followed, and the permissions of a file are kept. A device or pipe is
    written to directly.
    """
    parts = {}
    try:
        for path, data in files.items():
            file = Path(path).expanduser()
            target = Path(os.path.realpath(file))
            if file.suffix == ".gz":
                data = gzip.compress(data, 6, mtime=0)
            if target.exists():
                with file.open("ab") as opened:  # raises if it is not writable
                    if is_open_stream(file) or not target.is_file():
                        opened.write(data)
                        continue
            part = target.with_name(f".{secrets.token_hex(8)}.tmp")
            parts[part] = target
            part.write_bytes(data)
            if target.exists():
                part.chmod(stat.S_IMODE(target.stat().st_mode))
        for part, path in parts.items():
            part.replace(path)
    except OSError as error:  # names the temporary file, or none
        raise OSError(error.errno, error.strerror or str(error), str(path)) from None
    finally:
        for part in parts:
            part.unlink(missing_ok=True)


def is_same_file(path_a: AnyPath, path_b: AnyPath) -> bool:
    """Return True if two paths name the same file, existing or not."""
    targets = {os.path.realpath(Path(path).expanduser()) for path in (path_a, path_b)}
    return len(targets) == 1
