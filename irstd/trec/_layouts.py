"""The layouts of tables of scores: known by the names of the columns, or refused.

A table in any layout is brought to one form, cells (`_cells.py`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import pandas as pd

from irstd._base.messages import listed, warn
from irstd.trec._cells import Source, melted
from irstd.trec._columns import (
    NUMBER,
    UNNAMED,
    are_ids,
    are_numbers,
    are_shares,
    have_fractions,
    is_summary,
    names_systems,
    role_of,
)
from irstd.trec.measures import are_metrics, from_either, from_trec_eval, is_measure


@dataclass(frozen=True)
class Columns:
    """The columns of a table, by what they hold."""

    table: pd.DataFrame
    topic: str | None  # the name of the column of topics, if there is one
    topics: pd.Series  # the topic of each row
    body: pd.DataFrame  # all columns but that of topics
    roles: dict[str, str | None]  # of each column of the body
    keys: list[str]  # the columns of the body that name a system or a metric
    values: pd.DataFrame  # the other columns of the body

    @property
    def key_roles(self) -> list[str]:
        return sorted(str(self.roles[name]) for name in self.keys)

    @property
    def value_roles(self) -> list[str | None]:
        return [self.roles[name] for name in self.values.columns]


def cells_of_table(table: pd.DataFrame, source: Source) -> pd.DataFrame:
    """The cells of a table of texts, whose index has the numbers of the lines."""
    repeated = table.columns[table.columns.duplicated()]
    if len(repeated):
        source.fail(f"the column {repeated[0]!r} appears twice; give the columns different names")
    _refuse_means(table, source)
    table = _without_row_numbers(table, source)
    if source.rows == "systems":
        return _by_system(table, source)
    columns = _columns(table, source)
    for name in columns.keys:
        source.note(f"column {name!r}", f"may name the {columns.roles[name]}s, by its name")
    if _is_long(columns, source):
        source.note("layout", f"long: a score a row, in {columns.values.columns[0]!r}")
        return _by_keys(columns, {})
    if _is_of_pairs(columns, source):
        source.note("layout", f"a column per metric: {listed(columns.values.columns)}")
        return _by_keys(columns, {"metric": columns.values.columns})
    _refuse_doubtful(columns, source)
    source.note("layout", f"wide: a column per system: {listed(columns.body.columns)}")
    if columns.topic is None and source.topic_column is None:
        warn(f"{source.name}: no column of topics: they are the rows, numbered from 1")
    return melted(columns.body, {"topic": columns.topics}, {"system": columns.body.columns})


def _refuse_means(table: pd.DataFrame, source: Source) -> None:
    """Refuse a row a system and a column a metric, as tools print that average over topics."""
    named = [name for name in table.columns if not re.fullmatch(UNNAMED, name)]
    if len(named) < 2 or source.topic_column is not None:
        return
    first, *others = named
    of_systems = role_of(first) == "system" or first == "name" or names_systems(first, table[first])
    metrics = [name for name in others if is_measure(name)]
    has_topics = any(role_of(name) == "topic" for name in named)
    if of_systems and metrics and not has_topics and not are_numbers(table[first]):
        source.fail(
            f"a row of each system and columns of metrics ({listed(metrics)}): these are means, and"
            " systems are compared by their scores on each topic. PyTerrier's Experiment gives"
            " these with perquery=True, trec_eval and ir_measures with -q"
        )


def _without_row_numbers(table: pd.DataFrame, source: Source) -> pd.DataFrame:
    """A table without the numbers of its rows that pandas writes before a column of topics."""
    first, *others = table.columns
    if first not in ("", "index", "Unnamed: 0") or first == source.topic_column:
        return table
    if not _name_the_rows(table[others], source):
        return table
    row_numbers = [str(row) for row in range(len(table))]
    if sorted(table[first]) != sorted(row_numbers):
        other_numbers = source.topic_column is not None and are_ids(table[first])
        if not other_numbers:
            source.undecided([first])
    source.note(f"column {first!r}", "left out: numbers of rows beside a column of names")
    return table[others]


def _name_the_rows(others: pd.DataFrame, source: Source) -> bool:
    """Whether the columns after the first have the topics or, in a row per system, the systems."""
    if source.topic_column in others.columns:
        return True
    if any(role_of(name) == "topic" for name in others.columns):
        return True
    if source.rows == "systems" and len(others.columns):
        return not are_numbers(others.iloc[:, 0])
    return False


def _by_system(table: pd.DataFrame, source: Source) -> pd.DataFrame:
    """The cells of a table with a row per system and a column per topic."""
    systems = [name for name in table.columns if role_of(name) == "system"]
    system = systems[0] if systems else table.columns[0]
    body = table.drop(columns=system)
    source.note("layout", "a row per system, a column per topic: rows='systems'")
    source.note(f"column {system!r}", "systems, by its name" if systems else "systems: the first")
    return melted(body, {"system": table[system]}, {"topic": body.columns})


def _columns(table: pd.DataFrame, source: Source) -> Columns:
    """The columns of a table, by their names."""
    topic = _topic_column(table, source)
    if topic is None:
        body = table
        topics = pd.Series(range(1, len(table) + 1), table.index).map(str)
    else:
        body = table.drop(columns=topic)
        topics = table[topic]
    roles = {name: role_of(name) for name in body.columns}
    for name in body.columns:
        if topic is not None and names_systems(name, body[name]):
            roles[name] = "system"
    has_metric_and_score = {"metric", "score"} <= set(roles.values())
    if "name" in roles and (topic == "qid" or has_metric_and_score):
        roles["name"] = "system"  # as PyTerrier calls it
    keys = [name for name in body.columns if roles[name] in ("system", "metric")]
    return Columns(table, topic, topics, body, roles, keys, values=body.drop(columns=keys))


def _topic_column(table: pd.DataFrame, source: Source) -> str | None:
    """The name of the column of topics; None if there is none."""
    if source.topic_column is False:
        source.note("topics", "none, by topic_column=False: numbered from 1")
        return None
    if source.topic_column is not None:
        if source.topic_column not in table:
            source.fail(
                f"has no column {source.topic_column!r}; its first are {list(table.columns)[:9]}"
            )
        source.note(f"column {source.topic_column!r}", "topics, by topic_column")
        return str(source.topic_column)
    named = [name for name in table.columns if role_of(name) == "topic"]
    if not named:
        return _first_if_topics(table, source)
    if len(named) > 1:
        source.undecided(named)
    texts = table[named[0]]
    # or the scores of a system that is called query?
    shares = texts.nunique() > 1 and are_shares(texts) and not are_ids(texts)
    decimals = named[0] != table.columns[0] and have_fractions(texts)
    roles = [role_of(name) for name in table]
    is_long = "system" in roles and "score" in roles
    if (shares or decimals) and source.rows is None and not is_long:
        source.undecided(named)
    source.note(f"column {named[0]!r}", "topics, by its name")
    return named[0]


def _first_if_topics(table: pd.DataFrame, source: Source) -> str | None:
    """The first column, if it has topics though it is not called so; None if it has scores."""
    first, *others = table.columns
    ids = are_ids(table[first])
    if first == "":
        others_are_ids = are_ids(pd.Series(others, dtype=object))
        _refuse_rows_beside_ids(table, source)
        if source.rows is not None or (ids and not others_are_ids):
            source.note("first column", "topics: it has no name, and whole numbers each once")
            return first
        source.undecided([first])
    if ids or not are_numbers(table[first]):
        source.undecided([first])
    return None


def _refuse_rows_beside_ids(table: pd.DataFrame, source: Source) -> None:
    """Refuse a column without a name if it may number the rows, and another may have the topics.

    So pandas and R write a table whose topics are in a column of another name.
    """
    first, *others = table.columns
    count = len(table)
    numbers = sorted(table[first])
    from_0 = sorted(str(row) for row in range(count))
    from_1 = sorted(str(row) for row in range(1, count + 1))
    if numbers not in (from_0, from_1) or source.topic_column is not None:
        return
    may_be_topics = []
    for name in others:
        texts = table[name]
        if not are_numbers(texts) or (are_ids(texts) and not are_shares(texts)):
            may_be_topics.append(name)
    if may_be_topics and (source.rows is None or may_be_topics == others[:1]):
        source.fail(
            "the first column has no name and may number the rows, and"
            f" {listed(map(repr, may_be_topics))} may have the topics: say"
            f" topic_column={may_be_topics[0]!r}, or topic_column='' if the numbers are topics"
        )


def _is_long(columns: Columns, source: Source) -> bool:
    """Whether each row has one score, and columns name its topic and its system or metric."""
    if columns.value_roles != ["score"] or columns.key_roles == []:
        return False
    different = len(set(columns.key_roles)) == len(columns.key_roles)
    return different and _names_decide(columns, source)


def _is_of_pairs(columns: Columns, source: Source) -> bool:
    """Whether each row is of a topic and a system, and each other column of a metric."""
    if columns.key_roles != ["system"] or columns.topic is None or columns.values.empty:
        return False
    if source.rows == "pairs":
        return True
    return not any(columns.value_roles) and _names_decide(columns, source)


def _names_decide(columns: Columns, source: Source) -> bool:
    """Whether the names of the columns alone say what each row is of."""
    if source.rows is not None:
        return False
    if role_of(columns.topic) != "topic" and not source.topic_column:
        return False
    return not any(_may_be_scores(columns.body[name], columns.topics) for name in columns.keys)


def _may_be_scores(texts: pd.Series, topics: pd.Series) -> bool:
    """Whether a column called run or metric may have the scores of a system of that name."""
    one_a_topic = topics.is_unique and (texts.nunique() > 1 or are_shares(texts))
    return one_a_topic and are_numbers(texts)


def _by_keys(columns: Columns, metrics: dict) -> pd.DataFrame:
    """The cells of a table whose rows are named by a topic and by further columns, its keys."""
    rows = {"topic": columns.topics}
    for name in columns.keys:
        rows[str(columns.roles[name])] = columns.body[name]
    cells = melted(columns.values, rows, metrics)
    if "metric" in cells:
        translate = from_trec_eval
        for name in columns.keys:
            if "measure" in name.lower() or name == "name":  # as ir_measures writes it
                translate = from_either
        cells["metric"] = cells["metric"].map(translate)
    return cells


def _refuse_doubtful(columns: Columns, source: Source) -> None:
    """Refuse a table whose rows may be other than topics, and its columns other than systems."""
    if source.rows == "topics":
        return
    doubtful = _doubtful_names(columns)
    if source.rows == "pairs":
        if "system" not in columns.key_roles:
            source.fail(
                "rows='pairs' needs a column of systems, called system, run, model or method: call"
                f" it so; the columns are {listed(map(repr, columns.body))}"
            )
        source.undecided(doubtful or columns.table)
    if doubtful:
        source.undecided(doubtful)


def _doubtful_names(columns: Columns) -> list[str]:
    """The columns that may hold something else than the scores of a system."""
    names = list(columns.body.columns)
    if are_metrics(names):
        return names
    if columns.topic is None and all(re.fullmatch(NUMBER, name) for name in names):
        return names  # there is no line of names
    roles = set(columns.roles.values())
    if "system" in roles or "topic" in roles or {"metric", "score"} <= roles:
        return [name for name in names if columns.roles[name]]
    return [name for name in names if re.fullmatch(UNNAMED, name) or is_summary(name)]


def cells_of_pairs(table: pd.DataFrame) -> pd.DataFrame | None:
    """The cells of a table as pandas writes one of several metrics: below three lines of names."""
    roles = [role_of(name) for name in table.iloc[:3, 0]]
    known = roles in (["metric", "system", "topic"], [None, "system", "topic"])
    if not known or any(table.iloc[2, 1:]):
        return None
    metrics = table.iloc[0, 1:].map(from_trec_eval)
    systems = table.iloc[1, 1:]
    topics = table.iloc[3:, 0]
    return melted(table.iloc[3:, 1:], {"topic": topics}, {"metric": metrics, "system": systems})


def long_form(scores: pd.DataFrame) -> pd.DataFrame:
    """Scores as a table of four columns, or three: a score a row."""
    levels = list(range(scores.columns.nlevels))
    stacked: Any = scores.stack(levels, future_stack=True)
    return stacked.rename("score").reset_index()


def is_records(line: str) -> bool:
    """Whether the first line of a file is a score already, as trec_eval and ir_measures print."""
    words = line.split()
    if len(words) not in (3, 4):
        return False
    if re.search('[,;"]', words[0]) or role_of(words[0]) == "topic":
        return False  # a line of names
    return words[:2] == ["runid", "all"] or are_numbers(pd.Series(words[-1]))


def cells_of_records(lines: dict[int, str], source: Source) -> pd.DataFrame:
    """The cells in lines ``measure topic score``, or ``topic measure score`` as of ir_measures."""
    cells = _records(lines, source)
    # trec_eval names the system in a line after the scores
    is_name = (cells["metric"] == "runid") & (cells["topic"] == "all")
    cells["system"] = cells["score"].where(is_name).bfill().fillna(source.system)
    is_text = cells["metric"].str.startswith("relstring")
    cells = cells[(cells["topic"] != "all") & ~is_text]
    if cells.empty:
        source.fail("holds only a summary; run trec_eval or ir_measures with -q")
    return cells.assign(metric=cells["metric"].map(from_either))


def _records(lines: dict[int, str], source: Source) -> pd.DataFrame:
    """The words of lines of three: metric, topic, score."""
    rows = []
    for line in lines.values():
        words = line.split(maxsplit=2)
        missing = 3 - len(words)
        rows.append(words + [""] * missing)
    table = pd.DataFrame(rows, list(lines), ["first", "second", "score"])
    short = table.index[table["score"] == ""].tolist()
    first_is_measure = bool(table["first"].map(is_measure).all())
    second_is_measure = bool(table["second"].map(is_measure).all())
    if short or first_is_measure == second_is_measure:
        expected = "lines 'measure topic score', of known measures, or names in the first line"
        line_number = [*short, *lines][0]
        source.fail(f"expected {expected}", line_number)
    known, other = ("first", "second") if first_is_measure else ("second", "first")
    _refuse_topics_like_measures(table[known], table[other], source)
    source.note("layout", f"lines of {'trec_eval' if first_is_measure else 'ir_measures'} -q")
    source.note(f"{known} words", "metrics: all are known")
    source.note(f"{other} words", "topics: not all are metrics")
    return table.rename(columns={known: "metric", other: "topic"})


def _refuse_topics_like_measures(known: pd.Series, other: pd.Series, source: Source) -> None:
    """Refuse lines whose topics may be called ``P_1``, ``P_2``, and whose measure is not known."""
    beginnings = known.str.extract(r"^([A-Za-z]+)")[0].unique()
    repeats_more = known.nunique() > other.nunique()
    of_numbers = other.str.fullmatch("[0-9]+").all()
    if len(beginnings) == 1 and repeats_more and not of_numbers:
        names = f"{listed(known.unique())} metrics or topics"
        source.fail(f"are {names}? Give a first line with names of columns", known.index[0])
