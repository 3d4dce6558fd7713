"""The ladder of notebooks 02 and 05: systems on different topics, raw, by one number, by topic."""

import numpy as np
import pandas as pd
from scipy import stats

import irstd

METHODS = {"topic's mean": "centre", "z": "z", "standardized": "normal"}


def steps(scores, reference):
    """Scores of one collection on each step; without a reference, by the systems themselves."""
    by = scores if reference is None else reference.loc[scores.index]
    level = by.mean(axis=None)
    of_topics = {name: irstd.standardize(scores, by, method) for name, method in METHODS.items()}
    return {"raw": scores, "one number": scores - level, **of_topics}


def compare(a, b, truth, level=0.05):
    """All pairs of a system on `a` and another one on `b`, by Welch's test."""
    means, errors = [t.mean().to_numpy() for t in (a, b)], [t.var() / len(t) for t in (a, b)]
    difference, error = np.subtract.outer(*means), np.add.outer(*map(np.array, errors))
    freedom = error**2 / np.add.outer(*[np.array(e) ** 2 / (len(a) - 1) for e in errors])
    told = 2 * stats.t.sf(np.abs(difference) / np.sqrt(error), freedom) < level
    better = np.subtract.outer(np.array(truth), np.array(truth))
    differ, right = better != 0, np.sign(difference) == np.sign(better)
    return {
        "right": right[differ].mean(),
        "told": told[differ].mean(),
        "wrong": (told & ~right)[differ].sum() / max(told[differ].sum(), 1),
        "itself": np.diag(told).mean(),
        "drmse": irstd.drmse(a, b),
        "error": np.sqrt(error[differ].mean()) / np.mean([np.std(m, ddof=1) for m in means]),
    }


def ladder(a, b, truth):
    """The steps of two collections, each given as (scores, reference), compared."""
    a, b = steps(*a), steps(*b)
    return pd.DataFrame({step: compare(a[step], b[step], truth) for step in a}).T
