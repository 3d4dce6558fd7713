"""Array routines: moments, ranks, Kendall's tau, t-tests, resampled topics."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import scipy

EQUAL = 1e-12  # relative to the largest score; smaller differences are rounding errors


def is_zero(numbers: np.ndarray | float, largest: np.ndarray | float) -> np.ndarray:
    """Return True where numbers from scores <= `largest` are 0 up to rounding."""
    return np.abs(numbers) <= EQUAL * largest


def snap_to_zero(numbers: np.ndarray, largest: np.ndarray | float) -> np.ndarray:
    """Replace rounding errors around 0, in numbers from scores <= `largest`, by 0."""
    return np.where(is_zero(numbers, largest), 0, numbers)


def lower_thresholds(numbers: np.ndarray, largest: np.ndarray | float) -> np.ndarray:
    """Lower thresholds for ``>=`` so that numbers equal up to rounding pass."""
    return numbers - EQUAL * np.nan_to_num(largest)  # a statistic may be infinite


def find_largest(values: np.ndarray) -> np.ndarray:
    """Return the largest absolute score of each system (column)."""
    return np.abs(values).max(axis=0, initial=0)


def chunks(total: int, each: int, limit: int) -> list[slice]:
    """Split a range into slices that need at most `limit` numbers each.

    An item needs `each` numbers; there are `total` items.
    """
    step = max(1, limit // max(1, each))
    starts = range(0, total, step)
    return [slice(start, min(start + step, total)) for start in starts]


def moments(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return mean and sd (ddof=1) of each row, NaN for fewer than two scores.

    The sd is exactly 0 where all scores are equal.
    """
    low = np.fmin.reduce(values, axis=1)
    width = np.fmax.reduce(values, axis=1) - low
    width = np.where(width > 0, width, 1)
    # Scaled to [0, 1], so that nearly equal scores keep their digits and tiny ones their squares.
    shares = pd.DataFrame((values - low[:, None]) / width[:, None])
    sds = width * shares.std(axis=1).to_numpy()
    means = low + width * shares.mean(axis=1).to_numpy()
    return np.where(np.isnan(sds), np.nan, means), sds


def two_way_residuals(values: np.ndarray) -> np.ndarray:
    """Return residuals of the two-way model score ~ topic + system."""
    centered = values - values.mean(axis=1, keepdims=True)
    return centered - centered.mean(axis=0)


def se_of_means(values: np.ndarray) -> tuple[float, int]:
    """Return standard error and df of system means in the two-way model."""
    n, m = values.shape
    df = (n - 1) * (m - 1)
    se = np.sqrt((two_way_residuals(values) ** 2).sum() / df / n)
    largest = np.abs(values).max()
    return float(snap_to_zero(se, largest)), df


