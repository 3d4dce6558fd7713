"""Slides of a lesson, which nbconvert makes of the slide types in its cells."""

import re

import nbformat
import pytest
from bs4 import BeautifulSoup
from lessons import WITH_EXERCISES, of_each_lesson
from nbconvert import SlidesExporter


@pytest.fixture(scope="module")
def slides():
    """The slides of each lesson, without code."""
    exporter = SlidesExporter(exclude_input=True)
    pages = {path: exporter.from_filename(str(path))[0] for path in WITH_EXERCISES}
    return {path: BeautifulSoup(page, "html.parser") for path, page in pages.items()}


@of_each_lesson
def test_slides_have_questions_predictions_and_figures_but_no_exercise(path, slides):
    cells = nbformat.read(path, 4).cells
    assert all("slide_type" in cell.metadata.get("slideshow", {}) for cell in cells)
    shown = slides[path].select("section > section")
    heads = [head.get_text().rstrip("\N{PILCROW SIGN}") for head in slides[path].find_all("h2")]
    questions = [q for c in cells for q in re.findall(r"(?m)^## (\d\. .+\?)$", c.source)]
    assert questions and [head for head in heads if head in questions] == questions
    predictions = [c for c in cells if re.match(r"(widgets\.)?predict\(", c.source)]
    assert sum("Predict." in slide.get_text() for slide in shown) == len(predictions)
    assert len(slides[path].select("section img, section table.dataframe")) >= 3
    assert 15 <= len(shown) <= 30
    assert not re.search(r"Exercise 0\d|irstd\.solution", slides[path].get_text())
