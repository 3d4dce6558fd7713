"""Exercises of the course: whether an answer is right, and if it is not, in which way.

What is known of an exercise is in ``exercises.csv`` beside this file, one line per number (or name)
that is asked for, per foreseen mistake, per hint:

======== =================================================================================
exercise number of the notebook and of the exercise in it, "02.3"
role     ``value``: a number that is asked for; ``name``: a name; ``choice``: names one can
         choose from; ``mistake``: a wrong number or name; ``right``: of a right answer; ``hint``
place    of a value, its key in a dict; of a mistake, that of the value it is taken for
value    the number, rounded to ``digits``; the name; empty: it is withheld, and not checked
digits   that are asked for; 0 is a count, which has to be exact
within   units of the last digit by which an answer may be wrong, besides rounding; mostly 0
text     what is said
======== =================================================================================
"""

from __future__ import annotations

import csv
import math
import os
import reprlib
import textwrap
from collections.abc import Iterable
from numbers import Real
from pathlib import Path
from typing import Any

import pandas as pd

from irstd._base.arguments import check_choice
from irstd._base.messages import listed

Rows = dict[str, list[dict[str, str]]]  # of an exercise, by role
COLUMNS = ["exercise", "role", "place", "value", "digits", "within", "text"]
MOST = 100  # values that an answer may hold; more are not looked at
NEAR = 2  # units of the last digit


class Verdict(str):
    """A sentence that a notebook shows without quotes, in short lines; false unless `right`."""

    right = False

    def __repr__(self) -> str:
        fill = textwrap.TextWrapper(92, break_on_hyphens=False).fill
        return "\n".join(map(fill, self.splitlines()))

    def __bool__(self) -> bool:
        return self.right


def check(
    exercise: str, answer: object = ..., *, hint: int = 1, file: str | os.PathLike | None = None
) -> Verdict:
    """Say whether the answer to an exercise of the course is right, and if not, what is not.

    Parameters
    ----------
    exercise : str
        Number of the notebook and of the exercise in it, such as "02.3".
    answer : object
        A number; several in the order asked for, in a list, array or Series, or by key in a dict or
        Series; names in any order and case, in a list, a set, or one text with commas. None and
        ``...`` are no answer yet.
    hint : int, default 1
        Which hint a wrong answer gets: 1 or 2; with 0, none.
    file : path, optional
        Exercises of your own, as ``irstd exercises`` writes them; by default those of the course.

    Returns
    -------
    Verdict
        A str. It is true (and its attribute `right` is) if the answer is right when rounded to the
        digits asked for, so that ``assert irstd.check("02.3", answer)`` is a test.

    Examples
    --------
    >>> import irstd
    >>> irstd.check("01.1", 0.75, hint=0)
    Exercise 01.1: not yet. The factor 1 - p in front of the sum is missing.
    """
    known = exercises(file)
    check_choice(exercise, known, "exercise")
    check_choice(str(hint), ("0", "1", "2"), "hint")
    rows = known[exercise]
    if answer is None or answer is ...:
        sentence = f"Exercise {exercise}: no answer yet. `answer` should be {_asked(rows)}."
        number = 2 if hint == 2 else 0  # the first hint is for those who have tried
        return Verdict("\n".join([sentence, *_hint(rows, exercise, number)]))
    fault = fault_of(answer, rows)
    if fault is None:
        return _right(exercise, rows)
    lesson = exercise.partition(".")[0]
    for other in known:  # variables live on in a notebook
        is_of_lesson = other.partition(".")[0] == lesson and not _is_withheld(known[other])
        if is_of_lesson and fault_of(answer, known[other]) is None:
            fault = f"`answer` still holds the answer to exercise {other}."
    sentence = f"Exercise {exercise}: not yet. {fault}"
    return Verdict("\n".join([sentence, *_hint(rows, exercise, int(hint))]))


def _is_withheld(rows: Rows) -> bool:
    """Whether the file says what is asked for, and not which answer is right."""
    return not any(row["value"] for row in rows.get("value", rows.get("name", [])))


def _right(exercise: str, rows: Rows) -> Verdict:
    if _is_withheld(rows):
        said = "this is what is asked for. Whether it is right is said when it is marked."
        verdict = Verdict(f"Exercise {exercise}: {said}")
        verdict.right = True  # a test of the form is passed
        return verdict
    text = ""
    if "right" in rows:
        text = rows["right"][0]["text"]
    verdict = Verdict(f"Exercise {exercise}: right. {text}".strip())
    verdict.right = True
    return verdict


def _hint(rows: Rows, exercise: str, number: int) -> list[str]:
    """The first or the second hint, the last one if there are fewer; none of number 0."""
    hints = [f"Hint: {row['text']}" for row in rows.get("hint", []) if row["text"]]
    if len(hints) > 1:
        hints[0] += f' Another hint: irstd.check("{exercise}", answer, hint=2)'
    return hints[:number][-1:]


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
                if row["role"] == "value" and not row["value"]:
                    continue  # withheld
                if row["role"] == "value" or (row["role"] == "mistake" and "name" not in rows):
                    _matches(row, 0.0)  # which are numbers
        except (ValueError, KeyError, OverflowError, csv.Error) as error:
            raise ValueError(f"{file}:{table.line_num}: is no exercise: {error}") from error
    for name, rows in by_exercise.items():
        if "value" not in rows and "name" not in rows:
            raise ValueError(f"{file}: exercise {name} has no line of the role value or name")
    return by_exercise


