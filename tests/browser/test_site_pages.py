"""Every page of the site in a real browser: axe finds nothing, and nothing is cut on a phone."""

import warnings
from pathlib import Path

import axe_playwright_python
import pytest

from irstd.course.site import write_site

pytestmark = pytest.mark.browser
AXE = Path(axe_playwright_python.__file__).parent / "axe.min.js"
VIEWS = [(1280, "light"), (400, "dark")]


@pytest.fixture(scope="module")
def folder(browser, tmp_path_factory):
    folder = tmp_path_factory.mktemp("site") / "site"
    with warnings.catch_warnings(action="ignore"):  # of Sphinx's extensions, about each other
        write_site(folder)
    return folder


@pytest.mark.parametrize(("width", "scheme"), VIEWS)
def test_every_page_is_accessible_and_whole(browser, folder, width, scheme):
    page = browser.new_page()
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    asked, found = [], []
    page.on("request", lambda request: asked.append(request.url))
    pages = sorted(folder.rglob("*.html"))
    assert len(pages) > 20
    for path in pages:
        page.goto(path.as_uri())
        page.evaluate(AXE.read_text(encoding="utf-8"))
        violations = page.evaluate("axe.run()")["violations"]
        found += [(path.name, v["id"], v["nodes"][0]["target"]) for v in violations]
        cut = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        found += [(path.name, "wider than the window by", cut)] if cut > 0 else []
    page.close()
    assert not found
    assert {url.split(":")[0] for url in asked} <= {"file", "data", "blob"}


def test_the_search_finds_a_word_without_a_server(browser, folder):
    page = browser.new_page()
    page.goto((folder / "search.html").as_uri() + "?q=semicircle")
    page.wait_for_selector("#search-results li", timeout=20_000)
    assert "variability" in page.inner_text("#search-results")
    page.close()
