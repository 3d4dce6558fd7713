"""Corrections of p-values for their number, by statsmodels' names, and who may be the best."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from irstd._base.arguments import check_choice
from irstd._base.messages import import_optional
from irstd.significance import mean_tests, pair_tests

CORRECTIONS = (
    "bonferroni",
    "sidak",
    "holm",
    "holm-sidak",
    "simes-hochberg",
    "hommel",
    "fdr_bh",
    "fdr_by",
    "fdr_tsbh",
    "fdr_tsbky",
)
WHICH = "correction (fdr_bh is Benjamini and Hochberg's)"
ALPHA = 0.05  # what a corrected p must be able to reach


def adjusted(p: np.ndarray, correction: str) -> np.ndarray:
    """p-values corrected for their number, by statsmodels."""
    return import_optional("statsmodels.stats.multitest").multipletests(p, method=correction)[1]


def corrected(tests: pd.DataFrame, correction: str | None) -> pd.DataFrame:
    """Tests of pairs with their p-values corrected."""
    if correction is None:
        return tests
    return tests.assign(adjusted_pvalue=adjusted(tests["pvalue"].to_numpy(), correction))


def check_correction(
    correction: str, method: str, pairs: int, n: int, trials: int, alternative: str
) -> None:
    """Raise if p-values of so many pairs cannot be corrected, or never to .05 or less."""
    check_choice(correction, CORRECTIONS, WHICH)
    properties = pair_tests.METHODS[method]
    if properties.of_all:
        raise ValueError(f"the p-values of {method!r} are for all pairs: give correction=None")
    if not properties.random:
        return
    least = 1 / (trials + 1)
    remedy = f"trials={math.ceil(pairs / ALPHA)} or more"
    if method == "randomization" and mean_tests.all_flips(n, trials):
        least = 1 / 2**n
        if alternative == "two-sided":
            least = 2 / 2**n
        remedy = "more topics"
    if adjusted(np.full(pairs, least), correction).min() > ALPHA:
        limit = f"{method!r} has no p-value below {least:.2g}: of {pairs} pairs, corrected, none"
        raise ValueError(f"{limit} can be {ALPHA:g} or less; give {remedy}, or choose 't'")


def confidence_set_for_best(tests: pd.DataFrame, systems: pd.Index, level: float) -> pd.Series:
    """Return True for the systems in the confidence set for the best.

    `tests` are two-sided, of all pairs. A system leaves if it is worse than some other at
    (1 - level) / (m - 1), of m systems, or after Holm's correction for all pairs.
    """
    is_significant = tests["pvalue"] <= (1 - level) / (len(systems) - 1)
    is_significant |= holm_rejections(tests["pvalue"], level)
    _, worse = better_and_worse(tests[is_significant])
    return pd.Series(~systems.isin(worse), systems)


def holm_rejections(pvalues: pd.Series, level: float) -> pd.Series:
    """Return True for the tests that Holm's correction rejects at 1 - level.

    statsmodels does the same, and collects all garbage: a tenth of a second each time.
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
