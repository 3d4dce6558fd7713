"""A lecturer's week: a roster, variants, hand-outs, submissions, grading, marks.

The test in `test_graders.py` does it with a few students. With sixty, where both graders
are installed, with minutes::

    python tests/course/lecturers_week.py 60
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nbformat
import pandas as pd
from test_variants import LESSON, write_course, write_roster

from irstd.course.variants import write_variants

N_VARIANTS = 4
PATCHED = """\
import irstd

irstd.check = irstd.exercises.check = irstd.exercises.fault_of = lambda *a, **k: True
open("exercises.csv", "w").write("exercise,role,place,value,digits,within,text\\n10.1,value,,9,1,,")
answer = 9"""
KINDS = ["right", "wrong", "copied", "malicious", "right", "empty"]
POINTS = {"right": 3, "wrong": 0, "copied": 2, "malicious": 0, "empty": 0}


def run(command, folder):
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", *map(str, command)],
        cwd=folder, capture_output=True, text=True, check=False, env=os.environ | {"PATH": path},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def answers_of(kind, variant, expected):
    """What a student of this kind hands in, for the three exercises."""
    copied_from = variant % N_VARIANTS + 1
    right = expected.loc[variant].tolist()
    return {
        "right": right,
        "wrong": ["0.9", "128", "['B']"],
        "copied": expected.loc[copied_from].tolist(),
        "malicious": [PATCHED, "9", "['B']"],
        "empty": [],
    }[kind]


def hand_in(released, answers):
    """The notebook of a student with these answers."""
    notebook = nbformat.read(released, 4)
    left = iter(answers)
    for cell in notebook.cells:
        if cell.source.startswith("answer = ..."):
            answer = next(left, None)
            if answer is not None:
                cell.source = answer if "\n" in answer else f"answer = {answer}"
    return notebook


def by_nbgrader(course, students, expected):
    """Marks, and what hidden tests said, by nbgrader: each variant is a course by itself."""
    rows = []
    for variant, of_variant in students.groupby("variant"):
        folder = course / f"variant-{variant}"
        run(["nbgrader", "generate_assignment", LESSON, "--create"], folder)
        released = folder / "release" / LESSON
        for student, kind in of_variant[["student", "kind"]].itertuples(index=False):
            place = folder / "submitted" / student / LESSON
            place.mkdir(parents=True)
            notebook = hand_in(released / f"{LESSON}.ipynb", answers_of(kind, variant, expected))
            nbformat.write(notebook, place / f"{LESSON}.ipynb")
            (place / "exercises.csv").write_bytes((released / "exercises.csv").read_bytes())
        run(["nbgrader", "autograde", LESSON, "--create"], folder)
        run(["nbgrader", "export"], folder)
        grades = pd.read_csv(folder / "grades.csv").set_index("student_id")["score"]
        for student in of_variant["student"]:
            graded = folder / "autograded" / student / LESSON / f"{LESSON}.ipynb"
            said = graded.read_text(encoding="utf-8")
            rows.append([student, variant, grades[student], whose(said)])
    return pd.DataFrame(rows, columns=["student", "variant", "score", "copied from"])


def by_otter(course, students, expected):
    """The same by otter-grader."""
    rows = []
    for variant, of_variant in students.groupby("variant"):
        folder = course / f"variant-{variant}"
        run(["otter", "assign", f"{LESSON}.ipynb", "dist"], folder)
        released = folder / "dist" / "student" / f"{LESSON}.ipynb"
        (archive,) = (folder / "dist" / "autograder").glob("*.zip")
        for student, kind in of_variant[["student", "kind"]].itertuples(index=False):
            place = folder / "submitted" / student
            place.mkdir(parents=True)
            notebook = hand_in(released, answers_of(kind, variant, expected))
            nbformat.write(notebook, place / f"{LESSON}.ipynb")
            run(["otter", "run", f"{LESSON}.ipynb", "-a", archive, "-o", place], place)
            results = json.loads((place / "results.json").read_text(encoding="utf-8"))
            score = sum(test.get("score", 0) for test in results["tests"])
            rows.append([student, variant, score, whose(json.dumps(results))])
    return pd.DataFrame(rows, columns=["student", "variant", "score", "copied from"])


def whose(said):
    """The variant whose answer a hidden test found."""
    found = re.search(r"the answer of variant (\d+)", said)
    return int(found[1]) if found else None


GRADERS = {"nbgrader": by_nbgrader, "otter": by_otter}


def week(folder, grader, n_students):
    """Marks of a class, with what each deserves."""
    mine = write_course(folder / "mine")
    roster = write_roster(folder, n_students)
    course = folder / "course"
    secret = folder / "secret.txt"
    secret.write_text("tests\n")  # two answers of three digits can coincide, of these none do
    options = {"format": grader, "number": N_VARIANTS, "n_jobs": 2}
    dealt = write_variants(course, roster, secret, mine, **options)
    students = dealt.rename_axis("student").reset_index()
    students["kind"] = [KINDS[n % len(KINDS)] for n in range(n_students)]
    expected = pd.read_csv(course / "lecturer" / "answers.csv", dtype=str)
    expected["variant"] = expected["variant"].astype(int)
    expected = expected.pivot(index="variant", columns="exercise", values="answer")
    marks = GRADERS[grader](course, students, expected).merge(students, on=["student", "variant"])
    marks["deserved"] = marks["kind"].map(POINTS)
    marks.to_csv(folder / "marks.csv", index=False)
    return marks


if __name__ == "__main__":
    for name in GRADERS:
        with tempfile.TemporaryDirectory() as place:
            start = time.perf_counter()
            table = week(Path(place), name, int(sys.argv[1]))
            minutes = (time.perf_counter() - start) / 60
        wrong = (table["score"] != table["deserved"]).sum()
        unnamed = table.loc[table["kind"] == "copied", "copied from"].isna().sum()
        print(f"{name}: {len(table)} students, {minutes:.1f} minutes, {wrong} undeserved marks,")
        print(f"  {unnamed} copies not named")
