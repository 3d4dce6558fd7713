"""Tables of scores: roles of their columns, and conversion to a score matrix.

A table is a DataFrame of text or numbers, whose index has the numbers of lines or rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
import pandas as pd

from irstd._base.matrix import by_metric
from irstd._base.messages import listed
from irstd.metrics.names import is_measure, our_name

COLUMNS = {  # default names by argument of `read_scores`
    "topic": ("topic", "query_id", "qid"),
    "system": ("system", "run", "run_id", "tag"),
    "metric": ("metric", "measure"),
    "value": ("score", "value"),
}
# Names of columns without scores, as `_normalize` has them.
SYSTEMS = (
    "system systems systemid systemname run runs runid runname tag model modelname method name"
).split()
RESERVED = [
    *"topic topics topicid query queries queryid qid qno q question questionid id index".split(),
    *"metric metrics measure measures score scores value fold seed rank row no n i #".split(),
    *SYSTEMS,
    "",
]
SUMS = (
    "all amean average avg count delta diff difference durchschnitt gemiddelde gesamt gmap gmean"
    " macro map max maximum mean median micro min minimum mittelwert moyenne overall promedio sd"
    " std stdev stderr sum summary summe total var variance \u00f8 pvalue pval cilow cihigh cilower"
    " ciupper standarddeviation standarderror"
).split()
BESIDE_SUMS = (  # words that may accompany these in the name of a summary
    "topic topics query queries score scores ap ndcg mrr rr of the over row run runs system systems"
).split()
ALLOWED = {*SUMS, *BESIDE_SUMS}
FEW = 5  # rows among which one may be the mean of others by chance
MISSING = ("", "-", "\u2013", "\u2014", "na", "n/a", "nan", "null")
# Python reads 1_000, 0x1 and the digits of all scripts as numbers, other tools do not.
NUMBER = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
ADVICE = {  # by the form of a cell that is no number
    r"(?i)true|false": "give 1 and 0 for True and False",
    r".*%": "give percent divided by 100, without the sign",
    r".*\d\s*(\u00b1|\+/?-).*": "give the score without what follows it",
    r"[+-]?\d[\d.]*,[\d.,]*": "give a decimal point, and no commas",
    r"[+-]?\d+_[\d_.]*": "give the digits without _",
    r"(?i)#?n[./]?a\.?|-+|none|missing|\?+": "leave the cell empty if the score is missing",
    r"[^\w.+-]*" + NUMBER + r"\s*[^\d\s]{0,9}": "give the number without marks, as of significance",
    r"(?s)[{\[].*": "give one number per cell",
}

GivenNames = dict[str, str | None]  # the name of a column by argument


@dataclass(frozen=True)
class Source:
    """Origin of a table, as messages name it."""

    name: str
    mark: str = ", row "  # between the name and the number of a line
    system: str = "run"  # name of a system without a name

    def fail(self, problem: str, line: object = None) -> NoReturn:
        """Raise ValueError with the place of a problem."""
        place = "" if line is None else f"{self.mark}{line}"
        raise ValueError(f"{self.name}{place}: {problem}")


def quoted(text: object, limit: int = 30) -> str:
    """Quote a text, shortened if it is long."""
    text = str(text)
    return repr(text if len(text) <= limit else text[: limit - 3] + "...")


def shown(names: Iterable[str]) -> str:
    """Format the first column names for a message."""
    return listed((quoted(name, 18) for name in names), 4)


def scores_of_table(table: pd.DataFrame, given: GivenNames, source: Source) -> pd.DataFrame:
    """Convert a table to a score matrix with columns (metric, system)."""
    if not table.columns.is_unique:
        repeated = table.columns[table.columns.duplicated()]
        source.fail(f"the column {shown(repeated)} appears twice")
    names = _find_columns(table, given, source)
    others: list[Any] = [name for name in table if name not in names.values()]
    if "value" in names:
        _refuse_left_out(table, names, others, given, source)
    elif "metric" in names:
        source.fail("a column of metrics but none of scores: pass value=")
    else:
        for name in others:
            reason = why_no_scores(name, "system" not in names)
            if reason:
                source.fail(f"the column {quoted(name)} {reason}")
    scores = matrix_of(table, names, source)
    if len(names) < len(COLUMNS) and len(scores) == len(table):
        for role in ("system", "metric"):  # or scores of a system that is called run?
            is_default = role in names and given[role] is None
            if is_default and not numbers_of(table[names[role]])[1].any():
                column = f"{quoted(names[role])}: pass {role}= if they are names, else rename it"
                source.fail(f"numbers in {column}")
    return scores


def _find_columns(table: pd.DataFrame, given: GivenNames, source: Source) -> dict[str, str]:
    """Find the columns of topics, systems, metrics and scores, by role."""
    columns_found = f"; found: {shown(table.columns)}"
    names: dict[str, str] = {}
    for role, known in COLUMNS.items():
        candidates = [name for name in known if name in table]
        if given[role] is not None:
            candidates = [str(given[role]).strip(" \t")]
        if len(candidates) > 1:
            advice = f"pass {role}=, and remove the others"
            source.fail(f"{listed(candidates)} may each be the {role}: {advice}")
        for name in candidates:
            if name not in table:
                source.fail(f"has no column {quoted(name)}, given as {role}={columns_found}")
            names[role] = name
    if "topic" not in names:
        source.fail(f"no column of topics ({listed(COLUMNS['topic'])}): pass topic={columns_found}")
    if _normalize(names["topic"]) in SYSTEMS:
        column = quoted(names["topic"])
        source.fail(f"{column} names systems, not topics: transpose it by .set_index({column}).T")
    if len(set(names.values())) < len(names):
        source.fail(f"one column has two roles: {names}")
    return names


def _refuse_left_out(
    table: pd.DataFrame, names: dict[str, str], others: list[str], given: GivenNames, source: Source
) -> None:
    """Raise if a column without a role may be needed."""
    if others and given["value"] is None:
        advice = f"system= if it names systems; else remove it, or pass value={names['value']!r}"
        if others == [""]:
            advice = "if it has row numbers, remove it, or write the file by to_csv(index=False)"
            source.fail(f"found a column without a name beside {names['value']!r}: {advice}")
        source.fail(f"found {shown(others)} beside {names['value']!r}: pass {advice}")
    for name in others:
        is_text = numbers_of(table[name])[1].any()
        if given["system"] is None and _normalize(name) in SYSTEMS and is_text:
            source.fail(f"{quoted(name)} may name systems: pass system={name!r}, or remove it")


def why_no_scores(name: str, is_wide: bool = True) -> str:
    """Return why a column of this name has no scores; "" if it may have."""
    if is_measure(name):
        advice = "is a metric: pass system=, or add a column 'system'; if it is a system, rename it"
        return advice if is_wide else ""
    if is_summary(name) or _normalize(name) in RESERVED or re.fullmatch(r"Unnamed: \d+", name):
        return "has no scores, by its name: remove or rename it, or pass topic= or system="
    return ""


def _normalize(name: str) -> str:
    """Return a name in lower case, without blanks and punctuation."""
    return re.sub(r"[\s_.-]", "", name).lower()


def is_summary(name: str) -> bool:
    """Return True if this names a summary row or column: ``all``, ``Avg. (6)``."""
    words = re.findall(r"\d{4,}|[A-Z]+(?![^\W\d_A-Z])|[A-Z]?[^\W\d_A-Z]+", name)
    words = [word.lower() for word in words]
    if "".join(words) in SUMS or re.fullmatch(r"\d+ ?%", name):
        return True
    return set(words) <= ALLOWED and not set(words).isdisjoint(SUMS)


def matrix_of(table: pd.DataFrame, names: dict[str, str], source: Source) -> pd.DataFrame:
    """Convert a table to a score matrix, in order of first appearance.

    `names` has columns by role; if it has no column of scores, each other one has some.
    """
    columns = table.columns.drop([*names.values()])
    if "value" in names:
        columns = pd.Index([names["value"]])
    if table.empty:
        source.fail("holds no scores of topics (trec_eval and ir_measures print them by -q)")
    if columns.empty:
        source.fail("has no column of scores: pass value=")
    codes, texts = _encode_cells(table, names, columns, source)
    topics, systems = (np.array(texts[role], dtype=object) for role in ("topic", "system"))
    scores, is_wrong = numbers_of(pd.concat([table[name] for name in columns], ignore_index=True))
    pairs, used = pd.factorize(codes["metric"] * len(systems) + codes["system"])
    cells = codes["topic"] * len(used) + pairs
    sums = np.array([is_summary(topic) for topic in topics])
    problems = {
        "{topic} is a summary row, not a topic: remove it": sums[codes["topic"]],
        "a score without the name of its topic or system": (
            (topics == "")[codes["topic"]] | (systems == "")[codes["system"]]
        ),
        "{cell} in {column} is not a finite number: {advice}": is_wrong,
        "a second score of {system} on topic {topic}": pd.Series(cells).duplicated(),
    }
    for problem, is_there in problems.items():
        if is_there.any():
            place = int(np.argmax(is_there))
            column, row = divmod(place, len(table))
            cell = _to_text(table[columns[column]].iloc[row])
            details = {role: quoted(texts[role][codes[role][place]]) for role in texts}
            details |= {"cell": quoted(cell), "column": quoted(columns[column])}
            details["advice"] = _advise(cell, columns[column])
            source.fail(problem.format(**details), table.index[row])
    matrix = np.full((len(topics), len(used)), np.nan)
    matrix[codes["topic"], pairs] = scores
    labels = [(texts["metric"][key // len(systems)], systems[key % len(systems)]) for key in used]
    columns_of_matrix = pd.MultiIndex.from_tuples(labels, names=["metric", "system"])
    return pd.DataFrame(matrix, pd.Index(topics, dtype=str, name="topic"), columns_of_matrix)


def _encode_cells(
    table: pd.DataFrame, names: dict[str, str], columns: pd.Index, source: Source
) -> tuple[dict[str, np.ndarray], dict[str, list[str]]]:
    """Return the codes of topic, system and metric for each cell, and their texts."""
    metric = names.get("value", "")
    texts = {"topic": [], "system": [source.system], "metric": [metric * is_measure(metric)]}
    codes = {}
    for role in texts:
        codes[role] = np.zeros(len(table), dtype=int)
        if role in names:
            codes[role], texts[role] = _encode_ids(table[names[role]], source)
        codes[role] = np.tile(codes[role], len(columns))
    if "value" not in names:
        role = "metric" if "system" in names else "system"
        codes[role] = np.repeat(np.arange(len(columns)), len(table))
        texts[role] = list(columns)
    merged, ours = pd.factorize(np.array([our_name(name) for name in texts["metric"]], object))
    codes["metric"] = merged[codes["metric"]]
    texts["metric"] = list(ours)
    if names["topic"] in texts["topic"]:
        repeated = codes["topic"][: len(table)] == texts["topic"].index(names["topic"])
        for line, row in table[repeated].iterrows():
            if [_to_text(cell) for cell in row] == list(table.columns):
                source.fail("repeats the line of names: remove it", line)
    return codes, texts


def _encode_ids(column: pd.Series, source: Source) -> tuple[np.ndarray, list[str]]:
    """Encode a column of ids: a code for each row, and the distinct ids."""
    try:
        codes, values = pd.factorize(column, use_na_sentinel=False)
    except TypeError:  # of lists
        codes, values = pd.factorize(column.map(str))
    if any(isinstance(value, float | np.floating) and not np.isnan(value) for value in values):
        source.fail(f"the ids in {quoted(column.name)} are floats: make them text, by dtype=str")
    merged, texts = pd.factorize(np.array([_to_text(value) for value in values], dtype=object))
    return merged[codes], list(texts)


def numbers_of(column: pd.Series) -> tuple[np.ndarray, np.ndarray]:
    """Convert cells to scores (NaN if missing), and flag those that are no number."""
    if not isinstance(column.dtype, pd.StringDtype):
        if column.dtype.kind in "iuf":
            scores = column.to_numpy(float, na_value=np.nan)
            return scores, np.isinf(scores)
        column = column.astype(object).map(_to_text).astype("str")
    try:
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


def _to_text(value: Any) -> str:
    """Convert a cell to text, exact to the last bit; "" if it is missing."""
    if pd.api.types.is_scalar(value) and pd.isna(value):  # a cell may hold a list
        return ""
    if isinstance(value, np.floating):
        value = float(value)
    return str(value).strip(" \t")


def _advise(cell: str, column: str) -> str:
    """Return advice on a cell that is no number."""
    for form, advice in ADVICE.items():
        if re.fullmatch(form, cell):
            return advice
    return f"pass system={quoted(column)} if that names systems, else correct or remove it"


def refuse_summaries(scores: pd.DataFrame, source: Source) -> None:
    """Raise if a row or column is a summary of others."""
    _refuse_summary(scores, "row", source)
    for part in by_metric(scores).values():
        _refuse_summary(part.T, "column", source)


def _refuse_summary(scores: pd.DataFrame, kind: str, source: Source) -> None:
    """Raise if one of the outer rows is the mean, sum or sd of others, hardly by chance.

    Of fewer than six rows, those are skipped whose label has a digit, as ids of topics have.
    """
    values = scores.iloc[:, :20]
    size = len(values)
    outer_rows = {0, size - 2, size - 1} if size > FEW else {0, size - 1}
    for row in sorted(outer_rows):
        label = str(values.index[row])
        if size <= FEW and re.search(r"\d", label):
            continue
        enough = 4 if row == size - 1 else 6
        rows = values.to_numpy()
        for other_rows in (np.delete(rows, row, axis=0), rows[:row]):
            if _count_matching_digits(rows[row], pd.DataFrame(other_rows)) >= enough:
                problem = "is the mean, sum or sd of others: remove it"
                source.fail(f"the {kind} {quoted(label)} {problem}")


def _count_matching_digits(printed: np.ndarray, others: pd.DataFrame) -> int:
    """Return how many printed digits agree with a statistic of other rows; 0 unless all do."""
    decimals = 12
    while decimals > 1 and (printed.round(decimals - 1) == printed).all():
        decimals -= 1
    rounding = 0.5 * 10.0**-decimals + 1e-9
    n_varied = int((others.std() > rounding).sum())  # elsewhere any of them would agree
    statistics = (others.mean(), others.sum(min_count=2), others.std(), others.std(ddof=0))
    for statistic in statistics:
        if (np.abs(printed - statistic) <= rounding).all():
            return decimals * n_varied
    return 0


def long_form(scores: pd.DataFrame) -> pd.DataFrame:
    """Return scores in the long form: topic, metric, system, score."""
    levels = list(range(scores.columns.nlevels))
    stacked: Any = scores.stack(levels, future_stack=True)
    table = stacked.rename("score").reset_index()
    if not {"metric", "measure"}.intersection(table.columns):
        table.insert(1, "metric", "")
    return table
