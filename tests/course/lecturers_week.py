"""A lecturer's week: assignments of real lessons, files as a platform names them, grades."""

import csv
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
from lessons import wrong

from irstd.course.student import find_exercises, write_student_version
from irstd.exercises import name_answer_variable, read_solutions

LESSONS = ["02_standardization", "09_leaderboards"]
PAGE = Path(__file__).parents[2] / ".site" / "lecturers" / "grading.md"
# Moodle in folders and without, Canvas, Canvas for who was late and handed in twice.
NAMES = [
    "{student}_1234567_assignsubmission_file_/{lesson}.ipynb",
    "{student}_1234567_assignsubmission_file_{lesson}.ipynb",
    "{student}_54321_987654_{lesson}.ipynb",
    "{student}_LATE_54321_987654_{lesson}-1.ipynb",
]
KINDS = ["right", "wrong", "half", "empty", "malicious"]
PATCHED = """\
irstd.check = irstd.exercises.check = irstd.exercises.explain_fault = lambda *a, **k: True
irstd.exercises.Verdict.__bool__ = lambda verdict: True
"""


def run(command, folder):
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", *map(str, command)],
        cwd=folder, capture_output=True, text=True, check=False, env=os.environ | {"PATH": path},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def hand_in(released, kind):
    """The notebook of a student, and how many of its exercises are right."""
    notebook = nbformat.read(released, 4)
    right = 0
    for number, exercise in enumerate(find_exercises(notebook)):
        name = exercise.name
        if kind == "right" or (kind == "half" and number % 2 == 0):
            exercise.place.source = read_solutions()[name]
            right += 1
        elif kind != "empty":
            exercise.place.source = (
                PATCHED * (kind == "malicious") + f"{name_answer_variable(name)} = {wrong(name)}"
            )
    return notebook, right


def collect_and_grade(course, lesson, notebooks):
    """Grade a zip of submissions, named as platforms do, by the commands of the page."""
    archive = course / "downloaded" / lesson / "archive"
    archive.mkdir(parents=True)
    with zipfile.ZipFile(archive / f"{lesson}.zip", "w") as file:
        for n, (student, notebook) in enumerate(notebooks.items()):
            name = NAMES[n % len(NAMES)].format(student=student, lesson=lesson)
            file.writestr(name, nbformat.writes(notebook))
    after_the_deadline = PAGE.read_text("utf-8").partition("**After the deadline.**")[2]
    for command in re.findall(r"(?m)^nbgrader .+$", after_the_deadline):
        run(command.replace("02_standardization", lesson).split(), course)


def scores_of(course):
    """By lesson and student."""
    rows = csv.DictReader((course / "grades.csv").read_text("utf-8").splitlines())
    return {(row["assignment"], row["student_id"]): float(row["score"]) for row in rows}


def failed_outside_of_exercises(course):
    """Cells of graded notebooks that failed, and are no exercise."""
    failed = []
    for file in sorted((course / "autograded").rglob("*.ipynb")):
        notebook = nbformat.read(file, 4)
        places = [exercise.place.id for exercise in find_exercises(notebook)]
        checks = [exercise.check.id for exercise in find_exercises(notebook)]
        for cell in notebook.cells:
            kinds = [output.output_type for output in cell.get("outputs", [])]
            if "error" in kinds and cell.id not in [*places, *checks]:
                failed.append((file, cell.source))
    return failed


def week(folder, n_students, points=2):
    """What a class gets, what each deserves, and what failed beside the exercises."""
    course = folder / "course"
    write_student_version(course, format="nbgrader", points=points)
    deserved = {}
    for lesson in LESSONS:
        run(["nbgrader", "generate_assignment", lesson, "--create"], course)
        notebooks = {}
        for n in range(n_students):
            student, kind = f"Student {n}", KINDS[n % len(KINDS)]
            released = course / "release" / lesson / f"{lesson}.ipynb"
            notebooks[student], right = hand_in(released, kind)
            deserved[lesson, student] = points * right
        collect_and_grade(course, lesson, notebooks)
    return scores_of(course), deserved, failed_outside_of_exercises(course)
