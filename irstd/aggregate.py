"""From the scores on topics to one number per system: means, geometric means, leaderboard."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd
from scipy import stats

from irstd._arrays import chunks, label_order, places, times_drawn
from irstd._checks import (
    Seed,
    by_metric,
    check_choice,
    check_real,
    check_scores,
    generator,
    listed,
    topics_where,
    warn,
)
from irstd.rankings.ranks import additive_means, borda, with_gaps
from irstd.standardize import Reference, standardized

ADJUST = ("uniform", "zeros", "floor")
TINY = 1e-100  # epsilon below which scores are too large in units of it
FAR = 100  # times epsilon: with no score nearer to 0, GMAP is little but a count of zeros
INTERVALS = ("t", "bootstrap")
DRAWS = 9999  # of the bootstrap, as many as scipy's
# What systems are ranked by, from their scores and the means of their standardized scores.
VALUES: dict[str, Callable[[pd.DataFrame, pd.Series], pd.Series]] = {
    "mean": lambda scores, level: scores.mean(),
    "borda": lambda scores, level: borda(scores),
    "additive": lambda scores, level: additive_means(scores),
    "z": lambda scores, level: level,
    "normal": lambda scores, level: level,
}
RANKS = {"rank": "value", "rank_gmap": "gmap", "rank_standardized": "standardized"}


def gmap(scores: pd.DataFrame, epsilon: float = 1e-5, *, adjust: str = "uniform") -> pd.Series:
    """Geometric mean over topics, adjusted so that a score of 0 does not make 0 of it.

    Parameters
    ----------
    scores : DataFrame
        A score matrix of any metric that is not negative: one row per topic, one column per system;
        or several, with columns ``(metric, system)``.
    epsilon : float, default 1e-5
        The adjustment, in the unit of the scores. 0 is allowed where no score is 0; infinity, with
        ``adjust="uniform"``, is the arithmetic mean.
    adjust : {"uniform", "zeros", "floor"}, default "uniform"
        See Notes.

    Returns
    -------
    Series
        One score per system. Index ``system``, or ``(metric, system)`` for several metrics; name
        ``gmap``.

    Raises
    ------
    ValueError
        If epsilon is negative; if it is 0 and a score is; if a score is negative.

    Warns
    -----
    UserWarning
        If scores are missing (NaN), naming the topics: the mean is over those that are there. If
        some are 0 and epsilon is less than a hundredth of the smallest positive score of the
        metric: the result is then little but a count of the zeros. (1e-5 suits AP.)

    Notes
    -----
    ``uniform``
        exp(mean log(x + e)) - e: all scores are shifted up, and the mean down again (Robertson
        2006, and the form that Ravana and Moffat 2008 prefer).
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
    >>> gmap(scores, 0).round(2).to_dict()
    {'a': 0.19, 'b': 0.26}
    >>> gmap(scores, np.inf).round(2).to_dict()
    {'a': 0.4, 'b': 0.4}
    """
    scores = check_scores(scores, several=True, complete=False)
    epsilon = check_epsilon(scores, epsilon, adjust)
    if missing := topics_where(scores.isna()):
        warn(f"scores are missing on the topics {missing}: the mean is over the others")
    warn(*_small_epsilon(by_metric(scores), epsilon))
    return _gmap(scores, epsilon, adjust)


def check_epsilon(scores: pd.DataFrame, epsilon: float, adjust: str = "uniform") -> float:
    """Return epsilon as float, or raise if it and the scores have no geometric mean."""
    check_choice(adjust, ADJUST, "adjust")
    if isinstance(epsilon, float) and epsilon == np.inf:
        if adjust != "uniform":
            raise ValueError(f'an infinite epsilon needs adjust="uniform", got adjust={adjust!r}')
    else:
        epsilon = check_real(epsilon, "epsilon", 0)
    for wrong, said in (
        (scores < 0, "a geometric mean needs scores >= 0; negative"),
        ((scores == 0) & (epsilon == 0), "epsilon must be positive where scores are 0: so"),
    ):
        if topics := topics_where(wrong):
            raise ValueError(f"{said} on the topics {topics}")
    return epsilon


def _small_epsilon(blocks: Mapping[str | None, pd.DataFrame], epsilon: float) -> list[str]:
    """What has to be said of an epsilon beside which a score of 0 is far from all others."""
    far = []
    for metric, block in blocks.items():
        values = block.to_numpy()
        least = values[values > 0].min(initial=np.inf)
        if (values == 0).any() and epsilon < least / FAR < np.inf:
            far.append(f"{least:g}" + (f" for {metric}" if metric else ""))
    if not far:
        return []
    return [
        f"epsilon is {epsilon:g}, less than a hundredth of the smallest positive score"
        f" ({listed(far, 20)}): the geometric mean is then little but a count of the zeros"
    ]


def _gmap(scores: pd.DataFrame, epsilon: float, adjust: str = "uniform") -> pd.Series:
    logs = pd.DataFrame(log_scores(scores.to_numpy(), epsilon, adjust))
    means = from_log(logs.mean().to_numpy(), epsilon, adjust)
    return pd.Series(means, scores.columns, name="gmap")


def log_scores(values: np.ndarray, epsilon: float, adjust: str = "uniform") -> np.ndarray:
    """What the geometric mean is an arithmetic mean of."""
    if adjust == "floor":
        return np.log(np.maximum(values, epsilon))
    if adjust == "zeros":
        return np.log(np.where(values == 0, epsilon, values))
    if epsilon == np.inf:
        return values
    return np.log1p(values / epsilon) if epsilon > TINY else np.log(values + epsilon)


def from_log(means: np.ndarray, epsilon: float, adjust: str = "uniform") -> np.ndarray:
    """The geometric mean from the mean of `log_scores`."""
    if adjust != "uniform":
        return np.exp(means)
    if epsilon == np.inf:
        return means
    return epsilon * np.expm1(means) if epsilon > TINY else np.maximum(np.exp(means) - epsilon, 0)


def leaderboard(
    scores: pd.DataFrame,
    *,
    reference: Reference = None,
    epsilon: float = 1e-5,
    aggregate: str = "mean",
    intervals: str = "t",
    seed: Seed = 0,
) -> pd.DataFrame:
    """The systems by their mean, with what else there is to say of each.

    Parameters
    ----------
    scores : DataFrame
        A score matrix: one row per topic, one column per system; or several, with columns
        ``(metric, system)``, as `evaluate` returns them. It may have gaps (NaN).
    reference : DataFrame or Factors, optional
        The standardizing systems, as for `standardize`; by default the systems themselves.
    epsilon : float, default 1e-5
        Of `gmap`, uniform. It suits AP; see there.
    aggregate : {"mean", "borda", "additive", "z", "normal"}, default "mean"
        What systems are ranked by: ``value``. The mean over the topics that a system has (easy
        topics then make a good rank, so gaps are warned of); `borda` counts, in which a gap costs
        nothing; `additive_means`, which put what is missing at the level of its topic and system;
        or the mean of standardized scores over the topics that a system has. None of them knows
        why a score is missing: a system that was left out where it would fail gains by all.
    intervals : {"t", "bootstrap"}, default "t"
        How `low` and `high` are found, see Notes.
    seed : int or numpy.random.Generator, default 0
        Of the bootstrap.

    Returns
    -------
    DataFrame
        One row per system, best first, and by name where means are equal (index ``system``;
        for several metrics ``(metric, system)``, one leaderboard after the other):

        ================== ================================================================
        value              what `rank` is by, see `aggregate`
        topics             how many the system has; all that follows is over these
        mean               over topics
        low, high          95% interval of the mean: topics are taken for a sample of all topics
        sd                 over topics, ddof=1
        gmap               geometric mean over topics; NaN if a score of the metric is negative
        standardized       mean of the standardized scores (normal CDF of z); .5 is average
        rank, rank_gmap,   1 for the best; systems that are equal to 1e-12 of the largest value
        rank_standardized  share the better rank. The latter two are among the systems without
                           gaps; missing (``pd.NA``) for the others
        zeros              topics scored 0
        ================== ================================================================

        Columns and their types are the same whatever the arguments.

    Raises
    ------
    ValueError
        If `aggregate` or `intervals` is none of these; if a system has no score at all, and
        `aggregate` is not "mean".

    Warns
    -----
    UserWarning
        As `standardize` and `gmap`, once for each thing to say: few standardizing systems, topics
        without scale, missing scores, an epsilon far below the scores.

    Notes
    -----
    ``"t"``: mean -+ t sd / sqrt(n), with n - 1 degrees of freedom. ``"bootstrap"``: the topics are
    drawn again, n with replacement, 9,999 times, the same for all systems; the quantiles .025 and
    .975 of the means, which for 10 topics are too narrow by almost a fifth.

    Examples
    --------
    >>> import irstd
    >>> board = irstd.leaderboard(irstd.load_dataset("sim-trec8"))
    >>> board.shape
    (129, 12)
    >>> board["rank"].head(3).tolist()
    [1, 2, 3]
    >>> gaps = pd.DataFrame({"a": [0.1, 0.7, 0.5], "b": [0.2, 0.8, None], "c": [None, 0.6, 0.4]})
    >>> irstd.leaderboard(gaps, aggregate="additive")[["value", "topics", "rank"]].round(2)
            value  topics  rank
    system
    b         0.53       2     1
    a         0.43       3     2
    c         0.33       2     3
    """
    check_choice(aggregate, VALUES, "aggregate")
    check_choice(intervals, INTERVALS, "intervals")
    rng = generator(seed)
    scores = check_scores(scores, several=True, complete=False)
    scores = scores.iloc[label_order(scores.index)]  # equal seeds draw the same in any order
    n, blocks = len(scores), by_metric(scores)
    standard, messages = standardized(scores, reference)
    z = standardized(scores, reference, "z")[0] if aggregate == "z" else standard
    levels = pd.DataFrame({"normal": standard.mean(), aggregate: z.mean()})
    epsilon = check_epsilon(scores.clip(lower=0), epsilon)
    messages += _small_epsilon({m: b for m, b in blocks.items() if not _negative(b)}, epsilon)
    unsaid = standard.isna() & (scores.notna() | (aggregate == "mean"))
    if topics := topics_where(unsaid):
        messages.append(
            f"scores or factors are missing on the topics {topics}: means are over the others"
        )
    draws = times_drawn(rng.integers(n, size=(DRAWS, n)), n) if intervals != "t" else None
    warn(*messages)
    if None in blocks:
        return _board(scores, levels, epsilon, aggregate, draws)
    parts = {m: _board(b, levels.loc[m], epsilon, aggregate, draws) for m, b in blocks.items()}
    return pd.concat(parts, names=["metric"])


def _negative(scores: pd.DataFrame) -> bool:
    return bool((scores < 0).to_numpy().any())


def _board(
    scores: pd.DataFrame,
    levels: pd.DataFrame,
    epsilon: float,
    aggregate: str,
    draws: np.ndarray | None,
) -> pd.DataFrame:
    """The leaderboard of one metric; `levels` are means of standardized scores, by method."""
    gmaps = np.nan if _negative(scores) else _gmap(scores, epsilon)
    n, mean, sd = scores.notna().sum(), scores.mean(), scores.std()
    half = stats.t.ppf(0.975, n - 1) * sd / np.sqrt(n)
    low, high = (mean - half, mean + half) if draws is None else _bootstrap(scores, draws)
    if aggregate != "mean":
        with_gaps(scores)
    board = pd.DataFrame(
        {
            "value": VALUES[aggregate](scores, levels[aggregate]),
            "topics": n,
            "mean": mean,
            "low": low,
            "high": high,
            "sd": sd,
            "gmap": gmaps,
            "standardized": levels["normal"],
        }
    )
    for rank, value in RANKS.items():  # what is over other topics compares without gaps only
        known = board[value].notna() & ((rank == "rank") | (n == len(scores)))
        found = places(board.loc[known, value].to_numpy())
        board[rank] = pd.Series(found, board.index[known], dtype="Int64")
    board["zeros"] = (scores == 0).sum()
    return board.sort_index().sort_values("rank", kind="stable")


def _bootstrap(scores: pd.DataFrame, draws: np.ndarray) -> np.ndarray:
    """The ends of the 95% intervals of the means: 2 x systems, NaN with fewer than two topics."""
    values, known = scores.to_numpy(), scores.notna().to_numpy()
    ends = np.full((2, values.shape[1]), np.nan)
    enough = np.flatnonzero(known.sum(axis=0) > 1)
    for part in chunks(len(enough), DRAWS):
        some = enough[part]
        with np.errstate(invalid="ignore"):  # a draw without any of a system's topics
            means = draws @ np.nan_to_num(values[:, some]) / (draws @ known[:, some])
        ends[:, some] = np.nanquantile(means, [0.025, 0.975], axis=0)
    return ends
