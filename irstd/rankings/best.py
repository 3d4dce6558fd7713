"""The group of the systems that may be the best."""

from __future__ import annotations

import numpy as np
import pandas as pd

from irstd.significance.means import pairwise_tests


def group_of_the_best(scores: pd.DataFrame, level: float) -> pd.Series:
    """Whether each system is in a group that holds the best with this level.

    A system leaves if it is worse than some other by a two-sided paired t-test at
    (1 - level) / (m - 1), of m systems, or by the tests of all pairs, corrected by Holm. Each pair
    is tested on the topics that both have.
    """
    tests = pairwise_tests(scores, "t", missing="pairwise")
    return group_by_tests(tests, scores.columns, level)


def group_by_tests(tests: pd.DataFrame, systems: pd.Index, level: float) -> pd.Series:
    """The group by two-sided tests of all pairs of these systems."""
    error = 1 - level
    is_worse = tests["pvalue"] <= error / (len(systems) - 1)
    is_worse |= _rejected_by_holm(tests["pvalue"], error)
    first_is_worse = tests["difference"] < 0
    worse = np.where(first_is_worse, tests["system_a"], tests["system_b"])
    return pd.Series(~systems.isin(worse[is_worse]), systems)


def _rejected_by_holm(pvalues: pd.Series, error: float) -> pd.Series:
    """Which of some hypotheses Holm's correction rejects."""
    # statsmodels does the same, and collects all garbage: a tenth of a second each time.
    in_order = pvalues.sort_values()
    hypotheses_left = np.arange(len(in_order), 0, -1)
    return (in_order <= error / hypotheses_left).cummin().reindex(pvalues.index)
