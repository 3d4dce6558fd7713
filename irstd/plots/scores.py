"""Figures of score matrices."""

from __future__ import annotations

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib import rcParams
from matplotlib.axes import Axes

from irstd._base.arguments import check_choice, check_count
from irstd._base.matrix import check_scores
from irstd.aggregate import leaderboard
from irstd.plots.style import COLOURS, Samples, drawing, line, names_at, plain


def plot_scores(
    scores: pd.DataFrame, *, sort: bool = True, label: str = "score", ax: Axes | None = None
) -> Axes:
    """The score matrix as a picture: systems as rows, topics as columns (WMZ08, figure 1).

    Parameters
    ----------
    scores : DataFrame
        Missing scores are left white.
    sort : bool, default True
        Put the system with the best mean on top; else the systems come as in `scores`.

    Examples
    --------
    >>> import irstd
    >>> plot_scores(irstd.load_dataset("sim-trec8"), label="AP").get_ylabel()
    'rank of the system by its mean'
    """
    scores = check_scores(scores, complete=False)
    if sort:
        scores = scores[(-scores.mean().round(12)).sort_values(kind="stable").index]
    with drawing(ax) as ax:
        image = ax.imshow(scores.T, aspect="auto", interpolation="nearest", cmap="cividis")
        ax.spines[:].set_visible(False)
        steps = np.arange(0, len(scores), max(1, len(scores) // 10))
        ax.set_xticks(steps, [plain(topic) for topic in scores.index[steps]])
        ax.set(xlabel="topic", ylabel="system, the best mean on top" if sort else "system")
        if not names_at(ax.yaxis, scores.columns, fontsize="small"):
            places = np.array([1, *range(20, scores.shape[1] + 1, 20)])
            ax.set_yticks(places - 1, places)  # from 1, as ranks do everywhere else
            ax.set_ylabel("rank of the system by its mean" if sort else "system")
        ax.figure.colorbar(image, ax=ax, label=plain(label), pad=0.02)
    return ax


def plot_intervals(
    scores: pd.DataFrame, *, rank: int | None = None, label: str = "score", ax: Axes | None = None
) -> Axes:
    """95% intervals of the system means, in the order of the means (WMZ08, figure 2).

    Parameters
    ----------
    rank : int, optional
        Mark the system of this rank (1 is best), and those whose intervals overlap with its own.

    Examples
    --------
    >>> import irstd
    >>> ax = plot_intervals(irstd.load_dataset("sim-trec8"), rank=13)
    """
    board = leaderboard(check_scores(scores, complete=False))
    kinds, places = np.zeros(len(board)), np.arange(1, len(board) + 1)
    if rank is not None:
        check_choice(str(rank), list(map(str, places)), "rank")
    with drawing(ax) as ax:
        if rank is not None:
            low, high = board[["low", "high"]].astype(float).iloc[rank - 1]  # NaN, of one topic
            kinds[(board["low"] <= high) & (board["high"] >= low)] = 1
            kinds[rank - 1] = 2
            ax.axhspan(low, high, color=COLOURS[1], alpha=0.15, lw=0,
                       label=f"interval of rank {rank}")  # fmt: skip
        names = ["other systems", f"overlaps with rank {rank}", f"rank {rank}"]
        for kind, colour, marker, size in [(0, 7, "o", 3), (1, 0, "o", 3), (2, 1, "D", 8)]:
            part = board[kinds == kind]
            error = [part["mean"] - part["low"], part["high"] - part["mean"]]
            if len(part):
                ax.errorbar(places[kinds == kind], part["mean"], error, label=names[kind],
                            fmt=marker, ms=size, lw=size / 3, color=COLOURS[colour])  # fmt: skip
        if rank is not None:
            ax.legend()
        ax.set(xlabel="rank of the system by its mean", ylabel=f"mean {plain(label)}, 95% interval")
        if names_at(ax.xaxis, board.index, 1, rotation=90, fontsize="small"):
            ax.set_xlabel("system, by its mean")
    return ax


def plot_means(scores: pd.DataFrame, *, label: str = "score", ax: Axes | None = None) -> Axes:
    """How far apart the system means lie, and how far the topic means.

    Examples
    --------
    >>> import irstd
    >>> ax = plot_means(irstd.load_dataset("sim-trec8"))
    """
    scores = check_scores(scores, complete=False)
    n, m = scores.shape
    means = {f"{m} systems": scores.mean(), f"{n} topics": scores.mean(axis=1)}
    table = pd.concat(means, names=["kind"]).rename("mean").reset_index()
    look = {"hue": "kind", "palette": COLOURS[:2], "legend": False}
    with drawing(ax) as ax:
        look["size"] = rcParams["font.size"] / 3
        # Points beside each other, not jittered: the same picture each time.
        sns.swarmplot(table, x="mean", y="kind", ax=ax, **look)
        ax.set(xlabel=f"mean {plain(label)}", ylabel="")
    return ax


def plot_distributions(
    data: Samples, *, bins: int = 20, label: str = "score", ax: Axes | None = None
) -> Axes:
    """Histograms of several sets of scores, as shares (WMZ08, figure 3).

    Parameters
    ----------
    data : dict of str to score matrix or Series
        What is compared, and its name in the legend.
    bins : int, default 20
        Over the range of all.

    Examples
    --------
    >>> import irstd
    >>> scores = irstd.load_dataset("sim-trec8")
    >>> ax = plot_distributions({"raw": scores, "standardized": irstd.standardize(scores)})
    """
    values = {name: np.ravel(table) for name, table in data.items()}
    everything = np.concatenate(list(values.values()))
    edges = np.linspace(np.nanmin(everything), np.nanmax(everything), check_count(bins, "bins") + 1)
    with drawing(ax) as ax:
        for i, (name, numbers) in enumerate(values.items()):
            share, _ = np.histogram(numbers[~np.isnan(numbers)], edges)
            ax.stairs(share / share.sum(), edges, label=plain(name), fill=i == 0,
                      alpha=0.5 if i == 0 else 1, **line(i))  # fmt: skip
        ax.legend()
        ax.set(xlabel=plain(label), ylabel="share of the scores", ylim=(0, None))
    return ax


def plot_thresholds(
    scores: pd.DataFrame, *, threshold: float | None = None, ax: Axes | None = None
) -> Axes:
    """The share of topics on which each system satisfies a user, by what satisfies them.

    Parameters
    ----------
    scores : DataFrame
        Of a few systems.
    threshold : float, optional
        Mark one.

    Examples
    --------
    >>> import irstd
    >>> ax = plot_thresholds(irstd.load_dataset("sim-trec8").iloc[:, :2], threshold=0.3)
    """
    scores = check_scores(scores)
    grid = np.linspace(0, np.max(scores.to_numpy()), 201)
    with drawing(ax) as ax:
        for i, (system, column) in enumerate(scores.items()):
            share = (column.to_numpy()[:, None] > grid).mean(axis=0)
            ax.step(grid, share, where="post", label=plain(system), **line(i))
            ax.plot(column.mean(), 0, "^", ms=10, color=line(i)["color"], clip_on=False)
        if threshold is not None:
            ax.axvline(threshold, color="0.3", lw=1.5)
        ax.legend()
        ax.set(xlabel="score that satisfies (triangles: means)", ylim=(0, 1), ylabel="share above")
    return ax


def plot_mean_spread(
    scores: pd.DataFrame, *, semicircle: bool = False, label: str = "score", ax: Axes | None = None
) -> Axes:
    """One point per system: the sd of its scores against their mean (HCMV10, figures 2, 3, 5).

    Parameters
    ----------
    scores : DataFrame
        Raw or transformed.
    semicircle : bool, default False
        Draw the bound that scores in [0, 1] cannot cross; the sd is then that with divisor n, for
        which the bound is proved.

    Examples
    --------
    >>> import irstd
    >>> ax = plot_mean_spread(irstd.load_dataset("sim-trec8"), semicircle=True)
    """
    scores = check_scores(scores, complete=False)
    with drawing(ax) as ax:
        ax.plot(scores.mean(), scores.std(ddof=0 if semicircle else 1), "o", ms=5, alpha=0.7)
        if semicircle:
            mean = np.linspace(0, 1, 201)
            ax.plot(mean, np.sqrt(mean * (1 - mean)), color=COLOURS[1], lw=2, label="upper bound")
            ax.legend()
        ax.set(xlabel=f"mean {plain(label)}", ylabel=f"sd of {plain(label)} over topics")
    return ax


def plot_differences(
    scores: pd.DataFrame, a: str, b: str, *, label: str = "score", ax: Axes | None = None
) -> Axes:
    """How much better one system is than another on each topic, from best to worst.

    Up to 50 topics have their ids at the axis; of more, the legend names the five at each end.

    Parameters
    ----------
    a, b : str
        Two of its systems.

    Examples
    --------
    >>> import irstd
    >>> scores = irstd.load_dataset("sim-trec8")
    >>> ax = plot_differences(scores, *scores.columns[:2], label="AP")
    """
    scores = check_scores(scores, complete=False)
    for name, system in (("a", a), ("b", b)):
        check_choice(system, scores.columns, name)
    found = (scores[a] - scores[b]).dropna().sort_values(ascending=False, kind="stable")
    with drawing(ax) as ax:
        for i, system, part in [(0, a, found.clip(lower=0)), (1, b, found.clip(upper=0)[::-1])]:
            ends, places = part.index[part != 0], found.index.get_indexer(part.index)
            most = f",\nmost on {', '.join(map(plain, ends[:5]))}" if len(found) > 50 else ""
            most = most if len(ends) else " nowhere"
            ax.bar(places, part, color=COLOURS[i], hatch="//" * i, edgecolor="white", lw=0,
                   label=f"{plain(system)} is better{most}")  # fmt: skip
        ax.axhline(0, color="0.3", lw=1)
        size = min(10.0, 350 / max(1, len(found)))
        if not names_at(ax.xaxis, found.index, most=50, rotation=90, fontsize=size):
            ax.set_xticks([])
        ax.legend()
        ax.set(xlabel="topic, by the difference", ylabel=f"difference of {plain(label)}")
    return ax
