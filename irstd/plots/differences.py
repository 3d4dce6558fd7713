"""Figures of differences between systems, by topic and of means."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Unpack

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from irstd._base.arguments import check_choice
from irstd._base.matrix import check_scores
from irstd.plots.style import COLORS, Frame, Style, drawing, names_at, plain

MOST_NAMED = 30  # topics, at the axis of a figure of their differences
GROUP_COLORS = [COLORS[0], COLORS[7], COLORS[2]]
GROUP_MARKERS = "o^s"


def plot_differences(
    scores: pd.DataFrame,
    a: str,
    b: str,
    *,
    label: str = "score",
    **frame: Unpack[Frame],
) -> Axes:
    """Plot the sorted topic differences between two systems.

    Up to 30 topics have their ids at the axis; of more, the legend names the five at each end.

    Parameters
    ----------
    scores : DataFrame
        A score matrix.
    a, b : str
        Two of the systems; a positive difference favors `a`.
    label : str, default "score"
        Name of the scores, for the axis.
    **frame
        ``ax``, ``size``, ``title`` and ``ylim``: see `irstd.plots`.

    Examples
    --------
    >>> import irstd
    >>> scores = irstd.load_dataset("sim-trec8")
    >>> ax = plot_differences(scores, *scores.columns[:2], label="AP")
    """
    scores = check_scores(scores, complete=False)
    check_choice(a, scores.columns, "a")
    check_choice(b, scores.columns, "b")
    difference = (scores[a] - scores[b]).dropna().sort_values(ascending=False, kind="stable")
    places = np.arange(len(difference))
    better = difference.clip(lower=0)
    worse = difference.clip(upper=0)
    label_a = _describe_better(a, better)
    label_b = _describe_better(b, worse[::-1])  # the topic on which b is best comes first
    bars: Style = {"edgecolor": "white", "lw": 0}
    with drawing(**frame) as ax:
        ax.bar(places, better, color=COLORS[0], label=label_a, **bars)
        ax.bar(places, worse, color=COLORS[1], hatch="//", label=label_b, **bars)
        ax.axhline(0, color="0.3", lw=1)
        names = difference.index
        if not names_at(ax.xaxis, names, most=MOST_NAMED, rotation=90, fontsize=10):
            ax.set_xticks([])
        ax.legend()
        ax.set(xlabel="topic, by the difference", ylabel=f"difference of {plain(label)}")
    return ax


def _describe_better(system: str, difference: pd.Series) -> str:
    """Describe the topics on which a system is better."""
    text = f"{plain(system)} is better"
    if len(difference) <= MOST_NAMED:  # their names are at the axis
        return text
    topics = difference.index[difference != 0]
    ends = ", ".join(plain(topic) for topic in topics[:5])
    return f"{text},\nmost on topics {ends}"


def plot_against(
    tests: pd.DataFrame,
    system: str,
    groups: pd.Series | None = None,
    *,
    label: str = "score",
    interval: str = "95% interval",
    summaries: Collection[str] = (),
    **frame: Unpack[Frame],
) -> Axes:
    """Plot mean differences from one system, with paired confidence intervals.

    Parameters
    ----------
    tests : DataFrame
        One row per system, from top to bottom, with columns ``difference``, ``low`` and ``high``,
        such as of `pairwise_tests`.
    system : str
        The system that they are compared with: the line at 0.
    groups : Series, optional
        Verdict on each system, drawn as a color: at most three verdicts, in the order of their
        categories or of their appearance. An interval may exclude 0 although a test corrected for
        all pairs does not reject: ``level=1 - .05 / (number of pairs)`` in `pairwise_tests` widens
        it.
    label : str, default "score"
        Name of the scores, for the axis.
    interval : str, default "95% interval"
        Kind of interval, for the label of the axis.
    summaries : collection of str, optional
        Last rows, if they summarize the others as in a forest plot: diamonds, below a line.
    **frame
        ``ax``, ``size``, ``title`` and ``ylim``: see `irstd.plots`.

    Examples
    --------
    >>> import irstd
    >>> scores = irstd.load_dataset("sim-trec8").iloc[:, :9]
    >>> best = scores.mean().idxmax()
    >>> tests = irstd.pairwise_tests(scores, baseline=best, correction="holm")
    >>> groups = tests["adjusted_pvalue"].le(.05).map({True: "different", False: "not different"})
    >>> ax = plot_against(tests.set_index("system_a"), best, groups.set_axis(tests["system_a"]))
    """
    if "system_b" in tests and (tests["system_b"] != system).any():
        raise ValueError(f"tests must all be against {system}: test with baseline={system!r}")
    if groups is None:
        groups = pd.Series("", tests.index)
    names = list(groups.unique())
    if isinstance(groups.dtype, pd.CategoricalDtype):
        names = list(groups.cat.categories)
    if len(names) > len(GROUP_COLORS):
        raise ValueError(f"groups must be {len(GROUP_COLORS)} or fewer, found {len(names)}")
    summing = tests.index.isin([*summaries])
    frame.setdefault("size", (8, 2 + 0.28 * len(tests)))
    with drawing(**frame) as ax:
        ax.axvline(0, color=COLORS[1], lw=1.5, label=plain(system))
        for name, color, marker in zip(names, GROUP_COLORS, GROUP_MARKERS, strict=False):
            chosen = (groups == name).to_numpy() & ~summing
            _draw_intervals(ax, tests, chosen, fmt=marker, color=color, label=name)
        if any(names):
            ax.legend(loc="lower left", bbox_to_anchor=(0, 1))
        if summing.any():
            _draw_intervals(ax, tests, summing, fmt="D", color="0.2", ms=9, lw=3)
            ax.axhline(np.argmax(summing) - 0.5, color="0.3", lw=1)
            top: Style = {"xycoords": ax.get_xaxis_transform(), "ha": "right", "va": "top"}
            ax.annotate("no difference", (0, 1), (-5, 0), textcoords="offset points", **top)
        names_at(ax.yaxis, tests.index)
        ax.set_ylim(len(tests) - 0.4, -0.6)
        ax.grid(axis="y", alpha=0.4)
        ax.set_xlabel(f"difference of mean {plain(label)} from {plain(system)}, {interval}")
    return ax


def _draw_intervals(ax: Axes, tests: pd.DataFrame, chosen: np.ndarray, **style: Any) -> None:
    """Draw differences as points with their intervals."""
    if not chosen.any():
        return
    middle, low, high = tests[chosen][["difference", "low", "high"]].to_numpy(float).T
    ax.errorbar(middle, np.flatnonzero(chosen), xerr=[middle - low, high - middle], **style)
