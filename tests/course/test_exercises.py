"""Exercises of the course that check themselves.

That the expected answers are those of the solutions, `test_answers_in_lessons.py` says.
"""

import ast
import itertools
import math
import re

import nbformat
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lessons import of_each_lesson, rows_of

import irstd
from irstd.course.student import find_exercises
from irstd.exercises import COLUMNS, name_answer_variable, read_exercises, read_solutions

EXERCISES = read_exercises()
NUMERIC = [name for name, rows in EXERCISES.items() if "value" in rows]
ANSWERS = {name: [float(row["value"]) for row in EXERCISES[name]["value"]] for name in NUMERIC}


@of_each_lesson
def test_check_stands_below_each_question_of_a_lesson(path):
    lesson = path.stem[:2]
    found = find_exercises(nbformat.read(path, 4))
    assert [exercise.name for exercise in found] == [n for n in EXERCISES if n.startswith(lesson)]
    for name, question, place, check in found:
        assert f"`{name_answer_variable(name)}`" in question.source
        assert place.source == f"{name_answer_variable(name)} = ..."
        assert check.source == f'irstd.check("{name}", {name_answer_variable(name)})'
        assert "no answer yet" in check.outputs[0].data["text/plain"]


@pytest.mark.parametrize("name", EXERCISES)
def test_solution_is_code_with_an_explanation(name):
    shown = irstd.solution(name)
    assert shown.splitlines()[-1].startswith(f"{name_answer_variable(name)} = ")
    assert f"```python\n{shown}\n```" in shown._repr_markdown_()
    assert shown.words in repr(shown) and shown in repr(shown)
    compile(shown, name, "exec")


@pytest.mark.parametrize("name", ["01.9", 1.1, None])
def test_check_and_solution_refuse_an_unknown_exercise(name):
    assert list(read_solutions()) == list(EXERCISES)
    with pytest.raises(ValueError, match=r"exercise must be one of '01\.1', '01\.2'"):
        irstd.solution(name)
    with pytest.raises(ValueError, match=r"exercise must be one of '01\.1', '01\.2'"):
        irstd.check(name, 1)


@pytest.mark.parametrize("name", NUMERIC)
def test_check_explains_foreseen_mistakes_at_their_place(name):
    for row in EXERCISES[name].get("mistake", []):
        for i, value in enumerate(EXERCISES[name]["value"]):
            if row["place"] in ("", value["place"]):
                answer = [*ANSWERS[name]]
                answer[i] = float(row["value"])
                verdict = irstd.check(name, answer, hint=0)
                assert not verdict
                assert row["text"] in verdict


@pytest.mark.parametrize("name", NUMERIC)
def test_check_compares_to_the_last_digit(name):
    for place, row in enumerate(EXERCISES[name]["value"]):
        answer = [*ANSWERS[name]]
        expected = answer[place]
        digits = int(row["digits"])
        last_digit = 10.0**-digits
        for units in (-0.49, 0.49):
            answer[place] = expected + units * last_digit
            assert irstd.check(name, answer).right == (digits > 0)
        allowed = int(row["within"] or 0)
        for units in (-1 - allowed, 1 + allowed, -300, 300):
            answer[place] = expected + units * last_digit
            assert not irstd.check(name, answer).right


@pytest.mark.parametrize(
    ("name", "answer", "reason"),
    [
        ("01.1", -0.375, "wrong sign"),
        ("01.1", 37.5, "not a percentage"),
        ("01.1", 0.4, r"another number \(3 digits\)\."),
        ("01.1", 0.3725, "close"),
        ("01.1", 0.3724, "another number"),
        ("01.1", math.nan, "finite"),
        ("01.1", np.True_, "should be a number"),
        ("04.3", [0.3, 0.52], "1 of 2 numbers are right.*on the data that the course"),
        ("02.1", {"hard": 0.3, "easy": 0.15}, "in another order"),
        ("05.4", ["A", "B", "C"], "yet. A: "),
        ("05.4", ["B"], "others are missing"),
        ("04.2", [], "empty"),
        ("01.2", ["AP"], "^[^1-9]* 01.2: not yet. 0 .* 7 more"),
        ("01.2", ["AP", "RBP0.8", "\ud800"], r"There is no 'RBP0\.8', '\\ud800'"),
        ("05.4", "BCX", "There is no 'X'"),
    ],
)
def test_check_explains_a_wrong_answer(name, answer, reason):
    verdict = irstd.check(name, answer, hint=0)
    assert not verdict
    assert re.search(reason, " ".join(verdict.split()))


