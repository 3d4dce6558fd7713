"""Notebooks of the course in JupyterLab in a real browser: run, looked at, their widgets used.

What must hold is held against what the browser says: the model of the notebook after the run, the
requests and the console of the page, boxes and decoded pixels.
"""

import os
from pathlib import Path

import pytest
from layout import boxes, broken_images, outside, overlaps, too_wide
from pages import SIZES, Notebook

pytestmark = [pytest.mark.browser, pytest.mark.night]
FOLDER = Path(__file__).parents[2] / "notebooks"
NOTEBOOKS = sorted(path.stem for path in FOLDER.glob("*.ipynb"))
OUTPUTS = ".jp-OutputArea, .jp-OutputArea-output, .jp-RenderedMarkdown, .widget-image"
EXPLORER = ".widget-vbox:has(> img.widget-image)"
CONTROLS = ".widget-slider:visible, .widget-dropdown:visible"
IMAGES = ".jp-OutputArea img, .jp-RenderedMarkdown img"


@pytest.fixture(scope="module", params=NOTEBOOKS)
def notebook(request, browser, server):
    if request.param.startswith("06") and not os.environ.get("IRSTD_DATA"):
        pytest.skip("needs real TREC data: set IRSTD_DATA to their folder")
    opened = Notebook.run(browser, server, f"{request.param}.ipynb")
    yield opened
    opened.close()


def test_it_runs_from_the_top(notebook):
    counts = [cell["count"] for cell in notebook.cells if cell["source"].strip()]
    assert counts == list(range(1, len(counts) + 1))
    outputs = [output for cell in notebook.cells for output in cell["outputs"]]
    assert not [o for o in outputs if o["output_type"] == "error" or o.get("name") == "stderr"]
    shown = [output.get("data", {}).get("text/plain", "") for output in outputs]
    assert notebook.page.locator(EXPLORER).count() == sum(
        text.startswith("Explorer(") for text in shown
    )


@pytest.mark.parametrize("size", SIZES, ids="{0[0]}x{0[1]}".format)
def test_nothing_is_clipped_or_drawn_over_something_else(notebook, size):
    notebook.resize(*size)
    assert too_wide(notebook.page, OUTPUTS) == []
    assert broken_images(notebook.page, IMAGES) == []
    for root in notebook.page.locator(EXPLORER).all():
        frame = root.bounding_box()
        parts = [*root.locator(CONTROLS).all(), root.locator("> img.widget-image")]
        found = boxes(dict(enumerate(parts)))
        assert overlaps(found) == []
        assert [part for part, box in found.items() if outside(box, frame)] == []


def test_a_slider_moved_by_a_key_changes_the_picture_and_the_sentence(notebook):
    for root in notebook.page.locator(EXPLORER).all():
        image, text = root.locator("> img.widget-image"), root.locator(".widget-html-content")
        before = image.get_attribute("src"), text.inner_text()
        root.locator("[role=slider]").first.focus()
        notebook.page.keyboard.press("ArrowLeft")
        notebook.settle()
        assert image.get_attribute("src") != before[0]
        assert text.inner_text() != before[1]


def test_nothing_is_asked_of_another_machine_and_no_error_is_logged(notebook):
    assert notebook.watch.requests
    assert notebook.watch.elsewhere() == []
    assert notebook.watch.errors == []
