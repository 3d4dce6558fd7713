"""Runs, judgments and scores in the forms of other tools: dicts, ranx, PyTerrier, ir_measures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from irstd._checks import check_columns, check_scores, listed
from irstd.trec._layouts import cells_of_scores
from irstd.trec._measures import to_ir_measures as measure_name
from irstd.trec._tables import table_of

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
    name : str
        What messages call it.

    Returns
    -------
    DataFrame
        ``query_id``, ``doc_id``, ``score``; what is a run frame is returned as it is.

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
    name : str
        What messages call it.

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
        ``{topic: {document: score or grade}}``, as pytrec_eval and ir_measures take; of scores
        ``{system: {topic: score}}``, or ``{system: {topic: {metric: score}}}`` of several metrics.

    Examples
    --------
    >>> import pandas as pd
    >>> to_dict(pd.DataFrame({"query_id": ["1", "1"], "doc_id": ["a", "b"], "score": [2.0, 1.0]}))
    {'1': {'a': 2.0, 'b': 1.0}}
    """
    value = _value(data)
    if value:
        frame = _checked(data, value)
        return {
            topic: dict(zip(part["doc_id"].tolist(), part[value].tolist(), strict=True))
            for topic, part in frame.groupby("query_id", sort=False)
        }
    scores = check_scores(data, several=True, complete=False)
    if scores.columns.nlevels == 1:
        return scores.to_dict()
    systems = scores.columns.unique("system")
    return {system: scores.T.xs(system, level="system").to_dict() for system in systems}


def to_ranx(data: pd.DataFrame, *, name: str | None = None) -> Any:
    """Return a run or qrels as ranx holds it; ranx must be installed.

    Parameters
    ----------
    data : run frame or qrels frame
    name : str, optional
        The name of the run.

    Returns
    -------
    ranx.Run or ranx.Qrels
    """
    import ranx

    value = _value(data)
    if not value:
        raise TypeError("data must be a run frame or a qrels frame: ranx holds no scores of others")
    if value == "score":
        return ranx.Run.from_dict(to_dict(data), name=name)
    return ranx.Qrels.from_dict(to_dict(data))


def to_pyterrier(data: pd.DataFrame, *, metric: str | None = None) -> pd.DataFrame:
    """Return a run, qrels or scores as a frame of PyTerrier.

    Parameters
    ----------
    data : run frame, qrels frame, or scores
    metric : str, optional
        The name of the metric of a single score matrix, by default ``attrs["metric"]``.

    Returns
    -------
    DataFrame
        Of a run ``qid``, ``docno``, ``score``, ``rank`` (from 0; equal scores by document id,
        descending, as trec_eval ranks them); of qrels ``qid``, ``docno``, ``label``; of scores
        ``name``, ``qid``, ``measure``, ``value``, as an experiment with ``perquery=True`` returns.

    Raises
    ------
    ValueError
        If a metric has a name which means another one there, as nDCG.

    Examples
    --------
    >>> import pandas as pd
    >>> to_pyterrier(pd.DataFrame({"query_id": ["1"], "doc_id": ["a"], "relevance": [2]}))
      qid docno  label
    0   1     a      2
    """
    value = _value(data)
    if not value:
        names = ["system", "query_id", "measure", "value"]
        return _long(data, metric)[names].set_axis(["name", "qid", "measure", "value"], axis=1)
    frame = _checked(data, value).set_axis(["qid", "docno", value], axis=1)
    if value == "relevance":
        return frame.rename(columns={"relevance": "label"})
    place = frame["qid"].map({topic: i for i, topic in enumerate(frame["qid"].unique())})
    frame = (
        frame.assign(place=place)
        .sort_values(["place", "score", "docno"], ascending=[True, False, False])
        .drop(columns="place")
        .reset_index(drop=True)
    )
    return frame.assign(rank=frame.groupby("qid", sort=False).cumcount())


def to_ir_measures(data: pd.DataFrame, *, metric: str | None = None) -> pd.DataFrame:
    """Return a run, qrels or scores as a frame of ir_measures.

    Parameters
    ----------
    data : run frame, qrels frame, or scores
    metric : str, optional
        The name of the metric of a single score matrix, by default ``attrs["metric"]``.

    Returns
    -------
    DataFrame
        A run or qrels as they are, checked, since the frames are the same; of scores ``query_id``,
        ``measure``, ``value``, and before them ``system`` if there are several.

    Raises
    ------
    ValueError
        If a metric has a name which means another one there, as nDCG.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"mine": [0.5]}, index=["301"])
    >>> to_ir_measures(scores, metric="nVDCG@20")
      query_id  measure  value
    0      301  nDCG@20    0.5
    """
    value = _value(data)
    if value:
        return _checked(data, value)
    frame = _long(data, metric)
    return frame if frame["system"].nunique() > 1 else frame.drop(columns="system")


def _as_frame(data: Any, value: str, name: str) -> pd.DataFrame:
    if type(data).__module__.partition(".")[0] == "ranx":
        data = data.to_dict()
    if isinstance(data, Mapping):
        wrong = next((part for part in data.values() if not isinstance(part, Mapping)), None)
        if wrong is not None or not data:
            found = f"a {type(wrong).__name__} for a topic" if data else "an empty one"
            raise TypeError(
                f"{name} must be a dict {{topic: {{document: {value}}}}}, found {found}"
            )
        rows = [
            (topic, document, number)
            for topic, documents in data.items()
            for document, number in documents.items()
        ]
        return pd.DataFrame(rows, columns=["query_id", "doc_id", value])
    columns = ("query_id", "doc_id", value)
    if not isinstance(data, pd.DataFrame):
        raise TypeError(
            f"{name} must be a DataFrame ({listed(columns)}), a dict"
            f" {{topic: {{document: {value}}}}} or ranx's, got {type(data).__name__}"
        )
    others = {
        theirs: ours
        for ours in columns
        for theirs in NAMES[ours]
        if theirs in data and ours not in data
    }
    if others:
        data = data.rename(columns=others)
        check_columns(data, columns, name)
        data = data[list(columns)]
    return data


def _value(data: pd.DataFrame) -> str | None:
    """The name of the values in a run or qrels frame; None if it has no documents."""
    if not isinstance(data, pd.DataFrame):
        raise TypeError(f"data must be a DataFrame, got {type(data).__name__}")
    if "doc_id" not in data and not any(name in data for name in NAMES["doc_id"]):
        return None
    graded = any(name in data for name in ("relevance", *NAMES["relevance"]))
    return "relevance" if graded else "score"


def _checked(data: pd.DataFrame, value: str) -> pd.DataFrame:
    name = "run" if value == "score" else "qrels"
    frame = table_of(_as_frame(data, value, name), value, name).frame(value)
    return frame.astype({value: float if value == "score" else int})


def _long(scores: pd.DataFrame, metric: str | None) -> pd.DataFrame:
    """One row per score: system, query_id, measure, value."""
    name = metric or getattr(scores, "attrs", {}).get("metric") or "score"
    scores = check_scores(scores, several=True, complete=False)
    if scores.columns.nlevels == 1:
        scores = pd.concat({name: scores}, axis=1, names=["metric", "system"])
    long = cells_of_scores(scores)
    measures = {one: measure_name(one) for one in long["metric"].unique()}
    return pd.DataFrame(
        {
            "system": long["system"].astype(str),
            "query_id": long["topic"].astype(str),
            "measure": long["metric"].map(measures).astype(str),
            "value": long["score"].astype(float),
        }
    )
