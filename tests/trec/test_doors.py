"""What people have: files and objects of other tools, each written by its own library."""

import bz2
import gzip
import json

import ir_measures
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from as_frames import dict_of, qrels_of, run_of

import irstd
from irstd.metrics.names import get_highest_score, translate_name

RANDOM = np.random.default_rng(20261123)
TOPICS = ["1", "q-2", "03", "PLAIN-4"]
DOCUMENTS = [f"d{number}" for number in range(30)]


def drawn(draw, least):
    """A dict {topic: {document: value}} of documents in any order."""
    held = {}
    for topic in TOPICS:
        documents = RANDOM.permutation(DOCUMENTS)[: least + int(RANDOM.integers(5))]
        held[topic] = {str(document): draw() for document in documents}
    return held


RUN = drawn(lambda: float(RANDOM.normal()), 12)
QRELS = drawn(lambda: int(RANDOM.integers(3)), 8)
FRAME = run_of(RUN)


# Scores


def test_tables_of_arrow():
    table = pa.table({"topic": TOPICS, "bm25": [0.1, 0.2, 0.3, 0.4]})
    assert irstd.read_scores(table)["bm25"].to_dict() == dict(
        zip(TOPICS, [0.1, 0.2, 0.3, 0.4], strict=True)
    )


def test_results_of_ir_measures():
    """Oracle: ir_measures' own numbers."""
    measures = [ir_measures.AP, ir_measures.nDCG @ 10]
    results = list(ir_measures.iter_calc(measures, qrels_of(QRELS), FRAME))
    for form in (results, iter(results)):
        scores = irstd.read_scores(form)
        for item in results:
            assert scores.loc[item.query_id, (str(item.measure), "run")] == item.value
    assert irstd.read_scores(results[:1]).size == 1


# Runs and qrels


def test_objects_of_ir_measures(tmp_path):
    irstd.write_run(FRAME, tmp_path / "run", tag="mine")
    irstd.write_qrels(qrels_of(QRELS), tmp_path / "qrels")
    run = list(ir_measures.read_trec_run(str(tmp_path / "run")))
    qrels = list(ir_measures.read_trec_qrels(str(tmp_path / "qrels")))
    pd.testing.assert_frame_equal(
        irstd.evaluate({"a": run}, qrels, "AP"), irstd.evaluate({"a": RUN}, QRELS, "AP")
    )


def test_qrels_of_beir(tmp_path):
    judged = qrels_of(QRELS).set_axis(["query-id", "corpus-id", "score"], axis=1)
    judged.to_csv(tmp_path / "test.tsv", sep="\t", index=False)
    qrels = irstd.read_qrels(tmp_path / "test.tsv")
    assert dict_of(qrels) == QRELS
    assert qrels["relevance"].dtype.kind == "i"


def test_runs_of_ms_marco(tmp_path):
    """Of ranks alone, a score is minus the rank: metrics are those of the run with scores."""
    ranked = FRAME.sort_values("score", ascending=False)
    ranks = ranked.groupby("query_id").cumcount() + 1
    rows = ranked[["query_id", "doc_id"]].assign(rank=ranks)
    rows.to_csv(tmp_path / "dev.tsv", sep="\t", header=False, index=False)
    found = irstd.evaluate(tmp_path / "dev.tsv", QRELS)
    expected = irstd.evaluate({"dev.tsv": RUN}, QRELS)
    pd.testing.assert_frame_equal(found, expected, check_exact=True)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (json.dumps(RUN), "is JSON: give the dict of json.load"),
        (FRAME.to_json(orient="records", lines=True), "is JSON: give the dict of json.load"),
        (b"PAR1....", "is Parquet: read it with pd.read_parquet"),
    ],
)
def test_other_forms_of_runs_are_refused_with_what_to_give(content, said, file):
    with pytest.raises(ValueError, match=said):
        irstd.read_run(file(content, "run"))


def test_a_folder_in_place_of_judgments_says_what_to_give(tmp_path):
    with pytest.raises(ValueError, match="is a folder; give a file in it, such as test.ts"):
        irstd.evaluate({"a": RUN}, tmp_path)


def test_numbers_in_columns_of_objects_are_numbers():
    """H3: 'score must be a finite number, found 0.2 in row 0'."""
    run = FRAME.astype({"score": object})
    expected = irstd.evaluate({"a": RUN}, QRELS, "AP")
    pd.testing.assert_frame_equal(irstd.evaluate({"a": run}, QRELS, "AP"), expected)


# What is damaged

