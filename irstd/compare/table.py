"""The table of a paper: several metrics, each tested by itself against a baseline."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from irstd._base.arguments import (
    check_choice,
    check_count,
    check_flag,
)
from irstd._base.clusters import Clusters
from irstd._base.messages import listed
from irstd._base.several import MEAN
from irstd.compare.captions import (
    NOTHING,
    comparison,
    on_contradictions,
    on_gaps,
    on_groups,
    on_margin,
    what_is_bold,
)
from irstd.compare.columns import Columns, Rules, of_collections, of_metrics
from irstd.compare.marks import arrows, marks_of_groups, marks_of_letters, with_equivalent

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
    | {"±": r"$\pm$"}
    | MARKS
)
SIGNS = str.maketrans(MARKS | {"±": r"$\pm$"})


@dataclass(frozen=True, eq=False)
class ComparisonTable:
    """What `comparison_table` gives: print it, or write its ``to_latex()`` to a file.

    Attributes
    ----------
    means : DataFrame
        A row for each system, best first by the first metric, and a column for each metric; of
        several collections, best first by their mean, which is the last column.
    marks : DataFrame
        Of the same form: ``"↑"`` better and ``"↓"`` worse than the baseline, ``"="`` equivalent;
        ``"†"`` in the group that holds the best; letters; else ``""``.
    tests : DataFrame
        Columns ``(metric, column)``, or ``(collection, column)``, rows as in `means`: those of
        `pairwise_tests` with the baseline, of `seed_test`, or of `rank_intervals`; of three
        collections or more also ``collections like these``, as by `combine_collections`.
    spread : DataFrame
        Of the form of `means`: with seeds, the standard deviation over them; else NaN.
    interval : DataFrame
        Of collections without seeds: ``low`` and ``high`` of the mean over them, at 1 - alpha; else
        empty.
    beside : DataFrame
        Columns without a test.
    printed : DataFrame
        Rows without a test.
    caption : str
        What the marks in the table mean, and no others; which systems lack topics or scores.
    """

    means: pd.DataFrame
    marks: pd.DataFrame
    tests: pd.DataFrame
    spread: pd.DataFrame
    interval: pd.DataFrame
    beside: pd.DataFrame
    printed: pd.DataFrame
    caption: str
    _unfinished: pd.DataFrame  # of the form of means: whether a system lacks some of the topics
    _better: dict[str, int]  # of each column that has a best: 1 if larger is better, else -1
    _heads: dict[str, str]  # what stands above a column, if not its name

    def _cells(self, bold: str, digits: int = 3, percent: bool = False) -> pd.DataFrame:
        in_unit = "{:." + str(digits) + "f}"
        unit = 100 if percent else 1
        means = pd.concat([self.means.round(12), self.printed])  # equal on paper
        figures = (unit * means).join(self.beside)
        text = figures.map(in_unit.format).where(figures.notna(), NOTHING)
        # A mean over other topics is not the best; numbers beside may be of any metric.
        left_out = self._unfinished.reindex(figures.index, fill_value=False)
        for column in self.beside.columns:
            left_out[column] = left_out[self.means.columns].any(axis=1)
        comparable = figures.mask(left_out)
        for column, sign in self._better.items():
            goodness = sign * comparable[column]
            is_best = goodness == goodness.max()
            text[column] = text[column].mask(is_best, text[column].map(bold.format))
        text[self.means.columns] += self._marks_beside.reindex(figures.index, fill_value="")
        spread = unit * self.spread.reindex(figures.index)
        over_seeds = spread.map((" ± " + in_unit).format).where(spread.notna(), "")
        text[self.means.columns] += over_seeds
        if not self.interval.empty:
            ends = unit * self.interval.reindex(figures.index)
            low = ends["low"].map(in_unit.format)
            high = ends["high"].map(in_unit.format)
            text[MEAN] += (" [" + low + ", " + high + "]").where(ends["low"].notna(), "")
        return text.rename(columns=self._heads)

    @property
    def _marks_beside(self) -> pd.DataFrame:
        """The marks as they stand beside a number: a blank before letters."""
        return self.marks.map(lambda mark: f" {mark}" if mark.isalnum() else mark)

    def __str__(self) -> str:
        """The table as text, the best of each column between asterisks."""
        return f"{self._cells('*{}*').to_string()}\n{self.caption}"

    def _repr_html_(self) -> str:
        """The table in a notebook's cell, the best of each column bold."""
        cells = self._cells("<b>{}</b>")
        cells.columns = [html.escape(str(name)) for name in cells]
        cells.index = [html.escape(str(name)) for name in cells.index]
        return f"{cells.to_html(escape=False)}<p>{html.escape(self.caption)}</p>"

    def to_latex(
        self,
        *,
        caption: str | None = None,
        label: str = "tab:runs",
        digits: int = 3,
        percent: bool = False,
        first: Sequence[str] = (),
        marks: Mapping[str, str] | None = None,
    ) -> str:
        """The table as LaTeX, for the package booktabs; the best of each column is bold.

        Parameters
        ----------
        caption : str, optional
            In place of the one that says what is bold and marked.
        label : str, default "tab:runs"
            For references to the table.
        digits : int, default 3
            After the decimal point.
        percent : bool, default False
            Means times 100, not the numbers beside.
        first : list of str, optional
            Systems that come first, such as the baseline; the others follow by their mean.
        marks : dict of str to str, optional
            Other signs for the marks ``"↑"``, ``"↓"`` and ``"†"``, in the table and its caption:
            ``{"↑": r"\dagger"}``.
        """
        digits = check_count(digits, "digits", 0)
        for system in first:
            check_choice(system, self.means.index, "first")
        cells = self._cells(r"\textbf{{{}}}", digits, check_flag(percent, "percent"))
        cells = cells.loc[[*first, *cells.index.drop(list(first))]]
        signs = {}
        for mark, command in (marks or {}).items():
            check_choice(mark, ["↑", "↓", "†"], "marks")
            signs[ord(mark)] = f"$^{{{command}}}$"
        cells = cells.map(lambda cell: cell.translate(SIGNS | signs))
        cells.columns = [str(name).translate(ESCAPED) for name in cells]
        # No [ or * after a line's end
        cells.insert(0, "run", [f"{{}}{name.translate(ESCAPED)}" for name in cells.index])
        if caption is None:
            caption = self.caption + " In percent." * percent
        n_numbers = cells.shape[1] - 1
        return cells.to_latex(
            index=False,
            column_format="l" + n_numbers * "r",
            caption=caption.translate(ESCAPED | signs),
            label=label,
            position="ht",
        )


