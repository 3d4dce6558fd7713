"""Tables of per-topic scores, read from what many tools write, and written."""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from irstd._base.arguments import check_choice
from irstd._base.matrix import check_scores
from irstd._base.messages import listed, topics_where, warn
from irstd.trec import _layouts
from irstd.trec._layouts import Source, role_of
from irstd.trec.files import find_files, read_bytes, show, write_text
from irstd.trec.measures import from_trec_eval, is_measure


def read_scores(
    path: str | os.PathLike | Iterable | pd.DataFrame | Mapping,
    *,
    topic_column: str | bool | None = None,
    rows: str | None = None,
    metric: str | None = None,
) -> pd.DataFrame:
    """Read per-topic scores that another tool computed.

    Parameters
    ----------
    path : path, glob or list of paths, DataFrame, or dict
        A file in a layout of the page "Layouts of score tables", told by the names of its columns:
        wide, a column per system; long, with columns ``topic``, ``system``, ``score`` and perhaps
        ``metric``, or a column per metric; what ``scores.to_csv(...)`` and `write_scores` make; the
        output of ``trec_eval -q`` or ``ir_measures -q``. Several files are joined by topic. A
        DataFrame is read as a file is; a dict is ``{system: {topic: score}}`` or
        ``{system: {topic: {metric: score}}}``, the inner part as pytrec_eval returns it.
    topic_column : str or False, optional
        The name of the column that holds the topics; ``False`` if there is none, and the topics
        are numbered from 1. By default, the column called ``topic``, ``query_id`` or the like.
    rows : {"topics", "systems", "pairs"}, optional
        What each row is of, where that can be read in two ways: a topic, so that every other
        column is a system, whatever its name; a system, so that every other column is a topic, as
        papers print models by tasks; a topic and a system, so that every other column is a metric.
    metric : str, optional
        Which metric to take, by its name here, if there are several; else its name.

    Returns
    -------
    DataFrame
        A score matrix: one row per topic (index ``topic``, str), one column per system. If there
        are several metrics, the columns are pairs ``(metric, system)``; the name of a single one,
        if known, is in ``attrs["metric"]``.

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
    Names of trec_eval are translated (``map`` is AP, ``ndcg_cut_20`` nVDCG@20), and those of
    ir_measures in its own output and in a column called ``measure`` (``nDCG@20`` is nVDCG@20).
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
    if not (topic_column is None or topic_column is False or isinstance(topic_column, str)):
        raise TypeError(f"topic_column must be a name, False or None, got {topic_column!r}")
    if not (metric is None or (isinstance(metric, str) and metric)):
        raise TypeError(f"metric must be a name or None, got {metric!r}")
    if rows is not None:
        check_choice(rows, ("topics", "systems", "pairs"), "rows")
    said: Any = {"topic_column": topic_column, "rows": rows}
    if isinstance(path, pd.DataFrame):
        names, parts = "the table", [_of_frame(path, Source("the table", **said))]
    elif isinstance(path, Mapping):
        names, parts = "the dict", [_of_dict(path, Source("the dict", **said))]
    else:
        files = find_files(path)
        names = listed(file.name for file in files)
        parts = [_of_file(file, Source(str(file), ":", file.stem, **said)) for file in files]
    scores = pd.concat(parts, axis=1)
    if not scores.columns.is_unique:
        twice = scores.columns[scores.columns.duplicated()].unique("system")
        raise ValueError(f"{names}: the system {listed(twice)} is in more than one of the files")
    metrics = scores.columns.unique("metric").tolist()
    if metric is not None and metrics != [""]:
        check_choice(metric, metrics, f"metric of {names}")
        scores, metrics = scores.loc[:, [metric]].dropna(how="all"), [metric]
    gaps = scores.isna()
    if topics := topics_where(gaps):
        missing = f"{gaps.to_numpy().sum()} of {gaps.size} scores are missing, on the topics"
        warn(f"{names}: {missing} {topics}; they are NaN")
    if rows == "systems" and len(large := scores.index[scores.max(axis=1) > 1]):
        warn(f"{names}: scores are above 1, as in percent, on {listed(large)}; not divided")
    if len(metrics) > 1:
        scores.attrs["metrics"] = metrics
        return scores
    scores = scores.droplevel("metric", axis=1)
    if name := metric or metrics[0]:
        scores.attrs["metric"] = name
    return scores


def write_scores(scores: pd.DataFrame, path: str | os.PathLike) -> None:
    """Write scores as a CSV file that `read_scores` reads back to the last bit.

    Parameters
    ----------
    scores : DataFrame
        A score matrix, or several with columns ``(metric, system)``.
    path : path
        Where to write; a name that ends in ``.gz`` is gzipped.

    Raises
    ------
    ValueError
        If a name is empty or begins or ends with a blank, which no table of text keeps; if a topic
        is called as a row that sums up (``all``, ``mean``), or a metric as trec_eval calls it.

    Notes
    -----
    One metric is written wide; several, and one whose systems have names such as ``run`` or
    ``mean``, are written long: columns ``topic``, ``metric``, ``system``, ``score``.

    Examples
    --------
    >>> import irstd, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "scores.csv")
    >>> scores = irstd.load_dataset("sim-trec8", ["AP", "RR"])
    >>> write_scores(scores, path)
    >>> read_scores(path).equals(scores)
    True
    """
    write_text(scores_text(scores), path)


def scores_text(scores: pd.DataFrame) -> str:
    """What `write_scores` writes."""
    scores = check_scores(scores, several=True, complete=False)
    ids = [scores.columns.get_level_values(str(name)) for name in scores.columns.names]
    table = scores.reset_index(allow_duplicates=True)
    odd = [role_of(name) or _layouts.is_summary(name) for name in ids[-1]]
    if len(ids) > 1 or any(odd) or all(map(is_measure, ids[-1])):
        table = _long(scores)
    return csv_text(table, scores.index, *ids)


def _long(scores: pd.DataFrame) -> pd.DataFrame:
    """Scores as a table of four columns, or three: a score a row."""
    stacked: Any = scores.stack(list(range(scores.columns.nlevels)), future_stack=True)
    return stacked.rename("score").reset_index()


def csv_text(table: pd.DataFrame, topics: pd.Index, *names: pd.Index) -> str:
    """A table as CSV; ValueError if one of its topics and names would not be read back."""
    every = [str(name) for part in (topics, *names) for name in part]
    lost = [name for name in every if not name or name.strip(" \t") != name or {*"\0\r"} & {*name}]
    lost += [topic for topic in topics if _layouts.is_summary(topic, "topic")]
    lost += [n for part in names if part.name == "metric" for n in part if n != from_trec_eval(n)]
    if lost:
        said = "would not be read back: rename what is empty, has a blank at an end, or is called"
        raise ValueError(f"{str(lost[0])!r} {said} as a sum (all) or by trec_eval (map)")
    return table.to_csv(index=False, lineterminator="\n")


def read_named_table(path: str | os.PathLike) -> tuple[str, pd.DataFrame]:
    """A CSV file whose first column has the topics: the name of that, and the other columns."""
    source = Source(str(path), ":")
    table = _rows(read_bytes(path).decode(), source, ",")
    names = {"topic": table.iloc[1:, 0]}, {"system": table.iloc[0, 1:]}
    cells = _layouts.melted(table.iloc[1:, 1:], *names)
    return str(table.iloc[0, 0]), _layouts.matrix(cells, source).droplevel("metric", axis=1)


def _of_file(path: Path, source: Source) -> pd.DataFrame:
    """A file's scores: one row per topic, columns (metric, system)."""
    text = read_bytes(path).decode()
    # `str.splitlines` also splits at form feeds and the like, as no editor does
    every = enumerate(io.StringIO(text, newline=None), 1)
    lines = {number: line.strip() for number, line in every if line.strip()}
    first = next(iter(lines.values()), "")
    if source.topic_column is source.rows is None and _layouts.is_records(first):
        return _layouts.matrix(_layouts.cells_of_records(lines, source), source)
    bare = re.sub('"[^"]*"', "", first)
    separator = next((mark for mark in bare if mark in ",;\t"), " " if " " in bare else ",")
    table = _rows(text, source, separator)
    cells = _layouts.cells_of_pairs(table)
    if cells is None:
        cells = _layouts.cells_of_table(table.iloc[1:].set_axis(table.iloc[0], axis=1), source)
    return _layouts.matrix(cells, source)


