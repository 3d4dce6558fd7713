"""The table of a paper: several metrics, each tested by itself against a baseline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from irstd._base.arguments import check_alpha
from irstd._base.matrix import scores_by_metric
from irstd._base.messages import listed
from irstd.rankings.ranks import rank_intervals
from irstd.significance.means import pairwise_tests

NOTHING = "–"  # the cell of a system that has no score in a metric
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

    def _cells(self, bold: str) -> pd.DataFrame:
        figures = self.means.round(12).join(self.beside)  # equal on paper
        text = figures.map("{:.3f}".format).where(figures.notna(), NOTHING)
        # A mean over other topics is not the best; numbers beside may be of any metric.
        left_out = self._unfinished.copy()
        for column in self.beside.columns:
            left_out[column] = self._unfinished.any(axis=1)
        comparable = figures.mask(left_out)
        is_best = comparable == comparable.max()
        text = text.mask(is_best, text.map(bold.format))
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
    tables = {}
    for metric, part in scores_by_metric(scores, topics=2, systems=2).items():
        tables[metric or "score"] = part.table
    tests = {}
    marks = {}
    for metric, table in tables.items():
        if baseline is None:
            tests[metric] = _rank_finished(table, 1 - alpha)
            marks[metric] = tests[metric]["best"].map({True: "†", False: ""})
        else:
            tests[metric] = _test_against(table, baseline, method, correction)
            marks[metric] = _arrows(tests[metric], correction, alpha)
    means = pd.DataFrame({metric: table.mean() for metric, table in tables.items()})
    means = means.sort_values(means.columns[0], ascending=False, kind="stable")
    marked = pd.DataFrame(marks).reindex(means.index).fillna("")
    beside = means[[]] if beside is None else beside.loc[means.index]
    n_topics = len(scores)
    counts_by_metric = {metric: table.notna().sum() for metric, table in tables.items()}
    counts = pd.concat(counts_by_metric, axis=1)
    unfinished = (counts > 0) & (counts < n_topics)

    sentences = [f"Means over {n_topics} topics; the best of each column is bold."]
    if baseline is None:
        if "†" in marked.to_numpy():
            sentences.append(f"†: in the group that holds the best system with {1 - alpha:.0%}.")
    else:
        compared = _comparison(marked, baseline)
        family = _family(tests, correction)
        sentences.append(f"{compared} ({method}{family}, p ≤ {alpha:g}).")
    if len(beside.columns):
        sentences.append(f"Not tested: {listed(beside.columns, 20)}.")
    if unfinished.any(axis=None):
        how = "neither bold nor marked" if baseline is None else "compared on these, not bold"
        systems = _with_topics(counts[unfinished.any(axis=1)], n_topics)
        sentences.append(f"Unfinished, with so many topics, {how}: {systems}.")
    if means.isna().any(axis=None) or beside.isna().any(axis=None):
        sentences.append(f"{NOTHING}: no score in this column.")

    if isinstance(baseline, str):
        tests = {metric: pairs.droplevel("system_b") for metric, pairs in tests.items()}
    all_tests = pd.concat(tests, axis=1)
    unfinished = unfinished.loc[means.index]
    return ComparisonTable(means, marked, all_tests, beside, " ".join(sentences), unfinished)


def _rank_finished(table: pd.DataFrame, level: float) -> pd.DataFrame:
    """Intervals of the ranks of the systems that have all topics."""
    finished = table.dropna(axis="columns")
    if finished.shape[1] < 2:
        raise ValueError("a table without a baseline needs two systems with all topics")
    return rank_intervals(finished, level=level)


def _test_against(
    table: pd.DataFrame, baseline: str | Sequence[str], method: str, correction: str | None
) -> pd.DataFrame:
    """Tests of each system with each baseline, indexed by both, on the topics of both."""
    # A system without any score is in no test, and in no family that is corrected for.
    table = table.dropna(axis="columns", how="all")
    missing = "pairwise" if table.isna().any(axis=None) else "raise"
    pairs = pairwise_tests(table, method, baseline=baseline, correction=correction, missing=missing)
    return pairs.set_index(["system_a", "system_b"])


def _arrows(pairs: pd.DataFrame, correction: str | None, alpha: float) -> pd.Series:
    """Of each system, the direction of its difference if it is significant from every baseline."""
    pvalues = pairs["pvalue" if correction is None else "adjusted_pvalue"]
    directions = pairs["difference"].gt(0).map({True: "↑", False: "↓"})
    by_system = directions.where(pvalues <= alpha, "").groupby(level="system_a")
    return by_system.first().where(by_system.nunique() == 1, "")


def _comparison(marks: pd.DataFrame, baseline: str | Sequence[str]) -> str:
    """What the arrows of the table mean, and no others."""
    meanings = []
    if "↑" in marks.to_numpy():
        meanings.append("↑ better than")
    if "↓" in marks.to_numpy():
        meanings.append("↓ worse than")
    if not meanings:
        meanings.append("None is better or worse than")
    if isinstance(baseline, str):
        return f"{', '.join(meanings)} {baseline}"
    return f"{', '.join(meanings)} each of {listed(baseline, 20)}"


def _family(tests: dict[str, pd.DataFrame], correction: str | None) -> str:
    """Which correction, and over how many tests: those of each metric by themselves."""
    if not correction:
        return ""
    numbers = {metric: len(pairs) for metric, pairs in tests.items()}
    if len(set(numbers.values())) == 1:
        (number, *_) = numbers.values()
        return f", {correction} over {number} tests in each metric"
    by_metric = [f"{number} in {metric}" for metric, number in numbers.items()]
    return f", {correction} over the tests in each metric: {', '.join(by_metric)}"


def _with_topics(counts: pd.DataFrame, n_topics: int) -> str:
    """The unfinished systems, with their topics: of each metric, where these are not the same."""
    systems = []
    for system in counts.index:
        scored = counts.loc[system]
        scored = scored[scored > 0]
        if scored.nunique() == 1:
            systems.append(f"{system} ({scored.iloc[0]:.0f})")
            continue
        short = scored[scored < n_topics]
        numbers = [f"{number:.0f} in {metric}" for metric, number in short.items()]
        systems.append(f"{system} ({', '.join(numbers)})")
    return ", ".join(systems)
