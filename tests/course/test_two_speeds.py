"""A main line of forty minutes, and what a doubter asks below collapsed headings."""

import json
import re

import pytest
from lessons import NOTEBOOKS

LESSONS = sorted(NOTEBOOKS.glob("0[1-589]_*.ipynb"))
LIMITS = {"04": 2300, "05": 2500, "08": 1600, "09": 1600}  # words of the main line


def source(cell):
    return "".join(cell["source"])


def main_line(cells):
    """The text that is not below a collapsed heading, up to the exercises."""
    folded = None
    for cell in cells:
        text = source(cell)
        if text.startswith("## Exercises"):
            return
        heading = re.match(r"(#+) ", text) if cell["cell_type"] == "markdown" else None
        if heading and folded and len(heading[1]) <= folded:
            folded = None
        if heading and cell["metadata"].get("jp-MarkdownHeadingCollapsed"):
            folded = folded or len(heading[1])
        if cell["cell_type"] == "markdown" and not folded:
            yield text


@pytest.fixture(params=LESSONS, ids=lambda path: path.stem)
def lesson(request):
    cells = json.loads(request.param.read_text(encoding="utf-8"))["cells"]
    return request.param.name[:2], cells


def test_the_main_line_is_short(lesson):
    """Without formulas and tables."""
    name, cells = lesson
    text = re.sub(r"(?m)^\s*\|.*$", "", "\n".join(main_line(cells)))
    text = re.sub(r"(?s)\$\$.*?\$\$|\$[^$]*\$", "", text)
    assert len(re.findall(r"[A-Za-z][A-Za-z'-]*", text)) <= LIMITS.get(name, 2200)


def test_what_goes_deeper_is_collapsed_and_three_questions_are_open(lesson):
    _, cells = lesson
    headings = [cell for cell in cells if source(cell).startswith("##")]
    deeper = [cell for cell in headings if "# Go deeper" in source(cell)]
    assert deeper
    for cell in headings:
        collapsed = cell["metadata"].get("jp-MarkdownHeadingCollapsed", False)
        assert collapsed == (cell in deeper)
        assert not collapsed or "\n" not in source(cell)  # text under it would stay open
    questions = [cell for cell in headings if re.match(r"## .+\?$", source(cell).splitlines()[0])]
    assert len(questions) >= 3
