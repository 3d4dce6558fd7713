"""The marks of a paper's table: arrows, the group of the best, letters, equivalence."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from irstd.significance.letters import letters


def marks_of_groups(tests: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """For each column the marks of the group that holds the best."""
    marks = {name: ranked["best"].map({True: "†", False: ""}) for name, ranked in tests.items()}
    return pd.DataFrame(marks).fillna("")


def marks_of_letters(
    tests: Mapping[str, pd.DataFrame], means: pd.DataFrame, signs: Mapping[str, int], alpha: float
) -> pd.DataFrame:
    """For each column the letters of the systems that are tested in it."""
    marks = {}
    for column in means.columns:
        pairs = tests[column].reset_index()
        tested = means.index.isin([*pairs["system_a"], *pairs["system_b"]])
        goodness = signs[column] * means.loc[tested, column]
        best_first = goodness.sort_values(ascending=False, kind="stable").index
        marks[column] = letters(pairs, best_first, alpha=alpha)
    return pd.DataFrame(marks).fillna("")


def with_equivalent(
    marks: pd.DataFrame, tests: Mapping[str, pd.DataFrame], alpha: float
) -> pd.DataFrame:
    """The marks, with "=" of systems that are within the margin of every baseline."""
    marks = marks.copy()
    for column, pairs in tests.items():
        within = (pairs["margin_pvalue"] <= alpha).groupby(level="system_a").all()
        equivalent = within.index[within]
        places = marks.index.isin(equivalent) & (marks[column] == "")
        marks.loc[places, column] = "="
    return marks


def arrows(
    tests: dict[str, pd.DataFrame],
    correction: str | None,
    alpha: float,
    signs: Mapping[str, int],
) -> tuple[pd.DataFrame, list[str]]:
    """The marks of the systems that are significantly better, or worse, than every baseline.

    Also the systems that have none since a mean is on the other side than its test.
    """
    marks = {}
    contradicted = []
    for metric, pairs in tests.items():
        pvalues = pairs["pvalue" if correction is None else "adjusted_pvalue"]
        is_significant = pvalues <= alpha
        contradicts = is_significant & (np.sign(pairs["difference"]) != pairs["direction"])
        arrows = (signs[metric] * pairs["direction"]).map({1: "↑", -1: "↓", 0: ""})
        by_system = arrows.where(is_significant & ~contradicts, "").groupby(level="system_a")
        marks[metric] = by_system.first().where(by_system.nunique() == 1, "")
        systems = contradicts[contradicts].index.get_level_values("system_a").unique()
        contradicted += [f"{system} in {metric}" for system in systems]
    return pd.DataFrame(marks).fillna(""), contradicted
