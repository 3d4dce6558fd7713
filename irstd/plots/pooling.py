"""The figure of how runs become judgments."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from irstd._base.arguments import check_count
from irstd.plots.style import COLOURS, drawing, plain

RELEVANT = {"label": "judged, relevant", "facecolor": COLOURS[2], "alpha": 0.75, "lw": 0}
NOT_RELEVANT = {
    "label": "judged, not relevant",
    "facecolor": COLOURS[1],
    "edgecolor": "white",
    "hatch": "//",
    "alpha": 0.75,
    "lw": 0,
}
NOT_JUDGED = {"label": "not judged", "facecolor": "0.9", "alpha": 0.75, "lw": 0}
FRAME: dict[str, Any] = {"facecolor": "none", "edgecolor": "black", "lw": 3}
TICKED = "relevant, judged or not"
END: dict[str, Any] = {"color": "0.2", "lw": 2, "ls": "--"}
POOLED: list[dict[str, Any]] = [RELEVANT, NOT_RELEVANT, NOT_JUDGED]


def plot_pooling(
    runs: Mapping[str, Sequence[str]],
    relevant: Collection[str],
    *,
    depth: int,
    pooled: Collection[str] | None = None,
    framed: Mapping[str, str] | None = None,
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
    framed : mapping of str to str, optional
        Documents to draw a frame around, and what the legend says of each.

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
                if framed and document in framed:
                    ax.add_patch(_cell(column, rank, FRAME))
            if name in pooled:
                ends = [column - 0.45, column + 0.45]
                (end_of_pool,) = ax.plot(ends, [depth + 0.5] * 2, label="end of the pool", **END)
        longest = max(map(len, runs.values()))
        ax.set(xlim=(-0.6, len(runs) - 0.4), ylim=(longest + 0.6, 0.4), ylabel="rank")
        ax.set_xticks(range(len(runs)), [plain(name) for name in runs])
        ax.set_yticks(range(1, longest + 1))
        handles: list[Any] = [Patch(**kind) for kind in POOLED]
        handles.append(Line2D([], [], ls="", marker="$✓$", ms=9, color="k", label=TICKED))
        if len(pooled):
            handles.append(end_of_pool)
        for text in (framed or {}).values():
            lines = [plain(part) for part in text.splitlines()]
            handles.append(Patch(label="\n".join(lines), **FRAME))
        ax.legend(handles=handles, loc="center left", bbox_to_anchor=(1, 0.5))
    return ax


def _cell(column: int, rank: int, style: dict[str, Any]) -> Rectangle:
    """Where a document stands."""
    return Rectangle((column - 0.4, rank - 0.42), 0.8, 0.84, **style)


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
    ax.add_patch(_cell(column, rank, style))
    ax.text(column, rank, text, ha="center", va="center")
