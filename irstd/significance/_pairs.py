"""Tests of all pairs of systems at a time, behind `significance`, `variability` and `swaps`.

A test takes values (topics x systems), the positions i and j of the systems of each pair and an
alternative; it returns a statistic and a p-value per pair. A randomized test also takes the number
of trials, a random generator and whether to show progress.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from scipy import special, stats
from tqdm.auto import tqdm

from irstd._arrays import EQUAL, chunks, cleared, largest_of, ratio, spreads

Pairs = tuple[np.ndarray, np.ndarray]
Found = tuple[np.ndarray, np.ndarray]  # statistic and p-value per pair

BLOCK = 4_000_000  # numbers worked on at a time
NODES, FAR = 160, 30.0  # of the interpolated studentized range
# What is extreme, by the alternative
TAILS: dict[str, Callable] = {"two-sided": np.abs, "greater": np.positive, "less": np.negative}


class PairTest(NamedTuple):
    """A test of two systems.

    Attributes
    ----------
    statistic : float
        Of the test; positive if a is the larger one, where it has a sign.
    pvalue : float
        Two-sided, unless another alternative was asked for.
    """

    statistic: float
    pvalue: float


def all_pairs(m: int) -> Pairs:
    return np.triu_indices(m, 1)


def of_one_pair(test: Callable[..., Found], values: np.ndarray) -> PairTest:
    statistic, p = test(values, np.array([0]), np.array([1]))
    return PairTest(float(statistic[0]), float(p[0]))


def largest_of_pairs(values: np.ndarray, i, j) -> np.ndarray:
    each = largest_of(values)
    return np.maximum(each[i], each[j])


def differences(values: np.ndarray, i, j, each: int = 1) -> Iterator[tuple[slice, np.ndarray]]:
    """Some pairs at a time, and their differences: topics x pairs."""
    largest = largest_of_pairs(values, i, j)
    for part in chunks(len(i), each * len(values), BLOCK):
        yield part, cleared(values[:, i[part]] - values[:, j[part]], largest[part])


def moments_of_differences(values: np.ndarray, i, j) -> tuple[np.ndarray, np.ndarray]:
    """Mean and sd (ddof=1) of the differences of each pair; a constant difference has sd 0."""
    mean, sd = np.empty((2, len(i)))
    for part, d in differences(values, i, j):
        mean[part], sd[part] = d.mean(axis=0), d.std(axis=0, ddof=1)
    largest = largest_of_pairs(values, i, j)
    return cleared(mean, largest), cleared(sd, largest)


def with_t(t: np.ndarray, df: int, alternative: str = "two-sided") -> Found:
    sides = 2 if alternative == "two-sided" else 1
    return t, sides * special.stdtr(df, -TAILS[alternative](t))


def with_f(statistic, df_a: int, df_b: int) -> Found:
    """The ratio of two variances with the two-tailed p."""
    tails = special.fdtr(df_a, df_b, statistic), special.fdtrc(df_a, df_b, statistic)
    p = np.where(np.isinf(statistic), 0, np.minimum(*tails))
    return statistic, np.where(statistic == 1, 1.0, np.minimum(1, 2 * p))


def t_test(values, i, j, alternative="two-sided") -> Found:
    n = len(values)
    mean, sd = moments_of_differences(values, i, j)
    return with_t(ratio(mean, sd / np.sqrt(n)), n - 1, alternative)


def sign(values, i, j, alternative="two-sided") -> Found:
    """How often a is the better one, of the topics on which the two differ: binomial."""
    better, worse = np.empty((2, len(i)))
    for part, d in differences(values, i, j):
        better[part], worse[part] = (d > 0).sum(axis=0), (d < 0).sum(axis=0)
    few = np.minimum(better, worse)
    least = {"two-sided": few, "greater": worse, "less": better}[alternative]
    p = stats.binom.cdf(least, better + worse, 0.5)
    return better, np.minimum(1, 2 * p) if alternative == "two-sided" else p


def wilcoxon(values, i, j, alternative="two-sided") -> Found:
    """As scipy does it pair by pair: its choice of a method is one for all that it is given."""
    statistic, p = np.zeros(len(i)), np.ones(len(i))
    n = len(values)
    each = 2**n if n <= 13 else 1  # it enumerates all signs if there are ties
    least = EQUAL * largest_of_pairs(values, i, j)
    for part, d in differences(values, i, j, each):
        ranks, tied = _ranks_of_sizes(d, least[part])
        zeros = (ranks == 0).any(axis=0)
        some = ranks.any(axis=0)
        for group in (zeros & some, tied & ~zeros, ~tied & ~zeros):
            if group.any():
                found = stats.wilcoxon(ranks[:, group], axis=0, alternative=alternative)
                where = np.flatnonzero(group) + part.start
                statistic[where], p[where] = found.statistic, found.pvalue
    return statistic, p


def _ranks_of_sizes(d: np.ndarray, least: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Differences as ranks of their size, with their sign: the same if they are so on paper.

    And whether some that are not 0 share a rank.
    """
    size = np.abs(d)
    order = size.argsort(axis=0)
    ordered = np.take_along_axis(size, order, axis=0)
    up = np.diff(ordered, axis=0, prepend=0) > least
    np.put_along_axis(size, order, up.cumsum(axis=0), axis=0)
    return np.copysign(size, d), np.any(~up & (ordered > least), axis=0)


