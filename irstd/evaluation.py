"""Runs and qrels to a score matrix: files or frames in, a score per topic and system out."""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from numbers import Real
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from irstd._base.arguments import check_choice, check_count, check_real, check_text, with_progress
from irstd._base.messages import listed, needed, warn
from irstd.metrics import METRICS, OF_ALL_JUDGED, Ranking, parse_metric, score_gains
from irstd.trec.files import find_files
from irstd.trec.measures import from_trec_eval
from irstd.trec.parsed import Judgments, Level, Table, grades_by_rank, judge, table_of
from irstd.trec.runs import name_systems

OTHER = "ir_measures."  # before the names of measures that ir_measures computes
ONE_AT_A_TIME = threading.Lock()  # what ir_measures calls is not made for threads


class Task(NamedTuple):
    """What is to be computed of each run."""

    names: list[str]  # of the metrics, as the columns have them
    levels: dict[int, list[str]]  # by the lowest grade that is relevant: metrics of irstd
    measures: dict[str, Any]  # of ir_measures, by name
    depth: int
    gain: str
    all_judged: bool  # whether documents count that are judged not relevant
    own: dict[str, Callable]  # functions of the grades by rank, by name
    unjudged: bool  # whether what nobody judged counts as relevant


def evaluate(
    runs: Mapping[str, Any] | str | os.PathLike | Iterable,
    qrels: pd.DataFrame | Mapping | str | os.PathLike,
    metrics: str | Sequence | Mapping[str, Callable] = METRICS,
    *,
    depth: int | None = None,
    min_relevance: int = 1,
    missing: str = "zero",
    unjudged: str = "zero",
    gain: str = "linear",
    n_jobs: int | None = 1,
    progress: bool = False,
) -> pd.DataFrame:
    """Score runs against relevance judgments: runs come first, then the judgments.

    Parameters
    ----------
    runs : dict of str to run frame, or whatever `read_runs` takes
        Systems and their runs (``query_id``, ``doc_id``, ``score``, or a form that `as_run` knows).
        Given paths, one file is read at a time, so that memory does not grow with the number of
        runs. A folder in a dict is a family: ``{"base": folder}`` gives systems ``base/TAG``.
    qrels : qrels frame or path
        ``query_id``, ``doc_id``, ``relevance``, or a form that `as_qrels` knows.
    metrics : str, ir_measures measure, or a sequence of these
        Any of `METRICS`, ``bpref`` and ``NumRet``; with any cut-off ``P@k``, ``R@k``, ``AP@k``,
        ``RR@k``, ``Success@k``, ``Judged@k``, ``DCG@k``, ``nDCG@k``, ``VDCG@k``, ``nVDCG@k``,
        ``ERR@k``; ``RBP.5`` for any persistence; R-normalized ``nP@k`` and ``nRBP.8``. A level of
        relevance of its own is given as in ``AP(rel=2)`` or ``P(rel=2)@10``. trec_eval's names
        (``map``, ``P_10`` or ``P.10``, ``ndcg_cut_20``) mean what they mean there; the columns are
        ``AP``, ``P@10``, ``nVDCG@20``. A measure of ir_measures is computed by it, if installed, by
        its own rules, and named ``ir_measures.nDCG@20``; that name as a string will do, too. A
        metric of one's own is a function of the grades by rank (an array as long as the run on the
        topic, 0 where not relevant): ``{"mine": function}``, or among others by its own name.
    depth : int, optional
        Ranks that count, as by trec_eval's ``-M``; by default all that a run has.
    min_relevance : int, default 1
        The lowest grade that is relevant, for metrics that do not say. What is below it gains
        nothing in any metric, DCG included (trec_eval's ``-l`` leaves nDCG alone). Negative grades
        are judged, not relevant.
    missing : {"zero", "nan", "raise"}, default "zero"
        What a topic that a run does not return scores.
    unjudged : {"zero", "relevant"}, default "zero"
        What documents of a run count that nobody judged: not relevant, or of grade `min_relevance`,
        all of them, with R and the ideal ranking as large. RBP then also has what documents below
        the end of the run could add, so that the two differ by its residual; others are no bounds.
    gain : {"linear", "exponential"}, default "linear"
        For DCG and its kin: a document of grade g gains g, or 2^g - 1.
    n_jobs : int, default 1
        Runs scored at a time, by threads of this process, or by the backend that
        ``joblib.parallel_config`` names; -1 is all cores.
    progress : bool, default False
        Whether to show a progress bar.

    Returns
    -------
    DataFrame
        A row a topic (index ``topic``, in the order of the qrels). For one metric given as a
        string, a score matrix: a column a system, the metric in ``attrs["metric"]``. For a
        sequence, columns ``(metric, system)``, so that ``scores["AP"]`` is a score matrix.

    Raises
    ------
    ValueError
        An unknown metric, or with a cut-off above `depth`; `depth`, `min_relevance` or `gain` with
        measures of ir_measures, which they do not bind; a malformed file (with its line) or frame;
        no relevant document, or a run without a topic of the qrels; a run that lacks a topic, with
        ``missing="raise"``.

    Warns
    -----
    UserWarning
        Naming what is left out, runs that lack topics, or have not one relevant document; of DCG
        and nDCG, if asked for by name.

    Notes
    -----
    The order within a topic is trec_eval's: score descending, then document id descending; rank
    column and order in the file are ignored. Scores compare as doubles (pytrec_eval and trec_eval
    before 9.0.8 hold them in single precision). With rel_i = 1 if the document at rank i is
    relevant, g_i its gain, R the relevant documents of the topic:

    ========== =========================================================
    SP         sum_i rel_i P@i
    AP         SP / R
    P@k        sum_{i<=k} rel_i / k
    RP         P@R
    R@k        sum_{i<=k} rel_i / R
    Success@k  1 if a relevant document is among the first k
    Judged@k   the share of the first k documents that are judged
    RR         1 / (rank of the first relevant document)
    NumRet     how many documents the run has; NumRet(rel=k): of grade k or above
    bpref      sum_i rel_i (1 - min(N_i, R) / min(N, R)) / R
    ERR        sum_i s_i / i prod_{j<i} (1 - s_j), s_i = (2^g_i - 1) / 2^top
    RBP.p      (1 - p) sum_i rel_i p^(i - 1)
    DCG        sum_i g_i / max(1, log2 i)
    VDCG       sum_i g_i / log2(i + 1)
    n...       divided by the score of the ideal ranking of all that is relevant
    ========== =========================================================

    DCG and nDCG are those of Jarvelin and Kekalainen (2002), base 2, which leaves ranks 1 and 2
    undiscounted. What trec_eval, ir_measures and ranx call nDCG is nVDCG here. A perfect run of
    k < R documents reaches an AP of k / R. In bpref, N documents are judged not relevant, N_i of
    them above rank i; those of negative grades do not count, as in trec_eval. In ERR, top is 4, as
    in TREC's gdeval, or the highest grade if that is higher.

    References
    ----------
    DCG: doi:10.1145/582415.582418; VDCG: doi:10.1145/1102351.1102363; RBP:
    doi:10.1145/1416950.1416952; bpref: doi:10.1145/1008992.1009000; ERR:
    doi:10.1145/1645953.1646033.

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
    task = _task(metrics, depth, min_relevance, gain, unjudged)
    check_choice(missing, ("zero", "nan", "raise"), "missing")
    sources, families = _sources(runs)
    table = table_of(qrels, "relevance", "qrels")
    judgments = judge(table, min_relevance, task.levels, gain, task.all_judged)
    frame = table.frame("relevance").astype({"relevance": int}) if task.measures else None
    work = partial(_evaluate_run, judgments=judgments, task=task, qrels=frame)
    steps = with_progress(sources.items(), progress, desc="evaluate", unit="run")
    if n_jobs == 1:
        results = [work(*source) for source in steps]
    else:
        joblib = needed("joblib")
        calls = (joblib.delayed(work)(*source) for source in steps)
        results = joblib.Parallel(n_jobs, prefer="threads")(calls)
    systems = _names(sources, families, [result.tags for result in results])
    _report(systems, results, judgments, missing, task)
    values = np.stack([result.scores for result in results], axis=-1)  # metrics, topics, systems
    if missing == "nan":
        values[:, np.stack([result.lacking for result in results], axis=-1)] = np.nan
    index = pd.Index(judgments.topics, name="topic")
    columns = pd.MultiIndex.from_product([task.names, systems], names=["metric", "system"])
    scores = pd.DataFrame(np.hstack(list(values)), index, columns)
    if isinstance(metrics, (Sequence, Mapping)) and not isinstance(metrics, str):
        scores.attrs["metrics"] = task.names
        return scores
    scores = scores.droplevel("metric", axis=1)
    scores.attrs["metric"] = task.names[0]
    return scores


class _Result(NamedTuple):
    scores: np.ndarray  # metrics x topics
    lacking: np.ndarray  # topics that the run does not return
    unjudged: list[str]  # topics of the run that are not in the judgments
    deep: bool  # whether it has documents below the depth
    relevant: bool  # whether it has a relevant document on any topic
    tags: list[str]


def _task(metrics: Any, depth: int | None, min_relevance: int, gain: str, unjudged: str) -> Task:
    """What is asked for, checked."""
    if isinstance(metrics, str) or not isinstance(metrics, Sequence):
        metrics = [metrics]
    check_choice(gain, ("linear", "exponential"), "gain")
    check_choice(unjudged, ("zero", "relevant"), "unjudged")
    level = check_count(min_relevance, "min_relevance")
    limit = sys.maxsize if depth is None else check_count(depth, "depth")
    others = unjudged == "relevant"
    task = Task([], {level: []}, {}, limit, gain, others, {}, others)
    for metric in chain(*(m.items() if isinstance(m, Mapping) else [m] for m in metrics)):
        if isinstance(metric, str) and metric.startswith(OTHER):
            metric = needed("ir_measures").parse_measure(metric.removeprefix(OTHER))
        if type(metric).__module__.partition(".")[0] == "ir_measures":
            name = f"{OTHER}{metric}"
            task.measures[name] = metric
        elif callable(metric) or isinstance(metric, tuple):
            name, function = metric if isinstance(metric, tuple) else (metric.__name__, metric)
            if not callable(function):
                raise TypeError(f"the metric {name!r} must be a function of grades by rank")
            task.own[check_text(name, "the name of a metric")] = function
        else:
            name = from_trec_eval(metric) if isinstance(metric, str) else repr(metric)
            parts = parse_metric(name)
            if max(parts.argument, default=0) > limit:
                raise ValueError(f"{name} looks at ranks below depth={depth}")
            task.levels.setdefault(parts.level or level, []).append(name)
            task = task._replace(all_judged=task.all_judged or parts.name in OF_ALL_JUDGED)
        task.names.append(name)
    if len({*task.names}) < max(1, len(task.names)):
        raise ValueError(f"metrics must be one or more, each once, got {listed(task.names, 20)}")
    if task.measures and (depth, level, gain, others) != (None, 1, "linear", False):
        raise ValueError(
            "depth, min_relevance, gain and unjudged are not those of measures of ir_measures, as"
            f" AP(rel=2), which say themselves; evaluate {listed(task.measures)} in another call"
        )
    ambiguous = [x for x in task.names if re.match(r"n?DCG", x) and x not in task.own]
    if ambiguous and not {*METRICS} <= {*task.names}:
        warn(
            f"evaluate: {listed(ambiguous)} as Jarvelin and Kekalainen (2002) define it, who do not"
            " discount rank 2; what trec_eval, ir_measures and ranx call nDCG is nVDCG here"
        )
    return task


def _sources(runs: Any) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """What each worker reads a run from, by what messages call it; those that are of a family."""
    given = runs.values() if isinstance(runs, Mapping) else []
    firsts = [next(iter(x.values()), None) for x in given if isinstance(x, Mapping)]
    one = any(isinstance(score, Real) for score in firsts)  # not by name, but by topic
    if one or isinstance(runs, pd.DataFrame) or runs in ({}, []):
        raise ValueError('runs must be a dict of run frames, {"name": run}, or paths')
    if not isinstance(runs, Mapping):
        sources: dict[str, Any] = {str(path): path for path in find_files(runs)}
        return sources, {"": list(sources)}
    sources, families = {}, {}
    for name, run in runs.items():
        if isinstance(run, (str, os.PathLike)) and Path(run).is_dir():
            members = {f"{name}/{path.name}": path for path in find_files(run)}
            families[f"{name}/"] = list(members)
        else:
            members = {str(name): run}
        if twice := listed(members.keys() & sources.keys()):
            raise ValueError(f"runs has {twice} twice, as text and as a number")
        sources |= members
    return sources, families


def _names(sources: dict[str, Any], families: dict[str, list[str]], tags: list) -> list[str]:
    """What systems are called: by their keys; those of a family after it, by the tags of files."""
    tag_of, names = dict(zip(sources, tags, strict=True)), {key: key for key in sources}
    for family, keys in families.items():
        own = name_systems([sources[key] for key in keys], [tag_of[key] for key in keys])
        names |= {key: family + name for key, name in zip(keys, own, strict=True)}
    systems = pd.Index(names.values())
    if not systems.is_unique:
        raise ValueError(f"two runs are called {listed(systems[systems.duplicated()])}")
    return list(systems)


def _evaluate_run(
    name: str, source: Any, judgments: Judgments, task: Task, qrels: pd.DataFrame | None
) -> _Result:
    name = name if isinstance(source, Path) else f"run {name!r}"
    run = table_of(source, "score", name)
    returned, counted = set(run.topics), set(judgments.topics)
    if not returned & counted:
        raise ValueError(
            f"{name}: no topic in common with the qrels; the run has {listed(run.topics)}, the"
            f" qrels have {listed(judgments.topics)}"
        )
    scores = _by_ir_measures(run, judgments.topics, task.measures, qrels) if task.measures else {}
    grades = grades_by_rank(run, judgments, task.depth)
    if task.unjudged or task.own:
        lengths = (~np.isneginf(grades)).sum(axis=1)
    for at_least, names in task.levels.items():
        level = judgments.levels[at_least]
        seen = np.where(grades >= at_least, grades, np.minimum(grades, 0))
        if task.unjudged:
            level = _with_relevant(level, np.isnan(seen).sum(axis=1), at_least, task.gain)
            seen[np.isnan(seen)] = at_least
        scores |= score_gains(
            seen, level.ideal, level.n_relevant, names, task.gain, level.n_nonrelevant
        )
        for metric in names if task.unjudged else []:
            if (parts := parse_metric(metric)).name == "RBP" and not parts.normalized:
                scores[metric] = scores[metric] + parts.argument[0] ** lengths
    if task.own:
        least = next(iter(task.levels))
        known = np.where(np.isnan(grades), least * task.unjudged, grades)
        rows = np.where(known >= least, known, 0)
        for metric, function in task.own.items():
            found = [function(r[:n]) if n else 0 for r, n in zip(rows, lengths, strict=True)]
            scores[metric] = np.array([check_real(x, f"{metric} of {name}") for x in found])
    return _Result(
        np.stack([scores[name] for name in task.names]),
        np.array([topic not in returned for topic in judgments.topics]),
        [topic for topic in run.topics if topic not in counted.union(judgments.empty)],
        bool(np.bincount(run.codes).max() > task.depth),
        bool((grades > 0).any()),
        run.tags,
    )


def _with_relevant(level: Level, more: np.ndarray, grade: int, gain: str) -> Level:
    """The same with so many more relevant documents per topic, of the lowest grade."""
    known, n_relevant = level.n_relevant, level.n_relevant + more
    ideal = level.ideal.grades
    width = max(ideal.shape[1], n_relevant.max())
    ideal = np.pad(ideal, [(0, 0), (0, width - ideal.shape[1])])
    places = np.arange(width)
    added = (places >= known[:, None]) & (places < n_relevant[:, None])
    ideal = np.where(added, grade, ideal)
    return Level(Ranking.of(ideal, gain, n_relevant), n_relevant, level.n_nonrelevant)


def _by_ir_measures(run: Table, topics: list[str], measures: dict, qrels: Any) -> dict:
    names = {measure: name for name, measure in measures.items()}
    found = {name: dict.fromkeys(topics, 0.0) for name in measures}
    with ONE_AT_A_TIME:
        for item in needed("ir_measures").iter_calc(list(names), qrels, run.frame("score")):
            found[names[item.measure]][item.query_id] = item.value
    return {name: np.array([scores[t] for t in topics]) for name, scores in found.items()}


def _report(
    systems: list[str], results: list[_Result], judgments: Judgments, missing: str, task: Task
) -> None:
    """One warning about all that was left out or filled in."""
    topics = np.array(judgments.topics, dtype=object)
    each = list(zip(systems, results, strict=True))
    lacking = [f"{s} ({listed(topics[r.lacking], 3)})" for s, r in each if r.lacking.any()]
    if lacking and missing == "raise":
        raise ValueError(
            f"runs without some of the judged topics: {listed(lacking)}; "
            'missing="zero" scores them 0, missing="nan" leaves them open'
        )
    score = "0" if missing == "zero" else "NaN"
    others = list(dict.fromkeys(topic for result in results for topic in result.unjudged))
    odd = [system for system, result in each if not result.relevant]
    said = {
        "topics without a relevant document are left out": judgments.empty,
        f"topics that a run does not return score {score}": lacking,
        "topics of runs that are not judged are left out": others,
        f"ranks below depth={task.depth} do not count in": [s for s, r in each if r.deep],
        "not one relevant document (are the ids those of the qrels?) is in": odd,
    }
    for level, metrics in task.levels.items():
        what = f"topics without a document of relevance >= {level} score 0 in {listed(metrics)}"
        said[what] = topics[judgments.levels[level].n_relevant == 0]
    parts = [f"{what}: {listed(of)}" for what, of in said.items() if len(of)]
    if parts:
        warn(f"evaluate: {'; '.join(parts)}")
