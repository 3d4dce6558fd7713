"""What the columns of a table of scores hold: said by name, or called as the field calls them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import pandas as pd

from irstd._base.messages import listed
from irstd.metrics.names import is_measure, our_name
from irstd.trec.cells import Source, are_numbers, is_sum, matrix, texts_of

COLUMNS = {  # by argument of `read_scores`: the names that need not be said
    "topic": ("topic", "query_id", "qid"),
    "system": ("system", "run", "run_id", "tag"),
    "metric": ("metric", "measure"),
    "value": ("score", "value"),
}
LONG = {"topic": "topic", "system": "system", "metric": "metric", "value": "score"}
# What holds no scores, as `_plain` has it.
SYSTEMS = (
    "system systems systemid systemname run runs runid runname tag model modelname method".split()
)
RESERVED = [
    *"topic topics topicid query queries queryid qid qno q question questionid id index".split(),
    *"name metric metrics measure score scores value fold seed rank".split(),
    *SYSTEMS,
]
Said = dict[str, str | None]  # the name of a column by argument


def scores_of_table(table: pd.DataFrame, said: Said, source: Source) -> pd.DataFrame:
    """The matrix of a table, whose index has the numbers of the lines."""
    names = _columns(table, said, source)
    others = [name for name in table.columns if name not in names.values()]
    if "value" not in names:
        if "metric" in names:
            source.fail("no column of scores beside that of metrics: say value=")
        for name in others:
            reason = why_no_scores(name, "system" not in names)
            if reason:
                source.fail(f"the column {name!r:.40} {reason}")
    elif others and said["value"] is None:
        advice = f"say system= if it names systems; else remove it, or say value={names['value']!r}"
        source.fail(f"beside {names['value']!r} stands {_shown(others)}: {advice}")
    scores = matrix_of(table, names, source)
    one_a_topic = len(scores) == len(table) and len(names) < len(COLUMNS)
    for role in ("system", "metric"):  # or are they the scores of a system called run?
        labels = scores.columns.unique(role).to_series()
        if one_a_topic and role in names and said[role] is None and are_numbers(labels).all():
            source.fail(f"numbers in {names[role]!r}: say {role}= if they are names, else rename")
    return scores


def _columns(table: pd.DataFrame, said: Said, source: Source) -> dict[str, str]:
    """The name of the column of topics, and those of systems, metrics and scores if there are."""
    found_all = f"; found: {_shown(table.columns)}"
    names = {}
    for role, known in COLUMNS.items():
        name = said[role]
        found = [one for one in known if one in table] if name is None else [name]
        if len(found) > 1:
            source.fail(f"which one is it: {listed(found)}? Say {role}=, and remove the other")
        if found:
            names[role] = found[0]
    for role, name in names.items():
        if name not in table:
            source.fail(f"has no column {name!r:.40}, as {role}= says{found_all}")
    if "topic" not in names:
        expected = listed(COLUMNS["topic"])
        source.fail(f"no column of topics ({expected}): say topic={found_all}")
    if _plain(names["topic"]) in SYSTEMS:
        shown = f"{names['topic']!r:.40}"
        source.fail(f"{shown} names systems: a row a topic is .set_index({shown}).T of the table")
    if len(set(names.values())) < len(names):
        source.fail(f"one column cannot be two things: {names}")
    return names


def _shown(names: Iterable[str]) -> str:
    """Some columns, as part of a message."""
    return listed(f"{name!r:.20}" for name in names)


def why_no_scores(name: str, is_wide: bool = True) -> str:
    """Why a column of this name has no scores of a system or, if not, metric; no text if it has."""
    if re.fullmatch(r"|Unnamed: \d+", name):
        return "has no name: remove it"
    if is_wide and is_measure(name):
        return "is a metric: say system=, or add a column 'system'; if it is a system, rename it"
    if is_sum(name):
        return "sums up others: remove it"
    if _plain(name) in RESERVED:
        return "has no scores, by its name: remove or rename it, or say topic= or system="
    return ""


def _plain(name: str) -> str:
    """A name of a column in lower case, without blanks, points, _ and -."""
    return re.sub(r"[\s_.-]", "", name).lower()


def matrix_of(table: pd.DataFrame, names: dict[str, str], source: Source) -> pd.DataFrame:
    """The matrix of a table: one column has the scores or, if none is named, each other one."""
    if table.empty:
        source.fail("holds no scores of topics (trec_eval and ir_measures print them by -q)")
    if not table.columns.is_unique:
        source.fail(f"the column {_shown(table.columns[table.columns.duplicated()])} appears twice")
    ids = {role: name for role, name in names.items() if role != "value"}
    keys = {role: _ids(table[name], name, source) for role, name in ids.items()}
    scores = [name for name in table.columns if name not in names.values()]
    named_by = "metric" if "system" in names else "system"
    if "value" in names:
        scores = [names["value"]]
        named_by = "column"
    parts = []
    for name in scores:
        known = {"metric": "", "system": source.system, "column": name, named_by: name}
        part = {**known, **keys, "score": texts_of(table[name])}
        parts.append(pd.DataFrame(part, table.index))
    if not parts:
        source.fail("has no column of scores: say value=")
    cells = pd.concat(parts)
    return matrix(cells.assign(metric=cells["metric"].map(our_name)), source)


def _ids(values: pd.Series, name: str, source: Source) -> pd.Series:
    """The ids of a column; refused if pandas has made them other numbers than they were."""
    texts = texts_of(values)
    are_floats = values.map(lambda value: isinstance(value, float)) & (texts != "")
    if are_floats.any():
        source.fail(f"the ids in {name!r:.40} are floats: make them text, by dtype=str")
    return texts


def long_form(scores: pd.DataFrame) -> pd.DataFrame:
    """Scores as a table of four columns, or three: a score a row."""
    levels = list(range(scores.columns.nlevels))
    stacked: Any = scores.stack(levels, future_stack=True)
    return stacked.rename("score").reset_index()


def scores_of_frame(table: pd.DataFrame, said: Said, source: Source) -> pd.DataFrame:
    """The matrix of a DataFrame, whose index counts if it has a name."""
    has_topics = list(table.index.names) != [None]
    if table.columns.nlevels > 1 or (table.columns.name == "system" and has_topics):
        table = long_form(table)
    elif has_topics:
        table = table.reset_index(allow_duplicates=True)
    return scores_of_table(table.rename(columns=str), said, source)
