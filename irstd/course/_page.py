"""Conversion of notebooks to self-contained HTML pages."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import irstd

SHORT = "short"  # tag of cells on the short page
GUIDE = "guide"  # tag of a heading with a reading guide, which is folded at the end
# Characters that reverse the direction of writing after a name
DIRECTIONS = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)], "\ufffd")


def get_tags(cell: Any) -> list[str]:
    """Return the tags of a cell."""
    return cell.metadata.get("tags", [])


def to_html(notebook: Any, title: str, about: list[str], *, short: bool = False) -> str:
    """Return a notebook as a self-contained page, without empty sections."""
    from nbconvert import HTMLExporter

    notebook.metadata.pop("widgets", None)  # widgets need a kernel
    cells: list[Any] = []
    for cell in reversed(notebook.cells):
        if short and SHORT not in get_tags(cell):
            continue
        if cell.get("outputs") or (GUIDE in get_tags(cell) and cells and cells[0].get("outputs")):
            cells.insert(0, cell)
    notebook.cells = cells
    shown = str([cell.get("outputs") for cell in cells])
    for cell in cells:
        cell.source = _drop_entries(cell.source, shown)
    exporter = HTMLExporter(
        template_name="page",
        extra_template_basedirs=[str(Path(__file__).parent)],
        exclude_input=True,
        exclude_output_prompt=True,
        exclude_anchor_links=True,
        filters={"format_cells": _format_cells},
    )
    resources = {
        "title": title,
        "about": about,
        "version": irstd.__version__,
        "kind": SHORT if short else "long",
    }
    page, _ = exporter.from_notebook_node(notebook, resources)
    return page.translate(DIRECTIONS)


def _drop_entries(guide: str, shown: str) -> str:
    """Drop the entries of a guide, such as "- `gmap`: ...", on what is not shown."""
    for entry, term in re.findall("(\n- `(.*?)`.*)", guide):
        if not re.search(rf"\b{term}\b", shown):
            guide = guide.replace(entry, "")
    return guide.strip()


def _format_cells(table: str) -> str:
    """Left-align the text cells of a table, and set real minus signs."""
    marked = re.sub(r"<td>(?![-&–\d\[])", '<td class="text">', table)
    return re.sub(r"(?<=[>\[ ])-(?=\d)", "−", marked)
