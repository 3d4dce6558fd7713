"""An interval for any number that is computed from scores: other topics would give another one."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from irstd._base.arguments import Seed, check_choice, check_count, check_real, generator
from irstd._base.arrays import EQUAL, label_order
from irstd._base.matrix import check_several
from irstd._base.messages import warn

Number = float | pd.Series
BIASED = 0.25  # standard errors by which a number may move if topics are drawn


class Interval(NamedTuple):
    """A number, or a Series of numbers, and the interval that holds its true value."""

    estimate: Number
    low: Number
    high: Number


def interval(
    scores: pd.DataFrame | Mapping[str, pd.DataFrame],
    function: Callable[[Any], Number],
    *,
    level: float = 0.95,
    by: str = "bootstrap",
    trials: int = 1000,
    seed: Seed = 0,
) -> Interval:
    """The interval of a number that is computed from scores, over topics that could be others.

    Parameters
    ----------
    scores : DataFrame, or several in a dict
        Score matrices, of one metric or several, with gaps or without. Those on the same topics
        are drawn alike: their topics stay paired.
    function : callable
        Takes what `scores` is (a DataFrame, or a dict of them), returns a number or a Series.
        Topics that are drawn have numbers for names: what depends on ids is to be done before.
    level : float, default 0.95
        Of the interval.
    by : {"bootstrap", "jackknife"}, default "bootstrap"
        As many topics drawn with replacement, `trials` times; or each topic left out once, which
        is the one to take for rank correlations.
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
    ValueError
        If there are fewer than three topics; what `function` raises.

    Warns
    -----
    UserWarning
        If the bootstrap moves the number by more than a quarter of its standard error, as it does
        tau (to draw topics twice adds noise): the interval may not cover.

    Notes
    -----
    estimate +- t s, with the quantile of t with n - 1 degrees of freedom, n the (least) number of
    topics. s is sqrt(n / (n - 1)) times the standard deviation of the draws, or the square root of
    (n - 1) / n times the sum of squared deviations of the n values without a topic, added up over
    sets of topics. For a mean both are Student's interval. How often it covers: page *Coverage*.

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
    level = check_real(level, "level", 0, 1, open_="low high")
    trials, rng = check_count(trials, "trials"), generator(seed)
    tables = check_several(scores, several=True, complete=False, topics=3)
    tables = {name: table.iloc[label_order(table.index)] for name, table in tables.items()}
    whole = {tuple(table.index): np.arange(len(table)) for table in tables.values()}

    def value(rows: dict[tuple, np.ndarray], renamed: bool = False) -> Number:
        parts = {name: table.iloc[rows[tuple(table.index)]] for name, table in tables.items()}
        if renamed:
            parts = {name: x.set_axis([str(k) for k in range(len(x))]) for name, x in parts.items()}
        return function(parts.get(None, parts))

    def values(samples: Iterable[dict[tuple, np.ndarray]], renamed: bool) -> pd.DataFrame:
        return pd.DataFrame([pd.Series(value(rows, renamed), dtype=float) for rows in samples])

    first = value(whole)
    estimate, least = pd.Series(first, dtype=float), min(map(len, whole))
    error, bias = 0 * estimate, 0 * estimate
    with warnings.catch_warnings(action="ignore"):  # they are said once, of all topics
        if by == "bootstrap":
            sizes = [(ids, len(ids)) for ids in whole]
            samples = ({ids: rng.integers(n, size=n) for ids, n in sizes} for _ in range(trials))
            found = values(samples, renamed=True)
            error = found.std() * np.sqrt(least / (least - 1))
            bias = found.mean() - estimate
        else:
            for ids, rows in whole.items():
                left = values((whole | {ids: np.delete(rows, k)} for k in rows), renamed=False)
                error = (error**2 + (len(ids) - 1) * left.var(ddof=0)) ** 0.5
    if (bias.abs() > BIASED * error + EQUAL * estimate.abs()).any():
        said = "drawing topics moves the estimate by more than a quarter of its standard error"
        warn(f"{said}: the interval may not cover; see by='jackknife'")
    half = stats.t.ppf((1 + level) / 2, least - 1) * error
    ends = estimate, estimate - half, estimate + half
    if isinstance(first, pd.Series):
        return Interval(*ends)
    return Interval(*(float(end.iloc[0]) for end in ends))
