"""Tables of per-topic scores from files: wide CSV, long CSV, and what ``trec_eval -q`` prints."""

from __future__ import annotations

import csv
import io
import os
import re
import warnings
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pandas as pd

from irstd._checks import listed
from irstd.trec._files import find_files, read_bytes, show

TOPIC = ("topic", "topics", "topicid", "queryid", "query", "qid", "")
SYSTEM = ("system", "systemid", "run", "runid", "tag")
METRIC = ("metric", "measure")
SCORE = ("score", "value")
NOTHING = ("", "na", "nan", "null")

# trec_eval's names of measures that irstd knows by another; with a cut-off k, "P_k" and so on.
TREC_EVAL_NAMES = {"map": "AP", "recip_rank": "RR", "Rprec": "RP", "ndcg": "nVDCG", "dcg": "VDCG"}
TREC_EVAL_CUTS = {
    "P": "P",
    "ndcg_cut": "nVDCG",
    "recall": "R",
    "success": "Success",
    "map_cut": "AP",
}

Cells = dict[tuple[str, str, str], float]  # (metric, system, topic): score


def read_scores(
    path: str | os.PathLike | Iterable, *, topic_column: str | bool | None = None
) -> pd.DataFrame:
    """Read per-topic scores that another tool computed.

    Parameters
    ----------
    path : path, glob or list of paths
        One of, told by its content:

        - a *wide* CSV file: a first line with the names of the systems, then a line a topic;
        - a *long* CSV file: columns ``topic``, ``system``, ``score`` and perhaps ``metric``;
        - the output of ``trec_eval -q``; several such outputs may follow each other in a file.

        Columns are separated by commas, semicolons or tabs. Several files are joined by topic.
    topic_column : str or False, optional
        For a wide file: the name of the column that holds the topic ids; ``False`` if there is
        none, and the topics are numbered from 1. By default, the first column if its name is
        ``topic``, ``query_id`` or the like, or if what it holds are not numbers.

    Returns
    -------
    DataFrame
        A score matrix: a row a topic (index ``topic``, str), a column a system. If the file
        names several metrics, the columns are pairs ``(metric, system)``. trec_eval's names are
        translated: ``map`` is AP, ``recip_rank`` RR, ``Rprec`` RP, ``P_10`` P@10, ``ndcg`` nVDCG,
        ``ndcg_cut_20`` nVDCG@20; others are kept.

    Raises
    ------
    ValueError
        With file and line: text where a score should be, an infinite score, a line with too many
        or too few columns, a topic or a system that stands twice.

    Warns
    -----
    UserWarning
        If scores are missing (an empty cell, ``NA``, ``NaN``, or a pair that the file does not
        list); they are NaN in the result.

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
    files = find_files(path)
    scores = pd.concat([_read_file(file, topic_column) for file in files], axis=1)
    if not scores.columns.is_unique:
        twice = scores.columns[scores.columns.duplicated()].unique()
        raise ValueError(
            f"{listed(file.name for file in files)}: the system"
            f" {listed(system for _, system in twice)} is in more than one of the files"
        )
    if scores.isna().to_numpy().any():
        gaps = scores.isna()
        warnings.warn(
            f"{listed(file.name for file in files)}: {gaps.to_numpy().sum()} of {scores.size}"
            f" scores are missing, on the topics {listed(scores.index[gaps.any(axis=1)])};"
            " they are NaN",
            stacklevel=2,
        )
    if scores.columns.get_level_values("metric").nunique() == 1:
        return scores.droplevel("metric", axis=1)
    return scores


def read_named_table(path: str | os.PathLike) -> pd.DataFrame:
    """A CSV file whose first line names the columns and whose first column names the topics."""
    header, rows, numbers = _rows(Path(path), read_bytes(path).decode(), ",")
    return _wide(path, header, rows, numbers, header[0]).droplevel("metric", axis=1)


def _read_file(path: Path, topic_column: str | bool | None) -> pd.DataFrame:
    """A file's scores: a row a topic, columns (metric, system)."""
    text = read_bytes(path).decode()
    lines = [line for line in _lines(text) if line.strip()]
    if not lines:
        raise ValueError(f"{path}: holds no lines; expected a table of scores")
    first = lines[0].strip().split(maxsplit=2)
    if len(first) == 3 and (
        _is_number(first[2]) or first[1] == "all" or metric_name(first[0]) != first[0]
    ):
        return _trec_eval(path, text)
    separator = next((mark for mark in ",;\t" if mark in lines[0]), ",")
    header, rows, numbers = _rows(path, text, separator)
    if _is_long(header):
        return _long(path, header, rows, numbers)
    return _wide(path, header, rows, numbers, topic_column)


