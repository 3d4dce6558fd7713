"""What public scores say of lesson 02: the ladder on five sets of fifty topics of Robust 2004."""

import itertools

import numpy as np
from scipy import stats

import irstd

FIFTIES = {"T6": (301, 350), "T7": (351, 400), "T8": (401, 450), "R3": (601, 650), "R4": (651, 700)}
RUNGS = ["raw", "one number", "two numbers", "topic's mean", "mean, one sd", "standardized"]
LEVEL = 0.05


def rungs(scores, reference):
    """Scores by centre and scale: of the collection, of the topic, or none."""
    centred = irstd.standardize(scores, reference, "centre")
    return {
        "raw": scores,
        "one number": scores - reference.mean(axis=None),
        "two numbers": irstd.standardize(scores, reference, "two"),
        "topic's mean": centred,
        "mean, one sd": centred / reference.mean().std(),
        "standardized": irstd.standardize(scores, reference),
    }


def pairs_of_fifties():
    """Two sets of fifty topics on each rung, and the truth: means on all other topics."""
    scores = irstd.load_dataset("robust2004")
    common = scores.columns[::11]
    own = scores.columns.difference(common, sort=False)
    sets = {name: scores.loc[str(a) : str(b)] for name, (a, b) in FIFTIES.items()}
    for c, d in itertools.combinations(sets.values(), 2):
        truth = scores.drop(index=[*c.index, *d.index])[own].mean().to_numpy()
        yield rungs(c[own], c[common]), rungs(d[own], d[common]), truth


def tests_of_pairs(a, b):
    """Of all pairs, one system of `a` and one of `b`: who is ahead, and Welch's p."""
    ahead = np.sign(np.subtract.outer(b.mean().to_numpy(), a.mean().to_numpy()))
    x = b.to_numpy()[:, :, None]
    y = a.to_numpy()[:, None, :]
    return ahead, stats.ttest_ind(x, y, equal_var=False).pvalue


def ladder():
    """By rung: pairs in the right order; significant, of themselves and of others; at equal level.

    Of all ten pairs of sets together; at equal level 5% of the systems differ from themselves.
    """
    right = {rung: [] for rung in RUNGS}
    of_others = {rung: [] for rung in RUNGS}
    of_itself = {rung: [] for rung in RUNGS}
    for c, d, truth in pairs_of_fifties():
        order = np.sign(np.subtract.outer(truth, truth))
        for rung in RUNGS:
            ahead, pvalue = tests_of_pairs(c[rung], d[rung])
            right[rung].append((ahead == order)[order != 0].mean())
            of_others[rung].append(pvalue[order != 0])
            of_itself[rung].append(pvalue.diagonal())
    found = {}
    for rung in RUNGS:
        itself = np.concatenate(of_itself[rung])
        others = np.concatenate(of_others[rung])
        found[f"{rung}: right order"] = np.mean(right[rung])
        found[f"{rung}: itself"] = (itself < LEVEL).mean()
        found[f"{rung}: significant"] = (others < LEVEL).mean()
        found[f"{rung}: at equal level"] = (others < np.quantile(itself, LEVEL)).mean()
    return found


NUMBERS = {ladder: "robust2004"}
