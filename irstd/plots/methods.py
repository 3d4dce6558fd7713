"""Figures of the methods: what a parameter does, what an experiment found."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.patches import Patch, Rectangle

from irstd._base.arguments import check_count, check_real
from irstd._base.matrix import check_same
from irstd.plots.style import COLOURS, Samples, drawing, line, names_at, plain, points

RELEVANT = {"label": "judged, relevant", "color": COLOURS[2], "alpha": 0.75, "lw": 0}
NOT_RELEVANT = {"label": "judged, not relevant", "color": COLOURS[1], "alpha": 0.75, "lw": 0}
NOT_JUDGED = {"label": "not judged", "color": "0.9", "alpha": 0.75, "lw": 0}
POOLED: list[dict[str, Any]] = [RELEVANT, NOT_RELEVANT, NOT_JUDGED]


def plot_weights(p: float = 0.8, k: int = 10, *, ax: Axes | None = None) -> Axes:
    """What a relevant document counts at each rank, by RBP and by P@k.

    Parameters
    ----------
    p : float, default 0.8
        Persistence of RBP: the chance that the user goes on to the next document.
    k : int, default 10
        Cut-off of ``P@k``.

    Examples
    --------
    >>> ax = plot_weights(0.95, 20)
    """
    p = check_real(p, "p", 0, 1, open_="low high")
    k = check_count(k, "k")
    rank = np.arange(1, 41)
    rbp = (1 - p) * p ** (rank - 1)
    precision = np.where(rank <= k, 1 / k, 0)
    with drawing(ax) as ax:
        ax.plot(rank, rbp, "o-", ms=4, label=f"RBP, p = {p:.2f}")
        ax.plot(rank, precision, "s--", ms=4, label=f"P@{k}", ds="steps-mid")
        ax.legend()
        ax.set(xlabel="rank", ylabel="weight of a relevant document", ylim=(0, None))
    return ax


def plot_gmap_curve(curve: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How alike two halves of the topics rank, by the epsilon of GMAP (RM08, figure 1).

    Parameters
    ----------
    curve : DataFrame
        What `gmap_curve` returns; an infinite epsilon, which is MAP, is drawn at the right end.

    Examples
    --------
    >>> import irstd
    >>> curve = irstd.gmap_curve(irstd.load_dataset("sim-trec8"), [0.01, 1, np.inf], trials=10)
    >>> ax = plot_gmap_curve(curve)
    """
    table = curve.pivot(index="epsilon", columns="split", values="tau")
    finite = table.index[np.isfinite(table.index)]
    place_of_map = 10 * finite.max()
    table = table.rename(index={np.inf: place_of_map})
    with drawing(ax) as ax:
        for i, name in enumerate(curve["split"].unique()):
            ax.plot(table[name], ms=5, label=plain(name), **points(i))
        ax.set_xscale("log")
        if place_of_map in table.index:
            exponents = np.arange(np.floor(np.log10(finite.min())), np.log10(place_of_map))
            every_other = 10.0 ** exponents[::2]
            labels = [f"{epsilon:g}" for epsilon in every_other]
            ax.set_xticks([*every_other, place_of_map], [*labels, "MAP"])
            ax.minorticks_off()
        ax.legend(title="halves")
        ax.set(xlabel="epsilon of GMAP", ylabel="Kendall's tau of the two halves")
    return ax


def plot_densities(data: Samples, *, label: str = "", ax: Axes | None = None) -> Axes:
    """Smoothed densities of several sets of numbers, with their means (RM08, figure 2; ULH19).

    Parameters
    ----------
    data : dict of str to Series, or DataFrame
        What is compared, and its name in the legend.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> ax = plot_densities({"a": rng.normal(size=99), "b": rng.normal(size=99)}, label="x")
    """
    with drawing(ax) as ax:
        for i, (name, numbers) in enumerate(data.items()):
            mean = float(np.mean(numbers))
            name_and_mean = f"{plain(name)}, mean {mean:.3f}"
            style = line(i)
            sns.kdeplot(np.ravel(numbers), ax=ax, label=name_and_mean, **style)
            ax.axvline(mean, color=style["color"], ls=style["ls"], lw=1)
        ax.legend()
        ax.set(xlabel=plain(label), ylabel="density")
    return ax


