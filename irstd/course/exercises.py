"""Exercises of the course: whether an answer is right, and if it is not, in which way.

What is known of an exercise is in ``exercises.csv`` beside this file, one line per number (or name)
that is asked for, per foreseen mistake, per hint:

======== =================================================================================
exercise number of the notebook and of the exercise in it, "02.3"
role     ``value``: a number that is asked for; ``name``: a name; ``choice``: names one can
         choose from; ``mistake``: a wrong number; ``right``: said of a right answer; ``hint``
place    of a value, its key in a dict; of a mistake, that of the value it is taken for
value    the number, rounded to ``digits``; the name
digits   that are asked for; 0 is a count, which has to be exact
within   units of the last digit by which an answer may be wrong, besides rounding; mostly 0
text     what is said
======== =================================================================================

`irstd.course.answers` writes the numbers, from what the solutions in notebooks show: for the
course, or, by ``irstd exercises``, into a file of the same form beside notebooks of your own.
"""

from __future__ import annotations

import csv
import difflib
import math
import numbers
import os
import textwrap
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

Rows = dict[str, list[dict[str, str]]]  # of an exercise, by role
COLUMNS = ["exercise", "role", "place", "value", "digits", "within", "text"]
MOST = 100  # values that an answer may hold; more are not looked at
NEAR = 2  # units of the last digit


class Verdict(str):
    """A sentence that a notebook shows without quotes, in short lines; false unless `right`."""

    right = False

    def __repr__(self) -> str:
        lines = (textwrap.fill(line, 92, break_on_hyphens=False) for line in self.splitlines())
        return "\n".join(lines)

    def __bool__(self) -> bool:
        return self.right


class Unfit(Exception):
    """An answer of another form than what is asked for."""


def check(
    exercise: str,
    answer: object = ...,
    *,
    hint: int = 1,
    file: str | os.PathLike[str] | None = None,
) -> Verdict:
    """Say whether the answer to an exercise of the course is right, and if not, what is not.

    Parameters
    ----------
    exercise : str
        Number of the notebook and of the exercise in it, such as "02.3".
    answer : object
        What the exercise asks for: a number of Python or numpy (True, a text or a date is none);
        several in the order asked for, in a list, tuple, array or Series, or by key in a dict or
        Series; names in any order and case, in a list, a set, or one text with commas. None and
        ``...`` are no answer yet.
    hint : int, default 1
        Which hint a wrong answer gets: 1 or 2; with 0, none.
    file : path, optional
        Exercises of your own, as ``irstd exercises`` writes them; by default those of the course.

    Returns
    -------
    Verdict
        A str, the same for the same answer. It is true (and its attribute `right` is) if the
        answer is right, so that ``assert irstd.check("02.3", answer)`` is a test.

    Raises
    ------
    ValueError
        If there is no such exercise or hint, or `file` is not as it should be (with its line).

    Notes
    -----
    A number is right if it is that of the course when rounded to the digits asked for. The answers
    are those of the simulated data that the exercises are set on. They can be read in
    ``exercises.csv``, beside this module: the checks are there to help, not to grade.

    Examples
    --------
    >>> import irstd
    >>> irstd.check("01.1", ...)
    Exercise 01.1: no answer yet. `answer` should be a number: RBP.5 of topic 3 (3 digits).
    >>> irstd.check("01.1", 0.75, hint=0)
    Exercise 01.1: not yet. The factor 1 - p in front of the sum is missing.
    """
    known = exercises(file)
    if not isinstance(exercise, str) or exercise not in known:
        near = difflib.get_close_matches(str(exercise), known, n=1, cutoff=0.7)
        meant = f' did you mean irstd.check("{near[0]}", answer)?' if near else ""
        raise ValueError(f"there is no exercise {exercise!r};{meant} there are {', '.join(known)}")
    if not isinstance(hint, numbers.Integral) or hint not in (0, 1, 2):
        raise ValueError(f"hint is {hint!r}; there are 1 and 2, and 0 for none")
    rows, lesson = known[exercise], exercise.partition(".")[0]
    nothing = answer is None or answer is ...
    fault = f"`answer` should be {_asked(rows)}." if nothing else _fault(answer, rows)
    if fault is None:
        said = [row["text"] for row in rows.get("right", [])]
        verdict = Verdict(" ".join([f"Exercise {exercise}: right.", *said]).strip())
        verdict.right = True
        return verdict
    for other in known:  # variables live on in a notebook
        if other.partition(".")[0] == lesson and _fault(answer, known[other]) is None:
            fault = f"`answer` still holds the answer to exercise {other}."
    hints = [f"Hint: {row['text']}" for row in rows.get("hint", []) if row["text"]]
    if len(hints) > 1:
        hints[0] += f' Another hint: irstd.check("{exercise}", answer, hint=2)'
    shown = 0 if nothing and hint == 1 else int(hint)
    sentence = f"Exercise {exercise}: {'no answer' if nothing else 'not'} yet. {fault}"
    return Verdict("\n".join([sentence, *hints[:shown][-1:]]))


