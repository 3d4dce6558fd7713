"""Interactive figures of the lessons, each about the effect of a parameter."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from irstd._base.matrix import check_scores, split_by_metric
from irstd.compare import drmse
from irstd.judges import rectify
from irstd.plots import plot_distributions, plot_systems, plot_thresholds
from irstd.rankings.aggregate import gmap
from irstd.rankings.correlation import rank_correlation
from irstd.simulate import Campaign, Collection
from irstd.standardize import METHODS, standardize
from irstd.variability import share_above
from irstd.widgets.controls import Explorer, isolate_name, make_dropdown, make_slider


def explore_metrics(collection: Collection) -> Explorer:
    """Vary the persistence of RBP and the depth of P@k.

    The figures show the weights by rank, and the mean scores of the systems in both metrics. The
    sentence has Kendall's tau between the rankings of the systems by RBP, P@k and AP.

    Parameters
    ----------
    collection : Collection
        Collection whose original systems are scored, such as one of `simulate_campaign`.

    Returns
    -------
    Explorer
        With controls ``p`` (persistence) and ``k`` (depth).

    Examples
    --------
    >>> import irstd
    >>> explore_metrics(irstd.simulate_campaign()["sim-trec8"])
    Explorer(p=0.8, k=10)
    """
    ap = collection.scores("AP").mean()
    rank = np.arange(1, 41)

    def draw(left: Axes, right: Axes, p: float, k: int) -> str:
        rbp_name = f"RBP{p:.2f}".replace("0.", ".")
        rbp = collection.scores(rbp_name).mean().rename(f"mean {rbp_name}")
        precision = collection.scores(f"P@{k}").mean().rename(f"mean P@{k}")
        by_rbp = (1 - p) * p ** (rank - 1)
        by_precision = np.where(rank <= k, 1 / k, 0)
        left.plot(rank, by_rbp, "o-", ms=4, label=f"RBP, p = {p:.2f}", zorder=3)
        left.plot(rank, by_precision, "s--", ms=6, mfc="white", label=f"P@{k}", ds="steps-mid")
        left.legend()
        lowest = -0.04 * max(by_rbp[0], by_precision[0])  # so that markers at 0 are drawn in full
        left.set(xlabel="rank", ylabel="weight of a relevant document", ylim=(lowest, None))
        plot_systems(rbp, precision, ax=right)
        return (
            f"RBP with p = {p:.2f} expects to look at {1 / (1 - p):.1f} documents; P@{k} looks at"
            f" {k}. Kendall's tau between the two orders of the systems is"
            f" {rank_correlation(rbp, precision):.3f}. With the order by AP it is"
            f" {rank_correlation(rbp, ap):.3f} for RBP and {rank_correlation(precision, ap):.3f}"
            f" for P@{k}."
        )

    return Explorer(
        draw,
        p=make_slider(0.8, 0.5, 0.99, 0.01, "persistence p of RBP"),
        k=make_slider(10, 1, 100, 1, "depth k of P@k"),
    )


def explore_standardization(scores: pd.DataFrame) -> Explorer:
    """Vary the number of standardizing systems and the method.

    The figures show the distributions of the standardized scores, and the system means.

    Parameters
    ----------
    scores : DataFrame
        Score matrix in one metric; the standardizing systems are drawn from its systems.

    Returns
    -------
    Explorer
        With controls ``k`` (number of standardizing systems) and ``method``.

    Examples
    --------
    >>> import irstd
    >>> explore_standardization(irstd.load_dataset("sim-trec8"))
    Explorer(k=10, method='normal')
    """
    order = np.random.default_rng(0).permutation(sorted(scores.columns))

    def draw(left: Axes, right: Axes, k: int, method: str) -> str:
        by_some = standardize(scores, scores[order[:k]], method)
        by_all = standardize(scores, scores, method)
        plot_distributions({f"by {k} systems": by_some, "by all": by_all}, ax=left)
        x = by_all.mean().rename("mean, by all")
        y = by_some.mean().rename(f"mean, by {k}")
        plot_systems(x, y, diagonal=True, ax=right)
        return (
            f"Standardized ({method}) by {k} of the {n_systems} systems: Kendall's tau with the"
            f" order that all of them give is {rank_correlation(x, y):.3f}."
        )

    n_systems = len(order)
    return Explorer(
        draw,
        k=make_slider(min(10, n_systems), 2, n_systems, 1, "standardizing systems"),
        method=make_dropdown("normal", METHODS, "method"),
    )


def explore_gmap(scores: pd.DataFrame) -> Explorer:
    """Vary the epsilon of GMAP.

    The figures show the weight of a score by its value, and the systems by MAP and GMAP.

    Parameters
    ----------
    scores : DataFrame
        Score matrix in one metric, without negative scores.

    Returns
    -------
    Explorer
        With the control ``exponent``: epsilon is 10 ** exponent.

    Examples
    --------
    >>> import irstd
    >>> explore_gmap(irstd.load_dataset("sim-trec8"))
    Explorer(exponent=-2.0)
    """
    means = scores.mean().rename("MAP")
    grid = np.linspace(0, 1, 201)

    def draw(left: Axes, right: Axes, exponent: float) -> str:
        epsilon = 10.0**exponent
        weight = np.log1p(grid / epsilon) / np.log1p(1 / epsilon)
        of_tenth = np.interp(0.1, grid, weight)
        left.plot(grid, weight, lw=2.5)
        left.set(xlabel="score", ylabel="weight, from 0 to 1: log(score + epsilon)")
        geometric = gmap(scores, epsilon).rename(f"GMAP, epsilon {epsilon:.2g}")
        plot_systems(means, geometric, ax=right)
        return (
            f"With epsilon {epsilon:.2g}, a rise from 0 to 0.1 counts {of_tenth:.0%} of one"
            " from 0 to 1. Kendall's tau between the orders by MAP and by GMAP is"
            f" {rank_correlation(means, geometric):.3f}."
        )

    return Explorer(draw, exponent=make_slider(-2.0, -6.0, 2.0, 0.25, "log10 of epsilon"))


def explore_threshold(scores: pd.DataFrame) -> Explorer:
    """Vary the score that satisfies a user, and compare two systems.

    The figures show the share of topics above each threshold, and the score distributions.

    Parameters
    ----------
    scores : DataFrame
        Score matrix of two systems.

    Returns
    -------
    Explorer
        With the control ``threshold``.

    Examples
    --------
    >>> import irstd
    >>> explore_threshold(irstd.load_dataset("sim-trec8").iloc[:, :2])
    Explorer(threshold=0.3)
    """
    scores = check_scores(scores)

    def draw(left: Axes, right: Axes, threshold: float) -> str:
        plot_thresholds(scores, ax=left)
        plot_distributions(scores, bins=15, ax=right)
        for ax in (left, right):
            ax.axvline(threshold, color="0.3", lw=1.5)
        share = share_above(scores, threshold).sort_values(ascending=False, kind="stable")
        better, worse = map(isolate_name, share.index)
        more, less = share
        comparison = "more often than" if more > less else "as often as"
        return (
            f"A user who needs a score above {threshold:.2f} is satisfied by {better} on {more:.0%}"
            f" of the topics, {comparison} by {worse}, {less:.0%}."
        )

    return Explorer(draw, threshold=make_slider(0.3, 0.0, 1.0, 0.05, "score that satisfies"))


def explore_pools(campaign: Campaign) -> Explorer:
    """Vary the judgment pool of a collection, and compare its scores with another's.

    The figures show the mean scores of the later systems on both collections: AP, and AP
    standardized by the original systems.

    Parameters
    ----------
    campaign : Campaign
        Simulated campaign, whose first collection is judged with the selected pool.

    Returns
    -------
    Explorer
        With controls ``depth`` (of the pool), ``groups`` (number of groups in the pool) and
        ``other`` (the collection to compare with).

    Examples
    --------
    >>> import irstd
    >>> explore_pools(irstd.simulate_campaign())
    Explorer(depth=100, groups=40, other='sim-robust2003')
    """
    name, *others = campaign.collections
    collection = campaign[name]
    n_groups = int(collection.systems["pooled"].sum())  # one pooled run per group

    def compute_means(part: Collection) -> pd.DataFrame:
        """Return mean AP and mean standardized AP of the later systems."""
        scores = part.scores("AP", "later")
        standardized = standardize(scores, part.scores("AP", "original"))
        return pd.DataFrame({"AP": scores.mean(), "standardized AP": standardized.mean()})

    def draw(left: Axes, right: Axes, depth: int, groups: int, other: str) -> str:
        judged = collection.judge(depth, groups)
        ours = compute_means(judged)
        theirs = compute_means(campaign[other])
        for metric, ax in {"AP": left, "standardized AP": right}.items():
            x = ours[metric].rename(f"{metric}, {name}")
            y = theirs[metric].rename(f"{metric}, {other}")
            plot_systems(x, y, diagonal=True, ax=ax)
        mean, other_mean = ours["AP"].mean(), theirs["AP"].mean()
        return (
            f"{name}, judged to depth {depth} from {groups} groups, knows"
            f" {judged.topics['relevant'].mean():.0f} relevant documents a topic. Mean AP of the"
            f" later systems: {mean:.3f}, on {other} {other_mean:.3f}. dRMSE of AP"
            f" {drmse(ours['AP'], theirs['AP']):.2f}, of standardized AP {drmse(x, y):.2f}."
        )

    return Explorer(
        draw,
        depth=make_slider(100, 10, 100, 10, "depth of the pool"),
        groups=make_slider(n_groups, 2, n_groups, 1, "groups in the pool"),
        other=make_dropdown(others[1], others, "compare with"),
    )


def explore_human_topics(scores: pd.DataFrame) -> Explorer:
    """Vary the number of human-judged topics and the assisting judge.

    The figures show the system means by people alone and with the judge, against those by people on
    all topics.

    Parameters
    ----------
    scores : DataFrame
        Scores with columns ``(judge, system)``, as for `irstd.judges.compare_judges`; people are
        the judge ``"original"``.

    Returns
    -------
    Explorer
        With controls ``n`` (number of topics that people judge) and ``judge``.

    Examples
    --------
    >>> import irstd
    >>> explore_human_topics(irstd.load_dataset("sim-judges"))
    Explorer(n=20, judge='careful')
    """
    by_judge = split_by_metric(scores.dropna())  # only topics that every judge has judged
    people = by_judge.pop("original")
    order = np.random.default_rng(0).permutation(sorted(people.index))
    truth = people.mean().rename("mean by people, all topics")

    def compute_rmse(means: pd.Series) -> float:
        return np.sqrt(((means - truth) ** 2).mean())

    def draw(left: Axes, right: Axes, n: int, judge: str) -> str:
        judged = people.loc[order[:n]]
        alone = judged.mean().rename(f"people alone, {n} topics")
        assisted = rectify(judged, by_judge[judge])["mean"].rename(f"with the judge, {n} topics")
        plot_systems(truth, alone, diagonal=True, ax=left)
        plot_systems(truth, assisted, diagonal=True, ax=right)
        name = isolate_name(judge)
        return (
            f"People judge {n} of {len(people)} topics. Their system means are off by"
            f" {compute_rmse(alone):.4f} (RMSE); with the help of {name} by"
            f" {compute_rmse(assisted):.4f}. What {name} says alone is off by"
            f" {compute_rmse(by_judge[judge].mean()):.4f}."
        )

    return Explorer(
        draw,
        n=make_slider(20, 5, len(people), 1, "topics that people judge"),
        judge=make_dropdown(next(iter(by_judge)), by_judge, "judge"),
    )
