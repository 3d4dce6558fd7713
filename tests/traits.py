"""How systems differ, beside their mean: what the design `trec-like` has from public scores.

Each function takes score matrices of AP, public or simulated.
"""

import itertools

import numpy as np
import pandas as pd
from scipy import stats
from scipy.cluster import hierarchy

import irstd

PUBLIC = (
    *("trec5", "trec6", "trec7", "trec8"),
    *("robust2003", "robust2004", "genomics2004", "web2004"),
)
FIFTIES = (("301", "350"), ("351", "400"), ("401", "450"), ("601", "650"), ("651", "700"))
FAILURE = 0.01  # an AP below this is one


def best(scores):
    """The best three quarters of the systems by their mean."""
    order = scores.mean().sort_values(ascending=False, kind="stable").index
    return scores[order[: int(0.75 * len(order))]]


def halves(scores, trials, size=None):
    """Random halves of the topics, or two sets of `size`."""
    rng = np.random.default_rng(0)
    for _ in range(trials):
        topics = rng.permutation(scores.index)
        size = size or len(topics) // 2
        yield scores.loc[topics[:size]], scores.loc[topics[size : 2 * size]]


def correlation_of_failures(scores, trials=100):
    """Of the number of failures on 25 topics with that on 25 others, over the best systems."""
    found = []
    for a, b in halves(best(scores) < FAILURE, trials, 25):
        counts = a.sum(), b.sum()
        if min(count.std() for count in counts) > 0:
            found.append(np.corrcoef(*counts)[0, 1])
    return np.mean(found)


def foresight(scores, trials):
    """Tau with the order by failures on other topics: of MAP, of GMAP .01, of their number."""
    found = []
    for old, new in halves(scores, trials):
        truth = -(new < FAILURE).mean()
        orders = old.mean(), irstd.gmap(old, 0.01), -(old < FAILURE).sum()
        found.append([irstd.rank_correlation(order, truth) for order in orders])
    return np.mean(found, axis=0)


def gaps(old, new, pairs=10):
    """Mean gap of the neighbours that differ most in failures: these, and GMAP; found and new."""
    order = old.mean().sort_values(ascending=False, kind="stable").index
    upper = len(order) // 2
    failures = [(table < FAILURE).mean()[order].diff(-1)[:upper] for table in (old, new)]
    gmaps = [-irstd.gmap(table, 0.01)[order].diff(-1)[:upper] for table in (old, new)]
    picked = failures[0].abs().sort_values(ascending=False, kind="stable").index[:pairs]
    sign = np.sign(failures[0][picked])
    return [(sign * gap[picked]).mean() for gap in (*failures, *gmaps)]


def gap_left(scores, trials, size=None, pairs=10):
    """Share of a picked gap that is left on other topics, in failures and in GMAP."""
    rng = np.random.default_rng(0)
    found = []
    for _ in range(trials):
        topics = rng.permutation(scores.index)
        size = size or len(topics) // 2
        found.append(gaps(scores.loc[topics[:size]], scores.loc[topics[size:]], pairs))
    failures, new_failures, gmaps, new_gmaps = np.mean(found, axis=0)
    return new_failures / failures, new_gmaps / gmaps


def itself(a, b):
    """Share of systems that differ from themselves (.05), standardized by ten they share."""
    ten = a.columns[::11][:10]
    others = [irstd.standardize(x, x[ten]).drop(columns=ten) for x in (a, b)]
    return (stats.ttest_ind(*others, equal_var=False).pvalue <= 0.05).mean()


def moves(tables):
    """Sd of how far systems move between collections, in sds of their means (standardized).

    What the luck of the topics explains is taken off.
    """
    found = []
    for a, b in itertools.combinations([irstd.standardize(table) for table in tables], 2):
        luck = (a.var() / len(a) + b.var() / len(b)).mean()
        means = a.mean(), b.mean()
        found.append([np.var(means[0] - means[1], ddof=1) - luck, np.var(sum(means) / 2, ddof=1)])
    moved, spread = np.mean(found, axis=0)
    return np.sqrt(max(moved, 0) / 2 / spread)


def clusters(scores, n=20):
    """Groups of runs alike, where nobody says which are of one group."""
    distances = 1 - scores.corr().to_numpy()
    tree = hierarchy.linkage(distances[np.triu_indices(len(distances), 1)], "average")
    return pd.Series(hierarchy.fcluster(tree, n, "maxclust"), scores.columns)


def broken_ties(scores, groups=None):
    """Share of ties of means that a test of spread breaks: all, and without the widest two groups.

    Widest are those whose runs are most often the wider ones of a broken tie.
    """
    kept = best(scores)
    groups = clusters(kept) if groups is None else groups
    tied = irstd.pairwise_tests(kept, "t")["pvalue"] > 0.05
    pairs = irstd.pairwise_tests(kept, "paired_levene")[tied]
    broken = pairs["pvalue"] <= 0.05
    first, second = pairs["system_a"], pairs["system_b"]
    sd = kept.std()
    wider = first.where(sd[first].to_numpy() > sd[second].to_numpy(), second)
    widest = wider[broken].map(groups).value_counts().index[:2]
    others = ~first.map(groups).isin(widest) & ~second.map(groups).isin(widest)
    return broken.mean(), broken[others].mean()


def slopes(scores, trials):
    """By how much more a system loses on hard topics than others: sd, and correlation of halves.

    The slope of the probit of AP by the mean of the best systems' probits.
    """
    kept = best(scores).clip(0.001, 0.999)
    probits = pd.DataFrame(stats.norm.ppf(kept), kept.index, kept.columns)
    covariances, correlations = [], []
    for parts in halves(probits, trials):
        both = []
        for part in parts:
            ease = part.mean(axis=1) - part.mean(axis=None)
            both.append((part.mul(ease, axis=0)).sum() / (ease**2).sum() - 1)
        covariances.append((both[0] * both[1]).mean())
        correlations.append(np.corrcoef(*both)[0, 1])
    return np.sqrt(max(np.mean(covariances), 0)), np.mean(correlations)


def group_share(scores, trials):
    """Share of groups in what lasts of the log sd of z, the mean of z and its square removed."""
    z = irstd.standardize(best(scores), method="z")
    groups = clusters(best(scores)).to_numpy()
    same = np.equal.outer(groups, groups) & ~np.eye(len(groups), dtype=bool)
    mean = z.mean().to_numpy()
    terms = np.column_stack([np.ones(len(mean)), mean, mean**2])
    rest = np.eye(len(mean)) - terms @ np.linalg.pinv(terms)
    found = []
    for parts in halves(z, trials):
        a, b = (rest @ np.log(part.std().to_numpy()) for part in parts)
        products = np.outer(a, b)
        found.append([products[same].mean(), products.trace() / len(a)])
    between, total = np.mean(found, axis=0)
    return between / total
