"""The pages that say how far a lesson holds, and lessons' own tables; and what a number is there.

how_far.csv has the claims of their first tables and the names of their numbers; said.csv the
numbers that stand in verdicts and in text.
"""

import csv
import re
from pathlib import Path

import pandas as pd
from lessons import NOTEBOOKS, cells_of, sources_of
from public.rows import stored

HERE = Path(__file__).parent
PAGES = HERE.parents[1] / ".site" / "pages" / "how_far"
CANNOT = "cannot be had"
MADE = ("here", "ten campaigns")  # columns of simulated numbers


def rows_of(name):
    with open(HERE / name, encoding="utf-8") as file:
        return list(csv.DictReader(file))


CLAIMS = rows_of("how_far.csv")
SAID = rows_of("said.csv")
LEDGER = {row["id"]: row["ours"] for row in rows_of(NOTEBOOKS / "data" / "claims.csv")}


def path_of(lesson):
    (path,) = NOTEBOOKS.glob(f"{lesson}_*.ipynb")
    return path


def text_of(lesson):
    """The text of a lesson and its cells."""
    name = path_of(lesson).stem
    return "\n".join(sources_of(name, "markdown") + sources_of(name, "code"))


def page_of(lesson):
    return (PAGES / f"{path_of(lesson).stem}.md").read_text("utf-8")


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


def in_the_table(lesson, what, column):
    """The numbers in a cell of the lesson's own table; its columns count from 0, "here"."""
    (row,) = re.findall(rf"(?m)^\| {what}.*$", text_of(lesson))
    return [float(x) for x in re.findall(r"-?\d[.\d]*", row.split("|")[2 + column])]


def cell_of(lesson, name):
    """The cell of this name."""
    cells = cells_of(path_of(lesson).stem, "code")
    (cell,) = [cell for cell in cells if cell["id"].endswith(f"-{name}")]
    return cell


def shown(lesson, name):
    """What a cell shows, as text."""
    (output,) = cell_of(lesson, name)["outputs"]
    return "".join(output["data"]["text/plain"])


def source_of(lesson, name):
    return "".join(cell_of(lesson, name)["source"])


def public(lesson, column="value"):
    """What public.csv has of a lesson, by name."""
    return stored().query("lesson == @lesson").set_index("name")[column].astype(float)


def digits(text):
    return len(text.partition(".")[2])


def agrees(text, value):
    """Whether a number is that of a text, to its last digit and one beside."""
    return abs(float(text) - value) < 1.01 * 10.0 ** -digits(text)
