"""Conversion of other libraries' tables to pandas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from irstd._base.messages import listed


def as_frame(data: Any) -> Any:
    """Return polars, Arrow or named-tuple data as a DataFrame, and anything else unchanged.

    Tables are converted by their method `to_pandas`; ir_measures and ir_datasets yield named
    tuples.
    """
    if isinstance(data, pd.DataFrame):
        return data
    if hasattr(data, "to_pandas"):
        frame = data.to_pandas()
        return frame if isinstance(frame, pd.DataFrame) else data
    if isinstance(data, Iterator):
        data = list(data)
    # named tuples, such as ``ScoredDoc``, ``Qrel`` and ``Metric`` of ir_measures
    if isinstance(data, (list, tuple)) and len(data) > 0 and hasattr(data[0], "_fields"):
        return _frame_of_records(data)
    return data


def _frame_of_records(records: Any) -> pd.DataFrame:
    """Return a DataFrame with one row per named tuple; raise if their fields differ."""
    fields = records[0]._fields
    for row, record in enumerate(records):
        if getattr(record, "_fields", None) != fields:
            raise ValueError(
                f"item {row} is {record!s:.60}; expected named tuples ({listed(fields)}) as item 0"
            )
    return pd.DataFrame(records, columns=list(fields))
