"""Which system may be the best, or differs from a baseline, and how narrowly that is said."""

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
from irstd.significance.corrections import adjusted
from irstd.significance.pairwise import pairwise_tests

ALPHA = 0.05
NEAR = 5  # times the limit, or a fifth of it: the verdict may be another on other topics
SAID = {  # of a system, by whether a baseline was named, and what the tests find
    (False, -1): "out: one is significantly better",
    (False, 0): "may be the best, too",
    (True, 1): "significantly better",
    (True, 0): "not significantly different",
    (True, -1): "significantly worse",
}
COLUMNS = "difference low high against pvalue holm wilcoxon".split()
NO_TESTS = pd.DataFrame(columns=["difference", "low", "high", "df", "pvalue"], dtype=float)


@dataclass(frozen=True, eq=False)
class Standing:
    """What `standing` finds.

    Attributes
    ----------
    runs : DataFrame
        One row per system, best first, and by name where means are equal:

        ===================== ===============================================================
        mean                  over topics; over collections, if there are several
        difference, low, high from the `chosen`, in intervals that hold for all systems together
        against               the system that the verdict is about: the baseline; or of those with
                              a higher mean the one with the smallest p
        pvalue                of the paired t-test with it
        holm                  the same corrected by Holm: for all tests with the baseline (of
                              several collections, of the whole table), or for all pairs
        wilcoxon              p of Wilcoxon's test of this pair, with a baseline corrected by Holm
        ratio                 of p to its limit; at 1 or below the system differs
        verdict               1 better, -1 worse, 0 neither
        ===================== ===============================================================

        Of the chosen, and where nothing is compared, all but the mean is missing.
    chosen : str
        The baseline, or the system with the highest mean.
    baseline : str or None
    limit : float
        Of a p-value: .05 / (m - 1) of m systems without a baseline; else .05, of Holm's.
    topics, collections : int
    """

    runs: pd.DataFrame
    chosen: str
    baseline: str | None
    limit: float
    topics: int
    collections: int = 1

    @property
    def others(self) -> pd.DataFrame:
        """The systems that are compared with the chosen one."""
        return self.runs[self.runs["pvalue"].notna()]

    @property
    def best(self) -> pd.Index:
        """The systems with the highest mean: more than one, if their means are equal."""
        means = self.runs["mean"]
        return means.index[means.round(12) == means.round(12).max()]

    @property
    def nearest(self) -> str:
        """The system whose p is nearest to its limit, on either side; of several the smallest p.

        Holm's p is 1 at most, so that several can be equally far from the limit by it.
        """
        others = self.others.sort_values("pvalue", kind="stable")
        distance = np.log(others["ratio"].clip(lower=1e-300)).abs()
        return str(distance.idxmin())

    @property
    def all_nearest(self) -> pd.Index:
        """The nearest system, and those that are as near by the same numbers: its copies."""
        numbers = self.others[["difference", "pvalue", "ratio"]]
        alike = (numbers == numbers.loc[self.nearest]).all(axis=1)
        return numbers.index[alike]

    @property
    def narrow(self) -> pd.Index:
        """The systems whose p is so near to its limit that their verdict hangs by little."""
        ratio = self.others["ratio"].astype(float)
        return ratio.index[ratio.between(1 / NEAR, NEAR)]

    @property
    def is_narrow(self) -> bool:
        """Whether the nearest one is."""
        return self.nearest in self.narrow

    @property
    def said(self) -> pd.Series:
        """The verdict on each of the others, in words."""
        named = self.baseline is not None
        return self.others["verdict"].map(lambda verdict: SAID[named, int(verdict)])