def plot_systems(
    x: pd.Series,
    y: pd.Series,
    *,
    diagonal: bool = False,
    ringed: Collection[str] = (),
    ax: Axes | None = None,
) -> Axes:
    """One point per system: one result of it against another.

    Parameters
    ----------
    x, y : Series by system
        Matched by their index; their names label the axes.
    diagonal : bool, default False
        Draw the line on which both are the same.
    ringed : collection of str, optional
        Systems to draw a ring around.

    Examples
    --------
    >>> import irstd
    >>> scores = irstd.load_dataset("sim-trec8")
    >>> ax = plot_systems(scores.mean().rename("MAP"), irstd.gmap(scores))
    """
    check_same(x.index, y.index, ("x", "y"))
    with drawing(ax) as ax:
        ax.plot(x, y.reindex(x.index), "o", ms=5, alpha=0.7, color=COLOURS[0])
        if diagonal:
            _add_diagonal(ax)
        if len(ringed):
            ax.plot(x[[*ringed]], y[[*ringed]], "o", ms=9, mfc="none", mec=COLOURS[1])
        ax.set(xlabel=plain(x.name or ""), ylabel=plain(y.name or ""))
    return ax


def _add_diagonal(ax: Axes) -> None:
    """The line on which both are the same, in a square with the same ticks on both sides."""
    ends = [*ax.get_xlim(), *ax.get_ylim()]
    limits = (min(ends), max(ends))
    ax.plot(limits, limits, color=COLOURS[7], lw=1, ls="--", label="the same")
    ax.set(xlim=limits, ylim=limits, aspect="equal")
    ax.locator_params(nbins=5)
    ax.legend(loc="lower right", fontsize="small", handlelength=1.5)


def plot_ranks(intervals: pd.DataFrame, *, top: int | None = None, ax: Axes | None = None) -> Axes:
    """How far the rank of each system can be trusted: its rank, and the interval around it.

    Parameters
    ----------
    intervals : DataFrame
        What `rank_intervals` returns: by system, ``rank``, ``low`` and ``high``; 1 is best. With a
        column ``best``, the systems outside the group that holds the best are grey.
    top : int, optional
        Show this many systems only, the best. Up to 30 have their names at the axis.

    Examples
    --------
    >>> import irstd
    >>> intervals = irstd.rank_intervals(irstd.load_dataset("sim-trec8"), trials=100)
    >>> len(plot_ranks(intervals, top=3).get_yticklabels())
    3
    """
    table = intervals.sort_values("rank", kind="stable")
    if top is not None:
        table = table.head(check_count(top, "top"))
    rows = np.arange(len(table))
    best = np.ones(len(table), bool)
    if "best" in table:
        best = table["best"].to_numpy(bool)
    parts = {"may be the best": (best, COLOURS[0]), "not the best": (~best, COLOURS[7])}
    with drawing(ax) as ax:
        for name, (part, colour) in parts.items():
            low, high = (table.loc[part, end] for end in ("low", "high"))
            ax.hlines(rows[part], low, high, colors=colour, lw=3, alpha=0.6, label=name)
        if "best" in table:
            ax.legend(loc="lower left")
        ax.plot(table["rank"], rows, "D", ms=5, color=COLOURS[1])
        if not names_at(ax.yaxis, table.index, fontsize="small"):
            ax.set(yticks=[], ylabel="systems, by their rank")
        ax.set(xlabel="rank, and its interval", ylim=(len(table) - 0.5, -0.5))
        ax.grid(axis="x", color="0.9")
    return ax


def plot_swap_rates(
    rates: pd.DataFrame, *, noise: pd.DataFrame | None = None, ax: Axes | None = None
) -> Axes:
    """How often other topics reverse a comparison, beside a rate of .05 (HCMV10, figure 7).

    Parameters
    ----------
    rates : DataFrame
        What `swap_rate` returns.
    noise : DataFrame, optional
        What it returns in the same way for systems that do not differ, to compare with.

    Examples
    --------
    >>> ax = plot_swap_rates(pd.DataFrame({"size": [10, 20], "error_rate": [0.4, 0.3]}))
    """
    curves = {"these systems": rates}
    if noise is not None:
        curves["pure noise"] = noise
    with drawing(ax) as ax:
        for i, (name, table) in enumerate(curves.items()):
            ax.plot(table["size"], table["error_rate"], ms=6, label=name, **points(i))
        ax.axhline(0.05, color="0.3", ls="--", lw=1.5, label="error rate 0.05")
        ax.legend()
        ax.set_ylim(0, None)
        ax.set(xlabel="topics in each of the two samples", ylabel="share of reversals")
    return ax


