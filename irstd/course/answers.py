"""The numbers of ``exercises.csv``, taken from what the solutions in the notebooks show.

After a solution has changed and its notebook was executed::

    python -m irstd.course.answers notebooks/0[1-589]*.ipynb > new.csv
    mv new.csv irstd/course/exercises.csv

The lines of a new exercise are made, too, without their texts: fill these in. Mistakes are not
computed: mind those whose numbers have changed.
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

from irstd.course.exercises import COLUMNS, exercises


def solved(notebook: Path) -> dict[str, Any]:
    """What the solutions of a notebook show, by exercise."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    shown = [
        "".join(output["data"]["text/plain"])
        for cell in cells
        if "solution" in cell["metadata"].get("tags", [])
        for output in cell["outputs"]
        if output["output_type"] == "execute_result"
    ]
    return {f"{notebook.name[:2]}.{n}": ast.literal_eval(s) for n, s in enumerate(shown, start=1)}


def updated(notebooks: Iterable[Path]) -> str:
    """The data file, with the numbers and names that the solutions of these notebooks show."""
    known = {name: dict(rows) for name, rows in exercises().items()}
    for notebook in notebooks:
        for name, answer in solved(notebook).items():
            rows = known.setdefault(name, {})
            shown = answer if isinstance(answer, dict) else None
            items = list(answer.values()) if shown else answer
            items = items if isinstance(items, list) else [items]
            role = "name" if isinstance(items[0], str) else "value"
            old = rows.get(role, [])
            rows[role] = []
            for n, item in enumerate(items):
                digits = len(str(item).partition(".")[2]) if role == "value" else ""
                row = old[n] if n < len(old) else dict.fromkeys(COLUMNS, "")
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
