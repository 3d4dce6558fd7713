"""Tables of scores: what each column holds, by its name; and the score matrix that they make.

A table is a DataFrame of what stands in a file, whose index has the numbers of lines. It becomes
cells, a score a row (topic, system, metric, score, and the column where the score stands, all as
text), and these a matrix.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
import pandas as pd

from irstd._base.messages import listed
from irstd.metrics.names import is_measure, our_name

COLUMNS = {  # by argument of `read_scores`: the names that need not be said
    "topic": ("topic", "query_id", "qid"),
    "system": ("system", "run", "run_id", "tag"),
    "metric": ("metric", "measure"),
    "value": ("score", "value"),
}
# What holds no scores, as `_plain` has it.
SYSTEMS = (
    "system systems systemid systemname run runs runid runname tag model modelname method".split()
)
RESERVED = [
    *"topic topics topicid query queries queryid qid qno q question questionid id index".split(),
    *"name metric metrics measure score scores value fold seed rank".split(),
    *SYSTEMS,
    "",
]
SUMS = (
    "all amean average avg count gmap gmean macro map max maximum mean median micro min minimum"
    " mittelwert overall sd std stdev sum summary total var variance"
).split()
WORDS = {"average", "avg", "macro", "mean", "micro"}  # at the beginning or end of what sums up
MISSING = ("", "-", "\u2013", "\u2014", "na", "n/a", "nan", "null")
# Python reads 1_000, 0x1 and the digits of all scripts as numbers, other tools do not.
NUMBER = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
IS_METRIC = "is a metric: say system=, or add a column 'system'; if it is a system, rename it"
# What is wrong with a cell; the first such one is named.
NO_TOPIC = "{topic!r:.40} sums up topics, is none: remove it"
NO_NAME = "a score without the name of its topic or system"
SECOND = "a second score of topic {topic:.40}: {system:.40} {metric}"
NO_NUMBER = (
    "{score!r:.40} in {column!r:.40} is not a finite number; give 1 and 0 for True and False;"
    " say system={column!r:.40} if that names systems, else remove it"
)
LONGEST = 170  # letters of a message beside the file and the line

Said = dict[str, str | None]  # the name of a column by argument


@dataclass(frozen=True)
class Source:
    """Where scores come from."""

    name: str
    mark: str = ", row "  # between the name and the number of a line, in messages
    system: str = "run"  # the name of the system, where there is none

    def fail(self, problem: str, line: object = None) -> NoReturn:
        """Raise what is wrong and what to give; the end is cut off if that is long."""
        place = "" if line is None else f"{self.mark}{line}"
        raise ValueError(f"{self.name}{place}: {problem[:LONGEST]}")


def scores_of_table(table: pd.DataFrame, said: Said, source: Source) -> pd.DataFrame:
    """The matrix of a table, columns (metric, system)."""
    names = _columns(table, said, source)
    others = table.columns.difference(list(names.values()), sort=False)
    if "value" in names:
        if len(others) and said["value"] is None:
            advice = f"system= if it names systems; else remove it, or say value={names['value']!r}"
            source.fail(f"beside {names['value']!r} stands {shown(others)}: say {advice}")
    elif "metric" in names:
        source.fail("no column of scores beside that of metrics: say value=")
    else:
        for name in others:
            reason = why_no_scores(name, "system" not in names)
            if reason:
                source.fail(f"the column {name!r:.40} {reason}")
    scores = matrix_of(table, names, source)
    if len(names) < len(COLUMNS) and len(scores) == len(table):
        for role in ("system", "metric"):  # or are they the scores of a system called run?
            is_found = role in names and said[role] is None
            if is_found and are_numbers(texts_of(table[names[role]])).all():
                column = f"{names[role]!r}: say {role}= if they are names, else rename"
                source.fail(f"numbers in {column}")
    return scores


def _columns(table: pd.DataFrame, said: Said, source: Source) -> dict[str, str]:
    """The name of the column of topics, and those of systems, metrics and scores if there are."""
    there = f"; found: {shown(table.columns)}"
    names: dict[str, str] = {}
    for role, known in COLUMNS.items():
        found: list[Any] = [said[role]]
        if said[role] is None:
            found = [name for name in known if name in table]
        if len(found) > 1:
            source.fail(f"which one is it: {listed(found)}? Say {role}=, and remove the other")
        for name in found:
            if name not in table:
                source.fail(f"has no column {name!r:.40}, as {role}= says{there}")
            names[role] = name
    if "topic" not in names:
        source.fail(f"no column of topics ({listed(COLUMNS['topic'])}): say topic={there}")
    if _plain(names["topic"]) in SYSTEMS:
        column = f"{names['topic']!r:.40}"
        source.fail(f"{column} names systems: a row a topic is .set_index({column}).T of the table")
    if len(set(names.values())) < len(names):
        source.fail(f"one column cannot be two things: {names}")
    return names


def shown(names: Iterable[str]) -> str:
    """Some columns, as part of a message."""
    return listed(f"{name!r:.20}" for name in names)


def why_no_scores(name: str, is_wide: bool = True) -> str:
    """Why a column of this name has no scores of a system or, if not, metric; no text if it has."""
    if is_measure(name):
        return IS_METRIC if is_wide else ""
    if is_sum(name) or _plain(name) in RESERVED or re.fullmatch(r"Unnamed: \d+", name):
        return "has no scores, by its name: remove or rename it, or say topic= or system="
    return ""


def _plain(name: str) -> str:
    """A name of a column in lower case, without blanks, points, _ and -."""
    return re.sub(r"[\s_.-]", "", name).lower()


def is_sum(name: str, is_last: bool = False) -> bool:
    """Whether a row or column of this name sums up the others: ``all``, ``Avg. (6)``.

    A last row does so by a word, too, which elsewhere may be that of a query.
    """
    words = re.findall(r"[^\W_]+", name.partition("(")[0].lower())
    by_word = is_last and not WORDS.isdisjoint(words[:1] + words[-1:])
    return by_word or (len(words) == 1 and words[0] in SUMS)


def matrix_of(table: pd.DataFrame, names: dict[str, str], source: Source) -> pd.DataFrame:
    """The matrix of a table: one column has the scores or, if none is named, each other one."""
    if table.empty:
        source.fail("holds no scores of topics (trec_eval and ir_measures print them by -q)")
    cells = _cells(table, names, source)
    topics = cells["topic"].unique().tolist()
    sums = [topic for topic in topics if is_sum(topic, topic == topics[-1])]
    texts = cells["score"]
    cells["number"] = texts.where(texts.str.fullmatch(NUMBER), "nan").astype(float)
    keys = ["metric", "system"]
    problems = {
        NO_TOPIC: cells["topic"].isin(sums),
        NO_NAME: (cells["topic"] == "") | (cells["system"] == ""),
        NO_NUMBER: ~are_numbers(texts) | np.isinf(cells["number"]),
        SECOND: cells.duplicated([*keys, "topic"]),
    }
    for problem, is_wrong in problems.items():
        if is_wrong.any():
            first = cells.loc[is_wrong.to_numpy()].iloc[0]
            source.fail(problem.format_map(first).rstrip(), first.name)
    columns = pd.MultiIndex.from_frame(cells[keys].drop_duplicates().astype(str))
    matrix = cells.pivot(index="topic", columns=keys, values="number").loc[topics, columns]
    return pd.DataFrame(matrix.to_numpy(), pd.Index(topics, name="topic"), columns)


def _cells(table: pd.DataFrame, names: dict[str, str], source: Source) -> pd.DataFrame:
    """The cells of a table: a score a row."""
    if not table.columns.is_unique:
        source.fail(f"the column {shown(table.columns[table.columns.duplicated()])} appears twice")
    part: dict[str, Any] = {"metric": "", "system": source.system}
    for role, name in names.items():
        texts = texts_of(table[name])
        is_float = table[name].map(lambda value: isinstance(value, float)) & (texts != "")
        if role != "value" and is_float.any():  # pandas has made them other numbers
            source.fail(f"the ids in {name!r:.40} are floats: make them text, by dtype=str")
        part[role] = texts
    scores = table.columns.difference(list(names.values()), sort=False)
    if "value" in names:
        scores = pd.Index([names["value"]])
    if scores.empty:
        source.fail("has no column of scores: say value=")
    parts = []
    for name in scores:
        if "value" not in names:
            part["metric" if "system" in names else "system"] = name
        parts.append(pd.DataFrame({**part, "column": name, "score": texts_of(table[name])}))
    cells = pd.concat(parts)
    return cells.assign(metric=cells["metric"].map(our_name))


def texts_of(values: pd.Series) -> pd.Series:
    """A column as text, which gives back each number to the last bit; no text where it is missing.

    Blanks around a text are no part of it.
    """
    return values.astype(object).map(_text).astype(object)


def _text(value: Any) -> str:
    if pd.api.types.is_scalar(value) and pd.isna(value):  # a list may stand beside scores
        return ""
    if isinstance(value, np.floating):
        value = float(value)
    return str(value).strip(" \t")


def are_numbers(texts: pd.Series) -> pd.Series:
    """Whether each text is a number, or says that there is none."""
    return texts.str.fullmatch(NUMBER) | texts.str.lower().isin(MISSING)


def long_form(scores: pd.DataFrame) -> pd.DataFrame:
    """Scores as a table of four columns, or three: a score a row."""
    levels = list(range(scores.columns.nlevels))
    stacked: Any = scores.stack(levels, future_stack=True)
    return stacked.rename("score").reset_index()
