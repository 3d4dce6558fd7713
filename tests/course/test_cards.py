"""The questions of the lessons on a page without a kernel."""

from copy import deepcopy
from pathlib import Path

import nbformat
import pytest
from _cards import open_cards

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))


def notebook(source, shown):
    output = nbformat.v4.new_output("display_data", {"text/plain": shown})
    cell = nbformat.v4.new_code_cell(source, outputs=[output])
    return nbformat.v4.new_notebook(cells=[cell])


def test_each_answer_opens_its_sentence():
    asked = notebook(
        'x = 1\nwidgets.predict("Is x > 0?", {"a < b": "It is.", "no": "Count."}, right="a < b")',
        "Predict. Is x > 0? (a < b / no)",
    )
    open_cards(asked)
    (cell,) = asked.cells
    page = cell.outputs[0]["data"]["text/html"]
    assert "<summary>a &lt; b</summary><p><b>Yes.</b> It is.</p>" in page
    assert "<summary>no</summary><p><b>Not so.</b> Count.</p>" in page
    assert "Is x > 0?" in page
    assert cell.metadata["tags"] == ["remove-input"]


def test_other_cells_stay_as_they_are():
    other = notebook("%time model.predict(x)", "[1, 2]")
    before = deepcopy(other)
    open_cards(other)
    assert other == before


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_no_card_of_the_course_is_left_closed(path):
    lesson = nbformat.read(path, as_version=4)
    open_cards(lesson)
    for cell in lesson.cells:
        if cell.cell_type == "code" and "predict(" in cell.source:
            assert "<details>" in cell.outputs[0]["data"]["text/html"]
