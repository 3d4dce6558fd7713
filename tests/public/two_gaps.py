"""Where standardizing pays: the references' gap at which it does as well as raw scores.

A system is scored on the topics C, another one on D. Raw scores are wrong by how much harder D is,
g standard deviations of system means; scores that are standardized by other systems on each side,
by how much better the one reference is than the other, d. The references are drawn to differ, the
pairs are of the systems that are left, and the truth is their order by raw means on other topics.
"""

import numpy as np
import pandas as pd
from ladder import gap, signs, wrong
from scipy import special

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


def forms(scores, reference, rest):
    """Means of the systems `rest`: raw, by two numbers and by topic of those of a reference."""
    others = scores[:, reference]
    mean = others.mean(axis=1, keepdims=True)
    sd = others.std(axis=1, ddof=1, keepdims=True)
    means = others.mean(axis=0)
    z = (scores[:, rest] - mean) / np.where(sd > 0, sd, np.inf)
    raw = scores[:, rest].mean(axis=0)
    two = (raw - means.mean()) / means.std(ddof=1)
    return {"raw": raw, "two": two, "normal": special.ndtr(z).mean(axis=0)}


def draws(c, d, truth, n_draws, seed=0):
    """Of drawn references: d, and the share of wrong pairs raw, by two numbers and by topic."""
    rng = np.random.default_rng(seed)
    truth = truth.mean()
    quality = truth.rank(pct=True).to_numpy()
    truth = truth.to_numpy()
    size = round(len(truth) / 3)
    rows = []
    for draw in range(n_draws):
        strength = STRENGTHS[draw % len(STRENGTHS)]
        order = np.argsort(quality * strength + rng.random(len(truth)))
        weak, rest, strong = order[:size], order[size:-size], order[-size:]
        if draw % 2:
            weak, strong = strong, weak
        on_c = forms(c.to_numpy(), weak, rest)
        on_d = forms(d.to_numpy(), strong, rest)
        order = signs(truth[rest], truth[rest])
        row = {form: wrong(on_c[form], on_d[form], order) for form in on_c}
        rows.append(row | {"d": gap(on_c["normal"], on_d["normal"])})
    return pd.DataFrame(rows)


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


def law(designs, n_draws=400):
    """By name of a design: g, the break-even of d, and wrong pairs of alike references."""
    rows = {}
    for name, (c, d, truth) in designs.items():
        found = draws(c, d, truth, n_draws)
        alike = found[found["d"] < 0.25].mean()
        rows[name] = {
            "g": gap(c.mean(), d.mean()),
            "break-even": break_even(found),
            "raw": found["raw"].mean(),
            "two": alike["two"],
            "topic": alike["normal"],
        }
    return pd.DataFrame(rows).T
