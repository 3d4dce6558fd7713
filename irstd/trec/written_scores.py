"""Writing of per-topic scores, exact to the last bit."""

from __future__ import annotations

import re

import pandas as pd

from irstd._base.matrix import check_scores, split_by_metric
from irstd.metrics import check_range
from irstd.metrics.names import translate_name
from irstd.trec.disk import AnyPath, check_suffix, write_text
from irstd.trec.score_tables import (
    Source,
    explain_no_scores,
    is_summary,
    refuse_summaries,
    to_long_form,
)

UNREADABLE = re.compile(r"\A\Z|\A[ \t]|[ \t]\Z|[\0\r]")
LOST = (
    "could not be read back: rename it (a name must not be empty, begin or end with a space, or be"
    " that of a summary, such as 'all', or of a trec_eval metric, such as 'map')"
)


def write_scores(scores: pd.DataFrame, path: AnyPath) -> None:
    """Write scores as CSV, exact to the last bit.

    Parameters
    ----------
    scores : DataFrame
        A score matrix, or several with columns ``(metric, system)``.
    path : path
        The file to write: ``.csv`` or ``.csv.gz``.

    Raises
    ------
    ValueError
        If a name is empty, or begins or ends with a blank; if a topic is named like a summary row
        (``all``, ``mean``), or a metric as in trec_eval (``map``); if scores are outside the range
        of their metric, such as z-scores named AP; if the path has another suffix.

    Notes
    -----
    A score matrix is written in wide form: a column ``topic`` and one column per system, without
    the name of the metric. Several metrics, or systems with names such as ``run``, ``mean`` or
    ``AP``, need the long form: columns ``topic``, ``system``, ``score``, and ``metric`` if there
    are several.

    Examples
    --------
    >>> import irstd, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "scores.csv")
    >>> scores = irstd.load_dataset("sim-trec8").iloc[:2, :2].round(3)
    >>> write_scores(scores, path)
    >>> print(path.read_text().strip())
    topic,t8orig01a,t8orig01b
    401,0.101,0.311
    402,0.266,0.464
    """
    check_suffix(path, ".csv")
    write_text(format_scores(scores), path)


def format_scores(scores: pd.DataFrame) -> str:
    """Format scores as CSV, if they would be read back and are in range."""
    scores = check_scores(scores, several=True, complete=False)
    check_names_kept(scores.index)
    for level in scores.columns.names:
        check_names_kept(scores.columns.unique(level))
    for metric, part in split_by_metric(scores, "").items():
        check_range(part, metric, "scores")
    refuse_summaries(scores, Source("scores"))
    if scores.columns.nlevels > 1 or any(explain_no_scores(system) for system in scores.columns):
        return format_csv(to_long_form(scores))
    return format_csv(scores.reset_index(allow_duplicates=True))


def format_csv(table: pd.DataFrame) -> str:
    """Format a table as CSV, with all digits of its numbers."""
    return table.astype(object).to_csv(index=False, lineterminator="\n")


def check_names_kept(names: pd.Index) -> None:
    """Raise if the name of a topic, metric or system would not be read back."""
    for name in names.astype(str):
        is_sum_of_topics = names.name == "topic" and is_summary(name)
        is_foreign = names.name == "metric" and name != translate_name(name)
        if UNREADABLE.search(name) or is_sum_of_topics or is_foreign:
            raise ValueError(f"the {names.name} {name!r} {LOST}")
