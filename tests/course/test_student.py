"""Hand-outs, the lecturer's sheet, and exercises of one's own, by the commands."""

import json
import re

import nbformat
import pytest
from lessons import rows_of
from own_lesson import NAME, SOLUTIONS, write_lesson

import irstd
from irstd.__main__ import main
from irstd.course.lab import find_course_folder
from irstd.exercises import read_solutions
from irstd.widgets.prediction import read_predictions


@pytest.fixture
def mine(tmp_path):
    """A lesson with its exercises, as a lecturer writes it."""
    return write_lesson(tmp_path / "mine")


def test_exercises_of_ones_own_are_lines_written_by_hand(mine):
    file = mine / "exercises.csv"
    assert irstd.check("10.1", 2.5, file=file) and irstd.check("10.2", [1, 4], file=file)
    for name, answer, said in [
        ("10.1", 3, "Exercise 10.1: not yet. Divide by four."),
        ("10.1", 9, "Hint: Add them up."),
        ("10.2", [4, 1], "in another order"),
        ("10.1", None, "should be a number: the answer (1 digit)."),
    ]:
        assert said in irstd.check(name, answer, file=file)


@pytest.mark.parametrize(
    "command", [["student", "out", "--notebooks"], ["solutions", "--notebooks"]]
)
def test_a_broken_notebook_is_named(tmp_path, capsys, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "10_a.ipynb").write_text("{}")
    assert main([*command, str(tmp_path)]) == 1
    assert f"{tmp_path / '10_a.ipynb'}: cannot be read as a notebook" in capsys.readouterr().err


def test_links_of_a_hand_out_lead_to_what_it_holds_and_no_solution_is_in_it(tmp_path):
    assert main(["student", str(tmp_path)]) == 0
    files = sorted(tmp_path.glob("*.ipynb"))
    assert [file.name for file in files] == sorted(
        f.name for f in find_course_folder().glob("*.ipynb")
    )
    text = "".join(file.read_text(encoding="utf-8") for file in files)
    for code in read_solutions().values():
        assert json.dumps(code.splitlines()[-1])[1:-1] not in text
    links = {*re.findall(r"\]\(([^):#]+)[#)]", text)}
    assert not [link for link in links if not (tmp_path / link).exists()]
    assert len(links) > 10


def test_the_sheet_has_each_solution_with_its_mistakes(tmp_path, capsys):
    assert main(["solutions"]) == 0
    sheet = capsys.readouterr().out
    assert sheet.split("\n\n")[1].startswith("Answers are open. ")
    assert sheet.count("```python\n") == len(read_solutions())
    assert sheet.count(" minutes).") == len(read_solutions())  # with the goal
    for code in read_solutions().values():
        assert f"```python\n{code}\n```" in sheet
    for name, card in read_predictions().items():
        right = [f"- {option}: **yes.**" for option, is_right, _ in card.options if is_right]
        assert f"**Predict {name}.** {card.question}\n\n- " in sheet and right[0] in sheet
    mine = write_lesson(tmp_path / "mine")
    assert main(["solutions", "--notebooks", str(mine), "-o", str(tmp_path / "sheet.md")]) == 0
    own = (tmp_path / "sheet.md").read_text()
    assert all(question in own and given[0] in own for question, given in SOLUTIONS.items())


def test_the_sheet_refuses_a_prediction_that_the_course_lacks(mine, capsys):
    file = mine / f"{NAME}.ipynb"
    notebook = nbformat.read(file, 4)
    notebook.cells[0].source = 'irstd.widgets.predict("11.1")'
    nbformat.write(notebook, file)
    assert main(["solutions", "--notebooks", str(mine)]) == 1
    assert f"{file}: a prediction of the course must be one of" in capsys.readouterr().err


@pytest.mark.parametrize("name", [f"{NAME}.ipynb", ".irstd-handout", "letter.txt"])
def test_the_hand_out_resets_the_answers_and_replaces_nothing(mine, tmp_path, capsys, name):
    assert main(["student", str(tmp_path / "out"), "--notebooks", str(mine)]) == 0
    made = nbformat.read(tmp_path / "out" / f"{NAME}.ipynb", 4)
    assert [cell.source for cell in made.cells[1:4]] == [
        "**1.** The mean of the numbers?",
        "answer_10_1 = ...",
        'irstd.check("10.1", answer_10_1, file="exercises.csv")',
    ]
    assert rows_of(tmp_path / "out" / "exercises.csv") == rows_of(mine / "exercises.csv")
    assert not (tmp_path / "out" / "solutions").exists()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / name).symlink_to(tmp_path / "elsewhere")
    assert main(["student", str(tmp_path / "other"), "--notebooks", str(mine)]) == 1
    assert "other files; choose another folder" in capsys.readouterr().err
    assert [file.name for file in (tmp_path / "other").iterdir()] == [name]
    assert not (tmp_path / "elsewhere").exists()
