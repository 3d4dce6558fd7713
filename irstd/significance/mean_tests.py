"""Tests of means, ranks and signs, of all pairs of systems at a time."""

from __future__ import annotations

import warnings
from functools import lru_cache

import numpy as np
import scipy

from irstd._base.arrays import dense_ranks, ratio, se_of_means
from irstd.significance.pairs import Found, Pairs, p_of, with_t

EXACT = 50  # ranks of which all signs are counted: more are as good as normal
NODES = 160  # of the interpolated studentized range
LARGEST_Q = 30.0


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
