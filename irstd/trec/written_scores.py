"""Scores as tables that `read_scores` reads back to the last bit."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pandas as pd

from irstd._base.matrix import check_scores
from irstd.trec._columns import UNNAMED, is_summary, role_of, sums_up_as_last
from irstd.trec._layouts import long_form
from irstd.trec.files import write_files, write_text
from irstd.trec.forms import parquet_of
from irstd.trec.measures import are_metrics, from_trec_eval

OTHER_FORMS = (".feather", ".json", ".jsonl", ".ods", ".pkl", ".xls", ".xlsx")


def write_scores(scores: pd.DataFrame, path: str | os.PathLike) -> None:
    """Write scores as a CSV file that `read_scores` reads back to the last bit.

    Parameters
    ----------
    scores : DataFrame
        A score matrix, or several with columns ``(metric, system)``.
    path : path
        Where to write: CSV, gzipped if the name ends in ``.gz``; Parquet (with pyarrow), always in
        the long form, if it ends in ``.parquet``.

    Raises
    ------
    ValueError
        If a name is empty or begins or ends with a blank, which no table of text keeps; if a topic
        is called as a row that sums up (``all``, ``mean``), or a metric as trec_eval calls it; if
        the file is named as one of another form, such as ``.xlsx``.

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
    >>> irstd.read_scores(path).equals(scores)
    True
    """
    suffix = Path(path).suffix.lower()
    if suffix in OTHER_FORMS:
        raise ValueError(f"{path}: write_scores writes CSV or Parquet, not what {suffix} means")
    if suffix == ".parquet":
        scores = check_scores(scores, several=True, complete=False)
        _check_kept(scores.index, *_names(scores))
        return write_files({Path(path): parquet_of(long_form(scores))})
    return write_text(scores_text(scores), path)


def scores_text(scores: pd.DataFrame) -> str:
    """What `write_scores` writes."""
    scores = check_scores(scores, several=True, complete=False)
    names = _names(scores)
    systems = names[-1]
    have_a_role = any(_says_its_role(system) for system in systems)
    if len(names) > 1 or have_a_role or are_metrics(systems):
        table = long_form(scores)
    else:
        table = scores.reset_index(allow_duplicates=True)
    return csv_text(table, scores.index, *names)


def _says_its_role(system: str) -> bool:
    """Whether a column of this name would be taken for something else than a system."""
    is_unnamed = re.fullmatch(UNNAMED, system) is not None
    return role_of(system) is not None or is_summary(system) or is_unnamed


def _names(scores: pd.DataFrame) -> list[pd.Index]:
    """The names of the columns, of each level."""
    return [scores.columns.get_level_values(str(level)) for level in scores.columns.names]


def csv_text(table: pd.DataFrame, topics: pd.Index, *names: pd.Index) -> str:
    """A table as CSV; ValueError if one of its topics and names would not be read back."""
    _check_kept(topics, *names)
    return table.to_csv(index=False, lineterminator="\n")


def _check_kept(topics: pd.Index, *names: pd.Index) -> None:
    """Raise if a topic or a name would not be read back."""
    ids = [str(name) for part in (topics, *names) for name in part]
    lost = [name for name in ids if _is_lost(name)]
    lost += [topic for topic in topics if sums_up_as_last(topic)]
    for part in names:
        if part.name == "metric":
            lost += [name for name in part if name != from_trec_eval(name)]
    if lost:
        advice = "would not be read back: rename what is empty, has a blank at an end, or is called"
        raise ValueError(f"{str(lost[0])!r} {advice} as a sum (all) or by trec_eval (map)")


def _is_lost(name: str) -> bool:
    """Whether a name would not be read back from a file of text."""
    return not name or name.strip(" \t") != name or "\0" in name or "\r" in name
