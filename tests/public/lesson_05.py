"""What public scores say of lesson 05: four collections that 110 systems ran on.

The functions of a `World` are asked of campaigns, too, by tests/course/of_campaigns.py.
"""

import functools
import itertools

import numpy as np
import pandas as pd
from fifteen import fifties
from ladder import GAINING, World, climb, of_robust, on_topics, steps
from public.gaps_of_references import drawn_at_random, gaps
from public.one_study import mixed, study

import irstd

NAMES = ["T7", "T8", "R3", "R4"]
ORIGINALS = {"T7": "trec7", "T8": "trec8", "R3": "robust2003"}  # of R4 there are none
BROKEN = 0.05  # an original system with less MAP


@functools.cache
def public_world():
    references = {name: irstd.load_dataset(dataset) for name, dataset in ORIGINALS.items()}
    return of_robust(NAMES, references=references)


@functools.cache
def rungs(world):
    """The scores of each collection on each rung; those of R4 by the systems themselves."""
    forms = {}
    for name, scores in world.tables.items():
        reference = world.references.get(name, scores)
        forms[name] = steps(scores, reference.loc[scores.index])
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


def each_rung(world):
    """Pairs in the right order, and found at equal false alarms, by rung; and what is gained."""
    return climb(world, rungs(world))


def among_the_better(world):
    """The same for the better half of the systems: the right order, and what topics gain."""
    found = climb(world, rungs(world), GAINING, better_half=True)
    names = ["one number: right order", "standardized: right order", "gain of topics"]
    return {f"better half, {name}": found[name] for name in names}


def gains(world):
    """What topics, and what a second number, gain over one number."""
    found = climb(world, rungs(world), GAINING)
    return {name: value for name, value in found.items() if name.startswith("gain")}


def without_broken(world):
    """The gains by originals that all retrieve."""
    references = {}
    for name, originals in world.references.items():
        references[name] = originals.loc[:, originals.mean() >= BROKEN]
    kept = World(world.tables, world.truth, references=references)
    return {f"without broken, {name}": gain for name, gain in gains(kept).items()}


def errors_of_gains(world, draws=40):
    """The errors of what is gained, if topics are drawn anew in each collection (a bootstrap)."""
    rng = np.random.default_rng(0)
    rows = []
    for _ in range(draws):
        tables, references = {}, {}
        for name, scores in world.tables.items():
            drawn = rng.choice(scores.index, len(scores))
            tables[name] = on_topics(scores, drawn)
            if name in world.references:
                references[name] = on_topics(world.references[name], drawn)
        rows.append(gains(World(tables, world.truth, references=references)))
    return pd.DataFrame(rows).std().to_dict()


def unlucky(world, trials=3000):
    """The 97.5% bound of false positives among random halves of T7 and T8 together."""
    scores = pd.concat([world.tables["T7"], world.tables["T8"]])
    splits = irstd.split_topics(len(scores), trials=trials)
    found = {}
    for name, method in {"raw": None, "standardized": "normal"}.items():
        rates = irstd.split_experiment(scores, splits, method=method, statistics=["fpr"])
        found[f"unlucky: {name}"] = rates["fpr"].quantile(0.975)
    return found


def overlaps(world):
    """False positives by subsets of 25 of the 50 topics of T8 that may overlap."""
    scores = world.tables["T8"]
    splits = irstd.split_topics(scores.index, scheme="overlapping", trials=4000)
    rates = irstd.split_experiment(scores, splits, statistics=["fpr"])
    return {"false positives with overlap": rates["fpr"].mean()}


def between_two_collections():
    """Systems against themselves, by AP and by P@10."""
    found = moves(public_world())
    for metric in ("AP", "P@10"):
        found |= differ(fifties(irstd.load_dataset("robust2004", metric)), metric)
    return found


def the_ladder():
    world = public_world()
    found = each_rung(world) | among_the_better(world)
    found |= without_broken(world)
    for name, error in errors_of_gains(world).items():
        found[name] = (found[name], error)
    return found


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
    two_gaps: ALL,
    one_study: "robust2004",
    chance: "robust2004",
}
