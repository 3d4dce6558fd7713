"""Comparison of systems with the best system or with a baseline."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy

from irstd._base.arguments import check_choice
from irstd._base.matrix import check_scores
from irstd._base.several import ByCollection
from irstd.compare.table import comparison_table
from irstd.seeds import Seeds
from irstd.significance.corrections import add_adjusted_pvalues

ALPHA = 0.05
FEWEST = 5  # topics of a test
# Verdicts by the sign of a significant difference, and 0
BEST = {0: "may be the best", -1: "not the best"}
AGAINST_A_BASELINE = {
    1: "significantly better",
    0: "not significantly different",
    -1: "significantly worse",
}
COLUMNS = "difference low high against pvalue holm".split()
NAMES = {"system_a": "system", "system_b": "against", "adjusted_pvalue": "holm"}
TEST_COLUMNS = [*NAMES, "difference", "low", "high", "df", "pvalue"]


@dataclass(frozen=True, eq=False)
class RunComparison:
    """System means, with the tests that decide which system may be the best.

    Attributes
    ----------
    runs : DataFrame
        One row per system, best first, and by name where means are equal:

        ===================== ===============================================================
        mean                  mean over topics, or over collections if there are several
        difference            mean of the system - mean of the `chosen` system
        low, high             its interval; 95% of all intervals at once
        against               the system of the deciding test: the baseline; or, of those with a
                              higher mean, the one with the smallest p
        pvalue                p-value of the paired t-test against it
        holm                  the same adjusted by Holm: over all tests with the baseline (with
                              several collections, over the whole table), or over all pairs
        ratio                 the smaller of pvalue / limit and holm / .05 (with a baseline, the
                              latter); if at most 1, the system differs
        verdict               text, as an ordered category, such as "not the best"
        ===================== ===============================================================

        For the chosen system, and where nothing is tested, all but the mean is missing.
    chosen : str
        The baseline, or the system with the highest mean.
    baseline : str or None
        The baseline, if there is one.
    limit : float
        Limit of ``pvalue``, .05 / (m - 1) for m systems; with a baseline, limit of ``holm``, .05.
    n_topics, n_collections : int
        Numbers of topics, and of collections, that are compared.
    """

    runs: pd.DataFrame
    chosen: str
    baseline: str | None
    limit: float
    n_topics: int
    n_collections: int = 1

    @property
    def others(self) -> pd.DataFrame:
        """Comparisons of the other systems with the chosen one."""
        return self.runs[self.runs["pvalue"].notna()]

    @property
    def closest(self) -> str:
        """System with the p-value closest to its limit."""
        others = self.others.sort_values("pvalue", kind="stable")
        distance = np.log(others["ratio"].clip(lower=1e-300)).abs()
        return str(distance.idxmin())


def compare_runs(
    scores: pd.DataFrame | ByCollection,
    baseline: str | None = None,
    *,
    seeds: Seeds | None = None,
) -> RunComparison:
    """Test which systems may be the best, or differ from a baseline.

    A single system, or fewer than five topics, are not tested.

    Parameters
    ----------
    scores : DataFrame, or dict of str to DataFrame
        A score matrix without gaps; or several by the name of their collection.
    baseline : str, optional
        The system that all others are tested against. By default the confidence set for the best
        is found, as `rank_intervals` does: a system is excluded if it is significantly worse than
        some other, by a paired t-test at .05 / (m - 1), or after Holm's correction for all pairs.
    seeds : str or dict, optional
        For several collections and a baseline, as in `comparison_table`.

    Returns
    -------
    RunComparison
        Its table ``runs`` has one row per system, with means, differences, intervals, p-values and
        verdicts; ``chosen`` is the baseline, or the system with the highest mean.

    Examples
    --------
    >>> import irstd
    >>> scores = irstd.load_dataset("sim-trec8").iloc[:, 2:100:25]
    >>> comparison = compare_runs(scores, "t8orig16b")
    >>> comparison.runs[["mean", "difference", "holm", "verdict"]].round(3)
                mean  difference   holm               verdict
    system
    t8orig01c  0.371       0.053  0.037  significantly better
    t8orig16b  0.318         NaN    NaN                   NaN
    t8orig24c  0.236      -0.082  0.001   significantly worse
    t8orig08a  0.000      -0.318  0.000   significantly worse
    """
    parts = [scores] if isinstance(scores, pd.DataFrame) else list(scores.values())
    parts = [check_scores(part, complete=False) for part in parts]
    n_topics = sum(map(len, parts))
    if len(parts) == 1 and (parts[0].shape[1] == 1 or n_topics < FEWEST):
        means = parts[0].mean()
        tests = pd.DataFrame(columns=TEST_COLUMNS, dtype=float)
        n_intervals = 1
    else:
        table = comparison_table(scores, baseline, seeds=seeds)
        column = table.cells.index.unique("column")[-1]
        cells = table.cells.loc[column]
        means = cells["mean"][cells["finished"] | (baseline is not None)].dropna()
        tests = table.tests[table.tests["column"] == column]
        n_intervals = len(table.tests)
    words, limit = AGAINST_A_BASELINE, ALPHA
    if baseline is None:
        tests = add_adjusted_pvalues(tests, "holm")
        n_intervals = max(1, len(means) - 1)
        words, limit = BEST, ALPHA / n_intervals
    else:
        check_choice(baseline, means.index, "baseline")
    means = means.sort_index().sort_values(ascending=False, kind="stable")
    chosen = baseline or str(means.index[0])
    pairs = _select_deciding_tests(tests, chosen, baseline, n_intervals)
    runs = means.rename("mean").rename_axis("system").to_frame().join(pairs)
    runs["ratio"] = runs["holm"] / ALPHA
    if baseline is None:
        runs["ratio"] = np.minimum(runs["pvalue"] / limit, runs["ratio"])
    signs = np.sign(runs["difference"]) * (runs["ratio"] <= 1)  # NaN where nothing is tested
    runs["verdict"] = pd.Categorical(signs.map(words), list(words.values()), ordered=True)
    return RunComparison(runs, chosen, baseline, limit, n_topics, len(parts))


def _select_deciding_tests(
    tests: pd.DataFrame, chosen: str, baseline: str | None, n_intervals: int
) -> pd.DataFrame:
    """Return each system's deciding test and its difference from the chosen system."""
    pairs = tests.rename(columns=NAMES)
    if baseline is None:
        reverse = pairs.rename(columns={"system": "against", "against": "system"})
        reverse = reverse.assign(difference=-pairs["difference"], high=-pairs["low"])
        pairs = pd.concat([pairs, reverse])
    from_chosen = pairs[pairs["against"] == chosen].set_index("system")
    deciding = from_chosen
    if baseline is None:
        worse = pairs[(pairs["difference"] <= 0) & (pairs["system"] != chosen)]
        by_p = worse.sort_values("pvalue", kind="stable")
        deciding = by_p.drop_duplicates("system").set_index("system")
    df = from_chosen["df"]
    widening = scipy.stats.t.ppf(1 - ALPHA / 2 / n_intervals, df) / scipy.stats.t.ppf(0.975, df)
    difference = from_chosen["difference"]
    half_width = widening * (from_chosen["high"] - difference)
    intervals = {"low": difference - half_width, "high": difference + half_width}
    return deciding.assign(difference=difference, **intervals)[COLUMNS]
