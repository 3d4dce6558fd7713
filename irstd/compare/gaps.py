"""How far apart two collections, or two sets of standardizing systems, are as a whole."""

from __future__ import annotations

import math
from typing import NamedTuple

import pandas as pd

from irstd._base.messages import warn


class Gap(NamedTuple):
    """A mean difference between two sides, its error and degrees of freedom; one sd of systems."""

    difference: float
    error: float
    df: float
    sd: float

    @property
    def in_sds(self) -> dict[str, float]:
        """The difference and its error, in standard deviations of system means."""
        if self.sd == 0:
            return {"gap": math.nan, "gap_error": math.nan}
        return {"gap": self.difference / self.sd, "gap_error": self.error / self.sd}


def gap_of(c: pd.DataFrame, d: pd.DataFrame) -> Gap:
    """How much better the same systems score on C than on D.

    Topics are drawn, and so are systems: its error has Welch's variance over topics and, on top,
    that of the systems' own differences, by their number.
    """
    of_themselves = c.mean() - d.mean()
    variance, df = welch_variance(c.mean(axis=1), d.mean(axis=1))
    variance += float(of_themselves.var()) / len(of_themselves)
    sd = (c.mean().std() + d.mean().std()) / 2
    return Gap(float(of_themselves.mean()), math.sqrt(variance), df, float(sd))


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
    """Say so where the standardizing systems differ by more than the collections do."""
    raw = difficulty.in_sds
    standardized = references.in_sds
    if not abs(standardized["gap"]) > abs(raw["gap"]):
        return
    warn(
        f"the standardizing systems of {names[0]} and {names[1]} differ by more than the two"
        f" collections do: {abs(standardized['gap']):.2f} (error {standardized['gap_error']:.2f})"
        f" against {abs(raw['gap']):.2f} (error {raw['gap_error']:.2f}) standard deviations of"
        " system means; standardizing is then expected to order systems worse than raw scores do"
    )
