"""Comparison tables for papers: systems by metrics or collections, with tests."""

from __future__ import annotations

import html
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from irstd._base.arguments import check_alpha, check_choice, check_count
from irstd._base.clusters import Clusters
from irstd._base.messages import listed
from irstd._base.several import MEAN, ByCollection
from irstd.compare.columns import ScoreColumns, make_cells, make_columns, test_columns
from irstd.seeds import Seeds, seed_tests
from irstd.significance.corrections import add_adjusted_pvalues, confidence_set_for_best
from irstd.significance.pair_tests import METHODS as ALL_METHODS
from irstd.significance.pair_tests import Rules, list_baselines

# Tests of spread say nothing about means.
METHODS = [name for name, method in ALL_METHODS.items() if method.spread is None]
BETTER, WORSE, GROUP, CONTRADICTED = "↑↓†≠"
MEANINGS = {
    BETTER: "significantly better than",
    WORSE: "significantly worse than",
    CONTRADICTED: "by mean and test on two sides of",
}
NOTHING = "–"  # cell without a score
SIGNS = str.maketrans(
    {
        "↑": r"$^{\uparrow}$",
        "↓": r"$^{\downarrow}$",
        "†": r"$^{\dagger}$",
        "≠": r"$^{\neq}$",
        "≤": r"$\leq$",
        "±": r"$\pm$",
        NOTHING: "--",
    }
)
PLAIN = str.maketrans({"↑": "^", "↓": "v", "†": "+", "≠": "!=", "≤": "<=", "±": "+-", NOTHING: "-"})
ESCAPED = str.maketrans(
    {sign: f"\\{sign}" for sign in "&%$#_{}"}
    | {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        # at the beginning of a cell they would be options of the line break
        "[": "{[}",
        "*": "{*}",
    }
)


def comparison_table(
    scores: pd.DataFrame | ByCollection,
    baseline: str | Sequence[str] | None,
    *,
    correction: str | None = "holm",
    method: str = "t",
    alpha: float = 0.05,
    clusters: Clusters | None = None,
    seeds: Seeds | None = None,
    smaller_is_better: bool | Sequence[str] = (),
    beside: pd.DataFrame | None = None,
) -> ComparisonTable:
    """Tabulate system means by metric or collection, with significance marks.

    Parameters
    ----------
    scores : DataFrame, or dict of str to DataFrame
        A score matrix, or several with columns ``(metric, system)``, each with the baseline; or
        score matrices in one metric by collection, which become one column each, beside a column of
        their mean, in which collections have equal weight. Means are over the topics that a system
        has, tests over those that both systems have.
    baseline : str, list of str or None
        The system that all others are compared with, chosen before the scores were seen. With a
        list, a mark means better, or worse, than each of these. None marks the confidence set for
        the best at the level 1 - alpha (see `rank_intervals`) among the systems with all topics; it
        needs five topics or more.
    correction : str or None, default "holm"
        As in `pairwise_tests`; None for none. It is over the pairs of each metric; with
        collections, over all pairs of the table.
    method : str, default "t"
        As in `pairwise_tests`, except tests of spread. The mean over collections is tested by t.
        Without a baseline, and with seeds, only ``"t"`` is possible.
    alpha : float, default 0.05
        Significance level: systems with a p-value (adjusted, if there is a correction) of at most
        alpha are marked.
    clusters : Series or dict, optional
        As in `pairwise_tests`; with several collections, a dict of these by collection.
    seeds : str or dict, optional
        Columns that are one system trained with several seeds, as in `name_seeds`; other columns
        have no seed, such as BM25. Cells are means over seeds, with their standard deviation; tests
        are those of `seed_test`, which generalize to other topics and seeds. For one metric.
    smaller_is_better : list of str or bool, default ()
        Metrics for which smaller is better, such as ``["latency (ms)"]``; True for all. Numbers
        keep their sign, the smallest is bold, and an arrow up still means better.
    beside : DataFrame, optional
        Numbers to show without a test, such as `gmap`: one row per system.

    Returns
    -------
    ComparisonTable
        It prints as the table. Its numbers are DataFrames: ``means`` and ``marks`` have one row per
        system and one column per metric or collection; ``cells`` also has intervals, numbers of
        topics and p-values, and ``tests`` all tests. ``to_latex()`` returns it as LaTeX.
        ``help(table)`` describes the columns.

    Raises
    ------
    ValueError
        If a baseline is none of the systems; if a test is of spread; as `pairwise_tests`.

    Warns
    -----
    UserWarning
        If a system has fewer than four topics on one of several collections: the test of the mean
        over collections then rejected .08 to .13 at .05. If a metric is named like a time, a cost
        or an error, and `smaller_is_better` does not name it.

    Notes
    -----
    A mark of the mean over collections is about *these* collections and other topics; for other
    *collections like these*, use the random-effects mean of `combine_collections`. A large gain on
    one collection can make the former significant, and says little about the latter.

    Wilcoxon's test keeps its level only if systems are exchangeable: for equal means and skewed
    differences, it rejects more often the more topics there are. The level of the confidence set
    for the best also needs symmetric differences, or many topics (`rank_intervals` has numbers).

    Examples
    --------
    >>> import irstd
    >>> scores = irstd.load_dataset("sim-trec8", ["AP", "P@10"]).iloc[:, ::43]
    >>> comparison_table(scores, scores["AP"].columns[0])
                    AP     P@10
    system
    t8orig01a  *0.282*  *0.530*
    t8orig27c   0.213↓    0.482
    t8orig13b   0.190↓   0.414↓
    Means over 50 topics; the largest of each tested column is bold.
    ↓ significantly worse than t8orig01a (t, holm over 2 tests in each metric, p ≤ 0.05).
    >>> ap = irstd.load_dataset("sim-robust2004-all").iloc[:, ::40]
    >>> parts = {"old": ap[:100], "new": ap[100:]}
    >>> comparison_table(parts, ap.columns[0]).means.round(3)
    column     old    new   mean
    system
    late06a  0.309  0.420  0.364
    late11f  0.242  0.323  0.282
    late01a  0.124  0.162  0.143
    """
    check_choice(method, METHODS, "method")
    baselines = list_baselines(baseline)
    rules = Rules(method, clusters=clusters, correction=correction, baselines=baselines)
    _check_options(rules, alpha, seeds)
    columns = make_columns(scores, baselines, seeds, smaller_is_better)
    cells = make_cells(columns, 1 - alpha)
    systems = cells.index.unique("system")
    if beside is not None and not beside.index.isin(systems).any():
        raise ValueError(f"beside must be indexed by system, found labels {listed(beside.index)}")
    beside = pd.DataFrame(beside, index=systems)
    _check_beside(beside, columns.sizes)
    if seeds is None or baselines is None:  # with seeds, a baseline is required
        tests = test_columns(columns, rules)
    else:
        tests = seed_tests(columns.by_seed, cells["mean"], baselines)
        tests = add_adjusted_pvalues(tests, correction)
    marks = make_marks(columns.orient(tests), rules, alpha)
    cells = cells.join(marks).fillna({"mark": ""})
    caption = [
        describe_numbers(columns, alpha),
        describe_marks(cells["mark"], tests, rules, alpha),
        describe_gaps(cells, beside),
    ]
    return ComparisonTable(cells, tests, beside, " ".join(filter(None, caption)))


