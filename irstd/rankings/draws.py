"""Means on topics drawn again, and the intervals of the ranks that they give."""

from __future__ import annotations

import numpy as np

from irstd._base.arrays import places


def bootstrap_means(
    values: np.ndarray, present: np.ndarray, trials: int, rng: np.random.Generator
) -> np.ndarray:
    """Means over topics drawn with replacement, of those that a system has: draws x systems.

    `values` are 0 where `present` is 0.
    """
    n = len(values)
    counts = rng.multinomial(n, np.full(n, 1 / n), size=trials)
    counts = counts.astype(float)  # for products of matrices
    topics_drawn = counts @ present
    sums = counts @ values
    last = values.min() - 1  # a system that has none of the topics drawn is the last
    return np.where(topics_drawn > 0, sums / np.maximum(topics_drawn, 1), last)


def interval_of_ranks(means_by_draw: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
    """The best and the worst rank of each system, with as many draws left out at either end."""
    trials = len(means_by_draw)
    left_out = int(round((1 - level) / 2 * trials, 9))  # in doubles, .1 / 2 * 200 is below 10
    ranks = np.sort(places(means_by_draw), axis=0)
    return ranks[left_out], ranks[-1 - left_out]
