"""What Sphinx reads: the pages, the notebooks made fit for a page, the glossary, the reference."""

import json
import re
import shutil
from collections import defaultdict

from _cards import open_cards

import irstd
from irstd import plots, widgets
from irstd.course.exercises import exercises

# What stays as it is when terms are linked: code, formulas, links, tags, headings, tables.
LITERAL = re.compile(
    r"(```.*?```|`[^`]*`|\$\$.*?\$\$|\$[^$]*\$|!?\[[^\]]*\]\([^)]*\)|<[^>]+>|^#.*$|^\|.*$)",
    flags=re.DOTALL | re.MULTILINE,
)


def write_sources(target, pages, notebooks):
    """Write to `target` the folder `pages` with what is made of the folder `notebooks`."""
    lessons = {file.stem: json.loads(file.read_text("utf-8")) for file in notebooks.glob("*.ipynb")}
    if not lessons:
        raise FileNotFoundError(f"{notebooks}: there are no notebooks (*.ipynb) in this folder")
    shutil.copytree(pages, target, ignore=shutil.ignore_patterns("*.py", "_*"))
    changes = pages.parent / ".github" / "CHANGELOG.md"
    shutil.copy(changes, target / "pages" / "changelog.md")
    terms = glossary(lessons)
    entries = [f"## {term}\n\n{terms[term]}\n" for term in sorted(terms, key=str.casefold)]
    head = "# Glossary\n\nEach term is linked where a lesson first uses it.\n"
    (target / "glossary.md").write_text("\n".join([head, *entries]), "utf-8")
    write_reference(target / "reference", lessons)
    complete_notes(target / "lecturers", lessons)
    for name, lesson in lessons.items():
        lesson["metadata"] = {"language_info": {"name": "python"}}
        open_cards(lesson)
        link_terms(lesson, terms)
        (target / "course" / f"{name}.ipynb").write_text(json.dumps(lesson), "utf-8")


def jupyter_anchor(title):
    """Return the anchor that JupyterLab gives to a heading."""
    return title.replace(" ", "-")


def glossary(lessons):
    """Terms and what they mean, from the glossary in a lesson: lines ``**term**: meaning``."""
    for lesson in lessons.values():
        for cell in lesson["cells"]:
            text = "".join(cell["source"])
            if cell["cell_type"] == "markdown" and text.startswith("## Glossary"):
                return dict(re.findall(r"(?m)^[-*] \*\*(.+?)\*\*: (.+)$", text))
    return {}


def link_terms(lesson, terms):
    """Link the first use of each term in the prose of a lesson to the glossary."""
    left = list(terms)
    for cell in lesson["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] != "markdown" or text.startswith("## Glossary"):
            continue
        parts = LITERAL.split(text)
        for place in range(0, len(parts), 2):
            for term in left:
                link = rf"[\1](../glossary.md#{jupyter_anchor(term)})"
                use = rf"(?<![\w\[])({re.escape(term)}s?)(?![\w\]])"
                parts[place], found = re.subn(use, link, parts[place], count=1)
                if found:
                    left.remove(term)
                    break  # a second link in the same stretch might fall into the first
        cell["source"] = "".join(parts)


def complete_notes(folder, lessons):
    """Add to the notes on each lesson what students get wrong, as the checks know it."""
    for page in folder.glob("0*.md"):
        said = [f"- {name}: {row['text']}" for name, row in mistakes() if name[:2] == page.stem[:2]]
        head = "## What students get wrong\n\nBy exercise, in the words of its check:\n"
        link = f"\nThe lesson: {{doc}}`../course/{page.stem}`.\n"
        text = "\n".join([page.read_text("utf-8"), head, *dict.fromkeys(said), link])
        page.write_text(text, "utf-8") if page.stem in lessons else page.unlink()


def mistakes():
    """All foreseen mistakes, with the exercise."""
    return [(name, row) for name, rows in exercises().items() for row in rows.get("mistake", [])]


def write_reference(folder, lessons):
    """Write a page for each module, or wing, of public names, generated from the docstrings."""
    cells = {
        stem: str(
            [cell["source"] for cell in lessons[stem]["cells"] if cell["cell_type"] == "code"]
        )
        for stem in sorted(lessons)
    }
    pages = defaultdict(dict)
    for holder in (irstd, plots, widgets):
        for name in getattr(holder, "__all__", vars(holder)):
            thing = getattr(holder, name)
            home = str(getattr(thing, "__module__", ""))
            if home.startswith("irstd.") and callable(thing):
                kind = "autoclass" if isinstance(thing, type) else "autofunction"
                text = f"```{{eval-rst}}\n.. {kind}:: {holder.__name__}.{name}\n```\n"
                use = rf"\b(irstd|plots|widgets)\.{name}\b|import (\([^)]*|[^']*)\b{name}\b"
                where = [stem for stem, code in cells.items() if re.search(use, code)]
                links = [f"[{stem[:2]}](../course/{stem}.ipynb)" for stem in where]
                text += f"\nSee it used in notebook {', '.join(links)}.\n" if where else ""
                pages[home.split(".")[1]][thing] = text
    for page, texts in pages.items():
        (folder / f"{page}.md").write_text("\n".join([f"# {page}\n", *texts.values()]), "utf-8")
