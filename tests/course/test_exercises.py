"""Exercises of the course that check themselves.

The expected answers are those that the solutions in the notebooks print, which nbval holds against
what they compute.
"""

import csv
import itertools
import json
import math
import re
import time
from itertools import groupby
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import irstd
from irstd.course.answers import solved, updated
from irstd.course.exercises import COLUMNS, exercises

ROOT = Path(__file__).parents[2]
LESSONS = sorted((ROOT / "notebooks").glob("0[1-589]_*.ipynb"))
with (ROOT / "irstd" / "course" / "exercises.csv").open(encoding="utf-8") as file:
    ROWS = list(csv.DictReader(file))
EXERCISES = {name: list(rows) for name, rows in groupby(ROWS, key=lambda row: row["exercise"])}
ANSWERS = solved(ROOT / "notebooks")


def as_list(answer):
    if isinstance(answer, dict):
        return list(answer.values())
    return answer if isinstance(answer, list) else [answer]


def expected(name):
    return [row for row in EXERCISES[name] if row["role"] in ("value", "name")]


NUMERIC = [name for name in EXERCISES if expected(name)[0]["role"] == "value"]


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_each_exercise_has_a_place_a_solution_and_a_check(path):
    cells = json.loads(path.read_text())["cells"]
    source = ["".join(cell["source"]) for cell in cells]
    start = source.index("answer = ...")
    assert source[start - 1].startswith("## Exercises\n")
    at = [i for i, cell in enumerate(cells) if "check" in cell["metadata"].get("tags", [])]
    assert len(at) == len(re.findall(r"(?m)^\*\*\d\.\*\*", "\n".join(source[start:])))
    for n, i in enumerate(at, start=1):
        question, place, solution, check = cells[i - 3 : i + 1]
        name = f"{path.name[:2]}.{n}"
        assert source[i - 3].startswith(f"**{n}.** ") and "`answer`" in "".join(question["source"])
        assert place["cell_type"] == "code"
        assert place["source"] == ["answer = ..."] and not place["metadata"]
        assert solution["metadata"]["tags"] == ["solution"]
        assert solution["metadata"]["jupyter"] == {"source_hidden": True, "outputs_hidden": True}
        assert source[i] == f'irstd.check("{name}", answer)'
        (shown,) = check["outputs"]
        verdict = irstd.check(name, ANSWERS[name])
        assert "".join(shown["data"]["text/plain"]) == repr(verdict)
        assert verdict.startswith(f"Exercise {name}: right. ") and verdict.right


def test_the_data_file_has_the_answers_of_the_solutions():
    found = (ROOT / "irstd" / "course" / "exercises.csv").read_text(encoding="utf-8")
    assert updated(ANSWERS, exercises()) == found, "run python -m irstd.course.answers"
    assert list(EXERCISES) == sorted(ANSWERS)


@pytest.mark.parametrize(
    ("answer", "lines"),
    [
        ({"z": 0.5, "max": 0.25}, ["10.1,value,z,0.5,1,,", "10.1,value,max,0.25,2,,"]),
        (["AP", "RR"], ["10.1,name,,AP,,,", "10.1,name,,RR,,,"]),
        (12, ["10.1,value,,12,0,,"]),
        (0.00001, ["10.1,value,,0.00001,5,,"]),
    ],
)
def test_a_new_exercise_gets_its_lines(answer, lines):
    found = updated({"10.1": answer}, exercises()).splitlines()[len(ROWS) + 1 :]
    assert found == [*lines, "10.1,right,,,,,", "10.1,hint,,,,,", "10.1,hint,,,,,"]


@pytest.mark.parametrize("name", EXERCISES)
def test_the_rows_of_an_exercise(name):
    roles = [role for role, _ in groupby(row["role"] for row in EXERCISES[name])]
    assert [role for role in roles if role not in ("mistake", "choice")] in (
        ["value", "right", "hint"],
        ["name", "right", "hint"],
    )
    assert sum(row["role"] == "hint" for row in EXERCISES[name]) == 2
    places = [row["place"] for row in expected(name)]
    assert len(set(places)) == len(places) or not any(places)
    for row in EXERCISES[name]:
        if row["role"] in ("mistake", "right", "hint"):
            assert row["text"].strip() == row["text"]
            assert row["text"].endswith(".")
        assert row["role"] != "mistake" or row["place"] in ("", *places)
        assert "answer" not in row["text"]  # that is the name of the learner's variable


@pytest.mark.parametrize("name", NUMERIC)
def test_foreseen_mistakes_are_told_at_their_place_and_never_right(name):
    answer = [float(value) for value in as_list(ANSWERS[name])]
    for row in EXERCISES[name]:
        if row["role"] == "mistake":
            for i, value in enumerate(expected(name)):
                if row["place"] in ("", value["place"]):
                    mistaken = [*answer[:i], float(row["value"]), *answer[i + 1 :]]
                    verdict = irstd.check(name, mistaken, hint=0)
                    assert not verdict
                    assert row["text"] in verdict


