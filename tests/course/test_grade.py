"""Marks of a class: what students hand in, of ten kinds, as Moodle and Canvas name it."""

import warnings
import zipfile

import nbformat
import pandas as pd
import pytest
from nbformat.v4 import new_code_cell
from own_lesson import NAME, write_lesson

from irstd.__main__ import main
from irstd.course import grade
from irstd.course.answers import updated
from irstd.course.lab import course_folder
from irstd.exercises import exercises, parts_of, share_right, solutions

OTHER = "11_more"
RIGHT = ["answer_10_1 = 2.5", "answer_10_2 = [1, 4]"]
WRONG = ["answer_10_1 = 3", "answer_10_2 = [9, 4]"]
LONG = "ends = sorted(numbers)\nanswer_10_2 = [ends[0], ends[len(numbers) - 1]]"
MALICIOUS = """\
import irstd, os, socket, pathlib
irstd.check = irstd.exercises.check = irstd.exercises.fault_of = lambda *a, **k: True
for place in [pathlib.Path(%r), pathlib.Path.home(), pathlib.Path("..")]:
    try:
        (place / "outside").write_text("here")
    except OSError:
        pass
"""


@pytest.fixture(scope="module")
def lessons(tmp_path_factory):
    """Two lessons of one's own, which run in no time."""
    folder = write_lesson(tmp_path_factory.mktemp("mine") / "mine")
    text = (folder / f"{NAME}.ipynb").read_text()
    (folder / f"{OTHER}.ipynb").write_text(text.replace("10.", "11.").replace("10_", "11_"))
    answers = {"10.1": 2.5, "10.2": [1, 4], "11.1": 2.5, "11.2": [1, 4]}
    table = updated(answers, {}) + "10.1,mistake,,3,1,,Divide by four.\n"
    (folder / "exercises.csv").write_text(table)
    return folder


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """Processor time ends a loop, and not the clock, however busy the machine is."""
    monkeypatch.setattr(grade, "PATIENCE", 100)


def notebook(folder, answers, lesson=NAME, extra=None, without=()):
    """A hand-out with answers in place, as bytes."""
    made = nbformat.read(folder / f"{lesson}.ipynb", 4)
    for n, answer in enumerate(answers):
        made.cells[3 * n + 3].source = answer
    if extra:
        made.cells.insert(4, new_code_cell(extra))  # after the first answer
    made.cells = [cell for n, cell in enumerate(made.cells) if n not in without]
    return nbformat.writes(made).encode()


def write_class(place, handed_in):
    """A zip, or a folder, of files as a platform names them."""
    if place.suffix == ".zip":
        with zipfile.ZipFile(place, "w") as archive:
            for name, content in handed_in.items():
                archive.writestr(name, content)
        return
    for name, content in handed_in.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(content)


def grade_class(folder, handed_in, roster, lessons, place="class.zip", seconds=10):
    """The marks, by the command, which leaves nothing but what it names."""
    write_class(folder / place, handed_in)
    (folder / "roster.csv").write_text(roster, encoding="utf-8")
    for name in ("out", "temporary"):
        (folder / name).mkdir()
    command = ["grade", folder / place, "--roster", folder / "roster.csv", "--notebooks", lessons]
    command += ["--seconds", seconds, "--quiet", "-o", folder / "out" / "marks.csv"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grade.tempfile, "tempdir", str(folder / "temporary"))
        assert main(map(str, command)) == 0
    assert not [*(folder / "temporary").iterdir()]
    assert {file.name for file in (folder / "out").iterdir()} == {
        "marks.csv", "wrong_answers.md", "feedback",
    }  # fmt: skip
    return pd.read_csv(
        folder / "out" / "marks.csv", index_col="student", dtype={"id": str}, keep_default_na=False
    )