def plot_forms(table: pd.DataFrame, *, label: str = "", ax: Axes | None = None) -> Axes:
    """A number for each metric (rows) and form of its scores, as points (WMZ08, figures 5, 7).

    Parameters
    ----------
    table : DataFrame
        For instance mean dRMSE by metric, for raw, R-normalized and standardized scores.

    Examples
    --------
    >>> table = pd.DataFrame({"raw": [0.7, 0.6], "standardized": [0.3, 0.3]}, ["SP", "JDCG"])
    >>> ax = plot_forms(table, label="mean dRMSE")
    """
    rows = np.arange(len(table))
    with drawing(ax) as ax:
        for i, (form, values) in enumerate(table.items()):
            ax.plot(values, rows, ls="", ms=9, label=plain(form), **points(i))
        ax.set_yticks(rows, [plain(name) for name in table.index])
        ax.grid(axis="y", color="0.9")
        ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
        ax.set(xlabel=plain(label), xlim=(0, None), ylim=(len(table) - 0.5, -0.5))
    return ax


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
        For each way the kinds of its steps, which stand at the arrows, too, and give the colours.

    Examples
    --------
    >>> two = {"by train": {"home": 0, "station": 1, "work": 9}, "by car": {"home": 0, "work": 9}}
    >>> kinds = {"by train": ["on foot", "driven"], "by car": ["driven"]}
    >>> ax = plot_ways(two, kinds=kinds, label="kilometres")
    """
    colours: dict[str, Any] = {}
    with drawing(ax) as ax:
        for row, (way, stations) in enumerate(ways.items()):
            values = list(stations.values())
            of_steps = kinds[way] if kinds else [""] * (len(values) - 1)
            ax.plot(values, [row] * len(values), "o", ms=9, color="0.3")
            for value, name in zip(values, stations, strict=True):
                ax.annotate(plain(name), (value, row + 0.1), ha="center", va="top")
            for start, end, kind in zip(values, values[1:], of_steps, strict=False):
                colour = colours.setdefault(kind, COLOURS[len(colours)])
                arrow = {"arrowstyle": "-|>", "lw": 4, "color": colour, "shrinkA": 6, "shrinkB": 6}
                ax.annotate("", (end, row), (start, row), arrowprops=arrow)
                share = f"{plain(kind)} {(end - start) / (values[-1] - values[0]):.0%}".strip()
                middle = ((start + end) / 2, row - 0.08)
                ax.annotate(share, middle, ha="center", va="bottom")
        ax.set_yticks(range(len(ways)), [plain(name) for name in ways])
        ax.set(xlabel=plain(label), ylim=(len(ways) - 0.4, -0.4))
        ax.margins(x=0.08)
    return ax


def plot_pooling(
    runs: Mapping[str, Sequence[str]],
    relevant: Collection[str],
    *,
    depth: int,
    pooled: Collection[str] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """How runs become judgments: the first documents of some runs are judged, the rest are not.

    Parameters
    ----------
    runs : mapping of str to sequence of str
        For each system, the documents of one topic, best first.
    relevant : collection of str
        The documents that an assessor would call relevant, whether they are judged or not.
    depth : int
        How many documents of each pooled run are judged.
    pooled : collection of str, optional
        The systems whose documents are judged; by default all.

    Examples
    --------
    >>> ax = plot_pooling({"A": "xyz", "B": "yzw"}, {"y", "w"}, depth=2)
    >>> [text.get_text() for text in ax.texts][:3]
    ['x', 'y ✓', 'z']
    """
    if pooled is None:
        pooled = list(runs)
    pool: set[str] = set()
    for name in pooled:
        pool.update(runs[name][: check_count(depth, "depth")])
    with drawing(ax) as ax:
        for column, (name, ranked) in enumerate(runs.items()):
            for rank, document in enumerate(ranked, start=1):
                _draw_document(ax, column, rank, document, document in pool, document in relevant)
            if name in pooled:
                ax.plot([column - 0.45, column + 0.45], [depth + 0.5] * 2, color="0.2", lw=2)
        longest = max(map(len, runs.values()))
        ax.set(xlim=(-0.6, len(runs) - 0.4), ylim=(longest + 0.6, 0.4), ylabel="rank")
        ax.set_xticks(range(len(runs)), [plain(name) for name in runs])
        ax.set_yticks(range(1, longest + 1))
        patches = [Patch(**kind) for kind in POOLED]
        ax.legend(handles=patches, loc="center left", bbox_to_anchor=(1, 0.5))
    return ax


def _draw_document(
    ax: Axes, column: int, rank: int, document: str, judged: bool, relevant: bool
) -> None:
    """A rectangle whose colour says how a document is judged, ticked if it is relevant."""
    style: dict[str, Any] = NOT_JUDGED
    if judged:
        style = RELEVANT if relevant else NOT_RELEVANT
    text = plain(document)
    if relevant:
        text += " ✓"
    ax.add_patch(Rectangle((column - 0.4, rank - 0.42), 0.8, 0.84, **style))
    ax.text(column, rank, text, ha="center", va="center")
