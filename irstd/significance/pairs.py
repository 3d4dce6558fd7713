"""Pairs of systems and their differences by topic."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from irstd._base.arrays import find_largest, snap_to_zero
from irstd._base.clusters import degrees_of_freedom, se_of_mean

Positions = tuple[np.ndarray, np.ndarray]  # of the first and of the second system of each pair
TestResult = tuple[np.ndarray, np.ndarray]  # statistic and p-value per pair

# Functions that turn a statistic so that larger is more extreme, by alternative
EXTREMES = {"two-sided": np.abs, "greater": np.positive, "less": np.negative}


class PairTest(NamedTuple):
    """Statistic and two-sided p-value of a test of two systems."""

    statistic: float
    pvalue: float


@dataclass(frozen=True)
class Pairs:
    """Pairs of systems: columns i and j of a score matrix."""

    values: np.ndarray
    i: np.ndarray
    j: np.ndarray
    clusters: np.ndarray | None = None  # codes by topic

    @cached_property
    def largest(self) -> np.ndarray:
        """Largest absolute score in each pair."""
        largest = find_largest(self.values)
        return np.maximum(largest[self.i], largest[self.j])

    def snap_to_zero(self, numbers: np.ndarray) -> np.ndarray:
        """Set rounding errors around 0 to 0 in numbers computed from the scores."""
        return snap_to_zero(numbers, self.largest)

    @cached_property
    def differences(self) -> np.ndarray:
        """Score differences by topic and pair (topics x pairs)."""
        return self.snap_to_zero(self.values[:, self.i] - self.values[:, self.j])

    @cached_property
    def mean(self) -> np.ndarray:
        """Mean difference of each pair."""
        return self.snap_to_zero(self.differences.mean(axis=0))

    @cached_property
    def sd(self) -> np.ndarray:
        """Standard deviation (ddof=1) of the differences of each pair."""
        return self.snap_to_zero(self.differences.std(axis=0, ddof=1))

    @property
    def se(self) -> np.ndarray:
        """Standard error of each mean difference, robust to clusters."""
        if self.clusters is None:
            return self.sd / np.sqrt(len(self.values))
        return self.snap_to_zero(se_of_mean(self.differences, self.clusters))

    @property
    def df(self) -> float:
        """Degrees of freedom of the standard errors."""
        if self.clusters is None:
            return float(len(self.values) - 1)
        return degrees_of_freedom(self.clusters)


def all_pairs(values: np.ndarray) -> Pairs:
    """Return all pairs of systems, i < j."""
    return Pairs(values, *np.triu_indices(values.shape[1], 1))
