"""Levels where users need them: unequal clusters.

Each draws from real scores, with replacement, differences whose truth is known, and says which of
the draws are rejected at .05. The page *Coverage* and the tests of the release have them.
"""

import warnings

import numpy as np
import pandas as pd

import irstd
from irstd.compare.columns import pairs_over_collections
from irstd.significance.pair_tests import Rules

LEVEL = 0.05
AP = [("robust2004", "AP"), ("web2004", "AP"), ("trec8", "P@10")]


def within(rejected, most=0.055):
    """Whether no more are rejected than should be, by three standard errors."""
    rejected = np.asarray(rejected)
    return rejected.mean() <= most + 3 * np.sqrt(LEVEL * (1 - LEVEL) / rejected.size)


def real_differences(name, metric, rng, draws):
    """Differences of pairs of systems, a column each: topics x draws."""
    values = irstd.load_dataset(name, metric).to_numpy()
    pairs = np.array([rng.choice(values.shape[1], 2, replace=False) for _ in range(draws)])
    return values[:, pairs[:, 0]] - values[:, pairs[:, 1]]


def drawn(differences, n, rng):
    """n topics of each column, drawn anew."""
    rows = rng.integers(0, len(differences), (n, differences.shape[1]))
    return np.take_along_axis(differences, rows, axis=0)


def against_none(columns, **options):
    """Each column of differences tested against none."""
    table = pd.DataFrame(columns).add_prefix("d").rename(index=str).assign(none=0.0)
    with warnings.catch_warnings(action="ignore"):
        return irstd.pairwise_tests(table, baseline="none", **options)


def in_clusters(sizes, source, draws, rng):
    """Differences, a column each, and the clusters of their topics.

    Half of a difference is of the cluster, and half of the topic; the signs are random.
    """
    codes = np.repeat(np.arange(len(sizes)), sizes)
    d = real_differences(*source, rng, draws)
    of_clusters = drawn(d, len(sizes), rng) * rng.choice([-1, 1], (len(sizes), draws))
    of_topics = drawn(d, len(codes), rng) * rng.choice([-1, 1], (len(codes), draws))
    labels = pd.Series(codes, [str(k) for k in range(len(codes))])
    return of_clusters[codes] + of_topics / 2, labels


def level_of_clusters(sizes, source, draws, seed=0, lift=0.0):
    """Which are rejected of differences that are `lift` on average."""
    columns, labels = in_clusters(sizes, source, draws, np.random.default_rng(seed))
    return against_none(columns + lift, clusters=labels)["pvalue"] <= LEVEL


def level_over_collections(sizes, number, source, draws, rng):
    """The same of the mean over a number of collections with such clusters."""
    tables, clusters = {}, {}
    for k in range(number):
        columns, labels = in_clusters(sizes, source, draws, rng)
        tables[f"c{k}"] = pd.DataFrame(columns, labels.index).add_prefix("d").assign(none=0.0)
        clusters[f"c{k}"] = labels
    return means_tested(tables, clusters)["pvalue"] <= LEVEL


def means_tested(tables, clusters):
    """Tests of the mean over collections, of each column against none."""
    with warnings.catch_warnings(action="ignore"):
        tests = pairs_over_collections(tables, Rules(clusters=clusters), ["none"])
    return tests[tests["collection"] == "mean"]


SIZES = {
    "10 x 5": [5] * 10,
    "25 x 2": [2] * 25,
    "12: 20, 10, 5, 3, 2, 2, 6 x 1": [20, 10, 5, 3, 2, 2] + [1] * 6,
    "10: 27, 9 x 3": [27] + [3] * 9,
    "20: 30, 19 x 1": [30] + [1] * 19,
    "10: 40, 9 x 1": [40] + [1] * 9,
    "30 of 30 / k": [round(30 / k) for k in range(1, 31)],
    "5 x 5": [5] * 5,
    "3 x 10": [10] * 3,
}
