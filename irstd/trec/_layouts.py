"""The layouts of tables of scores: told by the names of the columns, or refused.

Whatever stands where is brought to one form, cells: a DataFrame with a score (text) a row, the
columns metric, system, topic, score, and the numbers of the lines as index; cells make a matrix.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple, NoReturn

import numpy as np
import pandas as pd

from irstd._base.messages import listed, warn
from irstd.trec.measures import from_either, from_trec_eval, is_measure

ROLES = {
    "topic": ("topic", "topics", "topicid", "queryid", "query", "qid"),
    "system": ("system", "systemid", "run", "runid", "tag"),
    "metric": ("metric", "measure"),
    "score": ("score", "value"),
}
MISSING = ("", "-", "\u2013", "\u2014", "na", "n/a", "nan", "null")
SUMMARIES = "all amean average avg gmap gmean map mean overall sd std sum total".split()
UNNAMED = r"|Unnamed: \d+"  # as pandas calls a column without a name
# Python reads 1_000, 0x1 and the digits of all scripts as numbers, other tools do not.
NUMBER = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"


class Source(NamedTuple):
    """Where a table comes from, and what is said of it where it may be read in two ways."""

    name: str
    mark: str = ", row "
    system: str = "run"
    topic_column: str | bool | None = None
    rows: str | None = None

    def fail(self, problem: str, line: object = None) -> NoReturn:
        place = "" if line is None else f"{self.mark}{line}"
        raise ValueError(f"{self.name}{place}: {problem}")

    def undecided(self, columns: Iterable) -> NoReturn:
        self.fail(
            f"what does the column {listed(map(repr, columns))} hold? Say by topic_column which"
            " column has the topics (False if none has), rows='topics' if each other column is a"
            " system, rows='systems' if each row is of a system, rows='pairs' if of a topic and a"
            " system (of a run's metrics, too: add its name); or remove what is none of these"
        )


def role_of(name: object) -> str | None:
    """What a column of this name holds."""
    key = re.sub(r"[\s_.-]", "", str(name)).lower()
    return next((role for role, names in ROLES.items() if key in names), None)


def is_summary(name: object, of: str = "system") -> bool:
    """Whether a row or column of this name sums up the others; of topics, one word says it."""
    text = re.sub(r"\s*\(.*\)$", "", str(name)).lower().rstrip(".")  # Avg. (6)
    ends = {"average", "avg", "avg.", "mean"} & {*text.split()[:1], *text.split()[-1:]}
    return text in SUMMARIES or (of == "topic" and bool(ends))  # a system averages embeddings


def _are_numbers(texts: pd.Series) -> bool:
    return bool((texts.str.fullmatch(NUMBER) | texts.str.lower().isin(MISSING)).all())


def _are_ids(texts: pd.Series) -> bool:
    """Whether texts are whole numbers, each once, so that they may be topics."""
    held = texts[~texts.str.lower().isin(MISSING)]
    return bool(held.is_unique and held.str.fullmatch(r"[0-9]+(\.0*)?").all())


def _are_shares(texts: pd.Series) -> bool:
    """Whether texts are numbers up to 1, as scores are."""
    return bool(pd.to_numeric(texts, errors="coerce").le(1).all())


def melted(table: pd.DataFrame, rows: dict, columns: dict) -> pd.DataFrame:
    """The cells of a table, with what names their row and what names their column."""
    height, width = table.shape
    cells = {name: np.repeat(np.asarray(ids, object), width) for name, ids in rows.items()}
    cells |= {name: np.tile(np.asarray(ids, object), height) for name, ids in columns.items()}
    cells["score"] = table.to_numpy(object).ravel()
    return pd.DataFrame(cells, np.repeat(np.asarray(table.index), width))


def cells_of_table(table: pd.DataFrame, source: Source) -> pd.DataFrame:
    """The cells of a table of texts, whose index has the numbers of the lines."""
    twice = table.columns[table.columns.duplicated()]
    if len(twice):
        source.fail(f"the column {twice[0]!r} appears twice; give the columns different names")
    table = _without_row_numbers(table, source)
    if source.rows == "systems":
        named = [name for name in table if role_of(name) == "system"] or [table.columns[0]]
        body = table.drop(columns=named[0])
        return melted(body, {"system": table[named[0]]}, {"topic": body.columns})
    topic = _topic_column(table, source)
    body = table if topic is None else table.drop(columns=topic)
    topics = table.get(topic, pd.Series(range(1, len(table) + 1), table.index).map(str))
    roles = {name: role_of(name) for name in body}
    if "name" in roles and (topic == "qid" or {"metric", "score"} <= {*roles.values()}):
        roles["name"] = "system"  # as PyTerrier calls it
    keys = [name for name in body if roles[name] in ("system", "metric")]
    values = body.drop(columns=keys)
    told = bool(source.rows is None and (role_of(topic) == "topic" or source.topic_column))
    for held in (body[name] for name in keys):  # or the scores of a system that is called run?
        changes = topics.is_unique and (held.nunique() > 1 or _are_shares(held))
        told = told and not (changes and _are_numbers(held))
    kinds, of_values = sorted(str(roles[name]) for name in keys), [roles[name] for name in values]
    long = told and of_values == ["score"] and 0 < len(kinds) == len({*kinds})
    pairs = kinds == ["system"] and topic is not None and not values.empty
    if long or (pairs and (source.rows == "pairs" or (told and not any(of_values)))):
        rows = {"topic": topics} | {str(roles[name]): body[name] for name in keys}
        cells = melted(values, rows, {} if long else {"metric": values.columns})
        if "metric" in cells:
            theirs = any("measure" in name.lower() or name == "name" for name in map(str, keys))
            cells["metric"] = cells["metric"].map(from_either if theirs else from_trec_eval)
        return cells
    odd = [name for name in body if re.fullmatch(UNNAMED, str(name)) or is_summary(name)]
    if {"system", "topic"} & {*roles.values()} or {"metric", "score"} <= {*roles.values()}:
        odd = [name for name in body if roles[name]]
    if all(map(is_measure, body)) or (topic is None and body.columns.str.fullmatch(NUMBER).all()):
        odd = list(body)
    if source.rows == "pairs" or (odd and source.rows is None):
        source.undecided(odd or table)
    if topic is source.topic_column is None:
        warn(f"{source.name}: no column of topics: they are the rows, numbered from 1")
    return melted(body, {"topic": topics}, {"system": body.columns})


def _without_row_numbers(table: pd.DataFrame, source: Source) -> pd.DataFrame:
    """A table without the numbers of its rows that pandas writes before a column of topics."""
    first, *others = table
    beside = source.topic_column in others or "topic" in map(role_of, others)
    beside |= source.rows == "systems" and others != [] and not _are_numbers(table[others[0]])
    if not beside or first == source.topic_column or first not in ("", "index", "Unnamed: 0"):
        return table
    counted = sorted(table[first]) == sorted(map(str, range(len(table))))
    if not counted and (source.topic_column is None or not _are_ids(table[first])):
        source.undecided([first])
    return table[others]


def _topic_column(table: pd.DataFrame, source: Source) -> Any:
    """The column of topics: that of the name; None if there is none."""
    if isinstance(source.topic_column, str) and source.topic_column not in table:
        source.fail(f"has no column {source.topic_column!r}; its first are {list(table)[:9]}")
    if source.topic_column is not None:
        return source.topic_column if isinstance(source.topic_column, str) else None
    first, *others = table
    named = [name for name in table if role_of(name) == "topic"]
    held = table[(named or [first])[0]]
    ids = _are_ids(held)
    scores = held.nunique() > 1 and _are_shares(held)  # of a system that is called query
    if len(named) == 1 and (source.rows or ids or not scores):
        return named[0]
    numbers = pd.Series(others, dtype=object)
    if not named and not first and (source.rows or (ids and not _are_ids(numbers))):
        return first
    if named or not first or ids or not _are_numbers(held):
        source.undecided(named or [first])
    return None


def cells_of_pairs(table: pd.DataFrame) -> pd.DataFrame | None:
    """The cells of a table as pandas writes one of several metrics: below three lines of names."""
    told = [role_of(name) for name in table.iloc[:3, 0]]
    known = told in (["metric", "system", "topic"], [None, "system", "topic"])
    if not known or any(table.iloc[2, 1:]):
        return None
    names = {"metric": table.iloc[0, 1:].map(from_trec_eval), "system": table.iloc[1, 1:]}
    return melted(table.iloc[3:, 1:], {"topic": table.iloc[3:, 0]}, names)


def is_records(line: str) -> bool:
    """Whether the first line of a file is a score already, as trec_eval and ir_measures print."""
    words = line.split()
    if len(words) not in (3, 4) or re.search('[,;"]', words[0]) or role_of(words[0]) == "topic":
        return False
    return words[:2] == ["runid", "all"] or _are_numbers(pd.Series(words[-1]))


def cells_of_records(lines: dict[int, str], source: Source) -> pd.DataFrame:
    """The cells in lines ``measure topic score``, or ``topic measure score`` as of ir_measures."""
    rows = [[*line.split(maxsplit=2), "", ""][:3] for line in lines.values()]
    cells = pd.DataFrame(rows, list(lines), ["metric", "topic", "score"])
    known = [bool(cells[name].map(is_measure).all()) for name in ("metric", "topic")]
    wrong = cells.index[cells["score"] == ""]
    if len(wrong) or known[0] == known[1]:
        said = "expected lines 'measure topic score', of known measures, or names in the first line"
        source.fail(said, [*wrong, *lines][0])
    if known[1]:
        cells = cells.rename(columns={"metric": "topic", "topic": "metric"})
    told = cells["score"].where((cells["metric"] == "runid") & (cells["topic"] == "all"))
    cells["system"] = told.bfill().fillna(source.system)  # trec_eval tells it after the scores
    cells = cells[(cells["topic"] != "all") & ~cells["metric"].str.startswith("relstring")]
    if cells.empty:
        source.fail("holds only a summary; run trec_eval or ir_measures with -q")
    return cells.assign(metric=cells["metric"].map(from_either))


def matrix(cells: pd.DataFrame, source: Source) -> pd.DataFrame:
    """A matrix of cells: one row per topic, columns (metric, system)."""
    cells = pd.DataFrame({"metric": "", "system": source.system} | dict(cells.items()), cells.index)
    for of in ("topic", "system") if source.rows == "systems" else ("topic",):
        if summed := [name for name in cells[of].unique() if is_summary(name, of)]:
            warn(f"{source.name}: {listed(map(repr, summed))} sums up the {of}s, is none: left out")
            cells = cells[~cells[of].isin(summed)]
    if cells.empty:
        source.fail("holds no scores of topics")
    texts, keys = cells["score"].str.strip(" \t"), ["metric", "system"]
    numbers = texts.where(texts.str.fullmatch(NUMBER), "nan").to_numpy(float)
    odd = ~np.isfinite(numbers) & ~texts.str.lower().isin(MISSING)
    nameless = (cells["topic"] == "") | (cells["system"] == "")
    for said, wrong in (
        ("{score!r:.80} is not a finite number", odd),
        ("a score without the name of its topic or system", nameless),
        ("a second score of topic {topic}: {system} {metric}", cells.duplicated([*keys, "topic"])),
    ):
        if wrong.any():
            cell = cells[wrong.to_numpy()].iloc[0]
            source.fail(said.format_map(cell.map(str)).strip(), cell.name)
    columns = pd.MultiIndex.from_frame(cells[keys].drop_duplicates().astype(str))
    topics = pd.Index(cells["topic"].unique().tolist(), name="topic")
    table = cells.assign(score=numbers).pivot(index="topic", columns=keys, values="score")
    return pd.DataFrame(table.loc[topics, columns].to_numpy(), topics, columns)
