"""`explore`, which needs anywidget only when it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from irstd._base.messages import needed
from irstd.datasets import load_dataset
from irstd.standardize import Reference

if TYPE_CHECKING:
    from irstd.widgets.score_explorer import ScoreExplorer


def explore(scores: pd.DataFrame | None = None, *, reference: Reference = None) -> ScoreExplorer:
    """Look at a score matrix from all sides, and click in it: systems, topics, pairs.

    Parameters
    ----------
    scores : DataFrame, optional
        A score matrix. By default, the engines on the documentation of numpy and scipy.
    reference : DataFrame or Factors, optional
        The standardizing systems, as for `standardize`; by default the systems themselves.

    Returns
    -------
    ScoreExplorer
        A widget: systems on the left, topics on the right, each as a picture and a table that sorts
        and saves. A click on a system shows its scores on the topics, a click with Shift on another
        one their differences, a click on a topic what the systems score there. What is chosen can
        be read and set: ``form``, ``system``, ``other``, ``topic``, ``topics``; what is shown is in
        ``by_system``, ``by_topic`` and ``summary``.

    Examples
    --------
    >>> import irstd
    >>> explorer = irstd.explore(irstd.load_dataset("sim-trec8"))
    >>> explorer.system, explorer.other = "t8orig01d", "t8orig01a"
    >>> explorer.by_topic["difference"].round(3).idxmax()
    '429'
    >>> explorer.difficulty = "hardest quarter"
    >>> len(explorer.topics)
    13
    """
    explorer = needed("irstd.widgets.score_explorer").ScoreExplorer
    if scores is None:
        scores = load_dataset("docs-numpy")
    return explorer(scores, reference)
