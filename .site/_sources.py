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
        if page.stem not in lessons:
            page.unlink()
            continue
        wrong = [
            f"- {name}: {said}"
            for name, rows in exercises().items()
            if name.startswith(page.stem[:2])
            for said in dict.fromkeys(row["text"] for row in rows.get("mistake", []))
        ]
        head = "## What students get wrong\n\nBy exercise, in the words of its check:\n"
        link = f"\nThe lesson: {{doc}}`../course/{page.stem}`.\n"
        page.write_text("\n".join([page.read_text("utf-8"), head, *wrong, link]), "utf-8")


def write_reference(folder, lessons):
    """Write a page for each module, or wing, of public names, generated from the docstrings."""
    pages = defaultdict(dict)
    for holder in (irstd, plots, widgets):
        for name in getattr(holder, "__all__", vars(holder)):
            thing = getattr(holder, name)
            home = str(getattr(thing, "__module__", ""))
            if home.startswith("irstd.") and callable(thing):
                pages[home.split(".")[1]][f"{holder.__name__}.{name}"] = thing
    for page, things in pages.items():
        body = [f"# {page}\n"]
        for name, thing in things.items():
            form = (
                ("autoclass", "\n   :members:") if isinstance(thing, type) else ("autofunction", "")
            )
            body.append(f"```{{eval-rst}}\n.. {form[0]}:: {name}{form[1]}\n```\n")
            where = [f"[{lesson[:2]}](../course/{lesson}.ipynb)" for lesson in used(name, lessons)]
            body += [f"See it used in notebook {', '.join(where)}.\n"] if where else []
        (folder / f"{page}.md").write_text("\n".join(body), "utf-8")


def used(name, lessons):
    """The lessons in whose code a public name stands."""
    holder, _, name = name.rpartition(".")
    short = holder.rpartition(".")[2]
    use = re.compile(
        rf"\b{short}\.{name}\b|from irstd[\w.]* import (?:\([^)]*\b{name}\b|.*\b{name}\b)"
    )
    code = {
        lesson: "\n".join("".join(c["source"]) for c in cells["cells"] if c["cell_type"] == "code")
        for lesson, cells in lessons.items()
    }
    return sorted(lesson for lesson, text in code.items() if use.search(text))
