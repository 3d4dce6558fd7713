"""Assignments are taken and graded by the real nbgrader.

It brings extensions of JupyterLab, so `.ci/run` installs it in a place of its own and runs this
file there; where it is not, it is skipped.
"""

import json
import re
from pathlib import Path

import nbformat
import pytest
from lecturers_week import PATCHED, collect_and_grade, run, scores_of, week
from own_lesson import NAME, SOLUTIONS, write_lesson

from irstd.course.student import write_student_version

pytestmark = pytest.mark.slow


@pytest.fixture
def mine(tmp_path):
    pytest.importorskip("nbgrader")
    return write_lesson(tmp_path / "mine")


RIGHT, WRONG = ([*part] for part in zip(*SOLUTIONS.values(), strict=True))
TABLE = "exercise,role,place,value,digits,within,text\\n10.1,value,,9,1,,"
WRITTEN = f'open("exercises.csv", "w").write("{TABLE}")\n'
STUDENTS = {  # what their answers are, and how many of the two are right
    "right": (RIGHT, 2),
    "half": ([RIGHT[0], WRONG[1]], 1),
    "empty": ([], 0),
    "crashes": (["1 / 0", RIGHT[1]], 1),
    "rewrites": (WRONG, 0),  # the check cells
    "deletes": (RIGHT, 0),  # the check cells
    "reads": (['answer_10_1 = open("exercises.csv").read()', "answer_10_2 = [0.25, 4]"], 0),
    "patches": ([PATCHED + WRITTEN + WRONG[0], WRONG[1]], 0),
}


def submissions(released: Path):
    hidden = [*RIGHT, "Go round the class", "explain_fault", "HIDDEN"]
    assert not any(json.dumps(word)[1:-1] in released.read_text("utf-8") for word in hidden)
    for student in STUDENTS:
        notebook = nbformat.read(released, 4)
        answers = iter(STUDENTS[student][0])
        for cell in [*notebook.cells]:
            if re.match(r"answer_10_\d = \.\.\.", cell.source):
                cell.source = next(answers, cell.source)
            elif cell.source.startswith("verdict = ") and student == "rewrites":
                cell.source = "True"
            elif cell.source.startswith("verdict = ") and student == "deletes":
                notebook.cells.remove(cell)
        yield student, notebook


def test_nbgrader_takes_and_grades(mine, tmp_path):
    course = tmp_path / "course"
    write_student_version(course, mine, format="nbgrader", points=3)
    run(["nbgrader", "generate_assignment", NAME, "--create"], course)
    released = course / "release" / NAME / f"{NAME}.ipynb"
    collect_and_grade(course, NAME, dict(submissions(released)))
    assert scores_of(course) == {
        (NAME, student): 3 * right for student, (_, right) in STUDENTS.items()
    }
    for student in ("half", "crashes", "rewrites"):
        (page,) = (course / "feedback" / student / NAME).glob("*.html")
        said = page.read_text("utf-8")
        assert "not yet." in said or "crashes" in student
        assert "judge[" not in said, "a hidden test, which has the answers"


@pytest.mark.release
def test_a_week_with_two_lessons(tmp_path):
    """Files come as Moodle and Canvas name them; all else of the lessons runs as in the course."""
    pytest.importorskip("nbgrader")
    scores, deserved, failures = week(tmp_path, 5)
    assert scores == deserved
    assert failures == []
