"""Tables of per-topic scores, read from what many tools write, and written."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from irstd._checks import check_choice, check_scores, listed, warn
from irstd.trec._files import find_files, read_bytes, show
from irstd.trec._layouts import (
    Source,
    cells_of_named,
    cells_of_pairs,
    cells_of_records,
    cells_of_scores,
    cells_of_table,
    header_role,
    is_records,
    pivot,
    texts,
)
from irstd.trec._measures import from_trec_eval, is_measure
from irstd.trec._write import write_text
from irstd.trec.leaderboards import is_leaderboard, json_lines, leaderboard_scores, read_results


def read_scores(
    path: str | os.PathLike | Iterable | pd.DataFrame | Mapping,
    *,
    topic_column: str | bool | None = None,
    metric: str | None = None,
    split: str | None = None,
) -> pd.DataFrame:
    """Read per-topic scores that another tool computed.

    Parameters
    ----------
    path : path, glob or list of paths, DataFrame, or dict
        A file of one of these forms, told by its content:

        - *wide*: a first line with the names of the systems, then a line per topic;
        - *long*: columns ``topic``, ``system``, ``score`` and perhaps ``metric``, in any order,
          also as PyTerrier's ``name,qid,measure,value``; or ``topic``, ``system`` and a column
          per metric;
        - what ``scores.to_csv(...)`` and `write_scores` make of one metric or several;
        - the output of ``trec_eval -q``, also ``-m all_trec``, or of ``ir_measures ... -q``, as
          text or JSON lines; several outputs of trec_eval may follow each other in a file; lines
          ``run measure topic value``;
        - a leaderboard of embedding models in JSON lines: a row per model, a column per data set,
          in percent.

        Columns are separated by commas, semicolons, tabs or blanks. Several files are joined by
        topic. A DataFrame of these forms is read as a file is; a dict is
        ``{system: {topic: score}}`` or ``{system: {topic: {metric: score}}}``, which pytrec_eval
        computes.
    topic_column : str or False, optional
        The name of the column that holds the topic ids; ``False`` if there is none, and the
        topics are numbered from 1. By default, the column called ``topic``, ``query_id`` or the
        like, or the first if what it holds are not numbers.
    metric : str, optional
        Which metric to take, by its name here, if there are several.
    split : str, optional
        ``path`` is a folder of files ``MODEL/REVISION/TASK.json``, as MTEB publishes its results;
        take this split, such as ``"test"``, and in it `metric`, by default ``"main_score"``.

    Returns
    -------
    DataFrame
        A score matrix: one row per topic (index ``topic``, str), one column per system. If there
        are several metrics, the columns are pairs ``(metric, system)``; the name of a single one,
        if known, is in ``attrs["metric"]``.

    Raises
    ------
    ValueError
        With file and line: text where a score should be, an infinite score, a line with too many
        or too few columns, two scores of one system on one topic, what may be read in two ways.

    Warns
    -----
    UserWarning
        If scores are missing (an empty cell, ``NA``, ``N/A``, ``NaN``, ``null``, or a pair that
        the file does not list); they are NaN in the result. If rows are left out since they are
        called ``all``, ``amean``, ``average``, ``avg``, ``mean`` or ``overall``, which sum up the
        others and are no topics. (What trec_eval and ir_measures print for ``all`` is left out
        without a word.)

    Notes
    -----
    Names of trec_eval are translated: ``map`` is AP, ``recip_rank`` RR, ``Rprec`` RP, ``P_10``
    P@10, ``ndcg`` nVDCG, ``ndcg_cut_20`` nVDCG@20, ``recall_100`` R@100, ``success_5`` Success@5,
    ``map_cut_10`` AP@10. So are those of ir_measures in its own output and in a column called
    ``measure``: ``nDCG@20`` is nVDCG@20 here, ``RBP(p=0.95,rel=1)`` RBP.95. Others are kept, and so
    is everything in a column called ``metric``, but trec_eval's names.

    A file that names no system is that of one system, called as the file without its suffix; in
    a DataFrame it is called ``run``.

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
    if split is not None:
        if not isinstance(path, (str, os.PathLike)):
            raise TypeError(f"path must be a folder if a split is given, got {path!r}")
        parts = {str(path): read_results(path, split, metric or "main_score")}
        metric = None
    elif isinstance(path, pd.DataFrame):
        parts = {"the table": _read_frame(path, topic_column)}
    elif isinstance(path, Mapping):
        parts = {"the dict": _read_dict(path)}
    else:
        parts = {str(file): _read_file(file, topic_column) for file in find_files(path)}
        if not parts:
            raise ValueError("path is an empty list; expected files")
    names = listed(Path(name).name for name in parts)
    scores = pd.concat(parts.values(), axis=1)
    if not scores.columns.is_unique:
        twice = scores.columns[scores.columns.duplicated()].unique("system")
        raise ValueError(f"{names}: the system {listed(twice)} is in more than one of the files")
    metrics = scores.columns.get_level_values("metric").unique().tolist()
    if metric is not None and metrics != [""]:
        check_choice(metric, metrics, f"metric of {names}")
        scores, metrics = scores.loc[:, [metric]].dropna(how="all"), [metric]
    if scores.isna().to_numpy().any():
        gaps = scores.isna()
        warn(
            f"{names}: {gaps.to_numpy().sum()} of {scores.size} scores are missing, on the topics"
            f" {listed(scores.index[gaps.any(axis=1)])}; they are NaN"
        )
    if len(metrics) > 1:
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
        Where to write; a name that ends in ``.gz`` is gzipped. An existing file is replaced, but
        only once the new one is complete.

    Raises
    ------
    ValueError
        If a name is empty or begins or ends with a blank, which no table of text keeps.

    Notes
    -----
    One metric is written wide: the names of the systems in the first line, then a line per topic.
    Several are written long: columns ``topic``, ``metric``, ``system``, ``score``. So is one whose
    systems have names such as ``run`` or ``score``, of which a reader would make the names of
    columns.

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
    long = scores.columns.nlevels > 1 or any(map(header_role, scores.columns))
    table = cells_of_scores(scores).drop(columns="line") if long else scores.reset_index()
    names = [*scores.index, *np.ravel(scores.columns.tolist())]
    for name in names:
        if not name or name != name.strip(" \t"):
            raise ValueError(f"a name must not be empty, begin or end with a blank: {name!r}")
    text = io.StringIO()
    # csv quotes what holds a line end, but does not count \r among them
    writer = csv.writer(text, lineterminator="\n")
    if any("\r" in name for name in names):
        writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow(table.columns)
    for row in table.itertuples(index=False, name=None):
        writer.writerow(["" if cell != cell else cell for cell in row])
    return text.getvalue()


