"""Self-contained HTML pages made of notebooks."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import irstd

SHORT = "short"  # tag of cells on the short page
GUIDE = "guide"  # tag of a heading with its reading guide, which goes to the end, folded
# Characters that would reverse the text after a name
DIRECTIONS = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)], "\ufffd")


def tags(cell: Any) -> list[str]:
    """Return the tags of a cell."""
    return cell.metadata.get("tags", [])


def to_html(notebook: Any, title: str, about: list[str], *, short: bool = False) -> str:
    """Return a notebook as a self-contained page, without sections that show nothing."""
    from nbconvert import HTMLExporter

    notebook.metadata.pop("widgets", None)  # they need a kernel
    cells: list[Any] = []
    for cell in reversed(notebook.cells):
        if short and SHORT not in tags(cell):
            continue
        if cell.get("outputs") or (GUIDE in tags(cell) and cells and cells[0].get("outputs")):
            cells.insert(0, cell)
    notebook.cells = cells
    exporter = HTMLExporter(
        template_name="page",
        extra_template_basedirs=[str(Path(__file__).parent)],
        exclude_input=True,
        exclude_output_prompt=True,
        exclude_anchor_links=True,
        filters={"format_cells": _format_cells},
    )
    resources = {"title": title, "about": about, "version": irstd.__version__}
    resources["kind"] = SHORT if short else "long"
    page, _ = exporter.from_notebook_node(notebook, resources)
    return page.translate(DIRECTIONS)


def _format_cells(table: str) -> str:
    """Mark cells of text, which are aligned to the left, and give numbers a real minus sign."""
    marked = re.sub(r"<td>(?![-&–\d\[])", '<td class="text">', table)
    return re.sub(r"(?<=[>\[ ])-(?=\d)", "−", marked)
