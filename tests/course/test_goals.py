"""Each exercise has a goal, minutes and a difficulty, and pages and outcomes follow from them."""

import re
from pathlib import Path

import pytest
from _sources import list_exercises

from irstd.course.student import make_solutions_sheet
from irstd.exercises import DIFFICULTIES, read_exercises, read_goals

SITE = Path(__file__).parents[2] / ".site"
GOALS = read_goals()
EXERCISES = read_exercises()
LESSONS = sorted({name[:2] for name in EXERCISES})


def test_each_exercise_has_a_goal_minutes_and_a_difficulty():
    assert [*GOALS] == [*EXERCISES]
    for row in GOALS.values():
        assert re.fullmatch(r"[a-z].*[^.]", row["goal"])
        assert row["difficulty"] in DIFFICULTIES
        assert int(row["minutes"]) > 0


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_exercises_of_a_lesson_take_half_an_hour(lesson):
    """As the course says of all of them."""
    assert 25 <= sum(int(row["minutes"]) for n, row in GOALS.items() if n[:2] == lesson) <= 35


def test_the_outcomes_are_asked_where_the_kit_says():
    text = (SITE / "lecturers" / "kit.md").read_text(encoding="utf-8")
    outcomes = re.findall(r"(?m)^(\d)\. ", text)
    for outcome in outcomes:
        (asked,) = re.findall(rf"\| outcome \|(?:.*\n)+?\| {outcome} \| (.+) \|\n", text)
        expected = [name for name, row in GOALS.items() if outcome in row["outcomes"].split()]
        assert re.findall(r"\d\d\.\d", asked) == expected
    assert {o for row in GOALS.values() for o in row["outcomes"].split()} <= {*outcomes}


def test_notes_and_sheet_have_goals_and_mistakes():
    notes = "".join("".join(list_exercises(lesson)) for lesson in LESSONS)
    sheet = make_solutions_sheet()
    for name, row in GOALS.items():
        assert f"| {name} | {row['goal']} |" in notes and f"*To {row['goal']}* (" in sheet
        for mistake in EXERCISES[name].get("mistake", []):
            assert f"| {name} | {mistake['value']} | {mistake['text']} |" in notes
            assert mistake["text"] in sheet
