"""The course as students get it, and the lecturer's sheet of what they do not get."""

from __future__ import annotations

from pathlib import Path

from irstd._base.arguments import check_choice
from irstd.course import _graders
from irstd.course.lab import BESIDE, HANDOUT, course_folder
from irstd.exercises import exercises

FORMATS = ("jupyter", "nbgrader", "otter")
# What becomes of a link to a lesson: its text, the lesson and the place in it.
LINKS = dict(zip(FORMATS, (r"[\1](\2.ipynb\3)", r"[\1](../\2/\2.ipynb\3)", r"\1"), strict=True))
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
    import nbformat

    check_choice(format, FORMATS, "format")
    source = source or course_folder()
    beside = [name for name in (OWN, *BESIDE) if (source / name).exists()]
    known = exercises(source / OWN if OWN in beside else None)
    contents: dict[Path, bytes] = {}
    if format != "jupyter":
        _graders.read_lessons(source, solved=True)  # or there is nothing to grade
    for file, notebook in _graders.read_lessons(source).items():
        folder = target / "source" / file.stem if format == "nbgrader" else target
        _graders.relink(notebook, LINKS[format])
        if format == "nbgrader":
            _graders.for_nbgrader(notebook, points, known)
        elif format == "otter" and _graders.find_exercises(notebook):
            files = [OWN] if OWN in beside else []
            _graders.for_otter(notebook, file.stem, points, files, known)
        for exercise in _graders.find_exercises(notebook):
            if not exercise.place.source:
                exercise.place.source = "answer = ..."  # or the check would judge that of before
        _graders.drop_solutions(notebook)
        contents[folder / file.name] = (nbformat.writes(notebook) + "\n").encode()
        contents |= {folder / name: (source / name).read_bytes() for name in beside}
    if format == "jupyter":
        contents[target / HANDOUT] = b"Written by irstd student: no solutions are added here.\n"
    for place in contents:
        if place.exists() or place.is_symlink():
            raise FileExistsError(f"{target} holds {place.name} already: give another folder")
    for place, content in contents.items():
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    return [place for place in contents if place.suffix == ".ipynb"]


def solutions_sheet(source: Path | None = None) -> str:
    """Return the lecturer's sheet, as Markdown: exercise, solution, and what the check knows.

    It raises FileNotFoundError or ValueError as `write_student_version` does.
    """
    source = source or course_folder()
    known = exercises(source / OWN if (source / OWN).exists() else None)
    parts = ["# Solutions\n\nFor lecturers. Students have not got this sheet."]
    for file, notebook in _graders.read_lessons(source, solved=True).items():
        parts.append(f"## {file.stem}")
        for name, question, _, solution, _ in _graders.find_exercises(notebook):
            parts += [f"### {name}", question.source, f"```python\n{solution.source}\n```"]
            rows = [row for rows in known.get(name, {}).values() for row in rows]
            parts.append("\n".join(map(_line, rows)))
    return "\n\n".join(parts) + "\n"


def _line(row: dict[str, str]) -> str:
    """What the check knows, as a line of a list."""
    place = f" for {row['place']}" if row["role"] == "mistake" and row["place"] else ""
    value = f" `{row['value']}`" if row["value"] else ""
    return f"- {row['role']}{value}{place}: {row['text']}"
