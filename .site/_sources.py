"""What Sphinx reads: the pages, the notebooks made fit for a page, the course, the glossary.

A widget, which needs a kernel, stands still.
"""

import base64
import json
import re
import shutil
from html import escape

from irstd.datasets._fetch import BUNDLED
from irstd.exercises import read_exercises, read_goals
from irstd.metrics import REGISTRY

USES = {}  # by name: the notebooks that use it


def write_sources(target, pages, notebooks, elsewhere=()):
    """Write to `target` the folder `pages` with what is made of the folder `notebooks`.

    `elsewhere` are the places that open a lesson: names, and addresses with ``{name}`` in them.
    """
    files = sorted(notebooks.glob("*.ipynb"))
    lessons = {file.stem: json.loads(file.read_text("utf-8")) for file in files}
    if not lessons:
        raise FileNotFoundError(f"{notebooks}: has no notebooks (*.ipynb)")
    shutil.copytree(pages, target, ignore=shutil.ignore_patterns("*.py", "_*", "lecturers"))
    teach = "_students" if (notebooks / ".irstd-handout").exists() else "lecturers"
    shutil.copytree(pages / teach, target / "lecturers")
    shutil.copy(pages.parent / ".github/CHANGELOG.md", target / "pages" / "changelog.md")
    extra = target.parent / "extra" / "downloads"
    shutil.copytree(notebooks, extra, ignore=(left := shutil.ignore_patterns(".*", "_*")))
    shutil.copytree(notebooks, target / "course", dirs_exist_ok=True, ignore=left)
    shutil.copytree(BUNDLED, target / "bundled")
    for page in target.rglob("*.md"):  # whose links work where the repository is read, too
        text = page.read_text("utf-8")
        text = re.sub(r"\]\(((?:\.\./)+)\.\./irstd/datasets/bundled/", r"](\1bundled/", text)
        text = re.sub(r"\]\(((?:\.\./)*)\.\./notebooks/", r"](\1course/", text)
        for link, said, name in re.findall(r"(\[([^]]+)\]\((?:\.\./)*course/(\w+)\.ipynb\))", text):
            if name not in lessons:  # notebooks of one's own: the name stays, and leads nowhere
                text = text.replace(link, said)
        page.write_text(text, "utf-8")
    for notes in (target / "lecturers").glob("0*.md"):
        if notes.stem in lessons:
            append(notes, list_exercises(notes.stem[:2]))
        else:
            notes.unlink()
    append(target / "reference" / "metrics.md", list_metrics())
    text = "\n".join("".join(cell["source"]) for one in lessons.values() for cell in one["cells"])
    terms = dict(re.findall(r"(?m)^[-*] \*\*(.+?)\*\*: (.+)$", text))
    append(target / "glossary.md", [f"{term}\n  {terms[term]}\n\n" for term in terms])
    rows = dict(re.findall(r"(?m)^\| \[`(\w+)`\]\(.+?\) \|(.+\|.*)\|$", text))
    for name, lesson in lessons.items():
        find_uses(name, lesson["cells"])
        open_cards(lesson)
        show_widgets(lesson)
        link_terms(lesson, terms)
        links = {"download": f"../_static/downloads/{name}.ipynb"}
        links |= {place: address.format(name=name) for place, address in elsewhere}
        card = head_lesson(name, lesson, rows.get(name, "||").split("|"), links, extra)
        append(target / "course" / "index.md", [card])
        made = lesson | {"metadata": {"language_info": {"name": "python"}}}
        (target / "course" / f"{name}.ipynb").write_text(json.dumps(made), "utf-8")


def list_exercises(lesson):
    """Return the exercises of a lesson, as a tutor needs them: goals, minutes, mistakes."""
    lines = ["\n## Exercises\n\nAfter them, students can\n\n"]
    lines += ["| exercise | goal | outcome | minutes | difficulty |\n", "|---|---|---|---|---|\n"]
    mistakes = []
    for name, row in read_goals().items():
        if name.startswith(lesson):
            cells = [name, row["goal"], row["outcomes"], row["minutes"], row["difficulty"]]
            lines.append(f"| {' | '.join(cells)} |\n")
            for known in read_exercises()[name].get("mistake", []):
                mistakes.append(f"| {name} | {known['value']} | {known['text']} |\n")
    lines.append("\n(Outcomes are those of the [kit](kit.md).) Mistakes that the checks know:\n\n")
    return [*lines, "| exercise | answer | what is said |\n|---|---|---|\n", *mistakes]


