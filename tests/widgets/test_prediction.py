"""The cards that ask for a guess before a result: in each lesson, and answered without a kernel."""

import json
import re

import pytest
from bs4 import BeautifulSoup
from IPython.core.formatters import DisplayFormatter
from texts import ROOT

from irstd.widgets import predict
from irstd.widgets.guess import FILE, Guess
from irstd.widgets.prediction import read_predictions

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def opened(card):
    """The options of a card, and what opens below each."""
    options = {}
    for details in BeautifulSoup(card._repr_html_(), "html.parser")("details"):
        option = details.summary.extract()
        options[option.get_text()] = details.get_text()
    return options


def asked(path):
    """The predictions of a notebook, and the cells that ask them."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    found = {}
    for cell in cells:
        source = "".join(cell["source"])
        call = re.search(r"\bpredict\((.*)\)", source, flags=re.DOTALL)
        if cell["cell_type"] == "code" and call:
            found[call[1].strip("\"'")] = cell
    return found


@pytest.mark.parametrize("name", read_predictions())
def test_one_option_is_right_and_each_says_why_once_it_is_opened(name):
    card = predict(name)
    options = opened(card)
    verdicts = [said.split(".")[0] for said in options.values()]
    assert sorted(verdicts) == ["Not so"] * (len(options) - 1) + ["Yes"]
    assert all(option in repr(card) for option in options)
    assert not any(said in repr(card) for _, _, said in card.options)


def test_the_questions_are_those_that_the_lessons_ask_each_once():
    names = [name for path in NOTEBOOKS for name in asked(path)]
    assert sorted(names) == sorted(read_predictions())
    for path in NOTEBOOKS:
        assert {name[:2] for name in asked(path)} <= {path.name[:2]}


def test_the_answer_is_not_in_the_source_and_the_card_is_stored():
    for path in NOTEBOOKS:
        for name, cell in asked(path).items():
            card = predict(name)
            assert cell["source"] == [f'widgets.predict("{name}")']
            (output,) = cell["outputs"]
            assert "".join(output["data"]["text/plain"]) == repr(card)
            assert "".join(output["data"]["text/html"]) == card._repr_html_()


def test_guesses_are_kept_beside_the_notebook(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    card = predict("05.1")
    first = card.options[0][0]
    widget = Guess("05.1", "")
    assert widget.guess == "" and not FILE.exists()
    widget.guess = first  # as when it is opened
    Guess("02.1", "").guess = "a bell around 0.5"
    assert Guess("05.1", "").guess == first
    assert json.loads(FILE.read_text()) == {"05.1": first, "02.1": "a bell around 0.5"}
    data, _ = DisplayFormatter().format(card)
    assert (data["text/plain"], data["text/html"]) == (repr(card), card._repr_html_())
    assert "application/vnd.jupyter.widget-view+json" in data


def test_an_unknown_question_is_refused_with_those_there_are():
    with pytest.raises(ValueError, match=r"name must be one of .*01\.1"):
        predict("99.1")
