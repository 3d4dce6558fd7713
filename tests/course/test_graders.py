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
    return write_exercises(write_lesson(tmp_path / "mine")).parent


RIGHT, _, WRONG = ([*part] for part in zip(*SOLUTIONS.values(), strict=True))
PATCHED = """\
irstd.check = irstd.exercises.check = irstd.exercises.fault_of = lambda *a, **k: True
irstd.exercises.Verdict.__bool__ = lambda verdict: True
open("exercises.csv", "w").write("exercise,role,place,value,digits,within,text\\n10.1,value,,9,1,,")
"""
STUDENTS = {  # what their answers are, and how many of the two are right
    "right": (RIGHT, 2),
    "half": ([RIGHT[0], WRONG[1]], 1),
    "empty": ([], 0),
    "crashes": (["1 / 0", RIGHT[1]], 1),
    "rewrites": (WRONG, 0),  # the check cells
    "deletes": (RIGHT, 0),  # the check cells
    "reads": (['answer = open("exercises.csv").read()', "answer = [0.25, 4]"], 0),
    "patches": ([PATCHED + WRONG[0], WRONG[1]], 0),
}


def submissions(released: Path, students=STUDENTS):
    hidden = [*RIGHT, "Leave the solution", "fault_of", "HIDDEN"]
    assert not any(json.dumps(word)[1:-1] in released.read_text("utf-8") for word in hidden)
    for student in students:
        notebook = nbformat.read(released, 4)
        answers = iter(STUDENTS[student][0])
        for cell in [*notebook.cells]:
            if cell.source.startswith("answer = ..."):
                cell.source = next(answers, cell.source)
            elif cell.source.startswith("verdict = ") and student == "rewrites":
                cell.source = "True"
            elif cell.source.startswith("verdict = ") and student == "deletes":
                notebook.cells.remove(cell)
        yield student, notebook


def test_nbgrader_takes_and_grades(mine, tmp_path):
    pytest.importorskip("nbgrader")
    course = tmp_path / "course"
    write_student_version(course, mine, format="nbgrader", points=3)
    run(["nbgrader", "generate_assignment", NAME, "--create"], course)
    released = course / "release" / NAME
    for student, notebook in submissions(released / f"{NAME}.ipynb"):
        folder = course / "submitted" / student / NAME
        folder.mkdir(parents=True)
        nbformat.write(notebook, folder / f"{NAME}.ipynb")
        (folder / "exercises.csv").write_bytes((released / "exercises.csv").read_bytes())
    run(["nbgrader", "autograde", NAME, "--create"], course)
    run(["nbgrader", "export"], course)
    rows = csv.DictReader((course / "grades.csv").read_text("utf-8").splitlines())
    scores = {row["student_id"]: float(row["score"]) for row in rows}
    assert scores == {student: 3 * right for student, (_, right) in STUDENTS.items()}


def test_otter_takes_and_grades(mine, tmp_path):
    pytest.importorskip("otter")
    master = tmp_path / "master"
    (file,) = write_student_version(master, mine, format="otter", points=3)
    run(["otter", "assign", file.name, "dist"], master)
    released = master / "dist" / "student" / f"{NAME}.ipynb"
    (archive,) = (master / "dist" / "autograder").glob("*.zip")
    scores = {}
    for student, notebook in submissions(
        released, ["right", "half", "empty", "crashes", "patches"]
    ):
        folder = tmp_path / student
        folder.mkdir()
        nbformat.write(notebook, folder / f"{NAME}.ipynb")
        run(["otter", "run", f"{NAME}.ipynb", "-a", archive, "-o", folder], folder)
        tests = json.loads((folder / "results.json").read_text(encoding="utf-8"))["tests"]
        scores[student] = sum(test.get("score", 0) for test in tests)
        assert ("are the numbers, in another order" in str(tests)) == (student == "half")
    assert scores == {student: 3 * STUDENTS[student][1] for student in scores}


@pytest.mark.release
@pytest.mark.parametrize("grader", ["nbgrader", "otter"])
def test_a_week_with_variants(grader, tmp_path):
    """Each gets what is deserved, and a copied answer is named by its variant."""
    lecturers_week = pytest.importorskip("lecturers_week")
    pytest.importorskip(grader)
    marks = lecturers_week.week(tmp_path, grader, 12)
    assert (marks["score"] == marks["deserved"]).all(), marks
    copied = marks["kind"] == "copied"
    assert copied.sum() == 2
    others = marks["variant"] % lecturers_week.N_VARIANTS + 1
    assert (marks["copied from"] == others)[copied].all()
    assert marks["copied from"][~copied].isna().all()
