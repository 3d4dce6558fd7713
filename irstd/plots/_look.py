"""One look for the whole course."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import matplotlib.pyplot as plt
import seaborn as sns
from matplotlib.axes import Axes

COLOURS = sns.color_palette("colorblind")
STYLE = {
    "figure.figsize": (8.0, 4.5),
    "figure.dpi": 100,
    "figure.constrained_layout.use": True,
    "font.size": 12,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": False,
    "legend.frameon": False,
    "axes.prop_cycle": plt.cycler(color=COLOURS),
}


@contextmanager
def look() -> Iterator[None]:
    """The look of the course, for as long as something is drawn.

    Not by `rc_context`: that would also undo what the first figure of a notebook sets up.
    """
    before = {name: plt.rcParams[name] for name in STYLE}
    plt.rcParams.update(STYLE)
    try:
        yield
    finally:
        plt.rcParams.update(before)


def drawing(function: Callable) -> Callable:
    """Draw in the look of the course, on a new figure if no Axes is given."""

    @functools.wraps(function)
    def draw(*arguments, ax: Axes | None = None, **keywords) -> Axes:
        with look():
            if ax is None:
                ax = plt.figure().add_subplot()
            function(*arguments, ax=ax, **keywords)
        return ax

    return draw
