"""Layouts of tables of scores: whatever stands where, brought to one score per row, then a matrix.

Cells are a DataFrame with the columns metric, system, topic, score (text) and line.
"""

from __future__ import annotations

import re
from typing import NamedTuple, NoReturn

import numpy as np
import pandas as pd

from irstd._checks import listed, warn
from irstd.trec._files import show
from irstd.trec._measures import from_either, from_trec_eval, is_measure

ROLES = {
    "topic": ("topic", "topics", "topicid", "queryid", "query", "qid", ""),
    "system": ("system", "systemid", "run", "runid", "tag"),
    "metric": ("metric", "measure"),
    "score": ("score", "value"),
}
MISSING = ("", "na", "n/a", "nan", "null")
SUMMARIES = ("all", "amean", "average", "avg", "mean", "overall")
# Python reads 1_000, 0x1 and the digits of all scripts as numbers, other tools do not.
NUMBER = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"


class Source(NamedTuple):
    """Where a table comes from, and what its system is called if it does not say."""

    name: str
    mark: str = ", row "
    system: str = "run"

    def fail(self, problem: str, line: object = None) -> NoReturn:
        place = "" if line is None else f"{self.mark}{line}"
        raise ValueError(f"{self.name}{place}: {problem}")


def header_role(name: str) -> str | None:
    """What a column of this name holds in a long table."""
    key = re.sub(r"[\s_.-]", "", name).lower()
    return next((role for role, names in ROLES.items() if key in names), None)


def are_numbers(texts: pd.Series) -> pd.Series:
    """Which texts are a number, or a missing one."""
    return texts.str.fullmatch(NUMBER) | texts.str.lower().isin(MISSING)


def texts(table: pd.DataFrame) -> pd.DataFrame:
    """A table with its values and names as text, which gives back each number to the last bit."""
    doubles = table.select_dtypes(["float32", "float16"]).columns
    table = table.astype(dict.fromkeys(doubles, float))
    table = table.map(lambda value: "" if pd.isna(value) else str(value))
    return table.astype(object).set_axis([str(name) for name in table.columns], axis=1)


def cells_of_table(
    table: pd.DataFrame, source: Source, topic_column: str | bool | None = None
) -> pd.DataFrame:
    """The scores of a table of texts, whose index has the numbers of the lines."""
    twice = table.columns[table.columns.duplicated()]
    if len(twice):
        source.fail(f"the column {twice[0]!r} appears twice")
    roles = _roles(table, source, topic_column)
    others = [name for name in table if name not in roles.values()]

    def holds_text(role: str) -> bool:
        return role in roles and not are_numbers(table[roles[role]]).all()

    long = {"topic", "score"} <= roles.keys() and not others
    # ir_measures has more columns of some measures, beside the value
    if (roles.keys() >= {"topic", "score"} and holds_text("metric")) or (
        long and "system" in roles
    ):
        cells = table[list(roles.values())].set_axis(list(roles), axis=1)
        if "metric" in cells:
            theirs = "measure" in roles["metric"].lower()
            cells["metric"] = cells["metric"].map(from_either if theirs else from_trec_eval)
        return cells.assign(line=table.index)
    if "topic" in roles and holds_text("system"):
        keys = [roles["topic"], roles["system"]]
        metrics = table.columns.drop(keys)
        if metrics.empty:
            source.fail("has topics and systems, but no scores", 1)
        ids = {"topic": table[keys[0]], "system": table[keys[1]]}
        return melted(table[metrics], ids, {"metric": metrics.map(from_trec_eval)})
    return _wide(table, source, topic_column)


def _roles(table: pd.DataFrame, source: Source, topic_column: str | bool | None) -> dict[str, str]:
    """The column of each role, by their names."""
    roles: dict[str, str] = {}
    for place, name in enumerate(map(str, table.columns)):
        role = header_role(name)
        if role and (name or not place):
            roles.setdefault(role, name)
    if "name" in table and {"topic", "metric", "score"} == roles.keys():
        roles["system"] = "name"  # as PyTerrier says
    if isinstance(topic_column, str):
        if topic_column not in table:
            source.fail(
                f"has no column {topic_column!r}; its columns are {listed(table.columns, 10)}"
            )
        roles = {role: name for role, name in roles.items() if name != topic_column}
        roles["topic"] = topic_column
    elif topic_column is False:
        roles.pop("topic", None)
    return roles


