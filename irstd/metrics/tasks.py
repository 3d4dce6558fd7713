"""Checked arguments of `irstd.evaluate`."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from irstd._base.arguments import check_choice, check_count, check_flag, check_real, check_text
from irstd._base.messages import import_optional, listed
from irstd.metrics.names import MetricName, parse_metric, translate_name
from irstd.metrics.registry import Metric, Ranking

OTHER = "ir_measures."  # prefix of measures that ir_measures computes
NO_LIMIT = sys.maxsize  # of the depth


@dataclass(frozen=True)
class Task:
    """Metrics to compute for each run, and the options."""

    names: list[str]  # of all metrics, as the columns have them
    metrics: dict[str, MetricName]  # of irstd, and functions of the user, each with its level
    measures: dict[str, Any]  # of ir_measures
    several: bool  # several metrics were asked for: columns are (metric, system)
    min_relevance: int  # for metrics whose names have no level
    depth: int
    gain: str
    unjudged: str
    missing: str
    ignore_identical_ids: bool | None

    @property
    def levels(self) -> list[int]:
        """Lowest relevant grades of the metrics; `min_relevance` is the first."""
        levels = [self.min_relevance]
        levels += [metric.level or levels[0] for metric in self.metrics.values()]
        return list(dict.fromkeys(levels))

    @property
    def needs_nonrelevant(self) -> bool:
        """True if a metric or option depends on judged nonrelevant documents."""
        needs = any(metric.metric.needs_nonrelevant for metric in self.metrics.values())
        return needs or self.unjudged != "zero"


def make_task(
    metrics: Any,
    depth: int | None,
    min_relevance: int,
    gain: str,
    unjudged: str,
    missing: str,
    ignore_identical_ids: bool | None,
) -> Task:
    """Check the arguments of `irstd.evaluate` and return them as a task."""
    check_choice(gain, ("linear", "exponential"), "gain")
    check_choice(unjudged, ("zero", "drop"), "unjudged")
    check_choice(missing, ("zero", "nan", "raise"), "missing")
    if ignore_identical_ids is not None:
        check_flag(ignore_identical_ids, "ignore_identical_ids")
    level = check_count(min_relevance, "min_relevance")
    limit = NO_LIMIT
    if depth is not None:
        limit = check_count(depth, "depth")
    several = isinstance(metrics, (Sequence, Mapping)) and not isinstance(metrics, str)
    requested = metrics if isinstance(metrics, Sequence) and several else [metrics]
    named = [pair for metric in requested for pair in _name_metric(metric, level)]
    names = [name for name, _ in named]
    if not names or len(set(names)) < len(names):
        raise ValueError(f"metrics must be one or more different names, got {names}")
    metrics = {name: metric for name, metric in named if isinstance(metric, MetricName)}
    measures = {name: measure for name, measure in named if name not in metrics}
    for name, metric in metrics.items():
        if metric.cut_off > limit:
            raise ValueError(f"{name} needs ranks beyond depth={depth}: give a larger depth")
    changed = (depth, level, gain, unjudged) != (None, 1, "linear", "zero")
    if measures and changed:
        raise ValueError(
            f"depth, min_relevance, gain and unjudged cannot be given with {listed(measures)}:"
            " measures of ir_measures have their own parameters, as in AP(rel=2)"
        )
    return Task(
        names,
        metrics,
        measures,
        several,
        level,
        limit,
        gain,
        unjudged,
        missing,
        ignore_identical_ids,
    )


def _name_metric(metric: Any, level: int) -> list[tuple[str, Any]]:
    """Return a metric, or several functions, each with its name."""
    if isinstance(metric, str) and metric.startswith(OTHER):
        metric = import_optional("ir_measures").parse_measure(metric.removeprefix(OTHER))
    if isinstance(metric, Mapping):
        return [_name_function(name, function, level) for name, function in metric.items()]
    if type(metric).__module__.partition(".")[0] == "ir_measures":
        return [(f"{OTHER}{metric}", metric)]
    if callable(metric):
        return [_name_function(getattr(metric, "__name__", None), metric, level)]
    name = translate_name(str(metric))
    parsed = parse_metric(name)
    return [(name, replace(parsed, level=parsed.level or level))]


def _name_function(name: Any, function: Any, level: int) -> tuple[str, MetricName]:
    """Return a user's function of relevance grades by rank, with its name.

    Nonrelevant documents have the grade 0.
    """
    name = check_text(name, 'a metric name, as in {"mine": function},')
    if not callable(function):
        raise TypeError(
            f"metric {name!r} must be a function of the grades in rank order, got"
            f" {type(function).__name__}"
        )

    def score_topics(ranking: Ranking) -> np.ndarray:
        grades = np.where(ranking.hits, ranking.grades, 0)
        values = np.zeros(len(grades))
        for topic, length in enumerate(ranking.lengths):
            if length:
                value = np.asarray(function(grades[topic, :length].copy()))
                if value.dtype == bool:
                    value = value.astype(int)
                values[topic] = check_real(value[()], name)
        return values

    return name, MetricName(Metric(name, score_topics), level=level)
