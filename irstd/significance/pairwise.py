"""Tests of whether systems differ: of one pair, of all pairs, or of all with a baseline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import pandas as pd

from irstd._base.arguments import Seed, check_choice, check_count, generator
from irstd._base.arrays import label_order
from irstd._base.clusters import Clusters, encode_clusters
from irstd._base.matrix import Sample, check_scores, match
from irstd.significance.corrections import check_correction, corrected
from irstd.significance.pair_tables import Rules, pair_table, test_pairs
from irstd.significance.pair_tests import METHODS, least_topics
from irstd.significance.pairs import Positions

MOST_PAIRS = 2_000_000  # tests of 2,000 systems take some ten seconds and 1 GB


@dataclass(frozen=True)
class PairedTest:
    """A test of two systems, which unpacks to ``(statistic, pvalue)``.

    The others are the columns of `pairwise_tests`, NaN in tests that have none.
    """

    statistic: float
    pvalue: float
    difference: float
    low: float
    high: float
    effect_size: float

    def __iter__(self) -> Iterator[float]:
        """Give the statistic and p, as scipy's tests do."""
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
    """Test whether two systems differ, by their scores on the same topics.

    Parameters
    ----------
    a, b : Series or array, n
        One score per topic. Two Series are matched by their index.
    method, alternative, level, clusters, trials, seed
        As in `pairwise_tests`: it is the test of a score matrix with just these two systems.

    Returns
    -------
    PairedTest
        Unpacks to ``(statistic, pvalue)``, and has the attributes ``difference``, ``low``, ``high``
        and ``effect_size`` too, which are the columns of `pairwise_tests`.

    Raises
    ------
    ValueError, TypeError
        If a and b are not on the same topics, on fewer than two, have missing values, or are no
        real numbers (text, dates, masked arrays).

    Examples
    --------
    >>> a, b = [0.6, 0.4, 0.7, 0.3, 0.5], [0.5, 0.4, 0.3, 0.1, 0.4]
    >>> result = paired_test(a, b)
    >>> [round(x, 3) for x in (*result, result.difference, result.low, result.high)]
    [2.359, 0.078, 0.16, -0.028, 0.348]

    Equivalence by two one-sided tests at .05: the interval at .9 lies between -.4 and .4, so the
    two differ by less than .4.

    >>> result = paired_test(a, b, level=0.9)
    >>> -0.4 < result.low and result.high < 0.4
    True
    """
    rules = _rules(method, alternative, level, clusters, trials, seed)
    values = np.column_stack(match(a, b, least=least_topics(method)))
    topics = next((x.index for x in (a, b) if isinstance(x, pd.Series)), pd.RangeIndex(len(values)))
    order = label_order(topics)
    if clusters is not None:
        rules = replace(rules, clusters=encode_clusters(clusters, topics[order].map(str)))
    tests = test_pairs(values[order], np.array([0]), np.array([1]), rules)
    return PairedTest(*(float(tests[field.name][0]) for field in fields(PairedTest)))


