"""Which system may be the best, or differs from a baseline, and how narrowly that is said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

from irstd._base.arguments import check_choice
from irstd._base.several import MEAN, check_collections
from irstd.compare.over_collections import pairs_over_collections
from irstd.compare.table import comparison_table
from irstd.seeds import Seeds
from irstd.significance.corrections import adjusted
from irstd.significance.means import pairwise_tests

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
Scores = pd.DataFrame | Mapping[str, pd.DataFrame]


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
    scores: Scores, baseline: str | None = None, *, seeds: Seeds | None = None
) -> Standing:
    """Who may be the best, or differs from a baseline: the numbers that decide it.

    Parameters
    ----------
    scores : DataFrame, or dict of str to DataFrame
        A score matrix without gaps; or several by the name of their collection.
    baseline : str, optional
        The system that all others are tested against. By default the group that holds the best
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
    if isinstance(scores, pd.DataFrame):
        means, pairs = _of_topics(scores, baseline)
        n_topics, n_collections = len(scores), 1
    else:
        means, pairs = _over_collections(scores, baseline, seeds)
        n_topics, n_collections = sum(len(part) for part in scores.values()), len(scores)
    if baseline is not None:
        check_choice(baseline, means.index, "baseline")
    means = means.sort_index().sort_values(ascending=False, kind="stable")
    runs = means.rename("mean").rename_axis("system").to_frame().join(pairs)
    chosen = str(means.index[0])
    limit = ALPHA / max(1, len(means) - 1)
    ratio = np.minimum(pairs["pvalue"] / limit, pairs["holm"] / ALPHA)
    if baseline is not None:
        chosen, limit, ratio = baseline, ALPHA, pairs["holm"] / ALPHA
    sign = np.sign(runs["difference"].where(runs["against"] == chosen, -1))
    runs["ratio"] = ratio
    runs["verdict"] = sign.where(ratio <= 1, 0)
    return Standing(runs, chosen, baseline, limit, n_topics, n_collections)


def _of_topics(scores: pd.DataFrame, baseline: str | None) -> tuple[pd.Series, pd.DataFrame]:
    """Means, and what is tested, of one collection; nothing is of one system, or on two topics."""
    means = scores.mean()
    if len(means) < 2 or len(scores) < 3:
        return means, pd.DataFrame(columns=COLUMNS, dtype=float)
    by_ranks = pairwise_tests(scores, "wilcoxon", baseline=baseline, correction="holm")
    tests = pairwise_tests(scores, baseline=baseline, correction="holm")
    p_of_ranks = "pvalue" if baseline is None else "adjusted_pvalue"
    tests = tests.assign(wilcoxon=by_ranks[p_of_ranks])
    return means, _pairs(scores, means, tests, baseline, len(means) - 1)


def _over_collections(
    scores: Mapping[str, pd.DataFrame], baseline: str | None, seeds: Seeds | None
) -> tuple[pd.Series, pd.DataFrame]:
    """Means over several collections, and by system its difference and the test that decides."""
    table = comparison_table(scores, baseline, seeds=seeds)
    means = table.means[MEAN].dropna()
    if len(means) < 2:
        return means, pd.DataFrame(columns=COLUMNS, dtype=float)
    family = len(means) - 1 if baseline is None else len(table.tests)
    tests = table.tests[table.tests["column"] == MEAN]
    if seeds is not None:
        return means, _of_seeds(tests.set_index("system_a"), baseline, family)
    on_all = {name: part[part.columns.intersection(means.index)] for name, part in scores.items()}
    if baseline is None:
        found = pairs_over_collections(check_collections(on_all))
        tests = found[found["collection"] == MEAN]
        tests = tests.assign(adjusted_pvalue=adjusted(tests["pvalue"].to_numpy(), "holm"))
    return means, _pairs(on_all, means, tests, baseline, family)


def _pairs(
    scores: Scores, means: pd.Series, tests: pd.DataFrame, baseline: str | None, family: float
) -> pd.DataFrame:
    """By system: its difference from the chosen one, and the test that decides about it."""
    chosen = baseline or str(means.sort_index().idxmax())
    level = 1 - ALPHA / family
    if isinstance(scores, Mapping):
        sizes = pairs_over_collections(check_collections(scores), baseline=chosen, level=level)
        sizes = sizes[sizes["collection"] == MEAN]
    else:
        sizes = pairwise_tests(scores, baseline=chosen, level=level, missing="pairwise")
    of_first = tests.rename(columns={"system_a": "system", "system_b": "against"})
    of_second = tests.rename(columns={"system_b": "system", "system_a": "against"})
    if baseline is not None:
        deciding = of_first
    else:  # of the worse one of each pair
        of_first = of_first[of_first["difference"] <= 0]
        of_second = of_second[of_second["difference"] >= 0]
        deciding = pd.concat([of_first, of_second]).sort_values("pvalue", kind="stable")
        deciding = deciding[deciding["system"] != chosen].drop_duplicates("system")
    deciding = deciding.rename(columns={"adjusted_pvalue": "holm"}).set_index("system")
    deciding = deciding.reindex(columns=["against", "pvalue", "holm", "wilcoxon"])
    return sizes.set_index("system_a")[["difference", "low", "high"]].join(deciding)


def _of_seeds(tests: pd.DataFrame, baseline: str | None, family: float) -> pd.DataFrame:
    """Tests on topics and seeds, with intervals that hold for as many tests together."""
    wider = stats.t.ppf(1 - ALPHA / 2 / family, tests["df"]) / stats.t.ppf(0.975, tests["df"])
    found = tests.assign(against=baseline, holm=tests["adjusted_pvalue"], wilcoxon=np.nan)
    for end in ("low", "high"):
        found[end] = found["difference"] + wider * (found[end] - found["difference"])
    return found[COLUMNS]
