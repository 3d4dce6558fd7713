"""Runs and qrels to a score matrix: files or frames in, a score a topic and system out."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import joblib
import numpy as np
import pandas as pd
from tqdm.auto import tqdm

from irstd._checks import check_choice, check_count, listed
from irstd.metrics import METRICS, parse_metric, score_gains
from irstd.trec._files import find_files
from irstd.trec._tables import Table, parse_qrels, parse_run, rank_lines, table_of
from irstd.trec.runs import name_systems, read_qrels


class Judgments(NamedTuple):
    """The topics that count, and their relevant documents."""

    grades: dict[str, dict[bytes, int]]  # topic: its relevant documents and their grades
    ideal: np.ndarray  # topics x depth: their grades, descending
    n_relevant: np.ndarray  # topics
    sieve: np.ndarray  # at a document's hash, cut to the length of the sieve: may it be relevant?


def evaluate(
    runs: Mapping[str, pd.DataFrame] | str | os.PathLike | Iterable,
    qrels: pd.DataFrame | str | os.PathLike,
    metrics: str | Sequence = METRICS,
    *,
    depth: int = 1000,
    min_relevance: int = 1,
    missing: str = "zero",
    gain: str = "linear",
    n_jobs: int | None = 1,
    progress: bool = False,
) -> pd.DataFrame:
    """Score runs against relevance judgments.

    Parameters
    ----------
    runs : dict of str to run frame, or whatever `read_runs` takes
        Systems and their runs (``query_id``, ``doc_id``, ``score``). Given paths, one file is read
        at a time, so that memory does not grow with the number of runs.
    qrels : qrels frame or path
        ``query_id``, ``doc_id``, ``relevance``.
    metrics : str, ir_measures measure, or a sequence of these
        Any of `METRICS`; ``P@k``, ``DCG@k``, ``nDCG@k``, ``VDCG@k``, ``nVDCG@k`` for any k;
        ``RBP.5`` for any persistence; R-normalized ``nP@k`` and ``nRBP.8``. A measure object of
        ir_measures is computed by ir_measures, which must be installed, by its own rules.
    depth : int, default 1000
        Ranks that count; what a run holds below is not looked at.
    min_relevance : int, default 1
        The lowest grade that is relevant. What is below it gains nothing in any metric, DCG
        included (trec_eval's ``-l`` leaves nDCG alone). Negative grades are judged, not relevant.
    missing : {"zero", "nan", "raise"}, default "zero"
        What a topic that a run does not return scores.
    gain : {"linear", "exponential"}, default "linear"
        For DCG and its kin: a document of grade g gains g, or 2^g - 1.
    n_jobs : int, default 1
        Runs scored at a time, by joblib; -1 is all cores. ``joblib.parallel_config`` is obeyed.
    progress : bool, default False
        Whether to show a progress bar.

    Returns
    -------
    DataFrame
        A row a topic (index ``topic``, in the order of the qrels). For one metric given as a
        string, a score matrix: a column a system. For a sequence, columns ``(metric, system)``, so
        that ``scores["AP"]`` is a score matrix.

    Raises
    ------
    ValueError
        An unknown metric; a malformed file (with its line); a run frame without a needed column,
        with a score that is not finite or with a document twice in a topic; qrels without a
        relevant document; a run without a topic in common with the qrels; with
        ``missing="raise"``, a run that lacks a topic.

    Warns
    -----
    UserWarning
        Once, naming topics without a relevant document, which are left out; runs that lack topics;
        and topics of runs that are not judged, which are left out.

    Notes
    -----
    The order within a topic is trec_eval's: score descending, then document id descending; rank
    column and order in the file are ignored. With rel_i = 1 if the document at rank i is relevant,
    g_i its gain, and R the number of relevant documents of the topic:

    ========== =========================================================
    SP         sum_i rel_i P@i
    AP         SP / R
    P@k        sum_{i<=k} rel_i / k
    RP         P@R
    RR         1 / (rank of the first relevant document)
    RBP.p      (1 - p) sum_i rel_i p^(i - 1)
    DCG        sum_i g_i / max(1, log2 i)
    VDCG       sum_i g_i / log2(i + 1)
    n...       divided by the score of the ideal ranking, to `depth`
    ========== =========================================================

    DCG and nDCG are those of Jarvelin and Kekalainen (2002), base 2, which leaves ranks 1 and 2
    undiscounted. What trec_eval, ir_measures and ranx call nDCG is nVDCG here. A perfect run with
    more than `depth` relevant documents reaches an AP of `depth` / R.

    References
    ----------
    Jarvelin, Kekalainen (2002), doi:10.1145/582415.582418. Moffat, Zobel (2008),
    doi:10.1145/1416950.1416952. Burges et al. (2005), doi:10.1145/1102351.1102363.

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
    >>> evaluate({"mine": run}, qrels, ["P@2", "RR"])["P@2"]
    system  mine
    topic
    1        0.5
    """
    one = not isinstance(metrics, Sequence) or isinstance(metrics, str)
    metrics = [metrics] if one else list(metrics)
    if not metrics:
        raise ValueError(f"metrics is empty; expected one or more of {listed(METRICS, 20)}")
    for metric in metrics:
        if not _is_ir_measure(metric):
            parse_metric(metric if isinstance(metric, str) else repr(metric))
    check_choice(missing, ("zero", "nan", "raise"), "missing")
    check_choice(gain, ("linear", "exponential"), "gain")
    depth = check_count(depth, "depth")
    min_relevance = check_count(min_relevance, "min_relevance")

    judgments, empty = judge(qrels, depth, min_relevance)
    sources, names = _sources(runs)
    if not any(map(_is_ir_measure, metrics)):
        qrels = None  # workers need the judgments only
    elif not isinstance(qrels, pd.DataFrame):
        qrels = read_qrels(qrels)
    parallel = joblib.Parallel(n_jobs=n_jobs, return_as="generator")
    results = list(
        tqdm(
            parallel(
                joblib.delayed(_evaluate_run)(source, judgments, metrics, depth, gain, qrels)
                for source in sources
            ),
            total=len(sources),
            desc="evaluate",
            unit="run",
            disable=not progress,
        )
    )
    systems = names or name_systems(sources, [result.tags for result in results])
    _report(systems, results, judgments, empty, missing)
    values = np.stack([result.scores for result in results], axis=-1)  # metrics, topics, systems
    if missing == "nan":
        for column, result in enumerate(results):
            values[:, result.lacking, column] = np.nan
    index = pd.Index(list(judgments.grades), name="topic")
    if one:
        return pd.DataFrame(values[0], index, pd.Index(systems, name="system"))
    columns = pd.MultiIndex.from_product([list(map(str, metrics)), systems])
    columns.names = ["metric", "system"]
    return pd.DataFrame(np.hstack(values), index, columns)


class _Result(NamedTuple):
    scores: np.ndarray  # metrics x topics
    lacking: np.ndarray  # topics that the run does not return
    unjudged: list[str]  # topics of the run that are not in the judgments
    tags: list[str]


def _sources(runs) -> tuple[list, list[str] | None]:
    """What each worker reads a run from, and the systems' names if they are known yet."""
    if isinstance(runs, pd.DataFrame):
        raise TypeError('runs must be a dict of run frames, {"name": frame}, got one DataFrame')
    if not isinstance(runs, Mapping):
        return find_files(runs), None
    if not runs:
        raise ValueError("runs is empty; expected a dict of at least one run frame")
    return list(runs.items()), [str(name) for name in runs]


def judge(qrels, depth: int, min_relevance: int) -> tuple[Judgments, list[str]]:
    """The relevant documents of each topic that has one, and the topics that have none."""
    path = not isinstance(qrels, pd.DataFrame)
    table = parse_qrels(qrels) if path else table_of(qrels, "relevance", "qrels")
    rows = np.flatnonzero(table.values >= min_relevance)
    grades: dict[str, dict[bytes, int]] = {topic: {} for topic in table.topics}
    values = table.values[rows].astype(int).tolist()
    for code, document, grade in zip(
        table.codes[rows].tolist(), table.documents.at(rows).tolist(), values, strict=True
    ):
        grades[table.topics[code]][document] = grade
    empty = [topic for topic, relevant in grades.items() if not relevant]
    grades = {topic: relevant for topic, relevant in grades.items() if relevant}
    if not grades:
        raise ValueError(f"no topic of the qrels has a document of relevance >= {min_relevance}")
    ideal = np.zeros((len(grades), depth), np.min_scalar_type(-max(values)))
    for row, relevant in enumerate(grades.values()):
        best = sorted(relevant.values(), reverse=True)[:depth]
        ideal[row, : len(best)] = best
    n_relevant = np.array([len(relevant) for relevant in grades.values()])
    sieve = np.zeros(1 << (16 * len(rows)).bit_length(), bool)
    sieve[_cut(table.documents.at(rows).hashes(), sieve)] = True
    return Judgments(grades, ideal, n_relevant, sieve), empty


def _cut(hashes: np.ndarray, sieve: np.ndarray) -> np.ndarray:
    return hashes & np.uint64(len(sieve) - 1)


def _evaluate_run(source, judgments, metrics, depth, gain, qrels) -> _Result:
    if isinstance(source, Path):
        name, run = str(source), parse_run(source)
    else:
        name = f"run {source[0]!r}"
        run = table_of(source[1], "score", name)
    returned = set(run.topics)
    if not returned & judgments.grades.keys():
        raise ValueError(
            f"{name}: no topic in common with the qrels; the run has {listed(run.topics)}, the"
            f" qrels have {listed(judgments.grades)}"
        )
    own = [metric for metric in metrics if not _is_ir_measure(metric)]
    gains = relevance_by_rank(run, judgments, depth)
    scores = score_gains(gains, judgments.ideal, judgments.n_relevant, own, gain)
    foreign = [metric for metric in metrics if _is_ir_measure(metric)]
    if foreign:
        scores |= _ask_ir_measures(run, judgments, foreign, qrels)
    return _Result(
        np.stack([scores[metric] for metric in metrics]),
        np.array([topic not in returned for topic in judgments.grades]),
        [topic for topic in run.topics if topic not in judgments.grades],
        run.tags,
    )


def relevance_by_rank(run: Table, judgments: Judgments, depth: int) -> np.ndarray:
    """The grade of the document at each rank: topics x ranks, 0 for not relevant."""
    _, ranks = rank_lines(run)
    row_of = {topic: row for row, topic in enumerate(judgments.grades)}
    rows = np.array([row_of.get(topic, -1) for topic in run.topics])[run.codes]
    gains = np.zeros((len(row_of), min(depth, ranks.max() + 1)), judgments.ideal.dtype)
    maybe = judgments.sieve[_cut(run.documents.hashes(), judgments.sieve)]
    lines = np.flatnonzero(maybe & (rows >= 0) & (ranks < depth))
    grades = list(judgments.grades.values())
    documents = run.documents.at(lines).tolist()
    gains[rows[lines], ranks[lines]] = [
        grades[row].get(document, 0)
        for row, document in zip(rows[lines].tolist(), documents, strict=True)
    ]
    return gains


def _is_ir_measure(metric: object) -> bool:
    return type(metric).__module__.partition(".")[0] == "ir_measures"


def _ask_ir_measures(run: Table, judgments: Judgments, measures: list, qrels) -> dict:
    import ir_measures

    position = {topic: row for row, topic in enumerate(judgments.grades)}
    scores = {measure: np.zeros(len(position)) for measure in measures}
    for item in ir_measures.iter_calc(measures, qrels, run.frame("score")):
        if item.query_id in position:
            scores[item.measure][position[item.query_id]] = item.value
    return scores


def _report(systems, results, judgments, empty, missing) -> None:
    """One warning about all that was left out or filled in."""
    topics = np.array(list(judgments.grades))
    lacking = {
        system: topics[result.lacking]
        for system, result in zip(systems, results, strict=True)
        if result.lacking.any()
    }
    names = listed(f"{system} ({listed(topics, 3)})" for system, topics in lacking.items())
    if lacking and missing == "raise":
        raise ValueError(
            f'runs without some of the judged topics: {names}; missing="zero" scores them 0,'
            ' missing="nan" leaves them open'
        )
    said = []
    if empty:
        said.append(f"topics without a relevant document are left out: {listed(empty)}")
    if lacking:
        kind = "0" if missing == "zero" else "NaN"
        said.append(f"topics that a run does not return score {kind}: {names}")
    unjudged = dict.fromkeys(topic for result in results for topic in result.unjudged)
    unjudged = [topic for topic in unjudged if topic not in set(empty)]
    if unjudged:
        said.append(f"topics of runs that are not judged are left out: {listed(unjudged)}")
    if said:
        warnings.warn("evaluate: " + "; ".join(said), stacklevel=3)
