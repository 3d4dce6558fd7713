"""Run notebooks from the top and store what they show.

    python .github/execute.py notebooks/01*.ipynb

What a widget is without a kernel stays, its picture or table. Its state and view do not: they would
be an error message in a notebook that has not been run. Cells that are new in a lesson with slides
are left out of these, until they are given a slide type.
"""

import sys
from pathlib import Path

import nbformat

from irstd.course.answers import run
from irstd.course.lab import keep_still


def store(path: Path) -> None:
    """Run a notebook in its folder, and write it."""
    notebook = nbformat.read(path, as_version=4)
    about = notebook.metadata.copy()
    run(notebook, path)
    notebook.metadata = about
    if any("slideshow" in cell.metadata for cell in notebook.cells):
        for cell in notebook.cells:
            cell.metadata.setdefault("slideshow", {"slide_type": "skip"})
    keep_still({"type": "notebook", "content": notebook})
    nbformat.write(notebook, path)


for name in sys.argv[1:]:
    store(Path(name))
