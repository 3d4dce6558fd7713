"""Tests of whether systems differ: of one pair, of all pairs, or of all with a baseline."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from irstd._base.arguments import Seed, check_choice, check_count, check_flag, check_real, generator
from irstd._base.arrays import cleared, label_order, ratio
from irstd._base.matrix import Sample, as_pair, check_scores
from irstd.significance import mean_tests, pair_tests
from irstd.significance.corrections import adjusted, check_correction
from irstd.significance.pairs import (
    EXTREMES,
    Pairs,
    all_pairs,
    in_unit,
    moments_of_differences,
    sides,
)
from irstd.significance.several import FAMILIES, tests_of_collections

# Columns after the two systems: of tests of ranks, signs or spreads, and of tests of means.
COLUMNS = ["difference", "statistic", "direction", "pvalue"]
COLUMNS_OF_MEANS = ["difference", "low", "high", "effect_size", "statistic", "direction", "pvalue"]


class _Pair(NamedTuple):
    statistic: float
    pvalue: float


class PairedTest(_Pair):
    """A test of two systems: the named tuple ``(statistic, pvalue)``, which also knows sizes.

    It unpacks, compares and has a length as these two; ``_asdict()`` has the sizes too, which are
    the columns of `pairwise_tests`, NaN without one. A table of results is
    ``pd.DataFrame([result._asdict() for result in results])``.
    """

    difference: float
    low: float
    high: float
    effect_size: float

    def __new__(
        cls,
        statistic: float,
        pvalue: float,
        difference: float = math.nan,
        low: float = math.nan,
        high: float = math.nan,
        effect_size: float = math.nan,
    ) -> PairedTest:
        """Make the tuple of two, and hang the sizes on it."""
        pair = super().__new__(cls, statistic, pvalue)
        pair.difference = difference
        pair.low = low
        pair.high = high
        pair.effect_size = effect_size
        return pair

    def __repr__(self) -> str:
        parts = [f"{name}={value!r}" for name, value in self._asdict().items()]
        fields = ", ".join(parts)
        return f"PairedTest({fields})"

    def _asdict(self) -> dict[str, float]:
        return {"statistic": self.statistic, "pvalue": self.pvalue, **vars(self)}

    def _replace(self, **changes: float) -> PairedTest:
        return PairedTest(**(self._asdict() | changes))


def paired_test(
    a: Sample | pd.DataFrame,
    b: Sample | Sequence[str] | None = None,
    method: str = "t",
    *,
    alternative: str = "two-sided",
    level: float = 0.95,
    trials: int = 10_000,
    seed: Seed = 0,
    progress: bool = False,
) -> PairedTest:
    """Test whether two systems differ, by their scores on the same topics.

    Parameters
    ----------
    a, b : Series or array, n
        One score per topic. Two Series are matched by their index. Or a score matrix and two names
        of systems, ``paired_test(scores, ["x", "y"])``; with two columns, without names.
    method, alternative, level, trials, seed, progress
        As in `pairwise_tests`: it is the test of a score matrix with just these two systems.

    Returns
    -------
    PairedTest
        A named tuple ``(statistic, pvalue)`` with the attributes ``difference``, ``low``, ``high``
        and ``effect_size``, which are the columns of `pairwise_tests`.

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
    table = pairwise_tests(
        as_pair(a, b),
        method,
        alternative=alternative,
        level=level,
        trials=trials,
        seed=seed,
        progress=progress,
    )
    row = table.drop(columns=["system_a", "system_b", "direction"]).iloc[0]
    fields = {str(name): float(value) for name, value in row.items()}
    return PairedTest(**fields)


