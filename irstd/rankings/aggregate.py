"""Aggregation over topics: geometric mean and leaderboard."""

from __future__ import annotations

import numpy as np
import pandas as pd
import scipy

from irstd._base.arguments import check_choice, check_epsilon, check_flag
from irstd._base.arrays import competition_ranks
from irstd._base.matrix import check_incomplete_scores, check_scores
from irstd._base.messages import format_topics, warn, warn_of_cost, warn_of_gaps
from irstd.rankings.ranks import shares_beaten
from irstd.standardize import Reference, standardized

TINY = 1e-100  # smallest epsilon by which scores can be divided
FAR = 100  # times epsilon; if no positive score is below, GMAP mostly counts zeros


def gmap(scores: pd.DataFrame, epsilon: float = 1e-5, *, adjust: str = "uniform") -> pd.Series:
    """Return the geometric mean over topics, adjusted for scores of 0.

    Parameters
    ----------
    scores : DataFrame
        A score matrix of any nonnegative metric: one row per topic, one column per system.
    epsilon : float, default 1e-5
        The adjustment, in the unit of the scores. 0 is allowed if no score is 0; infinity, with
        ``adjust="uniform"``, gives the arithmetic mean.
    adjust : {"uniform", "zeros", "floor"}, default "uniform"
        See Notes.

    Returns
    -------
    Series
        One score per system. Index ``system``, name ``gmap``.

    Raises
    ------
    ValueError
        If epsilon is negative, or 0 although a score is 0; if a score is negative.

    Warns
    -----
    UserWarning
        If scores are missing (NaN): the mean is over the others. If some are 0 and epsilon is less
        than a hundredth of the smallest positive score: the result then mostly counts zeros.
        (1e-5 suits AP.)

    Notes
    -----
    ``uniform``
        exp(mean log(x + e)) - e: all scores are shifted up, and the mean down again.
    ``zeros``
        exp(mean log x) with e in place of 0 (Robertson's alternative).
    ``floor``
        exp(mean log max(x, e)): trec_eval's ``gm_map``, with its e of 1e-5.

    References
    ----------
    Robertson (2006), doi:10.1145/1183614.1183630. Ravana, Moffat (2008),
    doi:10.1145/1390334.1390452.

    Examples
    --------
    >>> scores = pd.DataFrame({"a": [0.05, 0.75], "b": [0.10, 0.70]}, ["A", "B"])
    >>> gmap(scores, 0).round(2)
    system
    a    0.19
    b    0.26
    Name: gmap, dtype: float64
    """
    scores = check_scores(scores, complete=False)
    check_choice(adjust, ("uniform", "zeros", "floor"), "adjust")
    epsilon = check_epsilon(scores, epsilon, adjust)
    warn_of_gaps(scores, "the mean is over the other topics")
    _warn_of_small_epsilon(scores.to_numpy(), epsilon)
    return _gmap(scores, epsilon, adjust)


def _warn_of_small_epsilon(values: np.ndarray, epsilon: float) -> None:
    """Warn if epsilon is too small for zeros."""
    positive = values[values > 0]
    if (values == 0).any() and len(positive) and epsilon < positive.min() / FAR:
        warn(
            f"epsilon is {epsilon:g}, less than a hundredth of the smallest positive score"
            f" ({positive.min():g}): GMAP then mostly counts zeros; choose a larger epsilon"
        )


def _gmap(scores: pd.DataFrame, epsilon: float, adjust: str = "uniform") -> pd.Series:
    """Return the adjusted geometric mean of valid scores."""
    logs = pd.DataFrame(log_scores(scores.to_numpy(), epsilon, adjust))
    means = from_log(logs.mean().to_numpy(), epsilon, adjust)
    return pd.Series(means, scores.columns, name="gmap")


def log_scores(values: np.ndarray, epsilon: float, adjust: str = "uniform") -> np.ndarray:
    """Return the adjusted logarithms, whose mean gives the geometric mean."""
    if adjust == "floor":
        return np.log(np.maximum(values, epsilon))
    if adjust == "zeros":
        return np.log(np.where(values == 0, epsilon, values))
    if epsilon == np.inf:
        return values
    if epsilon > TINY:
        return np.log1p(values / epsilon)
    return np.log(values + epsilon)


def from_log(means: np.ndarray, epsilon: float, adjust: str = "uniform") -> np.ndarray:
    """Convert means of `log_scores` to geometric means."""
    if adjust != "uniform":
        return np.exp(means)
    if epsilon == np.inf:
        return means
    if epsilon > TINY:
        return epsilon * np.expm1(means)
    return np.maximum(np.exp(means) - epsilon, 0)


