"""A main line of forty minutes, and what a doubter asks below collapsed headings."""

import json
import re

import pytest
from lessons import NOTEBOOKS

LESSONS = sorted(NOTEBOOKS.glob("0[1-589]_*.ipynb"))
LIMITS = {"04": 2300, "05": 2500, "08": 1600, "09": 1600}  # words of the main line
MOST_IN_ALL = 3500
WORDS = re.compile(r"[A-Za-z][A-Za-z'-]*")


def source(cell):
    return "".join(cell["source"])


def before_the_exercises(cells):
    start = next(i for i, cell in enumerate(cells) if source(cell).startswith("## Exercises"))
    return cells[:start]


def main_line(cells):
    """The cells that are not below a collapsed heading."""
    folded = None
    for cell in before_the_exercises(cells):
        heading = re.match(r"(#+) ", source(cell)) if cell["cell_type"] == "markdown" else None
        if heading and folded and len(heading[1]) <= folded:
            folded = None
        if heading and cell["metadata"].get("jp-MarkdownHeadingCollapsed"):
            folded = folded or len(heading[1])
        if not folded:
            yield cell


def prose(cells):
    """The text, without formulas, tables and references."""
    text = "\n".join(source(cell) for cell in cells if cell["cell_type"] == "markdown")
    text, _, _ = text.partition("## References")
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("|")]
    return re.sub(r"\$\$.*?\$\$|\$[^$]*\$", "", "\n".join(lines), flags=re.DOTALL)


def visible_code(cells):
    """The lines of each cell of code that is not folded."""
    for cell in cells:
        hidden = cell["metadata"].get("jupyter", {}).get("source_hidden", False)
        if cell["cell_type"] == "code" and not hidden:
            yield [line for line in source(cell).splitlines() if line.strip()]


def pictures_and_tables(cells):
    for cell in cells:
        for output in cell.get("outputs", []):
            kinds = output.get("data", {})
            if "image/png" in kinds or (
                "text/html" in kinds and "<table" in str(kinds["text/html"])
            ):
                yield output


@pytest.fixture(params=LESSONS, ids=lambda path: path.stem)
def lesson(request):
    cells = json.loads(request.param.read_text(encoding="utf-8"))["cells"]
    return request.param.name[:2], cells


def test_the_main_line_is_short(lesson):
    name, cells = lesson
    text = prose(main_line(cells))
    assert 1200 <= len(WORDS.findall(text)) <= LIMITS.get(name, 2200)
    assert len(WORDS.findall(prose(cells))) <= MOST_IN_ALL


def test_its_code_is_read_at_a_glance(lesson):
    _, cells = lesson
    assert sum(len(lines) for lines in visible_code(main_line(cells))) <= 200
    assert max(len(lines) for lines in visible_code(cells)) <= 12


def test_it_has_few_pictures_and_tables(lesson):
    _, cells = lesson
    assert len(list(pictures_and_tables(main_line(cells)))) <= 8


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
