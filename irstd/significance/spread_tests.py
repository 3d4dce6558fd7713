"""Tests of spread, of all pairs of systems at a time."""

from __future__ import annotations

import numpy as np
from scipy import special

from irstd._base.arrays import cleared, largest_of, ratio, spreads
from irstd.significance.mean_tests import t_test
from irstd.significance.pairs import Found, differences, largest_of_pairs, p_of, with_t


def f_test(values, i, j, others=None) -> Found:
    """The ratio of two variances, two-tailed; systems j may be of `others`, on other topics."""
    if others is None:
        others = values
    variance_a = spreads(values)[i] ** 2
    variance_b = spreads(others)[j] ** 2
    statistic = ratio(variance_a, variance_b, none=1)
    df_a = len(values) - 1
    df_b = len(others) - 1
    at_most = special.fdtr(df_a, df_b, statistic)
    at_least = special.fdtrc(df_a, df_b, statistic)
    p = p_of(at_most, at_least, "two-sided")
    p[np.isinf(statistic)] = 0
    p[statistic == 1] = 1
    return statistic, p


def levene(values, i, j, center="median", others=None) -> Found:
    """F of the distances from the centre; systems j may be of `others`, on other topics."""
    mean_a, squares_a = _moments_of_distances(values, center)
    largest_a = largest_of(values)
    if others is None:
        others, mean_b, squares_b, largest_b = values, mean_a, squares_a, largest_a
    else:
        mean_b, squares_b = _moments_of_distances(others, center)
        largest_b = largest_of(others)
    n_a = len(values)
    n_b = len(others)
    df = n_a + n_b - 2
    largest = np.maximum(largest_a[i], largest_b[j])
    gap = cleared(mean_a[i] - mean_b[j], largest)
    between = df / (1 / n_a + 1 / n_b) * gap**2
    w = ratio(between, squares_a[i] + squares_b[j])
    return w, np.where(np.isinf(w), 0, special.fdtrc(1, df, w))


def _moments_of_distances(values: np.ndarray, center: str) -> tuple[np.ndarray, np.ndarray]:
    """Mean of the distances from the centre, and their sum of squares about it, by system."""
    distances = deviations(values, center)
    sd = cleared(distances.std(axis=0), largest_of(values))
    return distances.mean(axis=0), len(values) * sd**2


def paired_levene(values, i, j, alternative="two-sided", center="median") -> Found:
    """The paired t of the distances from the centre."""
    return t_test(deviations(values, center), i, j, alternative)


def deviations(values: np.ndarray, center: str) -> np.ndarray:
    """Distances of each column from its centre, which is all that Levene's tests look at."""
    middle = values.mean(axis=0)
    if center == "median":
        middle = np.median(values, axis=0)
    return cleared(np.abs(values - middle), largest_of(values))


def mean_distances(values: np.ndarray, center: str = "median") -> np.ndarray:
    """Mean distance of each system from its centre."""
    return deviations(values, center).mean(axis=0)


def pitman_morgan(values, i, j, alternative="two-sided") -> Found:
    """The correlation of sums and differences, as t."""
    n = len(values)
    t = np.empty(len(i))
    # About 0, so that sums and differences of scores far from it keep their digits.
    level = values - values.min(axis=0)
    level -= level.mean(axis=0)
    largest = largest_of_pairs(level, i, j)
    for part, minus in differences(level, i, j):
        sums = level[:, i[part]] + level[:, j[part]]
        plus = cleared(sums, largest[part])
        product = (plus * minus).sum(axis=0)
        square = (plus**2).sum(axis=0)
        slope = ratio(product, square)
        residual = ((minus - slope * plus) ** 2).sum(axis=0)
        # r sqrt((n - 2) / (1 - r^2)), where 1 - r^2 would lose digits if r is near 1
        error = np.sqrt(square * residual)
        t[part] = ratio(product * np.sqrt(n - 2), error)
    return with_t(t, n - 2, alternative)
