"""Swap rates: how often another set of topics reverses a difference."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from irstd._base.arguments import (
    Seed,
    check_alpha,
    check_choice,
    check_count,
    check_sizes,
    make_generator,
)
from irstd._base.arrays import spreads
from irstd._base.matrix import check_scores
from irstd.resample.splits import split_topics
from irstd.significance import pair_tests
from irstd.significance.pairs import all_pairs

TESTS = {"sd": "paired_levene", "mean": "t"}


def swap_rate(
    scores: pd.DataFrame,
    *,
    sizes: Iterable[int],
    trials: int = 50,
    statistic: str = "sd",
    judged_on: str = "sample",
    alpha: float = 0.05,
    test: str | None = None,
    seed: Seed = 0,
) -> pd.DataFrame:
    """Return the rate at which other topics reverse a difference, by topic set size.

    Parameters
    ----------
    scores : DataFrame
        A score matrix, raw or standardized. For several matrices, add up their comparisons and
        swaps.
    sizes : sequence of int
        Topics per set: at least three (two for means), at most half of all topics.
    trials : int, default 50
        Number of random pairs of sets per size.
    statistic : {"sd", "mean"}, default "sd"
        Compare systems by standard deviation (Hosseini et al. 2010) or by mean (Voorhees and
        Buckley 2002).
    judged_on : {"sample", "all"}, default "sample"
        Topics on which a pair must differ significantly to count: the first of the two sets; or all
        topics of the matrix, only to replicate Hosseini et al., as rates are too low (see Notes).
    alpha : float, default 0.05
        A pair counts if p <= alpha. With 1, all pairs count except those with equal scores.
    test : str, optional
        Test to use, a method of `pairwise_tests` without random draws; by default
        ``"paired_levene"`` for ``"sd"`` (Hosseini et al.: ``"levene"``), ``"t"`` for ``"mean"``.
    seed : int or numpy.random.Generator, default 0
        The same seed draws the same sets, in any order of topics.

    Returns
    -------
    DataFrame
        One row per size:

        =========== ==========================================================================
        size        topics in each set
        error_rate  swaps / comparisons; NaN if no pair counts
        comparisons number of pairs that count, over all trials
        swaps       number of these that the two sets order differently; a tie is no swap
        =========== ==========================================================================

    Notes
    -----
    With d the difference of two systems, sets X and Y without a common topic swap them if
    d_X d_Y < 0 (figures 6 and 7 of Hosseini et al., on z scores). If no two systems differ, the
    rate is about .5 with ``"sample"``. With ``"all"`` a pair is selected because d_X + d_Y is
    large, so that opposite signs are rare: for pure noise, halves swap in alpha / 2 of the
    comparisons of means. The paper's figures are near ``"all"``.

    References
    ----------
    Hosseini, Cox, Milic-Frayling, Vinay (2010), doi:10.1007/978-3-642-13084-7_7. Voorhees, Buckley
    (2002), doi:10.1145/564376.564432.

    Examples
    --------
    >>> import irstd
    >>> z = irstd.standardize(irstd.load_dataset("sim-trec8"), method="z")
    >>> swap_rate(z, sizes=[5, 25], trials=20).round(3)
       size  error_rate  comparisons  swaps
    0     5       0.359         1857    666
    1    25       0.066        42299   2772
    """
    check_choice(statistic, TESTS, "statistic")
    check_choice(judged_on, ("sample", "all"), "judged_on")
    check_alpha(alpha)
    if test is None:
        test = TESTS[statistic]
    exact_tests = [name for name, method in pair_tests.METHODS.items() if not method.random]
    check_choice(test, exact_tests, "test")
    trials = check_count(trials, "trials")
    rng = make_generator(seed)
    sizes = check_sizes(sizes, pair_tests.least_topics(test))
    scores = check_scores(scores, topics=2 * max(sizes), systems=2)
    values = scores.to_numpy()
    differ = _find_different_pairs(values, test, alpha)
    rows = []
    for size in sizes:
        comparisons = swaps = 0
        for first, second in split_topics(list(scores.index), size=size, trials=trials, seed=rng):
            if judged_on == "sample":
                differ = _find_different_pairs(values[first], test, alpha)
            signs = _find_signs(values[first], statistic)
            signs *= _find_signs(values[second], statistic)
            comparisons += differ.sum()
            swaps += (signs[differ] < 0).sum()  # a tie on one of the sets (0) is no swap
        rate = swaps / comparisons if comparisons else np.nan
        rows.append([size, rate, comparisons, swaps])
    return pd.DataFrame(rows, columns=["size", "error_rate", "comparisons", "swaps"])


def _find_different_pairs(values: np.ndarray, test: str, alpha: float) -> np.ndarray:
    """Return True for significantly different pairs, never for equal scores."""
    _, pvalues = pair_tests.METHODS[test].test(all_pairs(values))
    return (pvalues <= alpha) & (pvalues < 1)


def _find_signs(values: np.ndarray, statistic: str) -> np.ndarray:
    """Return the sign of each pair's difference in mean or standard deviation."""
    pairs = all_pairs(values)
    if statistic == "mean":
        return np.sign(pairs.mean)
    sds = spreads(values)
    return np.sign(pairs.snap_to_zero(sds[pairs.i] - sds[pairs.j]))
