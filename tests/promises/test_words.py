"""One meaning per word: the table of the rules page holds for every public function."""

import inspect
import re
from pathlib import Path

import pytest

import irstd

PAGE = Path(__file__).parents[2] / ".site" / "pages" / "rules.md"
FUNCTIONS = {
    name: inspect.signature(getattr(irstd, name))
    for name in irstd.__all__
    if inspect.isfunction(getattr(irstd, name))
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
