"""Exercises of the course: whether an answer is right, and if it is not, in which way."""

from __future__ import annotations

import csv
import hashlib
import math
import numbers
import textwrap
from collections.abc import Mapping, Sequence, Set
from functools import cache
from importlib.resources import files
from itertools import permutations

import numpy as np
import pandas as pd

Row = dict[str, str]


class Verdict(str):
    """A sentence that a notebook shows without quotes, in short lines; `right` is True or False."""

    right = False

    def __repr__(self) -> str:
        return textwrap.fill(self, 92)


def check(exercise: str, answer: object, *, hint: int = 1) -> Verdict:
    """Say whether the answer to an exercise of the course is right, and if not, what is not.

    Parameters
    ----------
    exercise
        Number of the notebook and of the exercise in it, such as "02.3".
    answer
        What the exercise asks for. A number may be one of Python, numpy or pandas; True, a text
        or a date is none. Several numbers come in the order asked for, in a list, tuple, array,
        Series or dict; labels and keys are not looked at. Names come in any order and case,
        in a list or a set. None and ``...`` are no answer yet.
    hint
        Which hint a wrong answer gets: 1 or 2; with 0, none.

    Returns
    -------
    Verdict
        A str, the same for the same answer. Its attribute `right` says whether the answer is.

    Raises
    ------
    ValueError
        If there is no such exercise, or no such hint.

    Notes
    -----
    The course keeps no answers but their SHA-256 hashes, salted by the exercise. A number is
    rounded to the digits that the exercise asks for, and is right if it is within one unit of the
    last of them; a count has to be exact. NaN is wrong. Hashes of numbers so short can be found
    by trying: they are a courtesy, not a lock. They are those of the simulated data that the
    exercises are set on; on other data, an answer is told to be wrong that may be right.

    Examples
    --------
    >>> import irstd
    >>> irstd.check("01.1", ...)
    Exercise 01.1: no answer yet. Put this into `answer`: a number, RBP.5 of topic 3 (3 digits).
    >>> irstd.check("01.1", 0.75, hint=0)
    Exercise 01.1: not yet. The factor 1 - p in front of the sum is missing.
    >>> irstd.check("01.1", [1, 2]).right
    False
    """
    known = _exercises()
    if not isinstance(exercise, str) or exercise not in known:
        raise ValueError(f"there is no exercise {exercise!r}; there are {', '.join(known)}")
    if hint not in (0, 1, 2):
        raise ValueError(f"hint is {hint!r}; there are 1 and 2, and 0 for none")
    rows = known[exercise]
    if answer is None or answer is ...:
        asked = _asked(rows)
        return Verdict(f"Exercise {exercise}: no answer yet. Put this into `answer`: {asked}.")
    fault = _fault(exercise, _values(answer))
    if not fault:
        verdict = Verdict(f"Exercise {exercise}: right. {rows['right'][0]['text']}")
        verdict.right = True
        return verdict
    sentence = f"Exercise {exercise}: not yet. {fault}"
    if hint:
        sentence += f" Hint: {rows['hint'][hint - 1]['text']}"
    if hint == 1:
        sentence += f' (Another one: irstd.check("{exercise}", answer, hint=2).)'
    return Verdict(sentence)


def fingerprint(exercise: str, value: float | str, digits: int = 0, *, shift: int = 0) -> str:
    """Hash of a name, or of a finite number, rounded and shifted by units of the last digit."""
    if isinstance(value, str):
        text = value.strip().casefold()
    else:
        text = str(round(value * 10**digits) + shift)
    return hashlib.sha256(f"irstd {exercise} {text}".encode()).hexdigest()


