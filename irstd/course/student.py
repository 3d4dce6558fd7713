"""The course as students get it, and the lecturer's sheet of what they do not get."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from irstd._base.arguments import check_choice
from irstd._base.messages import needed
from irstd.course import _graders
from irstd.course.lab import BESIDE, HANDOUT, course_folder
from irstd.exercises import Rows, exercises
from irstd.trec.files import write_files

FORMATS = ("jupyter", "nbgrader", "otter")
# What becomes of a link to a lesson: its text, the lesson and the place in it.
LINKS = {
    "jupyter": r"[\1](\2.ipynb\3)",
    "nbgrader": r"[\1](../\2/\2.ipynb\3)",
    "otter": r"\1",
}
OWN = "exercises.csv"  # of exercises of one's own, beside the notebooks


def write_student_version(
    target: Path, source: Path | None = None, *, format: str = "jupyter", points: int = 1
) -> list[Path]:
    """Write the notebooks of the course without their solutions, or as assignments.

    Cells tagged ``solution`` and ``lecturer`` are left out, and what checks have said; all other
    outputs stay. `irstd lab` adds nothing to the folder. Files that notebooks read go with them.

    Parameters
    ----------
    target : Path
        A folder; it is made if it is not there.
    source : Path, optional
        Notebooks of your own; by default those of this installation.
    format : {"jupyter", "nbgrader", "otter"}
        For a grader, the solutions stay, as it takes them out itself. "nbgrader" writes
        ``source/LESSON/LESSON.ipynb``, and links lead there; for "otter" they become text.
    points : int, default 1
        Of each exercise, for a grader.

    Raises
    ------
    FileExistsError, FileNotFoundError, ValueError
        If `target` has a file of the same name, or `source` no notebook that can be used.
    """
    check_choice(format, FORMATS, "format")
    if source is None:
        source = course_folder()
    if format != "jupyter":
        _graders.read_lessons(source, solved=True)  # or there is nothing to grade
    own = _own_exercises(source)
    handed = own.read_bytes() if own else None
    return hand_out(target, source, format, points, known=exercises(own), own=handed)


def hand_out(
    target: Path,
    source: Path,
    format: str,
    points: int,
    *,
    known: dict[str, Rows],
    own: bytes | None = None,
    others: Mapping[str, Mapping[int, Rows]] = MappingProxyType({}),
) -> list[Path]:
    """Write the notebooks of a folder for students.

    `known` is what is expected, `own` a file of exercises that goes beside the notebooks, and
    `others` what other variants of an exercise expect, by their numbers, for graders.
    """
    beside = {name: (source / name).read_bytes() for name in BESIDE if (source / name).exists()}
    if own is not None:
        beside[OWN] = own
    contents: dict[Path, bytes] = {}
    for file, notebook in _graders.read_lessons(source).items():
        folder = target
        if format == "nbgrader":
            folder = target / "source" / file.stem
        _graders.relink(notebook, LINKS[format])
        _prepare(notebook, file.stem, format, points, known, [OWN] if own else [], others)
        contents[folder / file.name] = _as_bytes(notebook)
        for name, content in beside.items():
            contents[folder / name] = content
    if format == "jupyter":
        contents[target / HANDOUT] = b"Written by irstd student: no solutions are added here.\n"
    _write_new(contents, target)
    return [place for place in contents if place.suffix == ".ipynb"]


def _own_exercises(source: Path) -> Path | None:
    """The file of exercises of one's own, if there is one."""
    file = source / OWN
    if file.exists():
        return file
    return None


def _prepare(
    notebook: Any,
    lesson: str,
    format: str,
    points: int,
    known: dict[str, Rows],
    files: list[str],
    others: Mapping[str, Mapping[int, Rows]],
) -> None:
    """Make the notebook of a lecturer that of a student."""
    in_notebook = _graders.find_exercises(notebook)
    hidden = {}
    for exercise in in_notebook:
        if format != "jupyter":
            of_others = others.get(exercise.name, {})
            hidden[exercise.name] = _graders.hidden_test(known[exercise.name], of_others)
    if format == "nbgrader":
        _graders.for_nbgrader(notebook, points, hidden)
    elif format == "otter" and in_notebook:
        _graders.for_otter(notebook, lesson, points, files, hidden)
    for exercise in _graders.find_exercises(notebook):
        if not exercise.place.source:
            exercise.place.source = "answer = ..."  # or the check would judge that of before
    _graders.drop_solutions(notebook)


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
    if source is None:
        source = course_folder()
    known = exercises(_own_exercises(source))
    parts = ["# Solutions\n\nFor lecturers. Students have not got this sheet."]
    for file, notebook in _graders.read_lessons(source, solved=True).items():
        parts.append(f"## {file.stem}")
        for exercise in _graders.find_exercises(notebook):
            parts.append(f"### {exercise.name}")
            parts.append(exercise.question.source)
            parts.append(f"```python\n{exercise.solution.source}\n```")
            lines = []
            for rows in known.get(exercise.name, {}).values():
                lines += [_line(row) for row in rows]
            parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def _line(row: dict[str, str]) -> str:
    """What the check knows, as a line of a list."""
    known = row["role"]
    if row["value"]:
        known += f" `{row['value']}`"
    if row["role"] == "mistake" and row["place"]:
        known += f" for {row['place']}"
    return f"- {known}: {row['text']}"
