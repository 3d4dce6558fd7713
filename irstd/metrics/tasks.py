"""Checked arguments of `irstd.evaluate`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from irstd._base.arguments import check_choice, check_count, check_flag, check_real, check_text
from irstd._base.messages import import_optional, listed
from irstd.metrics.names import MetricName, our_name, parse_metric
from irstd.metrics.registry import Metric, Ranking

OTHER = "ir_measures."  # before the names of measures that ir_measures computes
NO_LIMIT = sys.maxsize  # of the depth


@dataclass
class Task:
    """Metrics to compute for each run, with the options."""

    min_relevance: int  # for metrics whose names do not say it
    depth: int
    gain: str
    unjudged: str
    missing: str
    ignore_identical_ids: bool | None
    several: bool  # metrics, so that the columns say which
    names: list[str] = field(default_factory=list)  # of all metrics, as the columns have them
    # Metrics of irstd and functions of the user, by the lowest grade that is relevant, and by name.
    levels: dict[int, dict[str, MetricName]] = field(default_factory=dict)
    measures: dict[str, Any] = field(default_factory=dict)  # of ir_measures, by name

    @property
    def needs_nonrelevant(self) -> bool:
        """True if documents that are judged not relevant matter."""
        if self.unjudged != "zero":
            return True
        metrics = [parts.metric for level in self.levels.values() for parts in level.values()]
        return any(metric.needs_nonrelevant for metric in metrics)


def task_of(
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
    check_choice(unjudged, ("zero", "relevant", "drop"), "unjudged")
    check_choice(missing, ("zero", "nan", "raise"), "missing")
    if ignore_identical_ids is not None:
        check_flag(ignore_identical_ids, "ignore_identical_ids")
    level = check_count(min_relevance, "min_relevance")
    limit = NO_LIMIT
    if depth is not None:
        limit = check_count(depth, "depth")
    several = isinstance(metrics, (Sequence, Mapping)) and not isinstance(metrics, str)
    task = Task(level, limit, gain, unjudged, missing, ignore_identical_ids, several)
    task.levels[level] = {}
    for metric in _iterate(metrics):
        _add(task, metric)
    if not task.names or len(set(task.names)) < len(task.names):
        raise ValueError(f"metrics must be one or more, each once, got {listed(task.names, 20)}")
    changed = (depth, level, gain, unjudged) != (None, 1, "linear", "zero")
    if task.measures and changed:
        raise ValueError(
            "depth, min_relevance, gain and unjudged are not those of measures of ir_measures, as"
            f" AP(rel=2), which say themselves; evaluate {listed(task.measures)} in another call"
        )
    return task


def _iterate(metrics: Any) -> Iterator:
    """Yield each metric; a function with a given name is a pair."""
    if isinstance(metrics, str) or not isinstance(metrics, Sequence):
        metrics = [metrics]
    for metric in metrics:
        if isinstance(metric, Mapping):
            yield from metric.items()
        else:
            yield metric


def _add(task: Task, metric: Any) -> None:
    """Add a metric to the task."""
    if isinstance(metric, str) and metric.startswith(OTHER):
        metric = import_optional("ir_measures").parse_measure(metric.removeprefix(OTHER))
    is_measure = type(metric).__module__.partition(".")[0] == "ir_measures"
    if is_measure:
        name = f"{OTHER}{metric}"
        task.measures[name] = metric
    elif isinstance(metric, tuple) or callable(metric):
        name, function = _split_name(metric)
        task.levels[task.min_relevance][name] = _wrap_function(name, function)
    else:
        name = our_name(str(metric))
        parts = parse_metric(name)
        if max(parts.argument, default=0) > task.depth:
            raise ValueError(f"{name} looks at ranks below depth={task.depth}")
        level = parts.level or task.min_relevance
        task.levels.setdefault(level, {})[name] = parts
    task.names.append(name)


def _split_name(metric: Any) -> tuple[str, Callable]:
    """Return the name of a user's function, and the function."""
    if isinstance(metric, tuple):
        name, function = metric
    else:
        name = getattr(metric, "__name__", None)
        function = metric
    if name is None:
        raise TypeError(f'a metric has no name: give it one, {{"mine": {function!r:.60}}}')
    if not callable(function):
        raise TypeError(f"the metric {name!r} must be a function of grades by rank")
    return check_text(name, "the name of a metric"), function


def _wrap_function(name: str, function: Callable) -> MetricName:
    """Wrap a user's function of the grades by rank, 0 where not relevant."""

    def by_topic(ranking: Ranking) -> np.ndarray:
        grades = np.where(ranking.hits, ranking.grades, 0)
        values = np.zeros(len(grades))
        for topic, length in enumerate(ranking.lengths):
            if length:
                values[topic] = _to_number(function(grades[topic, :length].copy()), name)
        return values

    return MetricName(Metric(name, by_topic))


def _to_number(value: Any, name: str) -> float:
    """Convert the result of a user's function to a number: True is 1."""
    if isinstance(value, (np.generic, np.ndarray)) and value.ndim == 0:
        value = value.item()
    if isinstance(value, bool):
        value = int(value)
    return check_real(value, name)
