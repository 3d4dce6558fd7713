"""Randomized tests of all pairs of systems at a time, behind `significance`.

As in `_pairs`, with the number of trials, a random generator and whether to show progress.
"""

from __future__ import annotations

import numpy as np
from tqdm.auto import tqdm

from irstd._arrays import chunks, unit
from irstd._pairs import BLOCK, ratio, t_statistic

EQUAL = 1e-12  # statistics that are equal on paper may differ in the last bits


def randomization(values, i, j, trials, rng, progress):
    """Signs of differences are as likely the other way; all ways to flip them, if they are few."""
    n = len(values)
    exact = n < 63 and 2**n <= trials
    if exact:
        signs = 1 - 2.0 * ((np.arange(2**n)[:, None] >> np.arange(n)) & 1)
    else:
        signs = rng.integers(0, 2, (trials, n)) * 2.0 - 1
    level = values - values.mean(axis=1, keepdims=True)
    means = level.mean(axis=0)
    null = level.T @ signs.T / n  # systems x trials: flips are the same for all pairs
    found, count = means[i] - means[j], np.empty(len(i))
    least = np.abs(found) - EQUAL * np.abs(level).max()
    for part in _steps(len(i), len(signs), progress):
        count[part] = (np.abs(null[i[part]] - null[j[part]]) >= least[part, None]).sum(axis=1)
    return found, count / len(signs) if exact else (count + 1) / (trials + 1)


def bootstrap(values, i, j, trials, rng, progress):
    """t of resampled topics, of differences shifted to the mean 0 that the null hypothesis says."""
    n, values = len(values), unit(values)
    draws = rng.integers(n, size=(trials, n)) + n * np.arange(trials)[:, None]
    weights = np.bincount(draws.ravel(), minlength=trials * n).reshape(trials, n) / n
    found, count = t_statistic(values, i, j), np.empty(len(i))
    least = np.abs(found) * (1 - EQUAL)
    for part in _steps(len(i), max(trials, n), progress):
        d = values[:, i[part]] - values[:, j[part]]
        shifted = d - d.mean(axis=0)
        mean, square = weights @ shifted, weights @ shifted**2
        variance = square - mean**2
        variance[variance <= EQUAL * square] = 0  # one topic, drawn n times
        t = ratio(np.abs(mean), np.sqrt(variance / (n - 1)))
        count[part] = (t >= least[part]).sum(axis=0)
    return found, (count + 1) / (trials + 1)


def randomized_tukey(values, i, j, trials, rng, progress):
    """The largest difference of two means, with the scores of each topic dealt out at random."""
    means = values.mean(axis=0)
    ranges = np.empty(trials)
    for part in _steps(trials, values.size, progress):
        copies = np.broadcast_to(values, (part.stop - part.start, *values.shape))
        null = rng.permuted(copies, axis=2).mean(axis=1)
        ranges[part] = null.max(axis=1) - null.min(axis=1)
    found = np.abs(means[i] - means[j])
    least = found - EQUAL * np.abs(values).max()
    count = trials - np.searchsorted(np.sort(ranges), least)
    return found, (count + 1) / (trials + 1)


def _steps(total: int, each: int, progress: bool):
    parts = list(chunks(total, each, BLOCK))
    return tqdm(parts, disable=not progress, leave=False)


RANDOMIZED = {
    "randomization": randomization,
    "bootstrap": bootstrap,
    "randomized_tukey": randomized_tukey,
}