@pytest.mark.night
def test_twelve_submissions_of_ten_kinds(tmp_path, lessons):
    right = notebook(lessons, [RIGHT[0], LONG])
    wrong = notebook(lessons, WRONG)
    deleted = notebook(lessons, ["answer_10_1 = sum(numbers) / 4", RIGHT[1]], without=[0, 4, 7])
    of_other = [answer.replace("10_", "11_") for answer in RIGHT]
    output = "for _ in range(2000):\n    print('x' * 10**6)"
    handed_in = {
        f"Anna Muster_1_assignsubmission_file_/{NAME}.ipynb": right,
        f"Ben Kurz_2_assignsubmission_file_/{NAME}.ipynb": wrong,
        f"licem_3_9001_{NAME}.ipynb": notebook(lessons, []),
        f"danaivy_LATE_4_9002_{NAME}-1.ipynb": notebook(lessons, ["1 +", RIGHT[1]]),
        f"ekofay_5_9003_{NAME}.ipynb": notebook(lessons, RIGHT, extra="while True:\n    pass"),
        f"Fred Ode_6_assignsubmission_file_{NAME}.ipynb": notebook(lessons, RIGHT, extra=output),
        f"Gül Öz/{NAME}.ipynb": deleted,
        "Hal Ito_8_assignsubmission_file_/my homework (final).ipynb": right,
        f"italia_9_9004_{NAME}.ipynb": wrong,
        f"italia_9_9005_{NAME}-1.ipynb": notebook(lessons, RIGHT),
        f"Jo Kim_10_assignsubmission_file_/{NAME}.ipynb": notebook(lessons, of_other, lesson=OTHER),
        f"Kai Lo_11_assignsubmission_file_/{NAME}.ipynb": b"",
        f"Nobody We Know_99_assignsubmission_file_/{NAME}.ipynb": notebook(lessons, RIGHT[:1]),
        "__MACOSX/._Ben Kurz.ipynb": b"\0",
    }
    names = ["Anna Muster", "Ben Kurz", "Cem Li", "Ivy Dana", "Fay Eko", "Fred Ode", "Gül Öz"]
    names += ["Hal Ito", "Lia Ita", "Jo Kim", "Kai Lo", "Leo Moe"]
    roster = "Student,ID\n    Points Possible,\n"
    roster += "".join(f"{name},{n}\n" for n, name in enumerate(names, start=1))
    marks = grade_class(tmp_path, handed_in, roster, lessons)
    expected = {  # marks of the two exercises, and how the error begins
        "Anna Muster": (1, 1, ""),
        "Ben Kurz": (0, 0.5, ""),
        "Cem Li": (0, 0, ""),
        "Ivy Dana": (0, 1, "cell 2: SyntaxError: "),
        "Fay Eko": (1, 0, "cell 3 did not end: at most 10 seconds"),
        "Fred Ode": (1, 1, ""),
        "Gül Öz": (0, 1, "cell 1: NameError: name 'numbers' is not defined"),
        "Hal Ito": (1, 1, ""),
        "Lia Ita": (1, 1, "2 files: the best counts"),
        "Jo Kim": (0, 0, f"is a notebook of {OTHER}"),
        "Kai Lo": (0, 0, "cannot be read as a notebook"),
        "Leo Moe": (0, 0, "nothing was handed in"),
        f"Nobody We Know_99_assignsubmission_file_/{NAME}.ipynb": (1, 0, ""),
    }
    assert [*marks.index] == [*expected]
    for student, (first, second, error) in expected.items():
        row = marks.loc[student]
        assert (row["10.1"], row["10.2"], row["total"]) == (first, second, first + second), student
        assert row["error"].startswith(error) and bool(row["error"]) == bool(error), student
    same = marks["same_cells"][marks["same_cells"] != ""]
    assert same.to_dict() == {"Anna Muster": "Hal Ito (1)", "Hal Ito": "Anna Muster (1)"}
    feedback = tmp_path / "out" / "feedback"
    assert len([*feedback.iterdir()]) == len(expected)
    said = (feedback / "Ben_Kurz.md").read_text()
    assert "0.5 of 2" in said and "**10.1** (0): not yet. Divide by four." in said
    assert not any(answer in said for answer in ("2.5", "1, 4", "[1"))
    table = (tmp_path / "out" / "wrong_answers.md").read_text()
    assert "| 10.1 | the number | 3.0 | 1 | Divide by four. |" in table


