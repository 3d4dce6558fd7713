"""One's own runs: scored or read from a table, and looked through for what is missing or odd."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from irstd._base.arguments import check_choice
from irstd._base.messages import FEW, listed, warn
from irstd.datasets import list_datasets, load_dataset
from irstd.evaluation import evaluate
from irstd.factors import Factors
from irstd.metrics import check_range
from irstd.rankings.aggregate import leaderboard
from irstd.rankings.correlation import topic_difficulty
from irstd.rankings.ranks import rank_intervals
from irstd.significance.pairwise import paired_test
from irstd.trec.parsed import table_of
from irstd.trec.runs import sources_of
from irstd.trec.score_files import read_scores

COUNTS = ["NumRet", "Judged@10"]
SMALLER = "minus "  # before the name of a metric of which smaller is better
HINTS = {  # what is odd about a run, and what a table of runs says of it
    "runs with less than half as many documents as the longest": "short",
    "runs with fewer judged documents among the first ten, by one or more": "judged less",
    "runs most of whose scores are tied, and so in the order of document ids there": "ties",
    "runs with the same scores as another run": "twin",
}
SHORT, JUDGED_LESS, TIED, TWINS = HINTS
LACKING = "runs that lack topics"
LEFT_OUT = "topics left out, as runs lack them"
UNRELATED = "topics without a relevant document"
SAME = "topics on which all runs score the same"


@dataclass(frozen=True, eq=False)
class OwnRuns:
    """What was read: scores by (metric, system), larger is better, and what is missing or odd."""

    scores: pd.DataFrame  # of the runs that have all of the topics
    apart: pd.DataFrame  # of the others
    checks: dict[str, list[str]]  # what may be missing or odd, and what is
    warnings: list[str]  # of the readers

    @property
    def main(self) -> pd.DataFrame:
        """The scores in the metric that decides, the first one."""
        scores: Any = self.scores[self.metric]
        scores.attrs["metric"] = self.metric
        return scores

    @property
    def metric(self) -> str:
        """The metric that decides."""
        return str(self.scores.columns[0][0])

    def with_other(self, source: Any) -> dict[str, pd.DataFrame]:
        """The scores here and on another collection; nothing if no two systems are on both."""
        if source is None or len(self.scores) < 5:
            return {}
        there = self._read_scores(source)
        common = self.main.columns.intersection(there.columns)
        if len(common) < 2:
            number = "1 of the runs is" if len(common) else "none of the runs is"
            warn(f"the other collection is left out: {number} on it, by name")
            return {}
        return {"here": self.main, "there": there}

    def alike(self, source: Any) -> Any:
        """Return a reference for `irstd.standardize`: factors of two files, scores, or a name.

        A name of a data set stands for its factors, or its scores in the metric that decides.
        """
        if source is None or (isinstance(source, str) and source in list_datasets().index):
            return source
        if isinstance(source, list | tuple):
            return Factors.from_csv(*source)
        return self._read_scores(source)

    def _read_scores(self, source: Any) -> Any:
        """Read scores of other systems, or on another collection, in the metric that decides."""
        name = self.metric.removeprefix(SMALLER)
        scores = scores_of(source, [name])[name]
        return scores if name == self.metric else -scores

    @property
    def missing(self) -> pd.DataFrame:
        """What is missing or odd: how many, and the first of them."""
        rows = {what: (len(who), listed(who)) for what, who in self.checks.items() if who}
        return pd.DataFrame.from_dict(rows, orient="index", columns=["how many", "which"])


def read(
    runs: Any,
    qrels: Any = None,
    metrics: Sequence[str] | None = None,
    *,
    smaller_is_better: Iterable[str] = (),
    missing: str = "nan",
    min_relevance: int = 1,
) -> OwnRuns:
    """Score runs, or read a table of scores, and look for what is missing.

    `runs` and `qrels` are as for `irstd.evaluate`; without judgments, `runs` is a table of scores
    or the name of a data set. With `missing` as "nan", runs that lack topics stand apart.
    """
    if isinstance(metrics, str) or isinstance(smaller_is_better, str):
        raise TypeError('metrics and smaller_is_better must be lists, as ["AP"]')
    checks: dict[str, Iterable[str]] = {}
    with warnings.catch_warnings(record=True, action="always") as caught:
        if qrels is None:
            scores = scores_of(runs, metrics)
            there = scores.notna().T.groupby("system", sort=False).all().T
        else:
            asked = [*(metrics or ["AP"]), *COUNTS]
            scores = evaluate(runs, qrels, asked, missing=missing, min_relevance=min_relevance)
            there = scores["NumRet"] > 0
            checks = _check_files(runs, qrels, scores, there)
            scores = scores.drop(columns=COUNTS, level="metric")
    topics = there.index
    if missing == "nan":
        topics = _topics_of_runs(there)
    scores = _larger_is_better(scores, smaller_is_better).loc[topics]
    sizes = there.loc[topics].sum()
    lacking = sizes[sizes < len(topics)]
    checks[LACKING] = [f"{run} ({n} of {len(topics)})" for run, n in lacking.items()]
    checks[LEFT_OUT] = there.index.difference(topics, sort=False)
    twins = scores.T.unstack("metric").duplicated(keep=False)
    checks[TWINS] = [*twins.index[twins], *_same_where_both_are(scores, there, lacking.index)]
    if missing == "zero":
        scores = scores.fillna(0)
        lacking = lacking.iloc[:0]
    finished = scores.drop(columns=lacking.index, level="system")
    systems: Any = finished[finished.columns[0][0]]
    if systems.shape[1] > 1:
        same = systems.nunique(axis=1) == 1
        checks[SAME] = topics[same]
    return OwnRuns(
        finished,
        scores.drop(columns=finished.columns),
        {what: list(which) for what, which in checks.items()},
        list(dict.fromkeys(str(warning.message) for warning in caught)),
    )


def _same_where_both_are(scores: pd.DataFrame, there: pd.DataFrame, lacking: Iterable) -> list[str]:
    """The runs that lack topics, and have the scores of a finished run on all others."""
    twins = []
    for run in lacking:
        has = there.index[there[run]].intersection(scores.index)
        by_run = scores.loc[has].T.unstack("metric")
        finished = by_run.drop(index=list(lacking))
        if (finished == by_run.loc[run]).all(axis=1).any():
            twins.append(run)
    return twins


def _check_files(
    runs: Any, qrels: Any, scores: Any, there: pd.DataFrame
) -> dict[str, Iterable[str]]:
    """What only runs and judgments tell."""
    length = scores["NumRet"].where(there).mean()
    judged = scores["Judged@10"].where(there).mean()
    tied = []
    for name, source in zip(there.columns, sources_of(runs)[0].values(), strict=True):
        run = table_of(source, "score", name)
        lines = pd.DataFrame({"topic": run.codes, "score": run.values})
        if lines.duplicated(keep=False).mean() > 0.5:
            tied.append(name)
    topics = table_of(qrels, "relevance", "qrels").topics
    return {
        UNRELATED: pd.Index(topics).difference(scores.index),
        SHORT: length.index[length < length.max() / 2],
        JUDGED_LESS: judged.index[judged < judged.max() - 0.1],
        TIED: tied,
    }


def _topics_of_runs(there: pd.DataFrame) -> pd.Index:
    """The topics that any run has; or, if no two runs have all of these, those that all have."""
    topics = there.index[there.any(axis=1)]
    if there.loc[topics].all().sum() < 2 <= there.shape[1]:
        topics = there.index[there.all(axis=1)]
    if topics.empty:
        raise ValueError("no two runs have all topics, and no topic is in all runs: leave some out")
    return topics


def _larger_is_better(scores: pd.DataFrame, smaller_is_better: Iterable[str]) -> pd.DataFrame:
    """The negative of metrics of errors, which are then called so."""
    metrics = scores.columns.unique(0)
    names = {}
    scores = scores.copy()
    for metric in smaller_is_better:
        check_choice(metric, metrics, "smaller_is_better")
        scores[metric] = -scores[metric]
        names[metric] = SMALLER + metric
    return scores.rename(columns=names, level="metric")


def scores_of(source: Any, metrics: Sequence[str] | None) -> pd.DataFrame:
    """Scores of a table or data set by (metric, system), in those of the metrics that it has."""
    if isinstance(source, str) and source in list_datasets().index:
        return load_dataset(source, list(metrics or ["AP"]))
    scores = read_scores(source)
    if scores.columns.nlevels == 1:
        name = scores.attrs.get("metric", metrics[0] if metrics else "score")
        check_range(scores, name, "the table" if isinstance(source, pd.DataFrame) else str(source))
        scores = pd.concat({name: scores}, axis=1, names=["metric", "system"])
    known = list(scores.columns.unique(0))
    if metrics is None:
        return scores
    check_choice(metrics[0], known, "the first of the metrics")
    return scores[[metric for metric in metrics if metric in known]]


def beside(own: OwnRuns, chosen: str) -> pd.DataFrame:
    """The runs that stand apart, each beside the chosen one, on the topics that both have."""
    rows = {}
    for run in own.apart.columns.unique("system"):
        pair = own.apart[own.metric][[run]].join(own.main[chosen]).dropna()
        rows[run] = {"topics": len(pair), "mean": pair[run].mean(), chosen: pair[chosen].mean()}
        if len(pair) > 2:
            test = paired_test(pair[run], pair[chosen])
            rows[run] |= {"difference": test.difference, "low": test.low, "high": test.high}
    columns = ["topics", "mean", chosen, "difference", "low", "high"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns)


def board(own: OwnRuns, reference: Any = None) -> pd.DataFrame:
    """The leaderboard, with the ends of the ranks on other topics, where there are five or more.

    Nothing is standardized by fewer than ten of the runs, who would say more about each other than
    about the topics.
    """
    raw = own.main
    columns = "mean low high sd rank".split()
    if not own.metric.startswith(SMALLER):  # an error of 0 is no failure
        columns += ["gmap", "rank_gmap", "zeros"]
    if reference is not None or raw.shape[1] >= FEW:
        columns += ["standardized", "rank_standardized"]
    with warnings.catch_warnings(action="ignore"):  # also of columns that are not shown
        table = leaderboard(raw, reference=own.alike(reference))[columns]
    if raw.shape[1] > 1 and len(raw) > 4:
        ranks = rank_intervals(raw)
        table = table.join(ranks[["low", "high"]].add_prefix("rank_"))
    return table


def hard_topics(own: OwnRuns, most: int = 10) -> pd.DataFrame:
    """The topics with the lowest means: the best run there, how many score 0, the largest z."""
    scores = own.main
    topics = pd.DataFrame({"mean": scores.mean(axis=1), "best": scores.max(axis=1)})
    topics["best run"] = scores.idxmax(axis=1)
    if not own.metric.startswith(SMALLER):
        topics["zeros"] = (scores == 0).sum(axis=1)
    if scores.shape[1] > 1:
        topics["max z"] = topic_difficulty(scores)
    return topics.sort_values("mean", kind="stable").head(most)
