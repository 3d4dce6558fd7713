"""Widgets over a score matrix: thin controls over the plots, testable without a kernel."""

from __future__ import annotations

import functools
import html
import warnings

import ipywidgets as widgets
import pandas as pd

from irstd._checks import check_scores
from irstd.aggregate import leaderboard
from irstd.factors import Factors
from irstd.plots import plot_intervals, plot_scores
from irstd.plots._look import COLOURS
from irstd.significance import paired_test
from irstd.standardize import METHODS, standardize_quietly
from irstd.variability import levene_test
from irstd.widgets._explorer import Explorer

# The columns of the leaderboard. The buttons that sort it are the head of the table: same widths.
COLUMNS = {
    "mean": "mean",
    "GMAP": "gmap",
    "standardized": "standardized",
    "sd": "sd",
    "zeros": "zeros",
}
NAME, WIDTH = "160px", "116px"
HEAD = {"button_width": "112px"}
BESIDE = {"width": "auto", "margin": f"0 0 0 {NAME}"}
CELL = "padding:1px 8px;box-sizing:border-box;border-bottom:1px solid #ddd"


def explore(
    scores: pd.DataFrame, *, reference: pd.DataFrame | Factors | None = None
) -> widgets.VBox:
    """Look at a score matrix from all sides: systems, topics, pairs.

    Parameters
    ----------
    scores : DataFrame
        A score matrix, or several with columns ``(metric, system)``.
    reference : DataFrame or Factors, optional
        The standardizing systems, as for `standardize`; by default the systems themselves.

    Returns
    -------
    Explorer
        Controls ``metric``, ``form`` (raw or a method of standardization), ``view``, and those that
        the view needs: ``sort`` (the heads of the leaderboard's columns), ``system``, ``other``,
        ``topic``. The views are the leaderboard; the matrix as a picture; a system across topics; a
        pair, with its differences by topic and tests of mean and of spread; and a topic, with who
        does surprisingly well.

    Examples
    --------
    >>> import irstd
    >>> explorer = irstd.explore(irstd.load_dataset("sim-trec8"))
    >>> explorer.controls["view"].value = "pair"
    >>> "paired t-test" in explorer.text.value
    True
    """
    scores = check_scores(scores, several=True, complete=False)
    several = scores.columns.nlevels > 1
    metrics = list(scores.columns.get_level_values(0).unique()) if several else ["score"]
    systems = list(scores[metrics[0]].columns if several else scores.columns)
    forms = ["raw", *(METHODS if not isinstance(reference, Factors) else ("normal", "z"))]

    @functools.cache
    def table(metric: str, form: str) -> pd.DataFrame:
        matrix = scores[metric] if several else scores
        return matrix if form == "raw" else standardize_quietly(matrix, against(metric), form)

    def against(metric: str) -> pd.DataFrame | Factors | None:
        return reference[metric] if several and reference is not None else reference

    @functools.cache
    def board(metric: str) -> pd.DataFrame:
        with warnings.catch_warnings(action="ignore", category=UserWarning):
            return leaderboard(table(metric, "raw"), reference=against(metric))

    def draw(figure, metric, form, view, sort, system, other, topic) -> str:
        label = metric if form == "raw" else f"{metric}, {form}"
        return VIEWS[view](
            figure, table(metric, form), board(metric), label, sort, system, other, topic
        )

    best = board(metrics[0]).index
    controls = {
        "metric": widgets.Dropdown(options=metrics, description="metric"),
        "form": widgets.Dropdown(options=forms, description="scores"),
        "view": widgets.Dropdown(options=list(VIEWS), description="view"),
        "system": widgets.Dropdown(options=systems, value=best[0], description="system"),
        "other": widgets.Dropdown(options=systems, value=best[1 % len(best)], description="and"),
        "topic": widgets.Dropdown(options=list(scores.index), description="topic"),
        "sort": widgets.ToggleButtons(
            options=list(COLUMNS.items()), description="sort by", style=HEAD, layout=BESIDE
        ),
    }

    def show_what_matters(_=None) -> None:
        view = controls["view"].value
        for name, views in MATTERS.items():
            controls[name].layout.display = None if view in views else "none"

    controls["view"].observe(show_what_matters, names="value")
    show_what_matters()
    return Explorer(draw, controls, size=(10, 4), below=["sort"])


