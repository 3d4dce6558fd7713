"""The course as a site: built without a warning, whole, and with nothing from elsewhere."""

import importlib
import re
import sys
from html import unescape
from urllib.parse import unquote, urldefrag, urlparse

import nbformat
import pytest
from bs4 import BeautifulSoup
from IPython.core.interactiveshell import InteractiveShell
from processes import run_python
from texts import ROOT, code_of, read_page

import irstd
from irstd.__main__ import main
from irstd.exercises import read_solutions

LESSONS = ROOT / "notebooks"
NOTES = sorted((ROOT / ".site" / "lecturers").glob("0*.md"))
READ_ON_GITHUB = [ROOT / "README.md", ROOT / ".github/CONTRIBUTING.md"]
READ_ON_GITHUB += sorted((ROOT / ".site").rglob("*.md"))


LOADED = "script, img, iframe, source, [rel=stylesheet], [rel=icon], [rel=preload]"


def values(page, names, selector="*"):
    """What the tags of a page have as one of these attributes."""
    return [tag[name] for tag in page.select(selector) for name in names if tag.has_attr(name)]


@pytest.fixture(scope="module")
def pages(site):
    files = [path for path in site.rglob("*.html") if "_static" not in path.parts]
    return {path: BeautifulSoup(path.read_text("utf-8"), "html.parser") for path in files}


@pytest.mark.slow
def test_every_link_leads_somewhere(pages):
    """Nor is a metric's name an address of mail, as P@10 was outside code."""
    broken = []
    anchors = {path: {"", *values(page, ["id", "name"])} for path, page in pages.items()}
    for path, page in pages.items():
        for link in values(page, ["href"], "a"):
            address, anchor = urldefrag(link)
            if urlparse(address).scheme in ("http", "https"):
                continue
            target = (path.parent / unquote(address)).resolve() if address else path
            if not target.is_file() or unquote(anchor) not in anchors.get(target, [anchor]):
                broken.append((path.name, link))
    assert not broken


@pytest.mark.parametrize("page", READ_ON_GITHUB, ids=lambda page: page.stem)
def test_a_page_is_whole_where_the_repository_is_read(page):
    text = page.read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)#]+)", text)
    near = [link for link in links if not urlparse(link).scheme]
    assert not [link for link in near if not (page.parent / link).exists()]
    outside_code = re.sub(r"(?ms)^```.*?^```", "", text)
    assert not re.findall(r"\{\w+\}`", outside_code)  # a role of Sphinx


def test_the_reference_has_every_public_name_and_its_examples_run():
    text = read_page("reference/index")
    listed = {line.strip().removeprefix("~widgets.") for line in text.splitlines()}
    assert {*irstd.__all__} - {"METRICS"} <= listed
    own_runs = read_page("pages/own_runs")
    examples = own_runs.partition("## Examples")[2].partition("\n## ")[0]
    code = code_of(examples + read_page("pages/studies"))
    for example in code:
        exec(example, {"irstd": irstd})
    assert len(code) == 10


@pytest.mark.slow
def test_nothing_is_loaded_from_elsewhere_and_every_picture_has_a_text(pages, site):
    for path, page in pages.items():
        for address in map(urlparse, values(page, ["src", "href"], LOADED)):
            assert not address.netloc, f"{path.name} loads {address}"
            assert address.scheme == "data" or (path.parent / unquote(address.path)).is_file()
    for sheet in site.rglob("*.css"):
        found = re.findall(r"(?:@import\s+|url\()\s*[\"']?(https?:)?//", sheet.read_text("utf-8"))
        assert not found, sheet
    pictures = [image for page in pages.values() for image in page("img")]
    gallery = read_page("reference/gallery")
    drawn = {name for name in dir(irstd.plots) if name.startswith(("plot_", "look", "panels"))}
    assert drawn == set(re.findall(r"\bplots\.(\w+)\(", gallery))
    assert len(pages[site / "reference" / "gallery.html"]("img")) == len(drawn)
    assert all(image.get("alt") for image in pictures)


