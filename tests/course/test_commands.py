"""The irstd command: CSV in pipelines, reports, the student version, errors as sentences."""

import io
import json
import subprocess
import sys

import nbformat
import pandas as pd
import pytest

import irstd
from irstd.__main__ import main
from irstd.course import lab, report


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Six simulated run files, one with a tag that would be a script in a careless page."""
    folder = tmp_path_factory.mktemp("files")
    collection = irstd.simulate_campaign()["sim-robust2003"]
    systems = list(collection.systems.index[:6])
    collection.write(folder, systems)
    irstd.write_qrels(collection.qrels(), folder / "qrels.txt")
    first = irstd.read_run(folder / "runs" / f"{systems[0]}.gz")
    (folder / "runs" / f"{systems[0]}.gz").unlink()
    irstd.write_run(first, folder / "runs" / "odd.gz", tag="<img/src=x/onerror=alert(1)>$a_b$&")
    return folder


def irstd_command(*arguments, **keywords):
    command = [sys.executable, "-m", "irstd", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, check=False, **keywords)


def test_evaluate_writes_what_the_library_computes(files, tmp_path, capsys):
    expected = irstd.evaluate(files / "runs", files / "qrels.txt", "AP")
    assert main(["evaluate", str(files / "runs"), str(files / "qrels.txt"), "-m", "AP"]) == 0
    (tmp_path / "ap.csv").write_text(capsys.readouterr().out)
    pd.testing.assert_frame_equal(irstd.read_scores(tmp_path / "ap.csv"), expected)  # all bits


def test_several_metrics_make_a_long_table(files, tmp_path):
    pattern, out = f"{files}/runs/*.gz", tmp_path / "scores.csv"
    assert main(["evaluate", pattern, str(files / "qrels.txt"), "-o", str(out)]) == 0
    assert out.read_text().startswith("topic,metric,system,score\n")
    expected = irstd.evaluate(files / "runs", files / "qrels.txt")
    pd.testing.assert_frame_equal(irstd.read_scores(out)[expected.columns], expected)


def test_files_that_the_shell_has_found_are_taken_one_by_one(files, capsys):
    runs = [str(file) for file in sorted((files / "runs").glob("*.gz"))]
    assert main(["evaluate", *runs, str(files / "qrels.txt"), "-m", "RR", "-m", "P@20"]) == 0
    table = pd.read_csv(io.StringIO(capsys.readouterr().out))
    assert set(table["metric"]) == {"RR", "P@20"}
    assert table["system"].nunique() == len(runs)


def test_a_pipeline_of_two_commands(files):
    scores = irstd_command("evaluate", files / "runs", files / "qrels.txt", "-m", "AP")
    standardized = irstd_command("standardize", "--method", "z", input=scores.stdout)
    assert standardized.returncode == 0, standardized.stderr
    table = pd.read_csv(io.BytesIO(standardized.stdout), index_col="topic")
    raw = pd.read_csv(io.BytesIO(scores.stdout), index_col="topic")
    expected = raw.sub(raw.mean(axis=1), axis=0).div(raw.std(axis=1), axis=0)  # pandas: ddof=1
    expected[raw.max(axis=1) == raw.min(axis=1)] = 0
    pd.testing.assert_frame_equal(table, expected.fillna(0), rtol=0, atol=1e-12)


def test_factors_and_reference_give_the_same(files, tmp_path, capsys):
    everybody = irstd.load_dataset("sim-robust2003")
    scores = everybody.iloc[:, :5]
    everybody.to_csv(tmp_path / "all.csv")
    scores.to_csv(tmp_path / "five.csv")
    factors = irstd.standardization_factors(everybody)
    irstd.Factors(
        factors.mean.set_axis(["AP"], axis=1), factors.sd.set_axis(["AP"], axis=1)
    ).to_csv(tmp_path / "m.csv", tmp_path / "s.csv")
    five = str(tmp_path / "five.csv")
    assert main(["standardize", five, "--reference", str(tmp_path / "all.csv")]) == 0
    by_reference = capsys.readouterr().out
    means, sds = str(tmp_path / "m.csv"), str(tmp_path / "s.csv")
    assert main(["standardize", five, "--factors", means, sds]) == 0
    assert capsys.readouterr().out == by_reference
    table = pd.read_csv(io.StringIO(by_reference), index_col="topic", dtype={"topic": str})
    expected = irstd.standardize(scores, everybody)
    pd.testing.assert_frame_equal(table, expected, rtol=0, atol=1e-12, check_names=False)


def test_scores_without_a_name_are_said_to_be_taken_for_what_the_factors_are(tmp_path, capsys):
    scores = irstd.load_dataset("sim-trec8")
    irstd.standardization_factors(scores).to_csv(tmp_path / "m.csv", tmp_path / "s.csv")
    irstd.write_scores(scores, tmp_path / "x.csv")
    files = [str(tmp_path / name) for name in ("x.csv", "m.csv", "s.csv")]
    arguments = ["standardize", files[0], "--factors", *files[1:]]
    assert main(arguments) == 0
    said = capsys.readouterr().err
    assert "the scores are taken for AP, as the factors are; --metric says it" in said
    assert main([*arguments, "--metric", "AP"]) == 0
    assert capsys.readouterr().err == ""
    assert main([*arguments, "--metric", "P@10"]) == 1
    assert "of the metric P@10, the reference is of AP" in capsys.readouterr().err


def test_factors_are_those_of_the_library(tmp_path, monkeypatch, capsys):
    """Of a data set, of a table that does not name its metric, and as trec_eval -Z reads them."""
    monkeypatch.chdir(tmp_path)
    words = ["factors", "sim-trec8", "-m", "AP", "-m", "RR"]
    assert main([*words, "-o", "m.csv", "s.csv", "--trec-eval", "z.txt"]) == 0
    expected = irstd.standardization_factors(irstd.load_dataset("sim-trec8", ["AP", "RR"]))
    for found in (irstd.Factors.from_csv("m.csv", "s.csv"), irstd.Factors.from_trec_eval("z.txt")):
        pd.testing.assert_frame_equal(found.mean[["AP", "RR"]], expected.mean, check_names=False)
        pd.testing.assert_frame_equal(found.sd[["AP", "RR"]], expected.sd, check_names=False)
    irstd.write_scores(irstd.load_dataset("sim-trec8"), "ap.csv")
    assert main(["factors", "ap.csv", "-m", "AP", "-o", "m2.csv", "s2.csv"]) == 0
    named = irstd.Factors.from_csv("m2.csv", "s2.csv")
    pd.testing.assert_series_equal(named.mean["AP"], expected.mean["AP"], check_names=False)
    assert capsys.readouterr().out == ""


def test_a_data_set_standardizes_by_its_name(tmp_path, capsys):
    scores = irstd.load_dataset("sim-robust2003").iloc[:, :3]
    irstd.write_scores(scores, tmp_path / "three.csv")
    words = ["standardize", str(tmp_path / "three.csv"), "--reference", "sim-robust2003"]
    assert main([*words, "--metric", "AP"]) == 0
    (tmp_path / "out.csv").write_text(capsys.readouterr().out)
    expected = irstd.standardize(scores, irstd.load_dataset("sim-robust2003"))
    pd.testing.assert_frame_equal(
        irstd.read_scores(tmp_path / "out.csv"), expected, check_names=False
    )


def test_own_notebooks_become_a_hand_out(tmp_path, capsys):
    mine = tmp_path / "mine"
    mine.mkdir()
    tags = {"solution": "secret = 1", "lecturer": "what students get wrong", "check": "1 + 1"}
    cells = [
        nbformat.v4.new_code_cell(source, metadata={"tags": [tag]}) for tag, source in tags.items()
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), mine / "10_own.ipynb")
    assert main(["student", str(tmp_path / "out"), "--notebooks", str(mine)]) == 0
    made = nbformat.read(tmp_path / "out" / "10_own.ipynb", 4)
    assert [cell.source for cell in made.cells] == ["1 + 1"]
    assert (
        main(["student", str(tmp_path / "more"), "--notebooks", str(tmp_path / "out" / "x")]) == 1
    )
    assert "there are no notebooks" in capsys.readouterr().err


def test_datasets_are_listed_and_printed(tmp_path, capsys):
    assert main(["datasets"]) == 0
    listed = capsys.readouterr().out
    assert all(name in listed for name in irstd.list_datasets().index)
    assert main(["datasets", "sim-trec8", "--metric", "RR"]) == 0
    (tmp_path / "rr.csv").write_text(capsys.readouterr().out)
    expected = irstd.load_dataset("sim-trec8", "RR")
    pd.testing.assert_frame_equal(irstd.read_scores(tmp_path / "rr.csv"), expected, rtol=0, atol=0)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["evaluate", "nowhere", "QRELS"], "nowhere: there is no such file"),
        (["evaluate", "RUNS", "nowhere"], "nowhere: No such file"),
        (["evaluate", "RUNS", "QRELS", "-m", "MAP"], "MAP"),
        (["evaluate", "RUNS", "QRELS", "--depth", "0"], "depth"),
        (["evaluate", "RUNS", "RUNS"], "directory"),
        (["standardize", "QRELS"], "qrels.txt:"),
        (["report", "RUNS", "nowhere"], "nowhere: No such file"),
        (["report", "nowhere", "QRELS"], "nowhere: there is no such file"),
        (["report", "RUNS", "QRELS", "-o", "no/where/r.html"], "no/where"),
        (["report", "RUNS", "QRELS", "--factors", "QRELS", "QRELS"], "qrels.txt"),
        (["report", "RUNS", "QRELS", "--baseline", "none"], "'r3orig01c', 'r3orig01d'"),
        (["report", "RUNS", "QRELS", "--column", "none"], "column must be one of 'mean', 'sd'"),
        (["datasets", "trec"], "trec"),
    ],
)
def test_an_error_is_a_sentence_and_an_exit_code(
    files, tmp_path, monkeypatch, capsys, arguments, said
):
    monkeypatch.chdir(tmp_path)
    names = {"RUNS": str(files / "runs"), "QRELS": str(files / "qrels.txt")}
    assert main([names.get(word, word) for word in arguments]) == 1
    captured = capsys.readouterr()
    assert captured.err.startswith(f"irstd {arguments[0]}: ")
    assert said in captured.err
    assert "Traceback" not in captured.err
    assert captured.out == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("arguments", [[], ["evaluate"], ["standardize", "--method", "best"]])
def test_misuse_is_exit_code_2(arguments, capsys):
    assert main(arguments) == 2
    assert "Usage: irstd" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command", ["lab", "report", "evaluate", "standardize", "factors", "datasets", "student"]
)
def test_help_has_examples(command, capsys):
    assert main([command, "--help"]) == 0
    assert f"examples:\n    irstd {command}" in capsys.readouterr().out


def test_a_warning_is_a_sentence_too(tmp_path, capsys):
    (tmp_path / "gap.csv").write_text("topic,a,b,c\n1,.1,.2,\n2,.1,.3,.4\n")
    assert main(["standardize", str(tmp_path / "gap.csv")]) == 0
    captured = capsys.readouterr()
    assert captured.err.startswith("irstd standardize: warning: ")
    assert "1 of 6 scores are missing" in captured.err
    assert captured.out.splitlines()[1].endswith(",")  # a gap stays a gap


def test_an_error_in_standard_input_names_it(files):
    result = irstd_command("standardize", input=b"topic,a\n1,.5\n2,much\n")
    assert result.returncode == 1
    assert result.stderr.decode().startswith("irstd standardize: standard input:3: ")


def test_a_reader_that_has_seen_enough_is_no_error(files):
    command = f"{sys.executable} -m irstd datasets sim-trec8 | head -1"
    result = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert result.stdout.startswith("topic,")
    assert result.stderr == ""


def test_a_report_holds_all_it_shows(files, tmp_path, monkeypatch):
    """The page opens anywhere: no script, no address to load from; names are text."""
    monkeypatch.chdir(tmp_path)
    irstd.standardization_factors(irstd.load_dataset("sim-robust2003", ["AP", "RR"])).to_csv(
        "means.csv", "sds.csv"
    )
    arguments = ["report", str(files / "runs"), str(files / "qrels.txt"), "--quiet"]
    arguments += ["--factors", "means.csv", "sds.csv", "--folder", "tables"]
    arguments += ["-m", "map", "-m", "P_10", "--column", "AP", "--column", "gmap"]
    assert main([*arguments, "-o", "report.html"]) == 0
    page = (tmp_path / "report.html").read_text()
    assert "<script" not in page
    assert 'src="http' not in page
    assert "<link" not in page
    assert "<img/src" not in page
    assert "&lt;img/src=x/onerror=alert(1)&gt;$a_b$&amp;" in page
    assert page.count("<img ") == page.count('src="data:image/png;base64,') >= 3
    assert page.count("<img ") == page.count('alt="')
    assert "Traceback" not in page
    assert f"6 runs on qrels.txt, by irstd {irstd.__version__}</footer>" in page
    assert ">Export" in page
    best = irstd.evaluate(files / "runs", files / "qrels.txt", "AP").mean().max()
    assert f"{best:.3f}" in page
    assert (tmp_path / "tables" / "leaderboard.csv").exists()
    table = (tmp_path / "tables" / "leaderboard.tex").read_text()
    assert "run & AP & gmap" in table
    assert rf"\textbf{{{best:.3f}}}" in table
    assert r"$\dagger$: differs from " in table
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "means.csv",
        "report.html",
        "sds.csv",
        "tables",
    ]


@pytest.mark.slow
def test_a_report_of_scores_has_sizes_intervals_and_ids(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    scores = irstd.load_dataset("sim-trec8").iloc[:, :6]
    irstd.write_scores(scores, "ap.csv")
    base = scores.columns[2]
    arguments = ["report", "--scores", "ap.csv", "-m", "AP", "--baseline", base, "-q"]
    assert main([*arguments, "-o", "r.html"]) == 0
    page = " ".join((tmp_path / "r.html").read_text().split())
    pairs = irstd.pairwise_tests(scores, baseline=base, correction="holm").set_index("system_a")
    best = scores.mean().drop(base).idxmax()
    for value in pairs.loc[best, ["difference", "low", "high", "effect_size"]]:
        assert f"<td>{value:.3f}</td>" in page
    least = irstd.detectable_difference(scores)
    assert f"differences of mean AP below {least:.3f} are found with a chance of less" in page
    assert (scores[base] - scores[best]).idxmax() in page
    for rank in irstd.rank_intervals(scores).itertuples():
        assert f"<td>{rank.rank}</td> <td>{rank.low}</td> <td>{rank.high}</td>" in page
    assert "0.0000" not in page
    assert sorted(file.name for file in tmp_path.iterdir()) == ["ap.csv", "r.html"]


def test_a_report_that_fails_says_where_and_keeps_what_it_did(files, tmp_path, monkeypatch, capsys):
    course = tmp_path / "course"
    course.mkdir()
    code = [
        nbformat.v4.new_code_cell("runs = qrels = None", metadata={"tags": ["parameters"]}),
        nbformat.v4.new_code_cell("raise ValueError('no such thing')"),
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = nbformat.v4.new_notebook(cells=code, metadata={"kernelspec": kernel})
    nbformat.write(notebook, course / report.TEMPLATE)
    monkeypatch.setattr(report, "course_folder", lambda: course)
    monkeypatch.chdir(tmp_path)
    assert main(["report", str(files / "runs"), str(files / "qrels.txt"), "-q"]) == 1
    said = capsys.readouterr().err
    assert "irstd report: ValueError: no such thing" in said
    assert not (tmp_path / "report.html").exists()
    kept = json.loads((tmp_path / "report.failed.ipynb").read_text())
    assert any("no such thing" in str(cell.get("outputs")) for cell in kept["cells"])


def test_the_student_version_has_no_solutions(tmp_path, capsys):
    target = tmp_path / "handout"
    assert main(["student", str(target)]) == 0
    course = sorted(lab.course_folder().glob("*.ipynb"))
    assert f"{len(course)} notebooks without solutions" in capsys.readouterr().out
    assert sorted(file.name for file in target.glob("*.ipynb")) == [file.name for file in course]
    gone = 0
    for file in course:
        full, student = (nbformat.read(f, 4) for f in (file, target / file.name))
        nbformat.validate(student)
        text = "\n".join(cell.source for cell in student.cells)
        solutions = [c for c in full.cells if "solution" in c.metadata.get("tags", [])]
        for cell in solutions:
            gone += 1
            assert cell.source not in text
        gone_too = [c for c in full.cells if "lecturer" in c.metadata.get("tags", [])]
        others = [c.source for c in full.cells if c not in solutions + gone_too]
        kept = [cell.source for cell in student.cells if cell.source]
        assert [source for source in others if source] == kept
        assert not any(words in text for words in ("our solution", "folded sol", "## For lect"))
        checks = [c for c in student.cells if "check" in c.metadata.get("tags", [])]
        assert not any(cell.outputs for cell in checks)
    assert gone >= 16
    assert main(["student", str(target)]) == 1
    assert "give another folder" in capsys.readouterr().err
