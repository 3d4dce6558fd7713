"""How often what is found on some topics is the other way round on others: swap rates."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from irstd._base.arguments import (
    Seed,
    check_alpha,
    check_choice,
    check_count,
    check_sizes,
    generator,
)
from irstd._base.arrays import cleared, ratio, spreads
from irstd._base.matrix import check_scores
from irstd.resample.splits import split_topics
from irstd.significance import pair_tests
from irstd.significance.pairs import Pairs, all_pairs, largest_of_pairs

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
    """How often a difference found on some topics is the opposite on others, by their number.

    Parameters
    ----------
    scores : DataFrame
        A score matrix, raw or standardized. Of several, add up comparisons and swaps.
    sizes : sequence of int
        Topics in a set, three or more (two for means); no more than half of those there are.
        There is no default: it depends on how many there are.
    trials : int, default 50
        Pairs of sets drawn, for each size.
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
    seed : int or numpy.random.Generator, default 0
        The same seed draws the same sets, in any order of topics.

    Returns
    -------
    DataFrame
        One row per size:

        =========== ==========================================================================
        size        topics in each set
        error_rate  swaps / comparisons; NaN if no pair counts
        comparisons pairs that count, over all trials
        swaps       those of them that the two sets order differently; equal on one is none
        =========== ==========================================================================

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
    if test is None:
        test = TESTS[statistic]
    exact_tests = [name for name, method in pair_tests.METHODS.items() if not method.random]
    check_choice(test, exact_tests, "test")
    trials = check_count(trials, "trials")
    rng = generator(seed)
    sizes = check_sizes(sizes, pair_tests.least_topics(test))
    scores = check_scores(scores, topics=2 * max(sizes), systems=2)
    rule = _Rule(statistic, judged_on, test, alpha)
    rows = []
    for size in sizes:
        splits = split_topics(list(scores.index), size=size, trials=trials, seed=rng)
        rows.append(_count_swaps(scores.to_numpy(), splits, rule))
    comparisons, swaps = np.array(rows).T
    return pd.DataFrame(
        {
            "size": sizes,
            "error_rate": ratio(swaps, comparisons, none=np.nan),
            "comparisons": comparisons,
            "swaps": swaps,
        }
    )


@dataclass(frozen=True)
class _Rule:
    """Which pairs of systems count, and by which statistic they may swap."""

    statistic: str
    judged_on: str
    test: str
    alpha: float


def _count_swaps(values: np.ndarray, splits: np.ndarray, rule: _Rule) -> tuple[int, int]:
    """Over all splits of the topics: pairs that count, and those that swap."""
    if rule.judged_on == "all":
        pairs = _significant_pairs(values, rule)
    n_comparisons = 0
    n_swaps = 0
    for first, second in splits:
        x = values[first]
        y = values[second]
        if rule.judged_on == "sample":
            pairs = _significant_pairs(x, rule)
        signs_x = _signs_of_differences(x, pairs, rule.statistic)
        signs_y = _signs_of_differences(y, pairs, rule.statistic)
        n_comparisons += len(signs_x)
        opposite = signs_x * signs_y < 0  # a tie on one of the sets (0) is no swap
        n_swaps += int(np.count_nonzero(opposite))
    return n_comparisons, n_swaps


def _significant_pairs(values: np.ndarray, rule: _Rule) -> Pairs:
    """Pairs that the test finds different; those with the same scores are not, at any alpha."""
    i, j = all_pairs(values.shape[1])
    _, pvalues = pair_tests.METHODS[rule.test].test(values, i, j)
    significant = (pvalues <= rule.alpha) & (pvalues < 1)
    return i[significant], j[significant]


def _signs_of_differences(values: np.ndarray, pairs: Pairs, statistic: str) -> np.ndarray:
    """Of each pair: 1 if the first system has the larger mean or spread, -1 the second, else 0."""
    i, j = pairs
    by_system = values.mean(axis=0) if statistic == "mean" else spreads(values)
    differences = by_system[i] - by_system[j]
    return np.sign(cleared(differences, largest_of_pairs(values, i, j)))
