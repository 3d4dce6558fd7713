"""How often what is found on some topics turns round on others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd

from irstd._base.arguments import (
    Seed,
    check_alpha,
    check_choice,
    check_count,
    check_sizes,
    generator,
    with_progress,
)
from irstd._base.arrays import cleared, label_order, ratio, spreads
from irstd._base.matrix import check_several
from irstd.resample.splits import split_topics
from irstd.significance import pair_tests

TESTS = {"sd": "paired_levene", "mean": "t"}


def swap_rate(
    scores: pd.DataFrame | Mapping[str, pd.DataFrame] | Iterable[pd.DataFrame],
    *,
    sizes: Iterable[int],
    trials: int = 50,
    statistic: str = "sd",
    judged_on: str = "sample",
    alpha: float = 0.05,
    test: str | None = None,
    groups: int = 0,
    seed: Seed = 0,
    progress: bool = False,
) -> pd.DataFrame:
    """How often a difference found on some topics turns round on others, by the number of topics.

    Parameters
    ----------
    scores : DataFrame, or several in a list or dict
        Score matrices, raw or standardized, all the same way. Their comparisons are pooled.
    sizes : sequence of int
        Topics in a set, three or more (two for means); no more than half of those there are.
    trials : int, default 50
        Pairs of sets drawn, for each size and matrix.
    statistic : {"sd", "mean"}, default "sd"
        What the systems are compared by: which of the two varies more (Hosseini et al. 2010), or
        which has the larger mean (Voorhees and Buckley 2002).
    judged_on : {"sample", "all"}, default "sample"
        Pairs count if a test finds them different: on the first of the two sets drawn, or on all
        topics of the matrix, which is kept for replications: its rates are too low (see Notes).
    alpha : float, default 0.05
        A pair counts if p <= alpha. With 1, all count but those that are the same (p = 1).
    test : str, optional
        That test, a method of `pairwise_tests` that is not randomized; by default
        ``"paired_levene"`` for ``"sd"`` (Hosseini et al.: ``"levene"``), ``"t"`` for ``"mean"``.
    groups : int, default 0
        For the standard error: the topics are dealt into so many groups, and each group is left out
        of all sets in turn (10 are enough, and take eleven times as long). 0: none is computed.
    seed : int or numpy.random.Generator, default 0
        The same seed draws the same sets, in any order of topics.
    progress : bool, default False
        Whether to show a progress bar.

    Returns
    -------
    DataFrame
        One row per size:

        ============== =======================================================================
        size           topics in each set
        error_rate     swaps / comparisons; NaN if no pair counts
        standard_error of the rate, by the grouped jackknife; NaN without `groups`
        comparisons    pairs that count, over all trials and matrices
        swaps          those of them that the two sets order differently; equal on one is none
        ============== =======================================================================

    Notes
    -----
    Two sets X and Y without a topic in common; with d the difference of the two systems, they swap
    if d_X d_Y < 0 (figures 6 and 7 of Hosseini et al., on z scores). Where no two systems differ,
    the rate is about .5 with ``"sample"``. With ``"all"`` a pair is selected because d_X + d_Y is
    large, which leaves little room for opposite signs: of pure noise, halves swap in alpha / 2 of
    the comparisons of means. The paper's figures are near ``"all"``.

    References
    ----------
    Hosseini, Cox, Milic-Frayling, Vinay (2010), doi:10.1007/978-3-642-13084-7_7. Voorhees, Buckley
    (2002), doi:10.1145/564376.564432.

    Examples
    --------
    >>> import irstd
    >>> z = irstd.standardize(irstd.load_dataset("sim-trec8"), method="z")
    >>> rates = swap_rate(z, sizes=[5, 25], trials=20)
    >>> bool(rates["error_rate"][1] < rates["error_rate"][0] < 0.5)
    True
    """
    check_choice(statistic, TESTS, "statistic")
    check_choice(judged_on, ("sample", "all"), "judged_on")
    check_alpha(alpha)
    test = TESTS[statistic] if test is None else test
    known = [name for name, of in pair_tests.METHODS.items() if not of.random]
    check_choice(test, known, "test")
    trials, rng = check_count(trials, "trials"), generator(seed)
    groups = check_count(groups, "groups", 0)
    least = pair_tests.least_topics(test)
    sizes = check_sizes(sizes, least)
    counts = np.zeros((len(sizes), groups + 1, 2), dtype=np.int64)  # the last: none left out
    matrices = check_several(scores, topics=2 * max(sizes), systems=2)
    steps = [(row, matrix) for matrix in matrices.values() for row in range(len(sizes))]
    for row, matrix in with_progress(steps, progress, leave=False):
        values, pairs = matrix.to_numpy(), pair_tests.all_pairs(matrix.shape[1])
        splits = split_topics(matrix.index, size=sizes[row], trials=trials, seed=rng)
        group = label_order(matrix.index).argsort() % (groups or 1)
        for left_out in range(-1, groups):
            kept = group != left_out
            if judged_on == "all":
                judged = _different(values[kept], pairs, test, alpha)
            for halves in splits:
                x, y = (values[half[kept[half]]] for half in halves)
                if min(len(x), len(y)) < least:
                    continue
                i, j = judged if judged_on == "all" else _different(x, pairs, test, alpha)
                turned = _larger(x, i, j, statistic) * _larger(y, i, j, statistic) < 0
                counts[row, left_out] += len(i), np.count_nonzero(turned)
    comparisons, swaps = counts[:, -1].T
    rates = ratio(counts[..., 1], counts[..., 0], none=np.nan)
    error = np.sqrt((groups - 1) * rates[:, :-1].var(axis=1)) if groups else np.nan
    columns = {"size": sizes, "error_rate": rates[:, -1], "standard_error": error}
    return pd.DataFrame(columns | {"comparisons": comparisons, "swaps": swaps})


def _different(
    values: np.ndarray, pairs: pair_tests.Pairs, test: str, alpha: float
) -> pair_tests.Pairs:
    """Those pairs that a test finds different; the same scores are not, at any level."""
    i, j = pairs
    p = pair_tests.METHODS[test].test(values, i, j)[1]
    found = (p <= alpha) & (p < 1)
    return i[found], j[found]


def _larger(values: np.ndarray, i, j, statistic: str) -> np.ndarray:
    """Which system of each pair has the larger mean or spread: 1, -1, or 0 if they are equal."""
    by_system = values.mean(axis=0) if statistic == "mean" else spreads(values)
    gap = by_system[i] - by_system[j]
    return np.sign(cleared(gap, pair_tests.largest_of_pairs(values, i, j)))
