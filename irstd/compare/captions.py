"""The sentences of a table's caption: what is bold, what the marks mean, and no others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from irstd._base.messages import listed
from irstd._base.several import MEAN

NOTHING = "–"  # the cell of a system that has no score in a metric


def what_is_bold(signs: Mapping[str, int], beside: pd.DataFrame) -> str:
    """Which numbers of the table are bold."""
    smallest = [column for column, sign in signs.items() if sign < 0]
    without = [column for column in beside.columns if column not in signs]
    of_which = "of each column" if not without else f"of {listed(signs, 20)}"
    if not smallest:
        return f"the largest {of_which} is bold"
    return f"the best {of_which} is bold, of {listed(smallest, 20)} the smallest"


def on_groups(marks: pd.DataFrame, level: float, tested_all: bool) -> list[str]:
    """What the mark of the group means, if there is one."""
    if "†" not in marks.to_numpy():
        return []
    of_which = "" if tested_all else " of those tested"
    return [f"†: in the group that holds the best system{of_which} with {100 * level:g}%."]


def on_margin(marks: pd.DataFrame, baseline: str | Sequence[str], margin: float) -> list[str]:
    """What the mark of equivalence means, or that there is none."""
    name = baseline if isinstance(baseline, str) else f"each of {listed(baseline, 20)}"
    within = f"within {margin:g} of {name} (two one-sided tests, corrected)"
    if "=" in marks.to_numpy():
        return [f"= {within}."]
    return [f"None is {within}."]


def comparison(marks: pd.DataFrame, baseline: str | Sequence[str]) -> str:
    """What the arrows of the table mean, and no others."""
    meanings = []
    if "↑" in marks.to_numpy():
        meanings.append("↑ better than")
    if "↓" in marks.to_numpy():
        meanings.append("↓ worse than")
    if not meanings:
        meanings.append("None is significantly better or worse than")
    if isinstance(baseline, str):
        return f"{', '.join(meanings)} {baseline}"
    return f"{', '.join(meanings)} each of {listed(baseline, 20)}"


def family(tests: dict[str, pd.DataFrame], correction: str | None) -> str:
    """Which correction, and over how many tests: those of each metric by themselves."""
    if not correction:
        return ""
    numbers = {metric: len(pairs) for metric, pairs in tests.items()}
    if len(set(numbers.values())) == 1:
        (number, *_) = numbers.values()
        return f", {correction} over {number} tests in each metric"
    by_metric = [f"{number} in {metric}" for metric, number in numbers.items()]
    return f", {correction} over the tests in each metric: {', '.join(by_metric)}"


def on_contradictions(contradicted: list[str]) -> list[str]:
    """Who has no mark since mean and test are on two sides."""
    if not contradicted:
        return []
    named = listed(contradicted, 20)
    return [f"Not marked, as the mean is on the other side than the test: {named}."]


def on_gaps(
    means: pd.DataFrame,
    beside: pd.DataFrame,
    counts: pd.DataFrame,
    topics: pd.Series,
    baseline: str | Sequence[str] | None,
) -> list[str]:
    """What is not tested, who lacks topics (`counts` are theirs), and what a dash means."""
    sentences = []
    if len(beside.columns):
        sentences.append(f"Not tested: {listed(beside.columns, 20)}.")
    if len(counts):
        how = "neither bold nor marked" if baseline is None else "compared on these, not bold"
        systems = _with_topics(counts, topics)
        sentences.append(f"Unfinished, with so many topics, {how}: {systems}.")
    if means.isna().any(axis=None) or beside.isna().any(axis=None):
        sentences.append(f"{NOTHING}: no score in this column.")
    return sentences


def _with_topics(counts: pd.DataFrame, topics: pd.Series) -> str:
    """The unfinished systems, with their topics: of each metric, where these are not the same."""
    systems = []
    for system in counts.index:
        scored = counts.loc[system]
        scored = scored[scored > 0]
        if scored.nunique() == topics.nunique() == 1:
            systems.append(f"{system} ({scored.iloc[0]:.0f})")
            continue
        short = scored[scored < topics[scored.index]].drop(MEAN, errors="ignore")
        numbers = [f"{number:.0f} in {metric}" for metric, number in short.items()]
        systems.append(f"{system} ({', '.join(numbers)})")
    return ", ".join(systems)
