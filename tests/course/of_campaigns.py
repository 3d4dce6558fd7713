"""What the functions of the public numbers say of a campaign, by lesson."""

import bisect
import functools

import numpy as np
import of_judges
import pandas as pd
from campaigns import campaign
from ladder import World
from public import (
    gaps_of_references,
    lesson_01,
    lesson_02,
    lesson_03,
    lesson_04,
    lesson_05,
    lesson_09,
    one_study,
)

import irstd


@functools.cache
def all_numbers(lesson, seed):
    """By name."""
    return pd.Series(OF_LESSON[lesson](seed))


@functools.cache
def pairs_of(seed):
    """All pairs of systems on the fifty topics, and whether the next fifties swap them."""
    collection = campaign(seed)["sim-trec8"]
    new = collection.more_topics(200, seed=1).scores("AP")
    return lesson_01.Pairs(collection.scores("AP").to_numpy(), np.split(new.to_numpy(), 4))


def of_metrics(seed):
    collection = campaign(seed)["sim-trec8"]
    scores = collection.scores("AP")
    found = lesson_01.thirteenth(scores)
    for name, ratio in lesson_01.topics_over_systems(scores).items():
        found[f"topics over systems, {name}"] = ratio
    all_judged = collection.judge(depth=None).scores("AP")
    found["fall"] = scores.mean(axis=None) - all_judged.mean(axis=None)
    found["swap"], found["swap, significant"] = pairs_of(seed).last_rows()
    return found


def parts_of(seed):
    """The collections of a campaign, called as those of lesson 05."""
    return dict(zip(lesson_05.NAMES, campaign(seed).collections.values(), strict=True))


def later(seed, metric="AP"):
    """The scores of its later systems."""
    return {name: part.scores(metric, "later") for name, part in parts_of(seed).items()}


@functools.cache
def later_systems(seed):
    """A campaign, asked by lesson 02 as public scores are."""
    tables = later(seed)
    systems = tables["T7"].columns
    quality = parts_of(seed)["T7"].systems["quality"][systems]
    return World(tables, lambda c, d: quality, group=systems.to_series().str.slice(0, 6))


def of_standardization(seed):
    parts = campaign(seed).collections
    asked = later_systems(seed)
    found = lesson_02.reading(parts["sim-trec8"].scores("AP", "original"))
    for function in (
        lesson_02.agreement,
        lesson_02.ladder,
        lesson_02.calibrated,
        lesson_02.calibrated_by_groups,
        lesson_02.common_systems,
        lesson_02.among_the_better,
    ):
        found |= function(asked)
    r3 = parts["sim-robust2003"]
    sides = r3.scores("AP", "later"), r3.scores("AP", "original")
    return found | lesson_02.level(*sides) | lesson_02.level_by_the_best(*sides)


def of_gmap(seed):
    scores = campaign(seed)["sim-trec8"].scores("AP", "original")
    found = lesson_03.foresee(scores) | lesson_03.foresee_each_pair(scores)
    found |= lesson_03.picked(scores) | lesson_03.votes(scores) | lesson_03.orders(scores)
    below_a_third = lesson_03.foresee(scores, 0.3)["GMAP ahead of MAP"]
    found["GMAP ahead of MAP, below 0.3"] = below_a_third
    found["both"] = pd.Series(nearer_where_consistent(seed), dtype=float).mean()
    return found | {"more consistent": lesson_03.more_consistent(scores)}


def nearer_where_consistent(seed):
    """Whether GMAP is nearer to quality than MAP, where it is more consistent."""
    nearer = []
    for part in campaign(seed).collections.values():
        scores = part.scores("AP", "original")
        quality = part.systems["quality"][scores.columns]
        if lesson_03.more_consistent(scores, 100) > 0:
            by_mean, by_gmap = (
                irstd.rank_correlation(irstd.gmap(scores, epsilon), quality)
                for epsilon in (np.inf, 0.01)
            )
            nearer.append(by_gmap > by_mean)
    return nearer


