"""The numbers of ``exercises.csv``, taken from what the solutions in the notebooks show.

After a solution of the course has changed and its notebook was executed::

    python -m irstd.course.answers

The lines of a new exercise are made, too, without their texts: fill these in. Mistakes are not
computed: mind those whose numbers have changed. For notebooks of your own, ``irstd exercises`` does
the same, and the file is beside them.
"""

from __future__ import annotations

import ast
import csv
import io
from decimal import Decimal
from pathlib import Path
from typing import Any

from irstd.course._graders import find_exercises, read_lessons
from irstd.course.exercises import COLUMNS, Rows, exercises
from irstd.course.lab import course_folder
from irstd.trec._write import write_text

ROLES = ("value", "name", "choice", "mistake", "right", "hint")


def solved(folder: Path) -> dict[str, Any]:
    """What the solutions in a folder of notebooks show, by exercise."""
    answers: dict[str, Any] = {}
    for file, notebook in read_lessons(folder).items():
        for exercise in find_exercises(notebook):
            outputs = exercise.solution.outputs
            shown = [out.data for out in outputs if out.output_type == "execute_result"]
            try:
                answer = ast.literal_eval(shown[0]["text/plain"])
                if {*map(type, _items(answer))} not in ({str}, {int}, {float}, {int, float}):
                    raise ValueError
            except (LookupError, ValueError, SyntaxError):
                raise ValueError(
                    f"{file}: the solution of exercise {exercise.name} does not show a number, a"
                    " text, or a list or dict of them; end it with the line `answer`, and run it"
                ) from None
            answers[exercise.name] = answer
    if not answers:
        raise ValueError(f"{folder}: no notebook has a cell tagged check after a solution")
    return answers


def _items(answer: Any) -> list[Any]:
    if isinstance(answer, dict):
        return list(answer.values())
    return list(answer) if isinstance(answer, list | tuple) else [answer]


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
        items, places = _items(answer), list(answer) if isinstance(answer, dict) else []
        role = "name" if isinstance(items[0], str) else "value"
        rows = [*known[name].get(role, []), *({} for _ in items)][: len(items)]
        known[name] = {**known[name], role: [dict(row) for row in rows]}
        for n, (row, item) in enumerate(zip(known[name][role], items, strict=True)):
            row["value"] = item
            if places:
                row["place"] = str(places[n])
            if role == "value":
                exponent = Decimal(str(item)).as_tuple().exponent
                row["digits"] = row.get("digits") or str(max(-int(exponent), 0))
                row["value"] = f"{item:.{row['digits']}f}"
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for name in sorted(known):
        for role in ROLES:
            for row in known[name].get(role, []):
                writer.writerow({**row, "exercise": name, "role": role})
    return text.getvalue()


if __name__ == "__main__":
    write_exercises(course_folder(), Path(__file__).with_name("exercises.csv"))
