"""Pairs of systems: their differences, topic by topic, and the p-value of a statistic.

A pair is the positions i and j of two systems in values (topics x systems).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from scipy import special

from irstd._base.arrays import chunks, cleared, largest_of
from irstd._base.clusters import error_of_mean

Pairs = tuple[np.ndarray, np.ndarray]
Found = tuple[np.ndarray, np.ndarray]  # statistic and p-value per pair

BLOCK = 4_000_000  # numbers worked on at a time
# How extreme a statistic is, by the alternative
EXTREMES: dict[str, Callable] = {"two-sided": np.abs, "greater": np.positive, "less": np.negative}


class PairTest(NamedTuple):
    """The statistic of a test of two systems, and its p-value, two-sided."""

    statistic: float
    pvalue: float


def all_pairs(m: int) -> Pairs:
    """Positions i < j of all pairs of m systems."""
    return np.triu_indices(m, 1)


def in_unit(*samples: np.ndarray) -> list[np.ndarray]:
    """Scores over a power of two: no bit is lost, and squares neither overflow nor vanish."""
    largest = max(np.abs(sample).max() for sample in samples)
    exponent = np.frexp(largest)[1]
    return [np.ldexp(sample, -exponent) for sample in samples]


def largest_of_pairs(values: np.ndarray, i, j) -> np.ndarray:
    """The largest score of both systems of each pair, whatever its sign."""
    largest = largest_of(values)
    return np.maximum(largest[i], largest[j])


def differences(values: np.ndarray, i, j) -> Iterator[tuple[slice, np.ndarray]]:
    """Some pairs at a time, and their differences: topics x pairs."""
    largest = largest_of_pairs(values, i, j)
    for part in chunks(len(i), len(values), BLOCK):
        of_first = values[:, i[part]]
        of_second = values[:, j[part]]
        d = of_first - of_second
        yield part, cleared(d, largest[part])


def moments_of_differences(values: np.ndarray, i, j) -> tuple[np.ndarray, np.ndarray]:
    """Mean and sd (ddof=1) of the differences of each pair; a constant difference has sd 0."""
    mean = np.empty(len(i))
    sd = np.empty(len(i))
    for part, d in differences(values, i, j):
        mean[part] = d.mean(axis=0)
        sd[part] = d.std(axis=0, ddof=1)
    largest = largest_of_pairs(values, i, j)
    return cleared(mean, largest), cleared(sd, largest)


def clustered_errors(values: np.ndarray, i, j, clusters: np.ndarray) -> np.ndarray:
    """Standard errors of the mean differences of pairs, by clusters of topics."""
    error = np.empty(len(i))
    for part, d in differences(values, i, j):
        error[part] = error_of_mean(d, clusters)
    return cleared(error, largest_of_pairs(values, i, j))


def units_that_differ(values: np.ndarray, i, j, clusters: np.ndarray | None) -> np.ndarray:
    """On how many topics, or in how many clusters, the systems of each pair differ."""
    number = np.empty(len(i), int)
    for part, d in differences(values, i, j):
        differs = d != 0
        if clusters is not None:
            is_in = clusters == np.arange(clusters.max() + 1)[:, None]
            differs = is_in @ differs
        number[part] = differs.sum(axis=0)
    return number


def sides(
    values: np.ndarray, i, j, counts: Callable[[np.ndarray, np.ndarray], np.ndarray]
) -> np.ndarray:
    """Which of each pair its differences speak for, as a test counts them: 1, -1 or, neither, 0."""
    total = np.empty(len(i))
    largest = largest_of_pairs(values, i, j)
    for part, d in differences(values, i, j):
        total[part] = counts(d, largest[part]).sum(axis=0)
    return np.sign(total)


def p_of(at_most: np.ndarray, at_least: np.ndarray, alternative: str) -> np.ndarray:
    """p from the chances of a statistic that is no more, and no less, than the observed one."""
    if alternative == "greater":
        p = at_least
    elif alternative == "less":
        p = at_most
    else:
        p = 2 * np.minimum(at_most, at_least)
    return np.minimum(1, p)


def with_t(t: np.ndarray, df: np.ndarray | float, alternative: str = "two-sided") -> Found:
    """t and its p-value."""
    at_most = special.stdtr(df, t)
    at_least = special.stdtr(df, -t)
    return t, p_of(at_most, at_least, alternative)
