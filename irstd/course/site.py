"""The course and the reference as a site of static pages, for the web or a folder."""

from __future__ import annotations

import io
import json
import re
import tempfile
import warnings
from collections import defaultdict
from importlib.metadata import version
from importlib.resources import as_file, files
from pathlib import Path

from irstd.course._cards import open_cards
from irstd.course.exercises import exercises
from irstd.course.lab import course_folder

PAGES = (
    "own_runs", "graded_judgments", "other_tools", "all_cores", "rules", "cite", "changelog",
)  # fmt: skip
CONFIG = {
    "project": "irstd",
    "author": "the irstd developers",
    "copyright": "",
    "html_show_copyright": False,
    "html_show_sphinx": False,
    "html_show_sourcelink": False,
    "html_copy_source": False,
    "nb_render_markdown_format": "myst",
    "html_title": "irstd",
    "language": "en",
    "extensions": ["myst_nb", "sphinx.ext.autodoc", "numpydoc", "irstd.course._sphinx"],
    "html_math_renderer": "mathml",
    "html_theme": "pydata_sphinx_theme",
    "html_theme_options": {
        "secondary_sidebar_items": ["page-toc"],
        "navbar_end": ["theme-switcher"],
        "footer_start": [],
        "footer_end": [],
        "show_nav_level": 2,
        "navigation_with_keys": False,
    },
    "html_css_files": ["site.css"],
    "html_static_path": ["_static"],
    "nb_execution_mode": "off",
    "nb_ipywidgets_js": {},
    "nb_mime_priority_overrides": [
        ("html", "application/vnd.jupyter.widget-view+json", None),
    ],
    "myst_enable_extensions": ["dollarmath", "amsmath"],
    "myst_heading_anchors": 4,
    "myst_heading_slug_func": "irstd.course._sphinx.jupyter_anchor",
    "default_role": "obj",
    "autodoc_typehints": "none",
    "numpydoc_show_class_members": False,
    "numpydoc_class_members_toctree": False,
}


def write_site(target: Path, notebooks: Path | None = None) -> list[str]:
    """Build the site from the notebooks as they are stored; nothing is run.

    Parameters
    ----------
    target : Path
        A folder that is empty or not there; the site is `target`/index.html.
    notebooks : Path, optional
        A folder of notebooks; by default those of this installation.

    Returns
    -------
    list of str
        The warnings of the build; none, if all is well.

    Raises
    ------
    FileExistsError
        If `target` holds something already.
    FileNotFoundError
        If there are no notebooks.
    ModuleNotFoundError
        If the extra ``site`` is not installed.

    Notes
    -----
    The pages load nothing from elsewhere, and work from a folder without a server.
    """
    try:
        from sphinx.application import Sphinx
        from sphinx.util.console import strip_escape_sequences
        from sphinx.util.docutils import docutils_namespace
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            'Sphinx is not installed; pip install "ir-standardization[site]"'
        ) from error
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise FileExistsError(f"{target} holds something already: give another folder")
    with tempfile.TemporaryDirectory() as folder:
        source, said = Path(folder) / "source", io.StringIO()
        write_source(source, notebooks or course_folder())
        # Sphinx registers with docutils for this build only; its extensions warn of each other.
        with docutils_namespace(), warnings.catch_warnings(action="ignore"):
            Sphinx(
                source, None, target, Path(folder) / "doctrees", "html",
                confoverrides=CONFIG | {"version": version("ir-standardization")},
                status=None, warning=said,
            ).build()  # fmt: skip
    (target / "_static" / "webpack-macros.html").unlink(missing_ok=True)  # the theme's template
    for page in target.rglob("*.html"):
        page.write_text(_accessible(page.read_text(encoding="utf-8")), encoding="utf-8")
    return strip_escape_sequences(said.getvalue()).splitlines()


