"""Attacks on the command, the report and the exercises: what was once wrong, each held."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from irstd.__main__ import escape_unprintable, main
from irstd.course import report

IRSTD = str(Path(sys.executable).parent / "irstd")
TAG = "a\u202egnp.exe"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Two runs, one with a tag that turns what follows it round, and their judgments."""
    folder = tmp_path_factory.mktemp("attacks")
    (folder / "a.run").write_text("1 Q0 d 1 1 a\n2 Q0 e 1 2 a\n")
    (folder / "b.run").write_text(f"1 Q0 d 1 1 {TAG}\n2 Q0 d 1 2 {TAG}\n")
    (folder / "qrels").write_text("1 0 d 1\n2 0 e 1\n")
    (folder / "scores.csv").write_text("topic,a,b,c\n1,.1,.2,.4\n2,.3,.1,.2\n")
    (folder / "long.csv").write_text("topic,system,RR,P\n1,a,.1,.2\n1,b,.3,.1\n")
    return folder


@pytest.fixture
def here(files, monkeypatch):
    """The files, named as from their own folder, with all as it was afterwards."""
    monkeypatch.chdir(files)
    before = {path: path.read_bytes() for path in files.iterdir()}
    yield files
    assert {path: path.read_bytes() for path in files.iterdir() if path in before} == before
    for path in set(files.iterdir()) - before.keys():
        path.unlink()


OUTPUT = "evaluate a.run qrels -m AP -o"
REFUSED = [  # arguments, exit code, what is said
    # an empty argument is a variable that is not set, not the folder one is in
    ("evaluate '' qrels", 1, "a pattern or a list of these, or"),
    # output never replaces an input
    (f"{OUTPUT} a.run", 1, "a.run: this command already uses that file"),
    (
        "standardize a.run --reference scores.csv -o scores.csv",
        1,
        "scores.csv: this command already uses",
    ),
    ("report scores.csv qrels --folder .", 1, "scores.csv: a table could replace it"),
    ("factors scores.csv -m AP -o m.csv m.csv", 1, "m.csv: this command already uses"),
    ("factors scores.csv -m AP -o m.csv s.csv --trec-eval m.csv", 1, "m.csv: this command already"),
    ("factors scores.csv -o m.csv s.csv", 2, "does not name its metric"),
    ("factors scores.csv", 2, "nothing to write"),
    ("factors scores.csv -o means.csv", 2, "requires 2 arguments. See --help"),
    ("standardize trec-8 -m AP", 1, "trec-8: neither a file nor a data set"),
    ("solutions --notebooks . -o qrels", 1, "qrels: this command already uses"),
    # what cannot be written is known before any work is done
    (f"{OUTPUT} .", 1, ".: is a folder"),
    ("report a.run qrels -o no/where/r.html", 1, "there is no folder no/where"),
    # what the library refuses is a sentence here
    ("evaluate nowhere qrels", 1, "nowhere: No such file"),
    ("standardize scores.csv -m AP --reference long.csv", 1, "one of 'RR', 'P', got 'AP'"),
    # and what a report cannot read is no failure of its notebook
    ("report a.run qrels -m none", 1, "none"),
    ("report a.run b.run qrels --baseline none", 1, "none"),
    # misuse
    ("evaluate a.run qrels -m AP nDCG", 2, "nDCG is not a file; a metric needs its own -m"),
    ("report --scores scores.csv -m AP P@10", 2, "P@10 is not a file"),
    ("solutions -o sheet.pdf", 1, "sheet.pdf must end in .md"),
    ("", 2, "Usage: irstd"),
    ("report --scores scores.csv a.run", 2, "expected RUNS and QRELS"),
    ("report a.run", 2, "expected RUNS and QRELS"),
    ("nonsense\x1b[31m", 2, "nonsense\\x1b[31m"),
]