def pairwise_tests(
    scores: pd.DataFrame | Mapping[str, pd.DataFrame],
    method: str = "t",
    *,
    correction: str | None = None,
    baseline: str | Sequence[str] | None = None,
    alternative: str = "two-sided",
    level: float = 0.95,
    missing: str = "raise",
    family: str = "all",
    trials: int = 10_000,
    seed: Seed = 0,
    progress: bool = False,
) -> pd.DataFrame:
    """Test every pair of systems, or every system against a baseline.

    Parameters
    ----------
    scores : DataFrame, or dict of str to DataFrame
        A score matrix; or several by the name of their collection, with other topics and some
        systems in common, which are tested by t on each and in the mean over them.
    method : str, default "t"
        A test of means, ``"t"``, ``"randomization"``, ``"bootstrap"``, ``"tukey"`` or
        ``"randomized_tukey"``; of ranks and signs, ``"wilcoxon"`` or ``"sign"``; or of spreads,
        ``"paired_levene"``, ``"pitman_morgan"``, ``"f"``, ``"levene"`` (also ``"levene_median"``)
        or ``"levene_mean"``. See Notes.
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
    family : {"all", "collection"}, default "all"
        Of several collections, what is corrected together: all tests of the result, or those of
        each collection, and of the mean, by themselves.
    trials : int, default 10,000
        Of the randomized methods.
    seed : int or numpy.random.Generator, default 0
        For these; equal seeds give equal results in any order of topics and systems.
    progress : bool, default False
        Whether the randomized methods show a progress bar.

    Returns
    -------
    DataFrame
        One row per pair, each pair once, in the order of the columns of `scores`:

        ================== ===============================================================
        system_a, system_b the two systems
        difference         of their means, a - b; of their mean distances from the centre
                           for Levene's tests, of their standard deviations for
                           ``"pitman_morgan"`` and ``"f"``
        low, high          tests of means: interval of the difference at `level`, see Notes
        effect_size        tests of means: Cohen's d_z, mean(d) / sd(d)
        statistic          see Notes
        direction          whom the statistic speaks for: 1 for system_a, -1 for system_b, 0 for
                           neither; of ranks and signs not always the one of the larger mean
        pvalue             1 for two systems with the same scores (.5 to 1 if one-sided)
        topics             with ``missing="pairwise"``: of both systems; where they are too few
                           for the test, p is 1
        adjusted_pvalue    with a correction
        ================== ===============================================================

        Of several collections, the first column is ``collection``, and after their rows come those
        of the ``mean`` over collections, for pairs that are on all (no effect size). ``topics`` is
        always there.

    Raises
    ------
    ValueError
        If scores are missing (NaN); if there are fewer than two systems, or two topics (three for
        tests of spreads); if a correction is asked of Tukey's tests, whose p-values are those of
        all pairs already; if with so few trials, or topics, no corrected p could be .05 or less.

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
        See `paired_levene_test`, `pitman_morgan_test`, `f_test` and `levene_test` (with the median,
        with the mean). F and Levene ignore that the scores are paired, and find too little.

    The mean over k collections has the error sqrt(sum(var(d) / n)) / k over these, with
    Satterthwaite's degrees of freedom: other topics, but the same collections. What other
    collections would show is the question of `combine_collections`.

    The interval is mean(d) +- t sd(d) / sqrt n (one-sided: open at the other end), for the pair
    alone, uncorrected, that of ``randomization`` and ``bootstrap`` too; for Tukey's two methods it
    is that of all pairs at a time, mean(d) +- q sqrt(MSE / n). d_z (Lakens 2013) decides how many
    topics a paired t-test needs. A p of B random trials is (count + 1) / (B + 1), where count is
    the number of trials at least as extreme as what was found; they are the same for all pairs.

    References
    ----------
    Sakai (2006), doi:10.1145/1148170.1148261. Carterette (2012), doi:10.1145/2094072.2094076.
    Lakens (2013), doi:10.3389/fpsyg.2013.00863.

    Examples
    --------
    >>> import irstd
    >>> scores = irstd.load_dataset("sim-trec8").iloc[:, :4]
    >>> table = pairwise_tests(scores, correction="holm")
    >>> len(table), len(pairwise_tests(scores, baseline=scores.columns[0]))
    (6, 3)
    """
    check_choice(method, pair_tests.METHODS, "method")
    check_choice(alternative, EXTREMES, "alternative")
    properties = pair_tests.METHODS[method]
    if alternative != "two-sided" and not properties.signed:
        raise ValueError(f"{method!r} has no sign: alternative must be 'two-sided'")
    level = check_real(level, "level", 0, 1, open_="low high")
    trials = check_count(trials, "trials")
    rng = generator(seed)
    check_flag(progress, "progress")
    check_choice(missing, ("raise", "pairwise"), "missing")
    check_choice(family, FAMILIES, "family")
    if missing == "pairwise" and properties.of_all:
        raise ValueError(f"{method!r} compares all systems at a time: missing must be 'raise'")
    least = pair_tests.least_topics(method)
    if isinstance(scores, Mapping):
        return tests_of_collections(
            pairwise_tests,
            scores,
            method,
            correction=correction,
            family=family,
            alternative=alternative,
            level=level,
            baseline=baseline,
            missing=missing,
        )
    scores = check_scores(scores, complete=missing == "raise", topics=least, systems=2)

    systems = scores.columns
    # Random draws go by the order of the labels, so that they do not depend on that of the scores.
    scores = scores.iloc[label_order(scores.index), label_order(systems)]
    values = scores.to_numpy()
    i, j = _pairs_to_test(scores.columns, systems, baseline)
    if correction is not None:
        check_correction(correction, method, len(i), len(values), trials, alternative)

    random_options = {}
    if properties.random:
        random_options = {"trials": trials, "rng": rng, "progress": progress}
    test = partial(
        _test_pairs,
        method=method,
        alternative=alternative,
        level=level,
        random_options=random_options,
    )
    if missing == "raise":
        tests = test(values, i, j)
    else:
        tests = _test_on_common_topics(test, values, i, j, method)
    result = pd.DataFrame({"system_a": scores.columns[i], "system_b": scores.columns[j]})
    result = result.join(tests)
    if correction is not None:
        result["adjusted_pvalue"] = adjusted(result["pvalue"].to_numpy(), correction)
    return result


