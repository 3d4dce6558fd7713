"""Run notebooks from the top and store what they show.

    python .github/execute.py notebooks/01*.ipynb

What a widget is without a kernel stays, its picture or table. Its state and view do not: they would
be an error message in a notebook that has not been run. Cells that are new in a lesson with slides
are left out of these, until they are given a slide type.
"""

import sys
from pathlib import Path

import nbformat
from nbconvert.preprocessors import ExecutePreprocessor

from irstd.course.lab import drop_widget_views

SECONDS = 600  # that a cell may take


def run(notebook: nbformat.NotebookNode, folder: Path) -> None:
    """Run a notebook in a folder."""
    runner = ExecutePreprocessor(timeout=SECONDS, record_timing=False, store_widget_state=False)
    runner.preprocess(notebook, {"metadata": {"path": str(folder)}})


def store(path: Path) -> None:
    """Run a notebook in its folder, and write it."""
    notebook = nbformat.read(path, as_version=4)
    about = notebook.metadata.copy()
    run(notebook, path.parent)
    notebook.metadata = about
    if any("slideshow" in cell.metadata for cell in notebook.cells):
        for cell in notebook.cells:
            cell.metadata.setdefault("slideshow", {"slide_type": "skip"})
    drop_widget_views({"type": "notebook", "content": notebook})
    nbformat.write(notebook, path)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        store(Path(name))
