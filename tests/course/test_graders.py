"""Assignments are taken and graded by the real nbgrader and otter-grader.

Both bring extensions of JupyterLab, so `.ci/run` installs them in a place of their own and runs
this file there; where they are not, it is skipped.
"""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from own_lesson import NAME, SOLUTIONS, write_lesson

from irstd.course.answers import write_exercises
from irstd.course.student import write_student_version

pytestmark = pytest.mark.slow


def run(command, folder):
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", *map(str, command)],
        cwd=folder, capture_output=True, text=True, check=False, env=os.environ | {"PATH": path},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def mine(tmp_path):
    write_exercises(write_lesson(tmp_path / "mine"))
    return tmp_path / "mine"


def submissions(released: Path):
    """A right, a half wrong and an empty one, by what a student's cells hold."""
    rights = [solution for solution, *_ in SOLUTIONS.values()]
    wrongs = [wrong for *_, wrong in SOLUTIONS.values()]
    empty = nbformat.read(released, 4)
    text = "\n".join(cell.source for cell in empty.cells)
    assert not any(solution in text for solution in rights)
    assert "Leave the solution" not in text
    answers = {"right": rights, "wrong": [rights[0], wrongs[1]], "empty": None}
    for student, given in answers.items():
        notebook = nbformat.read(released, 4)
        places = [cell for cell in notebook.cells if cell.source.startswith("answer = ...")]
        assert len(places) == len(SOLUTIONS)
        for place, source in zip(places, given or [], strict=False):
            place.source = source
        yield student, notebook


def test_nbgrader_takes_and_grades(mine, tmp_path):
    pytest.importorskip("nbgrader")
    course = tmp_path / "course"
    (file,) = write_student_version(course, mine, format="nbgrader", points=3)
    assert file == course / "source" / NAME / f"{NAME}.ipynb"
    run(["nbgrader", "generate_assignment", NAME, "--create"], course)
    released = course / "release" / NAME
    assert (released / "exercises.csv").is_file()
    for student, notebook in submissions(released / f"{NAME}.ipynb"):
        folder = course / "submitted" / student / NAME
        folder.mkdir(parents=True)
        nbformat.write(notebook, folder / f"{NAME}.ipynb")
        (folder / "exercises.csv").write_bytes((released / "exercises.csv").read_bytes())
    run(["nbgrader", "autograde", NAME, "--create"], course)
    run(["nbgrader", "export"], course)
    with (course / "grades.csv").open(encoding="utf-8") as table:
        rows = {row["student_id"]: row for row in csv.DictReader(table)}
    scores = {student: float(row["score"]) for student, row in rows.items()}
    assert scores == {"right": 6, "wrong": 3, "empty": 0}


def test_otter_takes_and_grades(mine, tmp_path):
    pytest.importorskip("otter")
    master = tmp_path / "master"
    (file,) = write_student_version(master, mine, format="otter", points=3)
    run(["otter", "assign", file.name, "dist"], master)
    released = master / "dist" / "student" / f"{NAME}.ipynb"
    (archive,) = (master / "dist" / "autograder").glob("*.zip")
    scores = {}
    for student, notebook in submissions(released):
        folder = tmp_path / student
        folder.mkdir()
        nbformat.write(notebook, folder / f"{NAME}.ipynb")
        run(["otter", "run", f"{NAME}.ipynb", "-a", archive, "-o", folder], folder)
        tests = json.loads((folder / "results.json").read_text(encoding="utf-8"))["tests"]
        scores[student] = [test["score"] for test in tests if "score" in test]
    assert scores == {"right": [3, 3], "wrong": [3, 0], "empty": [0, 0]}
