"""Figures of the methods: what a parameter does, what an experiment found."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes

from irstd._checks import check_count, check_scores
from irstd.plots._look import COLOURS, drawing


@drawing
def plot_weights(p: float = 0.8, k: int = 10, *, ranks: int = 40, ax: Axes | None = None) -> Axes:
    """What a relevant document counts at each rank, by RBP and by P@k.

    Parameters
    ----------
    p : float, default 0.8
        Persistence of RBP: the chance that the user goes on to the next document.
    k : int, default 10
        Cut-off of P@k.
    ranks : int, default 40
        How many ranks to show.
    ax : Axes, optional

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If `p` is not between 0 and 1, or `k` is not at least 1.

    Examples
    --------
    >>> ax = plot_weights(0.95, 20)
    """
    if not 0 < p < 1:
        raise ValueError(f"p must be between 0 and 1, got {p}")
    rank, k = np.arange(1, ranks + 1), check_count(k, "k")
    ax.plot(rank, (1 - p) * p ** (rank - 1), "o-", ms=4, label=f"RBP, p = {p:.2f}")
    ax.plot(rank, np.where(rank <= k, 1 / k, 0), "s--", ms=4, label=f"P@{k}")
    ax.legend()
    ax.set(xlabel="rank", ylabel="weight of a relevant document", ylim=(0, None))


@drawing
def plot_factor_sampling(
    sampled: pd.DataFrame,
    *,
    percentiles: Mapping[str, float] | None = None,
    lines: Mapping[str, float] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """How well factors from few systems rank, by the number of systems.

    Parameters
    ----------
    sampled : DataFrame
        What `factor_sampling` returns.
    percentiles : dict of str to float, optional
        Names and quantiles to draw; by default the median and the lower 5% and 1%.
    lines : dict of str to float, optional
        Names and values of tau to compare with.
    ax : Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> sampled = pd.DataFrame({"size": [5, 5, 9, 9], "tau": [0.8, 0.9, 0.9, 0.95]})
    >>> ax = plot_factor_sampling(sampled, lines={"between collections": 0.74})
    """
    percentiles = percentiles or {"median": 0.5, "5th percentile": 0.05, "1st percentile": 0.01}
    taus = sampled.groupby("size")["tau"]
    for marker, (name, share) in zip("osD^v", percentiles.items(), strict=False):
        ax.plot(taus.quantile(share), marker=marker, ms=5, label=name)
    for style, (name, tau) in zip(["--", ":", "-."], (lines or {}).items(), strict=False):
        ax.axhline(tau, color="0.3", ls=style, lw=1.5, label=f"{name} ({tau:.3f})")
    ax.legend(loc="center right")
    ax.set(xlabel="number of standardizing systems", ylabel="Kendall's tau with all of them")


@drawing
def plot_gmap_curve(curve: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How alike two halves of the topics order the systems, by the epsilon of GMAP.

    Parameters
    ----------
    curve : DataFrame
        What `gmap_curve` returns; an infinite epsilon, which is MAP, is drawn at the right end.
    ax : Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> import irstd
    >>> curve = irstd.gmap_curve(irstd.load_dataset("sim-trec8"), [0.01, 1, np.inf], trials=10)
    >>> ax = plot_gmap_curve(curve)
    """
    table = curve.pivot(index="epsilon", columns="split", values="tau")
    table = table[curve["split"].unique()]
    finite = table[np.isfinite(table.index)]
    end = finite.index.max() * 10
    for marker, colour, name in zip("osD", COLOURS, table.columns, strict=False):
        ax.plot(finite.index, finite[name], marker=marker, ms=5, color=colour, label=name)
        if np.inf in table.index:
            ax.plot([finite.index.max(), end], table.loc[[finite.index.max(), np.inf], name],
                    ls=":", marker=marker, ms=5, color=colour)  # fmt: skip
    ax.set_xscale("log")
    if np.inf in table.index:
        ticks = 10.0 ** np.arange(np.floor(np.log10(finite.index.min())), np.log10(end))
        ax.set_xticks([*ticks[::2], end], [f"{tick:g}" for tick in ticks[::2]] + ["MAP"])
        ax.minorticks_off()
    ax.legend(title="halves")
    ax.set(xlabel="epsilon of GMAP", ylabel="Kendall's tau of the two halves")


