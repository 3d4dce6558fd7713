"""Tests of means, ranks and signs, vectorized over pairs of systems."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import lru_cache
from itertools import product

import numpy as np
import scipy

from irstd._base.arrays import (
    add_pvalue,
    chunks,
    combine_tails,
    count_draws,
    dense_ranks,
    lower_thresholds,
    ratio,
    se_of_means,
    snap_to_zero,
)
from irstd.significance.pairs import EXTREMES, Pairs, TestResult

EXACT = 50  # ranks; with more, the normal approximation is used
NODES = 160  # of the interpolated studentized range
LARGEST_Q = 30.0
BLOCK = 4_000_000  # numbers held at a time


def t_test(pairs: Pairs, alternative: str = "two-sided") -> TestResult:
    """Return Student's paired t and its p-value."""
    return add_pvalue(ratio(pairs.mean, pairs.se), pairs.df, alternative)


def sign(pairs: Pairs, alternative: str = "two-sided") -> TestResult:
    """Return the number of wins, ties left out, and its binomial p-value."""
    better = (pairs.differences > 0).sum(axis=0)
    worse = (pairs.differences < 0).sum(axis=0)
    n = better + worse
    at_most = scipy.stats.binom.cdf(better, n, 0.5)
    # P(wins >= better) = P(losses <= worse), by symmetry.
    at_least = scipy.stats.binom.cdf(worse, n, 0.5)
    return better.astype(float), combine_tails(at_most, at_least, alternative)


def sum_signs(pairs: Pairs) -> np.ndarray:
    """Return wins minus losses; the sign is the direction of the sign test."""
    return np.sign(pairs.differences).sum(axis=0)


def sum_signed_ranks(pairs: Pairs) -> np.ndarray:
    """Return the sum of signed ranks; its sign is the direction of Wilcoxon's test."""
    return (np.sign(pairs.differences) * _rank_differences(pairs)).sum(axis=0)


def wilcoxon(pairs: Pairs, alternative: str = "two-sided") -> TestResult:
    """Return Wilcoxon's signed-rank statistic and p-value (exact up to 50 ranks)."""
    d = pairs.differences
    ranks = _rank_differences(pairs)
    positive = np.where(d > 0, ranks, 0).sum(axis=0)
    total = ranks.sum(axis=0)
    sd = np.sqrt((ranks**2).sum(axis=0))
    z = ratio(2 * positive - total, sd)
    at_most = scipy.special.ndtr(z)
    at_least = scipy.special.ndtr(-z)
    few = np.flatnonzero((d != 0).sum(axis=0) <= EXACT)
    for pair in few:
        pair_ranks = ranks[d[:, pair] != 0, pair]
        # Tied ranks may be halves; doubled, all are whole numbers.
        probabilities = _enumerate_rank_sums(tuple(np.sort(2 * pair_ranks).astype(int)))
        observed = round(2 * positive[pair])
        at_most[pair] = probabilities[: observed + 1].sum()
        at_least[pair] = probabilities[observed:].sum()
    statistic = positive
    if alternative == "two-sided":
        statistic = np.minimum(positive, total - positive)
    return statistic, combine_tails(at_most, at_least, alternative)


def _rank_differences(pairs: Pairs) -> np.ndarray:
    """Rank absolute differences within each pair (column), 0 for equal scores."""
    d = pairs.differences
    # The largest score is added, as ties are differences equal to 1e-12 of it.
    sizes = np.vstack([np.abs(d), pairs.largest])
    dense = dense_ranks(sizes.T)[:, :-1].T
    n_zeros = (d == 0).sum(axis=0)  # they have the first ranks
    return np.where(d != 0, scipy.stats.rankdata(dense, axis=0) - n_zeros, 0)


@lru_cache(256)
def _enumerate_rank_sums(ranks: tuple[int, ...]) -> np.ndarray:
    """Return the null distribution of the sum of positive ranks."""
    probabilities = np.zeros(sum(ranks) + 1)
    probabilities[0] = 1
    for rank in ranks:
        probabilities[rank:] += probabilities[: len(probabilities) - rank].copy()
        probabilities /= 2
    return probabilities


