"""Exercises of the course that check themselves.

That the expected answers are those of the solutions, `test_answers_in_lessons.py` says.
"""

import ast
import itertools
import math
import re
from decimal import Decimal
from fractions import Fraction

import nbformat
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lessons import of_each_lesson, rows_of

import irstd
from irstd.course.student import find_exercises
from irstd.exercises import COLUMNS, answer_variable, read_exercises, read_solutions

EXERCISES = read_exercises()
TRIED = rows_of("answers.csv")
NUMERIC = [name for name, rows in EXERCISES.items() if "value" in rows]


def right(rows):
    """The right answer, as the table has it."""
    if "name" in rows:
        return [row["value"] for row in rows["name"]]
    return [float(row["value"]) for row in rows["value"]]


ANSWERS = {name: right(rows) for name, rows in EXERCISES.items()}


@of_each_lesson
def test_each_exercise_has_a_question_a_place_and_a_check(path):
    lesson = path.stem[:2]
    notebook = nbformat.read(path, 4)
    text = "\n".join(cell.source for cell in notebook.cells)
    section = text.partition("\n## Exercises\n")[2]
    assert f'`irstd.solution("{lesson}.1")`' in section
    found = find_exercises(notebook)
    names = [f"{lesson}.{number}" for number in range(1, len(found) + 1)]
    assert [name for name in EXERCISES if name.startswith(lesson)] == names
    assert [exercise.name for exercise in found] == names
    assert len(re.findall(r"(?m)^\*\*\d\.\*\*", section)) == len(found)
    for number, (name, question, place, check) in enumerate(found, start=1):
        assert question.source.startswith(f"**{number}.** ")
        assert f"`{answer_variable(name)}`" in question.source
        assert place.source == f"{answer_variable(name)} = ..."
        assert check.source == f'irstd.check("{name}", {answer_variable(name)})'
        assert "no answer yet" in check.outputs[0].data["text/plain"]


@pytest.mark.parametrize("name", EXERCISES)
def test_a_solution_is_shown_when_it_is_asked_for(name):
    shown = irstd.solution(name)
    last = shown.splitlines()[-1]
    assert last.startswith(f"answer_{name.replace('.', '_')} = ")
    assert f"```python\n{shown}\n```" in shown._repr_markdown_()
    assert shown.words in repr(shown) and shown in repr(shown)
    compile(shown, name, "exec")


def test_a_solution_that_is_not_there_is_refused_with_those_that_are():
    assert list(read_solutions()) == list(EXERCISES)
    for name in ("01.9", 1.1, None):
        with pytest.raises(ValueError, match=r"exercise must be one of '01\.1', '01\.2'"):
            irstd.solution(name)


@pytest.mark.parametrize("name", EXERCISES)
def test_the_rows_of_an_exercise(name):
    rows = EXERCISES[name]
    expected = rows.get("value") or rows["name"]
    assert len(rows["hint"]) == 2
    assert len(rows["right"]) == 1
    places = [row["place"] for row in expected]
    if any(places):
        assert len(set(places)) == len(places)
    mistakes = rows.get("mistake", [])
    for row in mistakes:
        assert row["place"] in ("", *places)
    for row in rows["hint"] + rows["right"] + mistakes:
        assert re.fullmatch(r"\S.*\.", row["text"])
    verdict = irstd.check(name, ...)
    assert verdict.startswith(f"Exercise {name}: no answer yet.")
    assert expected[0]["text"] in verdict
    assert not verdict.right
    assert "Hint" not in verdict


@pytest.mark.parametrize("name", NUMERIC)
def test_foreseen_mistakes_are_told_at_their_place_and_never_right(name):
    for row in EXERCISES[name].get("mistake", []):
        for i, value in enumerate(EXERCISES[name]["value"]):
            if row["place"] in ("", value["place"]):
                answer = [*ANSWERS[name]]
                answer[i] = float(row["value"])
                verdict = irstd.check(name, answer, hint=0)
                assert not verdict
                assert row["text"] in verdict


@pytest.mark.parametrize("name", NUMERIC)
def test_a_number_is_right_to_its_last_digit(name):
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


TOLD = [
    ("01.1", -0.375, "the wrong sign"),
    ("01.1", 0.38, "To three digits"),
    ("02.1", [0.3, 0.1], "the hard topic: To two digits"),
    ("01.1", 0.75, "The factor 1 - p"),
    ("02.2", [..., 0.24, 0.815], "a list of 3 numbers"),
    ("03.3", [0, 3, 1.1], "0 of 3 numbers are right"),
    ("05.3", "R3 and T7", "There is no 'R3 and T7'"),
    ("05.4", ["B"], "others are missing"),
    ("01.1", math.nan, "finite number"),
    ("01.1", np.True_, "should be a number"),
    ("02.2", ANSWERS["02.3"], "exercise 02.3"),
]


@pytest.mark.parametrize(("name", "answer", "said"), TOLD)
def test_what_is_wrong_is_told(name, answer, said):
    verdict = irstd.check(name, answer, hint=0)
    assert not verdict
    assert said in " ".join(verdict.split())


