"""The ties of means that tests of spread break."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from irstd._base.arguments import check_alpha, check_real
from irstd._base.arrays import dense_ranks
from irstd._base.matrix import check_scores
from irstd.significance.pair_tables import Rules, test_pairs
from irstd.standardize import Reference, by_method

TIE_BREAKERS = ("f", "levene_mean", "levene", "pitman_morgan", "paired_levene")


def break_ties(
    scores: pd.DataFrame,
    *,
    alpha: float = 0.05,
    top: float = 0.75,
    method: str | None = None,
    reference: Reference = None,
) -> pd.Series:
    """How many pairs whose means are not significantly different have spreads that are.

    Parameters
    ----------
    scores : DataFrame
        A score matrix, raw.
    alpha : float, default 0.05
        Level of all tests.
    top : float, default 0.75
        Share of the m systems that is kept: the best floor(top m) by their mean raw score, of
        those with equal means (to 1e-12) the first by name.
    method : str, optional
        Standardize the scores of the systems kept by this method of `standardize` before all tests;
        by default they stay raw.
    reference : DataFrame, Factors or str, optional
        The standardizing systems; by default those kept.

    Returns
    -------
    Series
        Numbers of pairs (name ``count``), by

        ============= =============================================================
        pairs         of the systems kept
        ties          those for which a paired t-test has p > alpha
        f             ties for which `f_test` has p <= alpha
        levene_mean   the same, by `levene_test` with the mean (W0)
        levene        with the median (W50)
        pitman_morgan the same, by Pitman and Morgan's test, see `pairwise_tests`
        paired_levene the same, by `paired_levene_test` with the median
        ============= =============================================================

    Raises
    ------
    ValueError
        If scores are missing (NaN); if fewer than two systems are kept, or three topics given; if a
        reference is given but no method.

    Warns
    -----
    UserWarning
        Naming topics without scale, as `standardize` does: neutral there.

    Notes
    -----
    Table 2 of Hosseini et al. (2010), who standardize with ``"z"``, and use F and Levene's tests.
    By chance alone paired Levene finds a difference in about alpha of the ties.

    References
    ----------
    Hosseini, Cox, Milic-Frayling, Vinay (2010), doi:10.1007/978-3-642-13084-7_7.

    Examples
    --------
    >>> import irstd
    >>> counts = break_ties(irstd.load_dataset("sim-trec8"), method="z")
    >>> bool(counts["pairs"] > counts["ties"] > counts["paired_levene"])
    True
    """
    check_alpha(alpha)
    best = _best_systems(check_scores(scores, topics=3), top)
    scores = by_method(best, reference, method)
    values = scores.to_numpy()
    i, j = np.triu_indices(values.shape[1], 1)
    tied = test_pairs(values, i, j, Rules("t"))["pvalue"] > alpha
    counts = {"pairs": len(tied), "ties": int(tied.sum())}
    for name in TIE_BREAKERS:
        pvalues = test_pairs(values, i, j, Rules(name))["pvalue"]
        counts[name] = int((pvalues[tied] <= alpha).sum())
    return pd.Series(counts, name="count")


def _best_systems(scores: pd.DataFrame, top: float) -> pd.DataFrame:
    """The best share of the systems by their mean, in their order; equal ones by name."""
    top = check_real(top, "top", 0, 1, open_="low")
    kept = math.floor(top * scores.shape[1] + 1e-9)  # .29 * 100 is 28.999...
    if kept < 2:
        raise ValueError(f"two systems or more must be kept; {top} of {scores.shape[1]} is {kept}")
    ranks = dense_ranks(-scores.mean().to_numpy())
    names = np.array(scores.columns, str)
    best_first = np.lexsort([names, ranks])  # by the last key, then by the first
    return scores.iloc[:, np.sort(best_first[:kept])]