def _rows(text: str, source: Source, separator: str) -> pd.DataFrame:
    """The rows of a CSV file, by the numbers of their lines."""
    lines: Iterable[str] = io.StringIO(text, newline="")
    if separator == " ":
        lines = (line.strip(" \t\r\n") for line in lines)
    reader = csv.reader(lines, delimiter=separator, skipinitialspace=separator == " ", strict=True)
    rows = {}
    try:
        for row in reader:
            if any(cells := [cell.strip(" \t") for cell in row]):
                rows[reader.line_num] = cells
    except csv.Error as error:
        source.fail(f"is not CSV: {error}", reader.line_num)
    names, *others = rows.values() if rows else [[]]
    if not others:
        source.fail("holds no table of scores: a line of names, then lines of scores")
    # R writes row names below a line of names; others end lines with a separator, or write 0,5
    longer = all(len(row) == len(names) + 1 and row[-1] for row in others)
    if longer and (source.topic_column == "" or (len(names) > 1 and not any(map(role_of, names)))):
        names.insert(0, "")
    for number, cells in rows.items():
        if len(cells) != len(names):
            expected = f"{len(names)} columns as in the first line, separated by {separator!r}"
            found = f"{len(cells)} (if R wrote row names, say topic_column='')"
            line = show(separator.join(cells).encode())
            source.fail(f"expected {expected}, found {found}: {line}", number)
    return pd.DataFrame(list(rows.values()), list(rows), dtype=object)


