"""Own runs, scored or read from a table, and checked for gaps and oddities."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

import irstd.rankings.aggregate
from irstd._base.arguments import check_choice
from irstd._base.messages import FEW, listed, warn
from irstd.datasets import list_datasets, load_dataset
from irstd.evaluation import evaluate
from irstd.factors import Factors
from irstd.metrics import check_range
from irstd.rankings.correlation import topic_difficulty
from irstd.rankings.ranks import rank_intervals
from irstd.significance.pairwise import paired_test
from irstd.trec.parsed import table_of
from irstd.trec.runs import sources_of
from irstd.trec.score_files import read_scores

COUNTS = ["NumRet", "Judged@10"]
SMALLER = "minus "  # before the name of a metric of which smaller is better
DUPLICATES = "duplicates of another run, which are not compared"
INCOMPLETE = "incomplete runs, which are listed separately"
LEFT_OUT = "topics left out, since runs lack them"
UNRELATED = "topics without a relevant document"
TIED_TOPICS = "topics on which all runs have one score"
SHORT = "runs with less than half as many documents as the longest"
JUDGED_LESS = "runs with fewer judged documents among the first ten, by one or more"
TIED = "runs with mostly tied scores, ordered by document ids"
NOTES = {SHORT: "short", JUDGED_LESS: "judged less", TIED: "ties"}  # in the table of runs


@dataclass(frozen=True, eq=False)
class OwnRuns:
    """Scores by (metric, system), where larger is better, and what is missing or odd."""

    scores: pd.DataFrame  # of complete runs, each once
    incomplete: pd.DataFrame  # of the others
    checks: dict[str, list[str]]  # by what may be missing or odd: the runs or topics
    warnings: list[str]  # of the readers

    @property
    def main(self) -> pd.DataFrame:
        """Score matrix of the metric that decides, the first one."""
        scores: Any = self.scores[self.metric]
        scores.attrs["metric"] = self.metric
        return scores

    @property
    def metric(self) -> str:
        """Name of the metric that decides."""
        return str(self.scores.columns[0][0])

    @property
    def missing(self) -> pd.DataFrame:
        """Table of missing or odd items: number, and first examples."""
        rows = {what: (len(names), listed(names)) for what, names in self.checks.items() if names}
        return pd.DataFrame.from_dict(rows, orient="index", columns=["how many", "which"])

    def with_other(self, source: Any) -> dict[str, pd.DataFrame]:
        """Return scores by collection; empty with fewer than two common systems."""
        if source is None or len(self.scores) < 5:
            return {}
        there = self._read_scores(source)
        common = self.main.columns.intersection(there.columns)
        if len(common) < 2:
            number = "1 of the runs is" if len(common) else "none of the runs is"
            warn(f"the other collection is left out: {number} on it, by name")
            return {}
        return {"here": self.main, "there": there}

    def read_reference(self, source: Any) -> Any:
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
        scores = read_table(source, [name])[name]
        return scores if name == self.metric else -scores


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

    Parameters
    ----------
    runs, qrels
        As for `irstd.evaluate`; without qrels, `runs` is a table of scores, a file of one, or the
        name of a data set.
    metrics : list of str, optional
        Metrics to compare; the first one decides. By default AP, or all metrics of a table.
    smaller_is_better : iterable of str, optional
        Metrics of which smaller is better, such as errors: the negative is compared.
    missing : {"nan", "zero"}
        Whether a run that lacks topics is incomplete, or scores 0 on these topics.
    min_relevance : int, default 1
        The lowest grade that counts as relevant.
    """
    if isinstance(metrics, str) or isinstance(smaller_is_better, str):
        raise TypeError('metrics and smaller_is_better must be lists, such as ["AP"]')
    checks: dict[str, Iterable[str]] = {}
    with warnings.catch_warnings(record=True, action="always") as caught:
        if qrels is None:
            scores = read_table(runs, metrics)
            returned = scores.notna().T.groupby("system", sort=False).all().T
        else:
            asked = [*(metrics or ["AP"]), *COUNTS]
            scores = evaluate(runs, qrels, asked, missing=missing, min_relevance=min_relevance)
            returned = scores["NumRet"] > 0
            checks = _check_files(runs, qrels, scores, returned)
            scores = scores.drop(columns=COUNTS, level="metric")
    topics = returned.index
    if missing == "nan":
        topics = _select_topics(returned)
    scores = _negate(scores, smaller_is_better).loc[topics]
    n_topics = returned.loc[topics].sum()
    lacking = n_topics[n_topics < len(topics)]
    checks[INCOMPLETE] = [f"{run} ({n} of {len(topics)})" for run, n in lacking.items()]
    checks[LEFT_OUT] = returned.index.difference(topics, sort=False)
    duplicates = _find_duplicates(scores, returned.loc[topics])
    checks[DUPLICATES] = [f"{run} (of {original})" for run, original in duplicates.items()]
    if missing == "zero":
        scores = scores.fillna(0)
        lacking = lacking.iloc[:0]
    scores = scores.drop(columns=list(duplicates), level="system")
    incomplete = scores.columns.isin(lacking.index, level="system")
    complete: Any = scores.loc[:, ~incomplete]
    main = complete[complete.columns[0][0]]
    if main.shape[1] > 1:
        checks[TIED_TOPICS] = topics[main.nunique(axis=1) == 1]
    return OwnRuns(
        complete,
        scores.loc[:, incomplete],
        {what: list(names) for what, names in checks.items()},
        list(dict.fromkeys(str(warning.message) for warning in caught)),
    )


