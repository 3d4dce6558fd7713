"""Exercises in notebooks: where they are, and in the form that nbgrader takes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

from irstd._base.arguments import check_choice
from irstd.exercises import Rows, Solution, variable

CALL = re.compile(r"""check\(\s*["']([^"']+)["']""")
# A fresh copy of the check, which nothing that a student wrote can have replaced.
HIDDEN = """\
import importlib.util, runpy
judge = runpy.run_path(importlib.util.find_spec("irstd.exercises").origin)
fault = judge["fault_of"]({}, {})
assert fault is None, "not the answer asked for"
"""
NOT_FOR_STUDENTS = {"solution", "lecturer"}  # tags of cells that a hand-out does not have


class Exercise(NamedTuple):
    """The cells of an exercise, as they follow one another."""

    name: str
    question: Any
    place: Any
    check: Any


def read_lessons(folder: Path, name: str = "*", *, with_exercises: bool = False) -> dict[Path, Any]:
    """The notebooks of a folder; those with exercises, if only these are asked for."""
    import nbformat

    notebooks = {}
    for file in sorted(folder.glob(f"{name}.ipynb")):
        try:
            notebook = nbformat.read(file, as_version=4)
        except Exception as error:  # of nbformat, jsonschema, json
            raise ValueError(f"{file}: cannot be read as a notebook ({error})") from error
        if not with_exercises or find_exercises(notebook):
            notebooks[file] = notebook
    if not notebooks:
        sought = " with a cell tagged check after a question and a place" * with_exercises
        raise FileNotFoundError(f"{folder}: there are no notebooks ({name}.ipynb){sought}")
    return notebooks


def find_exercises(notebook: Any) -> list[Exercise]:
    """Exercises of a notebook: a question, a place for the answer, one cell tagged check."""
    found = []
    cells = notebook.cells
    for question, place, check in zip(cells, cells[1:], cells[2:], strict=False):
        called = CALL.search(check.source)
        if called and "check" in tags(check) and question.cell_type != place.cell_type == "code":
            found.append(Exercise(called[1], question, place, check))
    return found


def for_nbgrader(
    notebook: Any, points: int, known: dict[str, Rows], solutions: dict[str, Solution]
) -> None:
    """Give the cells of the exercises what nbgrader knows them by, and their solutions."""
    for name, _, place, check in find_exercises(notebook):
        both = sorted(known.keys() & solutions.keys())
        check_choice(name, both, "an exercise with an answer and a solution")
        place.source = (
            f"{variable(name)} = ...\n### BEGIN SOLUTION\n{solutions[name]}\n### END SOLUTION"
        )
        verdict = f"verdict = {check.source.strip()}\nassert verdict, verdict"
        expected = {role: known[name][role] for role in ("value", "name") if role in known[name]}
        hidden = HIDDEN.format(variable(name), expected)
        test = f"### BEGIN HIDDEN TESTS\n{hidden}### END HIDDEN TESTS"
        check.source = f"{verdict}\n{test}\nverdict"
        as_place = {"grade": False, "solution": True, "locked": False, "task": False}
        as_check = {"grade": True, "solution": False, "locked": True, "task": False}
        key = variable(name)
        place.metadata["nbgrader"] = as_place | {"schema_version": 3, "grade_id": key}
        graded = {"schema_version": 3, "grade_id": f"check_{key}", "points": points}
        check.metadata["nbgrader"] = as_check | graded


def drop_solutions(notebook: Any) -> None:
    """Leave out what is not for students: cells tagged so, and what checks have said."""
    notebook.cells = [cell for cell in notebook.cells if not NOT_FOR_STUDENTS & tags(cell)]
    for cell in notebook.cells:
        if "check" in tags(cell):
            cell.outputs, cell.execution_count = [], None


def relink(notebook: Any, link: str) -> None:
    """Write links to other notebooks of the folder in another way."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = re.sub(r"\[([^]]+)\]\((\w+)\.ipynb(#[^)]*)?\)", link, cell.source)


def tags(cell: Any) -> set[str]:
    return {*cell.metadata.get("tags", [])}
