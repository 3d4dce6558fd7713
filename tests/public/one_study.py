"""Lesson 05: the pairs that differ on one collection, and on several that are taken for one study.

The functions take a `World` of lesson_05.py.
"""

import numpy as np
import pandas as pd
from scipy import stats

LEVEL = 0.05


def study(world):
    """Pairs that differ significantly on one collection, and on four that are taken for one."""
    tables = list(world.tables.values())
    i, j = np.triu_indices(tables[0].shape[1], 1)
    differences = [table.to_numpy()[:, i] - table.to_numpy()[:, j] for table in tables]
    effect = np.array([each.mean(axis=0) for each in differences])
    error = np.array([each.std(axis=0, ddof=1) / np.sqrt(len(each)) for each in differences])
    vary = (error > 0).all(axis=0)
    effect, error = effect[:, vary], error[:, vary]
    plain = stats.ttest_1samp(np.concatenate(differences), 0).pvalue
    of_each = 2 * stats.t.sf(np.abs(effect) / error, 49)
    on_none = (of_each >= LEVEL).all(axis=0)
    return {
        "significant: one collection": (np.abs(effect) > stats.t.ppf(0.975, 49) * error).mean(),
        "significant: all topics as one": (plain < LEVEL).mean(),
        "significant: one of four, corrected": (of_each.min(axis=0) < LEVEL / len(tables)).mean(),
        "significant: on none, but as one": (plain[vary] < LEVEL)[on_none].mean(),
    }


def mixed(world, draws=40):
    """Pairs that differ significantly on fifty topics that are drawn from all collections."""
    rng = np.random.default_rng(0)
    topics = pd.concat(world.tables.values()).to_numpy()
    i, j = np.triu_indices(topics.shape[1], 1)
    found = []
    for _ in range(draws):
        drawn = rng.permutation(topics)[:50]
        found.append((stats.ttest_rel(drawn[:, i], drawn[:, j]).pvalue < LEVEL).mean())
    return {"significant: fifty topics of all": np.mean(found)}
