"""A main line of forty minutes, and what a doubter asks below collapsed headings."""

import re

import nbformat
from lessons import of_each_lesson

LIMITS = {"04": 2300, "05": 2500, "08": 1600, "09": 1600}  # words of the main line


def main_line(path):
    """The text that is not below a collapsed heading, up to the exercises."""
    folded = None
    for cell in nbformat.read(path, 4).cells:
        if cell.source.startswith("## Exercises"):
            return
        heading = re.match(r"(#+) ", cell.source) if cell.cell_type == "markdown" else None
        if heading and folded and len(heading[1]) <= folded:
            folded = None
        if heading and cell.metadata.get("jp-MarkdownHeadingCollapsed"):
            folded = folded or len(heading[1])
        if cell.cell_type == "markdown" and not folded:
            yield cell.source


@of_each_lesson
def test_the_main_line_is_short(path):
    """Without formulas and tables."""
    text = re.sub(r"(?m)^\s*\|.*$", "", "\n".join(main_line(path)))
    text = re.sub(r"(?s)\$\$.*?\$\$|\$[^$]*\$", "", text)
    assert len(re.findall(r"[A-Za-z][A-Za-z'-]*", text)) <= LIMITS.get(path.name[:2], 2200)


@of_each_lesson
def test_what_goes_deeper_is_collapsed_and_three_questions_are_open(path):
    headings = [cell for cell in nbformat.read(path, 4).cells if cell.source.startswith("##")]
    deeper = [cell for cell in headings if "# Go deeper" in cell.source]
    assert deeper
    for cell in headings:
        collapsed = cell.metadata.get("jp-MarkdownHeadingCollapsed", False)
        assert collapsed == (cell in deeper)
        assert not collapsed or "\n" not in cell.source  # text under it would stay open
    questions = [cell for cell in headings if re.match(r"## .+\?$", cell.source.splitlines()[0])]
    assert len(questions) >= 3
