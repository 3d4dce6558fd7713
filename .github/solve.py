"""Run lessons with their solutions; print each answer and the verdict of its check.

    python .github/solve.py notebooks/01*.ipynb

Solutions are those of irstd, or in a folder `solutions` beside the lessons. The exit code is 1 if a
check finds an answer wrong.
"""

import sys
from pathlib import Path

import nbformat
from execute import run

from irstd.course.student import find_exercises
from irstd.exercises import name_answer_variable, read_solutions


def solve(path: Path) -> bool:
    """Run a lesson with its solutions; return True if all checks find them right."""
    notebook = nbformat.read(path, as_version=4)
    known = read_solutions() | read_solutions(path.parent / "solutions")
    exercises = find_exercises(notebook)
    for exercise in exercises:
        answer = name_answer_variable(exercise.name)
        exercise.answer.source = f"{known[exercise.name]}\nprint('{answer} =', {answer})"
    run(notebook, path.parent)
    verdicts = [exercise.check.outputs[-1].data["text/plain"] for exercise in exercises]
    for exercise, verdict in zip(exercises, verdicts, strict=True):
        print(exercise.answer.outputs[-1].text + verdict)
    return all(": right." in verdict for verdict in verdicts)


if __name__ == "__main__":
    sys.exit(not all([solve(Path(name)) for name in sys.argv[1:]]))