def _find_duplicates(scores: pd.DataFrame, returned: pd.DataFrame) -> dict[str, str]:
    """Return for each run the complete run with equal scores, if there is one."""
    by_run: Any = scores.T.unstack("metric").loc[scores.columns.unique("system")]
    originals = by_run[returned.all()[by_run.index]].drop_duplicates()
    duplicates = {}
    for run in by_run.index.difference(originals.index, sort=False):
        topics = returned.index[returned[run]]
        columns = originals.columns[originals.columns.get_level_values("topic").isin(topics)]
        is_same = (originals[columns] == by_run.loc[run, columns]).all(axis=1)
        if len(topics) and is_same.any():
            duplicates[str(run)] = str(is_same.idxmax())
    return duplicates


def _check_files(
    runs: Any, qrels: Any, scores: Any, returned: pd.DataFrame
) -> dict[str, Iterable[str]]:
    """Check run files for short runs, unjudged documents and ties."""
    length = scores["NumRet"].where(returned).mean()
    judged = scores["Judged@10"].where(returned).mean()
    tied = []
    for name, source in zip(returned.columns, sources_of(runs).values(), strict=True):
        run = table_of(source, "score", name)
        lines = pd.DataFrame({"topic": run.codes, "score": run.values})
        if lines.duplicated(keep=False).mean() > 0.5:
            tied.append(name)
    judged_topics = table_of(qrels, "relevance", "qrels").topics
    return {
        UNRELATED: pd.Index(judged_topics).difference(scores.index),
        SHORT: length.index[length < length.max() / 2],
        JUDGED_LESS: judged.index[judged < judged.max() - 0.1],
        TIED: tied,
    }


def _select_topics(returned: pd.DataFrame) -> pd.Index:
    """Return the topics of any run, or of all if fewer than two runs are complete."""
    topics = returned.index[returned.any(axis=1)]
    if returned.loc[topics].all().sum() < 2 <= returned.shape[1]:
        topics = returned.index[returned.all(axis=1)]
    if topics.empty:
        raise ValueError("no two runs have all topics, and no topic is in all runs: leave some out")
    return topics


def _negate(scores: pd.DataFrame, smaller_is_better: Iterable[str]) -> pd.DataFrame:
    """Negate the metrics of which smaller is better, and rename them."""
    metrics = scores.columns.unique(0)
    names = {}
    scores = scores.copy()
    for metric in smaller_is_better:
        check_choice(metric, metrics, "smaller_is_better")
        scores[metric] = -scores[metric]
        names[metric] = SMALLER + metric
    return scores.rename(columns=names, level="metric")


def read_table(source: Any, metrics: Sequence[str] | None) -> pd.DataFrame:
    """Read a table or data set of scores by (metric, system)."""
    if isinstance(source, str) and source in list_datasets().index:
        return load_dataset(source, list(metrics or ["AP"]))
    scores = read_scores(source)
    if scores.columns.nlevels == 1:
        name = scores.attrs.get("metric", metrics[0] if metrics else "score")
        check_range(scores, name, "the table" if isinstance(source, pd.DataFrame) else str(source))
        scores = pd.concat({name: scores}, axis=1, names=["metric", "system"])
    if metrics is None:
        return scores
    known = list(scores.columns.unique(0))
    check_choice(metrics[0], known, "the first of the metrics")
    return scores[[metric for metric in metrics if metric in known]]


def incomplete_runs(own: OwnRuns, chosen: str) -> pd.DataFrame:
    """Compare each incomplete run with the chosen one on their common topics.

    Columns are ``topics``, their number; ``mean`` of the run; the mean of the chosen run, by its
    name; and ``difference``, ``low``, ``high`` by a paired t-test, with three topics or more.
    """
    rows: dict[str, dict] = {}
    for run in own.incomplete.columns.unique("system"):
        pair = own.incomplete[own.metric][[run]].join(own.main[chosen]).dropna()
        rows[run] = {"topics": len(pair), "mean": pair[run].mean(), chosen: pair[chosen].mean()}
        if len(pair) > 2:
            test = paired_test(pair[run], pair[chosen])
            rows[run] |= {"difference": test.difference, "low": test.low, "high": test.high}
    columns = ["topics", "mean", chosen, "difference", "low", "high"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns)


def leaderboard(own: OwnRuns, reference: Any = None) -> pd.DataFrame:
    """Return the leaderboard, with rank intervals if there are five or more topics.

    Fewer than ten runs do not standardize each other: they would say more about themselves than
    about the topics.
    """
    scores = own.main
    columns = "mean low high sd rank".split()
    if not own.metric.startswith(SMALLER):  # an error of 0 is no failure
        columns += ["gmap", "rank_gmap", "zeros"]
    if reference is not None or scores.shape[1] >= FEW:
        columns += ["standardized", "rank_standardized"]
    reference = own.read_reference(reference)
    with warnings.catch_warnings(action="ignore"):  # also of columns that are not shown
        table = irstd.rankings.aggregate.leaderboard(scores, reference=reference)[columns]
    if scores.shape[1] > 1 and len(scores) > 4:
        ranks = rank_intervals(scores)
        table = table.join(ranks[["low", "high"]].add_prefix("rank_"))
    return table


def hard_topics(own: OwnRuns, most: int = 10) -> pd.DataFrame:
    """Return the topics with the lowest means: best run, number of zeros, and largest z."""
    scores = own.main
    topics = pd.DataFrame({"mean": scores.mean(axis=1), "best": scores.max(axis=1)})
    topics["best run"] = scores.idxmax(axis=1)
    if not own.metric.startswith(SMALLER):
        topics["zeros"] = (scores == 0).sum(axis=1)
    if scores.shape[1] > 1:
        topics["max z"] = topic_difficulty(scores)
    return topics.sort_values("mean", kind="stable").head(most)
