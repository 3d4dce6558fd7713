"""The numbers of ``exercises.csv``, taken from what the solutions in the notebooks show.

After a solution has changed and its notebook was executed::

    python -m irstd.course.answers notebooks/0[1-589]*.ipynb > new.csv
    mv new.csv irstd/course/exercises.csv

The lines of a new exercise are made, too, without their texts: fill these in. Mistakes are not
computed: mind those whose numbers have changed. For notebooks of your own, ``irstd exercises`` does
the same, and the file is beside them.
"""

from __future__ import annotations

import ast
import csv
import io
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from irstd.course.exercises import COLUMNS, Rows, exercises
from irstd.trec._write import write_text


def solved(notebook: Path) -> dict[str, Any]:
    """What the solutions of a notebook show: the second one of 01_x.ipynb is that of "01.2"."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    answers: dict[str, Any] = {}
    for cell in cells:
        if "solution" in cell["metadata"].get("tags", []):
            name = f"{notebook.stem.partition('_')[0]}.{len(answers) + 1}"
            shown = [out for out in cell["outputs"] if out["output_type"] == "execute_result"]
            try:
                answers[name] = ast.literal_eval("".join(shown[0]["data"]["text/plain"]))
            except (IndexError, ValueError, SyntaxError):
                raise ValueError(
                    f"{notebook}: the solution of exercise {name} does not show a number, a text,"
                    " or a list or dict of them; end it with the line `answer`, and run it"
                ) from None
    return answers


def write_exercises(folder: Path) -> Path:
    """Write ``exercises.csv`` beside notebooks of your own, from what their solutions show.

    What the file says already, such as texts and mistakes, stays; numbers are brought up to date.

    Parameters
    ----------
    folder : Path
        Of notebooks in which each exercise is a question, an empty cell, an executed cell tagged
        ``solution`` that ends in ``answer``, and a cell tagged ``check`` that calls
        ``irstd.check("10.1", answer, file="exercises.csv")``, in ``10_name.ipynb``.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    ValueError
        If there is no solution, or one does not show its answer.
    """
    file = folder / "exercises.csv"
    notebooks = sorted(folder.glob("*.ipynb"))
    if not any(map(solved, notebooks)):
        raise ValueError(f"{folder}: no notebook has a cell tagged solution")
    write_text(updated(notebooks, exercises(file) if file.exists() else {}), file)
    return file


def updated(notebooks: Iterable[Path], old: dict[str, Rows] | None = None) -> str:
    """The file of exercises, with the numbers and names that the solutions of notebooks show."""
    known = {name: dict(rows) for name, rows in (exercises() if old is None else old).items()}
    for notebook in notebooks:
        for name, answer in solved(notebook).items():
            rows = known.setdefault(name, {})
            shown = answer if isinstance(answer, dict) else None
            items = list(answer.values()) if shown else answer
            items = items if isinstance(items, list) else [items]
            role = "name" if isinstance(items[0], str) else "value"
            before = rows.get(role, [])
            rows[role] = []
            for n, item in enumerate(items):
                digits = len(str(item).partition(".")[2]) if role == "value" else ""
                row = before[n] if n < len(before) else dict.fromkeys(COLUMNS, "")
                row = {**row, "exercise": name, "role": role}
                row["digits"] = row["digits"] or str(digits)
                row["value"] = f"{item:.{row['digits']}f}" if role == "value" else item
                row["place"] = str(list(shown)[n]) if shown else row["place"]
                rows[role].append(row)
            for role, lines in {"right": 1, "hint": 2}.items():
                blank = dict.fromkeys(COLUMNS, "") | {"exercise": name, "role": role}
                rows.setdefault(role, [dict(blank) for _ in range(lines)])
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for name in sorted(known):
        for role in ("value", "name", "choice", "mistake", "right", "hint"):
            writer.writerows(known[name].get(role, []))
    return text.getvalue()


if __name__ == "__main__":
    print(updated(map(Path, sys.argv[1:])), end="")
