"""Tests of all pairs of systems at a time, behind `significance`, `variability` and `swaps`.

A test takes values (topics x systems) and the positions i and j of the systems of each pair, and
returns a statistic and a p-value per pair. `METHODS` says of each what there is to know.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from itertools import product
from typing import NamedTuple

import numpy as np
from scipy import special, stats

from irstd._base import arrays
from irstd._base.arguments import with_progress
from irstd._base.arrays import (
    chunks,
    cleared,
    dense_ranks,
    largest_of,
    least_equal,
    ratio,
    spreads,
)

Pairs = tuple[np.ndarray, np.ndarray]
Found = tuple[np.ndarray, np.ndarray]  # statistic and p-value per pair

BLOCK = 4_000_000  # numbers worked on at a time
EXACT = 50  # ranks of which all signs are counted: more are as good as normal
NODES, LARGEST_Q = 160, 30.0  # of the interpolated studentized range
# How extreme a statistic is, by the alternative
EXTREMES: dict[str, Callable] = {"two-sided": np.abs, "greater": np.positive, "less": np.negative}


class PairTest(NamedTuple):
    """The statistic of a test of two systems, and its p-value, two-sided."""

    statistic: float
    pvalue: float


def all_pairs(m: int) -> Pairs:
    """Positions i < j of all pairs of m systems."""
    return np.triu_indices(m, 1)


def in_unit(*samples: np.ndarray) -> list[np.ndarray]:
    """Scores over a power of two: no bit is lost, and squares neither overflow nor vanish."""
    largest = max(np.abs(sample).max() for sample in samples)
    exponent = np.frexp(largest)[1]
    return [np.ldexp(sample, -exponent) for sample in samples]


def largest_of_pairs(values: np.ndarray, i, j) -> np.ndarray:
    """The largest score of both systems of each pair, whatever its sign."""
    largest = largest_of(values)
    return np.maximum(largest[i], largest[j])


def differences(values: np.ndarray, i, j) -> Iterator[tuple[slice, np.ndarray]]:
    """Some pairs at a time, and their differences: topics x pairs."""
    largest = largest_of_pairs(values, i, j)
    for part in chunks(len(i), len(values), BLOCK):
        d = values[:, i[part]] - values[:, j[part]]
        yield part, cleared(d, largest[part])


def moments_of_differences(values: np.ndarray, i, j) -> tuple[np.ndarray, np.ndarray]:
    """Mean and sd (ddof=1) of the differences of each pair; a constant difference has sd 0."""
    mean = np.empty(len(i))
    sd = np.empty(len(i))
    for part, d in differences(values, i, j):
        mean[part] = d.mean(axis=0)
        sd[part] = d.std(axis=0, ddof=1)
    largest = largest_of_pairs(values, i, j)
    return cleared(mean, largest), cleared(sd, largest)


def p_of(at_most: np.ndarray, at_least: np.ndarray, alternative: str) -> np.ndarray:
    """p from the chances of a statistic that is no more, and no less, than the observed one."""
    if alternative == "greater":
        p = at_least
    elif alternative == "less":
        p = at_most
    else:
        p = 2 * np.minimum(at_most, at_least)
    return np.minimum(1, p)


def with_t(t: np.ndarray, df: int, alternative: str = "two-sided") -> Found:
    """t and its p-value."""
    at_most = special.stdtr(df, t)
    at_least = special.stdtr(df, -t)
    return t, p_of(at_most, at_least, alternative)


def t_test(values, i, j, alternative="two-sided") -> Found:
    """Student's paired t."""
    mean, sd = moments_of_differences(values, i, j)
    return t_of_moments(mean, sd, len(values), alternative)


def t_of_moments(mean: np.ndarray, sd: np.ndarray, n: int, alternative="two-sided") -> Found:
    """Student's paired t from the moments of n differences."""
    return with_t(ratio(mean, sd / np.sqrt(n)), n - 1, alternative)


def sign(values, i, j, alternative="two-sided") -> Found:
    """How often a is the better one, of the topics on which the two differ: binomial."""
    better = np.empty(len(i))
    worse = np.empty(len(i))
    for part, d in differences(values, i, j):
        better[part] = (d > 0).sum(axis=0)
        worse[part] = (d < 0).sum(axis=0)
    n = better + worse
    at_most = stats.binom.cdf(better, n, 0.5)
    at_least = stats.binom.cdf(worse, n, 0.5)  # a fair coin: as likely as `worse` or fewer heads
    return better, p_of(at_most, at_least, alternative)