def leaderboard(
    scores: pd.DataFrame,
    *,
    reference: Reference = None,
    epsilon: float = 1e-5,
    aggregate: str = "mean",
    smaller_is_better: bool = False,
) -> pd.DataFrame:
    """Rank systems by mean score or another aggregate, with intervals and summaries.

    Parameters
    ----------
    scores : DataFrame
        A score matrix: one row per topic, one column per system. It may have gaps (NaN).
    reference : DataFrame, Factors or str, optional
        The standardizing systems, as for `standardize`; by default the systems themselves.
    epsilon : float, default 1e-5
        Adjustment of `gmap` (``"uniform"``); the default suits AP.
    aggregate : {"mean", "borda", "z", "normal"}, default "mean"
        Ranking criterion, in the column ``value``: the mean over the topics that a system has
        (with a warning of gaps, as easy topics then improve the rank); `borda` counts, where gaps
        cost nothing; or the mean of standardized scores over the topics that a system has.
    smaller_is_better : bool, default False
        If True, rank 1 is the smallest value, as for a latency or an error.

    Returns
    -------
    DataFrame
        One row per system, best first, and by name where means are equal (index ``system``):

        ================== ================================================================
        value              criterion of `rank`, see `aggregate`
        topics             number of topics that the system has; all columns are of these
        mean               mean score
        low, high          95% interval of ``value``, see Notes
        sd                 standard deviation of scores, ddof=1
        gmap               geometric mean, see `gmap`; NaN if a score is negative
        standardized       mean of the standardized scores (normal CDF of z); .5 is average
        rank, rank_gmap,   rank by ``value``, ``gmap`` and ``standardized``, 1 for the best;
        rank_standardized  systems that are equal to 1e-12 of the largest value share the better
                           rank. The latter two rank the systems without gaps; missing
                           (``pd.NA``) for the others
        zeros              number of topics with a score of 0
        ================== ================================================================

    Warns
    -----
    UserWarning
        As in `standardize` and `gmap`, once for each cause.

    Notes
    -----
    ``value`` is a mean over n topics: of scores, shares of systems beaten, or standardized scores.
    ``low`` and ``high`` are value -+ t s / sqrt(n), where s is the standard deviation of these over
    topics, and t has n - 1 degrees of freedom. Topics are treated as a sample, and the
    standardizing systems' means and standard deviations as fixed.

    Examples
    --------
    >>> gaps = pd.DataFrame({"a": [0.1, 0.7, 0.5], "b": [0.2, 0.8, None], "c": [None, 0.6, 0.4]})
    >>> leaderboard(gaps, aggregate="borda")[["value", "topics", "rank"]].round(2)
           value  topics  rank
    system
    b         1.0       2     1
    a         0.5       3     2
    c         0.0       2     3
    """
    check_choice(aggregate, ("mean", "borda", "z", "normal"), "aggregate")
    check_flag(smaller_is_better, "smaller_is_better")
    if aggregate == "mean":
        scores = check_scores(scores, complete=False)
    else:
        scores = check_incomplete_scores(scores)
    if not smaller_is_better:
        warn_of_cost(scores.attrs.get("metric"), scores)
    epsilon = check_epsilon(scores.clip(lower=0), epsilon)
    z, messages = standardized(scores, reference, "z")
    standard = scipy.special.ndtr(z)
    parts = {"mean": scores, "z": z, "normal": standard}
    # Other aggregates than the mean handle missing scores, but not missing factors.
    unexpected = standard.isna()
    if aggregate != "mean":
        unexpected &= scores.notna()
    topics = format_topics(unexpected)
    if topics:
        messages.append(
            f"scores or factors are missing on {topics}: means are over the other topics"
        )
    warn(*messages)
    _warn_of_small_epsilon(scores.to_numpy(), epsilon)
    return _build_leaderboard(scores, standard, parts.get(aggregate), epsilon, smaller_is_better)


def _build_leaderboard(
    scores: pd.DataFrame,
    standard: pd.DataFrame,
    parts: pd.DataFrame | None,
    epsilon: float,
    smaller_is_better: bool,
) -> pd.DataFrame:
    """Build the leaderboard by the mean of `parts` over topics (None: Borda counts)."""
    sign = -1 if smaller_is_better else 1
    sign_of_value = sign
    if parts is None:
        parts = shares_beaten(sign * scores)
        sign_of_value = 1  # more votes are better
    topics = scores.notna().sum()
    value = parts.mean()
    geometric = np.nan if (scores < 0).any(axis=None) else _gmap(scores, epsilon)
    half = scipy.stats.t.ppf(0.975, parts.notna().sum() - 1) * parts.sem()
    board = pd.DataFrame(
        {
            "value": value,
            "topics": topics,
            "mean": scores.mean(),
            "low": value - half,
            "high": value + half,
            "sd": scores.std(),
            "gmap": geometric,
            "standardized": standard.mean(),
        }
    )
    complete = topics == len(scores)  # means over other topics are not comparable
    board["rank"] = _rank_present(sign_of_value * board["value"])
    board["rank_gmap"] = _rank_present(sign * board["gmap"].where(complete))
    board["rank_standardized"] = _rank_present(sign * board["standardized"].where(complete))
    board["zeros"] = (scores == 0).sum()
    return board.sort_index().sort_values("rank", kind="stable")


def _rank_present(values: pd.Series) -> pd.Series:
    """Return competition ranks, 1 for the largest; missing values stay missing."""
    present = values.dropna()
    ranks = pd.Series(competition_ranks(present.to_numpy()), present.index, dtype="Int64")
    return ranks.reindex(values.index)
