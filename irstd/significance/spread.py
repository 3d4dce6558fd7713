"""Tests of spread over topics: F, Levene and paired Levene."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import scipy

from irstd._base.arguments import check_choice
from irstd._base.arrays import (
    combine_tails,
    find_largest,
    ratio,
    snap_to_zero,
    spreads,
    two_sample_t,
)
from irstd._base.matrix import Sample, check_numbers, match_samples
from irstd.significance.mean_tests import t_test
from irstd.significance.pairs import Pairs, PairTest, TestResult, all_pairs


def f_test(a: Sample, b: Sample) -> PairTest:
    """Test two systems for equal variance by the F test (independent samples).

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
    p is twice the smaller tail of F with n_a - 1 and n_b - 1 degrees of freedom. The test assumes
    normal and independent scores, which scores on the same topics are not: its type I error rate at
    .05 depends on their correlation and tails (.00 to .15 on public scores). For two systems on the
    same topics, take `paired_levene_test`.
    Hosseini et al. (2010) use a one-tailed ratio of standard deviations, which is another test
    (lesson 04 has their numbers).

    References
    ----------
    Hosseini, Cox, Milic-Frayling, Vinay (2010), doi:10.1007/978-3-642-13084-7_7.

    Examples
    --------
    >>> result = f_test([0.1, 0.5, 0.9, 0.4], [0.4, 0.5, 0.6, 0.4])
    >>> round(result.statistic, 3), round(result.pvalue, 3)
    (11.909, 0.071)
    """
    a, b = _check_samples(a, b)
    return _unpack_pair(_compute_f(spreads(a) ** 2, spreads(b) ** 2, len(a) - 1, len(b) - 1))


def levene_test(a: Sample, b: Sample, *, center: str = "median") -> PairTest:
    """Test two systems for equal spread by Levene's test (independent samples).

    Parameters
    ----------
    a, b : Series or array
        One score per topic, three or more; not matched.
    center : {"median", "mean"}, default "median"
        Center of each system's scores: ``"median"`` gives W50 (Brown and Forsythe), ``"mean"`` W0.

    Returns
    -------
    PairTest
        A named tuple ``(statistic, pvalue)``: W, and p in F(1, n_a + n_b - 2).

    Notes
    -----
    As ``scipy.stats.levene``, with p = 1 for systems without spread. It is conservative for scores
    on the same topics (at .05 on TREC data it rejects .00 to .05 of true nulls): there, take
    `paired_levene_test`.

    References
    ----------
    Levene (1960), in *Contributions to Probability and Statistics*, 278-292. Brown, Forsythe
    (1974), doi:10.1080/01621459.1974.10482955.

    Examples
    --------
    >>> result = levene_test([0.1, 0.5, 0.9, 0.4], [0.4, 0.5, 0.6, 0.4])
    >>> round(result.statistic, 3), round(result.pvalue, 3)
    (2.0, 0.207)
    """
    a, b = _check_samples(a, b)
    mean_a, variance_a = _summarize_distances(a, center)
    mean_b, variance_b = _summarize_distances(b, center)
    gap = snap_to_zero(mean_a - mean_b, max(find_largest(a), find_largest(b)))
    return _unpack_pair(_compute_levene(gap, variance_a, variance_b, len(a), len(b)))


def paired_levene_test(a: Sample, b: Sample, *, center: str = "median") -> PairTest:
    """Test two systems for equal spread over the same topics by paired Levene's test.

    Parameters
    ----------
    a, b : Series or array, n
        One score per topic, three or more. Two Series are matched by their index.
    center : {"median", "mean"}, default "median"
        Center of each system's scores.

    Returns
    -------
    PairTest
        A named tuple ``(statistic, pvalue)``: t with n - 1 degrees of freedom, positive if a varies
        more, and p, two-sided.

    Notes
    -----
    The paired t-test of distances from the center, abs(a - center(a)) against abs(b - center(b)):
    Brown and Forsythe's form of Levene's test, extended to pairs. It compares mean distances, not
    standard deviations: the former can differ although the latter are equal, if distributions
    differ in shape. For exchangeable systems and at least 20 topics it rejects .015 to .055 at the
    level .05 (page *Coverage*), and .005 to .016 if nearly all scores are 0 or 1. For one system
    with rare outliers it rejected .09 to .12 with 8 and 25 topics.

    References
    ----------
    Wilcox (1989), Comparing the variances of dependent groups, Psychometrika 54, 305-315.

    Examples
    --------
    >>> result = paired_levene_test([0.1, 0.5, 0.9, 0.4], [0.4, 0.5, 0.6, 0.4])
    >>> round(result.statistic, 3), round(result.pvalue, 3)
    (1.732, 0.182)
    """
    values = np.column_stack(match_samples(a, b, least=3))
    return _unpack_pair(paired_levene(all_pairs(values), center=center))


def _check_samples(a: Sample, b: Sample) -> list[np.ndarray]:
    """Return two unmatched samples as columns, or raise if they are invalid."""
    a = np.asarray(check_numbers(a, "a", least=3))
    b = np.asarray(check_numbers(b, "b", least=3))
    return [a[:, None], b[:, None]]


def _unpack_pair(result: TestResult) -> PairTest:
    """Return the test of a single pair as numbers."""
    return PairTest(*(number.item() for number in result))


def f(pairs: Pairs) -> TestResult:
    """Return variance ratios and their two-tailed p-values."""
    variances = spreads(pairs.values) ** 2
    df = len(pairs.values) - 1
    return _compute_f(variances[pairs.i], variances[pairs.j], df, df)


def _compute_f(variance_a: np.ndarray, variance_b: np.ndarray, df_a: int, df_b: int) -> TestResult:
    """Return F and its two-tailed p-value from variances and degrees of freedom."""
    statistic = ratio(variance_a, variance_b, none=1)
    at_most = scipy.special.fdtr(df_a, df_b, statistic)
    at_least = scipy.special.fdtrc(df_a, df_b, statistic)
    p = combine_tails(at_most, at_least, "two-sided")
    p[np.isinf(statistic)] = 0
    p[statistic == 1] = 1
    return statistic, p


def levene(pairs: Pairs, center: str = "median") -> TestResult:
    """Return Levene's W and its p-value (independent samples)."""
    mean, variance = _summarize_distances(pairs.values, center)
    gap = pairs.snap_to_zero(mean[pairs.i] - mean[pairs.j])
    n = len(pairs.values)
    return _compute_levene(gap, variance[pairs.i], variance[pairs.j], n, n)


