"""Figures of lines, and of points beside the curve on which they would lie by a rule."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke

from irstd._base.matrix import check_same
from irstd.plots.style import COLOURS, drawing, line, plain, points


def plot_lines(table: pd.DataFrame, *, label: str = "", ax: Axes | None = None) -> Axes:
    """A line for each column, against the index, whose name labels the axis below.

    Parameters
    ----------
    table : DataFrame
        The names of its columns are in the legend.

    Examples
    --------
    >>> table = pd.DataFrame({"one": [1, 4], "other": [2, 3]}, pd.Index([1, 2], name="step"))
    >>> ax = plot_lines(table, label="how much")
    """
    with drawing(ax) as ax:
        for i, (name, numbers) in enumerate(table.items()):
            ax.plot(numbers, ms=5, label=plain(name), **points(i) | line(i))
        ax.legend()
        ax.set(xlabel=plain(table.index.name or ""), ylabel=plain(label))
    return ax


def plot_beside_curve(
    x: pd.Series,
    y: pd.Series,
    curve: pd.Series,
    *,
    named: Collection[str] = (),
    legend: Mapping[str, str] | None = None,
    guides: bool = False,
    ax: Axes | None = None,
) -> Axes:
    """One point per system, or judge, and the curve on which all would lie by a rule.

    Parameters
    ----------
    x, y : Series by system
        Matched by their index; their names label the axes.
    curve : Series
        The rule: its index are values of x, its values those of y.
    named : collection of str, optional
        The points to draw large, with their names, on the side where the curve is not.
    legend : mapping of str to str, optional
        What the ``curve``, the ``points`` and the ``named`` ones are; those without a word are not
        in the legend.
    guides : bool, default False
        The named points are readings of the curve: it is solid, and lines lead from them to both
        axes.

    Examples
    --------
    >>> import irstd
    >>> means = irstd.load_dataset("sim-trec8").mean().rename("MAP")
    >>> squares = pd.Series([0, 0.04, 0.16], [0, 0.2, 0.4])
    >>> ax = plot_beside_curve(means, (means**2).rename("its square"), squares)
    """
    check_same(x.index, y.index, ("x", "y"))
    y = y.reindex(x.index)
    curve = curve.sort_index()
    labels = {what: plain(text) for what, text in (legend or {}).items()}
    with drawing(ax) as ax:
        ls = "-" if guides else "--"
        ax.plot(curve.index, curve, color="0.3", ls=ls, lw=1.5, label=labels.get("curve"))
        ax.plot(x, y, "o", ms=5, alpha=0.7, color=COLOURS[0], label=labels.get("points"))
        label = labels.get("named")
        for name in named:
            ax.plot(x[name], y[name], "D", ms=9, color=COLOURS[1], zorder=4, label=label)
            label = None  # once
            text = ax.annotate(plain(name), (x[name], y[name]), **_side(x[name], y[name], curve))
            text.set_path_effects([withStroke(linewidth=4, foreground="white")])  # over the curve
        if guides:
            _add_guides(ax, x[[*named]], y[[*named]])
        if labels:
            ax.legend()
        ax.set(xlabel=plain(x.name or ""), ylabel=plain(y.name or ""))
    return ax


def _add_guides(ax: Axes, x: pd.Series, y: pd.Series) -> None:
    """Thin lines from points to both axes."""
    left, right = ax.get_xlim()
    bottom, top = ax.get_ylim()
    style: dict[str, Any] = {"colors": "0.6", "ls": ":", "lw": 1.2, "zorder": 1}
    ax.hlines(y, left, x, **style)
    ax.vlines(x, bottom, y, **style)
    ax.set(xlim=(left, right), ylim=(bottom, top))


def _side(x: float, y: float, curve: pd.Series) -> dict[str, Any]:
    """Where the name of a point stands: above the curve or below it, away from its slope."""
    step = (curve.index.max() - curve.index.min()) / 100
    before, here, after = np.interp([x - step, x, x + step], curve.index, curve)
    above = bool(y >= here)
    right = bool(after > before) != above
    return {
        "xytext": (7 if right else -7, 2 if above else -2),
        "textcoords": "offset points",
        "ha": "left" if right else "right",
        "va": "bottom" if above else "top",
    }