def _accessible(page: str) -> str:
    """Name what pandas and Sphinx leave without a name, and let the keyboard reach what scrolls."""
    page = re.sub(r"<th[^>]*>(?:<p></p>)?</th>", "<td></td>", page)
    page = page.replace('<div class="math">', '<div class="math" tabindex="0">')
    named = 'tabindex="0" role="group" aria-label="output"'
    return page.replace('<div class="output text_html">', f'<div class="output text_html" {named}>')


def write_source(source: Path, notebooks: Path) -> None:
    """Write what Sphinx reads: the notebooks, the pages and the reference."""
    (source / "course").mkdir(parents=True)
    (source / "reference").mkdir()
    with as_file(files("irstd.course") / "pages") as pages:
        for page in filter(Path.is_file, pages.rglob("*")):
            place = page.relative_to(pages)
            copy = source / place if len(place.parts) > 1 else source / "pages" / place
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(page.read_bytes())
    lessons = sorted(notebooks.glob("*.ipynb"))
    if not lessons:
        raise FileNotFoundError(f"{notebooks}: there are no notebooks (*.ipynb) in this folder")
    terms = glossary(lessons)
    for lesson in lessons:
        notebook = json.loads(lesson.read_text(encoding="utf-8"))
        notebook["metadata"].pop("widgets", None)
        notebook["metadata"].setdefault("language_info", {"name": "python"})
        open_cards(notebook)
        _link_terms(notebook, terms)
        (source / "course" / lesson.name).write_text(json.dumps(notebook), encoding="utf-8")
    _complete_notes(source / "lecturers", lessons)
    reference = write_reference(source / "reference", lessons)
    (source / "glossary.md").write_text(_glossary_page(terms), encoding="utf-8")
    _contents(source / "course" / "index.md", "Course", [f.stem for f in lessons] + ["/glossary"])
    _contents(source / "pages" / "index.md", "How to", list(PAGES))
    _contents(source / "reference" / "index.md", "Reference", reference)
    welcome = (source / "pages" / "welcome.md").rename(source / "index.md")
    text = welcome.read_text(encoding="utf-8").replace("course/start", f"course/{lessons[0].stem}")
    welcome.write_text(text, encoding="utf-8")


def _contents(page: Path, title: str, documents: list[str]) -> None:
    """Write the page of a part of the site: its documents, with their titles."""
    listing = "\n".join(documents)
    page.write_text(f"# {title}\n\n```{{toctree}}\n:maxdepth: 1\n\n{listing}\n```\n", "utf-8")


def _complete_notes(folder: Path, lessons: list[Path]) -> None:
    """Add to the notes on each lesson what students get wrong, as the checks know it."""
    noted = []
    for lesson in lessons:
        page = folder / lesson.with_suffix(".md").name
        if page.exists():
            noted.append(lesson.stem)
            wrong = [
                f"- {name}: {row['text']}"
                for name, rows in exercises().items()
                if name.startswith(lesson.stem[:2])
                for row in {row["text"]: row for row in rows.get("mistake", [])}.values()
            ]
            text = page.read_text(encoding="utf-8") + "\n## What students get wrong\n\n"
            text += "By exercise, in the words of its check:\n\n" + "\n".join(wrong)
            text += f"\n\nThe lesson: {{doc}}`../course/{lesson.stem}`.\n"
            page.write_text(text, encoding="utf-8")
    for page in folder.glob("0*.md"):
        if page.stem not in noted:
            page.unlink()  # of a lesson that is not here
    index = folder / "index.md"
    text = index.read_text(encoding="utf-8").replace("NOTES", "\n".join(noted))
    index.write_text(text, encoding="utf-8")


def glossary(lessons: list[Path]) -> dict[str, str]:
    """Terms and what they mean, from the glossary of notebook 00: lines ``**term**: meaning``."""
    for lesson in lessons:
        for cell in json.loads(lesson.read_text(encoding="utf-8"))["cells"]:
            text = "".join(cell["source"])
            if cell["cell_type"] == "markdown" and text.startswith("## Glossary"):
                return dict(re.findall(r"(?m)^[-*] \*\*(.+?)\*\*: (.+)$", text))
    return {}


