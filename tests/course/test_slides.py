"""Slides of a lesson, which nbconvert makes of the slide types in its cells."""

import re

import nbformat
from bs4 import BeautifulSoup
from lessons import of_each_lesson
from nbconvert import SlidesExporter


@of_each_lesson
def test_slides_have_predictions_and_figures_but_no_exercise(path):
    cells = nbformat.read(path, 4).cells
    assert all("slide_type" in cell.metadata.get("slideshow", {}) for cell in cells)
    page, _ = SlidesExporter(exclude_input=True).from_filename(str(path))
    slides = BeautifulSoup(page, "html.parser")
    predictions = [c for c in cells if re.match(r"(widgets\.)?predict\(", c.source)]
    assert slides.get_text().count("Predict.") >= len(predictions)
    assert len(slides.select("section img, section table.dataframe")) >= 3
    assert not re.search(r"Exercise 0\d|irstd\.solution", slides.get_text())
