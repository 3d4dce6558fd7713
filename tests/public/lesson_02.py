"""What public scores say of lesson 02: reading a score, the ladder, and who stands behind factors.

The functions of a `World` are asked of campaigns, too, by tests/course/test_lessons_02.py.
"""

import functools
import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from fifteen import DATA, FIFTEEN, ap_of, fifties
from ladder import nearly_equal, welch
from scipy import stats
from traits import clusters

import irstd

RUNGS = ["one number", "two numbers", "standardized"]
LEVEL = 0.05
FALSE_ALARMS = {"": "at equal level", " by near pairs": "by near pairs"}  # ends of names, columns
EVERY = 5  # systems asked of `compare_across`
DRAWS = 10


@dataclass(frozen=True, eq=False)
class World:
    """Scores of the same systems on several sets of topics, their groups, and the truth."""

    tables: dict[str, pd.DataFrame]
    group: pd.Series
    truth: Callable[[str, str], pd.Series]  # for two sets of topics

    @property
    def pairs(self):
        return list(itertools.combinations(self.tables, 2))

    def order(self, c, d, systems):
        """The sign of the true difference of each two systems."""
        quality = self.truth(c, d)[systems].to_numpy()
        return np.sign(np.subtract.outer(quality, quality))

    def better_half(self, c, d, systems):
        """Those of the systems that are truly better than the median one."""
        quality = self.truth(c, d)[systems]
        return quality.index[quality > quality.median()]


@functools.cache
def public_world():
    scores = irstd.load_dataset("robust2004")
    tables = fifties(scores)

    def truth(c, d):
        """The means over all other topics."""
        return scores.drop(index=tables[c].index.union(tables[d].index)).mean()

    return World(tables, clusters(scores), truth)


@functools.cache
def without_trec6():
    """The same without one set of topics, on which scores move most."""
    world = public_world()
    tables = {name: table for name, table in world.tables.items() if name != "T6"}
    return World(tables, world.group, world.truth)


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
    """Kendall's tau of the orders by two sets of topics, raw and standardized by all systems.

    And what it gains among the better half of the systems, by the truth.
    """
    rows = []
    for c, d in world.pairs:
        sides = [world.tables[name] for name in (c, d)]
        better = world.better_half(c, d, sides[0].columns)
        raw = [side.mean() for side in sides]
        standardized = [irstd.standardize(side).mean() for side in sides]
        row = {}
        for form, means in {"raw": raw, "standardized": standardized}.items():
            row[f"tau: {form}"] = irstd.rank_correlation(*means)
            row[f"tau, better half: {form}"] = irstd.rank_correlation(*[m[better] for m in means])
        rows.append(row)
    found = pd.DataFrame(rows).mean().to_dict()
    for name in ("tau", "tau, better half"):
        found[f"{name} gained"] = found[f"{name}: standardized"] - found[f"{name}: raw"]
    return found


def rungs(scores, common):
    """Scores of the other systems, by centre and scale: of the collection or of the topic."""
    reference = scores[common]
    others = scores[scores.columns.difference(common, sort=False)]
    return {
        "one number": others - reference.mean(axis=None),
        "two numbers": irstd.standardize(others, reference, "two"),
        "standardized": irstd.standardize(others, reference),
    }


def welch_p(a, b):
    """Of each system of the one side against each of the other."""
    difference = np.subtract.outer(a.mean().to_numpy(), b.mean().to_numpy())
    variance, freedom = welch(a, b)
    return 2 * stats.t.sf(np.abs(difference) / np.sqrt(variance), freedom)


def compare(world, sides, better_half=False):
    """All pairs of systems, one on each of two sets of topics, by Welch's test.

    False alarms are equal at the level at which one in twenty systems differs from itself, or one
    in twenty of the pairs that are nearly equal.
    """
    right, pvalues, itself, near = [], [], [], []
    for c, d in world.pairs:
        a, b = sides[c], sides[d]
        if better_half:
            better = world.better_half(c, d, a.columns)
            a, b = a[better], b[better]
        difference = np.subtract.outer(a.mean().to_numpy(), b.mean().to_numpy())
        pvalue = welch_p(a, b)
        order = world.order(c, d, a.columns)
        right.append((np.sign(difference) == order)[order != 0].mean())
        pvalues.append(pvalue[order != 0])
        itself.append(np.diag(pvalue))
        near.append(pvalue[nearly_equal(world.truth(c, d)[a.columns])])
    pvalues, itself, near = (np.concatenate(each) for each in (pvalues, itself, near))
    return {
        "right order": np.mean(right),
        "itself": (itself < LEVEL).mean(),
        "significant": (pvalues < LEVEL).mean(),
        "at equal level": (pvalues < np.quantile(itself, LEVEL)).mean(),
        "by near pairs": (pvalues < np.quantile(near, LEVEL)).mean(),
    }


