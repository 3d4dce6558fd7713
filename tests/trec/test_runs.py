"""Reading and writing runs and qrels; what is malformed is named with its file and line."""

import gzip
import re
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import irstd
from irstd.trec.runs import name_systems

RUN = "301 Q0 d1 1 3.5 tag\n301 Q0 d2 2 -1e-3 tag\n302 Q0 d1 1 7 tag\n"
QRELS = "301 0 d1 1\n301 0 d2 0\n302 0 d1 -1\n"


def packed(data):
    """The same bytes at any time: they name the test."""
    return gzip.compress(data, mtime=0)


def run_frame(rows):
    frame = pd.DataFrame(rows, columns=["query_id", "doc_id", "score"])
    return frame.astype({"score": float})


@pytest.mark.parametrize(
    "text",
    [
        "\n\n" + RUN.rstrip(),
        "\ufeff" + RUN,
        packed(RUN[:20].encode()) + packed(RUN[20:].encode()),
        packed(b"") + packed(RUN.encode()) + bytes(512),  # padding, as tapes have it
    ],
    ids="no-end bom two-gz padded".split(),
)
def test_ways_of_writing_the_same_run(file, text):
    """Tabs, blank lines, comments and other ends of lines: test_layouts.py."""
    plain = irstd.read_run(file(RUN, "plain"))
    pd.testing.assert_frame_equal(irstd.read_run(file(text)), plain)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            RUN.replace("d2", "d 2"),
            r":2: expected 6 columns .*found 7: '3",
        ),
        (RUN.replace("7", "-inf").replace(" ", "\t"), r":3: '-inf' is not a finite number"),
        (packed(RUN.encode()) + b"rest", r": the gzip file is cut off or damaged"),
        (packed(RUN.encode())[:-6] + b"\1" * 6, r": the gzip file is cut off or damaged"),
        (RUN.encode() + b"\0\1\2", r":4: expected text in UTF-8, found the byte 0x00"),
        (
            RUN.replace("d2", "d\xe9").encode("latin-1"),
            r":2: expected text in UTF-8, found the byte 0xe9",
        ),
        (QRELS, r":1: expected 6 columns \(topic Q0 document rank score tag\), found 4"),
    ],
)
def test_a_malformed_run_is_refused_with_its_line(file, text, message):
    """Columns and numbers that are wrong, and documents that are there twice: test_layouts.py."""
    with pytest.raises(ValueError, match=r"x\.run" + message) as raised:
        irstd.read_run(file(text, "x.run"))
    assert len(str(raised.value)) < 500


def test_a_system_is_named_by_its_tag_or_else_by_its_file(file, tmp_path):
    file(RUN.replace("tag", "one"), "a.run")
    file(RUN.replace("tag", "two"), "b.run")
    file(RUN.replace("tag", "two"), "c.run")
    file(RUN, ".hidden")
    assert list(irstd.read_runs(tmp_path)) == ["one", "b.run", "c.run"]
    assert list(irstd.read_runs(str(tmp_path / "[bc].run"))) == ["b.run", "c.run"]
    assert list(irstd.read_runs([tmp_path / "c.run", tmp_path / "a.run"])) == ["two", "one"]
    assert list(irstd.read_runs(tmp_path, names="xyz")) == ["x", "y", "z"]


def test_a_name_of_a_file_need_not_be_utf8():
    name = "r\udce9"  # as Python has the byte e9
    assert name_systems([Path(name), Path("b")], [["me"], ["me"]]) == [name, "b"]


def test_a_second_byte_order_mark_is_read_alike_with_and_without_arrow(file, monkeypatch):
    path = file("\ufeff\ufeff" + RUN)
    frame = irstd.read_run(path)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert irstd.read_run(path).to_dict("list") == frame.to_dict("list")


