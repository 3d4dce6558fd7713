"""Hand-outs for students, nbgrader assignments, and solutions for lecturers."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from irstd._base.arguments import check_choice
from irstd._base.messages import import_optional
from irstd.course._page import get_tags
from irstd.course.lab import HANDOUT, encode_notebook, find_course_folder, read_data_files
from irstd.exercises import (
    SOLUTIONS,
    Rows,
    Solution,
    name_answer_variable,
    read_exercises,
    read_goals,
    read_solutions,
)
from irstd.trec.disk import write_files

FORMATS = ("jupyter", "nbgrader")
NBGRADER_LINK = r"[\1](../\2/\2.ipynb\3)"  # text, lesson and anchor of a link
OWN = "exercises.csv"  # the lecturer's exercises, beside the notebooks
OPEN = (
    "Answers are open. Those of the course are in irstd itself: `irstd.solution` shows solutions to"
    " whoever types it, and `exercises.csv`, as that beside your own lessons, has all answers. So"
    " points for exercises are points for having worked through them; for a mark, ask what has no"
    " check."
)
PREDICTED = re.compile(r"""predict\(["']([^"']+)""")
CALL = re.compile(r"""check\(\s*["']([^"']+)["']""")
# A fresh import of the check, in case a student's code has replaced it.
HIDDEN = """\
import importlib.util, runpy
judge = runpy.run_path(importlib.util.find_spec("irstd.exercises").origin)
fault = judge["explain_fault"]({}, {})
assert fault is None, "not the expected answer"
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
NOT_FOR_STUDENTS = {"solution", "lecturer"}  # tags of cells left out of hand-outs


class Exercise(NamedTuple):
    """Cells of an exercise: question, answer and check."""

    name: str
    question: Any
    place: Any
    check: Any


def read_lessons(folder: Path) -> dict[Path, Any]:
    """Read the notebooks in a folder."""
    read = import_optional("nbformat").read
    notebooks = {}
    for file in sorted(folder.glob("*.ipynb")):
        try:
            notebooks[file] = read(file, as_version=4)
        except Exception as error:  # of nbformat, jsonschema, json
            raise ValueError(f"{file}: cannot be read as a notebook ({error})") from error
    if not notebooks:
        raise FileNotFoundError(f"{folder}: has no notebooks (*.ipynb)")
    return notebooks


def find_exercises(notebook: Any) -> list[Exercise]:
    """Return the exercises of a notebook: question, answer and check."""
    exercises = []
    cells = notebook.cells
    for question, place, check in zip(cells, cells[1:], cells[2:], strict=False):
        called = CALL.search(check.source)
        if (
            called
            and "check" in get_tags(check)
            and question.cell_type != place.cell_type == "code"
        ):
            exercises.append(Exercise(called[1], question, place, check))
    return exercises


def prepare_for_nbgrader(
    notebook: Any, points: int, known: dict[str, Rows], solutions: dict[str, Solution]
) -> None:
    """Add solutions, hidden tests and nbgrader metadata to the exercises."""
    for name, _, place, check in find_exercises(notebook):
        solvable = sorted(known.keys() & solutions.keys())
        check_choice(name, solvable, "an exercise with an answer and a solution")
        key = name_answer_variable(name)
        place.source = f"{key} = ...\n### BEGIN SOLUTION\n{solutions[name]}\n### END SOLUTION"
        verdict = f"verdict = {check.source.strip()}\nassert verdict, verdict"
        expected = {role: known[name][role] for role in ("value", "name") if role in known[name]}
        hidden = HIDDEN.format(key, expected)
        test = f"### BEGIN HIDDEN TESTS\n{hidden}### END HIDDEN TESTS"
        check.source = f"{verdict}\n{test}\nprint(verdict)"
        metadata = {"schema_version": 3, "grade_id": key, "task": False}
        place.metadata["nbgrader"] = metadata | {"grade": False, "solution": True, "locked": False}
        metadata |= {"grade_id": f"check_{key}", "points": points}
        check.metadata["nbgrader"] = metadata | {"grade": True, "solution": False, "locked": True}


def drop_solutions(notebook: Any) -> None:
    """Remove cells that are not for students, and outputs of checks."""
    notebook.cells = [cell for cell in notebook.cells if not NOT_FOR_STUDENTS & {*get_tags(cell)}]
    for cell in notebook.cells:
        if "check" in get_tags(cell):
            cell.outputs, cell.execution_count = [], None


def rewrite_links(notebook: Any, link: str) -> None:
    """Rewrite links between the notebooks of a folder."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = re.sub(r"\[([^]]+)\]\((\w+)\.ipynb(#[^)]*)?\)", link, cell.source)


def write_student_version(
    target: Path, source: Path | None = None, *, format: str = "jupyter", points: int = 1
) -> list[Path]:
    """Write the notebooks for students, or as nbgrader assignments.

    Cells tagged ``lecturer`` are left out, as are the outputs of checks and of the cells below a
    prediction. Data files are copied, solutions are not; those of the course are open to everybody
    by `irstd.solution`. `irstd lab` adds nothing to the folder.

    Parameters
    ----------
    target : Path
        A new folder, or that of an nbgrader course; created if missing.
    source : Path, optional
        Folder of your own notebooks; by default, those of this installation.
    format : {"jupyter", "nbgrader"}
        "nbgrader" writes ``source/LESSON/LESSON.ipynb`` with solutions, which nbgrader removes, and
        ``nbgrader_config.py`` if there is none.
    points : int, default 1
        Points per exercise, for nbgrader.

    Returns
    -------
    list of Path
        The notebooks written.

    Raises
    ------
    FileExistsError, FileNotFoundError, ValueError
        If `target` has other files (for nbgrader: of the same name), `source` has no usable
        notebook, or an exercise has no solution for nbgrader.
    """
    check_choice(format, FORMATS, "format")
    own, folder = find_own_exercises(source)
    source = source or find_course_folder()
    lessons = read_lessons(source)
    data_files = read_data_files(source)
    if own is not None:
        data_files[Path(OWN)] = own.read_bytes()
    contents: dict[Path, bytes] = {}
    if format == "nbgrader":
        if not any(map(find_exercises, lessons.values())):
            raise FileNotFoundError(f"{source}: no notebook has an exercise with answer and check")
        known, solved = read_exercises(own), read_solutions(folder)
        settings = target / "nbgrader_config.py"
        if not settings.exists():
            contents[settings] = NBGRADER_CONFIG.encode()
    for file, notebook in lessons.items():
        lesson_folder = target
        if format == "nbgrader":
            lesson_folder = target / "source" / file.stem
            rewrite_links(notebook, NBGRADER_LINK)
            prepare_for_nbgrader(notebook, points, known, solved)
        drop_solutions(notebook)
        contents[lesson_folder / file.name] = encode_notebook(notebook)
        for name, content in data_files.items():
            contents[lesson_folder / name] = content
    if format == "jupyter":
        if any(target.glob("*")):
            raise FileExistsError(f"{target}: holds other files; choose another folder")
        contents[target / HANDOUT] = b"Written by irstd student: no solutions are added here.\n"
    _write_new(contents, target)
    return [path for path in contents if path.suffix == ".ipynb"]


def find_own_exercises(source: Path | None) -> tuple[Path | None, Path]:
    """Return the lecturer's exercise file, if any, and the solutions folder."""
    if source is None:
        return None, SOLUTIONS
    file = source / OWN
    return (file if file.exists() else None), source / "solutions"


def _write_new(contents: Mapping[Path, bytes], target: Path) -> None:
    """Write new files, or raise FileExistsError if any of them exists."""
    for place in contents:
        if place.exists() or place.is_symlink():
            raise FileExistsError(f"{target}: already holds {place.name}; choose another folder")
    for place in contents:
        place.parent.mkdir(parents=True, exist_ok=True)
    write_files(contents)


def make_solutions_sheet(source: Path | None = None) -> str:
    """Return the lecturer's sheet of exercises and solutions in Markdown.

    It also lists predictions and foreseen mistakes, and raises as `write_student_version` does.
    """
    own, folder = find_own_exercises(source)
    known, solved = read_exercises(own), read_solutions(folder)
    parts = ["# Solutions", OPEN]
    for file, notebook in read_lessons(source or find_course_folder()).items():
        parts.append(f"## {file.stem}")
        for cell in notebook.cells:
            for name in PREDICTED.findall(cell.source):
                parts.append(_format_prediction(name, file))
        for exercise in find_exercises(notebook):
            parts += [f"### {exercise.name}", exercise.question.source]
            if source is None:
                goal = read_goals()[exercise.name]
                parts.append(f"*To {goal['goal']}* ({goal['minutes']} minutes).")
            if exercise.name in solved:
                parts.append(solved[exercise.name]._repr_markdown_())
            rows = itertools.chain(*known.get(exercise.name, {}).values())
            parts.append("\n".join(map(_format_row, rows)))
    return "\n\n".join(parts) + "\n"


def _format_prediction(name: str, file: Path) -> str:
    """Format a prediction in Markdown, with a comment on each option."""
    cards = import_optional("irstd.widgets.prediction").read_predictions()
    check_choice(name, cards, f"{file}: a prediction of the course")
    card = cards[name]
    lines = [f"**Predict {name}.** {card.question}", ""]
    for option, is_right, comment in card.options:
        lines.append(f"- {option}: {'**yes.**' if is_right else 'no.'} {comment}")
    return "\n".join(lines)


def _format_row(row: dict[str, str]) -> str:
    """Format a row of the exercise file as a list item."""
    known = " ".join(filter(None, [row["role"], row["place"], row["value"]]))
    return f"- {known}: {row['text']}"
