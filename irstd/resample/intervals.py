"""An interval for any number that is computed from scores: other topics would give another one."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from numbers import Real
from typing import NamedTuple

import numpy as np
import pandas as pd
import scipy

from irstd._base.arguments import Seed, check_choice, check_count, check_level, generator
from irstd._base.arrays import label_order, snap_to_zero
from irstd._base.clusters import Clusters, cluster_codes, degrees_of_freedom
from irstd._base.matrix import check_scores
from irstd._base.messages import listed, warn

Number = float | pd.Series
BIASED = 0.25  # standard errors by which a number may move if topics are drawn


class Interval(NamedTuple):
    """A number, or a Series of numbers, and the interval that holds its true value."""

    estimate: Number
    low: Number
    high: Number


def interval(
    scores: pd.DataFrame,
    function: Callable[[pd.DataFrame], Number],
    *,
    level: float = 0.95,
    by: str = "bootstrap",
    clusters: Clusters | None = None,
    trials: int = 1000,
    seed: Seed = 0,
) -> Interval:
    """The interval of a number that is computed from scores, over topics that could be others.

    Parameters
    ----------
    scores : DataFrame
        A score matrix, with gaps or without. Of two on the same topics, give one beside the other:
        ``a.join(b.add_suffix(" later"))``.
    function : callable
        Takes a score matrix, returns a number or a Series. Topics that are drawn have numbers for
        names: what depends on ids is to be done before.
    level : float, default 0.95
        Of the interval.
    by : {"bootstrap", "jackknife"}, default "bootstrap"
        As many topics drawn with replacement, `trials` times; or each topic left out once, which
        is the one to take for rank correlations, and never for medians and other quantiles.
    clusters : Series or dict, optional
        The cluster of each topic, where topics belong together, as turns of a conversation: whole
        clusters are drawn, or left out, and are counted for topics in the notes; of clusters of
        unequal size the degrees of freedom are fewer, those of `pairwise_tests`.
    trials : int, default 1000
        Draws of the bootstrap.
    seed : int or numpy.random.Generator, default 0
        For these; the same draws in any order of topics.

    Returns
    -------
    Interval
        A named tuple ``(estimate, low, high)`` of numbers, or of Series if `function` returns one.

    Raises
    ------
    TypeError
        If `function` returns neither a number nor a Series.
    ValueError
        If there are fewer than three topics; if the labels of the Series depend on the topics;
        what `function` raises.

    Warns
    -----
    UserWarning
        If the bootstrap moves the number by more than a quarter of its standard error, as it does
        tau (to draw topics twice adds noise): the interval may not cover. If the number is not
        defined (NaN) on some draws, which are left out.

    Notes
    -----
    estimate +- t s, with the quantile of t with n - 1 degrees of freedom, n the number of topics.
    s is sqrt(n / (n - 1)) times the standard deviation of the draws, or the square root of
    (n - 1) / n times the sum of squared deviations of the n values without a topic. For a mean both
    are Student's interval. How often it covers: page *Coverage*.

    References
    ----------
    Efron, Tibshirani (1993), *An introduction to the bootstrap*, chapters 10 to 13.

    Examples
    --------
    >>> import irstd
    >>> scores = irstd.load_dataset("sim-trec8")
    >>> low, high = interval(scores, lambda x: irstd.gmap(x, 0.01).iloc[0], trials=200)[1:]
    >>> bool(low < irstd.gmap(scores, 0.01).iloc[0] < high)
    True
    """
    check_choice(by, ("bootstrap", "jackknife"), "by")
    level = check_level(level)
    trials = check_count(trials, "trials", 2)
    rng = generator(seed)
    scores = check_scores(scores, complete=False, topics=3)
    scores = scores.iloc[label_order(scores.index)]
    codes = np.arange(len(scores))  # of what is drawn
    if clusters is not None:
        codes = cluster_codes(clusters, scores.index)
    n = codes.max() + 1
    value = function(scores)
    estimate = _as_series(value)
    values = []
    with warnings.catch_warnings(action="ignore"):  # they are said once, of all topics
        for rows in _draws(codes, by, trials, rng):
            topics = scores.iloc[rows]
            if by == "bootstrap":  # a topic that is drawn twice would have its name twice
                topics = topics.set_axis([str(place) for place in range(len(rows))])
            values.append(_as_series(function(topics), estimate))
    drawn = pd.DataFrame(values)
    if by == "jackknife":
        error = np.sqrt((n - 1) * drawn.var(ddof=0))
    else:
        error = drawn.std() * np.sqrt(n / (n - 1))
        bias = snap_to_zero((drawn.mean() - estimate).to_numpy(), np.abs(estimate.to_numpy()))
        if (np.abs(bias) > BIASED * error).any():
            warn(
                "drawing topics moves the estimate by more than a quarter of its standard error:"
                " the interval may not cover; for ranks and tau, not for quantiles, take"
                " by='jackknife'"
            )
    undefined = drawn.isna().any(axis=1).sum()
    if undefined:
        warn(f"function returns NaN on {undefined} of {len(drawn)} draws of topics: left out")
    half = scipy.stats.t.ppf((1 + level) / 2, degrees_of_freedom(codes)) * error
    ends = [estimate, estimate - half, estimate + half]
    if isinstance(value, pd.Series):
        return Interval(*ends)
    return Interval(*[numbers.item() for numbers in ends])


def _as_series(value: object, estimate: pd.Series | None = None) -> pd.Series:
    """A number or a Series, as numbers with the labels of the estimate."""
    if isinstance(value, pd.Series):
        numbers = value.astype(float)
    elif isinstance(value, Real):  # as those of numpy are
        numbers = pd.Series([float(value)])
    else:
        kind = type(value).__name__
        raise TypeError(f"function must return a number or a Series, which names each, got {kind}")
    if estimate is None:
        return numbers
    if set(numbers.index) != set(estimate.index) or len(numbers) != len(estimate):
        labels = f"{listed(estimate.index)} of all topics, {listed(numbers.index)} of other draws"
        raise ValueError(f"function must return the same labels for any topics, got {labels}")
    return numbers.reindex(estimate.index)


def _draws(
    codes: np.ndarray, by: str, trials: int, rng: np.random.Generator
) -> Iterator[np.ndarray]:
    """The rows of all topics, or clusters, but one; or of as many, drawn with replacement."""
    units = [np.flatnonzero(codes == code) for code in range(codes.max() + 1)]
    n = len(units)
    if by == "jackknife":
        for unit in units:
            yield np.delete(np.arange(len(codes)), unit)
    else:
        for _ in range(trials):
            yield np.concatenate([units[k] for k in rng.integers(n, size=n)])
