"""Tie breaking: tests of spread for pairs whose means do not differ significantly."""

from __future__ import annotations

import math

import pandas as pd

from irstd._base.arguments import check_alpha, check_real
from irstd._base.matrix import check_scores
from irstd.significance.pair_tests import METHODS
from irstd.significance.pairs import all_pairs
from irstd.standardize import Reference, by_method


def break_ties(
    scores: pd.DataFrame,
    *,
    alpha: float = 0.05,
    top: float = 0.75,
    method: str | None = None,
    reference: Reference = None,
) -> pd.Series:
    """Count tied pairs of systems whose spreads differ significantly.

    Parameters
    ----------
    scores : DataFrame
        A score matrix, raw: topics by systems.
    alpha : float, default 0.05
        Level of all tests.
    top : float, default 0.75
        Proportion of the m systems to keep: the best floor(top m) by mean raw score; among equal
        means (to 1e-12) the first by name.
    method : str, optional
        Method of `standardize` to apply to the kept systems before all tests; by default scores
        stay raw.
    reference : DataFrame, Factors or str, optional
        The standardizing systems; by default those kept.

    Returns
    -------
    Series
        Numbers of pairs (name ``count``):

        ============= =============================================================
        pairs         all pairs of the kept systems
        ties          pairs with p > alpha in a paired t-test
        f             ties with p <= alpha in `f_test`
        levene_mean   ties with p <= alpha in `levene_test` with the mean (W0)
        levene        the same with the median (W50)
        paired_levene the same for `paired_levene_test` with the median
        ============= =============================================================

    Raises
    ------
    ValueError
        If scores are missing (NaN); if there are fewer than three topics, or fewer than two systems
        are kept; if a reference is given without a method.

    Warns
    -----
    UserWarning
        As `standardize`.

    Notes
    -----
    Table 2 of Hosseini et al. (2010), who standardize with ``"z"`` and use F and Levene's tests. If
    spreads are equal, the paired Levene test rejects for a proportion of about alpha of the ties.

    References
    ----------
    Hosseini, Cox, Milic-Frayling, Vinay (2010), doi:10.1007/978-3-642-13084-7_7.

    Examples
    --------
    >>> import irstd
    >>> break_ties(irstd.load_dataset("sim-trec8"), method="z")
    pairs            4560
    ties             1580
    f                 410
    levene_mean       342
    levene            298
    paired_levene     314
    Name: count, dtype: int64
    """
    check_alpha(alpha)
    best = _select_best_systems(check_scores(scores, topics=3), top)
    scores = by_method(best, reference, method)
    pairs = all_pairs(scores.to_numpy())
    tied = METHODS["t"].test(pairs)[1] > alpha
    counts = {"pairs": len(tied), "ties": tied.sum()}
    for name in ("f", "levene_mean", "levene", "paired_levene"):
        pvalues = METHODS[name].test(pairs)[1]
        counts[name] = (pvalues[tied] <= alpha).sum()
    return pd.Series(counts, name="count")


def _select_best_systems(scores: pd.DataFrame, top: float) -> pd.DataFrame:
    """Select the best systems by mean score, among equal means the first by name."""
    top = check_real(top, "top", pd.Interval(0, 1, closed="right"))
    kept = math.floor(top * scores.shape[1] + 1e-9)  # .29 * 100 is 28.999...
    if kept < 2:
        raise ValueError(
            f"top must keep at least two systems: top={top:g} keeps {kept} of {scores.shape[1]}"
        )
    means = scores.mean().round(12).sort_index()
    return scores[means.nlargest(kept).index]
