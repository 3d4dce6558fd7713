"""A notebook as one page of HTML that needs nothing from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import irstd

SUMMARY = "summary"  # tag of cells that come last in the notebook, and first on a page
SHORT = "short"  # tag of cells that a page of one sheet has, too
ONLY_SHORT = "only-short"  # and of those that no other page has


def to_html(
    notebook: Any,
    title: str,
    about: dict[str, str],
    left_out: Sequence[str],
    *,
    code: bool = False,
    short: bool = False,
) -> str:
    """A page that needs nothing from elsewhere, with a text alternative for each picture."""
    from nbconvert import HTMLExporter
    from pygments.formatters import HtmlFormatter
    from traitlets.config import Config

    notebook.metadata.pop("widgets", None)  # they need a kernel
    for cell in notebook.cells:
        image = cell.metadata.get("mystnb", {}).get("image", {})
        cell.metadata["alt"] = image.get("alt", "a figure, described in the text beside it")
    notebook.cells.sort(key=lambda cell: SUMMARY not in cell.metadata.get("tags", []))
    if short:
        kept = {SHORT, ONLY_SHORT}
        notebook.cells = [c for c in notebook.cells if kept & {*c.metadata.get("tags", [])}]
    else:
        left_out = [*left_out, ONLY_SHORT]
    exporter = HTMLExporter(
        config=Config(TagRemovePreprocessor={"enabled": True, "remove_cell_tags": left_out}),
        template_name="page",
        extra_template_basedirs=[str(Path(__file__).parent)],
        exclude_input=not code,
        exclude_input_prompt=True,
        exclude_output_prompt=True,
        exclude_anchor_links=True,
    )
    style = HtmlFormatter().get_style_defs(".highlight") if code else ""
    resources = {"title": title, "about": about, "version": irstd.__version__, "code_style": style}
    resources["kind"] = "short" if short else "long"
    return _finished(exporter.from_notebook_node(notebook, resources)[0])


def _finished(page: str) -> str:
    """The page with contents, and with tables that tell what is a head and can be scrolled."""
    from bs4 import BeautifulSoup

    soup = BeautifulSoup(page, "html.parser")
    contents: Any = soup.select_one("nav ol")
    for heading in soup.select("main h2") if contents else []:
        heading["id"] = re.sub(r"\W+", "-", heading.text.lower()).strip("-")
        item = f'<li><a href="#{heading["id"]}">{heading.decode_contents()}</a></li>'
        contents.append(BeautifulSoup(item, "html.parser"))
    for n, table in enumerate(soup.select("main table"), start=1):
        lines: Any = [line.find_all("th") for line in table.select("thead tr")]
        if len(lines) == 2 and not any(cell.text.strip() for cell in lines[1][1:]):
            lines[0][0].string = lines[1][0].text  # the name of the rows, in a line of its own
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
            elif text and not re.fullmatch(r"[-+<.,\d\s%e]*", text):
                text.wrap(soup.new_tag("bdi"))
        frame = {"class": "table", "tabindex": "0", "role": "region", "aria-label": f"Table {n}"}
        table.wrap(soup.new_tag("div", attrs=frame))
    return str(soup)
