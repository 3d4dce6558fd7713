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
    labels = None
    n_topics: object = topics
    if not isinstance(topics, (int, np.integer)):
        labels = pd.Index(topics).map(str)
        n_topics = len(labels)
        if not labels.is_unique:
            raise ValueError(f"topics has {listed(labels[labels.duplicated()])} more than once")
    n = check_count(n_topics, "topics", 2)
    size = n // 2 if size is None else check_count(size, "size")
    trials = check_count(trials, "trials")
    least = size
    if scheme == "disjoint":
        least = 2 * size
    if least > n:
        raise ValueError(f"{scheme} samples of {size} need {least} topics; there are {n}")
    rng = generator(seed)
    if scheme == "replacement":
        splits = rng.integers(n, size=(trials, 2, size))
    elif scheme == "disjoint":
        # To sort random numbers is to shuffle, here once for each trial.
        shuffled = rng.random((trials, n)).argsort(axis=1)
        splits = shuffled[:, : 2 * size].reshape(trials, 2, size)
    else:
        shuffled = rng.random((trials, 2, n)).argsort(axis=2)
        splits = shuffled[:, :, :size]
    if labels is None:
        return splits
    return label_order(labels)[splits]  # the same draws in any order of topics


def check_splits(splits: np.ndarray, n: int, size: int) -> np.ndarray:
    """Positions of `n` topics, checked: (trials, 2, `size` or more)."""
    splits = np.asarray(splits)
    fits = splits.ndim == 3 and splits.dtype.kind in "iu"
    if fits:
        trials, samples, topics = splits.shape
        fits = trials >= 1 and samples == 2 and topics >= size
    if not fits:
        raise ValueError(
            f"splits must be a whole-number array (trials, 2, {size} topics or more), as"
            f" split_topics returns it; got {splits.dtype} {splits.shape}"
        )
    low = splits.min()
    high = splits.max()
    if low < 0 or high >= n:
        raise ValueError(f"splits has the positions {low} to {high}; there are {n} topics")
    return splits.astype(np.intp)
