"""A lecturer's week: assignments of real lessons, files as a platform names them, grades.

The test in `test_graders.py` does it with a few students. With sixty, where nbgrader is installed::

    python tests/course/lecturers_week.py 60
"""

import csv
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nbformat
import pandas as pd
from lessons import wrong

from irstd.course._graders import find_exercises
from irstd.course.student import write_student_version
from irstd.exercises import solutions, variable

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
irstd.check = irstd.exercises.check = irstd.exercises.fault_of = lambda *a, **k: True
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
            exercise.place.source = solutions()[name]
            right += 1
        elif kind != "empty":
            exercise.place.source = (
                PATCHED * (kind == "malicious") + f"{variable(name)} = {wrong(name)}"
            )
    return notebook, right


def grade(course, lesson, n_students, points):
    """What each deserves and gets for a lesson."""
    run(["nbgrader", "generate_assignment", lesson, "--create"], course)
    released = course / "release" / lesson / f"{lesson}.ipynb"
    archive = course / "downloaded" / lesson / "archive"
    rows = []
    for n in range(n_students):
        student = f"Student {n}"
        kind = KINDS[n % len(KINDS)]
        notebook, right = hand_in(released, kind)
        file = archive / NAMES[n % len(NAMES)].format(student=student, lesson=lesson)
        file.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, file)
        rows.append([student, lesson, kind, points * right])
    settings = re.findall(r"(?ms)^```python\n(c = get_config.+?)^```", PAGE.read_text("utf-8"))
    (course / "nbgrader_config.py").write_text("".join(settings), encoding="utf-8")
    run(["nbgrader", "zip_collect", lesson], course)
    run(["nbgrader", "autograde", lesson, "--create"], course)
    return pd.DataFrame(rows, columns=["student", "lesson", "kind", "deserved"])


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
    """Marks of a class, with what each deserves."""
    course = folder / "course"
    write_student_version(course, format="nbgrader", points=points)
    deserved = pd.concat([grade(course, lesson, n_students, points) for lesson in LESSONS])
    run(["nbgrader", "export"], course)
    with (course / "grades.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    found = {(row["student_id"], row["assignment"]): float(row["score"]) for row in rows}
    keys = zip(deserved["student"], deserved["lesson"], strict=True)
    return deserved.assign(score=[found[key] for key in keys]), failed_outside_of_exercises(course)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        start = time.perf_counter()
        marks, failures = week(Path(place), int(sys.argv[1]))
        minutes = (time.perf_counter() - start) / 60
    undeserved = (marks["score"] != marks["deserved"]).sum()
    print(f"{len(marks)} submissions, {minutes:.1f} minutes, {undeserved} undeserved marks,")
    print(f"  {len(failures)} cells that failed outside of exercises")
