"""`explore` in JupyterLab in a real browser: hover, click, filter, sort, save, keyboard."""

import numpy as np
import pandas as pd
import pytest
from pages import Notebook

import irstd

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore:epsilon is")]
SET_UP = """
import irstd
scores = irstd.load_dataset("sim-trec8").iloc[:, :17].set_axis(
    ["<img src=x onerror=alert(1)>", "$x$ _y", *[f"run{i:02d}" for i in range(15)]], axis=1)
"""


@pytest.fixture(scope="module")
def scores():
    made = {}
    exec(SET_UP, made)
    return made["scores"]


@pytest.fixture(scope="module")
def page(browser, server):
    """A notebook with one explorer, run."""
    show = "explorer = irstd.explore(scores)\nexplorer"
    notebook = Notebook.of(browser, server, "explore.ipynb", SET_UP, show)
    notebook.page.set_default_timeout(30_000)
    notebook.page.wait_for_selector(".irstd-explore svg circle")
    yield notebook
    notebook.close()


@pytest.fixture
def root(page):
    """The explorer, with nothing chosen."""
    found = page.page.locator(".irstd-explore")
    found.get_by_label("system", exact=True).select_option("(none)")
    found.get_by_label("topic", exact=True).select_option("(none)")
    found.get_by_label("find topics").fill("")
    page.settle()
    page.page.wait_for_function(
        "() => !document.querySelector('.irstd-explore tr.system, .irstd-explore tr.topic')"
    )
    return found


def told(page, expression):
    """What Python holds."""
    result = page.page.evaluate(
        """async code => {
            const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel;
            const future = kernel.requestExecute({code: '', user_expressions: {x: code}});
            const {content} = await future.done;
            return content.user_expressions.x.data['text/plain'];
        }""",
        expression,
    )
    return eval(result)


def test_bars_of_differences_begin_at_zero_and_are_as_long_as_these(page, root, scores):
    """Of a pair with one sign on all topics that are shown, too."""
    worse, better = scores.columns[2:4]
    gap = (scores[better] - scores[worse]).nlargest(3)
    root.get_by_label("system", exact=True).select_option(f"={worse}")
    root.get_by_label("compare with", exact=True).select_option(f"={better}")
    root.get_by_label("find topics").fill(" ".join(gap.index))
    page.settle()
    bars = root.locator("svg").nth(1).locator("rect.other").all()
    tops = {float(bar.get_attribute("y")) for bar in bars}
    heights = np.sort([float(bar.get_attribute("height")) for bar in bars])
    expected = np.sort(gap)
    assert len(tops) == 1 and tops.pop() > 0
    np.testing.assert_allclose(heights / heights[-1], expected / expected[-1], atol=1e-3)


def test_clicks_choose_systems_and_topics_and_python_knows(page, root, scores):
    systems, topics = root.locator("svg").all()
    systems.click(position={"x": 100, "y": 60})
    page.settle()
    system = root.locator("tr.system th").text_content()
    assert told(page, "explorer.system") == system
    topics.click(position={"x": 100, "y": 60})
    page.settle()
    topic = root.locator("tr.topic th").text_content()
    assert told(page, "explorer.topic") == topic
    score = scores.loc[topic, system]
    assert root.locator("tr.system td").first.text_content() == f"{score:.3f}"
    page.page.mouse.move(0, 0)
    root.locator("tbody").first.locator("tr:not(.system)").nth(5).click(modifiers=["Shift"])
    page.settle()
    other = root.locator("tr.other th").get_attribute("title")  # long names are cut
    assert (told(page, "explorer.system"), told(page, "explorer.other")) == (system, other)
    bars = [box.get_attribute("class").split()[0] for box in topics.locator("rect").all()]
    difference = scores[system] - scores[other]
    assert bars.count("system") == sum(difference >= 0)
    assert bars.count("other") == sum(difference < 0)


def test_topics_are_filtered(page, root, scores):
    root.get_by_label("find topics").fill(f"{scores.index[4]} {scores.index[9]}")
    page.settle()
    assert told(page, "explorer.topics") == [scores.index[4], scores.index[9]]
    rows = root.locator("tbody").nth(1).locator("th").all_text_contents()
    assert sorted(rows) == sorted([scores.index[4], scores.index[9]])
    root.get_by_label("find topics").fill("zzz")
    page.settle()
    assert "No topic is kept" in root.locator(".summary").text_content()
    assert root.locator("svg circle").count() == 0


def test_a_system_is_not_offered_to_be_compared_with_itself(page, root, scores):
    first, second = scores.columns[2:4]
    system, other = (root.get_by_label(text, exact=True) for text in ("system", "compare with"))
    system.select_option(first)
    page.settle()
    offered = other.locator("option").all_text_contents()
    assert set(offered) == {"(none)", *scores.columns} - {first}
    other.select_option(second)
    page.settle()
    system.select_option(second)  # which is then no longer the other one
    page.settle()
    assert told(page, "explorer.system, explorer.other") == (second, None)


def test_tables_sort_and_save(page, root, scores):
    table = root.locator("table").first
    table.get_by_role("button", name="sd").click()
    rows = table.locator("tbody th")
    names = [row.get_attribute("title") for row in rows.all()]
    assert "<img src=…lert(1)>" in rows.all_text_contents()  # cut so that both ends stay
    assert (np.diff(scores.std()[names].round(9)) <= 0).all()
    assert table.locator("th[aria-sort=descending]").text_content().startswith("sd")
    with page.page.expect_download() as download:
        root.get_by_role("button", name="Save the table of systems as CSV").click()
    read = pd.read_csv(download.value.path(), index_col="system")
    board = irstd.leaderboard(scores).loc[names, read.columns]
    pd.testing.assert_frame_equal(read, board, check_dtype=False, rtol=1e-12)
    table.get_by_role("button", name="mean").click()


def test_everything_by_keyboard(page, root, scores):
    keyboard = page.page.keyboard
    board = irstd.leaderboard(scores).index
    systems, topics = root.locator("svg").all()
    page.page.mouse.move(0, 0)  # a resting mouse names a point, from which keys go on
    systems.focus()
    for key in ("Home", "ArrowRight", "ArrowDown", "ArrowUp", "Enter", "Shift+Enter"):
        keyboard.press(key)  # a system is not compared with itself, nor forgotten
    assert systems.get_attribute("aria-valuetext").startswith(f"system {board[1]}: mean")
    for key in ("ArrowDown", "Shift+Enter"):
        keyboard.press(key)
    page.settle()
    assert told(page, "explorer.system, explorer.other") == (board[1], board[2])
    topics.focus()
    for key in ("End", "Enter"):
        keyboard.press(key)
    page.settle()
    assert told(page, "explorer.topic") == (scores[board[1]] - scores[board[2]]).idxmin()
    for svg in (topics, systems):
        svg.focus()
        keyboard.press("Escape")
    page.settle()
    assert told(page, "explorer.system, explorer.other, explorer.topic") == (None, None, None)
    for part in (
        systems,
        root.get_by_label("system", exact=True),
        root.get_by_role("button").first,
    ):
        part.focus()
        for key in "xdda":  # JupyterLab cuts, deletes and adds cells by these
            keyboard.press(key)
    page.settle()
    assert page.page.locator(".jp-Cell").count() == 3  # JupyterLab has taken no key


def test_nothing_is_asked_of_another_machine_and_no_error_is_logged(page):
    assert page.watch.requests
    assert page.watch.elsewhere() == []
    assert page.watch.errors == []
