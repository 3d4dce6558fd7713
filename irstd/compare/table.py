"""The table of a paper: several metrics, each tested by itself against a baseline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from irstd._base.arguments import check_alpha
from irstd._base.matrix import by_metric, check_scores
from irstd._base.messages import listed
from irstd.rankings.ranks import rank_intervals
from irstd.significance.means import pairwise_tests

MARKS = {"↑": r"$^{\uparrow}$", "↓": r"$^{\downarrow}$", "†": r"$^{\dagger}$"}
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
        What the marks in the table mean, and no others; which systems lack topics.
    """

    means: pd.DataFrame
    marks: pd.DataFrame
    tests: pd.DataFrame
    beside: pd.DataFrame
    caption: str
    _unfinished: list[str]

    def _cells(self, bold: str) -> pd.DataFrame:
        figures = self.means.round(12).join(self.beside)  # equal on paper
        text = figures.map("{:.3f}".format)
        largest = figures.drop(index=self._unfinished).max()
        text = text.where(figures != largest, text.map(bold.format))
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
        form = "l" + "r" * (cells.shape[1] - 1)
        said = (self.caption if caption is None else caption).translate(ESCAPED)
        options: dict[str, Any] = {"caption": said, "label": label, "position": "ht"}
        return cells.to_latex(index=False, column_format=form, **options)


def comparison_table(
    scores: pd.DataFrame,
    baseline: str | Sequence[str] | None,
    *,
    correction: str | None = "holm",
    method: str = "t",
    alpha: float = 0.05,
    beside: pd.DataFrame | None = None,
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
        As in `pairwise_tests`. The family that is corrected for are the pairs of one metric.
    alpha : float, default 0.05
        A system is marked if its p, corrected, is at most this.
    beside : DataFrame, optional
        Numbers to be shown without a test, such as `gmap`: a row for each system.

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
    scores = check_scores(scores, several=True, complete=False, topics=2, systems=2)
    tables = by_metric(scores, scores.attrs.get("metric", "score"))
    tests, marks = {}, {}
    for metric, table in tables.items():
        if baseline is None:
            finished = table.dropna(axis="columns")
            if finished.shape[1] < 2:
                raise ValueError("a table without a baseline needs two systems with all topics")
            tests[metric] = rank_intervals(finished, level=1 - alpha)
            marks[metric] = tests[metric]["best"].map({True: "†", False: ""})
            continue
        gaps = "pairwise" if table.isna().any(axis=None) else "raise"
        options: dict[str, Any] = {"correction": correction, "missing": gaps}
        pairs = pairwise_tests(table, method, baseline=baseline, **options)
        pairs = pairs.set_index(["system_a", "system_b"])
        p = pairs["pvalue" if correction is None else "adjusted_pvalue"]
        signs = pairs["difference"].gt(0).map({True: "↑", False: "↓"}).where(p <= alpha, "")
        of_system = signs.groupby(level=0)
        marks[metric] = of_system.first().where(of_system.nunique() == 1, "")
        tests[metric] = pairs.droplevel(1) if isinstance(baseline, str) else pairs
    means = pd.DataFrame({metric: table.mean() for metric, table in tables.items()})
    means = means.sort_values(means.columns[0], ascending=False, kind="stable")
    marked = pd.DataFrame(marks).reindex(means.index).fillna("")
    beside = means[[]] if beside is None else beside.loc[means.index]
    said = f"Means over {len(scores)} topics; the best of each column is bold."
    there = {*marked.to_numpy().ravel()}
    if "†" in there:
        said += f" †: in the group that holds the best system with {1 - alpha:.0%}."
    elif baseline is not None:
        words = {"↑": "better", "↓": "worse"}
        told = ", ".join(f"{sign} {word} than" for sign, word in words.items() if sign in there)
        of = f", {correction} over {len(p)} tests in each metric" if correction else ""
        named = baseline if isinstance(baseline, str) else f"each of {listed(baseline, 20)}"
        said += f" {told or 'None is better or worse than'} {named} ({method}{of}, p ≤ {alpha:g})."
    if len(beside.columns):
        said += f" Not tested: {listed(beside.columns, 20)}."
    known = pd.concat([table.notna().sum() for table in tables.values()], axis=1).min(axis=1)
    known = known[known < len(scores)]
    if len(known):
        how = "neither bold nor marked" if baseline is None else "compared on these, not bold"
        short = listed([f"{system} ({n})" for system, n in known.items()], 99)
        said += f" Unfinished, with so many topics, {how}: {short}."
    return ComparisonTable(means, marked, pd.concat(tests, axis=1), beside, said, [*known.index])