def test_grades_beyond_32_bits_are_not_written(tmp_path):
    """`read_qrels` refuses them; 1e19 became another number."""
    for grade in (2**31, -(2**31) - 1, 1e19):
        qrels = pd.DataFrame({"query_id": ["1"], "doc_id": ["a"], "relevance": [grade]})
        with pytest.raises(ValueError, match="^qrels: relevance must fit into 32 bits, found"):
            irstd.write_qrels(qrels, tmp_path / "qrels")


def test_files_of_one_name_and_tag_are_told_apart_by_their_folders(file, tmp_path):
    for folder in "ab":
        (tmp_path / folder).mkdir()
        file(RUN, f"{folder}/same.run")
    found = list(irstd.read_runs(tmp_path / "*" / "same.run"))
    assert found == [str(tmp_path / folder / "same.run") for folder in "ab"]


def test_a_file_of_two_tags_is_named_by_its_file_with_a_warning(file):
    path = file(RUN.replace("7 tag", "7 other"), "a.run")
    with pytest.warns(UserWarning, match=r"named by file name: a\.run"):
        assert list(irstd.read_runs(path)) == ["a.run"]


def test_wrong_names_and_missing_files(file, tmp_path):
    file(RUN, "some.txt")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match="names must be unique, one per file \(1 in all\)"):
        irstd.read_runs(tmp_path / "some.txt", names=["a", "b"])
    with pytest.raises(FileNotFoundError, match="nowhere"):
        irstd.read_runs(tmp_path / "nowhere")
    for nothing in ("*.gz", "empty"):
        with pytest.raises(ValueError, match="no file found"):
            irstd.read_runs(tmp_path / nothing)


WORD = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=12)
SCORE = st.floats(allow_nan=False, allow_infinity=False)


@given(
    rows=st.dictionaries(st.tuples(WORD, WORD), SCORE, min_size=1, max_size=30), gz=st.booleans()
)
def test_a_run_written_and_read_back_is_the_same(tmp_path_factory, rows, gz):
    run = run_frame([("t" + topic, doc, score) for (topic, doc), score in rows.items()])
    path = tmp_path_factory.mktemp("run") / ("a.gz" if gz else "a")
    irstd.write_run(run, path, tag="me")
    assert (path.read_bytes()[:2] == b"\x1f\x8b") == gz
    columns = ["query_id", "doc_id"]
    back = irstd.read_run(path).sort_values(columns, ignore_index=True)
    pd.testing.assert_frame_equal(back, run.sort_values(columns, ignore_index=True))
    assert list(irstd.read_runs(path)) == ["me"]


@given(st.dictionaries(st.tuples(WORD, WORD), st.integers(-5, 9), min_size=1, max_size=30))
def test_qrels_written_and_read_back_are_the_same(tmp_path_factory, rows):
    qrels = pd.DataFrame(
        [("t" + topic, doc, grade) for (topic, doc), grade in rows.items()],
        columns=["query_id", "doc_id", "relevance"],
    )
    path = tmp_path_factory.mktemp("qrels") / "a"
    irstd.write_qrels(qrels, path)
    pd.testing.assert_frame_equal(irstd.read_qrels(path), qrels)


def test_a_run_is_written_in_the_order_in_which_it_counts(tmp_path):
    run = run_frame([("1", "a", 1.0), ("1", "c", 1.0), ("1", "b", 2.0), ("0", "a", 0.1)])
    irstd.write_run(run, tmp_path / "x", tag="me")
    assert (tmp_path / "x").read_text().splitlines() == [
        "1 Q0 b 1 2.0 me",
        "1 Q0 c 2 1.0 me",
        "1 Q0 a 3 1.0 me",
        "0 Q0 a 1 0.1 me",
    ]


@pytest.mark.parametrize(
    ("change", "tag"),
    [
        *(({"doc_id": document}, "me") for document in ("a b", "", "a\0b")),
        *(({"query_id": topic}, "me") for topic in ("#1", "\ufeff1")),
        ({"score": np.nan}, "me"),
        *(({}, tag) for tag in ("", "my tag", None)),
    ],
)
def test_what_could_not_be_read_back_is_not_written(tmp_path, change, tag):
    with pytest.raises(ValueError, match=r"must (not )?(be|hold|begin)"):
        irstd.write_run(run_frame([("1", "d", 1.0)]).assign(**change), tmp_path / "x", tag=tag)
    assert list(tmp_path.iterdir()) == []


