"""Numbers only: moments, ranks and tau, and statistics of many samples of topics at a time."""

from __future__ import annotations

import numpy as np
import pandas as pd
import scipy

EQUAL = 1e-12  # of the largest score, by which numbers that are equal on paper may differ
BLOCK_OF_PAIRS = 200_000  # what the cache of a processor holds


def is_zero(numbers: np.ndarray | float, largest: np.ndarray | float) -> np.ndarray:
    """Decide, for all of irstd, what is 0 on paper: numbers made of scores up to `largest`."""
    return np.abs(numbers) <= EQUAL * np.asarray(largest)


def snap_to_zero(numbers: np.ndarray, largest: np.ndarray | float) -> np.ndarray:
    """Numbers made of scores up to `largest`, with 0 where they are 0 on paper."""
    return np.where(is_zero(numbers, largest), 0, numbers)


def least_equal(numbers: np.ndarray, largest: np.ndarray | float) -> np.ndarray:
    """What is just as large on paper as numbers made of scores up to `largest`: for ``>=``."""
    return numbers - EQUAL * np.nan_to_num(largest)  # a statistic may be infinite


def largest_of(values: np.ndarray) -> np.ndarray:
    """The largest score of each system, whatever its sign."""
    return np.abs(values).max(axis=0, initial=0)