@cache
def _exercises() -> dict[str, dict[str, list[Row]]]:
    """Rows of the data file by exercise and role."""
    exercises: dict[str, dict[str, list[Row]]] = {}
    with (files("irstd") / "exercises.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            exercises.setdefault(row["exercise"], {}).setdefault(row["role"], []).append(row)
    return exercises


def _asked(rows: dict[str, list[Row]]) -> str:
    if "name" in rows:
        return f"a list of names, {rows['name'][0]['text']}"
    numbers_asked = [
        f"{row['text']} ({'a count' if row['digits'] == '0' else row['digits'] + ' digits'})"
        for row in rows["value"]
    ]
    if len(numbers_asked) == 1:
        return f"a number, {numbers_asked[0]}"
    return f"a list of {len(numbers_asked)} numbers: {', '.join(numbers_asked)}"


def _values(answer: object) -> list:
    """What an answer holds: numbers as float, names as str, and anything else as it is."""
    if isinstance(answer, Mapping):
        answer = list(answer.values())
    elif isinstance(answer, np.ndarray | np.generic | pd.Series | pd.Index):
        answer = answer.tolist()
    if not isinstance(answer, Sequence | Set) or isinstance(answer, str | bytes):
        answer = [answer]
    return [_value(item) for item in answer]


def _value(item: object) -> object:
    if isinstance(item, np.generic):
        item = item.item()
    if isinstance(item, bool) or not isinstance(item, numbers.Real):
        return item
    try:
        return float(item)
    except OverflowError:
        return math.inf


def _matches(row: Row, value: object, slack: int = 1) -> bool:
    """Whether a number has the hash of the row, to within some units of its last digit."""
    if not isinstance(value, float) or not abs(value) < 1e9:
        return False
    digits = int(row["digits"])
    if digits == 0:
        slack = 0
        if not value.is_integer():
            return False
    shifts = range(-slack, slack + 1)
    found = {fingerprint(row["exercise"], value, digits, shift=shift) for shift in shifts}
    return row["sha256"] in found


def _is_right(exercise: str, values: list) -> bool:
    rows = _exercises()[exercise]
    if "name" in rows:
        names = [value for value in values if isinstance(value, str)]
        found = sorted({fingerprint(exercise, name) for name in names})
        return len(names) == len(values) and found == sorted(row["sha256"] for row in rows["name"])
    asked = rows["value"]
    return len(values) == len(asked) and all(map(_matches, asked, values))


def _fault(exercise: str, values: list) -> str:
    """What is wrong with the values, in a sentence or two; an empty string if nothing is."""
    if _is_right(exercise, values):
        return ""
    rows = _exercises()[exercise]
    for other in _exercises():  # variables live on in a notebook
        if other != exercise and other[:2] == exercise[:2] and _is_right(other, values):
            return f"`answer` still holds the answer to exercise {other}."
    if "name" in rows:
        return _fault_of_names(exercise, rows, values)
    asked = rows["value"]
    for value in values:
        if not isinstance(value, float):
            return f"Asked for is {_asked(rows)}; this has {_kind(value)} in it."
    if len(values) != len(asked):
        return f"Asked for is {_asked(rows)}; this has {len(values)} numbers."
    right = [[_matches(row, value) for value in values] for row in asked]
    places = range(len(asked))
    if any(all(right[i][j] for i, j in enumerate(order)) for order in permutations(places)):
        return f"These are the right numbers in another order; asked for is {_asked(rows)}."
    wrong = [i for i in places if not right[i][i]]
    reasons = [_reason(rows, asked[i], values[i]) for i in wrong]
    if len(asked) == 1:
        return reasons[0] or "It is another number, on the data that the course comes with."
    parts = [f"Right so far: {len(asked) - len(wrong)} of {len(asked)} numbers."]
    parts += [
        f"Not so {asked[i]['text']}{': ' + reason[0].lower() + reason[1:] if reason else '.'}"
        for i, reason in zip(wrong, reasons, strict=True)
    ]
    return " ".join(parts)


def _reason(rows: dict[str, list[Row]], row: Row, value: float) -> str:
    """In which way a number is wrong, where that can be known."""
    if not math.isfinite(value):
        return f"It is {value}, not a number that a score can have."
    if _matches(row, -value):
        return "It has the wrong sign."
    # below ten units, nearly anything would look like percent
    if abs(value) * 10 ** int(row["digits"]) >= 1000 and _matches(row, value / 100):
        return "It is in percent; asked for is a share of 1."
    for mistake in rows.get("mistake", []):
        if _matches(mistake, value, slack=0):
            return mistake["text"]
    if _matches(row, value, slack=10):
        return "It is close; round at the very end only, and to the digits asked for."
    return ""


def _fault_of_names(exercise: str, rows: dict[str, list[Row]], values: list) -> str:
    expected = {row["sha256"] for row in rows["name"]}
    for value in values:
        if not isinstance(value, str):
            return f"Asked for is {_asked(rows)}; this has {_kind(value)} in it."
    found = {value: fingerprint(exercise, value) for value in values}
    others = [value for value, mark in found.items() if mark not in expected]
    missing = len(expected - set(found.values()))
    if not others:
        return (
            f"All of these belong there, but {missing} more do."
            if missing > 1
            else ("All of these belong there, but one more does.")
        )
    return f"Of these, {len(others)} should not be there; {missing} are missing."


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return "True or False"
    if isinstance(value, float):
        return "a number"
    return "a text" if isinstance(value, str) else f"a {type(value).__name__}"
