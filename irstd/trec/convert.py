"""Runs, judgments and scores in the forms of other tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from irstd._base.arguments import check_columns
from irstd._base.frames import as_frame
from irstd._base.matrix import check_scores

NAMES = {
    "query_id": ("qid", "q_id", "query-id", "topic"),
    "doc_id": ("docno", "docid", "corpus-id", "pid"),
    "score": (),
    "relevance": ("label", "rel"),
}


FORMS = {  # what can be read, as refusals say it
    "score": "a run is of TREC (topic Q0 document rank score tag), of MS MARCO (qid pid rank), JSON"
    ' {"topic": {"document": score}}, lines of JSON or Parquet; a frame or a list of'
    " ir_measures.ScoredDoc",
    "relevance": "qrels are of TREC (topic iteration document relevance), of BEIR (query-id"
    ' corpus-id score in the first line), JSON {"topic": {"document": grade}}, lines of JSON or'
    " Parquet; a frame or a list of ir_measures.Qrel",
}


def as_run(run: Any, name: str = "run") -> pd.DataFrame:
    """Return the run frame of a run in another tool's form.

    Parameters
    ----------
    run : DataFrame, list, dict or ranx Run
        A frame with columns ``query_id``, ``doc_id``, ``score``, or ``qid``, ``docno`` (PyTerrier),
        ``q_id`` (ranx) or ``query-id``, ``corpus-id`` (BEIR) in their place; of pandas, or of what
        has ``to_pandas``, as polars and Arrow; without a score, ``qid``, ``pid``, ``rank`` (MS
        MARCO: ranks are 1, 2, 3 ... on each topic, and the score is minus the rank). A list of
        ``ir_measures.ScoredDoc``; a dict ``{topic: {document: score}}``, as pytrec_eval and the
        readers of BEIR have; a ``ranx.Run``.

    Returns
    -------
    DataFrame
        ``query_id``, ``doc_id``, ``score``; what is a run frame is returned as it is.

    Raises
    ------
    TypeError, ValueError
        If it is none of these, a score is no finite number, or ranks are not 1, 2, 3 ...

    Examples
    --------
    >>> as_run({"301": {"d7": 2.5}})
      query_id doc_id  score
    0      301     d7    2.5
    """
    return _as_frame(run, "score", name)


def as_qrels(qrels: Any, name: str = "qrels") -> pd.DataFrame:
    """Return the qrels frame of judgments in another tool's form.

    Parameters
    ----------
    qrels : DataFrame, list, dict or ranx Qrels
        A frame with columns ``query_id``, ``doc_id``, ``relevance``, or ``qid``, ``docno``,
        ``label`` (PyTerrier) or ``query-id``, ``corpus-id``, ``score`` (BEIR) in their place; of
        pandas, or of what has ``to_pandas``, as polars and Arrow. A list of ``ir_measures.Qrel``;
        a dict ``{topic: {document: grade}}``; a ``ranx.Qrels``.

    Returns
    -------
    DataFrame
        ``query_id``, ``doc_id``, ``relevance``; what is a qrels frame is returned as it is.

    Examples
    --------
    >>> import pandas as pd
    >>> as_qrels(pd.DataFrame({"qid": ["301"], "docno": ["d7"], "label": [1]}))
      query_id doc_id  relevance
    0      301     d7          1
    """
    return _as_frame(qrels, "relevance", name)


def to_dict(data: pd.DataFrame) -> dict:
    """Return a run, qrels or scores as a dict.

    Parameters
    ----------
    data : run frame, qrels frame, or scores
        See `as_run`, `as_qrels`, `read_scores`.

    Returns
    -------
    dict
        ``{topic: {document: score or grade}}``, as pytrec_eval, ranx and ir_measures take; of
        scores ``{system: {topic: score}}``, or ``{system: {topic: {metric: score}}}`` of several
        metrics.

    Examples
    --------
    >>> import pandas as pd
    >>> to_dict(pd.DataFrame({"query_id": ["1", "1"], "doc_id": ["a", "b"], "score": [2.0, 1.0]}))
    {'1': {'a': 2.0, 'b': 1.0}}
    """
    data = as_frame(data)
    if isinstance(data, pd.DataFrame) and _has(data, "doc_id"):
        return _dict_of_documents(data)
    scores = check_scores(data, "data", several=True, complete=False)
    if scores.columns.nlevels == 1:
        return scores.to_dict()
    by_system = {}
    for system in scores.columns.unique("system"):
        by_system[system] = scores.T.xs(system, level="system").to_dict()
    return by_system


def _has(data: pd.DataFrame, column: str) -> bool:
    """Whether a frame has a column by our name or by that of another tool."""
    names = {column, *NAMES[column]}
    return not names.isdisjoint(data.columns)


def _dict_of_documents(data: pd.DataFrame) -> dict:
    """A run or qrels as ``{topic: {document: score or grade}}``."""
    value = "score"
    if _has(data, "relevance"):
        value = "relevance"
    frame = _as_frame(data, value, "data").astype({"query_id": str, "doc_id": str})
    repeated = frame.duplicated(["query_id", "doc_id"])
    if repeated.any():
        raise ValueError(f"data has a document twice: {frame[repeated].iloc[0].to_dict()}")
    parts = frame.set_index("doc_id").groupby("query_id", sort=False)[value]
    return {topic: part.to_dict() for topic, part in parts}


def _as_frame(data: Any, value: str, name: str) -> pd.DataFrame:
    """A frame with columns ``query_id``, ``doc_id`` and `value`."""
    columns = ["query_id", "doc_id", value]
    if type(data).__module__.partition(".")[0] == "ranx":
        data = data.to_dict()
    if isinstance(data, Mapping) and all(isinstance(part, Mapping) for part in data.values()):
        data = _frame_of_dict(data, columns, name)
    data = as_frame(data)
    if not isinstance(data, pd.DataFrame):
        raise TypeError(
            f"{name} must be a DataFrame or a dict of dicts, got {data!s:.40}; {FORMS[value]}"
        )
    if value == "score" and "score" not in data and "rank" in data:
        data = _with_scores(data, name)
    renamed = _other_names(data, columns)
    if renamed:
        data = data.rename(columns=renamed)
    try:
        check_columns(data, columns, name)
    except ValueError as error:
        raise ValueError(f"{error}; {FORMS[value]}") from None
    _check_values(data[value], value, name)
    if renamed:
        return data[columns]
    return data


def _frame_of_dict(data: Mapping, columns: list[str], name: str) -> pd.DataFrame | None:
    """The frame of a dict of dicts; None if that is empty."""
    for part in (data, *data.values()):
        if len({str(key) for key in part}) < len(part):
            raise ValueError(f"{name} has an id as text and as a number, which are two or one")
    if not data:
        return None
    rows = []
    for topic, documents in data.items():
        for document, value in documents.items():
            rows.append((topic, document, value))
    return pd.DataFrame(rows, columns=columns)


def _other_names(data: pd.DataFrame, columns: list[str]) -> dict[str, str]:
    """Our name of each column that a frame has only by the name of another tool."""
    renamed = {}
    for column in columns:
        names = [name for name in NAMES[column] if name in data]
        if names and column not in data:
            renamed[names[0]] = column
    of_others = "corpus-id" in data or "q_id" in data
    if "relevance" in columns and "relevance" not in data and of_others:
        renamed["score"] = "relevance"  # as BEIR and ranx call grades
    return renamed


def _with_scores(data: pd.DataFrame, name: str) -> pd.DataFrame:
    """A frame of ranks with scores: minus the rank."""
    topics = [column for column in ("query_id", *NAMES["query_id"]) if column in data]
    if not topics:
        return data
    ranks = data["rank"]
    codes, _ = pd.factorize(data[topics[0]])
    _check_values(ranks, "rank", name)
    row, problem = wrong_rank(codes, ranks.to_numpy(dtype=float))
    if problem:
        raise ValueError(f"{name}, row {row}: {problem}: {data.iloc[row].to_dict()}")
    return data.assign(score=-ranks.astype(float))


def wrong_rank(codes: np.ndarray, ranks: np.ndarray) -> tuple[int, str]:
    """The first line whose rank cannot be right, and why; no text if all can be.

    `codes` has the topic of each line. Ranks are 1, 2, 3 ... on each topic: a gap would move up
    what is below it, and a column of scores would be taken for ranks.
    """
    table = pd.DataFrame({"topic": codes, "rank": ranks})
    steps = table.groupby("topic")["rank"].diff().dropna()
    if len(steps) and (steps < 0).all():
        return int(steps.index[0]), "the ranks fall from line to line on every topic, as scores do"
    sizes = table.groupby("topic")["rank"].transform("size")
    wrong = table.duplicated() | (table["rank"] < 1) | (table["rank"] > sizes)
    if wrong.any():
        row = int(wrong.to_numpy().argmax())
        size = sizes.iloc[row]
        hint = "; these begin with 0: add 1" if table["rank"].min() == 0 else ""
        return row, f"ranks must be 1 to {size} on a topic of {size} lines, each once{hint}"
    return -1, ""


def _check_values(column: pd.Series, value: str, name: str) -> None:
    """Raise unless scores are finite numbers, or grades whole ones."""
    values = np.full(len(column), np.nan)
    column = column.infer_objects()  # numbers that pandas holds as objects
    if column.dtype.kind in "iuf":
        values = column.to_numpy(dtype=float, na_value=np.nan)
    if value == "score":
        expected = "finite"
        wrong = ~np.isfinite(values)
    else:
        expected = "whole"
        wrong = values % 1 != 0
    if wrong.any():
        row = int(wrong.argmax())
        found = f"{column.tolist()[row]!r} in row {row}"
        raise ValueError(f"{name}: {value} must be {expected} numbers, found {found}")
