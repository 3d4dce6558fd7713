"""Several collections as one study: mine here and theirs there, or one pair on all of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from irstd._base.arguments import check_choice, check_real
from irstd._base.arrays import t_estimate
from irstd._base.matrix import check_alike, check_numbers, check_same, check_scores, warn_of_common
from irstd._base.messages import listed, needed
from irstd.compare.collections import references_by_collection
from irstd.factors import Factors
from irstd.standardize import METHODS, Reference, standardize

SCALES = ("raw", "d_z", *METHODS)
SUMMARIES = ("combined", "another")


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
        Scores of systems that were run on both collections, on C and on D: they tell how far the
        two references differ.
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
        references how much better the common systems are on C than on D, standardized: 0 if
                   the two references are equally strong
        linked     standardized, and less what the common systems differ from themselves
        ========== ==========================================================================

        the last two with `common`; with the columns ``difference`` (ours - theirs), ``low``,
        ``high``, ``statistic`` and ``pvalue``: of Welch's t-test over topics and, of the last row,
        of a t-test over the common systems.

    Notes
    -----
    All but the last row take the references for equally strong. The error of ``references`` has, on
    top of Welch's, the variance v of the m common systems' own differences, by their number. The
    last row asks whether ours and theirs differ by more than a common system does from itself: its
    error is sqrt(v (1 + 1/m)), with m - 1 degrees of freedom, so that few in common tell little.

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
    if len(references) != 2 or (common is not None and len(common) != 2):
        raise ValueError("references and common must be pairs: of C and of D")
    c = _Side.of_scores(ours, "ours", references[0], method)
    d = _Side.of_scores(theirs, "theirs", references[1], method)
    rows = {
        "raw": _welch(c.raw, d.raw, level),
        "one number": _welch(c.less_one_number, d.less_one_number, level),
        method: _welch(c.standardized, d.standardized, level),
    }
    if common is not None:
        on_c, on_d = _common_systems(common, references, method, (c, d))
        of_themselves = on_c.mean() - on_d.mean()
        variance = float(of_themselves.var())
        m = len(of_themselves)
        by_topic = (on_c.mean(axis=1), on_d.mean(axis=1))
        rows["references"] = _welch(*by_topic, level, variance / m)
        linked = float(c.standardized.mean() - d.standardized.mean() - of_themselves.mean())
        # A common system differs from itself by the topics, and by how it takes to a collection.
        error = math.sqrt(variance * (1 + 1 / m))
        rows["linked"] = t_estimate(linked, error, m - 1, level)
    return pd.DataFrame(rows.values(), pd.Index(rows, name="scale"))


@dataclass(frozen=True)
class _Side:
    """A system on its collection: its scores by topic, on each scale."""

    raw: pd.Series
    less_one_number: pd.Series
    standardized: pd.Series

    @classmethod
    def of_scores(
        cls, system: pd.Series, name: str, reference: pd.DataFrame | Factors, method: str
    ) -> _Side:
        numbers = check_numbers(system, name)
        if not isinstance(numbers, pd.Series):
            raise TypeError(f"{name} must be a Series, one score per topic")
        scores = numbers.to_frame(name)
        centred = check_scores(standardize(scores, reference, "centre"), name)
        mean_of_reference = (scores - centred).to_numpy().mean()
        standardized = check_scores(standardize(scores, reference, method), name)
        return cls(scores[name], scores[name] - mean_of_reference, standardized[name])


def _common_systems(
    common: Sequence[pd.DataFrame],
    references: Sequence[pd.DataFrame | Factors],
    method: str,
    sides: tuple[_Side, _Side],
) -> list[pd.DataFrame]:
    """Standardized scores on C and on D of the systems that are on both, in one order."""
    tables = [check_scores(table, "common", systems=2) for table in common]
    systems = tables[0].columns
    check_same(systems, tables[1].columns, ("common[0]", "common[1]"))
    standardized = []
    for table, reference, side in zip(tables, references, sides, strict=True):
        topics = side.standardized.index
        check_same(table.index, topics, ("common", "scores"), of="topics")
        standardized.append(standardize(table, reference, method).loc[topics, systems])
    return standardized


def _welch(x: pd.Series, y: pd.Series, level: float, more: float = 0.0) -> dict[str, float]:
    """Welch's test and interval, with more variance than that of the topics."""
    var_x = x.var() / len(x)
    var_y = y.var() / len(y)
    if x.nunique() == y.nunique() == 1 and not more:
        raise ValueError("ours and theirs do not vary over topics: their difference has no error")
    # Satterthwaite
    squares = var_x**2 / (len(x) - 1) + var_y**2 / (len(y) - 1)
    df = (var_x + var_y) ** 2 / squares
    error = math.sqrt(var_x + var_y + more)
    return t_estimate(float(x.mean() - y.mean()), error, df, level)


