"""Tests of whether systems differ: one pair, all pairs, and how many a metric separates."""

from __future__ import annotations

import numpy as np
import pandas as pd

from irstd import _pairs
from irstd._arrays import moments
from irstd._checks import check_choice, check_count
from irstd._pairs import PairTest, Sample
from irstd._randomized import RANDOMIZED
from irstd.resample import Seed

METHODS = (*_pairs.EXACT, *RANDOMIZED)
FAMILYWISE = ("tukey", "randomized_tukey")


def paired_test(
    a: Sample,
    b: Sample,
    method: str = "t",
    *,
    trials: int = 10_000,
    seed: Seed = 0,
    progress: bool = False,
) -> PairTest:
    """Test whether two systems differ, by their scores on the same topics.

    Parameters
    ----------
    a, b : Series or array, n
        A score a topic. Two Series are matched by their index.
    method : str, default "t"
        As in `pairwise_tests`: it is the test of a score matrix with just these two systems.
    trials : int, default 10,000
        Of the randomized methods.
    seed : int or numpy.random.Generator, default 0
        For these.
    progress : bool, default False
        Whether they show a progress bar.

    Returns
    -------
    PairTest
        A named tuple ``(statistic, pvalue)``; p is two-sided.

    Raises
    ------
    ValueError
        If a and b are not on the same topics, on fewer than two, or have missing values.

    Examples
    --------
    >>> import irstd
    >>> a, b = [0.6, 0.4, 0.7, 0.3, 0.5], [0.5, 0.4, 0.3, 0.1, 0.4]
    >>> result = paired_test(a, b)
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (2.3591, 0.0777)
    >>> paired_test(a, b, "sign")
    PairTest(statistic=4.0, pvalue=0.125)
    """
    check_choice(method, METHODS, "method")
    values = _pairs.paired(a, b)
    _check_topics(method, len(values))
    return _pairs.of_one_pair(_test(method, trials, seed, progress), values)


def pairwise_tests(
    scores: pd.DataFrame,
    method: str = "t",
    *,
    correction: str | None = None,
    trials: int = 10_000,
    seed: Seed = 0,
    progress: bool = False,
) -> pd.DataFrame:
    """Test every pair of systems.

    Parameters
    ----------
    scores : DataFrame
        A score matrix: a row a topic, a column a system.
    method : str, default "t"
        A test of means, ``"t"``, ``"wilcoxon"``, ``"sign"``, ``"randomization"``, ``"bootstrap"``,
        ``"tukey"`` or ``"randomized_tukey"``, or of spreads, ``"f"``, ``"levene"``,
        ``"levene_mean"`` or ``"pitman_morgan"``; see Notes. All are two-sided.
    correction : str, optional
        Adjust the p-values for their number: a method of
        ``statsmodels.stats.multitest.multipletests``, such as ``"holm"`` or ``"fdr_bh"`` (its
        two-stage methods at the level .05).
    trials : int, default 10,000
        Of the randomized methods.
    seed : int or numpy.random.Generator, default 0
        For these.
    progress : bool, default False
        Whether they show a progress bar.

    Returns
    -------
    DataFrame
        A row a pair, each pair once, in the order of the columns of `scores`:

        ================== ===============================================================
        system_a, system_b the two systems
        difference         of their means, a - b; of their standard deviations for a test
                           of spreads
        statistic          see Notes
        pvalue             1 for two systems with the same scores
        adjusted_pvalue    with a correction
        ================== ===============================================================

    Raises
    ------
    ValueError
        If scores are missing (NaN), naming the topics; if there are fewer than two systems; if a
        correction is asked of Tukey's tests, whose p-values are those of all pairs already.

    Notes
    -----
    With d the n differences of a and b by topic:

    ``t``
        Student's paired t, mean(d) / (sd(d) / sqrt n), with n - 1 degrees of freedom.
    ``wilcoxon``
        ``scipy.stats.wilcoxon``, topics without a difference left out: the smaller sum of ranks;
        p as scipy chooses by the number of topics and ties: exact, all signs enumerated, or normal.
    ``sign``
        How many d are positive, against a fair coin; topics without a difference are left out.
    ``randomization``
        mean(d), where the signs of d are flipped at random. All 2^n ways are enumerated if they
        are no more than `trials`.
    ``bootstrap``
        t, against that of d - mean(d) resampled with replacement (Sakai 2006).
    ``tukey``
        Tukey's HSD with topics as blocks: q = abs(mean(d)) / sqrt(MSE / n), with the MSE of score ~
        topic + system and (n - 1)(m - 1) degrees of freedom, in the studentized range of m
        (Carterette 2012). The one-way HSD of other tools ignores topics, and finds next to nothing.
    ``randomized_tukey``
        abs(mean(d)), against the range of the system means when the scores of each topic are dealt
        to the systems at random.
    ``f``, ``levene``, ``levene_mean``, ``pitman_morgan``
        See `f_test`, `levene_test` (with the median, with the mean) and `pitman_morgan_test`. The
        F and the Levene tests ignore that the scores are paired.

    A p-value of B random trials is (count + 1) / (B + 1), where count is the number of trials at
    least as extreme as what was found: never 0, since what was found is a possible outcome. Random
    flips, resamples and deals are the same for all pairs. For Tukey's q it is scipy's studentized
    range that is looked up, and interpolated if there are more than 160 pairs (p to 1e-10).

    References
    ----------
    Sakai (2006), doi:10.1145/1148170.1148261. Carterette (2012), doi:10.1145/2094072.2094076.
    Smucker, Allan, Carterette (2007), doi:10.1145/1321440.1321528.

    Examples
    --------
    >>> import irstd
    >>> scores = irstd.load_dataset("sim-trec8").iloc[:, :3]
    >>> pairwise_tests(scores, correction="holm").columns.tolist()
    ['system_a', 'system_b', 'difference', 'statistic', 'pvalue', 'adjusted_pvalue']
    >>> len(pairwise_tests(scores, "tukey"))
    3
    """
    check_choice(method, METHODS, "method")
    if correction is not None:
        from statsmodels.stats.multitest import multipletests, multitest_alias  # slow to import

        check_choice(correction, multitest_alias, "correction")
        if method in FAMILYWISE:
            raise ValueError(f"the p-values of {method!r} are for all pairs: no correction is due")
    scores = _pairs.one_matrix(scores, systems=2)
    _check_topics(method, len(scores))
    values, systems = scores.to_numpy(), scores.columns
    i, j = _pairs.all_pairs(len(systems))
    statistic, p = _test(method, trials, seed, progress)(values, i, j)
    size = moments(values.T)[1] if method in _pairs.OF_SPREAD else values.mean(axis=0)
    result = pd.DataFrame(
        {
            "system_a": systems[i],
            "system_b": systems[j],
            "difference": size[i] - size[j],
            "statistic": statistic,
            "pvalue": p,
        }
    )
    if correction is not None:
        result["adjusted_pvalue"] = multipletests(p, method=correction)[1]
    return result


