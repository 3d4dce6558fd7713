"""The course as students get it, and the lecturer's sheet of what they do not get."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from irstd._checks import check_choice, check_count
from irstd.course._graders import (
    clear,
    drop_solutions,
    find_exercises,
    for_nbgrader,
    for_otter,
    tags,
)
from irstd.course.exercises import COLUMNS, exercises
from irstd.course.lab import BESIDE, HANDOUT, course_folder
from irstd.trec._write import write_bytes, write_text

FORMATS = ("jupyter", "nbgrader", "otter")
OWN = "exercises.csv"  # of exercises of one's own, beside the notebooks


def write_student_version(
    target: Path, source: Path | None = None, *, format: str = "jupyter", points: int = 1
) -> list[Path]:
    """Write the notebooks of the course without their solutions, or as assignments.

    Cells tagged ``solution`` (and ``lecturer``: what is said of solutions) are left out. Each
    exercise keeps its question, one cell for the answer and its check, whose output is cleared. All
    other outputs stay, so that the notebooks can be read before they are run. `irstd lab` copies
    nothing to the folder.

    Parameters
    ----------
    target : Path
        A folder; it is made if it is not there.
    source : Path, optional
        The course, or notebooks of your own; by default those of this installation. A file
        ``exercises.csv`` in it, with exercises of your own, goes with them.
    format : {"jupyter", "nbgrader", "otter"}
        "nbgrader" writes ``source/LESSON/LESSON.ipynb``, for ``nbgrader generate_assignment
        LESSON`` in `target`; "otter" writes ``LESSON.ipynb``, for ``otter assign``. Both are for
        the lecturer: they hold the solutions, which these tools take out, and only the notebooks
        that have exercises.
    points : int, default 1
        Of each exercise, for nbgrader and otter-grader.

    Returns
    -------
    list of Path
        The notebooks written.

    Raises
    ------
    FileNotFoundError
        If `source` has no notebooks, or none with exercises to grade.
    FileExistsError
        If a notebook of the same name is in `target`: somebody may have worked on it.
    """
    import nbformat

    check_choice(format, FORMATS, "format")
    check_count(points, "points")
    source = source or course_folder()
    files = sorted(source.glob("*.ipynb"))
    if not files:
        raise FileNotFoundError(f"{source}: there are no notebooks (*.ipynb) in this folder")
    notebooks: dict[Path, Any] = {}
    for file in files:
        notebook = nbformat.read(file, as_version=4)
        place = target / file.name
        if format == "jupyter":
            _take_solutions_out(notebook)
        elif not find_exercises(notebook):
            continue
        elif format == "nbgrader":
            for_nbgrader(notebook, points)
            place = target / "source" / file.stem / file.name
        else:
            for_otter(notebook, file.stem, points, [OWN] if (source / OWN).exists() else [])
        notebooks[place] = notebook
    if not notebooks:
        raise FileNotFoundError(f"{source}: no notebook has a cell tagged check after a solution")
    there = [place for place in notebooks if place.exists()]
    if there:
        raise FileExistsError(f"{target} holds {there[0].name} already: give another folder")
    target.mkdir(parents=True, exist_ok=True)
    if format == "jupyter":
        write_text("Written by irstd student: no solutions are added here.\n", target / HANDOUT)
    for place, notebook in notebooks.items():
        place.parent.mkdir(parents=True, exist_ok=True)
        write_text(nbformat.writes(notebook) + "\n", place)
        for name in (OWN, *BESIDE):
            if (source / name).exists():
                write_bytes((source / name).read_bytes(), place.parent / name)
    return list(notebooks)


def _take_solutions_out(notebook: Any) -> None:
    for exercise in find_exercises(notebook):
        if not exercise.place.source:
            exercise.place.source = "answer = ..."  # or the check would judge the answer of before
    drop_solutions(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code" and "check" in tags(cell):
            clear(cell)


def solutions_sheet(source: Path | None = None) -> str:
    """Return the lecturer's sheet: of each exercise the solution, the numbers and the mistakes.

    Parameters
    ----------
    source : Path, optional
        The course, or notebooks of your own; by default those of this installation.

    Returns
    -------
    str
        Markdown, with a part per notebook and exercise.

    Raises
    ------
    FileNotFoundError
        If no notebook in `source` has exercises.
    """
    import nbformat

    source = source or course_folder()
    known = exercises(source / OWN if (source / OWN).exists() else None)
    parts = ["# Solutions\n\nFor lecturers. Students have not got this sheet."]
    for file in sorted(source.glob("*.ipynb")):
        found = find_exercises(nbformat.read(file, as_version=4))
        parts += [f"## {file.stem}"] if found else []
        for exercise in found:
            parts += [f"### {exercise.name}", exercise.question]
            parts.append(f"```python\n{exercise.solution.source}\n```")
            parts += _rows(known.get(exercise.name, {}))
    if len(parts) == 1:
        raise FileNotFoundError(f"{source}: no notebook has a cell tagged check after a solution")
    return "\n\n".join(parts) + "\n"


def _rows(rows: dict[str, list[dict[str, str]]]) -> list[str]:
    """What the check knows of an exercise, as lists."""
    blank = dict.fromkeys(COLUMNS, "")
    asked = [blank | row for role in ("value", "name") for row in rows.get(role, [])]
    lists = {
        "Answer": [f"`{row['value']}` {row['text']}".strip() for row in asked],
        "Mistakes that the check knows": [
            f"`{row['value']}`{' for ' + row['place'] if len(asked) > 1 else ''}: {row['text']}"
            for row in rows.get("mistake", [])
        ],
        "Said when right": [row["text"] for row in rows.get("right", []) if row["text"]],
        "Hints": [row["text"] for row in rows.get("hint", []) if row["text"]],
    }
    return [
        f"{title}:\n\n" + "\n".join(f"- {line}" for line in lines)
        for title, lines in lists.items()
        if lines
    ]
