"""Corrections for multiple comparisons, and the confidence set for the best."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from irstd._base.messages import import_optional
from irstd.significance.pair_tests import METHODS, Rules

ALPHA = 0.05  # level that an adjusted p-value must be able to reach


def adjust(p: np.ndarray, correction: str) -> np.ndarray:
    """Return p-values adjusted for multiple comparisons."""
    return import_optional("statsmodels.stats.multitest").multipletests(p, method=correction)[1]


def add_adjusted_pvalues(tests: pd.DataFrame, correction: str | None) -> pd.DataFrame:
    """Add a column of adjusted p-values to the tests, if a correction is given."""
    if correction is None:
        return tests
    return tests.assign(adjusted_pvalue=adjust(tests["pvalue"].to_numpy(), correction))


def check_correction(rules: Rules, pairs: int, n_topics: int) -> None:
    """Raise if the correction cannot give any p-value of .05 or less."""
    if rules.correction is None or not METHODS[rules.method].random:
        return
    least = 1 / (rules.trials + 1)
    remedy = f"trials={math.ceil(pairs / ALPHA)} or more"
    if rules.method == "randomization" and 2**n_topics <= rules.trials:
        least = 1 / 2**n_topics
        if rules.alternative == "two-sided":
            least *= 2
        remedy = "more topics"
    if adjust(np.full(pairs, least), rules.correction).min() > ALPHA:
        raise ValueError(
            f"method={rules.method!r} gives no p-value below {least:.2g}: corrected for {pairs}"
            f" pairs, none can be {ALPHA:g} or less; give {remedy}, or method='t'"
        )


def confidence_set_for_best(tests: pd.DataFrame, level: float) -> pd.Series:
    """Return True for the systems in the confidence set for the best.

    `tests` are two-sided tests of all pairs. A system is excluded if it is worse than another one
    at (1 - level) / (m - 1), with m systems, or after Holm's correction for all pairs.
    """
    systems = pd.Index(np.unique(tests[["system_a", "system_b"]]), name="system")
    is_significant = tests["pvalue"] <= (1 - level) / (len(systems) - 1)
    is_significant |= holm_rejections(tests["pvalue"], level)
    _, worse = better_and_worse(tests[is_significant])
    return pd.Series(~systems.isin(worse), systems)


def holm_rejections(pvalues: pd.Series, level: float) -> pd.Series:
    """Return True for p-values that Holm's correction rejects at 1 - level.

    statsmodels gives the same, but runs the garbage collector: a tenth of a second per call.
    """
    in_order = pvalues.sort_values()
    hypotheses_left = np.arange(len(in_order), 0, -1)
    return (in_order <= (1 - level) / hypotheses_left).cummin().reindex(pvalues.index)


def better_and_worse(tests: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    """Return the better and the worse system of each pair."""
    is_first = tests["difference"] > 0
    better = tests["system_a"].where(is_first, tests["system_b"])
    worse = tests["system_b"].where(is_first, tests["system_a"])
    return better, worse