# One look at a run before it is scored

JUDGED = {f"{n:02d}": {"a": 1, "b": 0} for n in range(1, 21)}


def ranked(scores):
    """A run of one topic with ranks as they stand."""
    lines = [f"01 Q0 {name} {rank} {score} me\n" for rank, (name, score) in enumerate(scores, 1)]
    return "".join(lines)


@pytest.mark.parametrize("of_run", ["{}", "{}.0", " {}", "{}. ", "00{}"])
def test_topics_that_are_equal_as_numbers_are_refused(of_run):
    """H7, and what pandas makes of a column with a gap: the mean of some looked like a result."""
    run = {of_run.format(n): {"a": 1.0} for n in range(1, 6)} | {"10": {"a": 1.0}}
    topic = re.escape(of_run.format(1))
    with pytest.raises(
        ValueError, match=f"the qrels and run 'me': '01' and '{topic}' look like the same id"
    ):
        irstd.evaluate({"me": run}, JUDGED, "AP")


@pytest.mark.parametrize(
    ("scores", "first", "count"),
    [
        ([0.1, 0.2, 0.9], 3, "2 of 2 ranks"),
        ([1.74, 1.60, 1.59, 1.98, 1.95, 1.76], 4, "1 of 5 ranks"),
    ],
    ids=["distances", "two answers of a turn, of irlabamsterdam/iKAT#5"],
)
def test_ranks_that_contradict_scores_are_warned_of(file, scores, first, count):
    """RR is trec_eval's."""
    path = file(ranked([(f"d{k}", score) for k, score in enumerate(scores, 1)]), "me")
    with pytest.warns(UserWarning, match=rf"ranks contradict .* in: me \({count}\)"):
        reciprocal_rank = irstd.evaluate(path, {"01": {f"d{first}": 1, "d1": 0}}, "RR")
    assert reciprocal_rank.loc["01", "me"] == 1
    for read in (irstd.read_run, irstd.read_runs):  # a run frame has no ranks
        with pytest.warns(UserWarning, match="me: ranks contradict the scores"):
            read(path)


def test_ranks_that_are_no_whole_numbers_are_refused(file):
    rows = [("01", f"d{k}", 20.25 - k, k) for k in range(1, 11)]
    frame = pd.DataFrame(rows, columns=["query_id", "doc_id", "rank", "score"])
    text = "".join(f"01 Q0 {document} {rank} {score} me\n" for _, document, rank, score in rows)
    for source, place in ((file(text, "me"), "me:1"), ({"me": frame}, "run 'me', row 0")):
        with pytest.raises(ValueError, match=f"{place}: the rank is not a whole number"):
            irstd.evaluate(source, {"01": {"d1": 1}}, "RR")


def test_a_run_that_ends_above_a_cut_off_is_warned_of():
    run = {str(n): {f"d{k}": -k for k in range(100)} for n in range(1, 6)}
    judged = {str(n): {"d1": 1, "x": 1} for n in range(1, 6)}
    with pytest.warns(
        UserWarning, match=r"runs are shorter than the cut-off of R@1000: me \(100 doc"
    ):
        found = irstd.evaluate({"me": run}, judged, ["R@1000", "R@100", "AP"])
    assert found.loc["1", ("R@1000", "me")] == 0.5
    run["1"] |= {f"e{k}": -200 - k for k in range(50)}  # of its own accord
    irstd.evaluate({"me": run}, judged, "R@100")


