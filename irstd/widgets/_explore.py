"""`explore`, which needs anywidget only when it is called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import pandas as pd

from irstd._base.messages import needed
from irstd.datasets import load_dataset
from irstd.standardize import Reference, references_of

if TYPE_CHECKING:
    from ipywidgets import Tab

    from irstd.widgets.matrix import ScoreExplorer


def explore(
    scores: pd.DataFrame | Mapping[str, pd.DataFrame] | None = None,
    *,
    reference: Reference | Mapping[str, Reference] = None,
) -> ScoreExplorer | Tab:
    """Look at a score matrix from all sides, and click in it: systems, topics, pairs.

    Parameters
    ----------
    scores : DataFrame, or dict of str to DataFrame, optional
        A score matrix, or several with columns ``(metric, system)``; or these by the name of their
        collection. By default, the engines on the documentation of numpy and scipy.
    reference : DataFrame, Factors or str, optional
        The standardizing systems, as for `standardize`; by default the systems themselves. Of
        several collections, a dict.

    Returns
    -------
    ScoreExplorer
        A widget: systems on the left, topics on the right, each as a picture and a table that sorts
        and saves. A click on a system shows its scores on the topics, a click with Shift on another
        one their differences, a click on a topic what the systems score there. What is chosen can
        be read and set: ``metric``, ``form``, ``system``, ``other``, ``topic``, ``topics``; what is
        shown is in ``by_system``, ``by_topic`` and ``summary``. Of several collections, a tab for
        each (its ``children``).

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
    explorer = needed("irstd.widgets.matrix").ScoreExplorer
    if scores is None:
        scores = load_dataset("docs-numpy")
    if not isinstance(scores, Mapping):
        return explorer(scores, reference)
    references = references_of(reference, scores)
    children = [explorer(table, references[name]) for name, table in scores.items()]
    return needed("ipywidgets").Tab(children, titles=list(scores))
