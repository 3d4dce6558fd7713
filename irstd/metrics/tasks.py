"""Checked arguments of `irstd.evaluate`."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from irstd._base.arguments import check_choice, check_count, check_flag, check_real, check_text
from irstd._base.messages import import_optional, listed
from irstd.metrics.names import MetricName, parse_metric, translate_name
from irstd.metrics.registry import Metric, Ranking

OTHER = "ir_measures."  # prefix of measures that ir_measures computes
NO_LIMIT = sys.maxsize  # of the depth


@dataclass
class Task:
    """Metrics to compute for each run, and the options."""

    min_relevance: int  # for metrics whose names have no level
    depth: int
    gain: str
    unjudged: str
    missing: str
    ignore_identical_ids: bool | None
    several: bool  # several metrics were asked for: columns are (metric, system)
    names: list[str] = field(default_factory=list)  # of all metrics, as the columns have them
    # Metrics of irstd and functions of the user, by lowest relevant grade and by name.
    levels: dict[int, dict[str, MetricName]] = field(default_factory=dict)
    measures: dict[str, Any] = field(default_factory=dict)  # of ir_measures, by name

    @property
    def metrics(self) -> dict[str, MetricName]:
        """Metrics by name, over all relevance levels."""
        return {name: parsed for level in self.levels.values() for name, parsed in level.items()}

    @property
    def needs_nonrelevant(self) -> bool:
        """True if a metric or option depends on judged nonrelevant documents."""
        needs = any(parsed.metric.needs_nonrelevant for parsed in self.metrics.values())
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
    task = Task(level, limit, gain, unjudged, missing, ignore_identical_ids, several)
    task.levels[level] = {}
    for metric in requested:
        _add_metric(task, metric)
    if not task.names or len(set(task.names)) < len(task.names):
        raise ValueError(f"metrics must be one or more different names, got {task.names}")
    changed = (depth, level, gain, unjudged) != (None, 1, "linear", "zero")
    if task.measures and changed:
        raise ValueError(
            f"depth, min_relevance, gain and unjudged cannot be given with {listed(task.measures)}:"
            " measures of ir_measures have their own parameters, as in AP(rel=2)"
        )
    return task


def _add_metric(task: Task, metric: Any) -> None:
    """Add a metric, or several functions by name, to the task."""
    if isinstance(metric, str) and metric.startswith(OTHER):
        metric = import_optional("ir_measures").parse_measure(metric.removeprefix(OTHER))
    if isinstance(metric, Mapping):
        for name, function in metric.items():
            _add_function(task, name, function)
    elif type(metric).__module__.partition(".")[0] == "ir_measures":
        name = f"{OTHER}{metric}"
        task.measures[name] = metric
        task.names.append(name)
    elif callable(metric):
        _add_function(task, getattr(metric, "__name__", None), metric)
    else:
        name = translate_name(str(metric))
        parts = parse_metric(name)
        if max(parts.argument, default=0) > task.depth:
            raise ValueError(f"{name} needs ranks beyond depth={task.depth}: give a larger depth")
        level = parts.level or task.min_relevance
        task.levels.setdefault(level, {})[name] = parts
        task.names.append(name)


def _add_function(task: Task, name: Any, function: Any) -> None:
    """Add a user's function of relevance grades by rank to the task.

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

    task.levels[task.min_relevance][name] = MetricName(Metric(name, score_topics))
    task.names.append(name)
