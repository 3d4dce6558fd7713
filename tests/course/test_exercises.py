"""Exercises of the course that check themselves.

The expected answers are those that the solutions in the notebooks print, which nbval holds against
what they compute. If a solution changes, a test here says which rows
`irstd/course/exercises.csv` needs.
"""

import ast
import csv
import json
import math
import re
from itertools import groupby
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import irstd
from irstd.course.exercises import fingerprint

ROOT = Path(__file__).parents[2]
LESSONS = sorted((ROOT / "notebooks").glob("0[1-5]_*.ipynb"))
with (ROOT / "irstd" / "course" / "exercises.csv").open(encoding="utf-8") as file:
    ROWS = list(csv.DictReader(file))
EXERCISES = {name: list(rows) for name, rows in groupby(ROWS, key=lambda row: row["exercise"])}


def exercises(path):
    """Question, place for the answer, solution and check of each exercise of a notebook."""
    cells = json.loads(path.read_text())["cells"]
    at = [i for i, cell in enumerate(cells) if "check" in cell["metadata"].get("tags", [])]
    return [cells[i - 3 : i + 1] for i in at]


def answers():
    """What the solutions print, by exercise."""
    found = {}
    for path in LESSONS:
        for n, (_, _, solution, _) in enumerate(exercises(path), start=1):
            results = [o for o in solution["outputs"] if o["output_type"] == "execute_result"]
            found[f"{path.name[:2]}.{n}"] = ast.literal_eval(
                "".join(results[-1]["data"]["text/plain"])
            )
    return found


ANSWERS = answers()


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
        assert not place["source"] and not place["metadata"]
        assert solution["metadata"]["tags"] == ["solution"]
        assert solution["metadata"]["jupyter"] == {"source_hidden": True, "outputs_hidden": True}
        assert "".join(check["source"]) == f'irstd.check("{name}", answer)'
        (shown,) = check["outputs"]
        verdict = irstd.check(name, ANSWERS[name])
        assert "".join(shown["data"]["text/plain"]) == repr(verdict)
        assert verdict.startswith(f"Exercise {name}: right. ")
        assert verdict.right


def test_the_data_file_has_the_answers_of_the_solutions():
    assert list(EXERCISES) == sorted(ANSWERS)
    for name, answer in ANSWERS.items():
        rows = expected(name)
        lines = []
        for row, value in zip(rows, as_list(answer), strict=True):
            mark = fingerprint(name, value, int(row["digits"] or 0))
            lines.append(f"{name},{row['role']},{row['digits']},{mark}")
        found = [",".join(list(row.values())[:4]) for row in rows]
        assert found == lines, f"put these into irstd/course/exercises.csv: {lines}"


@pytest.mark.parametrize("name", EXERCISES)
def test_the_rows_of_an_exercise(name):
    roles = [role for role, _ in groupby(row["role"] for row in EXERCISES[name])]
    assert [role for role in roles if role != "mistake"] in (
        ["value", "right", "hint"],
        ["name", "right", "hint"],
    )
    assert sum(row["role"] == "hint" for row in EXERCISES[name]) == 2
    for row in EXERCISES[name]:
        if row["role"] in ("mistake", "right", "hint"):
            assert row["text"].strip() == row["text"]
            assert row["text"].endswith(".")
        assert "answer" not in row["text"]  # that is the name of the learner's variable


def number_of(row):
    """The number of a row, found by trying: the hashes are a courtesy, not a lock."""
    digits = int(row["digits"])
    return next(
        units / 10**digits
        for units in range(-10_000, 10_000)
        if fingerprint(row["exercise"], units / 10**digits, digits) == row["sha256"]
    )


@pytest.mark.parametrize("name", NUMERIC)
def test_foreseen_mistakes_are_told(name):
    answer = [float(value) for value in as_list(ANSWERS[name])]
    for row in EXERCISES[name]:
        if row["role"] == "mistake":
            mistaken = number_of(row)
            verdicts = [
                irstd.check(name, [*answer[:i], mistaken, *answer[i + 1 :]], hint=0)
                for i in range(len(answer))
            ]
            assert not all(verdict.right for verdict in verdicts)
            assert any(row["text"][1:-1] in verdict for verdict in verdicts), row["text"]


@pytest.mark.parametrize("name", NUMERIC)
def test_a_number_is_right_within_a_unit_of_its_last_digit(name):
    for place, row in enumerate(expected(name)):
        answer = [float(value) for value in as_list(ANSWERS[name])]
        middle, digits = answer[place], int(row["digits"])
        for units in (-1, 1):
            answer[place] = middle + units * 10.0**-digits
            assert irstd.check(name, answer).right == (digits > 0)
        for units in (-2, 2, 300):
            answer[place] = middle + units * 10.0**-digits
            assert not irstd.check(name, answer).right
    assert "close" in irstd.check("01.1", 0.380)
    assert "close" not in irstd.check("01.1", 0.401)


@pytest.mark.parametrize("name", SINGLE)
def test_the_sign_and_percent(name):
    answer = ANSWERS[name]
    assert "the wrong sign" in irstd.check(name, -answer)
    (row,) = expected(name)
    if int(row["digits"]) and abs(answer) * 10 ** int(row["digits"]) >= 10:
        assert "in percent" in irstd.check(name, 100 * answer)


@pytest.mark.parametrize("name", NUMERIC)
def test_what_counts_as_a_number(name):
    answer = as_list(ANSWERS[name])
    for form in (
        tuple(answer),
        np.array(answer),
        pd.Series(answer, index=[f"label {i}" for i in range(len(answer))]),
        dict(enumerate(answer)),
        [np.float64(value) for value in answer],
    ):
        assert irstd.check(name, form).right
    for value, word in [(True, "True or False"), ("0.5", "a text"), (1j, "complex")]:
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
        assert not verdict.right


def test_hints_come_one_at_a_time():
    first, second = (row["text"] for row in EXERCISES["01.1"] if row["role"] == "hint")
    assert first in irstd.check("01.1", 1) and second not in irstd.check("01.1", 1)
    assert 'irstd.check("01.1", answer, hint=2)' in irstd.check("01.1", 1)
    assert second in irstd.check("01.1", 1, hint=2) and first not in irstd.check("01.1", 1, hint=2)
    assert "Hint" not in irstd.check("01.1", 1, hint=0)
    with pytest.raises(ValueError, match="hint is 3; there are 1 and 2, and 0 for none"):
        irstd.check("01.1", 1, hint=3)


@pytest.mark.parametrize("name", ["01.9", "1.1", 1.1, None, ["01.1"]])
def test_an_unknown_exercise_lists_what_there_is(name):
    with pytest.raises(ValueError, match=r"there is no exercise .* there are 01\.1, 01\.2"):
        irstd.check(name, 1)


def test_no_answer_can_be_read_in_the_data_file():
    for row in ROWS:
        assert bool(row["sha256"]) == (row["role"] in ("value", "name", "mistake"))
        if row["sha256"]:
            assert re.fullmatch("[0-9a-f]{64}", row["sha256"])
    for name in NUMERIC:
        for value in as_list(ANSWERS[name]):
            digits = re.sub(r"^-?0?", "", str(value))
            if len(digits) > 2:
                shown = " ".join(row["text"] for row in EXERCISES[name])
                assert not re.search(rf"(?<!\d){re.escape(digits)}(?!\d)", shown)


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
