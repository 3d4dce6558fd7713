"""Score tables: roles of columns, and conversion to a score matrix.

A table is a DataFrame of text or numbers, whose index has the numbers of lines or rows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from reprlib import repr as quote  # shortens long texts
from typing import Any, NoReturn

import numpy as np
import pandas as pd

from irstd._base.arguments import normalize_word
from irstd._base.matrix import is_summary, split_by_metric, warn_of_systems_in_rows
from irstd._base.messages import listed
from irstd.metrics.names import is_metric_name, translate_name

COLUMNS = {  # default names by argument of `read_scores`
    "topic": ("topic", "query_id", "qid"),
    "system": ("system", "run", "run_id", "tag"),
    "metric": ("metric", "measure"),
    "value": ("score", "value"),
}
# Names of columns without scores, as `normalize_word` has them.
SYSTEMS = (
    "system systems systemid systemname run runs runid runname tag model modelname method name"
).split()
RESERVED = [
    *"topic topics topicid query queries queryid qid qno q question questionid id index".split(),
    *"metric metrics measure measures score scores value fold seed rank row no n i #".split(),
    *SYSTEMS,
    "",
]
ROLES = ("topic", "system", "metric")  # of columns of names
FEW = 5  # rows; one of them can be the mean of the others by chance
MISSING = ("", "-", "\u2013", "\u2014", "na", "n/a", "nan", "null")
# Python reads 1_000, 0x1 and the digits of all scripts as numbers, other tools do not.
NUMBER = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
ADVICE = {  # by the form of a cell that is no number
    r"(?i)true|false": "give 1 and 0 for True and False",
    r".*%": "give percent divided by 100, without the sign",
    r".*\d\s*(\u00b1|\+/?-).*": "give the score alone, without its interval",
    r"[+-]?\d[\d.]*,[\d.,]*": "give a decimal point, and no commas",
    r"[+-]?\d+_[\d_.]*": "give the digits without _",
    r"(?i)#?n[./]?a\.?|-+|none|missing|\?+": "leave the cell empty if the score is missing",
    r"[-+]?\d[\d.]*[eE].*": "it is too large, or not a number",
    r"\u2212.*": "write the minus as -",
    r"[<>~\u2248].*": "give the score itself, not a bound",
    NUMBER + r"\s+[^\W\d]+": "give numbers without unit, or remove the column if it has no scores",
    NUMBER: "it is too large",
    r"[^\w.+-]*"
    + NUMBER
    + r"\s*[^\d\s]{0,9}": "give the number alone, without marks such as those of significance",
    r"(?s)[{\[].*": "give one number per cell",
    r"(?s).*": "pass system={column} if the column names systems, else correct or remove it",
}

GivenNames = dict[str, str | None]  # the name of a column by argument


@dataclass(frozen=True)
class Source:
    """Origin of a score table, for messages."""

    name: str
    mark: str = ", row "  # between the name and the number of a line
    system: str = "run"  # name of a system without a name
    metric: str = ""  # of scores whose metric has no column

    def fail(self, problem: str, line: object = None) -> NoReturn:
        """Raise ValueError with the origin and line of a problem."""
        place = "" if line is None else f"{self.mark}{line}"
        raise ValueError(f"{self.name}{place}: {problem}")


def convert_table(table: pd.DataFrame, given: GivenNames, source: Source) -> pd.DataFrame:
    """Convert a table to a score matrix with columns (metric, system)."""
    for name in table.columns[table.columns.duplicated()]:
        source.fail(
            f"the column {quote(name)} appears twice; if there are two header lines, give"
            " pd.read_csv(path, header=[0, 1], index_col=0)"
        )
    names = _find_columns(table, given, source)
    _check_roles(table, names, given, source)
    for name in table.columns.drop([*names.values()]):
        problem = _explain_unclear_column(table[name], names, given)
        if problem:
            source.fail(f"the column {quote(name)} {problem}")
    scores = to_score_matrix(table, names, source)
    if given["topic"] is not None and len(names) == 1:
        warn_of_systems_in_rows(scores.droplevel("metric", axis=1), source.name)
    return scores


def _find_columns(table: pd.DataFrame, given: GivenNames, source: Source) -> dict[str, str]:
    """Return the columns of topics, systems, metrics and scores, by role."""
    columns_found = f"; found: {listed(map(quote, table.columns), 3)}"
    names = {}
    for role, default_names in COLUMNS.items():
        candidates = [name for name in default_names if name in table]
        if given[role] is not None:
            candidates = [str(given[role]).strip(" \t")]
        if len(candidates) > 1:
            source.fail(
                f"{listed(candidates)} may each be the column of the {role}: pass {role}= with one,"
                " and remove the others"
            )
        for name in candidates:
            if name not in table:
                source.fail(f"{role}={quote(name)} does not name a column{columns_found}")
            names[role] = name
    if "topic" not in names:
        advice = "give scores by topic with a header, or pass the topic column as topic="
        if len(table.columns) > 1 and table.columns[1:].str.fullmatch("[0-9]+").all():
            advice = (
                "if rows are systems, give pd.read_csv(path, index_col=0).T.rename_axis('topic');"
                " else pass topic="
            )
        expected = " or ".join(COLUMNS["topic"])
        source.fail(f"no column called {expected}: {advice}{columns_found}")
    return names


def _check_roles(
    table: pd.DataFrame, names: dict[str, str], given: GivenNames, source: Source
) -> None:
    """Raise if columns cannot have the roles that their names or arguments say."""
    if normalize_word(names["topic"]) in SYSTEMS:
        column = quote(names["topic"])
        source.fail(
            f"the column {column} names systems, not topics: give the frame's"
            f" .set_index({column}).T"
        )
    if len(set(names.values())) < len(names):
        source.fail(f"one column has two roles: {names}; name another column")
    if "value" in names:
        return
    if "metric" in names:
        source.fail("has a column of metrics, but none of scores: pass the score column as value=")
    if "system" in names and given["system"] is None and table[names["topic"]].is_unique:
        numbers, is_text = parse_numbers(table[names["system"]])
        if np.isfinite(numbers).any() and not is_text.any():  # scores of a system called run?
            source.fail(
                f"the column {quote(names['system'])} has numbers: pass system= if they are names,"
                " else rename the column"
            )


def _explain_unclear_column(column: pd.Series, names: dict[str, str], given: GivenNames) -> str:
    """Return why the role of a column is unclear, or ""."""
    name = str(column.name)
    if "value" not in names:
        return explain_no_scores(name, "system" not in names)
    if given["value"] is None:
        if name.startswith("doc"):
            return "belongs to a run or qrels: evaluate(runs, qrels) computes scores"
        value = repr(names["value"])
        return f"has no role: pass system={name!r} if it names systems, value={value} if not"
    may_name = given["system"] is None and normalize_word(name) in SYSTEMS
    if may_name or ("system" not in names and parse_numbers(column)[1].any()):
        return f"may name systems: pass system={name!r}, or remove it"
    return ""


def explain_no_scores(name: str, is_wide: bool = True) -> str:
    """Return why a column of this name cannot hold scores, or ""."""
    if is_metric_name(name):
        advice = (
            "has a metric's name: pass system=, or add a column 'system' (Factors.from_csv reads"
            " factors)"
        )
        return advice if is_wide else ""
    if is_summary(name) or normalize_word(name) in RESERVED or re.fullmatch(r"Unnamed: \d+", name):
        return "has a name that no system can have: remove or rename it, or pass topic= or system="
    return ""


def to_score_matrix(table: pd.DataFrame, names: dict[str, str], source: Source) -> pd.DataFrame:
    """Convert a table with known column roles to a score matrix.

    Topics, metrics and systems are in order of first appearance. `names` has columns by role; if it
    has no column of scores, all other columns hold scores.
    """
    cells: Any = _make_long_table(table, names, source)
    if cells.empty:
        source.fail("has no scores by topic (trec_eval and ir_measures print them with -q)")
    topics = cells["topic"]
    headers = cells[topics == names["topic"]]
    is_repeated = headers["value"].astype(object).map(_format_cell) == headers["column"]
    if is_repeated.any():
        source.fail("repeats the header: remove it", is_repeated.idxmax())
    labels = ["topic", "metric", "system"]
    scores, is_wrong = parse_numbers(cells["value"])
    problems = {
        "{topic} is a summary row, not a topic: remove it": (
            topics.isin(filter(is_summary, topics.cat.categories))
        ),
        "a score lacks the name of its topic or system: complete or remove the line": (
            (topics == "") | (cells["system"] == "")
        ),
        "{value} in {column} is not a finite number: {advice}": is_wrong,
    }
    for problem, is_there in problems.items():
        if is_there.any():
            _refuse_cell(problem, cells.iloc[np.argmax(is_there)], source)
    try:
        matrix = cells.assign(value=scores).pivot(index="topic", columns=labels[1:], values="value")
    except ValueError:  # looking for repeated cells takes as long as `pivot`
        repeated = cells[cells.duplicated(labels)].iloc[0]
        _refuse_cell("a second score of {system} on topic {topic}: remove one", repeated, source)
    matrix.index = matrix.index.astype(str)
    matrix.columns = pd.MultiIndex.from_tuples(matrix.columns, names=labels[1:])
    return matrix


def _refuse_cell(problem: str, cell: pd.Series, source: Source) -> NoReturn:
    """Raise ValueError with the problem of a cell."""
    texts = cell.map(_format_cell)
    advice = next(ADVICE[form] for form in ADVICE if re.fullmatch(form, texts["value"]))
    message = problem.replace("{advice}", advice).format(**texts.map(quote))
    source.fail(message, cell.name)


def _make_long_table(table: pd.DataFrame, names: dict[str, str], source: Source) -> pd.DataFrame:
    """Return one row per score: topic, system, metric (categories), column and value."""
    roles = [role for role in ROLES if role in names]
    label_columns = [names[role] for role in roles]
    score_columns = [names["value"]] if "value" in names else None  # None for all others
    cells = table.melt(label_columns, score_columns, 0, 1, ignore_index=False)
    cells.columns = [*roles, "column", "value"]
    defaults: dict[str, Any] = {"system": source.system, "metric": source.metric}
    if "value" not in names:
        defaults["metric" if "system" in names else "system"] = cells["column"]
    elif is_metric_name(names["value"]):
        defaults["metric"] = names["value"]
    for role in ROLES:
        if role not in cells:
            cells[role] = defaults[role]
        codes, values = pd.factorize(cells[role], use_na_sentinel=False)
        if any(pd.api.types.is_float(value) and not np.isnan(value) for value in values):
            source.fail(
                f"the ids in {quote(names[role])} are floats: read them as text, with dtype=str"
            )
        texts = [_format_cell(value) for value in values]
        if role == "metric":
            texts = [translate_name(text) for text in texts]
        cells[role] = pd.Categorical(texts, list(dict.fromkeys(texts))).take(codes)
    return cells


def parse_numbers(column: pd.Series) -> tuple[np.ndarray, np.ndarray]:
    """Convert cells to scores, and flag cells that are not numbers."""
    if column.dtype.kind in "iuf":
        scores = column.to_numpy(float, na_value=np.nan)
        return scores, np.isinf(scores)
    if not isinstance(column.dtype, pd.StringDtype):
        column = column.astype(object).map(_format_cell).astype("str")
    try:  # nearly always all are finite numbers
        scores = column.astype("double[pyarrow]").to_numpy(float, na_value=np.nan)
        if np.isfinite(scores).all():
            return scores, np.zeros(len(scores), dtype=bool)
    except ValueError:
        pass
    texts = column.str.strip(" \t").fillna("")
    is_number = texts.str.fullmatch(NUMBER)
    scores = texts.where(is_number).astype("double[pyarrow]").to_numpy(float, na_value=np.nan)
    is_missing = texts.str.lower().isin(MISSING)
    return scores, ~(is_number | is_missing).to_numpy() | np.isinf(scores)


def _format_cell(value: Any) -> str:
    """Convert a cell to text, exact to the last bit, or "" if it is missing."""
    if pd.api.types.is_scalar(value) and pd.isna(value):  # a cell may hold a list
        return ""
    if isinstance(value, np.floating):
        value = float(value)
    return str(value).strip(" \t")


def refuse_summaries(scores: pd.DataFrame, source: Source) -> None:
    """Raise if a topic or system is the mean, sum or sd of the others."""
    _refuse_summary(scores, source)
    for part in split_by_metric(scores).values():
        _refuse_summary(part.T, source)


def _refuse_summary(scores: pd.DataFrame, source: Source) -> None:
    """Raise if a row is the mean, sum or sd of the others.

    It must agree in 4 printed digits if it is the last row, in 6 if it is the first or the last but
    one (which may summarize those before it), in 8 elsewhere and in tables of fewer than six rows,
    where topics with a digit in their names are skipped.
    """
    scores = scores.iloc[:, :20]
    noun = scores.index.name
    digits = _count_matching_digits(scores)
    enough = np.full(len(scores), 8.0)
    if noun == "topic":
        enough[scores.index.str.contains("[0-9]")] = np.inf
    if len(scores) > FEW:
        enough[[0, -2, -1]] = 6, 6, 4
        digits[-2] = max(digits[-2], _count_matching_digits(scores[:-1])[-1])
    for label in scores.index[digits >= enough]:
        source.fail(
            f"the {noun} {quote(label)} looks like the mean, sum or sd of the others: remove it, or"
            f" if it is a {noun}, give more digits"
        )


def _count_matching_digits(scores: pd.DataFrame) -> np.ndarray:
    """Count the digits in which each row equals a statistic of all other rows."""
    rows = scores.to_numpy()
    decimals = 1 + sum((rows.round(fewer) != rows).any(axis=1) for fewer in range(1, 12))
    rounding = (0.5 * 10.0**-decimals + 1e-9)[:, None]
    others = scores.count().to_numpy() - 1
    residuals = rows - scores.mean().to_numpy()
    squares = residuals**2
    with np.errstate(all="ignore"):  # of columns with one score
        sums_of_squares = np.nansum(squares, axis=0) - squares - squares / others
        sds = [(sums_of_squares / (others - ddof)) ** 0.5 for ddof in (0, 1)]
        means = rows - residuals - residuals / others
    statistics = np.array([means, np.nansum(rows, axis=0) - rows, *sds])
    matches = (abs(rows - statistics) <= rounding).all(axis=2).any(axis=0)
    n_varied = (sds[0] > rounding).sum(axis=1)  # elsewhere any statistic would agree
    return decimals * n_varied * (matches & (decimals > 1))


def to_long_form(scores: pd.DataFrame) -> pd.DataFrame:
    """Return scores in long form: topic, metric if there are several, system, score."""
    levels = list(range(scores.columns.nlevels))
    stacked: Any = scores.stack(levels, future_stack=True)
    return stacked.rename("score").reset_index()