def _rules(
    method: str, alternative: str, level: float, clusters: Any, trials: int, seed: Seed
) -> Rules:
    """Return the rules of these arguments, or raise; clusters are still to be numbered."""
    rules = Rules(
        method=method,
        alternative=alternative,
        level=level,
        trials=check_count(trials, "trials"),
        rng=generator(seed),
    )
    if method != "t" and clusters is not None:
        raise ValueError(f'clusters are for method="t", got {method!r}')
    return rules


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
        ``"paired_levene"``, ``"pitman_morgan"``, ``"f"``, ``"levene"`` or ``"levene_mean"``.
        See Notes.
    correction : str, optional
        Adjust the p-values for their number: a method of
        ``statsmodels.stats.multitest.multipletests``, such as ``"holm"`` or ``"fdr_bh"``.
    baseline : str or list of str, optional
        Only the pairs of another system with this one, or with these, are tested, system_a being
        the other one, and only these are corrected for.
    alternative : {"two-sided", "greater", "less"}, default "two-sided"
        What is to be shown of system_a; Tukey's, F and Levene's have two sides only.
    level : float, default 0.95
        Of the interval ``low`` to ``high``.
    missing : {"raise", "pairwise"}, default "raise"
        Whether missing scores (NaN) are an error, or each pair is tested on the topics that both
        systems have; not for Tukey's tests, which compare all systems at a time.
    clusters : Series or dict, optional
        The cluster of each topic, where topics belong together (turns of a conversation,
        paraphrases): t has the error of cluster sums, and fewer degrees of freedom the more unequal
        clusters are. A warning says where they count as fewer than ten.
    trials : int, default 10,000
        Of the randomized methods.
    seed : int or numpy.random.Generator, default 0
        For these; equal seeds give equal results in any order of topics and systems.

    Returns
    -------
    DataFrame
        One row per pair, each pair once, in the order of the columns of `scores`:

        ================== ===============================================================
        system_a, system_b the two systems
        difference         of their means, a - b; of their mean distances from the center
                           for Levene's tests, of their standard deviations for
                           ``"pitman_morgan"`` and ``"f"``
        low, high          tests of means: interval of the difference at `level`, see Notes
        effect_size        tests of means: Cohen's d_z, mean(d) / sd(d)
        se, df             tests of means: the standard error of the difference by which the
                           interval, and t, are computed, and its degrees of freedom
        statistic          see Notes
        direction          whom the statistic speaks for: 1 for system_a, -1 for system_b, 0 for
                           neither; of ranks and signs not always the one of the larger mean
        pvalue             1 for two systems with the same scores (.5 to 1 if one-sided)
        topics             of both systems; where they are too few for the test, p is 1
        wins, ties, losses topics on which system_a has the larger, the same, the smaller score
        clusters           with `clusters`: how many there are
        adjusted_pvalue    with a correction
        ================== ===============================================================

    Raises
    ------
    ValueError
        If scores are missing (NaN); if there are fewer than two systems, or two topics (three for
        tests of spreads); if a correction is asked of Tukey's tests, whose p-values are those of
        all pairs already; if with so few trials, or topics, no corrected p could be .05 or less; if
        there are more than two million pairs (half a million, in Tukey's tests).

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
        (Carterette 2012). One MSE stands for all pairs: where differences vary more for some than
        for others, as on TREC data, the family-wise error is above its level.
    ``randomized_tukey``
        abs(mean(d)), against the range of the system means when the scores of each topic are dealt
        to the systems at random.
    ``wilcoxon``
        Signed ranks of d, topics without a difference left out, and tied where equal to 1e-12 of
        the largest score; the smaller sum of ranks (one-sided: that of positive d). p is exact for
        up to 50 differences, with ties too; above it is that of the normal curve, and jumps there:
        hardly near .05, but where the exact p is 1.5e-7 the normal one is 8.8e-7. So do not compare
        tiny p-values across 50. It tests whether d is symmetric about 0.
    ``sign``
        How many d are positive, of those that are not 0, against a fair coin.
    ``paired_levene``, ``pitman_morgan``, ``f``, ``levene``, ``levene_mean``
        See `paired_levene_test`, `f_test` and `levene_test` (with the median, with the mean). F and
        Levene ignore that scores are paired: F finds too little by AP, too much by RR. Pitman and
        Morgan's is the t, with n - 2 degrees of freedom, of the correlation of a + b and a - b,
        whose covariance is var(a) - var(b); where scores have long tails it finds too much.

    The level is kept where the two systems are exchangeable, or topics many: of equal means and
    skewed d, ``t`` rejected .07 to .18 with 8 to 50 topics, ``wilcoxon`` .08 to .97 for .05.

    With clusters, the error of mean(d) is sqrt(sum(u_g^2 / (1 - n_g / n))) / n, where u_g is the
    sum of d - mean(d) over cluster g with n_g of the n topics, and t has the degrees of freedom of
    Bell and McCaffrey (2002), which are those of topics that are independent: one less than there
    are clusters if these are equal, and near 1 if one holds most topics.

    For scores of 0 and 1, ``sign`` is the exact test of McNemar.

    The interval is mean(d) +- t sd(d) / sqrt n (one-sided: open at the other end), for the pair
    alone, uncorrected, that of ``randomization`` and ``bootstrap`` too; for Tukey's two methods it
    is that of all pairs at a time, mean(d) +- q sqrt(MSE / n). d_z (Lakens 2013) decides how many
    topics a paired t-test needs. A p of B random trials is (count + 1) / (B + 1), where count is
    the number of trials at least as extreme as what was found; they are the same for all pairs.

    References
    ----------
    Sakai (2006), doi:10.1145/1148170.1148261. Carterette (2012), doi:10.1145/2094072.2094076.
    Lakens (2013), doi:10.3389/fpsyg.2013.00863. Bell, McCaffrey (2002), Survey Methodology 28(2),
    169-181. Imbens, Kolesar (2016), doi:10.1162/REST_a_00552.
    Pitman (1939), doi:10.1093/biomet/31.1-2.9. Morgan (1939), doi:10.1093/biomet/31.1-2.13.

    Examples
    --------
    >>> import irstd
    >>> scores = irstd.load_dataset("sim-trec8").iloc[:, :4]
    >>> table = pairwise_tests(scores, correction="holm")
    >>> len(table), len(pairwise_tests(scores, baseline=scores.columns[0]))
    (6, 3)
    """
    check_choice(missing, ("raise", "pairwise"), "missing")
    rules = _rules(method, alternative, level, clusters, trials, seed)
    if missing == "pairwise" and METHODS[method].of_all:
        raise ValueError(f"{method!r} compares all systems at a time: missing must be 'raise'")
    complete = missing == "raise"
    scores = check_scores(scores, complete=complete, topics=least_topics(method), systems=2)
    systems = scores.columns
    baselines = None
    if baseline is not None:
        baselines = [baseline] if isinstance(baseline, str) else list(baseline)
        for system in baselines:
            check_choice(system, systems, "baseline")
    # Random draws go by the order of the labels, so that they do not depend on that of the scores.
    scores = scores.iloc[label_order(scores.index), label_order(systems)]
    if clusters is not None:
        rules = replace(rules, clusters=encode_clusters(clusters, scores.index))
    i, j = _pairs_to_test(scores.columns, systems, baselines, method)
    if correction is not None:
        check_correction(correction, method, len(i), len(scores), rules.trials, alternative)
    return corrected(pair_table(scores, i, j, rules), correction)


def _refuse_too_many(n_systems: int, method: str) -> None:
    """Raise ValueError if all pairs of systems would take gigabytes and minutes."""
    n_pairs = n_systems * (n_systems - 1) // 2
    most = MOST_PAIRS
    if METHODS[method].of_all:
        most = MOST_PAIRS // 4  # whose draws are the same for all pairs, in memory at a time
    if n_pairs > most:
        gigabytes = n_pairs / most
        raise ValueError(
            f"{n_pairs:,} pairs of {n_systems:,} systems would take {gigabytes:.0f} GB of memory or"
            f" more: give baseline=, or at most {int((2 * most) ** 0.5):,} systems"
        )


def _pairs_to_test(
    columns: pd.Index, systems: pd.Index, baselines: list[str] | None, method: str
) -> Positions:
    """Positions in `columns` of the systems of each pair; pairs are in the order of `systems`."""
    position = columns.get_indexer(systems)
    if baselines is None:
        _refuse_too_many(len(systems), method)
        first, second = np.triu_indices(len(systems), 1)
        return position[first], position[second]
    others = position[~systems.isin(baselines)]
    if not baselines or not len(others):
        raise ValueError("baseline must be one system or more, and leave others to be tested")
    position_of_baselines = columns.get_indexer(pd.Index(baselines))
    return np.tile(others, len(baselines)), np.repeat(position_of_baselines, len(others))
