"""Tables of per-topic scores, read from what many tools write, and written."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from irstd._base.arguments import check_choice
from irstd._base.frames import as_frame
from irstd._base.messages import listed, topics_where, warn
from irstd.trec import _layouts
from irstd.trec._cells import Source, matrix, melted
from irstd.trec._columns import role_of
from irstd.trec._csv import rows_of, separator_of
from irstd.trec.files import find_files, read_bytes
from irstd.trec.forms import is_parquet, read_parquet
from irstd.trec.measures import from_trec_eval, is_measure, names_here
from irstd.trec.score_files import FORMS, chosen, read_json_lines


def read_scores(
    path: str | os.PathLike | Iterable | pd.DataFrame | Mapping,
    *,
    topic_column: str | bool | None = None,
    rows: str | None = None,
    metric: str | None = None,
    names: str = "irstd",
    columns: Sequence[str] | None = None,
    explain: bool = False,
) -> pd.DataFrame:
    """Read per-topic scores that another tool computed.

    Parameters
    ----------
    path : path, glob or list of paths, DataFrame, or dict
        A file in a layout of the page "Layouts of score tables", told by the names of its columns:
        wide, a column per system; long, with columns ``topic``, ``system``, ``score`` and perhaps
        ``metric``, or a column per metric; what ``scores.to_csv(...)`` and `write_scores` make; the
        output of ``trec_eval -q`` or ``ir_measures -q``. CSV, or Parquet (with pyarrow), or an
        object of JSON in each line. Several files are joined by topic. A DataFrame, or what has
        ``to_pandas`` (polars, Arrow), is read as a file is, and so is a list of what ir_measures'
        ``iter_calc`` yields; a dict is ``{system: {topic: score}}`` or
        ``{system: {topic: {metric: score}}}``, the inner part as pytrec_eval returns it, or
        ``{system: table or list}``, each of that one system.
    topic_column : str or False, optional
        The name of the column that holds the topics; ``False`` if there is none, and the topics
        are numbered from 1. By default, the column called ``topic``, ``query_id`` or the like.
    rows : {"topics", "systems", "pairs"}, optional
        What each row is of, where that can be read in two ways: a topic, so that every other
        column is a system, whatever its name; a system, so that every other column is a topic, as
        papers print models by tasks; a topic and a system, so that every other column is a metric.
    metric : str, optional
        Which metric to take, by its name here, if there are several; else its name.
    names : {"irstd", "page"}, default "irstd"
        ``"page"``: the metrics have the names of the page of factors, and of irstd before 0.4,
        where DCG and nDCG are JDCG and nJDCG, VDCG and nVDCG are DCG and nDCG.
    columns : sequence of str, optional
        Which columns hold scores, where a table has others, as the text of an answer: these, and
        those of topics, systems and metrics by their names, are read, and no other.
    explain : bool, default False
        A dry reading: what was taken for what, in place of the scores.

    Returns
    -------
    DataFrame
        A score matrix: one row per topic (index ``topic``, str), one column per system. If there
        are several metrics, the columns are pairs ``(metric, system)``; the name of a single one,
        if known, is in ``attrs["metric"]``. With `explain`, a row per decision of the reader:
        ``file``, ``what`` (a column, the layout, what is left out), ``found`` (what it was taken
        for, and why); then how many topics, systems and metrics there are, and the first two.

    Raises
    ------
    ValueError
        With file and line: what can be read in two ways, naming the argument that decides; text
        where a score should be; two scores of a system on a topic.

    Warns
    -----
    UserWarning
        If scores are missing: they are NaN. If rows that sum up the others (``all``) are left out.

    Notes
    -----
    Names of trec_eval are translated (``map`` is AP, ``ndcg_cut_20`` ``nDCG@20``), and those of
    ir_measures in its own output and in a column called ``measure`` (``Rprec`` is RP).
    Others are kept. A file that names no system is that of one, called as the file without its
    suffix; in a DataFrame it is called ``run``.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "scores.csv")
    >>> _ = path.write_text("topic,a,b\\n301,0.25,0.5\\n302,0,1\\n")
    >>> read_scores(path)
    system     a    b
    topic
    301     0.25  0.5
    302     0.00  1.0
    """
    _check_arguments(topic_column, rows, metric)
    if columns is not None:
        if isinstance(columns, str) or not all(isinstance(column, str) for column in columns):
            raise TypeError(f"columns must be a list of names, got {columns!r}")
        columns = tuple(columns)
    options = Source("", topic_column=topic_column, rows=rows, columns=columns)
    name, parts, notes = _read_parts(as_frame(path), options)
    scores = pd.concat(parts, axis=1)
    if not scores.columns.is_unique:
        repeated = scores.columns[scores.columns.duplicated()].unique("system")
        raise ValueError(f"{name}: the system {listed(repeated)} is in more than one of the files")
    metrics = scores.columns.unique("metric").tolist()
    here = names_here(metrics, names, name)
    scores = scores.rename(columns=dict(zip(metrics, here, strict=True)), level="metric")
    metrics = here
    if metric is not None and metrics != [""]:
        check_choice(metric, metrics, f"metric of {name}")
        scores = scores.loc[:, [metric]].dropna(how="all")
        metrics = [metric]
    _warn_of_odd_scores(scores, name, rows)
    if explain:
        return _explained(name, scores, notes)
    if len(metrics) > 1:
        scores.attrs["metrics"] = metrics
        return scores
    scores = scores.droplevel("metric", axis=1)
    name_of_one = metric or metrics[0]
    if name_of_one:
        scores.attrs["metric"] = name_of_one
    return scores


def _check_arguments(topic_column: object, rows: str | None, metric: object) -> None:
    """Raise unless these are arguments of `read_scores`."""
    if not (topic_column is None or topic_column is False or isinstance(topic_column, str)):
        raise TypeError(f"topic_column must be a name, False or None, got {topic_column!r}")
    if not (metric is None or (isinstance(metric, str) and metric)):
        raise TypeError(f"metric must be a name or None, got {metric!r}")
    if rows is not None:
        check_choice(rows, ("topics", "systems", "pairs"), "rows")


def _read_parts(
    path: Any, options: Source
) -> tuple[str, list[pd.DataFrame], list[tuple[str, str, str]]]:
    """What messages call the source of scores; a matrix of each file; what the reader noted."""
    if isinstance(path, pd.DataFrame):
        source = replace(options, name="the table", notes=[])
        return source.name, [_of_frame(path, source)], _notes_of(source)
    if isinstance(path, Mapping):
        source = replace(options, name="the dict", notes=[])
        return source.name, [_of_dict(path, source)], _notes_of(source)
    files = find_files(path)
    parts = []
    notes = []
    for file in files:
        source = replace(options, notes=[], name=str(file), mark=":", system=file.stem)
        parts.append(_of_file(file, source))
        notes += _notes_of(source)
    return listed(file.name for file in files), parts, notes


def _notes_of(source: Source) -> list[tuple[str, str, str]]:
    return [(source.name, what, found) for what, found in source.notes]


def _explained(name: str, scores: pd.DataFrame, notes: list) -> pd.DataFrame:
    """The decisions of the reader, and the first two of what it found."""
    rows = list(notes)
    parts = {
        "topics": scores.index,
        "systems": scores.columns.unique("system"),
        "metrics": scores.columns.unique("metric"),
    }
    for what, labels in parts.items():
        first = ", ".join(repr(label) for label in labels[:2])
        rows.append((name, what, f"{len(labels)}: {first}"))
    missing = int(scores.isna().to_numpy().sum())
    rows.append((name, "missing scores", f"{missing} of {scores.size}"))
    return pd.DataFrame(rows, columns=["file", "what", "found"])


def _warn_of_odd_scores(scores: pd.DataFrame, name: str, rows: str | None) -> None:
    """Warn of missing scores and, in tables as papers print them, of what may be in percent."""
    missing = scores.isna()
    topics = topics_where(missing)
    if topics:
        count = f"{missing.to_numpy().sum()} of {missing.size} scores are missing"
        warn(f"{name}: {count}, on the topics {topics}; they are NaN")
    if rows == "systems":
        large = scores.index[scores.max(axis=1) > 1]
        if len(large):
            warn(f"{name}: scores are above 1, as in percent, on {listed(large)}; not divided")


def read_named_table(path: str | os.PathLike) -> tuple[str, pd.DataFrame]:
    """A CSV file whose first column has the topics: the name of that, and the other columns."""
    source = Source(str(path), ":")
    table = rows_of(read_bytes(path).decode(), source, ",")
    topics = table.iloc[1:, 0]
    systems = table.iloc[0, 1:]
    cells = melted(table.iloc[1:, 1:], {"topic": topics}, {"system": systems})
    return str(table.iloc[0, 0]), matrix(cells, source).droplevel("metric", axis=1)


def _of_file(path: Path, source: Source) -> pd.DataFrame:
    """A file's scores: one row per topic, columns (metric, system)."""
    of_parquet = is_parquet(path)
    try:
        content: Any = read_parquet(path) if of_parquet else read_bytes(path)
    except ValueError as error:
        raise ValueError(f"{error}; {FORMS}") from None
    if of_parquet:
        return _of_frame(content, replace(source, mark=", row "))
    text = content.decode()
    if text.lstrip().startswith(("{", "[")):
        table = read_json_lines(text, source)
        return matrix(_layouts.cells_of_table(chosen(_texts(table), source), source), source)
    lines = {}
    # `str.splitlines` also splits at form feeds and the like, as no editor does
    for number, line in enumerate(io.StringIO(text, newline=None), 1):
        if line.strip():
            lines[number] = line.strip()
    first = next(iter(lines.values()), "")
    says_columns = (source.topic_column, source.rows, source.columns) != (None, None, None)
    if not says_columns and _layouts.is_records(first):  # lines of trec_eval or ir_measures
        return matrix(_layouts.cells_of_records(lines, source), source)
    separator = separator_of(first)
    table = rows_of(text, source, separator)
    source.note("separator", f"{separator!r}, by the first line")
    cells = _layouts.cells_of_pairs(table)
    if cells is None:
        named = table.iloc[1:].set_axis(table.iloc[0], axis=1)
        cells = _layouts.cells_of_table(chosen(named, source), source)
    return matrix(cells, source)


