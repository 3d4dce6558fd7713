"""What is tested in each column of a paper's table, and the marks that follow from it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from irstd._base.arguments import check_alpha, check_choice
from irstd._base.clusters import Clusters
from irstd.compare.columns import ScoreColumns
from irstd.compare.over_collections import pairs_over_collections
from irstd.seeds import Seeds
from irstd.significance.corrections import CORRECTIONS, WHICH, confidence_set_for_best
from irstd.significance.pair_tests import METHODS as ALL_METHODS
from irstd.significance.pairwise import pairwise_tests

# Tests of spread say nothing of means.
METHODS = [name for name, method in ALL_METHODS.items() if method.spread is None]
BETTER, WORSE, GROUP, CONTRADICTED = "↑↓†≠"


@dataclass(frozen=True)
class Comparison:
    """By what the systems of a table are compared; see `comparison_table`."""

    baselines: list[str] | None  # None: the confidence set for the best is marked
    method: str
    correction: str | None
    alpha: float
    clusters: Clusters | None
    seeds: Seeds | None

    def __post_init__(self) -> None:
        """Raise if no table can be made by it."""
        check_alpha(self.alpha)
        check_choice(self.method, METHODS, "method")
        if self.correction is not None:
            check_choice(self.correction, CORRECTIONS, WHICH)
        if self.baselines is None and self.method != "t":
            raise ValueError("other tests than t need a baseline")
        of_topics = self.method != "t" or self.clusters is not None
        if self.seeds is not None and (self.baselines is None or of_topics):
            raise ValueError("seeds need a baseline, and go with t alone: no clusters")


def tests_of(columns: ScoreColumns, how: Comparison) -> pd.DataFrame:
    """The tests of all columns, one row a pair; without a baseline of who has all topics."""
    tables = columns.tables
    if columns.over_collections and how.method != "t":
        raise ValueError(f'several collections are compared by method="t", not {how.method!r}')
    if how.baselines is None:
        tables = {name: table.dropna(axis="columns") for name, table in tables.items()}
        if min(table.shape[1] for table in tables.values()) < 2:
            raise ValueError("a table without a baseline needs two systems with all topics")
    options: dict = {
        "baseline": how.baselines,
        "correction": how.correction,
        "clusters": how.clusters,
    }
    if columns.over_collections:
        tests = pairs_over_collections(tables, **options)
        return tests.rename(columns={"collection": "column"})
    parts = {}
    for name, table in tables.items():
        missing = "pairwise" if table.isna().any(axis=None) else "raise"
        parts[name] = pairwise_tests(table, how.method, missing=missing, **options)
    tests = pd.concat(parts, names=["column"]).reset_index(level="column")
    return tests.reset_index(drop=True)


def marks_of(tests: pd.DataFrame, how: Comparison) -> pd.DataFrame:
    """The mark, and the p-value that decides about it, by column and system."""
    if how.baselines is None:
        return _confidence_sets_for_best(tests, 1 - how.alpha)
    pvalue = tests["adjusted_pvalue" if how.correction else "pvalue"]
    mark = tests["direction"].map({1: BETTER, -1: WORSE, 0: ""})
    # Of ranks and signs, the test may speak for the system with the smaller mean.
    mark = mark.mask(np.sign(tests["difference"]) != tests["direction"], CONTRADICTED)
    mark = mark.where(pvalue <= how.alpha, "")
    by_system = tests.assign(pvalue=pvalue, mark=mark).groupby(["column", "system_a"])
    marks = by_system.agg(pvalue=("pvalue", "max"), mark=("mark", "first"))
    marks["mark"] = marks["mark"].where(by_system["mark"].nunique() == 1, "")  # than each
    return marks.rename_axis(["column", "system"])


def _confidence_sets_for_best(tests: pd.DataFrame, level: float) -> pd.DataFrame:
    """The marks of the group in each column, by tests of all pairs."""
    marks = {}
    for column, pairs in tests.groupby("column"):
        systems = pd.Index(np.unique(pairs[["system_a", "system_b"]]))
        in_group = confidence_set_for_best(pairs, systems, level)
        marks[column] = in_group.map({True: GROUP, False: ""})
    return pd.concat(marks, names=["column", "system"]).to_frame("mark")
