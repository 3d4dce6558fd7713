"""Clusters of topics, such as turns of one conversation."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from irstd._base.messages import list_items, warn

FEW = 10  # clusters of equal size; with fewer, a warning is given
Clusters = pd.Series | Mapping


def encode_clusters(clusters: Clusters, topics: pd.Index) -> np.ndarray:
    """Return the cluster of each topic as an integer code.

    Warns if they are few: those of unequal size count as n^2 / sum(n_g^2) of equal size.
    """
    labels = pd.Series(clusters)
    # Labels of other topics, even of summary rows, do no harm.
    labels.index = labels.index.map(str)
    repeated = labels.index[labels.index.duplicated()]
    if len(repeated):
        raise ValueError(
            f"clusters must have one label per topic, not several for {list_items(repeated)}"
        )
    labels = labels.reindex(topics)
    if labels.isna().any():
        unlabeled = list_items(topics[labels.isna()])
        raise ValueError(f"clusters must have one label per topic; there is none for {unlabeled}")
    codes, names = pd.factorize(labels.to_numpy())
    if len(names) < 2:
        raise ValueError(f"clusters must have two labels or more; all topics have {names[0]!r}")
    sizes = np.bincount(codes)
    effective = len(codes) ** 2 / (sizes**2).sum()
    if effective < FEW:
        warn(
            f"the effective number of the {len(names)} clusters is {effective:.1f}: with fewer than"
            f" {FEW}, tests have few degrees of freedom"
        )
    return codes


def se_of_mean(d: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return cluster-robust standard errors of the column means.

    sqrt(sum_g u_g^2 / (1 - n_g / n)) / n, with u_g the sum of d - mean(d) over cluster g, which
    has n_g of the n rows; with one row per cluster it is sd / sqrt(n).
    """
    n = len(d)
    sizes = np.bincount(codes)
    is_in = codes == np.arange(len(sizes))[:, None]  # clusters x topics
    sums = is_in @ (d - d.mean(axis=0))
    shares = sizes[:, None] / n
    return np.sqrt((sums**2 / (1 - shares)).sum(axis=0)) / n


def degrees_of_freedom(codes: np.ndarray) -> float:
    """Return Bell and McCaffrey's degrees of freedom for cluster-robust tests.

    They are G - 1 for G clusters of equal size.
    """
    n = len(codes)
    sizes = np.bincount(codes)
    # Squared (co)variances of the weighted cluster sums, if topics are independent.
    variances = (sizes**2).sum()
    parts = sizes**2 / (n - sizes)
    covariances = parts.sum() ** 2 - (parts**2).sum()
    return float(n**2 / (variances + covariances))