def _asked(rows: Rows) -> str:
    """What an answer should be, for a message."""
    if "name" in rows:
        return f"a list of names: {rows['name'][0]['text']}".removesuffix(": ")
    numbers = []
    for row in rows["value"]:
        number = f"{_called(row)} {_precision(row['digits'])}"
        numbers.append(number.lstrip())
    if len(numbers) > 1:
        return f"a list of {len(numbers)} numbers: {', '.join(numbers)}"
    if numbers[0].startswith("("):
        return f"a number {numbers[0]}"
    return f"a number: {numbers[0]}"


def _precision(digits: str) -> str:
    if digits == "0":
        return "(a count)"
    if digits == "1":
        return "(1 digit)"
    return f"({digits} digits)"


def _called(row: dict[str, str]) -> str:
    return row["text"] or row["place"]


def fault_of(answer: Any, rows: Rows) -> str | None:
    """What is wrong with an answer, in its form or its values; None if it is right."""
    try:
        values = _values(answer, [_key(row["place"]) for row in rows.get("value", [])])
    except Exception:  # what cannot be compared is of many kinds
        return f"`answer` should be {_asked(rows)}, not {reprlib.repr(answer)}."
    if "name" in rows:
        return _wrong_names(rows, values)
    return _wrong_numbers(rows, values)


def _values(answer: Any, places: list[str]) -> list[Any]:
    """What an answer holds: numbers in the order asked for, or names if there are no places."""
    if not places:
        return _names(answer)
    if isinstance(answer, Iterable) and len(answer) > MOST:  # type: ignore[arg-type]
        raise TypeError
    numbers = pd.Series(answer, dtype=object)
    keys = [_key(key) for key in numbers.index]
    by_key = isinstance(answer, dict) and len(places) > 1
    if by_key or sorted(keys) == sorted(places):
        numbers = numbers.set_axis(keys)[places]
    if len(numbers) != len(places):
        raise TypeError
    if not all(isinstance(item, Real) and not isinstance(item, bool) for item in numbers):
        raise TypeError
    return [float(item) for item in numbers]


def _names(answer: Any) -> list[str]:
    """The names that an answer holds: one text with commas, or several."""
    if isinstance(answer, str):
        answer = answer.split(",")
    elif isinstance(answer, set):
        answer = list(answer)
    if isinstance(answer, Iterable) and len(answer) > MOST:  # type: ignore[arg-type]
        raise TypeError
    names = pd.Series(answer, dtype=object).tolist()
    if not all(isinstance(name, str) for name in names):
        raise TypeError
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
    if len(asked) == 1:
        return _reason(rows, asked[0], values[0])
    wrong = []
    for row, value in zip(asked, values, strict=True):
        reason = _reason(rows, row, value)
        if reason:
            wrong.append(f"{_called(row)}: {reason}")
    if not wrong:
        return None
    ascending = sorted(asked, key=lambda row: float(row["value"]))
    if all(map(_matches, ascending, sorted(values))):
        return f"These are the numbers, in another order. `answer` should be {_asked(rows)}."
    done = f"{len(asked) - len(wrong)} of {len(asked)} numbers are right. Still wrong:"
    return "\n- ".join([done, *wrong])


def _reason(rows: Rows, row: dict[str, str], value: float) -> str | None:
    """In which way a number is wrong, where that can be known; None if it is right."""
    digits = int(row["digits"])
    if not math.isfinite(value):
        return f"It is {value}; asked for is a finite number."
    if not row["value"] or _matches(row, value):
        return None
    for mistake in rows.get("mistake", []):
        if mistake["place"] in ("", row["place"]) and _matches(mistake, value):
            return mistake["text"]
    if _matches(row, -value):
        return "It has the wrong sign."
    if abs(value) * 10**digits >= 1000 and _matches(row, value / 100):
        return "It is 100 times too large; asked for is no percentage."
    if any(value == round(float(row["value"]), fewer) != 0 for fewer in range(digits)):
        return f"It has too few digits; asked for are {digits}."
    if digits and _matches(row, value, NEAR):
        return "It is near; check the rounding, and each choice on the way."
    return "It is another number, on the data that the course comes with."


def _wrong_names(rows: Rows, names: list[str]) -> str | None:
    expected = {_key(row["value"]) for row in rows["name"]}
    found = {_key(name) for name in names}
    if found == expected:
        return None
    choices: set[str] = set()
    for row in rows.get("choice", []):
        choices.update(_key(name) for name in row["value"].split())
    unknown = sorted(found - choices)
    if choices and unknown:
        shown = listed(ascii(name)[:40] for name in unknown)
        return f"There is no {shown}; `answer` should be {_asked(rows)}."
    if _is_withheld(rows):
        return None
    mistakes = rows.get("mistake", [])
    for row in mistakes:  # one at a time, and no counts: they would let one solve it blind
        if _key(row["value"]) in found:
            return f"{row['value']}: {row['text']}"
    if mistakes:
        return "What is there is right, but not all that is right is there."
    wrong = len(found - expected)
    missing = len(expected - found)
    return f"Of these names, {wrong} should not be there; {missing} more should."
