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
        lines = (textwrap.fill(line, 92, break_on_hyphens=False) for line in self.splitlines())
        return "\n".join(lines)


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
    Exercise 01.1: no answer yet. `answer` should be a number to 3 digits: RBP.5 of topic 3.
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
    rows, values = known[exercise], _values(answer)
    if answer is None or answer is ...:
        return Verdict(f"Exercise {exercise}: no answer yet. `answer` should be {_asked(rows)}.")
    if _is_right(exercise, values):
        verdict = Verdict(f"Exercise {exercise}: right. {rows['right'][0]['text']}")
        verdict.right = True
        return verdict
    fault = _wrong_form(exercise, values)
    if fault:
        return Verdict(f"Exercise {exercise}: not yet. {fault}")
    fault = _wrong_names(rows["name"], values) if "name" in rows else _wrong_numbers(rows, values)
    sentence = f"Exercise {exercise}: not yet. {fault}"
    if hint:
        sentence += f"\nHint: {rows['hint'][hint - 1]['text']}"
    if hint == 1:
        sentence += f' Another hint: irstd.check("{exercise}", answer, hint=2)'
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
    with (files("irstd.course") / "exercises.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            exercises.setdefault(row["exercise"], {}).setdefault(row["role"], []).append(row)
    return exercises


def _asked(rows: dict[str, list[Row]]) -> str:
    if "name" in rows:
        return f"a list of names: {rows['name'][0]['text']}"
    asked = rows["value"]
    form = "a number" if len(asked) == 1 else f"a list of {len(asked)} numbers"
    digits = {row["digits"] for row in asked}
    if len(digits) == 1 and digits != {"0"}:
        form += f" to {digits.pop()} digits"
        names = [row["text"] for row in asked]
    else:
        names = [f"{row['text']} ({_precision(row)})" for row in asked]
    return f"{form}: {', '.join(names)}"


def _precision(row: Row) -> str:
    return "a count" if row["digits"] == "0" else f"{row['digits']} digits"


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


def _wrong_form(exercise: str, values: list) -> str:
    """What keeps the values from being an answer to this exercise; an empty string if nothing."""
    for other in _exercises():  # variables live on in a notebook
        if other != exercise and other[:2] == exercise[:2] and _is_right(other, values):
            return f"`answer` still holds the answer to exercise {other}."
    rows = _exercises()[exercise]
    kind = str if "name" in rows else float
    for value in values:
        if not isinstance(value, kind):
            return f"`answer` should be {_asked(rows)}. It has {_kind(value)} in it."
    if kind is float and len(values) != len(rows["value"]):
        found = f"{len(values)} number{'' if len(values) == 1 else 's'}"
        return f"`answer` should be {_asked(rows)}. It has {found}."
    return ""


def _wrong_numbers(rows: dict[str, list[Row]], values: list[float]) -> str:
    asked = rows["value"]
    matches = [[_matches(row, value) for value in values] for row in asked]
    places = range(len(asked))
    if any(all(matches[i][j] for i, j in enumerate(order)) for order in permutations(places)):
        return f"The numbers are right, but in another order. `answer` should be {_asked(rows)}."
    wrong = [i for i in places if not matches[i][i]]
    reasons = [_reason(rows, asked[i], values[i]) for i in wrong]
    if len(asked) == 1:
        return reasons[0] or "It is another number, on the data that the course comes with."
    parts = [
        asked[i]["text"] + (f" ({_inner(reason)})" if reason else "")
        for i, reason in zip(wrong, reasons, strict=True)
    ]
    done = f"{len(asked) - len(wrong)} of {len(asked)} numbers are right."
    return f"{done} Still wrong: {'; '.join(parts)}."


def _inner(sentence: str) -> str:
    """A sentence as it stands in brackets."""
    word = sentence.split()[0]
    return (word.lower() if word[1:].islower() else word) + sentence[len(word) : -1]


def _reason(rows: dict[str, list[Row]], row: Row, value: float) -> str:
    """In which way a number is wrong, where that can be known."""
    if not math.isfinite(value):
        return f"It is {value}; asked for is a finite number."
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


def _wrong_names(rows: list[Row], names: list[str]) -> str:
    expected = {row["sha256"] for row in rows}
    found = {fingerprint(rows[0]["exercise"], name) for name in names}
    wrong, missing = len(found - expected), len(expected - found)
    return f"Of these names, {wrong} should not be there; {missing} more should."


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return "True or False"
    if isinstance(value, float):
        return "a number"
    return "a text" if isinstance(value, str) else f"a {type(value).__name__}"
