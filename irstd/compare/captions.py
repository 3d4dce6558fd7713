"""The caption of a paper's table: what its numbers and marks are, and what is missing."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from irstd._base.messages import listed
from irstd._base.several import MEAN
from irstd.compare.columns import ScoreColumns
from irstd.compare.paper import NOTHING
from irstd.compare.tested import BETTER, CONTRADICTED, GROUP, WORSE, Comparison

MEANINGS = {
    BETTER: "better than",
    WORSE: "worse than",
    CONTRADICTED: "by mean and test on two sides of",
}


def on_numbers(columns: ScoreColumns, alpha: float) -> str:
    """What the numbers of a table are, and which are bold."""
    what = f"Means over {max(columns.sizes.values())} topics"
    if columns.over_collections:
        topics = ", ".join(f"{name} {len(table)}" for name, table in columns.tables.items())
        what = f"Means over topics ({topics}) and over these {len(columns.tables)} collections"
    if columns.by_seed:
        counts = pd.concat([table.T.groupby("system").size() for table in columns.by_seed.values()])
        what += f", of {_span(counts[counts > 1])} seeds (± standard deviation over seeds)"
    elif columns.over_collections:
        what += f" with their {100 - 100 * alpha:g}% interval for other topics"
    return f"{what}; the largest of each tested column is bold."


def on_marks(marks: pd.Series, tests: pd.DataFrame, how: Comparison) -> str:
    """What the marks of a table mean, and no others, and by what test they are."""
    if how.baselines is None:
        level = f"{100 - 100 * how.alpha:g}%"
        return f"{GROUP}: in the {level} confidence set for the best system."
    there = set(marks)
    others = listed(how.baselines, 20)
    if len(how.baselines) > 1:
        others = f"each of {others}"
    said = ", ".join(f"{mark} {meaning}" for mark, meaning in MEANINGS.items() if mark in there)
    said = said or "None is significantly better or worse than"
    sentence = f"{said} {others} ({_on_tests(tests, how)})"
    return f"{sentence}."


def _on_tests(tests: pd.DataFrame, how: Comparison) -> str:
    """By what test systems are compared, and how many are corrected together."""
    said = how.method
    if how.seeds is not None:
        said = "t on topics and seeds"
    if how.correction is not None:
        by_column = tests["column"].value_counts()
        family = f"{_span(by_column)} tests in each metric"
        if MEAN in by_column:
            family = f"all {len(tests)} tests"
        said += f", {how.correction} over {family}"
    return f"{said}, p ≤ {how.alpha:g}"


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