@functools.cache
def best_scores(seed):
    """The better systems of a campaign, on the topics of all its collections."""
    return lesson_04.best_of(pd.concat(later(seed).values()))


def of_variability(seed):
    scores = best_scores(seed)
    group = scores.columns.to_series().str.slice(0, 6)
    kept = lesson_04.without_two_groups(scores, group)
    found = lesson_04.picked(scores) | lesson_04.spread_and_mean(scores)
    found |= lesson_04.false_alarms(scores) | lesson_04.left_without_two_groups(kept)
    found |= {"errors together": lesson_04.errors_together(scores)}
    return found | lesson_04.ties(scores, kept) | lesson_04.reversals(scores)


@functools.cache
def world(seed):
    """A campaign, asked by lesson 05 as public scores are."""
    parts, tables = parts_of(seed), later(seed)
    references = {name: parts[name].scores("AP", "original") for name in ("T7", "T8", "R3")}
    quality = parts["T7"].systems["quality"][tables["T7"].columns]
    return World(tables, lambda c, d: quality, references=references)


def known(part):
    """The share of the relevant documents that is known, a mean over topics."""
    return (part.topics["relevant"] / part.topics["true_relevant"]).mean()


def as_much_as(part, share, groups=None):
    """The collection judged as deep as it takes to know this share."""

    def known_at(depth):
        return known(part.judge(depth=depth, groups=groups))

    depths = range(1, 1001)
    depth = depths[bisect.bisect_left(depths[:-1], share, key=known_at)]
    return part.judge(depth=depth, groups=groups)


def pools(seed):
    """What only a campaign knows: how far a smaller pool moves AP, as a share of the way to R3."""
    parts = list(campaign(seed).collections.values())
    t7, r3 = parts[0], parts[2]
    automatic = t7.systems.query("original and not manual")
    groups = list(automatic["group"].unique())[:15]
    stops = {
        "T7": t7,
        "R3": r3,
        "fifteen": as_much_as(t7, known(r3), groups),
        "all groups": as_much_as(t7, known(r3)),
        "topics": as_much_as(r3, known(t7)),
    }
    ap = {name: part.scores("AP", "later").mean(axis=None) for name, part in stops.items()}
    way = {name: (value - ap["T7"]) / (ap["R3"] - ap["T7"]) for name, value in ap.items()}
    return way | {"topics first": 1 - way["topics"]}


def across_collections(seed):
    found = pools(seed) | lesson_05.differ(later(seed, "P@10"), "P@10")
    for function in (
        lesson_05.moves,
        lesson_05.unlucky,
        lesson_05.each_rung,
        gaps_of_references.gaps,
        gaps_of_references.drawn_at_random,
        lesson_05.without_broken,
        lesson_05.among_the_better,
        one_study.study,
        one_study.mixed,
        lesson_05.overlaps,
    ):
        found |= function(world(seed))
    return found


@functools.cache
def queries(seed):
    """The queries of lesson 09, in the order of how far they keep models apart."""
    more = campaign(seed)["sim-robust2004"].more_topics(1000, seed=9)
    return more.scores("nDCG@10").loc[more.topics["separation"].sort_values().index]


@functools.cache
def data_sets(seed):
    """Fifty data sets of twenty queries each, as the lesson makes them."""
    sets = np.repeat([f"set{i:02d}" for i in range(50)], 20)
    return queries(seed).groupby(sets).mean().sort_index(axis="columns")


def board_of(seed):
    return data_sets(seed).sample(15, random_state=0).sort_index()


OF_LESSON = {
    "01": of_metrics,
    "02": of_standardization,
    "03": of_gmap,
    "04": of_variability,
    "05": across_collections,
    "08": of_judges.here,
    "09": lambda seed: lesson_09.all_of(board_of(seed)),
}
