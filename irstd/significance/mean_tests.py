"""Tests of means, ranks and signs, of all pairs of systems at a time, by formula or by draws."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import lru_cache
from itertools import product

import numpy as np
import scipy

from irstd._base.arrays import (
    chunks,
    count_draws,
    dense_ranks,
    least_equal,
    ratio,
    se_of_means,
    snap_to_zero,
)
from irstd.significance.pairs import EXTREMES, Found, Pairs, p_of, with_t

EXACT = 50  # ranks of which all signs are counted: more are as good as normal
NODES = 160  # of the interpolated studentized range
LARGEST_Q = 30.0
BLOCK = 4_000_000  # numbers worked on at a time


def t_test(pairs: Pairs, alternative: str = "two-sided") -> Found:
    """Student's paired t."""
    n = len(pairs.values)
    return with_t(ratio(pairs.mean, pairs.sd / np.sqrt(n)), n - 1, alternative)


def sign(pairs: Pairs, alternative: str = "two-sided") -> Found:
    """How often a is the better one, of the topics on which the two differ: binomial."""
    better = (pairs.differences > 0).sum(axis=0)
    worse = (pairs.differences < 0).sum(axis=0)
    n = better + worse
    at_most = scipy.stats.binom.cdf(better, n, 0.5)
    # as likely as `worse` or fewer heads of a fair coin
    at_least = scipy.stats.binom.cdf(worse, n, 0.5)
    return better.astype(float), p_of(at_most, at_least, alternative)


def side_of_signs(pairs: Pairs) -> np.ndarray:
    """Whom the sign test speaks for."""
    return np.sign(pairs.differences).sum(axis=0)


def side_of_ranks(pairs: Pairs) -> np.ndarray:
    """Whom Wilcoxon's test speaks for."""
    return (np.sign(pairs.differences) * _signed_rank_sizes(pairs)).sum(axis=0)


def wilcoxon(pairs: Pairs, alternative: str = "two-sided") -> Found:
    """Exact up to 50 topics on which the two differ, ties or not; with more, normal."""
    d = pairs.differences
    ranks = _signed_rank_sizes(pairs)
    positive = np.where(d > 0, ranks, 0).sum(axis=0)
    total = ranks.sum(axis=0)
    sd = np.sqrt((ranks**2).sum(axis=0))
    z = ratio(2 * positive - total, sd)
    at_most = scipy.special.ndtr(z)
    at_least = scipy.special.ndtr(-z)
    few = np.flatnonzero((d != 0).sum(axis=0) <= EXACT)
    for pair in few:
        of_pair = ranks[d[:, pair] != 0, pair]
        # Ranks of ties may be halves: doubled, all are whole numbers.
        chances = _chances_of_sums(tuple(np.sort(2 * of_pair).astype(int)))
        observed = round(2 * positive[pair])
        at_most[pair] = chances[: observed + 1].sum()
        at_least[pair] = chances[observed:].sum()
    statistic = positive
    if alternative == "two-sided":
        statistic = np.minimum(positive, total - positive)
    return statistic, p_of(at_most, at_least, alternative)


def _signed_rank_sizes(pairs: Pairs) -> np.ndarray:
    """Ranks of the sizes of the differences of each pair (a column), 0 where there is none."""
    d = pairs.differences
    # With the largest score as one more number, differences tie that are equal to 1e-12 of it.
    sizes = np.vstack([np.abs(d), pairs.largest])
    dense = dense_ranks(sizes.T)[:, :-1].T
    n_zeros = (d == 0).sum(axis=0)  # they have the first ranks
    return np.where(d != 0, scipy.stats.rankdata(dense, axis=0) - n_zeros, 0)


@lru_cache(256)
def _chances_of_sums(ranks: tuple[int, ...]) -> np.ndarray:
    """Of each sum of some of these ranks, where each is in it or not like a fair coin."""
    chances = np.zeros(sum(ranks) + 1)
    chances[0] = 1
    for rank in ranks:
        chances[rank:] += chances[: len(chances) - rank].copy()
        chances /= 2
    return chances


