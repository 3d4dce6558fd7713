"""Lessons in JupyterLab in a real browser: run, looked at, their widgets used.

What must hold is held against what the browser says: the model of the notebook after the run, the
requests and the console of the page, and decoded pixels. Sliders and questions are the same
in each lesson; `explore` has its own tests.
"""

import pytest
from layout import broken_images, too_wide, violations
from pages import SHUT_DOWN, Notebook
from texts import ROOT

from irstd.widgets.prediction import read_predictions

pytestmark = pytest.mark.browser
OUTPUTS = ".jp-OutputArea, .jp-OutputArea-output, .jp-RenderedMarkdown"
EXPLORER = ".widget-vbox:has(> .widget-html img)"
IMAGES = ".jp-OutputArea img, .jp-RenderedMarkdown img"
# Not 06, 07 and 10, which have no widgets of their own kind.
LESSONS = []
for path in sorted(ROOT.glob("notebooks/0[0-589]_*.ipynb")):
    marks = []
    if path.name[:2] != "03":  # that one, each night
        marks = [pytest.mark.release]
    LESSONS.append(pytest.param(path.name, marks=marks))


@pytest.fixture(scope="module", params=LESSONS)
def notebook(browser, server, request):
    opened = Notebook.run(browser, server, request.param)
    yield opened
    opened.close()


def test_it_runs_from_the_top_and_asks_nothing_of_another_machine(notebook):
    counts = [cell["count"] for cell in notebook.cells if cell["source"].strip()]
    assert counts == list(range(1, len(counts) + 1))
    outputs = [output for cell in notebook.cells for output in cell["outputs"]]
    assert not [o for o in outputs if o["output_type"] == "error" or o.get("name") == "stderr"]
    assert notebook.watch.requests
    assert notebook.watch.elsewhere() == notebook.watch.errors == []


def test_nothing_is_clipped(notebook):
    assert too_wide(notebook.page, OUTPUTS) == []
    assert broken_images(notebook.page, IMAGES) == []


def test_a_slider_moved_by_a_key_changes_the_picture_and_the_sentence(notebook):
    root = notebook.page.locator(EXPLORER).first
    if not root.get_by_role("slider").count():
        pytest.skip("a lesson without sliders")
    image, text = root.locator("img"), root.locator(".widget-html-content p")
    before = image.get_attribute("src"), text.inner_text()
    root.get_by_role("slider").first.focus()
    notebook.page.keyboard.press("ArrowLeft")
    notebook.settle()
    assert image.get_attribute("src") != before[0]
    assert text.inner_text() != before[1]
    assert image.get_attribute("alt") == text.inner_text()
    assert violations(notebook.page, EXPLORER) == []  # a slider without a name would be one


def open_all(page):
    """Open each option of each prediction, and return their number."""
    options = page.locator("details[name^=predict] > summary").all()
    for option in options:
        option.scroll_into_view_if_needed()
        if option.locator("xpath=..").get_attribute("open") is None:  # a guess that is kept is
            option.click()
        assert option.locator("xpath=../p").is_visible()
    return len(options)


def count_options(lesson):
    """Count the options of all predictions of a lesson."""
    cards = read_predictions().items()
    return sum(len(card.options) for name, card in cards if name.startswith(lesson))


def test_widgets_are_there_after_a_run_a_reload_and_a_restart_of_the_kernel(browser, server):
    """Alive in the page that ran it; what is saved, and so a page that is loaded, is a picture."""
    (path,) = server.folder.glob("03_*.ipynb")
    opened = Notebook.run(browser, server, path.name)
    alive = opened.page.locator(EXPLORER)
    still = opened.page.locator(".jp-RenderedHTMLCommon > img[alt*=Kendall]")

    def look(shown):
        shown.first.wait_for()
        assert open_all(opened.page) == count_options("03")
        assert "Error displaying widget" not in opened.page.content()

    look(alive)
    opened.restart_kernel()
    look(alive)
    opened.save_and_reload()
    look(still)
    opened.run_all()
    look(alive)
    opened.page.evaluate(SHUT_DOWN)
    opened.save_and_reload()
    look(still)
    assert opened.watch.errors == []
    opened.close()
