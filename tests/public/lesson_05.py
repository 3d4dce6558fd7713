"""What public scores say of lesson 05: four collections that 110 systems ran on.

The functions of a `World` are asked of campaigns, too, by tests/course/test_lessons_05.py.
"""

import functools
import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from fifteen import fifties
from ladder import nearly_equal, on_topics, steps, welch
from public.gaps_of_references import N_COMMON, drawn_at_random, gaps
from public.one_study import mixed, study
from scipy import stats

import irstd

NAMES = ["T7", "T8", "R3", "R4"]
ORIGINALS = {"T7": "trec7", "T8": "trec8", "R3": "robust2003"}  # of R4 there are none
RUNGS = ["raw", "one number", "two numbers", "standardized"]
GAINING = RUNGS[1:]  # of which gains are told
PAIRS = list(itertools.combinations(NAMES, 2))
LEVEL = 0.05
FALSE_ALARMS = {"": "equal", " by near pairs": "near pairs"}  # ends of names, columns
BROKEN = 0.05  # an original system with less MAP


@dataclass(frozen=True, eq=False)
class World:
    """Scores of the same systems on four collections, their original systems, and the truth."""

    tables: dict[str, pd.DataFrame]
    references: dict[str, pd.DataFrame | None]
    truth: Callable[[str, str], pd.Series]  # for two collections

    def better(self, c, d):
        """The sign of the true difference of each two systems."""
        quality = self.truth(c, d).to_numpy()
        return np.sign(np.subtract.outer(quality, quality))


@functools.cache
def public_world():
    later = irstd.load_dataset("robust2004")
    by_year = fifties(later)
    tables = {name: by_year[name] for name in NAMES}
    references = {name: irstd.load_dataset(dataset) for name, dataset in ORIGINALS.items()}
    references["R4"] = None

    def truth(c, d):
        """The means over all other topics."""
        return later.drop(index=tables[c].index.union(tables[d].index)).mean()

    return World(tables, references, truth)


@functools.cache
def with_trec6():
    """The same with a fifth collection."""
    world = public_world()
    later = irstd.load_dataset("robust2004")
    tables = fifties(later)
    references = {"T6": irstd.load_dataset("trec6")} | world.references

    def truth(c, d):
        return later.drop(index=tables[c].index.union(tables[d].index)).mean()

    return World(tables, references, truth)


@functools.cache
def rungs(world):
    """The scores of each collection on each rung."""
    forms = {}
    for name, scores in world.tables.items():
        reference = world.references[name]
        by = scores if reference is None else reference.loc[scores.index]
        forms[name] = steps(scores, reference)
        forms[name]["two numbers"] = irstd.standardize(scores, by, "two")
    return forms


def moves(world):
    """Systems that are significantly better than themselves on R3 than on T7, by raw scores."""
    tests = irstd.false_positives(world.tables["T7"], world.tables["R3"])
    return {"better than themselves": int((tests["better_on"] == "d").sum())}


def differ(tables, metric):
    """The systems that differ significantly from themselves, for each pair of collections."""
    found = {}
    for c, d in itertools.combinations(tables, 2):
        tests = irstd.false_positives(tables[c], tables[d])
        found[f"differ by {metric}: {c}-{d}"] = int(tests["better_on"].notna().sum())
    return found


def climb(world):
    """Each rung: pairs in the right order; significant ones at .05, and at equal false alarms."""
    of_rung = compared(world, RUNGS)
    found = {}
    for rung, columns in of_rung.items():
        for column, value in columns.items():
            found[f"{column}: {rung}"] = value
    return found | gained(of_rung)


def compared(world, names, better_half=False):
    """What `compare` says of each of these rungs."""
    found = {}
    for rung in names:
        sides = {name: forms[rung] for name, forms in rungs(world).items()}
        found[rung] = compare(world, sides, better_half)
    return found


