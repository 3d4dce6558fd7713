"""Exercises in notebooks: where they are, and in the forms that nbgrader and otter-grader take."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from irstd.exercises import Rows

CALL = re.compile(r"""check\(\s*["']([^"']+)["']""")
# A fresh copy of the check, which nothing that a student wrote can have replaced.
HIDDEN = """\
import importlib.util, runpy
judge = runpy.run_path(importlib.util.find_spec("irstd.exercises").origin)
fault = judge["fault_of"](answer, {})
assert fault is None, "not the answer asked for"
"""
# And where others have other variants, whose answer it is.
COPIED = """\
import importlib.util, runpy
judge = runpy.run_path(importlib.util.find_spec("irstd.exercises").origin)
fault = judge["fault_of"](answer, {})
others = {}
whose = [variant for variant, rows in others.items() if judge["fault_of"](answer, rows) is None]
said = f"the answer of variant {{whose[0]}}" if whose else "not the answer asked for"
assert fault is None, said
"""
NOT_FOR_STUDENTS = {"solution", "lecturer"}  # tags of cells that a hand-out does not have


class Exercise(NamedTuple):
    """The cells of an exercise, as they follow one another."""

    name: str
    question: Any
    place: Any
    solution: Any
    check: Any


def read_lessons(folder: Path, *, solved: bool = False) -> dict[Path, Any]:
    """The notebooks of a folder; those with exercises, if only what is `solved` is asked for."""
    import nbformat

    notebooks = {}
    for file in sorted(folder.glob("*.ipynb")):
        try:
            notebook = nbformat.read(file, as_version=4)
        except Exception as error:  # of nbformat, jsonschema, json
            raise ValueError(f"{file}: cannot be read as a notebook ({error})") from error
        if not solved or find_exercises(notebook):
            notebooks[file] = notebook
    if not notebooks:
        sought = " with a cell tagged check after a solution" * solved
        raise FileNotFoundError(f"{folder}: there are no notebooks (*.ipynb){sought}")
    return notebooks


def find_exercises(notebook: Any) -> list[Exercise]:
    """Exercises of a notebook: a question, a place, a cell tagged solution, one check."""
    found = []
    for cells in zip(*(notebook.cells[n:] for n in range(4)), strict=False):
        called = CALL.search(cells[3].source)
        tagged = "check" in tags(cells[3]) and "solution" in tags(cells[2])
        if called and tagged and cells[1].cell_type == "code":
            found.append(Exercise(called[1], *cells))
    return found


def for_nbgrader(notebook: Any, points: int, hidden: dict[str, str]) -> None:
    """Give the cells of the exercises what nbgrader knows them by."""
    for name, _, place, solution, check in find_exercises(notebook):
        place.source = f"answer = ...\n### BEGIN SOLUTION\n{solution.source}\n### END SOLUTION"
        test = f"### BEGIN HIDDEN TESTS\n{hidden[name]}### END HIDDEN TESTS"
        check.source = f"{_asserted(check)}\n{test}\nverdict"
        for cell, graded in ((place, False), (check, True)):
            key = re.sub(r"\W+", "-", f"{'check' if graded else 'answer'}-{name}")
            kind = {"grade": graded, "solution": not graded, "locked": graded, "task": False}
            worth = {"points": points} if graded else {}
            cell.metadata["nbgrader"] = {"schema_version": 3, "grade_id": key} | kind | worth


def for_otter(
    notebook: Any, name: str, points: int, files: list[str], hidden: dict[str, str]
) -> None:
    """Put the exercises between the raw cells by which ``otter assign`` finds them."""
    from nbformat.v4 import new_code_cell, new_raw_cell

    for exercise in find_exercises(notebook):
        at = notebook.cells.index(exercise.question)
        slug = re.sub(r"\W+", "-", exercise.name)
        solution = f"answer = ...\n# BEGIN SOLUTION\n{exercise.solution.source}\n# END SOLUTION"
        notebook.cells[at : at + 3] = [
            new_raw_cell(f"# BEGIN QUESTION\nname: q{slug}\npoints: [0, {points}]"),
            exercise.question,
            new_raw_cell("# BEGIN SOLUTION"),
            new_code_cell(solution),
            *map(new_raw_cell, ["# END SOLUTION", "# BEGIN TESTS"]),
            new_code_cell(_asserted(exercise.check)),
            new_code_cell(f"# HIDDEN\n{hidden[exercise.name]}"),
            *map(new_raw_cell, ["# END TESTS", "# END QUESTION"]),
        ]
    head = f"# ASSIGNMENT CONFIG\nname: {name}\nexport_cell: false"
    head += f"\nfiles: [{', '.join(files)}]" if files else ""
    notebook.cells.insert(0, new_raw_cell(head))


def _asserted(check: Any) -> str:
    """The check, as a test that fails with its sentence."""
    return f"verdict = {check.source.strip()}\nassert verdict, verdict"


def hidden_test(rows: Rows, others: Mapping[int, Rows]) -> str:
    """The test that students do not see: of what is expected, and of what other variants expect."""
    expected = _expected(rows)
    if not others:
        return HIDDEN.format(expected)
    return COPIED.format(expected, {variant: _expected(of) for variant, of in others.items()})


def _expected(rows: Rows) -> Rows:
    return {role: rows[role] for role in ("value", "name") if role in rows}


def drop_solutions(notebook: Any) -> None:
    """Leave out what is not for students: solutions, what is said of them, what checks said."""
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
