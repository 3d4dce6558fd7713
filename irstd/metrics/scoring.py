"""Metrics by name of one run, from its relevance by rank."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from irstd.metrics.names import parse_metric
from irstd.metrics.registry import Ranking, share


def score_gains(
    gains: np.ndarray,
    ideal: np.ndarray | Ranking,
    n_relevant: np.ndarray,
    metrics: Sequence[str],
    gain: str = "linear",
    n_nonrelevant: np.ndarray | None = None,
) -> dict[str, np.ndarray]:
    """Metrics of one run from its relevance by rank: for each its score by topic.

    `gains` has the grade of the document at each rank (topics x depth; 0 or less: not relevant,
    NaN: not judged, -inf: none), `ideal` the same of the ideal ranking, `n_relevant` the relevant
    documents of each topic, which may be more than the depth; `n_nonrelevant` those that are judged
    and not relevant, which some metrics need. A document of grade g gains g, or 2^g - 1 if `gain`
    is "exponential". Levels of relevance in the names of `metrics` are left to the caller.
    """
    names = {name: parse_metric(name) for name in metrics}
    for name, parts in names.items():
        if parts.metric.needs_nonrelevant and n_nonrelevant is None:
            raise ValueError(f"{name} needs to know which documents are judged")
    if isinstance(ideal, Ranking):
        best = ideal
    else:
        best = Ranking.of(ideal, gain, n_relevant)
    run = Ranking.of(gains, gain, n_relevant, n_nonrelevant, best.top)
    scores = {}
    for name, parts in names.items():
        scores[name] = run.score(parts.metric.name, *parts.argument)
        if parts.normalized:
            of_ideal = best.score(parts.metric.name, *parts.argument)
            scores[name] = share(scores[name], of_ideal)
    return scores