def compare(world, sides, better_half=False):
    """All pairs of systems, or of the truly better half of them, on all pairs of collections."""
    right, pvalues, itself, near = [], [], [], []
    for c, d in itertools.combinations(world.tables, 2):
        one, other, better = sides[c], sides[d], world.better(c, d)
        quality = world.truth(c, d)
        if better_half:
            half = (quality.rank(pct=True) > 0.5).to_numpy()
            one, other = one.loc[:, half], other.loc[:, half]
            better, quality = better[np.ix_(half, half)], quality[half]
        difference, pvalue = across(one, other)
        right.append((np.sign(difference) == better)[better != 0].mean())
        pvalues.append(pvalue[better != 0])
        itself.append(np.diag(pvalue))
        near.append(pvalue[nearly_equal(quality)])
    level = np.quantile(np.concatenate(itself), LEVEL)  # at which so many differ from themselves
    by_near = np.quantile(np.concatenate(near), LEVEL)  # and at which so many near pairs do
    return {
        "order": np.mean(right),
        "significant": np.mean([(p < LEVEL).mean() for p in pvalues]),
        "self": np.mean([(p < LEVEL).mean() for p in itself]),
        "equal": np.mean([(p < level).mean() for p in pvalues]),
        "near pairs": np.mean([(p < by_near).mean() for p in pvalues]),
    }


def among_the_better(world):
    """The same for the better half of the systems: the right order, and what topics gain."""
    of_rung = compared(world, GAINING, better_half=True)
    found = {f"better half, order: {rung}": of_rung[rung]["order"] for rung in GAINING}
    found["better half, gain of topics"] = gained(of_rung)["gain of topics"]
    return found


def gains(world):
    return gained(compared(world, GAINING))


def gained(of_rung):
    """What topics, and what a second number, gain over one number at equal false alarms."""
    found = {}
    for ending, column in FALSE_ALARMS.items():
        one = of_rung["one number"][column]
        found[f"gain of topics{ending}"] = of_rung["standardized"][column] - one
        found[f"gain of a second number{ending}"] = of_rung["two numbers"][column] - one
    return found


def without(world, left_out):
    """The same, but for original systems that are left out, by collection."""
    references = {}
    for name, originals in world.references.items():
        if originals is not None:
            originals = originals.drop(columns=left_out[name])
        references[name] = originals
    return World(world.tables, references, world.truth)


def broken(world):
    """The original systems that hardly retrieve, by collection."""
    found = {}
    for name, originals in world.references.items():
        if originals is not None:
            mean = originals.mean()
            found[name] = mean.index[mean < BROKEN]
    return found


def worst(world, share):
    """This share of the originals, those with the least MAP, by collection: another cut."""
    found = {}
    for name, originals in world.references.items():
        if originals is not None:
            mean = originals.mean()
            found[name] = mean.nsmallest(round(share * len(mean))).index
    return found


def without_broken(world):
    """The gains by originals that all retrieve."""
    of_kept = gains(without(world, broken(world)))
    found = {f"without broken, {name}": gain for name, gain in of_kept.items()}
    return found


def errors_of_gains(world, draws=40):
    """The errors of what is gained, if topics are drawn anew in each collection (a bootstrap)."""
    rng = np.random.default_rng(0)
    rows = []
    for _ in range(draws):
        tables, references = {}, {}
        for name, scores in world.tables.items():
            drawn = rng.choice(scores.index, len(scores))
            tables[name] = on_topics(scores, drawn)
            reference = world.references[name]
            references[name] = None if reference is None else on_topics(reference, drawn)
        rows.append(gains(World(tables, references, world.truth)))
    return pd.DataFrame(rows).std().to_dict()


def across(a, b, more=0.0, n_more=1):
    """Each system on `a` and each on `b`: differences, and p of Welch's test with more variance."""
    difference = np.subtract.outer(a.mean().to_numpy(), b.mean().to_numpy())
    variance, freedom = welch(a, b)
    if more:
        squares, believed = more
        total = variance + max(0, squares - believed)
        freedom = np.where(
            squares > believed, total**2 / (variance**2 / freedom + squares**2 / n_more), freedom
        )
        variance = total
    return difference, 2 * stats.t.sf(np.abs(difference) / np.sqrt(variance), freedom)


