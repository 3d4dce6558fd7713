"""Random pairs of topic samples."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from irstd._base.arguments import Seed, check_choice, check_count, make_generator
from irstd._base.arrays import order_labels
from irstd._base.matrix import convert_labels


def split_topics(
    topics: Sequence | int,
    *,
    scheme: str = "disjoint",
    size: int | None = None,
    trials: int = 1000,
    seed: Seed = 0,
) -> np.ndarray:
    """Draw random pairs of topic samples.

    Parameters
    ----------
    topics : sequence or int, n
        Topics, such as the index of a score matrix, or their number.
    scheme : {"disjoint", "replacement", "overlapping"}, default "disjoint"
        ``"disjoint"``: two samples without a topic in common. ``"replacement"``: each sample drawn
        with replacement. ``"overlapping"``: each drawn without replacement, independently of the
        other; for demonstration only, as it biases tests (see References).
    size : int, optional
        Topics in a sample; by default half of them, rounded down.
    trials : int, default 1000
        Number of pairs.
    seed : int or numpy.random.Generator, default 0
        The same seed gives the same pairs of topics, in any order of labeled topics.

    Returns
    -------
    int array (trials, 2, size)
        Positions of topics, from 0: ``scores.iloc[splits[0, 0]]`` is the first sample.

    Raises
    ------
    ValueError
        If there are too few topics: two disjoint samples need twice `size`.

    Notes
    -----
    For overlapping samples of n/2 topics, the difference of two means has the variance 2 S^2 / n; a
    two-sample test assumes twice as much, and rejects in .56% of cases at the level 5%.

    References
    ----------
    Webber, Moffat, Zobel (2007), *Score standardization for robust comparison of retrieval
    systems*, ADCS, and its erratum.

    Examples
    --------
    >>> split_topics(["301", "302", "303", "304"], trials=2)
    array([[[3, 2],
            [1, 0]],
    <BLANKLINE>
           [[2, 3],
            [0, 1]]])
    """
    check_choice(scheme, ("disjoint", "replacement", "overlapping"), "scheme")
    if isinstance(topics, pd.DataFrame):
        raise TypeError("topics must be ids or their number, not scores: give scores.index")
    if isinstance(topics, (int, np.integer)):
        topics = range(check_count(topics, "topics", 2))
    labels = pd.Index(topics)
    n = check_count(len(labels), "topics", 2)
    labels = convert_labels(labels, ["topic"], "topics")
    size = n // 2 if size is None else check_count(size, "size")
    trials = check_count(trials, "trials")
    least = 2 * size if scheme == "disjoint" else size
    if least > n:
        raise ValueError(f"{scheme} samples of size={size} need {least} topics, got {n}")
    rng = make_generator(seed)
    if scheme == "replacement":
        splits = rng.integers(n, size=(trials, 2, size))
    elif scheme == "disjoint":
        # Sorting random numbers shuffles; one row per trial
        shuffled = rng.random((trials, n)).argsort(axis=1)
        splits = shuffled[:, : 2 * size].reshape(trials, 2, size)
    else:
        shuffled = rng.random((trials, 2, n)).argsort(axis=2)
        splits = shuffled[:, :, :size]
    return order_labels(labels)[splits]  # the same draws in any order of topics


def check_splits(splits: np.ndarray, n: int, size: int) -> np.ndarray:
    """Return splits of `n` topics as integer positions, or raise if invalid."""
    splits = np.asarray(splits)
    is_of_pairs = splits.ndim == 3 and splits.shape[1] == 2 and splits.shape[2] >= size
    if splits.dtype.kind not in "iu" or not is_of_pairs or not len(splits):
        raise ValueError(
            f"splits must be whole numbers of shape (trials, 2, at least {size}), as from"
            f" split_topics, got {splits.dtype} of shape {splits.shape}"
        )
    low, high = splits.min(), splits.max()
    if low < 0 or high >= n:
        raise ValueError(f"splits must be positions from 0 to {n - 1}, got {low} to {high}")
    return splits.astype(np.intp)