def _view_leaderboard(figure, scores, board, label, sort, system, other, topic) -> str:
    plot_intervals(scores, label=label, ax=figure.add_subplot())
    rows = board.sort_values(sort, ascending=sort == "zeros", kind="stable")
    lines = [
        f"<tr><th scope='row' style='{CELL};width:{NAME};text-align:left'>{_text(name)}</th>"
        + "".join(_cell(column, values[column], column == sort) for column in COLUMNS.values())
        + "</tr>"
        for name, values in zip(rows.index, rows.to_dict("records"), strict=True)
    ]
    title = next(title for title, column in COLUMNS.items() if column == sort)
    return (
        "</p><div tabindex='0' role='region' aria-label='leaderboard'"
        " style='max-height:24em;overflow:auto'>"
        f"<table style='table-layout:fixed;border-collapse:collapse'>{''.join(lines)}</table></div>"
        f"<p>The {len(board)} systems by {title}."
    )


def _cell(column: str, value: float, chosen: bool) -> str:
    number = f"{value:.0f}" if column == "zeros" else f"{value:.3f}"
    weight = ";font-weight:bold" if chosen else ""
    return f"<td style='{CELL};width:{WIDTH};text-align:center{weight}'>{number}</td>"


def _view_matrix(figure, scores, board, label, sort, system, other, topic) -> str:
    plot_scores(scores, label=label, ax=figure.add_subplot())
    share = (scores == 0).mean(axis=None)
    return f"{scores.shape[1]} systems on {len(scores)} topics; {share:.1%} of the scores are 0."


def _view_system(figure, scores, board, label, sort, system, other, topic) -> str:
    ax = figure.add_subplot()
    order = scores.mean(axis=1).sort_values(ascending=False).index
    ax.plot(range(len(order)), scores[system][order], "o", ms=5, label=_drawn(system))
    ax.plot(range(len(order)), scores.mean(axis=1)[order], "-", color="0.4", label="mean of all")
    ax.legend()
    ax.set(xlabel="topics, by the mean of all systems", ylabel=label)
    row = board.loc[system]
    return (
        f"{_text(system)}: rank {row['rank']:.0f} by the mean, {row['mean']:.3f}"
        f" [{row['low']:.3f}, {row['high']:.3f}]; sd {row['sd']:.3f}; standardized mean"
        f" {row['standardized']:.3f}; {row['zeros']:.0f} topics scored 0."
    )


def _view_pair(figure, scores, board, label, sort, system, other, topic) -> str:
    ax = figure.add_subplot()
    difference = (scores[system] - scores[other]).sort_values(ascending=False)
    ax.bar(
        range(len(difference)), difference, color=[COLOURS[0 if d > 0 else 1] for d in difference]
    )
    ax.axhline(0, color="0.3", lw=1)
    ax.set(xlabel="topics, by the difference", ylabel=f"difference of {label}")
    pair = f"{_text(system)} against {_text(other)}"
    if system == other:
        return f"{pair}: choose two systems."
    a, b = scores[[system, other]].dropna().to_numpy().T
    mean, spread = paired_test(a, b), levene_test(a, b)
    wins = int((difference > 0).sum()), int((difference < 0).sum())
    return (
        f"{pair}: mean difference {a.mean() - b.mean():+.3f}, better on {wins[0]} topics, worse"
        f" on {wins[1]}; paired t-test p = {mean.pvalue:.4f}. Spread {a.std(ddof=1):.3f} and"
        f" {b.std(ddof=1):.3f}; Levene's test (median) p = {spread.pvalue:.4f}."
    )


def _view_topic(figure, scores, board, label, sort, system, other, topic) -> str:
    ax = figure.add_subplot()
    row = scores.loc[topic]
    ax.hist(row.dropna(), bins=20, color=COLOURS[0], alpha=0.6)
    ax.set(xlabel=f"{label} on topic {_drawn(topic)}", ylabel="systems")
    if row.max() == row.min():
        return f"All systems score {row.max():.3f} on topic {_text(topic)}."
    z = ((row - row.mean()) / row.std()).sort_values(ascending=False)
    names = [f"{_text(name)} (z = {value:.1f})" for name, value in z.head(3).items()]
    top = ", ".join(names)
    return f"On topic {_text(topic)}, mean {row.mean():.3f}, sd {row.std():.3f}: {top}."


def _text(name: object) -> str:
    """A name, which may come from a file, as HTML."""
    return html.escape(str(name))


def _drawn(name: object) -> str:
    """A name in a picture, where a dollar sign would begin a formula."""
    return str(name).replace("$", r"\$")


VIEWS = {
    "leaderboard": _view_leaderboard,
    "matrix": _view_matrix,
    "system": _view_system,
    "pair": _view_pair,
    "topic": _view_topic,
}


MATTERS = {
    "system": ("system", "pair"),
    "other": ("pair",),
    "topic": ("topic",),
    "sort": ("leaderboard",),
}
