"""Reading, scoring and checking of the user's own runs."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

import irstd.rankings.aggregate
from irstd._base.arguments import check_choice
from irstd._base.messages import FEW, listed, warn_of_cost
from irstd.datasets import list_datasets, load_dataset
from irstd.evaluation import evaluate
from irstd.factors import Factors
from irstd.metrics import check_range
from irstd.own_runs.comparison import FEWEST
from irstd.rankings.ranks import rank_intervals
from irstd.significance.pairwise import pairwise_tests
from irstd.trec.score_files import read_scores

COUNTS = ["NumRet", "Judged@10"]
SMALLER = "negative "  # before the name of a metric of which smaller is better
INCOMPLETE = "Not compared, as topics are missing"
SCORED_ZERO = "Incomplete, with a score of 0 on the topics that they lack"
DUPLICATES = "Not compared, as another run has the same scores"
LEFT_OUT = "Topics left out, as runs lack them"
SHORT = "Fewer than half as many documents as the longest run"
JUDGED_LESS = "Judged share of the first ten more than .1 below the highest"


@dataclass(frozen=True, eq=False)
class OwnRuns:
    """Scores of own runs by (metric, system), with missing and suspicious items.

    Attributes
    ----------
    scores : DataFrame
        Scores of the complete runs, each once: columns ``(metric, system)``.
    incomplete : DataFrame
        The same of the runs that lack topics.
    checks : dict of str to list of str
        Runs or topics, by what is missing or suspicious.
    """

    scores: pd.DataFrame  # of complete runs, each once
    incomplete: pd.DataFrame  # of the others
    checks: dict[str, list[str]]  # runs or topics, by what is missing or odd

    @property
    def metric(self) -> str:
        """Name of the deciding metric, the first one."""
        return str(self.scores.columns[0][0])

    @property
    def main(self) -> pd.DataFrame:
        """Score matrix in the deciding metric."""
        scores: Any = self.scores[self.metric]
        scores.attrs["metric"] = self.metric
        return scores

    @property
    def missing(self) -> pd.DataFrame:
        """Missing and suspicious items: index ``what``, column ``which``."""
        rows = {what: listed(names, 30) for what, names in self.checks.items() if names}
        return pd.Series(rows, dtype=object).rename_axis("what").to_frame("which")


def read(
    runs: Any,
    qrels: Any = None,
    metrics: Sequence[str] | None = None,
    *,
    smaller_is_better: Iterable[str] = (),
    missing: str = "nan",
    min_relevance: int = 1,
) -> OwnRuns:
    """Score runs or read a table of scores, and check for missing items.

    Parameters
    ----------
    runs, qrels
        As for `irstd.evaluate`; without qrels, `runs` is a table of scores, a file of one, or the
        name of a data set.
    metrics : list of str, optional
        Metrics to compare; the first one decides. By default AP, or all metrics of a table.
    smaller_is_better : iterable of str, optional
        Metrics for which smaller is better, such as errors: the negative is compared.
    missing : {"nan", "zero"}, default "nan"
        Treatment of topics that a run lacks: the run is incomplete, or scores 0 on them.
    min_relevance : int, default 1
        The lowest grade that counts as relevant.

    Returns
    -------
    OwnRuns
        ``main`` is the score matrix of the complete runs in the first metric, ``scores`` has all
        metrics; ``incomplete`` has the other runs, and ``missing`` says what is missing.

    Examples
    --------
    >>> import irstd
    >>> scores = irstd.load_dataset("sim-trec8").iloc[:, :3].copy()
    >>> scores.iloc[0, 0] = None
    >>> own = read(scores)
    >>> own.missing
                                                                   which
    what
    Not compared, as topics are missing  t8orig01a (49 of 50 topics)
    >>> own.main.mean().round(3)
    system
    t8orig01b    0.435
    t8orig01c    0.371
    dtype: float64
    """
    if isinstance(metrics, str):
        raise TypeError(f'metrics must be a list, such as ["AP"], got {metrics!r}')
    oddities = {}
    with warnings.catch_warnings(record=True, action="always") as caught:
        if qrels is None:
            scores = read_table(runs, metrics)
            returned = scores.notna().T.groupby("system", sort=False).all().T
        else:
            asked = [*(metrics or ["AP"]), *COUNTS]
            scores = evaluate(runs, qrels, asked, missing=missing, min_relevance=min_relevance)
            returned = scores["NumRet"] > 0
            length = scores["NumRet"].where(returned).mean()
            judged = scores["Judged@10"].where(returned).mean()
            oddities[SHORT] = length.index[length < length.max() / 2]
            oddities[JUDGED_LESS] = judged.index[judged < judged.max() - 0.1]
            scores = scores.drop(columns=COUNTS, level="metric")
        scores = _negate(scores, smaller_is_better)
    status = SCORED_ZERO
    topics = returned.index
    if missing == "nan":
        status = INCOMPLETE
        topics = _select_topics(returned)
    scores = scores.loc[topics]
    if missing == "zero":
        scores = scores.fillna(0)
    duplicates = _find_duplicates(scores)
    n_topics = returned.loc[topics].sum()
    lacking = n_topics[n_topics < len(topics)].drop(list(duplicates), errors="ignore")
    checks = {
        status: [f"{run} ({n} of {len(topics)} topics)" for run, n in lacking.items()],
        LEFT_OUT: list(returned.index.difference(topics, sort=False)),
        DUPLICATES: [f"{run} (same as {original})" for run, original in duplicates.items()],
    }
    for oddity, runs in oddities.items():
        checks[oddity] = [run for run in runs if run not in duplicates]
    scores = scores.drop(columns=list(duplicates), level="system")
    is_incomplete = scores.columns.isin(lacking.index, level="system") & (missing == "nan")
    incomplete = scores.loc[:, is_incomplete]
    return OwnRuns(scores.loc[:, ~is_incomplete], incomplete, checks | describe_warnings(caught))


def describe_warnings(caught: Iterable[warnings.WarningMessage]) -> dict[str, list[str]]:
    """Group the warnings of `evaluate` by cause, except those about NaN scores."""
    checks = {}
    for warning in caught:
        what, _, names = str(warning.message).removeprefix("evaluate: ").partition(": ")
        if "NaN" not in str(warning.message):
            checks[what[:1].upper() + what[1:]] = [names]
    return checks


def _find_duplicates(scores: pd.DataFrame) -> dict[str, str]:
    """Map each duplicate run to the first run with the same scores and gaps."""
    by_run: Any = scores.T.unstack("metric").loc[scores.columns.unique("system")]
    same_scores = by_run.groupby(list(by_run), dropna=False).ngroup()
    original = by_run.index.to_series().groupby(same_scores).transform("first")
    return original[original != original.index].to_dict()


def _select_topics(returned: pd.DataFrame) -> pd.Index:
    """Return the topics to compare on: of any run, or those common to all runs."""
    topics = returned.index[returned.any(axis=1)]
    if returned.loc[topics].all().sum() < 2 <= returned.shape[1]:
        topics = returned.index[returned.all(axis=1)]
    if topics.empty:
        raise ValueError(
            "no two runs have all topics, and no topic is in all runs: remove runs with few topics"
        )
    return topics


def _negate(scores: pd.DataFrame, smaller_is_better: Iterable[str]) -> pd.DataFrame:
    """Negate and rename the metrics for which smaller is better."""
    names = {}
    scores = scores.copy()
    for metric in smaller_is_better:
        check_choice(metric, scores.columns.unique(0), "smaller_is_better")
        scores[metric] = -scores[metric]
        names[metric] = SMALLER + metric
    for metric in scores.columns.unique(0):
        table: Any = scores[metric]
        warn_of_cost(metric, table)
    return scores.rename(columns=names, level="metric")


def is_data_set(source: Any) -> bool:
    """Return True if `source` is the name of a data set, and of no file."""
    is_name = isinstance(source, str) and not Path(source).expanduser().exists()
    return is_name and source in list_datasets().index


def read_table(source: Any, metrics: Sequence[str] | None) -> pd.DataFrame:
    """Read a table or data set of scores by (metric, system)."""
    if is_data_set(source):
        return load_dataset(source, list(metrics or ["AP"]))
    scores = read_scores(source)
    if scores.columns.nlevels == 1:
        name = scores.attrs.get("metric", metrics[0] if metrics else "score")
        check_range(scores, name, "the table" if isinstance(source, pd.DataFrame) else str(source))
        scores = pd.concat({name: scores}, axis=1, names=["metric", "system"])
    if metrics is None:
        return scores
    known = scores.columns.unique(0)
    check_choice(metrics[0], known, "the first of the metrics")
    return scores[[metric for metric in metrics if metric in known]]


def incomplete_runs(own: OwnRuns, chosen: str) -> pd.DataFrame:
    """Compare each incomplete run with the chosen one on their common topics.

    Parameters
    ----------
    own : OwnRuns
        Result of `read`.
    chosen : str
        A complete run.

    Returns
    -------
    DataFrame
        One row per incomplete run (index ``system``): ``topics``, the number of common topics;
        ``difference`` of the means, and its 95% interval by a paired t-test, ``low`` to ``high``.
    """
    columns = ["topics", "difference", "low", "high"]
    if own.incomplete.empty:
        return pd.DataFrame(columns=columns, dtype=float)
    pairs = own.incomplete[own.metric].join(own.main[chosen])
    tests = pairwise_tests(pairs, baseline=chosen, missing="pairwise")
    return tests.rename(columns={"system_a": "system"}).set_index("system")[columns]


def leaderboard(own: OwnRuns, reference: Any = None) -> pd.DataFrame:
    """Return the leaderboard, with rank intervals for five topics or more.

    Parameters
    ----------
    own : OwnRuns
        Result of `read`.
    reference : str, DataFrame or pair of paths, optional
        The standardizing systems: the name of a data set, a table of scores or its file, or the two
        files of factors. Without it, fewer than ten runs are not standardized: they would say more
        about each other than about the topics.

    Returns
    -------
    DataFrame
        Columns as in `irstd.leaderboard`, and ``rank_low`` to ``rank_high``, the interval of the
        rank (`irstd.rank_intervals`).
    """
    scores = own.main
    columns = "mean low high sd rank gmap rank_gmap".split()
    if reference is not None or scores.shape[1] >= FEW:
        columns += ["standardized", "rank_standardized"]
    reference = _read_reference(reference, own.metric)
    with warnings.catch_warnings(action="ignore"):  # also of columns that are not shown
        table = irstd.rankings.aggregate.leaderboard(scores, reference=reference)[columns]
    if scores.shape[1] > 1 and len(scores) >= FEWEST:
        ranks = rank_intervals(scores)
        table = table.join(ranks[["low", "high"]].add_prefix("rank_"))
    return table.dropna(axis=1, how="all")


def _read_reference(source: Any, metric: str) -> Any:
    """Read the reference for `irstd.standardize` in the deciding metric."""
    if source is None or is_data_set(source):
        return source
    if isinstance(source, list | tuple):
        return Factors.from_csv(*source)
    name = metric.removeprefix(SMALLER)
    scores = read_table(source, [name])[name]
    if name != metric:
        scores = -scores
    scores.attrs["metric"] = metric
    return scores