def _check_beside(beside: pd.DataFrame, tested: Iterable[str]) -> None:
    """Raise if a column of `beside` is not numeric or repeats a column name."""
    for column, kind in beside.select_dtypes(exclude="number").dtypes.items():
        raise TypeError(f"beside must be numeric, but column {column} is of dtype {kind}")
    names = pd.Index([*tested, *beside.columns])
    for column in names[names.duplicated()]:
        raise ValueError(f"two columns are called {column}: rename the one in beside")


def _check_options(rules: Rules, alpha: float, seeds: Seeds | None) -> None:
    """Raise if options of the table are invalid or exclude each other."""
    check_alpha(alpha)
    if rules.baselines is None and rules.method != "t":
        raise ValueError("without a baseline, method must be 't': give baseline=")
    ignores_seeds = rules.method != "t" or rules.clusters is not None
    if seeds is not None and (rules.baselines is None or ignores_seeds):
        raise ValueError("seeds= needs a baseline and method='t', and excludes clusters=")


def make_marks(tests: pd.DataFrame, rules: Rules, alpha: float) -> pd.DataFrame:
    """Return marks and p-values by column and system, from tests oriented to larger is better."""
    if rules.baselines is None:
        return _mark_confidence_sets(tests, 1 - alpha)
    pvalue = tests["adjusted_pvalue" if rules.correction else "pvalue"]
    mark = tests["direction"].map({1: BETTER, -1: WORSE, 0: ""})
    # Tests of ranks and signs may favor the system with the smaller mean.
    mark = mark.mask(np.sign(tests["difference"]) != tests["direction"], CONTRADICTED)
    mark = mark.where(pvalue <= alpha, "")
    by_system = tests.assign(pvalue=pvalue, mark=mark).groupby(["column", "system_a"])
    marks = by_system.agg(pvalue=("pvalue", "max"), mark=("mark", "first"))
    marks["mark"] = marks["mark"].where(by_system["mark"].nunique() == 1, "")  # than each
    return marks.rename_axis(["column", "system"])