def _of_frame(table: pd.DataFrame, source: Source) -> pd.DataFrame:
    if table.columns.nlevels > 1:
        table = _long(table)
    if role_of(table.columns.name) == "system" and source.topic_column is None:
        source = source._replace(rows=source.rows or "topics")
    named = table.index.nlevels > 1 or table.index.name is not None
    told = source.topic_column is not None or any(role_of(name) == "topic" for name in table)
    if named or not told or not pd.api.types.is_integer_dtype(table.index):
        table = table.reset_index(names=None if named else "", allow_duplicates=True)
    if table.empty:
        source.fail("is empty")
    for name, kind in table.dtypes.items():
        named = source.rows is None and role_of(name) in ("topic", "system")
        if (named or name == source.topic_column) and kind.kind == "f":
            source.fail(f"{name!r} holds floats: make ids text; of a system, say rows='topics'")
    return _layouts.matrix(_layouts.cells_of_table(_texts(table), source), source)


def _texts(table: pd.DataFrame) -> pd.DataFrame:
    """A table with its values and names as text, which gives back each number to the last bit."""

    def text(value: Any) -> str:
        value = float(value) if isinstance(value, np.floating) else value
        return "" if pd.isna(value) else str(value)

    return table.map(text).astype(object).set_axis(list(map(str, table.columns)), axis=1)


def _of_dict(scores: Mapping, source: Source) -> pd.DataFrame:
    rows = []
    for system, topics in scores.items():
        if not isinstance(topics, Mapping):
            source.fail(f"expected {{system: {{topic: score}}}}, got {topics!r} for {system!r}")
        for topic, found in topics.items():
            by_metric = found if isinstance(found, Mapping) else {"": found}
            rows += [(metric, system, topic, score) for metric, score in by_metric.items()]
    cells = _texts(pd.DataFrame(rows, columns=["metric", "system", "topic", "score"], dtype=object))
    for of in ("topic", "system"):  # what pytrec_eval returns of a run, what ranx keeps of it
        if source.rows is None and len(cells) and cells[of].map(is_measure).all():
            source.fail(f"has metrics for {of}s: give {{name: {{topic: ...}}}}, or rows='topics'")
    return _layouts.matrix(cells.assign(metric=cells["metric"].map(from_trec_eval)), source)
