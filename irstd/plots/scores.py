"""Figures of score matrices."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes

from irstd._checks import check_count, check_scores, listed
from irstd.aggregate import leaderboard
from irstd.plots._look import COLOURS, drawing


@drawing
def plot_scores(
    scores: pd.DataFrame, *, sort: bool = True, label: str = "score", ax: Axes | None = None
) -> Axes:
    """The score matrix as a picture: systems as rows, topics as columns.

    Parameters
    ----------
    scores : DataFrame
        A score matrix: a row a topic, a column a system.
    sort : bool, default True
        Put the system with the best mean on top; else the systems stand as in `scores`.
    label : str, default "score"
        What the scores are, for the colour bar.
    ax : Axes, optional
        Where to draw; by default on a new figure.

    Returns
    -------
    Axes

    Examples
    --------
    >>> import irstd
    >>> plot_scores(irstd.load_dataset("sim-trec8"), label="AP").get_ylabel()
    'rank of the system by its mean'
    """
    scores = check_scores(scores, several=True, complete=False)
    if sort:
        scores = scores[scores.mean().sort_values(ascending=False, kind="stable").index]
    image = ax.imshow(scores.T, aspect="auto", interpolation="nearest", cmap="cividis")
    ax.spines[:].set_visible(False)
    steps = np.arange(0, len(scores), max(1, len(scores) // 10))
    ax.set_xticks(steps, scores.index[steps])
    # Systems count from 1, as ranks do everywhere else.
    every = 20 if scores.shape[1] > 40 else 5
    places = [1, *range(every, scores.shape[1] + 1, every)]
    ax.set_yticks(np.array(places) - 1, places)
    ax.set(xlabel="topic", ylabel="rank of the system by its mean" if sort else "system")
    ax.figure.colorbar(image, ax=ax, label=label, pad=0.02)


@drawing
def plot_intervals(
    scores: pd.DataFrame, *, rank: int | None = None, label: str = "score", ax: Axes | None = None
) -> Axes:
    """95% intervals of the system means, in the order of the means.

    Parameters
    ----------
    scores : DataFrame
        A score matrix.
    rank : int, optional
        Mark the system of this rank (1 is best), and those whose intervals overlap with its own.
    label : str, default "score"
        What the scores are.
    ax : Axes, optional

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If there is no such rank.

    Examples
    --------
    >>> import irstd
    >>> ax = plot_intervals(irstd.load_dataset("sim-trec8"), rank=13)
    """
    board = leaderboard(scores)
    places = np.arange(1, len(board) + 1)
    chosen = np.zeros(len(board), bool)
    if rank is not None:
        if check_count(rank, "rank") > len(board):
            raise ValueError(
                f"rank must be at most {len(board)}, the number of systems, got {rank}"
            )
        mark = board.iloc[rank - 1]
        chosen = ((board["low"] <= mark["high"]) & (board["high"] >= mark["low"])).to_numpy()
        ax.axhspan(mark["low"], mark["high"], color=COLOURS[1], alpha=0.15, lw=0)
    for kind, colour, text in [
        (~chosen, COLOURS[7], "other systems" if rank else "system"),
        (chosen, COLOURS[0], f"overlaps with rank {rank}"),
    ]:
        part = board[kind]
        error = [part["mean"] - part["low"], part["high"] - part["mean"]]
        style = {"fmt": "o", "ms": 3, "lw": 1, "color": colour}
        if len(part):
            ax.errorbar(places[kind], part["mean"], error, label=text, **style)
    if rank is not None:
        ax.plot(rank, mark["mean"], "D", color=COLOURS[1], ms=8, label=f"rank {rank}", zorder=5)
        ax.legend()
    ax.set(xlabel="rank of the system by its mean", ylabel=f"mean {label}, 95% interval")
    ax.xaxis.get_major_locator().set_params(integer=True)


@drawing
def plot_means(scores: pd.DataFrame, *, label: str = "score", ax: Axes | None = None) -> Axes:
    """How far apart the system means lie, and how far the topic means.

    Parameters
    ----------
    scores : DataFrame
        A score matrix.
    label : str, default "score"
        What the scores are.
    ax : Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> import irstd
    >>> ax = plot_means(irstd.load_dataset("sim-trec8"))
    """
    scores = check_scores(scores, several=True, complete=False)
    means = {
        f"{scores.shape[1]} systems": scores.mean(),
        f"{len(scores)} topics": scores.mean(axis=1),
    }
    table = pd.concat(means, names=["kind"]).rename("mean").reset_index()
    # Points beside each other, not jittered: the same picture each time.
    sns.swarmplot(
        table, x="mean", y="kind", hue="kind", palette=COLOURS[:2], size=4, legend=False, ax=ax
    )
    ax.set(xlabel=f"mean {label}", ylabel="")


@drawing
def plot_distributions(
    data: Mapping[str, pd.DataFrame | pd.Series],
    *,
    bins: int = 20,
    label: str = "score",
    ax: Axes | None = None,
) -> Axes:
    """Histograms of several sets of scores, as shares.

    Parameters
    ----------
    data : dict of str to score matrix or Series
        What is compared, and its name in the legend.
    bins : int, default 20
        Over the range of all.
    label : str, default "score"
        What the scores are.
    ax : Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> import irstd
    >>> scores = irstd.load_dataset("sim-trec8")
    >>> ax = plot_distributions({"raw": scores, "standardized": irstd.standardize(scores)})
    """
    values = {name: np.ravel(table) for name, table in data.items()}
    everything = np.concatenate(list(values.values()))
    edges = np.linspace(np.nanmin(everything), np.nanmax(everything), bins + 1)
    styles = ["-", "--", ":", "-."]
    for i, (name, numbers) in enumerate(values.items()):
        share, _ = np.histogram(numbers[~np.isnan(numbers)], edges)
        ax.stairs(
            share / share.sum(), edges, label=name, fill=i == 0, alpha=0.5 if i == 0 else 1,
            lw=2.5, ls=styles[i % 4], color=COLOURS[i],
        )  # fmt: skip
    ax.legend()
    ax.set(xlabel=label, ylabel="share of the scores", ylim=(0, None))


@drawing
def plot_systems(
    x: pd.Series, y: pd.Series, *, diagonal: bool = False, ax: Axes | None = None
) -> Axes:
    """A point a system: one score of it against another.

    Parameters
    ----------
    x, y : Series by system
        Matched by their index; their names label the axes.
    diagonal : bool, default False
        Draw the line on which both are the same.
    ax : Axes, optional

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If one of them has systems that the other lacks.

    Examples
    --------
    >>> import irstd
    >>> scores = irstd.load_dataset("sim-trec8")
    >>> ax = plot_systems(scores.mean().rename("MAP"), irstd.gmap(scores))
    """
    alone = x.index.symmetric_difference(y.index)
    if len(alone):
        raise ValueError(
            f"x and y must be of the same systems; only in one of them: {listed(alone)}"
        )
    if diagonal:
        ends = [min(x.min(), y.min()), max(x.max(), y.max())]
        ax.plot(ends, ends, color=COLOURS[7], lw=1, ls="--")
    ax.plot(x, y.reindex(x.index), "o", ms=5, alpha=0.7, color=COLOURS[0])
    ax.set(xlabel=x.name or "", ylabel=y.name or "")