@pytest.mark.slow
def test_what_goes_deeper_is_folded(site):
    for file in sorted(LESSONS.glob("[01]*_*.ipynb")):
        deeper = re.findall(r'"##+ Go deeper', file.read_text("utf-8"))
        page = (site / "course" / f"{file.stem}.html").read_text("utf-8")
        assert page.count('<details class="deeper">') == len(deeper)


@pytest.mark.parametrize("path", NOTES, ids=lambda path: path.stem)
def test_notes_for_lecturers_plan_the_parts_that_a_lesson_has(path):
    plan = re.findall(r"(?m)^\| (.+?) \| \d+ \|$", path.read_text(encoding="utf-8"))
    lesson = (LESSONS / f"{path.stem}.ipynb").read_text(encoding="utf-8")
    titles = re.findall(r'"## (.+?)(?:\\n)?"', lesson)
    assert plan == [*(title for title in titles if title.endswith("?")), "Explore"]


@pytest.mark.release
def test_notebooks_of_ones_own_become_a_site_and_nothing_else_is_written(site, tmp_path):
    """No site has a solution; that of a hand-out has no notes for lecturers."""
    (tmp_path / "mine").mkdir()
    text = nbformat.v4.new_markdown_cell("# A lesson of my own\n\nIt has a formula, $x^2$.")
    code = nbformat.v4.new_code_cell("irstd.gmap(scores)")
    nbformat.write(nbformat.v4.new_notebook(cells=[text, code]), tmp_path / "mine" / "own.ipynb")
    assert main(["student", str(tmp_path / "handout")]) == 0
    command = ["-m", "sphinx", "-q", "-W", ROOT / ".site"]
    published = ["-D", "lite=1", "-D", "repository=o/r"]
    for folder, complaint in (("mine", ""), ("handout", ""), ("none", "has no notebooks")):
        words = [*command, f"{folder}_site", "-D", f"notebooks={folder}", *published]
        done = run_python(*words, cwd=tmp_path)
        assert complaint in done.stderr and bool(complaint) == bool(done.stderr)
    own = tmp_path / "mine_site" / "course" / "own.html"
    page = BeautifulSoup(own.read_text("utf-8"), "html.parser")
    assert "A lesson of my own" in page.get_text()
    links = values(page, ["href"], "a")
    of_github = ["https://mybinder.org/v2/gh/o/r/", "https://colab.research.google.com/"]
    for place in ["../lite/lab/", *of_github]:
        (link,) = [link for link in links if link.startswith(place)]
        assert "own.ipynb" in link
    made = {"handout", "handout_site", "mine", "mine_site", "none_site"}
    assert {path.name for path in tmp_path.iterdir()} == made
    for folder, for_lecturers in ((site, True), (tmp_path / "handout_site", False)):
        pages = "".join(path.read_text("utf-8") for path in folder.rglob("*.html"))
        text = unescape(re.sub(r"<[^>]+>", "", pages))
        assert not [code for code in read_solutions().values() if code in text]
        assert bool([*(folder / "lecturers").glob("0*.html")]) == for_lecturers


def test_a_copy_for_the_browser_begins_with_a_cell_that_does_nothing_elsewhere(monkeypatch):
    """Where Python runs in the page itself, it installs what the constraints say."""
    monkeypatch.syspath_prepend(str(ROOT / ".github" / "jupyterlite"))
    build = importlib.import_module("build")
    first_cell = build.FIRST_CELL.format(pure=" ".join(build.pin_packages()), version="0.5.0")
    lesson = nbformat.read(LESSONS / "02_standardization.ipynb", as_version=4)
    cell, *others = build.add_first_cell(LESSONS / "02_standardization.ipynb", first_cell).cells
    assert [each.source for each in others] == [each.source for each in lesson.cells]
    asked = []
    shell = InteractiveShell()
    shell.register_magic_function(asked.append, magic_name="pip")
    assert shell.run_cell(cell.source).success and asked == []
    monkeypatch.setattr(sys, "platform", "emscripten")
    assert shell.run_cell(cell.source).success
    installed = set(re.findall(r"[\w-]+", " ".join(asked)))
    assert {"numpy", "scipy", "statsmodels", "seaborn", "ir-standardization"} <= installed
