"""Cells, the one form that tables in all layouts are brought to; they make a score matrix.

Cells are a DataFrame with a score (text) a row, the columns metric, system, topic, score, and the
numbers of the lines as index.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NoReturn

import numpy as np
import pandas as pd

from irstd._base.messages import listed, warn
from irstd.trec._columns import NUMBER, are_missing, is_summary, summaries_at_the_end


@dataclass(frozen=True)
class Source:
    """Where a table comes from, and the user's arguments on how to read it."""

    name: str
    mark: str = ", row "  # between the name and the number of a line, in messages
    system: str = "run"  # the name of the system, where the table has none
    topic_column: str | bool | None = None
    rows: str | None = None
    columns: tuple[str, ...] | None = None  # those that are scores
    notes: list[tuple[str, str]] = field(default_factory=list)  # what was taken for what, and why

    def note(self, what: str, found: object) -> None:
        """Keep a decision of the reader, for a dry reading."""
        self.notes.append((what, str(found)))

    def fail(self, problem: str, line: object = None) -> NoReturn:
        place = "" if line is None else f"{self.mark}{line}"
        raise ValueError(f"{self.name}{place}: {problem}")

    def undecided(self, columns: Iterable) -> NoReturn:
        self.fail(
            f"what does the column {listed(map(repr, columns))} hold? Say by topic_column which"
            " column has the topics (False if none has), rows='topics' if each other column is a"
            " system, rows='systems' if each row is of a system, rows='pairs' if of a topic and a"
            " system (in columns of these names; of a run's metrics, too: add its name); or remove"
            " what is none of these"
        )


def melted(table: pd.DataFrame, rows: dict, columns: dict) -> pd.DataFrame:
    """The cells of a table, with what names their row and what names their column."""
    height, width = table.shape
    cells = {}
    for role, names in rows.items():
        cells[role] = np.repeat(np.asarray(names, object), width)
    for role, names in columns.items():
        cells[role] = np.tile(np.asarray(names, object), height)
    cells["score"] = table.to_numpy(object).ravel()
    lines = np.repeat(np.asarray(table.index), width)
    return pd.DataFrame(cells, lines)


def matrix(cells: pd.DataFrame, source: Source) -> pd.DataFrame:
    """A matrix of cells: one row per topic, columns (metric, system)."""
    defaults = {"metric": "", "system": source.system}
    cells = pd.DataFrame(defaults | dict(cells.items()), cells.index)
    cells = _without_summaries(cells, "topic", source)
    if source.rows == "systems":
        cells = _without_summaries(cells, "system", source)
    if cells.empty:
        source.fail("holds no scores of topics")
    cells = cells.assign(score=_numbers(cells, source))
    keys = ["metric", "system"]
    columns = pd.MultiIndex.from_frame(cells[keys].drop_duplicates().astype(str))
    topics = pd.Index(cells["topic"].unique().tolist(), name="topic")
    table = cells.pivot(index="topic", columns=keys, values="score")
    return pd.DataFrame(table.loc[topics, columns].to_numpy(), topics, columns)


def _without_summaries(cells: pd.DataFrame, kind: str, source: Source) -> pd.DataFrame:
    """The cells without those of a topic or a system that sums up the others."""
    ids = cells[kind].unique().tolist()
    summaries = [name for name in ids if is_summary(name)]
    if kind == "topic":
        summaries += [name for name in summaries_at_the_end(ids) if name not in summaries]
    if not summaries:
        return cells
    names = listed(map(repr, summaries))
    source.note("left out", f"{names}: sums up the {kind}s")
    warn(f"{source.name}: {names} sums up the {kind}s, is none: left out")
    return cells[~cells[kind].isin(summaries)]


def _numbers(cells: pd.DataFrame, source: Source) -> np.ndarray:
    """The scores of cells as numbers; ValueError if one is none, or has no place in a matrix."""
    texts = cells["score"].str.strip(" \t")
    numbers = texts.where(texts.str.fullmatch(NUMBER), "nan").to_numpy(float)
    no_number = ~np.isfinite(numbers) & ~are_missing(texts).to_numpy()
    if no_number.any():
        cell = cells[no_number].iloc[0]
        column = cell["metric"] or cell["system"]
        advice = (
            f"if {column!r} holds names of systems, call it 'system'; if other text, columns=[...]"
            " says which columns hold scores"
        )
        source.fail(f"{cell['score']!r:.80} is not a finite number; {advice}", cell.name)
    nameless = (cells["topic"] == "") | (cells["system"] == "")
    if nameless.any():
        cell = cells[nameless.to_numpy()].iloc[0]
        source.fail("a score without the name of its topic or system", cell.name)
    repeated = cells.duplicated(["metric", "system", "topic"])
    if repeated.any():
        cell = cells[repeated.to_numpy()].iloc[0]
        place = f"{cell['topic']}: {cell['system']} {cell['metric']}"
        source.fail(f"a second score of topic {place}".rstrip(), cell.name)
    return numbers
