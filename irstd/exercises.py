"""Exercises of the course: whether an answer is right, if not in which way, and our solution.

What is known of an exercise is in ``exercises.csv`` beside this file, one line per number (or name)
that is asked for, per foreseen mistake, per hint:

======== =================================================================================
exercise number of the notebook and of the exercise in it, "02.3"
role     ``value``: a number that is asked for; ``name``: a name; ``choice``: names one can
         choose from; ``mistake``: a wrong number or name; ``right``: of a right answer; ``hint``;
         ``data``: what other numbers come from than ours, where not from the question alone
place    of a value, its key in a dict; of a mistake, that of the value it is taken for
value    the number, rounded to ``digits``; the name
digits   that are asked for; 0 is a count, which has to be exact
within   units of the last digit by which an answer may be wrong, besides rounding; mostly 0
text     what is said
======== =================================================================================

Solutions are in Markdown, one file a lesson, in ``course/solutions``: ``## 02.3``, words if need
be, and a block of Python that uses what the lesson has made and ends by assigning ``answer_02_3``.

What each exercise is for is in ``course/goals.csv``: its goal, the outcomes of the lecturers' kit
that it asks for, the minutes that it takes, and how hard it is, 1 to 3.
"""

from __future__ import annotations

import csv
import math
import os
import re
import reprlib
import textwrap
from collections.abc import Iterable
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from irstd._base.arguments import check_choice
from irstd._base.messages import listed