def tukey(pairs: Pairs) -> TestResult:
    """Return Tukey's q, from the MSE of the two-way model, and its p-value."""
    se, df = se_of_means(pairs.values)
    q = ratio(np.abs(pairs.mean), np.array(se))
    return q, studentized_range(q, pairs.values.shape[1], df)


def studentized_range(q: np.ndarray, k: int, df: int) -> np.ndarray:
    """Return studentized-range p-values, interpolated (to 1e-10) if there are many."""

    def exact(x):  # 10 ms per number
        with warnings.catch_warnings(action="ignore"):  # of rounding, in the last of 11 digits
            return np.clip(scipy.stats.studentized_range.sf(x, k, df), 0, 1)

    if len(q) <= NODES:
        p = exact(q)
    else:
        span = min(q.max(), LARGEST_Q)  # so many pairs imply 20 df or more: beyond, p < 1e-10
        curve = np.polynomial.Chebyshev.interpolate(exact, NODES, [0, span])
        p = np.clip(curve(np.minimum(q, span)), 0, 1)
    return np.where(q == 0, 1, p)


def randomization(
    pairs: Pairs, alternative: str, trials: int, rng: np.random.Generator
) -> TestResult:
    """Return mean differences and sign-flip p-values, exact if topics are few."""
    n = len(pairs.values)
    exact = 2**n <= trials
    if exact:
        signs = np.array([*product([1.0, -1.0], repeat=n)])
    else:
        signs = rng.integers(0, 2, (trials, n)) * 2.0 - 1

    def flip(part: slice) -> np.ndarray:
        return signs @ pairs.differences[:, part] / n

    count = _count_extreme(flip, pairs.mean, pairs.largest, len(signs), alternative)
    if exact:
        return pairs.mean, count / len(signs)
    return pairs.mean, (count + 1) / (trials + 1)


def bootstrap(pairs: Pairs, alternative: str, trials: int, rng: np.random.Generator) -> TestResult:
    """Return t-statistics and p-values from a bootstrap of centered differences."""
    n = len(pairs.values)
    samples = rng.integers(n, size=(trials, n))
    weights = count_draws(samples, n) / n

    def resample(part: slice) -> np.ndarray:
        d = pairs.differences[:, part]
        shifted = snap_to_zero(d - d.mean(axis=0), pairs.largest[part])
        mean = weights @ shifted
        square = weights @ shifted**2
        variance = snap_to_zero(square - mean**2, square)  # 0 if one topic was drawn n times
        return ratio(mean, np.sqrt(variance / (n - 1)))

    statistic, _ = t_test(pairs)
    count = _count_extreme(resample, statistic, np.abs(statistic), trials, alternative)
    return statistic, (count + 1) / (trials + 1)


def _count_extreme(
    draw: Callable[[slice], np.ndarray],
    observed: np.ndarray,
    largest: np.ndarray,
    trials: int,
    alternative: str,
) -> np.ndarray:
    """Count each pair's random trials that are at least as extreme as the observed statistic.

    `draw` returns statistics (trials x pairs) for a slice of pairs; `largest` is their scale.
    """
    extremeness = EXTREMES[alternative]
    limit = lower_thresholds(extremeness(observed), largest)
    count = np.empty(len(limit))
    for part in chunks(len(limit), trials, BLOCK):
        count[part] = (extremeness(draw(part)) >= limit[part]).sum(axis=0)
    return count


def randomized_tukey(pairs: Pairs, trials: int, rng: np.random.Generator) -> TestResult:
    """Return absolute mean differences and p-values of the randomized Tukey test.

    The null distribution is the range of system means with scores permuted within topics.
    """
    values = pairs.values
    m = values.shape[1]
    centered = values - values.mean(axis=1, keepdims=True)
    null_sums = np.zeros((trials, m))  # over topics, by system
    for row, part in product(centered, chunks(trials, m, BLOCK // 64)):
        repeated = np.tile(row, (part.stop - part.start, 1))
        null_sums[part] += rng.permuted(repeated, axis=1)
    ranges = np.sort(np.ptp(null_sums, axis=1) / len(values))
    statistic = np.abs(pairs.mean)
    limit = lower_thresholds(statistic, np.abs(values).max())
    count = trials - np.searchsorted(ranges, limit)
    return statistic, (count + 1) / (trials + 1)
