"""Tests of all pairs of systems at a time, behind `significance`, `variability` and `swaps`.

A test takes values (topics x systems) and the positions i and j of the systems of each pair, and
returns a statistic and a p-value a pair.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import special, stats

from irstd._arrays import chunks, standard_matrix, unit
from irstd._checks import check_scores, listed

Pairs = tuple[np.ndarray, np.ndarray]
Sample = pd.Series | np.ndarray | list

BLOCK = 4_000_000  # numbers worked on at a time
CANCELLED = 1e-4  # a variance that is less of its terms has lost digits: computed again
NOISE = 1e-14  # a difference that is less of its terms is 0 on paper
NODES, FAR = 160, 30.0


class PairTest(NamedTuple):
    """A test of two systems.

    Attributes
    ----------
    statistic : float
        Of the test; positive if a is the larger one, where it has a sign.
    pvalue : float
        Two-sided.
    """

    statistic: float
    pvalue: float


def one_matrix(scores: pd.DataFrame, topics: int = 2, systems: int = 1) -> pd.DataFrame:
    """A score matrix of one metric, without NaN, of so many topics and systems at least."""
    scores = check_scores(scores, several=True, complete=False)
    if scores.columns.nlevels > 1:
        raise ValueError('scores must be those of one metric: choose it, as in scores["AP"]')
    standard_matrix(scores)
    for found, least, what in zip(
        scores.shape, (topics, systems), ("topics", "systems"), strict=True
    ):
        if found < least:
            raise ValueError(f"this needs {least} {what} or more, scores has {found}")
    return scores


def all_pairs(m: int) -> Pairs:
    return np.triu_indices(m, 1)


def sample(values: Sample, name: str) -> np.ndarray:
    """Scores of one system, as numbers."""
    numbers = np.asarray(values, dtype=float)
    if numbers.ndim != 1 or len(numbers) < 2:
        raise ValueError(f"{name} must be the scores of two topics or more, got {numbers.shape}")
    odd = np.flatnonzero(~np.isfinite(numbers))
    if len(odd):
        topics = values.index[odd] if isinstance(values, pd.Series) else odd
        raise ValueError(f"{name} is missing or infinite on the topics {listed(topics)}")
    return numbers


def paired(a: Sample, b: Sample) -> np.ndarray:
    """Scores of two systems on the same topics side by side, matched by name if both have them."""
    if isinstance(a, pd.Series) and isinstance(b, pd.Series):
        for name, labels in (("a", a.index), ("b", b.index)):
            if not labels.is_unique:
                raise ValueError(f"{name} has {listed(labels[labels.duplicated()].unique())} twice")
        other = a.index.symmetric_difference(b.index)
        if len(other):
            raise ValueError(f"a and b must be on the same topics; in only one are {listed(other)}")
        b = b.reindex(a.index)
    a, b = sample(a, "a"), sample(b, "b")
    if len(a) != len(b):
        raise ValueError(f"a and b must be on the same topics, got {len(a)} and {len(b)} scores")
    return np.column_stack([a, b])


def check_alpha(alpha: float) -> None:
    if not 0 < alpha <= 1:
        raise ValueError(f"alpha must be above 0 and at most 1, got {alpha}")


def of_one_pair(test: Callable, values: np.ndarray, *arguments) -> PairTest:
    statistic, p = test(values, np.array([0]), np.array([1]), *arguments)
    return PairTest(float(statistic[0]), float(p[0]))


def t_statistic(values: np.ndarray, i: np.ndarray, j: np.ndarray) -> np.ndarray:
    """Paired t: the variance of a difference is that of both less twice their covariance."""
    n = len(values)
    level = values - values.mean(axis=1, keepdims=True)  # keeps differences, and smaller terms
    means = level.mean(axis=0)
    level -= means
    products = level.T @ level
    squares = products.diagonal()
    difference, terms = means[i] - means[j], squares[i] + squares[j]
    deviance = terms - 2 * products[i, j]
    for part in _again(deviance <= CANCELLED * terms, n):
        d = values[:, i[part]] - values[:, j[part]]
        d[np.abs(d) <= NOISE * np.abs(values).max()] = 0
        difference[part] = d.mean(axis=0)
        deviance[part] = ((d - difference[part]) ** 2).sum(axis=0)
    return ratio(difference, np.sqrt(deviance / (n - 1) / n))


def t_test(values, i, j):
    return with_t(t_statistic(values, i, j), len(values) - 1)


def pitman_morgan(values, i, j):
    """The correlation of sums and differences, as t: from the covariances of the two systems."""
    n = len(values)
    low = values.min(axis=0)
    level = values - low  # without it, a mean has all the digits for the deviations
    level -= level.mean(axis=0)
    level[:, low == values.max(axis=0)] = 0
    products = level.T @ level
    squares = products.diagonal()
    gap, terms = squares[i] - squares[j], squares[i] * squares[j]
    rest = terms - products[i, j] ** 2
    for part in _again(rest <= CANCELLED * terms, n):
        plus, minus = level[:, i[part]] + level[:, j[part]], level[:, i[part]] - level[:, j[part]]
        gap[part] = (plus * minus).sum(axis=0)
        square = (plus**2).sum(axis=0)
        left = minus - ratio(gap[part], square) * plus
        rest[part] = square * (left**2).sum(axis=0) / 4
    gap[np.abs(gap) <= NOISE * (squares[i] + squares[j])] = 0
    return with_t(ratio(gap * np.sqrt(n - 2), 2 * np.sqrt(rest)), n - 2)


def _again(doubtful: np.ndarray, n: int):
    """The doubtful pairs, so many at a time as fit into memory."""
    places = np.flatnonzero(doubtful)
    for part in chunks(len(places), n, BLOCK):
        yield places[part]


def ratio(a: np.ndarray, b: np.ndarray, none: float = 0.0) -> np.ndarray:
    """Quotient a / b, where 0 / 0 (nothing differs) is `none`."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where((a == 0) & (b == 0), none, np.true_divide(a, b))


