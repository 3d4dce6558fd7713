"""Every notebook of the course in JupyterLab in a real browser: run from the top."""

import os
from pathlib import Path

import pytest
from pages import Notebook

pytestmark = pytest.mark.browser
NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
ON_REAL_DATA = "06_replication.ipynb"
needs_data = pytest.mark.skipif(
    not os.environ.get("IRSTD_DATA"), reason="needs real TREC data: set IRSTD_DATA to their folder"
)


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(path.name, id=path.stem, marks=[needs_data] * (path.name == ON_REAL_DATA))
        for path in NOTEBOOKS
    ],
)
def notebook(request, browser, server):
    opened = Notebook.open(browser, server, request.param)
    yield opened
    opened.close()


def test_it_runs_from_the_top(notebook):
    counts = [cell["count"] for cell in notebook.cells if cell["source"].strip()]
    assert counts == list(range(1, len(counts) + 1))
    assert notebook.outputs("output_type", "error") == []
    assert notebook.outputs("name", "stderr") == []


def test_nothing_is_asked_of_another_machine_and_no_error_is_logged(notebook):
    assert notebook.watch.requests
    assert notebook.watch.elsewhere() == []
    assert notebook.watch.errors == []