@pytest.mark.parametrize("name", NUMERIC)
def test_a_number_is_right_to_its_last_digit(name):
    for place, row in enumerate(expected(name)):
        answer = [float(value) for value in as_list(ANSWERS[name])]
        middle, digits = answer[place], int(row["digits"])
        free = int(row["within"] or 0)
        for units in (-0.49, 0.49):
            answer[place] = middle + units * 10.0**-digits
            assert irstd.check(name, answer).right == (digits > 0)
        for units in (-1 - free, 1 + free, -300, 300):
            answer[place] = middle + units * 10.0**-digits
            assert not irstd.check(name, answer).right


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (-0.375, "the wrong sign"),
        (37.5, "no percentage"),
        (0.38, "too few digits; asked for are 3"),
        (0.373, "near"),
        (0.3725, "near"),
        (0.3724, "another number"),
        (0.379, "another number"),
        (math.nan, "It is nan; asked for is a finite number"),
        (-np.inf, "It is -inf"),
    ],
)
def test_in_which_way_a_number_is_wrong(answer, said):
    verdict = irstd.check("01.1", answer)
    assert not verdict and said in verdict


@pytest.mark.parametrize("name", NUMERIC)
def test_what_counts_as_a_number(name):
    answer = as_list(ANSWERS[name])
    keyed = list(zip([row["place"] for row in expected(name)], answer, strict=True))
    labels = [f"label {i}" for i in range(len(answer))]
    for form in (
        tuple(answer),
        np.array(answer),
        pd.Series(answer, index=labels),
        pd.DataFrame({"answer": answer}, dtype="Float64")["answer"],
        dict(keyed),
        pd.Series(dict(keyed[::-1])),
        [np.float64(value) for value in answer],
    ):
        assert irstd.check(name, form).right
    for value, word in [
        (True, "True or False"),
        ("0.5", "a text"),
        (pd.NA, "NAType"),
        (1j, "complex"),
        (object, "type"),
        ([0.5], "list"),
    ]:
        verdict = irstd.check(name, [value, *answer[1:]])
        assert not verdict
        assert word in verdict
    assert f"It has {len(answer) + 2} numbers." in irstd.check(name, [*answer, 0.123, 4.56])


def test_one_number_needs_no_list_and_comes_by_any_key():
    for answer in (0.375, np.float32(0.375), np.array(0.375), {0.375}, {"RBP": 0.375}):
        assert irstd.check("01.1", answer).right
    for answer in ({"a": 0.375, "b": 1}, {0.375, 1}, np.full((1, 1), 0.375), 10**400):
        assert not irstd.check("01.1", answer)


def test_several_numbers_come_in_order_or_by_all_their_keys():
    """The keys of 03.3 are .01, .1 and 1."""
    for answer in ({1: 0.724, 0.1: 0.7, 0.01: 0.648}, {"1": 0.724, "0.1": 0.7, " 0.01": 0.648}):
        assert irstd.check("03.3", answer).right
    keys = "needs the keys '0.01', '0.1', '1'"
    for answer in ({0: 0.648, 1: 0.7, 2: 0.724}, {"1": 0.724, 1: 0.648, 0.1: 0.7}, {1: 0.724}):
        assert keys in irstd.check("03.3", answer)
    assert irstd.check("03.3", pd.Series([0.648, 0.7, 0.724], index=["a", "a", 1])).right


def test_names_come_in_any_order_and_case():
    names = ANSWERS["01.2"]
    for form in (set(names), pd.Index(names[::-1]), pd.Series(names).unique(), ", ".join(names)):
        assert irstd.check("01.2", form).right
    assert irstd.check("01.2", [f" {name.lower()}" for name in names] + names[:1]).right
    assert "0 should not be there; 2 more should" in irstd.check("01.2", names[2:])
    assert "1 should not be there; 0 more should" in irstd.check("01.2", [*names, "DCG"])
    assert "1 should not be there; 8 more should" in irstd.check("01.2", "DCG")
    assert "There is no 'RBP0.8', '\\ud800'" in irstd.check("01.2", [*names, "RBP0.8", "\ud800"])
    assert "a number" in irstd.check("01.2", [*names, 3])


def test_an_answer_of_before_is_told():
    for name, answer in ANSWERS.items():
        for other in ANSWERS:
            if other != name and other[:2] == name[:2] and not irstd.check(other, answer).right:
                assert f"still holds the answer to exercise {name[:2]}." in irstd.check(
                    other, answer
                )


@pytest.mark.parametrize("nothing", [None, ...])
def test_no_answer_yet(nothing):
    for name in EXERCISES:
        verdict = irstd.check(name, nothing)
        assert verdict.startswith(f"Exercise {name}: no answer yet.")
        assert expected(name)[0]["text"] in verdict
        assert not verdict.right and "Hint" not in verdict


def test_hints_come_one_at_a_time():
    first, second = (row["text"] for row in EXERCISES["01.1"] if row["role"] == "hint")
    assert first in irstd.check("01.1", 1) and second not in irstd.check("01.1", 1)
    assert 'irstd.check("01.1", answer, hint=2)' in irstd.check("01.1", 1)
    assert second in irstd.check("01.1", 1, hint=2) and first not in irstd.check("01.1", 1, hint=2)
    assert "Hint" not in irstd.check("01.1", 1, hint=0)
    assert second in irstd.check("01.1", ..., hint=2)


