"""Clusters of topics: turns of one conversation, paraphrases, questions on one document."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from irstd._base.messages import listed, warn

FEW = 10  # clusters of equal size, with fewer of which the error is known badly
Clusters = pd.Series | Mapping


def labels_of(labels: Clusters, topics: pd.Index, name: str) -> pd.Series:
    """The cluster, or group, of each of these topics."""
    by_topic = pd.Series(labels)
    by_topic.index = by_topic.index.map(str)
    if not by_topic.index.is_unique:
        repeated = by_topic.index[by_topic.index.duplicated()].unique()
        raise ValueError(f"{name} must give each topic one label, {listed(repeated)} have more")
    of_topics = by_topic.reindex(topics)
    without = listed(topics[of_topics.isna()])
    if without:
        raise ValueError(f"{name} must have a label for each topic, not so {without}")
    return of_topics


def cluster_codes(clusters: Clusters, topics: pd.Index) -> np.ndarray:
    """The cluster of each topic as a whole number from 0; a warning if they count as few.

    Clusters of unequal size count as n^2 / sum(n_g^2) of equal size.
    """
    of_topics = labels_of(clusters, topics, "clusters")
    codes, names = pd.factorize(of_topics.to_numpy())
    if len(names) < 2:
        raise ValueError(f"clusters must be two or more, all topics are in {names[0]!r}")
    sizes = np.bincount(codes)
    effective = len(codes) ** 2 / (sizes**2).sum()
    if effective < FEW:
        warn(
            f"there are {len(names)} clusters, which count as {effective:.1f} of equal size: with"
            f" fewer than {FEW}, errors are known badly"
        )
    return codes


def se_of_mean(d: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """The standard error of the mean of each column of d, whose rows are in these clusters.

    sqrt(sum_g u_g^2 / (1 - n_g / n)) / n, u_g the sum of d - mean(d) over cluster g of n_g of n:
    of clusters of one it is sd / sqrt(n).
    """
    n = len(d)
    sizes = np.bincount(codes)
    is_in = codes == np.arange(len(sizes))[:, None]  # clusters x topics
    sums = is_in @ (d - d.mean(axis=0))
    shares = sizes[:, None] / n
    return np.sqrt((sums**2 / (1 - shares)).sum(axis=0)) / n


def degrees_of_freedom(codes: np.ndarray) -> float:
    """Bell and McCaffrey's, of this error: of G clusters of equal size they are G - 1."""
    n = len(codes)
    sizes = np.bincount(codes)
    # Of weighted sums by cluster, the squared covariances if topics are independent.
    own = (sizes**2).sum()
    parts = sizes**2 / (n - sizes)
    others = parts.sum() ** 2 - (parts**2).sum()
    return float(n**2 / (own + others))
