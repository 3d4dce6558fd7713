"""How systems differ, beside their mean: what the campaign has from public scores.

Each function takes score matrices of AP, public or simulated.
"""

import itertools
import re

import numpy as np
import pandas as pd
from fifteen import FIFTEEN
from halves import halves
from scipy import stats
from scipy.cluster import hierarchy
from texts import read_page

import irstd

PUBLIC = FIFTEEN[:8]
FAILURE = 0.01  # an AP below this is one


def figures(n_cells):
    """The figures in the page's rows of so many cells, by label: ".31 to .42" is two."""
    rows = {}
    for line in read_page("pages/simulation").splitlines():
        label, *cells = [cell.strip() for cell in line.strip("| ").split("|")]
        words = [word for cell in cells for word in cell.split(" to ") if word]
        is_asked = len(cells) == n_cells - 1 and words
        if is_asked and all(re.fullmatch(r"-?\d*\.\d+", word) for word in words):
            rows[label] = np.array(words, float)
    return rows


def best(scores):
    """The best three quarters of the systems by their mean."""
    ranking = scores.mean().sort_values(ascending=False, kind="stable").index
    return scores[ranking[: int(0.75 * len(ranking))]]


def residuals(values, mean):
    """What a quadratic function of the mean does not explain."""
    terms = np.column_stack([np.ones(len(mean)), mean, mean**2])
    projection = terms @ np.linalg.pinv(terms)
    return (np.eye(len(mean)) - projection) @ values


def residual_spreads(z, trials):
    """On halves of the topics: the log sd of z, the mean of z and its square removed."""
    mean = z.mean().to_numpy()
    for parts in halves(z, trials):
        yield [residuals(np.log(part.std().to_numpy()), mean) for part in parts]


def correlation_of_failures(scores, trials=100):
    """Of the number of failures on 25 topics with that on 25 others, over the best systems."""
    correlations = []
    for a, b in halves(best(scores) < FAILURE, trials, 25):
        failures_a = a.sum()
        failures_b = b.sum()
        if failures_a.std() > 0 and failures_b.std() > 0:
            correlations.append(np.corrcoef(failures_a, failures_b)[0, 1])
    return np.mean(correlations)


def moves(tables):
    """Sd of how far systems move between collections, in sds of their means (standardized).

    What the luck of the topics explains is taken off.
    """
    standardized = [irstd.standardize(table) for table in tables]
    variances = []
    for a, b in itertools.combinations(standardized, 2):
        luck = (a.var() / len(a) + b.var() / len(b)).mean()
        mean_a = a.mean()
        mean_b = b.mean()
        moved = np.var(mean_a - mean_b, ddof=1) - luck
        spread = np.var((mean_a + mean_b) / 2, ddof=1)
        variances.append([moved, spread])
    moved, spread = np.mean(variances, axis=0)
    return np.sqrt(max(moved, 0) / 2 / spread)


def clusters(scores, n=20):
    """Groups of runs alike, where nobody says which are of one group."""
    distances = 1 - scores.corr().to_numpy()
    tree = hierarchy.linkage(distances[np.triu_indices(len(distances), 1)], "average")
    return pd.Series(hierarchy.fcluster(tree, n, "maxclust"), scores.columns)


def slopes(scores, trials):
    """By how much more a system loses on hard topics than others: sd, and correlation of halves.

    The slope of the probit of AP by the mean of the best systems' probits.
    """
    kept = best(scores).clip(0.001, 0.999)
    probits = pd.DataFrame(stats.norm.ppf(kept), kept.index, kept.columns)
    covariances = []
    correlations = []
    for first, second in halves(probits, trials):
        a = slopes_of(first)
        b = slopes_of(second)
        covariances.append((a * b).mean())
        correlations.append(np.corrcoef(a, b)[0, 1])
    return np.sqrt(max(np.mean(covariances), 0)), np.mean(correlations)


def slopes_of(probits):
    """The slope of each system by the ease of the topics, less that of all systems, which is 1."""
    ease = probits.mean(axis=1) - probits.mean(axis=None)
    return (probits.mul(ease, axis=0)).sum() / (ease**2).sum() - 1


def group_share(scores, trials):
    """Share of groups in what lasts of the log sd of z, the mean of z and its square removed."""
    z = irstd.standardize(best(scores), method="z")
    groups = clusters(best(scores)).to_numpy()
    same = np.equal.outer(groups, groups) & ~np.eye(len(groups), dtype=bool)
    rows = []
    for a, b in residual_spreads(z, trials):
        products = np.outer(a, b)
        rows.append([products[same].mean(), products.trace() / len(a)])
    between, total = np.mean(rows, axis=0)
    return between / total