@pytest.mark.parametrize("hint", [3, -1, 1.5, "1", None, np.array([1, 2]), pd.NA])
def test_there_are_two_hints(hint):
    with pytest.raises(ValueError, match="there are 1 and 2, and 0 for none"):
        irstd.check("01.1", 1, hint=hint)


@pytest.mark.parametrize("name", ["01.9", "1.1", 1.1, None, ["01.1"]])
def test_an_unknown_exercise_lists_what_there_is(name):
    with pytest.raises(ValueError, match=r"there is no exercise .* there are 01\.1, 01\.2") as said:
        irstd.check(name, 1)
    assert ('did you mean irstd.check("01.1", answer)' in str(said.value)) == (str(name) == "1.1")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("10.1,value,,0.5,,,", ":2:"),
        ("10.1,value,,,1,,", ":2:"),
        ("10.1,value,,0.5,400,,", ":2:"),
        ("10.1,value,,nan,1,,", ":2:"),
        ("10.1,value,,0.5,1,x,", ":2:"),
        ("10.1,value,,0.5,1,,\n10.1,hint,,,,,of two, parts", ":3:"),
        ("10.1,hint,,,,,Add them up.", "10.1 has no line of the role value or name"),
    ],
)
def test_a_broken_file_of_exercises_is_named_with_its_line(tmp_path, text, place):
    file = tmp_path / "own.csv"
    file.write_text(f"{','.join(COLUMNS)}\n{text}\n")
    with pytest.raises(ValueError, match=re.escape(str(file))) as said:
        irstd.check("10.1", 0.5, file=file)
    assert place in str(said.value)


@pytest.mark.parametrize(
    "content", [b"role,value\nhint,1\n", b"exercise,role\n10.1,value\n", b"\xff"]
)
def test_a_file_of_something_else_is_named(tmp_path, content):
    (tmp_path / "own.csv").write_bytes(content)
    with pytest.raises(ValueError, match=r"own\.csv"):
        irstd.check("10.1", 0.5, file=tmp_path / "own.csv")


@pytest.mark.parametrize(
    ("name", "answer", "said"),
    [
        ("01.1", 0.75, "The factor 1 - p"),
        ("02.2", {"after": 0.898, "before": 0.920}, "in another order"),
        ("02.3", [0.769, 0.280, 0.875], "Still wrong:\n- the mean of all scores by the worst 30: "),
        ("03.2", [-0.012, 0.020, 0.003], "0 of 3 numbers are right"),
        ("04.2", [0.940, 0.796, 0.989], "\n- tau of iqr with mad: That is Spearman's"),
        ("04.3", [82, -0.94], "1 of 2 numbers are right. Still wrong:\n- the number of systems"),
        ("05.3", {0.468, 0.352}, "something of the type set"),
        ("05.4", [102, 0.14], "too few digits"),
    ],
)
def test_what_is_wrong_with_several_numbers_is_told_of_each(name, answer, said):
    assert said in irstd.check(name, answer, hint=0)


@pytest.mark.parametrize("name", ["01.1", "01.2", "05.2"])
def test_what_is_huge_or_endless_is_refused_at_once(name):
    start = time.perf_counter()
    huge = [range(10**12), np.zeros(10**7), pd.Series(np.zeros(10**6)), itertools.count()]
    for answer in [*huge, "AP," * 10**6, [0.5] * 10**6, dict.fromkeys(range(10**5), 1)]:
        assert not irstd.check(name, answer)
    assert time.perf_counter() - start < 1


plain = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.complex_numbers(),
    st.text(max_size=5),
    st.binary(max_size=3),
    st.fractions(),
    st.decimals(),
    st.dates(),
    st.sampled_from([pd.NA, pd.NaT, 10**400, list, np.float64]),
    st.floats(width=32).map(np.float32),
)
lists = st.lists(plain, max_size=7)
anything = st.one_of(
    plain,
    lists,
    st.lists(st.floats(), max_size=7).map(np.array),
    st.lists(st.floats(), min_size=4, max_size=4).map(lambda x: np.reshape(x, (2, 2))),
    lists.map(lambda x: pd.Series(x, dtype=object)),
    st.dictionaries(st.text(max_size=2), plain, max_size=7),
    st.frozensets(st.text(max_size=3), max_size=4),
    st.just(pd.DataFrame({"a": [1.0]})),
    lists.map(iter),
)


@given(st.sampled_from(sorted(EXERCISES)), anything, st.sampled_from([0, 1, 2]))
def test_any_answer_gets_a_sentence_and_always_the_same(name, answer, hint):
    verdict = irstd.check(name, answer, hint=hint)
    assert verdict.startswith(f"Exercise {name}: ")
    assert verdict[-1] in ".)"
    assert verdict == irstd.check(name, answer, hint=hint)
    assert repr(verdict).split() == verdict.split()
    assert all(len(line) <= 92 for line in repr(verdict).splitlines())
