"""What is said to users: warnings, lists of names, progress, and what is not installed."""

from __future__ import annotations

import importlib
import re
import sys
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pandas as pd

PACKAGE = str(Path(__file__).parents[1])
PACKAGES = {"IPython": "ipython", "bs4": "beautifulsoup4"}  # of modules with other names
COSTS = re.compile(r"(?i)(?<![a-z])((run)?time|latency|cost|loss|error|wer|perplexity)s?(?![a-z])")
FEW = 10  # fewer standardizing systems say little about a topic


def warn(*messages: str) -> None:
    """Warn at the line outside irstd that led here, however deep the call."""
    level = 1
    frame = sys._getframe()
    while frame.f_back and frame.f_code.co_filename.startswith(PACKAGE):
        level += 1
        frame = frame.f_back
    for message in messages:
        warnings.warn(message, stacklevel=level)


def listed(items: Iterable, limit: int = 5) -> str:
    """The first few items as text, for a message: ``301, 302, 303 and 47 more``."""
    items = [str(item) for item in items]
    text = ", ".join(items[:limit])
    if len(items) > limit:
        text += f" and {len(items) - limit} more"
    return text


def topics_where(holds: pd.DataFrame) -> str:
    """The topics on which something holds of any system, for a message; no text if on none."""
    return listed(holds.index[holds.any(axis=1)])


def warn_of_gaps(scores: pd.DataFrame, effect: str) -> None:
    """Warn of topics on which scores are missing, and say what comes of it."""
    topics = topics_where(scores.isna())
    if topics:
        warn(f"scores are missing on the topics {topics}: {effect}")


def warn_of_cost(metric: str | None, scores: pd.DataFrame) -> None:
    """Warn of a metric that is named like a time, a cost or an error, unless it is negative."""
    if metric and COSTS.search(metric) and (scores > 0).any(axis=None):
        warn(f"{metric}: larger counts as better; if it is not, say smaller_is_better")


def few_systems(n_systems: float) -> list[str]:
    """What has to be said of so few standardizing systems, if they are few."""
    if n_systems >= FEW:
        return []
    return [
        f"there are only {n_systems} standardizing systems: with fewer than {FEW}, standardized"
        " scores say more about these systems than about the topics"
    ]


def needed(module: str) -> Any:
    """A module that is imported when it is used, as not every installation has it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        name = (error.name or module).partition(".")[0]
        raise ModuleNotFoundError(not_installed(name), name=name) from error


def not_installed(name: str) -> str:
    """What to say of a package that is missing, with the line that installs it."""
    return f"this needs {name}, which is not installed: pip install {PACKAGES.get(name, name)}"
