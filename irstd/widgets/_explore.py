"""`explore` and `judge`, which need anywidget only when they are called."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from irstd._base.messages import needed
from irstd.datasets import load_dataset
from irstd.standardize import Reference

if TYPE_CHECKING:
    from irstd.widgets.judging import Judging
    from irstd.widgets.score_explorer import ScoreExplorer


def explore(scores: pd.DataFrame | None = None, *, reference: Reference = None) -> ScoreExplorer:
    """Look at a score matrix from all sides, and click in it: systems, topics, pairs.

    Parameters
    ----------
    scores : DataFrame, optional
        A score matrix. By default, the engines on the documentation of numpy and scipy.
    reference : DataFrame, Factors or str, optional
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


def judge(
    topic: str,
    question: str,
    documents: Mapping[str, str],
    *,
    path: str | Path | None = None,
    qrels: pd.DataFrame | None = None,
) -> Judging:
    """Judge documents for a question, one after the other, by buttons or keys.

    The keys are 2 (does it), 1 (helps), 0 (no), u (unsure: no grade yet, it comes again) and the
    left arrow (back). Each grade is written to a file at once.

    Parameters
    ----------
    topic, question : str
        The topic's id, and what somebody wants to know.
    documents : Series or dict of str
        Texts by document id, in the order in which they are shown. ValueError if there is none.
    path : path, optional
        The file, by default ``judged-TOPIC.qrels`` in the working folder. What it has already is
        taken up again. ValueError names file and line if it holds something else.
    qrels : DataFrame, optional
        Judgments of others. Once all documents are judged, the widget says how far the two agree.

    Returns
    -------
    Judging
        A widget. ``grades`` are the grades by document, ``qrels`` the same as a qrels frame,
        ``trouble`` says why the last grade is not in the file (it is empty if all is well).

    Examples
    --------
    >>> import irstd, tempfile
    >>> file = f"{tempfile.mkdtemp()}/mine.qrels"
    >>> mine = irstd.widgets.judge("n01", "the middle", {"a": "median", "b": "sine"}, path=file)
    >>> mine.grades = {"a": 2}  # as a click on a button does
    >>> mine.qrels["relevance"].tolist(), irstd.read_qrels(file)["doc_id"].tolist()
    ([2], ['a'])
    """
    return needed("irstd.widgets.judging").Judging(
        topic, question, documents, path=path, qrels=qrels
    )
