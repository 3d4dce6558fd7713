"""A paper's table as it is handed out: its numbers, as text, as HTML, and as LaTeX."""

from __future__ import annotations

import html
from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from irstd._base.arguments import check_count

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

    def _text(self, bold: str, digits: int = 3) -> pd.DataFrame:
        """What stands in the cells, the best by the form `bold`."""
        number = f"{{:.{digits}f}}"
        cells = self.cells
        text = _shown(cells["mean"], number, NOTHING)
        text = text.mask(cells["best"], text.map(bold.format)) + cells["mark"]
        text += _shown(cells["spread"], f" ± {number}")
        text += _shown(cells["low"], f" [{number}, ") + _shown(cells["high"], f"{number}]")
        return self._wide(text).join(self.beside.apply(_shown, args=(number, NOTHING)))

    def _styled(
        self, bold: str, escape: Callable[..., str], digits: int = 3, head: str | None = None
    ) -> pd.io.formats.style.Styler:
        """The table as pandas writes it for pages, with a head of the column of systems."""
        text = self._text(bold, digits).rename_axis(index=None, columns=head).rename(columns=str)
        return text.style.format_index(escape, axis=0).format_index(escape, axis=1)

    def __repr__(self) -> str:
        """The table as text, the best of each column between asterisks."""
        return f"{self._text('*{}*').to_string()}\n{self.caption}"

    def _repr_html_(self) -> str:
        """The table in a notebook's cell, the best of each column bold."""
        table = self._styled("<b>{}</b>", html.escape).to_html(exclude_styles=True)
        return f"{table}<p>{html.escape(self.caption)}</p>"

    def to_latex(
        self, *, digits: int = 3, caption: str | None = None, label: str = "tab:runs"
    ) -> str:
        """The table as LaTeX, for the package booktabs; the best of each column is bold.

        In percent is the table of ``100 * scores``.

        Parameters
        ----------
        digits : int, default 3
            After the decimal point.
        caption : str, optional
            In place of the one that says what is bold and marked.
        label : str, default "tab:runs"
            For references to the table.
        """
        styled = self._styled(r"\textbf{{{}}}", _latex, check_count(digits, "digits", 0), "run")
        latex = styled.to_latex(
            hrules=True,
            column_format="l" + len(styled.columns) * "r",
            caption=_latex(self.caption if caption is None else caption),
            label=label,
            position="ht",
        )
        return latex.translate(SIGNS)