def _test(method: str, trials: int, seed: Seed, progress: bool):
    trials = check_count(trials, "trials")
    if method in _pairs.EXACT:
        return _pairs.EXACT[method]
    rng = np.random.default_rng(seed)
    return lambda values, i, j: RANDOMIZED[method](values, i, j, trials, rng, progress)


def _check_topics(method: str, n: int) -> None:
    if method == "pitman_morgan" and n < 3:
        raise ValueError(f"the Pitman-Morgan test needs 3 topics or more, got {n}")


def discriminative_power(
    scores: pd.DataFrame,
    *,
    alpha: float = 0.05,
    method: str = "t",
    correction: str | None = None,
    trials: int = 10_000,
    seed: Seed = 0,
    progress: bool = False,
) -> float:
    """Share of the pairs of systems that a test tells apart.

    Parameters
    ----------
    scores : DataFrame
        A score matrix: a row a topic, a column a system.
    alpha : float, default 0.05
        A pair is told apart if p < alpha.
    method, correction, trials, seed, progress
        As in `pairwise_tests`; with a correction it is the adjusted p that counts. The bootstrap
        is what the measure was proposed with.

    Returns
    -------
    float
        Between 0 and 1.

    Raises
    ------
    ValueError
        As `pairwise_tests`.

    Notes
    -----
    A metric that separates more pairs is more sensitive, not more valid: a metric that sorts the
    systems by name separates them all.

    References
    ----------
    Sakai (2006), doi:10.1145/1148170.1148261.

    Examples
    --------
    >>> import irstd
    >>> scores = irstd.load_dataset("sim-trec8").iloc[:, :9]
    >>> power = discriminative_power(scores)
    >>> power > discriminative_power(scores, method="tukey")
    True
    """
    _pairs.check_alpha(alpha)
    table = pairwise_tests(
        scores, method, correction=correction, trials=trials, seed=seed, progress=progress
    )
    return float((table[table.columns[-1]] < alpha).mean())


def discriminative_power_curve(
    scores: pd.DataFrame,
    *,
    method: str = "t",
    correction: str | None = None,
    trials: int = 10_000,
    seed: Seed = 0,
    progress: bool = False,
) -> pd.DataFrame:
    """Discriminative power at every level at once: the pairs of systems by their p-value.

    Parameters
    ----------
    scores : DataFrame
        A score matrix: a row a topic, a column a system.
    method, correction, trials, seed, progress
        As in `pairwise_tests`.

    Returns
    -------
    DataFrame
        The table of `pairwise_tests`, the smallest p (with a correction: adjusted p) first, with a
        column more:

        ===== ===========================================================
        share of the pairs that are this far down: of those whose p is not
              larger, if no two are the same
        ===== ===========================================================

    Notes
    -----
    Sakai's curve of achieved significance levels has the pairs on the x-axis and p on the y-axis:
    the lower it stays the more the metric discriminates.

    References
    ----------
    Sakai (2006), doi:10.1145/1148170.1148261.

    Examples
    --------
    >>> import irstd
    >>> curve = discriminative_power_curve(irstd.load_dataset("sim-trec8"))
    >>> curve["pvalue"].is_monotonic_increasing
    True
    """
    table = pairwise_tests(
        scores, method, correction=correction, trials=trials, seed=seed, progress=progress
    )
    table = table.sort_values(table.columns[-1], kind="stable", ignore_index=True)
    return table.assign(share=np.arange(1, len(table) + 1) / len(table))
