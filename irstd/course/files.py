"""What a command reads and writes: scores by file, pipe or name; files that can be written."""

from __future__ import annotations

import errno
import os
import re
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

import click
import pandas as pd

import irstd
from irstd._base.arguments import check_choice
from irstd.metrics import check_range
from irstd.trec.disk import same_file, write_text
from irstd.trec.written_scores import check_suffix, scores_text

LEAST_FREE = 1_000_000  # bytes that a page takes, about


def read_table(source: str, metric: str | list[str] | None = None) -> pd.DataFrame:
    """Scores of a file, of standard input ("-") or of a data set, in one metric or in several.

    Standard input is CSV, as the commands write it, or without a comma what trec_eval -q prints.
    """
    if source == "-":
        data = sys.stdin.buffer.read()
        is_csv = b"," in data.partition(b"\n")[0]
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "standard input.csv" if is_csv else "standard input")
            file.write_bytes(data)
            table = _read(file, "standard input")
    elif is_data_set(source):
        if not metric:
            raise click.UsageError(f"{source} is a data set: say in which metric, by --metric")
        return irstd.load_dataset(source, metric)
    else:
        table = _read(source, source)
    if metric and table.columns.nlevels > 1:
        for one in [metric] if isinstance(metric, str) else metric:
            check_choice(one, table.columns.unique(0), f"metric of {source}")
        table = table.loc[:, metric]
    if isinstance(metric, str) and table.attrs.setdefault("metric", metric) != metric:
        raise ValueError(f"{source}: the scores are of {table.attrs['metric']}, not of {metric}")
    if isinstance(metric, str):
        check_range(table, metric, source)
    return table


def is_data_set(source: str | None) -> bool:
    """Return True if a word on the command line is a data set, and no file."""
    if source is None or Path(source).expanduser().exists():
        return False
    return source in irstd.list_datasets().index


def _read(file: str | Path, name: str) -> pd.DataFrame:
    try:
        return irstd.read_scores(file)
    except ValueError as error:
        said = str(error).replace(str(file), name)
        if re.search(r"\b(topic|system|metric|value|names)=", said):  # a command has no word for it
            said += "; read it so by irstd.read_scores, and irstd.write_scores it for this command"
        raise ValueError(said) from error


def check_output(path: str, inputs: Iterable[str | Path] = ()) -> None:
    """Refuse, before any work is done, a file that cannot be written, or that is read."""
    file = Path(path).expanduser()
    if path == "-":
        return
    if file.is_dir():
        raise ValueError(f"{path}: is a folder; expected the name of a file to write")
    if any(same_file(file, other) for other in inputs):
        raise ValueError(f"{path}: this command uses that file already; choose another name")
    place = file if file.exists() else file.parent
    if place.exists() and not file.parent.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, "is not in a folder", path)
    if file.parent.is_dir() and _free(file.parent) < LEAST_FREE:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)
    if not (place.stat().st_mode & 0o222 and os.access(place, os.W_OK)):
        raise PermissionError(errno.EACCES, "cannot be written", path)


def check_scores_output(path: str, inputs: Iterable[str | Path] = ()) -> None:
    """The same of a file for scores."""
    check_output(path, inputs)
    if path != "-":
        check_suffix(path)


def write_scores_output(scores: pd.DataFrame, path: str) -> None:
    """Write scores into a file in the form that its name says, or as CSV to standard output."""
    if path != "-":
        irstd.write_scores(scores, path)
    else:
        click.echo(scores_text(scores), nl=False)


def _free(folder: Path) -> float:
    """The bytes that can still be written in a folder, where the system tells."""
    if not hasattr(os, "statvfs"):
        return float("inf")
    disk = os.statvfs(folder)
    return disk.f_bavail * disk.f_frsize


def write_output(text: str, path: str) -> None:
    """Write a file, or standard output ("-")."""
    if path != "-":
        write_text(text, path)
    else:
        click.echo(text, nl=False)
