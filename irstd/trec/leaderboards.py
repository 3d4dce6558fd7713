"""Leaderboards of models on data sets, read as scores of systems on topics."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from pathlib import Path

import pandas as pd

from irstd.trec._files import read_bytes, show
from irstd.trec._layouts import Source, melted, pivot, texts

DESCRIPTION = ("index", "Rank", "Model", "Embedding Dimensions", "Max Tokens")
NO_TASK = re.compile(r"Average|Model Size|Memory Usage")


def read_leaderboard(path: str | os.PathLike) -> pd.DataFrame:
    """MTEB's archived leaderboard: one row per data set, one column per model, NaN for gaps."""
    source = Source(str(path), ":")
    lines = enumerate(read_bytes(path).decode().split("\n"), 1)
    table = json_lines([(number, line) for number, line in lines if line.strip()], source)
    if not is_leaderboard(table):
        source.fail("is no leaderboard: it has no columns Rank and Model")
    return leaderboard_scores(table, source).droplevel("metric", axis=1)


def json_lines(lines: list[tuple[int, str]], source: Source) -> pd.DataFrame:
    """The objects of JSON lines as a table, by the numbers of their lines."""
    rows: dict[int, dict] = {}
    for number, line in lines:
        try:
            rows[number] = json.loads(line)
        except json.JSONDecodeError as error:
            source.fail(f"is not JSON: {error}: {show(line.encode())}", number)
        if not isinstance(rows[number], dict):
            source.fail(f"expected an object of JSON, found {show(line.encode())}", number)
    return pd.DataFrame(list(rows.values()), index=list(rows))


def is_leaderboard(table: pd.DataFrame) -> bool:
    """Whether a table has one row per model, as MTEB's archived leaderboard."""
    return "Model" in table and "Rank" in table


def leaderboard_scores(table: pd.DataFrame, source: Source) -> pd.DataFrame:
    """Scores from 0 to 1 of a leaderboard in percent: one row per data set, one column per model.

    A model has the name that its link shows or, where others show the same, the end of its address.
    """
    table = texts(table)
    names = table["Model"].str.replace("<[^>]*>", "", regex=True).str.strip()
    address = table["Model"].str.extract(r'href="[^"]*?([^/"]+/[^/"]+)/?"')[0].fillna(names)
    names = names.where(~names.duplicated(keep=False), address)
    tasks = table.columns[[c not in DESCRIPTION and not NO_TASK.search(c) for c in table.columns]]
    cells = melted(table[tasks], {"system": names}, {"topic": tasks})
    return (pivot(cells, source) / 100).round(12)


def read_results(folder: str | os.PathLike, split: str, metric: str) -> pd.DataFrame:
    """Scores of a folder of files ``MODEL/REVISION/TASK.json``, as MTEB publishes its results.

    A model of several revisions is called ``MODEL/REVISION``, a task of several subsets
    ``TASK/SUBSET``.
    """
    folder = Path(folder).expanduser()
    files = sorted(folder.glob("*/*/*.json")) if folder.is_dir() else []
    files = [file for file in files if file.name != "model_meta.json"]
    if not files:
        raise ValueError(f"{folder}: holds no files MODEL/REVISION/TASK.json")
    revisions = Counter(folder.parent for folder in {file.parent for file in files})
    rows = []
    for file in files:
        try:
            results = json.loads(read_bytes(file))
            parts = results["scores"].get(split, [])
            for part in parts:
                task = file.stem if len(parts) == 1 else f"{file.stem}/{part['hf_subset']}"
                model = file.parents[1].name.replace("__", "/")
                if revisions[file.parents[1]] > 1:
                    model = f"{model}/{file.parent.name}"
                rows.append((task, model, str(part[metric]), file))
        except (KeyError, TypeError, AttributeError, json.JSONDecodeError) as error:
            raise ValueError(
                f"{file}: is not a file of results with {metric} in its scores ({error})"
            ) from error
    if not rows:
        raise ValueError(f"{folder}: no file has scores of the split {split!r}")
    cells = pd.DataFrame(rows, columns=["topic", "system", "score", "line"])
    return pivot(cells.assign(metric=metric), Source(str(folder), "/"))