@pytest.mark.slow
def test_a_notebook_decides_neither_its_marks_nor_what_is_outside(tmp_path, lessons):
    """Its check is not asked; a loop ends at its limit; the folder of a class is as it was."""
    answers = [MALICIOUS % str(tmp_path) + WRONG[0], RIGHT[1] + "\nwhile True:\n    pass"]
    (tmp_path / "class" / "Anna Muster").mkdir(parents=True)
    (tmp_path / "link.ipynb").write_bytes(notebook(lessons, RIGHT))
    (tmp_path / "class" / "Anna Muster" / "b.ipynb").symlink_to(tmp_path / "link.ipynb")
    handed_in = {"Anna Muster/a.ipynb": notebook(lessons, answers)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        apart = grade._is_apart()
    marks = grade_class(tmp_path, handed_in, "student\nAnna Muster\n", lessons, "class", seconds=6)
    assert marks[["10.1", "10.2"]].to_numpy().tolist() == [[0, 0]]  # 10.2 stood in its last cell
    assert marks["error"].item().startswith("cell 4 did not end: at most 6 seconds")
    assert (tmp_path / "outside").exists() != apart


@pytest.mark.night
def test_solutions_of_the_course_get_all_marks(tmp_path):
    """In each lesson as it is, with what a student has."""
    for file, lesson in grade._lessons(None).items():
        made = nbformat.read(course_folder() / f"{file}.ipynb", 4)
        for exercise in grade.find_exercises(made):
            exercise.place.source = solutions()[exercise.name]
        place = tmp_path / file
        write_class(place, {"anna_1_2_x.ipynb": nbformat.writes(made).encode()})
        (tmp_path / "roster.csv").write_text("student,id\nAnna,1\n")
        marks = grade.grade(place, tmp_path / "roster.csv", tmp_path / "marks.csv")
        assert marks["total"].item() == len(lesson.rows) and marks["error"].item() == ""


@pytest.mark.parametrize(
    ("file", "student"),
    [
        ("Anna Muster_12_assignsubmission_file_/x.ipynb", "Anna Muster"),
        ("Participant_7_assignsubmission_file_x.ipynb", "Böll, Jörg"),
        ("musteranna_55_66_x.ipynb", "Anna Muster"),
        ("bolljorg_LATE_55_66_x-1.ipynb", "Böll, Jörg"),
        ("delacruzmaria_55_66_x.ipynb", "Maria de la Cruz"),
        ("downloads/Maria de la Cruz/x.ipynb", "Maria de la Cruz"),
        ("anna muster.ipynb", "Anna Muster"),
        ("Eve Fox_8_assignsubmission_file_/x.ipynb", "Eve Fox 8"),
        ("Eve Fox_1_assignsubmission_file_/x.ipynb", None),
        ("Anna_12_x.ipynb", None),
    ],
)
def test_whose_file_it_is(tmp_path, file, student):
    names = ["Anna Muster,", '"Böll, Jörg",7', "Maria de la Cruz,", "Eve Fox,8", "Eve Fox,9"]
    (tmp_path / "roster.csv").write_text("\n".join(["Full name,Identifier", *names]), "utf-8")
    roster = grade._read_roster(tmp_path / "roster.csv")
    assert grade._student(file, roster) == (student or file)


@pytest.mark.parametrize(
    ("name", "answer", "share"),
    [
        ("02.2", [0.777, 0.24, 0.8], 2 / 3),
        ("02.2", [0.777, 0.24, 0.815], 1),
        ("01.4", ["A", "C"], 1),
        ("01.4", ["A"], 0.5),
        ("01.4", ["A", "C", "B"], 0.5),
        ("01.4", ["A", "B", "D"], 0),
        ("09.2", 10, 1),
    ],
)
def test_an_answer_is_right_in_parts(name, answer, share):
    assert share_right(parts_of(answer, exercises()[name])) == pytest.approx(share)


@pytest.mark.parametrize(
    "said",
    [b"", b"not json", b"[" * 10**5, b'{"answers": 1}', b'{"cell": 1, "answers": {"10.1": {}}}',
     b'{"cell": "x", "fault": 1, "answers": {}}'],
)  # fmt: skip
def test_what_a_run_says_cannot_stop_the_others(lessons, said):
    """A notebook can write there, too, where its answers are written."""
    lesson = grade._lessons(lessons)[NAME]
    attempt = grade._said(grade.Attempt("x", ["1"]), said, 5)
    assert sum(grade._shares(attempt, lesson).values()) == 0
    grade._feedback("Anna", attempt, lesson)
    assert attempt.fault or attempt.answers


@pytest.mark.parametrize(
    ("roster", "handed_in", "said"),
    [
        ("name\nAnna\n", {"x.ipynb": "right"}, "there is no column student, but name"),
        ("student\nAnna\nAnna\n", {"x.ipynb": "right"}, "give a column id"),
        ("student\nAnna\n", {"x.pdf": b""}, "there is no notebook of a lesson with exercises"),
        ("student\nAnna\n", None, "is neither a folder nor a zip"),
    ],
)
def test_what_cannot_be_graded_is_said(tmp_path, lessons, capsys, roster, handed_in, said):
    (tmp_path / "roster.csv").write_text(roster)
    place = tmp_path / "class.zip"
    if handed_in:
        files = {n: notebook(lessons, RIGHT) if c == "right" else c for n, c in handed_in.items()}
        write_class(place, files)
    else:
        place.write_bytes(b"PK")
    command = ["grade", str(place), "--roster", str(tmp_path / "roster.csv")]
    command += ["--notebooks", str(lessons), "-o", str(tmp_path / "marks.csv")]
    assert main(command) == 1
    assert said in capsys.readouterr().err
    assert not (tmp_path / "marks.csv").exists()