def list_metrics():
    """Return the table of the metrics, with the names of other tools."""
    lines = ["\n| name | formula | trec_eval | ir_measures |\n|---|---|---|---|\n"]
    for metric in REGISTRY.values():
        forms, trec_eval, ir_measures = (
            ", ".join(f"`{name}`" for name in names)
            for names in (metric.forms, metric.trec_eval, metric.ir_measures)
        )
        lines.append(f"| {forms} | {metric.formula} | {trec_eval} | {ir_measures} |\n")
    return lines


def jupyter_anchor(title):
    """Return the anchor that JupyterLab gives to a heading."""
    return title.replace(" ", "-")


def head_lesson(name, lesson, row, links, folder):
    """Put number, minutes and `links` at the top of a lesson; return its card in the list."""
    question, minutes, needs = map(str.strip, row)
    takes = f"{minutes} minutes" * bool(minutes) + f" · needs {needs}" * bool(needs)
    anchors = [f'<a href="{address}">{place}</a>' for place, address in links.items()]
    anchors[0] = anchors[0].replace("<a ", "<a download ")
    first, number = lesson["cells"][0], name[:2] * name[:2].isdigit()
    title, _, text = "".join(first["source"]).partition("\n")
    title, image = title.lstrip("# "), ""
    if not re.match(r"\d+\. ", title):  # a heading of one's own, without its number
        title = f"{number} {title}".strip()
    first["source"] = f"# {title}\n\n<p>{' · '.join([takes, *anchors])}</p>\n{text}"
    for cell in lesson["cells"]:
        for output in cell.get("outputs", []) if not image else ():
            if picture := output.get("data", {}).get("image/png"):
                (folder / f"{name}.png").write_bytes(base64.b64decode(picture))
                said = escape(cell["metadata"].get("mystnb", {}).get("image", {}).get("alt", ""))
                image = f'<img src="../_static/downloads/{name}.png" alt="{said}">'
    image += f'<p><a href="{name}.html">{title}</a></p>'
    return f"<div>{image}<p>{question}</p><p>{takes}</p></div>\n"


def link_terms(lesson, terms):
    """Link terms to the glossary where they stand in italics, which is where they are meant."""
    use = rf"(?<!\*)\*({'|'.join(map(re.escape, terms))})(s?)\*(?!\*)"
    for cell in lesson["cells"]:
        if terms and cell["cell_type"] == "markdown":
            cell["source"] = re.sub(use, r"{term}`\1\2 <\1>`", "".join(cell["source"]))


def open_cards(lesson):
    """Leave out the code of predictions, whose cards answer by themselves."""
    for cell in lesson["cells"]:
        if re.match(r"(widgets\.)?predict\(", "".join(cell["source"])):
            cell["metadata"].setdefault("tags", []).append("remove-input")


def show(cell, html):
    """Give a cell one output."""
    cell["outputs"] = [{"output_type": "display_data", "metadata": {}, "data": {"text/html": html}}]


def show_widgets(lesson):
    """Show the picture with which a widget begins."""
    for cell in lesson["cells"]:
        found = re.search(r"(?m)^(?:irstd\.|widgets\.)?(explore\w*)\(", "".join(cell["source"]))
        if found and cell.get("outputs"):
            said = f"The widget {found[1]} as it begins: a picture, as it needs a kernel"
            show(cell, f'<img src="../_static/{found[1]}.png" alt="{said}">')


def find_uses(name, cells):
    """Note which names of irstd a lesson calls."""
    code = "\n".join("".join(cell["source"]) for cell in cells)
    for each in re.findall(r"(?:\birstd\.|\bplots\.|\bwidgets\.|(?<![\w.]))(\w+)\(", code):
        USES.setdefault(each, set()).add(name)


def show_uses(app, what, name, thing, options, lines):
    """Say below a docstring which notebooks use the function."""
    links = [f":doc:`{each[:2]} </course/{each}>`" for each in USES.get(name.split(".")[-1], ())]
    lines += ["", f"See notebook {', '.join(sorted(links))}.", ""] if links else []


def append(page, texts):
    """Add to a page that is there."""
    page.write_text(page.read_text("utf-8") + "".join(texts), "utf-8")
