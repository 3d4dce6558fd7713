"""What `irstd evaluate`, `standardize` and `datasets` do: CSV in, CSV out, fit for pipelines."""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from irstd.datasets import list_datasets, load_dataset
from irstd.evaluation import evaluate
from irstd.factors import Factors
from irstd.standardize import standardize
from irstd.trec import read_scores
from irstd.trec._write import write_text


def evaluate_runs(
    runs: Sequence[str], qrels: str, metrics: Sequence[str], output: str, **options
) -> None:
    """Scores of run files, as `irstd.evaluate`: a matrix of one metric, a long table of several."""
    names = metrics[0] if len(metrics) == 1 else tuple(metrics)
    found = runs[0] if len(runs) == 1 else list(runs)
    write_scores(evaluate(found, qrels, names, **options), output)


def standardize_scores(
    scores: str,
    factors: tuple[str, str] | None,
    reference: str | None,
    output: str,
    **options,
) -> None:
    """Standardized scores of a table of scores, against factors, other scores, or themselves."""
    against = None
    if factors:
        against = Factors.from_csv(*factors)
    elif reference:
        against = read_table(reference)
    write_scores(standardize(read_table(scores), against, **options), output)


def show_datasets(name: str | None, metric: str, output: str) -> None:
    """The catalogue for people to read, or the scores of one data set as CSV."""
    if name is not None:
        return write_scores(load_dataset(name, metric), output)
    table = list_datasets().reset_index().drop(columns=["licence", "citation"])
    return _write(table.to_string(index=False) + "\n", output)


def read_table(path: str) -> pd.DataFrame:
    """`irstd.read_scores` of a file, or of standard input, which is called "-"."""
    if path != "-":
        return read_scores(path)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "standard input")
        file.write_bytes(sys.stdin.buffer.read())
        try:
            return read_scores(file)
        except ValueError as error:
            raise ValueError(str(error).replace(str(file), file.name)) from error


def write_scores(scores: pd.DataFrame, output: str) -> None:
    """A table that `irstd.read_scores` reads back to the last bit."""
    text = io.StringIO()
    if scores.columns.nlevels > 1:
        long = scores.rename_axis(index="topic").stack([0, 1], future_stack=True)
        long.rename("score").to_csv(text, lineterminator="\n")
    else:
        scores.rename_axis(index="topic").to_csv(text, lineterminator="\n")
    _write(text.getvalue(), output)


def _write(text: str, output: str) -> None:
    if output == "-":
        sys.stdout.write(text)
        sys.stdout.flush()
    else:
        write_text(text, output)
