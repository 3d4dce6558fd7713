"""Hand-outs for students, and solutions for lecturers."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any, NamedTuple

from irstd._base.arguments import check_choice
from irstd._base.messages import import_optional
from irstd.course._page import get_tags
from irstd.course.lab import (
    EXERCISES,
    HANDOUT,
    encode_lessons,
    find_course_folder,
    read_lessons,
)
from irstd.exercises import SOLUTIONS, read_exercises, read_goals, read_solutions
from irstd.trec.disk import write_files

OPEN = (
    "Answers are open. Those of the course are in irstd itself: `irstd.solution` shows solutions to"
    " whoever types it, and `exercises.csv`, as that beside your own lessons, has all answers. So"
    " points for exercises are points for having worked through them; for a mark, ask what has no"
    " check."
)
PREDICTED = re.compile(r"""predict\(["']([^"']+)""")
CALL = re.compile(r"""check\(\s*["']([^"']+)["']""")
NOT_FOR_STUDENTS = {"solution", "lecturer"}  # tags of cells left out of hand-outs


class Exercise(NamedTuple):
    """Cells of an exercise: question, answer and check."""

    name: str
    question: Any
    answer: Any
    check: Any


def find_exercises(notebook: Any) -> list[Exercise]:
    """Return the exercises of a notebook: question, answer and check."""
    exercises = []
    cells = notebook.cells
    for question, answer, check in zip(cells, cells[1:], cells[2:], strict=False):
        call = CALL.search(check.source)
        if call and "check" in get_tags(check) and question.cell_type == "markdown":
            exercises.append(Exercise(call[1], question, answer, check))
    return exercises


def drop_solutions(notebook: Any) -> None:
    """Remove cells for lecturers, and outputs of checks."""
    cells = notebook.cells
    notebook.cells = [cell for cell in cells if NOT_FOR_STUDENTS.isdisjoint(get_tags(cell))]
    for cell in notebook.cells:
        if "check" in get_tags(cell):
            cell.outputs, cell.execution_count = [], None


def write_student_version(target: Path, source: Path | None = None) -> list[Path]:
    """Write the notebooks for students.

    Cells tagged ``lecturer`` are left out, as are the outputs of checks and of the cells below a
    prediction. Data files are copied, solutions are not; those of the course are open to everybody
    by `irstd.solution`. `irstd lab` adds nothing to the folder.

    Parameters
    ----------
    target : Path
        A new folder; created if missing.
    source : Path, optional
        Folder of your own notebooks; by default, those of this installation.

    Returns
    -------
    list of Path
        The notebooks written.

    Raises
    ------
    FileExistsError, FileNotFoundError, ValueError
        If `target` has other files, or `source` has no usable notebook.
    """
    source = source or find_course_folder()
    lessons = read_lessons(source)
    for notebook in lessons.values():
        drop_solutions(notebook)
    contents = encode_lessons(lessons, source)
    contents[Path(HANDOUT)] = b"Written by irstd student: no solutions are added here.\n"
    if any(target.glob("*")):
        raise FileExistsError(f"{target}: holds other files; choose another folder")
    for name in contents:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
    write_files({target / name: content for name, content in contents.items()})
    return [target / file.name for file in lessons]


def make_solutions_sheet(source: Path | None = None) -> str:
    """Return the lecturer's sheet of exercises and solutions in Markdown.

    It also lists predictions and foreseen mistakes, and raises as `write_student_version` does.
    """
    own = None
    folder = SOLUTIONS
    goals = read_goals()
    if source is not None:
        folder = source / "solutions"
        goals = {}
        if (source / EXERCISES).exists():
            own = source / EXERCISES
    exercises, solutions = read_exercises(own), read_solutions(folder)
    parts = ["# Solutions", OPEN]
    for file, notebook in read_lessons(source or find_course_folder()).items():
        parts.append(f"## {file.stem}")
        for cell in notebook.cells:
            for name in PREDICTED.findall(cell.source):
                parts.append(_format_prediction(name, file))
        for exercise in find_exercises(notebook):
            parts += [f"### {exercise.name}", exercise.question.source]
            if exercise.name in goals:
                goal = goals[exercise.name]
                parts.append(f"*To {goal['goal']}* ({goal['minutes']} minutes).")
            if exercise.name in solutions:
                parts.append(solutions[exercise.name]._repr_markdown_())
            rows = itertools.chain(*exercises.get(exercise.name, {}).values())
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
    answer = " ".join(filter(None, [row["role"], row["place"], row["value"]]))
    return f"- {answer}: {row['text']}"
