"""Paired tests of two systems, of all pairs, or against a baseline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

import numpy as np
import pandas as pd

from irstd._base.arguments import Seed, check_choice
from irstd._base.arrays import order_labels
from irstd._base.clusters import Clusters, encode_clusters
from irstd._base.matrix import Sample, check_scores, match_samples
from irstd.significance.pair_tables import run_test, tabulate_tests
from irstd.significance.pair_tests import Rules, least_topics, list_baselines
from irstd.significance.pairs import Pairs


@dataclass(frozen=True)
class PairedTest:
    """Result of a paired test; unpacks to ``(statistic, pvalue)``.

    The other attributes are columns of `pairwise_tests`, NaN if the test has none.
    """

    statistic: float
    pvalue: float
    difference: float
    low: float
    high: float
    effect_size: float

    def __iter__(self) -> Iterator[float]:
        """Iterate over statistic and p-value, as with scipy's results."""
        return iter((self.statistic, self.pvalue))


def paired_test(
    a: Sample,
    b: Sample,
    method: str = "t",
    *,
    alternative: str = "two-sided",
    level: float = 0.95,
    clusters: Clusters | None = None,
    trials: int = 10_000,
    seed: Seed = 0,
) -> PairedTest:
    """Test whether two systems differ on the same topics.

    Parameters
    ----------
    a, b : Series or array, n
        One score per topic. Two Series are matched by their index.
    method, alternative, level, clusters, trials, seed
        As in `pairwise_tests`, which lists the methods and gives the same numbers for a score
        matrix with these two systems.

    Returns
    -------
    PairedTest
        Unpacks to ``(statistic, pvalue)``; its other attributes are ``difference`` (mean of a -
        mean of b), ``low``, ``high`` and ``effect_size``, as in `pairwise_tests`: NaN for methods
        that do not test means.

    Raises
    ------
    ValueError, TypeError
        If a and b are not on the same topics, have fewer than two, have missing values, or are not
        real numbers (text, dates, masked arrays).

    Examples
    --------
    >>> a, b = [0.6, 0.4, 0.7, 0.3, 0.5], [0.5, 0.4, 0.3, 0.1, 0.4]
    >>> result = paired_test(a, b)
    >>> statistic, pvalue = result
    >>> round(statistic, 3), round(pvalue, 3)
    (2.359, 0.078)
    >>> round(result.difference, 3), round(result.low, 3), round(result.high, 3)
    (0.16, -0.028, 0.348)

    Equivalence by two one-sided tests at .05: the interval at .9 lies between -.4 and .4, so the
    two differ by less than .4.

    >>> result = paired_test(a, b, level=0.9)
    >>> round(result.low, 3), round(result.high, 3)
    (0.015, 0.305)
    """
    rules = Rules(method, alternative, level, clusters, trials, seed)
    values = np.column_stack(match_samples(a, b, least=least_topics(method)))
    topics = next((x.index for x in (a, b) if isinstance(x, pd.Series)), pd.RangeIndex(len(values)))
    order = order_labels(topics)
    codes = None
    if clusters is not None:
        codes = encode_clusters(clusters, topics[order].map(str))
    # Without a table, which would take ten times as long.
    columns = run_test(Pairs(values[order], np.array([0]), np.array([1]), codes), rules)
    numbers = [columns.get(field.name, np.nan) for field in fields(PairedTest)]
    return PairedTest(*(np.ravel(number).item() for number in numbers))


