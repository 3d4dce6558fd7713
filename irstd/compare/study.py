"""Several collections as one study: mine here and theirs there, or one pair on all of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import pandas as pd

from irstd._base.arguments import check_choice, check_real
from irstd._base.arrays import t_estimate
from irstd._base.matrix import check_alike, check_numbers, check_same, check_scores, warn_of_common
from irstd._base.messages import listed, needed
from irstd.factors import Factors
from irstd.standardize import METHODS, Reference, standardize

SCALES = ("raw", "d_z", *METHODS)


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
        linked     standardized, and less what the common systems have on the same topic
        ========== ==========================================================================

        the last two with `common`; with the columns ``difference`` (ours - theirs), ``low``,
        ``high``, ``statistic`` and ``pvalue`` of Welch's t-test over topics.

    Notes
    -----
    All but the last row take the references for equally strong. The error of the last two has, on
    top of Welch's, the variance of the common systems' own differences, by their number.

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
    sides: dict[str, list] = {"raw": [], "one number": [], method: [], "references": []}
    for name, system, reference in zip(("ours", "theirs"), (ours, theirs), references, strict=True):
        numbers = check_numbers(system, name)
        if not isinstance(numbers, pd.Series):
            raise TypeError(f"{name} must be a Series, one score per topic")
        scores = numbers.to_frame(name)
        centred = check_scores(standardize(scores, reference, "centre"), name)
        sides["raw"].append(scores[name])
        sides["one number"].append(scores[name] - (scores - centred).to_numpy().mean())
        sides[method].append(check_scores(standardize(scores, reference, method), name)[name])
    error = 0.0
    if common is not None:
        both = [check_scores(part, "common", systems=2) for part in common]
        check_same(both[0].columns, both[1].columns, ("common[0]", "common[1]"))
        for part, side, reference in zip(both, sides[method], references, strict=True):
            check_same(part.index, side.index, ("common", "scores"), of="topics")
            sides["references"].append(standardize(part, reference, method).loc[side.index])
        of_systems = [part[both[0].columns].mean() for part in sides["references"]]
        error = (of_systems[0] - of_systems[1]).var() / both[0].shape[1]
        sides["references"] = [part.mean(axis=1) for part in sides["references"]]
        pairs = zip(sides[method], sides["references"], strict=True)
        sides["linked"] = [side - others for side, others in pairs]
    rows = {
        scale: _welch(pair[0], pair[1], level, error * (scale in ("references", "linked")))
        for scale, pair in sides.items()
        if pair
    }
    return pd.DataFrame(rows.values(), pd.Index(rows, name="scale"))


def _welch(x: pd.Series, y: pd.Series, level: float, more: float) -> dict[str, float]:
    """Welch's test and interval, with more variance than that of the topics."""
    v, w = x.var() / len(x), y.var() / len(y)
    df = (v + w) ** 2 / (v**2 / (len(x) - 1) + w**2 / (len(y) - 1))
    return t_estimate(float(x.mean() - y.mean()), math.sqrt(v + w + more), df, level)


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
    adds tau^2, with k - 2. With few collections tau is hardly known: its zero is no proof.

    References
    ----------
    DerSimonian, Laird (1986), doi:10.1016/0197-2456(86)90046-2. Soboroff (2018),
    doi:10.1145/3209978.3210196.

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
    rows, tables = {}, {}
    for name, scores in collections.items():
        table = tables[name] = check_scores(scores, name, complete=False, topics=2)
        if absent := listed({system, baseline} - set(table.columns)):
            raise ValueError(f"{name} lacks the systems {absent}")
        if scale in METHODS:
            table = standardize(table, (references or {}).get(name), scale)
        pair = check_scores(table[[system, baseline]], name)
        rows[name] = _one_collection(pair[system] - pair[baseline], name, scale == "d_z", level)
    warn_of_common(tables)
    table = pd.DataFrame(rows.values(), pd.Index(rows, name="collection"))
    k, error = len(table), table.pop("error")
    meta = needed("statsmodels.stats.meta_analysis")
    effects = table["difference"].to_numpy()
    found = meta.combine_effects(effects, error.to_numpy() ** 2, method_re="iterated")
    variance, n = found.var_eff_w_re * max(1.0, found.scale_hksj_re), table["topics"].sum()
    for name, more, df in (("combined", 0, k - 1), ("another", found.tau2, k - 2)):
        row = t_estimate(found.mean_effect_re, math.sqrt(variance + more), df, level)
        table.loc[name] = pd.Series(row | {"topics": n})
    table["weight"] = pd.Series(found.weights_rel_re, error.index)
    table["between"] = math.sqrt(found.tau2)
    return table.astype({"topics": int})


def _one_collection(d: pd.Series, name: str, in_sds: bool, level: float) -> dict[str, float]:
    n, sd = len(d), d.std()
    if sd == 0:
        raise ValueError(f"{name}: the two systems differ by a constant, which has no error")
    mean, error = d.mean(), sd / math.sqrt(n)
    if in_sds:
        hedges = 1 - 3 / (4 * n - 5)
        mean = hedges * mean / sd
        error = math.sqrt(1 / n + mean**2 / (2 * n))
    row = t_estimate(mean, error, n - 1, level)
    del row["statistic"], row["pvalue"]
    return {"topics": n, **row, "error": error}
