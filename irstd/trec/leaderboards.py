"""MTEB's archived leaderboard of embedding models, read as scores of systems on topics."""

from __future__ import annotations

import json
import os
import re

import pandas as pd

from irstd.trec._files import read_bytes, show
from irstd.trec._layouts import Source, matrix, melted

NO_TASK = re.compile(
    "index|Rank|Model|Embedding Dimensions|Max Tokens|.*(Average|Model Size|Memory Usage).*"
)


def read_leaderboard(path: str | os.PathLike) -> pd.DataFrame:
    """Scores from 0 to 1 of a board in JSON lines, in percent: a row per data set.

    A model has the name that its link shows or, where others show the same, the end of its address.
    """
    source = Source(str(path), ":")
    rows: dict[int, dict] = {}
    for number, line in enumerate(read_bytes(path).decode().split("\n"), 1):
        try:
            if line.strip():
                rows[number] = _board_row(json.loads(line, object_pairs_hook=list))
        except (ValueError, RecursionError) as error:
            source.fail(
                f"{error}; of JSON, a board of models is read (Rank, Model, a column per data set);"
                f" make a DataFrame of other forms, its ids text: {show(line.encode())}",
                number,
            )
    table = pd.DataFrame(list(rows.values()), list(rows), dtype=object).fillna("").astype(str)
    names = table["Model"].str.replace("<[^>]*>", "", regex=True).str.strip()
    address = table["Model"].str.extract(r'href="[^"]*?([^/"]+/[^/"]+)/?"')[0].fillna(names)
    names = names.where(~names.duplicated(keep=False), address)
    tasks = [name for name in table if not NO_TASK.fullmatch(str(name))]
    scores = matrix(melted(table[tasks], {"system": names}, {"topic": tasks}), source)
    if not (scores > 1).any(axis=None):
        source.fail("no score is above 1, as of percent; say rows='systems' of a DataFrame of it")
    return (scores / 100).round(12).droplevel("metric", axis=1)


def _board_row(pairs: list) -> dict:
    """An object of JSON, if it is one of a board, and each of its names stands there once."""
    if not all(isinstance(pair, tuple) for pair in pairs) or len(dict(pairs)) < len(pairs):
        raise ValueError("is no object of JSON with names that differ")
    "".join(str(part) for pair in pairs for part in pair).encode()  # half a pair of surrogates
    if not {"Rank", "Model"} <= set(dict(pairs)):
        raise ValueError("has no Rank and Model")
    return dict(pairs)
