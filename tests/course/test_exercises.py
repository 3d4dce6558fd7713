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

ROOT = Path(__file__).parents[2]
LESSONS = sorted((ROOT / "notebooks").glob("0[1-589]_*.ipynb"))
with (ROOT / "irstd" / "course" / "exercises.csv").open(encoding="utf-8") as file:
    ROWS = list(csv.DictReader(file))
EXERCISES = {name: list(rows) for name, rows in groupby(ROWS, key=lambda row: row["exercise"])}


def exercises(path):
    """Question, place for the answer, solution and check of each exercise of a notebook."""
    cells = json.loads(path.read_text())["cells"]
    at = [i for i, cell in enumerate(cells) if "check" in cell["metadata"].get("tags", [])]
    return [cells[i - 3 : i + 1] for i in at]


ANSWERS = {name: answer for path in LESSONS for name, answer in solved(path).items()}


def as_list(answer):
    if isinstance(answer, dict):
        return list(answer.values())
    return answer if isinstance(answer, list) else [answer]


def expected(name):
    return [row for row in EXERCISES[name] if row["role"] in ("value", "name")]


NUMERIC = [name for name in EXERCISES if expected(name)[0]["role"] == "value"]
SINGLE = [name for name in NUMERIC if len(expected(name)) == 1]
SEVERAL = [name for name in NUMERIC if len(expected(name)) > 1]


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_each_exercise_has_a_place_a_solution_and_a_check(path):
    source = ["".join(cell["source"]) for cell in json.loads(path.read_text())["cells"]]
    start = source.index("answer = ...")
    assert source[start - 1].startswith("## Exercises\n")
    parts = exercises(path)
    assert len(parts) == len(re.findall(r"(?m)^\*\*\d\.\*\*", "\n".join(source[start:])))
    for n, (question, place, solution, check) in enumerate(parts, start=1):
        name = f"{path.name[:2]}.{n}"
        assert "".join(question["source"]).startswith(f"**{n}.** ")
        assert "`answer`" in "".join(question["source"])
        assert place["cell_type"] == "code"
        assert place["source"] == ["answer = ..."] and not place["metadata"]
        assert solution["metadata"]["tags"] == ["solution"]
        assert solution["metadata"]["jupyter"] == {"source_hidden": True, "outputs_hidden": True}
        assert "".join(check["source"]) == f'irstd.check("{name}", answer)'
        (shown,) = check["outputs"]
        verdict = irstd.check(name, ANSWERS[name])
        assert "".join(shown["data"]["text/plain"]) == repr(verdict)
        assert verdict.startswith(f"Exercise {name}: right. ")
        assert verdict.right


def test_the_data_file_has_the_answers_of_the_solutions():
    found = (ROOT / "irstd" / "course" / "exercises.csv").read_text(encoding="utf-8")
    say = "python -m irstd.course.answers notebooks/0[1-589]*.ipynb prints the file as it should be"
    assert updated(LESSONS) == found, say
    assert list(EXERCISES) == sorted(ANSWERS)


def test_a_new_exercise_gets_its_lines(tmp_path):
    cell = {"metadata": {"tags": ["solution"]}, "outputs": []}
    for shown in ("{'z': 0.5, 'max': 0.25}", "['AP', 'RR']", "12"):
        data = {"output_type": "execute_result", "data": {"text/plain": [shown]}}
        cells = [cell | {"outputs": [data]}]
        (tmp_path / "10_more.ipynb").write_text(json.dumps({"cells": cells}))
        lines = updated([tmp_path / "10_more.ipynb"]).splitlines()[-5:]
        assert lines[-3:] == ["10.1,right,,,,,", "10.1,hint,,,,,", "10.1,hint,,,,,"]
        expected = {
            "{": ["10.1,value,z,0.5,1,,", "10.1,value,max,0.25,2,,"],
            "[": ["10.1,name,,AP,,,", "10.1,name,,RR,,,"],
            "1": ["10.1,value,,12,0,,"],
        }[shown[0]]
        assert lines[: 5 - 3][-len(expected) :] == expected


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
                    assert row["text"][1:-1] in verdict, row["text"]


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
    assert "near" in irstd.check("01.1", 0.373)
    assert "near" not in irstd.check("01.1", 0.379)
    assert "too few digits" in irstd.check("01.1", 0.38)


