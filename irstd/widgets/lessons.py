"""Widgets of the lessons: each shows what a parameter does."""

from __future__ import annotations

import functools

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from irstd._base.arguments import generator
from irstd._base.matrix import by_metric, check_scores
from irstd.aggregate import gmap
from irstd.compare.collections import drmse, rmse
from irstd.compare.judges import rectify
from irstd.plots import plot_distributions, plot_systems, plot_thresholds, plot_weights
from irstd.rankings.correlation import rank_correlation
from irstd.simulate import Campaign, Collection
from irstd.standardize import METHODS, standardize
from irstd.variability import share_above
from irstd.widgets._explorer import Explorer, choice, isolated, slider


def explore_metrics(collection: Collection) -> Explorer:
    """The persistence of RBP and the depth of P@k: weights by rank, and the systems by both.

    The sentence says how well the two orders of the systems agree, with each other and with AP's.

    Controls: ``p`` and ``k``; the original systems of `collection` are scored anew at each step.
    """
    ap = collection.scores("AP").mean()

    def draw(left: Axes, right: Axes, p: float, k: int) -> str:
        plot_weights(p, k, ax=left)
        name = f"{p:.2f}"[1:]
        scores = by_metric(collection.scores([f"RBP{name}", f"P@{k}"]))
        rbp, precision = scores[f"RBP{name}"].mean(), scores[f"P@{k}"].mean()
        plot_systems(rbp.rename(f"mean RBP{name}"), precision.rename(f"mean P@{k}"), ax=right)
        taus = [rank_correlation(*pair) for pair in [(rbp, precision), (rbp, ap), (precision, ap)]]
        return (
            f"RBP with p = {p:.2f} expects to look at {1 / (1 - p):.1f} documents; P@{k} looks at"
            f" {k}. Kendall's tau between the two orders of the systems is {taus[0]:.3f}. With the"
            f" order by AP it is {taus[1]:.3f} for RBP and {taus[2]:.3f} for P@{k}."
        )

    persistence = slider(0.8, 0.5, 0.99, 0.01, "persistence p of RBP")
    return Explorer(draw, p=persistence, k=slider(10, 1, 100, 1, "depth k of P@k"))


def explore_standardization(
    scores: pd.DataFrame, reference: pd.DataFrame | None = None, *, seed: int = 0
) -> Explorer:
    """The number of standardizing systems and the method: the scores, and the means of systems.

    Controls: ``k`` and ``method``. `reference` has the standardizing systems, by default those of
    `scores`; `seed` decides which of them come first.
    """
    reference = scores if reference is None else reference
    order = generator(seed).permutation(sorted(reference.columns))

    def draw(left: Axes, right: Axes, k: int, method: str) -> str:
        some = standardize(scores, reference[order[:k]], method)
        everything = standardize(scores, reference, method)
        plot_distributions({f"by {k} systems": some, "by all": everything}, ax=left)
        x, y = everything.mean().rename("mean, by all"), some.mean().rename(f"mean, by {k}")
        plot_systems(x, y, diagonal=True, ax=right)
        return (
            f"Standardized ({method}) by {k} of the {len(order)} systems: Kendall's tau with the"
            f" order that all of them give is {rank_correlation(x, y):.3f}."
        )

    k = slider(min(10, len(order)), 2, len(order), 1, "standardizing systems")
    return Explorer(draw, k=k, method=choice("normal", METHODS, "method"))


def explore_gmap(scores: pd.DataFrame) -> Explorer:
    """The epsilon of GMAP: what it makes of a score, and of the order of the systems.

    Control: ``exponent``: epsilon is 10 to its power. `scores` must not be negative.
    """
    mean = scores.mean().rename("MAP")

    def draw(left: Axes, right: Axes, exponent: float) -> str:
        epsilon = 10.0**exponent
        x = np.linspace(0, 1, 201)
        weight = np.log1p(x / epsilon) / np.log1p(1 / epsilon)
        left.plot(x, weight, lw=2.5)
        left.set(xlabel="score", ylabel="weight, from 0 to 1: log(score + epsilon)")
        found = gmap(scores, epsilon)
        plot_systems(mean, found.rename(f"GMAP, epsilon {epsilon:.2g}"), ax=right)
        return (
            f"With epsilon {epsilon:.2g}, a rise from 0 to .1 counts {weight[20]:.0%} of one"
            " from 0 to 1. Kendall's tau between the orders by MAP and by GMAP is"
            f" {rank_correlation(mean, found):.3f}."
        )

    return Explorer(draw, exponent=slider(-2.0, -6.0, 2.0, 0.25, "log10 of epsilon"))