def exercises(file: str | os.PathLike[str] | None = None) -> dict[str, Rows]:
    """Rows of a file of exercises, by exercise and role; by default, of those of the course."""
    file = Path(__file__).with_name("exercises.csv") if file is None else Path(file)
    found: dict[str, Rows] = {}
    with file.open(encoding="utf-8-sig", newline="") as lines:
        table = csv.DictReader(lines, restval="")
        try:
            for row in table:
                found.setdefault(row["exercise"], {}).setdefault(row["role"], []).append(row)
                if row["role"] in ("value", "mistake"):
                    scaled = float(row["value"]) * 10.0 ** int(row["digits"])
                    if not math.isfinite(scaled + float(row["within"] or 0)):
                        raise ValueError("a number is not finite")
                if row.keys() != {*COLUMNS}:
                    raise ValueError("these are not its columns")
        except (ValueError, KeyError, OverflowError, csv.Error) as error:
            raise ValueError(
                f"{file}:{table.line_num}: expected {','.join(COLUMNS)}, with numbers in value and"
                f" digits ({error})"
            ) from error
    for name, rows in found.items():
        if not {"value", "name"} & rows.keys():
            raise ValueError(f"{file}: exercise {name} has no line of the role value or name")
    return found


def _asked(rows: Rows) -> str:
    if "name" in rows:
        return f"a list of names: {rows['name'][0]['text']}".removesuffix(": ")
    asked = rows["value"]
    form = "a number" if len(asked) == 1 else f"a list of {len(asked)} numbers"
    digits = {"0": "a count", "1": "1 digit"}
    parts = [
        f"{_called(row)} ({digits.get(row['digits'], row['digits'] + ' digits')})" for row in asked
    ]
    return f"{form}: {', '.join(parts)}".replace(":  (", " (")


def _called(row: dict[str, str]) -> str:
    return row["text"] or row["place"]


def _fault(answer: Any, rows: Rows) -> str | None:
    """What is wrong with an answer, in its form or its values; None if it is right."""
    try:
        values = _values(answer, rows)
    except Exception as error:  # classes of somebody's own may do anything
        said = error if isinstance(error, Unfit) else f"It is {_kind(answer)}."
        return f"`answer` should be {_asked(rows)}. {said}"
    return _wrong_names(rows, values) if "name" in rows else _wrong_numbers(rows, values)


def _values(answer: Any, rows: Rows) -> list[Any]:
    """What an answer holds: numbers in the order asked for, or names."""
    places = [row["place"] for row in rows.get("value", [])]
    if isinstance(answer, str) and not places:
        answer = answer.split(",", MOST)
    if isinstance(answer, set | frozenset) and len(places) < 2:
        answer = list(answer)  # names have no order, nor has one number
    of_numpy = hasattr(answer, "tolist")  # or of pandas
    several = isinstance(answer, list | tuple | dict | pd.Series)
    if (answer.size if of_numpy else len(answer) if several else 1) > MOST:
        raise Unfit(f"It has more than {MOST} values.")
    if of_numpy and not several:
        answer = answer.tolist()
        several = isinstance(answer, list)
    held = pd.Series(answer if several else [answer], dtype=object)
    keys = [_key(key) for key in held.index]
    if sorted(keys) == sorted(map(_key, places)):
        held = held.set_axis(keys)[[*map(_key, places)]]
    elif isinstance(answer, dict) and len(places) > 1:
        raise Unfit(f"As a dict, it needs the keys {', '.join(map(repr, places))}.")
    values = [_plain(item) for item in held]
    for value in values:
        if type(value) is not (float if places else str):
            raise Unfit(f"It has {_kind(value)} in it.")
    if places and len(values) != len(places):
        raise Unfit(f"It has {len(values)} number{'' if len(values) == 1 else 's'}.")
    return values