def standing(
    scores: pd.DataFrame | ByCollection,
    baseline: str | None = None,
    *,
    seeds: Seeds | None = None,
) -> Standing:
    """Who may be the best, or differs from a baseline: the numbers that decide it.

    Parameters
    ----------
    scores : DataFrame, or dict of str to DataFrame
        A score matrix without gaps; or several by the name of their collection.
    baseline : str, optional
        The system that all others are tested against. By default the confidence set for the best
        is found, as `rank_intervals` does: a system is out if it is significantly worse than some
        other, by a paired t-test at .05 / (m - 1), or after Holm's correction for all pairs.
    seeds : str or dict, optional
        Of several collections, as in `comparison_table`, with a baseline.

    Examples
    --------
    >>> import irstd
    >>> found = standing(irstd.load_dataset("sim-trec8").iloc[:, ::30])
    >>> found.chosen, found.nearest, found.is_narrow
    ('t8orig39a', 't8orig01a', False)
    """
    tables = {"": scores} if isinstance(scores, pd.DataFrame) else dict(scores)
    if isinstance(scores, pd.DataFrame):
        means, tests, family = _of_topics(scores, baseline)
    else:
        means, tests, family = _over_collections(scores, baseline, seeds)
    if baseline is not None:
        check_choice(baseline, means.index, "baseline")
    means = means.sort_index().sort_values(ascending=False, kind="stable")
    chosen = baseline or str(means.index[0])
    pairs = _pairs(tests, chosen, baseline, max(1, family))
    runs = means.rename("mean").rename_axis("system").to_frame().join(pairs)
    limit = ALPHA
    runs["ratio"] = runs["holm"] / ALPHA
    if baseline is None:
        limit = ALPHA / max(1, len(means) - 1)
        runs["ratio"] = np.minimum(runs["pvalue"] / limit, runs["ratio"])
    sign = np.sign(runs["difference"].where(runs["against"] == chosen, -1))
    runs["verdict"] = sign.where(runs["ratio"] <= 1, 0)
    n_topics = sum(len(table) for table in tables.values())
    return Standing(runs, chosen, baseline, limit, n_topics, len(tables))


def _of_topics(scores: pd.DataFrame, baseline: str | None) -> tuple[pd.Series, pd.DataFrame, int]:
    """Means, what is tested, and how many intervals hold together, of one collection.

    Nothing is tested of one system, or on two topics.
    """
    means = scores.mean()
    if len(means) < 2 or len(scores) < 3:
        return means, NO_TESTS, 0
    by_ranks = pairwise_tests(scores, "wilcoxon", baseline=baseline, correction="holm")
    tests = pairwise_tests(scores, baseline=baseline, correction="holm")
    p_of_ranks = "pvalue" if baseline is None else "adjusted_pvalue"
    return means, tests.assign(wilcoxon=by_ranks[p_of_ranks]), len(means) - 1


def _over_collections(
    scores: ByCollection, baseline: str | None, seeds: Seeds | None
) -> tuple[pd.Series, pd.DataFrame, int]:
    """The same of the mean over several collections."""
    table = comparison_table(scores, baseline, seeds=seeds)
    means = table.means[MEAN].dropna()
    if len(means) < 2:
        return means, NO_TESTS, 0
    if baseline is not None:
        return means, table.tests[table.tests["column"] == MEAN], len(table.tests)
    on_all = {name: part[part.columns.intersection(means.index)] for name, part in scores.items()}
    tests = pairs_over_collections(check_collections(on_all))
    tests = tests[tests["collection"] == MEAN]
    holm = adjusted(tests["pvalue"].to_numpy(), "holm")
    return means, tests.assign(adjusted_pvalue=holm), len(means) - 1


def _pairs(tests: pd.DataFrame, chosen: str, baseline: str | None, family: int) -> pd.DataFrame:
    """By system: its difference from the chosen one, and the test that decides about it."""
    names = {"system_a": "system", "system_b": "against", "adjusted_pvalue": "holm"}
    pairs = tests.rename(columns=names).reindex(columns=["system", *COLUMNS, "df"])
    if baseline is None:
        turned = pairs.rename(columns={"system": "against", "against": "system"})
        turned["difference"] = -pairs["difference"]
        turned["low"] = -pairs["high"]
        turned["high"] = -pairs["low"]
        pairs = pd.concat([pairs, turned])
    from_chosen = pairs[pairs["against"] == chosen].set_index("system")
    deciding = from_chosen
    if baseline is None:
        worse = pairs[(pairs["difference"] <= 0) & (pairs["system"] != chosen)]
        by_p = worse.sort_values("pvalue", kind="stable")
        deciding = by_p.drop_duplicates("system").set_index("system")
    # Intervals that hold for all of the family, from those that hold for one.
    df = from_chosen["df"]
    wider = scipy.stats.t.ppf(1 - ALPHA / 2 / family, df) / scipy.stats.t.ppf(0.975, df)
    difference = from_chosen["difference"]
    return deciding.assign(
        difference=difference,
        low=difference + wider * (from_chosen["low"] - difference),
        high=difference + wider * (from_chosen["high"] - difference),
    )[COLUMNS]
