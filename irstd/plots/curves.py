"""Figures of points beside the curve on which they would lie if a rule were all there is."""

from __future__ import annotations

from collections.abc import Collection

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke

from irstd._base.matrix import check_same
from irstd.plots.style import COLOURS, drawing, plain


def plot_beside_curve(
    x: pd.Series,
    y: pd.Series,
    curve: pd.Series,
    *,
    named: Collection[str] = (),
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
        The points to draw large, with their names.

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
    with drawing(ax) as ax:
        ax.plot(curve.index, curve, color="0.3", ls="--", lw=1.5)
        ax.plot(x, y, "o", ms=5, alpha=0.7, color=COLOURS[0])
        for name in named:
            ax.plot(x[name], y[name], "D", ms=9, color=COLOURS[1], zorder=4)
            text = ax.annotate(
                plain(name), (x[name], y[name]), (7, 2), textcoords="offset points", va="bottom"
            )
            text.set_path_effects([withStroke(linewidth=4, foreground="white")])  # over the curve
        ax.set(xlabel=plain(x.name or ""), ylabel=plain(y.name or ""))
    return ax
