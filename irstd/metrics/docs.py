"""What documentation says of the metrics, as the registry has it."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable
from typing import TypeVar

from irstd.metrics.registry import REGISTRY

Function = TypeVar("Function", bound=Callable)
WIDTH = 92  # characters of a line


def with_metrics(function: Function) -> Function:
    """Put table, notes and references in place of the lines METRIC_TABLE ... of a docstring."""
    docstring = inspect.cleandoc(function.__doc__ or "")  # it is None with python -OO
    docstring = docstring.replace("METRIC_TABLE", metric_table())
    docstring = docstring.replace("METRIC_NOTES", textwrap.fill(metric_notes(), WIDTH))
    function.__doc__ = docstring.replace("METRIC_REFERENCES", metric_references())
    return function


def metric_table() -> str:
    """A table of names and formulas, in reStructuredText."""
    rows = [(", ".join(metric.forms), metric.formula) for metric in REGISTRY.values()]
    rows.append(("n...", "divided by the score of the ideal ranking of all that is relevant"))
    name_width = max(len(names) for names, _ in rows)
    formula_width = max(len(formula) for _, formula in rows)
    rule = "=" * name_width + " " + "=" * formula_width
    lines = [f"{names:{name_width}} {formula}" for names, formula in rows]
    return "\n".join([rule, *lines, rule])


def metric_notes() -> str:
    """What is to be said below the table, in sentences."""
    return " ".join(metric.note for metric in REGISTRY.values() if metric.note)


def metric_references() -> str:
    """Where the metrics are defined, those that have a DOI."""
    references = []
    for metric in REGISTRY.values():
        if metric.doi:
            references.append(f"{metric.name}: {metric.source}, doi:{metric.doi}")
    return textwrap.fill("; ".join(references) + ".", WIDTH, break_on_hyphens=False)
