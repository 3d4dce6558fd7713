"""Figures of standardization: scores relative to other systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from irstd._base.arguments import check_columns
from irstd._base.matrix import check_same_labels
from irstd.factors import Factors
from irstd.plots.style import COLORS, Frame, Style, drawing, line, plain

MANY = 30
GOLDEN = 0.618  # steps of this part of the height fill it evenly
MARK: Style = {"marker": "D", "ms": 9, "ls": "", "color": COLORS[1], "mec": "0.1"}


def plot_among(
    others: pd.DataFrame | Mapping[str, pd.Series],
    marked: Sequence[float],
    *,
    legend: str = "",
    label: str = "score",
    **frame: Unpack[Frame],
) -> Axes:
    """Plot a marked score among the others, one row per topic or laboratory.

    Parameters
    ----------
    others : DataFrame or mapping of Series
        Scores of the others by row, from top to bottom.
    marked : sequence of float
        One score per row, drawn as a diamond.
    legend : str, optional
        Label of the diamonds.
    label : str, default "score"
        Name of the scores, for the axis.
    **frame
        ``ax``, ``size``, ``title`` and ``ylim``: see `irstd.plots`.

    Examples
    --------
    >>> import irstd
    >>> others = irstd.load_dataset("sim-trec8").iloc[:2]
    >>> ax = plot_among(others, [0.32, 0.32], legend="a score of 0.32", label="AP")
    """
    rows: Any = dict(others.iterrows()) if isinstance(others, pd.DataFrame) else others
    with drawing(**frame) as ax:
        for place, (name, mark) in enumerate(zip(rows, marked, strict=True)):
            values = np.sort(rows[name])
            heights = np.full(len(values), float(place))
            if len(values) >= MANY:  # so that they overlap less
                heights += 0.4 * (np.arange(len(values)) * GOLDEN % 1 - 0.5)
            ax.plot(values, heights, "o", ms=7, color="0.45", alpha=0.4, mew=0)
            ax.plot(mark, place, **MARK, label=plain(legend) if legend and not place else None)
        ax.set_yticks(range(len(rows)), [plain(name) for name in rows])
        ax.set(ylim=(len(rows) - 0.5, -0.5), xlabel=plain(label))
        ax.locator_params(axis="x", nbins=4)
        if legend:
            ax.legend(loc="upper right")
    return ax


def plot_factors(
    factors: Factors,
    scores: pd.Series,
    *,
    metric: str = "AP",
    **frame: Unpack[Frame],
) -> Axes:
    """Plot each topic's factors with the scores of one system.

    Parameters
    ----------
    factors : Factors
        Mean and standard deviation of each topic, drawn as a point and a bar, in the order of the
        means.
    scores : Series by topic
        Scores of the system, drawn as diamonds, hollow below the mean.
    metric : str, default "AP"
        Metric of the factors.
    **frame
        ``ax``, ``size``, ``title`` and ``ylim``: see `irstd.plots`.

    Examples
    --------
    >>> import irstd
    >>> scores = irstd.load_dataset("sim-trec8")
    >>> ax = plot_factors(irstd.standardization_factors(scores), scores["t8orig01a"])
    """
    mean = factors.mean[metric].sort_values(kind="stable")
    check_same_labels(mean.index, scores.index, ("factors", "scores"), of="topics")
    sd = factors.sd[metric][mean.index]
    scores = scores[mean.index]
    places = np.arange(1, len(mean) + 1)
    is_below = (scores < mean).to_numpy()
    sides = {"at or above the mean": (~is_below, COLORS[1]), "below the mean": (is_below, "white")}
    with drawing(**frame) as ax:
        others = "mean of the others, and one standard deviation"
        down = np.minimum(sd, mean - min(0, mean.min(), scores.min()))  # no AP is below 0
        bars = [down, sd]
        ax.errorbar(places, mean, bars, label=others, fmt="_", color="0.4", lw=2, ms=9, mew=2.5)
        for side, (is_there, fill) in sides.items():
            label = f"{plain(scores.name)}: {side} on {is_there.sum()} topics"
            ax.plot(
                places[is_there], scores[is_there], **MARK | {"ms": 6, "mfc": fill}, label=label
            )
        ax.legend(loc="upper left")
        ax.set(xlabel="topics, from the hardest to the easiest", ylabel=plain(metric))
    return ax


def plot_factor_sampling(
    sampled: pd.DataFrame,
    *,
    lines: Mapping[str, float] | None = None,
    **frame: Unpack[Frame],
) -> Axes:
    """Plot rank correlation by number of standardizing systems (WMZ08, figure 4).

    Parameters
    ----------
    sampled : DataFrame
        Table that `factor_sampling` returns.
    lines : mapping of str to float, optional
        Other values of tau by label, drawn as horizontal lines.
    **frame
        ``ax``, ``size``, ``title`` and ``ylim``: see `irstd.plots`.

    Examples
    --------
    >>> import irstd
    >>> scores = irstd.load_dataset("sim-robust2003")
    >>> sampled = irstd.factor_sampling(scores, scores, sizes=[5, 10, 20], trials=20)
    >>> ax = plot_factor_sampling(sampled, lines={"two sets of topics": 0.77})
    """
    check_columns(sampled, ["size", "tau"], "sampled")
    taus = sampled.groupby("size")["tau"]
    levels = {
        "median draw": 0.5,
        "19 of 20 draws are better": 0.05,
        "99 of 100 are better": 0.01,
    }
    with drawing(**frame) as ax:
        for i, (name, share) in enumerate(levels.items()):
            ax.plot(taus.quantile(share), marker="o", ms=5, label=name, **line(i))
        for name, tau in (lines or {}).items():
            ax.axhline(tau, color="0.5", lw=1.5, zorder=0)
            ax.annotate(
                plain(name),
                (1, tau),
                (0, -4),
                xycoords=ax.get_yaxis_transform(),
                textcoords="offset points",
                ha="right",
                va="top",
            )
        ax.legend()
        ax.set(
            xlabel="number of standardizing systems",
            ylabel="tau with the order by all",
            xlim=(0, None),
        )
    return ax
