"""Comparison of two systems run on different collections."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import scipy

from irstd._base.arguments import check_choice, check_level
from irstd._base.arrays import t_estimate, welch
from irstd._base.matrix import (
    check_numbers,
    check_same_attributes,
    check_same_labels,
    check_scores,
    refuse_missing,
)
from irstd._base.messages import warn
from irstd._base.several import refuse_mixed_units, refuse_shared_topics
from irstd.factors import Factors
from irstd.standardize import METHODS, standardized

COMPARED = "ours, theirs"  # column of the compared system, each on its collection
FEW = 5  # common systems; with fewer, the variance of their differences is hardly known
# Mean correlation by topic of m random systems, in nine of ten draws: at most
# USUAL + BY_CHANCE / m, or at most USUAL above that with other systems
USUAL = 0.1
BY_CHANCE = 0.5
SLOPE = 0.005  # p of a trend of the common systems' differences with their means
TAIL = 0.025  # probability beyond each end of a prediction interval for one more common system


def compare_across(
    ours: pd.Series,
    theirs: pd.Series,
    references: Sequence[pd.DataFrame | Factors | str],
    method: str = "normal",
    *,
    common: Sequence[pd.DataFrame] | None = None,
    level: float = 0.95,
) -> pd.DataFrame:
    """Compare two systems that were run on different collections.

    Parameters
    ----------
    ours, theirs : Series
        Scores of one system by topic of collection C, and of the other by topic of D.
    references : pair of DataFrame, Factors or str
        The standardizing systems of C and of D, as factors, scores or names (``"trec8"``).
    method : str, default "normal"
        A method of `standardize`; it needs score matrices as references if `standardize` does.
    common : pair of DataFrame, optional
        Scores on C and on D of systems that were run on both: they show how much collections and
        references differ. Give about ten systems from several groups, weak and strong: variants of
        one system move together and are not informative about others.
    level : float, default 0.95
        Confidence level of the intervals.

    Returns
    -------
    DataFrame
        One row per scale (index ``scale``):

        ========== ==========================================================================
        linked     only with `common`, and then the row to read: standardized scores, corrected
                   by the common systems' mean difference between C and D (common-item linking of
                   test equating), so that references may differ in strength, if ours and theirs
                   lie within the range of the common systems
        raw        unchanged scores
        centered   scores less the mean of the standardizing systems over all topics
        (method)   scores standardized by topic; the row is named for the method: ``normal``
        ========== ==========================================================================

        The columns:

        ================== ==================================================================
        difference         ours - theirs
        low, high          confidence interval of the difference
        statistic, pvalue  two-sided t-test
        ================== ==================================================================

    Raises
    ------
    ValueError
        If ours and theirs do not vary over topics; if they share topics (equal ids, on which the
        references' means correlate); if one of them is in percent; if the common systems or their
        topics do not match; and as in `standardize`.

    Warns
    -----
    UserWarning
        If there are fewer than five common systems, or these are more correlated by topic with each
        other than with ours and theirs, as variants of one system are; if the mean of ours or
        theirs is outside the 95% prediction interval of the common systems' means, or far from
        their mean where the differences of common systems depend on their means (p <= .005); and as
        in `standardize`.

    Notes
    -----
    Without `common` all rows are Welch's t-test over topics. It assumes equally strong references,
    which cannot be checked.

    With m common systems, Welch's variance on the other three scales is increased by
    max(0, mean(d_s^2 - w_s)), where d_s is the difference of a common system's means on C and D,
    and w_s its variance in Welch's test; degrees of freedom are Satterthwaite's, m for mean(d_s^2).
    A system tested against itself then differs significantly in .01 to .06 of cases, and less often
    if all common systems move alike, as their raw scores do. Power is low, too: if references
    differ, the standardized row has hardly any.

    ``linked`` tests whether ours and theirs differ by more than a common system does from itself.
    The standard error is that of Welch's test of ours and theirs, each less the mean of the common
    systems by topic, times sqrt(v / w). v is the variance of d_s, and w its expectation if only
    topics moved the systems: tr(S) / (m - 1), where S is the covariance of the common systems'
    scores, less their mean by topic, over the number of topics, summed over C and D. The degrees of
    freedom are Satterthwaite's, with tr(S)^2 / tr(S^2) for v, fewer than m - 1 if common systems
    are alike. It assumes that ours, theirs and the common systems respond to a new collection
    alike. For a system against itself from the weakest fifth, with ten random common systems or the
    ten strongest, it rejected .09 to .22 on sets of topics of terabyte2006, and .38 to .79 on easy
    against hard topics of web2004 (chosen by their mean). The strongest ten always gave a warning,
    random ones in .3 and .7; random systems with random common ones in .05 to .10. Where all common
    systems are of another kind than ours and theirs (lexical and dense), and the collections favor
    different kinds, it rejected up to .95, mostly without a warning; half of each kind keeps the
    level.

    Collections that share topics, as yearly rounds of one collection do, are refused: keep each
    topic on one side only. On a topic that is on both sides, common systems move less than ours and
    theirs, which are two systems: with the topics of one side renamed, ``linked`` rejected up to .2
    at .05.

    Standardizing replaces one bias by another: raw scores are biased by the difference in
    difficulty, standardized ones by the difference between the references. `compare_collections`
    estimates both from common systems.

    References
    ----------
    Webber, Moffat, Zobel (2008), doi:10.1145/1390334.1390346. Kolen, Brennan (2014), Test
    Equating, Scaling, and Linking, doi:10.1007/978-1-4939-0317-7 (common-item designs).

    Examples
    --------
    >>> import irstd
    >>> t8, r3 = irstd.load_dataset("sim-trec8"), irstd.load_dataset("sim-robust2003")
    >>> columns = ["difference", "low", "high", "pvalue"]
    >>> compare_across(t8["t8orig01a"], r3["r3orig01a"], (t8, r3))[columns].round(3)
              difference    low   high  pvalue
    scale
    raw           -0.070 -0.166  0.026   0.153
    centered       0.008 -0.088  0.104   0.869
    normal         0.012 -0.097  0.122   0.827
    """
    check_choice(method, METHODS, "method")
    level = check_level(level)
    check_same_attributes({"ours": ours, "theirs": theirs}, "metric")
    reference_c, reference_d = _check_pair(references, "references")
    common_c = common_d = None
    if common is not None:
        common_c, common_d = (
            check_scores(x, "common", systems=2) for x in _check_pair(common, "common")
        )
        check_same_labels(common_c.columns, common_d.columns, ("common[0]", "common[1]"))
    raw_c = _join_common(ours, "ours", common_c)
    raw_d = _join_common(theirs, "theirs", common_d)
    refuse_mixed_units({"ours": ours, "theirs": theirs})
    c, topics_c, warnings_c = _score_on_scales(raw_c, reference_c, method)
    d, topics_d, warnings_d = _score_on_scales(raw_d, reference_d, method)
    refuse_shared_topics(
        {"ours": topics_c, "theirs": topics_d},
        "; else keep each on one side",
    )
    warn(*dict.fromkeys(warnings_c + warnings_d))
    rows = {}
    if common is not None:
        rows["linked"] = _test_linked(c[method], d[method], level)
        _warn_of_alike(c[method], d[method])
        _warn_of_means(c[method], d[method])
    for scale in c:
        rows[scale] = _test_welch(c[scale], d[scale], level)
    return pd.DataFrame(rows.values(), pd.Index(rows, name="scale"))


def _check_pair(pair: Sequence, name: str) -> Sequence:
    """Return `pair`; raise ValueError unless it has two items."""
    if isinstance(pair, str) or len(pair) != 2:
        raise ValueError(
            f"{name} must be a pair (one for ours, one for theirs), got length {len(pair)}"
        )
    return pair


def _join_common(system: pd.Series, name: str, common: pd.DataFrame | None) -> pd.DataFrame:
    """Join the compared system's scores with those of the common systems."""
    numbers = check_numbers(system, name)
    if not isinstance(numbers, pd.Series):
        raise TypeError(
            f"{name} must be a Series with one score per topic, got {type(system).__name__}"
        )
    table = numbers.to_frame(COMPARED)
    if common is not None:
        check_same_labels(common.index, table.index, ("common", name), of="topics")
        table = table.join(common)
    table.attrs = system.attrs
    return table


def _score_on_scales(
    scores: pd.DataFrame, reference: pd.DataFrame | Factors | str, method: str
) -> tuple[dict[str, pd.DataFrame], pd.DataFrame, list[str]]:
    """Return raw and rescaled scores, topic means of the reference, and warnings."""
    by_method, messages = standardized(scores, reference, method)
    refuse_missing(by_method, "scores")
    centered, _ = standardized(scores, reference, "center")
    reference_means = (scores - centered)[[COMPARED]]
    scales = {
        "raw": scores,
        "centered": scores - reference_means[COMPARED].mean(),
        method: by_method,
    }
    return scales, reference_means, messages


def _compare_means(c: pd.DataFrame, d: pd.DataFrame) -> tuple[Any, pd.DataFrame]:
    """Return means, and their difference with Welch's variance and df.

    Those of ours and theirs are apart from those of the common systems.
    """
    means = pd.DataFrame({"ours": c.mean(), "theirs": d.mean()})
    means["difference"] = means["ours"] - means["theirs"]
    means["variance"], means["df"] = welch(c.var(), d.var(), len(c), len(d))
    return means.loc[COMPARED], means.drop(COMPARED)


def _test_welch(c: pd.DataFrame, d: pd.DataFrame, level: float) -> dict[str, float]:
    """Return Welch's t-test with its variance increased by that of common systems."""
    if c[COMPARED].nunique() == d[COMPARED].nunique() == 1:
        raise ValueError("ours and theirs each score the same on all topics: no standard error")
    compared, common = _compare_means(c, d)
    difference, variance, df = compared[["difference", "variance", "df"]]
    mean_square = (common["difference"] ** 2).mean()
    excess = mean_square - common["variance"].mean()
    if excess > 0:  # NaN without common systems
        total = variance + excess
        # Satterthwaite, for a sum of two variances
        df = total**2 / (variance**2 / df + mean_square**2 / len(common))
        variance = total
    return t_estimate(difference, math.sqrt(variance), df, level)


def _test_linked(c: pd.DataFrame, d: pd.DataFrame, level: float) -> dict[str, float]:
    """Test whether two systems differ by more than a common system does from itself."""
    differences = _compare_means(c, d)[1]["difference"]
    c, d = (table.sub(table.drop(columns=COMPARED).mean(axis=1), axis=0) for table in (c, d))
    compared, common = _compare_means(c, d)
    difference, variance, df = compared[["difference", "variance", "df"]]
    expected = common["variance"].sum()
    if differences.nunique() == 1 and expected < 1e-24:  # scores may be tiny
        raise ValueError("common must hold different systems, but all have the same scores")
    variance *= common["difference"].var() * (len(common) - 1) / expected
    # Fewer degrees of freedom the more alike common systems are
    covariance = (c.cov() / len(c) + d.cov() / len(d)).drop(index=COMPARED, columns=COMPARED)
    df = 1 / (1 / df + (covariance.to_numpy() ** 2).sum() / expected**2)
    return t_estimate(difference, math.sqrt(variance), df, level)


def _warn_of_alike(c: pd.DataFrame, d: pd.DataFrame) -> None:
    """Warn if common systems are few, or correlated like variants of one system."""
    correlations = (c.corr() + d.corr()) / 2
    with_compared = correlations.pop(COMPARED).drop(COMPARED).mean()
    among = correlations.drop(COMPARED).to_numpy()
    m = len(among)
    if m < FEW:
        warn(
            f"only {m} systems in common: with fewer than {FEW}, the 'linked' test has little power"
        )
    alike = np.nanmean(among[~np.eye(m, dtype=bool)])
    if alike > USUAL + BY_CHANCE / m and alike > USUAL + with_compared:
        warn(
            f"the {m} common systems are correlated by topic ({alike:.2f}), like variants of"
            " one system: use systems from several groups, weak and strong"
        )


def _warn_of_means(c: pd.DataFrame, d: pd.DataFrame) -> None:
    """Warn if the common systems' means say little about those of ours and theirs."""
    compared, common = _compare_means(c, d)
    m = len(common)
    for name in ("ours", "theirs"):
        mean = compared[name]
        others = common[name]
        half_width = scipy.stats.t.isf(TAIL, m - 1) * others.std() * math.sqrt(1 + 1 / m)
        if abs(mean - others.mean()) > half_width:
            warn(
                f"the mean of {name} ({mean:.2f}) is far from those of the common systems"
                f" ({others.min():.2f} to {others.max():.2f}): the 'linked' test may reject far too"
                f" often; use common systems about as strong as {name}"
            )
    strength = common[["ours", "theirs"]].mean(axis=1)
    distance = abs(compared[["ours", "theirs"]].mean() - strength.mean())
    if m < FEW or distance <= strength.std():
        return
    if scipy.stats.linregress(strength, common["difference"]).pvalue <= SLOPE:
        warn(
            "means of weak and strong common systems change differently between the collections:"
            " the 'linked' test may reject far too often; use common systems about as strong as"
            " ours and theirs"
        )
