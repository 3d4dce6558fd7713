"""A system here, another there: compared by the systems that standardize each collection."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from irstd._base.arguments import check_choice, check_real
from irstd._base.arrays import t_estimate
from irstd._base.matrix import check_alike, check_numbers, check_same, check_scores
from irstd.compare.collections import false_positives
from irstd.compare.gaps import gap_of, warn_of_gaps, welch_variance
from irstd.factors import Factors
from irstd.standardize import METHODS, standardize


def compare_across(
    ours: pd.Series,
    theirs: pd.Series,
    references: Sequence[pd.DataFrame | Factors],
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
    references : pair of DataFrame or Factors
        The standardizing systems of C and of D, as published factors or as scores.
    method : str, default "normal"
        Of `standardize`.
    common : pair of DataFrame, optional
        Scores of systems that were run on both collections, on C and on D: they tell how far
        collections and references differ. Five or more.
    level : float, default 0.95
        Of the intervals.

    Returns
    -------
    DataFrame
        One row per way to compare (index ``scale``):

        ========== ==========================================================================
        raw        scores as they are
        one number scores less the mean of the standardizing systems over all topics
        (method)   standardized topic by topic
        difficulty how much better the common systems are on C than on D, by raw scores
        references the same standardized: 0 if the two references are equally strong
        linked     standardized, and less what the common systems differ from themselves
        ========== ==========================================================================

        the last three with `common`. The columns:

        ================== ==================================================================
        difference         ours - theirs, and of the two rows on the common systems C - D
        low, high          its interval
        statistic, pvalue  of a t-test, two-sided
        self               with `common`: the share of the common systems that Welch's test on
                           this scale finds significantly different from themselves, at 1 - level
        gap, gap_error     of ``difficulty`` and ``references``: the difference on these topics and
                           its standard error over systems, in standard deviations of the common
                           systems' means
        ================== ==================================================================

    Raises
    ------
    ValueError
        If ours and theirs do not vary over topics; if the common systems or their topics are not
        the same on both sides; as `standardize` does.

    Warns
    -----
    UserWarning
        If the references differ by more than the collections do, and by more than their errors
        (see Notes).

    Notes
    -----
    Without `common` the first three rows are Welch's t-test over topics. It takes the references
    for equally strong, and nothing tells whether they are.

    With m common systems the first three rows allow for how far these move: to Welch's variance is
    added by how much the mean of their squared differences d_s from themselves is larger than the
    variances w_s that Welch's test gives these, max(0, mean(d_s^2 - w_s)); with Satterthwaite's
    degrees of freedom, mean(d_s^2) having m. A system against itself is then significant in .01
    to .06, seldom where all common systems move alike, as by raw scores.

    The errors of ``difficulty`` and ``references`` have, on top of Welch's variance, the variance v
    of the common systems' differences, by their number. ``linked`` asks whether ours and theirs
    differ by more than a common system does from itself: its error is sqrt(v (1 + 1/m)), with
    m - 1 degrees of freedom, so that few in common tell little.

    Standardizing replaces one gap by another: raw scores are wrong by the difference in difficulty,
    standardized ones by the difference of the references, both best counted in standard deviations
    of system means. On sets of fifty topics of Robust 2004, standardizing ordered pairs of systems
    better than raw scores did where the second gap was the smaller one, about.

    References
    ----------
    Webber, Moffat, Zobel (2008), doi:10.1145/1390334.1390346.

    Examples
    --------
    >>> import irstd
    >>> t8, r3 = irstd.load_dataset("sim-trec8"), irstd.load_dataset("sim-robust2003")
    >>> compare_across(t8["t8orig01a"], r3["r3orig01a"], (t8, r3)).index.tolist()
    ['raw', 'one number', 'normal']
    """
    check_choice(method, METHODS, "method")
    level = check_real(level, "level", 0, 1, open_="low high")
    check_alike({"ours": ours, "theirs": theirs}, "metric")
    if isinstance(references, str) or len(references) != 2:
        raise ValueError("references must be a pair: of C and of D")
    if common is not None and len(common) != 2:
        raise ValueError("common must be a pair: of C and of D")
    on_both = _common_systems(common)
    c = _on_scales(ours, "ours", references[0], on_both[0], method)
    d = _on_scales(theirs, "theirs", references[1], on_both[1], method)
    rows = {scale: _between(c[scale], d[scale], level) for scale in c}
    if common is not None:
        difficulty = gap_of(c["raw"].common, d["raw"].common)
        quality = gap_of(c[method].common, d[method].common)
        for name, gap in (("difficulty", difficulty), ("references", quality)):
            rows[name] = t_estimate(gap.difference, gap.error, gap.df, level)
            rows[name]["gap"], rows[name]["gap_error"] = gap.in_sds
        rows["linked"] = _linked(c[method], d[method], level)
        warn_of_gaps(difficulty, quality, ("ours", "theirs"))
    return pd.DataFrame(rows.values(), pd.Index(rows, name="scale"))


