"""How far apart two collections, or two sets of standardizing systems, are as a whole."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pandas as pd

from irstd._base.messages import warn


@dataclass(frozen=True)
class Gap:
    """How much better the same systems score on C than on D."""

    difference: float  # of their means
    variance_of_topics: float  # of the difference, if topics are drawn
    df: float  # of this variance
    variance_of_systems: float  # of the difference, if systems are drawn
    sd: float  # of system means

    @property
    def error(self) -> float:
        """Of the difference, if topics and systems are drawn."""
        return math.sqrt(self.variance_of_topics + self.variance_of_systems)

    @property
    def in_sds(self) -> tuple[float, float]:
        """The difference on these topics and its error over systems, in sds of system means."""
        if self.sd == 0:
            return math.nan, math.nan
        return self.difference / self.sd, math.sqrt(self.variance_of_systems) / self.sd


def gap_of(c: pd.DataFrame, d: pd.DataFrame) -> Gap:
    """The gap between two collections, by systems that ran on both."""
    of_themselves = c.mean() - d.mean()
    variance_of_topics, df = welch_variance(c.mean(axis=1), d.mean(axis=1))
    return Gap(
        difference=float(of_themselves.mean()),
        variance_of_topics=variance_of_topics,
        df=df,
        variance_of_systems=float(of_themselves.var()) / len(of_themselves),
        sd=float(c.mean().std() + d.mean().std()) / 2,
    )


def welch_variance(x: pd.Series, y: pd.Series) -> tuple[float, float]:
    """The variance of a difference of means, and Satterthwaite's degrees of freedom."""
    var_x = x.var() / len(x)
    var_y = y.var() / len(y)
    variance = float(var_x + var_y)
    if variance == 0:
        return 0.0, float(min(len(x), len(y)) - 1)
    squares = var_x**2 / (len(x) - 1) + var_y**2 / (len(y) - 1)
    return variance, float(variance**2 / squares)


def warn_of_gaps(difficulty: Gap, references: Gap, names: tuple[str, str]) -> None:
    """Say so where the references are farther apart than the collections, by more than an error."""
    raw, raw_error = difficulty.in_sds
    standardized, standardized_error = references.in_sds
    farther = abs(standardized) - abs(raw)
    if not farther > math.hypot(raw_error, standardized_error):
        return
    warn(
        f"the standardizing systems of {names[0]} and {names[1]} differ by more than the two"
        f" collections do, by {abs(standardized):.2f} against {abs(raw):.2f} standard deviations of"
        f" system means (errors {standardized_error:.2f} and {raw_error:.2f}): raw scores are"
        " expected to order systems better than standardized ones"
    )
