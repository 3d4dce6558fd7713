"""Argument checks: errors say what was wrong, what was found and what is accepted."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

import numpy as np
import pandas as pd


def some(items: Iterable, limit: int = 5) -> str:
    """The first few items as text, for a message: ``301, 302, 303 and 47 more``."""
    items = [str(item) for item in items]
    text = ", ".join(items[:limit])
    return text + (f" and {len(items) - limit} more" if len(items) > limit else "")


def check_choice(value: object, choices: Iterable[str], name: str) -> None:
    """Raise ValueError unless `value` is one of `choices`."""
    choices = list(choices)
    if value in choices:
        return
    near = difflib.get_close_matches(str(value), choices, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise ValueError(f"{name} must be one of {some(map(repr, choices), 40)}, got {value!r}{hint}")


def check_count(value: object, name: str, minimum: int = 1) -> int:
    """Return `value` as int, or raise if it is not a whole number >= `minimum`."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"{name} must be a whole number, got {value!r}")
    if value < minimum:
        raise ValueError(f"{name} must be at least {minimum}, got {value}")
    return int(value)


def check_columns(frame: pd.DataFrame, columns: Iterable[str], name: str) -> None:
    """Raise unless `frame` is a DataFrame that has all of `columns`."""
    if not isinstance(frame, pd.DataFrame):
        raise TypeError(f"{name} must be a DataFrame, got {type(frame).__name__}")
    absent = [column for column in columns if column not in frame.columns]
    if absent:
        raise ValueError(
            f"{name} lacks the column {some(map(repr, absent))}; found {some(frame.columns, 10)};"
            f" expected {some(columns)}"
        )


def ids(column: pd.Series, name: str) -> list[str]:
    """Topic or document ids as a list of str; whole numbers are turned into text."""
    if column.isna().any():
        raise ValueError(f"{name} has missing values in {int(column.isna().sum())} rows")
    if pd.api.types.is_integer_dtype(column):
        return column.astype(str).tolist()
    values = column.tolist()
    if set(map(type, values)) - {str}:
        odd = next(value for value in values if type(value) is not str)
        raise TypeError(f"{name} must be text, got {odd!r} ({type(odd).__name__})")
    return values


def check_scores(scores: pd.DataFrame, name: str = "scores") -> pd.DataFrame:
    """Return a score matrix with text topic ids and the index and column names set.

    Raises if it is not a numeric DataFrame with at least one topic and one system, if a topic or
    a system stands in it twice, or if a score is infinite. NaN (no score) is let through.
    """
    if not isinstance(scores, pd.DataFrame):
        raise TypeError(
            f"{name} must be a score matrix (a DataFrame: a row a topic, a column a system),"
            f" got {type(scores).__name__}"
        )
    if scores.empty:
        raise ValueError(f"{name} is empty: {len(scores)} topics x {scores.shape[1]} systems")
    text = [column for column, kind in scores.dtypes.items() if kind.kind not in "fiub"]
    if text:
        raise TypeError(f"{name} must be numbers; not so in the column {some(text)}")
    for axis, labels in (("topic", scores.index), ("system", scores.columns)):
        if not labels.is_unique:
            twice = some(labels[labels.duplicated()].unique())
            raise ValueError(f"{name} has the {axis} {twice} more than once")
    matrix = scores.astype(float)
    if np.isinf(matrix.to_numpy()).any():
        topic, system = np.argwhere(np.isinf(matrix.to_numpy()))[0]
        where = f"topic {matrix.index[topic]}, system {matrix.columns[system]}"
        raise ValueError(f"{name} must be finite; infinite at {where}")
    matrix.index = matrix.index.astype(str).rename("topic")
    if matrix.columns.nlevels == 1:
        matrix.columns = matrix.columns.rename("system")
    return matrix
