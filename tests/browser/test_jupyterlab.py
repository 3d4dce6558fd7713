"""Notebooks of the course in JupyterLab in a real browser: run, looked at, their widgets used.

What must hold is held against what the browser says: the model of the notebook after the run, the
requests and the console of the page, boxes and decoded pixels. Every day one lesson with sliders
and lists; at night all of them.
"""

import os
from pathlib import Path

import pytest
from controls import FOCUSABLE, explorers
from layout import boxes, broken_images, outside, overlaps, too_wide
from pages import SIZES, Notebook

pytestmark = pytest.mark.browser
NOTEBOOKS = sorted(p.stem for p in (Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
EVERY_DAY = "02_standardization"
OUTPUTS = ".jp-OutputArea, .jp-OutputArea-output, .jp-RenderedMarkdown, .widget-image"
IMAGES = ".jp-OutputArea img, .jp-RenderedMarkdown img"


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(name, marks=() if name == EVERY_DAY else pytest.mark.night)
        for name in NOTEBOOKS
    ],
)
def notebook(request, browser, server):
    if request.param.startswith("06") and not os.environ.get("IRSTD_DATA"):
        pytest.skip("needs real TREC data: set IRSTD_DATA to their folder")
    opened = Notebook.run(browser, server, f"{request.param}.ipynb")
    yield opened
    opened.close()


def test_it_runs_from_the_top(notebook):
    counts = [cell["count"] for cell in notebook.cells if cell["source"].strip()]
    assert counts == list(range(1, len(counts) + 1))
    outputs = notebook.results()
    assert not [o for o in outputs if o["output_type"] == "error" or o.get("name") == "stderr"]
    shown = [output.get("data", {}).get("text/plain", "") for output in outputs]
    assert len(explorers(notebook)) == sum(text.startswith("Explorer(") for text in shown)


@pytest.mark.parametrize("size", SIZES, ids="{0[0]}x{0[1]}".format)
def test_nothing_is_clipped_or_drawn_over_something_else(request, notebook, size, screenshots):
    notebook.resize(*size)
    assert too_wide(notebook.page, OUTPUTS) == []
    assert broken_images(notebook.page, IMAGES) == []
    for number, explorer in enumerate(explorers(notebook)):
        picture = f"{request.node.callspec.id}_widget{number}.png"
        explorer.picture_of(screenshots / picture, size[0])
        frame = explorer.root.bounding_box()
        parts = {label: control.root for label, control in explorer.controls().items()}
        found = boxes(parts | {"the picture": explorer.image})
        assert overlaps(found) == []
        assert [part for part, box in found.items() if outside(box, frame)] == []


def test_every_control_has_a_name_and_is_reached_by_tab(notebook):
    for explorer in explorers(notebook):
        controls = explorer.controls()
        assert explorer.reached_by_tab() == list(controls)
        for label, control in controls.items():
            assert label.strip()
            if control.kind == "dropdown":
                assert control.root.get_by_role("combobox", name=label, exact=True).count() == 1
            # ipywidgets has no way to name the handle of a slider: its label stands beside it.
            named, part = control.root.locator("> label"), control.root.locator(FOCUSABLE).first
            assert overlaps(boxes({"label": named, "part": part})) == []


def test_every_control_changes_what_is_shown(notebook):
    for explorer in explorers(notebook):
        for label, control in explorer.controls().items():
            moved = explorer.move(label)
            assert all(moved) if control.kind == "slider" else any(moved), label


def test_nothing_is_asked_of_another_machine_and_no_error_is_logged(notebook):
    assert notebook.watch.requests
    assert notebook.watch.elsewhere() == []
    assert notebook.watch.errors == []
