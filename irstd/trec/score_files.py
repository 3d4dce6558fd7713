"""Tables of scores in files of JSON, and which of their columns hold scores."""

from __future__ import annotations

import pandas as pd

from irstd._base.messages import listed
from irstd.trec._cells import Source
from irstd.trec._columns import names_systems, role_of
from irstd.trec.forms import json_lines

FORMS = (
    "tables of scores are read from CSV or TSV, Parquet, an object of JSON in each line, and what"
    " trec_eval -q or ir_measures -q prints"
)


def read_json_lines(text: str, source: Source) -> pd.DataFrame:
    """The table of a file with an object of JSON in each line, by the numbers of lines."""

    def fail_at(problem: str, line: int) -> None:
        source.fail(f"{problem}; {FORMS}", line)

    rows = json_lines(text, fail_at)
    if rows is None:
        fail_at("is JSON, but no object of names and numbers", 1)
        return pd.DataFrame()
    for line, row in rows.items():
        for name, held in row.items():
            if isinstance(held, float) and role_of(name) in ("topic", "system"):
                fail_at(f"{name} is {held!r}; expected an id as text or a whole number", line)
    return pd.DataFrame(list(rows.values()), list(rows), dtype=object)


def chosen(table: pd.DataFrame, source: Source) -> pd.DataFrame:
    """The columns of a table that hold scores by the user's word, and those that name them."""
    if source.columns is None:
        return table
    absent = [name for name in source.columns if name not in table]
    if absent:
        source.fail(f"has no column {listed(absent)}; its columns are {listed(table.columns, 9)}")
    kept = []
    for name in table.columns:
        names_rows = role_of(name) in ("topic", "system", "metric")
        names_rows |= names_systems(name, table[name])
        if source.topic_column is not None and role_of(name) == "topic":
            names_rows = False
        if name in source.columns or name in ("", source.topic_column) or names_rows:
            kept.append(name)
    return table[kept]