@pytest.mark.parametrize(("line", "code", "said"), REFUSED)
def test_what_is_wrong_is_refused_in_a_sentence_and_nothing_is_written(
    here, capsys, line, code, said
):
    before = sorted(here.iterdir())
    assert main(shlex.split(line)) == code
    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.out == ""
    for word in ("Traceback", "a bug in irstd", "\x1b", "/tmp/tmp", "input."):
        assert word not in captured.err
    assert sorted(here.iterdir()) == before


def test_warnings_are_said_once_without_a_name_twice_and_without_control_characters(here, capsys):
    (here / "c.run").write_text("1 Q0 d 1 1 \x1b[31mc\n")
    assert main(["evaluate", "a.run", "c.run", "qrels", "-m", "AP"]) == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("irstd: warning: evaluate: topics missing from a run")
    assert "\\x1b[31mc" in line


def test_what_is_printed_is_harmless_and_short():
    assert escape_unprintable(f"ü 日本 {TAG}\ud800\n") == "ü 日本 a\\u202egnp.exe\\ud800\\n"


@pytest.mark.night
def test_a_report_runs_no_code_and_no_settings_of_the_user(files, tmp_path, monkeypatch):
    """Modules in the current folder, start-up files, matplotlibrc; names are isolated."""
    startup = tmp_path / "ipython" / "profile_default" / "startup"
    startup.mkdir(parents=True)
    modules = ("pandas", "numpy", "irstd", "joblib", "ipykernel", "start")
    for place in [startup / "first.py", *(tmp_path / f"{name}.py" for name in modules)]:
        place.write_text(f"open({str(tmp_path / 'PWNED')!r}, 'w').close()\n")
    (tmp_path / "matplotlibrc").write_text("text.usetex: true")
    odd = os.fsdecode(b"r\xff.run")
    for name, own in (("a.run", odd), ("b.run", "b.run"), ("qrels", "qrels")):
        (tmp_path / own).write_bytes((files / name).read_bytes())
    settings = {"IPYTHONDIR": "ipython", "MATPLOTLIBRC": "matplotlibrc"}
    settings |= {"PYTHONSTARTUP": "start.py", "PYTHONWARNINGS": "error"}
    before = sorted(os.listdir(tmp_path))
    jobs = ["evaluate", odd, "b.run", "qrels", "-m", "AP", "--jobs", "2", "-o", "ap.csv"]
    for words in (["report", odd, "b.run", "qrels"], jobs):
        done = subprocess.run(
            [IRSTD, *words],
            cwd=tmp_path, env=os.environ | settings, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, "")
    assert sorted(os.listdir(tmp_path)) == sorted([*before, "report.html", "ap.csv"])
    page = re.sub(r'src="data:[^"]+"', "", (tmp_path / "report.html").read_text(encoding="utf-8"))
    assert TAG not in page and page.count("a\ufffdgnp.exe") > 2
    assert "NaN" not in page and "-1 of" not in page


def test_parameters_of_the_report_are_those_of_its_notebook(monkeypatch):
    seen = []
    monkeypatch.setattr(report, "check_output", lambda *_: None)
    monkeypatch.setattr(report, "_execute", lambda *given: seen.append(given) or int("x"))
    collections = "--collection a a.run qrels --collection b b.run qrels --seeds x"
    options = "-m AP --baseline b --min-relevance 0 --missing zero"
    for line in (
        f"a.run b.run qrels --factors m.csv s.csv --folder out --smaller-is-better AP {options}",
        f"{collections} {options}",
    ):
        assert main(["report", *line.split()]) == 1
        template, parameters, _ = seen.pop()
        cells = nbformat.read(template, 4).cells
        tagged = [c.source for c in cells if "parameters" in c.metadata.get("tags", [])]
        names = re.findall(r"(?m)^(\w+) = ", "\n".join(tagged))
        assert {*names} == {*parameters}
        assert parameters["baseline"] == "b" and parameters["min_relevance"] == 0
