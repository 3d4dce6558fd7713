"""What public scores say of lesson 02: reading a score, the ladder, and who stands behind factors.

The functions of a `World` are asked of campaigns, too, by tests/course/of_campaigns.py.
"""

import functools

import numpy as np
import pandas as pd
from fifteen import DATA, FIFTEEN, FIFTIES, ap_of, by_collection
from halves import tau_gained
from ladder import GAINING, LEVEL, climb, compare, of_robust, steps
from traits import clusters

import irstd

EVERY = 5  # systems asked of `compare_across`
DRAWS = 10


@functools.cache
def public_world():
    return of_robust(FIFTIES, clusters(irstd.load_dataset("robust2004")))


@functools.cache
def without_trec6():
    """The same without one set of topics, on which scores move most."""
    return of_robust([name for name in FIFTIES if name != "T6"], public_world().group)


def reading(scores):
    """The least that a score one sd above the mean beats; and means beside places."""
    n_others = scores.shape[1] - 1
    beaten = scores.rank(axis=1, method="min").sub(1).div(n_others)
    z = irstd.standardize(scores, method="z")
    near = beaten.where((z - 1).abs() < 0.04).stack()
    place = scores.rank(axis=1).sub(1).div(n_others).mean()
    gap = (irstd.standardize(scores).mean() - place).abs()
    return {"one sd above, least: z": near.min(), "mean and place: largest gap": gap.max()}


def agreement(world):
    """What standardizing by all systems gains in tau of the orders by two sets of topics.

    And what it gains among the better half of the systems, by the truth.
    """
    rows = []
    for c, d in world.pairs:
        raw = [world.tables[name] for name in (c, d)]
        standardized = [irstd.standardize(side) for side in raw]
        everybody = raw[0].columns
        asked = {"tau": everybody, "tau, better half": world.better_half(c, d, everybody)}
        row = {}
        for name, systems in asked.items():
            by_raw, by_standardized = (
                irstd.rank_correlation(*[side.mean()[systems] for side in sides])
                for sides in (raw, standardized)
            )
            row[f"{name} gained"] = by_standardized - by_raw
        rows.append(row)
    return pd.DataFrame(rows).mean().to_dict()


def by_common(world, common):
    """The scores of the other systems on each rung, by name of the set of topics."""
    forms = {}
    for name, scores in world.tables.items():
        others = scores[scores.columns.difference(common, sort=False)]
        forms[name] = steps(others, scores[common])
    return forms


def by_drawn(world, draws, whole=False):
    """The same for each draw of ten common systems."""
    rng = np.random.default_rng(0)
    for _ in range(draws):
        yield by_common(world, choose(world, 10, whole, rng))


def ladder(world, draws=DRAWS):
    """What is in the right order, and found, on each rung: means over draws."""
    rows = pd.DataFrame([climb(world, forms, GAINING) for forms in by_drawn(world, draws)])
    sd = rows["gain of a second number"].std()
    return rows.mean().to_dict() | {"gain of a second number, sd over draws": sd}


def among_the_better(world, draws=DRAWS):
    """What standardizing gains over one number among the better half: in order, and in pairs."""
    rows = [climb(world, forms, GAINING, better_half=True) for forms in by_drawn(world, draws)]
    means = pd.DataFrame(rows).mean()
    in_order = means["standardized: right order"] - means["one number: right order"]
    return {
        "better half, gain in order": in_order,
        "better half, gain of topics": means["gain of topics"],
    }


def calibrated_by_groups(world, draws=1):
    """How often `compare_across` says that a system differs from itself, if ten are of groups."""
    found = calibrated(world, draws, whole=True)
    return {"calibrated by groups, itself": found["calibrated, itself: standardized"]}


def calibrated(world, draws=1, whole=False):
    """How often `compare_across` with ten common systems says that a system differs from itself.

    Of every fifth system; ten others for each pair of collections and each draw.
    """
    rng = np.random.default_rng(0)
    rows = []
    for c, d in draws * world.pairs:
        one, other = world.tables[c], world.tables[d]
        common = choose(world, 10, whole, rng)
        references = [one[common], other[common]]
        for system in one.columns.difference(common, sort=False)[::EVERY]:
            table = irstd.compare_across(one[system], other[system], references, common=references)
            rows.append(table.loc["normal", "pvalue"] < LEVEL)
    return {"calibrated, itself: standardized": np.mean(rows)}


def choose(world, number, whole, rng):
    """So many common systems: single ones, or group by group."""
    if not whole:
        return rng.permutation(world.group.index)[:number]
    turn = pd.Series(rng.permutation(world.group.unique()))
    places = world.group.map(pd.Series(turn.index, turn))
    return places.sort_values(kind="stable").index[:number]


def common_systems(world, draws=DRAWS):
    """Significant pairs at equal level, by ten common systems of whole groups."""
    rows = []
    for forms in by_drawn(world, draws, whole=True):
        row = {}
        for ending, rung in (("", "two numbers"), (", one number", "one number")):
            sides = {name: of_name[rung] for name, of_name in forms.items()}
            row[f"10 groups: at equal level{ending}"] = compare(world, sides)["at equal level"]
        rows.append(row)
    return pd.DataFrame(rows).mean().to_dict()


def level(later, original, number=20, draws=200):
    """The range of the level of later systems, by so many of the originals, in 90% of draws."""
    rng = np.random.default_rng(0)
    means = []
    for _ in range(draws):
        some = original[rng.choice(original.columns, number, replace=False)]
        means.append(irstd.standardize(later, some).mean(axis=None))
    low, high = np.quantile(means, [0.05, 0.95])
    return {"level: range": high - low}


def level_by_the_best(later, original):
    """The same if the originals are the best three quarters."""
    best = original.mean().nlargest(len(original.columns) * 3 // 4).index
    return {"level: range, best three quarters": level(later, original[best])["level: range"]}


def of_fifteen():
    """The median collection and the worst one."""
    rows = by_collection(reading)
    least, gap = (rows[name] for name in ("one sd above, least: z", "mean and place: largest gap"))
    return {
        "median: one sd above, least: z": least.median(),
        "worst: one sd above, least": least.min(),
        "worst: mean and place": gap.max(),
    }


def halves_of_fifteen(trials=40):
    """What standardizing adds to tau between random halves of the topics, by collection."""
    gained = []
    for name in FIFTEEN:
        scores = ap_of(name)
        splits = irstd.split_topics(len(scores), trials=trials)
        gained.append(tau_gained(scores, splits, method="normal").mean())
    return {
        "tau gained, halves: least": min(gained),
        "tau gained, halves: most": max(gained),
    }


def of_four_sets():
    """What depends on TREC-6: a test against itself, and what two numbers gain."""
    found = ladder(without_trec6(), 4 * DRAWS) | agreement(without_trec6())
    names = ["gain of a second number", "standardized: itself", "tau, better half gained"]
    return {f"without TREC-6, {name}": found[name] for name in names}


def of_fifties():
    world = public_world()
    found = agreement(world) | ladder(world, 4 * DRAWS) | calibrated(world, 8)
    found |= among_the_better(world) | calibrated_by_groups(world, 8)
    return found | common_systems(world, 4 * DRAWS)


def of_robust2003():
    original = irstd.load_dataset("robust2003").loc["601":"650"]
    later = public_world().tables["R3"]
    return level(later, original) | level_by_the_best(later, original)


NUMBERS = {
    of_fifteen: DATA,
    of_fifties: "robust2004",
    of_four_sets: "robust2004",
    halves_of_fifteen: DATA,
    of_robust2003: "robust2003, robust2004",
}