def ratio(a: np.ndarray | float, b: np.ndarray | float, none: float = 0.0) -> np.ndarray:
    """Return a / b, with 0 / 0 replaced by `none`."""
    both_zero = (a == 0) & (b == 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(both_zero, none, np.true_divide(a, b))


def spreads(values: np.ndarray) -> np.ndarray:
    """Return the sd (ddof=1) of each column, exactly 0 for a constant column."""
    from_0 = values - values.min(axis=0)
    return snap_to_zero(from_0.std(axis=0, ddof=1), find_largest(values))


def differences(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return differences a - b by topic (rows), free of rounding errors.

    It is 0 where both are equal up to rounding, and constant where they differ by a constant.
    """
    largest = np.maximum(find_largest(a), find_largest(b))
    difference = snap_to_zero(a - b, largest)
    constant = is_zero(difference.std(axis=0), largest)
    mean = snap_to_zero(difference.mean(axis=0), largest)
    return np.where(constant, mean, difference)


def dense_ranks(values: np.ndarray) -> np.ndarray:
    """Return dense ranks within each row, 1 for the smallest.

    Numbers that are equal up to rounding tie. To rank from the best, give ``-values``.
    """
    order = values.argsort(axis=-1)
    ordered = np.take_along_axis(values, order, axis=-1)
    gaps = np.diff(ordered, axis=-1, prepend=-np.inf)
    is_next_rank = ~is_zero(gaps, np.abs(values).max(axis=-1, keepdims=True, initial=0))
    ranks = np.empty(values.shape, int)
    np.put_along_axis(ranks, order, is_next_rank.cumsum(axis=-1), axis=-1)
    return ranks


def competition_ranks(values: np.ndarray) -> np.ndarray:
    """Return competition ranks within each row, 1 for the largest."""
    return scipy.stats.rankdata(dense_ranks(-values), method="min", axis=-1).astype(int)


def tau_b(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return Kendall's tau-b between paired rows of x and y, NaN for constant rows."""
    ranks_x = dense_ranks(np.atleast_2d(x))
    ranks_y = dense_ranks(np.atleast_2d(y))
    pairs = zip(*np.broadcast_arrays(ranks_x, ranks_y), strict=True)
    return np.array([scipy.stats.kendalltau(a, b).statistic for a, b in pairs])


def count_draws(samples: np.ndarray, n_topics: int) -> np.ndarray:
    """Count how often each sample draws each topic (samples x topics)."""
    return np.array([np.bincount(sample, minlength=n_topics) for sample in samples], dtype=float)


def sample_means(values: np.ndarray, samples: np.ndarray) -> np.ndarray:
    """Return system means over each sample of topics (samples x systems)."""
    return count_draws(samples, len(values)) @ values / samples.shape[1]


def sample_variances(values: np.ndarray, samples: np.ndarray) -> np.ndarray:
    """Return system variances (ddof=1) over each sample of topics (samples x systems)."""
    return np.array([values[sample].var(axis=0, ddof=1) for sample in samples])


def drmse_rows(c: np.ndarray, d: np.ndarray, mean: str = "arithmetic") -> np.ndarray:
    """Return dRMSE between paired rows of system means."""
    rmse = np.sqrt(((c - d) ** 2).mean(axis=-1))
    sd_c = spreads(c.T)
    sd_d = spreads(d.T)
    if mean == "arithmetic":
        sd = (sd_c + sd_d) / 2
    else:
        sd = np.sqrt(sd_c * sd_d)
    with np.errstate(invalid="ignore", divide="ignore"):
        return rmse / sd


def combine_tails(at_most: np.ndarray, at_least: np.ndarray, alternative: str) -> np.ndarray:
    """Return p-values for an alternative from both tail probabilities."""
    if alternative == "greater":
        p = at_least
    elif alternative == "less":
        p = at_most
    else:
        p = 2 * np.minimum(at_most, at_least)
    return np.minimum(1, p)


def add_pvalue(t: np.ndarray, df: np.ndarray | float, alternative: str) -> tuple:
    """Return t statistics together with their p-values."""
    return t, combine_tails(scipy.special.stdtr(df, t), scipy.special.stdtr(df, -t), alternative)


def two_sample_t(mean_c, mean_d, var_c, var_d, n_c, n_d, equal_var: bool) -> tuple:
    """Return Student's or Welch's t and its two-sided p-value.

    They are 0 and 1 for means that are equal up to rounding.
    """
    largest = np.maximum(np.abs(mean_c), np.abs(mean_d))
    is_equal = is_zero(mean_c - mean_d, largest)
    with np.errstate(invalid="ignore", divide="ignore"):
        t, p = scipy.stats.ttest_ind_from_stats(
            mean_c, np.sqrt(var_c), n_c, mean_d, np.sqrt(var_d), n_d, equal_var
        )
    return np.where(is_equal, 0, t), np.where(is_equal, 1, p)


def welch(var_c, var_d, n_c: int, n_d: int) -> tuple:
    """Return variance and df of a difference of means, by Welch's formulas."""
    variance_c = var_c / n_c
    variance_d = var_d / n_d
    variance = variance_c + variance_d
    squares = variance_c**2 / (n_c - 1) + variance_d**2 / (n_d - 1)
    return variance, ratio(variance**2, squares)


def t_estimate(difference, se, df, level: float, alternative: str = "two-sided") -> dict[str, Any]:
    """Return differences with t intervals, t statistics and p-values."""
    t, p = add_pvalue(ratio(difference, se)[()], df, alternative)
    probability = (1 + level) / 2 if alternative == "two-sided" else level
    half = scipy.special.stdtrit(df, probability) * se
    return {
        "difference": difference,
        "low": difference - (np.inf if alternative == "less" else half),
        "high": difference + (np.inf if alternative == "greater" else half),
        "statistic": t,
        "pvalue": p,
    }


def order_labels(labels: pd.Index) -> np.ndarray:
    """Return the positions that sort labels, with numbers in numeric order.

    Random draws from labels in this order do not depend on the order of the rows.
    """
    words = np.array([str(label) for label in labels])
    return np.lexsort((words, np.char.str_len(words)))
