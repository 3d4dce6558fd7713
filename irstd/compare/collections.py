"""Comparison of collections by the scores of the same systems."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pandas as pd
import scipy

from irstd._base import arrays
from irstd._base.arguments import (
    Seed,
    check_alpha,
    check_choice,
    check_count,
    check_flag,
    check_level,
    make_generator,
)
from irstd._base.matrix import check_same_labels, check_scores, match_samples, refuse_missing
from irstd._base.messages import import_optional, warn
from irstd._base.several import ByCollection, check_collections, refuse_mixed_units
from irstd.rankings.correlation import rank_correlation
from irstd.significance.pair_tables import tabulate_tests
from irstd.significance.pair_tests import Rules
from irstd.standardize import Reference, by_method

ScoresOrMeans = pd.DataFrame | pd.Series
ALPHA = 0.05  # level of tests of a system against itself
FEW_TOPICS = 8  # in a collection; with fewer, variances are hardly known
# Beside a collection with UNEQUAL times as many topics, variances are hardly known with fewer
FEW_BESIDE_LARGE = 20
UNEQUAL = 10
# Skewness of differences times root of the sum of 1 / n over collections: bias of the combined
# mean, whose weights go by variances, in standard errors
SKEWED = 0.5


def drmse(c: ScoresOrMeans, d: ScoresOrMeans, *, mean: str = "arithmetic") -> float:
    """Return dRMSE, the RMSE of system means divided by their standard deviation.

    Parameters
    ----------
    c, d : DataFrame or Series
        Score matrices of the same systems on two sets of topics, or the systems' means.
    mean : {"arithmetic", "geometric"}, default "arithmetic"
        Mean of the two standard deviations of system means (ddof=1), the divisor.

    Returns
    -------
    float
        2 RMSE / (sd_C + sd_D), or with ``"geometric"`` RMSE / sqrt(sd_C sd_D), where RMSE is the
        root mean squared difference of the system means, sqrt(mean_s (M_s^C - M_s^D)^2).
        Independent of the unit of the scores; 0 if the means are the same on both. Not finite if
        all systems have the same mean.

    Raises
    ------
    ValueError
        If the two do not have the same systems, or scores are missing (NaN).

    References
    ----------
    Webber, Moffat, Zobel (2008), doi:10.1145/1390334.1390346, section 4.

    Examples
    --------
    >>> c, d = pd.Series({"a": 0.2, "b": 0.3}), pd.Series({"a": 0.3, "b": 0.4})
    >>> round(drmse(c, d), 4), round(drmse(10 * c, 10 * d), 4)
    (1.4142, 1.4142)
    """
    check_choice(mean, ("arithmetic", "geometric"), "mean")
    if not isinstance(c, pd.Series):
        c = check_scores(c, "c").mean()
    if not isinstance(d, pd.Series):
        d = check_scores(d, "d").mean()
    means_c, means_d = match_samples(c, d, ("c", "d"), of="systems")
    refuse_mixed_units({"c": means_c, "d": means_d})
    return float(arrays.drmse_rows(means_c, means_d, mean))


def false_positives(
    c: pd.DataFrame, d: pd.DataFrame, *, alpha: float = 0.05, equal_var: bool = True
) -> pd.DataFrame:
    """Test each system against itself on two collections.

    A significant difference is a false positive: the scores are then not comparable.

    Parameters
    ----------
    c, d : DataFrame
        Score matrices of the same systems on two sets of topics.
    alpha : float, default 0.05
        Significance level.
    equal_var : bool, default True
        True: two-sample t-test with pooled variance (Student), for equal spread or equal sizes: it
        rejected .20 at .05 with 50 against 10 topics, the 50 with half the spread. False: Welch's
        t-test.

    Returns
    -------
    DataFrame
        One row per system (index ``system``):

        ============== ==========================================================
        mean_c, mean_d means over topics on c and d
        statistic      t, positive if the mean on c is larger
        pvalue         two-sided; 1 where the means are equal
        better_on      "c" or "d", or None where pvalue > alpha
        ============== ==========================================================

        The false-positive rate is ``result["better_on"].notna().mean()``.

    Raises
    ------
    ValueError
        If the systems are not the same, scores are missing (NaN), or one has fewer than two topics.

    References
    ----------
    Webber, Moffat, Zobel (2008), doi:10.1145/1390334.1390346, section 4.

    Examples
    --------
    >>> c = pd.DataFrame({"a": [0.1, 0.2, 0.1], "b": [0.5, 0.1, 0.3]})
    >>> d = pd.DataFrame({"a": [0.8, 0.9, 0.8], "b": [0.2, 0.6, 0.3]})
    >>> false_positives(c, d).round(3)
            mean_c  mean_d  statistic  pvalue better_on
    system
    a        0.133   0.833    -14.849    0.00         d
    b        0.300   0.367     -0.400    0.71      None
    """
    alpha = check_alpha(alpha)
    equal_var = check_flag(equal_var, "equal_var")
    c = check_scores(c, "c", topics=2)
    d = check_scores(d, "d", topics=2)
    check_same_labels(c.columns, d.columns, ("c", "d"))
    refuse_mixed_units({"c": c, "d": d})
    x = c.to_numpy()
    y = d[c.columns].to_numpy()
    mean_c = x.mean(axis=0)
    mean_d = y.mean(axis=0)
    var_c = arrays.spreads(x) ** 2
    var_d = arrays.spreads(y) ** 2
    t, p = arrays.two_sample_t(mean_c, mean_d, var_c, var_d, len(x), len(y), equal_var)
    columns = {"mean_c": mean_c, "mean_d": mean_d, "statistic": t, "pvalue": p}
    better_on = pd.Series(np.where(t > 0, "c", "d"), c.columns, dtype=object)
    return pd.DataFrame(columns, c.columns).assign(better_on=better_on.where(p <= alpha, None))


def compare_collections(
    collections: ByCollection,
    *,
    references: Mapping[str, Reference] | None = None,
    method: str | None = None,
    trials: int = 0,
    seed: Seed = 0,
) -> pd.DataFrame:
    """Compare the scores of the same systems on each pair of collections.

    Parameters
    ----------
    collections : dict of str to DataFrame
        Score matrices of the same systems on different topics.
    references : dict of str to DataFrame, Factors or None, optional
        The standardizing systems of each collection, if there is a `method`; None for the
        collection's own systems, which is also the default.
    method : str, optional
        Method of `standardize` to apply first; by default scores stay raw.
    trials : int, default 0
        Number of random splits of each pair's pooled topics, into sets of the same sizes, with
        which its values are compared.
    seed : int or numpy.random.Generator, default 0
        Seed of these splits; topics are drawn in the order of their ids.

    Returns
    -------
    DataFrame
        One row per pair, in the order given:

        ============================ ================================================
        c, d                         names of the two collections
        drmse                        of the system means, see `drmse`
        better_on_c, better_on_d     numbers of systems that are significantly better on
                                     c, or on d, see `false_positives`
        tau, pearson                 correlations of the system means: Kendall's tau-b and
                                     Pearson's
        difficulty, difficulty_se    mean of c less d over raw system means (positive if c is
                                     easier), and its standard error over systems, both in
                                     standard deviations of system means
        references, references_se    with references of both: the same of standardized means;
                                     positive if the references of c are weaker
        percentile                   with trials: the percentage of random splits whose
                                     dRMSE is no larger
        percentile_fpr               with trials: the same for the number of false
                                     positives
        ============================ ================================================

    Raises
    ------
    ValueError
        If there are fewer than two collections; if their systems are not the same, or fewer than
        two; if scores are missing (NaN); if collections share topics, or one of them is in percent;
        if references are given without a method, or not for each collection.

    Warns
    -----
    UserWarning
        If two references differ by more than their collections do.

    Notes
    -----
    Standardizing replaces one bias by another: raw scores are biased by the difference in
    difficulty, standardized ones by the difference between the references. On sets of fifty topics
    of Robust 2004, standardized scores ordered pairs of systems better than raw scores roughly
    where the second bias was the smaller one. Systems that standardize themselves have the same
    mean on both sides by construction, so there is no difference between references to report.

    References
    ----------
    Webber, Moffat, Zobel (2008), doi:10.1145/1390334.1390346, tables 3 to 5.

    Examples
    --------
    >>> import irstd
    >>> scores = irstd.load_dataset("sim-robust2004-all")
    >>> parts = {"t7": scores.loc["351":"400"], "r3": scores.loc["601":"650"]}
    >>> compare_collections(parts, trials=100)[["c", "d", "drmse", "tau", "percentile"]].round(2)
        c   d  drmse   tau  percentile
    0  t7  r3   1.78  0.77       100.0
    """
    trials = check_count(trials, "trials", 0)
    rng = make_generator(seed)
    raw = check_collections(collections, "collections", complete=True)
    first = next(iter(raw))
    for name, table in raw.items():
        check_same_labels(raw[first].columns, table.columns, (first, name))
    if references is None:
        references = dict.fromkeys(raw)
    if not isinstance(references, Mapping) or set(references) != set(raw):
        raise ValueError(
            f"references must be a dict with the keys {[*raw]}, one per collection"
            " (None: its own systems)"
        )
    tables = {name: by_method(table, references[name], method) for name, table in raw.items()}
    rows = []
    for (name_c, c), (name_d, d) in combinations(tables.items(), 2):
        tests = false_positives(c, d)
        means_c = tests["mean_c"].to_numpy()
        means_d = tests["mean_d"].to_numpy()
        distance = arrays.drmse_rows(means_c, means_d)
        row = {
            "c": name_c,
            "d": name_d,
            "drmse": distance,
            "better_on_c": (tests["better_on"] == "c").sum(),
            "better_on_d": (tests["better_on"] == "d").sum(),
            "tau": rank_correlation(means_c, means_d),
            "pearson": rank_correlation(means_c, means_d, "pearson"),
        }
        row |= _measure_gap(raw[name_c], raw[name_d], "difficulty")
        if references[name_c] is not None and references[name_d] is not None:
            row |= _measure_gap(c, d, "references")
            _warn_of_references(row)
        if trials:
            distances, different = _split_at_random(c, d, trials, rng)
            # Compared without rounding errors
            no_farther = arrays.snap_to_zero(distances - distance, distance) <= 0
            no_more = different <= tests["better_on"].notna().sum()
            row["percentile"] = 100 * no_farther.mean()
            row["percentile_fpr"] = 100 * no_more.mean()
        rows.append(row)
    return pd.DataFrame(rows)


def _measure_gap(c: pd.DataFrame, d: pd.DataFrame, name: str) -> dict[str, float]:
    """Return the mean gap between collections and its standard error, in system sds."""
    differences = c.mean() - d.mean()
    sd = (c.mean().std() + d.mean().std()) / 2 or math.nan
    se = differences.std() / math.sqrt(len(differences))
    return {name: differences.mean() / sd, f"{name}_se": se / sd}


def _warn_of_references(row: dict) -> None:
    """Warn if references differ significantly more than their collections do."""
    excess = abs(row["references"]) - abs(row["difficulty"])
    if excess > math.hypot(row["references_se"], row["difficulty_se"]):
        warn(
            f"the standardizing systems of {row['c']} and {row['d']} differ more than the two"
            f" collections do, by {excess:.2f} standard deviations of system means: raw scores may"
            " order systems better"
        )


def _split_at_random(
    c: pd.DataFrame, d: pd.DataFrame, trials: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Return dRMSE and false positives for random splits of the pooled topics."""
    pooled = np.vstack([table.iloc[arrays.order_labels(table.index)] for table in (c, d)])
    # Sorting random numbers shuffles; one row per split
    shuffled = rng.random((trials, len(pooled))).argsort(axis=1)
    samples_c, samples_d = np.split(shuffled, [len(c)], axis=1)
    means_c = arrays.sample_means(pooled, samples_c)
    means_d = arrays.sample_means(pooled, samples_d)
    var_c = arrays.sample_variances(pooled, samples_c)
    var_d = arrays.sample_variances(pooled, samples_d)
    _, pvalues = arrays.two_sample_t(means_c, means_d, var_c, var_d, len(c), len(d), equal_var=True)
    return arrays.drmse_rows(means_c, means_d), (pvalues <= ALPHA).sum(axis=1)


