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
            outputs = exercise.solution.outputs
            shown = [out.data for out in outputs if out.output_type == "execute_result"]
            try:
                answer = ast.literal_eval(shown[0]["text/plain"])
                kinds = {*map(type, _items(answer).values())}
                if not kinds or (kinds != {str} and kinds - {int, float}):
                    raise ValueError
            except (LookupError, ValueError, SyntaxError):
                raise ValueError(
                    f"{file}: the solution of exercise {exercise.name} does not show an answer"
                ) from None
            answers[exercise.name] = answer
    return answers


def _items(answer: Any) -> dict[Any, Any]:
    """The parts of an answer by their places, which only a dict has names for."""
    parts = answer if isinstance(answer, list | tuple) else [answer]
    return answer if isinstance(answer, dict) else dict(enumerate(parts))


def write_exercises(folder: Path, file: Path | None = None) -> Path:
    """Write ``exercises.csv`` beside notebooks of your own, from what their solutions show.

    What the file says already, such as texts and mistakes, stays; numbers are brought up to date.
    An exercise is four cells: a question, a place, an executed cell tagged ``solution`` that ends
    in ``answer``, and one tagged ``check`` that calls ``irstd.check("10.1", answer,
    file="exercises.csv")``. ValueError says which solution does not show its answer.
    """
    file = file or folder / "exercises.csv"
    write_text(updated(solved(folder), exercises(file) if file.exists() else {}), file)
    return file


def updated(answers: dict[str, Any], known: dict[str, Rows]) -> str:
    """The file of exercises, with these answers in it."""
    known = {**{name: {"right": [{}], "hint": [{}, {}]} for name in answers}, **known}
    for name, answer in answers.items():
        items = _items(answer)
        role = "name" if {*map(type, items.values())} == {str} else "value"
        new = [{**row} for row in [*known[name].get(role, []), *({} for _ in items)][: len(items)]]
        for row, (place, item) in zip(new, items.items(), strict=True):
            row |= {"value": item} | ({"place": str(place)} if items is answer else {})
            if role == "value":
                digits = len(np.format_float_positional(item, trim="-").partition(".")[2])
                row["digits"] = row.get("digits") or str(digits)
                row["value"] = f"{item:.{row['digits']}f}"
        known[name] = {**known[name], role: new}
    rows = [
        {**row, "exercise": name, "role": role}
        for name in sorted(known)
        for role in ROLES
        for row in known[name].get(role, [])
    ]
    return pd.DataFrame(rows, columns=COLUMNS).to_csv(index=False, lineterminator="\n")


if __name__ == "__main__":
    write_exercises(course_folder(), Path(__file__).parents[1] / "exercises.csv")
