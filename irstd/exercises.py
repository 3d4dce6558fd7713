"""Exercises of the course: checks of answers, hints and solutions.

They are in ``exercises.csv`` beside this file, with one row per expected number (or name), foreseen
mistake and hint:

======== =================================================================================
exercise number of the notebook and of the exercise in it, "02.3"
role     ``value``: an expected number; ``name``: an expected name; ``choice``: names to choose
         from; ``mistake``: a wrong number or name; ``right``: comment on a right answer;
         ``hint``; ``data``: the data that numbers depend on, if not on the question alone
place    key of a value in a dict; for a mistake, the key of the value that is wrong
value    the number, rounded to ``digits``, or the name
digits   digits after the decimal point; 0 is a count, which must be exact
within   tolerance in units of the last digit, besides rounding; usually 0
text     the comment shown
======== =================================================================================

Solutions are Markdown files in ``course/solutions``, one per lesson: a heading such as ``## 02.3``,
an optional explanation, and a block of Python that uses variables of the lesson and assigns
``answer_02_3``.

``course/goals.csv`` has the goal of each exercise, the outcomes in the lecturers' kit that it
assesses, its duration in minutes, and its difficulty.
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

Rows = dict[str, list[dict[str, str]]]  # rows of an exercise by role
COLUMNS = ["exercise", "role", "place", "value", "digits", "within", "text"]
MOST = 100  # values that an answer may hold
NEAR = 2  # units of the last digit
SOLUTIONS = Path(__file__).with_name("course") / "solutions"
GOALS = Path(__file__).with_name("course") / "goals.csv"
SOLUTION = re.compile(r"^## (\S+)\n(.*?)^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


class Verdict(str):
    """Result of a check: a sentence that is true if the answer is right."""

    right = False

    def __repr__(self) -> str:
        fill = textwrap.TextWrapper(92, break_on_hyphens=False).fill
        return "\n".join(map(fill, self.splitlines()))

    def __bool__(self) -> bool:
        return self.right


class Solution(str):
    """Code of a solution; a notebook shows it with its explanation."""

    words = ""

    def __repr__(self) -> str:
        return f"{self.words}\n\n{self}".strip()

    def _repr_markdown_(self) -> str:
        return f"{self.words}\n\n```python\n{self}\n```".strip()


def check(
    exercise: str, answer: object = None, *, hint: int = 1, file: str | os.PathLike | None = None
) -> Verdict:
    """Check the answer to an exercise, and explain what is wrong with it.

    Parameters
    ----------
    exercise : str
        Number of the notebook and of the exercise in it, such as "02.3".
    answer : object
        A number, also as text; several numbers, in the order of the question in a list, array or
        Series, or by key in a dict or Series; names in any order and case, in a list, a set, or one
        string with commas (optional between letters). None and ``...`` mean no answer yet.
    hint : int, default 1
        Number of the hint shown after a wrong answer, 1 or 2; 0 shows none.
    file : path, optional
        A file of your own exercises, in the format of ``exercises.csv`` (see
        ``help(irstd.exercises)``); by default, those of the course.

    Returns
    -------
    Verdict
        A str that is true (as is its attribute ``right``) if the answer, rounded to the expected
        digits, is right. So ``assert irstd.check("02.3", answer_02_3)`` is a test.

    Raises
    ------
    ValueError
        If there is no such exercise, or `hint` is not 0, 1 or 2.

    See Also
    --------
    solution

    Examples
    --------
    >>> import irstd
    >>> irstd.check("04.2", ["A"], hint=0)
    Exercise 04.2: not yet. A: These two are equal, by a coin on each topic.
    """
    exercises = read_exercises(file)
    check_choice(exercise, exercises, "exercise")
    check_choice(str(hint), ("0", "1", "2"), "hint")
    rows = exercises[exercise]
    fault = explain_fault(answer, rows)
    if fault is None:
        comments = _collect_texts(rows, "right")
        verdict = Verdict(" ".join([f"Exercise {exercise}: right.", *comments]))
        verdict.right = True
        return verdict
    sentence = f"not yet. {fault}"
    if answer is None or answer is ...:
        sentence = f"no answer yet. {_describe_expected(rows)}."
        if hint == 1:  # the first hint is for those who have tried
            hint = 0
    hints = [f"Hint: {text}" for text in _collect_texts(rows, "hint")]
    if len(hints) > 1:
        call = f'irstd.check("{exercise}", {name_answer_variable(exercise)}, hint=2)'
        hints[0] += f" Another hint: {call}"
    return Verdict("\n".join([f"Exercise {exercise}: {sentence}", *hints[:hint][-1:]]))


def solution(exercise: str) -> Solution:
    """Return the solution of an exercise of the course.

    Parameters
    ----------
    exercise : str
        Number of the notebook and of the exercise in it, such as "02.3".

    Returns
    -------
    Solution
        The code, as a str; it is printed with its explanation. It uses variables of the lesson.

    Raises
    ------
    ValueError
        If there is no such exercise.

    See Also
    --------
    check

    Examples
    --------
    >>> import irstd
    >>> irstd.solution("01.1")  # doctest: +ELLIPSIS
    Less patience means more weight on the first three ranks, ...
    answer_01_1 = ...
    """
    solutions = read_solutions()
    check_choice(exercise, solutions, "exercise")
    return solutions[exercise]


def read_solutions(folder: Path = SOLUTIONS) -> dict[str, Solution]:
    """Read the solutions in a folder, by exercise.

    The default folder holds those of the course.
    """
    solutions = {}
    for file in sorted(folder.glob("*.md")):
        for exercise, words, code in SOLUTION.findall(file.read_text(encoding="utf-8")):
            solutions[exercise] = Solution(code.strip())
            solutions[exercise].words = words.strip()
    return solutions


def read_goals() -> dict[str, dict[str, str]]:
    """Read the goal, outcomes, minutes and difficulty of each exercise."""
    with GOALS.open(encoding="utf-8", newline="") as lines:
        return {row["exercise"]: row for row in csv.DictReader(lines)}


def name_answer_variable(exercise: str) -> str:
    """Return the variable name for the answer to an exercise: ``answer_02_3``."""
    return re.sub(r"\W", "_", f"answer_{exercise}")


def _collect_texts(rows: Rows, role: str) -> list[str]:
    return [row["text"] for row in rows.get(role, []) if row["text"]]


def read_exercises(file: str | os.PathLike | None = None) -> dict[str, Rows]:
    """Read the rows of an exercise file, by exercise and role.

    The default file holds those of the course.
    """
    file = Path(file or Path(__file__).with_name("exercises.csv"))
    exercises: dict[str, Rows] = {}
    with file.open(encoding="utf-8-sig", newline="") as lines:
        table = csv.DictReader(lines, restval="")
        try:
            for row in table:
                if [*row] != COLUMNS:
                    raise ValueError(f"expected {','.join(COLUMNS)}")
                rows = exercises.setdefault(row["exercise"], {})
                rows.setdefault(row["role"], []).append(row)
                if row["role"] == "value" or (row["role"] == "mistake" and "name" not in rows):
                    _agrees_with_row(row, 0.0)  # raises if value, digits or within is not a number
        except (ValueError, OverflowError, csv.Error) as error:
            raise ValueError(
                f"{file}:{table.line_num}: is not a row of an exercise: {error}"
            ) from error
    for name, rows in exercises.items():
        if not rows.keys() & {"value", "name"}:
            raise ValueError(f"{file}: exercise {name} has no row with the role 'value' or 'name'")
    return exercises


def _describe_expected(rows: Rows) -> str:
    """Return a sentence about the expected form of the answer."""
    asked = rows.get("value", rows.get("name", []))
    start = f"`{name_answer_variable(asked[0]['exercise'])}` should be a"
    if "name" in rows:
        return f"{start} list of names: {asked[0]['text']}".removesuffix(": ")
    numbers = ", ".join(f"{_get_label(row)} {_format_precision(row)}" for row in asked)
    if len(asked) == 1:
        return f"{start} number: {numbers}"
    return f"{start} list of {len(asked)} numbers: {numbers}"


def _format_precision(row: dict[str, str]) -> str:
    """Format the digits to which a number is compared, such as ``(3 digits)``."""
    return {"0": "(a count)", "1": "(1 digit)"}.get(row["digits"], f"({row['digits']} digits)")


def _get_label(row: dict[str, str]) -> str:
    """Return the description of an expected number."""
    return row["text"] or row["place"] or "the answer"


def explain_fault(answer: Any, rows: Rows) -> str | None:
    """Explain what is wrong with an answer; return None if it is right."""
    try:
        if isinstance(answer, np.ndarray):
            answer = answer.tolist()
        if isinstance(answer, Iterable) and len(answer) > MOST:  # type: ignore[arg-type]
            raise TypeError
        if "name" in rows:
            return _explain_wrong_names(rows, answer)
        return _explain_wrong_numbers(rows, answer)
    except Exception:  # an answer can be anything
        return f"{_describe_expected(rows)}, not {reprlib.repr(answer)}."


def _read_numbers(answer: Any, rows: Rows) -> list[float]:
    """Return the numbers of an answer, in the order asked for or by key."""
    if isinstance(answer, str):
        answer = answer.split(",")
    numbers = pd.Series(answer, dtype=object).rename(_normalize_name)
    places = [_normalize_name(row["place"]) for row in rows["value"]]
    by_key = isinstance(answer, dict) and len(places) > 1
    if by_key or set(numbers.index) == set(places):
        numbers = numbers[places]
    if any(isinstance(item, bool | np.bool) for item in numbers):
        raise TypeError
    return [float(item) for item in numbers]


def _read_names(answer: Any, choices: set[str]) -> dict[str, str]:
    """Return the names in an answer, by normalized name.

    The letters of a text are names if all choices are letters.
    """
    if isinstance(answer, dict | pd.DataFrame):
        raise TypeError
    if isinstance(answer, str):
        are_letters = max(map(len, choices), default=0) == 1
        answer = re.findall(r"\w", answer) if are_letters else answer.split(",")
    return {_normalize_name(name): name.strip() for name in answer}


def _normalize_name(name: object) -> str:
    """Normalize a name or key for comparison: "1" for 1.0, "max" for "Max", "a-b" for "B-A"."""
    if isinstance(name, Real):
        return f"{name:g}"
    return "-".join(sorted(str(name).strip().casefold().split("-")))


def _agrees_with_row(row: dict[str, str], value: float, units: float = 0) -> bool:
    """Return True if a number, rounded, agrees with a row to within some units."""
    digits = int(row["digits"])
    slack = max(units, float(row["within"] or 0))
    limit = (0.5 + slack) * (1 + 1e-9) if digits else 0.0
    return abs(value - float(row["value"])) * 10.0**digits <= limit


def _explain_wrong_numbers(rows: Rows, answer: Any) -> str | None:
    """Explain which numbers are wrong, and why; return None if all are right."""
    asked = rows["value"]
    values = _read_numbers(answer, rows)
    wrong = []
    for row, value in zip(asked, values, strict=True):
        reason = _explain_wrong_number(rows, row, value)
        if reason is not None:
            wrong.append(f"{_get_label(row)}: {reason}")
    if not wrong:
        return None
    if len(asked) == 1:
        return reason
    ascending = sorted(asked, key=lambda row: float(row["value"]))
    if all(map(_agrees_with_row, ascending, sorted(values))):
        return f"These are the numbers, in another order. {_describe_expected(rows)}."
    progress = f"{len(asked) - len(wrong)} of {len(asked)} numbers are right. Still wrong:"
    return "\n- ".join([progress, *wrong])


def _explain_wrong_number(rows: Rows, row: dict[str, str], value: float) -> str | None:
    """Explain why a number is wrong; return None if it is right."""
    if not math.isfinite(value):
        return f"It is {value}; expected is a finite number."
    if _agrees_with_row(row, value):
        return None
    for mistake in rows.get("mistake", []):
        if mistake["place"] in ("", row["place"]) and _agrees_with_row(mistake, value):
            return mistake["text"]
    if _agrees_with_row(row, -value):
        return "It has the wrong sign."
    if abs(value) * 10 ** int(row["digits"]) >= 1000 and _agrees_with_row(row, value / 100):
        return "It is 100 times too large; give a fraction, not a percentage."
    if _agrees_with_row(row, value, NEAR):
        return "It is close; check the rounding, and each choice on the way."
    text = f"It is another number {_format_precision(row)}"
    return ", on ".join([text, *_collect_texts(rows, "data")]) + "."


def _explain_wrong_names(rows: Rows, answer: Any) -> str | None:
    """Explain which names are wrong or missing; return None if all are right."""
    listing = " ".join(row["value"] for row in rows.get("choice", []))
    choices = {_normalize_name(name) for name in listing.split()}
    names = _read_names(answer, choices)
    expected = {_normalize_name(row["value"]) for row in rows["name"]}
    if names.keys() == expected:
        return None
    if not names:
        return f"It is empty; {_describe_expected(rows)}."
    unknown = [ascii(name)[:40] for key, name in names.items() if key not in choices]
    if choices and unknown:
        return f"There is no {listed(unknown)}; {_describe_expected(rows)}."
    mistakes = rows.get("mistake", [])
    for row in mistakes:  # one at a time and no counts, which would allow guessing
        if _normalize_name(row["value"]) in names:
            return f"{row['value']}: {row['text']}"
    if mistakes:
        return "These are right, but others are missing."
    missing = len(expected - names.keys())
    return f"{len(names.keys() - expected)} names should not be there; {missing} more should."
