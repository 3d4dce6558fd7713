"""What a doubter asks stands below collapsed headings."""

import nbformat
from lessons import of_each_lesson


@of_each_lesson
def test_what_goes_deeper_is_collapsed(path):
    headings = [cell for cell in nbformat.read(path, 4).cells if cell.source.startswith("##")]
    deeper = [cell for cell in headings if "# Go deeper" in cell.source]
    assert deeper
    for cell in headings:
        collapsed = cell.metadata.get("jp-MarkdownHeadingCollapsed", False)
        assert collapsed == (cell in deeper)
        assert not collapsed or "\n" not in cell.source  # text under it would stay open
