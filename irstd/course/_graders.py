"""Exercises in the forms that nbgrader and otter-grader take, and where they are in a notebook."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

CALL = re.compile(r"""check\(\s*["']([^"']+)["']""")
NOT_FOR_STUDENTS = {"solution", "lecturer"}  # tags of cells that a hand-out does not have


class Exercise(NamedTuple):
    """The cells of an exercise, as they follow one another."""

    name: str
    question: str
    place: Any
    solution: Any
    check: Any

    @property
    def slug(self) -> str:
        return re.sub(r"\W+", "-", self.name)


def find_exercises(notebook: Any) -> list[Exercise]:
    """Exercises of a notebook: a question, a place, a cell tagged solution, one check."""
    found = []
    for n, cell in enumerate(notebook.cells):
        before = notebook.cells[max(n - 3, 0) : n]
        called = CALL.search(cell.source)
        if "check" in tags(cell) and called and len(before) == 3:
            question, place, solution = before
            if "solution" in tags(solution) and place.cell_type == "code":
                found.append(Exercise(called[1], question.source, place, solution, cell))
    return found


def for_nbgrader(notebook: Any, points: int) -> None:
    """Give the cells of the exercises what nbgrader knows them by."""
    for exercise in find_exercises(notebook):
        exercise.place.source = (
            f"answer = ...\n### BEGIN SOLUTION\n{exercise.solution.source}\n### END SOLUTION"
        )
        call = exercise.check.source.strip()
        exercise.check.source = f"verdict = {call}\nassert verdict, verdict\nverdict"
        mark = {"schema_version": 3, "task": False}
        exercise.place.metadata["nbgrader"] = {
            **mark, "grade_id": f"answer-{exercise.slug}",
            "grade": False, "solution": True, "locked": False,
        }  # fmt: skip
        exercise.check.metadata["nbgrader"] = {
            **mark, "grade_id": f"check-{exercise.slug}",
            "grade": True, "solution": False, "locked": True, "points": points,
        }  # fmt: skip
        clear(exercise.place)
        clear(exercise.check)
    drop_solutions(notebook)


def for_otter(notebook: Any, name: str, points: int, files: list[str]) -> None:
    """Put the exercises between the raw cells by which ``otter assign`` finds them."""
    from nbformat.v4 import new_code_cell, new_markdown_cell, new_output, new_raw_cell

    found = {id(exercise.check): exercise for exercise in find_exercises(notebook)}
    cells: list[Any] = []
    for cell in notebook.cells:
        exercise = found.get(id(cell))
        if exercise is None:
            cells.append(cell)
            continue
        answer = exercise.solution.source
        shown = new_output("execute_result", {"text/plain": "True"}, execution_count=1)
        clear(cell)
        cells[-3:] = [
            new_raw_cell(f"# BEGIN QUESTION\nname: q{exercise.slug}\npoints: {points}"),
            new_markdown_cell(exercise.question),
            new_raw_cell("# BEGIN SOLUTION"),
            new_code_cell(f"answer = ...\n# BEGIN SOLUTION\n{answer}\n# END SOLUTION"),
            new_raw_cell("# END SOLUTION"),
            new_raw_cell("# BEGIN TESTS"),
            new_code_cell(f"bool({cell.source.strip()})", outputs=[shown], execution_count=1),
            new_raw_cell("# END TESTS"),
            new_raw_cell("# END QUESTION"),
            cell,
        ]
    notebook.cells = cells
    drop_solutions(notebook)
    head = f"# ASSIGNMENT CONFIG\nname: {name}\nexport_cell: false"
    head += f"\nfiles: [{', '.join(files)}]" if files else ""
    notebook.cells.insert(0, new_raw_cell(head))


def clear(cell: Any) -> None:
    """Take away what a cell showed when it was run."""
    cell.outputs, cell.execution_count = [], None


def drop_solutions(notebook: Any) -> None:
    """Leave out the cells that are not for students: solutions, and what is said of them."""
    notebook.cells = [cell for cell in notebook.cells if not NOT_FOR_STUDENTS & tags(cell)]


def tags(cell: Any) -> set[str]:
    return {*cell.metadata.get("tags", [])}
