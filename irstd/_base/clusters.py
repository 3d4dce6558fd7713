"""Clusters of topics: turns of one conversation, paraphrases, questions on one document."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from irstd._base.messages import listed, warn

FEW = 10  # clusters, with which the error is known badly
Clusters = pd.Series | Mapping


def cluster_codes(clusters: Clusters, topics: pd.Index) -> np.ndarray:
    """The cluster of each topic as a whole number from 0; a warning if they are few."""
    by_topic = pd.Series(clusters)
    by_topic.index = by_topic.index.map(str)
    if not by_topic.index.is_unique:
        repeated = by_topic.index[by_topic.index.duplicated()].unique()
        raise ValueError(f"clusters must give each topic one cluster, {listed(repeated)} have more")
    of_topics = by_topic.reindex(topics)
    without = listed(topics[of_topics.isna()])
    if without:
        raise ValueError(f"clusters must have the cluster of each topic, not of {without}")
    codes, names = pd.factorize(of_topics.to_numpy())
    if len(names) < 2:
        raise ValueError(f"clusters must be two or more, all topics are in {names[0]!r}")
    if len(names) < FEW:
        warn(f"there are {len(names)} clusters: with fewer than {FEW}, errors are known badly")
    return codes
