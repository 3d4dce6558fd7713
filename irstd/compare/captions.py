"""The caption of a paper's table: what its numbers are, what was tested, and what is missing."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from irstd._base.messages import listed
from irstd.compare.columns import Columns, Rules

NOTHING = "–"  # the cell of a system that has no score in a column


def on_numbers(columns: Columns, signs: pd.Series, alpha: float) -> str:
    """What the numbers of a table are, and which are bold."""
    sizes = {name: len(table) for name, table in columns.tables.items()}
    what = f"Means over {max(sizes.values())} topics"
    if columns.over_collections:
        topics = ", ".join(f"{name} {number}" for name, number in sizes.items())
        what = f"Means over topics ({topics}) and over these {len(sizes)} collections"
    if columns.by_seed:
        counts = pd.concat([table.T.groupby("system").size() for table in columns.by_seed.values()])
        what += f", of {_span(counts[counts > 1])} seeds (± standard deviation over seeds)"
    elif columns.over_collections:
        what += f" with their {100 - 100 * alpha:g}% interval for other topics"
    smaller = ", ".join(signs.index[signs < 0])
    but = f", of {smaller} the smallest" if smaller else ""
    return f"{what}; the largest of each tested column is bold{but}."


def on_tests(columns: Columns, rules: Rules, tests: pd.DataFrame) -> str:
    """By what test systems are compared, and how many are corrected together."""
    how = "t on topics and seeds" if columns.by_seed else rules.method
    if rules.correction is not None:
        family = f"{_span(tests['column'].value_counts())} tests in each metric"
        if columns.over_collections:
            family = f"all {len(tests)} tests"
        how += f", {rules.correction} over {family}"
    return f"{how}, p ≤ {rules.alpha:g}"


def on_gaps(cells: pd.DataFrame, beside: pd.DataFrame) -> str:
    """What is not tested, who lacks topics, and what a dash means."""
    said = []
    if len(beside.columns):
        said.append(f"not tested: {listed(beside.columns, 20)}")
    topics = cells["topics"][(cells["topics"] > 0) & ~cells["finished"]]
    if len(topics):
        least = topics.groupby("system", sort=False).min()
        systems = listed((f"{system} ({number:.0f})" for system, number in least.items()), 20)
        said.append(f"unfinished, with so many topics, not taken for the best: {systems}")
    if cells["mean"].isna().any() or beside.isna().any(axis=None):
        said.append(f"{NOTHING}: no score in this column")
    sentence = "; ".join(said)
    return f"{sentence[:1].upper()}{sentence[1:]}." if said else ""


def _span(numbers: Iterable[int]) -> str:
    """A number, or the least and the largest of several."""
    ends = dict.fromkeys([min(numbers), max(numbers)])
    return " to ".join(map(str, ends))
