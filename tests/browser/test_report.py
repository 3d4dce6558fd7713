"""The page that `irstd report` writes, opened from its file in a real browser."""

import re

import pytest
from campaigns import campaign, write_six_runs
from layout import broken_images, too_wide, violations
from pages import Watch
from processes import run_python

pytestmark = pytest.mark.browser
TAG = "<img/src=x/onerror=alert(1)>"  # a script, in a page that takes it for HTML
TEXTS = "html, main, h1, h2, h3, p, li, pre, table, td, th, .output_subarea"


def write_report(folder, *words):
    words = ["-m", "irstd", "report", *words, "-o", "report.html", "-q"]
    done = run_python(*words, cwd=folder)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def file(browser, tmp_path_factory):
    """A report on six simulated runs; not written where there is no browser to open it."""
    folder = tmp_path_factory.mktemp("report")
    write_six_runs(folder, TAG)
    write_report(folder, "runs", "qrels.txt")
    return folder / "report.html"


@pytest.fixture(scope="module")
def watch(browser, file):
    page = browser.new_page()
    found = Watch(page)
    page.goto(file.as_uri())
    yield found
    page.close()


def test_the_page_needs_nothing_but_its_file_and_its_pictures_are_told_in_words(watch, file):
    assert [url for url in watch.requests if not url.startswith("data:")] == [file.as_uri()]
    assert watch.errors == []
    told = watch.page.locator("img").evaluate_all("images => images.map(image => image.alt)")
    assert all(told) and len(set(told)) == len(told) > 0
    assert broken_images(watch.page, "img") == []
    assert not watch.page.locator("details").get_attribute("open")


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (400, "dark")])
def test_axe_finds_nothing_and_nothing_is_wider_than_the_page(watch, width, scheme):
    page = watch.page
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert width == 400 or too_wide(page, TEXTS) == []


def sheets(browser, file):
    """How many sheets of A4 a page is printed on; axe finds nothing in it."""
    page = browser.new_page()
    page.goto(file.as_uri())
    assert violations(page) == []
    printed = page.pdf(format="A4", prefer_css_page_size=True)
    page.close()
    return len(re.findall(rb"/Type\s*/Page\b", printed))


def test_a_report_of_six_runs_is_printed_on_three_sheets_at_most(browser, file):
    assert 1 <= sheets(browser, file) <= 3


@pytest.mark.parametrize("n_runs", [17, 30])
def test_a_short_report_is_printed_on_one_sheet(browser, tmp_path, n_runs):
    collection = campaign()["sim-trec8"]
    collection.write(tmp_path, list(collection.systems.index[: 3 * n_runs : 3]))
    write_report(tmp_path, "runs", "qrels.gz", "--short")
    assert sheets(browser, tmp_path / "report.html") == 1