def f_test(values, i, j) -> Found:
    variances, df = spreads(values) ** 2, len(values) - 1
    return with_f(ratio(variances[i], variances[j], none=1), df, df)


def deviations(values: np.ndarray, center: str) -> np.ndarray:
    """Distances of each column from its centre, which is all that Levene's tests look at."""
    middle = (np.median if center == "median" else np.mean)(values, axis=0)
    return cleared(np.abs(values - middle), largest_of(values))


def levene(values, i, j, center="median") -> Found:
    distances, n = deviations(values, center), len(values)
    mean, sd = distances.mean(axis=0), cleared(distances.std(axis=0), largest_of(values))
    gap = cleared(mean[i] - mean[j], largest_of_pairs(values, i, j))
    w = ratio((n - 1) * gap**2, sd[i] ** 2 + sd[j] ** 2)
    return w, np.where(np.isinf(w), 0, special.fdtrc(1, 2 * n - 2, w))


def levene_mean(values, i, j) -> Found:
    return levene(values, i, j, "mean")


def paired_levene(values, i, j, alternative="two-sided", center="median") -> Found:
    return t_test(deviations(values, center), i, j, alternative)


def pitman_morgan(values, i, j, alternative="two-sided") -> Found:
    """The correlation of sums and differences, as t."""
    n, t = len(values), np.empty(len(i))
    level = values - values.min(axis=0)
    level -= level.mean(axis=0)
    largest = largest_of_pairs(level, i, j)
    for part, minus in differences(level, i, j):
        plus = cleared(level[:, i[part]] + level[:, j[part]], largest[part])
        product, square = (plus * minus).sum(axis=0), (plus**2).sum(axis=0)
        rest = ((minus - ratio(product, square) * plus) ** 2).sum(axis=0)
        t[part] = ratio(product * np.sqrt(n - 2), np.sqrt(square * rest))
    return with_t(t, n - 2, alternative)


def error_of_means(values: np.ndarray) -> tuple[float, int]:
    """Standard error of a system mean, topic and system effects removed; degrees of freedom."""
    n, m = values.shape
    rest = values - values.mean(axis=0) - values.mean(axis=1, keepdims=True) + values.mean()
    df = (n - 1) * (m - 1)
    return float(cleared(np.sqrt((rest**2).sum() / df / n), np.abs(values).max())), df


def tukey(values, i, j) -> Found:
    """Two-way: what is left of topic and system effects is the error of all pairs."""
    means = values.mean(axis=0)
    error, df = error_of_means(values)
    gap = cleared(np.abs(means[i] - means[j]), largest_of_pairs(values, i, j))
    q = ratio(gap, np.array(error))
    return q, studentized_range(q, values.shape[1], df)


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


def all_flips(n: int, trials: int) -> bool:
    """Whether the signs of n differences can be flipped in all ways, with no more trials."""
    return n < 63 and 2**n <= trials