def wilcoxon(values, i, j, alternative="two-sided") -> Found:
    """Exact up to 50 topics on which the two differ, ties or not; with more, normal."""
    statistic = np.empty(len(i))
    p = np.empty(len(i))
    largest = largest_of_pairs(values, i, j)
    for part, d in differences(values, i, j):
        ranks = _signed_rank_sizes(d, largest[part])
        positive = np.where(d > 0, ranks, 0).sum(axis=0)
        total = ranks.sum(axis=0)
        z = ratio(2 * positive - total, np.sqrt((ranks**2).sum(axis=0)))
        at_most = special.ndtr(z)
        at_least = special.ndtr(-z)
        few = np.flatnonzero((d != 0).sum(axis=0) <= EXACT)
        for pair in few:
            of_pair = ranks[d[:, pair] != 0, pair]
            # Ranks of ties may be halves: doubled, all are whole numbers.
            chances = _chances_of_sums(tuple(np.sort(2 * of_pair).astype(int)))
            observed = round(2 * positive[pair])
            at_most[pair] = chances[: observed + 1].sum()
            at_least[pair] = chances[observed:].sum()
        p[part] = p_of(at_most, at_least, alternative)
        if alternative == "two-sided":
            statistic[part] = np.minimum(positive, total - positive)
        else:
            statistic[part] = positive
    return statistic, p


def _signed_rank_sizes(d: np.ndarray, largest: np.ndarray) -> np.ndarray:
    """Ranks of the sizes of the differences of each pair (a column), 0 where there is none."""
    # With the largest score as one more number, differences tie that are equal to 1e-12 of it.
    sizes = np.vstack([np.abs(d), largest])
    dense = dense_ranks(sizes.T)[:, :-1].T
    n_zeros = (d == 0).sum(axis=0)  # they have the first ranks
    return np.where(d != 0, stats.rankdata(dense, axis=0) - n_zeros, 0)


@lru_cache(256)
def _chances_of_sums(ranks: tuple[int, ...]) -> np.ndarray:
    """Of each sum of some of these ranks, where each is in it or not like a fair coin."""
    chances = np.zeros(sum(ranks) + 1)
    chances[0] = 1
    for rank in ranks:
        chances[rank:] += chances[: len(chances) - rank].copy()
        chances /= 2
    return chances


def f_test(values, i, j, others=None) -> Found:
    """The ratio of two variances, two-tailed; systems j may be of `others`, on other topics."""
    if others is None:
        others = values
    variance_a = spreads(values)[i] ** 2
    variance_b = spreads(others)[j] ** 2
    statistic = ratio(variance_a, variance_b, none=1)
    df_a = len(values) - 1
    df_b = len(others) - 1
    at_most = special.fdtr(df_a, df_b, statistic)
    at_least = special.fdtrc(df_a, df_b, statistic)
    p = p_of(at_most, at_least, "two-sided")
    p[np.isinf(statistic)] = 0
    p[statistic == 1] = 1
    return statistic, p


def deviations(values: np.ndarray, center: str) -> np.ndarray:
    """Distances of each column from its centre, which is all that Levene's tests look at."""
    middle = values.mean(axis=0)
    if center == "median":
        middle = np.median(values, axis=0)
    return cleared(np.abs(values - middle), largest_of(values))


def levene(values, i, j, center="median", others=None) -> Found:
    """F of the distances from the centre; systems j may be of `others`, on other topics."""
    mean_a, squares_a = _moments_of_distances(values, center)
    largest_a = largest_of(values)
    if others is None:
        others, mean_b, squares_b, largest_b = values, mean_a, squares_a, largest_a
    else:
        mean_b, squares_b = _moments_of_distances(others, center)
        largest_b = largest_of(others)
    n_a = len(values)
    n_b = len(others)
    df = n_a + n_b - 2
    gap = cleared(mean_a[i] - mean_b[j], np.maximum(largest_a[i], largest_b[j]))
    between = df / (1 / n_a + 1 / n_b) * gap**2
    w = ratio(between, squares_a[i] + squares_b[j])
    return w, np.where(np.isinf(w), 0, special.fdtrc(1, df, w))


