"""What `irstd.evaluate` is asked to compute, checked."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from irstd._base.arguments import check_choice, check_count, check_real, check_text
from irstd._base.messages import listed, needed
from irstd.metrics import parse_metric
from irstd.metrics.other_names import from_trec_eval

OTHER = "ir_measures."  # before the names of measures that ir_measures computes
NO_LIMIT = sys.maxsize  # of the depth


@dataclass
class Task:
    """What is to be computed of each run."""

    min_relevance: int  # for metrics whose names do not say it
    depth: int
    gain: str
    count_unjudged: bool  # whether what nobody judged counts as relevant
    only_judged: bool  # whether runs are left with what somebody judged
    needs_nonrelevant: bool  # whether documents count that are judged not relevant
    levels: dict[int, list[str]]  # by the lowest grade that is relevant: metrics of irstd
    names: list[str] = field(default_factory=list)  # of all metrics, as the columns have them
    measures: dict[str, Any] = field(default_factory=dict)  # of ir_measures, by name
    functions: dict[str, Callable] = field(default_factory=dict)  # of the user, by name


def task_of(metrics: Any, depth: Any, min_relevance: Any, gain: str, unjudged: str) -> Task:
    """The task of these arguments of `irstd.evaluate`."""
    check_choice(gain, ("linear", "exponential"), "gain")
    check_choice(unjudged, ("zero", "relevant", "drop"), "unjudged")
    level = check_count(min_relevance, "min_relevance")
    limit = NO_LIMIT
    if depth is not None:
        limit = check_count(depth, "depth")
    count_unjudged = unjudged == "relevant"
    task = Task(
        min_relevance=level,
        depth=limit,
        gain=gain,
        count_unjudged=count_unjudged,
        only_judged=unjudged == "drop",
        needs_nonrelevant=unjudged != "zero",
        levels={level: []},
    )
    for metric in _each(metrics):
        _add(task, metric)
    if not task.names or len(set(task.names)) < len(task.names):
        raise ValueError(f"metrics must be one or more, each once, got {listed(task.names, 20)}")
    _check_measures(task)
    return task


def _each(metrics: Any) -> Iterator:
    """The metrics one by one; a function with its name is a pair."""
    if isinstance(metrics, str) or not isinstance(metrics, Sequence):
        metrics = [metrics]
    for metric in metrics:
        if isinstance(metric, Mapping):
            yield from metric.items()
        else:
            yield metric


def _add(task: Task, metric: Any) -> None:
    """Add a metric to what it is computed with."""
    if isinstance(metric, str) and metric.startswith(OTHER):
        metric = needed("ir_measures").parse_measure(metric.removeprefix(OTHER))
    is_measure = type(metric).__module__.partition(".")[0] == "ir_measures"
    if is_measure:
        name = f"{OTHER}{metric}"
        task.measures[name] = metric
    elif isinstance(metric, tuple):
        name, function = metric
        _add_function(task, name, function)
    elif callable(metric):
        name = _name_of(metric)
        _add_function(task, name, metric)
    else:
        name = repr(metric)
        if isinstance(metric, str):
            name = from_trec_eval(metric)
        _add_metric(task, name)
    task.names.append(name)


def _add_function(task: Task, name: Any, function: Any) -> None:
    """Add a function of the user."""
    if not callable(function):
        raise TypeError(f"the metric {name!r} must be a function of grades by rank")
    name = check_text(name, "the name of a metric")
    task.functions[name] = function
    trial = np.zeros(100)
    trial[0] = 1
    number_of(function(trial), f"{name}, tried on 100 ranks, the first relevant,")


def _name_of(function: Any) -> str:
    """The name of a function that was given without one."""
    name = getattr(function, "__name__", None)
    if not isinstance(name, str):
        raise TypeError(f'a metric has no name: give it one, {{"mine": {function!r:.60}}}')
    return name


def number_of(value: Any, name: str) -> float:
    """What a function of the user returned as a number: a truth is 0 or 1."""
    if isinstance(value, (np.generic, np.ndarray)) and value.ndim == 0:
        value = value.item()
    if isinstance(value, bool):
        value = int(value)
    return check_real(value, name)


def _add_metric(task: Task, name: str) -> None:
    """Add a metric of irstd."""
    parts = parse_metric(name)
    if max(parts.argument, default=0) > task.depth:
        raise ValueError(f"{name} looks at ranks below depth={task.depth}")
    level = parts.level or task.min_relevance
    task.levels.setdefault(level, []).append(name)
    if parts.metric.needs_nonrelevant:
        task.needs_nonrelevant = True


def _check_measures(task: Task) -> None:
    """Refuse measures of ir_measures together with arguments that do not bind them."""
    as_by_default = (
        task.depth == NO_LIMIT
        and task.min_relevance == 1
        and task.gain == "linear"
        and not task.count_unjudged
        and not task.only_judged
    )
    if task.measures and not as_by_default:
        raise ValueError(
            "depth, min_relevance, gain and unjudged are not those of measures of ir_measures, as"
            f" AP(rel=2), which say themselves; evaluate {listed(task.measures)} in another call"
        )
