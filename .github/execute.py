"""Run notebooks from the top and store their outputs.

    python .github/execute.py notebooks/01*.ipynb

Of a widget, the static picture or table is kept; state and view, which show an error without a
kernel, are not. New cells in a lesson with slides are skipped in these until they have a slide
type.
"""

import sys
from pathlib import Path

import nbformat
from nbconvert.preprocessors import ExecutePreprocessor

from irstd.course.lab import drop_widget_views

SECONDS = 600  # limit per cell


def run(notebook: nbformat.NotebookNode, folder: Path) -> None:
    """Run a notebook in a folder."""
    runner = ExecutePreprocessor(timeout=SECONDS, record_timing=False, store_widget_state=False)
    runner.preprocess(notebook, {"metadata": {"path": str(folder)}})


def store(path: Path) -> None:
    """Run a notebook in its folder, and save it."""
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