@pytest.mark.parametrize("name", SINGLE)
def test_the_sign_and_percent(name):
    answer = ANSWERS[name]
    assert "the wrong sign" in irstd.check(name, -answer)
    (row,) = expected(name)
    if int(row["digits"]) and abs(answer) * 10 ** int(row["digits"]) >= 10:
        assert "no percentage" in irstd.check(name, 100 * answer)


@pytest.mark.parametrize("name", NUMERIC)
def test_what_counts_as_a_number(name):
    answer = as_list(ANSWERS[name])
    for form in (
        tuple(answer),
        np.array(answer),
        pd.Series(answer, index=[f"label {i}" for i in range(len(answer))]),
        np.array(answer).reshape(-1, 1),
        pd.array(answer, dtype="Float64"),
        pd.Series(answer).array,
        dict(enumerate(answer)).values(),
        dict(enumerate(answer)),
        dict(zip([row["place"] for row in expected(name)], answer, strict=True)),
        dict(list(zip([row["place"] for row in expected(name)], answer, strict=True))[::-1]),
        [np.float64(value) for value in answer],
    ):
        assert irstd.check(name, form).right
    for value, word in [
        (True, "True or False"),
        ("0.5", "a text"),
        (1j, "a complex"),
        (object, "a type"),
    ]:
        verdict = irstd.check(name, [value, *answer[1:]])
        assert not verdict.right
        assert word in verdict
    for value in (math.nan, math.inf, np.nan):
        verdict = irstd.check(name, [value, *answer[1:]])
        assert not verdict.right
        assert f"is {value}" in verdict
    assert f"It has {len(answer) + 2} numbers." in irstd.check(name, [*answer, 0.123, 4.56])


def test_one_number_needs_no_list():
    assert irstd.check("01.1", 0.375).right
    assert irstd.check("01.1", np.float32(0.375)).right
    assert irstd.check("01.1", np.array(0.375)).right
    assert irstd.check("01.1", {0.375}).right


def test_names_come_in_any_order_and_case():
    names = ANSWERS["01.2"]
    assert irstd.check("01.2", set(names)).right
    assert irstd.check("01.2", pd.Index(names[::-1])).right
    assert irstd.check("01.2", [f" {name.lower()}" for name in names] + names[:1]).right
    assert "0 should not be there; 2 more should" in irstd.check("01.2", names[2:])
    assert "1 should not be there; 0 more should" in irstd.check("01.2", [*names, "DCG"])
    assert "1 should not be there; 8 more should" in irstd.check("01.2", "DCG")
    assert irstd.check("01.2", ", ".join(names))
    for form in (pd.Series(names).unique(), pd.Series(names).array, dict.fromkeys(names, 0.1)):
        assert irstd.check("01.2", form)
    assert "There is no 'RBP0.8', '\\ud800'" in irstd.check("01.2", [*names, "RBP0.8", "\ud800"])
    assert "a number" in irstd.check("01.2", [*names, 3])


def test_an_answer_of_before_is_told():
    for name, answer in ANSWERS.items():
        for other in ANSWERS:
            if other != name and other[:2] == name[:2] and not irstd.check(other, answer).right:
                assert f"still holds the answer to exercise {name[:2]}." in irstd.check(
                    other, answer
                )


@pytest.mark.parametrize("nothing", [None, ..., [...], (..., ...)])
def test_no_answer_yet(nothing):
    for name in EXERCISES:
        verdict = irstd.check(name, nothing)
        assert verdict.startswith(f"Exercise {name}: no answer yet.")
        assert expected(name)[0]["text"] in verdict
        assert not verdict.right


def test_hints_come_one_at_a_time():
    first, second = (row["text"] for row in EXERCISES["01.1"] if row["role"] == "hint")
    assert first in irstd.check("01.1", 1) and second not in irstd.check("01.1", 1)
    assert 'irstd.check("01.1", answer, hint=2)' in irstd.check("01.1", 1)
    assert second in irstd.check("01.1", 1, hint=2) and first not in irstd.check("01.1", 1, hint=2)
    assert "Hint" not in irstd.check("01.1", 1, hint=0)
    assert irstd.check("01.1", 1, hint=1.0) == irstd.check("01.1", 1)
    assert second in irstd.check("01.1", ..., hint=2)
    assert second in irstd.check("01.1", "0.3", hint=2)
    with pytest.raises(ValueError, match="hint is 3; there are 1 and 2, and 0 for none"):
        irstd.check("01.1", 1, hint=3)