@dataclass(frozen=True)
class _Side:
    """One collection on one scale: the scores of a system by topic, and those of the common."""

    system: pd.Series
    common: pd.DataFrame


def _common_systems(common: Sequence[pd.DataFrame] | None) -> list[pd.DataFrame | None]:
    """The scores of the systems that are on both sides, in one order."""
    if common is None:
        return [None, None]
    tables = [check_scores(table, "common", systems=2) for table in common]
    systems = tables[0].columns
    check_same(systems, tables[1].columns, ("common[0]", "common[1]"))
    return [table[systems] for table in tables]


def _on_scales(
    system: pd.Series,
    name: str,
    reference: pd.DataFrame | Factors,
    common: pd.DataFrame | None,
    method: str,
) -> dict[str, _Side]:
    """A system and those in common on their collection, on each scale."""
    numbers = check_numbers(system, name)
    if not isinstance(numbers, pd.Series):
        raise TypeError(f"{name} must be a Series, one score per topic")
    scores = numbers.to_frame(name)
    scores.attrs = dict(system.attrs)
    centred = check_scores(standardize(scores, reference, "centre"), name)
    mean_of_reference = (scores - centred).to_numpy().mean()
    standardized = check_scores(standardize(scores, reference, method), name)
    if common is None:
        common = scores.iloc[:, :0]
        common_standardized = common
    else:
        check_same(common.index, scores.index, ("common", "scores"), of="topics")
        common = common.loc[scores.index]
        common_standardized = standardize(common, reference, method)
    return {
        "raw": _Side(scores[name], common),
        "one number": _Side(scores[name] - mean_of_reference, common - mean_of_reference),
        method: _Side(standardized[name], common_standardized),
    }


def _between(c: _Side, d: _Side, level: float) -> dict[str, float]:
    """Welch's test of the two systems; how far the common systems move is added to its error."""
    difference = float(c.system.mean() - d.system.mean())
    if c.system.nunique() == d.system.nunique() == 1:
        raise ValueError("ours and theirs do not vary over topics: their difference has no error")
    variance, df = welch_variance(c.system, d.system)
    n_common = c.common.shape[1]
    if not n_common:
        return t_estimate(difference, math.sqrt(variance), df, level)
    squared = float(((c.common.mean() - d.common.mean()) ** 2).mean())
    believed = float((c.common.var() / len(c.common) + d.common.var() / len(d.common)).mean())
    if squared > believed:
        total = variance + squared - believed
        # Satterthwaite, for a sum of two variances, of which the common systems tell one
        df = total**2 / (variance**2 / df + squared**2 / n_common)
        variance = total
    tests = false_positives(c.common, d.common, alpha=1 - level, equal_var=False)
    of_themselves = {"self": float(tests["better_on"].notna().mean())}
    return t_estimate(difference, math.sqrt(variance), df, level) | of_themselves


def _linked(c: _Side, d: _Side, level: float) -> dict[str, float]:
    """Whether the two systems differ by more than a common system does from itself."""
    of_themselves = c.common.mean() - d.common.mean()
    m = len(of_themselves)
    difference = float(c.system.mean() - d.system.mean() - of_themselves.mean())
    # A common system differs from itself by the topics, and by how it takes to a collection.
    error = math.sqrt(float(of_themselves.var()) * (1 + 1 / m))
    return t_estimate(difference, error, m - 1, level)
