"""Entry points `explore` and `judge`, which import anywidget when called."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from irstd._base.messages import import_optional
from irstd.datasets import load_dataset
from irstd.standardize import Reference

if TYPE_CHECKING:
    from irstd.widgets.judging import Judging
    from irstd.widgets.score_explorer import ScoreExplorer


def explore(scores: pd.DataFrame | None = None, *, reference: Reference = None) -> ScoreExplorer:
    """Explore a score matrix interactively: its systems, topics and pairs.

    Parameters
    ----------
    scores : DataFrame, optional
        A score matrix; by default, that of the engines on the documentation of numpy and scipy.
    reference : DataFrame, Factors or str, optional
        The standardizing systems, as for `standardize`; by default, the systems of `scores`.

    Returns
    -------
    ScoreExplorer
        A widget with systems on the left and topics on the right, each as a plot and as a table
        that can be sorted and saved. Click a system for its scores by topic, Shift-click another
        one for their differences, or click a topic for the scores of all systems. The selection can
        be read and set: ``form`` (``"raw"`` or a method of `standardize`), ``system``, ``other``
        (compared with ``system``), ``topic``, ``topics``; the tables are ``by_system`` and
        ``by_topic``, the text is ``summary``.

    Examples
    --------
    >>> import irstd
    >>> explorer = irstd.explore(irstd.load_dataset("sim-trec8"))
    >>> explorer.system, explorer.other = "t8orig01d", "t8orig01a"
    >>> explorer.by_topic.round(3).head(3)
            mean     sd  score  other  difference
    topic
    421    0.589  0.207  0.756  0.761      -0.005
    431    0.558  0.178  0.813  0.726       0.086
    439    0.524  0.172  0.674  0.616       0.058
    """
    explorer = import_optional("irstd.widgets.score_explorer").ScoreExplorer
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
    """Judge the documents of a topic one by one, with buttons or keys.

    The keys are 2 (answers the question), 1 (helps), 0 (no), u (unsure: shown again later) and the
    left arrow (back). Each grade is saved to a file at once.

    Parameters
    ----------
    topic, question : str
        Topic id, and the question that documents should answer.
    documents : Series or dict of str
        Texts by document id, in the order shown.
    path : path, optional
        The qrels file, by default ``judged-TOPIC.qrels`` in the working folder. Grades that it has
        already are kept.
    qrels : DataFrame, optional
        Judgments by others, a qrels frame. Once all documents are judged, the widget shows the
        agreement.

    Returns
    -------
    Judging
        A widget. ``grades`` are the grades by document, ``qrels`` are the same as a qrels frame.
        ``trouble`` is the error if the last grade could not be saved, else "".

    Raises
    ------
    ValueError
        If there are no documents; with file and line, if the file holds no qrels.

    Examples
    --------
    >>> import irstd, tempfile
    >>> file = f"{tempfile.mkdtemp()}/mine.qrels"
    >>> mine = irstd.widgets.judge("n01", "the middle", {"a": "median", "b": "sine"}, path=file)
    >>> mine.grades = {"a": 2}  # as a click on a button does
    >>> irstd.read_qrels(file)
      query_id doc_id  relevance
    0      n01      a          2
    """
    return import_optional("irstd.widgets.judging").Judging(
        topic, question, documents, path=path, qrels=qrels
    )