def calibrated(world, draws=100):
    """What `irstd.compare_across` does with ten common systems, for all pairs of the others."""
    rng = np.random.default_rng(0)
    forms = rungs(world)
    rows = []
    for _ in range(draws):
        for c, d in PAIRS:
            a, b = forms[c]["standardized"], forms[d]["standardized"]
            shuffled = rng.permutation(a.columns)
            common, others = shuffled[:N_COMMON], shuffled[N_COMMON:]
            squares = ((a[common].mean() - b[common].mean()) ** 2).mean()
            believed = (a[common].var() / len(a) + b[common].var() / len(b)).mean()
            _, pvalue = across(a[others], b[others], (squares, believed), N_COMMON)
            rows.append((np.diag(pvalue) < LEVEL).mean())
    return {"self: calibrated": np.mean(rows)}


def unlucky(world, trials=3000):
    """The 97.5% bound of false positives among random halves of T7 and T8 together."""
    scores = pd.concat([world.tables["T7"], world.tables["T8"]])
    raw = scores.to_numpy()
    standardized = irstd.standardize(scores).to_numpy()
    rows = []
    for one, other in irstd.split_topics(len(scores), trials=trials):
        sides = [(raw[one], raw[other]), (standardized[one], standardized[other])]
        rows.append([(stats.ttest_ind(*side).pvalue < LEVEL).mean() for side in sides])
    bounds = np.quantile(rows, 0.975, axis=0)
    names = ["raw", "standardized"]
    return {f"unlucky: {name}": bound for name, bound in zip(names, bounds, strict=True)}


def overlaps(world):
    """False positives by subsets of 25 of the 50 topics of T8 that may overlap."""
    scores = world.tables["T8"]
    splits = irstd.split_topics(scores.index, scheme="overlapping", trials=4000)
    rates = irstd.split_experiment(scores, splits, statistics=["fpr"])
    return {"false positives with overlap": rates["fpr"].mean()}


def by_other_metrics():
    """Systems against themselves, by AP and by P@10, with TREC-6 too."""
    found = {}
    for metric in ("AP", "P@10"):
        later = irstd.load_dataset("robust2004", metric)
        tables = fifties(later)
        counts = differ(tables, metric)
        found |= counts | {f"differ by {metric}, most of ten pairs": max(counts.values())}
    return found


def between_two_collections():
    return moves(public_world()) | by_other_metrics()


def the_ladder():
    world = public_world()
    found = climb(world) | calibrated(world)
    found |= among_the_better(world)
    for name, error in errors_of_gains(world).items():
        found[name] = (found[name], error)
    return found


def without_broken_originals():
    return without_broken(public_world())


def without_the_worst():
    """The gains without the worst tenth and fifth of the originals."""
    world = public_world()
    found = {}
    for cut, share in {"tenth": 0.1, "fifth": 0.2}.items():
        for name, gain in gains(without(world, worst(world, share))).items():
            found[f"without the worst {cut}, {name}"] = gain
    return found


def five_collections():
    found = climb(with_trec6())
    names = [f"order: {rung}" for rung in ("one number", "standardized")]
    return {f"with TREC-6, {name}": found[name] for name in names}


def two_gaps():
    return gaps(public_world()) | drawn_at_random(public_world())


def one_study():
    return study(public_world()) | mixed(public_world())


def chance():
    return unlucky(public_world()) | overlaps(public_world())


ALL = "robust2004, trec7, trec8, robust2003"
NUMBERS = {
    between_two_collections: "robust2004, trec7, robust2003",
    the_ladder: ALL,
    without_broken_originals: ALL,
    without_the_worst: ALL,
    five_collections: f"{ALL}, trec6",
    two_gaps: ALL,
    one_study: "robust2004",
    chance: "robust2004",
}
