"""Tests of whether systems vary alike over topics, and the ties of means that they break."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd

from irstd._base.arguments import check_alpha, check_choice, check_real
from irstd._base.arrays import dense_ranks
from irstd._base.matrix import Sample, check_numbers, check_scores, match
from irstd.significance import mean_tests, pair_tests, spread_tests
from irstd.significance.pairs import Found, PairTest, all_pairs, in_unit
from irstd.standardize import Reference, by_method

TIE_BREAKERS = ("f", "levene_mean", "levene_median", "pitman_morgan", "paired_levene")


def f_test(a: Sample, b: Sample) -> PairTest:
    """Test whether two systems have the same variance, as independent normal samples would show it.

    Parameters
    ----------
    a, b : Series or array
        One score per topic, three or more; not matched.

    Returns
    -------
    PairTest
        A named tuple ``(statistic, pvalue)``: var(a) / var(b) (ddof=1), and p, two-tailed.

    Notes
    -----
    p is twice the smaller tail of F with n_a - 1 and n_b - 1 degrees of freedom. Scores are taken
    to be normal and independent, which those on the same topics are not: see `paired_levene_test`.
    Hosseini et al. (2010) print, and used, a ratio of standard deviations, which is no such test.

    References
    ----------
    Hosseini, Cox, Milic-Frayling, Vinay (2010), doi:10.1007/978-3-642-13084-7_7.

    Examples
    --------
    >>> result = f_test([0.1, 0.5, 0.9, 0.4], [0.4, 0.5, 0.6, 0.4])
    >>> round(result.statistic, 3), round(result.pvalue, 3)
    (11.909, 0.071)
    """
    return _independent(spread_tests.f_test, a, b)


def levene_test(a: Sample, b: Sample, *, center: str = "median") -> PairTest:
    """Test whether the scores of two independent systems are equally far from their centre.

    Parameters
    ----------
    a, b : Series or array
        One score per topic, three or more; not matched.
    center : {"median", "mean"}, default "median"
        Of each system. ``"median"`` is known as W50 (Brown and Forsythe), ``"mean"`` as W0.

    Returns
    -------
    PairTest
        A named tuple ``(statistic, pvalue)``: W, and p in F(1, n_a + n_b - 2).

    Notes
    -----
    As ``scipy.stats.levene``, with p = 1 for systems without spread. Of scores on the same topics
    it finds too little: `paired_levene_test` is the same idea for pairs.

    Examples
    --------
    >>> result = levene_test([0.1, 0.5, 0.9, 0.4], [0.4, 0.5, 0.6, 0.4])
    >>> round(result.statistic, 3), round(result.pvalue, 3)
    (2.0, 0.207)
    """
    check_choice(center, ("median", "mean"), "center")
    return _independent(partial(spread_tests.levene, center=center), a, b)


def paired_levene_test(a: Sample, b: Sample, *, center: str = "median") -> PairTest:
    """Test whether two systems are equally far from their centre on the same topics.

    Parameters
    ----------
    a, b : Series or array, n
        One score per topic, three or more. Two Series are matched by their index.
    center : {"median", "mean"}, default "median"
        Of each system.

    Returns
    -------
    PairTest
        A named tuple ``(statistic, pvalue)``: t with n - 1 degrees of freedom, positive if a varies
        more, and p, two-sided.

    Notes
    -----
    The paired t-test of how far each score is from its system's centre, abs(a - centre(a)) against
    abs(b - centre(b)): Brown and Forsythe's form of Levene's test, extended to pairs. It compares
    mean distances, not standard deviations: two systems with the same one, but another shape of
    the distribution, differ in it. It keeps below its level, .035 to .05 for .05 from 20 topics on
    (page *Coverage*), where Pitman-Morgan rejects too often if scores are not normal.

    References
    ----------
    Wilcox (1989), Comparing the variances of dependent groups, Psychometrika 54, 305-315.

    Examples
    --------
    >>> result = paired_levene_test([0.1, 0.5, 0.9, 0.4], [0.4, 0.5, 0.6, 0.4])
    >>> round(result.statistic, 3), round(result.pvalue, 3)
    (1.732, 0.182)
    """
    check_choice(center, ("median", "mean"), "center")
    return _paired(partial(spread_tests.paired_levene, center=center), a, b)


def pitman_morgan_test(a: Sample, b: Sample) -> PairTest:
    """Test whether two systems have the same variance on the same topics.

    Parameters
    ----------
    a, b : Series or array, n
        One score per topic, three or more. Two Series are matched by their index.

    Returns
    -------
    PairTest
        A named tuple ``(statistic, pvalue)``: t, positive if a varies more, and p, two-sided.

    Notes
    -----
    cov(a + b, a - b) = var(a) - var(b), so the variances are equal if the sum and the difference of
    the scores are uncorrelated: with r their correlation, t = r sqrt((n - 2) / (1 - r^2)), n - 2
    degrees of freedom. Like F it takes scores to be normal, and has false alarms where they have
    long tails, as z scores have: see `paired_levene_test`.

    References
    ----------
    Pitman (1939), doi:10.1093/biomet/31.1-2.9. Morgan (1939), doi:10.1093/biomet/31.1-2.13.

    Examples
    --------
    >>> result = pitman_morgan_test([0.1, 0.5, 0.9, 0.4], [0.4, 0.5, 0.6, 0.4])
    >>> round(result.statistic, 3), round(result.pvalue, 3)
    (5.774, 0.029)
    """
    return _paired(spread_tests.pitman_morgan, a, b)


def _independent(test: Callable[..., Found], a: Sample, b: Sample) -> PairTest:
    """A test of two systems on topics that may differ."""
    a = np.asarray(check_numbers(a, "a", least=3))
    b = np.asarray(check_numbers(b, "b", least=3))
    # Each is a matrix of one system, number 0.
    values, others = in_unit(a[:, None], b[:, None])
    statistic, p = test(values, [0], [0], others=others)
    return PairTest(float(statistic[0]), float(p[0]))


def _paired(test: Callable[..., Found], a: Sample, b: Sample) -> PairTest:
    """A test of two systems on the same topics."""
    (values,) = in_unit(np.column_stack(match(a, b, least=3)))
    statistic, p = test(values, [0], [1])
    return PairTest(float(statistic[0]), float(p[0]))


def break_ties(
    scores: pd.DataFrame,
    *,
    alpha: float = 0.05,
    top: float = 0.75,
    method: str | None = None,
    reference: Reference = None,
) -> pd.Series:
    """How many pairs whose means are not significantly different have spreads that are.

    Parameters
    ----------
    scores : DataFrame
        A score matrix, raw.
    alpha : float, default 0.05
        Level of all tests.
    top : float, default 0.75
        Share of the m systems that is kept: the best floor(top m) by their mean raw score, of
        those with equal means (to 1e-12) the first by name.
    method : str, optional
        Standardize the scores of the systems kept by this method of `standardize` before all tests;
        by default they stay raw.
    reference : DataFrame or Factors, optional
        The standardizing systems; by default those kept.

    Returns
    -------
    Series
        Numbers of pairs (name ``count``), by

        ============= =============================================================
        pairs         of the systems kept
        ties          those for which a paired t-test has p > alpha
        f             ties for which `f_test` has p <= alpha
        levene_mean   the same, by `levene_test` with the mean (W0)
        levene_median with the median (W50)
        pitman_morgan the same, by `pitman_morgan_test`
        paired_levene the same, by `paired_levene_test` with the median
        ============= =============================================================

    Raises
    ------
    ValueError
        If scores are missing (NaN); if fewer than two systems are kept, or three topics given; if a
        reference is given but no method.

    Warns
    -----
    UserWarning
        Naming topics without scale, as `standardize` does: neutral there.

    Notes
    -----
    Table 2 of Hosseini et al. (2010), who standardize with ``"z"``, and use F and Levene's tests.
    By chance alone paired Levene finds a difference in about alpha of the ties.

    References
    ----------
    Hosseini, Cox, Milic-Frayling, Vinay (2010), doi:10.1007/978-3-642-13084-7_7.

    Examples
    --------
    >>> import irstd
    >>> counts = break_ties(irstd.load_dataset("sim-trec8"), method="z")
    >>> bool(counts["pairs"] > counts["ties"] > counts["paired_levene"])
    True
    """
    check_alpha(alpha)
    check_real(top, "top", 0, 1, open_="low")
    scores = check_scores(scores, topics=3)
    scores = by_method(_best_systems(scores, top), reference, method)
    (values,) = in_unit(scores.to_numpy())
    i, j = all_pairs(scores.shape[1])
    _, p_of_means = mean_tests.t_test(values, i, j)
    tied = p_of_means > alpha
    counts = {"pairs": len(i), "ties": int(tied.sum())}
    for name in TIE_BREAKERS:
        _, p = pair_tests.METHODS[name].test(values, i[tied], j[tied])
        counts[name] = int((p <= alpha).sum())
    return pd.Series(counts, name="count")


def _best_systems(scores: pd.DataFrame, top: float) -> pd.DataFrame:
    """The best share of the systems by their mean, in their order; equal ones by name."""
    kept = math.floor(top * scores.shape[1] + 1e-9)  # .29 * 100 is 28.999...
    if kept < 2:
        raise ValueError(f"two systems or more must be kept; {top} of {scores.shape[1]} is {kept}")
    ranks = dense_ranks(-scores.mean().to_numpy())
    names = np.array(scores.columns, str)
    best_first = np.lexsort([names, ranks])  # by the last key, then by the first
    return scores.iloc[:, np.sort(best_first[:kept])]
