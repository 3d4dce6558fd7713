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
import io
import math
import numbers
import os
import textwrap
from collections.abc import Collection, Iterable, Mapping, Set
from functools import cache
from importlib.resources import files
from itertools import islice, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

Row = dict[str, str]
Rows = dict[str, list[Row]]  # of an exercise, by role
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
        What the exercise asks for. A number may be one of Python, numpy or pandas; True, a text or
        a date is none. Several numbers come in the order asked for, in a list, tuple, array or
        Series, or in a dict (or Series) with the keys asked for, in any order. Names come in any
        order and case, in a list, a set, or one text with commas. None and ``...`` are no answer
        yet.
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
        If there is no such exercise, or no such hint.

    Notes
    -----
    A number is right if it is that of the course when rounded to the digits that the exercise asks
    for. NaN is wrong. The answers are those of the simulated data that the exercises are set on;
    on other data, an answer is called wrong that may be right. They can be read in
    ``exercises.csv``, beside this module: the checks are there to help, not to grade.

    Examples
    --------
    >>> import irstd
    >>> irstd.check("01.1", ...)
    Exercise 01.1: no answer yet. `answer` should be a number to 3 digits: RBP.5 of topic 3.
    >>> irstd.check("01.1", 0.75, hint=0)
    Exercise 01.1: not yet. The factor 1 - p in front of the sum is missing.
    >>> irstd.check("01.1", [1, 2]).right
    False
    """
    known = exercises(file)
    if not isinstance(exercise, str) or exercise not in known:
        near = difflib.get_close_matches(str(exercise), known, n=1, cutoff=0.7)
        meant = f' did you mean irstd.check("{near[0]}", answer)?' if near else ""
        raise ValueError(f"there is no exercise {exercise!r};{meant} there are {', '.join(known)}")
    if hint not in (0, 1, 2):
        raise ValueError(f"hint is {hint!r}; there are 1 and 2, and 0 for none")
    rows = known[exercise]
    hints = [row["text"] for row in rows.get("hint", []) if row["text"]]
    hint = min(int(hint), len(hints))
    help_ = f"\nHint: {hints[hint - 1]}" if hint else ""
    asked_twice = help_ if hint == 2 else ""  # for one who has no answer of the right form
    if answer is None or answer is ... or _is_list_of(answer, ...):
        return Verdict(
            f"Exercise {exercise}: no answer yet. `answer` should be {_asked(rows)}.{asked_twice}"
        )
    values, fault = _values(answer, rows)
    if not fault and _is_right(rows, values):
        said = " ".join(row["text"] for row in rows.get("right", []))
        verdict = Verdict(f"Exercise {exercise}: right. {said}".strip())
        verdict.right = True
        return verdict
    fault = _of_before(known, exercise, answer) or fault
    if fault:
        return Verdict(f"Exercise {exercise}: not yet. {fault}{asked_twice}")
    fault = _wrong_names(rows, values) if "name" in rows else _wrong_numbers(rows, values)
    if hint == 1 and len(hints) > 1:
        help_ += f' Another hint: irstd.check("{exercise}", answer, hint=2)'
    return Verdict(f"Exercise {exercise}: not yet. {fault}{help_}")


def exercises(file: str | os.PathLike[str] | None = None) -> dict[str, Rows]:
    """Rows of a file of exercises, by exercise and role; by default, of those of the course."""
    if file is None:
        return _of_the_course()
    return _by_role(Path(file).read_text(encoding="utf-8-sig"))


@cache
def _of_the_course() -> dict[str, Rows]:
    return _by_role((files("irstd.course") / "exercises.csv").read_text(encoding="utf-8"))


def _by_role(text: str) -> dict[str, Rows]:
    found: dict[str, Rows] = {}
    for row in csv.DictReader(io.StringIO(text)):
        found.setdefault(row["exercise"], {}).setdefault(row["role"], []).append(row)
    return found


def _asked(rows: Rows) -> str:
    if "name" in rows:
        return f"a list of names: {rows['name'][0]['text']}".removesuffix(": ")
    asked = rows["value"]
    form = "a number" if len(asked) == 1 else f"a list of {len(asked)} numbers"
    digits = {row["digits"] for row in asked}
    if len(digits) == 1 and digits != {"0"}:
        form += f" to {_precision(asked[0])}"
        names = [_called(row) for row in asked]
    else:
        names = [f"{_called(row)} ({_precision(row)})" for row in asked]
    return f"{form}: {', '.join(names)}".removesuffix(": ")


def _called(row: Row) -> str:
    return row["text"] or row["place"]


def _precision(row: Row) -> str:
    digits = row["digits"]
    return "a count" if digits == "0" else f"{digits} digit{'s' if digits != '1' else ''}"


def _is_list_of(answer: object, item: object) -> bool:
    return isinstance(answer, list | tuple) and 0 < len(answer) < MOST and {*map(id, answer)} == {
        id(item)
    }  # fmt: skip


def _values(answer: Any, rows: Rows) -> tuple[list, str]:
    """What an answer holds, in the order asked for, and what its form has of a fault."""
    should = f"`answer` should be {_asked(rows)}."
    if isinstance(answer, pd.DataFrame):
        return [], f"{should} It is a table."
    if isinstance(answer, np.ndarray) and answer.ndim == 2 and 1 in answer.shape:
        answer = answer.ravel()
    arrays = (np.ndarray, np.generic, pd.Series, pd.Index, pd.api.extensions.ExtensionArray)
    if isinstance(answer, arrays):
        many = answer.size > MOST
    else:
        many = isinstance(answer, Collection) and not isinstance(answer, str | bytes)
        many = many and any(True for _ in islice(answer, MOST, None))
    if many:
        return [], f"{should} It has more than {MOST} values."
    places = [row["place"] for row in rows.get("value", [])]
    if isinstance(answer, pd.Series) and not _missing(answer.index, places):
        answer = dict(zip(answer.index, answer.tolist(), strict=True))
    if isinstance(answer, Mapping) and len(places) > 1:
        absent = _missing(answer, places)
        if absent and list(answer) != list(range(len(places))):
            return [], f"{should} As a dict, it needs the keys {', '.join(map(repr, places))}."
        if not absent:
            answer = [value for p in places for key, value in answer.items() if _same(key, p)]
    if isinstance(answer, Mapping):
        answer = list(answer.values()) if places else list(answer)
    elif isinstance(answer, arrays):
        answer = answer.tolist()
    elif isinstance(answer, Set) and len(places) > 1:
        return [], f"{should} It is a set, which has no order."
    elif isinstance(answer, str) and not places:
        answer = answer.split(",", MOST)
    if not isinstance(answer, Collection) or isinstance(answer, str | bytes):
        answer = [answer]
    values = [_value(item) for item in answer]
    for value in values:
        if not isinstance(value, float if places else str):
            return [], f"{should} It has {_kind(value)} in it."
    if places and len(values) != len(places):
        return [], f"{should} It has {len(values)} number{'' if len(values) == 1 else 's'}."
    return values, ""


def _missing(keys: Iterable, places: list[str]) -> bool:
    """Whether the keys are others than these places."""
    keys = list(keys)
    return len(keys) != len(places) or not all(any(_same(k, p) for k in keys) for p in places)


def _same(key: object, place: str) -> bool:
    if isinstance(key, str):
        return key.strip().casefold() == place.casefold()
    try:
        return isinstance(key, numbers.Real) and float(key) == float(place)
    except (ValueError, OverflowError):
        return False


def _value(item: Any) -> object:
    """A number as float; anything else as it is."""
    if isinstance(item, np.generic):
        item = item.item()
    if isinstance(item, bool) or not isinstance(item, numbers.Real):
        return item
    try:
        return float(item)
    except OverflowError:
        return math.inf


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return "True or False"
    if isinstance(value, float | str):
        return "a number" if isinstance(value, float) else "a text"
    name = type(value).__name__
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


def _matches(row: Row, value: float, units: float | None = None) -> bool:
    """Whether a number is that of the row, rounded, or within some units of its last digit."""
    digits = int(row["digits"])
    if digits == 0:
        return value == float(row["value"])
    slack = float(row["within"] or 0) if units is None else units
    return abs(value - float(row["value"])) * 10**digits <= (0.5 + slack) * (1 + 1e-9)


def _is_right(rows: Rows, values: list) -> bool:
    if "name" in rows:
        return {_name(value) for value in values} == {_name(row["value"]) for row in rows["name"]}
    return all(map(_matches, rows["value"], values))


def _of_before(known: dict[str, Rows], exercise: str, answer: object) -> str:
    """Whether this is the answer to another exercise: variables live on in a notebook."""
    for other, rows in known.items():
        if other != exercise and other.partition(".")[0] == exercise.partition(".")[0]:
            values, fault = _values(answer, rows)
            if not fault and _is_right(rows, values):
                return f"`answer` still holds the answer to exercise {other}."
    return ""


def _wrong_numbers(rows: Rows, values: list[float]) -> str:
    asked = rows["value"]
    places = range(len(asked))
    matches = [[_matches(row, value) for value in values] for row in asked]
    if any(all(matches[i][j] for i, j in enumerate(order)) for order in permutations(places)):
        return f"The numbers are right, but in another order. `answer` should be {_asked(rows)}."
    wrong: dict[str, list[str]] = {}  # what is still wrong, by reason
    for i in places:
        if not matches[i][i]:
            wrong.setdefault(_reason(rows, asked[i], values[i]), []).append(_called(asked[i]))
    if len(asked) == 1:
        return next(iter(wrong)) or "It is another number, on the data that the course comes with."
    parts = [
        ", ".join(names) + (f" ({_inner(reason)})" if reason else "")
        for reason, names in wrong.items()
    ]
    done = f"{len(asked) - sum(map(len, wrong.values()))} of {len(asked)} numbers are right."
    return f"{done} Still wrong: {'; '.join(parts)}."


def _inner(sentence: str) -> str:
    """A sentence as it stands in brackets."""
    word = sentence.split()[0]
    return (word.lower() if word[1:].islower() else word) + sentence[len(word) : -1]


def _reason(rows: Rows, row: Row, value: float) -> str:
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
    return ""


def _name(text: str) -> str:
    return text.strip().casefold()


def _wrong_names(rows: Rows, names: list[str]) -> str:
    expected = {_name(row["value"]) for row in rows["name"]}
    found = {_name(name): name.strip() for name in names}
    choices = {_name(name) for row in rows.get("choice", []) for name in row["value"].split()}
    odd = [ascii(name)[:40] for key, name in found.items() if choices and key not in choices]
    if odd:
        return f"There is no {', '.join(odd[:5])}; `answer` should be {_asked(rows)}."
    wrong, missing = len(found.keys() - expected), len(expected - found.keys())
    return f"Of these names, {wrong} should not be there; {missing} more should."
