"""The course as a site: built without a warning, whole, and with nothing from elsewhere."""

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlparse

import pytest

import irstd.course
from irstd.course.lab import course_folder
from irstd.course.site import glossary, write_site, write_source

NOTES = sorted((Path(irstd.course.__file__).parent / "pages" / "lecturers").glob("0*.md"))


class Page(HTMLParser):
    """What a page links to, what it loads, and which places in it can be linked to."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loaded, self.anchors, self.images = [], [], {""}, []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        self.anchors |= {named.get("id"), named.get("name")}
        if tag == "a" and "href" in named:
            self.links.append(named["href"])
        if tag == "img":
            self.images.append(named)
        if tag in ("script", "img", "iframe", "source"):
            self.loaded += [named[key] for key in ("src",) if key in named]
        if tag == "link" and named.get("rel") in ("stylesheet", "icon", "preload"):
            self.loaded.append(named["href"])


@pytest.fixture(scope="module")
def pages(site):
    return {path: Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}


@pytest.mark.slow
def test_every_link_leads_somewhere(pages):
    broken = []
    for path, page in pages.items():
        for link in page.links:
            address, anchor = urldefrag(link)
            if urlparse(address).scheme in ("http", "https", "mailto"):
                continue
            target = (path.parent / unquote(address)).resolve() if address else path
            known = pages.get(target)
            if not target.is_file() or (known and unquote(anchor) not in known.anchors):
                broken.append((path.name, link))
    assert not broken


@pytest.mark.slow
def test_nothing_is_loaded_from_elsewhere(pages):
    for path, page in pages.items():
        for address in page.loaded:
            assert not urlparse(address).netloc, f"{path.name} loads {address}"
            local = urlparse(address)
            assert local.scheme == "data" or (path.parent / unquote(local.path)).is_file()
    for sheet in next(iter(pages)).parent.rglob("*.css"):
        found = re.findall(r"(?:@import\s+|url\()\s*[\"']?(https?:)?//", sheet.read_text("utf-8"))
        assert not found, sheet


@pytest.mark.slow
def test_every_picture_has_a_text_in_its_place(pages):
    pictures = [image for page in pages.values() for image in page.images]
    assert len(pictures) > 30
    for image in pictures:
        assert len(image.get("alt") or "") > 20, image


@pytest.mark.slow
def test_every_public_name_is_in_the_reference_with_the_notebooks_that_use_it(pages):
    import irstd

    anchors = set().union(*(page.anchors for page in pages.values()))
    for name in irstd.__all__:
        if callable(getattr(irstd, name)):
            assert f"irstd.{name}" in anchors, name
    standardize = next(path for path in pages if path.match("reference/standardize.html"))
    assert "../course/02_standardization.html" in pages[standardize].links
    widgets = next(path for path in pages if path.match("reference/widgets.html"))
    assert "../course/05_cross_collection.html" in pages[widgets].links  # by "from ... import"


def test_a_term_is_linked_where_it_is_first_used(tmp_path):
    import nbformat

    cells = [
        "# Title with a run",
        "A `run`, $run$ and a [run](x.md) stay; this run is linked, the next run is not.",
        "Runs and topics.\n\n| a topic |\n\nThe topic.",
        "## Glossary\n\n- **run**: a ranked list.\n- **topic**: a need.\n",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(c) for c in cells])
    (tmp_path / "in").mkdir()
    nbformat.write(notebook, tmp_path / "in" / "00_a.ipynb")
    assert glossary([tmp_path / "in" / "00_a.ipynb"]) == {
        "run": "a ranked list.",
        "topic": "a need.",
    }
    write_source(tmp_path / "out", tmp_path / "in")
    written = nbformat.read(tmp_path / "out" / "course" / "00_a.ipynb", 4).cells
    assert written[0].source == cells[0]
    assert written[1].source == (
        "A `run`, $run$ and a [run](x.md) stay; this [run](../glossary.md#run) is linked, the next"
        " run is not."
    )
    assert written[2].source == (
        "Runs and [topics](../glossary.md#topic).\n\n| a topic |\n\nThe topic."
    )


def test_a_folder_that_holds_something_is_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(FileExistsError, match="give another folder"):
        write_site(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize("path", NOTES, ids=lambda path: path.stem)
def test_notes_for_lecturers_plan_the_parts_that_a_lesson_has(path):
    """In its order, and for as long as the map of the course says."""
    text = path.read_text(encoding="utf-8")
    plan = re.findall(r"(?m)^\| (.+?) \| (\d+) \|$", text)
    lesson = course_folder() / f"{path.stem}.ipynb"
    titles = re.findall(r'"## (.+?)(?:\\n)?"', lesson.read_text(encoding="utf-8"))
    assert [part for part, _ in plan] == [*(t for t in titles if t.endswith("?")), "Explore"]
    course_map = (course_folder() / "00_start_here.ipynb").read_text(encoding="utf-8")
    (minutes,) = re.findall(rf"\[`{path.stem}`\].*?\| (\d+) \|", course_map)
    assert sum(int(each) for _, each in plan) == int(minutes)
    for widget in re.findall(r"`(explore_?\w*)(?:\(board\))?`", text):
        assert widget in lesson.read_text(encoding="utf-8")


@pytest.mark.slow
def test_notes_for_lecturers_say_what_students_get_wrong(pages):
    notes = [path for path in pages if path.match("lecturers/0*.html")]
    assert len(notes) == len(NOTES) >= 7
    for path in notes:
        assert "in the words of its check" in path.read_text(encoding="utf-8")
        assert f"../course/{path.name}" in pages[path].links


@pytest.mark.slow
def test_notebooks_of_ones_own_become_a_site_and_twice_in_a_row(tmp_path):
    pytest.importorskip("sphinx")
    import nbformat

    (tmp_path / "mine").mkdir()
    text = nbformat.v4.new_markdown_cell("# A lesson of my own\n\nIt has a formula, $x^2$.")
    code = nbformat.v4.new_code_cell("irstd.gmap(scores)")
    nbformat.write(nbformat.v4.new_notebook(cells=[text, code]), tmp_path / "mine" / "own.ipynb")
    for folder in ("once", "twice"):
        assert write_site(tmp_path / folder, tmp_path / "mine") == []
        assert "A lesson of my own" in (tmp_path / folder / "course" / "own.html").read_text(
            "utf-8"
        )