def _lines(text: str) -> io.StringIO:
    """The lines as editors count them: `str.splitlines` also splits at form feeds and the like."""
    return io.StringIO(text, newline=None)


def _trec_eval(path: Path, text: str) -> pd.DataFrame:
    cells: Cells = {}
    pending: dict[tuple[str, str], float] = {}
    system = None
    for number, line in enumerate(_lines(text), 1):
        fields = line.strip().split(maxsplit=2)  # without the end of the line in the last one
        if not fields:
            continue
        if len(fields) != 3:
            raise ValueError(
                f"{path}:{number}: expected 3 columns (measure topic score), found"
                f" {len(fields)}: {show(line.encode())}"
            )
        metric, topic, value = fields
        if topic == "all":
            if metric == "runid":
                _close(path, cells, pending, value)
                pending, system = {}, value
            continue
        if (metric, topic) in pending:
            raise ValueError(f"{path}:{number}: a second {metric} of topic {topic}")
        pending[metric, topic] = _number(path, number, value)
    if pending:
        _close(path, cells, pending, path.stem)
    if not cells:
        hint = f" (only the summary of {system})" if system else ""
        raise ValueError(f"{path}: holds no per-topic scores{hint}; run trec_eval with -q")
    return _pivot(cells)


def _close(path: Path, cells: Cells, pending: dict, system: str) -> None:
    for (metric, topic), score in pending.items():
        key = (metric_name(metric), system, topic)
        if key in cells:
            raise ValueError(f"{path}: the system {system} stands twice in the file")
        cells[key] = score


def metric_name(trec_eval_name: str) -> str:
    """irstd's name of a measure of trec_eval; the same name if irstd has no other."""
    cut = re.fullmatch(r"(\w+)_([1-9][0-9]*)", trec_eval_name)
    if cut and cut[1] in TREC_EVAL_CUTS:
        return f"{TREC_EVAL_CUTS[cut[1]]}@{cut[2]}"
    return TREC_EVAL_NAMES.get(trec_eval_name, trec_eval_name)


