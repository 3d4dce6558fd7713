"""Evaluation of runs against relevance judgments."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from irstd._base.arguments import with_progress
from irstd._base.matrix import ScoreTable, refuse_similar_ids
from irstd._base.messages import import_optional, list_items, listed, warn
from irstd.metrics import METRICS, Ranking
from irstd.metrics.tasks import Task, make_task
from irstd.trec.judged import Judgments, collect_judgments, get_grades_by_rank, judge_run
from irstd.trec.parsed import Table, are_all_tied, count_contrary_ranks, parse_table
from irstd.trec.runs import collect_sources, name_systems

CUT = 10  # a run of at least so many documents on most topics, and no more on any, was cut off
ONE_AT_A_TIME = threading.Lock()  # the tools behind ir_measures are not thread-safe
Metrics = str | Sequence | Mapping[str, Callable]


def evaluate(
    runs: Any,
    qrels: Any,
    metrics: Metrics = METRICS,
    *,
    depth: int | None = None,
    min_relevance: int = 1,
    missing: str = "zero",
    unjudged: str = "zero",
    ignore_identical_ids: bool | None = None,
    gain: str = "linear",
    n_jobs: int | None = 1,
    progress: bool = False,
) -> Any:
    """Score runs against relevance judgments (qrels).

    Parameters
    ----------
    runs : dict of str to run frame, or paths as `read_runs` takes them
        Runs by system: frames with ``query_id``, ``doc_id``, ``score`` (ir_measures) or ``qid``,
        ``docno``, ``score`` (PyTerrier), or dicts ``{topic: {document: score}}`` (pytrec_eval).
        Given paths, one file is read at a time, so that memory does not grow with the number of
        runs. For several collections, a dict of these by collection.
    qrels : qrels frame or path
        ``query_id``, ``doc_id``, ``relevance``, or ``{topic: {document: grade}}``. For several
        collections, a dict of these with the same keys.
    metrics : str, ir_measures measure, or a sequence of these
        Names from the table in the notes, by default `METRICS`, with any cut-off (``P@20``) or
        persistence (``RBP.5``). A name can have its own relevance level: ``AP(rel=2)``,
        ``P(rel=2)@10``. Names of trec_eval (``map``, ``P_10`` or ``P.10``, ``ndcg_cut_20``) keep
        their meaning, as do unambiguous names of ir_measures, BEIR, MTEB and ranx (``MRR@10``,
        ``recall@100``); the columns are ``AP``, ``P@10``, ``nDCG@20``. A measure of ir_measures, or
        the string ``"ir_measures.nDCG@20"``, is computed by ir_measures, if installed, by its own
        rules. Your own metric is a function of the grades by rank (an array as long as the run on
        the topic, 0 where not relevant): ``{"mine": function}``, or, in a list, the function
        itself, under its own name.
    depth : int, optional
        Number of ranks to evaluate (trec_eval's ``-M``); by default all.
    min_relevance : int, default 1
        The lowest relevant grade, for metrics whose name has no level. Lower grades have no gain in
        any metric, DCG included (trec_eval's ``-l`` does not affect nDCG). Documents of negative
        grades are judged, but not relevant.
    missing : {"zero", "nan", "raise"}, default "zero"
        Score of a topic that a run does not return; "raise" refuses such runs.
    unjudged : {"zero", "drop"}, default "zero"
        Treatment of unjudged documents in a run. "zero": not relevant. "drop": removed from the
        run, like negative grades, as by ``trec_eval -J`` (condensed lists, Sakai 2007); `depth`
        counts the remaining documents.
    ignore_identical_ids : bool, optional
        Whether to leave out documents whose id equals the topic id, as BEIR and MTEB do (in ArguAna
        and Quora, queries are documents of the collection). By default they are kept with a
        warning; False keeps them without one.
    gain : {"linear", "exponential"}, default "linear"
        Gain of a document of grade g in DCG, JDCG and their normalized forms: g, or 2^g - 1.
    n_jobs : int, default 1
        Number of runs scored in parallel, by threads or by the backend set with
        ``joblib.parallel_config``; -1 uses all cores.
    progress : bool, default False
        Whether to show a progress bar.

    Returns
    -------
    DataFrame
        One row per topic (index ``topic``, in the order of the qrels). A single metric gives a
        score matrix: one column per system, and the metric in ``attrs["metric"]``. A sequence of
        metrics gives columns ``(metric, system)``, so that ``scores["AP"]`` is a score matrix.
        Several collections give a dict of DataFrames.

    Raises
    ------
    ValueError
        For an unknown metric, or a cut-off above `depth`; `depth`, `min_relevance` or `gain` with
        measures of ir_measures, which they do not affect; a malformed file (with its line) or
        frame; qrels without relevant documents; a run without any topic of the qrels, or, with
        ``missing="raise"``, without one of them; topic ids that differ from those of the qrels only
        in spelling (01, 1.0 or " 1" for 1); a run with rank and score swapped; grades above 1000
        with ``gain="exponential"``.

    Warns
    -----
    UserWarning
        If topics are left out; if runs lack topics, retrieve no relevant document, score all
        documents of each topic the same, have ranks that contradict their scores, or end above a
        cut-off.

    Notes
    -----
    The order within a topic is trec_eval's: score descending, then document id descending; rank
    column and order in the file are ignored. Scores compare as doubles (pytrec_eval and trec_eval
    before 9.0.8 use single precision). rel_i is 1 if the document at rank i is relevant, else 0;
    g_i is its gain, and R the number of relevant documents of the topic:

    ============================ =================================================================
    AP, AP@k                     SP / R
    SP                           sum_i rel_i P@i
    JDCG, JDCG@k, nJDCG, nJDCG@k sum_i g_i / max(1, log2 i)
    DCG, DCG@k, nDCG, nDCG@k     sum_i g_i / log2(i + 1)
    P@k, nP@k                    sum_{i<=k} rel_i / k
    RR, RR@k                     1 / (rank of the first relevant document)
    RBP.p, nRBP.p                (1 - p) sum_i rel_i p^(i - 1)
    RP                           P@R
    R@k                          sum_{i<=k} rel_i / R
    Success@k                    1 if a relevant document is among the first k
    Judged@k                     the share of the first k documents that are judged
    Hole@k                       the share of the first k ranks with an unjudged document
    ERR, ERR@k                   sum_i s_i / i prod_{j<i} (1 - s_j), s_i = (2^g_i - 1) / 2^top
    NumRet                       documents in the run; NumRet(rel=k): those of grade k or above
    n...                         divided by the score of the ideal ranking of all relevant documents
    ============================ =================================================================

    A perfect run of k < R documents has an AP of k / R. JDCG and nJDCG are DCG and nDCG as Järvelin
    and Kekäläinen (2002) define them, with base 2, so that ranks 1 and 2 are undiscounted; the
    standardization factors published in 2008 are of these. DCG and nDCG are those of trec_eval,
    ir_measures, ranx, PyTerrier and BEIR, by default with linear gains. In Hole, only judgments of
    the same topic count, and ranks below the end of the run are not holes; BEIR's own code counts
    judgments of any topic, so that its value is equal or smaller. In ERR, top is 4, as in TREC's
    gdeval, or the highest grade if that is higher.

    References
    ----------
    SP: Webber 2008, doi:10.1145/1390334.1390346; JDCG: Järvelin 2002, doi:10.1145/582415.582418;
    DCG: Burges 2005, doi:10.1145/1102351.1102363; RBP: Moffat 2008, doi:10.1145/1416950.1416952;
    ERR: Chapelle 2009, doi:10.1145/1645953.1646033.

    Examples
    --------
    >>> import pandas as pd
    >>> qrels = pd.DataFrame(
    ...     {"query_id": ["1"] * 3, "doc_id": ["a", "b", "c"], "relevance": [1, 0, 1]})
    >>> run = pd.DataFrame(
    ...     {"query_id": ["1"] * 3, "doc_id": ["a", "b", "c"], "score": [3.0, 2.0, 1.0]})
    >>> evaluate({"mine": run}, qrels, "AP").round(4)
    system    mine
    topic
    1       0.8333
    """
    task = make_task(metrics, depth, min_relevance, gain, unjudged, missing, ignore_identical_ids)
    if not _is_by_collection(qrels):
        return _evaluate_runs(runs, qrels, task, n_jobs, progress)
    if not isinstance(runs, Mapping) or set(runs) != set(qrels):
        names = listed(qrels, 20)
        raise ValueError(
            f"qrels has the collections {names}: runs must be a dict with the same keys; for one"
            " collection, qrels must be {topic: {document: relevance}}"
        )
    scores = {}
    for name, judged in qrels.items():
        scores[name] = _evaluate_runs(runs[name], judged, task, n_jobs, progress)
    return scores


def _is_by_collection(qrels: Any) -> bool:
    """Return True if `qrels` is a dict of judgments by collection."""
    if not isinstance(qrels, Mapping) or not qrels:
        return False
    judgments = next(iter(qrels.values()))
    if not isinstance(judgments, Mapping):
        return True
    return any(isinstance(grades, Mapping) for grades in judgments.values())


def _evaluate_runs(
    runs: Any, qrels: Any, task: Task, n_jobs: int | None, progress: bool
) -> pd.DataFrame:
    """Score all runs of one collection by topic, metric and system."""
    sources = collect_sources(runs)
    table = parse_table(qrels, "relevance", "qrels")
    judgments = collect_judgments(table, task)
    judged = table.to_frame("relevance") if task.measures else None
    work = partial(_evaluate_run, judgments=judgments, task=task, qrels=judged)
    steps = with_progress(sources.items(), progress, desc="evaluate", unit="run")
    if n_jobs == 1:
        results = [work(name, source) for name, source in steps]
    else:
        joblib = import_optional("joblib")
        calls = (joblib.delayed(work)(name, source) for name, source in steps)
        results = joblib.Parallel(n_jobs, prefer="threads")(calls)
    systems = list(sources)
    if not isinstance(runs, Mapping):
        systems = name_systems(list(sources.values()), [result.tags for result in results])
    _warn_of_remarks(dict(zip(systems, results, strict=True)), judgments, task)
    values = np.stack([result.scores for result in results], axis=-1)  # metrics, topics, systems
    index = pd.Index(judgments.topics, name="topic")
    columns = pd.MultiIndex.from_product([task.names, systems], names=["metric", "system"])
    scores = ScoreTable(np.hstack(list(values)), index, columns)
    return scores if task.several else scores[task.names[0]]


class _RunResult(NamedTuple):
    """Scores of one run, and remarks about it."""

    scores: np.ndarray  # metrics x topics
    tags: list[str]
    remarks: dict[str, str]  # details by remark, "" if there are none


def _evaluate_run(
    name: str, source: Any, judgments: Judgments, task: Task, qrels: pd.DataFrame | None
) -> _RunResult:
    """Score one run by metric and topic; `qrels` are for ir_measures."""
    if not isinstance(source, Path):
        name = f"run {name!r}"
    run = parse_table(source, "score", name)
    returned = set(run.topics)
    judged = set(judgments.topics)
    if not returned & judged:
        raise ValueError(
            f"{name}: no topic in common with the qrels; first topics of the run: {run.topics[:3]},"
            f" of the qrels: {judgments.topics[:3]}"
        )
    lacking = [topic for topic in judgments.topics if topic not in returned]
    unjudged = [topic for topic in run.topics if topic not in judged]
    refuse_similar_ids([*lacking, *unjudged], f"the qrels and {name}")
    if lacking and task.missing == "raise":
        raise ValueError(
            f'{name} lacks judged {list_items(lacking)}: missing="zero" gives the score 0 there,'
            ' missing="nan" gives NaN'
        )
    unjudged = [topic for topic in unjudged if topic not in judgments.empty]
    judged_run = judge_run(run, judgments)
    remarks = _describe_run(run, task, lacking, unjudged, judged_run.is_identical.sum())
    if task.ignore_identical_ids:
        judged_run = judged_run.select_lines(~judged_run.is_identical)
    if task.unjudged == "drop":
        judged_run = judged_run.select_lines(judged_run.grades >= 0)
    grades = get_grades_by_rank(judged_run, len(judgments.topics), task.depth)
    if not (grades > 0).any():
        remarks["runs have no relevant document (do document ids match the qrels?)"] = ""
    by_metric = _compute_metrics(grades, judgments, task)
    if qrels is not None:
        frames = qrels, judged_run.run.to_frame("score")
        by_metric |= _compute_by_ir_measures(frames, judgments.topics, task.measures)
    scores = np.stack([by_metric[metric] for metric in task.names])
    if task.missing == "nan":
        scores[:, np.isin(judgments.topics, lacking)] = np.nan
    return _RunResult(scores, run.tags, remarks)


def _describe_run(
    run: Table, task: Task, lacking: list[str], unjudged: list[str], n_identical: int
) -> dict[str, str]:
    """Return remarks about a run's topics, ties, ranks and length."""
    score = "NaN" if task.missing == "nan" else "0"
    remarks = {}
    if lacking:
        remarks[f"topics missing from a run score {score}"] = list_items(lacking, limit=3)
    if unjudged:
        remarks["topics without judgments are ignored in"] = list_items(unjudged, limit=3)
    if task.ignore_identical_ids is None and n_identical:
        remarks[
            "some documents have the id of their topic (ignore_identical_ids=True leaves them out,"
            " as BEIR and MTEB do; False keeps them) in"
        ] = f"{n_identical} documents"
    if are_all_tied(run):
        remarks["all scores of a topic are tied, so that document ids decide the order, in"] = ""
    contrary, n_ranks = count_contrary_ranks(run)
    if contrary:
        remark = "ranks contradict the scores, which decide the order (are scores distances?), in"
        remarks[remark] = f"{contrary} of {n_ranks} ranks"
    lengths = np.bincount(run.codes)
    longest = lengths.max()
    if longest > task.depth:
        remarks[f"ranks beyond depth={task.depth} are ignored in"] = ""
    beyond = [name for name, metric in task.metrics.items() if metric.cut_off > longest]
    if beyond and longest >= CUT and np.median(lengths) == longest:
        remark = f"runs are shorter than the cut-off of {listed(beyond)}"
        remarks[remark] = f"{longest} documents"
    return remarks


def _compute_metrics(grades: np.ndarray, judgments: Judgments, task: Task) -> dict[str, np.ndarray]:
    """Compute irstd's metrics and the user's functions from grades by rank."""
    rankings: dict[int | None, tuple[Ranking, Ranking]] = {}  # of the run, and the ideal one
    for level in task.levels:
        ideal = judgments.ideals[level]
        # grades below the level become 0; negative grades, NaN and -inf stay
        level_grades = np.where(grades >= level, grades, np.minimum(grades, 0))
        run = Ranking.from_grades(level_grades, task.gain, ideal.n_relevant, ideal.top)
        rankings[level] = run, ideal
    return {
        name: metric.compute_scores(*rankings[metric.level])
        for name, metric in task.metrics.items()
    }


def _compute_by_ir_measures(
    frames: tuple[pd.DataFrame, ...], topics: list[str], measures: Mapping[str, Any]
) -> dict[str, np.ndarray]:
    """Compute measures of ir_measures, 0 for topics that it leaves out.

    `frames` are the qrels and the run.
    """
    values = {}
    calculate = import_optional("ir_measures").iter_calc
    with ONE_AT_A_TIME:
        for item in calculate(list(measures.values()), *frames):
            values[item.measure, item.query_id] = item.value
    scores = {}
    for name, measure in measures.items():
        scores[name] = np.array([values.get((measure, topic), 0.0) for topic in topics])
    return scores


def _warn_of_remarks(results: Mapping[str, _RunResult], judgments: Judgments, task: Task) -> None:
    """Warn about topics and runs with problems, once per problem for all systems."""
    empty = list_items(judgments.empty)
    findings = {"topics without a relevant document are left out": [empty]}
    for system, result in results.items():
        for remark, detail in result.remarks.items():
            where = f"{system} ({detail})" if detail else system
            findings.setdefault(remark, []).append(where)
    topics = np.array(judgments.topics, dtype=object)
    for level in task.levels:
        without = topics[judgments.ideals[level].n_relevant == 0]
        metrics = [name for name, metric in task.metrics.items() if metric.level == level]
        finding = f"topics without a document of relevance >= {level} score 0 in"
        findings[f"{finding} {listed(metrics)}"] = [list_items(without)]
    warn(
        *[f"evaluate: {what}: {listed(where, 4)}" for what, where in findings.items() if any(where)]
    )
