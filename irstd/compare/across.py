"""Comparison of two systems that were run on different collections."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from irstd._base.arguments import check_choice, check_level
from irstd._base.arrays import t_estimate
from irstd._base.matrix import check_alike, check_numbers, check_same, check_scores
from irstd._base.messages import warn
from irstd._base.several import refuse_related
from irstd.factors import Factors
from irstd.standardize import METHODS, standardized

COMPARED = "ours, theirs"  # the column of the two, each on its collection
FEW = 5  # systems in common, of whose differences a standard deviation is hardly known
# Correlation by topic of m systems chosen at random, in nine of ten draws: at most
# USUAL + BY_CHANCE / m, or at most USUAL above that to other systems
USUAL = 0.1
BY_CHANCE = 0.5


def compare_across(
    ours: pd.Series,
    theirs: pd.Series,
    references: Sequence[pd.DataFrame | Factors | str],
    method: str = "normal",
    *,
    common: Sequence[pd.DataFrame] | None = None,
    level: float = 0.95,
) -> pd.DataFrame:
    """Compare a system on one collection with another system on another collection.

    Parameters
    ----------
    ours, theirs : Series
        The scores of one system by topic on C, and of the other on D.
    references : pair of DataFrame, Factors or str
        The standardizing systems of C and of D, as factors, scores or names (``"trec8"``).
    method : str, default "normal"
        Of `standardize`.
    common : pair of DataFrame, optional
        Scores of systems that were run on both collections, on C and on D: they tell how far
        collections and references differ. About ten, of several groups, weak and strong ones, as
        if drawn at random: variants of one system move together, and tell little of others.
    level : float, default 0.95
        Of the intervals.

    Returns
    -------
    DataFrame
        One row per way to compare (index ``scale``):

        ========== ==========================================================================
        linked     with `common`, and the row to read: standardized, less the mean difference
                   of the common systems from themselves (common-item linking of test equating),
                   so that it holds however strong the two references are
        raw        scores as they are
        centered   scores less the mean of the standardizing systems over all topics
        (method)   standardized topic by topic
        ========== ==========================================================================

        The columns:

        ================== ==================================================================
        difference         ours - theirs
        low, high          its interval
        statistic, pvalue  of a t-test, two-sided
        ================== ==================================================================

    Raises
    ------
    ValueError
        If ours and theirs do not vary over topics; if they share topics, or one is in percent; if
        the common systems or their topics are not the same on both sides; as `standardize` does.

    Warns
    -----
    UserWarning
        If fewer than five systems are in common, or these score alike on the same topics, and more
        so than ours and theirs, as variants of one system do; as `standardize` does.

    Notes
    -----
    Without `common` all rows are Welch's t-test over topics. It takes the references for equally
    strong, and nothing tells whether they are.

    With m common systems the three scales allow for how far these move: to Welch's variance is
    added by how much the mean of their squared differences d_s from themselves is larger than the
    variances w_s that Welch's test gives these, max(0, mean(d_s^2 - w_s)); with Satterthwaite's
    degrees of freedom, mean(d_s^2) having m. A system against itself is then significant in .01
    to .06, seldom where all common systems move alike, as by raw scores; a difference is then
    found seldom, too, and of references that differ the standardized row says hardly anything.

    ``linked`` asks whether ours and theirs differ by more than a common system does from itself.
    Its error is that of Welch's test of ours and theirs, each less the mean of the common systems
    topic by topic, times sqrt(v / w): v is the variance of d_s, and w what it would be if topics
    alone moved the systems, the trace of S by m - 1, where S is the covariance of the common
    systems' scores, less their mean by topic, over the number of topics, for C plus D. The degrees
    of freedom are Satterthwaite's, with tr(S)^2 / tr(S^2) for v: fewer than m - 1 where common
    systems are alike. So variants of one system move little and far from ours, and the error is
    large. It holds if ours, theirs and the common systems respond to a new collection alike.

    Rounds of one collection share topics, and are refused as they are: keep each topic on one side
    only. Common systems that meet a topic twice move less than ours and theirs, which are two
    systems: with the topics of one side renamed, ``linked`` rejected up to .2 for .05.

    Standardizing replaces one gap by another: raw scores are wrong by the difference in difficulty,
    standardized ones by the difference of the references. `compare_collections` says how large both
    are, by systems in common.

    References
    ----------
    Webber, Moffat, Zobel (2008), doi:10.1145/1390334.1390346. Kolen, Brennan (2014), Test
    Equating, Scaling, and Linking, doi:10.1007/978-1-4939-0317-7 (common-item designs).

    Examples
    --------
    >>> import irstd
    >>> t8, r3 = irstd.load_dataset("sim-trec8"), irstd.load_dataset("sim-robust2003")
    >>> compare_across(t8["t8orig01a"], r3["r3orig01a"], (t8, r3)).index.tolist()
    ['raw', 'centered', 'normal']
    """
    check_choice(method, METHODS, "method")
    level = check_level(level)
    check_alike({"ours": ours, "theirs": theirs}, "metric")
    of_c, of_d = _pair(references, "references")
    common_c = common_d = None
    if common is not None:
        common_c, common_d = (check_scores(x, "common", systems=2) for x in _pair(common, "common"))
        check_same(common_c.columns, common_d.columns, ("common[0]", "common[1]"))
    on_c = _one_table(ours, "ours", common_c)
    on_d = _one_table(theirs, "theirs", common_d)
    refuse_related(
        {"ours": on_c[[COMPARED]], "theirs": on_d[[COMPARED]]},
        "; of rounds of one collection, keep each topic on one side only",
    )
    c, said_of_c = _on_scales(on_c, of_c, method)
    d, said_of_d = _on_scales(on_d, of_d, method)
    warn(*dict.fromkeys(said_of_c + said_of_d))
    rows = {}
    if common is not None:
        rows["linked"] = _linked(c[method], d[method], level)
        _warn_of_common(c[method], d[method])
    for scale in c:
        rows[scale] = _between(c[scale], d[scale], level)
    return pd.DataFrame(rows.values(), pd.Index(rows, name="scale"))


def _pair(pair: Sequence, name: str) -> Sequence:
    if len(pair) != 2:
        raise ValueError(f"{name} must be a pair: of C and of D")
    return pair


def _one_table(system: pd.Series, name: str, common: pd.DataFrame | None) -> pd.DataFrame:
    """The scores of the system that is compared, then of those in common."""
    numbers = check_numbers(system, name)
    if not isinstance(numbers, pd.Series):
        raise TypeError(f"{name} must be a Series, one score per topic")
    table = numbers.to_frame(COMPARED)
    if common is not None:
        check_same(common.index, table.index, ("common", name), of="topics")
        table = table.join(common)
    table.attrs = dict(system.attrs)
    return table


def _on_scales(
    scores: pd.DataFrame, reference: pd.DataFrame | Factors | str, method: str
) -> tuple[dict[str, pd.DataFrame], list[str]]:
    """Return the scores of one collection on each scale, and warnings about its reference."""
    by_method, said = standardized(scores, reference, method)
    centered, _ = standardized(scores, reference, "center")
    mean_of_reference = (scores - centered).to_numpy().mean()
    scales = {
        "raw": scores,
        "centered": scores - mean_of_reference,
        method: check_scores(by_method),
    }
    return scales, said


def _welch(c: pd.DataFrame, d: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    """Return the variance of the differences of means, and Satterthwaite's degrees of freedom."""
    on_c = c.var() / len(c)
    on_d = d.var() / len(d)
    variance = on_c + on_d
    return variance, variance**2 / (on_c**2 / (len(c) - 1) + on_d**2 / (len(d) - 1))


