"""The ladder of notebooks 02 and 05: systems on different topics, raw, by one number, by topic."""

import numpy as np

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


def welch(a, b):
    """The variance of the difference of each two means, and its degrees of freedom."""
    of_a = (a.var() / len(a)).to_numpy()
    of_b = (b.var() / len(b)).to_numpy()
    variance = np.add.outer(of_a, of_b)
    n_less_1 = len(a) - 1  # for b as well, though R4 has one topic less
    freedom = variance**2 / np.add.outer(of_a**2 / n_less_1, of_b**2 / n_less_1)
    return variance, freedom


def on_topics(scores, topics):
    """The scores on these topics, which may be drawn twice; their names are numbers."""
    return scores.loc[topics].set_axis([str(k) for k in range(len(topics))])


def nearly_equal(quality, share=0.05):
    """Pairs of different systems whose true qualities differ least, this share of all pairs."""
    quality = np.asarray(quality)
    distance = np.abs(np.subtract.outer(quality, quality))
    different = ~np.eye(len(quality), dtype=bool)
    return different & (distance <= np.quantile(distance[different], share))