def tukey(pairs: Pairs) -> Found:
    """Two-way: what is left of topic and system effects is the error of all pairs."""
    error, df = se_of_means(pairs.values)
    q = ratio(np.abs(pairs.mean), np.array(error))
    return q, studentized_range(q, pairs.values.shape[1], df)


def studentized_range(q: np.ndarray, k: int, df: int) -> np.ndarray:
    """scipy's survival function, 10 ms each, interpolated where there are many (to 1e-10)."""

    def exact(x):
        with warnings.catch_warnings(action="ignore"):  # of rounding, in the last of 11 digits
            return np.clip(scipy.stats.studentized_range.sf(x, k, df), 0, 1)

    if len(q) <= NODES:
        p = exact(q)
    else:
        span = min(q.max(), LARGEST_Q)  # so many pairs have 20 df or more: beyond, p < 1e-10
        curve = np.polynomial.Chebyshev.interpolate(exact, NODES, [0, span])
        p = np.clip(curve(np.minimum(q, span)), 0, 1)
    return np.where(q == 0, 1, p)


def randomization(pairs: Pairs, alternative: str, trials: int, rng: np.random.Generator) -> Found:
    """Signs of differences are as likely the other way; all ways to flip them, if they are few."""
    n = len(pairs.values)
    exact = all_flips(n, trials)
    if exact:
        signs = np.array([*product([1.0, -1.0], repeat=n)])
    else:
        signs = rng.integers(0, 2, (trials, n)) * 2.0 - 1

    def flipped(part: slice) -> np.ndarray:
        return signs @ pairs.differences[:, part] / n

    limit = least_equal(EXTREMES[alternative](pairs.mean), pairs.largest)
    count = _count(flipped, limit, len(signs), alternative)
    if exact:
        return pairs.mean, count / len(signs)
    return pairs.mean, (count + 1) / (trials + 1)


def all_flips(n: int, trials: int) -> bool:
    """Whether the signs of n differences can be flipped in all ways, with no more trials."""
    return 2**n <= trials


def bootstrap(pairs: Pairs, alternative: str, trials: int, rng: np.random.Generator) -> Found:
    """t of resampled topics, of differences shifted to the mean 0 that the null hypothesis says."""
    n = len(pairs.values)
    samples = rng.integers(n, size=(trials, n))
    weights = count_draws(samples, n) / n

    def resampled(part: slice) -> np.ndarray:
        d = pairs.differences[:, part]
        shifted = snap_to_zero(d - d.mean(axis=0), pairs.largest[part])
        mean = weights @ shifted
        square = weights @ shifted**2
        variance = snap_to_zero(square - mean**2, square)  # 0 of one topic, drawn n times
        return ratio(mean, np.sqrt(variance / (n - 1)))

    statistic, _ = t_test(pairs)
    limit = least_equal(EXTREMES[alternative](statistic), np.abs(statistic))
    return statistic, (_count(resampled, limit, trials, alternative) + 1) / (trials + 1)


def _count(
    drawn: Callable[[slice], np.ndarray], limit: np.ndarray, trials: int, alternative: str
) -> np.ndarray:
    """How many trials of each pair are as extreme as its limit; `drawn` gives trials x pairs."""
    count = np.empty(len(limit))
    for part in chunks(len(limit), trials, BLOCK):
        count[part] = (EXTREMES[alternative](drawn(part)) >= limit[part]).sum(axis=0)
    return count


def randomized_tukey(pairs: Pairs, trials: int, rng: np.random.Generator) -> Found:
    """The largest difference of two means, with the scores of each topic dealt out at random."""
    values = pairs.values
    m = values.shape[1]
    level = values - values.mean(axis=1, keepdims=True)
    null = np.zeros((trials, m))  # sums over topics of what is dealt to each system
    for row, part in product(level, chunks(trials, m, BLOCK // 64)):
        undealt = np.tile(row, (part.stop - part.start, 1))
        null[part] += rng.permuted(undealt, axis=1)
    ranges = np.sort(np.ptp(null, axis=1) / len(values))
    statistic = np.abs(pairs.mean)
    limit = least_equal(statistic, np.abs(values).max())
    count = trials - np.searchsorted(ranges, limit)
    return statistic, (count + 1) / (trials + 1)
