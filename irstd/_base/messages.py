"""Warnings and error messages, and imports of optional packages."""

from __future__ import annotations

import importlib
import re
import sys
import warnings
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

import pandas as pd

PACKAGE = str(Path(__file__).parents[1])
COSTS = re.compile(r"(?i)(?<![a-z])((run)?time|latency|cost|loss|error|wer|perplexity)s?(?![a-z])")
FEW = 10  # fewer standardizing systems say little about a topic


def warn(*messages: str) -> None:
    """Issue warnings that point to the calling line outside irstd."""
    level = 1
    frame = sys._getframe()
    while frame.f_back and frame.f_code.co_filename.startswith(PACKAGE):
        level += 1
        frame = frame.f_back
    for message in messages:
        warnings.warn(message, stacklevel=level)


def listed(items: Iterable, limit: int = 5) -> str:
    """Format the first items for a message: ``301, 302, 303 and 47 more``."""
    items = [str(item) for item in items]
    text = ", ".join(items[:limit])
    if len(items) > limit:
        text += f" and {len(items) - limit} more"
    return text


def list_items(items: Collection, noun: str = "topics", limit: int = 5) -> str:
    """Format items for a message: ``topic 301`` or ``topics 301, 302``, "" if none."""
    if len(items) == 1:
        noun = noun.rstrip("s")
    return f"{noun} {listed(items, limit)}" if len(items) else ""


def format_topics(holds: pd.DataFrame) -> str:
    """Format the topics where a condition holds for any system, "" if none."""
    return list_items(holds.index[holds.any(axis=1)])


def warn_of_gaps(scores: pd.DataFrame, effect: str) -> None:
    """Warn about topics with missing scores, and state the effect."""
    topics = format_topics(scores.isna())
    if topics:
        warn(f"scores are missing on {topics}: {effect}")


def warn_of_cost(metric: str | None, scores: pd.DataFrame) -> None:
    """Warn if a metric looks like a time, cost or error, where smaller is better."""
    if metric and COSTS.search(metric) and (scores > 0).any(axis=None):
        warn(
            f"{metric}: larger values count as better; if smaller is better, pass smaller_is_better"
        )


def describe_few_systems(n_systems: float) -> list[str]:
    """Return a list with a warning if there are few standardizing systems."""
    if n_systems >= FEW:
        return []
    return [
        f"there are only {n_systems} standardizing systems: with fewer than {FEW}, standardized"
        " scores depend more on these systems than on the topics"
    ]


def import_optional(module: str) -> Any:
    """Import an optional module, or raise with the command that installs it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        name = (error.name or module).partition(".")[0]
        raise ModuleNotFoundError(describe_missing_package(name), name=name) from error


def describe_missing_package(name: str) -> str:
    """Return the message for a missing package, with its install command."""
    return f"this needs {name}, which is not installed: pip install {name}"
