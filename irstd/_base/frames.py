"""Conversion of other libraries' tables to pandas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd


def as_frame(data: Any) -> Any:
    """Convert polars, Arrow or named-tuple data to a DataFrame.

    Tables have a method `to_pandas`; named tuples come from ir_measures and ir_datasets. Other data
    is returned unchanged.
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
        return pd.DataFrame(data)
    return data
