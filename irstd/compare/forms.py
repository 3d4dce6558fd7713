"""The table of a paper as text, as HTML and as LaTeX."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from irstd._base.arguments import check_choice, check_count, check_flag
from irstd._base.messages import listed
from irstd._base.several import MEAN
from irstd.compare.captions import NOTHING

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

    def _in_percent(self) -> str:
        """The sentence on percent; ValueError if means are no shares."""
        largest = self.means.max()
        beyond = listed(largest.index[largest > 1])
        if beyond:
            raise ValueError(
                f"percent=True is of scores up to 1, not of {beyond}: leave percent out, or give"
                " what is no share by beside= of comparison_table"
            )
        if len(self.beside.columns):
            return f" In percent, but for {listed(self.beside.columns, 20)}."
        return " In percent."

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
        r"""The table as LaTeX, for the package booktabs; the best of each column is bold.

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
            check_choice(system, [*self.means.index, *self.printed.index], "first")
        in_percent = self._in_percent() if check_flag(percent, "percent") else ""
        cells = self._cells(r"\textbf{{{}}}", digits, percent)
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
            caption = self.caption + in_percent
        n_numbers = cells.shape[1] - 1
        return cells.to_latex(
            index=False,
            column_format="l" + n_numbers * "r",
            caption=caption.translate(ESCAPED | signs),
            label=label,
            position="ht",
        )