def _pairs_to_test(
    columns: pd.Index, systems: pd.Index, baseline: str | Sequence[str] | None
) -> Pairs:
    """Positions in `columns` of the systems of each pair; pairs are in the order of `systems`."""
    if baseline is None:
        first, second = all_pairs(len(systems))
        position = columns.get_indexer(systems)
        return position[first], position[second]
    baselines = list(baseline)
    if isinstance(baseline, str):
        baselines = [baseline]
    for system in baselines:
        check_choice(system, systems, "baseline")
    others = systems[~systems.isin(baselines)]
    if not baselines or others.empty:
        raise ValueError("baseline must be one system or more, and leave others to be tested")
    position_of_others = columns.get_indexer(others)
    position_of_baselines = columns.get_indexer(pd.Index(baselines))
    i = np.tile(position_of_others, len(baselines))
    j = np.repeat(position_of_baselines, len(others))
    return i, j


def _test_pairs(
    values: np.ndarray,
    i: np.ndarray,
    j: np.ndarray,
    *,
    method: str,
    alternative: str,
    level: float,
    random_options: dict[str, Any],
) -> pd.DataFrame:
    """Test pairs of systems on the same topics: `COLUMNS`, or `COLUMNS_OF_MEANS`, by pair."""
    properties = pair_tests.METHODS[method]
    options = dict(random_options)
    if properties.signed:
        options["alternative"] = alternative
    if properties.spread is not None:
        (unit_free,) = in_unit(values)
        statistic, p = properties.test(unit_free, i, j, **options)
        spread = properties.spread(values)
        larger = np.maximum(spread[i], spread[j])
        sizes = {"difference": cleared(spread[i] - spread[j], larger)}
        direction = np.sign(sizes["difference"])
    elif properties.ranks:
        statistic, p = properties.test(values, i, j, **options)
        means = values.mean(axis=0)
        sizes = {"difference": means[i] - means[j]}
        direction = np.sign(statistic)
        if properties.counts is not None:  # whose statistic has no sign
            direction = sides(values, i, j, properties.counts)
    else:
        mean, sd = moments_of_differences(values, i, j)
        if method == "t":  # from the moments that the sizes need too
            statistic, p = mean_tests.t_of_moments(mean, sd, len(values), alternative)
        else:
            statistic, p = properties.test(values, i, j, **options)
        if properties.of_all:
            half = np.full(len(sd), _half_width_of_all(values, level))
        else:
            half = _half_width(sd, len(values), alternative, level)
        sizes = _sizes_of_means(mean, sd, half, alternative)
        direction = np.sign(mean)
    test = {"statistic": statistic, "direction": direction.astype(int), "pvalue": p}
    return pd.DataFrame(sizes | test)


