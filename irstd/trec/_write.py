"""Files written whole or not at all, where that can be; else into what is there."""

from __future__ import annotations

import errno
import gzip
import os
import secrets
import stat
from pathlib import Path

OPEN = ("/dev", "/dev/fd", "/proc/self/fd")  # folders of what a process has open


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

    The target of a symbolic link is written, and the mode of a file is kept. What a rename would
    break is written into as it is: a device, a pipe, a file of several names or another owner.
    """
    file = Path(path).expanduser()
    try:
        if not str(path):
            raise FileNotFoundError(errno.ENOENT, "the name of the file is empty")
        known = _status(file)
        if known is None:
            _replace(Path(os.path.realpath(file)), data, 0o666, keep=False)
        elif stat.S_ISDIR(known.st_mode):
            raise IsADirectoryError(errno.EISDIR, "is a folder; expected the name of a file")
        elif not known.st_mode & 0o222 or not os.access(file, os.W_OK):
            raise PermissionError(errno.EACCES, "is read-only")
        elif not stat.S_ISREG(known.st_mode) or str(file.absolute().parent) in OPEN:
            _fill(file, data, os.O_APPEND)  # /dev/stdout may be a file that has content
        elif known.st_nlink > 1 or known.st_uid != _me():
            _fill(file, data, os.O_TRUNC)
        else:
            _replace(Path(os.path.realpath(file)), data, stat.S_IMODE(known.st_mode), keep=True)
    except OSError as error:  # which names the temporary file, or none
        if not file.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, "there is no folder", str(file.parent)) from None
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None


def same_file(one: str | os.PathLike, other: str | os.PathLike) -> bool:
    """Whether two paths, of which there may be nothing yet, name one file."""
    paths = [os.path.realpath(Path(path).expanduser()) for path in (one, other)]
    return paths[0] == paths[1] or (
        all(map(os.path.isfile, paths)) and os.path.samefile(paths[0], paths[1])
    )


def _status(file: Path) -> os.stat_result | None:
    try:
        return file.stat()
    except FileNotFoundError:
        return None


def _me() -> int:
    return os.geteuid() if hasattr(os, "geteuid") else 0  # as `stat` says on Windows


def _fill(file: Path, data: bytes, how: int) -> None:
    with os.fdopen(os.open(file, os.O_WRONLY | how), "wb") as opened:
        opened.write(data)


def _replace(file: Path, data: bytes, mode: int, *, keep: bool) -> None:
    name = file.with_name(f".{secrets.token_hex(8)}.tmp")
    handle = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)  # the umask is applied
    try:
        with os.fdopen(handle, "wb") as opened:
            opened.write(data)
        if keep:
            os.chmod(name, mode)
        os.replace(name, file)
    except BaseException:
        os.unlink(name)
        raise
