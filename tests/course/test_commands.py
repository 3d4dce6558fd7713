"""The irstd command: CSV in pipelines, data sets, help, the student version."""

import io
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pandas as pd
import pytest

import irstd
from irstd.__main__ import irstd_command


def test_evaluate_writes_what_the_library_computes(files, run):
    expected = irstd.evaluate(files / "runs", files / "qrels.txt", "AP")
    Path("ap.csv").write_text(run("evaluate RUNS QRELS -m AP").out)
    pd.testing.assert_frame_equal(irstd.read_scores("ap.csv"), expected)  # all bits
    run(f"evaluate {files}/runs/*.gz QRELS -o scores.csv")
    assert Path("scores.csv").read_text().startswith("topic,metric,system,score\n")
    expected = irstd.evaluate(files / "runs", files / "qrels.txt")
    pd.testing.assert_frame_equal(irstd.read_scores("scores.csv")[expected.columns], expected)


@pytest.mark.filterwarnings("ignore:evaluate", "ignore:.*scores are missing")
def test_the_options_of_evaluate_are_those_of_the_library(files, run):
    names = sorted(str(file) for file in (files / "runs").glob("*.gz"))
    short = irstd.read_run(names[0]).query("query_id > '610'")
    queries = pd.DataFrame({"query_id": short["query_id"].unique()})
    queries["doc_id"] = queries["query_id"]
    short = pd.concat([queries.assign(score=short["score"].max() + 1), short])
    irstd.write_run(short, "short.run", tag="short")
    qrels = irstd.read_qrels(files / "qrels.txt")
    qrels["relevance"] *= 1 + qrels.index % 2
    irstd.write_qrels(pd.concat([qrels, queries.assign(relevance=0)]), "graded.txt")
    words = "-m RR -m nDCG@5 --gain exponential --depth 5 --min-relevance 2 --missing nan --jobs 2"
    words += " --unjudged drop --ignore-identical-ids --quiet"
    run(f"evaluate {' '.join(names)} short.run graded.txt {words} -o out.csv")
    options = {"gain": "exponential", "depth": 5, "min_relevance": 2, "missing": "nan"}
    options |= {"unjudged": "drop", "ignore_identical_ids": True}
    by_library = partial(irstd.evaluate, [*names, "short.run"], "graded.txt", ["RR", "nDCG@5"])
    expected = by_library(**options)
    found = irstd.read_scores("out.csv")
    pd.testing.assert_frame_equal(found[expected.columns], expected)
    for option in options:
        others = {name: value for name, value in options.items() if name != option}
        assert not expected.equals(by_library(**others)), option


def test_a_pipeline_selects_a_metric(files, run, monkeypatch):
    scores = run("evaluate RUNS QRELS -m AP -m RR").out
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(scores.encode())))
    standardized = run("standardize --method z -m RR").out
    table = pd.read_csv(io.StringIO(standardized), index_col="topic", dtype={"topic": str})
    raw = irstd.evaluate(files / "runs", files / "qrels.txt", "RR")
    expected = raw.sub(raw.mean(axis=1), axis=0).div(raw.std(axis=1), axis=0)  # pandas: ddof=1
    expected[raw.max(axis=1) == raw.min(axis=1)] = 0
    pd.testing.assert_frame_equal(table, expected.fillna(0), atol=1e-12, check_names=False)


def test_factors_with_names_of_the_page_are_read_by_an_option(run):
    both = irstd.load_dataset("sim-robust2003", ["DCG", "JDCG"])
    here = irstd.standardization_factors(both)
    irstd.write_scores(both["DCG"].iloc[:, :5], "five.csv")
    on_page = {"DCG": "VDCG", "JDCG": "DCG"}
    here.mean.rename(columns=on_page).to_csv("mn.csv")
    here.sd.rename(columns=on_page).to_csv("sd.csv")
    assert "--factor-names page" in run("standardize five.csv --factors mn.csv sd.csv", 1).err
    run("standardize five.csv --factors mn.csv sd.csv --factor-names page -m DCG -o out.csv")
    dcg = both["DCG"]
    expected = irstd.standardize(dcg.iloc[:, :5], dcg)
    found = irstd.read_scores("out.csv")
    pd.testing.assert_frame_equal(found, expected, atol=1e-12, check_names=False)


