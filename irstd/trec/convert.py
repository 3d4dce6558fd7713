"""Runs, judgments and scores in the forms of other tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from irstd._base.arguments import check_columns
from irstd._base.matrix import check_scores

NAMES = {
    "query_id": ("qid", "q_id", "topic"),
    "doc_id": ("docno", "docid"),
    "score": (),
    "relevance": ("label", "rel"),
}


def as_run(run: Any, name: str = "run") -> pd.DataFrame:
    """Return the run frame of a run in another tool's form.

    Parameters
    ----------
    run : DataFrame, dict or ranx Run
        A frame with columns ``query_id``, ``doc_id``, ``score``, or ``qid``, ``docno`` (PyTerrier)
        or ``q_id`` (ranx) in their place; a dict ``{topic: {document: score}}``, as pytrec_eval and
        the readers of BEIR have; a ``ranx.Run``.

    Returns
    -------
    DataFrame
        ``query_id``, ``doc_id``, ``score``; what is a run frame is returned as it is.

    Raises
    ------
    TypeError, ValueError
        If it is none of these, or a score is no finite number.

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
    qrels : DataFrame, dict or ranx Qrels
        A frame with columns ``query_id``, ``doc_id``, ``relevance``, or ``qid``, ``docno``,
        ``label`` (PyTerrier) in their place; a dict ``{topic: {document: grade}}``; a
        ``ranx.Qrels``.

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
    columns = set(data.columns) if isinstance(data, pd.DataFrame) else set()
    if columns & {"doc_id", *NAMES["doc_id"]}:
        value = "relevance" if columns & {"relevance", *NAMES["relevance"]} else "score"
        frame = _as_frame(data, value, "data").astype({"query_id": str, "doc_id": str})
        if (twice := frame.duplicated(["query_id", "doc_id"])).any():
            raise ValueError(f"data has a document twice: {frame[twice].iloc[0].to_dict()}")
        parts = frame.set_index("doc_id").groupby("query_id", sort=False)[value]
        return {topic: part.to_dict() for topic, part in parts}
    scores = check_scores(data, "data", several=True, complete=False)
    if scores.columns.nlevels == 1:
        return scores.to_dict()
    return {s: scores.T.xs(s, level="system").to_dict() for s in scores.columns.unique("system")}


def _as_frame(data: Any, value: str, name: str) -> pd.DataFrame:
    columns = ["query_id", "doc_id", value]
    if type(data).__module__.partition(".")[0] == "ranx":
        data = data.to_dict()
    if isinstance(data, Mapping) and all(isinstance(part, Mapping) for part in data.values()):
        if any(len(set(map(str, part))) < len(part) for part in (data, *data.values())):
            raise ValueError(f"{name} has an id as text and as a number, which are two or one")
        rows = [(topic, *pair) for topic, documents in data.items() for pair in documents.items()]
        data = pd.DataFrame(rows, columns=columns) if data else None
    if not isinstance(data, pd.DataFrame):
        raise TypeError(f"{name} must be a DataFrame or a dict of dicts, got {data!s:.40}")
    first = {ours: [name for name in NAMES[ours] if name in data][:1] for ours in columns}
    others = {name: ours for ours, names in first.items() for name in names if ours not in data}
    data = data.rename(columns=others) if others else data
    check_columns(data, columns, name)
    values = np.full(len(data), np.nan)
    if data[value].dtype.kind in "iuf":
        values = data[value].to_numpy(dtype=float, na_value=np.nan)
    odd = ~np.isfinite(values) if value == "score" else values % 1 != 0
    if odd.any():
        what, found = "finite" if value == "score" else "whole", data[value].iloc[odd.argmax()]
        raise ValueError(f"{name}: {value} must be {what} numbers, found {found!r}")
    return data[columns] if others else data
