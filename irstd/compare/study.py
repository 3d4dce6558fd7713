"""Several collections as one study: one pair of systems on all of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from irstd._base.arguments import check_choice, check_real
from irstd._base.arrays import t_estimate
from irstd._base.matrix import check_alike, check_scores, warn_of_common
from irstd._base.messages import listed, needed
from irstd.compare.collections import references_by_collection
from irstd.standardize import METHODS, Reference, standardize

SCALES = ("raw", "d_z", *METHODS)
SUMMARIES = ("combined", "another")


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
    references : dict of str to DataFrame, Factors or str, optional
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
    n_topics = table["topics"].sum()
    effects = random_effects(table["difference"].to_numpy(), errors.to_numpy(), level)
    combined = effects.combined
    another = effects.another
    table.loc["combined"] = pd.Series(combined | {"topics": n_topics})
    table.loc["another"] = pd.Series(another | {"topics": n_topics})
    table["weight"] = pd.Series(effects.weights, errors.index)
    table["between"] = effects.between
    return table.astype({"topics": int})


class RandomEffects(NamedTuple):
    """Differences on several collections taken together."""

    combined: dict[str, float]
    another: dict[str, float]
    weights: np.ndarray
    between: float


def random_effects(differences: np.ndarray, errors: np.ndarray, level: float) -> RandomEffects:
    """The random-effects mean of differences with these errors; see `combine_collections`."""
    k = len(differences)
    meta_analysis = needed("statsmodels.stats.meta_analysis")
    effects = meta_analysis.combine_effects(differences, errors**2, method_re="iterated")
    mean = effects.mean_effect_re
    # Hartung and Knapp's factor, which may not make the interval narrower
    variance = effects.var_eff_w_re * max(1.0, effects.scale_hksj_re)
    return RandomEffects(
        combined=t_estimate(mean, math.sqrt(variance), k - 1, level),
        another=t_estimate(mean, math.sqrt(variance + effects.tau2), k - 2, level),
        weights=effects.weights_rel_re,
        between=math.sqrt(effects.tau2),
    )


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
