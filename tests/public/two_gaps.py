"""Where standardizing pays: the references' gap at which it does as well as raw scores.

A system is scored on the topics C, another one on D. Raw scores are wrong by how much harder D is, g
standard deviations of system means; scores that are standardized by other systems on each side, by
how much better the one reference is than the other, d. The references are drawn to differ, the
pairs are of the systems that are left, and the truth is their order by raw means on other topics.
"""

import warnings

import numpy as np
import pandas as pd

import irstd
from irstd.compare.gaps import gap_of

STRENGTHS = (0, 0.25, 0.5, 1, 2)  # with which the references are drawn by quality


def thirds(scores, hardness):
    """Three thirds of the topics: by their means if `hardness` is their order, else as given."""
    order = hardness.sort_values(kind="stable").index
    size = len(order) // 3
    return scores.loc[order[:size]], scores.loc[order[-size:]], scores.loc[order[size:-size]]


def hard_and_easy(scores):
    """Hard topics, easy topics, and the middle third, which has the truth."""
    return thirds(scores, scores.mean(axis=1))


def at_random(scores, seed):
    """Three random thirds of the topics."""
    rng = np.random.default_rng(seed)
    return thirds(scores, pd.Series(rng.random(len(scores)), scores.index))


def partly_hard(scores, seed):
    """Thirds by difficulty and luck, half each."""
    rng = np.random.default_rng(seed)
    rank = scores.mean(axis=1).rank(pct=True)
    return thirds(scores, rank + rng.random(len(scores)))


def wrong_pairs(here, there, truth):
    """The share of pairs, one system here and one there, in another order than the truth's."""
    by_score = np.sign(here.to_numpy()[:, None] - there.to_numpy())
    by_truth = np.sign(truth.to_numpy()[:, None] - truth.to_numpy())
    return np.mean(by_score[by_truth != 0] != by_truth[by_truth != 0])


def draws(c, d, truth, n_draws, seed=0):
    """Of drawn references: d, and the share of wrong pairs raw, by two numbers and by topic."""
    rng = np.random.default_rng(seed)
    truth = truth.mean()
    size = round(len(truth) / 3)
    rows = []
    for draw in range(n_draws):
        strength = STRENGTHS[draw % len(STRENGTHS)]
        order = (truth.rank(pct=True) * strength + rng.random(len(truth))).sort_values().index
        sides = [(c, order[:size]), (d, order[-size:])]
        if draw % 2:
            sides = [(c, order[-size:]), (d, order[:size])]
        rest = order[size:-size]
        forms = {}
        for method in (None, "two", "normal"):
            by_side = []
            for scores, reference in sides:
                table = scores[rest]
                if method:
                    table = irstd.standardize(table, scores[reference], method)
                by_side.append(table)
            forms[method or "raw"] = by_side
        row = {form: wrong_pairs(a.mean(), b.mean(), truth[rest]) for form, (a, b) in forms.items()}
        row["d"] = abs(gap_of(*forms["normal"]).in_sds[0])
        rows.append(row)
    return pd.DataFrame(rows)


def difficulty(c, d):
    """How much harder one set of topics is, in standard deviations of system means."""
    return abs(gap_of(c, d).in_sds[0])


def break_even(found, form="normal", bins=10):
    """The d up to which standardized scores have no more wrong pairs than raw ones; at most max."""
    binned = found.groupby(pd.qcut(found["d"], bins, duplicates="drop"), observed=True).mean()
    loss = (binned[form] - binned["raw"]).to_numpy()
    d = binned["d"].to_numpy()
    above = np.flatnonzero(loss > 0)
    if not len(above):
        return d[-1]
    first = above[0]
    if first == 0:
        return d[0]
    share = -loss[first - 1] / (loss[first] - loss[first - 1])
    return d[first - 1] + share * (d[first] - d[first - 1])


def law(designs, n_draws=200):
    """By name of a design: g, the break-even of d, and wrong pairs of alike references."""
    rows = {}
    with warnings.catch_warnings(action="ignore"):  # small references, which differ
        for name, (c, d, truth) in designs.items():
            found = draws(c, d, truth, n_draws)
            alike = found[found["d"] < 0.25].mean()
            rows[name] = {
                "g": difficulty(c, d),
                "break-even": break_even(found),
                "largest d": found["d"].max(),
                "raw": found["raw"].mean(),
                "two, alike": alike["two"],
                "by topic, alike": alike["normal"],
            }
    return pd.DataFrame(rows).T
