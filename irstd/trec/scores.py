"""Tables of per-topic scores, read from what many tools write."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from irstd._base.frames import as_frame
from irstd._base.matrix import by_metric
from irstd._base.messages import listed, topics_where, warn
from irstd.metrics import check_range
from irstd.trec.cells import Source
from irstd.trec.files import find_files
from irstd.trec.measures import is_measure, names_here
from irstd.trec.score_files import scores_of_file
from irstd.trec.score_tables import LONG, Said, matrix_of, scores_of_frame

DICT = (
    "expected {system: {topic: {metric: score}}}; of {system: {topic: score}} give"
    " pd.DataFrame(scores).rename_axis('topic'), of {topic: {system: score}} its .T so"
)


def read_scores(
    source: str | os.PathLike | Iterable | pd.DataFrame | Mapping,
    *,
    topic: str | None = None,
    system: str | None = None,
    metric: str | None = None,
    value: str | None = None,
    names: str = "irstd",
) -> pd.DataFrame:
    """Read per-topic scores that another tool computed.

    What a column holds is said by its name, and nothing is guessed from its values. What cannot be
    read so is refused, with the argument to give; the page "Layouts of score tables" has recipes.

    Parameters
    ----------
    source : path, glob or list of paths, DataFrame, or dict
        By its suffix, a table in CSV (``.csv``), TSV (``.tsv``), lines of JSON (``.jsonl``), each
        gzipped or not, or Parquet (``.parquet``, with pyarrow); a file of any other name is what
        ``trec_eval -q`` or ``ir_measures -q`` print. Several files are joined by topic. A
        DataFrame, whose index counts if it has a name, or what has ``to_pandas`` (polars, Arrow);
        a list of what ir_measures' ``iter_calc`` yields; a dict ``{system: {topic: {metric:
        score}}}``, the inner part as pytrec_eval returns it.
    topic : str, optional
        The column of topics; by default ``topic``, ``query_id`` or ``qid``.
    system : str, optional
        The column of systems; by default ``system``, ``run``, ``run_id`` or ``tag``. If there is
        none, and no column of scores, the table is wide: each other column is a system.
    metric : str, optional
        The column of names of metrics; by default ``metric`` or ``measure``.
    value : str, optional
        The column of scores; by default ``score`` or ``value``. Said, other columns are left out.
        If there is none beside a column of systems, each other column is a metric.
    names : {"irstd", "page"}, default "irstd"
        ``"page"``: the metrics have the names of the page of factors, and of irstd before 0.4,
        where DCG and nDCG are JDCG and nJDCG, VDCG and nVDCG are DCG and nDCG.

    Returns
    -------
    DataFrame
        A score matrix: one row per topic (index ``topic``, str), one column per system. If there
        are several metrics, the columns are pairs ``(metric, system)``; the name of a single one,
        if known, is in ``attrs["metric"]``.

    Raises
    ------
    ValueError
        With file and line: columns that are not said; text where a score should be; a row that
        sums up others (``all``, ``mean``); two scores of a system on a topic; a score that its
        metric cannot have, as an AP of 50.

    Warns
    -----
    UserWarning
        If scores are missing: they are NaN.

    Notes
    -----
    Names of trec_eval and ir_measures are translated (``map`` is AP, ``ndcg_cut_20`` ``nDCG@20``,
    ``Rprec`` RP). Others are kept. Scores without a name of their system are those of one, called
    as the file without its suffix; in a DataFrame it is called ``run``.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "scores.csv")
    >>> _ = path.write_text("id,a,b\\n301,0.25,0.5\\n302,0,1\\n")
    >>> read_scores(path, topic="id")
    system     a    b
    topic
    301     0.25  0.5
    302     0.00  1.0
    """
    said = {"topic": topic, "system": system, "metric": metric, "value": value}
    name, parts = _parts(as_frame(source), said)
    scores = pd.concat(parts, axis=1)
    if not scores.columns.is_unique:
        repeated = listed(scores.columns[scores.columns.duplicated()].unique("system"))
        raise ValueError(f"{name}: the system {repeated} is in more than one of the files")
    theirs = scores.columns.unique("metric")
    metrics = names_here(theirs, names, name)
    scores = scores.rename(columns=dict(zip(theirs, metrics, strict=True)), level="metric")
    for metric, part in by_metric(scores).items():
        check_range(part, metric, name)
    missing = scores.isna()
    topics = topics_where(missing)
    if topics:
        count = f"{missing.to_numpy().sum()} of {missing.size} scores are missing"
        warn(f"{name}: {count}, on the topics {topics}; they are NaN")
    if len(metrics) > 1:
        scores.attrs["metrics"] = metrics
        return scores
    scores = scores.droplevel("metric", axis=1)
    if metrics[0]:
        scores.attrs["metric"] = metrics[0]
    return scores


def _parts(source: Any, said: Said) -> tuple[str, list[pd.DataFrame]]:
    """What messages call the source of scores, and a matrix of each file, (metric, system)."""
    if isinstance(source, pd.DataFrame):
        return "the table", [scores_of_frame(source, said, Source("the table"))]
    if isinstance(source, Mapping):
        return "the dict", [_of_dict(source, Source("the dict"))]
    files = find_files(source)
    parts = [scores_of_file(file, said) for file in files]
    return listed(file.name for file in files), parts


def _of_dict(scores: Mapping, source: Source) -> pd.DataFrame:
    """The matrix of ``{system: {topic: {metric: score}}}``."""
    rows = []
    for system, by_topic in scores.items():
        if not isinstance(by_topic, Mapping):
            source.fail(DICT)
        for topic, held in by_topic.items():
            if not isinstance(held, Mapping) or is_measure(str(topic)):
                source.fail(DICT)
            for metric, score in held.items():
                rows.append((topic, system, metric, score))
    table = pd.DataFrame(rows, columns=list(LONG.values()), dtype=object)
    return matrix_of(table, LONG, source)
