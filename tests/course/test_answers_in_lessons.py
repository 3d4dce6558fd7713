"""The solutions, which no lesson holds, give in each lesson the answers that are checked."""

import re

import nbformat
import pytest
from lessons import of_each_lesson, wrong
from processes import run_python
from texts import ROOT, read

import irstd
from irstd.course.student import find_exercises
from irstd.exercises import read_solutions

SOLUTIONS = read_solutions()


@pytest.mark.night
@of_each_lesson
def test_what_the_solutions_give_in_a_lesson_is_right(path):
    done = run_python("-W", "ignore", ROOT / ".github" / "solve.py", path)
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    names = [name for name in SOLUTIONS if name.startswith(path.stem[:2])]
    assert re.findall(r"(?m)^Exercise (\S+): right\. ", done.stdout) == names


@pytest.mark.parametrize("name", SOLUTIONS)
def test_a_wrong_answer_is_not_right(name):
    assert irstd.check(name, wrong(name)).startswith(f"Exercise {name}: not yet.")


@of_each_lesson
def test_no_lesson_holds_a_solution(path):
    notebook = nbformat.read(path, 4)
    names = [exercise.name for exercise in find_exercises(notebook)]
    text = "\n".join(cell.source for cell in notebook.cells)
    assert not re.search(r"(?m)^answer(_\d\d_\d)? = (?!\.\.\.$)", text)
    headings = read(f"irstd/course/solutions/{path.stem}.md")
    assert re.findall(r"(?m)^## (.+)$", headings) == names