def _compute_levene(
    gap: np.ndarray, variance_a: np.ndarray, variance_b: np.ndarray, n_a: int, n_b: int
) -> TestResult:
    """Return Levene's W, the square of Student's t, and its p-value."""
    t, p = two_sample_t(gap, 0 * gap, variance_a, variance_b, n_a, n_b, equal_var=True)
    return t**2, p


def _summarize_distances(values: np.ndarray, center: str) -> tuple[np.ndarray, np.ndarray]:
    """Return mean and variance of the distances from the center by system."""
    distances = deviations(values, center)
    sd = snap_to_zero(distances.std(axis=0, ddof=1), find_largest(values))
    return distances.mean(axis=0), sd**2


def paired_levene(
    pairs: Pairs, alternative: str = "two-sided", center: str = "median"
) -> TestResult:
    """Return the paired t-statistic of distances from the center, and its p-value."""
    return t_test(replace(pairs, values=deviations(pairs.values, center)), alternative)


def deviations(values: np.ndarray, center: str) -> np.ndarray:
    """Return absolute distances from each column's center, "median" or "mean"."""
    check_choice(center, ("median", "mean"), "center")
    middle = values.mean(axis=0)
    if center == "median":
        middle = np.median(values, axis=0)
    return snap_to_zero(np.abs(values - middle), find_largest(values))


def mean_distances(values: np.ndarray, center: str = "median") -> np.ndarray:
    """Return the mean distance from the center by system."""
    return deviations(values, center).mean(axis=0)
