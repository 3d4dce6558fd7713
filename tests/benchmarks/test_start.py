"""What one waits for: `import irstd`, and each notebook run from the top."""

import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"

IMPORTS = """if True:
    from time import perf_counter
    start = perf_counter()
    import pandas, scipy.stats
    middle = perf_counter()
    import irstd
    print(perf_counter() - middle, middle - start)
"""


def test_import(add_row, tmp_path):
    environment = os.environ | {"PYTHONPYCACHEPREFIX": str(tmp_path)}  # as installed: compiled
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-c", IMPORTS]
    subprocess.check_call(command, env=environment, stdout=subprocess.DEVNULL)
    texts = [subprocess.check_output(command, env=environment) for _ in range(11)]
    rounds = [map(float, text.split()) for text in texts]
    ours, theirs = map(min, zip(*rounds, strict=True))
    task = "`import irstd`, after pandas and scipy.stats"
    add_row(task, ours, "`import pandas, scipy.stats`", theirs)


def run(notebook):
    NotebookClient(notebook, timeout=600, resources={"metadata": {"path": NOTEBOOKS}}).execute()


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_notebook(against, path):
    if path.stem.startswith("06") and not os.environ.get("IRSTD_DATA"):
        pytest.skip("needs real TREC data: set IRSTD_DATA to their folder")
    notebook = nbformat.read(path, as_version=4)
    empty = nbformat.v4.new_notebook(metadata=notebook.metadata)
    empty.cells.append(nbformat.v4.new_code_cell(""))
    against(
        f"`{path.name}`, kernel and all",
        lambda: run(notebook),
        "an empty notebook",
        lambda: run(empty),
        rounds=3,
    )
