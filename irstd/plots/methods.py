"""Figures of resampling experiments and rank intervals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Unpack

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes

from irstd._base.arguments import check_columns
from irstd.plots.curves import plot_lines
from irstd.plots.style import COLORS, Frame, Samples, drawing, line, names_at, plain, points

HALVES = {"hard-easy": "hard, easy", "cent-ccent": "middle, both ends", "random": "at random"}


def plot_gmap_curve(curve: pd.DataFrame, **frame: Unpack[Frame]) -> Axes:
    """Plot GMAP's split-half rank correlation by epsilon (RM08, figure 1).

    Parameters
    ----------
    curve : DataFrame
        Table that `gmap_curve` returns; an infinite epsilon, which gives MAP, is drawn at the right
        end.
    **frame
        ``ax``, ``size``, ``title`` and ``ylim``: see `irstd.plots`.

    Examples
    --------
    >>> import irstd
    >>> curve = irstd.gmap_curve(irstd.load_dataset("sim-trec8"), [0.01, 1, np.inf], trials=10)
    >>> ax = plot_gmap_curve(curve)
    """
    check_columns(curve, ["split", "epsilon", "tau"], "curve")
    table = curve.pivot(index="epsilon", columns="split", values="tau")[curve["split"].unique()]
    finite = table.index[np.isfinite(table.index)]
    map_at = 10 * finite.max()
    table = table.rename(index={np.inf: map_at}, columns=HALVES)
    with drawing(**frame) as ax:
        plot_lines(table, ax=ax)
        ax.set_xscale("log")
        if map_at in table.index:
            exponents = np.arange(np.floor(np.log10(finite.min())), np.log10(map_at))
            ticks = [float(f"1e{exponent:.0f}") for exponent in exponents]
            labels = [np.format_float_positional(x, trim="-") for x in ticks]
            ax.set_xticks([*ticks, map_at], [*labels, "MAP"])
            ax.minorticks_off()
        ax.legend(title="halves of the topics")
        ax.set(xlabel="epsilon of GMAP (log scale)", ylabel="Kendall's tau of the two halves")
    return ax


def plot_densities(data: Samples, *, label: str = "", **frame: Unpack[Frame]) -> Axes:
    """Plot the densities and means of several samples (RM08, figure 2; ULH19).

    Parameters
    ----------
    data : dict of str to Series, or DataFrame
        Samples by name, for the legend.
    label : str, optional
        Name of the scores, for the axis.
    **frame
        ``ax``, ``size``, ``title`` and ``ylim``: see `irstd.plots`.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> ax = plot_densities({"a": rng.normal(size=99), "b": rng.normal(size=99)}, label="x")
    """
    with drawing(**frame) as ax:
        for i, (name, numbers) in enumerate(data.items()):
            mean = float(np.mean(numbers))
            name_and_mean = f"{plain(name)}, mean {mean:.3f}"
            style = line(i)
            sns.kdeplot(np.ravel(numbers), ax=ax, label=name_and_mean, **style)
            ax.axvline(mean, ymax=0.75, color=style["color"], ls=style["ls"], lw=1)
        ax.set_ylim(0, ax.get_ylim()[1] / 0.75)  # the legend above all curves
        ax.legend()
        ax.set(xlabel=plain(label), ylabel="density")
    return ax


def plot_ranks(
    intervals: pd.DataFrame,
    *,
    top: int | None = None,
    named: Mapping[str, str] | None = None,
    **frame: Unpack[Frame],
) -> Axes:
    """Plot each system's rank with its confidence interval.

    Parameters
    ----------
    intervals : DataFrame
        Table that `rank_intervals` returns. Markers of systems in the confidence set for the best
        are filled, the others open.
    top : int, optional
        Number of systems shown, from the best on; by default all. Up to 30 have their names at the
        axis.
    named : mapping of str to str, optional
        Labels at the axis, by system; by default all names, if there is room.
    **frame
        ``ax``, ``size``, ``title`` and ``ylim``: see `irstd.plots`.

    Examples
    --------
    >>> import irstd
    >>> intervals = irstd.rank_intervals(irstd.load_dataset("sim-trec8"), trials=100)
    >>> [label.get_text() for label in plot_ranks(intervals, top=3).get_yticklabels()]
    ['t8orig01b', 't8orig15b', 't8orig38a']
    """
    check_columns(intervals, ["rank", "low", "high", "best"], "intervals")
    table = intervals.sort_values("rank", kind="stable").iloc[:top]
    rows = np.arange(len(table))
    best = table["best"].to_numpy(bool)
    parts = {
        "may be the best: none is significantly better (t-tests)": (best, COLORS[0]),
        "not the best: another is significantly better": (~best, "white"),
    }
    title = frame.pop("title", None)  # above the legend, which is above the Axes
    # Rows far enough apart to be seen one by one.
    frame.setdefault("size", (8, min(7, max(4.5, 2 + 0.16 * len(table)))))
    with drawing(**frame) as ax:
        bars = "interval of its rank, for one system alone"
        if intervals.attrs.get("simultaneous"):
            bars = "intervals of ranks that hold together"
        ax.hlines(rows, table["low"], table["high"], colors="0.7", lw=3, label=bars)
        for name, (part, fill) in parts.items():
            rank = table.loc[part, "rank"]
            ax.plot(rank, rows[part], "D", ms=6, mfc=fill, mec=COLORS[0], label=name, zorder=3)
        ax.legend(loc="lower left", bbox_to_anchor=(0, 1), title=title, alignment="left")
        if named is not None:
            ticks = [list(table.index).index(name) for name in named]
            ax.set_yticks(ticks, [plain(name) for name in named.values()], fontsize="small")
        elif not names_at(ax.yaxis, table.index, fontsize="small"):
            ax.set(yticks=[], ylabel="systems, by their rank")
        last = table["high"].max()
        if last >= 10:
            ax.set_xticks([1, *(tick for tick in ax.get_xticks() if 1 < tick <= last)])
        ax.set(xlabel="rank, and its interval", ylim=(len(table) - 0.5, -0.5))
        ax.grid(axis="x", color="0.9")
    return ax


def plot_swap_rates(rates: pd.DataFrame, **frame: Unpack[Frame]) -> Axes:
    """Plot swap rates, with a line at .05 (HCMV10, figure 7).

    Parameters
    ----------
    rates : DataFrame
        Table that `swap_rate` returns, or its columns ``size`` and ``error_rate``.
    **frame
        ``ax``, ``size``, ``title`` and ``ylim``: see `irstd.plots`.

    Examples
    --------
    >>> ax = plot_swap_rates(pd.DataFrame({"size": [10, 20], "error_rate": [0.4, 0.3]}))
    """
    check_columns(rates, ["size", "error_rate"], "rates")
    with drawing(**frame) as ax:
        ax.plot(rates["size"], rates["error_rate"], ms=6, **points(0))
        ax.axhline(0.05, color="0.3", ls="--", lw=1.5, label="error rate 0.05")
        ax.legend()
        ax.set_ylim(0, None)
        ax.set(xlabel="topics in each of the two samples", ylabel="error rate (share of reversals)")
    return ax
