"""The ladder of notebooks 02 and 05: systems on different topics, raw, by one number, by topic."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from fifteen import fifties
from scipy import stats

import irstd

RUNGS = ["raw", "one number", "two numbers", "standardized"]
GAINING = RUNGS[1:]  # of which gains are told
LEVEL = 0.05
FALSE_ALARMS = {"": "at equal level", " by near pairs": "by near pairs"}  # ends of names, columns


@dataclass(frozen=True, eq=False)
class World:
    """Scores of the same systems on several sets of topics, and the truth.

    Their groups, or the original systems of each set, are asked for by one of the lessons only.
    """

    tables: dict[str, pd.DataFrame]
    truth: Callable[[str, str], pd.Series]  # for two sets of topics
    group: pd.Series | None = None
    references: dict[str, pd.DataFrame | None] | None = None

    @property
    def pairs(self):
        return list(itertools.combinations(self.tables, 2))

    def better(self, c, d):
        """The sign of the true difference of each two systems."""
        return signs(self.truth(c, d), self.truth(c, d))

    def better_half(self, c, d, systems):
        """Those of the systems that are truly better than the median one."""
        quality = self.truth(c, d)[systems]
        return quality.index[quality > quality.median()]


def of_robust(names, group=None, references=None):
    """Sets of fifty topics of Robust 2004; the truth of two is the mean over all other topics."""
    scores = irstd.load_dataset("robust2004")
    of_year = fifties(scores)
    tables = {name: of_year[name] for name in names}

    def truth(c, d):
        return scores.drop(index=tables[c].index.union(tables[d].index)).mean()

    return World(tables, truth, group, references)


def signs(here, there):
    """Which is the larger one, of each number here and each number there."""
    return np.sign(np.subtract.outer(np.asarray(here), np.asarray(there)))


def wrong(here, there, better):
    """The share of pairs, one system on each side, whose means are in the wrong order."""
    return (signs(here, there) != better)[better != 0].mean()


def gap(here, there):
    """How far two sets of system means lie apart, in standard deviations of system means."""
    return abs(here.mean() - there.mean()) / ((here.std(ddof=1) + there.std(ddof=1)) / 2)


def steps(scores, reference):
    """Scores of one set of topics on each step, by systems of reference."""
    return {
        "raw": scores,
        "one number": scores - reference.mean(axis=None),
        "two numbers": irstd.standardize(scores, reference, "collection"),
        "standardized": irstd.standardize(scores, reference),
    }


def welch(a, b):
    """The variance of the difference of each two means, and its degrees of freedom."""
    of_a = (a.var() / len(a)).to_numpy()
    of_b = (b.var() / len(b)).to_numpy()
    variance = np.add.outer(of_a, of_b)
    n_less_1 = len(a) - 1  # for b as well, though R4 has one topic less
    freedom = variance**2 / np.add.outer(of_a**2 / n_less_1, of_b**2 / n_less_1)
    return variance, freedom


def across(a, b):
    """The difference of each system on `a` and each on `b`, and p of Welch's test."""
    difference = np.subtract.outer(a.mean().to_numpy(), b.mean().to_numpy())
    variance, freedom = welch(a, b)
    return difference, 2 * stats.t.sf(np.abs(difference) / np.sqrt(variance), freedom)


def compare(world, sides, better_half=False):
    """All pairs of systems, or of the truly better half, one on each of two sets of topics.

    False alarms are equal at the level at which one in twenty systems differs from itself, or one
    in twenty of the pairs that are nearly equal.
    """
    right, pvalues, itself, near = [], [], [], []
    for c, d in world.pairs:
        systems = sides[c].columns
        if better_half:
            systems = world.better_half(c, d, systems)
        quality = world.truth(c, d)[systems]
        order = signs(quality, quality)
        difference, pvalue = across(sides[c][systems], sides[d][systems])
        right.append((np.sign(difference) == order)[order != 0].mean())
        pvalues.append(pvalue[order != 0])
        itself.append(np.diag(pvalue))
        near.append(pvalue[nearly_equal(quality)])
    pvalues, itself, near = (np.concatenate(each) for each in (pvalues, itself, near))
    return {
        "right order": np.mean(right),
        "itself": (itself < LEVEL).mean(),
        "at equal level": (pvalues < np.quantile(itself, LEVEL)).mean(),
        "by near pairs": (pvalues < np.quantile(near, LEVEL)).mean(),
    }


def climb(world, forms, rungs=RUNGS, better_half=False):
    """What `compare` says of each rung, and what topics or a second number gain over one number."""
    found = {}
    for rung in rungs:
        sides = {name: of_name[rung] for name, of_name in forms.items()}
        for column, value in compare(world, sides, better_half).items():
            found[f"{rung}: {column}"] = value
    for ending, column in FALSE_ALARMS.items():
        one = found[f"one number: {column}"]
        found[f"gain of topics{ending}"] = found[f"standardized: {column}"] - one
        found[f"gain of a second number{ending}"] = found[f"two numbers: {column}"] - one
    return found


def on_topics(scores, topics):
    """The scores on these topics, which may be drawn twice; their names are numbers."""
    return scores.loc[topics].set_axis([str(k) for k in range(len(topics))])


def nearly_equal(quality, share=0.05):
    """Pairs of different systems whose true qualities differ least, this share of all pairs."""
    quality = np.asarray(quality)
    distance = np.abs(np.subtract.outer(quality, quality))
    different = ~np.eye(len(quality), dtype=bool)
    return different & (distance <= np.quantile(distance[different], share))
