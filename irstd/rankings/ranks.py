"""Ranks of systems: how far they can be trusted, who decides them, and what to do about gaps."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd
from scipy.sparse.csgraph import connected_components

from irstd._base.arguments import Seed, check_choice, check_count, check_real, generator
from irstd._base.arrays import dense_ranks, places
from irstd._base.matrix import with_gaps
from irstd._base.messages import listed, topics_where, warn
from irstd.rankings.best import group_of_the_best
from irstd.rankings.draws import bootstrap_means, interval_of_ranks
from irstd.rankings.several import check_plain, ranks_of_collections
from irstd.standardize import Reference, by_method, standardized


def borda(scores: pd.DataFrame, *, missing: str = "share") -> pd.Series:
    """Borda counts: on each topic, a system gets a vote for each system that it beats.

    Parameters
    ----------
    scores : DataFrame
        A score matrix; it may have gaps (NaN).
    missing : {"share", "zero"}, default "share"
        ``"share"``: the share of the other systems with a score on the topic that are beaten, then
        the mean over the topics that the system has. ``"zero"``: votes are summed, so that a gap
        is worth nothing. This is how embedding leaderboards count.

    Returns
    -------
    Series
        By system, larger is better: from 0 to 1, or a number of votes. Systems that tie on a topic
        get half a vote of each other.

    Notes
    -----
    With ``"zero"``, a topic with m columns gives a system of (average) rank r the votes m - r.

    References
    ----------
    Enevoldsen et al. (2025). MMTEB: Massive multilingual text embedding benchmark. ICLR.

    Examples
    --------
    >>> scores = pd.DataFrame({"a": [0.3, 0.2], "b": [0.2, 0.4], "c": [0.1, None]}, ["x", "y"])
    >>> borda(scores).tolist(), borda(scores, missing="zero").tolist()
    ([0.5, 0.75, 0.0], [3.0, 3.0, 0.0])
    """
    check_choice(missing, ("share", "zero"), "missing")
    scores = with_gaps(scores)
    if missing == "share":
        return _shares_beaten(scores).mean().rename("borda")
    votes = scores.shape[1] - _ranks_by_topic(scores)
    return votes.sum().rename("borda")


def _ranks_by_topic(scores: pd.DataFrame) -> pd.DataFrame:
    """Ranks from the best on each topic, the mean of those that tie; NaN where no score is."""
    ranks = dense_ranks(-scores.fillna(0).to_numpy())
    without_gaps = pd.DataFrame(ranks, scores.index, scores.columns)
    return without_gaps.where(scores.notna()).rank(axis=1)


def _shares_beaten(scores: pd.DataFrame) -> pd.DataFrame:
    """On each topic, the share of the other systems with a score that each system beats."""
    ranks = _ranks_by_topic(scores)
    present = scores.notna().sum(axis=1)
    others = present - 1
    beaten = -ranks.sub(present, axis=0)
    return beaten.div(others.where(others > 0), axis=0)  # NaN where there are no others


def additive_means(scores: pd.DataFrame) -> pd.Series:
    """Means over all topics, gaps filled by a model: effect of the system + effect of the topic.

    Parameters
    ----------
    scores : DataFrame
        A score matrix; it may have gaps (NaN).

    Returns
    -------
    Series
        By system. Without gaps, these are the means.

    Notes
    -----
    The least-squares fit of ``score ~ system + topic``.

    Examples
    --------
    >>> scores = pd.DataFrame({"a": [0.3, 0.5], "b": [0.2, None]}, ["hard", "easy"])
    >>> additive_means(scores).round(2).tolist()
    [0.4, 0.3]
    """
    return _additive_parts(with_gaps(scores)).mean().rename("additive")


def _additive_parts(scores: pd.DataFrame) -> pd.DataFrame:
    """What each topic adds to the additive means: their mean, and their variance to first order."""
    empty = listed(scores.index[scores.isna().all(axis=1)])
    if empty:
        raise ValueError(f"scores has none at all on the topics {empty}; leave them out")
    values = scores.fillna(0).to_numpy()
    present = scores.notna().to_numpy(float)  # 1 or 0
    n_parts, _ = connected_components(present.T @ present)
    if n_parts > 1:
        raise ValueError("scores fall into parts without a system or topic in common")
    fitted = _fit_additive(values, present)
    # Residuals stand for those of the topics that are missing, too.
    weight = present / present.mean(axis=0)
    return pd.DataFrame(fitted + weight * (values - fitted), scores.index, scores.columns)


def _fit_additive(values: np.ndarray, present: np.ndarray) -> np.ndarray:
    """Least-squares fit of score ~ system + topic to the scores that are present."""
    # Normal equations, with the effects of the topics solved away
    systems_on_topic = present.sum(axis=1)
    share = present / systems_on_topic[:, None]
    matrix = np.diag(present.sum(axis=0)) - present.T @ share
    topic_means = values.sum(axis=1) / systems_on_topic
    target = (values - present * topic_means[:, None]).sum(axis=0)
    # The level of the effects of systems is free: with 1 added everywhere, they sum to 0.
    system_effects = np.linalg.solve(matrix + 1, target)
    topic_effects = topic_means - share @ system_effects
    return system_effects + topic_effects[:, None]


def _as_they_are(scores: pd.DataFrame) -> pd.DataFrame:
    return scores


# What systems are ranked by is the mean over topics of these.
PER_TOPIC: dict[str, Callable[[pd.DataFrame], pd.DataFrame]] = {
    "mean": _as_they_are,
    "borda": _shares_beaten,
    "additive": _additive_parts,
}


def topic_influence(scores: pd.DataFrame, method: str | None = None) -> pd.Series:
    """Who decides a mean: the share of each topic in the differences between systems.

    Parameters
    ----------
    scores : DataFrame
        A score matrix; it may have gaps (NaN).
    method : str, optional
        A method of `standardize`; by default raw scores.

    Returns
    -------
    Series
        By topic, summing to 1: the standard deviation of the topic over the systems, as a share of
        the sum of all. Of z, all have the same.

    Examples
    --------
    >>> scores = pd.DataFrame({"a": [0.1, 0.2], "b": [0.2, 0.5]}, ["x", "y"])
    >>> topic_influence(scores).round(2).tolist(), topic_influence(scores, "z").tolist()
    ([0.25, 0.75], [0.5, 0.5])
    """
    scores = with_gaps(scores)
    _warn_of_gaps(scores, "the influence is that on the systems that have them")
    if method is not None:
        scores, _ = standardized(scores, method=method)
    spread = scores.std(axis=1).fillna(0)
    if not spread.sum() > 0:
        raise ValueError("scores have no differences between systems")
    return (spread / spread.sum()).rename("influence")


def rank_intervals(
    scores: pd.DataFrame | Mapping[str, pd.DataFrame],
    *,
    aggregate: str = "mean",
    method: str | None = None,
    reference: Reference = None,
    trials: int = 1000,
    level: float = 0.95,
    seed: Seed = 0,
) -> pd.DataFrame:
    """How far ranks can be trusted: the ranks that systems get on other topics, by the bootstrap.

    Parameters
    ----------
    scores : DataFrame, or dict of str to DataFrame
        A score matrix; topics may be data sets, as on a leaderboard. It may have gaps (NaN). Larger
        is better: of errors, give their negative. Or several by the name of their collection: then
        systems are ranked by the mean over these, and topics are drawn within each.
    aggregate : {"mean", "borda", "additive"}, default "mean"
        What systems are ranked by, as in `leaderboard`: the mean over the topics that a system has,
        `borda` with ``missing="share"``, or `additive_means`.
    method : str, optional
        Standardize first, by this method of `standardize`.
    reference : DataFrame, Factors or str, optional
        The standardizing systems; by default the systems themselves.
    trials : int, default 1000
        Samples of topics, as many as there are, drawn with replacement.
    level : float, default 0.95
        Of the intervals, and of the group.
    seed : int or numpy.random.Generator, default 0

    Returns
    -------
    DataFrame
        One row per system, best first (index ``system``):

        ========== ====================================================================
        value      the aggregate over all topics
        rank       1 is best; equal values share the better rank
        low, high  the interval of ranks: low is the better end
        best       True for a group that holds the best system with this level, see Notes
        ========== ====================================================================

    Raises
    ------
    ValueError
        If there are fewer than two systems or five topics, or a system has no score.

    Warns
    -----
    UserWarning
        If scores are missing, and systems are ranked by the mean of what is there, naming topics.

    Notes
    -----
    The group, with no draws, are the m systems but for those that are significantly worse than some
    other: by a two-sided paired t-test at (1 - level) / (m - 1), or after Holm's correction for all
    pairs. The best leaves by half of the errors of either rule, those in which it looks worse: so
    with 1 - level at most. Two systems are in it together unless a paired t-test finds them
    different. Means of Borda's shares and additive ones are tested as means of what each topic adds
    to them. A pair is tested on the topics that both have.

    With few topics the bootstrap is too sure of itself: 95% intervals held the true rank in 97% of
    the cases with 50 topics, in 85% with 5. In a draw without its topics, a system is the last.
    If what is missing is hard, or easy, for its system, all aggregates mislead: compare in pairs.

    References
    ----------
    Goldstein, Spiegelhalter (1996), doi:10.2307/2983325. Multiple comparisons with the best: Hsu
    (1981), doi:10.1214/aos/1176345582.

    Examples
    --------
    >>> import irstd
    >>> irstd.rank_intervals(irstd.load_dataset("sim-trec8")).columns.tolist()
    ['value', 'rank', 'low', 'high', 'best']
    """
    check_choice(aggregate, PER_TOPIC, "aggregate")
    trials = check_count(trials, "trials")
    level = check_real(level, "level", 0, 1, open_="low high")
    rng = generator(seed)
    if isinstance(scores, Mapping):
        check_plain(aggregate=aggregate, method=method, reference=reference)
        return ranks_of_collections(scores, trials, level, rng)
    scores = with_gaps(scores, least=5)
    if method is None and aggregate == "mean":
        _warn_of_gaps(scores, "means are over the others")
    scores = by_method(scores, reference, method)
    parts = PER_TOPIC[aggregate](scores)
    parts = parts.sort_index().sort_index(axis=1)  # equal seeds draw the same in any order
    values = parts.fillna(0).to_numpy()
    present = parts.notna().to_numpy(float)  # 1 or 0
    means = values.sum(axis=0) / present.sum(axis=0)
    means_by_draw = bootstrap_means(values, present, trials, rng)
    low, high = interval_of_ranks(means_by_draw, level)
    table = pd.DataFrame(
        {
            "value": means,
            "rank": places(means),
            "low": low,
            "high": high,
            "best": group_of_the_best(parts, level),
        },
        index=parts.columns,
    )
    return table.sort_values("rank", kind="stable")


def _warn_of_gaps(scores: pd.DataFrame, consequence: str) -> None:
    gaps = topics_where(scores.isna())
    if gaps:
        warn(f"scores are missing on the topics {gaps}: {consequence}")
