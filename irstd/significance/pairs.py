"""Pairs of systems: their differences, topic by topic, and the p-value of a statistic."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import scipy

from irstd._base.arrays import largest_of, snap_to_zero

Positions = tuple[np.ndarray, np.ndarray]  # of the first and of the second system of each pair
Found = tuple[np.ndarray, np.ndarray]  # statistic and p-value per pair

# How extreme a statistic is, by the alternative
EXTREMES: dict[str, Callable] = {"two-sided": np.abs, "greater": np.positive, "less": np.negative}


class PairTest(NamedTuple):
    """The statistic of a test of two systems, and its p-value, two-sided."""

    statistic: float
    pvalue: float


@dataclass(frozen=True)
class Pairs:
    """The systems at the positions i and j of values (topics x systems), and how they differ."""

    values: np.ndarray
    i: np.ndarray
    j: np.ndarray

    @cached_property
    def largest(self) -> np.ndarray:
        """The largest score of both systems of each pair, whatever its sign."""
        largest = largest_of(self.values)
        return np.maximum(largest[self.i], largest[self.j])

    def snap_to_zero(self, numbers: np.ndarray) -> np.ndarray:
        """Numbers made of the scores of each pair, with 0 where they are 0 on paper."""
        return snap_to_zero(numbers, self.largest)

    @cached_property
    def differences(self) -> np.ndarray:
        """Topics x pairs."""
        return self.snap_to_zero(self.values[:, self.i] - self.values[:, self.j])

    @cached_property
    def mean(self) -> np.ndarray:
        """The mean difference."""
        return self.snap_to_zero(self.differences.mean(axis=0))

    @cached_property
    def sd(self) -> np.ndarray:
        """The standard deviation (ddof=1) of the differences; 0 where they are constant."""
        return self.snap_to_zero(self.differences.std(axis=0, ddof=1))


def all_pairs(values: np.ndarray) -> Pairs:
    """All pairs i < j of the systems."""
    return Pairs(values, *np.triu_indices(values.shape[1], 1))


def p_of(at_most: np.ndarray, at_least: np.ndarray, alternative: str) -> np.ndarray:
    """p from the chances of a statistic that is no more, and no less, than the observed one."""
    if alternative == "greater":
        p = at_least
    elif alternative == "less":
        p = at_most
    else:
        p = 2 * np.minimum(at_most, at_least)
    return np.minimum(1, p)


def with_t(t: np.ndarray, df: np.ndarray | float, alternative: str) -> Found:
    """t and its p-value."""
    at_most = scipy.special.stdtr(df, t)
    at_least = scipy.special.stdtr(df, -t)
    return t, p_of(at_most, at_least, alternative)
