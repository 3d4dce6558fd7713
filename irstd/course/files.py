"""Input and output of the commands: score tables, and checks of output files."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
import pandas as pd

import irstd
from irstd.own_runs import reading
from irstd.trec.disk import check_suffix, is_same_file, write_text


def read_table(source: str, metric: str | None = None) -> pd.DataFrame:
    """Read scores from a file, from standard input ("-") or from a data set.

    Standard input is CSV, as the commands write it.
    """
    if reading.is_data_set(source):
        if not metric:
            raise click.UsageError(f"{source} is a data set: choose a metric with --metric")
        return irstd.load_dataset(source, metric)
    if source == "-":
        table = _read_standard_input()
    elif Path(source).expanduser().exists():
        table = irstd.read_scores(source)
    else:
        raise ValueError(f"{source}: neither a file nor a data set of irstd.list_datasets()")
    if not metric:
        return table
    scores: Any = reading.read_table(table, [metric])[metric]
    scores.attrs["metric"] = metric
    return scores


def _read_standard_input() -> pd.DataFrame:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "standard input.csv")
        file.write_bytes(sys.stdin.buffer.read())
        try:
            return irstd.read_scores(file)
        except ValueError as error:
            raise ValueError(str(error).replace(str(file), "standard input")) from error


def check_output(path: str, inputs: Iterable[str | Path], suffix: str = "") -> None:
    """Raise if an output file is a folder, in no folder, an input, or has another suffix."""
    file = Path(path).expanduser()
    if path == "-":
        return
    if file.is_dir():
        raise ValueError(f"{path}: is a folder; give the name of a file")
    if not file.parent.is_dir():
        raise ValueError(f"{path}: there is no folder {file.parent}; create it")
    if any(is_same_file(file, other) for other in inputs):
        raise ValueError(f"{path}: this command already uses that file; choose another name")
    check_suffix(path, suffix)


def write_output(text: str, path: str) -> None:
    """Write a text to a file, or to standard output ("-")."""
    if path != "-":
        write_text(text, path)
    else:
        click.echo(text, nl=False)
