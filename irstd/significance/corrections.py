"""Corrections of p-values for their number, by statsmodels' names."""

from __future__ import annotations

import math

import numpy as np

from irstd._base.arguments import check_choice
from irstd._base.messages import needed
from irstd.significance import pair_tests, random_tests

FALSE_DISCOVERY = {
    "benjamini-hochberg": "fdr_bh",
    "bh": "fdr_bh",
    "fdr": "fdr_bh",
    "benjamini-yekutieli": "fdr_by",
    "by": "fdr_by",
}


def adjusted(p: np.ndarray, correction: str) -> np.ndarray:
    """p-values corrected for their number, by statsmodels."""
    return needed("statsmodels.stats.multitest").multipletests(p, method=correction)[1]


def check_correction(
    correction: str, method: str, pairs: int, n: int, trials: int, alternative: str, alpha=0.05
) -> None:
    """Raise if p-values of so many pairs cannot be corrected, or never to `alpha` or less."""
    check_correction_name(correction)
    properties = pair_tests.METHODS[method]
    if properties.of_all:
        raise ValueError(f"the p-values of {method!r} are for all pairs: no correction is due")
    if not properties.random:
        return
    least = 1 / (trials + 1)
    remedy = f"trials={math.ceil(pairs / alpha)} or more"
    if method == "randomization" and random_tests.all_flips(n, trials):
        least = 1 / 2**n
        if alternative == "two-sided":
            least = 2 / 2**n
        remedy = "more topics"
    if adjusted(np.full(pairs, least), correction).min() > alpha:
        limit = f"{method!r} has no p-value below {least:.2g}: of {pairs} pairs, corrected, none"
        raise ValueError(f"{limit} can be {alpha:g} or less; give {remedy}, or choose 't'")


def check_correction_name(correction: str) -> None:
    """Raise unless statsmodels has a correction of this name."""
    aliases = needed("statsmodels.stats.multitest").multitest_alias
    # Short forms such as 'h' are accepted, but not listed in the message.
    names = [name for name in aliases if name == correction or len(name) > 3]
    meant = FALSE_DISCOVERY.get(correction)
    if meant and correction not in names:  # or the hint is another method with such a name
        raise ValueError(
            f"correction must be one of statsmodels' names: {correction!r} is {meant!r}"
        )
    check_choice(correction, names, "correction")
