"""Comparison of systems with the best one or with a baseline."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy

from irstd._base.arguments import check_choice
from irstd._base.several import MEAN, ByCollection, check_collections
from irstd.compare.columns import pairs_over_collections
from irstd.compare.table import comparison_table
from irstd.seeds import Seeds
from irstd.significance.corrections import adjust
from irstd.significance.pair_tests import Rules
from irstd.significance.pairwise import pairwise_tests

ALPHA = 0.05
BEST = {0: "may be the best", -1: "excluded"}
AGAINST_A_BASELINE = {
    1: "significantly better",
    0: "not significantly different",
    -1: "significantly worse",
}
COLUMNS = "difference low high against pvalue holm".split()
NO_TESTS = pd.DataFrame(columns=["difference", "low", "high", "df", "pvalue"], dtype=float)


@dataclass(frozen=True, eq=False)
class RunComparison:
    """Means of systems, with the tests that decide which may be the best.

    Attributes
    ----------
    runs : DataFrame
        One row per system, best first, and by name where means are equal:

        ===================== ===============================================================
        mean                  over topics; over collections, if there are several
        difference, low, high from the `chosen`, in intervals that hold for all systems together
        against               the system of the deciding test: the baseline; or, of those with a
                              higher mean, the one with the smallest p
        pvalue                of the paired t-test with it
        holm                  adjusted by Holm: for all tests with the baseline (of several
                              collections, of the whole table), or for all pairs
        ratio                 of p to its limit; at 1 or below the system differs
        verdict               1 better, -1 worse, 0 neither
        ===================== ===============================================================

        For the chosen system, and where nothing is tested, all but the mean is missing.
    chosen : str
        The baseline, or the system with the highest mean.
    baseline : str or None
    limit : float
        Of `pvalue`: .05 / (m - 1) for m systems without a baseline. With one, it is .05, of `holm`.
    n_topics, n_collections : int
    """

    runs: pd.DataFrame
    chosen: str
    baseline: str | None
    limit: float
    n_topics: int
    n_collections: int = 1

    @property
    def others(self) -> pd.DataFrame:
        """Rows of the systems that are compared with the chosen one."""
        return self.runs[self.runs["pvalue"].notna()]

    @property
    def closest(self) -> str:
        """System with the p-value closest to its limit."""
        others = self.others.sort_values("pvalue", kind="stable")
        distance = np.log(others["ratio"].clip(lower=1e-300)).abs()
        return str(distance.idxmin())

    @property
    def verdicts(self) -> pd.Series:
        """Verdict on each other system, as a categorical."""
        words = BEST if self.baseline is None else AGAINST_A_BASELINE
        return self.others["verdict"].map(words).astype(pd.CategoricalDtype(list(words.values())))


def compare_runs(
    scores: pd.DataFrame | ByCollection,
    baseline: str | None = None,
    *,
    seeds: Seeds | None = None,
) -> RunComparison:
    """Test which systems may be the best, or differ from a baseline.

    Parameters
    ----------
    scores : DataFrame, or dict of str to DataFrame
        A score matrix without gaps; or several by the name of their collection.
    baseline : str, optional
        The system that all others are tested against. By default the confidence set for the best
        is found, as `rank_intervals` does: a system is excluded if it is significantly worse than
        some other, by a paired t-test at .05 / (m - 1), or after Holm's correction for all pairs.
    seeds : str or dict, optional
        Of several collections, as in `comparison_table`, with a baseline.

    Examples
    --------
    >>> import irstd
    >>> scores = irstd.load_dataset("sim-trec8").iloc[:, 2:100:25]
    >>> comparison = compare_runs(scores, "t8orig16b")
    >>> comparison.runs[["mean", "difference", "holm"]].assign(verdict=comparison.verdicts).round(3)
                mean  difference   holm               verdict
    system
    t8orig01c  0.371       0.053  0.037  significantly better
    t8orig16b  0.318         NaN    NaN                   NaN
    t8orig24c  0.236      -0.082  0.001   significantly worse
    t8orig08a  0.000      -0.318  0.000   significantly worse
    """
    if isinstance(scores, pd.DataFrame):
        means, tests, n_intervals = _test_topics(scores, baseline)
        sizes = [len(scores)]
    else:
        means, tests, n_intervals = _test_collections(scores, baseline, seeds)
        sizes = [len(part) for part in scores.values()]
    if baseline is not None:
        check_choice(baseline, means.index, "baseline")
    means = means.sort_index().sort_values(ascending=False, kind="stable")
    chosen = baseline or str(means.index[0])
    pairs = _select_deciding_tests(tests, chosen, baseline, max(1, n_intervals))
    runs = means.rename("mean").rename_axis("system").to_frame().join(pairs)
    limit = ALPHA
    runs["ratio"] = runs["holm"] / ALPHA
    if baseline is None:
        limit = ALPHA / max(1, len(means) - 1)
        runs["ratio"] = np.minimum(runs["pvalue"] / limit, runs["ratio"])
    sign = np.sign(runs["difference"].where(runs["against"] == chosen, -1))
    runs["verdict"] = sign.where(runs["ratio"] <= 1, 0)
    return RunComparison(runs, chosen, baseline, limit, sum(sizes), len(sizes))


def _test_topics(scores: pd.DataFrame, baseline: str | None) -> tuple[pd.Series, pd.DataFrame, int]:
    """Test the pairs of one collection; return means, tests and number of intervals.

    Nothing is tested of one system, or on two topics.
    """
    means = scores.mean()
    if len(means) < 2 or len(scores) < 3:
        return means, NO_TESTS, 0
    tests = pairwise_tests(scores, baseline=baseline, correction="holm")
    return means, tests, len(means) - 1


def _test_collections(
    scores: ByCollection, baseline: str | None, seeds: Seeds | None
) -> tuple[pd.Series, pd.DataFrame, int]:
    """Test the pairs in the mean over collections; return as `_test_topics`."""
    table = comparison_table(scores, baseline, seeds=seeds)
    means = table.means[MEAN].dropna()
    if len(means) < 2:
        return means, NO_TESTS, 0
    if baseline is not None:
        return means, table.tests[table.tests["column"] == MEAN], len(table.tests)
    on_all = {name: part[part.columns.intersection(means.index)] for name, part in scores.items()}
    tests = pairs_over_collections(check_collections(on_all), Rules())
    tests = tests[tests["collection"] == MEAN]
    holm = adjust(tests["pvalue"].to_numpy(), "holm")
    return means, tests.assign(adjusted_pvalue=holm), len(means) - 1


def _select_deciding_tests(
    tests: pd.DataFrame, chosen: str, baseline: str | None, n_intervals: int
) -> pd.DataFrame:
    """Return the test of each system against the chosen one."""
    names = {"system_a": "system", "system_b": "against", "adjusted_pvalue": "holm"}
    pairs = tests.rename(columns=names).reindex(columns=["system", *COLUMNS, "df"])
    if baseline is None:
        reverse = pairs.rename(columns={"system": "against", "against": "system"})
        reverse["difference"] = -pairs["difference"]
        reverse["low"] = -pairs["high"]
        reverse["high"] = -pairs["low"]
        pairs = pd.concat([pairs, reverse])
    from_chosen = pairs[pairs["against"] == chosen].set_index("system")
    deciding = from_chosen
    if baseline is None:
        worse = pairs[(pairs["difference"] <= 0) & (pairs["system"] != chosen)]
        by_p = worse.sort_values("pvalue", kind="stable")
        deciding = by_p.drop_duplicates("system").set_index("system")
    # Intervals that hold for all systems together, from those that hold for one.
    df = from_chosen["df"]
    widening = scipy.stats.t.ppf(1 - ALPHA / 2 / n_intervals, df) / scipy.stats.t.ppf(0.975, df)
    difference = from_chosen["difference"]
    return deciding.assign(
        difference=difference,
        low=difference + widening * (from_chosen["low"] - difference),
        high=difference + widening * (from_chosen["high"] - difference),
    )[COLUMNS]