BEIR = "query-id\tcorpus-id\tscore\n1\ta\t1\n1\tb\t0\n"
MS_MARCO = "1\ta\t1\n1\tb\t2\n1\tc\t3\n"
DAMAGED_FILES = [
    (BEIR.replace("\t0", "\t2147483648"), ":3: '2147483648' is not a signed 32-bit integer"),
    (BEIR.replace("b\t0", "b"), ":3: expected 3 columns"),
    (BEIR + "1\ta\t1\n", ":4: the document appears twice in its topic"),
    (MS_MARCO, ":1: expected 4 columns"),  # BEIR's without the first line
    (MS_MARCO.replace("\t2", "\t2.5"), ":2: '2.5' is not a signed 32-bit integer"),
    (MS_MARCO.replace("\t3", "\t4"), ":3: ranks must be 1, 2, 3"),
    ("1 a 3\n1 b 2\n1 c 1\n2 a 2\n", ":2: ranks decrease from line to line .*as scores do"),
]


@pytest.mark.parametrize(("text", "said"), DAMAGED_FILES)
def test_a_damaged_run_or_qrels_is_refused_with_its_line(text, said, file):
    is_of_qrels = text.startswith("query-id") or "4 columns" in said
    read = irstd.read_qrels if is_of_qrels else irstd.read_run
    with pytest.raises(ValueError, match=f"/x{said}"):
        read(file(text, "x"))


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("x.jsonl", '{"topic": "1", "a": 0.5}\n{"topic": "2", "a": 0.', ":2: is not JSON"),
        (
            "x.jsonl",
            '{"topic": "1", "a": 1}\n{"topic": "2", "a": 1, "a": 2}',
            ":2: is not JSON: a",
        ),
        ("x.jsonl", '{"topic": 1.0, "a": 0.5}\n', ": the ids in 'topic' are floats"),
        ("x.jsonl", '{"topic": "1", "a": 0.5}\n{"topic": "1", "a": 0}', ":2: a second score"),
        ("x.jsonl", '[{"topic": "1", "a": 0.5}]', ":1: expected a JSON object of names"),
        ("x.csv", b"topic,a\n1,\xff\n", ":2: expected text in UTF-8, found the byte 0xff"),
        ("x.csv.gz", gzip.compress(b"topic,a\n1,.5\n", mtime=0)[:-3], ": the gzip file is cut off"),
        ("dev.txt.bz2", bz2.compress(b"1 2 3"), ": is packed with bzip2: unpack it first"),
    ],
)
def test_a_damaged_file_is_refused_with_its_line(file, name, content, said):
    """H9: a packed file was broken text."""
    with pytest.raises(ValueError, match=f"{name}{said}"):
        irstd.read_scores(file(content, name))
    if "packed" in said:
        with pytest.raises(ValueError, match=f"{name}{said}"):
            irstd.read_run(file(content, name))


DAMAGED_FRAMES = [
    (FRAME.assign(score=[np.nan, *FRAME["score"][1:]]), "found nan in row 0"),
    (FRAME.assign(query_id=[None, *FRAME["query_id"][1:]]), "query_id is missing in 1 of"),
    (pd.concat([FRAME, FRAME.iloc[:1]], ignore_index=True), "row .*appears twice in its topic"),
]


@pytest.mark.parametrize(("frame", "said"), DAMAGED_FRAMES)
def test_a_damaged_frame_is_refused(frame, said):
    for run in (frame, pa.Table.from_pandas(frame, preserve_index=False)):
        with pytest.raises((ValueError, TypeError), match=f"run 'a'.*{said}"):
            irstd.evaluate({"a": run}, QRELS, "AP")


# What counts


@pytest.mark.filterwarnings("ignore:evaluate. topics without judgments")
def test_documents_with_the_id_of_their_topic():
    """Oracle: the run without them. BEIR drops them of results, not of qrels."""
    with_query = {}
    for topic, documents in RUN.items():
        with_query[topic] = {topic: 99.0, **documents}
    with pytest.warns(
        UserWarning, match=r"id of their topic .*ignore_identical_ids=True.*in: a \(4 documents\)"
    ):
        kept = irstd.evaluate({"a": with_query | {"9": {"9": 1.0}}}, QRELS)  # 9 is not judged
    expected = irstd.evaluate({"a": RUN}, QRELS)
    assert (kept["RR", "a"] < expected["RR", "a"]).any()
    of_collections = {"x": {"a": with_query}}
    found = irstd.evaluate(of_collections, {"x": QRELS}, ignore_identical_ids=True)["x"]
    pd.testing.assert_frame_equal(found, expected, check_exact=True)
    as_asked = irstd.evaluate({"a": with_query}, QRELS, ignore_identical_ids=False)
    pd.testing.assert_frame_equal(as_asked, kept)
    with pytest.raises(TypeError, match="ignore_identical_ids"):
        irstd.evaluate({"a": RUN}, QRELS, ignore_identical_ids="no")


@pytest.mark.parametrize(
    ("theirs", "ours"),
    {
        "ndcg_at_10": "nDCG@10",
        "hit_rate_at_5": "Success@5",
        "MAP": "AP",
        "hit_rate@10": "Success@10",
        "r-precision": "RP",
        "Hole@10": "Hole@10",
        "judged_10": "Judged@10",
    }.items(),
)
def test_names_of_beir_mteb_and_ranx(theirs, ours):
    assert translate_name(theirs) == ours
    assert get_highest_score(theirs) == 1
