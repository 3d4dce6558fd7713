"""Files written whole or not at all, where that can be; else into what is there."""

from __future__ import annotations

import errno
import gzip
import os
import secrets
import stat
from pathlib import Path

from irstd.trec._files import is_open


def write_text(text: str, path: str | os.PathLike) -> None:
    """Write a text file, as `write_bytes` does.

    A name that ends in ``.gz`` is gzipped, without the time, so that equal text is equal bytes.
    """
    data = text.encode()
    if Path(path).suffix == ".gz":
        data = gzip.compress(data, compresslevel=6, mtime=0)
    write_bytes(data, path)


def write_bytes(data: bytes, path: str | os.PathLike) -> None:
    """Write a whole file or nothing: a temporary file beside it, then a rename.

    The target of a symbolic link is written, and the permissions of a file are kept; not its owner,
    nor its other names (hard links). A device or a pipe is written into as it is.
    """
    file = Path(path).expanduser()
    target = Path(os.path.realpath(file))
    try:
        if not str(path):
            raise FileNotFoundError(errno.ENOENT, "the name of the file is empty")
        mode = file.stat().st_mode if os.path.lexists(target) else None
        if mode is not None and (not stat.S_ISREG(mode) or is_open(file)):
            with file.open("ab") as opened:  # /dev/stdout may be a file that has content
                opened.write(data)
        elif mode is not None and not (mode & 0o222 and os.access(file, os.W_OK)):
            raise PermissionError(errno.EACCES, "is read-only")
        else:
            _replace(target, data, mode)
    except OSError as error:  # which names the temporary file, or none
        if not file.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, "there is no folder", str(file.parent)) from None
        raise OSError(error.errno, error.strerror or str(error), str(path)) from None


def same_file(one: str | os.PathLike, other: str | os.PathLike) -> bool:
    """Whether two paths, of which there may be nothing yet, name one file."""
    paths = [os.path.realpath(Path(path).expanduser()) for path in (one, other)]
    return paths[0] == paths[1] or (
        all(map(os.path.isfile, paths)) and os.path.samefile(paths[0], paths[1])
    )


def _replace(target: Path, data: bytes, mode: int | None) -> None:
    part = target.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        with part.open("xb") as opened:  # of the mode that the umask leaves
            if mode is not None:
                part.chmod(stat.S_IMODE(mode))
            opened.write(data)
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
