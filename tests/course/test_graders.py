"""The page on grading, carried out by the real nbgrader on two students of a lesson.

It brings extensions of JupyterLab, so `.ci/run` installs it in a place of its own and runs this
file there; where it is not, it is skipped.
"""

import csv
import os
import re
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest
from lessons import wrong
from processes import run_python
from texts import code_of, read_page

from irstd.course.student import find_exercises, write_student_version
from irstd.exercises import name_answer_variable, read_solutions

pytestmark = pytest.mark.slow
LESSON = "02_standardization"
STUDENTS = {  # names of files as Moodle and Canvas have them: the exercises that are right
    "right_1234567_assignsubmission_file_/{}.ipynb": [0, 1, 2, 3],
    "half_LATE_54321_987654_{}-1.ipynb": [0, 2],
}


def hand_in(released, right):
    notebook = nbformat.read(released, 4)
    for number, (name, _, place, check) in enumerate(find_exercises(notebook)):
        place.source = f"{name_answer_variable(name)} = {wrong(name)}"
        if number in right:
            place.source = read_solutions()[name]
        elif number == 3:
            place.source = "1 / 0"
        elif number == 1:
            check.source = "True"
    return nbformat.writes(notebook)


def test_the_page_on_grading_gives_marks(tmp_path, monkeypatch):
    pytest.importorskip("nbgrader")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    write_student_version(Path("handout"))
    text = read_page("lecturers/grading")
    script, settings = code_of(text.partition("## Notebooks")[0])
    Path("course/source", LESSON).mkdir(parents=True)
    exec(script.replace('"*.ipynb"', f'"{LESSON}.ipynb"'), {})
    Path("course/nbgrader_config.py").write_text(settings)
    archive = Path("course/downloaded", LESSON, "archive")
    archive.mkdir(parents=True)
    for command in re.findall(rf"(?m)^nbgrader \w+(?: {LESSON}.*)?$", text):
        done = run_python("-W", "ignore", "-m", *command.split(), cwd="course")
        assert done.returncode == 0, done.stdout + done.stderr
        if "generate_assignment" in command:
            with zipfile.ZipFile(archive / "all.zip", "w") as file:
                for name, right in STUDENTS.items():
                    released = Path("course/release", LESSON, f"{LESSON}.ipynb")
                    file.writestr(name.format(LESSON), hand_in(released, right))
    rows = csv.DictReader(Path("course/grades.csv").read_text("utf-8").splitlines())
    marks = {row["student_id"]: float(row["score"]) for row in rows}
    assert marks == {name.partition("_")[0]: 2 * len(right) for name, right in STUDENTS.items()}
    (page,) = Path("course/feedback/half", LESSON).glob("*.html")
    assert "not yet." in page.read_text("utf-8")