def _test_on_common_topics(
    test: Callable[..., pd.DataFrame],
    values: np.ndarray,
    i: np.ndarray,
    j: np.ndarray,
    method: str,
) -> pd.DataFrame:
    """Test each pair on the topics that both systems have; pairs that share them in one go."""
    missing = np.isnan(values)
    complete = ~(missing[:, i] | missing[:, j])  # topics x pairs
    groups, group_of_pair = np.unique(complete, axis=1, return_inverse=True)
    group_of_pair = group_of_pair.ravel()
    tables = []
    for group, on_topics in enumerate(groups.T):
        pairs = np.flatnonzero(group_of_pair == group)
        n_topics = on_topics.sum()
        if n_topics < pair_tests.least_topics(method):
            table = pd.DataFrame({"direction": 0, "pvalue": 1.0}, index=pairs)
        else:
            table = _test_group(test, values, on_topics, i[pairs], j[pairs]).set_axis(pairs)
        tables.append(table.assign(topics=n_topics))
    columns = COLUMNS_OF_MEANS
    if pair_tests.METHODS[method].spread is not None or pair_tests.METHODS[method].ranks:
        columns = COLUMNS
    return pd.concat(tables).sort_index().reindex(columns=[*columns, "topics"])


def _test_group(
    test: Callable[..., pd.DataFrame],
    values: np.ndarray,
    on_topics: np.ndarray,
    i: np.ndarray,
    j: np.ndarray,
) -> pd.DataFrame:
    """Test some pairs on some topics; the other systems, which may miss scores, are left out."""
    systems, positions = np.unique([i, j], return_inverse=True)
    new_i, new_j = positions.reshape(2, -1)
    return test(values[np.ix_(on_topics, systems)], new_i, new_j)


def _half_width(sd: np.ndarray, n: int, alternative: str, level: float) -> np.ndarray:
    """Half the width of the interval of a mean difference, for each pair alone."""
    share = level
    if alternative == "two-sided":
        share = (1 + level) / 2
    return stats.t.ppf(share, n - 1) * sd / np.sqrt(n)


def _half_width_of_all(values: np.ndarray, level: float) -> float:
    """Half the width of the intervals of all mean differences at a time (Tukey)."""
    error, df = mean_tests.error_of_means(values)
    return error * stats.studentized_range.ppf(level, values.shape[1], df)


def _sizes_of_means(
    mean: np.ndarray, sd: np.ndarray, half: np.ndarray | float, alternative: str
) -> dict[str, np.ndarray]:
    """The difference of the means of each pair, its interval and its standardized size."""
    low = mean - half
    high = mean + half
    if alternative == "less":
        low = np.full_like(mean, -np.inf)
    elif alternative == "greater":
        high = np.full_like(mean, np.inf)
    return {"difference": mean, "low": low, "high": high, "effect_size": ratio(mean, sd)}