def read_named_table(path: str | os.PathLike) -> tuple[str, pd.DataFrame]:
    """A CSV file whose first column has the topics: the name of that, and the other columns."""
    source = Source(str(path), ":")
    rows = _rows(read_bytes(path).decode(), source, ",")
    table = _below(rows.iloc[0], rows)
    cells = cells_of_named(table, source)
    return str(rows.iloc[0, 0]), pivot(cells, source).droplevel("metric", axis=1)


def _read_file(path: Path, topic_column: str | bool | None) -> pd.DataFrame:
    """A file's scores: one row per topic, columns (metric, system)."""
    source = Source(str(path), ":", path.stem)
    text = read_bytes(path).decode()
    # `str.splitlines` also splits at form feeds and the like, as no editor does
    every = enumerate(io.StringIO(text, newline=None), 1)
    lines = [(number, line.strip()) for number, line in every if line.strip()]
    if not lines:
        source.fail("holds no lines; expected a table of scores")
    first = lines[0][1]
    if first.startswith("{"):
        return _read_json(lines, source, topic_column)
    if topic_column is None and is_records(first):
        return pivot(cells_of_records(lines, source), source)
    separator = next((mark for mark in ",;\t " if mark in first), ",")
    rows = _rows(text, source, separator)
    cells = cells_of_pairs(rows)
    if cells is None:
        cells = cells_of_table(_below(rows.iloc[0], rows), source, topic_column)
    return pivot(cells, source)


