"""Variants of a course: other seeds, other answers, and whose answer was handed in."""

import csv
import json
from pathlib import Path

import nbformat
import pandas as pd
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

import irstd
from irstd.__main__ import main
from irstd.course.variants import _copy, _run, deal, read_roster, write_variants

LESSON = "10_draws"
COURSE = Path(__file__).parents[2] / "notebooks"
DRAWN = ["01", "02", "03", "04", "05", "08", "09"]  # lessons on the simulated campaign
QUESTIONS = {  # what varies, a count that does not, and letters
    "The mean, to three digits?": ("answer = round(float(scores.mean(axis=None)), 3)", "0.233"),
    "How many systems?": ("answer = scores.shape[1]", "129"),
    "Which letters?": ('answer = ["A", "C"]', "['A', 'C']"),
}


def write_course(folder):
    start = 'import irstd\n\nscores = irstd.simulate_campaign()["sim-trec8"].scores("AP")'
    cells = [new_markdown_cell("# 10. Draws"), new_code_cell(start)]
    for n, (question, (solution, shown)) in enumerate(QUESTIONS.items(), start=1):
        output = new_output("execute_result", {"text/plain": shown}, execution_count=n)
        check = f'irstd.check("10.{n}", answer, file="exercises.csv")'
        cells += [
            new_markdown_cell(f"**{n}.** {question}"),
            new_code_cell("answer = ..."),
            new_code_cell(f"{solution}\nanswer", outputs=[output], metadata={"tags": ["solution"]}),
            new_code_cell(check, metadata={"tags": ["check"]}),
        ]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    folder.mkdir()
    nbformat.write(new_notebook(cells=cells, metadata=kernel), folder / f"{LESSON}.ipynb")
    assert main(["exercises", str(folder)]) == 0
    return folder