def with_t(t: np.ndarray, df: int) -> tuple[np.ndarray, np.ndarray]:
    return t, 2 * special.stdtr(df, -np.abs(t))


def with_f(statistic, df_a: int, df_b: int) -> tuple[np.ndarray, np.ndarray]:
    """The ratio of two variances with the two-tailed p."""
    tails = special.fdtr(df_a, df_b, statistic), special.fdtrc(df_a, df_b, statistic)
    tails = np.where(np.isinf(statistic), 0, np.minimum(*tails))
    return statistic, np.where(statistic == 1, 1.0, np.minimum(1, 2 * tails))


def variances(values: np.ndarray) -> np.ndarray:
    """Variances (ddof=1), exactly 0 where all values are the same."""
    low = values.min(axis=0)  # without it, a mean has all the digits for the deviations
    return np.where(low == values.max(axis=0), 0, (values - low).var(axis=0, ddof=1))


def f_test(values, i, j):
    found, df = variances(values), len(values) - 1
    return with_f(ratio(found[i], found[j], none=1), df, df)


def deviations(values: np.ndarray, center: str) -> np.ndarray:
    """Distances of each column from its centre, which is all that Levene's test looks at."""
    low, high = values.min(axis=0), values.max(axis=0)
    values = values - low  # without it, a mean has all the digits for the deviations
    middle = np.median(values, axis=0) if center == "median" else values.mean(axis=0)
    return np.where(low == high, 0, np.abs(values - middle))


def levene(values, i, j, center="median"):
    distances, n = deviations(values, center), len(values)
    mean = distances.mean(axis=0)
    within = ((distances - mean) ** 2).sum(axis=0)
    between = n / 2 * (mean[i] - mean[j]) ** 2
    w = ratio((2 * n - 2) * between, within[i] + within[j])
    return w, np.where(np.isinf(w), 0, special.fdtrc(1, 2 * n - 2, w))


def levene_mean(values, i, j):
    return levene(values, i, j, "mean")


def sign(values, i, j):
    """How often a is the better one, of the topics on which the two differ: binomial."""
    better, worse = np.empty(len(i)), np.empty(len(i))
    for part in chunks(len(i), len(values), BLOCK):
        a, b = values[:, i[part]], values[:, j[part]]
        better[part], worse[part] = (a > b).sum(axis=0), (a < b).sum(axis=0)
    p = 2 * stats.binom.cdf(np.minimum(better, worse), better + worse, 0.5)
    return better, np.minimum(1, p)


def wilcoxon(values, i, j):
    """As scipy does it pair by pair: its choice of a method is one for all that it is given."""
    statistic, p = np.zeros(len(i)), np.ones(len(i))
    n = len(values)
    each = n * 2**n if n <= 13 else n  # it enumerates all signs if there are ties
    for part in chunks(len(i), each, BLOCK):
        d = values[:, i[part]] - values[:, j[part]]
        ordered = np.sort(np.abs(d), axis=0)
        zeros, ties = ordered[0] == 0, (ordered[:-1] == ordered[1:]).any(axis=0)
        for group in (zeros & (ordered[-1] > 0), ties & ~zeros, ~ties & ~zeros):
            if group.any():
                found = stats.wilcoxon(d[:, group], axis=0)
                where = np.flatnonzero(group) + part.start
                statistic[where], p[where] = found.statistic, found.pvalue
    return statistic, p


def tukey(values, i, j):
    """Two-way: what is left of topic and system effects is the error of all pairs."""
    n, m = values.shape
    means = values.mean(axis=0)
    rest = values - means - values.mean(axis=1, keepdims=True) + values.mean()
    error = (rest**2).sum() / ((n - 1) * (m - 1))
    q = ratio(np.abs(means[i] - means[j]), np.sqrt(error / n))
    return q, studentized_range(q, m, (n - 1) * (m - 1))


def studentized_range(q: np.ndarray, k: int, df: int) -> np.ndarray:
    """scipy's survival function, 10 ms each, interpolated where there are many (to 1e-10)."""

    def exact(x):
        with warnings.catch_warnings(action="ignore"):  # of rounding, in the last of 11 digits
            return np.clip(stats.studentized_range.sf(x, k, df), 0, 1)

    if len(q) <= NODES:
        return np.where(q == 0, 1, exact(q))
    span = min(q.max(), FAR)  # so many pairs have 20 df or more: less than 1e-10 is beyond
    curve = np.polynomial.Chebyshev.interpolate(exact, NODES, [0, span])
    return np.where(q == 0, 1, np.clip(curve(np.minimum(q, span)), 0, 1))


def _of_any_size(test: Callable) -> Callable:
    """The test, whose statistic does not depend on the unit of the scores, of tiny scores too."""
    return lambda values, i, j: test(unit(values), i, j)


EXACT = {
    "t": _of_any_size(t_test),
    "wilcoxon": wilcoxon,
    "sign": sign,
    "tukey": _of_any_size(tukey),
    "f": _of_any_size(f_test),
    "levene": _of_any_size(levene),
    "levene_mean": _of_any_size(levene_mean),
    "pitman_morgan": _of_any_size(pitman_morgan),
}
OF_SPREAD = ("f", "levene", "levene_mean", "pitman_morgan")
