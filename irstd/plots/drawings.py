"""Drawings that explain how something is made; no scores are needed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import Patch, Rectangle

from irstd._checks import check_count
from irstd.plots._look import COLOURS, drawing, plain

JUDGED = {True: "judged, relevant", False: "judged, not relevant"}
KINDS: dict[str, Any] = {
    JUDGED[True]: COLOURS[2],
    JUDGED[False]: COLOURS[1],
    "not judged": "0.9",
}


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
    ax : Axes, optional

    Examples
    --------
    >>> ax = plot_pooling({"A": "xyz", "B": "yzw"}, {"y", "w"}, depth=2)
    >>> [text.get_text() for text in ax.texts][:3]
    ['x', 'y ✓', 'z']
    """
    depth = check_count(depth, "depth")
    pooled = list(runs) if pooled is None else list(pooled)
    pool = {document for name in pooled for document in list(runs[name])[:depth]}
    with drawing(ax) as ax:
        for column, ranked in enumerate(runs.values()):
            for rank, document in enumerate(ranked, start=1):
                good = document in relevant
                colour = KINDS[JUDGED[good] if document in pool else "not judged"]
                corner = (column - 0.4, rank - 0.42)
                ax.add_patch(Rectangle(corner, 0.8, 0.84, color=colour, alpha=0.75, lw=0))
                ax.text(column, rank, plain(document) + " ✓" * good, ha="center", va="center")
            if list(runs)[column] in pooled:
                ax.plot([column - 0.45, column + 0.45], [depth + 0.5] * 2, color="0.2", lw=2)
        longest = max(map(len, runs.values()))
        ax.set(xlim=(-0.6, len(runs) - 0.4), ylim=(longest + 0.6, 0.4), ylabel="rank")
        ax.set_xticks(range(len(runs)), [plain(name) for name in runs])
        ax.set_yticks(range(1, longest + 1))
        patches = [Patch(color=colour, alpha=0.75, label=kind) for kind, colour in KINDS.items()]
        ax.legend(handles=patches, loc="center left", bbox_to_anchor=(1, 0.5))
    return ax