@drawing
def plot_densities(
    data: Mapping[str, pd.Series | np.ndarray] | pd.DataFrame,
    *,
    label: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Smoothed densities of several sets of numbers, with their means.

    Parameters
    ----------
    data : dict of str to Series, or DataFrame
        What is compared, and its name in the legend.
    label : str
        What the numbers are.
    ax : Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> ax = plot_densities({"a": rng.normal(size=99), "b": rng.normal(size=99)}, label="x")
    """
    for colour, style, (name, numbers) in zip(COLOURS, ["-", "--", ":", "-."] * 2, data.items(),
                                              strict=False):  # fmt: skip
        mean = np.mean(numbers)
        sns.kdeplot(np.asarray(numbers), color=colour, ls=style, lw=2.5, ax=ax,
                    label=f"{name}, mean {mean:.3f}")  # fmt: skip
        ax.axvline(mean, color=colour, ls=style, lw=1)
    ax.legend()
    ax.set(xlabel=label, ylabel="density")


@drawing
def plot_thresholds(
    scores: pd.DataFrame, *, threshold: float | None = None, ax: Axes | None = None
) -> Axes:
    """The share of topics on which each system satisfies a user, by what satisfies them.

    Parameters
    ----------
    scores : DataFrame
        A score matrix of a few systems.
    threshold : float, optional
        Mark one.
    ax : Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> import irstd
    >>> ax = plot_thresholds(irstd.load_dataset("sim-trec8").iloc[:, :2], threshold=0.3)
    """
    scores = check_scores(scores, several=True, complete=False)
    grid = np.linspace(0, scores.max(axis=None), 201)
    styles = ["-", "--", ":", "-."]
    for i, (system, column) in enumerate(scores.items()):
        share = (column.to_numpy()[:, None] > grid).mean(axis=0)
        ax.step(grid, share, where="post", lw=2.5, ls=styles[i % 4], color=COLOURS[i], label=system)
        ax.plot(column.mean(), 0, "^", ms=10, color=COLOURS[i], clip_on=False)
    if threshold is not None:
        ax.axvline(threshold, color="0.3", lw=1.5)
    ax.legend()
    ax.set(xlabel="score that satisfies a user (triangles: means)", ylabel="share of topics above")
    ax.set_ylim(0, 1)


@drawing
def plot_mean_spread(
    scores: pd.DataFrame, *, semicircle: bool = False, label: str = "score", ax: Axes | None = None
) -> Axes:
    """A point a system: the standard deviation of its scores against their mean.

    Parameters
    ----------
    scores : DataFrame
        A score matrix, of raw or transformed scores.
    semicircle : bool, default False
        Draw the bound that scores in [0, 1] cannot cross; the sd is then that with divisor n, for
        which the bound is proved.
    label : str, default "score"
        What the scores are.
    ax : Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> import irstd
    >>> ax = plot_mean_spread(irstd.load_dataset("sim-trec8"), semicircle=True)
    """
    scores = check_scores(scores, several=True, complete=False)
    ax.plot(scores.mean(), scores.std(ddof=0 if semicircle else 1), "o", ms=5, alpha=0.7)
    if semicircle:
        mean = np.linspace(0, 1, 201)
        ax.plot(mean, np.sqrt(mean * (1 - mean)), color=COLOURS[1], lw=2, label="upper bound")
        ax.legend()
    ax.set(xlabel=f"mean {label}", ylabel=f"sd of {label} over topics")


@drawing
def plot_swap_rates(
    rates: pd.DataFrame, *, level: float | None = 0.05, ax: Axes | None = None
) -> Axes:
    """How often a comparison of two systems is reversed by other topics, by their number.

    Parameters
    ----------
    rates : DataFrame
        What `swap_rate` returns.
    level : float, optional
        An error rate to compare with, .05 by default.
    ax : Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> ax = plot_swap_rates(pd.DataFrame({"size": [10, 20], "error_rate": [0.4, 0.3]}))
    """
    ax.plot(rates["size"], rates["error_rate"], "o-", ms=6, lw=2)
    if level is not None:
        ax.axhline(level, color="0.3", ls="--", lw=1.5, label=f"error rate {level:g}")
        ax.legend()
    ax.set(xlabel="topics in each of the two samples", ylabel="share of reversals", ylim=(0, None))


@drawing
def plot_forms(table: pd.DataFrame, *, label: str = "", ax: Axes | None = None) -> Axes:
    """A number for each metric (rows) and each form of its scores (columns), as points.

    Parameters
    ----------
    table : DataFrame
        For instance mean dRMSE by metric, for raw, R-normalized and standardized scores.
    label : str
        What the numbers are.
    ax : Axes, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> table = pd.DataFrame({"raw": [0.7, 0.6], "standardized": [0.3, 0.3]}, ["SP", "DCG"])
    >>> ax = plot_forms(table, label="mean dRMSE")
    """
    rows = np.arange(len(table))
    for i, (form, values) in enumerate(table.items()):
        ax.plot(values, rows, "osD^v"[i % 5], ms=9, color=COLOURS[i], label=form)
    ax.set_yticks(rows, table.index)
    ax.set_ylim(len(table) - 0.5, -0.5)
    ax.grid(axis="y", color="0.9")
    ax.set_axisbelow(True)
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    ax.set(xlabel=label, xlim=(0, None))
