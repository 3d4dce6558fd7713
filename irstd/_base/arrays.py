"""Numbers only: moments, ranks and tau, and statistics of many samples of topics at a time."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import special, stats

SAME = 1e-14  # of their size, by which numbers that are equal on paper may differ
EQUAL = 1e-12  # of the largest, by which what is equal on paper may differ


def chunks(total: int, each: int, limit: int = 20_000_000) -> list[slice]:
    """Slices of `total` things of `each` numbers, so many at a time as fit into `limit` numbers."""
    step = max(1, limit // max(1, each))
    return [slice(start, min(start + step, total)) for start in range(0, total, step)]


def moments(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and sd (ddof=1; exactly 0 where all are the same) of each row; NaN of fewer than two."""
    known, low = ~np.isnan(values), np.fmin.reduce(values, axis=1)
    n, width = known.sum(axis=1), np.fmax.reduce(values, axis=1) - low
    width = np.where(width > 0, width, 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        # From 0 to 1, so that nearly equal scores keep their digits, and tiny ones their squares.
        shares = np.where(known, (values - low[:, None]) / width[:, None], 0)
        mean = shares.sum(axis=1) / n
        squares = np.where(known, shares - mean[:, None], 0) ** 2
        sd = np.where(n < 2, np.nan, width * np.sqrt(squares.sum(axis=1) / (n - 1)))
    return np.where(n < 2, np.nan, low + width * mean), sd


def ratio(a: np.ndarray | float, b: np.ndarray | float, none: float = 0.0) -> np.ndarray:
    """Quotient a / b, where 0 / 0 (nothing differs) is `none`."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where((a == 0) & (b == 0), none, np.true_divide(a, b))


def cleared(numbers: np.ndarray, largest: np.ndarray | float) -> np.ndarray:
    """Numbers made of scores up to `largest`, with 0 where they are 0 on paper."""
    return np.where(np.abs(numbers) <= EQUAL * largest, 0, numbers)


def largest_of(values: np.ndarray) -> np.ndarray:
    """The largest score of each system, whatever its sign."""
    return np.abs(values).max(axis=0, initial=0)


def units(values: np.ndarray) -> np.ndarray:
    """A power of 2 near the largest score of each column: in it, no square is lost or too large."""
    return 2.0 ** np.clip(np.frexp(largest_of(values))[1], -1074, None)


def spreads(values: np.ndarray) -> np.ndarray:
    """Standard deviations (ddof=1) of the columns, exactly 0 where all values are the same."""
    unit = units(values)
    sd = unit * ((values - values.min(axis=0)) / unit).std(axis=0, ddof=1)
    return cleared(sd, largest_of(values))


def dense_ranks(values: np.ndarray) -> np.ndarray:
    """Ranks from 1 (the least) in each row; those equal to 1e-12 of the largest share a rank.

    Unsigned, in as few bytes as they need: to rank from the best, give ``-values``.
    """
    order, ordered = values.argsort(axis=-1), np.sort(values, axis=-1)
    m = values.shape[-1]
    steps = np.ones(values.shape, np.uint8 if m < 255 else np.uint16 if m < 65535 else np.uint32)
    largest = np.maximum(np.abs(ordered[..., :1]), np.abs(ordered[..., -1:]))
    steps[..., 1:] = ordered[..., 1:] - ordered[..., :-1] > EQUAL * largest
    ranks = np.empty_like(steps)
    np.put_along_axis(ranks, order, steps.cumsum(axis=-1, dtype=steps.dtype), axis=-1)
    return ranks


def places(values: np.ndarray) -> np.ndarray:
    """Ranks from 1 (the most) in each row; those that `dense_ranks` has equal share the best."""
    return stats.rankdata(dense_ranks(-values), method="min", axis=-1).astype(int)


def tau_b(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Kendall's tau-b of each row of x with the row of y; NaN where one is constant."""
    x, y = np.broadcast_arrays(dense_ranks(np.atleast_2d(x)), dense_ranks(np.atleast_2d(y)))
    result = np.empty(len(x))
    for part in chunks(len(x), x.shape[1], limit=200_000):  # what the cache of a processor holds
        a, b = x[part].T.copy(), y[part].T.copy()
        sums = np.zeros((4, *a.shape), np.uint8 if len(a) < 256 else np.uint32)
        for gap in range(1, len(a)):  # all pairs of one distance at a time
            in_x, in_y = a[gap:] != a[:-gap], b[gap:] != b[:-gap]
            both = in_x & in_y
            discordant = both & ((a[gap:] > a[:-gap]) != (b[gap:] > b[:-gap]))
            for each, pairs in zip(sums, (in_x, in_y, both, discordant), strict=True):
                each[gap:] += pairs.view(np.uint8)
        n_x, n_y, n, discordant = sums.sum(axis=1, dtype=float)
        with np.errstate(invalid="ignore", divide="ignore"):
            result[part] = (n - 2 * discordant) / np.sqrt(n_x * n_y)
    return result


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
    centred = values - values.mean(axis=0)  # squares of deviations lose no digits then
    counts = times_drawn(samples, len(values))
    return np.maximum(counts @ centred**2 - (counts @ centred) ** 2 / size, 0) / (size - 1)


def drmse_rows(c: np.ndarray, d: np.ndarray, mean: str = "arithmetic") -> np.ndarray:
    """dRMSE of each row of system means in c with the row in d."""
    rmse = np.sqrt(((c - d) ** 2).mean(axis=-1))
    sd_c, sd_d = spreads(c.T), spreads(d.T)
    with np.errstate(invalid="ignore", divide="ignore"):
        return rmse / ((sd_c + sd_d) / 2 if mean == "arithmetic" else np.sqrt(sd_c * sd_d))


def two_sample_t(mean_c, mean_d, var_c, var_d, n_c, n_d, equal_var: bool, alpha=1.0) -> tuple:
    """t and its p, two-sided; above alpha p may be 1 instead; t is 0 for means equal on paper."""
    a, b, df = var_c / n_c, var_d / n_d, n_c + n_d - 2
    error = ((n_c - 1) * var_c + (n_d - 1) * var_d) * ((1 / n_c + 1 / n_d) / df)
    if not equal_var:
        error = a + b
        df = np.fmax(1, ratio(error**2, a**2 / (n_c - 1) + b**2 / (n_d - 1)))
    gap = mean_c - mean_d
    same = np.abs(gap) <= SAME * np.maximum(np.abs(mean_c), np.abs(mean_d))
    t = ratio(np.where(same, 0, gap), np.sqrt(error))
    # p is slow: it is looked up only where that of a normal t, which is less, is not above alpha.
    wanted = ~(np.abs(t) < -special.ndtri(alpha / 2))
    return t, 2 * special.stdtr(df, -np.abs(t), where=wanted, out=np.full_like(t, 0.5))


def t_estimate(difference: float, error: float, df: float, level: float) -> dict[str, float]:
    """A difference, its interval, and t with its p, two-sided."""
    half, t = special.stdtrit(df, (1 + level) / 2) * error, difference / error
    ends = {"low": difference - half, "high": difference + half}
    p = 2 * special.stdtr(df, -abs(t))
    return {"difference": difference, **ends, "statistic": t, "pvalue": float(p)}


def label_order(labels: pd.Index) -> np.ndarray:
    """Positions in the order of the labels, numbers by size: random draws follow it."""
    words = np.array([str(label) for label in labels])
    return np.lexsort((words, np.char.str_len(words)))
