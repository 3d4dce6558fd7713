"""Line and point figures."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Unpack

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke

from irstd._base.matrix import check_same_labels
from irstd.plots.style import COLORS, Frame, drawing, line, plain, points


def plot_lines(table: pd.DataFrame, *, label: str = "", **frame: Unpack[Frame]) -> Axes:
    """Plot each column as a line against the index.

    Parameters
    ----------
    table : DataFrame
        One line per column, named in the legend; the index is the x axis.
    label : str, optional
        Name of the scores, for the axis.
    **frame
        ``ax``, ``size``, ``title`` and ``ylim``: see `irstd.plots`.

    Examples
    --------
    >>> table = pd.DataFrame({"one": [1, 4], "other": [2, 3]}, pd.Index([1, 2], name="step"))
    >>> ax = plot_lines(table, label="how much")
    """
    with drawing(**frame) as ax:
        for i, (name, numbers) in enumerate(table.items()):
            ax.plot(numbers, ms=5, label=plain(name), **points(i) | line(i))
        ax.legend()
        ax.set(xlabel=plain(table.index.name), ylabel=plain(label))
    return ax


def plot_systems(
    x: pd.Series,
    y: pd.Series,
    *,
    diagonal: bool = False,
    **frame: Unpack[Frame],
) -> Axes:
    """Plot two results against each other, one point per system.

    Parameters
    ----------
    x, y : Series by system
        Matched by their index; their names label the axes.
    diagonal : bool, default False
        Draw the line on which both are the same.
    **frame
        ``ax``, ``size``, ``title`` and ``ylim``: see `irstd.plots`.

    Examples
    --------
    >>> import irstd
    >>> scores = irstd.load_dataset("sim-trec8")
    >>> ax = plot_systems(scores.mean().rename("MAP"), irstd.gmap(scores))
    """
    check_same_labels(x.index, y.index, ("x", "y"))
    with drawing(**frame) as ax:
        ax.plot(x, y.reindex(x.index), "o", ms=5, color=COLORS[0], alpha=0.7)
        if diagonal:
            _add_diagonal(ax)
        ax.set(xlabel=plain(x.name), ylabel=plain(y.name))
    return ax


def _add_diagonal(ax: Axes) -> None:
    """Draw the diagonal of equal values, with equal axes."""
    ends = [*ax.get_xlim(), *ax.get_ylim()]
    limits = (min(ends), max(ends))
    ax.plot(limits, limits, color=COLORS[7], lw=1, ls="--", label="the same on both")
    ax.set(xlim=limits, ylim=limits, aspect="equal")
    ax.locator_params(nbins=5)
    ax.legend(loc="lower right", fontsize="small", handlelength=1.5)


def plot_beside_curve(
    x: pd.Series,
    y: pd.Series,
    curve: pd.Series,
    *,
    named: Collection[str] = (),
    legend: Mapping[str, str] | None = None,
    **frame: Unpack[Frame],
) -> Axes:
    """Plot one point per system or judge beside a theoretical curve.

    Parameters
    ----------
    x, y : Series by system
        Matched by their index; their names label the axes.
    curve : Series
        The theoretical values of y, with x as the index.
    named : collection of str, optional
        Points drawn large, with their names beside them.
    legend : mapping of str to str, optional
        Labels of the ``curve``, the ``points`` and the ``named`` ones; those without a label are
        left out of the legend.
    **frame
        ``ax``, ``size``, ``title`` and ``ylim``: see `irstd.plots`.

    Examples
    --------
    >>> import irstd
    >>> means = irstd.load_dataset("sim-trec8").mean().rename("MAP")
    >>> squares = pd.Series([0, 0.04, 0.16], [0, 0.2, 0.4])
    >>> ax = plot_beside_curve(means, (means**2).rename("its square"), squares)
    """
    check_same_labels(x.index, y.index, ("x", "y"))  # before a figure is there
    curve = curve.sort_index()
    labels = {part: plain(text) for part, text in (legend or {}).items()}
    with drawing(**frame) as ax:
        ax.plot(curve.index, curve, color="0.3", ls="--", lw=1.5, label=labels.get("curve"))
        plot_systems(x, y, ax=ax)
        ax.lines[-1].set_label(labels.get("points"))
        ax.plot(
            x[[*named]],
            y[[*named]],
            "D",
            ms=9,
            color=COLORS[1],
            zorder=4,
            label=labels.get("named"),
        )
        outline = [withStroke(linewidth=4, foreground="white")]  # over the curve
        for name in named:
            ax.annotate(
                plain(name),
                (x[name], y[name]),
                (7, 2),
                textcoords="offset points",
                va="bottom",
                path_effects=outline,
            )
        if labels:
            ax.legend()
    return ax


def plot_forms(
    table: pd.DataFrame,
    *,
    label: str = "",
    apart: float = 0.0,
    **frame: Unpack[Frame],
) -> Axes:
    """Plot a statistic by metric and form of scores (WMZ08, figures 5 and 7).

    Parameters
    ----------
    table : DataFrame
        One row of points per row of the table, one color per column: for instance mean dRMSE by
        metric, for raw, R-normalized and standardized scores.
    apart : float, default 0.0
        Vertical distance of the points of one row, in rows, so that none hides another.
    label : str, optional
        Name of the scores, for the axis.
    **frame
        ``ax``, ``size``, ``title`` and ``ylim``: see `irstd.plots`.

    Examples
    --------
    >>> table = pd.DataFrame({"raw": [0.7, 0.6], "standardized": [0.3, 0.3]}, ["SP", "JDCG"])
    >>> ax = plot_forms(table, label="mean dRMSE")
    """
    rows = np.arange(len(table))
    middle = (table.shape[1] - 1) / 2
    with drawing(**frame) as ax:
        for i, (form, values) in enumerate(table.items()):
            places = rows + apart * (i - middle)
            ax.plot(values, places, ls="", ms=9, label=plain(form), **points(i))
        ax.set_yticks(rows, [plain(name) for name in table.index])
        ax.grid(axis="y", color="0.9")
        ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
        ax.set(xlabel=plain(label), xlim=(0, None), ylim=(len(table) - 0.5, -0.5))
    return ax
