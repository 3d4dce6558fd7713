"""The table of a paper: systems by metrics, or by collections, each column with its tests."""

from __future__ import annotations

import html
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from irstd._base.arguments import check_alpha, check_choice, check_count
from irstd._base.clusters import Clusters
from irstd._base.messages import listed
from irstd._base.several import MEAN, ByCollection
from irstd.compare.columns import ScoreColumns, cells_of, columns_of, pairs_over_collections
from irstd.seeds import Seeds, seed_tests
from irstd.significance.corrections import CORRECTIONS, WHICH, confidence_set_for_best, corrected
from irstd.significance.pair_tests import METHODS as ALL_METHODS
from irstd.significance.pairwise import pairwise_tests

# Tests of spread say nothing of means.
METHODS = [name for name, method in ALL_METHODS.items() if method.spread is None]
BETTER, WORSE, GROUP, CONTRADICTED = "↑↓†≠"
MEANINGS = {
    BETTER: "better than",
    WORSE: "worse than",
    CONTRADICTED: "by mean and test on two sides of",
}
NOTHING = "–"  # the cell of a system that has no score in a column
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
    {
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        # after the end of a line they are taken for its option
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
    """The table of a paper: systems by metrics, or by collections, each column with its tests.

    Parameters
    ----------
    scores : DataFrame, or dict of str to DataFrame
        Scores in one metric, or several with columns ``(metric, system)``, each with the baseline.
        Means are over the topics that a system has, tests over those that both have. Or scores in
        one metric by the name of their collection: a column for each, and their mean, in which each
        has as much weight.
    baseline : str, list of str or None
        The system that all others are compared with, chosen before the scores were seen; a list, if
        a mark shall mean: than each of these. None: no system is tested; marked is the confidence
        set for the best at the level 1 - alpha, see `rank_intervals`, of the systems that have all
        topics, which must be five.
    correction, method
        As in `pairwise_tests`, but for tests of spread, which say nothing of means. Corrected
        together are the pairs of one metric; of collections, all pairs of the table, and the mean
        over collections is tested by t. Without a baseline, and with seeds: ``"t"`` only.
    alpha : float, default 0.05
        A system is marked if its p, corrected, is at most this.
    clusters
        As in `pairwise_tests`; clusters of several collections in a dict of these.
    seeds : str or dict, optional
        Which columns are one system with several seeds, as in `name_seeds`; the others have none,
        as BM25. Cells are means over seeds, with their standard deviation; tests are those of
        `seed_test`, with other topics and other seeds in mind. For one metric, and one baseline.
    smaller_is_better : list of str or bool, default ()
        Metrics of which less is better, such as ``["latency (ms)"]``; True: all. Numbers keep their
        sign, the smallest is bold, and an arrow up is still better.
    beside : DataFrame, optional
        Numbers to be shown without a test, such as `gmap`: a row for each system.

    Returns
    -------
    ComparisonTable
        An object that prints as the table, with ``to_latex()``, and with all numbers: ``cells``,
        ``tests``, ``means`` and ``marks``.

    Notes
    -----
    A mark of the mean over collections is for *these* collections and other topics; what is to be
    expected of other *collections like these* is the random-effects mean of `combine_collections`.
    These are two questions: a gain on one of several can be certain of these, and say little of
    others.

    Examples
    --------
    >>> import irstd
    >>> scores = irstd.load_dataset("sim-trec8", ["AP", "P@10"]).iloc[:, ::43]
    >>> table = comparison_table(scores, scores["AP"].columns[0])
    >>> table.marks["P@10"].tolist(), table.to_latex().count("textbf")
    (['', '', '↓'], 2)
    >>> ap = irstd.load_dataset("sim-robust2004-all").iloc[:, ::40]
    >>> parts = {"old": ap[:100], "new": ap[100:]}
    >>> comparison_table(parts, ap.columns[0]).means.columns.tolist()
    ['old', 'new', 'mean']
    """
    if isinstance(baseline, str):
        baseline = [baseline]
    if baseline is not None:
        baseline = list(dict.fromkeys(baseline))
    how = Comparison(baseline, method, correction, alpha, clusters, seeds)
    columns = columns_of(scores, baseline, seeds, smaller_is_better)
    cells = cells_of(columns, 1 - alpha)
    systems = cells.index.unique("system")
    if beside is not None and not beside.index.isin(systems).any():
        raise ValueError("beside must have rows of the systems in the table, and has none of them")
    beside = pd.DataFrame(beside, index=systems)
    _check_beside(beside, columns.sizes)
    if seeds is None or baseline is None:  # with seeds there is one
        tests = tests_of(columns, how)
    else:
        tests = corrected(seed_tests(columns.by_seed, cells["mean"], baseline), correction)
    cells = cells.join(marks_of(tests, how, columns)).fillna({"mark": ""})
    caption = [
        on_numbers(columns, alpha),
        on_marks(cells["mark"], tests, how),
        on_gaps(cells, beside),
    ]
    return ComparisonTable(cells, tests, beside, " ".join(filter(None, caption)))


def _check_beside(beside: pd.DataFrame, tested: Iterable[str]) -> None:
    """Refuse what is no number, and a name that another column has."""
    for column, kind in beside.select_dtypes(exclude="number").dtypes.items():
        raise TypeError(f"beside must be numbers, and {column} is {kind}")
    names = pd.Index([*tested, *beside.columns])
    for column in names[names.duplicated()]:
        raise ValueError(f"two columns would be called {column}: rename that of beside")


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
        tests = pairs_over_collections(tables, method=how.method, **options)
        return tests.rename(columns={"collection": "column"})
    parts = {}
    for name, table in tables.items():
        missing = "pairwise" if table.isna().any(axis=None) else "raise"
        parts[name] = pairwise_tests(table, how.method, missing=missing, **options)
    tests = pd.concat(parts, names=["column"]).reset_index(level="column")
    return tests.reset_index(drop=True)


def marks_of(tests: pd.DataFrame, how: Comparison, columns: ScoreColumns) -> pd.DataFrame:
    """The mark, and the p-value that decides about it, by column and system."""
    signs = columns.signs(tests["column"])
    tests = tests.assign(**{name: signs * tests[name] for name in ("difference", "direction")})
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
    which = "largest"
    if columns.smaller:
        which = f"best (the smallest of {listed(sorted(columns.smaller), 20)})"
        if columns.smaller >= {*columns.sizes}:
            which = "smallest"
    return f"{what}; the {which} of each tested column is bold."


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
    if MEAN in set(tests["column"]) and said != "t":
        said += " (the mean over collections: t)"
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


def _latex(text: str) -> str:
    """Names, or a sentence, as LaTeX takes them."""
    return text.translate(ESCAPED)


def _shown(values: pd.Series, form: str, nothing: str = "") -> pd.Series:
    """Numbers as text."""
    return values.map(form.format).where(values.notna(), nothing)


@dataclass(frozen=True, eq=False, repr=False)
class ComparisonTable:
    """What `comparison_table` gives: print it, or write its ``to_latex()`` to a file.

    Attributes
    ----------
    cells : DataFrame
        One row for each column of the table and system (index ``column``, ``system``), best first
        by the first metric, or by the mean over collections:

        ========= ============================================================================
        mean      over topics, and over seeds
        spread    with seeds, the standard deviation over them
        low, high of the mean over collections, without seeds: its interval at 1 - alpha
        topics    how many the system has
        finished  whether these are all
        pvalue    with a baseline, corrected: of several, the largest
        mark      ``"↑"`` better and ``"↓"`` worse than the baseline, ``"≠"``
                  where mean and test are on two sides; ``"†"`` in the confidence set for the best
        best      whether it is the best of its column, of the systems that have all topics
        ========= ============================================================================
    tests : DataFrame
        The tests, one row a pair, with the ``column`` of the table: as of `pairwise_tests`, or of
        `seed_test`; of several collections also those of the ``mean`` over them.
    beside : DataFrame
        Columns without a test.
    caption : str
        What the numbers are and what the marks in the table mean; who lacks topics or scores.
    """

    cells: pd.DataFrame
    tests: pd.DataFrame
    beside: pd.DataFrame
    caption: str

    @property
    def means(self) -> pd.DataFrame:
        """A row for each system and a column for each metric, or collection."""
        return self._wide(self.cells["mean"])

    @property
    def marks(self) -> pd.DataFrame:
        """The marks of these, ``""`` without one."""
        return self._wide(self.cells["mark"])

    def _wide(self, of_cells: pd.Series) -> pd.DataFrame:
        columns = self.cells.index.unique("column")
        return of_cells.unstack("column").loc[self.beside.index, columns]

    def _text(self, bold: str, digits: int | Mapping[str, int] = 3) -> pd.DataFrame:
        """What stands in the cells, the best by the form `bold`."""
        columns = [*self.cells.index.unique("column"), *self.beside]
        if not isinstance(digits, Mapping):
            digits = dict.fromkeys(columns, digits)
        forms = dict.fromkeys(columns, "{:.3f}")
        for column in digits:
            check_choice(column, columns, "digits")
            forms[column] = f"{{:.{check_count(digits[column], 'digits', 0)}f}}"
        texts: dict[Any, pd.Series] = {}
        for name, cells in self.cells.groupby("column", sort=False):
            form = forms[str(name)]
            text = _shown(cells["mean"], form, NOTHING)
            text = text.mask(cells["best"], text.map(bold.format)) + cells["mark"]
            text += _shown(cells["spread"], f" ± {form}")
            text += _shown(cells["low"], f" [{form}, ") + _shown(cells["high"], f"{form}]")
            texts[name] = text.droplevel("column")
        for other in self.beside:
            texts[other] = _shown(self.beside[other], forms[str(other)], NOTHING)
        return pd.DataFrame(texts).loc[self.beside.index]

    def _styled(
        self,
        bold: str,
        escape: Callable[..., str],
        digits: int | Mapping[str, int] = 3,
        head: str | None = None,
    ) -> pd.io.formats.style.Styler:
        """The table as pandas writes it for pages, with a head of the column of systems."""
        text = self._text(bold, digits).rename_axis(index=None, columns=head).rename(columns=str)
        return text.style.format_index(escape, axis=0).format_index(escape, axis=1)

    def __repr__(self) -> str:
        """The table as text, the best of each column between asterisks."""
        text = f"{self._text('*{}*').to_string()}\n{self.caption}"
        try:
            text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
        except UnicodeEncodeError:  # as where a console has the code page 1252
            return text.translate(PLAIN)
        return text

    def _repr_html_(self) -> str:
        """The table in a notebook's cell, the best of each column bold."""
        table = self._styled("<b>{}</b>", html.escape).to_html(exclude_styles=True)
        return f"{table}<p>{html.escape(self.caption)}</p>"

    def to_latex(
        self,
        *,
        digits: int | Mapping[str, int] = 3,
        caption: str | None = None,
        label: str = "tab:runs",
    ) -> str:
        """The table as LaTeX, for the package booktabs; the best of each column is bold.

        In percent is the table of ``100 * scores``.

        Parameters
        ----------
        digits : int or dict of str to int, default 3
            After the decimal point; by the name of a column, the others having 3.
        caption : str, optional
            In place of the one that says what is bold and marked.
        label : str, default "tab:runs"
            For references to the table.
        """
        styled = self._styled(r"\textbf{{{}}}", _latex, digits, "run")
        latex = styled.to_latex(
            hrules=True,
            column_format="l" + len(styled.columns) * "r",
            caption=_latex(self.caption if caption is None else caption),
            label=label,
            position="ht",
        )
        return latex.translate(SIGNS)
