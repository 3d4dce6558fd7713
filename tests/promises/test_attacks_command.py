"""Attacks on the command, the report and the exercises: what was once wrong, each held."""

import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pandas as pd
import pytest

import irstd
from irstd.__main__ import main, printable
from irstd.course import report

IRSTD = str(Path(sys.executable).parent / "irstd")
TAG = "a\u202egnp.exe"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Two runs, one with a tag that turns what follows it round, and their judgments."""
    folder = tmp_path_factory.mktemp("attacks")
    run = pd.DataFrame({"query_id": ["1", "2"], "doc_id": ["d", "e"], "score": [1.0, 2.0]})
    irstd.write_run(run, folder / "a.run", tag="a")
    irstd.write_run(run.assign(doc_id="d"), folder / "b.run", tag=TAG)
    judged = pd.DataFrame({"query_id": ["1", "2"], "doc_id": ["d", "e"], "relevance": [1, 1]})
    irstd.write_qrels(judged, folder / "qrels")
    (folder / "scores.csv").write_text("topic,a,b,c\n1,.1,.2,.4\n2,.3,.1,.2\n")
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


REFUSED = [  # arguments, exit code, what is said
    # an empty argument is a variable that is not set, not the folder one is in
    (["evaluate", "", "qrels"], 2, "it is empty"),
    (["evaluate", "a.run", ""], 2, "it is empty"),
    (["evaluate", "a.run", "qrels", "-o", ""], 2, "it is empty"),
    (["student", ""], 2, "it is empty"),
    (["lab", ""], 2, "it is empty"),
    (["report", "a.run", "qrels", "--folder", ""], 2, "it is empty"),
    # output never replaces an input
    (["evaluate", "a.run", "qrels", "-o", "a.run"], 1, "a.run: this command uses that file"),
    (["evaluate", ".", "qrels", "-o", "b.run"], 1, "b.run: this command uses that file"),
    (["evaluate", "a.run", "qrels", "-o", "qrels"], 1, "qrels: this command uses that file"),
    (["standardize", "scores.csv", "-o", "scores.csv"], 1, "scores.csv: this command uses"),
    (["report", "a.run", "qrels", "-o", "a.run"], 1, "a.run: would be replaced"),
    (["report", "a.run", "qrels", "-o", "./qrels"], 1, "qrels: would be replaced"),
    (["report", "scores.csv", "qrels", "--folder", "."], 1, "scores.csv: would be replaced"),
    (["factors", "scores.csv", "-m", "AP", "-o", "m.csv", "m.csv"], 1, "m.csv: this command uses"),
    (["factors", "scores.csv", "-m", "AP", "--trec-eval", "scores.csv"], 1, "this command uses"),
    # names of temporary files are nobody's business
    (["evaluate", "a.run", "qrels", "-m", "AP", "-o", "."], 1, ".: is a folder"),
    (["evaluate", "a.run", "qrels", "-m", "AP", "-o", "no/x"], 1, "there is no folder no"),
    (["report", "a.run", "qrels", "-o", "."], 1, "is a folder"),
    # what the library refuses is a sentence here
    (["evaluate", "a.run", "qrels", "-m", "P@1" + "0" * 400], 1, ""),
    (["evaluate", "a.run", "qrels", "-m", "RBP.99999999999999999"], 1, "RBP"),
    (["evaluate", "a.run", "qrels", "--jobs", "0"], 1, ""),
    (["report", "a.run", "qrels", "-m", "MAPP"], 1, "MAPP"),
    (["report", "--scores", "scores.csv", "a.run"], 2, "in place of RUNS and QRELS"),
    (["report", "a.run"], 2, "expected RUNS and QRELS"),
    (["report", "a.run", "qrels", "--reference", "nowhere"], 1, "nowhere"),
    (["standardize", "scores.csv", "--reference", "sim-trec8"], 2, "by --metric"),
    (["standardize", "scores.csv", "--reference", "x", "--factors", "m", "s"], 2, "exclude"),
    (["factors", "scores.csv", "-o", "m.csv", "s.csv"], 2, "by --metric"),
    (["factors", "scores.csv"], 2, "nothing to write"),
    (["nonsense\x1b[31m"], 2, "nonsense\\x1b[31m"),
]


@pytest.mark.parametrize(("words", "code", "said"), REFUSED)
def test_what_is_wrong_is_refused_in_a_sentence_and_nothing_is_written(
    here, capsys, words, code, said
):
    before = sorted(here.iterdir())
    assert main(words) == code
    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.out == ""
    assert "Traceback" not in captured.err
    assert "a bug in irstd" not in captured.err
    assert "\x1b" not in captured.err
    assert sorted(here.iterdir()) == before


def test_warnings_are_said_once_without_a_name_twice_and_without_control_characters(here, capsys):
    irstd.write_run(
        pd.DataFrame({"query_id": ["1"], "doc_id": ["d"], "score": [1.0]}),
        here / "c.run",
        tag="\x1b[31mc",
    )
    assert main(["evaluate", "a.run", "c.run", "qrels", "-m", "AP"]) == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("irstd evaluate: warning: topics that a run does not return")
    assert "\\x1b[31mc" in line


def test_what_is_printed_is_harmless_and_short():
    assert printable("plain: ü, 日本") == "plain: ü, 日本"
    assert printable(TAG) == "a\\u202egnp.exe"
    assert printable("\ud800\x07\n") == "\\ud800\\x07\\n"
    assert len(printable("x" * 10**6)) < 3000


def test_a_bug_is_one_line_that_says_how_to_report_it(here, monkeypatch, capsys):
    monkeypatch.setattr(irstd, "load_dataset", lambda *_: 1 / 0)
    assert main(["datasets", "sim-trec8"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("irstd datasets: this is a bug in irstd (ZeroDivisionError: division")
    assert "IRSTD_DEBUG=1" in line
    monkeypatch.setenv("IRSTD_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        main(["datasets", "sim-trec8"])


def test_little_memory_is_a_sentence(here, monkeypatch, capsys):
    def fail(*_, **__):
        raise MemoryError("Unable to allocate 36.4 TiB")

    monkeypatch.setattr(irstd, "evaluate", fail)
    assert main(["evaluate", "a.run", "qrels"]) == 1
    assert "there is not enough memory for this. Unable to" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("redirected", "said"),
    [
        (">&-", "standard output is closed"),
        (">/dev/full", "No space left on device"),
        ("2>&-", ""),
    ],
)
def test_a_closed_or_full_output_is_no_traceback(files, redirected, said):
    command = f"'{IRSTD}' evaluate a.run qrels -m AP {redirected}"
    done = subprocess.run(
        command, shell=True, cwd=files, capture_output=True, text=True, check=False
    )
    assert done.stderr.count("\n") == bool(said)
    assert said in done.stderr
    assert done.returncode == bool(said)


def test_a_closed_input_is_no_traceback(files):
    done = subprocess.run(
        f"'{IRSTD}' standardize <&-",
        shell=True,
        cwd=files,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == "irstd standardize: standard input is closed\n"
    assert done.returncode == 1


@pytest.mark.slow
def test_a_report_runs_no_code_and_no_settings_of_the_user(files, tmp_path, monkeypatch):
    """Modules in the current folder, start-up files, matplotlibrc; names are isolated."""
    code = f"open({str(tmp_path / 'PWNED')!r}, 'w').close()\n"
    for name in ("pandas", "numpy", "irstd", "seaborn", "matplotlib", "joblib", "ipykernel"):
        (tmp_path / f"{name}.py").write_text(code)
    startup = tmp_path / "ipython" / "profile_default" / "startup"
    startup.mkdir(parents=True)
    (startup / "first.py").write_text(code)
    (tmp_path / "matplotlibrc").write_text("this is no setting")
    (tmp_path / "start.py").write_text(code)
    odd = os.fsdecode(b"r\xff.run")
    (tmp_path / odd).write_bytes((files / "a.run").read_bytes())
    (tmp_path / "b.run").write_bytes((files / "b.run").read_bytes())
    (tmp_path / "qrels").write_bytes((files / "qrels").read_bytes())
    extra = {
        "IPYTHONDIR": str(tmp_path / "ipython"),
        "MATPLOTLIBRC": str(tmp_path / "matplotlibrc"),
        "PYTHONSTARTUP": str(tmp_path / "start.py"),
    }
    before = sorted(os.listdir(tmp_path))
    done = subprocess.run(
        [IRSTD, "report", odd, "b.run", "qrels"],
        cwd=tmp_path,
        env=os.environ | extra,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert sorted(os.listdir(tmp_path)) == sorted([*before, "report.html"])
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert page.count(TAG) == page.count(f"<bdi>{TAG}</bdi>") + page.count(
        f"<bdi><code>{TAG}</code></bdi>"
    )
    assert page.count(TAG) > 2
    assert "NaN" not in page and "-1 of" not in page


def test_jobs_run_no_code_of_the_current_folder(files, tmp_path):
    for name in ("pandas", "numpy", "joblib"):
        (tmp_path / f"{name}.py").write_text("open('PWNED', 'w').close()\n")
    words = [files / "a.run", files / "b.run", files / "qrels", "-m", "AP", "--jobs", "2"]
    done = subprocess.run(
        [IRSTD, "evaluate", *map(str, words)], cwd=tmp_path, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "PWNED").exists()


def degenerate(kind, folder):
    """Runs on one topic, of which two are identical; a single run; a table with a gap."""
    collection = irstd.simulate_campaign()["sim-robust2003"]
    names = list(collection.systems.index[:2])
    first, second = map(collection.run, names)
    qrels = collection.qrels()
    if kind == "one topic":
        qrels = qrels[qrels["query_id"] == qrels["query_id"].iloc[0]]
    irstd.write_qrels(qrels, folder / "qrels")
    runs = {"one run": [first], "twins": [first, first]}.get(kind, [first, first, second])
    for tag, run in zip("abc", runs, strict=False):
        irstd.write_run(run, folder / f"{tag}.run", tag=tag)
    paths = [str(path) for path in sorted(folder.glob("*.run"))]
    if kind != "table":
        return {"runs": paths, "qrels": str(folder / "qrels"), "scores": None}
    table = irstd.evaluate(paths, folder / "qrels", "AP")
    table.iloc[0, 0] = None
    table.to_csv(folder / "table.csv")
    return {"runs": [], "qrels": None, "scores": str(folder / "table.csv")}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["one run", "one topic", "twins", "table"])
def test_a_report_on_little_says_nothing_that_is_not_so(kind, tmp_path):
    given = degenerate(kind, tmp_path)
    report.write_report(**given, output=str(tmp_path / "page.html"), progress=False)
    page = re.sub(r'src="data:[^"]+"', "", (tmp_path / "page.html").read_text(encoding="utf-8"))
    assert not re.search(r"(?i)\bnan\b", page.replace("they are NaN.</li>", ""))  # a warning
    assert "-1 of" not in page
    assert "not defined" not in page
    assert not list(tmp_path.glob("*.failed.ipynb"))


def test_the_parameters_of_the_report_are_those_of_its_notebook(files, monkeypatch):
    given = {}
    monkeypatch.setattr(
        report, "_execute", lambda parameters, *_: given.update(parameters) or 1 / 0
    )
    with pytest.raises(ZeroDivisionError):
        report.write_report([str(files / "a.run")], str(files / "qrels"), "page.html")
    notebook = nbformat.read(report.course_folder() / report.TEMPLATE, 4)
    (cell,) = [c for c in notebook.cells if "parameters" in c.metadata.get("tags", [])]
    assert sorted(given) == sorted(line.partition(" ")[0] for line in cell.source.splitlines())
