"""Comparison across collections: how alike systems score on two sets of topics."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pandas as pd

from irstd._base import arrays
from irstd._base.arguments import (
    Seed,
    check_alpha,
    check_choice,
    check_count,
    check_flag,
    check_level,
    generator,
)
from irstd._base.matrix import check_same, check_scores, match
from irstd._base.messages import import_optional, listed, warn
from irstd._base.several import ByCollection, check_collections
from irstd.rankings.correlation import rank_correlation
from irstd.significance.pairwise import pairwise_tests
from irstd.standardize import Reference, by_method

ScoresOrMeans = pd.DataFrame | pd.Series
MEANS = ("arithmetic", "geometric")
ALPHA = 0.05  # of the systems that differ from themselves


def rmse(c: ScoresOrMeans, d: ScoresOrMeans) -> float:
    """Root mean squared difference of what the same systems score on two collections.

    Parameters
    ----------
    c, d : DataFrame or Series
        Score matrices of the same systems on two sets of topics, or the systems' means.

    Returns
    -------
    float
        In the unit of the scores: sqrt(mean_s (M_s^C - M_s^D)^2).

    Examples
    --------
    >>> rmse(pd.Series({"a": 0.2, "b": 0.3}), pd.Series({"b": 0.4, "a": 0.3}))
    0.1
    """
    means_c, means_d = _means(c, d, 1)
    return float(np.sqrt(((means_c - means_d) ** 2).mean()))


def drmse(c: ScoresOrMeans, d: ScoresOrMeans, *, mean: str = "arithmetic") -> float:
    """RMSE over the spread of the systems: how far a system moves, against how far systems differ.

    Parameters
    ----------
    c, d : DataFrame or Series
        Score matrices of the same systems on two sets of topics, or the systems' means.
    mean : {"arithmetic", "geometric"}, default "arithmetic"
        Of the two standard deviations of the system means (ddof=1), by which to divide.

    Returns
    -------
    float
        2 RMSE / (sd_C + sd_D), or RMSE / sqrt(sd_C sd_D). It does not depend on the unit of the
        scores. NaN if all systems score the same.

    References
    ----------
    Webber, Moffat, Zobel (2008), doi:10.1145/1390334.1390346, section 4.

    Examples
    --------
    >>> c, d = pd.Series({"a": 0.2, "b": 0.3}), pd.Series({"a": 0.3, "b": 0.4})
    >>> round(drmse(c, d), 4), round(drmse(10 * c, 10 * d), 4)
    (1.4142, 1.4142)
    """
    check_choice(mean, MEANS, "mean")
    means_c, means_d = _means(c, d, 2)
    return float(arrays.drmse_rows(means_c, means_d, mean))


def _means(c: ScoresOrMeans, d: ScoresOrMeans, least: int) -> tuple[np.ndarray, np.ndarray]:
    """The means of the same systems, of so many or more, side by side."""
    if not isinstance(c, pd.Series):
        c = check_scores(c, "c").mean()
    if not isinstance(d, pd.Series):
        d = check_scores(d, "d").mean()
    return match(c, d, ("c", "d"), least=least, of="systems")


def false_positives(
    c: pd.DataFrame, d: pd.DataFrame, *, alpha: float = 0.05, equal_var: bool = True
) -> pd.DataFrame:
    """Test each system against itself on two collections.

    A system is not better than itself: where the test says so, the scores do not compare.

    Parameters
    ----------
    c, d : DataFrame
        Score matrices of the same systems on two sets of topics.
    alpha : float, default 0.05
        Level of the test.
    equal_var : bool, default True
        A two-sample t-test with a pooled variance (Student); False for Welch's.

    Returns
    -------
    DataFrame
        One row per system (index ``system``):

        ============== ==========================================================
        mean_c, mean_d over the topics of each
        statistic      t, positive if the mean on c is larger
        pvalue         two-sided; 1 where the means are equal
        better_on      "c" or "d", or None where pvalue > alpha
        ============== ==========================================================

        The false-positive rate is ``result["better_on"].notna().mean()``.

    Examples
    --------
    >>> c = pd.DataFrame({"a": [0.1, 0.2, 0.1], "b": [0.5, 0.1, 0.3]})
    >>> d = pd.DataFrame({"a": [0.8, 0.9, 0.8], "b": [0.2, 0.6, 0.3]})
    >>> false_positives(c, d)["better_on"].tolist()
    ['d', None]
    """
    alpha = check_alpha(alpha)
    equal_var = check_flag(equal_var, "equal_var")
    c = check_scores(c, "c", topics=2)
    d = check_scores(d, "d", topics=2)
    check_same(c.columns, d.columns, ("c", "d"))
    d = d[c.columns]
    x = c.to_numpy()
    y = d.to_numpy()
    mean_x = x.mean(axis=0)
    mean_y = y.mean(axis=0)
    var_x = arrays.spreads(x) ** 2
    var_y = arrays.spreads(y) ** 2
    t, pvalues = arrays.two_sample_t(mean_x, mean_y, var_x, var_y, len(x), len(y), equal_var)
    better_on = pd.Series(np.where(t > 0, "c", "d"), c.columns, dtype=object)
    columns = {
        "mean_c": mean_x,
        "mean_d": mean_y,
        "statistic": t,
        "pvalue": pvalues,
        "better_on": better_on.where(pvalues <= alpha, None),
    }
    return pd.DataFrame(columns, c.columns)


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
        The standardizing systems of each collection, None for the systems themselves, which is the
        default for all.
    method : str, optional
        Standardize first, by a method of `standardize`; by default the scores are left as they
        are.
    trials : int, default 0
        Random splits of the pooled topics of each pair, into sets of the same sizes, to hold its
        values against.
    seed : int or numpy.random.Generator, default 0
        For these; draws are by sorted topic id.

    Returns
    -------
    DataFrame
        One row per pair, in the order given:

        ============================ ================================================
        c, d                         names of the collections
        drmse                        see `drmse`
        better_on_c, better_on_d     systems that are significantly better than
                                     themselves on c, and on d, see `false_positives`
        tau, pearson                 of the system means
        difficulty, difficulty_se    how much better the systems score on c than on d,
                                     raw, and its standard error over systems: both in
                                     standard deviations of system means
        references, references_se    with references of both: the same standardized, so
                                     how much weaker those of c are
        percentile                   with trials: the percentage of random splits in
                                     which dRMSE is no larger
        percentile_fpr               with trials: the same for the number of systems
                                     that differ from themselves
        ============================ ================================================

    Raises
    ------
    ValueError
        If there are fewer than two collections; if their systems are not the same, or fewer than
        two; if scores are missing (NaN); if collections share topics, or one is in percent; if
        references are given without method, or not for each collection.

    Warns
    -----
    UserWarning
        If two references differ by more than their collections do, so that standardizing replaces a
        gap by a larger one.

    Notes
    -----
    Standardizing replaces one gap by another: raw scores are wrong by the difference in difficulty,
    standardized ones by the difference of the references, both best counted in standard deviations
    of system means. On sets of fifty topics of Robust 2004, standardizing ordered pairs of systems
    better than raw scores did where the second gap was the smaller one, about. Systems that
    standardize themselves have the same mean on both sides by construction: nothing is said of
    references then.

    References
    ----------
    Webber, Moffat, Zobel (2008), doi:10.1145/1390334.1390346, tables 3 to 5.

    Examples
    --------
    >>> import irstd
    >>> scores = irstd.load_dataset("sim-robust2004-all")
    >>> parts = {"t7": scores.loc["351":"400"], "r3": scores.loc["601":"650"]}
    >>> compare_collections(parts, trials=100)["percentile"].item()
    100.0
    """
    trials = check_count(trials, "trials", 0)
    rng = generator(seed)
    raw = check_collections(collections, "collections", complete=True)
    first = next(iter(raw))
    for name, table in raw.items():
        check_same(raw[first].columns, table.columns, (first, name))
    tables = standardized_collections(raw, references, method)
    with_reference = {name for name, given in (references or {}).items() if given is not None}
    rows = []
    for (name_c, c), (name_d, d) in combinations(tables.items(), 2):
        tests = false_positives(c, d)
        means_c = tests["mean_c"].to_numpy()
        means_d = tests["mean_d"].to_numpy()
        distance = float(arrays.drmse_rows(means_c, means_d))
        row = {
            "c": name_c,
            "d": name_d,
            "drmse": distance,
            "better_on_c": int((tests["better_on"] == "c").sum()),
            "better_on_d": int((tests["better_on"] == "d").sum()),
            "tau": rank_correlation(means_c, means_d),
            "pearson": rank_correlation(means_c, means_d, "pearson"),
        }
        row |= _gap(raw[name_c], raw[name_d], "difficulty")
        if {name_c, name_d} <= with_reference:
            row |= _gap(c, d, "references")
            _warn_of_references(row)
        if trials:
            distances, different = _random_splits(c, d, trials, rng)
            # Random splits no farther apart than these two; what only rounding tells is equal
            no_farther = arrays.snap_to_zero(distances - distance, distance) <= 0
            no_more = different <= tests["better_on"].notna().sum()
            row["percentile"] = 100 * float(no_farther.mean())
            row["percentile_fpr"] = 100 * float(no_more.mean())
        rows.append(row)
    return pd.DataFrame(rows)


