"""The marks of a paper's table, and the sentence of its caption on them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from irstd._base.messages import listed
from irstd.compare.columns import Rules
from irstd.rankings.ranks import group_of_the_best
from irstd.significance.tested_pairs import LEAST_TO_DIFFER

BETTER, WORSE, GROUP, EQUIVALENT, CONTRADICTED = "↑↓†=≠"
MEANINGS = {
    BETTER: "better than",
    WORSE: "worse than",
    CONTRADICTED: "by mean and test on two sides of",
}


def marks_of(tests: pd.DataFrame, rules: Rules, signs: pd.Series) -> pd.DataFrame:
    """The mark, and the p-value that decides about it, by column and system."""
    better = tests["column"].map(signs)
    if rules.baselines is None:
        return _groups_of_the_best(
            tests.assign(difference=better * tests["difference"]), rules.alpha
        )
    pvalue = tests["adjusted_pvalue" if rules.correction else "pvalue"]
    mark = (better * tests["direction"]).map({1: BETTER, -1: WORSE, 0: ""})
    # Of ranks and signs, the test may speak for the system with the smaller mean.
    mark = mark.mask(np.sign(tests["difference"]) != tests["direction"], CONTRADICTED)
    mark = mark.where(pvalue <= rules.alpha, "")
    if rules.margin is not None:
        mark = mark.mask((mark == "") & (tests["margin_pvalue"] <= rules.alpha), EQUIVALENT)
    by_system = tests.assign(pvalue=pvalue, mark=mark).groupby(["column", "system_a"])
    marks = by_system.agg(pvalue=("pvalue", "max"), mark=("mark", "first"))
    marks["mark"] = marks["mark"].where(by_system["mark"].nunique() == 1, "")  # than each
    return marks.rename_axis(["column", "system"])


def _groups_of_the_best(tests: pd.DataFrame, alpha: float) -> pd.DataFrame:
    """The marks of the group in each column, by tests of all pairs."""
    marks = {}
    for column, pairs in tests.groupby("column"):
        systems = pd.Index(np.unique(pairs[["system_a", "system_b"]]))
        in_group = group_of_the_best(pairs, systems, 1 - alpha)
        marks[column] = in_group.map({True: GROUP, False: ""})
    return pd.concat(marks, names=["column", "system"]).to_frame("mark")


def on_marks(marks: pd.Series, tests: pd.DataFrame, rules: Rules, how: str) -> str:
    """What the marks of a table mean, and no others; `how` systems were compared."""
    if rules.baselines is None:
        return (
            f"{GROUP}: in the group that holds the best system with {100 - 100 * rules.alpha:g}%."
        )
    there = set(marks)
    others = listed(rules.baselines, 20)
    if len(rules.baselines) > 1:
        others = f"each of {others}"
    said = ", ".join(f"{mark} {meaning}" for mark, meaning in MEANINGS.items() if mark in there)
    said = said or "None is significantly better or worse than"
    sentence = f"{said} {others} ({how})"
    if rules.margin is not None:
        mark = EQUIVALENT if EQUIVALENT in there else "none is"
        one_sided = "two one-sided tests"
        if rules.correction is not None:
            one_sided += ", corrected"
        sentence += f"; {mark} within {rules.margin:g} of {others} ({one_sided})"
        few = tests["system_a"][tests["differ"] < LEAST_TO_DIFFER].unique()
        if len(few):
            sentence += (
                f", but no verdict on {listed(few, 20)}, where fewer than {LEAST_TO_DIFFER} topics"
                " differ"
            )
    return f"{sentence}."