@pytest.mark.parametrize("name", sorted({row["exercise"] for row in TRIED}))
def test_right_wrong_and_honest_but_other_answers(name):
    """Rows of answers.csv: the kind "other" is right, in a form or by a way that is not ours."""
    rows = [row for row in TRIED if row["exercise"] == name]
    kinds = [row["kind"] for row in rows]
    for kind in ("right", "wrong", "other"):
        assert kinds.count(kind) >= 3
    for row in rows:
        verdict = irstd.check(name, ast.literal_eval(row["answer"]))
        assert verdict.right == (row["kind"] != "wrong"), row["answer"]


@pytest.mark.parametrize("name", NUMERIC)
def test_numbers_come_in_order_or_by_their_places(name):
    answer = ANSWERS[name]
    places = [row["place"] for row in EXERCISES[name]["value"]]
    by_place = dict(zip(places, answer, strict=True))
    in_another_order = dict(reversed(by_place.items()))
    forms = [
        tuple(answer),
        np.array(answer),
        pd.Series(answer),
        by_place,
        in_another_order,
        pd.Series(in_another_order),
        [np.float64(value) for value in answer],
    ]
    for form in forms:
        assert irstd.check(name, form).right
    for value in (True, "a half", pd.NA, 1j, object, [0.5]):
        assert not irstd.check(name, [value, *answer[1:]])
    assert not irstd.check(name, [*answer, answer[0]])


NUMBERS = ["0.15", " .15 ", "0.150", Fraction(3, 20), Decimal("0.15"), np.float64(0.15)]
NUMBERS += [np.float32(0.15), np.array(0.15), 0.1 + 0.05, 0.1549]
FORMS = {  # of a right answer, beside those of answers.csv
    "01.1": [Fraction(3, 8)],
    "01.2": [pd.Series(ANSWERS["01.2"])],
    "02.1": [[0.3, number] for number in NUMBERS],
    "09.2": [np.int64(10), np.array(10.0), Decimal(10)],
}


@pytest.mark.parametrize("name", FORMS)
def test_an_answer_is_compared_whatever_was_typed(name):
    for answer in FORMS[name]:
        assert irstd.check(name, answer).right, repr(answer)


def test_a_forgotten_answer_gets_a_word_with_its_name():
    said = "Exercise 02.1: no answer yet. `answer_02_1` should be a list of 2 numbers: "
    call = 'Give it to the check: irstd.check("02.1", answer_02_1)'
    for verdict in (irstd.check("02.1"), irstd.check("02.1", None)):
        assert verdict.startswith(said) and verdict.endswith(call)
    left = irstd.check("02.1", ...)
    assert left.startswith(said) and call not in left


def test_hints_come_one_at_a_time():
    first, second = (row["text"] for row in EXERCISES["01.1"]["hint"])
    for hint in range(3):
        verdict = irstd.check("01.1", 1, hint=hint)
        assert (first in verdict) == (hint == 1)
        assert (second in verdict) == (hint == 2)
    assert 'irstd.check("01.1", answer_01_1, hint=2)' in irstd.check("01.1", 1)
    assert second in irstd.check("01.1", ..., hint=2)
    with pytest.raises(ValueError, match="hint must be one of"):
        irstd.check("01.1", 1, hint=3)
    for name in ("01.9", 1.1):
        with pytest.raises(ValueError, match=r"exercise must be one of '01\.1', '01\.2'"):
            irstd.check(name, 1)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("10.1,value,,0.5,,,", ":2: "),
        ("10.1,value,,0.5,1,,\n10.1,hint,,,,,of two, parts", ":3: "),
        ("10.1,hint,,,,,Add them up.", "10.1 has no row with the role value or name"),
        ("10.1,\xff", ""),
    ],
)
def test_a_broken_file_of_exercises_is_named_with_its_line(tmp_path, text, place):
    file = tmp_path / "own.csv"
    file.write_text(f"{','.join(COLUMNS)}\n{text}\n", encoding="latin-1")
    with pytest.raises(ValueError, match=re.escape(str(file))) as error:
        irstd.check("10.1", 0.5, file=file)
    assert place in str(error.value)


plain = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.complex_numbers(),
    st.text(max_size=5),
    st.fractions(),
    st.dates(),
    st.sampled_from([pd.NA, pd.NaT, 10**400, list, range(10**12)]),
)
lists = st.lists(plain, max_size=7)
anything = st.one_of(
    plain,
    lists,
    lists.map(iter),
    lists.map(lambda x: pd.Series(x, dtype=object)),
    st.dictionaries(st.text(max_size=2), plain),
    st.frozensets(st.text(max_size=3), max_size=4),
    st.sampled_from([np.zeros((2, 2)), pd.DataFrame({"a": [1.0]}), itertools.count()]),
)


@given(st.sampled_from(sorted(EXERCISES)), anything, st.sampled_from([0, 1, 2]))
def test_any_answer_gets_a_sentence_and_always_the_same(name, answer, hint):
    verdict = irstd.check(name, answer, hint=hint)
    assert verdict.startswith(f"Exercise {name}: ")
    assert verdict[-1] in ".)"
    assert verdict == irstd.check(name, answer, hint=hint)
    assert repr(verdict).split() == verdict.split()
    assert all(len(line) <= 92 for line in repr(verdict).splitlines())
