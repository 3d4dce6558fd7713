"""Every notebook of the course in JupyterLab in a real browser: run, looked at, its widgets used.

What must hold is held against what the browser says: the model of the notebook after the run, the
requests and the console of the page, boxes and decoded pixels.
"""

import os
from pathlib import Path

import pytest
from controls import FOCUSABLE, explorers
from layout import boxes, broken_images, outside, overlaps, too_wide
from pages import SIZES, Course

pytestmark = pytest.mark.browser
NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
needs_data = pytest.mark.skip(reason="needs real TREC data: set IRSTD_DATA to their folder")
WITHOUT = {"06_replication": [] if os.environ.get("IRSTD_DATA") else [needs_data]}
OUTPUTS = ".jp-OutputArea, .jp-OutputArea-output, .jp-RenderedMarkdown, .widget-image"
IMAGES = ".jp-OutputArea img, .jp-RenderedMarkdown img"


@pytest.fixture(scope="module")
def course(request, browser, server):
    """The notebooks of the tests that were chosen."""
    names = [
        item.callspec.params["notebook"]
        for item in request.session.items
        if "notebook" in getattr(item, "fixturenames", ()) and not item.get_closest_marker("skip")
    ]
    return Course(browser, server, list(dict.fromkeys(names)))


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(path.name, id=path.stem, marks=WITHOUT.get(path.stem, []))
        for path in NOTEBOOKS
    ],
)
def notebook(request, course):
    opened = course.notebook(request.param)
    yield opened
    opened.close()


def test_it_runs_from_the_top(notebook):
    counts = [cell["count"] for cell in notebook.cells if cell["source"].strip()]
    assert counts == list(range(1, len(counts) + 1))
    complaints = [
        output
        for output in notebook.results()
        if output["output_type"] == "error" or output.get("name") == "stderr"
    ]
    assert complaints == []


@pytest.mark.parametrize("size", SIZES, ids="{0[0]}x{0[1]}".format)
def test_nothing_is_clipped_or_drawn_over_something_else(notebook, size, screenshots):
    notebook.resize(*size)
    name = f"{notebook.name.removesuffix('.ipynb')}_{size[0]}x{size[1]}"
    notebook.to_the_top()
    notebook.page.screenshot(path=screenshots / f"{name}.png")
    assert too_wide(notebook.page, OUTPUTS) == []
    assert broken_images(notebook.page, IMAGES) == []
    for number, explorer in enumerate(explorers(notebook)):
        explorer.picture_of(screenshots / f"{name}_widget{number}.png", size[0])
        frame = explorer.root.bounding_box()
        parts = {label: control.root for label, control in explorer.controls().items()}
        found = boxes(parts | {"the picture": explorer.image})
        assert overlaps(found) == []
        assert [part for part, box in found.items() if outside(box, frame)] == []


def test_every_widget_is_there(notebook):
    shown = [output.get("data", {}).get("text/plain", "") for output in notebook.results()]
    assert len(explorers(notebook)) == sum(text.startswith("Explorer(") for text in shown)


def test_every_control_has_a_name_and_is_reached_by_tab(notebook):
    for explorer in explorers(notebook):
        controls = explorer.controls()
        assert explorer.reached_by_tab() == list(controls)
        for label, control in controls.items():
            assert label.strip()
            if control.kind == "dropdown":
                assert control.root.get_by_role("combobox", name=label, exact=True).count() == 1
            elif control.kind == "toggle-buttons":
                assert all(control.root.get_by_role("button").all_inner_texts())
            # ipywidgets has no way to name the handle of a slider: its label stands beside it.
            named, part = control.root.locator("> label"), control.root.locator(FOCUSABLE).first
            assert overlaps(boxes({"label": named, "part": part})) == []


def test_every_control_changes_what_is_shown(notebook):
    for explorer in explorers(notebook):
        moved = {}
        views = explorer.controls().get("view")
        while True:
            for label, control in explorer.controls().items():
                if label not in moved:
                    moved[label] = explorer.move(label)
                    if control.kind == "slider":
                        assert moved[label] == (True, True), label
                    assert any(moved[label]), label
            if views is None or views.at_its_end():
                break
            views.step(forward=True)
        assert set(moved) >= set(explorer.controls())


def test_nothing_is_asked_of_another_machine_and_no_error_is_logged(notebook):
    assert notebook.watch.requests
    assert notebook.watch.elsewhere() == []
    assert notebook.watch.errors == []