Rows = dict[str, list[dict[str, str]]]  # of an exercise, by role
COLUMNS = ["exercise", "role", "place", "value", "digits", "within", "text"]
MOST = 100  # values that an answer may hold; more are not looked at
NEAR = 2  # units of the last digit
SOLUTIONS = Path(__file__).with_name("course") / "solutions"
GOALS = Path(__file__).with_name("course") / "goals.csv"
DIFFICULTIES = {"1": "by hand", "2": "as in the lesson", "3": "needs a thought of one's own"}
SOLUTION = re.compile(r"^## (\S+)\n(.*?)^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
NUMERALS = ("no", "one", "two", "three", "four", "five", "six")


class Verdict(str):
    """A sentence that a notebook shows without quotes, in short lines; false unless `right`."""

    right = False

    def __repr__(self) -> str:
        fill = textwrap.TextWrapper(92, break_on_hyphens=False).fill
        return "\n".join(map(fill, self.splitlines()))

    def __bool__(self) -> bool:
        return self.right


class Solution(str):
    """The code of a solution, which a notebook shows with what is said of it."""

    words = ""

    def __repr__(self) -> str:
        return f"{self.words}\n\n{self}".strip()

    def _repr_markdown_(self) -> str:
        return f"{self.words}\n\n```python\n{self}\n```".strip()


def check(
    exercise: str, answer: object = None, *, hint: int = 1, file: str | os.PathLike | None = None
) -> Verdict:
    """Say whether the answer to an exercise of the course is right, and if not, what is not.

    Parameters
    ----------
    exercise : str
        Number of the notebook and of the exercise in it, such as "02.3".
    answer : object
        A number, of any kind, or as text; several in the order asked for, in a list, array or
        Series, or by key in a dict or Series; names in any order and case, in a list, a set, or one
        text with commas, and letters without them. None and ``...`` are no answer yet.
    hint : int, default 1
        Which hint a wrong answer gets: 1 or 2; with 0, none.
    file : path, optional
        Exercises of your own, in lines as of ``exercises.csv``; by default those of the course.

    Returns
    -------
    Verdict
        A str. It is true (and its attribute `right` is) if the answer is right when rounded to the
        digits asked for, so that ``assert irstd.check("02.3", answer_02_3)`` is a test.

    See Also
    --------
    solution

    Examples
    --------
    >>> import irstd
    >>> irstd.check("04.2", ["A"], hint=0)
    Exercise 04.2: not yet. A: These two are equal, by a coin on each topic.
    """
    known = exercises(file)
    check_choice(exercise, known, "exercise")
    check_choice(str(hint), ("0", "1", "2"), "hint")
    rows = known[exercise]
    if answer is None or answer is ...:
        sentence = f"no answer yet. {_should_be(rows)}."
        if answer is None:
            sentence += f' Give it to the check: irstd.check("{exercise}", {variable(exercise)})'
        if hint == 1:  # which is for those who have tried
            hint = 0
    else:
        fault = fault_of(answer, rows)
        if fault is None:
            verdict = Verdict(" ".join([f"Exercise {exercise}: right.", *_texts(rows, "right")]))
            verdict.right = True
            return verdict
        for other in known:
            of_lesson = other.partition(".")[0] == exercise.partition(".")[0]
            if of_lesson and fault_of(answer, known[other]) is None:
                fault = f"That is the answer to exercise {other}. {_should_be(rows)}."
        sentence = f"not yet. {fault}"
    hints = [f"Hint: {text}" for text in _texts(rows, "hint")]
    if len(hints) > 1:
        call = f'irstd.check("{exercise}", {variable(exercise)}, hint=2)'
        hints[0] += f" Another hint: {call}"
    return Verdict("\n".join([f"Exercise {exercise}: {sentence}", *hints[:hint][-1:]]))


def solution(exercise: str) -> Solution:
    """Show our solution of an exercise of the course.

    Parameters
    ----------
    exercise : str
        Number of the notebook and of the exercise in it, such as "02.3".

    Returns
    -------
    Solution
        A str, the code. It uses what the lesson has made.

    See Also
    --------
    check

    Examples
    --------
    >>> import irstd
    >>> code = irstd.solution("01.4")
    >>> code.startswith("answer_01_4 = ")
    True
    """
    known = solutions()
    check_choice(exercise, known, "exercise")
    return known[exercise]


def solutions(folder: Path = SOLUTIONS) -> dict[str, Solution]:
    """Solutions of the files in a folder, by exercise; by default, those of the course."""
    found = {}
    for file in sorted(folder.glob("*.md")):
        for exercise, words, code in SOLUTION.findall(file.read_text(encoding="utf-8")):
            found[exercise] = Solution(code.strip())
            found[exercise].words = words.strip()
    return found


def goals() -> dict[str, dict[str, str]]:
    """What each exercise of the course is for: goal, outcomes, minutes, difficulty."""
    with GOALS.open(encoding="utf-8", newline="") as lines:
        return {row["exercise"]: row for row in csv.DictReader(lines)}


def variable(exercise: str) -> str:
    """The name that holds the answer to an exercise: ``answer_02_3``."""
    return re.sub(r"\W", "_", f"answer_{exercise}")


def _texts(rows: Rows, role: str) -> list[str]:
    return [row["text"] for row in rows.get(role, []) if row["text"]]


def exercises(file: str | os.PathLike | None = None) -> dict[str, Rows]:
    """Rows of a file of exercises, by exercise and role; by default, of those of the course."""
    if file is None:
        file = Path(__file__).with_name("exercises.csv")
    file = Path(file)
    by_exercise: dict[str, Rows] = {}
    with file.open(encoding="utf-8-sig", newline="") as lines:
        table = csv.DictReader(lines, restval="")
        try:
            for row in table:
                rows = by_exercise.setdefault(row["exercise"], {})
                rows.setdefault(row["role"], []).append(row)
                if row.keys() != set(COLUMNS):
                    raise ValueError(f"expected {','.join(COLUMNS)}")
                if row["role"] == "value" or (row["role"] == "mistake" and "name" not in rows):
                    _matches(row, 0.0)  # which are numbers
        except (ValueError, KeyError, OverflowError, csv.Error) as error:
            raise ValueError(f"{file}:{table.line_num}: is no exercise: {error}") from error
    for name, rows in by_exercise.items():
        if "value" not in rows and "name" not in rows:
            raise ValueError(f"{file}: exercise {name} has no line of the role value or name")
    return by_exercise


def _should_be(rows: Rows) -> str:
    """What an answer should be, for a message."""
    asked = rows.get("value", rows.get("name", []))
    start = f"`{variable(asked[0]['exercise'])}` should be a"
    if "name" in rows:
        return f"{start} list of names: {asked[0]['text']}".removesuffix(": ")
    numbers = [f"{_called(row)} {_precision(row['digits'])}".lstrip() for row in asked]
    if len(numbers) > 1:
        return f"{start} list of {len(numbers)} numbers: {', '.join(numbers)}"
    return f"{start} number: {numbers[0]}".replace(": (", " (")


def _precision(digits: str) -> str:
    return {"0": "(a count)", "1": "(1 digit)"}.get(digits, f"({digits} digits)")


def _called(row: dict[str, str]) -> str:
    return row["text"] or row["place"]


def fault_of(answer: Any, rows: Rows) -> str | None:
    """What is wrong with an answer, in its form or its values; None if it is right."""
    try:
        if "name" in rows:
            return _wrong_names(rows, _read_answer(answer, rows))
        return _wrong_numbers(rows, _read_answer(answer, rows))
    except Exception:  # what cannot be compared is of many kinds
        return f"{_should_be(rows)}, not {reprlib.repr(answer)}."


def _read_answer(answer: Any, rows: Rows) -> Any:
    """The numbers that an answer holds, in the order asked for; or its names, by their form."""
    if isinstance(answer, np.ndarray):
        answer = answer.tolist()
    if isinstance(answer, Iterable) and len(answer) > MOST:  # type: ignore[arg-type]
        raise TypeError
    if "name" in rows:
        return _names(answer, _choices(rows))
    return _numbers(answer, [_key(row["place"]) for row in rows["value"]])


def _numbers(answer: Any, places: list[str]) -> list[float]:
    """The numbers that an answer holds, in the order asked for."""
    if isinstance(answer, str) and len(places) > 1:
        answer = answer.split(",")
    numbers = pd.Series(answer, dtype=object)
    keys = [_key(key) for key in numbers.index]
    by_key = isinstance(answer, dict) and len(places) > 1
    if by_key or sorted(keys) == sorted(places):
        numbers = numbers.set_axis(keys)[places]
    if len(numbers) != len(places) or any(isinstance(item, bool | np.bool) for item in numbers):
        raise TypeError
    return [float(item) for item in numbers]


def _choices(rows: Rows) -> set[str]:
    """The names one can choose from, as they are compared; empty if they are not listed."""
    return {_key(name) for row in rows.get("choice", []) for name in row["value"].split()}


def _names(answer: Any, choices: set[str]) -> dict[str, str]:
    """The names in an answer, by their form to compare; letters of a text if choices are such."""
    if isinstance(answer, str):
        are_letters = max(map(len, choices), default=0) == 1
        answer = re.findall(r"\w", answer) if are_letters else answer.split(",")
    elif isinstance(answer, set):
        answer = list(answer)
    names = {}
    for name in pd.Series(answer, dtype=object):
        if not isinstance(name, str):
            raise TypeError
        turned = "-".join(reversed(_key(name).split("-")))  # R3-T7 is T7-R3
        names[turned if turned in choices else _key(name)] = name.strip()
    return names


def _key(key: object) -> str:
    """A key, as it is compared: 1.0 is the key "1", and "Max" is "max"."""
    if isinstance(key, Real):
        return f"{key:g}"
    return str(key).strip().casefold()


def _matches(row: dict[str, str], value: float, units: float = 0) -> bool:
    """Whether a number is that of the row, rounded, or within some units of its last digit."""
    slack = max(units, float(row["within"] or 0))
    limit = 0.0
    if row["digits"] != "0":
        limit = (0.5 + slack) * (1 + 1e-9)
    units_off = abs(value - float(row["value"])) * 10.0 ** int(row["digits"])
    return units_off <= limit


def _wrong_numbers(rows: Rows, values: list[float]) -> str | None:
    asked = rows["value"]
    reasons = [_reason(rows, row, value) for row, value in zip(asked, values, strict=True)]
    if len(asked) == 1:
        return reasons[0]
    wrong = [f"{_called(row)}: {why}" for row, why in zip(asked, reasons, strict=True) if why]
    if not wrong:
        return None
    ascending = sorted(asked, key=lambda row: float(row["value"]))
    if all(map(_matches, ascending, sorted(values))):
        return f"These are the numbers, in another order. {_should_be(rows)}."
    done = f"{len(asked) - len(wrong)} of {len(asked)} numbers are right. Still wrong:"
    return "\n- ".join([done, *wrong])


def _reason(rows: Rows, row: dict[str, str], value: float) -> str | None:
    """In which way a number is wrong, where that can be known; None if it is right."""
    digits = int(row["digits"])
    if not math.isfinite(value):
        return f"It is {value}; asked for is a finite number."
    if _matches(row, value):
        return None
    for mistake in rows.get("mistake", []):
        if mistake["place"] in ("", row["place"]) and _matches(mistake, value):
            return mistake["text"]
    if _matches(row, -value):
        return "It has the wrong sign."
    if abs(value) * 10**digits >= 1000 and _matches(row, value / 100):
        return "It is 100 times too large; asked for is no percentage."
    if digits and _matches(row, value, NEAR):
        return "It is near; check the rounding, and each choice on the way."
    if any(value == round(float(row["value"]), fewer) != 0 for fewer in range(digits)):
        return f"To {NUMERALS[digits]} digits it is another number."
    return ", on ".join(["It is another number", *_texts(rows, "data")]) + "."


def _wrong_names(rows: Rows, names: dict[str, str]) -> str | None:
    expected = {_key(row["value"]) for row in rows["name"]}
    if names.keys() == expected:
        return None
    if not names:
        return f"It is empty; {_should_be(rows)}."
    choices = _choices(rows)
    unknown = sorted(names.keys() - choices)
    if choices and unknown:
        shown = listed(ascii(names[name])[:40] for name in unknown)
        return f"There is no {shown}; {_should_be(rows)}."
    mistakes = rows.get("mistake", [])
    for row in mistakes:  # one at a time, and no counts: they would let one solve it blind
        if _key(row["value"]) in names:
            return f"{row['value']}: {row['text']}"
    if mistakes:
        return "These are right, but others are missing."
    wrong = len(names.keys() - expected)
    missing = len(expected - names.keys())
    return f"Of these names, {wrong} should not be there; {missing} more should."
