"""Lessons for students: hand-outs, assignments for nbgrader; the lecturer's sheet of solutions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from irstd._base.arguments import check_choice
from irstd._base.messages import needed
from irstd.course._page import tags
from irstd.course.lab import HANDOUT, beside, course_folder, hide_answers
from irstd.exercises import SOLUTIONS, Rows, Solution, exercises, goals, solutions, variable
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
PREDICTED = re.compile(r"""predict\(["']([^"']+)""")
CALL = re.compile(r"""check\(\s*["']([^"']+)["']""")
# A fresh copy of the check, which nothing that a student wrote can have replaced.
HIDDEN = """\
import importlib.util, runpy
judge = runpy.run_path(importlib.util.find_spec("irstd.exercises").origin)
fault = judge["fault_of"]({}, {})
assert fault is None, "not the answer asked for"
"""
NBGRADER_CONFIG = r"""c = get_config()
# Submissions as Moodle and Canvas name them.
c.FileNameCollectorPlugin.named_regexp = (
    r".*/(?P<student_id>[^/_]+)_(?:.*[_/])?(?P<file_id>\d\d_[a-z][a-z_]*)[^/]*\.ipynb"
)
# Feedback without hidden tests: they hold the answers.
c.GenerateFeedback.preprocessors = [
    "nbgrader.preprocessors.GetGrades",
    "nbgrader.preprocessors.ClearHiddenTests",
    "nbconvert.preprocessors.CSSHTMLHeaderPreprocessor",
]
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
        check.source = f"{verdict}\n{test}\nprint(verdict)"
        as_place = {"grade": False, "solution": True, "locked": False, "task": False}
        as_check = {"grade": True, "solution": False, "locked": True, "task": False}
        key = variable(name)
        place.metadata["nbgrader"] = as_place | {"schema_version": 3, "grade_id": key}
        graded = {"schema_version": 3, "grade_id": f"check_{key}", "points": points}
        check.metadata["nbgrader"] = as_check | graded


def drop_solutions(notebook: Any) -> None:
    """Leave out what is not for students: cells tagged so, and what checks have said."""
    notebook.cells = [cell for cell in notebook.cells if not NOT_FOR_STUDENTS & {*tags(cell)}]
    for cell in notebook.cells:
        if "check" in tags(cell):
            cell.outputs, cell.execution_count = [], None


def relink(notebook: Any, link: str) -> None:
    """Write links to other notebooks of the folder in another way."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = re.sub(r"\[([^]]+)\]\((\w+)\.ipynb(#[^)]*)?\)", link, cell.source)


def write_student_version(
    target: Path, source: Path | None = None, *, format: str = "jupyter", points: int = 1
) -> list[Path]:
    """Write the notebooks of the course for students, or as assignments for nbgrader.

    Cells tagged ``lecturer`` are left out, and what checks and the cells below a prediction have
    shown; all other outputs stay.
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
        itself, and links lead there; and ``nbgrader_config.py``, if there is none.
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
    lessons = read_lessons(source)
    read = beside(source)
    if own is not None:
        read[Path(OWN)] = own.read_bytes()
    contents: dict[Path, bytes] = {}
    if format == "nbgrader":
        read_lessons(source, with_exercises=True)  # or there is nothing to grade
        known, solved = exercises(own), solutions(folder)
        settings = target / "nbgrader_config.py"
        if not settings.exists():
            contents[settings] = NBGRADER_CONFIG.encode()
    for file, notebook in lessons.items():
        place = target
        if format == "nbgrader":
            place = target / "source" / file.stem
            relink(notebook, NBGRADER_LINK)
            for_nbgrader(notebook, points, known, solved)
        drop_solutions(notebook)
        hide_answers(notebook)
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
    """Return the lecturer's sheet, as Markdown: predictions, exercises, solutions, known mistakes.

    It raises FileNotFoundError or ValueError as `write_student_version` does.
    """
    own, folder = own_exercises(source)
    known, solved = exercises(own), solutions(folder)
    parts = ["# Solutions", OPEN]
    for file, notebook in read_lessons(source or course_folder()).items():
        parts.append(f"## {file.stem}")
        for name in (match for cell in notebook.cells for match in PREDICTED.findall(cell.source)):
            parts.append(_prediction_text(name))
        for exercise in find_exercises(notebook):
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


def _prediction_text(name: str) -> str:
    """Return a prediction with what its card says of each option."""
    card = needed("irstd.widgets.prediction").predictions()[name]
    lines = [f"**Predict {name}.** {card.question}", ""]
    for option, is_right, said in card.options:
        lines.append(f"- {option}: {'**yes.**' if is_right else 'no.'} {said}")
    return "\n".join(lines)


def _line(row: dict[str, str]) -> str:
    """What the check knows, as a line of a list."""
    known = " ".join(filter(None, [row["role"], row["place"], row["value"]]))
    return f"- {known}: {row['text']}"
