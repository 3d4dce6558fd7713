"""Rank correlation, topic difficulty and item-total correlation."""

from __future__ import annotations

import numpy as np
import pandas as pd
import scipy

from irstd._base.arguments import check_choice
from irstd._base.arrays import dense_ranks, spreads, tau_b
from irstd._base.matrix import Sample, check_scores, match_samples
from irstd.standardize import standardized


def rank_correlation(x: Sample, y: Sample, method: str = "tau") -> float:
    """Return the correlation between two rankings of the same systems.

    Parameters
    ----------
    x, y : Series or array, n
        One score per system, larger is better. Two Series are matched by their index. For
        ``"tau_ap"``, which is not symmetric, x is the truth and y the estimate.
    method : {"tau", "tau_ap", "tau_ap_b", "pearson"}, default "tau"
        See Notes.

    Returns
    -------
    float
        Between -1 and 1; NaN if x or y is constant.

    Raises
    ------
    ValueError, TypeError
        If x and y are not of the same systems, have fewer than two, are not real numbers, or have
        missing or infinite values; for ``"tau_ap"`` if there are ties.

    Notes
    -----
    Scores are tied if they are equal to 1e-12 of the largest absolute score in x, or in y.

    ``tau``
        Kendall's tau-b: (concordant - discordant) / sqrt(untied in x * untied in y), over pairs.
    ``tau_ap``
        Yilmaz, Aslam and Robertson (2008): 2 / (n - 1) sum_{i=2..n} C(i) / (i - 1) - 1, where C(i)
        is the number of systems above rank i of the estimate that are also above it in the truth.
    ``tau_ap_b``
        Urbano and Marrero (2017): the same with ties, and symmetric: the mean of f(x, y) and
        f(y, x), where f sums over the systems that are not in the first group of ties, C counts
        the systems above the group of ties that are strictly above in the other, and a system's
        rank is that of the first of its group.
    ``pearson``
        Correlation of the scores themselves.

    References
    ----------
    Yilmaz, Aslam, Robertson (2008), doi:10.1145/1390334.1390435. Urbano, Marrero (2017),
    doi:10.1145/3121050.3121106.

    Examples
    --------
    >>> round(rank_correlation([0.1, 0.2, 0.3, 0.4], [0.1, 0.3, 0.2, 0.4]), 4)
    0.6667
    >>> round(rank_correlation([0.1, 0.2, 0.3, 0.4], [0.1, 0.2, 0.4, 0.3], "tau_ap"), 4)
    0.3333
    """
    check_choice(method, ("tau", "tau_ap", "tau_ap_b", "pearson"), "method")
    x, y = match_samples(x, y, ("x", "y"), of="items")
    if method == "tau":
        return float(tau_b(x, y)[0])
    ranks_x, ranks_y = dense_ranks(x), dense_ranks(y)
    n_ranks = min(ranks_x.max(), ranks_y.max())
    if n_ranks == 1:
        return float("nan")
    if method == "pearson":
        return float(scipy.stats.pearsonr(x, y).statistic)
    tau_ap = one_sided_tau_ap(ranks_x, ranks_y)
    if method == "tau_ap_b":
        return (tau_ap + one_sided_tau_ap(ranks_y, ranks_x)) / 2
    if n_ranks < len(x):
        raise ValueError('tau_ap is not defined where scores are tied; use method="tau_ap_b"')
    return tau_ap


def one_sided_tau_ap(truth: np.ndarray, estimate: np.ndarray) -> float:
    """Return tau_AP of an estimated ranking; with ties, one term of tau_AP,b."""
    above_in_truth = truth > truth[:, None]  # rows: systems; columns: other systems
    above_in_estimate = estimate > estimate[:, None]
    agreed = (above_in_truth & above_in_estimate).sum(axis=1)
    above = above_in_estimate.sum(axis=1)
    not_first = above > 0  # all but the first group of ties
    if not not_first.any():
        return np.nan
    agreement = agreed[not_first] / above[not_first]
    return float(2 * agreement.mean() - 1)


def topic_difficulty(scores: pd.DataFrame, method: str = "max_z") -> pd.Series:
    """Return the difficulty of each topic.

    Parameters
    ----------
    scores : DataFrame
        A score matrix of one metric: one row per topic, one column per system.
    method : {"max_z", "mean", "max", "median"}, default "max_z"
        See Notes.

    Returns
    -------
    Series
        One number per topic, larger is harder. Index ``topic``, name ``difficulty``.

    Raises
    ------
    ValueError
        If scores are missing (NaN) or in several metrics; for ``"max_z"``, if there is one system.

    Notes
    -----
    ``max_z``
        The largest z = (x - mean) / sd of a system on the topic, with ddof=1: a topic is hard if
        one system does surprisingly well on it (Ravana and Moffat 2008). 0 if all systems score the
        same.
    ``mean``
        1 - the mean score (Mizzaro 2008).
    ``max``
        1 - the best score.
    ``median``
        The best score - the median score, by which the TREC 2003 Robust track chose hard topics.

    References
    ----------
    Ravana, Moffat (2008), doi:10.1145/1390334.1390452. Mizzaro (2008),
    doi:10.1007/978-3-540-78646-7_99.

    Examples
    --------
    >>> scores = pd.DataFrame({"a": [0.1, 0.7], "b": [0.1, 0.8], "c": [0.5, 0.9]}, ["1", "2"])
    >>> topic_difficulty(scores, "median").round(3)
    topic
    1    0.4
    2    0.1
    Name: difficulty, dtype: float64
    """
    check_choice(method, ("max_z", "mean", "max", "median"), "method")
    scores = check_scores(scores, systems=2 if method == "max_z" else 1)
    best = scores.max(axis=1)
    if method == "max_z":
        z, _ = standardized(scores, method="z")
        difficulty = z.max(axis=1)
    elif method == "median":
        difficulty = best - scores.median(axis=1)
    elif method == "max":
        difficulty = 1 - best
    else:
        difficulty = 1 - scores.mean(axis=1)
    return difficulty.rename("difficulty")


def item_total_correlation(scores: pd.DataFrame) -> pd.Series:
    """Return the corrected item-total correlation of each topic.

    Parameters
    ----------
    scores : DataFrame
        A score matrix of one metric: at least two topics (rows) and two systems (columns).

    Returns
    -------
    Series
        One correlation per topic; NaN if all systems score the same on it, or in the sum over the
        others. Index ``topic``, name ``item_total``.

    Notes
    -----
    Pearson's correlation, over systems, of the score on the topic with the sum of the scores on
    all *other* topics ("corrected", as a topic correlates with itself).

    References
    ----------
    Bodoff, Li (2007), doi:10.1145/1277741.1277805.

    Examples
    --------
    >>> scores = pd.DataFrame({"a": [0.1, 0.2, 0.9], "b": [0.2, 0.4, 0.1], "c": [0.3, 0.6, 0.2]})
    >>> item_total_correlation(scores).round(3)
    topic
    0   -0.500
    1   -0.693
    2   -0.803
    Name: item_total, dtype: float64
    """
    scores = check_scores(scores, topics=2, systems=2)
    others = scores.sum() - scores
    correlation = scores.T.corrwith(others.T)
    sds = spreads(scores.to_numpy().T) * spreads(others.to_numpy().T)  # 0 for constant scores
    return correlation.mask(sds == 0).rename("item_total")