def _moments_of_distances(values: np.ndarray, center: str) -> tuple[np.ndarray, np.ndarray]:
    """Mean of the distances from the centre, and their sum of squares about it, by system."""
    distances = deviations(values, center)
    sd = cleared(distances.std(axis=0), largest_of(values))
    return distances.mean(axis=0), len(values) * sd**2


def paired_levene(values, i, j, alternative="two-sided", center="median") -> Found:
    """The paired t of the distances from the centre."""
    return t_test(deviations(values, center), i, j, alternative)


def pitman_morgan(values, i, j, alternative="two-sided") -> Found:
    """The correlation of sums and differences, as t."""
    n = len(values)
    t = np.empty(len(i))
    # About 0, so that sums and differences of scores far from it keep their digits.
    level = values - values.min(axis=0)
    level -= level.mean(axis=0)
    largest = largest_of_pairs(level, i, j)
    for part, minus in differences(level, i, j):
        plus = cleared(level[:, i[part]] + level[:, j[part]], largest[part])
        product = (plus * minus).sum(axis=0)
        square = (plus**2).sum(axis=0)
        slope = ratio(product, square)
        residual = ((minus - slope * plus) ** 2).sum(axis=0)
        # r sqrt((n - 2) / (1 - r^2)), where 1 - r^2 would lose digits if r is near 1
        t[part] = ratio(product * np.sqrt(n - 2), np.sqrt(square * residual))
    return with_t(t, n - 2, alternative)


def error_of_means(values: np.ndarray) -> tuple[float, int]:
    """Standard error of a system mean, topic and system effects removed; degrees of freedom."""
    n, m = values.shape
    of_systems = values.mean(axis=0)
    of_topics = values.mean(axis=1, keepdims=True)
    residuals = values - of_systems - of_topics + values.mean()
    df = (n - 1) * (m - 1)
    error = np.sqrt((residuals**2).sum() / df / n)
    return float(cleared(error, np.abs(values).max())), df


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
        p = exact(q)
    else:
        span = min(q.max(), LARGEST_Q)  # so many pairs have 20 df or more: beyond, p < 1e-10
        curve = np.polynomial.Chebyshev.interpolate(exact, NODES, [0, span])
        p = np.clip(curve(np.minimum(q, span)), 0, 1)
    return np.where(q == 0, 1, p)


def all_flips(n: int, trials: int) -> bool:
    """Whether the signs of n differences can be flipped in all ways, with no more trials."""
    return n < 63 and 2**n <= trials


def randomization(values, i, j, alternative, trials, rng, progress) -> Found:
    """Signs of differences are as likely the other way; all ways to flip them, if they are few."""
    n = len(values)
    extreme = EXTREMES[alternative]
    exact = all_flips(n, trials)
    if exact:
        trials = 2**n
    level = values - values.mean(axis=1, keepdims=True)
    # A pair's mean under flips is the difference of two systems': flips are the same for all.
    null = np.empty((values.shape[1], trials))
    for part in chunks(trials, n, BLOCK):
        if exact:
            signs = _flips_by_number(np.arange(trials)[part], n)
        else:
            signs = rng.integers(0, 2, (part.stop - part.start, n)) * 2.0 - 1
        null[:, part] = level.T @ signs.T / n
    means = level.mean(axis=0)
    largest = largest_of_pairs(values, i, j)
    statistic = cleared(means[i] - means[j], largest)
    limit = least_equal(extreme(statistic), largest)
    count = np.empty(len(i))
    for part in _steps(len(i), trials, progress):
        of_pairs = null[i[part]] - null[j[part]]
        count[part] = (extreme(of_pairs) >= limit[part, None]).sum(axis=1)
    if exact:
        return statistic, count / trials
    return statistic, (count + 1) / (trials + 1)


def _flips_by_number(numbers: np.ndarray, n: int) -> np.ndarray:
    """Signs of n differences (a row per number), -1 where the bit of the number is 1."""
    bits = (numbers[:, None] >> np.arange(n)) & 1
    return 1 - 2.0 * bits


