"""Figures of score matrices."""

from __future__ import annotations

from typing import Unpack

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib import rcParams
from matplotlib.axes import Axes

from irstd._base.arguments import check_choice
from irstd._base.matrix import check_scores
from irstd.plots.style import COLORS, Frame, Samples, Style, drawing, line, names_at, plain
from irstd.rankings.aggregate import leaderboard


def plot_scores(
    scores: pd.DataFrame,
    *,
    label: str = "score",
    means: bool = False,
    **frame: Unpack[Frame],
) -> Axes:
    """Plot the score matrix as a heat map, best system on top (WMZ08, figure 1).

    Parameters
    ----------
    scores : DataFrame
        Missing scores are left white.
    means : bool, default False
        Also draw the means of topics above, and those of systems at the right, in the same colors.
    label : str, default "score"
        Name of the scores, for the axis.
    **frame
        ``ax``, ``size``, ``title`` and ``ylim``: see `irstd.plots`.

    Examples
    --------
    >>> import irstd
    >>> ax = plot_scores(irstd.load_dataset("sim-trec8"), label="AP")
    """
    scores = check_scores(scores, complete=False)
    order = (-scores.mean().round(12)).sort_values(kind="stable").index
    scores = scores[order]
    with drawing(**frame) as ax:
        image = ax.imshow(scores.T, aspect="auto", interpolation="nearest", cmap="cividis")
        ax.spines[:].set_visible(False)
        step = max(1, len(scores) // 10)
        columns = np.arange(0, len(scores), step)
        ax.set_xticks(columns, [plain(topic) for topic in scores.index[columns]])
        ax.set(xlabel="topic", ylabel="system, the best mean on top")
        if not names_at(ax.yaxis, scores.columns, fontsize="small"):
            numbers = np.array([1, *range(20, scores.shape[1] + 1, 20)])
            ax.set_yticks(numbers - 1, numbers)  # from 1, as ranks do everywhere else
            ax.set_ylabel("rank of the system by its mean")
        ax.figure.colorbar(image, ax=ax, label=plain(label), pad=0.02)
        if means:
            topic_means = scores.mean(axis=1).to_numpy()[None]
            system_means = scores.mean().to_numpy()[:, None]
            strips = [((0, 1.03, 1, 0.07), topic_means), ((1.02, 0, 0.04, 1), system_means)]
            for place, values in strips:
                strip = ax.inset_axes(place)
                strip.imshow(values, aspect="auto", cmap=image.cmap, clim=image.get_clim())
                strip.set_axis_off()
            ax.annotate("means", (1.02, 1.03), xycoords="axes fraction", fontsize="small")
    return ax


def plot_intervals(
    scores: pd.DataFrame,
    *,
    rank: int,
    label: str = "score",
    **frame: Unpack[Frame],
) -> Axes:
    """Plot 95% intervals of the system means, ordered by mean (WMZ08, figure 2).

    Parameters
    ----------
    scores : DataFrame
        A score matrix.
    rank : int
        Rank of the system to mark, with those whose intervals overlap with its own; 1 is the best.
    label : str, default "score"
        Name of the scores, for the axis.
    **frame
        ``ax``, ``size``, ``title`` and ``ylim``: see `irstd.plots`.

    Examples
    --------
    >>> import irstd
    >>> ax = plot_intervals(irstd.load_dataset("sim-trec8"), rank=13)
    """
    board = leaderboard(check_scores(scores, complete=False))
    ranks = np.arange(1, len(board) + 1)
    check_choice(str(rank), [*map(str, ranks)], "rank")
    low, high = board[["low", "high"]].iloc[rank - 1]
    is_marked = ranks == rank
    is_apart = (board["low"] > high) | (board["high"] < low)
    overlaps = ~is_apart & ~is_marked
    dot: Style = {"fmt": "o", "ms": 3, "lw": 1}
    diamond: Style = {"fmt": "D", "ms": 8, "lw": 8 / 3, "mec": "k", "zorder": 3}
    parts = {
        f"rank {rank}": (is_marked, COLORS[1], diamond),
        f"overlaps with it ({overlaps.sum()} systems)": (overlaps, COLORS[0], dot),
        f"does not overlap ({is_apart.sum()})": (is_apart, COLORS[7], dot),
    }
    with drawing(**frame) as ax:
        ax.axhspan(low, high, color=COLORS[1], alpha=0.15, lw=0, label=f"interval of rank {rank}")
        for name, (part, color, style) in parts.items():
            if part.any():
                members = board[part]
                ends = [members["mean"] - members["low"], members["high"] - members["mean"]]
                ax.errorbar(ranks[part], members["mean"], ends, label=name, color=color, **style)
        ax.legend()
        ax.set(xlabel="rank of the system by its mean", ylabel=f"mean {plain(label)}, 95% interval")
        if names_at(ax.xaxis, board.index, 1, rotation=90, fontsize="small"):
            ax.set_xlabel("system, by its mean")
    return ax


def plot_means(scores: pd.DataFrame, *, label: str = "score", **frame: Unpack[Frame]) -> Axes:
    """Plot the distributions of system means and of topic means.

    Parameters
    ----------
    scores : DataFrame
        A score matrix.
    label : str, default "score"
        Name of the scores, for the axis.
    **frame
        ``ax``, ``size``, ``title`` and ``ylim``: see `irstd.plots`.

    Examples
    --------
    >>> import irstd
    >>> ax = plot_means(irstd.load_dataset("sim-trec8"))
    """
    scores = check_scores(scores, complete=False)
    n, m = scores.shape
    means = {f"{m} systems": scores.mean(), f"{n} topics": scores.mean(axis=1)}
    with drawing(**frame) as ax:
        # Points beside each other, not jittered: the same picture each time.
        sns.swarmplot(
            means,
            orient="h",
            palette=COLORS[:2],
            size=rcParams["font.size"] / 3,  # as `drawing` has set it
            ax=ax,
        )
        ax.set(xlabel=f"mean {plain(label)}", ylabel="")
    return ax


def plot_distributions(
    data: Samples,
    *,
    bins: int = 20,
    label: str = "score",
    **frame: Unpack[Frame],
) -> Axes:
    """Plot histograms of several sets of scores as proportions (WMZ08, figure 3).

    Parameters
    ----------
    data : dict of str to score matrix or Series
        Scores by name, for the legend.
    bins : int, default 20
        Number of bins over the whole range.
    label : str, default "score"
        Name of the scores, for the axis.
    **frame
        ``ax``, ``size``, ``title`` and ``ylim``: see `irstd.plots`.

    Examples
    --------
    >>> import irstd
    >>> scores = irstd.load_dataset("sim-trec8")
    >>> ax = plot_distributions({"raw": scores, "standardized": irstd.standardize(scores)})
    """
    values = {name: np.ravel(table) for name, table in data.items()}
    everything = np.concatenate(list(values.values()))
    edges = np.histogram_bin_edges(everything[~np.isnan(everything)], bins)
    with drawing(**frame) as ax:
        for i, (name, numbers) in enumerate(values.items()):
            counts, _ = np.histogram(numbers, edges)  # which leaves NaN out
            style = line(i)
            if i == 0:  # the first is an area, behind the lines of the others
                style |= {"fill": True, "alpha": 0.5}
            ax.stairs(counts / counts.sum(), edges, label=plain(name), **style)
        ax.legend()
        ax.set(xlabel=plain(label), ylabel="share of the scores", ylim=(0, None))
    return ax


def plot_thresholds(scores: pd.DataFrame, **frame: Unpack[Frame]) -> Axes:
    """Plot each system's proportion of topics above a varying threshold.

    Parameters
    ----------
    scores : DataFrame
        Scores of a few systems; `share_above` has the share at a threshold.
    **frame
        ``ax``, ``size``, ``title`` and ``ylim``: see `irstd.plots`.

    Examples
    --------
    >>> import irstd
    >>> ax = plot_thresholds(irstd.load_dataset("sim-trec8").iloc[:, :2])
    """
    scores = check_scores(scores)
    grid = np.linspace(0, np.max(scores.to_numpy()), 201)
    with drawing(**frame) as ax:
        for i, (system, column) in enumerate(scores.items()):
            above = column.to_numpy()[:, None] > grid  # topics x thresholds
            style = line(i)
            ax.step(grid, above.mean(axis=0), where="post", label=plain(system), **style)
            height = 0.03 + 0.06 * i  # one above the other, as means may be equal
            ax.plot(column.mean(), height, "^", ms=10, color=style["color"], clip_on=False)
        ax.plot([], [], "^", ms=10, color="0.3", label="mean score")
        ax.legend()
        ax.set(xlabel="score that satisfies a user", ylim=(0, 1))
        ax.set_ylabel("share of topics with a higher score")
    return ax


def plot_mean_spread(
    scores: pd.DataFrame,
    *,
    semicircle: bool = False,
    label: str = "score",
    **frame: Unpack[Frame],
) -> Axes:
    """Plot each system's standard deviation against its mean (HCMV10, figs 2, 3, 5).

    Parameters
    ----------
    scores : DataFrame
        Raw or transformed scores.
    semicircle : bool, default False
        Draw the bound that scores in [0, 1] cannot cross, see `semicircle_bound`; standard
        deviations then have ddof=0, for which the bound is proved, not ddof=1.
    label : str, default "score"
        Name of the scores, for the axis.
    **frame
        ``ax``, ``size``, ``title`` and ``ylim``: see `irstd.plots`.

    Examples
    --------
    >>> import irstd
    >>> ax = plot_mean_spread(irstd.load_dataset("sim-trec8"), semicircle=True)
    """
    scores = check_scores(scores, complete=False)
    ddof = 0 if semicircle else 1
    with drawing(**frame) as ax:
        ax.plot(scores.mean(), scores.std(ddof=ddof), "o", ms=5, alpha=0.7, label="systems")
        if semicircle:
            angle = np.linspace(0, np.pi, 201)
            mean = (1 - np.cos(angle)) / 2
            ax.plot(mean, np.sin(angle) / 2, color=COLORS[1], lw=2, label="largest possible sd")
            ax.legend()
        ax.set(xlabel=f"mean {plain(label)}", ylabel=f"sd of {plain(label)} over topics")
    return ax
