"""Judging: what a person said is a qrels frame and a file, at once and after a restart."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from IPython.core.formatters import DisplayFormatter

import irstd
from irstd.widgets import judge

NAMES = [f"doc{n}" for n in range(6)]
TEXTS = pd.Series({name: f"text of <b>{name}</b>" for name in NAMES})


def test_each_grade_is_in_the_frame_and_in_the_file_at_once(tmp_path):
    widget = judge("t1", "what?", TEXTS, path=tmp_path / "mine.qrels")
    assert widget.qrels.empty and not widget.path.exists()
    widget.grades = {"doc3": 2}
    widget.grades = {"doc3": 2, "doc0": 0}
    expected = [("t1", "doc0", 0), ("t1", "doc3", 2)]
    assert list(widget.qrels.itertuples(index=False, name=None)) == expected
    written = irstd.read_qrels(widget.path)
    assert sorted(written.itertuples(index=False, name=None)) == expected


@given(st.dictionaries(st.sampled_from(NAMES), st.sampled_from([0, 1, 2])))
def test_what_was_judged_is_taken_up_again(tmp_path_factory, grades):
    path = tmp_path_factory.mktemp("judged") / "mine.qrels"
    first = judge("t1", "what?", TEXTS, path=path)
    first.grades = grades
    again = judge("t1", "what?", TEXTS, path=path)
    assert again.grades == grades
    pd.testing.assert_frame_equal(again.qrels, first.qrels)
    left = [name for name in NAMES if name not in grades]
    assert again.at == (NAMES.index(left[0]) if left else len(NAMES))


def test_other_topics_and_documents_of_the_file_stay(tmp_path):
    path = tmp_path / "ours.qrels"
    others = pd.DataFrame(
        {"query_id": ["t1", "t2"], "doc_id": ["elsewhere", "doc0"], "relevance": [1, 2]}
    )
    irstd.write_qrels(others, path)
    widget = judge("t1", "what?", TEXTS, path=path)
    assert widget.grades == {}
    widget.grades = {"doc1": 1}
    found = set(irstd.read_qrels(path).itertuples(index=False, name=None))
    assert found == {("t1", "elsewhere", 1), ("t2", "doc0", 2), ("t1", "doc1", 1)}


def test_a_grade_that_is_taken_back_leaves_the_file(tmp_path):
    path = tmp_path / "mine.qrels"
    widget = judge("t1", "what?", TEXTS, path=path)
    widget.grades = {"doc0": 2, "doc1": 1}
    widget.grades = {"doc1": 1}
    assert irstd.read_qrels(path)["doc_id"].tolist() == ["doc1"]
    widget.grades = {}
    assert widget.qrels.empty and not path.exists()
    assert judge("t1", "what?", TEXTS, path=path).grades == {}


def test_what_cannot_be_written_is_said_and_comes_later(tmp_path):
    folder = tmp_path / "judged"
    widget = judge("t1", "what?", TEXTS, path=folder / "mine.qrels")
    with pytest.raises(FileNotFoundError):
        widget.grades = {"doc0": 2}
    assert "No such file" in widget.trouble and widget.kept == {}
    folder.mkdir()
    widget.grades = {"doc0": 2, "doc1": 0}
    assert widget.trouble == "" and widget.kept == {"doc0": 2, "doc1": 0}
    assert irstd.read_qrels(widget.path)["relevance"].tolist() == [2, 0]


def test_ids_that_no_file_can_hold_are_refused_before_an_hour_of_judging(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="topic must be one word"):
        judge("my question", "what?", TEXTS)
    with pytest.raises(ValueError, match="document must be one word"):
        judge("t1", "what?", {"two words": "text"})
    with pytest.raises(ValueError, match="documents must have at least one"):
        judge("t1", "what?", {})


def test_a_file_that_holds_no_judgments_is_refused_and_stays(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("t1 0 doc1 1\nmilk, eggs\n")
    with pytest.raises(ValueError, match=r"notes\.txt:2"):
        judge("t1", "what?", TEXTS, path=path)
    assert path.read_text().endswith("milk, eggs\n")


def test_without_a_kernel_the_question_and_the_documents_are_seen(tmp_path):
    widget = judge("t1", "why <i>?", TEXTS, path=tmp_path / "mine.qrels")
    data, _ = DisplayFormatter().format(widget)
    assert "why &lt;i&gt;?" in data["text/html"] and "<code>doc5</code>" in data["text/html"]
    assert repr(widget) == "judge('why <i>?': 0 of 6 judged)"
