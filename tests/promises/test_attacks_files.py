"""Attacks on reading and evaluating that once ended in a wrong number, a traceback or a riddle."""

import os

import joblib
import pandas as pd
import pytest

import irstd


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Two runs of one topic, and qrels; names are relative to it."""
    monkeypatch.chdir(tmp_path)
    for name in "ab":
        (tmp_path / f"{name}.run").write_text(f"1 Q0 d1 1 2 {name}\n1 Q0 d2 2 1 {name}\n")
    (tmp_path / "qrels").write_text("1 0 d1 1\n1 0 d3 1\n")
    return tmp_path


def frame(**columns):
    return pd.DataFrame({"query_id": ["1"], "doc_id": ["d1"], "score": [1.0]} | columns)


QRELS = pd.DataFrame({"query_id": ["1"], "doc_id": ["d1"], "relevance": [1]})


def test_long_ids_are_the_same_for_every_worker(folder):
    """Ids of more than 1024 bytes were hashed with a salt that processes do not share."""
    long = "d" * 1025
    for name in "ab":
        (folder / f"{name}.run").write_text(f"1 Q0 {long} 1 1 {name}\n")
    (folder / "qrels").write_text(f"1 0 {long} 1\n")
    with joblib.parallel_config(
        backend="multiprocessing", n_jobs=2
    ):  # multiprocessing has no generator
        scores = irstd.evaluate("*.run", "qrels", "AP", n_jobs=None)
    assert scores.loc["1"].tolist() == [1, 1]


def test_a_file_whose_name_is_not_utf8_is_read(folder):
    name = os.fsdecode(b"caf\xe9.run")
    try:
        (folder / name).write_text("1 Q0 d1 1 2 c\n")
    except (OSError, UnicodeEncodeError):
        pytest.skip("this file system has no such names")
    assert list(irstd.read_runs(name)) == ["c"]


@pytest.mark.parametrize(
    ("runs", "said"),
    [
        (["a.run", "./a.run"], "named twice: .*a.run"),
        (["*.run", "b.run"], "named twice: .*b.run"),
        (["a.run", ""], "an empty path; expected a path, a folder, a pattern"),
        ([], "no file"),
    ],
)
def test_paths_that_cannot_be_meant_are_refused(folder, runs, said):
    with pytest.raises(ValueError, match=said):
        irstd.evaluate(runs, QRELS)


TWICE = pd.DataFrame([["1", "d1", "d2", 1.0]], columns=["query_id", "doc_id", "doc_id", "score"])
UNPAIRED = pd.Series(["\udc80"], dtype=object)


@pytest.mark.parametrize(
    ("run", "error", "said"),
    [
        (frame().iloc[:0], ValueError, "run 'x': no topic in common"),
        (TWICE, ValueError, "run 'x' must have the column 'doc_id' once"),
        (frame(query_id=["1\0"]), ValueError, "no topic in common"),
        (pd.concat([frame(), frame(query_id=[1])]), TypeError, "query_id mixes text and numbers"),
        (frame(doc_id=UNPAIRED), ValueError, "surrogates not allowed"),
        (frame(doc_id=[b"d1"]), TypeError, "doc_id must be text, got b'd1'"),
        (frame(score=[1j]), ValueError, "score must be finite numbers"),
        (frame(score=[True]), ValueError, "score must be finite numbers"),
        (frame(score=pd.to_datetime(["2020-01-01"])), ValueError, "be finite numbers"),
    ],
)
def test_frames_that_say_two_things_are_refused(run, error, said):
    with pytest.raises(error, match=said):
        irstd.evaluate({"x": run}, QRELS)


def test_frames_with_other_rows_and_types_are_read():
    run = pd.concat([frame(), frame(doc_id=["d2"], score=[3.0])])
    several = run.set_index(["query_id", "doc_id"], drop=False)
    kinds = run.convert_dtypes(dtype_backend="pyarrow")
    parts = run.astype({"query_id": "category", "doc_id": "category"})
    for other in (several, kinds, parts, run.astype({"score": "Float64"})):
        assert irstd.evaluate({"x": other}, QRELS, "RR").loc["1", "x"] == 0.5


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("wrong", ["b.run", "qrels"])
def test_a_malformed_file_is_said_by_any_number_of_workers(folder, wrong, n_jobs):
    """With two, runs are taken apart while another thread reads the qrels."""
    (folder / wrong).write_text("1 0 d1\n")
    with pytest.raises(ValueError, match=f"{wrong}:1: expected"):
        irstd.evaluate("*.run", "qrels", "AP", n_jobs=n_jobs)
