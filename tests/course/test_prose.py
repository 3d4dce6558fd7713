"""What the text of a lesson says is true of its cells: names, settings and numbers."""

import re

import pytest
from lessons import NOTEBOOKS, make_cells, printed, sources_of

import irstd
from irstd import plots, widgets

WALK = sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb") if path.stem[:2] not in ("06", "07"))
# Decimals that stand in no cell: the texts' own, and those of a story or a formula. Ratios of
# numbers in a cell are in the tests of their lesson.
ELSEWHERE = {
    "01_metrics": "2.5 0.324 0.262 0.386 2.3 6.5",
    "02_standardization": "0.26 0.74 0.742 0.919 0.943 0.15",
    "03_gmap": "10.4 2.6 0.00101",
    "04_variability": "0.304 0.20 0.24 0.007 0.052 0.038",
    "05_cross_collection": "0.042 0.052 1.857",
    "08_judges": "0.81",
    "09_leaderboards": "0.9",
    "10_today": "0.3 3.5 0.7 0.05",
}
MODULES = {"irstd": irstd, "plots": plots, "widgets": widgets}


def prose(lesson):
    return "\n\n".join(sources_of(lesson, "markdown"))


def code(lesson):
    return "\n".join(sources_of(lesson, "code"))


@pytest.mark.parametrize("lesson", WALK)
def test_names_and_settings_in_the_text_are_those_of_the_cells(lesson):
    for span in set(re.findall(r"`([^`\n]+)`", prose(lesson))):
        name = re.match(r"(irstd|plots|widgets)((?:\.\w+)+)", span)
        if name:
            found = MODULES[name[1]]
            for part in name[2].split(".")[1:]:
                assert hasattr(found, part), span
                found = getattr(found, part)
        setting = re.fullmatch(r"""(\w+) ?= ?("[^"]*"|\d[\d.]*)""", span)
        if setting:
            assert re.search(rf"\b{setting[1]}\b", code(lesson)), span


@pytest.mark.parametrize("lesson", WALK)
def test_a_decimal_of_the_main_line_is_one_that_a_cell_has(lesson):
    """As it is printed there, or rounded."""
    known = code(lesson) + printed(make_cells(lesson, "code")) + " " + ELSEWHERE.get(lesson, "")
    numbers = {float(number) for number in re.findall(r"\d+\.\d+", known)}
    main_line = re.split(r"(?m)^## (?:Explore|The map|References)$", prose(lesson))[0]
    for number in re.findall(r"(?<![\d./-])\d+\.\d+(?![\d./])", main_line):
        digits = len(number.partition(".")[2])
        assert any(round(known, digits) == float(number) for known in numbers), number
