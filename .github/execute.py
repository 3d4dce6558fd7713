"""Run notebooks from the top and store what they show.

    python .github/execute.py notebooks/01*.ipynb

What a widget is without a kernel stays, its picture or table. Its state and view do not: they would
be an error message in a notebook that has not been run.
"""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from irstd.course.lab import keep_still


def store(path: Path) -> None:
    """Run a notebook in its folder, and write it."""
    notebook = nbformat.read(path, as_version=4)
    about = {name: value for name, value in notebook.metadata.items() if name != "widgets"}
    client = NotebookClient(
        notebook,
        timeout=120,
        record_timing=False,
        store_widget_state=False,
        resources={"metadata": {"path": str(path.parent)}},
    )
    client.execute()
    notebook.metadata = nbformat.from_dict(about)
    keep_still({"type": "notebook", "content": notebook})
    nbformat.write(notebook, path)


for name in sys.argv[1:]:
    store(Path(name))
