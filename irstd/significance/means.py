"""Tests of whether systems differ: of one pair, of all pairs, or of all with a baseline."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from irstd._base.arguments import Seed, check_choice, check_count, check_flag, check_real, generator
from irstd._base.arrays import label_order, ratio
from irstd._base.matrix import Sample, as_pair, check_scores
from irstd._base.messages import needed
from irstd.significance import pair_tests


@dataclass(frozen=True, eq=False)
class PairedTest(tuple[float, float]):
    """A test of two systems: the named tuple ``(statistic, pvalue)``, which also knows sizes.

    It unpacks, compares and has a length as these two; ``_asdict()``, ``_replace(...)`` and a
    DataFrame of results have all fields: the columns of `pairwise_tests`, NaN without one.
    """

    statistic: float
    pvalue: float
    difference: float = math.nan
    low: float = math.nan
    high: float = math.nan
    effect_size: float = math.nan

    _fields = ("statistic", "pvalue")
    _asdict = asdict
    _replace = replace

    def __new__(cls, statistic: float, pvalue: float, *sizes: float, **named: float) -> PairedTest:
        """The tuple; the dataclass adds the fields."""
        pair = super().__new__(cls, (statistic, pvalue))
        vars(pair)["__iter__"] = None  # for pandas, which of a list would make two columns
        return pair

    def __getnewargs__(self) -> tuple[float, float]:  # of a copy, and of what was pickled
        return self.statistic, self.pvalue


def paired_test(
    a: Sample | pd.DataFrame,
    b: Sample | Sequence[str] | None = None,
    method: str = "t",
    *,
    alternative: str = "two-sided",
    level: float = 0.95,
    trials: int = 10_000,
    seed: Seed = 0,
    progress: bool = False,
) -> PairedTest:
    """Test whether two systems differ, by their scores on the same topics.

    Parameters
    ----------
    a, b : Series or array, n
        One score per topic. Two Series are matched by their index. Or a score matrix and two names
        of systems, ``paired_test(scores, ["x", "y"])``; with two columns, without names.
    method, alternative, level, trials, seed, progress
        As in `pairwise_tests`: it is the test of a score matrix with just these two systems.

    Returns
    -------
    PairedTest
        A named tuple ``(statistic, pvalue)`` with the attributes ``difference``, ``low``, ``high``
        and ``effect_size``, which are the columns of `pairwise_tests`.

    Raises
    ------
    ValueError, TypeError
        If a and b are not on the same topics, on fewer than two, have missing values, or are no
        real numbers (text, dates, masked arrays).

    Examples
    --------
    >>> a, b = [0.6, 0.4, 0.7, 0.3, 0.5], [0.5, 0.4, 0.3, 0.1, 0.4]
    >>> result = paired_test(a, b)
    >>> [round(x, 3) for x in (*result, result.difference, result.low, result.high)]
    [2.359, 0.078, 0.16, -0.028, 0.348]

    Equivalence by two one-sided tests at .05: the interval at .9 lies between -.4 and .4, so the
    two differ by less than .4.

    >>> result = paired_test(a, b, level=0.9)
    >>> -0.4 < result.low and result.high < 0.4
    True
    """
    options: dict[str, Any] = {"alternative": alternative, "level": level}
    options |= {"trials": trials, "seed": seed, "progress": progress}
    table = pairwise_tests(as_pair(a, b), method, **options)
    numbers = table.drop(columns=["system_a", "system_b"]).iloc[0]
    return PairedTest(**{str(name): float(number) for name, number in numbers.items()})


def pairwise_tests(
    scores: pd.DataFrame,
    method: str = "t",
    *,
    correction: str | None = None,
    baseline: str | Sequence[str] | None = None,
    alternative: str = "two-sided",
    level: float = 0.95,
    missing: str = "raise",
    trials: int = 10_000,
    seed: Seed = 0,
    progress: bool = False,
) -> pd.DataFrame:
    """Test every pair of systems, or every system against a baseline.

    Parameters
    ----------
    scores : DataFrame
        A score matrix.
    method : str, default "t"
        A test of means, ``"t"``, ``"randomization"``, ``"bootstrap"``, ``"tukey"`` or
        ``"randomized_tukey"``; of ranks and signs, ``"wilcoxon"`` or ``"sign"``; or of spreads,
        ``"paired_levene"``, ``"pitman_morgan"``, ``"f"``, ``"levene"`` (also ``"levene_median"``)
        or ``"levene_mean"``. See Notes.
    correction : str, optional
        Adjust the p-values for their number: a method of
        ``statsmodels.stats.multitest.multipletests``, such as ``"holm"`` or ``"fdr_bh"``.
    baseline : str or list of str, optional
        Only the pairs of another system with this one, or with these, are tested, system_a being
        the other one, and only these are corrected for.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        What is to be shown of system_a; Tukey's, F and Levene's have two sides only.
    level : float, default 0.95
        Of the interval ``low`` to ``high``.
    missing : {"raise", "pairwise"}, default "raise"
        Whether missing scores (NaN) are an error, or each pair is tested on the topics that both
        systems have; not for Tukey's tests, which compare all systems at a time.
    trials : int, default 10,000
        Of the randomized methods.
    seed : int or numpy.random.Generator, default 0
        For these; equal seeds give equal results in any order of topics and systems.
    progress : bool, default False
        Whether the randomized methods show a progress bar.

    Returns
    -------
    DataFrame
        One row per pair, each pair once, in the order of the columns of `scores`:

        ================== ===============================================================
        system_a, system_b the two systems
        difference         of their means, a - b; of their mean distances from the centre
                           for Levene's tests, of their standard deviations for
                           ``"pitman_morgan"`` and ``"f"``
        low, high          tests of means: interval of the difference at `level`, see Notes
        effect_size        tests of means: Cohen's d_z, mean(d) / sd(d)
        statistic          see Notes
        pvalue             1 for two systems with the same scores (.5 to 1 if one-sided)
        topics             with ``missing="pairwise"``: of both systems; where they are too few
                           for the test, p is 1
        adjusted_pvalue    with a correction
        ================== ===============================================================

    Raises
    ------
    ValueError
        If scores are missing (NaN); if there are fewer than two systems, or two topics (three for
        tests of spreads); if a correction is asked of Tukey's tests, whose p-values are those of
        all pairs already; if with so few trials, or topics, no corrected p could be .05 or less.

    Notes
    -----
    With d the n differences of a and b by topic:

    ``t``
        Student's paired t, mean(d) / (sd(d) / sqrt n), with n - 1 degrees of freedom.
    ``randomization``
        mean(d), where the signs of d are flipped at random. All 2^n ways are enumerated if they
        are no more than `trials`.
    ``bootstrap``
        t, against that of d - mean(d) resampled with replacement (Sakai 2006).
    ``tukey``
        Tukey's HSD with topics as blocks: q = abs(mean(d)) / sqrt(MSE / n), with the MSE of score ~
        topic + system and (n - 1)(m - 1) degrees of freedom, in the studentized range of m
        (Carterette 2012). One MSE stands for all pairs: where differences vary more for some than
        for others, as on TREC data, the family-wise error is above its level.
    ``randomized_tukey``
        abs(mean(d)), against the range of the system means when the scores of each topic are dealt
        to the systems at random.
    ``wilcoxon``
        Signed ranks of d, topics without a difference left out, and tied where equal to 1e-12 of
        the largest score; the smaller sum of ranks (one-sided: that of positive d). p is exact for
        up to 50 differences, with ties too; above, normal. It tests whether d is symmetric about 0.
    ``sign``
        How many d are positive, of those that are not 0, against a fair coin.
    ``paired_levene``, ``pitman_morgan``, ``f``, ``levene``, ``levene_mean``
        See `paired_levene_test`, `pitman_morgan_test`, `f_test` and `levene_test` (with the median,
        with the mean). F and Levene ignore that the scores are paired, and find too little.

    The interval is mean(d) +- t sd(d) / sqrt n (one-sided: open at the other end), for the pair
    alone, uncorrected, that of ``randomization`` and ``bootstrap`` too; for Tukey's two methods it
    is that of all pairs at a time, mean(d) +- q sqrt(MSE / n). d_z (Lakens 2013) decides how many
    topics a paired t-test needs. A p of B random trials is (count + 1) / (B + 1), where count is
    the number of trials at least as extreme as what was found; they are the same for all pairs.

    References
    ----------
    Sakai (2006), doi:10.1145/1148170.1148261. Carterette (2012), doi:10.1145/2094072.2094076.
    Lakens (2013), doi:10.3389/fpsyg.2013.00863.

    Examples
    --------
    >>> import irstd
    >>> scores = irstd.load_dataset("sim-trec8").iloc[:, :4]
    >>> table = pairwise_tests(scores, correction="holm")
    >>> len(table), len(pairwise_tests(scores, baseline=scores.columns[0]))
    (6, 3)
    """
    check_choice(method, pair_tests.METHODS, "method")
    check_choice(alternative, pair_tests.EXTREMES, "alternative")
    of = pair_tests.METHODS[method]
    if alternative != "two-sided" and not of.signed:
        raise ValueError(f"{method!r} has no sign: alternative must be 'two-sided'")
    level = check_real(level, "level", 0, 1, open_="low high")
    trials, rng = check_count(trials, "trials"), generator(seed)
    check_flag(progress, "progress")
    check_choice(missing, ("raise", "pairwise"), "missing")
    if missing == "pairwise" and of.of_all:
        raise ValueError(f"{method!r} compares all systems at a time: missing must be 'raise'")
    least, whole = pair_tests.least_topics(method), missing == "raise"
    scores = check_scores(scores, complete=whole, topics=least, systems=2)
    systems = scores.columns
    # Draws go by the order of the labels
    scores = scores.iloc[label_order(scores.index), label_order(systems)]
    values, place = scores.to_numpy(), scores.columns.get_indexer(systems)
    if baseline is None:
        i, j = (place[each] for each in pair_tests.all_pairs(len(place)))
    else:
        family = [baseline] if isinstance(baseline, str) else list(baseline)
        for system in family:
            check_choice(system, systems, "baseline")
        i, j = np.meshgrid(
            place[~systems.isin(family)], scores.columns.get_indexer(pd.Index(family))
        )
        i, j = i.ravel(), j.ravel()
        if not len(i):
            raise ValueError("baseline must be one system or more, and leave others to be tested")
    if correction is not None:
        check_correction(correction, method, len(i), len(values), trials, alternative)
    options = {"alternative": alternative} if of.signed else {}
    drawn = {"trials": trials, "rng": rng, "progress": progress} if of.random else {}

    def tested(values: np.ndarray, i: np.ndarray, j: np.ndarray) -> pd.DataFrame:
        (unit_free,) = pair_tests.in_unit(values) if of.spread else [values]
        statistic, p = of.test(unit_free, i, j, **options, **drawn)
        if of.spread or of.ranks:
            size = of.spread(values) if of.spread else values.mean(axis=0)
            sizes = {"difference": size[i] - size[j]}
        else:
            sizes = _sizes(values, i, j, of.of_all, alternative, level)
        return pd.DataFrame(sizes | {"statistic": statistic, "pvalue": p})

    pairs = pd.DataFrame({"system_a": scores.columns[i], "system_b": scores.columns[j]})
    found = tested(values, i, j) if whole else _by_topics_of_both(tested, values, i, j, least)
    result = pairs.join(found)
    if correction is not None:
        result["adjusted_pvalue"] = adjusted(result["pvalue"].to_numpy(), correction)
    return result


def _by_topics_of_both(tested, values, i, j, least) -> pd.DataFrame:
    """The tests of pairs, of all that share the same topics at a time."""
    known = ~np.isnan(values[:, i] + values[:, j]).T
    shared, group = np.unique(known, axis=0, return_inverse=True)
    parts = []
    for g, topics in enumerate(shared):
        which = np.flatnonzero(group.ravel() == g)
        parts.append(pd.DataFrame({"pvalue": 1.0}, which))
        if topics.sum() >= least:
            used, at = np.unique([i[which], j[which]], return_inverse=True)
            parts[-1] = tested(values[np.ix_(topics, used)], *at.reshape(2, -1)).set_axis(which)
        parts[-1]["topics"] = topics.sum()
    found = pd.concat(parts[::-1]).sort_index()  # the order of columns is that of the most topics
    if "statistic" not in found:  # no pair has topics enough
        return found.reindex(columns=[*tested(np.eye(least, 2), *np.array([[0], [1]])), "topics"])
    return found


def _sizes(values, i, j, of_all, alternative, level) -> dict[str, np.ndarray]:
    """The difference of the means of each pair, its interval and its standardized size."""
    n, m = values.shape
    mean, sd = pair_tests.moments_of_differences(values, i, j)
    if of_all:
        error, df = pair_tests.error_of_means(values)
        half = np.full(len(i), error * stats.studentized_range.ppf(level, m, df))
    else:
        share = level if alternative != "two-sided" else (1 + level) / 2
        half = stats.t.ppf(share, n - 1) * sd / np.sqrt(n)
    low = mean - (half if alternative != "less" else np.inf)
    high = mean + (half if alternative != "greater" else np.inf)
    return {"difference": mean, "low": low, "high": high, "effect_size": ratio(mean, sd)}


def adjusted(p: np.ndarray, correction: str) -> np.ndarray:
    """p-values corrected for their number, by statsmodels."""
    return needed("statsmodels.stats.multitest").multipletests(p, method=correction)[1]


def check_correction(
    correction: str, method: str, pairs: int, n: int, trials: int, alternative: str, alpha=0.05
) -> None:
    """Raise if p-values of so many pairs cannot be corrected, or never to `alpha` or less."""
    known = needed("statsmodels.stats.multitest").multitest_alias
    names = [name for name in known if name == correction or len(name) > 3]  # 'h' is a short form
    check_choice(correction, names, "correction")
    of = pair_tests.METHODS[method]
    if of.of_all:
        raise ValueError(f"the p-values of {method!r} are for all pairs: no correction is due")
    least, remedy = 1 / (trials + 1), f"trials={math.ceil(pairs / alpha)} or more"
    if method == "randomization" and pair_tests.all_flips(n, trials):
        least, remedy = (2 if alternative == "two-sided" else 1) / 2**n, "more topics"
    if of.random and adjusted(np.full(pairs, least), correction).min() > alpha:
        said = f"{method!r} has no p-value below {least:.2g}: of {pairs} pairs, corrected, none"
        raise ValueError(f"{said} can be {alpha:g} or less; give {remedy}, or choose 't'")
