"""How evenly a system treats its topics: its spread, and users with a threshold."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy import special, stats

from irstd._base.arguments import check_choice, check_count, check_real
from irstd._base.arrays import spreads
from irstd._base.matrix import check_scores
from irstd._base.messages import topics_where


def logit(scores: pd.DataFrame, epsilon: float) -> pd.DataFrame:
    """Logits of scores: the unit interval stretched to the whole line.

    Parameters
    ----------
    scores : DataFrame
        A score matrix (or several, with columns ``(metric, system)``) of scores in [0, 1]. NaN
        stays NaN.
    epsilon : float
        What stands for 0, and 1 - epsilon for 1, whose logits are infinite; between 0 and .5.

    Returns
    -------
    DataFrame
        As `scores`.

    Notes
    -----
    ln(x / (1 - x)). Only scores of exactly 0 and 1 are replaced.

    References
    ----------
    Hosseini, Cox, Milic-Frayling, Vinay (2010), doi:10.1007/978-3-642-13084-7_7.

    Examples
    --------
    >>> scores = pd.DataFrame({"a": [0.0, 0.5], "b": [0.9, 1.0]}, ["301", "302"])
    >>> logit(scores, 0.01).round(3).to_numpy().tolist()
    [[-4.595, 2.197], [0.0, 4.595]]
    """
    scores = check_scores(scores, several=True, complete=False)
    epsilon = check_real(epsilon, "epsilon", 0, 0.5, open_="low high")
    outside = topics_where((scores < 0) | (scores > 1))
    if outside:
        raise ValueError(f"scores must be between 0 and 1; they are not on the topics {outside}")
    end = special.logit(epsilon)  # of 0, and of 1 with the other sign
    logits = special.logit(scores)
    logits = logits.mask(scores == 0, end)
    return logits.mask(scores == 1, -end)


def spread(scores: pd.DataFrame, kind: str = "sd") -> pd.Series:
    """How far the scores of each system are spread over the topics.

    Parameters
    ----------
    scores : DataFrame
        A score matrix: one row per topic, one column per system (or several, with columns
        ``(metric, system)``). Raw scores, or standardized, or logits, or logits standardized.
    kind : {"sd", "iqr", "mad"}, default "sd"
        Standard deviation (ddof=1), interquartile range (quartiles interpolated linearly), or
        median absolute deviation from the median (not scaled to the sd of a normal distribution).

    Returns
    -------
    Series
        One number per system, in the unit of the scores. Index ``system`` (of several metrics:
        ``metric`` and ``system``), named for the kind.

    Examples
    --------
    >>> scores = pd.DataFrame({"a": [0.1, 0.2, 0.3, 0.4], "b": [0.2, 0.2, 0.2, 0.8]})
    >>> pd.DataFrame({kind: spread(scores, kind) for kind in ("sd", "iqr", "mad")}).round(3)
               sd   iqr  mad
    system
    a       0.129  0.15  0.1
    b       0.300  0.15  0.0
    """
    check_choice(kind, ("sd", "iqr", "mad"), "kind")
    scores = check_scores(scores, several=True, topics=2)
    values = scores.to_numpy()
    if kind == "sd":
        by_system = spreads(values)
    elif kind == "iqr":
        by_system = stats.iqr(values, axis=0)
    else:
        by_system = stats.median_abs_deviation(values, axis=0)
    return pd.Series(by_system, scores.columns, name=kind)


def share_above(scores: pd.DataFrame, threshold: float) -> pd.Series:
    """Share of the topics on which each system scores above what satisfies a user.

    Parameters
    ----------
    scores : DataFrame
        As for `spread`.
    threshold : float
        In the unit of the scores; a score that equals it is not above.

    Returns
    -------
    Series
        One share per system, named ``share_above``; index as in `spread`.

    References
    ----------
    Hosseini, Cox, Milic-Frayling, Vinay (2010), doi:10.1007/978-3-642-13084-7_7, figure 1.

    Examples
    --------
    >>> scores = pd.DataFrame({"steady": [0.4, 0.5, 0.6], "volatile": [0.1, 0.5, 0.9]})
    >>> share_above(scores, 0.3).round(2).to_dict()
    {'steady': 1.0, 'volatile': 0.67}
    """
    scores = check_scores(scores, several=True)
    threshold = check_real(threshold, "threshold")
    return (scores > threshold).mean().rename("share_above")


def semicircle_bound(
    means: float | Sequence[float] | np.ndarray | pd.Series, *, n_topics: int | None = None
) -> float | np.ndarray | pd.Series:
    """The largest standard deviation that scores in [0, 1] can have at their mean.

    Parameters
    ----------
    means : float, array or Series
        Means of scores, in [0, 1].
    n_topics : int, optional
        Give the bound of the standard deviation with ddof=1 of so many topics; by default it is
        that with ddof=0, as in the proof.

    Returns
    -------
    float, array or Series
        As `means`.

    Notes
    -----
    sqrt(m (1 - m)) = sqrt(1/4 - (m - 1/2)^2) at the mean m, in [0, 1]: a semicircle. The standard
    deviation with ddof=1 is larger by sqrt(n / (n - 1)), and can be just outside.

    References
    ----------
    Hosseini, Cox, Milic-Frayling, Vinay (2010), doi:10.1007/978-3-642-13084-7_7, appendix A.

    Examples
    --------
    >>> semicircle_bound(0.2)
    0.4
    """
    values = means if isinstance(means, pd.Series) else np.asarray(means)
    if not ((values >= 0) & (values <= 1)).all():
        raise ValueError("means must be between 0 and 1")
    variances = values * (1 - values)
    if n_topics is not None:
        n = check_count(n_topics, "n_topics", 2)
        variances = variances / (1 - 1 / n)  # ddof=1
    bounds = np.sqrt(variances)
    if values.ndim == 0:
        return bounds.item()
    return bounds