def comparison_table(
    scores: pd.DataFrame | Mapping[str, pd.DataFrame],
    baseline: str | Sequence[str] | None,
    *,
    correction: str | None = "holm",
    method: str = "t",
    alpha: float = 0.05,
    family: str = "all",
    clusters: Clusters | None = None,
    margin: float | None = None,
    letters: bool = False,
    seeds: str | Mapping[str, tuple[str, str]] | None = None,
    beside: pd.DataFrame | None = None,
    printed: pd.DataFrame | None = None,
    better: Mapping[str, str] | None = None,
) -> ComparisonTable:
    """The table of a paper: systems by metrics, or by collections, each column with its tests.

    Parameters
    ----------
    scores : DataFrame, or dict of str to DataFrame
        Scores in one metric, or several with columns ``(metric, system)``, each with the baseline.
        Means are over the topics that a system has, tests over those that both have. Or scores in
        one metric by the name of their collection: a column for each, with its number of topics,
        and their mean, in which each collection has as much weight.
    baseline : str, list of str or None
        The system that all others are compared with, chosen before the scores were seen; a list, if
        a mark shall mean: than each of these. None: no system is tested; marked is the group that
        holds the best, see `rank_intervals`, at the level 1 - alpha, which needs five topics.
    correction, method
        As in `pairwise_tests`, but for tests of spread, which say nothing of means. The family that
        is corrected for are the pairs of one metric. Of collections, ``"t"`` only.
    alpha : float, default 0.05
        A system is marked if its p, corrected, is at most this.
    family : {"all", "collection"}, default "all"
        Of collections, what is corrected together: all tests of the table, or those of each column.
    clusters, margin
        As in `pairwise_tests`. With a margin, ``"="`` marks systems that are equivalent to the
        baseline: their difference is within it by two one-sided tests, corrected.
    letters : bool, default False
        Without a baseline: mark all systems by letters of significance, from tests of all pairs by
        `method` and `correction`; those that share one are not significantly different.
    seeds : str or dict, optional
        Which columns are one system with several seeds, as in `name_seeds`; the others have none,
        as BM25. Cells are means over seeds, with their standard deviation; tests are those of
        `seed_test`, with other topics and other seeds in mind. For one metric.
    beside : DataFrame, optional
        Numbers to be shown without a test, such as `gmap`: a row for each system.
    printed : DataFrame, optional
        Means that others print, of systems whose scores by topic are not to be had: a row for each,
        in columns of the table. They stand below, without a test.
    better : dict of str to str, optional
        By column, ``"larger"`` or ``"smaller"``: which is better. Of the metrics, larger, unless it
        is said otherwise here; of the columns beside, none is, and nothing is bold, unless it is
        said: ``{"ms per query": "smaller"}``. Of collections, larger.

    Returns
    -------
    ComparisonTable
        An object with the table as text (``str``), as LaTeX (``to_latex()``), and in numbers.

    Notes
    -----
    A mark of the mean over collections is for *these* collections and other topics; what is to be
    expected of other *collections like these* is the random-effects mean of `combine_collections`,
    in ``tests`` and in the caption if there are three or more, and no seeds. These are two
    questions: a gain on one of several can be certain of these, and say little of others.

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
    rules = Rules(
        baseline=baseline,
        correction=correction,
        method=method,
        alpha=alpha,
        family=family,
        clusters=clusters,
        margin=margin,
        letters=letters,
    ).checked()
    baseline = rules.baseline
    if isinstance(scores, Mapping):
        columns = of_collections(scores, rules, seeds)
    else:
        columns = of_metrics(scores, rules, seeds, better)
    several = isinstance(scores, Mapping) and len(columns.interval) > 0
    signs = _signs(better, list(columns.means.columns), beside)
    if isinstance(scores, Mapping) and min(signs.values()) < 0:
        raise ValueError(
            "better is of metrics: of errors on several collections, give the negative"
        )
    first = columns.means.columns[-1 if isinstance(scores, Mapping) else 0]
    means = columns.means.sort_values(first, ascending=signs[first] < 0, kind="stable")
    beside = means[[]] if beside is None else beside.loc[means.index]
    marks, sentences = _marks_and_what_they_mean(columns, rules, means, signs)
    marks = marks.reindex(index=means.index, columns=means.columns).fillna("")
    unfinished = columns.unfinished.loc[means.index]
    with_gaps = columns.counts[columns.unfinished.any(axis=1)]
    caption = [f"{columns.what}; {what_is_bold(signs, beside)}.", *sentences]
    printed = _printed(printed, means)
    if len(printed):
        caption.append(f"Not tested, as printed elsewhere: {listed(printed.index, 20)}.")
    caption += on_gaps(means, beside, with_gaps, columns.topics, baseline)
    caption += columns.notes
    tests = columns.tests
    if isinstance(baseline, str) and not letters:
        tests = {name: pairs.droplevel("system_b") for name, pairs in tests.items()}
    return ComparisonTable(
        means=means,
        marks=marks,
        tests=pd.concat(tests, axis=1),
        spread=columns.spread.loc[means.index],
        interval=columns.interval.reindex(means.index) if several else columns.interval,
        beside=beside,
        printed=printed,
        caption=" ".join(caption),
        _unfinished=unfinished,
        _better=signs,
        _heads=columns.heads,
    )


def _printed(printed: pd.DataFrame | None, means: pd.DataFrame) -> pd.DataFrame:
    """The rows that others print, in all columns of the table."""
    if printed is None:
        return means.iloc[:0]
    if not isinstance(printed, pd.DataFrame):
        raise TypeError(
            f"printed must be a DataFrame, a row a system, got {type(printed).__name__}"
        )
    for column in printed.columns:
        check_choice(column, list(means.columns), "the columns of printed")
    repeated = printed.index.intersection(means.index)
    if len(repeated) or not printed.index.is_unique:
        raise ValueError(
            f"printed must have other systems than scores, each once: {listed(repeated)}"
        )
    return printed.astype(float).reindex(columns=means.columns)


def _marks_and_what_they_mean(
    columns: Columns, rules: Rules, means: pd.DataFrame, signs: Mapping[str, int]
) -> tuple[pd.DataFrame, list[str]]:
    """The marks of systems by column, and the sentences of the caption on them."""
    how = f"({columns.how}, p ≤ {rules.alpha:g})"
    if rules.letters:
        marks = marks_of_letters(columns.tests, means, signs, rules.alpha)
        meaning = f"Systems that share a letter are not significantly different {how}"
        return marks, [f"{meaning}, which is no sign that they are equal."]
    if rules.baseline is None:
        marks = marks_of_groups(columns.tests)
        return marks, on_groups(marks, 1 - rules.alpha)
    tested = {name: columns.tests[name] for name in means.columns}
    marks, contradicted = arrows(tested, rules.correction, rules.alpha, signs)
    sentences = [f"{comparison(marks, rules.baseline)} {how}."]
    sentences += on_contradictions(contradicted)
    if rules.margin is not None:
        marks = with_equivalent(marks, tested, rules.alpha)
        sentences += on_margin(marks, rules.baseline, rules.margin)
    return marks, sentences


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
