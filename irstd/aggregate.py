"""From the scores on topics to one number per system: means, geometric means, leaderboard."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
from scipy import stats

from irstd._arrays import chunks, label_order, rank_means, times_drawn
from irstd._checks import (
    Seed,
    by_metric,
    check_choice,
    check_real,
    check_scores,
    generator,
    listed,
    warn,
)
from irstd.rankings.ranks import additive_means, borda, with_gaps
from irstd.standardize import Reference, standardize_and_tell, standardize_quietly

ADJUST = ("uniform", "zeros", "floor")
FAR = 100  # times epsilon: with no score nearer to 0, GMAP is little but a count of zeros
INTERVALS = ("t", "bootstrap")
DRAWS = 9999  # of the bootstrap, as many as scipy's
MISSING = ("share", "zero", "additive", "z", "normal")
RANKS = {"rank": "mean", "rank_gmap": "gmap", "rank_standardized": "standardized"}


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
        some scores are 0 and epsilon is less than a hundredth of the smallest positive score of
        the metric: the result is then little but a count of the zeros. (1e-5 suits AP; the
        smallest positive P@10 is .1.)

    Notes
    -----
    ``uniform``
        exp(mean log(x + e)) - e: all scores are shifted up, and the mean down again (Robertson
        2006, and the form that Ravana and Moffat 2008 prefer).
    ``zeros``
        exp(mean log x) with e in place of 0 (Robertson's alternative).
    ``floor``
        exp(mean log max(x, e)): trec_eval's ``gm_map``, with its e of 1e-5.

    A geometric mean weighs ratios: to double a score of .05 counts as much as to double one of .4.
    With a small e, whether a system finds anything at all on a topic decides its order. The uniform
    form is computed as e expm1(mean log1p(x / e)), which loses no digits as e grows.

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
    >>> both = pd.concat({"AP": scores, "RR": 1 - scores}, axis=1)
    >>> gmap(both, 0).round(2).to_dict()
    {('AP', 'a'): 0.19, ('AP', 'b'): 0.26, ('RR', 'a'): 0.49, ('RR', 'b'): 0.52}
    """
    scores = check_scores(scores, several=True, complete=False)
    epsilon = check_epsilon(scores, epsilon, adjust)
    topics = scores.index[scores.isna().any(axis=1)]
    if len(topics):
        warn(f"scores are missing on the topics {listed(topics)}: the mean is over the others")
    for message in _small_epsilon(scores, epsilon):
        warn(message)
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
        if wrong.to_numpy().any():
            raise ValueError(f"{said} on the topics {listed(scores.index[wrong.any(axis=1)])}")
    return epsilon


def _small_epsilon(scores: pd.DataFrame, epsilon: float) -> list[str]:
    """What has to be said of an epsilon beside which a score of 0 is far from all others."""
    far = []
    for metric, block in by_metric(scores).items():
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
    if adjust == "uniform" and epsilon == np.inf:
        return values
    if adjust == "uniform" and epsilon > 1e-100:
        return np.log1p(values / epsilon)
    if adjust == "floor":
        return np.log(np.maximum(values, epsilon))
    return np.log(
        values + epsilon if adjust == "uniform" else np.where(values == 0, epsilon, values)
    )


def from_log(means: np.ndarray, epsilon: float, adjust: str = "uniform") -> np.ndarray:
    """The geometric mean from the mean of `log_scores`."""
    if adjust == "uniform" and epsilon == np.inf:
        return means
    if adjust == "uniform" and epsilon > 1e-100:
        return epsilon * np.expm1(means)
    result = np.exp(means)
    return np.maximum(result - epsilon, 0) if adjust == "uniform" else result