def _key(key: object) -> str:
    """A key, as it is compared: 1.0 is the key "1", and "Max" is "max"."""
    return f"{key:g}" if isinstance(key, numbers.Real) else str(key).strip().casefold()


def _plain(item: Any) -> Any:
    """A number as float; anything else as it is."""
    item = item.item() if isinstance(item, np.generic) else item
    number = isinstance(item, numbers.Real) and not isinstance(item, bool)
    return float(item) if number else item


def _kind(value: object) -> str:
    kinds = {bool: "True or False", float: "a number", str: "a text", pd.DataFrame: "a table"}
    return kinds.get(type(value), f"something of the type {type(value).__name__}")


def _matches(row: dict[str, str], value: float, units: float = 0) -> bool:
    """Whether a number is that of the row, rounded, or within some units of its last digit."""
    digits = int(row["digits"])
    if digits == 0:
        return value == float(row["value"])
    slack = max(units, float(row["within"] or 0))
    return abs(value - float(row["value"])) * 10**digits <= (0.5 + slack) * (1 + 1e-9)


def _wrong_numbers(rows: Rows, values: list[float]) -> str | None:
    asked = rows["value"]
    pairs = list(zip(asked, values, strict=True))
    reasons = [_reason(rows, row, value) for row, value in pairs if not _matches(row, value)]
    names = [_called(row) for row, value in pairs if not _matches(row, value)]
    if not reasons:
        return None
    for order in permutations(values):
        if all(map(_matches, asked, order)):
            return f"These are the numbers, in another order. `answer` should be {_asked(rows)}."
    if len(asked) == 1:
        return reasons[0]
    wrong = [f"- {name}: {reason}" for name, reason in zip(names, reasons, strict=True)]
    done = f"{len(asked) - len(wrong)} of {len(asked)} numbers are right. Still wrong:"
    return "\n".join([done, *wrong])


def _reason(rows: Rows, row: dict[str, str], value: float) -> str:
    """In which way a number is wrong, where that can be known."""
    right, digits = float(row["value"]), int(row["digits"])
    if not math.isfinite(value):
        return f"It is {value}; asked for is a finite number."
    for mistake in rows.get("mistake", []):
        if mistake["place"] in ("", row["place"]) and _matches(mistake, value):
            return mistake["text"]
    if right and _matches(row, -value):
        return "It has the wrong sign."
    if right and abs(value) * 10**digits >= 1000 and _matches(row, value / 100):
        return "It is 100 times too large; asked for is no percentage."
    if any(value == round(right, fewer) != 0 for fewer in range(digits)):
        return f"It has too few digits; asked for are {digits}."
    if digits and _matches(row, value, NEAR):
        return "It is near; check the rounding, and each choice on the way."
    return "It is another number, on the data that the course comes with."


def _wrong_names(rows: Rows, names: list[str]) -> str | None:
    expected = {_key(row["value"]) for row in rows["name"]}
    found = {_key(name): name.strip() for name in names}
    if found.keys() == expected:
        return None
    choices = {_key(name) for row in rows.get("choice", []) for name in row["value"].split()}
    odd = [ascii(name)[:40] for key, name in found.items() if choices and key not in choices]
    if odd:
        return f"There is no {', '.join(odd[:5])}; `answer` should be {_asked(rows)}."
    wrong, missing = len(found.keys() - expected), len(expected - found.keys())
    return f"Of these names, {wrong} should not be there; {missing} more should."
