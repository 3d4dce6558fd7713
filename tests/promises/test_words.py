"""One meaning per word: who takes it, with which default, is on the page of rules."""

import inspect
import re

import pytest
from texts import read_page

from tests.public_names import public


def table():
    """Per word the functions that take it: their default, and "keyword" or "position"."""
    words = {}
    page = read_page("pages/rules")
    for row in re.findall(r"(?m)^\| `(\w+)` \| .+ \| (\w+) \| (.+) \|$", page):
        word, kind, functions = row
        for name, default in re.findall(r"`(\w+)(?:=([^`]*))?`", functions):
            words.setdefault(word, {})[name] = (default, kind)
    return words


KINDS = {
    inspect.Parameter.KEYWORD_ONLY: "keyword",
    inspect.Parameter.POSITIONAL_OR_KEYWORD: "position",
}


@pytest.mark.parametrize(("word", "expected"), table().items())
def test_a_word_is_taken_as_the_table_says(word, expected):
    found = {}
    for name, function in public().items():
        if inspect.isfunction(function) and word in inspect.signature(function).parameters:
            taken = inspect.signature(function).parameters[word]
            default = ""
            if taken.default is not taken.empty:
                default = str(taken.default)
            found[name] = (default, KINDS[taken.kind])
    assert found == expected
