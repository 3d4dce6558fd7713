"""Metrics by name of one run, from its relevance by rank."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irstd.metrics.names import parse_metric
from irstd.metrics.registry import Ranking


def score_gains(
    gains: np.ndarray, ideal: np.ndarray, n_relevant: np.ndarray, metrics: Sequence[str]
) -> dict[str, np.ndarray]:
    """Metrics of one run from its gains by rank: for each its score by topic.

    `gains` has the gain of the document at each rank (topics x depth), `ideal` the same of the
    ideal ranking, `n_relevant` the relevant documents of each topic, which may be more than the
    depth. Levels of relevance in the names of `metrics` are left to the caller.
    """
    names = {name: parse_metric(name) for name in metrics}
    for name, parts in names.items():
        if parts.metric.needs_nonrelevant:
            raise ValueError(f"{name} needs to know which documents are judged")
    best = Ranking.of(ideal, "linear", n_relevant)
    run = Ranking.of(gains, "linear", n_relevant, top=best.top)
    return {name: parts.scores(run, best) for name, parts in names.items()}