def combine_collections(
    collections: ByCollection,
    system: str,
    baseline: str,
    *,
    level: float = 0.95,
) -> pd.DataFrame:
    """Combine the difference between two systems over collections (random effects).

    Parameters
    ----------
    collections : dict of str to DataFrame
        At least three score matrices by name, all with both systems. To compare on another scale,
        `standardize` each.
    system, baseline : str
        Columns to compare.
    level : float, default 0.95
        Confidence level of the intervals.

    Returns
    -------
    DataFrame
        One row per collection (index ``collection``), then ``combined`` and ``another``:

        ========== ===========================================================================
        topics     number of topics
        difference mean over topics of system - baseline; in the last two rows, their
                   random-effects mean
        low, high  interval of the difference (paired t); for ``combined``, of the
                   random-effects mean; for ``another``, prediction interval of the true
                   difference on one more such collection
        weight     weight of the collection in the combined mean
        between    tau, the standard deviation of true differences between collections (the
                   same in all rows)
        ========== ===========================================================================

    Raises
    ------
    ValueError
        If there are fewer than three collections; if one lacks a system; if they share topics; if
        the two systems differ by a constant on a collection.

    Warns
    -----
    UserWarning
        If a collection has fewer than eight topics, or fewer than 20 beside one with more than ten
        times as many; or if differences are so skewed that the interval covers too little.

    Notes
    -----
    y_c is the mean difference on a collection and v_c the variance of the differences by topic,
    divided by the number of topics; with the variance between collections tau^2 (Paule and Mandel)
    the weights are 1 / (v_c + tau^2). The interval of the combined mean is Hartung and Knapp's,
    with k - 1 degrees of freedom for k collections, and never narrower than without their factor.
    The prediction interval adds tau^2, with k - 2; at the level .95 it covered .87 to .92 of new
    true differences for a tau of half to two standard errors. The combined interval covered .96 to
    1.00 with collections of equal size, but .88 to .93 with sizes as unequal as 8 and 200, .93 to
    .94 with 8 to 10 topics each, as v_c is then hardly known, .83 to .92 with fewer than 8 in some
    collections, and .16 to .91 for skewed differences. True differences are taken to be normal:
    with one collection in ten unlike the others, it covered .71 to .77. With few collections tau is
    hardly known either: an estimate of 0 does not show that they are alike.

    References
    ----------
    Paule, Mandel (1982), doi:10.6028/jres.087.022. Hartung, Knapp (2001), doi:10.1002/sim.1009.
    Prediction intervals: Higgins, Thompson, Spiegelhalter (2009),
    doi:10.1111/j.1467-985X.2008.00552.x. Soboroff (2018), doi:10.1145/3269206.3271719.

    Examples
    --------
    >>> import irstd
    >>> scores = irstd.load_dataset("sim-robust2004-all")
    >>> parts = {f"{k}": scores.iloc[k : k + 50] for k in range(0, 200, 50)}
    >>> combine_collections(parts, scores.columns[0], scores.columns[-1]).round(3)
                topics  difference    low   high  weight  between
    collection
    0               50      -0.112 -0.159 -0.065   0.272    0.044
    50              50      -0.115 -0.156 -0.074   0.286    0.044
    100             50      -0.174 -0.241 -0.108   0.222    0.044
    150             50      -0.223 -0.291 -0.155   0.220    0.044
    combined       200      -0.151 -0.234 -0.068     NaN    0.044
    another        200      -0.151 -0.372  0.070     NaN    0.044
    """
    level = check_level(level)
    if system == baseline:
        raise ValueError(f"system and baseline are both {system!r}: name two systems")
    tables = check_collections(collections, "collections", least=3, systems=(system, baseline))
    tests = {}
    differences = {}
    for name, table in tables.items():
        pair = table[[system, baseline]]
        refuse_missing(pair, name)
        tests[name] = tabulate_tests(pair, Rules(level=level))
        differences[name] = pair[system] - pair[baseline]
        if tests[name]["se"].item() == 0:
            raise ValueError(f"{name}: no standard error, as all topics have the same difference")
    _warn_of_variances(differences)
    table = pd.concat(tests, names=["collection"]).droplevel(1)
    meta_analysis = import_optional("statsmodels.stats.meta_analysis")
    with np.errstate(divide="ignore"):  # it also computes the heterogeneity, a ratio
        effects = meta_analysis.combine_effects(
            table["difference"].to_numpy(), table["se"].to_numpy() ** 2, method_re="iterated"
        )
    table["weight"] = effects.weights_rel_re
    # Hartung and Knapp's factor, which must not narrow the interval
    variance = effects.var_eff_w_re * max(1.0, effects.scale_hksj_re)
    df = len(tables) - 1
    n_topics = {"topics": table["topics"].sum()}
    for row, extra in (("combined", 0), ("another", 1)):
        se = math.sqrt(variance + extra * effects.tau2)
        estimate = arrays.t_estimate(effects.mean_effect_re, se, df - extra, level)
        table.loc[row] = pd.Series(estimate | n_topics)
    table["between"] = math.sqrt(effects.tau2)
    columns = ["topics", "difference", "low", "high", "weight", "between"]
    return table[columns].astype({"topics": int})


def _warn_of_variances(differences: Mapping[str, pd.Series]) -> None:
    """Warn if topics are few or differences are skewed."""
    sizes = pd.Series({name: len(d) for name, d in differences.items()})
    few = sizes.min()
    limit = FEW_TOPICS
    beside = ""
    if sizes.max() > UNEQUAL * few:
        limit = FEW_BESIDE_LARGE
        beside = f" beside a collection of {sizes.max()}"
    if few < limit:
        warn(
            f"{sizes.idxmin()} has only {few} topics: with fewer than {limit}{beside}, 95%"
            " intervals covered the true difference in 83 to 93% of simulations"
        )
    skew = np.average([scipy.stats.skew(d) for d in differences.values()], weights=sizes)
    if abs(skew) * math.sqrt((1 / sizes).sum()) > SKEWED:
        warn(
            f"differences between the two systems are skewed (skewness {skew:.1f}): intervals miss"
            " the true difference too often, since collections with large differences get too"
            " little weight"
        )
