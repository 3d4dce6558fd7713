"""The course as students get it, and the lecturer's sheet of what they do not get."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from irstd._base.arguments import check_choice
from irstd._base.messages import needed
from irstd.course import _graders
from irstd.course.lab import HANDOUT, beside, course_folder
from irstd.exercises import SOLUTIONS, exercises, goals, solutions
from irstd.trec.disk import write_files

FORMATS = ("jupyter", "nbgrader")
NBGRADER_LINK = r"[\1](../\2/\2.ipynb\3)"  # its text, the lesson and the place in it
OWN = "exercises.csv"  # of exercises of one's own, beside the notebooks
OPEN = (
    "Answers are open. Those of the course are in irstd itself: `irstd.solution` shows solutions to"
    " whoever types it, and `exercises.csv`, as that beside your own lessons, has all answers. So"
    " points for exercises are points for having worked through them; for a mark, ask what has no"
    " check."
)


def write_student_version(
    target: Path, source: Path | None = None, *, format: str = "jupyter", points: int = 1
) -> list[Path]:
    """Write the notebooks of the course for students, or as assignments for nbgrader.

    Cells tagged ``lecturer`` are left out, and what checks have said; all other outputs stay.
    `irstd lab` adds nothing to the folder. Files that notebooks read go with them; solutions do
    not. (Those of the course are in irstd, open to whoever types `irstd.solution`.)

    Parameters
    ----------
    target : Path
        A folder, which is made if it is not there; a new one, or that of a course of nbgrader.
    source : Path, optional
        Notebooks of your own; by default those of this installation.
    format : {"jupyter", "nbgrader"}
        "nbgrader" writes ``source/LESSON/LESSON.ipynb``, with the solutions, as it takes them out
        itself, and links lead there.
    points : int, default 1
        Of each exercise, for nbgrader.

    Raises
    ------
    FileExistsError, FileNotFoundError, ValueError
        If `target` has other files (of nbgrader: one of the same name), or `source` no notebook
        that can be used, or an exercise no solution that nbgrader could get.
    """
    check_choice(format, FORMATS, "format")
    own, folder = own_exercises(source)
    source = source or course_folder()
    lessons = _graders.read_lessons(source)
    read = beside(source)
    if own is not None:
        read[Path(OWN)] = own.read_bytes()
    contents: dict[Path, bytes] = {}
    if format == "nbgrader":
        _graders.read_lessons(source, with_exercises=True)  # or there is nothing to grade
        known, solved = exercises(own), solutions(folder)
    for file, notebook in lessons.items():
        place = target
        if format == "nbgrader":
            place = target / "source" / file.stem
            _graders.relink(notebook, NBGRADER_LINK)
            _graders.for_nbgrader(notebook, points, known, solved)
        _graders.drop_solutions(notebook)
        contents[place / file.name] = _as_bytes(notebook)
        for name, content in read.items():
            contents[place / name] = content
    if format == "jupyter":
        if any(target.glob("*")):
            raise FileExistsError(f"{target} holds other files: give another folder")
        contents[target / HANDOUT] = b"Written by irstd student: no solutions are added here.\n"
    _write_new(contents, target)
    return [place for place in contents if place.suffix == ".ipynb"]


def own_exercises(source: Path | None) -> tuple[Path | None, Path]:
    """The file of exercises of one's own, if there is one, and the folder of solutions."""
    if source is None:
        return None, SOLUTIONS
    file = source / OWN
    return (file if file.exists() else None), source / "solutions"


def _as_bytes(notebook: Any) -> bytes:
    """A notebook as it is in a file."""
    text = needed("nbformat").writes(notebook)
    return f"{text}\n".encode()


def _write_new(contents: Mapping[Path, bytes], target: Path) -> None:
    """Write files that are not there yet; none if one is."""
    for place in contents:
        if place.exists() or place.is_symlink():
            raise FileExistsError(f"{target} holds {place.name} already: give another folder")
    for place in contents:
        place.parent.mkdir(parents=True, exist_ok=True)
    write_files(contents)


def solutions_sheet(source: Path | None = None) -> str:
    """Return the lecturer's sheet, as Markdown: exercise, solution, and what the check knows.

    It raises FileNotFoundError or ValueError as `write_student_version` does.
    """
    own, folder = own_exercises(source)
    known, solved = exercises(own), solutions(folder)
    parts = ["# Solutions", OPEN]
    lessons = _graders.read_lessons(source or course_folder(), with_exercises=True)
    for file, notebook in lessons.items():
        parts.append(f"## {file.stem}")
        for exercise in _graders.find_exercises(notebook):
            parts += [f"### {exercise.name}", exercise.question.source]
            if source is None:
                goal = goals()[exercise.name]
                parts.append(f"*To {goal['goal']}* ({goal['minutes']} minutes).")
            if exercise.name in solved:
                parts.append(solved[exercise.name]._repr_markdown_())
            lines = []
            for rows in known.get(exercise.name, {}).values():
                lines += [_line(row) for row in rows]
            parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def _line(row: dict[str, str]) -> str:
    """What the check knows, as a line of a list."""
    known = " ".join(filter(None, [row["role"], row["place"], row["value"]]))
    return f"- {known}: {row['text']}"