def leaderboard(
    scores: pd.DataFrame,
    *,
    reference: Reference = None,
    epsilon: float = 1e-5,
    missing: str | None = None,
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
    missing : {None, "share", "zero", "additive", "z", "normal"}, default None
        What systems with gaps are ranked by. None: the mean over the topics that each system has,
        with a warning; easy topics then make a good rank. Or, without the warning, by

        ``"share"``, ``"zero"``
            `borda` counts, in which a gap costs nothing, or all votes of its topic;
        ``"additive"``
            `additive_means`: what is missing is put at the level of its topic and its system;
        ``"z"``, ``"normal"``
            the mean of standardized scores over the topics that a system has: it is taken to be as
            far above the others where it was not tried.

        None of them knows why a score is missing. A system that was left out where it would fail
        gains by all but ``"zero"``, which punishes all gaps alike.
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
        mean               over topics
        low, high          95% interval of the mean: topics are taken for a sample of all topics
        sd                 over topics, ddof=1
        gmap               geometric mean over topics; NaN if a score is negative
        standardized       mean of the standardized scores (normal CDF of z); .5 is average
        rank, rank_gmap,   1 for the best; systems that are equal to 1e-12 of the largest value
        rank_standardized  share the better rank
        zeros              topics scored 0
        ================== ================================================================

        With `missing`, ``value`` and ``topics`` come first: what `rank` is by, and the number of
        topics that the system has. The other columns are over these topics, and their ranks are
        among the systems without gaps only; NaN for the others.

    Raises
    ------
    ValueError
        If `missing` or `intervals` is none of these; if `missing` is given, and a system has no
        score at all.

    Warns
    -----
    UserWarning
        As `standardize` and `gmap`, once for each thing to say: few standardizing systems, topics
        without scale, missing scores, an epsilon far below the scores.

    Notes
    -----
    ``"t"``: mean -+ t sd / sqrt(n), with n - 1 degrees of freedom; it takes means over n topics to
    be normal. ``"bootstrap"``: the topics are drawn again, n with replacement, 9,999 times, the
    same for all systems; the ends are the quantiles .025 and .975 of the means (the percentile
    method). It follows scores that are skewed, and is too narrow for few topics: for 10, by almost
    a fifth.

    References
    ----------
    Efron, Tibshirani (1993). An Introduction to the Bootstrap, chapter 13.
    doi:10.1201/9780429246593.

    Examples
    --------
    >>> import irstd
    >>> board = irstd.leaderboard(irstd.load_dataset("sim-trec8"))
    >>> board.shape
    (129, 10)
    >>> board["rank"].head(3).tolist()
    [1, 2, 3]
    >>> both = irstd.leaderboard(irstd.load_dataset("sim-trec8", ["AP", "RBP.8"]))
    >>> both.loc["RBP.8", "rank"].head(3).tolist()
    [1, 2, 3]
    >>> gaps = pd.DataFrame({"a": [0.1, 0.7, 0.5], "b": [0.2, 0.8, None], "c": [None, 0.6, 0.4]})
    >>> irstd.leaderboard(gaps, missing="additive")[["value", "topics", "rank"]].round(2)
            value  topics  rank
    system
    b         0.53       2     1
    a         0.43       3     2
    c         0.33       2     3
    """
    check_choice(intervals, INTERVALS, "intervals")
    board, messages = leaderboard_and_tell(
        scores, reference, epsilon, missing, None if intervals == "t" else seed
    )
    for message in messages:
        warn(message)
    return board


def leaderboard_and_tell(
    scores: pd.DataFrame,
    reference: Reference = None,
    epsilon: float = 1e-5,
    missing: str | None = None,
    seed: Seed | None = None,
) -> tuple[pd.DataFrame, list[str]]:
    """The leaderboard, and what has to be said of it; with a seed, intervals by the bootstrap."""
    if missing is not None:
        check_choice(missing, MISSING, "missing")
    scores = check_scores(scores, several=True, complete=False)
    negative = (scores < 0).to_numpy().any()
    epsilon = check_epsilon(scores.clip(lower=0), epsilon)
    standardized, messages = standardize_and_tell(scores, reference)
    if not negative:
        messages += _small_epsilon(scores, epsilon)
    unsaid = standardized.isna() & (scores.notna() | (missing is None))
    topics = scores.index[unsaid.any(axis=1)]
    if len(topics):
        messages.append(
            f"scores or factors are missing on the topics {listed(topics)}: means are over the"
            " others"
        )
    n, mean, sd = scores.notna().sum(), scores.mean(), scores.std()
    half = stats.t.ppf(0.975, n - 1) * sd / np.sqrt(n)
    low, high = (mean - half, mean + half) if seed is None else _bootstrap(scores, seed)
    board = pd.DataFrame(
        {
            "mean": mean,
            "low": low,
            "high": high,
            "sd": sd,
            "gmap": np.nan if negative else _gmap(scores, epsilon),
            "standardized": standardized.mean(),
            **dict.fromkeys(RANKS, np.nan),
            "zeros": (scores == 0).sum(),
        }
    )
    if missing is not None:
        board.insert(0, "value", _over_gaps(scores, reference, missing))
        board.insert(1, "topics", n)
    if board.index.nlevels == 1:
        return _ranked(board, len(scores)), messages
    parts = [_ranked(board.loc[[metric]], len(scores)) for metric in by_metric(scores)]
    return pd.concat(parts), messages


def _bootstrap(scores: pd.DataFrame, seed: Seed) -> np.ndarray:
    """The ends of the 95% intervals of the means: 2 x systems, NaN with fewer than two topics."""
    values, n = scores.to_numpy()[label_order(scores.index)], len(scores)
    known = ~np.isnan(values)
    counts = times_drawn(generator(seed).integers(n, size=(DRAWS, n)), n)
    ends = np.full((2, values.shape[1]), np.nan)
    enough = np.flatnonzero(known.sum(axis=0) > 1)
    for part in chunks(len(enough), DRAWS):
        some = enough[part]
        with np.errstate(invalid="ignore"):  # a draw without any of a system's topics
            means = counts @ np.nan_to_num(values[:, some]) / (counts @ known[:, some])
        ends[:, some] = np.nanquantile(means, [0.025, 0.975], axis=0)
    return ends


def _over_gaps(scores: pd.DataFrame, reference: Reference, missing: str) -> pd.Series:
    """What systems with gaps are ranked by, by system or by metric and system."""
    blocks = by_metric(scores)
    if missing in ("z", "normal"):
        for block in blocks.values():
            with_gaps(block)  # the others check it themselves
        return standardize_quietly(scores, reference, missing).mean()
    counted = additive_means if missing == "additive" else partial(borda, missing=missing)
    values = {metric: counted(block) for metric, block in blocks.items()}
    return values[None] if None in values else pd.concat(values)


def _ranked(board: pd.DataFrame, topics: int) -> pd.DataFrame:
    """The rows of one metric, with ranks, the best first."""
    for rank, value in RANKS.items():
        known = board[value].dropna()
        if "value" in board:  # what is over the topics that a system has compares without gaps only
            known = board["value"] if rank == "rank" else known[board["topics"] == topics]
        places = pd.Series(-rank_means(known.to_numpy()), known.index).rank(method="min")
        board[rank] = places.astype(int) if len(known) == len(board) else places
    return board.sort_index().sort_values("rank", kind="stable")
