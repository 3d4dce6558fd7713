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
from irstd._base.arrays import EQUAL, chunks, cleared, dense_ranks, largest_of, ratio, spreads

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
    return np.triu_indices(m, 1)


def in_unit(*samples: np.ndarray) -> list[np.ndarray]:
    """Scores over a power of two: no bit is lost, and squares neither overflow nor vanish."""
    exponent = np.frexp(max(np.abs(sample).max() for sample in samples))[1]
    return [np.ldexp(sample, -exponent) for sample in samples]


def largest_of_pairs(values: np.ndarray, i, j) -> np.ndarray:
    each = largest_of(values)
    return np.maximum(each[i], each[j])


def differences(values: np.ndarray, i, j) -> Iterator[tuple[slice, np.ndarray]]:
    """Some pairs at a time, and their differences: topics x pairs."""
    largest = largest_of_pairs(values, i, j)
    for part in chunks(len(i), len(values), BLOCK):
        yield part, cleared(values[:, i[part]] - values[:, j[part]], largest[part])


def moments_of_differences(values: np.ndarray, i, j) -> tuple[np.ndarray, np.ndarray]:
    """Mean and sd (ddof=1) of the differences of each pair; a constant difference has sd 0."""
    mean, sd = np.empty((2, len(i)))
    for part, d in differences(values, i, j):
        mean[part], sd[part] = d.mean(axis=0), d.std(axis=0, ddof=1)
    largest = largest_of_pairs(values, i, j)
    return cleared(mean, largest), cleared(sd, largest)


def p_of(at_most: np.ndarray, at_least: np.ndarray, alternative: str) -> np.ndarray:
    """p from the chances of a statistic that is no more, and no less, than what was found."""
    both = 2 * np.minimum(at_most, at_least)
    return np.minimum(1, {"two-sided": both, "greater": at_least, "less": at_most}[alternative])


def with_t(t: np.ndarray, df: int, alternative: str = "two-sided") -> Found:
    return t, p_of(special.stdtr(df, t), special.stdtr(df, -t), alternative)


def t_test(values, i, j, alternative="two-sided") -> Found:
    n = len(values)
    mean, sd = moments_of_differences(values, i, j)
    return with_t(ratio(mean, sd / np.sqrt(n)), n - 1, alternative)


def sign(values, i, j, alternative="two-sided") -> Found:
    """How often a is the better one, of the topics on which the two differ: binomial."""
    better, worse = np.empty((2, len(i)))
    for part, d in differences(values, i, j):
        better[part], worse[part] = (d > 0).sum(axis=0), (d < 0).sum(axis=0)
    at_most, at_least = (stats.binom.cdf(k, better + worse, 0.5) for k in (better, worse))
    return better, p_of(at_most, at_least, alternative)


def wilcoxon(values, i, j, alternative="two-sided") -> Found:
    """Exact up to 50 topics on which the two differ, ties or not; with more, normal."""
    statistic, p = np.empty((2, len(i)))
    largest = largest_of_pairs(values, i, j)
    for part, d in differences(values, i, j):
        dense = dense_ranks(np.vstack([np.abs(d), largest[part]]).T)[:, :-1].T
        ranks = np.where(d != 0, stats.rankdata(dense, axis=0) - (d == 0).sum(axis=0), 0)
        ahead, total = np.where(d > 0, ranks, 0).sum(axis=0), ranks.sum(axis=0)
        z = ratio(2 * ahead - total, np.sqrt((ranks**2).sum(axis=0)))
        at_most, at_least = special.ndtr(z), special.ndtr(-z)
        for k in np.flatnonzero((d != 0).sum(axis=0) <= EXACT):
            chances = _chances_of_sums(tuple(np.sort(2 * ranks[d[:, k] != 0, k]).astype(int)))
            found = round(2 * ahead[k])
            at_most[k], at_least[k] = chances[: found + 1].sum(), chances[found:].sum()
        p[part] = p_of(at_most, at_least, alternative)
        statistic[part] = np.minimum(ahead, total - ahead) if alternative == "two-sided" else ahead
    return statistic, p


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
    others = values if others is None else others
    statistic = ratio(spreads(values)[i] ** 2, spreads(others)[j] ** 2, none=1)
    df = len(values) - 1, len(others) - 1
    p = p_of(special.fdtr(*df, statistic), special.fdtrc(*df, statistic), "two-sided")
    return statistic, np.where(statistic == 1, 1, np.where(np.isinf(statistic), 0, p))


def deviations(values: np.ndarray, center: str) -> np.ndarray:
    """Distances of each column from its centre, which is all that Levene's tests look at."""
    middle = (np.median if center == "median" else np.mean)(values, axis=0)
    return cleared(np.abs(values - middle), largest_of(values))


def levene(values, i, j, center="median", others=None) -> Found:
    """F of the distances from the centre; systems j may be of `others`, on other topics."""
    n_a, n_b = len(values), len(values if others is None else others)
    one = _of_distances(values, center)
    other = one if others is None else _of_distances(others, center)
    (mean_a, rest_a, largest_a), (mean_b, rest_b, largest_b) = one[:, i], other[:, j]
    gap, df = cleared(mean_a - mean_b, np.maximum(largest_a, largest_b)), n_a + n_b - 2
    w = ratio(df / (1 / n_a + 1 / n_b) * gap**2, rest_a + rest_b)
    return w, np.where(np.isinf(w), 0, special.fdtrc(1, df, w))