def _between(c: pd.DataFrame, d: pd.DataFrame, level: float) -> dict[str, float]:
    """Welch's test of the two systems; how far the common systems move is added to its error."""
    if c[COMPARED].nunique() == d[COMPARED].nunique() == 1:
        raise ValueError("ours and theirs do not vary over topics: their difference has no error")
    difference = c.mean() - d.mean()
    believed, dfs = _welch(c, d)
    variance = believed[COMPARED]
    df = dfs[COMPARED]
    of_themselves = difference.drop(COMPARED)
    if len(of_themselves):
        squared = (of_themselves**2).mean()
        more = squared - believed.drop(COMPARED).mean()
        if more > 0:
            total = variance + more
            # Satterthwaite, for a sum of two variances, of which the common systems tell one
            df = total**2 / (variance**2 / df + squared**2 / len(of_themselves))
            variance = total
    return t_estimate(difference[COMPARED], math.sqrt(variance), df, level)


def _linked(c: pd.DataFrame, d: pd.DataFrame, level: float) -> dict[str, float]:
    """Test whether the two systems differ by more than a common system does from itself."""
    moved = (c.mean() - d.mean()).drop(COMPARED)
    c, d = (table.sub(table.drop(columns=COMPARED).mean(axis=1), axis=0) for table in (c, d))
    variances, dfs = _welch(c, d)
    by_topics = variances.drop(COMPARED).sum()
    if moved.nunique() == 1 and by_topics < 1e-24:
        raise ValueError("common must hold different systems: all score the same on every topic")
    variance = variances[COMPARED] * moved.var() * (len(moved) - 1) / by_topics
    # Common systems that are alike have fewer degrees of freedom than their number says.
    covariance = (c.cov() / len(c) + d.cov() / len(d)).drop(index=COMPARED, columns=COMPARED)
    df = 1 / (1 / dfs[COMPARED] + (covariance.to_numpy() ** 2).sum() / by_topics**2)
    difference = c[COMPARED].mean() - d[COMPARED].mean()
    return t_estimate(difference, math.sqrt(variance), df, level)


def _warn_of_common(c: pd.DataFrame, d: pd.DataFrame) -> None:
    """Warn where the common systems are few, or more alike to each other than to the two."""
    correlations = (c.corr() + d.corr()) / 2
    to_the_two = correlations.pop(COMPARED).drop(COMPARED).mean()
    among = correlations.drop(COMPARED).to_numpy()
    m = len(among)
    if m < FEW:
        warn(f"fewer than {FEW} systems are in common: little can be found by them")
    alike = np.nanmean(among[~np.eye(m, dtype=bool)])
    if alike > USUAL + BY_CHANCE / m and alike > USUAL + to_the_two:
        warn(
            f"the {m} systems in common score alike (correlation by topic {alike:.2f}): variants of"
            " one system tell little of others; take systems of several groups, weak and strong"
        )