@pytest.mark.parametrize("name", ["01.9", "1.1", 1.1, None, ["01.1"]])
def test_an_unknown_exercise_lists_what_there_is(name):
    with pytest.raises(ValueError, match=r"there is no exercise .* there are 01\.1, 01\.2"):
        irstd.check(name, 1)
    if name == "1.1" or name == 1.1:
        with pytest.raises(ValueError, match=r'did you mean irstd.check\("01\.1", answer\)'):
            irstd.check(name, 1)


M = {"normal": 0.468, "z": 0.506, "uniform": 0.502, "ecdf": 0.466, "centre": 0.503, "max": 0.884}
LEVENE = {"paired Levene": 0.06, "F": 0.261, "Pitman-Morgan": 0.261}
NAMES = ["AP", "SP", "VDCG", "nVDCG", "RR", "RBP.8", "RBP.95", "RP"]
RIGHT = ": right."
TABLE = [  # each exercise: right; right in another form; wrong, and what is said
    ("01.1", 0.375, RIGHT),
    ("01.1", np.float32(0.375), RIGHT),
    ("01.1", 0.75, "The factor 1 - p"),
    ("01.2", NAMES, RIGHT),
    ("01.2", pd.Index(NAMES).values, RIGHT),
    ("01.2", "AP, SP, VDCG, nVDCG, RR, RBP0.8, RBP.95, RP", "There is no 'RBP0.8'"),
    ("01.3", 0.548, RIGHT),
    ("01.3", [0.5476], RIGHT),
    ("01.3", 0.535, "the share by AP"),
    ("01.4", 1.44, RIGHT),
    ("01.4", {"factor": 1.4419}, RIGHT),
    ("01.4", 1.25, "It is another number"),
    ("02.1", 0.079, RIGHT),
    ("02.1", 0.0791, RIGHT),
    ("02.1", 0.325, "It is another number"),
    ("02.2", [0.898, 0.920], RIGHT),
    ("02.2", {"after": 0.920, "before": 0.897}, RIGHT),
    ("02.2", {"after": 0.898, "before": 0.920}, "in another order"),
    ("02.3", [0.763, 0.263, 0.801], RIGHT),
    ("02.3", pd.Series([0.7631, 0.2629, 0.8011], ["worst 30", "best 30", "tau"]), RIGHT),
    ("02.3", [0.769, 0.280, 0.875], "Still wrong: the mean of all scores by the worst 30"),
    ("02.4", 0.0112, RIGHT),
    ("02.4", np.array(0.01121), RIGHT),
    ("02.4", 0.01, "too few digits"),
    ("03.1", [0.79, 3.75], RIGHT),
    ("03.1", {"geometric": 3.75, "arithmetic": 0.79}, RIGHT),
    ("03.1", [0.80, 3.75], "the .01 of topic A counts, too"),
    ("03.2", [-0.047, -0.037, -0.025], RIGHT),
    ("03.2", pd.Series({"cent-ccent": -0.047, "random": -0.025, "hard-easy": -0.037}), RIGHT),
    ("03.2", [-0.012, 0.020, 0.003], "0 of 3 numbers are right"),
    ("03.3", [0.648, 0.700, 0.724], RIGHT),
    ("03.3", {1: 0.724, 0.1: 0.700, 0.01: 0.648}, RIGHT),
    ("03.3", [0.733] * 3, "that is MAP, which has no epsilon"),
    ("03.4", 1, RIGHT),
    ("03.4", np.int64(1), RIGHT),
    ("03.4", 15, "in how many it is farther"),
    ("04.1", [0.0162, -0.2269], RIGHT),
    ("04.1", {5: -0.2269, 0: 0.0162}, RIGHT),
    ("04.1", {5: 0.0162, 0: -0.2269}, "in another order"),
    ("04.2", [0.791, 0.796, 0.921], RIGHT),
    ("04.2", pd.array([0.791, 0.796, 0.921], dtype="Float64"), RIGHT),
    ("04.2", [0.940, 0.796, 0.989], "tau of sd with iqr, tau of iqr with mad (that is Spearman's"),
    ("04.3", [103, -0.94], RIGHT),
    ("04.3", (np.int64(103), -0.9424), RIGHT),
    ("04.3", [82, -0.94], "1 of 2 numbers are right. Still wrong: the number of systems"),
    ("04.4", list(LEVENE.values()), RIGHT),
    ("04.4", LEVENE.values(), RIGHT),
    ("04.4", dict(zip(LEVENE, [0.261, 0.060, 0.261], strict=True)), "in another order"),
    ("05.1", 1.016, RIGHT),
    ("05.1", np.array([1.0162]), RIGHT),
    ("05.1", 101.6, "100 times too large"),
    ("05.2", M, RIGHT),
    ("05.2", pd.Series(M).sort_values(), RIGHT),
    ("05.2", dict(zip(list(M)[::-1], M.values(), strict=True)), "in another order"),
    ("05.3", [0.468, 0.352], RIGHT),
    ("05.3", np.array([[0.468], [0.352]]), RIGHT),
    ("05.3", {0.468, 0.352}, "It is a set, which has no order"),
    ("05.4", [102, 0.1353], RIGHT),
    ("05.4", pd.Series([102, 0.1353]), RIGHT),
    ("05.4", [102, 0.14], "too few digits"),
    ("08.1", 0.364, RIGHT),
    ("08.1", pd.Series([0.3641]), RIGHT),
    ("08.1", 2.832, "of raw scores"),
    ("08.2", 0.080, RIGHT),
    ("08.2", np.float64(0.0801), RIGHT),
    ("08.2", 0.055, "turn it round"),
    ("08.3", {"best": 0.901, "together": 0.927}, RIGHT),
    ("08.3", [0.901, 0.927], RIGHT),
    ("08.3", [0.911, 0.927], "Still wrong: tau of the best of the four"),
    ("08.4", 35, RIGHT),
    ("08.4", [np.int64(35)], RIGHT),
    ("08.4", 30, "a little worse still"),
    ("09.1", {"raw": 0.814, "z": 0.067}, RIGHT),
    ("09.1", pd.Series({"z": 1 / 15, "raw": 0.8144}), RIGHT),
    ("09.1", [0.042, 0.067], "before the data set was entered in percent"),
    ("09.2", {"additive": 24, "zero": 65}, RIGHT),
    ("09.2", np.array([24, 65]), RIGHT),
    ("09.2", [22, 65], "the mean of what is there"),
    ("09.3", 10.0, RIGHT),
    ("09.3", np.int64(10), RIGHT),
    ("09.3", 9.0, "a span counts both ends"),
]


