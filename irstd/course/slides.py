"""Slides of a lesson: its questions, predictions, pictures and bold sentences, as one page.

Code, tables and exercises are for the lesson. The page needs no script and no network: each slide
is as high as the window, and the keys that scroll go from one to the next.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from irstd._base.messages import needed
from irstd.course._graders import read_lessons
from irstd.course.lab import course_folder

LISTS = ("What you will learn", "Where this goes wrong", "In a paper", "Summary")
LEFT_OUT = ("Before you start", "Set-up", "Go deeper", "Here,", "Exercises", "Quiz", "Ref")
ABOUT = ("title", "picture")  # of which the paragraph after it speaks
BOLD = re.compile(r"(\*\w+\.\* )?\*\*[^*]{30,}\*\*")
SENTENCE = re.compile(r"(?<=[.?]) (?=[A-Z*])")
PAGE = """\
<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
html {{ scroll-snap-type: y mandatory; font: 1.5rem/1.4 sans-serif; color: #111; background: #fff }}
body {{ margin: 0 }}
section {{
  box-sizing: border-box; min-height: 100vh; padding: 1rem 8vw; scroll-snap-align: start;
  display: flex; flex-direction: column; justify-content: center; break-after: page;
}}
h1, h2 {{ font-size: 1.6em; margin: 0.5em 0; line-height: 1.2 }}
.anchor-link {{ display: none }}
img {{ max-width: 100%; max-height: 70vh; object-fit: contain }}
</style>
{slides}
</html>
"""


def slides(lesson: str, source: Path | None = None) -> str:
    """Return the slides of a lesson, as a page of HTML.

    Parameters
    ----------
    lesson : str
        Its name: "02_standardization".
    source : Path, optional
        Notebooks of your own; by default those of this installation.

    Raises
    ------
    FileNotFoundError, ValueError
        If there is no such notebook, or it cannot be read.
    """
    ((_, notebook),) = read_lessons(source or course_folder(), lesson).items()
    made: list[str] = []
    last = ""
    for kind, text in _pieces(notebook.cells):
        if kind == "bold":
            text = text.replace("**", "")
        if kind in ("bold", "paragraph"):
            text = " ".join(SENTENCE.split(text)[:2])
        if kind in ("paragraph", "list") or (kind == "bold" and last == "picture"):
            made[-1] += f"\n\n{text}"
        else:
            made.append(f"## {text}" if kind == "bold" else text)
        last = kind
    to_html = needed("nbconvert.filters").markdown2html
    to_formula = needed("latex2mathml.converter").convert
    sections = []
    for slide in made:
        text = re.sub(r"\$([^$]+)\$", lambda formula: to_formula(formula[1]), slide)
        sections.append(f"<section>\n{to_html(text)}\n</section>")
    return PAGE.format(title=html.escape(lesson), slides="\n".join(sections))


def _pieces(cells: list[Any]) -> Iterator[tuple[str, str]]:
    """What slides are made of: kinds and texts, in the order of the notebook."""
    section = ""
    last = ""
    for cell in cells:
        if cell.cell_type == "code" and not section.startswith(LEFT_OUT):
            for last, text in _shown(cell):
                yield last, text
        for part in cell.source.split("\n\n") * (cell.cell_type == "markdown"):
            if part.startswith("#"):
                section = part.lstrip("# ")
            kind = _kind(part, section)
            if section.startswith(LEFT_OUT) or (kind == "paragraph" and last not in ABOUT):
                continue
            yield kind, part
            last = kind


def _kind(part: str, section: str) -> str:
    """What a paragraph of a lesson is."""
    if part.startswith("#"):
        return "heading" if part.startswith("##") else "title"
    if BOLD.match(part):
        return "bold"
    if section.startswith(LISTS) and part.startswith(("- ", "> ")):
        return "list"
    return "paragraph"


def _shown(cell: Any) -> Iterator[tuple[str, str]]:
    """The pictures that a cell shows, or what it lets one predict."""
    for output in cell.outputs:
        data = output.get("data", {})
        if "predict(" in cell.source and "text/plain" in data:
            yield "prediction", data["text/plain"].replace("Predict.", "**Predict.**", 1)
        elif "image/png" in data:
            said = cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "")
            source = f"data:image/png;base64,{data['image/png'].strip()}"
            yield "picture", f'<img alt="{html.escape(said)}" src="{source}">'