def test_frames_of_pyterrier_are_taken():
    run = pd.DataFrame(
        {"qid": ["1", "1"], "docno": ["a", "b"], "score": [2.0, 1.0], "rank": [0, 1]}
    )
    qrels = pd.DataFrame({"qid": ["1"], "docno": ["b"], "label": [2]})
    ours = run.rename(columns={"qid": "query_id", "docno": "doc_id"})
    found = irstd.evaluate({"me": run.assign(query="text")}, qrels, ["RR", "nDCG"])
    assert found.equals(irstd.evaluate({"me": ours}, {"1": {"b": 2}}, ["RR", "nDCG"]))
    assert found.loc["1", ("RR", "me")] == 0.5


def test_what_is_not_read_of_a_folder_is_said(tmp_path):
    for name in ("x.run", "x.run~", "more/y.run"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("1 Q0 a 1 1.0 me\n")
    with pytest.warns(UserWarning, match="given by name: more, x.run~"):
        assert list(irstd.read_runs(tmp_path)) == ["me"]


def test_scores_that_are_all_tied_are_warned_of(file):
    """Another tool's users took the nDCG of 1 that came of it for their engine's."""
    path = file(ranked([(f"d{n}", 7) for n in (3, 2, 1)]), "me")
    with pytest.warns(UserWarning, match="all scores of a topic are tied.*in: me"):
        irstd.evaluate(path, {"01": {"d1": 1}}, "RR")
    counts = file(ranked([(f"d{n}", n // 20) for n in range(40, 0, -1)]), "me")
    irstd.evaluate(counts, {"01": {"d1": 1}}, "RR")  # as numbers of words are: no warning


def test_exponential_gains_of_large_grades_are_refused():
    """H6: NaN and inf."""
    qrels = {"q": {"a": 3, "c": 1200}}
    run = {"s": {"q": {"a": 3.0, "c": 1.0}}}
    with pytest.raises(ValueError, match=r"at most 1000, got 1200"):
        irstd.evaluate(run, qrels, ["nDCG", "DCG"], gain="exponential")
    largest = {"q": {"a": 3, "c": 1000}}
    assert irstd.evaluate(run, largest, "nDCG", gain="exponential").notna().all(axis=None)
    assert irstd.evaluate(run, qrels, "ERR").notna().all(axis=None)


REVERSED = "1 Q0 e 50 3 me\n1 Q0 b 70 2 me\n1 Q0 a 90 1 me\n2 Q0 d 10 2 me\n2 Q0 c 12 1 me\n"


def test_swapped_ranks_and_scores_are_refused_in_any_order_of_lines(file):
    lines = REVERSED.splitlines(keepends=True)
    from_three = [
        re.sub(" ([123]) me", lambda rank: f" {int(rank[1]) + 2} me", line) for line in lines
    ]
    by_document = sorted(lines)
    interleaved = [lines[i] for i in (2, 4, 1, 3, 0)]
    for text in (lines, by_document, interleaved, from_three):
        with pytest.raises(ValueError, match="me.run:.*are rank and score swapped"):
            irstd.read_run(file("".join(text), "me.run"))
    up_and_down = "1 Q0 a 1 1 me\n1 Q0 b 9 2 me\n1 Q0 c 5 3 me\n"
    with pytest.warns(UserWarning, match="ranks contradict the scores"):
        assert len(irstd.read_run(file(up_and_down, "me.run"))) == 3


@pytest.mark.filterwarnings("error")
def test_whole_scores_beside_ranks_are_read(file):
    """As counts of votes are, with ranks from 0, with gaps, or with none, and lines from below."""
    for ranks in ("123", "012", "159", "000", "---"):
        lines = [f"1 Q0 d{n} {rank} {9 - 2 * n} me\n" for n, rank in enumerate(ranks)]
        assert irstd.read_run(file("".join(lines), "me"))["score"].tolist() == [9, 7, 5]
        assert irstd.read_run(file("".join(lines[::-1]), "me"))["score"].tolist() == [5, 7, 9]
    text = "".join(f"1 Q0 d{n} {n} {3 - n} me\n" for n in range(3))
    assert irstd.read_run(file(text, "me"))["score"].tolist() == [3, 2, 1]