def chunks(total: int, each: int, limit: int) -> list[slice]:
    """Slices of `total` things of `each` numbers, so many at a time as fit into `limit` numbers."""
    step = max(1, limit // max(1, each))
    starts = range(0, total, step)
    return [slice(start, min(start + step, total)) for start in starts]


def moments(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and sd (ddof=1; exactly 0 where all are the same) of each row; NaN of fewer than two."""
    low = np.fmin.reduce(values, axis=1)
    width = np.fmax.reduce(values, axis=1) - low
    width = np.where(width > 0, width, 1)
    # From 0 to 1, so that nearly equal scores keep their digits, and tiny ones their squares.
    shares = pd.DataFrame((values - low[:, None]) / width[:, None])
    sds = width * shares.std(axis=1).to_numpy()
    means = low + width * shares.mean(axis=1).to_numpy()
    return np.where(np.isnan(sds), np.nan, means), sds


def two_way_residuals(values: np.ndarray) -> np.ndarray:
    """Scores without the effects of topics and systems, which are their means."""
    of_systems = values - values.mean(axis=1, keepdims=True)
    return of_systems - of_systems.mean(axis=0)


def se_of_means(values: np.ndarray) -> tuple[float, int]:
    """Standard error of a system mean, topic and system effects removed; degrees of freedom."""
    n, m = values.shape
    df = (n - 1) * (m - 1)
    error = np.sqrt((two_way_residuals(values) ** 2).sum() / df / n)
    largest = np.abs(values).max()
    return float(snap_to_zero(error, largest)), df


def ratio(a: np.ndarray | float, b: np.ndarray | float, none: float = 0.0) -> np.ndarray:
    """Quotient a / b, where 0 / 0 (nothing differs) is `none`."""
    nothing = (a == 0) & (b == 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(nothing, none, np.true_divide(a, b))


def spreads(values: np.ndarray) -> np.ndarray:
    """Standard deviations (ddof=1) of the columns, exactly 0 where all values are the same."""
    from_0 = values - values.min(axis=0)
    return snap_to_zero(from_0.std(axis=0, ddof=1), largest_of(values))


def differences(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """What a is ahead of b by, topic by topic (rows), without the noise of rounding.

    It is 0 where both are equal on paper, and one number where they differ by a constant on paper.
    """
    largest = np.maximum(largest_of(a), largest_of(b))
    difference = snap_to_zero(a - b, largest)
    constant = is_zero(difference.std(axis=0), largest)
    mean = snap_to_zero(difference.mean(axis=0), largest)
    return np.where(constant, mean, difference)


def dense_ranks(values: np.ndarray) -> np.ndarray:
    """Ranks from 1 (the least) in each row; those equal to 1e-12 of the largest share a rank.

    Unsigned, in as few bytes as they need: to rank from the best, give ``-values``.
    """
    order = values.argsort(axis=-1)
    ordered = np.sort(values, axis=-1)
    steps = np.ones(values.shape, np.min_scalar_type(values.shape[-1] + 1))
    lowest = ordered[..., :1]
    highest = ordered[..., -1:]
    largest = np.maximum(np.abs(lowest), np.abs(highest))
    steps[..., 1:] = ~is_zero(np.diff(ordered, axis=-1), largest)
    ranks = np.empty_like(steps)
    np.put_along_axis(ranks, order, steps.cumsum(axis=-1, dtype=steps.dtype), axis=-1)
    return ranks


def competition_ranks(values: np.ndarray) -> np.ndarray:
    """Ranks from 1 (the most) in each row; those that `dense_ranks` has equal share the best."""
    return scipy.stats.rankdata(dense_ranks(-values), method="min", axis=-1).astype(int)


def tau_b(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Kendall's tau-b of each row of x with the row of y; NaN where one is constant."""
    x = dense_ranks(np.atleast_2d(x))
    y = dense_ranks(np.atleast_2d(y))
    x, y = np.broadcast_arrays(x, y)
    result = np.empty(len(x))
    kind = np.min_scalar_type(-x.shape[1] - 1)  # of steps from rank to rank, and counts of systems
    for part in chunks(len(x), x.shape[1], limit=BLOCK_OF_PAIRS):
        # A column a sample: differences of rows are then fast.
        ranks_x = x[part].T.astype(kind, order="C")
        ranks_y = y[part].T.astype(kind, order="C")
        result[part] = _tau_b_of_ranks(ranks_x, ranks_y)
    return result


def _tau_b_of_ranks(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Tau-b of each column of ranks: all pairs of one distance at a time."""
    agree = np.zeros_like(a)  # pairs in the same order, less those in the other one
    differ_in_a = np.zeros_like(a)
    differ_in_b = np.zeros_like(a)
    for gap in range(1, len(a)):
        step_in_a = np.sign(a[gap:] - a[:-gap])
        step_in_b = np.sign(b[gap:] - b[:-gap])
        agree[gap:] += step_in_a * step_in_b
        differ_in_a[gap:] += abs(step_in_a)
        differ_in_b[gap:] += abs(step_in_b)
    n_a = differ_in_a.sum(axis=0, dtype=float)
    n_b = differ_in_b.sum(axis=0, dtype=float)
    with np.errstate(invalid="ignore", divide="ignore"):
        return agree.sum(axis=0, dtype=float) / np.sqrt(n_a * n_b)


def times_drawn(samples: np.ndarray, n_topics: int) -> np.ndarray:
    """How often each topic is in each sample: samples x topics, for means as a matrix product."""
    places = np.arange(len(samples))[:, None] * n_topics + samples
    counts = np.bincount(places.ravel(), minlength=len(samples) * n_topics)
    return counts.reshape(len(samples), n_topics).astype(float)


def sample_means(values: np.ndarray, samples: np.ndarray) -> np.ndarray:
    """Mean over each sample of topics: samples x systems, from topics x systems."""
    return times_drawn(samples, len(values)) @ values / samples.shape[1]


def sample_variances(values: np.ndarray, samples: np.ndarray) -> np.ndarray:
    """Variance (ddof=1) over each sample of topics: samples x systems."""
    size = samples.shape[1]
    centered = values - values.mean(axis=0)  # squares of deviations lose no digits then
    counts = times_drawn(samples, len(values))
    sums = counts @ centered
    squares = counts @ centered**2
    about_the_mean = np.maximum(squares - sums**2 / size, 0)
    return about_the_mean / (size - 1)


def drmse_rows(c: np.ndarray, d: np.ndarray, mean: str = "arithmetic") -> np.ndarray:
    """dRMSE of each row of system means in c with the row in d."""
    rmse = np.sqrt(((c - d) ** 2).mean(axis=-1))
    sd_c = spreads(c.T)
    sd_d = spreads(d.T)
    if mean == "arithmetic":
        sd = (sd_c + sd_d) / 2
    else:
        sd = np.sqrt(sd_c * sd_d)
    with np.errstate(invalid="ignore", divide="ignore"):
        return rmse / sd


def two_sample_t(mean_c, mean_d, var_c, var_d, n_c, n_d, equal_var: bool) -> tuple:
    """t and its p, two-sided; t is 0 for means equal on paper."""
    if equal_var:
        df = n_c + n_d - 2
        squares = (n_c - 1) * var_c + (n_d - 1) * var_d
        error = squares * ((1 / n_c + 1 / n_d) / df)
    else:  # Welch
        part_c = var_c / n_c
        part_d = var_d / n_d
        error = part_c + part_d
        # Satterthwaite
        squares = part_c**2 / (n_c - 1) + part_d**2 / (n_d - 1)
        df = np.fmax(1, ratio(error**2, squares))
    largest = np.maximum(np.abs(mean_c), np.abs(mean_d))
    t = ratio(snap_to_zero(mean_c - mean_d, largest), np.sqrt(error))
    return t, 2 * scipy.special.stdtr(df, -np.abs(t))


def t_estimate(difference: float, error: float, df: float, level: float) -> dict[str, float]:
    """A difference, its interval, and t with its p, two-sided."""
    half = scipy.special.stdtrit(df, (1 + level) / 2) * error
    t = difference / error
    p = 2 * scipy.special.stdtr(df, -abs(t))
    return {
        "difference": difference,
        "low": difference - half,
        "high": difference + half,
        "statistic": t,
        "pvalue": float(p),
    }


def label_order(labels: pd.Index) -> np.ndarray:
    """Positions in the order of the labels, numbers by size: random draws follow it."""
    words = np.array([str(label) for label in labels])
    return np.lexsort((words, np.char.str_len(words)))
