"""Pages of the site, one of a kind, in a browser: axe finds nothing, nothing is cut on a phone."""

import pytest
from layout import violations

BROKEN_WORDS = r"""() => {
    const broken = [], range = document.createRange();
    for (const cell of document.querySelectorAll(".bd-article :is(td, th)")) {
        const walk = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
        while (walk.nextNode()) {
            const node = walk.currentNode;
            for (const word of node.data.matchAll(/\b[a-z]{2,7}\b/gi)) {
                range.setStart(node, word.index);
                range.setEnd(node, word.index + word[0].length);
                const lines = new Set([...range.getClientRects()].map(box => box.top));
                if (lines.size > 1) broken.push(word[0]);
            }
        }
    }
    return broken;
}"""  # in cells of tables
pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("width", "scheme"), [(400, "dark"), (1280, "light")])
def test_pages_are_accessible_and_whole(browser, site, width, scheme):
    page = browser.new_page()
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    asked, found = [], []
    page.on("request", lambda request: asked.append(request.url))
    pages = [path for path in site.rglob("*.html") if "_static" not in path.parts]
    kinds = {path.relative_to(site).parts[0]: path for path in pages}  # one of each folder
    assert {"index.html", "search.html", "course", "_modules"} <= {*kinds}
    for path in kinds.values():
        page.goto(path.as_uri())
        found += [(path.name, *violation) for violation in violations(page)]
        cut = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        found += [(path.name, "wider than the window by", cut)] if cut > 0 else []
        found += [(path.name, "a broken word", word) for word in page.evaluate(BROKEN_WORDS)]
    page.close()
    assert not found
    assert {url.split(":")[0] for url in asked} <= {"file", "data", "blob"}


def test_the_search_finds_a_word_without_a_server(browser, site):
    page = browser.new_page()
    page.goto((site / "search.html").as_uri() + "?q=semicircle")
    # the lesson that is about it; the list grows entry by entry
    page.get_by_role("link", name="Two systems with one mean").wait_for(timeout=20_000)
    page.close()