def combine_collections(
    collections: Mapping[str, pd.DataFrame],
    system: str,
    baseline: str,
    *,
    scale: str = "raw",
    references: Mapping[str, Reference] | None = None,
    level: float = 0.95,
) -> pd.DataFrame:
    """How much better a system is than a baseline, on several collections taken together.

    Parameters
    ----------
    collections : dict of str to DataFrame
        Three score matrices or more by name, all with both systems.
    system, baseline : str
        Their columns.
    scale : str, default "raw"
        ``"d_z"`` are differences by their standard deviation over topics (Hedges' correction); else
        scores as they are, or by a method of `standardize`.
    references : dict of str to DataFrame or Factors, optional
        The standardizing systems of each collection; by default its own systems.
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
    adds tau^2, with k - 2; where tau is about one standard error it held .87 to .91 of new true
    differences, for a promised .95. With few collections tau is hardly known: its zero is no proof.

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
    check_choice(scale, SCALES, "scale")
    level = check_real(level, "level", 0, 1, open_="low high")
    if not isinstance(collections, Mapping) or len(collections) < 3:
        raise ValueError("collections must be a dict of three score matrices or more, by name")
    check_alike(collections, "metric")
    if references is not None and scale not in METHODS:
        raise ValueError(f"references are given, but scale={scale!r} does not standardize")
    references = references_by_collection(references, collections, scale)
    for name in SUMMARIES:
        if name in collections:
            raise ValueError(f"a collection is called {name!r}, as a row of the result: rename it")
    rows = {}
    tables = {}
    for name, scores in collections.items():
        tables[name] = check_scores(scores, name, complete=False, topics=2)
        pair = _pair(tables[name], system, baseline, name, scale, references.get(name))
        differences = pair[system] - pair[baseline]
        rows[name] = _one_collection(differences, name, scale == "d_z", level)
    warn_of_common(tables)
    table = pd.DataFrame(rows.values(), pd.Index(rows, name="collection"))
    errors = table.pop("error")
    k = len(table)
    n_topics = table["topics"].sum()
    meta_analysis = needed("statsmodels.stats.meta_analysis")
    effects = meta_analysis.combine_effects(
        table["difference"].to_numpy(), errors.to_numpy() ** 2, method_re="iterated"
    )
    mean = effects.mean_effect_re
    # Hartung and Knapp's factor, which may not make the interval narrower
    variance = effects.var_eff_w_re * max(1.0, effects.scale_hksj_re)
    combined = t_estimate(mean, math.sqrt(variance), k - 1, level)
    another = t_estimate(mean, math.sqrt(variance + effects.tau2), k - 2, level)
    table.loc["combined"] = pd.Series(combined | {"topics": n_topics})
    table.loc["another"] = pd.Series(another | {"topics": n_topics})
    table["weight"] = pd.Series(effects.weights_rel_re, errors.index)
    table["between"] = math.sqrt(effects.tau2)
    return table.astype({"topics": int})


def _pair(
    table: pd.DataFrame, system: str, baseline: str, name: str, scale: str, reference: Reference
) -> pd.DataFrame:
    """The scores of both systems on one collection, standardized if the scale asks for it."""
    absent = {system, baseline} - set(table.columns)
    if absent:
        raise ValueError(f"{name} lacks the systems {listed(absent)}")
    if scale in METHODS:
        table = standardize(table, reference, scale)
    return check_scores(table[[system, baseline]], name)


def _one_collection(
    differences: pd.Series, name: str, in_sds: bool, level: float
) -> dict[str, float]:
    """The row of one collection, with the error of its difference."""
    n = len(differences)
    mean = differences.mean()
    sd = differences.std()
    if sd == 0:
        raise ValueError(f"{name}: the two systems differ by a constant, which has no error")
    error = sd / math.sqrt(n)
    if in_sds:
        hedges = 1 - 3 / (4 * n - 5)
        mean = hedges * mean / sd
        error = math.sqrt(1 / n + mean**2 / (2 * n))
    estimate = t_estimate(mean, error, n - 1, level)
    return {
        "topics": n,
        "difference": estimate["difference"],
        "low": estimate["low"],
        "high": estimate["high"],
        "error": error,
    }
