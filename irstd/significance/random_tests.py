"""Tests by draws, of all pairs of systems at a time: flips, samples of topics, deals of scores."""

from __future__ import annotations

from itertools import product

import numpy as np

from irstd._base.arrays import chunks, cleared, least_equal, ratio, times_drawn
from irstd.significance.mean_tests import t_test
from irstd.significance.pairs import BLOCK, EXTREMES, Found, largest_of_pairs


def randomization(values, i, j, alternative, trials, rng) -> Found:
    """Signs of differences are as likely the other way; all ways to flip them, if they are few."""
    n = len(values)
    extreme = EXTREMES[alternative]
    exact = all_flips(n, trials)
    if exact:
        trials = 2**n
    level = values - values.mean(axis=1, keepdims=True)
    # A pair's mean under flips is the difference of two systems': flips are the same for all.
    null = np.empty((values.shape[1], trials))
    for part in chunks(trials, n, BLOCK):
        if exact:
            signs = _flips_by_number(np.arange(trials)[part], n)
        else:
            draws = part.stop - part.start
            signs = rng.integers(0, 2, (draws, n)) * 2.0 - 1
        null[:, part] = level.T @ signs.T / n
    means = level.mean(axis=0)
    largest = largest_of_pairs(values, i, j)
    statistic = cleared(means[i] - means[j], largest)
    limit = least_equal(extreme(statistic), largest)
    count = np.empty(len(i))
    for part in chunks(len(i), trials, BLOCK):
        of_pairs = null[i[part]] - null[j[part]]
        count[part] = (extreme(of_pairs) >= limit[part, None]).sum(axis=1)
    if exact:
        return statistic, count / trials
    return statistic, (count + 1) / (trials + 1)


def all_flips(n: int, trials: int) -> bool:
    """Whether the signs of n differences can be flipped in all ways, with no more trials."""
    return n < 63 and 2**n <= trials


def _flips_by_number(numbers: np.ndarray, n: int) -> np.ndarray:
    """Signs of n differences (a row per number), -1 where the bit of the number is 1."""
    bits = (numbers[:, None] >> np.arange(n)) & 1
    return 1 - 2.0 * bits


def bootstrap(values, i, j, alternative, trials, rng) -> Found:
    """t of resampled topics, of differences shifted to the mean 0 that the null hypothesis says."""
    n = len(values)
    extreme = EXTREMES[alternative]
    samples = rng.integers(n, size=(trials, n))
    weights = times_drawn(samples, n) / n
    statistic, _ = t_test(values, i, j)
    limit = least_equal(extreme(statistic), np.abs(statistic))
    largest = largest_of_pairs(values, i, j)
    count = np.empty(len(i))
    for part in chunks(len(i), max(trials, n), BLOCK):
        d = values[:, i[part]] - values[:, j[part]]
        d = cleared(d, largest[part])
        shifted = cleared(d - d.mean(axis=0), largest[part])
        mean = weights @ shifted
        square = weights @ shifted**2
        variance = cleared(square - mean**2, square)  # 0 of one topic, drawn n times
        t = ratio(mean, np.sqrt(variance / (n - 1)))
        count[part] = (extreme(t) >= limit[part]).sum(axis=0)
    return statistic, (count + 1) / (trials + 1)


def randomized_tukey(values, i, j, trials, rng) -> Found:
    """The largest difference of two means, with the scores of each topic dealt out at random."""
    m = values.shape[1]
    level = values - values.mean(axis=1, keepdims=True)
    null = np.zeros((trials, m))  # sums over topics of what is dealt to each system
    last = np.uint64(2 ** m.bit_length() - 1)  # in whose bits is the place of a system
    for row, part in product(level, chunks(trials, m, BLOCK // 64)):
        # To sort random numbers that carry their places takes a third of the time of `permuted`.
        keys = rng.integers(2**64, size=null[part].shape, dtype=np.uint64)
        keys &= ~last
        keys |= np.arange(m, dtype=np.uint64)
        keys.sort(axis=1)
        keys &= last
        null[part] += row.take(keys.view(np.int64))
    ranges = np.sort(np.ptp(null, axis=1) / len(values))
    means = values.mean(axis=0)
    gap = np.abs(means[i] - means[j])
    statistic = cleared(gap, largest_of_pairs(values, i, j))
    limit = least_equal(statistic, np.abs(values).max())
    count = trials - np.searchsorted(ranges, limit)
    return statistic, (count + 1) / (trials + 1)