def _rows(path: Path, text: str, separator: str) -> tuple[list[str], list[list[str]], list[int]]:
    """The names in the first line of a CSV file, the cells of the others, and their numbers."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    rows, numbers = [], []
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                rows.append([cell.strip() for cell in row])
                numbers.append(reader.line_num)
    except csv.Error as error:
        raise ValueError(f"{path}:{reader.line_num}: is not CSV: {error}") from error
    if len(rows) < 2:
        what = "a line of names but no scores" if rows else "no lines; expected a table of scores"
        raise ValueError(f"{path}: holds {what}")
    header, rows, numbers = rows[0], rows[1:], numbers[1:]
    if all(len(row) == len(header) + 1 for row in rows):
        header = ["", *header]  # as R writes a table with row names
    for row, number in zip(rows, numbers, strict=True):
        if len(row) != len(header):
            raise ValueError(
                f"{path}:{number}: expected {len(header)} columns as in the first line, found"
                f" {len(row)}: {show(separator.join(row).encode())}"
            )
    return header, rows, numbers


def _key(name: str) -> str:
    return re.sub(r"[\s_.-]", "", name).lower()


def _is_long(header: list[str]) -> bool:
    keys = [_key(name) for name in header]
    needed = all(sum(key in kind for key in keys) == 1 for kind in (TOPIC, SYSTEM, SCORE))
    return needed and all(key in TOPIC + SYSTEM + METRIC + SCORE for key in keys)


def _long(path: Path, header: list[str], rows: list[list[str]], numbers: list[int]) -> pd.DataFrame:
    keys = [_key(name) for name in header]
    where = [
        next((i for i, key in enumerate(keys) if key in kind), None)
        for kind in (METRIC, SYSTEM, TOPIC, SCORE)
    ]
    cells: Cells = {}
    for row, number in zip(rows, numbers, strict=True):
        metric, system, topic, value = ("" if i is None else row[i] for i in where)
        if (metric, system, topic) in cells:
            raise ValueError(f"{path}:{number}: a second score of {system} on topic {topic}")
        cells[metric, system, topic] = _number(path, number, value)
    return _pivot(cells)


def _wide(path, header, rows, numbers, topic_column) -> pd.DataFrame:
    column = _topic_column(path, header, rows, topic_column)
    if column is None:
        topics = [str(number) for number in range(1, len(rows) + 1)]
    else:
        header = header[:column] + header[column + 1 :]
        topics = [row.pop(column) for row in rows]
    if all(map(_is_number, header)):
        raise ValueError(f"{path}:1: expected the names of the systems, found {listed(header)}")
    for what, labels in (("system", header), ("topic", topics)):
        label, uses = Counter(labels).most_common(1)[0]
        if uses > 1:
            raise ValueError(f"{path}: the {what} {label!r} stands twice")
    values = [
        [_number(path, number, cell) for cell in row]
        for row, number in zip(rows, numbers, strict=True)
    ]
    return _frame(np.array(values), topics, [("", name) for name in header])


def _topic_column(path, header, rows, topic_column) -> int | None:
    if topic_column is False:
        return None
    if topic_column is not None:
        if topic_column not in header:
            raise ValueError(
                f"{path}: has no column {topic_column!r}; its columns are {listed(header, 10)}"
            )
        return header.index(topic_column)
    first = [row[0] for row in rows]
    if _key(header[0]) in TOPIC or not all(map(_is_number, first)):
        return 0
    if len(set(first)) == len(first) > 1 and all(re.fullmatch(r"\d+", text) for text in first):
        raise ValueError(
            f"{path}: is the first column, {header[0]!r}, a system or the topics? It holds"
            f" {listed(first)}; say topic_column={header[0]!r}, or topic_column=False"
        )
    return None


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return text.lower() in NOTHING
    return True


def _number(path: Path, line: int, text: str) -> float:
    if text.lower() in NOTHING:
        return np.nan
    try:
        # Python reads 1_000 and the digits of all scripts as numbers, other tools do not.
        value = float(text) if text.isascii() and "_" not in text else np.inf
    except ValueError:
        value = np.inf
    if not np.isfinite(value):
        raise ValueError(f"{path}:{line}: {show(text.encode())} is not a finite number")
    return value


def _pivot(cells: Cells) -> pd.DataFrame:
    columns = {column: i for i, column in enumerate(dict.fromkeys(key[:2] for key in cells))}
    topics = {topic: i for i, topic in enumerate(dict.fromkeys(key[2] for key in cells))}
    values = np.full((len(topics), len(columns)), np.nan)
    for (metric, system, topic), score in cells.items():
        values[topics[topic], columns[metric, system]] = score
    return _frame(values, list(topics), list(columns))


def _frame(values: np.ndarray, topics: list[str], columns: list[tuple]) -> pd.DataFrame:
    names = pd.MultiIndex.from_tuples(columns, names=["metric", "system"])
    return pd.DataFrame(values, pd.Index(topics, name="topic"), names)
