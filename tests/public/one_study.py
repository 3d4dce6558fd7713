"""Lesson 05: the pairs that differ on one collection, and on several that are taken for one study.

The functions take a `World` of ladder.py.
"""

import numpy as np
import pandas as pd
from ladder import LEVEL
from scipy import stats


def differences(topics):
    """Of all pairs of systems, topic by topic."""
    i, j = np.triu_indices(topics.shape[1], 1)
    return topics[:, i] - topics[:, j]


def study(world):
    """Pairs that differ significantly on all topics as one study, and by a test of each."""
    of_each = [differences(table.to_numpy()) for table in world.tables.values()]
    vary = np.all([each.std(axis=0) > 0 for each in of_each], axis=0)
    together = stats.ttest_1samp(np.concatenate(of_each), 0).pvalue
    least = np.min([stats.ttest_1samp(each[:, vary], 0).pvalue for each in of_each], axis=0)
    return {
        "significant: all topics as one": (together < LEVEL).mean(),
        "significant: one of four, corrected": (least < LEVEL / len(of_each)).mean(),
    }


def mixed(world, draws=40):
    """Pairs that differ significantly on fifty topics that are drawn from all collections."""
    rng = np.random.default_rng(0)
    topics = differences(pd.concat(world.tables.values()).to_numpy())
    found = []
    for _ in range(draws):
        fifty = rng.permutation(len(topics))[:50]
        found.append((stats.ttest_1samp(topics[fifty], 0).pvalue < LEVEL).mean())
    return {"significant: fifty topics of all": np.mean(found)}
