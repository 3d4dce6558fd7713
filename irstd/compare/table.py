"""The table of a paper: several metrics, each tested by itself against a baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from irstd._base.arguments import check_alpha, check_choice
from irstd._base.matrix import scores_by_metric
from irstd.compare.captions import (
    NOTHING,
    comparison,
    family,
    on_contradictions,
    on_gaps,
    on_groups,
    what_is_bold,
)
from irstd.rankings.ranks import rank_intervals
from irstd.significance import pair_tests
from irstd.significance.means import pairwise_tests

MARKS = {
    "↑": r"$^{\uparrow}$",
    "↓": r"$^{\downarrow}$",
    "†": r"$^{\dagger}$",
    NOTHING: "--",
}
ESCAPED = str.maketrans(
    {sign: f"\\{sign}" for sign in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "≤": r"$\leq$"}
    | MARKS
)
SIGNS = str.maketrans(MARKS)


@dataclass(frozen=True, eq=False)
class ComparisonTable:
    """What `comparison_table` gives: print it, or write its ``to_latex()`` to a file.

    Attributes
    ----------
    means : DataFrame
        A row for each system, best first by the first metric, and a column for each metric.
    marks : DataFrame
        Of the same form: ``"↑"`` better and ``"↓"`` worse than the baseline; ``"†"`` in the group
        that holds the best; else ``""``.
    tests : DataFrame
        Columns ``(metric, column)``, rows as in `means`: those of `pairwise_tests` with the
        baseline, or of `rank_intervals`.
    beside : DataFrame
        Columns without a test.
    caption : str
        What the marks in the table mean, and no others; which systems lack topics or scores.
    """

    means: pd.DataFrame
    marks: pd.DataFrame
    tests: pd.DataFrame
    beside: pd.DataFrame
    caption: str
    _unfinished: pd.DataFrame  # of the form of means: whether a system lacks some of the topics
    _better: dict[str, int]  # of each column that has a best: 1 if larger is better, else -1

    def _cells(self, bold: str) -> pd.DataFrame:
        figures = self.means.round(12).join(self.beside)  # equal on paper
        text = figures.map("{:.3f}".format).where(figures.notna(), NOTHING)
        # A mean over other topics is not the best; numbers beside may be of any metric.
        left_out = self._unfinished.copy()
        for column in self.beside.columns:
            left_out[column] = self._unfinished.any(axis=1)
        comparable = figures.mask(left_out)
        for column, sign in self._better.items():
            goodness = sign * comparable[column]
            is_best = goodness == goodness.max()
            text[column] = text[column].mask(is_best, text[column].map(bold.format))
        text[self.means.columns] += self.marks
        return text

    def __str__(self) -> str:
        """The table as text, the best of each column between asterisks."""
        return f"{self._cells('*{}*').to_string()}\n{self.caption}"

    def to_latex(self, *, caption: str | None = None, label: str = "tab:runs") -> str:
        """The table as LaTeX, for the package booktabs; the best of each column is bold."""
        cells = self._cells(r"\textbf{{{}}}").map(lambda cell: cell.translate(SIGNS))
        cells.columns = [str(name).translate(ESCAPED) for name in cells]
        # No [ or * after a line's end
        cells.insert(0, "run", [f"{{}}{name.translate(ESCAPED)}" for name in cells.index])
        if caption is None:
            caption = self.caption
        n_numbers = cells.shape[1] - 1
        return cells.to_latex(
            index=False,
            column_format="l" + n_numbers * "r",
            caption=caption.translate(ESCAPED),
            label=label,
            position="ht",
        )


def comparison_table(
    scores: pd.DataFrame,
    baseline: str | Sequence[str] | None,
    *,
    correction: str | None = "holm",
    method: str = "t",
    alpha: float = 0.05,
    beside: pd.DataFrame | None = None,
    better: Mapping[str, str] | None = None,
) -> ComparisonTable:
    """The table of a paper: systems by metrics, each metric with tests of its own.

    Parameters
    ----------
    scores : DataFrame
        Scores in one metric, or several with columns ``(metric, system)``, each with the baseline.
        Means are over the topics that a system has, tests over those that both have.
    baseline : str, list of str or None
        The system that all others are compared with, chosen before the scores were seen; a list, if
        a mark shall mean: than each of these. None: no system is tested; marked is the group that
        holds the best, see `rank_intervals`, at the level 1 - alpha, which needs five topics.
    correction, method
        As in `pairwise_tests`, but for tests of spread, which say nothing of means. The family that
        is corrected for are the pairs of one metric.
    alpha : float, default 0.05
        A system is marked if its p, corrected, is at most this.
    beside : DataFrame, optional
        Numbers to be shown without a test, such as `gmap`: a row for each system.
    better : dict of str to str, optional
        By column, ``"larger"`` or ``"smaller"``: which is better. Of the metrics, larger, unless it
        is said otherwise here; of the columns beside, none is, and nothing is bold, unless it is
        said: ``{"ms per query": "smaller"}``.

    Returns
    -------
    ComparisonTable
        An object with the table as text (``str``), as LaTeX (``to_latex()``), and in numbers.

    Examples
    --------
    >>> import irstd
    >>> scores = irstd.load_dataset("sim-trec8", ["AP", "P@10"]).iloc[:, ::43]
    >>> table = comparison_table(scores, scores["AP"].columns[0])
    >>> table.marks["P@10"].tolist(), table.to_latex().count("textbf")
    (['', '↓', '↓'], 2)
    """
    check_alpha(alpha)
    check_choice(method, pair_tests.METHODS, "method")
    if pair_tests.METHODS[method].spread is not None:
        raise ValueError(f"method must be a test of means, ranks or signs, got {method!r}")
    if not (baseline is None or isinstance(baseline, str)):
        baseline = list(dict.fromkeys(baseline))
    tables = {}
    for metric, part in scores_by_metric(scores, topics=2, systems=2).items():
        tables[metric or "score"] = part.table
    means = pd.DataFrame({metric: table.mean() for metric, table in tables.items()})
    signs = _signs(better, list(means.columns), beside)
    first = means.columns[0]
    means = means.sort_values(first, ascending=signs[first] < 0, kind="stable")
    beside = means[[]] if beside is None else beside.loc[means.index]
    counts = pd.concat({metric: table.notna().sum() for metric, table in tables.items()}, axis=1)
    has_gaps = (counts > 0) & (counts < len(scores))
    unfinished = has_gaps.loc[means.index]
    if baseline is None:
        tests, marks = _groups(tables, signs, 1 - alpha)
        sentences = on_groups(marks, 1 - alpha)
    else:
        tests = {}
        for metric, table in tables.items():
            tests[metric] = _test_against(table, baseline, method, correction)
        marks, contradicted = _arrows(tests, correction, alpha, signs)
        of_family = family(tests, correction)
        sentences = [f"{comparison(marks, baseline)} ({method}{of_family}, p ≤ {alpha:g})."]
        sentences += on_contradictions(contradicted)
    marks = marks.reindex(means.index).fillna("")
    sentences.insert(0, f"Means over {len(scores)} topics; {what_is_bold(signs, beside)}.")
    sentences += on_gaps(means, beside, counts[has_gaps.any(axis=1)], len(scores), baseline)
    if isinstance(baseline, str):
        tests = {metric: pairs.droplevel("system_b") for metric, pairs in tests.items()}
    all_tests = pd.concat(tests, axis=1)
    return ComparisonTable(means, marks, all_tests, beside, " ".join(sentences), unfinished, signs)


def _groups(
    tables: dict[str, pd.DataFrame], signs: Mapping[str, int], level: float
) -> tuple[dict[str, pd.DataFrame], pd.DataFrame]:
    """For each metric the ranks of the systems that have all topics, and the marks of the group."""
    tests = {}
    marks = {}
    for metric, table in tables.items():
        finished = table.dropna(axis="columns")
        if finished.shape[1] < 2:
            raise ValueError("a table without a baseline needs two systems with all topics")
        ranked = rank_intervals(signs[metric] * finished, level=level)
        tests[metric] = ranked.assign(value=signs[metric] * ranked["value"])
        marks[metric] = ranked["best"].map({True: "†", False: ""})
    return tests, pd.DataFrame(marks).fillna("")


def _signs(
    better: Mapping[str, str] | None, metrics: list[str], beside: pd.DataFrame | None
) -> dict[str, int]:
    """Of each column that has a best: 1 if larger is better, -1 if smaller is."""
    signs = dict.fromkeys(metrics, 1)
    columns = metrics if beside is None else [*metrics, *beside.columns]
    if not isinstance(better or {}, Mapping):
        raise TypeError(f'better must be a dict such as {{"latency": "smaller"}}, got {better!r}')
    for column, which in (better or {}).items():
        check_choice(column, columns, "the columns of better")
        check_choice(which, ("larger", "smaller"), "better")
        signs[column] = 1 if which == "larger" else -1
    return signs


def _test_against(
    table: pd.DataFrame, baseline: str | Sequence[str], method: str, correction: str | None
) -> pd.DataFrame:
    """Tests of each system with each baseline, indexed by both, on the topics of both."""
    # A system without any score is in no test, and in no family that is corrected for.
    table = table.dropna(axis="columns", how="all")
    missing = "pairwise" if table.isna().any(axis=None) else "raise"
    pairs = pairwise_tests(table, method, baseline=baseline, correction=correction, missing=missing)
    return pairs.set_index(["system_a", "system_b"])


def _arrows(
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