def test_factors_and_reference_give_the_same(run):
    everybody = irstd.load_dataset("sim-robust2003")
    five = everybody.iloc[:, :5]
    irstd.write_scores(everybody, "all.csv")
    irstd.write_scores(five, "five.csv")
    run("factors all.csv -m AP -o m.csv s.csv --trec-eval z.txt")
    assert (
        irstd.Factors.from_trec_eval("z.txt")
        .sd["AP"]
        .equals(irstd.standardization_factors(everybody).sd["AP"])
    )
    ways = ["reference all.csv", "reference sim-robust2003 -m AP", "factors m.csv s.csv -m AP"]
    for way in ways:
        assert run(f"standardize five.csv --{way} -o out.csv").err == ""
        found, expected = irstd.read_scores("out.csv"), irstd.standardize(five, everybody)
        pd.testing.assert_frame_equal(found, expected, atol=1e-12, check_names=False)
    said = run("standardize five.csv --factors m.csv s.csv").err
    assert "assumed to be AP, as the factors" in said
    run("standardize five.csv --reference all.csv --method uniform --zero-sd drop -o u.csv")
    expected = irstd.standardize(five, everybody, "uniform", zero_sd="drop")
    pd.testing.assert_frame_equal(irstd.read_scores("u.csv"), expected, atol=1e-12)


def test_a_table_that_a_command_cannot_read_is_read_as_its_message_says(run):
    Path("mine.csv").write_text("id,A,B,C\n1,.3,.4,.35\n2,.2,.1,.2\n")
    assert "as topic=" in (said := run("standardize mine.csv", 1).err)
    assert "write it with irstd.write_scores" in said
    irstd.write_scores(irstd.read_scores("mine.csv", topic="id"), "plain.csv")
    assert run("standardize plain.csv").out.startswith("topic,A,B,C\n1,")


def test_scores_are_written_in_the_form_that_the_name_says(files, run):
    """V10: a command wrote CSV into s.parquet."""
    run("evaluate RUNS QRELS -m AP -o s.csv.gz")
    expected = irstd.evaluate(files / "runs", files / "qrels.txt", "AP")
    pd.testing.assert_frame_equal(irstd.read_scores("s.csv.gz"), expected)
    for words in ("evaluate RUNS QRELS -o s.xlsx", "standardize s.csv.gz -o s.parquet"):
        assert "must end in .csv or .csv.gz" in run(words, 1).err
    expected.to_parquet("s.parquet")
    assert "read it with irstd.read_scores" in run("standardize s.parquet", 1).err


def test_help_lists_each_command_and_has_examples(run):
    text = run("--help").out
    for name in irstd_command.commands:
        assert f"\n  {name} " in text
        assert f"    irstd {name}" in run(f"{name} --help").out.partition("example")[2]
    assert run("--version").out == f"irstd {irstd.__version__}\n"


def test_a_pipe_gets_utf8_whatever_the_console_has(tmp_path):
    """As on Windows, where Python takes the code page 1252."""
    (tmp_path / "a.run").write_text("1 Q0 d1 1 2.0 Jörg→\n", encoding="utf-8")
    (tmp_path / "qrels.txt").write_text("1 0 d1 1\n")
    words = "-m irstd evaluate a.run qrels.txt -m AP".split()
    for encoding in ("cp1252", "ascii"):
        done = subprocess.run(
            [sys.executable, *words], cwd=tmp_path, capture_output=True, check=True,
            env=os.environ | {"PYTHONIOENCODING": encoding},
        )  # fmt: skip
        assert done.stdout.decode("utf-8").splitlines() == ["topic,Jörg→", "1,1.0"]
