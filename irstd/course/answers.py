"""The numbers of ``exercises.csv``, taken from what the solutions in the notebooks show.

After a solution of the course has changed and its notebook was executed::

    python -m irstd.course.answers

The lines of a new exercise are made, too, without their texts: fill these in. Mistakes are not
computed: mind those whose numbers have changed. For notebooks of your own, ``irstd exercises`` does
the same, and the file is beside them.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from irstd.course._graders import find_exercises, read_lessons
from irstd.course.lab import course_folder
from irstd.exercises import COLUMNS, Rows, exercises
from irstd.trec.files import write_text

ROLES = ("value", "name", "choice", "mistake", "right", "hint")


def solved(folder: Path) -> dict[str, Any]:
    """What the solutions in a folder of notebooks show, by exercise."""
    answers: dict[str, Any] = {}
    for file, notebook in read_lessons(folder, solved=True).items():
        for exercise in find_exercises(notebook):
            try:
                answers[exercise.name] = _shown(exercise.solution)
            except (LookupError, ValueError, SyntaxError):
                raise ValueError(
                    f"{file}: the solution of exercise {exercise.name} does not show an answer"
                ) from None
    return answers


def _shown(cell: Any) -> Any:
    """The answer that an executed cell shows: numbers, or names."""
    results = [out.data for out in cell.outputs if out.output_type == "execute_result"]
    answer = ast.literal_eval(results[0]["text/plain"])
    kinds = {type(item) for item in _items(answer).values()}
    names = kinds == {str}
    numbers = bool(kinds) and kinds <= {int, float}
    if not names and not numbers:
        raise ValueError
    return answer


def _items(answer: Any) -> dict[Any, Any]:
    """The parts of an answer by their places, which only a dict has names for."""
    if isinstance(answer, dict):
        return answer
    if isinstance(answer, list | tuple):
        return dict(enumerate(answer))
    return {0: answer}


def write_exercises(folder: Path, file: Path | None = None) -> Path:
    """Write ``exercises.csv`` beside notebooks of your own, from what their solutions show.

    What the file says already, such as texts and mistakes, stays; numbers are brought up to date.
    An exercise is four cells: a question, a place, an executed cell tagged ``solution`` that ends
    in ``answer``, and one tagged ``check`` that calls ``irstd.check("10.1", answer,
    file="exercises.csv")``. ValueError says which solution does not show its answer.
    """
    if file is None:
        file = folder / "exercises.csv"
    known = {}
    if file.exists():
        known = exercises(file)
    write_text(updated(solved(folder), known), file)
    return file


def updated(answers: dict[str, Any], known: dict[str, Rows]) -> str:
    """The file of exercises, with these answers in it."""
    by_exercise = {name: dict(rows) for name, rows in known.items()}
    for name, answer in answers.items():
        rows = by_exercise.setdefault(name, {"right": [{}], "hint": [{}, {}]})
        items = _items(answer)
        role = "value"
        if all(isinstance(item, str) for item in items.values()):
            role = "name"
        old = rows.get(role, [])
        rows[role] = []
        for number, (place, item) in enumerate(items.items()):
            row = dict(old[number]) if number < len(old) else {}
            if isinstance(answer, dict):
                row["place"] = str(place)
            rows[role].append(row | _value_and_digits(row, item))
    table = []
    for name in sorted(by_exercise):
        for role in ROLES:
            for row in by_exercise[name].get(role, []):
                table.append({**row, "exercise": name, "role": role})
    return pd.DataFrame(table, columns=COLUMNS).to_csv(index=False, lineterminator="\n")


def _value_and_digits(row: dict[str, str], item: str | float) -> dict[str, str]:
    """A name; or a number to the digits that the file says, or else to all that it has."""
    if isinstance(item, str):
        return {"value": item}
    digits = row.get("digits")
    if not digits:
        decimals = np.format_float_positional(item, trim="-").partition(".")[2]
        digits = str(len(decimals))
    return {"value": f"{item:.{digits}f}", "digits": digits}


if __name__ == "__main__":
    write_exercises(course_folder(), Path(__file__).parents[1] / "exercises.csv")
