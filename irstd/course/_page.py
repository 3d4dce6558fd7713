"""Self-contained HTML pages made of notebooks."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import irstd

SHORT = "short"  # tag of cells on the short page
GUIDE = "guide"  # tag of a heading with its reading guide, which goes to the end, folded


def tags(cell: Any) -> list[str]:
    """Return the tags of a cell."""
    return cell.metadata.get("tags", [])


def outputs(cell: Any) -> list:
    """Return the outputs of a cell; a text cell has none."""
    return cell.get("outputs", [])


def to_html(notebook: Any, title: str, about: dict[str, str], *, short: bool = False) -> str:
    """Return a notebook as a self-contained page, with a text alternative per picture."""
    from nbconvert import HTMLExporter

    notebook.metadata.pop("widgets", None)  # they need a kernel
    for cell in notebook.cells:
        image = cell.metadata.get("mystnb", {}).get("image", {})
        cell.metadata["alt"] = image.get("alt", "a figure, described in the text beside it")
    if short:
        notebook.cells = [cell for cell in notebook.cells if SHORT in tags(cell)]
    guide = _take_guide(notebook)
    exporter = HTMLExporter(
        template_name="page",
        extra_template_basedirs=[str(Path(__file__).parent)],
        exclude_input=True,
        exclude_input_prompt=True,
        exclude_output_prompt=True,
        exclude_anchor_links=True,
    )
    resources = {"title": title, "about": about, "version": irstd.__version__, "guide": guide}
    resources["kind"] = SHORT if short else "long"
    return _make_accessible(exporter.from_notebook_node(notebook, resources)[0])


def _take_guide(notebook: Any) -> dict[str, str]:
    """Remove empty sections and all reading guides; return the guides by heading."""
    from nbconvert.filters import markdown2html

    guide = {}
    cells: list[Any] = []
    for cell in reversed(notebook.cells):
        if GUIDE in tags(cell):
            heading, _, text = cell.source.partition("\n")
            if not (cells and outputs(cells[0])):
                continue
            cell.source = heading
            guide[heading.strip("# ")] = markdown2html(text)
        if cell.cell_type == "markdown" or outputs(cell):
            cells.insert(0, cell)
    notebook.cells = cells
    return dict(reversed(guide.items()))


def _make_accessible(page: str) -> str:
    """Return the page with accessible tables: header cells, captions, scrolling."""
    from bs4 import BeautifulSoup

    soup = BeautifulSoup(page, "html.parser")
    for n, table in enumerate(soup.select("main table"), start=1):
        lines: Any = [line.find_all("th") for line in table.select("thead tr")]
        if len(lines) == 2 and not any(cell.text.strip() for cell in lines[1][1:]):
            lines[0][0].string = lines[1][0].text  # the name of the index, on a line of its own
            lines[1][0].parent.decompose()
        for cell in table.select("th"):
            if cell.text.strip():
                cell["scope"] = "col" if cell.find_parent("thead") else "row"
            else:
                cell.name = "td"
        for cell in table.select("tbody th, tbody td"):
            text = cell.find(string=True, recursive=False)
            if text == "NaN":
                text.replace_with("–")
            elif text and not re.fullmatch(r"[-+<.,\d\s%e\[\]†↑↓]*", text):
                text.wrap(soup.new_tag("bdi"))
        _add_caption(soup, table)
        frame = {"class": "table", "tabindex": "0", "role": "region", "aria-label": f"Table {n}"}
        table.wrap(soup.new_tag("div", attrs=frame))
    return str(soup)


def _add_caption(soup: Any, table: Any) -> None:
    """Turn the heading above a table and the paragraph below it into its caption."""
    caption = soup.new_tag("caption")
    for name, element in (("b", table.find_previous("h2")), ("span", table.find_next_sibling("p"))):
        if element:
            element.name = name
            caption.append(element.extract())
    if caption.contents:
        table.insert(0, caption)