def test_answers_get_the_sentence_that_they_should():
    assert [name for name, *_ in TABLE] == sorted([*EXERCISES] * 3)
    for name, answer, sentence in TABLE:
        verdict = irstd.check(name, answer, hint=0)
        assert sentence in verdict, f"{answer}: {verdict}"
        assert bool(verdict) == verdict.right == (sentence == RIGHT)


@pytest.mark.parametrize("name", ["01.1", "01.2", "05.2"])
def test_what_is_huge_or_endless_is_refused_at_once(name):
    start = time.perf_counter()
    huge = [range(10**12), np.zeros(10**7), pd.Series(np.zeros(10**6)), itertools.count()]
    for answer in [*huge, "AP," * 10**6]:
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
    st.just(pd.NA),
    st.just(pd.NaT),
    st.just(10**400),
    st.just(list),
    st.floats(width=32).map(np.float32),
)
anything = st.one_of(
    plain,
    st.lists(plain, max_size=7),
    st.lists(st.floats(), max_size=7).map(np.array),
    st.lists(st.floats(), min_size=4, max_size=4).map(lambda x: np.reshape(x, (2, 2))),
    st.lists(plain, max_size=7).map(lambda x: pd.Series(x, dtype=object)),
    st.dictionaries(st.text(max_size=2), plain, max_size=7),
    st.frozensets(st.text(max_size=3), max_size=4),
    st.just(pd.DataFrame({"a": [1.0]})),
    st.just(iter([1])),
)


@given(st.sampled_from(sorted(EXERCISES)), anything, st.sampled_from([0, 1, 2]))
def test_any_answer_gets_a_sentence_and_always_the_same(name, answer, hint):
    verdict = irstd.check(name, answer, hint=hint)
    assert verdict.startswith(f"Exercise {name}: ")
    assert verdict[-1] in ".)"
    assert verdict == irstd.check(name, answer, hint=hint)
    assert repr(verdict).split() == verdict.split()
    assert all(len(line) <= 92 for line in repr(verdict).splitlines())
