"""One meaning per word, and the field's words in all that is read."""

import inspect
import json
import re
from pathlib import Path

import pytest

from tests.public_names import public

PAGE = Path(__file__).parents[2] / ".site" / "pages" / "rules.md"
FUNCTIONS = {
    name: inspect.signature(function)
    for name, function in public().items()
    if inspect.isfunction(function)
}
CELL = re.compile(r"`(\w+)(?:=([^`]*))?`")


def table():
    """(word, function or "all", default or None, whether keyword-only), as the page says."""
    rows = []
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("| `"):
            word, _, kind, where = (cell.strip() for cell in line.strip("| ").split(" | "))
            word = word.strip("`")
            for name, default in CELL.findall(where):
                rows.append((word, name, default or None, kind))
    return rows


@pytest.mark.parametrize(("word", "name", "default", "kind"), table())
def test_a_word_is_taken_as_the_table_says(word, name, default, kind):
    taken = FUNCTIONS[name].parameters[word]
    found = None if taken.default is taken.empty else str(taken.default)
    assert found == default
    keyword = taken.kind is taken.KEYWORD_ONLY
    assert keyword == (kind == "keyword"), "positional" if keyword else "keyword-only"


@pytest.mark.parametrize("word", sorted({row[0] for row in table()}))
def test_the_table_names_every_function_that_takes_the_word(word):
    listed = {name for of, name, _, _ in table() if of == word}
    assert listed == {name for name, of in FUNCTIONS.items() if word in of.parameters}


ROOT = Path(__file__).parents[2]
READ = [
    ROOT / "README.md",
    *(ROOT / "notebooks").glob("*.ipynb"),
    *(ROOT / "irstd").rglob("*.py"),
    *(ROOT / "irstd").rglob("*.csv"),
    *(ROOT / ".site").rglob("*.md"),
]
OURS = (
    r"told apart|tells? (\w+ )?apart|told from|\bfires?\b|\bfired\b|\bshy\b|turn(s|ed) (it )?round"
    r"|\btossed\b|unlikeness|\bbolder\b|\bruler\b|\bvolatile\b"
)
SIMULATED = ("_model.py", "simulation.md")  # volatility is a trait of groups there


@pytest.mark.parametrize("path", READ, ids=lambda path: path.name)
def test_text_has_the_words_of_the_field(path):
    """CONTRIBUTING lists ours, and what the field says."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = json.loads(text)["cells"]
        text = "\n".join("".join(cell["source"]) for cell in cells)
    found = {match.group() for match in re.finditer(OURS, text, re.IGNORECASE)}
    if path.name in SIMULATED:
        found.discard("volatile")
    assert not found


def test_each_of_our_words_is_listed_with_that_of_the_field():
    guide = (ROOT / ".github" / "CONTRIBUTING.md").read_text(encoding="utf-8")
    _, _, rest = guide.partition("| not | but |\n|---|---|\n")
    table, _, _ = rest.partition("\n\n")
    ours = [row.strip("| ").split(" | ")[0] for row in table.splitlines()]
    assert len(ours) == 9
    for words in ours:
        assert re.search(OURS, words), words