def explore_threshold(scores: pd.DataFrame, threshold: float = 0.3) -> Explorer:
    """How often two systems satisfy a user, by the score that it takes.

    Control: ``threshold``. `scores` are those of two systems.
    """
    a, b = check_scores(scores).columns

    def draw(left: Axes, right: Axes, threshold: float) -> str:
        plot_thresholds(scores, threshold=threshold, ax=left)
        plot_distributions(scores, bins=15, ax=right)
        right.axvline(threshold, color="0.3", lw=1.5)
        share = share_above(scores, threshold)
        which = "as often as" if share[a] == share[b] else "more often than"
        first, second = (a, b) if share[a] >= share[b] else (b, a)
        return (
            f"A user who needs a score above {threshold:.2f} is satisfied by"
            f" {isolated(first)} on {share[first]:.0%} of the topics, {which} by"
            f" {isolated(second)}, {share[second]:.0%}."
        )

    return Explorer(draw, threshold=slider(threshold, 0.0, 1.0, 0.05, "score that satisfies"))


def explore_pools(campaign: Campaign, name: str = "sim-trec7") -> Explorer:
    """A collection judged by a smaller pool, and compared with another one.

    Controls: ``depth``, ``groups`` and ``other``: depth of the pool, number of groups whose
    runs are in it, and the collection to compare with. `name` is the collection that is judged
    anew.
    """
    collection = campaign[name]
    pooled = collection.systems.loc[collection.systems["pooled"], "group"]

    def means(part: Collection) -> tuple[pd.Series, pd.Series]:
        automatic = part.systems.index[part.systems["original"] & ~part.systems["manual"]]
        scores = part.scores("AP", "later")
        return scores.mean(), standardize(scores, part.scores("AP", list(automatic))).mean()

    whole = functools.cache(lambda other: means(campaign[other]))

    def draw(left: Axes, right: Axes, depth: int, groups: int, other: str) -> str:
        judged = collection.judge(depth, groups)
        raw, standardized = zip(means(judged), whole(other), strict=True)
        for ax, (x, y), what in ((left, raw, "AP"), (right, standardized, "standardized AP")):
            x, y = x.rename(f"mean {what}, {name}"), y.rename(f"mean {what}, {other}")
            plot_systems(x, y, diagonal=True, ax=ax)
        known = judged.topics["relevant"].mean()
        return (
            f"{name}, judged to depth {depth} from {groups} groups, knows {known:.0f} relevant"
            f" documents a topic. Mean AP of the later systems: {raw[0].mean():.3f}, on {other}"
            f" {raw[1].mean():.3f}. dRMSE of AP {drmse(*raw):.2f}, of standardized AP"
            f" {drmse(*standardized):.2f}."
        )

    others = [other for other in campaign.collections if other != name]
    n, depth = pooled.nunique(), slider(100, 10, 100, 10, "depth of the pool")
    groups = slider(n, 2, n, 1, "groups in the pool")
    other = choice(others[1], others, "compare with")
    return Explorer(draw, depth=depth, groups=groups, other=other)


def explore_human_topics(
    scores: pd.DataFrame, reference: str = "original", *, seed: int = 0
) -> Explorer:
    """How many topics people judge, and which judge helps them: system means by both.

    Controls: ``n`` and ``judge``. `scores` are as `irstd.compare_judges` takes them, `reference`
    names the people; `seed` decides which topics they judge first.
    """
    judged = by_metric(scores.dropna())  # topics that all have judged
    people = judged.pop(reference)
    order = generator(seed).permutation(sorted(people.index))
    truth = people.mean().rename("mean by people, all topics")

    def draw(left: Axes, right: Axes, n: int, judge: str) -> str:
        few = people.loc[order[:n]]
        helped = rectify(few, judged[judge])["mean"]
        found: dict[str, pd.Series] = {"people alone": few.mean(), "with the judge": helped}
        for ax, (name, means) in zip((left, right), found.items(), strict=True):
            plot_systems(truth, means.rename(f"{name}, {n} topics"), diagonal=True, ax=ax)
        alone, rectified = (rmse(means, truth) for means in found.values())
        return (
            f"People judge {n} of {len(people)} topics. Their system means are off by"
            f" {alone:.4f} (RMSE); with the help of {isolated(judge)} by {rectified:.4f}. What"
            f" {isolated(judge)} says alone is off by {rmse(judged[judge], people):.4f}."
        )

    n = slider(20, 5, len(people), 1, "topics that people judge")
    return Explorer(draw, n=n, judge=choice(next(iter(judged)), judged, "judge"))