def _of_distances(values: np.ndarray, center: str) -> np.ndarray:
    """Their mean, their sum of squares about it, and the largest score, by system."""
    distances, largest = deviations(values, center), largest_of(values)
    rest = len(values) * cleared(distances.std(axis=0), largest) ** 2
    return np.array([distances.mean(axis=0), rest, largest])


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
    span = min(q.max(), LARGEST_Q)  # so many pairs have 20 df or more: less than 1e-10 is beyond
    curve = np.polynomial.Chebyshev.interpolate(exact, NODES, [0, span])
    return np.where(q == 0, 1, np.clip(curve(np.minimum(q, span)), 0, 1))


def all_flips(n: int, trials: int) -> bool:
    """Whether the signs of n differences can be flipped in all ways, with no more trials."""
    return n < 63 and 2**n <= trials


def randomization(values, i, j, alternative, trials, rng, progress) -> Found:
    """Signs of differences are as likely the other way; all ways to flip them, if they are few."""
    n, extreme = len(values), EXTREMES[alternative]
    exact = all_flips(n, trials)
    trials = 2**n if exact else trials
    level = values - values.mean(axis=1, keepdims=True)
    means, null = level.mean(axis=0), np.empty((values.shape[1], trials))
    for part in chunks(trials, n, BLOCK):  # flips are the same for all pairs
        if exact:
            signs = 1 - 2.0 * ((np.arange(trials)[part, None] >> np.arange(n)) & 1)
        else:
            signs = rng.integers(0, 2, (part.stop - part.start, n)) * 2.0 - 1
        null[:, part] = level.T @ signs.T / n
    largest = largest_of_pairs(values, i, j)
    found, count = cleared(means[i] - means[j], largest), np.empty(len(i))
    limit = extreme(found) - EQUAL * largest
    for part in _steps(len(i), trials, progress):
        count[part] = (extreme(null[i[part]] - null[j[part]]) >= limit[part, None]).sum(axis=1)
    return found, count / trials if exact else (count + 1) / (trials + 1)


def bootstrap(values, i, j, alternative, trials, rng, progress) -> Found:
    """t of resampled topics, of differences shifted to the mean 0 that the null hypothesis says."""
    n, extreme = len(values), EXTREMES[alternative]
    weights = arrays.times_drawn(rng.integers(n, size=(trials, n)), n) / n
    found, count = t_test(values, i, j)[0], np.empty(len(i))
    limit = extreme(found) - EQUAL * np.nan_to_num(np.abs(found))  # which may be infinite
    largest = largest_of_pairs(values, i, j)
    for part in _steps(len(i), max(trials, n), progress):
        d = cleared(values[:, i[part]] - values[:, j[part]], largest[part])
        shifted = cleared(d - d.mean(axis=0), largest[part])
        mean, square = weights @ shifted, weights @ shifted**2
        variance = square - mean**2
        variance[variance <= EQUAL * square] = 0  # one topic, drawn n times
        t = ratio(mean, np.sqrt(variance / (n - 1)))
        count[part] = (extreme(t) >= limit[part]).sum(axis=0)
    return found, (count + 1) / (trials + 1)


def randomized_tukey(values, i, j, trials, rng, progress) -> Found:
    """The largest difference of two means, with the scores of each topic dealt out at random."""
    means, m = values.mean(axis=0), values.shape[1]
    level, null = values - values.mean(axis=1, keepdims=True), np.zeros((trials, m))
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
    ranges = np.ptp(null, axis=1) / len(values)
    found = cleared(np.abs(means[i] - means[j]), largest_of_pairs(values, i, j))
    limit = found - EQUAL * np.abs(values).max()
    count = trials - np.searchsorted(np.sort(ranges), limit)
    return found, (count + 1) / (trials + 1)


def _steps(total: int, each: int, progress: bool):
    return with_progress(chunks(total, each, BLOCK), progress, leave=False)


def mean_distances(values: np.ndarray, center: str = "median") -> np.ndarray:
    return deviations(values, center).mean(axis=0)


class Method(NamedTuple):
    """A test by its name, and what there is to know of it."""

    test: Callable[..., Found]
    spread: Callable[[np.ndarray], np.ndarray] | None = None  # of each system, that it compares
    ranks: bool = False  # it compares no means, but ranks or signs
    signed: bool = True  # so that it can be one-sided
    random: bool = False
    of_all: bool = False  # a p-value is that of the largest of all differences


LEVENE = Method(levene, mean_distances, signed=False)
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
    "levene_mean": LEVENE._replace(
        test=partial(levene, center="mean"), spread=partial(mean_distances, center="mean")
    ),
    "randomization": Method(randomization, random=True),
    "bootstrap": Method(bootstrap, random=True),
    "randomized_tukey": Method(randomized_tukey, signed=False, random=True, of_all=True),
}


def least_topics(method: str) -> int:
    """Of two topics, both are as far from the centre: no spread is told from another."""
    return 2 if METHODS[method].spread is None else 3
