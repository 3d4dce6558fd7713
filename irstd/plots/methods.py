"""Figures of the methods: what a parameter does, what an experiment found."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes

from irstd._checks import check_columns, check_count, check_real, check_same
from irstd.plots._look import COLOURS, LINES, drawing, line, names_at, plain, points


def plot_weights(p: float = 0.8, k: int = 10, *, ranks: int = 40, ax: Axes | None = None) -> Axes:
    """What a relevant document counts at each rank, by RBP and by P@k.

    Parameters
    ----------
    p : float, default 0.8
        Persistence of RBP: the chance that the user goes on to the next document.
    k : int, default 10
        Cut-off of P@k.
    ranks : int, default 40
        How many ranks to show.
    ax : Axes, optional

    Raises
    ------
    ValueError
        If `p` is not between 0 and 1, or `k` is not at least 1.

    Examples
    --------
    >>> ax = plot_weights(0.95, 20)
    """
    p, k = check_real(p, "p", 0, 1, open_="low high"), check_count(k, "k")
    rank = np.arange(1, check_count(ranks, "ranks") + 1)
    with drawing(ax) as ax:
        ax.plot(rank, (1 - p) * p ** (rank - 1), "o-", ms=4, label=f"RBP, p = {p:.2f}")
        ax.plot(rank, np.where(rank <= k, 1 / k, 0), "s--", ms=4, label=f"P@{k}")
        ax.legend()
        ax.set(xlabel="rank", ylabel="weight of a relevant document", ylim=(0, None))
    return ax


def plot_factor_sampling(
    sampled: pd.DataFrame,
    *,
    percentiles: Mapping[str, float] | None = None,
    lines: Mapping[str, float] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """How well factors from few systems rank, by the number of systems.

    Parameters
    ----------
    sampled : DataFrame
        What `factor_sampling` returns.
    percentiles : dict of str to float, optional
        Names and quantiles to draw; by default the median and the lower 5% and 1%.
    lines : dict of str to float, optional
        Names and values of tau to compare with.
    ax : Axes, optional

    Examples
    --------
    >>> sampled = pd.DataFrame({"size": [5, 5, 9, 9], "tau": [0.8, 0.9, 0.9, 0.95]})
    >>> ax = plot_factor_sampling(sampled, lines={"between collections": 0.74})
    """
    check_columns(sampled, ["size", "tau"], "sampled")
    percentiles = percentiles or {"median": 0.5, "5th percentile": 0.05, "1st percentile": 0.01}
    taus = sampled.groupby("size")["tau"]
    with drawing(ax) as ax:
        for i, (name, share) in enumerate(percentiles.items()):
            ax.plot(taus.quantile(share), ms=5, label=plain(name), **points(i))
        for style, (name, tau) in zip(itertools.cycle(LINES[1:]), (lines or {}).items()):
            ax.axhline(tau, color="0.3", ls=style, lw=1.5, label=f"{plain(name)} ({tau:.3f})")
        ax.legend(loc="center right")
        ax.set(xlabel="number of standardizing systems", ylabel="Kendall's tau with all of them")
    return ax


def plot_gmap_curve(curve: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How alike two halves of the topics order the systems, by the epsilon of GMAP.

    Parameters
    ----------
    curve : DataFrame
        What `gmap_curve` returns; an infinite epsilon, which is MAP, is drawn at the right end.
    ax : Axes, optional

    Examples
    --------
    >>> import irstd
    >>> curve = irstd.gmap_curve(irstd.load_dataset("sim-trec8"), [0.01, 1, np.inf], trials=10)
    >>> ax = plot_gmap_curve(curve)
    """
    check_columns(curve, ["epsilon", "split", "tau"], "curve")
    table = curve.pivot(index="epsilon", columns="split", values="tau")
    finite = table[np.isfinite(table.index)]
    last = finite.index.max()
    end = last * 10
    with drawing(ax) as ax:
        for i, name in enumerate(curve["split"].unique()):
            ax.plot(finite[name], ms=5, label=plain(name), **points(i))
            if np.inf in table.index:
                ax.plot([last, end], table.loc[[last, np.inf], name], ls=":", ms=5, **points(i))
        ax.set_xscale("log")
        if np.inf in table.index:
            ticks = 10.0 ** np.arange(np.floor(np.log10(finite.index.min())), np.log10(end))
            ax.set_xticks([*ticks[::2], end], [f"{tick:g}" for tick in ticks[::2]] + ["MAP"])
            ax.minorticks_off()
        ax.legend(title="halves")
        ax.set(xlabel="epsilon of GMAP", ylabel="Kendall's tau of the two halves")
    return ax