def _glossary_page(terms: dict[str, str]) -> str:
    entries = "\n\n".join(f"## {term}\n\n{meaning}" for term, meaning in sorted(
        terms.items(), key=lambda item: item[0].casefold()))  # fmt: skip
    return f"# Glossary\n\nEach term is linked where a lesson first uses it.\n\n{entries}\n"


def _link_terms(notebook: dict, terms: dict[str, str]) -> None:
    """Link the first use of each term in the prose of a lesson to the glossary."""
    left = dict.fromkeys(terms)
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] != "markdown" or text.startswith("## Glossary"):
            continue
        # What must stay as it is: code, formulas, links, tags, headings, bold.
        parts = re.split(r"(```.*?```|`[^`]*`|\$\$.*?\$\$|\$[^$]*\$|!?\[[^\]]*\]\([^)]*\)|<[^>]+>"
                         r"|^#.*$|^\|.*$)", text, flags=re.DOTALL | re.MULTILINE)  # fmt: skip
        for place in range(0, len(parts), 2):
            for term in list(left):
                pattern = rf"(?<![\w\[])({re.escape(term)}s?)(?![\w\]])"
                parts[place], found = re.subn(
                    pattern,
                    rf"[\1](../glossary.md#{term.replace(' ', '-')})",
                    parts[place],
                    count=1,
                )
                if found:
                    del left[term]
                    break  # a second link in the same stretch might fall into the first
        cell["source"] = "".join(parts)


def write_reference(folder: Path, lessons: list[Path]) -> list[str]:
    """Write a page for each module of public names, generated from the docstrings."""
    import irstd
    from irstd import plots, widgets

    used = _uses(lessons)
    pages: dict[str, list[tuple[str, object]]] = defaultdict(list)
    for holder in (irstd, plots, widgets):
        names = getattr(holder, "__all__", None) or [n for n in vars(holder) if n[0] != "_"]
        for name in names:
            thing = getattr(holder, name)
            home = getattr(thing, "__module__", "irstd.metrics")
            if isinstance(home, str) and home.startswith("irstd.") and callable(thing):
                pages[_page(home)].append((f"{holder.__name__}.{name}", thing))
    for page, things in pages.items():
        title = page.replace("_", " ")
        body = [f"# {title}\n"]
        for name, thing in dict(things).items():
            kind = "autoclass" if isinstance(thing, type) else "autofunction"
            members = ":members:\n" if isinstance(thing, type) else ""
            body.append(f"```{{eval-rst}}\n.. {kind}:: {name}\n   {members}\n```\n")
            where = used.get(name.rsplit(".", 1)[1], [])
            if where:
                links = ", ".join(f"[{stem[:2]}](../course/{stem}.ipynb)" for stem in where)
                body.append(f"See it used in notebook {links}.\n")
        (folder / f"{page}.md").write_text("\n".join(body), encoding="utf-8")
    return sorted(pages)


def _page(module: str) -> str:
    """The page of a module: that of its wing, where it has one."""
    return module.split(".")[1]


def _uses(lessons: list[Path]) -> dict[str, list[str]]:
    """The notebooks in whose code a name stands."""
    used: dict[str, list[str]] = defaultdict(list)
    for lesson in lessons:
        cells = json.loads(lesson.read_text(encoding="utf-8"))["cells"]
        code = "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code")
        names = set(re.findall(r"(?:irstd|plots|widgets)\.(\w+)", code))
        for imported in re.findall(r"from irstd[\w.]* import (\([^)]*\)|.*)", code):
            names |= set(re.findall(r"\w+", imported))
        for name in names:
            used[name].append(lesson.stem)
    return used
