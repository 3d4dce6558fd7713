"""The pages that say how far a lesson holds, and lessons' own tables; and what a number is there.

how_far.csv has the claims of their first tables and the names of their numbers; page_numbers.csv
the numbers in verdicts and in text; in_lessons.csv where each number of a lesson's own table
is from: a cell, public.csv, or what claims.csv has as `ours` or as `printed`.
"""

import re

import pandas as pd
from lessons import NOTEBOOKS, make_cells, printed, rows_of, sources_of
from public.rows import stored
from texts import read_page

CANNOT = "cannot be had"
MADE = ("here", "ten campaigns")  # columns of simulated numbers


CLAIMS = rows_of("how_far.csv")
NUMBERS = rows_of("page_numbers.csv")
IN_LESSONS = rows_of("in_lessons.csv")
LEDGER = {row["id"]: row for row in rows_of(NOTEBOOKS / "data" / "claims.csv")}


def path_of(lesson):
    (path,) = NOTEBOOKS.glob(f"{lesson}_*.ipynb")
    return path


def text_of(lesson):
    """The text of a lesson and its cells."""
    name = path_of(lesson).stem
    return "\n".join(sources_of(name, "markdown") + sources_of(name, "code"))


def page_of(lesson):
    return read_page(f"pages/how_far/{path_of(lesson).stem}")


def table_below(text, heading):
    """The rows of the first table below a heading; the first has the names of the columns."""
    part = text.partition(heading)[2].partition("\n## ")[0]
    lines = [line for line in part.splitlines() if line.startswith("|")]
    head, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [head, *rows]


def last_table(lesson):
    """The rows of the page's first table, by claim."""
    head, *rows = table_below(page_of(lesson), "# How far does")
    return pd.DataFrame(rows, columns=head).set_index("claim")


def numbers_in(text):
    """The numbers of a text, as they are printed."""
    return re.findall(r"-?\d+(?:\.\d+)?", text)


def printed_in_the_table(lesson, what, column):
    """The numbers in a cell of the lesson's own table; its columns count from 0, "here"."""
    (row,) = re.findall(rf"(?m)^\| {what}.*$", text_of(lesson))
    return numbers_in(row.split("|")[2 + int(column)])


def in_the_table(lesson, what, column):
    return [float(number) for number in printed_in_the_table(lesson, what, column)]


def cell_of(lesson, name):
    """The cell of this name."""
    cells = make_cells(path_of(lesson).stem, "code")
    (cell,) = [cell for cell in cells if cell["id"].endswith(f"-{name}")]
    return cell


def shown(lesson, name):
    """What a cell prints and shows, as text."""
    return printed([cell_of(lesson, name)])


def source_of(lesson, name):
    return "".join(cell_of(lesson, name)["source"])


def public(lesson, column="value"):
    """What public.csv has of a lesson, by name."""
    return stored().query("lesson == @lesson").set_index("name")[column].astype(float)


def agrees(text, value, units=0.51):
    """Whether a number is that of a text, to so many units of its last digit."""
    digits = len(text.partition(".")[2])
    return abs(float(text) - value) < units * 10.0**-digits