def _gap(c: pd.DataFrame, d: pd.DataFrame, name: str) -> dict[str, float]:
    """How much better the same systems score on c, and its error over systems, both in sds."""
    of_themselves = c.mean() - d.mean()
    sd = float(c.mean().std() + d.mean().std()) / 2 or math.nan
    error = float(of_themselves.std()) / math.sqrt(len(of_themselves))
    return {name: float(of_themselves.mean()) / sd, f"{name}_se": error / sd}


def _warn_of_references(row: dict) -> None:
    """Say so where they are farther apart than the collections, by more than an error."""
    farther = abs(row["references"]) - abs(row["difficulty"])
    if farther > math.hypot(row["references_se"], row["difficulty_se"]):
        warn(
            f"the standardizing systems of {row['c']} and {row['d']} differ by more than the two"
            f" collections do, by {farther:.2f} standard deviations of system means: raw scores are"
            " expected to order systems better than standardized ones"
        )


def _random_splits(
    c: pd.DataFrame, d: pd.DataFrame, trials: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """The topics of both, split at random into sets of the same sizes.

    The dRMSE of each split, and how many systems differ from themselves.
    """
    pooled = np.vstack([table.iloc[arrays.label_order(table.index)] for table in (c, d)])
    # To sort random numbers is to shuffle, here once for each split.
    shuffled = rng.random((trials, len(pooled))).argsort(axis=1)
    samples_c, samples_d = np.split(shuffled, [len(c)], axis=1)
    means_c = arrays.sample_means(pooled, samples_c)
    means_d = arrays.sample_means(pooled, samples_d)
    var_c = arrays.sample_variances(pooled, samples_c)
    var_d = arrays.sample_variances(pooled, samples_d)
    _, pvalues = arrays.two_sample_t(means_c, means_d, var_c, var_d, len(c), len(d), equal_var=True)
    return arrays.drmse_rows(means_c, means_d), (pvalues <= ALPHA).sum(axis=1)


def standardized_collections(
    tables: ByCollection,
    references: Mapping[str, Reference] | None,
    method: str | None,
) -> dict[str, pd.DataFrame]:
    """Each collection by its reference; by its own systems without one; raw without a method."""
    if references is None:
        references = dict.fromkeys(tables)
    if not isinstance(references, Mapping) or set(references) != set(tables):
        raise ValueError(
            "references must be a dict of those of each collection (None for its own systems):"
            f" {listed(tables, 20)}"
        )
    return {name: by_method(table, references[name], method) for name, table in tables.items()}


def combine_collections(
    collections: ByCollection,
    system: str,
    baseline: str,
    *,
    references: Mapping[str, Reference] | None = None,
    method: str | None = None,
    level: float = 0.95,
) -> pd.DataFrame:
    """How much better a system is than a baseline, on several collections taken together.

    Parameters
    ----------
    collections : dict of str to DataFrame
        Three score matrices or more by name, all with both systems.
    system, baseline : str
        Their columns.
    references, method
        Standardize first, as in `compare_collections`; by default the scores are left as they are.
    level : float, default 0.95
        Of the intervals.

    Returns
    -------
    DataFrame
        One row per collection (index ``collection``), then ``combined`` and ``another``:

        ========== ===========================================================================
        topics     of the collection; of all
        difference system - baseline, mean over topics; the random-effects mean of these
        low, high  interval of the difference (paired t); for ``another``, of the true
                   difference on one more such collection (prediction interval)
        weight     share of the collection in the combined mean
        between    standard deviation of the true differences between collections (the same in
                   all rows)
        ========== ===========================================================================

    Notes
    -----
    y_c is the mean difference on a collection and v_c its variance over topics by their number;
    with the variance between collections tau^2 (Paule and Mandel) the weights are
    1 / (v_c + tau^2). The interval of the combined mean is that of Hartung and Knapp, with k - 1
    degrees of freedom and never narrower than without their factor; that of another collection
    adds tau^2, with k - 2; where tau is half to twice a standard error it held .87 to .92 of new
    true differences, for a promised .95. The combined interval held .96 to 1.00 with collections of
    equal sizes, but .93 to .94 with sizes from 8 to 200 topics or of 8 to 10 each, as v_c is then
    hardly known. With few collections tau is hardly known either: its zero is no proof.

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
    >>> combine_collections(parts, scores.columns[0], scores.columns[-1]).index.tolist()
    ['0', '50', '100', '150', 'combined', 'another']
    """
    level = check_level(level)
    tables = check_collections(collections, "collections", least=3, systems=(system, baseline))
    tests = {}
    for name, table in standardized_collections(tables, references, method).items():
        pair = check_scores(table[[system, baseline]], name)
        tests[name] = pairwise_tests(pair, level=level)
        if tests[name]["se"].item() == 0:
            raise ValueError(f"{name}: the two systems differ by a constant, which has no error")
    table = pd.concat(tests, names=["collection"]).droplevel(1)
    meta_analysis = import_optional("statsmodels.stats.meta_analysis")
    variances = table["se"].to_numpy() ** 2
    with np.errstate(divide="ignore"):  # it also says how much of the spread is not chance
        effects = meta_analysis.combine_effects(
            table["difference"].to_numpy(), variances, method_re="iterated"
        )
    k = len(table)
    mean = effects.mean_effect_re
    # Hartung and Knapp's factor, which may not make the interval narrower
    variance = effects.var_eff_w_re * max(1.0, effects.scale_hksj_re)
    combined = arrays.t_estimate(mean, math.sqrt(variance), k - 1, level)
    another = arrays.t_estimate(mean, math.sqrt(variance + effects.tau2), k - 2, level)
    table["weight"] = effects.weights_rel_re
    n_topics = {"topics": table["topics"].sum()}
    table.loc["combined"] = pd.Series(combined | n_topics)
    table.loc["another"] = pd.Series(another | n_topics)
    table["between"] = math.sqrt(effects.tau2)
    columns = ["topics", "difference", "low", "high", "weight", "between"]
    return table[columns].astype({"topics": int})