def pairwise_tests(
    scores: pd.DataFrame,
    method: str = "t",
    *,
    correction: str | None = None,
    baseline: str | Sequence[str] | None = None,
    alternative: str = "two-sided",
    level: float = 0.95,
    missing: str = "raise",
    clusters: Clusters | None = None,
    trials: int = 10_000,
    seed: Seed = 0,
) -> pd.DataFrame:
    """Test every pair of systems, or every system against a baseline.

    Parameters
    ----------
    scores : DataFrame
        A score matrix.
    method : str, default "t"
        A test of means, ``"t"``, ``"randomization"``, ``"bootstrap"``, ``"tukey"`` or
        ``"randomized_tukey"``; of ranks and signs, ``"wilcoxon"`` or ``"sign"``; or of spreads,
        ``"paired_levene"``, ``"f"``, ``"levene"`` or ``"levene_mean"``. See Notes.
    correction : str, optional
        Correction for multiple comparisons: a method of
        ``statsmodels.stats.multitest.multipletests``, such as ``"holm"`` or ``"fdr_bh"``.
    baseline : str or list of str, optional
        Test, and correct for, only the pairs of another system (system_a) with one of these
        (system_b). By default all pairs are tested.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        Alternative hypothesis about system_a. Tukey's, F and Levene's tests are two-sided only.
    level : float, default 0.95
        Confidence level of the interval ``low`` to ``high``.
    missing : {"raise", "pairwise"}, default "raise"
        ``"raise"``: missing scores (NaN) are an error. ``"pairwise"``: each pair is tested on the
        topics that both systems have; not for Tukey's tests, which compare all systems at once.
    clusters : Series or dict, optional
        Cluster of each topic, if topics belong together (turns of a conversation, paraphrases).
        Only for ``"t"``, which then has a cluster-robust standard error, and fewer degrees of
        freedom the more unequal the clusters are.
    trials : int, default 10,000
        Number of random trials in randomized tests.
    seed : int or numpy.random.Generator, default 0
        Seed of random draws; equal seeds give equal results in any order of topics and systems.

    Returns
    -------
    DataFrame
        One row per pair, each pair once, in the order of the columns of `scores`:

        ================== ===============================================================
        system_a, system_b the two systems
        difference         of their means, a - b; of their mean distances from the center
                           for Levene's tests, of their standard deviations for ``"f"``
        low, high          tests of means: interval of the difference at `level`, see Notes
        effect_size        tests of means: Cohen's d_z, mean(d) / sd(d)
        se, df             tests of means: standard error of the difference, used for the
                           interval and for t, and its degrees of freedom
        statistic          see Notes
        direction          which system the statistic favors: 1 for system_a, -1 for system_b, 0
                           for neither; by ranks and signs not always that of the larger mean
        pvalue             1 for two systems with the same scores (.5 to 1 if one-sided)
        topics             number of topics of the pair; if too few for the test, p is 1
        wins, ties, losses numbers of topics on which system_a has the larger, the same, the
                           smaller score
        clusters           with `clusters`: their number
        adjusted_pvalue    with `correction`: the p-value adjusted for all pairs tested
        ================== ===============================================================

        Columns of tests of means are NaN for other tests.

    Raises
    ------
    ValueError
        If scores are missing (NaN); if there are fewer than two systems, or two topics (three for
        tests of spreads); if a correction is given for Tukey's tests, whose p-values are adjusted
        already; if a randomized test has so few trials, or topics, that no adjusted p-value could
        be .05 or less; if there are more than two million pairs (half a million in Tukey's tests).

    Warns
    -----
    UserWarning
        If `clusters` count as fewer than ten of equal size: the test has few degrees of freedom.

    Notes
    -----
    With d the n differences of a and b by topic:

    ``t``
        Student's paired t, mean(d) / (sd(d) / sqrt n), with n - 1 degrees of freedom.
    ``randomization``
        mean(d), where the signs of d are flipped at random. All 2^n ways are enumerated if they
        are no more than `trials`.
    ``bootstrap``
        t, against that of d - mean(d) resampled with replacement (Sakai 2006).
    ``tukey``
        Tukey's HSD with topics as blocks: q = abs(mean(d)) / sqrt(MSE / n), with the MSE of score ~
        topic + system and (n - 1)(m - 1) degrees of freedom, in the studentized range of m
        (Carterette 2012). All pairs share one MSE: if the variance of d differs between pairs, as
        on TREC data, the family-wise error rate exceeds its level.
    ``randomized_tukey``
        abs(mean(d)), against the range of the system means with scores permuted within topics.
    ``wilcoxon``
        The smaller sum of signed ranks of d (one-sided: that of positive d). Topics with d = 0 are
        left out; sizes equal to 1e-12 of the largest score are ties. p is exact for up to 50
        differences, with ties too, and from the normal approximation above. The two hardly differ
        near .05, but do for tiny p: 8.8e-7 (normal) for 1.5e-7 (exact). Do not compare tiny
        p-values across 50. It tests whether d is symmetric about 0.
    ``sign``
        The number of positive d among those that are not 0, against a fair coin.
    ``paired_levene``, ``f``, ``levene``, ``levene_mean``
        See `paired_levene_test`, `f_test` and `levene_test` (with the median, with the mean). F and
        Levene ignore the pairing: the type I error rate of F at .05 is .00 to .15 on public scores.

    Tests keep their level if the two systems are exchangeable, or topics are many. For equal means
    and skewed d, at .05, ``t`` rejected .07 to .18 with 8 to 50 topics; where large losses are
    rare, .66 with 8, .46 with 15, and .28 with 25. ``randomization`` and ``bootstrap`` are no
    remedy. ``wilcoxon`` rejected .08 to 1.

    With clusters, the standard error of mean(d) is sqrt(sum(u_g^2 / (1 - n_g / n))) / n, where u_g
    is the sum of d - mean(d) over cluster g with n_g of the n topics. The degrees of freedom are
    Bell and McCaffrey's (2002) for independent topics: one less than the number of clusters if
    these are equal, and near 1 if one cluster holds most topics. The level holds for normal or
    long-tailed symmetric cluster effects; t rejected .07 to .26 for two-point ones in fewer than
    ten clusters, and .07 to .28 for skewed or rare ones.

    For scores of 0 and 1, ``sign`` is the exact test of McNemar.

    The interval is mean(d) +- t sd(d) / sqrt n (one-sided: open at the other end), also for
    ``randomization`` and ``bootstrap``, and is not corrected. Tukey's two methods have simultaneous
    intervals, mean(d) +- q sqrt(MSE / n). d_z (Lakens 2013) determines how many topics a paired
    t-test needs. With B random trials, the same for all pairs, p is (count + 1) / (B + 1), where
    count is the number of trials at least as extreme as the observed statistic.

    References
    ----------
    Sakai (2006), doi:10.1145/1148170.1148261. Carterette (2012), doi:10.1145/2094072.2094076.
    Lakens (2013), doi:10.3389/fpsyg.2013.00863. Bell, McCaffrey (2002), Survey Methodology 28(2),
    169-181. Imbens, Kolesar (2016), doi:10.1162/REST_a_00552.

    Examples
    --------
    >>> import irstd
    >>> scores = irstd.load_dataset("sim-trec8").iloc[:, :4]
    >>> columns = ["system_a", "system_b", "difference", "low", "high", "adjusted_pvalue"]
    >>> pairwise_tests(scores, correction="holm")[columns].round(3)
        system_a   system_b  difference    low   high  adjusted_pvalue
    0  t8orig01a  t8orig01b      -0.152 -0.181 -0.124            0.000
    1  t8orig01a  t8orig01c      -0.089 -0.112 -0.066            0.000
    2  t8orig01a  t8orig01d      -0.094 -0.118 -0.071            0.000
    3  t8orig01b  t8orig01c       0.063  0.039  0.087            0.000
    4  t8orig01b  t8orig01d       0.058  0.034  0.082            0.000
    5  t8orig01c  t8orig01d      -0.006 -0.029  0.018            0.641
    """
    check_choice(missing, ("raise", "pairwise"), "missing")
    baselines = list_baselines(baseline)
    rules = Rules(method, alternative, level, clusters, trials, seed, correction, baselines)
    complete = missing == "raise"
    scores = check_scores(scores, complete=complete, topics=least_topics(method), systems=2)
    return tabulate_tests(scores, rules)
