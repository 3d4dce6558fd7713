"""Tests by draws, of all pairs of systems at a time: flips, samples of topics, deals of scores."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np

from irstd._base.arrays import chunks, least_equal, ratio, snap_to_zero, times_drawn
from irstd.significance.mean_tests import t_test
from irstd.significance.pairs import EXTREMES, Found, Pairs

BLOCK = 4_000_000  # numbers worked on at a time


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
    weights = times_drawn(samples, n) / n

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
