"""What public scores say of lesson 04: ties that differ in spread, and what bounded scores do."""

import numpy as np
import pandas as pd
from scipy.cluster import hierarchy
from scipy.spatial.distance import squareform

import irstd

COLLECTIONS = ["trec5", "trec6", "trec7", "trec8", "robust2003", "robust2004"]
COLLECTIONS += ["genomics2004", "web2004"]


def best_of(scores):
    """The best three quarters of the systems."""
    return scores[scores.mean().nlargest(int(0.75 * scores.shape[1])).index]


def broken_ties(scores):
    """Pairs without a significant difference of means, and which of these differ in spread.

    Returns the share, and of each pair that differs in spread the system that is spread more.
    """
    tied = irstd.pairwise_tests(scores)["pvalue"] > 0.05
    tests = irstd.pairwise_tests(scores, "paired_levene")[tied]
    broken = tests[tests["pvalue"] <= 0.05]
    sd = scores.std()
    is_first = sd[broken["system_a"]].to_numpy() > sd[broken["system_b"]].to_numpy()
    return len(broken) / len(tests), broken["system_a"].where(is_first, broken["system_b"])


def without_two(scores, group):
    """The share, without the two groups whose systems are most often the one spread more."""
    _, wider = broken_ties(scores)
    most = group[wider].value_counts().index[:2]
    share, _ = broken_ties(scores.loc[:, ~group[scores.columns].isin(most)])
    return share


def clusters(scores, number):
    """Systems whose scores go together, as runs of one group do."""
    distance = 1 - scores.corr().to_numpy()
    np.fill_diagonal(distance, 0)
    linked = hierarchy.linkage(squareform(distance, checks=False), "average")
    return hierarchy.fcluster(linked, number, "maxclust")


def ties():
    """On Robust 2004, and without the two of twenty clusters that are most often spread more."""
    scores = best_of(irstd.load_dataset("robust2004"))
    group = pd.Series(clusters(scores, 20), scores.columns)
    share, _ = broken_ties(scores)
    return {"ties broken": share, "without two clusters": without_two(scores, group)}


def bounded():
    """The trend of spread on mean after z, and what bounded scores would give."""
    found = {}
    for name in COLLECTIONS:
        trend = irstd.spread_trend(best_of(irstd.load_dataset(name)))
        found[f"{name}: trend"] = trend["trend"]
        found[f"{name}: null"] = trend["null"]
        found[f"{name}: low"] = trend["low"]
    return found


NUMBERS = {ties: "robust2004", bounded: ", ".join(COLLECTIONS)}
