"""Figure style: fonts, colors, panels and labels."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypedDict

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib import rc_params_from_file
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.colors import to_rgb

STYLE = rc_params_from_file(Path(__file__).with_name("course.mplstyle"), use_default_template=False)
COLORS = [to_rgb(color) for color in STYLE["axes.prop_cycle"].by_key()["color"]]
Samples = Mapping[str, Any] | pd.DataFrame  # sets of numbers by name
Style = dict[str, Any]  # arguments of matplotlib, by name
NARROW = 5  # a figure of fewer inches is narrow: its text is small, its legend above
SMALL = 8  # points
LONGEST_NAME = 32
LINES = ["-", "--", ":", "-."]
MARKERS = "osD^vPX"


@contextmanager
def look() -> Iterator[None]:
    """Apply the course's figure style within a ``with`` block.

    Examples
    --------
    >>> import irstd
    >>> with look():
    ...     ax = irstd.load_dataset("sim-trec8").mean().plot.hist(xlabel="mean AP")
    """
    # Not by `rc_context`, which would also undo what the first figure of a notebook sets up.
    before = {name: plt.rcParams[name] for name in STYLE}
    plt.rcParams.update(STYLE)
    try:
        yield
    finally:
        plt.rcParams.update(before)


class Frame(TypedDict, total=False):
    """Keyword arguments of every figure: Axes, title, figure size and y limits."""

    ax: Axes | None
    title: str
    size: tuple[float, float]
    ylim: tuple[float | None, float | None]


def panels(n: int, *, title: str, size: tuple[float, float] = (8, 4.5), **grid: Any) -> np.ndarray:
    """Create a figure with a title and `n` panels side by side; return its Axes.

    Parameters
    ----------
    n : int
        Number of panels.
    title : str
        Title of the whole figure.
    size : tuple of float, default (8, 4.5)
        Width and height in inches.
    **grid
        Other arguments of `matplotlib.pyplot.subplots`, such as ``sharey``.

    Returns
    -------
    array of Axes, n

    Examples
    --------
    >>> import irstd
    >>> left, right = panels(2, title="Two collections", sharey=True)
    >>> _ = irstd.plots.plot_means(irstd.load_dataset("sim-trec7"), title="TREC 7", ax=left)
    >>> _ = irstd.plots.plot_means(irstd.load_dataset("sim-trec8"), title="TREC 8", ax=right)
    """
    with look():
        fig, axes = plt.subplots(1, n, figsize=size, squeeze=False, **grid)
        fig.suptitle(title)
    return axes[0]


@contextmanager
def drawing(
    *,
    ax: Any = None,
    title: str = "",
    size: tuple[float, float] | None = None,
    ylim: tuple[float | None, float | None] | None = None,
) -> Iterator[Axes]:
    """Draw in the course's style on given Axes or on a new figure."""
    with look():
        if ax is None:
            ax = plt.figure(figsize=size).add_subplot()
        narrow = ax.get_figure(root=True).get_figwidth() < NARROW
        if narrow:
            plt.rcParams["font.size"] = SMALL
            ax.tick_params(labelsize=SMALL)
            plt.setp([ax.xaxis.label, ax.yaxis.label], fontsize=SMALL)
        yield ax
        if title:
            ax.set_title(title)
        if ylim is not None:
            ax.set_ylim(*ylim)
        for other in ax.get_shared_y_axes().get_siblings(ax):  # the leftmost one has the label
            is_before = other.get_position().x0 < ax.get_position().x0
            if is_before and other.get_ylabel() == ax.get_ylabel():
                ax.set_ylabel("")
        legend = ax.get_legend()
        if narrow and legend is not None:
            legend.set_loc("lower right")
            legend.set_bbox_to_anchor((1, 1), ax.transAxes)


def plain(name: object) -> str:
    """Escape and shorten a name for a label or legend of a figure."""
    text = "" if name is None else str(name)
    if len(text) > LONGEST_NAME:
        text = f"{text[:20]}…{text[-11:]}"
    if text.startswith("_"):
        text = " " + text
    return text.replace("$", r"\$")


def line(i: int) -> Style:
    """Return color and style of the i-th line (20 combinations)."""
    return {"color": COLORS[i % len(COLORS)], "ls": LINES[i % len(LINES)], "lw": 2.5}


def points(i: int) -> Style:
    """Return color and marker of the i-th set of points (70 combinations)."""
    return {"color": COLORS[i % len(COLORS)], "marker": MARKERS[i % len(MARKERS)]}


def names_at(axis: Axis, names: Collection, first: int = 0, most: int = 30, **text: Any) -> bool:
    """Label an axis with names if there is room; return True if it was done."""
    if len(names) > most:
        return False
    places = range(first, first + len(names))
    labels = [plain(name) for name in names]
    axis.set_ticks(places, labels, **text)
    return True