def _rows(text: str, source: Source, separator: str) -> pd.DataFrame:
    """The rows of a CSV file, by the numbers of their lines."""
    lines: Iterable[str] = io.StringIO(text, newline="")
    if separator == " ":
        lines = (line.strip() for line in lines)
    reader = csv.reader(lines, delimiter=separator, skipinitialspace=separator == " ", strict=True)
    rows = {}
    try:
        for row in reader:
            row = [cell.strip(" \t") for cell in row]
            if any(row):
                rows[reader.line_num] = row
    except csv.Error as error:
        source.fail(f"is not CSV: {error}", reader.line_num)
    if len(rows) < 2:
        what = "a line of names but no scores" if rows else "no lines; expected a table of scores"
        source.fail(f"holds {what}")
    first, *others = rows
    if all(len(rows[number]) == len(rows[first]) + 1 for number in others):
        rows[first].insert(0, "")  # R writes a table with row names so
    for number in others:
        if len(rows[number]) != len(rows[first]):
            source.fail(
                f"expected {len(rows[first])} columns as in the first line, found"
                f" {len(rows[number])}: {show(separator.join(rows[number]).encode())}",
                number,
            )
    return pd.DataFrame(list(rows.values()), index=list(rows), dtype=object)


def _below(names: Iterable[str], rows: pd.DataFrame) -> pd.DataFrame:
    return rows.iloc[1:].set_axis(list(names), axis=1)


def _read_json(
    lines: list[tuple[int, str]], source: Source, topic_column: str | bool | None
) -> pd.DataFrame:
    """What is in JSON lines: a leaderboard, or scores as ir_measures writes them."""
    table = json_lines(lines, source)
    if is_leaderboard(table):
        return leaderboard_scores(table, source)
    cells = cells_of_table(texts(table), source, topic_column)
    return pivot(cells[cells["topic"] != "all"], source)


def _read_frame(table: pd.DataFrame, topic_column: str | bool | None) -> pd.DataFrame:
    source = Source("the table")
    if table.columns.nlevels > 1:
        scores = check_scores(table, "the table", several=True, complete=False)
        return pivot(texts(cells_of_scores(scores)), source)
    if table.index.nlevels > 1 or table.index.name is not None:
        table = table.reset_index()
    elif topic_column is None and not any(header_role(str(name)) == "topic" for name in table):
        table = table.rename_axis("topic").reset_index()
    if table.empty:
        source.fail("is empty")
    return pivot(cells_of_table(texts(table), source, topic_column), source)


def _read_dict(scores: Mapping) -> pd.DataFrame:
    source = Source("the dict")
    rows = []
    for system, topics in scores.items():
        if not isinstance(topics, Mapping):
            source.fail(f"expected {{system: {{topic: score}}}}, got {topics!r} for {system!r}")
        for topic, found in topics.items():
            by_metric = found if isinstance(found, Mapping) else {"": found}
            rows += [(metric, system, topic, score, topic) for metric, score in by_metric.items()]
    if not rows:
        source.fail("holds no scores")
    cells = texts(pd.DataFrame(rows, columns=["metric", "system", "topic", "score", "line"]))
    if (cells["metric"] == "").all() and cells["topic"].map(is_measure).all():
        source.fail(
            "has measures where topics should be; expected {system: {topic: {metric: score}}}"
        )
    return pivot(cells.assign(metric=cells["metric"].map(from_trec_eval)), source)