def write_roster(folder, n_students=12):
    file = folder / "roster.csv"
    names = [f"student {n}" for n in range(n_students)]
    pd.Series(names, name="student").to_csv(file, index=False)
    return file


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course in three variants for Jupyter, and the same for a grader."""
    folder = tmp_path_factory.mktemp("variants")
    mine = write_course(folder / "mine")
    roster = write_roster(folder)
    secret = folder / "secret.txt"
    secret.write_text("a secret whose three variants have three means\n")
    options = {"source": mine, "number": 3, "n_jobs": 1}
    for format in ("jupyter", "nbgrader"):
        dealt = write_variants(folder / format, roster, secret, format=format, **options)
    return folder, dealt


def answers(folder):
    with (folder / "jupyter" / "lecturer" / "answers.csv").open() as table:
        return {(int(row["variant"]), row["exercise"]): row for row in csv.DictReader(table)}


@pytest.mark.slow
def test_what_is_drawn_varies_and_is_what_the_solution_gives_there(course):
    folder, _ = course
    found = answers(folder)
    means = [found[n, "10.1"]["answer"] for n in (1, 2, 3)]
    assert len(set(means)) == 3
    for n, mean in enumerate(means, start=1):
        assert found[n, "10.1"]["varies"] == "yes"
        assert found[n, "10.2"]["varies"] == found[n, "10.3"]["varies"] == "no"
        kept = folder / "jupyter" / "lecturer" / f"variant-{n}.csv"
        assert irstd.check("10.1", float(mean), file=kept)
        assert not irstd.check("10.1", float(mean) + 0.01, file=kept)


@pytest.mark.slow
def test_a_student_gets_no_answer_of_any_variant(course):
    folder, _ = course
    means = {row["answer"] for (_, name), row in answers(folder).items() if name == "10.1"}
    for file in (folder / "jupyter").rglob("*"):
        if file.is_file() and file.parent.name != "lecturer":
            text = file.read_text(encoding="utf-8")
            assert not any(mean in text for mean in means), file
            assert "scores.mean(axis=None)" not in text


@pytest.mark.slow
def test_the_copy_of_a_student_knows_the_form_and_not_the_answer(course):
    folder, _ = course
    file = folder / "jupyter" / "variant-1" / "exercises.csv"
    said = irstd.check("10.1", 0.999, file=file)
    assert said and "this is what is asked for" in said
    assert not irstd.check("10.1", "many", file=file)
    assert irstd.check("10.2", 129, file=file) and not irstd.check("10.2", 128, file=file)
    assert not irstd.check("10.3", ["A"], file=file)


@pytest.mark.slow
def test_a_hidden_test_says_whose_answer_was_handed_in(course):
    folder, _ = course
    notebook = folder / "nbgrader" / "variant-2" / "source" / LESSON / f"{LESSON}.ipynb"
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    (source,) = ["".join(c["source"]) for c in cells if '"10.1"' in "".join(c["source"])]
    _, _, hidden = source.partition("### BEGIN HIDDEN TESTS\n")
    hidden, _, _ = hidden.partition("### END HIDDEN TESTS")
    found = answers(folder)
    exec(hidden, {"answer": float(found[2, "10.1"]["answer"])})
    for answer, said in [
        (float(found[3, "10.1"]["answer"]), "the answer of variant 3"),
        (0.9, "not the answer asked for"),
    ]:
        with pytest.raises(AssertionError, match=said):
            exec(hidden, {"answer": answer})


@pytest.mark.slow
def test_the_same_secret_gives_the_same_bytes_and_another_one_other_seeds(course, tmp_path):
    folder, dealt = course
    options = {"source": folder / "mine", "number": 3, "n_jobs": 1}
    roster = write_roster(tmp_path, 13)  # somebody comes later
    again = write_variants(tmp_path / "again", roster, folder / "secret.txt", **options)
    assert again.drop("student 12").equals(dealt)
    for file in (folder / "jupyter").rglob("*.*"):
        other = tmp_path / "again" / file.relative_to(folder / "jupyter")
        if file.is_file() and file.name != "students.csv":
            assert other.read_bytes() == file.read_bytes(), file


def test_students_are_dealt_evenly_and_by_their_names_alone():
    counts = pd.Series([deal(f"s{n}", "key", 8) for n in range(800)]).value_counts()
    assert sorted(counts.index) == [*range(1, 9)]
    assert counts.min() > 60
    assert deal("s1", "key", 8) == deal("s1", "key", 8)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("student\nAda\n\nBob\n", "roster.csv:3: there is no name"),
        ("student\nAda\nBob\nAda\n", "roster.csv:4: 'Ada' is in line 2 as well"),
        ("name,mail\nAda,a@b\n", "roster.csv:1: give a column student"),
        ("", "cannot be read as a CSV file"),
    ],
)
def test_a_roster_that_cannot_be_used_is_refused_by_line(tmp_path, text, said):
    file = tmp_path / "roster.csv"
    file.write_text(text)
    with pytest.raises(ValueError, match=said):
        read_roster(file)


def test_a_roster_may_have_other_columns_accents_and_no_head(tmp_path):
    file = tmp_path / "roster.csv"
    file.write_text("mail,student\na@b,Zoë/1\nc@d,007\n", encoding="utf-8-sig")
    assert read_roster(file) == ["Zoë/1", "007"]
    file.write_text("Ada\nBob\n")
    assert read_roster(file) == ["Ada", "Bob"]


def test_a_folder_with_files_is_refused_before_the_work(tmp_path, capsys):
    roster = write_roster(tmp_path)
    target = tmp_path / "target"
    target.mkdir()
    Path(target, "kept.txt").write_text("kept")
    assert main(["student", str(target), "--variants", str(roster)]) == 1
    assert "is not empty" in capsys.readouterr().err
    assert [file.name for file in target.iterdir()] == ["kept.txt"]


@pytest.mark.release
@pytest.mark.parametrize("seed", [5001, 12345, 151989])
@pytest.mark.parametrize("number", DRAWN)
def test_a_lesson_runs_on_other_seeds(number, seed, tmp_path):
    """On the first and the last of these, a judge has no score on a topic that people have."""
    _copy(COURSE, tmp_path / "course")
    (lesson,) = (tmp_path / "course").glob(f"{number}_*.ipynb")
    _run(lesson, seed)
    assert f"seed={seed}" in lesson.read_text(encoding="utf-8")