def _mark_confidence_sets(tests: pd.DataFrame, level: float) -> pd.DataFrame:
    """Mark the systems in the confidence set for the best, by column."""
    sets = {column: confidence_set_for_best(x, level) for column, x in tests.groupby("column")}
    is_in_set = pd.concat(sets, names=["column"])
    return is_in_set.map({True: GROUP, False: ""}).to_frame("mark")


def describe_numbers(columns: ScoreColumns, alpha: float) -> str:
    """Return the caption's sentence about numbers and bold type."""
    numbers = f"Means over {max(columns.sizes.values())} topics"
    if columns.over_collections:
        topics = ", ".join(f"{name} {len(table)}" for name, table in columns.tables.items())
        numbers = f"Means over topics ({topics}) and over these {len(columns.tables)} collections"
    if columns.by_seed:
        counts = pd.concat([table.T.groupby("system").size() for table in columns.by_seed.values()])
        spread = f"± standard deviation over {_format_range(counts[counts > 1])} seeds"
        numbers += f", and over seeds where a system has several ({spread})"
    elif columns.over_collections:
        numbers += f" with their {100 - 100 * alpha:g}% interval for other topics"
    bold = "largest"
    if columns.smaller:
        bold = f"best (the smallest of {listed(sorted(columns.smaller), 20)})"
        if columns.smaller >= {*columns.sizes}:
            bold = "smallest"
    return f"{numbers}; the {bold} of each tested column is bold."


def describe_marks(marks: pd.Series, tests: pd.DataFrame, rules: Rules, alpha: float) -> str:
    """Return the caption's sentence about the marks and their test."""
    if rules.baselines is None:
        return f"{GROUP}: in the {100 - 100 * alpha:g}% confidence set for the best system."
    used = set(marks)
    baselines = listed(rules.baselines, 20)
    if len(rules.baselines) > 1:
        baselines = f"each of {baselines}"
    meanings = ", ".join(f"{mark} {meaning}" for mark, meaning in MEANINGS.items() if mark in used)
    meanings = meanings or "None is significantly better or worse than"
    return f"{meanings} {baselines} ({_describe_test(tests, rules)}, p ≤ {alpha:g})."


def _describe_test(tests: pd.DataFrame, rules: Rules) -> str:
    """Describe the test and the correction for the caption."""
    by_column = tests["column"].value_counts()
    test = rules.method
    if "by_seed" in tests:
        test = "t on topics and seeds"
    elif MEAN in by_column and test != "t":
        test += " (the mean over collections: t)"
    if rules.correction is not None:
        family = f"{_format_range(by_column)} tests in each metric"
        if MEAN in by_column:
            family = f"all {len(tests)} tests"
        test += f", {rules.correction} over {family}"
    return test


def describe_gaps(cells: pd.DataFrame, beside: pd.DataFrame) -> str:
    """Return the caption's sentence about untested columns and missing scores."""
    clauses = []
    if len(beside.columns):
        clauses.append(f"not tested: {listed(beside.columns, 20)}")
    topics = cells["topics"][(cells["topics"] > 0) & ~cells["finished"]]
    if len(topics):
        least = topics.groupby("system", sort=False).min()
        systems = listed((f"{system} ({number:.0f})" for system, number in least.items()), 20)
        clauses.append(f"unfinished, with so many topics, not taken for the best: {systems}")
    if cells["mean"].isna().any() or beside.isna().any(axis=None):
        clauses.append(f"{NOTHING}: no score in this column")
    sentence = "; ".join(clauses)
    return f"{sentence[:1].upper()}{sentence[1:]}." if clauses else ""


def _format_range(numbers: Iterable[int]) -> str:
    """Format the smallest and the largest number as a range, such as ``3 to 5``."""
    ends = dict.fromkeys([min(numbers), max(numbers)])
    return " to ".join(map(str, ends))


def _escape_latex(text: str) -> str:
    """Return text with LaTeX's special characters escaped."""
    return text.translate(ESCAPED)


def _format_numbers(values: pd.Series, form: str, nothing: str = "") -> pd.Series:
    """Format numbers as text, with `nothing` for missing ones."""
    return values.map(form.format).where(values.notna(), nothing)


