"""What Sphinx reads: the pages, the notebooks made fit for a page, the glossary, the reference."""

import json
import re
import shutil
from collections import defaultdict

from _cards import open_cards

import irstd
from irstd.exercises import exercises

# What stays as it is when terms are linked: code, formulas, links, tags, headings, tables.
LITERAL = r"```.*?```|`[^`]*`|\$\$.*?\$\$|\$[^$]*\$|!?\[[^\]]*\]\([^)]*\)|<[^>]+>|^[#|][^\n]*$"


def write_sources(target, pages, notebooks):
    """Write to `target` the folder `pages` with what is made of the folder `notebooks`."""
    lessons = {file.stem: json.loads(file.read_text("utf-8")) for file in notebooks.glob("*.ipynb")}
    if not lessons:
        raise FileNotFoundError(f"{notebooks}: there are no notebooks (*.ipynb) in this folder")
    shutil.copytree(pages, target, ignore=shutil.ignore_patterns("*.py", "_*"))
    shutil.copy(pages.parent / ".github/CHANGELOG.md", target / "pages" / "changelog.md")
    terms = glossary(lessons)
    entries = [f"\n## {term}\n\n{terms[term]}\n" for term in sorted(terms, key=str.casefold)]
    append(target / "glossary.md", entries)
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
    texts = ["".join(cell["source"]) for each in lessons.values() for cell in each["cells"]]
    glossaries = [text for text in texts if text.startswith("## Glossary")]
    return dict(re.findall(r"(?m)^[-*] \*\*(.+?)\*\*: (.+)$", "\n".join(glossaries)))


def link_terms(lesson, terms):
    """Link the first use of each term in the prose of a lesson to the glossary."""
    names = "|".join(map(re.escape, sorted(terms, key=len, reverse=True)))
    use = re.compile(rf"(?ms){LITERAL}|(?<![\w\[])({names})s?(?![\w\]])")
    left = set(terms)

    def link(found):
        if found[1] not in left:
            return found[0]
        left.remove(found[1])
        return f"[{found[0]}](../glossary.md#{jupyter_anchor(found[1])})"

    for cell in lesson["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown" and not text.startswith("## Glossary"):
            cell["source"] = use.sub(link, text)


def complete_notes(folder, lessons):
    """Add to the notes on each lesson what students get wrong, as the checks know it."""
    for page in folder.glob("0*.md"):
        for name, rows in exercises().items():
            if name[:2] == page.stem[:2]:
                said = [f"\n- {name}: {row['text']}" for row in rows.get("mistake", [])]
                append(page, dict.fromkeys(said))
        if page.stem not in lessons:
            page.unlink()


def append(page, texts):
    """Add to a page that is there."""
    page.write_text(page.read_text("utf-8") + "".join(texts), "utf-8")


def write_reference(folder, lessons):
    """Write a page for each module, or wing, of public names, generated from the docstrings."""
    texts = {name: str([c["source"] for c in lessons[name]["cells"]]) for name in sorted(lessons)}
    pages = defaultdict(dict)
    for holder in (irstd, irstd.plots, irstd.widgets):
        for name in getattr(holder, "__all__", vars(holder)):
            thing = getattr(holder, name)
            home = str(getattr(thing, "__module__", ""))
            if home.startswith("irstd.") and callable(thing):
                kind = "autoclass" if isinstance(thing, type) else "autofunction"
                text = f"```{{eval-rst}}\n.. {kind}:: {holder.__name__}.{name}\n```\n"
                use = rf"\b(irstd|plots|widgets)\.{name}\b|import (\([^)]*|[^']*)\b{name}\b"
                where = [lesson for lesson in texts if re.search(use, texts[lesson])]
                links = [f"[{lesson[:2]}](../course/{lesson}.ipynb)" for lesson in where]
                text += f"\nSee notebook {', '.join(links)}.\n" if where else ""
                pages[home.split(".")[1]][holder, name] = text
    for page, texts in pages.items():
        (folder / f"{page}.md").write_text("\n".join([f"# {page}\n", *texts.values()]), "utf-8")
