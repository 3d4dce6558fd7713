"""The ladder of notebooks 02 and 05: systems on different topics, raw, by one number, by topic."""

import numpy as np
import pandas as pd
from scipy import stats

import irstd


def steps(scores, reference):
    """Scores of one collection on each step; without a reference, by the systems themselves."""
    if reference is None:
        by = scores
    else:
        by = reference.loc[scores.index]
    return {
        "raw": scores,
        "one number": scores - by.mean(axis=None),
        "topic's mean": irstd.standardize(scores, by, "centre"),
        "z": irstd.standardize(scores, by, "z"),
        "standardized": irstd.standardize(scores, by, "normal"),
    }


def compare(a, b, truth, level=0.05):
    """All pairs of a system on `a` and another one on `b`, by Welch's test."""
    means_a = a.mean().to_numpy()
    means_b = b.mean().to_numpy()
    difference = np.subtract.outer(means_a, means_b)
    variance, freedom = welch(a, b)
    pvalue = 2 * stats.t.sf(np.abs(difference) / np.sqrt(variance), freedom)
    told = pvalue < level

    qualities = np.array(truth)
    better = np.subtract.outer(qualities, qualities)
    differ = better != 0
    right = np.sign(difference) == np.sign(better)
    wrong = told & ~right
    sds = [means_a.std(ddof=1), means_b.std(ddof=1)]
    return {
        "right": right[differ].mean(),
        "told": told[differ].mean(),
        "wrong": wrong[differ].sum() / max(told[differ].sum(), 1),
        "itself": np.diag(told).mean(),
        "drmse": irstd.drmse(a, b),
        "error": np.sqrt(variance[differ].mean()) / np.mean(sds),
    }


def welch(a, b):
    """The variance of the difference of each two means, and its degrees of freedom."""
    of_a = (a.var() / len(a)).to_numpy()
    of_b = (b.var() / len(b)).to_numpy()
    variance = np.add.outer(of_a, of_b)
    n_less_1 = len(a) - 1  # for b as well, though R4 has one topic less
    freedom = variance**2 / np.add.outer(of_a**2 / n_less_1, of_b**2 / n_less_1)
    return variance, freedom


def ladder(a, b, truth):
    """The steps of two collections, each given as (scores, reference), compared."""
    steps_a = steps(*a)
    steps_b = steps(*b)
    rows = {step: compare(steps_a[step], steps_b[step], truth) for step in steps_a}
    return pd.DataFrame(rows).T