def bootstrap(values, i, j, alternative, trials, rng, progress) -> Found:
    """t of resampled topics, of differences shifted to the mean 0 that the null hypothesis says."""
    n = len(values)
    extreme = EXTREMES[alternative]
    samples = rng.integers(n, size=(trials, n))
    weights = arrays.times_drawn(samples, n) / n
    statistic, _ = t_test(values, i, j)
    limit = least_equal(extreme(statistic), np.abs(statistic))
    largest = largest_of_pairs(values, i, j)
    count = np.empty(len(i))
    for part in _steps(len(i), max(trials, n), progress):
        d = cleared(values[:, i[part]] - values[:, j[part]], largest[part])
        shifted = cleared(d - d.mean(axis=0), largest[part])
        mean = weights @ shifted
        square = weights @ shifted**2
        variance = cleared(square - mean**2, square)  # 0 of one topic, drawn n times
        t = ratio(mean, np.sqrt(variance / (n - 1)))
        count[part] = (extreme(t) >= limit[part]).sum(axis=0)
    return statistic, (count + 1) / (trials + 1)


def randomized_tukey(values, i, j, trials, rng, progress) -> Found:
    """The largest difference of two means, with the scores of each topic dealt out at random."""
    m = values.shape[1]
    level = values - values.mean(axis=1, keepdims=True)
    null = np.zeros((trials, m))  # sums over topics of what is dealt to each system
    last = np.uint64(2 ** m.bit_length() - 1)  # in whose bits is the place of a system
    steps = list(product(level, chunks(trials, m, BLOCK // 64)))
    for row, part in with_progress(steps, progress, leave=False):
        # To sort random numbers that carry their places takes a third of the time of `permuted`.
        keys = rng.integers(2**64, size=null[part].shape, dtype=np.uint64)
        keys &= ~last
        keys |= np.arange(m, dtype=np.uint64)
        keys.sort(axis=1)
        keys &= last
        null[part] += row.take(keys.view(np.int64))
    ranges = np.sort(np.ptp(null, axis=1) / len(values))
    means = values.mean(axis=0)
    statistic = cleared(np.abs(means[i] - means[j]), largest_of_pairs(values, i, j))
    limit = least_equal(statistic, np.abs(values).max())
    count = trials - np.searchsorted(ranges, limit)
    return statistic, (count + 1) / (trials + 1)


def _steps(n_pairs: int, numbers: int, progress: bool):
    """Slices of the pairs, each of so many numbers, with a progress bar if one is asked for."""
    return with_progress(chunks(n_pairs, numbers, BLOCK), progress, leave=False)


def mean_distances(values: np.ndarray, center: str = "median") -> np.ndarray:
    """Mean distance of each system from its centre."""
    return deviations(values, center).mean(axis=0)


class Method(NamedTuple):
    """A test by its name, and what there is to know of it."""

    test: Callable[..., Found]
    spread: Callable[[np.ndarray], np.ndarray] | None = None  # of each system, that it compares
    ranks: bool = False  # it compares no means, but ranks or signs
    signed: bool = True  # so that it can be one-sided
    random: bool = False  # it takes trials, rng and progress
    of_all: bool = False  # a p-value is that of the largest of all differences


LEVENE = Method(levene, mean_distances, signed=False)
LEVENE_MEAN = Method(
    partial(levene, center="mean"), partial(mean_distances, center="mean"), signed=False
)
METHODS = {
    "t": Method(t_test),
    "wilcoxon": Method(wilcoxon, ranks=True),
    "sign": Method(sign, ranks=True),
    "tukey": Method(tukey, signed=False, of_all=True),
    "paired_levene": Method(paired_levene, mean_distances),
    "pitman_morgan": Method(pitman_morgan, spreads),
    "f": Method(f_test, spreads, signed=False),
    "levene": LEVENE,
    "levene_median": LEVENE,
    "levene_mean": LEVENE_MEAN,
    "randomization": Method(randomization, random=True),
    "bootstrap": Method(bootstrap, random=True),
    "randomized_tukey": Method(randomized_tukey, signed=False, random=True, of_all=True),
}


def least_topics(method: str) -> int:
    """Topics that a test needs: of two, both are as far from the centre, so spreads need three."""
    if METHODS[method].spread is None:
        return 2
    return 3