@pytest.mark.parametrize("row", rows_of("answers.csv"), ids=lambda row: row["exercise"])
def test_check_takes_right_answers_in_other_forms(row):
    """The kind "other" is right, in a form or by a way that is not ours."""
    verdict = irstd.check(row["exercise"], ast.literal_eval(row["answer"]))
    assert verdict.right == (row["kind"] == "other")


@pytest.mark.parametrize("name", NUMERIC)
def test_check_takes_numbers_in_order_or_by_place(name):
    answer = ANSWERS[name]
    places = [row["place"] for row in EXERCISES[name]["value"]]
    in_another_order = dict(reversed([*zip(places, answer, strict=True)]))
    forms = [np.array(answer), pd.Series(answer), in_another_order, pd.Series(in_another_order)]
    for form in forms:
        assert irstd.check(name, form).right
    for value in (True, "a half", pd.NA, 1j, object, [0.5]):
        assert not irstd.check(name, [value, *answer[1:]])
    assert not irstd.check(name, [*answer, answer[0]])


def test_check_says_what_is_asked_for():
    for answer in (None, ...):
        verdict = irstd.check("02.1", answer)
        assert "no answer yet. `answer_02_1` should be a list of 2 numbers: " in verdict
        assert "Hint" not in verdict


def test_check_gives_one_hint_at_a_time():
    first, second = (row["text"] for row in EXERCISES["01.1"]["hint"])
    for hint in range(3):
        verdict = irstd.check("01.1", 1, hint=hint)
        assert (first in verdict) == (hint == 1)
        assert (second in verdict) == (hint == 2)
    assert 'irstd.check("01.1", answer_01_1, hint=2)' in irstd.check("01.1", 1)
    assert second in irstd.check("01.1", ..., hint=2)
    with pytest.raises(ValueError, match="hint must be one of"):
        irstd.check("01.1", 1, hint=3)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("10.1,value,,0.5,,,", ":2: "),
        ("10.1,value,,0.5,1,,\n10.1,hint,,,,,of two, parts", ":3: "),
        ("10.1,hint,,,,,Add them up.", "10.1 has no row with the role 'value' or 'name'"),
        ("10.1,\xff", ""),
    ],
)
def test_read_exercises_names_file_and_line(tmp_path, text, place):
    file = tmp_path / "own.csv"
    file.write_text(f"{','.join(COLUMNS)}\n{text}\n", encoding="latin-1")
    with pytest.raises(ValueError, match=re.escape(str(file))) as error:
        irstd.check("10.1", 0.5, file=file)
    assert place in str(error.value)


ODD = [1j, pd.NA, pd.NaT, 10**400, list, range(10**12), b"A", {"A": None}, {"A"}, [[0.5]], True]
ODD += [np.zeros((2, 2)), pd.DataFrame({"a": [1.0]}), itertools.count(), iter([0.5])]
anything = st.sampled_from(ODD) | st.floats() | st.text(max_size=5) | st.lists(st.sampled_from(ODD))


@given(st.sampled_from(sorted(EXERCISES)), anything, st.sampled_from([0, 1, 2]))
def test_check_answers_anything_in_the_same_way(name, answer, hint):
    verdict = irstd.check(name, answer, hint=hint)
    assert verdict.startswith(f"Exercise {name}: ")
    assert verdict == irstd.check(name, answer, hint=hint)
    assert repr(verdict).split() == verdict.split()
    assert all(len(line) <= 92 for line in repr(verdict).splitlines())
