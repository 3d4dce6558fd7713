"""Catalogue of data sets, and one call that loads any of them as a score matrix."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from irstd._checks import check_choice
from irstd.datasets._catalogue import (
    DISKS_4_AND_5,
    PUBLIC,
    QRELS,
    ROBUST2003_RUNS,
    SIMULATED,
    SOURCES,
    UNPUBLISHED,
    WMZ08,
    topic_ids,
)
from irstd.datasets._fetch import fetch_file, fetch_folder
from irstd.evaluation import evaluate
from irstd.simulate import Campaign, judge_collection, simulate_campaign
from irstd.trec import read_scores
from irstd.trec.leaderboards import read_leaderboard

RUNS, JUDGES = "robust2003-runs", "sim-judges"
LIKE_COMPATIBILITY = "nRBP.9"  # of metrics that need no order of the relevant documents


def list_datasets() -> pd.DataFrame:
    """What `load_dataset` can load, and which tracks have no public scores.

    The list has every track of the page of standardization factors (Webber 2008), every other
    public matrix of per-topic scores of TREC systems that is known to us, and the simulated
    collections.

    Returns
    -------
    DataFrame
        A row a data set, index ``name``:

        ========== =======================================================================
        metrics    metrics that it can be had in; "any" that `evaluate` knows
        systems    number of systems (<NA> if not known)
        topics     number of topics
        kind       "simulated"; "public": scores, fetched on demand; "runs": public run
                   files and judgments; "not public": scores that only NIST can give
        track      the TREC track, or what is simulated
        licence    under which the scores can be used
        citation   what a text that uses them should cite
        ========== =======================================================================

    Examples
    --------
    >>> datasets = list_datasets()
    >>> datasets.loc["trec8", ["track", "metrics", "kind"]].tolist()
    ['TREC-8 AdHoc Track', 'AP, P@10, RR', 'public']
    >>> datasets.index[datasets["kind"] == "simulated"].tolist()
    ['sim-trec7', 'sim-trec8', 'sim-robust2003', 'sim-robust2004', 'sim-robust2004-all',
     'sim-judges']
    """
    rows: list[tuple] = [
        (name, "any", systems, topics, "simulated", track, "that of irstd", WMZ08)
        for name, (_, _, systems, topics, track) in SIMULATED.items()
    ]
    rows += [
        (
            name,
            ", ".join(s.metrics),
            s.systems,
            s.topics,
            "public",
            s.track,
            *SOURCES[s.source][::-1],
        )
        for name, s in PUBLIC.items()
    ]
    runs = ROBUST2003_RUNS
    rows.append((RUNS, "any", 17, 100, "runs", runs.track, runs.licence, runs.citation))
    rows += [
        (name, "", systems, topics, "not public", track, "from NIST, by agreement", "")
        for name, (track, systems, topics) in UNPUBLISHED.items()
    ]
    columns = ["name", "metrics", "systems", "topics", "kind", "track", "licence", "citation"]
    table = pd.DataFrame(rows, columns=columns).set_index("name")
    return table.astype({"systems": "Int64", "topics": "Int64"})


def load_dataset(name: str, metric: str | Sequence[str] | None = None) -> pd.DataFrame:
    """Load a data set as a score matrix.

    Parameters
    ----------
    name : str
        One of those that `list_datasets` lists. Simulated ones need no network. Files of real
        scores are looked for in the folder that the environment variable ``IRSTD_DATA`` names,
        then in the user's cache, and are then downloaded once and verified.
    metric : str or sequence of str, optional
        A metric of the data set; for simulated ones and for run files, any that `evaluate` knows.
        By default AP, or the one metric that the data set is in; for ``sim-judges`` nRBP.9.

    Returns
    -------
    DataFrame
        A score matrix: one row per topic (index ``topic``, str: the TREC topic ids where they are
        known, and else "1", "2", … in the order of the file), one column per system. For a sequence
        of metrics, columns ``(metric, system)``; for ``judges-dl2019`` and its like, columns
        ``(judge, system)``. It is the caller's own: changing it changes nothing. Its ``attrs`` say
        the ``collection`` (the same for data sets whose topic ids mean the same topics, such as
        ``trec7`` and ``robust2004``) and, if it is one, the ``metric``.

    Raises
    ------
    ValueError
        If there is no such data set, or not in this metric; if its scores are not public; if a
        file is not the one that is expected.
    ConnectionError
        If the file is not on this machine and cannot be downloaded; says how to get it.

    Notes
    -----
    The systems of public matrices are anonymous, by agreement with NIST: their names say nothing,
    and must not be matched to runs, nor between files. ``robust2004`` in nVDCG has the topics
    601-700 only. Two systems of ``robust2004`` are identical. ``web2004`` is of the 150 homepage
    and named-page topics.

    ``judges-dl2019``, ``-dl2020``, ``-dl2021`` are scores of the same runs under several judges
    (Arabzadeh and Clarke 2025): ``scores["original"]``, the human judges, and twelve ways to have
    them made by language models, such as ``scores["umbrela_zeroshot"]``. The metric is
    "compatibility", the rank-biased overlap with an ideal ranking. The rows are all topics of all
    judges, in the order of their numbers, with NaN where a judge has not judged a topic:
    ``scores[judge].dropna()`` is that judge's matrix. In 2020 the nuggets are those of 16 or 17
    topics, in 2021 of topics that no human judged, too. ``exam_graded_max`` and
    ``exam_graded_mean`` of 2020 are the same file under two names. ``sim-judges`` is of this form:
    people and four simulated judges (`irstd.simulate.judge_collection`).

    ``mteb-retrieval`` and ``mteb-overall`` are an archived leaderboard of embedding models, with a
    row per data set, NaN where a model lacks it.

    See Also
    --------
    simulate_campaign : the campaign of the simulated data sets, with truth, runs and judgments.
    fetch_dataset : the files themselves.

    Examples
    --------
    >>> scores = load_dataset("sim-trec8")
    >>> scores.shape
    (50, 129)
    >>> load_dataset("sim-trec8", "P@10").index.equals(scores.index)
    True
    """
    check_choice(name, [*SIMULATED, *PUBLIC, RUNS, *UNPUBLISHED], "name")
    if name in UNPUBLISHED:
        raise ValueError(
            f"the scores of {name} ({UNPUBLISHED[name][0]}) are not public; those that are have"
            ' kind "public" in list_datasets()'
        )
    if metric is None:
        metric = PUBLIC[name].metrics[0] if name in PUBLIC else "AP"
        metric = LIKE_COMPATIBILITY if name == JUDGES else metric
    by_judge = name == JUDGES or (name in PUBLIC and PUBLIC[name].judged_in)
    if by_judge and not isinstance(metric, str):
        raise ValueError(f"metric of {name} must be one metric, got {metric!r}")
    if name == JUDGES:
        scores = judge_collection(_campaign()["sim-robust2003"], metric=str(metric))
    elif name in SIMULATED:
        collections, systems, *_ = SIMULATED[name]
        scores = pd.concat([_campaign()[part].scores(metric, systems) for part in collections])
    elif name == RUNS:
        scores = _scores_of_runs(metric)
    elif isinstance(metric, str):
        scores = _public_scores(name, metric)
    else:
        parts = {one: _public_scores(name, one) for one in metric}
        scores = pd.concat(parts, axis=1, names=["metric", "system"])
    scores.attrs = {"collection": _collection(name)}
    if isinstance(metric, str):
        scores.attrs["metric"] = metric
    return scores


def _collection(name: str) -> str:
    """What documents and topics the data set has: its own name, if they are its alone."""
    if name in SIMULATED:
        return "simulated campaign"
    return "TREC disks 4 and 5" if name in DISKS_4_AND_5 else name


def fetch_dataset(name: str, metric: str | None = None) -> Path:
    """The files of a real data set on this machine, downloaded if need be.

    Parameters
    ----------
    name : str
        A data set of kind "public" or "runs".
    metric : str, optional
        Which of its score files; by default that of AP, or of the one metric that it is in. For
        ``judges-dl2019`` and its like, the judge. For ``trec7``, ``trec8`` and ``robust2003`` also
        "qrels", the judgments.

    Returns
    -------
    Path
        The file of scores; for ``"robust2003-runs"``, a folder with the run files in ``runs``
        and the judgments in ``qrels/robust03_qrels.txt``.

    Raises
    ------
    ValueError
        If there is no such data set or metric, or a file is not the one that is expected.
    ConnectionError
        If a file is not on this machine and cannot be downloaded; says how to get it.

    Warns
    -----
    UserWarning
        If only some of the runs of ``"robust2003-runs"`` can be had.
    """
    check_choice(name, [*PUBLIC, RUNS], "name")
    if name == RUNS:
        return fetch_folder("trectools", needed="trectools/qrels/robust03_qrels.txt")
    if metric == "qrels" and name in QRELS:
        return fetch_file(QRELS[name])
    of = "judge" if PUBLIC[name].judged_in else "metric"
    metric = next(iter(PUBLIC[name].files)) if metric is None else metric
    check_choice(metric, PUBLIC[name].files, f"{of} of {name}")
    return fetch_file(PUBLIC[name].files[metric])


def _scores_of_runs(metric: str | Sequence[str]) -> pd.DataFrame:
    folder = fetch_dataset(RUNS)
    with warnings.catch_warnings():
        # That some runs lack topics, where they score 0, is a known trait of this data set.
        warnings.filterwarnings("ignore", "evaluate: topics that a run does not return")
        return evaluate(folder / "runs", folder / "qrels" / "robust03_qrels.txt", metric)


def _public_scores(name: str, metric: str) -> pd.DataFrame:
    check_choice(metric, PUBLIC[name].metrics, f"metric of {name}")
    if PUBLIC[name].judged_in:
        parts = {judge: _of_judge(fetch_dataset(name, judge)) for judge in PUBLIC[name].files}
        table = pd.concat(parts, axis=1, names=["judge", "system"])
        return table.sort_index(key=lambda topics: topics.astype(int))
    path = fetch_dataset(name, metric)
    # That some models lack data sets is a known trait of leaderboards: no warning.
    table = read_leaderboard(path) if path.suffix == ".jsonl" else read_scores(path)
    ids = topic_ids(name, metric)
    return table if ids is None else table.set_axis(pd.Index(ids, name="topic"))


def _of_judge(path: Path) -> pd.DataFrame:
    """The matrix of one judge: run after run, each with a line of heads and a row of its mean."""
    rows = pd.read_csv(path, names=["system", "topic", "score"], dtype=str)
    rows = rows[(rows["system"] != "runid") & (rows["topic"] != "average")]
    return rows.astype({"score": float}).pivot(index="topic", columns="system", values="score")


@functools.lru_cache(maxsize=1)
def _campaign() -> Campaign:
    return simulate_campaign()
