"""Fifty documents judged by keyboard in JupyterLab, with the page loaded anew in the middle."""

import nbformat
import pytest
from pages import Notebook

import irstd

pytestmark = pytest.mark.browser
CODE = """\
import irstd
documents = irstd.documentation_campaign()["docs-numpy"].documents.iloc[:50]
irstd.widgets.judge("q1", "what does it do?", documents)"""
WIDGET = ".jp-OutputArea [data-lm-suppress-shortcuts]"


def press(opened, keys):
    """Press keys one by one; each has been written before the next."""
    for key in keys:
        opened.page.keyboard.press(key)
        opened.settle()


def test_nothing_is_lost(browser, server):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CODE, id="judge")])
    nbformat.write(notebook, server.folder / "judging.ipynb")
    opened = Notebook.run(browser, server, "judging.ipynb")
    names = irstd.documentation_campaign()["docs-numpy"].documents.index[:50]
    grades = {name: n % 3 for n, name in enumerate(names)}
    widget = opened.page.locator(WIDGET)
    widget.wait_for()
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
    assert "50 judged" in widget.inner_text()
    found = irstd.read_qrels(file).set_index("doc_id")["relevance"]
    assert found.to_dict() == grades
    assert opened.watch.errors == opened.watch.elsewhere() == []
    opened.page.screenshot(path=server.folder / "judging.png")
    opened.close()
