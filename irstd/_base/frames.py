"""Tables of other libraries as pandas frames."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from irstd._base.messages import listed


def as_frame(data: Any) -> Any:
    """A frame of polars, a table of Arrow, a list of named tuples as a DataFrame; else `data`.

    A library that gives its tables to pandas has `to_pandas`; ir_measures and ir_datasets give
    their lines one by one, as named tuples.
    """
    if isinstance(data, pd.DataFrame):
        return data
    if hasattr(data, "to_pandas"):
        frame = data.to_pandas()
        return frame if isinstance(frame, pd.DataFrame) else data
    if isinstance(data, Iterator):
        data = list(data)
    # a list of named tuples, as ir_measures' ``ScoredDoc``, ``Qrel``, ``Metric``
    if isinstance(data, (list, tuple)) and len(data) > 0 and hasattr(data[0], "_fields"):
        return _frame_of_records(data)
    return data


def _frame_of_records(records: Any) -> pd.DataFrame:
    """A row a named tuple; ValueError if they are not all of one kind."""
    fields = records[0]._fields
    for row, record in enumerate(records):
        if getattr(record, "_fields", None) != fields:
            raise ValueError(
                f"item {row} is {record!s:.60}; expected named tuples ({listed(fields)}) as item 0"
            )
    return pd.DataFrame(records, columns=list(fields))
