"""Figures of a few numbers by name: metrics and forms of scores, ways from one to another."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from irstd.plots.style import COLOURS, drawing, plain, points


def plot_forms(
    table: pd.DataFrame,
    *,
    label: str = "",
    apart: float = 0.0,
    hollow: Collection[str] = (),
    headings: Mapping[str, str] | None = None,
    beside: str | None = None,
    zero: str = "",
    ax: Axes | None = None,
) -> Axes:
    """A number for each metric (rows) and form of its scores, as points (WMZ08, figures 5, 7).

    Parameters
    ----------
    table : DataFrame
        For instance mean dRMSE by metric, for raw, R-normalized and standardized scores.
    apart : float, default 0.0
        How far below each other, in rows, the points of one row stand, so that none hides another.
    hollow : collection of str, optional
        The forms whose markers are open.
    headings : mapping of str to str, optional
        What to write above some of the rows, which begin a group of rows; the legend is then above
        the figure.
    beside : str, optional
        A row to compare the last one with, which gets more room: a bracket leads to each of its
        points from where the form has this row, and says by how much more or less it is.
    zero : str, optional
        Draw a line at 0, and what the legend says of it; set the limits of the axis thereafter.

    Examples
    --------
    >>> table = pd.DataFrame({"raw": [0.7, 0.6], "standardized": [0.3, 0.3]}, ["SP", "JDCG"])
    >>> ax = plot_forms(table, label="mean dRMSE")
    """
    headings = headings or {}
    rows = np.arange(float(len(table))) + np.cumsum(table.index.isin([*headings]))
    end = len(table) + len(headings) - 0.5
    forms = np.arange(table.shape[1]) - (table.shape[1] - 1) / 2
    places = rows[:, None] + apart * forms
    if beside is not None:  # a line of text has room at each point of the last row
        high = 0.55 * max(0, table.shape[1] - 1)
        rows[-1] += high / 2
        places[-1] = rows[-1] + 0.55 * forms
        end += high
    with drawing(ax) as ax:
        for i, (form, values) in enumerate(table.items()):
            style = points(i)
            if form in hollow:
                style |= {"mfc": "white", "mew": 2}
            ax.plot(values, places[:, i], ls="", ms=9, label=plain(form), **style)
            if beside is not None:
                _add_bracket(ax, values[beside], values.iloc[-1], places[-1, i], beside)
        if zero:
            ax.axvline(0, color="0.3", ls="--", lw=1.5, zorder=1, label=plain(zero))
        ax.set_yticks(rows, [plain(name) for name in table.index])
        ax.grid(axis="y", color="0.9")
        ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
        ax.set(xlabel=plain(label), xlim=(0, None), ylim=(end, -0.5))
        if headings:
            _add_headings(ax, dict(zip(table.index, rows, strict=True)), headings)
    return ax


def _add_bracket(ax: Axes, start: float, end: float, row: float, name: str) -> None:
    """Lead from the value of a row to that of the last one, and say how far it is."""
    ax.hlines(row, start, end, colors="0.3", lw=1.5, zorder=1)
    ax.vlines(start, row - 0.18, row + 0.18, colors="0.3", lw=1.5, zorder=1)
    than = f"{abs(end - start):.2f} {'more' if end >= start else 'less'} than {plain(name)}"
    at_left: dict[str, Any] = {"textcoords": "offset points", "ha": "right", "va": "center"}
    ax.annotate(than, (min(start, end), row), (-8, 0), **at_left, backgroundcolor="white", zorder=1)


def _add_headings(ax: Axes, rows: Mapping[str, float], headings: Mapping[str, str]) -> None:
    """Write above rows what they begin, with a rule, and put the legend above."""
    for name, heading in headings.items():
        above = rows[name] - 1
        ax.axhline(above - 0.5, color="0.5", lw=1, zorder=0)
        ax.annotate(
            plain(heading),
            (0, above),
            (-7, 0),
            xycoords=ax.get_yaxis_transform(),
            textcoords="offset points",
            ha="right",
            va="center",
            weight="bold",
        )
    _, forms = ax.get_legend_handles_labels()
    one_line = {"ncols": len(forms), "columnspacing": 1.2, "handletextpad": 0.1}
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), **one_line)


def plot_ways(
    ways: Mapping[str, Mapping[str, float]],
    *,
    kinds: Mapping[str, Sequence[str]] | None = None,
    label: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Ways from one number to another, one below the other: an arrow for each step.

    Parameters
    ----------
    ways : mapping of mappings
        For each way its stations by name, from the first to the last. At each arrow stands what the
        step is of the whole way.
    kinds : mapping of sequences, optional
        For each way the kinds of its steps, which stand at the arrows, too, and give the colours;
        over steps of one kind that follow each other is a bracket with what they are together.

    Examples
    --------
    >>> two = {"by train": {"home": 0, "station": 1, "work": 9}, "by car": {"home": 0, "work": 9}}
    >>> kinds = {"by train": ["on foot", "driven"], "by car": ["driven"]}
    >>> ax = plot_ways(two, kinds=kinds, label="kilometres")
    """
    colours: dict[str, Any] = {}
    top = -0.4
    with drawing(ax) as ax:
        for row, (way, stations) in enumerate(ways.items()):
            values = list(stations.values())
            of_steps = kinds[way] if kinds else [""] * (len(values) - 1)
            ax.plot(values, [row] * len(values), "o", ms=9, color="0.3")
            half_way = values[1:-1]
            ax.plot(half_way, [row] * len(half_way), "o", ms=5, color="white", zorder=4)
            for value, name in zip(values, stations, strict=True):
                ax.annotate(plain(name), (value, row + 0.1), ha="center", va="top")
            for start, end, kind in zip(values, values[1:], of_steps, strict=False):
                colour = colours.setdefault(kind, COLOURS[len(colours)])
                arrow = {"arrowstyle": "-|>", "lw": 4, "color": colour, "shrinkA": 5, "shrinkB": 5}
                ax.annotate("", (end, row), (start, row), arrowprops=arrow)
                middle = ((start + end) / 2, row - 0.08)
                ax.annotate(_step(kind, start, end, values), middle, ha="center", va="bottom")
            for kind, first, last in _runs_of(of_steps):
                start, end = values[first], values[last]
                height = row - 0.3
                ends = [height + 0.06, height, height, height + 0.06]
                ax.plot([start, start, end, end], ends, color=colours[kind], lw=1.5)
                middle = ((start + end) / 2, height - 0.02)
                step = _step(kind, start, end, values)
                ax.annotate(step, middle, ha="center", va="bottom", weight="bold")
                top = -0.6
        ax.set_yticks(range(len(ways)), [plain(name) for name in ways])
        ax.set(xlabel=plain(label), ylim=(len(ways) - 0.4, top))
        ax.margins(x=0.08)
    return ax


def _step(kind: str, start: float, end: float, way: Sequence[float]) -> str:
    """The kind of a step, and its share of the whole way."""
    return f"{plain(kind)} {(end - start) / (way[-1] - way[0]):.0%}".strip()


def _runs_of(kinds: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """Each kind that follows itself: its first place, and that after its last."""
    first = 0
    for kind, same in groupby(kinds):
        last = first + len(list(same))
        if last - first > 1 and kind:
            yield kind, first, last
        first = last
