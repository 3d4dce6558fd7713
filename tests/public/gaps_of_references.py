"""Lesson 05: how many pairs are in the wrong order by the gap of two sides, raw or standardized.

The functions take a `World` of ladder.py.
"""

import itertools

import numpy as np
import pandas as pd
from ladder import gap, wrong

import irstd

N_COMMON = 10
N_REFERENCE = 20


def gap_of_some(sides, places):
    """The gap by some of the systems alone."""
    return gap(*(side.iloc[places] for side in sides))


def gaps(world):
    """How often the smaller gap orders better, by drawn references; and pairs in wrong order."""
    drawn = draw_references(world)
    better = drawn["wrong"] < drawn["raw wrong"]
    return {
        "the smaller gap orders better": (drawn["foreseen"] == better).mean(),
        "pairs wrong, by the smaller gap": drawn["wrong by the gaps"].mean(),
        "pairs wrong, by one number of ten": drawn["wrong by one number"].mean(),
    }


def draw_references(world, draws=40, most=3):
    """Twenty originals on each side, better ones here and worse ones there, more or less so.

    What orders better is foreseen from the two gaps of ten systems. The rival takes one number of
    the same ten off each side. Both are asked of pairs of the other systems.
    """
    rng = np.random.default_rng(0)
    rows = []
    for c, d in itertools.combinations(world.references, 2):
        better = world.better(c, d)
        raw = [world.tables[name].mean() for name in (c, d)]
        tilts = rng.uniform(-most, most, draws) if most else np.zeros(draws)
        for tilt in tilts:
            sides = by_twenty(world, {c: tilt, d: -tilt}, rng)
            shuffled = rng.permutation(len(better))
            ten, others = shuffled[:N_COMMON], shuffled[N_COMMON:]
            row = {"wrong": wrong(*sides, better)}
            row["raw wrong"] = wrong(*raw, better)
            row["foreseen"] = gap_of_some(sides, ten) < gap_of_some(raw, ten)
            chosen = sides if row["foreseen"] else raw
            centered = [side - side.iloc[ten].mean() for side in raw]
            better_of_others = better[np.ix_(others, others)]
            for way, of_way in (("the gaps", chosen), ("one number", centered)):
                rest = [side.iloc[others] for side in of_way]
                row[f"wrong by {way}"] = wrong(*rest, better_of_others)
            rows.append(row)
    return pd.DataFrame(rows)


def twenty(originals, towards, rng):
    """Twenty of the original systems, good ones more often if `towards` is above 0."""
    weights = np.exp(towards * originals.mean().rank(pct=True))
    some = {"weights": weights.to_numpy(), "random_state": rng}
    return originals.sample(N_REFERENCE, axis="columns", **some)


def by_twenty(world, tilts, rng):
    """The means of the systems of each side, standardized by twenty originals so drawn."""
    means = []
    for name, towards in tilts.items():
        some = twenty(world.references[name], towards, rng)
        means.append(irstd.standardize(world.tables[name], some).mean())
    return means


def drawn_at_random(world):
    """The rule and "always standardize", if the twenty are drawn without regard to strength."""
    drawn = draw_references(world, draws=100, most=0)
    better = drawn["wrong"] < drawn["raw wrong"]
    return {
        "drawn at random, the smaller gap": (drawn["foreseen"] == better).mean(),
        "drawn at random, always standardized": better.mean(),
    }
