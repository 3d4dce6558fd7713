"""Slides of a lesson have what is said in a lecture, and nothing of its code and exercises."""

import re

import nbformat
from bs4 import BeautifulSoup
from lessons import of_each_lesson

from irstd.__main__ import main


@of_each_lesson
def test_slides_have_questions_predictions_and_pictures_of_a_lesson(path, tmp_path):
    assert main(["slides", path.stem, "-o", str(tmp_path / "slides.html")]) == 0
    text = (tmp_path / "slides.html").read_text(encoding="utf-8")
    page = BeautifulSoup(text, "html.parser")
    slides = page.find_all("section")
    heads = [head.get_text().rstrip("\N{PILCROW SIGN}") for head in page.find_all(["h1", "h2"])]
    cells = nbformat.read(path, 4).cells
    questions = [q for c in cells for q in re.findall(r"(?m)^## (\d\. .+\?)$", c.source)]
    assert questions and [head for head in heads if head in questions] == questions
    predictions = [c for c in cells if re.match(r"(widgets\.)?predict\(", c.source)]
    assert sum("Predict." in slide.get_text() for slide in slides) == len(predictions)
    assert all(picture["alt"] for picture in page.find_all("img"))
    assert len(page.find_all("img")) >= 3
    assert 15 <= len(slides) <= 30
    assert not re.search(r"irstd\.check|irstd\.solution|<script|https?://[^\"<]+\.(js|css)", text)
    assert "$" not in page.get_text()