def plot_densities(
    data: Mapping[str, pd.Series | np.ndarray] | pd.DataFrame,
    *,
    label: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Smoothed densities of several sets of numbers, with their means.

    Parameters
    ----------
    data : dict of str to Series, or DataFrame
        What is compared, and its name in the legend.
    label : str
        What the numbers are.
    ax : Axes, optional

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> ax = plot_densities({"a": rng.normal(size=99), "b": rng.normal(size=99)}, label="x")
    """
    with drawing(ax) as ax:
        for i, (name, numbers) in enumerate(data.items()):
            mean = np.mean(numbers)
            text = f"{plain(name)}, mean {mean:.3f}"
            sns.kdeplot(np.asarray(numbers), ax=ax, label=text, **line(i))
            ax.axvline(mean, **line(i) | {"lw": 1})
        ax.legend()
        ax.set(xlabel=plain(label), ylabel="density")
    return ax


def plot_systems(
    x: pd.Series, y: pd.Series, *, diagonal: bool = False, ax: Axes | None = None
) -> Axes:
    """One point per system: one result of it against another.

    Parameters
    ----------
    x, y : Series by system
        Matched by their index; their names label the axes.
    diagonal : bool, default False
        Draw the line on which both are the same.
    ax : Axes, optional

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
    check_same(x.index, y.index, ("x", "y"))
    with drawing(ax) as ax:
        if diagonal:
            ends = [min(x.min(), y.min()), max(x.max(), y.max())]
            ax.plot(ends, ends, color=COLOURS[7], lw=1, ls="--")
        ax.plot(x, y.reindex(x.index), "o", ms=5, alpha=0.7, color=COLOURS[0])
        names = ["" if values.name is None else plain(values.name) for values in (x, y)]
        ax.set(xlabel=names[0], ylabel=names[1])
    return ax


def plot_ranks(intervals: pd.DataFrame, *, top: int | None = None, ax: Axes | None = None) -> Axes:
    """How far the rank of each system can be trusted: its rank, and the interval around it.

    Parameters
    ----------
    intervals : DataFrame
        What `rank_intervals` returns: by system, ``rank``, ``low`` and ``high``; 1 is best. With a
        column ``with_first``, the systems that can be told from the first are grey.
    top : int, optional
        Show this many systems only, the best. Up to 30 have their names at the axis.
    ax : Axes, optional

    Examples
    --------
    >>> import irstd
    >>> intervals = irstd.rank_intervals(irstd.load_dataset("sim-trec8"), trials=100)
    >>> len(plot_ranks(intervals, top=3).get_yticklabels())
    3
    """
    check_columns(intervals, ["rank", "low", "high"], "intervals")
    table = intervals.sort_values("rank", kind="stable")
    table = table if top is None else table.head(check_count(top, "top"))
    rows = np.arange(len(table))
    with drawing(ax) as ax:
        alike = table.get("with_first", pd.Series(True, table.index))
        colours = [COLOURS[0] if each else COLOURS[7] for each in alike]
        ax.hlines(rows, table["low"], table["high"], colors=colours, lw=3, alpha=0.6)
        ax.plot(table["rank"], rows, "D", ms=5, color=COLOURS[1])
        if not names_at(ax.yaxis, table.index, fontsize="small"):
            ax.set(yticks=[], ylabel="systems, by their rank")
        ax.set(xlabel="rank, and its interval", ylim=(len(table) - 0.5, -0.5))
        ax.grid(axis="x", color="0.9")
        ax.set_axisbelow(True)
    return ax


def plot_swap_rates(
    rates: pd.DataFrame,
    *,
    noise: pd.DataFrame | None = None,
    level: float | None = 0.05,
    ax: Axes | None = None,
) -> Axes:
    """How often a comparison of two systems is reversed by other topics, by their number.

    Parameters
    ----------
    rates : DataFrame
        What `swap_rate` returns.
    noise : DataFrame, optional
        What it returns in the same way for systems that do not differ, to compare with.
    level : float, optional
        An error rate to compare with, .05 by default.
    ax : Axes, optional

    Examples
    --------
    >>> ax = plot_swap_rates(pd.DataFrame({"size": [10, 20], "error_rate": [0.4, 0.3]}))
    """
    curves = {"these systems": rates} | ({} if noise is None else {"pure noise": noise})
    with drawing(ax) as ax:
        for i, (name, table) in enumerate(curves.items()):
            check_columns(table, ["size", "error_rate"], ("rates", "noise")[i])
            ax.plot(table["size"], table["error_rate"], ms=6, label=name, **points(i))
        if level is not None:
            ax.axhline(level, color="0.3", ls="--", lw=1.5, label=f"error rate {level:g}")
        ax.legend()
        ax.set(xlabel="topics in each of the two samples", ylabel="share of reversals")
        ax.set_ylim(0, None)
    return ax


def plot_forms(table: pd.DataFrame, *, label: str = "", ax: Axes | None = None) -> Axes:
    """A number for each metric (rows) and each form of its scores (columns), as points.

    Parameters
    ----------
    table : DataFrame
        For instance mean dRMSE by metric, for raw, R-normalized and standardized scores.
    label : str
        What the numbers are.
    ax : Axes, optional

    Examples
    --------
    >>> table = pd.DataFrame({"raw": [0.7, 0.6], "standardized": [0.3, 0.3]}, ["SP", "DCG"])
    >>> ax = plot_forms(table, label="mean dRMSE")
    """
    rows = np.arange(len(table))
    with drawing(ax) as ax:
        for i, (form, values) in enumerate(table.items()):
            ax.plot(values, rows, ls="", ms=9, label=plain(form), **points(i))
        ax.set_yticks(rows, [plain(name) for name in table.index])
        ax.set_ylim(len(table) - 0.5, -0.5)
        ax.grid(axis="y", color="0.9")
        ax.set_axisbelow(True)
        ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
        ax.set(xlabel=plain(label), xlim=(0, None))
    return ax