def _wide(table: pd.DataFrame, source: Source, topic_column: str | bool | None) -> pd.DataFrame:
    column = _topic_column(table, source, topic_column)
    if column is None:
        topics = pd.Series(map(str, range(1, len(table) + 1)), table.index)
    else:
        topics = table[column]
        table = table.drop(columns=column)
    names = table.columns
    if not len(names) or (names == "").any():
        source.fail("has a column without a name" if len(names) else "has no scores", 1)
    headed = column is not None and header_role(column) == "topic"
    if not headed and are_numbers(names.to_series()).all():
        source.fail(f"expected the names of the systems, found {listed(names)}", 1)
    return melted(table, {"topic": topics}, {"system": names})


def _topic_column(
    table: pd.DataFrame, source: Source, topic_column: str | bool | None
) -> str | None:
    if topic_column is not None:
        return topic_column if isinstance(topic_column, str) else None
    first, *others = map(str, table.columns)
    held = table[first]
    if header_role(first) == "topic":
        return first
    named = [name for name in others if name and header_role(name) == "topic"]
    text = not are_numbers(held).all()
    if text and (named or header_role(first) == "system"):
        source.fail(
            f"the first column, {first!r}, seems to hold systems; expected one line per topic, or"
            " columns topic, system, score: say which column holds the topics by topic_column",
            1,
        )
    if text:
        return first
    if named:
        return named[0]
    if held.is_unique and len(held) > 1 and held.str.fullmatch("[0-9]+").all():
        source.fail(
            f"is the first column, {first!r}, a system or the topics? It holds {listed(held)}; say"
            f" topic_column={first!r}, or topic_column=False"
        )
    return None


def melted(table: pd.DataFrame, rows: dict, columns: dict) -> pd.DataFrame:
    """One row per cell of a table, with what names its row and what names its column."""
    height, width = table.shape
    cells = {name: np.repeat(np.asarray(ids, object), width) for name, ids in rows.items()}
    cells |= {name: np.tile(np.asarray(ids, object), height) for name, ids in columns.items()}
    cells["score"] = table.to_numpy(object).ravel()
    return pd.DataFrame(cells | {"line": np.repeat(np.asarray(table.index), width)})


def cells_of_scores(scores: pd.DataFrame) -> pd.DataFrame:
    """The scores of a checked matrix, or of several, as numbers."""
    columns = {"system": scores.columns.get_level_values("system")}
    if scores.columns.nlevels > 1:
        columns = {"metric": scores.columns.get_level_values("metric")} | columns
    return melted(scores, {"topic": scores.index}, columns)


def cells_of_named(table: pd.DataFrame, source: Source) -> pd.DataFrame:
    """The scores of a table whose first column has the topics, whatever it is called."""
    if len(table.columns) < 2:
        source.fail("has topics, but no scores", 1)
    return melted(table.iloc[:, 1:], {"topic": table.iloc[:, 0]}, {"system": table.columns[1:]})


def cells_of_pairs(table: pd.DataFrame) -> pd.DataFrame | None:
    """The scores of a table below two lines of names, metric and system, if it is one."""
    above, below, *rest = table.itertuples(index=False, name=None)
    named = rest and header_role(rest[0][0]) == "topic" and not any(rest[0][1:])
    roles = [header_role(line[0]) for line in (above, below)]
    if not named and sorted(map(str, roles)) != ["metric", "system"]:
        return None
    if roles[0] == "system":
        above, below = below, above
    body = table.iloc[3 if named else 2 :]
    pairs = {"metric": [from_trec_eval(name) for name in above[1:]], "system": below[1:]}
    return melted(body.iloc[:, 1:], {"topic": body.iloc[:, 0]}, pairs)


def is_records(line: str) -> bool:
    """Whether the first line of a file is a score already, as trec_eval and ir_measures print."""
    words = line.split()
    if len(words) not in (3, 4) or re.search('[,;"]', words[0]) or header_role(words[0]) == "topic":
        return False
    number = re.fullmatch(NUMBER, words[-1]) or words[-1].lower() in MISSING
    of_trec_eval = from_trec_eval(words[0]) != words[0] or words[0] in ("runid", "relstring")
    return bool(number or of_trec_eval)


