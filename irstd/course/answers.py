"""The numbers of ``exercises.csv``, taken from what the solutions compute in their lessons.

After a solution of the course has changed::

    python -m irstd.course.answers 02_standardization

It runs the lesson, and without a name, all of them. The lines of a new exercise are made, too,
without their texts: fill these in. Mistakes are not computed: mind those whose numbers have
changed. For notebooks of your own, ``irstd exercises`` does the same, and the file is beside them.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from irstd._base.arguments import check_choice
from irstd._base.messages import needed
from irstd.course.lab import course_folder
from irstd.course.student import find_exercises, read_lessons
from irstd.exercises import COLUMNS, Rows, Solution, exercises, solutions, variable
from irstd.trec.disk import write_text

ROLES = ("value", "name", "choice", "data", "mistake", "right", "hint")
SECONDS = 600  # that a cell may take


def solved(folder: Path, known: dict[str, Solution], name: str = "*") -> dict[str, Any]:
    """What the solutions give in the lessons of a folder, or in one of them, by exercise."""
    answers: dict[str, Any] = {}
    for file, notebook in read_lessons(folder, name, with_exercises=True).items():
        in_notebook = find_exercises(notebook)
        for exercise in in_notebook:
            check_choice(exercise.name, known, f"{file}: an exercise with a solution")
            exercise.place.source = f"{known[exercise.name]}\n{variable(exercise.name)}"
            notebook.cells.remove(exercise.check)
        try:
            run(notebook, file)
        except Exception as error:  # of the kernel, or of a cell
            raise ValueError(f"{file} does not run with the solutions: {error}") from error
        for exercise in in_notebook:
            try:
                answers[exercise.name] = _shown(exercise.place)
            except (LookupError, ValueError, SyntaxError):
                said = "gives no number, no name, no list or dict of these"
                raise ValueError(f"{file}: the solution of {exercise.name} {said}") from None
    return answers


def run(notebook: Any, file: Path) -> None:
    """Run a notebook that is, or could be, this file."""
    runner = needed("nbconvert.preprocessors").ExecutePreprocessor(
        timeout=SECONDS, record_timing=False, store_widget_state=False
    )
    runner.preprocess(notebook, {"metadata": {"path": str(file.parent)}})


def _shown(cell: Any) -> Any:
    """The answer that an executed cell shows: numbers, or names."""
    results = [out.data for out in cell.outputs if out.output_type == "execute_result"]
    answer = ast.literal_eval(results[0]["text/plain"])
    kinds = {type(item) for item in _items(answer).values()}
    if kinds not in ({str}, {int}, {float}, {int, float}):
        raise ValueError
    return answer


def _items(answer: Any) -> dict[Any, Any]:
    """The parts of an answer by their places, which only a dict has names for."""
    if isinstance(answer, dict):
        return answer
    if isinstance(answer, list | tuple):
        return dict(enumerate(answer))
    return {"": answer}


def write_exercises(folder: Path) -> Path:
    """Write ``exercises.csv`` beside notebooks of your own, from what their solutions give.

    What the file says already, such as texts and mistakes, stays; numbers are brought up to date.
    An exercise is three cells: a question, one with ``answer_10_1 = ...``, and one tagged ``check``
    that calls ``irstd.check("10.1", answer_10_1, file="exercises.csv")``. Its solution is in a file
    of the folder ``solutions``, under the heading ``## 10.1``: Python that uses what the lesson has
    made, and ends by assigning the answer. ValueError says which solution gives none.
    """
    file = folder / "exercises.csv"
    _update(file, solved(folder, solutions(folder / "solutions")))
    return file


def _update(file: Path, answers: dict[str, Any]) -> None:
    known = exercises(file) if file.exists() else {}
    write_text(updated(answers, known), file)


def updated(answers: dict[str, Any], known: dict[str, Rows]) -> str:
    """The file of exercises, with these answers in it."""
    by_exercise = {name: dict(rows) for name, rows in known.items()}
    for name, answer in answers.items():
        rows = by_exercise.setdefault(name, {"right": [{}], "hint": [{}, {}]})
        old = [*rows.pop("value", []), *rows.pop("name", [])]
        for place, item in _items(answer).items():
            row = dict(old.pop(0)) if old else {}
            if isinstance(answer, dict):
                row["place"] = str(place)
            role = "name" if isinstance(item, str) else "value"
            rows.setdefault(role, []).append(_filled(row, item))
    lines: list[dict[str, str]] = []
    for name, rows in sorted(by_exercise.items()):
        for role in ROLES:
            lines += [row | {"exercise": name, "role": role} for row in rows.get(role, [])]
    return pd.DataFrame(lines, columns=COLUMNS).to_csv(index=False, lineterminator="\n")


def _filled(row: dict[str, str], item: str | float) -> dict[str, str]:
    """A row with a name; or with a number, to the digits that it says, or else to all there are."""
    if isinstance(item, str):
        return row | {"value": item}
    decimals = np.format_float_positional(item, trim="-").partition(".")[2]
    digits = row.get("digits") or str(len(decimals))
    return row | {"value": f"{item:.{digits}f}", "digits": digits}


if __name__ == "__main__":
    given = solved(course_folder(), solutions(), *sys.argv[1:])
    _update(Path(__file__).parents[1] / "exercises.csv", given)
