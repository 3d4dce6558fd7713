"""Several collections as one study: one pair of systems on all of them."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pandas as pd

from irstd._base.arguments import check_level
from irstd._base.arrays import t_estimate
from irstd._base.matrix import check_scores
from irstd._base.messages import needed
from irstd._base.several import ByCollection, check_collections
from irstd.compare.collections import standardized_collections
from irstd.significance.pairwise import pairwise_tests
from irstd.standardize import Reference


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
    level = check_level(level)
    tables = check_collections(collections, "collections", least=3, systems=(system, baseline))
    tests = {}
    for name, table in standardized_collections(tables, references, method).items():
        pair = check_scores(table[[system, baseline]], name)
        tests[name] = pairwise_tests(pair, level=level)
        if tests[name]["se"].item() == 0:
            raise ValueError(f"{name}: the two systems differ by a constant, which has no error")
    table = pd.concat(tests, names=["collection"]).droplevel(1)
    meta_analysis = needed("statsmodels.stats.meta_analysis")
    variances = table["se"].to_numpy() ** 2
    with np.errstate(divide="ignore"):  # it also says how much of the spread is not chance
        effects = meta_analysis.combine_effects(
            table["difference"].to_numpy(), variances, method_re="iterated"
        )
    k = len(table)
    mean = effects.mean_effect_re
    # Hartung and Knapp's factor, which may not make the interval narrower
    variance = effects.var_eff_w_re * max(1.0, effects.scale_hksj_re)
    combined = t_estimate(mean, math.sqrt(variance), k - 1, level)
    another = t_estimate(mean, math.sqrt(variance + effects.tau2), k - 2, level)
    table["weight"] = effects.weights_rel_re
    n_topics = {"topics": table["topics"].sum()}
    table.loc["combined"] = pd.Series(combined | n_topics)
    table.loc["another"] = pd.Series(another | n_topics)
    table["between"] = math.sqrt(effects.tau2)
    columns = ["topics", "difference", "low", "high", "weight", "between"]
    return table[columns].astype({"topics": int})