def _of_frame(table: pd.DataFrame, source: Source) -> pd.DataFrame:
    """A frame's scores: one row per topic, columns (metric, system)."""
    if table.columns.nlevels > 1:
        table = _layouts.long_form(table)
    by_system = role_of(table.columns.name) == "system"
    if by_system and source.topic_column is None and source.rows is None:
        source = replace(source, rows="topics")
    table = _with_index(table, source)
    if table.empty:
        source.fail("is empty")
    table = chosen(table, source)
    for name, kind in table.dtypes.items():
        are_ids = source.rows is None and (name == "" or role_of(name) in ("topic", "system"))
        if kind.kind == "f" and (are_ids or name == source.topic_column):
            source.fail(f"{name!r} holds floats: make ids text; of a system, say rows='topics'")
    return matrix(_layouts.cells_of_table(_texts(table), source), source)


def _with_index(table: pd.DataFrame, source: Source) -> pd.DataFrame:
    """A frame with its index as columns, unless that only numbers the rows."""
    if table.index.nlevels > 1 or table.index.name is not None:
        return table.reset_index(allow_duplicates=True)
    has_topics = any(role_of(name) == "topic" for name in table)
    says_topics = source.topic_column not in (None, "") or has_topics
    if says_topics and pd.api.types.is_integer_dtype(table.index):
        return table
    return table.reset_index(names="", allow_duplicates=True)