def cells_of_records(lines: list[tuple[int, str]], source: Source) -> pd.DataFrame:
    """The scores in lines ``measure topic score``, ``topic measure score``, or of a run before."""
    words = lines[0][1].split()
    names = ["system"] * (len(words) == 4 and words[0] != "runid") + ["first", "second", "score"]
    rows = [[*line.split(maxsplit=len(names) - 1), number] for number, line in lines]
    for *fields, number in rows:
        if len(fields) != len(names):
            expected = " ".join(names).replace("first second", "measure topic")
            source.fail(
                f"expected {len(names)} columns ({expected}), found {len(fields)}:"
                f" {show(' '.join(map(str, fields)).encode())}",
                number,
            )
    cells = pd.DataFrame(rows, columns=[*names, "line"], dtype=object)
    metric, topic = _measure_and_topic(cells, source)
    cells = cells.rename(columns={metric: "metric", topic: "topic"})
    told = cells["score"].where((cells["metric"] == "runid") & (cells["topic"] == "all"))
    if "system" not in cells:  # trec_eval tells it after the scores, in the summary
        cells["system"] = told.bfill().fillna(source.system)
    left_out = (cells["topic"] == "all") | cells["metric"].str.startswith("relstring")
    if left_out.all():
        only = f" (only the summary of {told.dropna().iloc[-1]})" if told.notna().any() else ""
        source.fail(f"holds no per-topic scores{only}; run trec_eval or ir_measures with -q")
    cells = cells[~left_out]
    return cells.assign(metric=cells["metric"].map(from_either))


def _measure_and_topic(cells: pd.DataFrame, source: Source) -> tuple[str, str]:
    """Which of the columns first and second has the measures: of trec_eval it is the first."""
    words = {name: cells[name].unique().tolist() for name in ("first", "second")}

    def are_known(name: str) -> bool:
        return 2 * sum(map(is_measure, words[name])) > len(words[name])

    # judgments have four columns, too, or three: what is no measure may be a document
    summed = [name for name in words if "all" in words[name]] if "system" not in cells else []
    known = [name for name in words if are_known(name)]
    if len(known) == 1:
        return ("first", "second") if known[0] == "first" else ("second", "first")
    if len(summed) == 1:
        return ("second", "first") if summed[0] == "first" else ("first", "second")
    found = listed(words["first"], 2), listed(words["second"], 2)
    source.fail(
        f"which are the measures, which the topics: {found[0]} or {found[1]}? Write a first line"
        " with the names of the columns, such as measure, topic, score",
        cells["line"].iloc[0],
    )


def without_summaries(cells: pd.DataFrame, source: Source) -> pd.DataFrame:
    """Cells of topics; rows that sum up the others are left out, and that is said."""
    summed = cells["topic"].str.lower().isin(SUMMARIES)
    if not summed.any():
        return cells
    found = listed(map(repr, cells["topic"][summed].unique()))
    if summed.all():
        source.fail(f"holds no topics, only {found}")
    warn(f"{source.name}: {found} sums up the topics and is none of them: left out")
    return cells[~summed]


def pivot(cells: pd.DataFrame, source: Source) -> pd.DataFrame:
    """A matrix of cells: one row per topic, columns (metric, system)."""
    if cells.empty:
        source.fail("holds no scores of topics")
    if "system" not in cells:
        cells = cells.assign(system=source.system)
    if "metric" not in cells:
        cells = cells.assign(metric="")
    cells = without_summaries(cells, source)
    texts = cells["score"].str.strip(" \t")
    missing = texts.str.lower().isin(MISSING)
    fine = texts.str.fullmatch(NUMBER)
    values = np.array(texts.where(fine, "nan").tolist(), dtype=float)
    wrong = ~missing.to_numpy(bool) & ~np.isfinite(values)
    if wrong.any():
        cell = cells.iloc[int(wrong.argmax())]
        source.fail(f"{show(cell['score'].encode())} is not a finite number", cell["line"])
    twice = cells.duplicated(["metric", "system", "topic"]).to_numpy()
    if twice.any():
        cell = cells.iloc[int(twice.argmax())]
        source.fail(
            f"a second score of {' '.join(cell[['metric', 'system']]).strip()} on topic"
            f" {cell['topic']}",
            cell["line"],
        )
    matrix = cells.assign(score=values).pivot(
        index="topic", columns=["metric", "system"], values="score"
    )
    columns = list(dict.fromkeys(zip(cells["metric"], cells["system"], strict=True)))
    return pd.DataFrame(
        matrix.loc[cells["topic"].unique(), columns].to_numpy(),
        pd.Index(cells["topic"].unique().tolist(), name="topic"),
        pd.MultiIndex.from_tuples(columns, names=["metric", "system"]),
    )