@dataclass(frozen=True, eq=False)
class ComparisonTable:
    """Result of `comparison_table`: print it, or write its ``to_latex()`` to a file.

    Attributes
    ----------
    cells : DataFrame
        One row for each column of the table and system (index ``column``, ``system``), best first
        by the first metric, or by the mean over collections:

        ========= ============================================================================
        mean      mean over topics, and over seeds
        spread    with seeds, the standard deviation over them
        low, high for the mean over collections, without seeds: its interval at 1 - alpha
        topics    number of topics that the system has
        finished  True if these are all topics
        pvalue    with a baseline: p-value against it, adjusted if there is a correction; with
                  several baselines, the largest
        mark      ``"↑"`` better and ``"↓"`` worse than the baseline, ``"≠"`` different, but the
                  test favors the system with the worse mean; ``"†"`` in the confidence set for
                  the best
        best      True for the best of its column, among systems with all topics
        ========= ============================================================================
    tests : DataFrame
        Tests, one row per pair and ``column`` of the table, as in `pairwise_tests` or `seed_test`;
        with several collections also those of their ``mean``.
    beside : DataFrame
        Numbers without a test, one row per system.
    caption : str
        Explanation of numbers and marks; systems with missing topics or scores.
    """

    cells: pd.DataFrame
    tests: pd.DataFrame
    beside: pd.DataFrame
    caption: str

    @property
    def means(self) -> pd.DataFrame:
        """Means, one row per system and one column per metric or collection."""
        return self._unstack(self.cells["mean"])

    @property
    def marks(self) -> pd.DataFrame:
        """Significance marks of the means, ``""`` where there is none."""
        return self._unstack(self.cells["mark"])

    def _unstack(self, values: pd.Series) -> pd.DataFrame:
        """Pivot values by (column, system) to a table of systems by columns."""
        columns = self.cells.index.unique("column")
        return values.unstack("column").loc[self.beside.index, columns]

    def _format_cells(self, bold: str, digits: int | Mapping[str, int] = 3) -> pd.DataFrame:
        """Format the cells as text, and the best of each column as `bold`."""
        columns = [*self.cells.index.unique("column"), *self.beside]
        if not isinstance(digits, Mapping):
            digits = dict.fromkeys(columns, digits)
        for column in digits:
            check_choice(column, columns, "digits")
        texts = {}
        for column in columns:
            n_digits = check_count(digits.get(column, 3), "digits", 0)
            form = f"{{:.{n_digits}f}}"
            if column in self.beside:
                texts[column] = _format_numbers(self.beside[column], form, NOTHING)
                continue
            cells = self.cells.loc[column]
            text = _format_numbers(cells["mean"], form, NOTHING)
            text = text.mask(cells["best"], text.map(bold.format)) + cells["mark"]
            text += _format_numbers(cells["spread"], f" ± {{:.{n_digits + 1}f}}")
            text += _format_numbers(cells["low"], f" [{form}, ")
            texts[column] = text + _format_numbers(cells["high"], f"{form}]")
        return pd.DataFrame(texts).loc[self.beside.index]

    def _style(
        self,
        bold: str,
        escape: Callable[..., str],
        digits: int | Mapping[str, int] = 3,
        head: str | None = None,
    ) -> pd.io.formats.style.Styler:
        """Return a pandas Styler of the table; `head` is the header of the systems."""
        text = self._format_cells(bold, digits).rename(index=escape, columns=str)
        return text.rename(columns=escape).rename_axis(index=None, columns=head).style

    def __repr__(self) -> str:
        """Return the table as text, with asterisks around the best of each column."""
        text = f"{self._format_cells('*{}*').to_string()}\n{self.caption}"
        try:
            text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
        except UnicodeEncodeError:  # such as in a console with code page 1252
            return text.translate(PLAIN)
        return text

    def _repr_html_(self) -> str:
        """Return the table as HTML, with the best of each column in bold."""
        table = self._style("<b>{}</b>", html.escape).to_html(exclude_styles=True)
        return f"{table}<p>{html.escape(self.caption)}</p>"

    def to_latex(
        self,
        *,
        digits: int | Mapping[str, int] = 3,
        caption: str | None = None,
        label: str = "tab:runs",
    ) -> str:
        """Return the table as LaTeX (booktabs), with the best of each column in bold.

        For percentages, make the table of ``100 * scores``.

        Parameters
        ----------
        digits : int or dict of str to int, default 3
            Digits after the decimal point; in a dict by column, 3 for columns not named.
        caption : str, optional
            Caption to use instead of the default, which explains bold type and marks.
        label : str, default "tab:runs"
            LaTeX label of the table.
        """
        styled = self._style(r"\textbf{{{}}}", _escape_latex, digits, "run")
        latex = styled.to_latex(
            hrules=True,
            column_format="l" + len(styled.columns) * "r",
            caption=_escape_latex(self.caption if caption is None else caption),
            label=label,
            position="ht",
        )
        return latex.translate(SIGNS)