def drawn_rungs(world, draws):
    """For each draw of ten common systems: each rung, the scores by name of the set of topics."""
    rng = np.random.default_rng(0)
    for _ in range(draws):
        common = choose(world, 10, False, rng)
        forms = {name: rungs(scores, common) for name, scores in world.tables.items()}
        yield {rung: {name: form[rung] for name, form in forms.items()} for rung in RUNGS}


def ladder(world, draws=DRAWS):
    """Each rung: the right order, and significant pairs, of themselves and of others.

    Means over draws of ten common systems.
    """
    rows = []
    for drawn in drawn_rungs(world, draws):
        row = {}
        for rung in RUNGS:
            for column, value in compare(world, drawn[rung]).items():
                row[f"{rung}: {column}"] = value
        rows.append(row)
    found = pd.DataFrame(rows).mean().to_dict()
    for ending, column in FALSE_ALARMS.items():
        equal = {rung: found[f"{rung}: {column}"] for rung in RUNGS}
        found[f"gain of a second number{ending}"] = equal["two numbers"] - equal["one number"]
        found[f"gain of both{ending}"] = equal["standardized"] - equal["one number"]
    of_draws = pd.DataFrame(rows)
    one, two = (of_draws[f"{name}: at equal level"] for name in ("one number", "two numbers"))
    found["gain of a second number, sd over draws"] = (two - one).std()
    return found


def among_the_better(world, draws=DRAWS):
    """What standardizing gains over one number among the better half: in order, and in pairs."""
    gained = []
    for drawn in drawn_rungs(world, draws):
        one, standardized = (
            pd.Series(compare(world, drawn[rung], better_half=True))
            for rung in ("one number", "standardized")
        )
        gained.append(standardized - one)
    means = pd.DataFrame(gained).mean()
    return {
        "better half, gain in order": means["right order"],
        "better half, gain of both": means["at equal level"],
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
        own = one.columns.difference(common, sort=False)
        references = [one[common], other[common]]
        for k in range(0, len(own), EVERY):
            sides = one[own[k]], other[own[k]]
            table = irstd.compare_across(*sides, references, common=references)
            rows.append(table.loc["normal", "pvalue"] < LEVEL)
    return {"calibrated, itself: standardized": np.mean(rows)}


def choose(world, number, whole, rng):
    """So many common systems: single ones, or group by group."""
    if not whole:
        return rng.permutation(world.group.index)[:number]
    turn = pd.Series(rng.permutation(world.group.unique()))
    places = world.group.map(pd.Series(turn.index, turn))
    return places.sort_values(kind="stable").index[:number]


def two_numbers(scores, common):
    """The rung of this name, without a warning where the common systems are few."""
    few = scores[common]
    others = scores[scores.columns.difference(common, sort=False)]
    return (others - few.mean(axis=None)) / few.mean().std()


def one_number(scores, common):
    """The rung of this name."""
    others = scores[scores.columns.difference(common, sort=False)]
    return others - scores[common].mean(axis=None)


def common_systems(world, draws=DRAWS):
    """Significant pairs at equal level, by ten common systems of whole groups."""
    rng = np.random.default_rng(0)
    rows = []
    for _ in range(draws):
        common = choose(world, 10, True, rng)
        row = {}
        for ending, way in (("", two_numbers), (", one number", one_number)):
            sides = {name: way(table, common) for name, table in world.tables.items()}
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
    rows = pd.DataFrame([reading(ap_of(name)) for name in FIFTEEN])
    found = {f"median: {name}": value for name, value in rows.median().items()}
    worst = rows["one sd above, least: z"].min()
    gap = rows["mean and place: largest gap"].max()
    return found | {"worst: one sd above, least": worst, "worst: mean and place": gap}


def halves_of_fifteen(trials=40):
    """What standardizing adds to tau between random halves of the topics, by collection."""
    gained = []
    for name in FIFTEEN:
        scores = ap_of(name)
        standardized = irstd.standardize(scores)
        of_splits = []
        for one, other in irstd.split_topics(len(scores), trials=trials):
            taus = []
            for table in (scores, standardized):
                means = [table.iloc[half].mean() for half in (one, other)]
                taus.append(irstd.rank_correlation(*means))
            of_splits.append(taus[1] - taus[0])
        gained.append(np.mean(of_splits))
    return {
        "tau gained, halves: least": min(gained),
        "tau gained, halves: most": max(gained),
    }


def of_four_sets():
    """What depends on TREC-6: a test against itself, and what two numbers gain."""
    found = ladder(without_trec6(), 4 * DRAWS) | agreement(without_trec6())
    names = ["gain of a second number", "standardized: itself", "tau gained"]
    names += ["tau, better half gained"]
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