def randomization(values, i, j, alternative, trials, rng, progress) -> Found:
    """Signs of differences are as likely the other way; all ways to flip them, if they are few."""
    n, tail = len(values), TAILS[alternative]
    exact = all_flips(n, trials)
    if exact:
        signs = 1 - 2.0 * ((np.arange(2**n)[:, None] >> np.arange(n)) & 1)
    else:
        signs = rng.integers(0, 2, (trials, n)) * 2.0 - 1
    level = values - values.mean(axis=1, keepdims=True)
    means = level.mean(axis=0)
    null = level.T @ signs.T / n  # systems x trials: flips are the same for all pairs
    largest = largest_of_pairs(values, i, j)
    found, count = cleared(means[i] - means[j], largest), np.empty(len(i))
    least = tail(found) - EQUAL * largest
    for part in _steps(len(i), len(signs), progress):
        count[part] = (tail(null[i[part]] - null[j[part]]) >= least[part, None]).sum(axis=1)
    return found, count / len(signs) if exact else (count + 1) / (trials + 1)


def bootstrap(values, i, j, alternative, trials, rng, progress) -> Found:
    """t of resampled topics, of differences shifted to the mean 0 that the null hypothesis says."""
    n, tail = len(values), TAILS[alternative]
    draws = rng.integers(n, size=(trials, n)) + n * np.arange(trials)[:, None]
    weights = np.bincount(draws.ravel(), minlength=trials * n).reshape(trials, n) / n
    found, count = t_test(values, i, j)[0], np.empty(len(i))
    least = tail(found) - EQUAL * np.nan_to_num(np.abs(found))  # which may be infinite
    largest = largest_of_pairs(values, i, j)
    for part in _steps(len(i), max(trials, n), progress):
        d = cleared(values[:, i[part]] - values[:, j[part]], largest[part])
        shifted = cleared(d - d.mean(axis=0), largest[part])
        mean, square = weights @ shifted, weights @ shifted**2
        variance = square - mean**2
        variance[variance <= EQUAL * square] = 0  # one topic, drawn n times
        t = ratio(mean, np.sqrt(variance / (n - 1)))
        count[part] = (tail(t) >= least[part]).sum(axis=0)
    return found, (count + 1) / (trials + 1)


def randomized_tukey(values, i, j, alternative, trials, rng, progress) -> Found:
    """The largest difference of two means, with the scores of each topic dealt out at random."""
    means, ranges = values.mean(axis=0), np.empty(trials)
    for part in _steps(trials, values.size, progress):
        copies = np.broadcast_to(values, (part.stop - part.start, *values.shape))
        null = rng.permuted(copies, axis=2).mean(axis=1)
        ranges[part] = null.max(axis=1) - null.min(axis=1)
    found = cleared(np.abs(means[i] - means[j]), largest_of_pairs(values, i, j))
    least = found - EQUAL * np.abs(values).max()
    count = trials - np.searchsorted(np.sort(ranges), least)
    return found, (count + 1) / (trials + 1)


def _steps(total: int, each: int, progress: bool):
    parts = list(chunks(total, each, BLOCK))
    return tqdm(parts, disable=not progress, leave=False)


WITHOUT_TRIALS: dict[str, Callable[..., Found]] = {
    "t": t_test,
    "wilcoxon": wilcoxon,
    "sign": sign,
    "tukey": tukey,
    "paired_levene": paired_levene,
    "pitman_morgan": pitman_morgan,
    "f": f_test,
    "levene": levene,
    "levene_median": levene,
    "levene_mean": levene_mean,
}
WITH_TRIALS: dict[str, Callable[..., Found]] = {
    "randomization": randomization,
    "bootstrap": bootstrap,
    "randomized_tukey": randomized_tukey,
}
OF_MEANS = ("t", "randomization", "bootstrap", "tukey", "randomized_tukey")
OF_SPREAD = ("paired_levene", "pitman_morgan", "f", "levene", "levene_median", "levene_mean")
ONE_SIDED = (
    "t", "wilcoxon", "sign", "randomization", "bootstrap", "paired_levene", "pitman_morgan",
)  # fmt: skip
FAMILYWISE = ("tukey", "randomized_tukey")
