"""Judging by keyboard in JupyterLab: fifty documents, a page loaded anew, a kernel that is gone."""

import pytest
from layout import violations
from pages import Notebook

import irstd

pytestmark = pytest.mark.browser
CODE = """\
import irstd, pandas as pd
documents = irstd.documentation_campaign()["docs-numpy"].documents.iloc[:50]
theirs = pd.DataFrame({"query_id": "q1", "doc_id": documents.index, "relevance": 1})
irstd.widgets.judge("q1", "what does it do?", documents, qrels=theirs)"""
WIDGET = ".jp-OutputArea .irstd-judge"


def press(opened, keys):
    """Press keys one by one; each has been written before the next."""
    for key in keys:
        opened.page.keyboard.press(key)
        opened.settle()


def judging(browser, server, name, code):
    """A notebook with the widget, run."""
    opened = Notebook.of(browser, server, name, code)
    widget = opened.page.locator(WIDGET)
    widget.wait_for()
    return opened, widget


def test_nothing_is_lost(browser, server):
    opened, widget = judging(browser, server, "judging.ipynb", CODE)
    names = irstd.documentation_campaign()["docs-numpy"].documents.index[:50]
    grades = {name: n % 3 for n, name in enumerate(names)}
    widget.focus()
    press(opened, [str(grades[name]) for name in names[:20]])
    press(opened, ["u", "ArrowLeft"])  # the 21st is left open, and come back to
    press(opened, [str(grades[name]) for name in names[20:25]])
    assert "Document 26 of 50" in widget.inner_text() and "25 judged" in widget.inner_text()
    file = server.folder / "judged-q1.qrels"
    assert len(irstd.read_qrels(file)) == 25

    opened.save_and_reload()
    assert "what does it do?" in opened.page.locator(".jp-RenderedHTMLCommon").first.inner_text()
    opened.run_all()
    widget.wait_for()
    assert "Document 26 of 50" in widget.inner_text()
    widget.focus()
    press(opened, [str(grades[name]) for name in names[25:]])
    said = "You and the collection agree on 33 of 50, right or not; on the grade, on 17."
    assert said in widget.inner_text()
    press(opened, "2")  # overwrites none
    found = irstd.read_qrels(file).set_index("doc_id")["relevance"]
    assert found.to_dict() == grades
    assert opened.watch.errors == opened.watch.elsewhere() == []
    opened.page.screenshot(path=server.folder / "judging.png")
    opened.close()


def test_keys_are_the_widgets_and_what_is_not_kept_is_said(browser, server):
    code = CODE.replace('"q1"', '"q2"')
    opened, widget = judging(browser, server, "keys.ipynb", code)
    file = server.folder / "judged-q2.qrels"
    widget.locator("pre").click()
    press(opened, "21")
    opened.page.keyboard.press("ArrowDown")
    opened.page.wait_for_function("document.activeElement.scrollTop > 0")
    press(opened, "xdda")  # JupyterLab cuts, deletes and adds cells by these
    widget.get_by_role("button", name="0 · no").click()
    press(opened, "xdda")
    assert opened.page.locator(".jp-Cell").count() == 2
    opened.page.keyboard.press("Control+s")
    opened.page.wait_for_function(
        "!jupyterapp.shell.currentWidget.context.model.dirty", timeout=20_000
    )
    assert irstd.read_qrels(file)["relevance"].tolist() == [2, 1, 0]
    press(opened, ["ArrowLeft", "u"])  # the third is unsure after all
    assert irstd.read_qrels(file)["relevance"].tolist() == [2, 1]
    assert violations(opened.page, WIDGET) == []
    alarm = widget.get_by_role("alert")
    assert alarm.inner_text() == ""
    opened.restart_kernel()
    opened.page.keyboard.press("2")
    opened.page.wait_for_function("document.querySelector('[role=alert]:not(:empty)')")
    assert "Not in the file: 1 of your grades" in alarm.inner_text()
    assert len(irstd.read_qrels(file)) == 2
    opened.close()


def test_the_first_guess_is_kept_and_shown_with_the_answer(browser, server):
    opened = Notebook.of(
        browser, server, "guess.ipynb", 'import irstd\nirstd.widgets.predict("02.1")'
    )
    options = opened.page.locator(".jp-OutputArea details")
    output = opened.page.locator(".jp-OutputArea").first
    window = opened.page.viewport_size["height"]
    assert output.bounding_box()["height"] > 0.8 * window  # what follows is out of sight
    options.nth(1).locator("summary").click()
    assert output.bounding_box()["height"] < 0.5 * window
    opened.settle()
    options.nth(2).locator("summary").click()
    guess = options.nth(1).locator("summary").inner_text()
    opened.page.get_by_text(f"Your guess: {guess}").wait_for()
    opened.run_all()
    opened.page.get_by_text(f"Your guess: {guess}").wait_for()
    assert options.nth(1).get_attribute("open") is not None
    assert guess in (server.folder / "guesses.json").read_text()
    opened.close()