def _texts(table: pd.DataFrame) -> pd.DataFrame:
    """A table with its values and names as text, which gives back each number to the last bit."""
    names = [str(name) for name in table.columns]
    return table.map(_text).astype(object).set_axis(names, axis=1)


def _text(value: Any) -> str:
    if not pd.api.types.is_scalar(value):  # a list, which stands beside scores
        return str(value)
    if pd.isna(value):
        return ""
    if isinstance(value, np.floating):
        return str(float(value))
    return str(value)


def _of_one(system: str, table: pd.DataFrame, source: Source) -> pd.DataFrame:
    """The scores of one system, as its table in a dict has them."""
    name = f"the table of {system!r}"
    if all(is_measure(str(column)) for column in table.columns):  # by topic, as ranx keeps them
        table = table.rename_axis("topic").reset_index().assign(system=system)
    found = _of_frame(table, replace(source, name=name, system=system))
    if list(found.columns.unique("system")) != [system]:
        systems = listed(found.columns.unique("system"))
        source.fail(f"{name} has systems of its own ({systems}); expected its metrics by topic")
    return found


def _of_dict(scores: Mapping, source: Source) -> pd.DataFrame:
    """The scores of a dict: one row per topic, columns (metric, system)."""
    tables = {str(system): as_frame(held) for system, held in scores.items()}
    if tables and all(isinstance(table, pd.DataFrame) for table in tables.values()):
        return pd.concat([_of_one(*item, source) for item in tables.items()], axis=1)
    rows = []
    for system, by_topic in scores.items():
        if not isinstance(by_topic, Mapping):
            expected = "{system: {topic: score}}"
            source.fail(f"expected {expected}, got {by_topic!r} for {system!r}")
        for topic, held in by_topic.items():
            by_metric = held if isinstance(held, Mapping) else {"": held}
            for metric, score in by_metric.items():
                rows.append((metric, system, topic, score))
    cells = _texts(pd.DataFrame(rows, columns=["metric", "system", "topic", "score"], dtype=object))
    # pytrec_eval returns {topic: {metric: score}} of a run, ranx keeps {metric: {topic: score}}:
    # taken for {system: {topic: score}}, one has metrics for topics, the other for systems.
    forms = {"topic": "{name: scores}", "system": "{name: pd.DataFrame(scores)}, as of ranx"}
    for kind, form in forms.items():
        if source.rows is None and len(cells) and cells[kind].map(is_measure).all():
            source.fail(
                f"has metrics for {kind}s: of one run give {form}; rows='topics' if these are no"
                f" metrics, but {kind}s of such names"
            )
    metrics = cells["metric"].map(from_trec_eval)
    return matrix(cells.assign(metric=metrics), source)
