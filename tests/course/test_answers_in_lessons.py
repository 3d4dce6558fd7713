"""Each lesson, run with no answer, a wrong one and the right one in each exercise.

The right ones are those of the kept solutions, which no lesson holds. Of the rest of a lesson run
the cells that these need; nbval runs all.
"""

import ast
import re
from pathlib import Path

import nbformat
import pytest
from lessons import wrong
from nbformat.v4 import new_code_cell

from irstd.course._graders import find_exercises
from irstd.course.answers import run, updated
from irstd.exercises import exercises, solutions, variable

ROOT = Path(__file__).parents[2]
LESSONS = sorted((ROOT / "notebooks").glob("0[1-589]_*.ipynb"))
EXERCISES = exercises()
SOLUTIONS = solutions()


def shown(cell):
    """What a cell shows in the end, as text; an answer in lines, as a notebook shows it."""
    return " ".join(cell.outputs[-1].data["text/plain"].split())


def names_in(source):
    """The names that a cell makes or changes, and those that it uses."""
    made, used = set(), set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.alias):
            made.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.FunctionDef):
            made.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            made.add(node.id)
        elif isinstance(node, ast.Name):
            used.add(node.id)
        elif isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store):
            made |= {part.id for part in ast.walk(node.value) if isinstance(part, ast.Name)}
    return made, used


def without_the_rest(cells, wanted):
    """The code that these cells need, found from the last one up; text stays."""
    needed = set()
    kept = []
    for cell in reversed(cells):
        is_code = cell.cell_type == "code"
        made, used = names_in(cell.source) if is_code else (set(), set())
        if not is_code or any(cell is each for each in wanted) or made & needed:
            needed |= used
            kept.append(cell)
    return kept[::-1]


@pytest.mark.night
@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_with_no_wrong_and_right_answers(path):
    notebook = nbformat.read(path, 4)
    found = []
    for name, _, _, check in find_exercises(notebook):
        place = notebook.cells.index(check) + 1
        answer = variable(name)
        more = [
            new_code_cell(f"{answer} = {wrong(name)!r}\n{check.source}"),
            new_code_cell(f"{SOLUTIONS[name]}\n{answer}"),
            new_code_cell(check.source),
        ]
        notebook.cells[place:place] = more
        found.append((name, check, *more))
    assert found
    wanted = [cell for _, *of_exercise in found for cell in of_exercise]
    notebook.cells = without_the_rest(notebook.cells, wanted)
    run(notebook, path)
    answers = {}
    for name, nothing, not_yet, solved, right in found:
        assert shown(nothing).startswith(f"Exercise {name}: no answer yet. `{variable(name)}`")
        assert shown(not_yet).startswith(f"Exercise {name}: not yet.")
        assert shown(right).startswith(f"Exercise {name}: right. ")
        answers[name] = ast.literal_eval(shown(solved))
    expected = (ROOT / "irstd" / "exercises.csv").read_text(encoding="utf-8")
    assert updated(answers, EXERCISES) == expected, (
        f"run python -m irstd.course.answers {path.stem}"
    )


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_no_lesson_holds_a_solution(path):
    notebook = nbformat.read(path, 4)
    names = [exercise.name for exercise in find_exercises(notebook)]
    text = "\n".join(cell.source for cell in notebook.cells)
    assert not re.search(r"(?m)^answer(_\d\d_\d)? = (?!\.\.\.$)", text)
    for name in names:
        assert SOLUTIONS[name] not in text
        assert SOLUTIONS[name].splitlines()[-1] not in text
    assert not any("solution" in cell.metadata.get("tags", []) for cell in notebook.cells)
    headings = (ROOT / "irstd/course/solutions" / f"{path.stem}.md").read_text(encoding="utf-8")
    assert re.findall(r"(?m)^## (.+)$", headings) == names
