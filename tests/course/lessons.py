"""The lessons as they are stored, for tests of what they say, and tables beside the tests."""

import csv
import json
from pathlib import Path

import pytest

from irstd.exercises import read_exercises

HERE = Path(__file__).parent
NOTEBOOKS = HERE.parents[1] / "notebooks"
WITH_EXERCISES = sorted(NOTEBOOKS.glob("0[1-589]_*.ipynb"))
of_each_lesson = pytest.mark.parametrize("path", WITH_EXERCISES, ids=lambda path: path.stem)


def rows_of(name):
    """Of a table in this folder, or elsewhere."""
    with open(HERE / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def make_cells(lesson, kind):
    """The cells of a kind, code or markdown."""
    cells = json.loads((NOTEBOOKS / f"{lesson}.ipynb").read_text("utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == kind]


def sources_of(lesson, kind):
    """The text of each cell of a kind."""
    return ["".join(cell["source"]) for cell in make_cells(lesson, kind)]


def printed(cells):
    """What cells print and show, as text."""
    texts = []
    for cell in cells:
        for output in cell["outputs"]:
            texts += output.get("text", [])
            texts += output.get("data", {}).get("text/plain", [])
    return "".join(texts)


def wrong(name):
    """An answer of the form that is asked for: no number is right, or the first name lacks."""
    rows = read_exercises()[name]
    if "name" in rows:
        return [row["value"] for row in rows["name"][1:]]
    return [float(row["value"]) + 7 for row in rows["value"]]
