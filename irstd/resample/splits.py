"""Splits of topics: pairs of samples, and the check of those that a user gives."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from irstd._base.arguments import Seed, check_choice, check_count, generator
from irstd._base.arrays import label_order
from irstd._base.messages import listed


def split_topics(
    topics: Sequence | int,
    *,
    scheme: str = "disjoint",
    size: int | None = None,
    trials: int = 1000,
    seed: Seed = 0,
) -> np.ndarray:
    """Draw pairs of samples of topics, many times.

    Parameters
    ----------
    topics : sequence or int, n
        The topics (of a score matrix: its index), or how many there are.
    scheme : {"disjoint", "replacement", "overlapping"}, default "disjoint"
        ``"disjoint"``: two halves without a topic in common. ``"replacement"``: each sample drawn
        with replacement. ``"overlapping"``: each drawn without replacement, but independently of
        the other, which the erratum of WMZ07 found to distort, kept here to be shown.
    size : int, optional
        Topics in a sample; by default half of them, rounded down.
    trials : int, default 1000
        How many pairs.
    seed : int or numpy.random.Generator, default 0
        The same seed gives the same pairs of topics, in any order of labelled topics.

    Returns
    -------
    int array (trials, 2, size)
        Positions of topics, from 0.

    Notes
    -----
    Of overlapping samples, the difference of two means of n/2 topics has the variance 2 S^2 / n,
    where a two-sample test takes it for twice as much: a 5% test rejects .56%.

    References
    ----------
    Webber, Moffat, Zobel (2007), *Score standardization for robust comparison of retrieval
    systems*, ADCS, and its erratum.

    Examples
    --------
    >>> splits = split_topics(["301", "302", "303", "304"], trials=2)
    >>> sorted(splits[0].ravel().tolist())
    [0, 1, 2, 3]
    """
    check_choice(scheme, ("disjoint", "replacement", "overlapping"), "scheme")
    labels = None if isinstance(topics, (int, np.integer)) else pd.Index(topics).map(str)
    if labels is not None and not labels.is_unique:
        raise ValueError(f"topics has {listed(labels[labels.duplicated()])} more than once")
    n = check_count(topics if labels is None else len(labels), "topics", 2)
    size = n // 2 if size is None else check_count(size, "size")
    trials = check_count(trials, "trials")
    least = 2 * size if scheme == "disjoint" else size
    if least > n:
        raise ValueError(f"{scheme} samples of {size} need {least} topics; there are {n}")
    rng = generator(seed)
    if scheme == "replacement":
        drawn = rng.integers(n, size=(trials, 2, size))
    elif scheme == "disjoint":
        order = rng.random((trials, n)).argsort(axis=1)
        drawn = order[:, : 2 * size].reshape(trials, 2, size)
    else:
        drawn = rng.random((trials, 2, n)).argsort(axis=2)[:, :, :size]
    return drawn if labels is None else label_order(labels)[drawn]


def check_splits(splits: np.ndarray, n: int, size: int) -> np.ndarray:
    """Positions of `n` topics, checked: (trials, 2, `size` or more)."""
    splits = np.asarray(splits)
    shape = splits.shape if splits.ndim == 3 and splits.dtype.kind in "iu" else (0, 0, 0)
    if shape[0] < 1 or shape[1] != 2 or shape[2] < size:
        said = f"splits must be a whole-number array (trials, 2, {size} topics or more)"
        raise ValueError(f"{said}, as split_topics returns it; got {splits.dtype} {splits.shape}")
    low, high = splits.min(), splits.max()
    if low < 0 or high >= n:
        raise ValueError(f"splits has the positions {low} to {high}; there are {n} topics")
    return splits.astype(np.intp)
