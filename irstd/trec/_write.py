"""Files written whole or not at all, where that can be; else into what is there."""

from __future__ import annotations

import errno
import gzip
import os
import secrets
import stat
from collections.abc import Mapping
from pathlib import Path

from irstd.trec._files import is_open


def write_text(text: str, path: str | os.PathLike) -> None:
    """Write a text file, as `write_files` does.

    A name that ends in ``.gz`` is gzipped, without the time, so that equal text is equal bytes.
    """
    write_texts({path: text})


def write_texts(texts: Mapping[str | os.PathLike, str]) -> None:
    """Write several text files or none of them."""
    data = {path: text.encode() for path, text in texts.items()}
    for path in data:
        if Path(path).suffix == ".gz":
            data[path] = gzip.compress(data[path], compresslevel=6, mtime=0)
    write_files(data)


def write_bytes(data: bytes, path: str | os.PathLike) -> None:
    """Write a file, as `write_files` does."""
    write_files({path: data})


def write_files(files: Mapping[str | os.PathLike, bytes]) -> None:
    """Write whole files or none: each under another name beside its own, then all are renamed.

    The target of a symbolic link is written, and the permissions of a file are kept; not its owner,
    nor its other names (hard links). A device or a pipe is written into as it is.
    """
    parts: dict[Path, Path] = {}
    try:
        for path, data in files.items():
            _prepare(path, data, parts)
        for part, target in parts.items():
            part.replace(target)
    except OSError as error:  # which names the other name, or none
        folder = Path(path).expanduser().parent
        if not folder.is_dir():
            raise FileNotFoundError(errno.ENOENT, "there is no folder", str(folder)) from None
        raise OSError(error.errno, error.strerror or str(error), str(path)) from None
    finally:
        for part in parts:
            part.unlink(missing_ok=True)


def _prepare(path: str | os.PathLike, data: bytes, parts: dict[Path, Path]) -> None:
    """Write into a device; else a file of another name, which is added to `parts`."""
    file = Path(path).expanduser()
    target = Path(os.path.realpath(file))
    if not str(path):
        raise FileNotFoundError(errno.ENOENT, "the name of the file is empty")
    mode = file.stat().st_mode if os.path.lexists(target) else None
    if mode is not None and (not stat.S_ISREG(mode) or is_open(file)):
        with file.open("ab") as opened:  # /dev/stdout may be a file that has content
            opened.write(data)
        return
    if mode is not None and not (mode & 0o222 and os.access(file, os.W_OK)):
        raise PermissionError(errno.EACCES, "is read-only")
    part = target.with_name(f".{secrets.token_hex(8)}.tmp")
    parts[part] = target
    with part.open("xb") as opened:  # of the mode that the umask leaves
        if mode is not None:
            part.chmod(stat.S_IMODE(mode))
        opened.write(data)


def same_file(one: str | os.PathLike, other: str | os.PathLike) -> bool:
    """Whether two paths, of which there may be nothing yet, name one file."""
    paths = [os.path.realpath(Path(path).expanduser()) for path in (one, other)]
    return paths[0] == paths[1] or (
        all(map(os.path.isfile, paths)) and os.path.samefile(paths[0], paths[1])
    )
