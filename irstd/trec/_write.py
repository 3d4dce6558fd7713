"""Files written whole or not at all, where that can be; else into what is there."""

from __future__ import annotations

import gzip
import os
import secrets
import stat
from collections.abc import Mapping
from pathlib import Path

from irstd.trec._files import is_open


def write_text(text: str, path: str | os.PathLike) -> None:
    """Write a text file, as `write_files` does."""
    write_files({path: text.encode()})


def write_files(files: Mapping[str | os.PathLike, bytes]) -> None:
    """Write whole files or none: each under another name beside its own, then all are renamed.

    A name that ends in ``.gz`` is gzipped, without the time, so that equal text is equal bytes. The
    target of a symbolic link is written, and the permissions of a file are kept. A device or a pipe
    is written into as it is.
    """
    parts: dict[Path, Path] = {}
    try:
        for path, data in files.items():
            file = Path(path).expanduser()
            target = Path(os.path.realpath(file))
            data = gzip.compress(data, mtime=0) if file.suffix == ".gz" else data
            if target.exists():
                with file.open("ab") as opened:  # which says if one may not
                    if is_open(file) or not target.is_file():
                        opened.write(data)
                        continue
            part = target.with_name(f".{secrets.token_hex(8)}.tmp")
            parts[part] = target
            part.write_bytes(data)
            if target.exists():
                part.chmod(stat.S_IMODE(target.stat().st_mode))
        for part, target in parts.items():
            part.replace(target)
    except OSError as error:  # which names the other name, or none
        raise OSError(error.errno, error.strerror or str(error), str(path)) from None
    finally:
        for part in parts:
            part.unlink(missing_ok=True)


def same_file(one: str | os.PathLike, other: str | os.PathLike) -> bool:
    """Whether two paths, of which there may be nothing yet, name one file."""
    first, second = (os.path.realpath(Path(path).expanduser()) for path in (one, other))
    return first == second
