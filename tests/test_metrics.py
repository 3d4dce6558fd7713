"""The metrics against trec_eval (pytrec_eval-terrier), ir_measures, and slow obvious references."""

import math

import ir_measures
import joblib
import numpy as np
import pandas as pd
import pytest
import pytrec_eval
from as_frames import qrels_of, run_of
from hypothesis import given
from hypothesis import strategies as st

import irstd
from irstd.metrics import REGISTRY

TREC_EVAL = {  # irstd's name: trec_eval's
    "AP": "map",
    "P@10": "P_10",
    "RR": "recip_rank",
    "RP": "Rprec",
    "nDCG": "ndcg",
}
TREC_EVAL_MORE = TREC_EVAL | {
    "P@5": "P_5",
    "nDCG@10": "ndcg_cut_10",
    "P@1000": "P_1000",
    "R@5": "recall_5",
    "AP@5": "map_cut_5",
    "Success@1": "success_1",
    "NumRet": "num_ret",
}


def with_cut_off(name, k):
    """A name of the registry with a number in place of k: ``P@k``, ``P_k``."""
    if name.endswith(("@k", "_k")):
        return f"{name[:-1]}{k}"
    return name


def names_in_trec_eval(metrics, k):
    """irstd's names of what trec_eval computes of these metrics, and its own, at a cut-off."""
    names = {}
    for metric in metrics:
        for theirs, ours in metric.trec_eval.items():
            if theirs.removesuffix("_k") in pytrec_eval.supported_measures:
                names[with_cut_off(ours, k)] = with_cut_off(theirs, k)
    return names


def frames(qrels, runs):
    """Data frames from {topic: {document: grade}} and {system: {topic: {document: score}}}."""
    run_frames = {name: run_of(run) for name, run in runs.items()}
    return run_frames, qrels_of(qrels)


def by_trec_eval(qrels, run, metrics, topics):
    """trec_eval's scores, by irstd's names; what it does not return is 0."""
    judged = {topic: qrels[topic] for topic in topics}  # it crashes on topics of negative grades
    found = pytrec_eval.RelevanceEvaluator(judged, set(metrics.values())).evaluate(run)
    scores = {}
    for metric, name in metrics.items():
        scores[metric] = [found.get(topic, {}).get(name, 0.0) for topic in topics]
    return scores


def obvious(ranking, grades, depth):
    """Each metric of one topic, rank by rank, from a list of documents and {document: grade}."""
    ranking = ranking[:depth]
    ideal = sorted((grade for grade in grades.values() if grade > 0), reverse=True)
    gains = [max(grades.get(document, 0), 0) for document in ranking]
    hits = [int(gain > 0) for gain in gains]
    hit_ranks = [rank for rank, hit in enumerate(hits, 1) if hit]
    relevant = len(ideal)
    precision = {}
    for k in range(1, max(len(hits), 10) + 1):
        precision[k] = sum(hits[:k]) / k

    def dcg(values, cut=None):
        total = 0
        for rank, value in enumerate(values[:cut], 1):
            discount = 1
            if rank > 2:
                discount = math.log2(rank)
            total += value / discount
        return total

    def vdcg(values, cut=None):
        return sum(value / math.log2(rank + 1) for rank, value in enumerate(values[:cut], 1))

    def rbp(values, p):
        weights = [p ** (rank - 1) for rank, value in enumerate(values, 1) if value > 0]
        return (1 - p) * sum(weights)

    holes = [document not in grades for document in ranking]
    scores = {
        "Hole@3": sum(holes[:3]) / 3,
        "Hole@10": sum(holes[:10]) / 10,
        "SP": sum(precision[rank] for rank in hit_ranks),
        "P@10": precision[10],
        "RBP.8": rbp(gains, 0.8),
        "JDCG": dcg(gains),
        "DCG": vdcg(gains),
        "JDCG@3": dcg(gains, 3),
        "nJDCG": dcg(gains) / dcg(ideal),
        "nDCG": vdcg(gains) / vdcg(ideal),
        "nJDCG@3": dcg(gains, 3) / dcg(ideal, 3),
        "nP@10": precision[10] / (min(relevant, 10) / 10),
        "nRBP.8": rbp(gains, 0.8) / rbp(ideal, 0.8),
    }
    return scores | {"AP": scores["SP"] / relevant}


# Small worlds in which ties, unjudged documents, missing topics and negative grades are common.
# Scores are halves, so that single precision (pytrec_eval's) and double (irstd's) agree.
DOCUMENTS = st.sampled_from(
    ["d1", "d2", "d10", "D1", "é", "z", "𝄞", "\uffee", "d1a", "d-1", "long" * 9]
)
TOPICS = st.sampled_from(["1", "2", "10", "topic-with-a-long-name"])
QRELS = st.dictionaries(
    TOPICS, st.dictionaries(DOCUMENTS, st.integers(-2, 4), min_size=1), min_size=1
)
HALVES = st.integers(-4, 4).map(lambda n: n / 2)
RUN = st.dictionaries(TOPICS, st.dictionaries(DOCUMENTS, HALVES, min_size=1), min_size=1)


def comparable(qrels, run):
    """The topics that count under irstd's rule 2, if there is one that the run returns."""
    topics = [topic for topic, documents in qrels.items() if max(documents.values()) > 0]
    if set(topics) & set(run):
        return topics
    return []


@given(qrels=QRELS, run=RUN)
@pytest.mark.filterwarnings("ignore:evaluate:UserWarning")
def test_any_small_run_scores_as_by_trec_eval(qrels, run):
    topics = comparable(qrels, run)
    if not topics:
        return
    names = TREC_EVAL_MORE | names_in_trec_eval(REGISTRY.values(), 3)
    scores = irstd.evaluate({"a": run}, qrels, list(names))
    assert scores.index.tolist() == topics
    for metric, expected in by_trec_eval(qrels, run, names, topics).items():
        np.testing.assert_allclose(scores[metric, "a"], expected, rtol=0, atol=1e-12)


@given(qrels=QRELS, run=RUN, depth=st.sampled_from([1, 2, 5, 1000]))
@pytest.mark.filterwarnings("ignore:evaluate:UserWarning")
def test_any_small_run_scores_as_by_the_obvious_loop(qrels, run, depth):
    topics = comparable(qrels, run)
    if not topics:
        return
    metrics = []
    for metric in obvious(["x"], {"x": 1}, 1):
        cut_off = int(metric.partition("@")[2] or 1)
        if cut_off <= depth:
            metrics.append(metric)
    scores = irstd.evaluate({"a": run}, qrels, metrics, depth=depth)
    for topic in topics:
        documents = run.get(topic, {})
        ranking = sorted(documents, key=str.encode, reverse=True)
        ranking.sort(key=documents.get, reverse=True)
        expected = obvious(ranking, qrels[topic], depth)
        for metric in metrics:
            assert scores.at[topic, (metric, "a")] == pytest.approx(expected[metric], abs=1e-12)


def test_a_topic_without_a_document_of_the_level_scores_0_and_is_named():
    with pytest.warns(UserWarning, match=r"relevance >= 2 score 0 in AP\(rel=2\): topic 2$"):
        scores = irstd.evaluate(RUNS_TWO, QRELS_TWO, ["AP", "AP(rel=2)"])
    assert scores["AP(rel=2)"]["x"].tolist() == [1, 0]


def test_grades_may_be_large():
    grade = 2**40
    runs, qrels = frames({"1": {"a": grade, "b": 1}}, {"x": {"1": {"b": 2, "a": 1}}})
    expected = (1 + grade / math.log2(3)) / (grade + 1 / math.log2(3))
    assert irstd.evaluate(runs, qrels, "nDCG").loc["1", "x"] == pytest.approx(expected)


def test_scores_compare_as_doubles():
    """As in trec_eval from 9.0.8 on; pytrec_eval-terrier holds them in single precision."""
    runs, qrels = frames({"1": {"a": 1, "b": 0}}, {"x": {"1": {"a": 1 + 1e-12, "b": 1.0}}})
    assert irstd.evaluate(runs, qrels, "RR").loc["1", "x"] == 1


QRELS_TWO = {"1": {"a": 2, "b": 1, "c": 0, "d": 1}, "2": {"a": 1}}
RUNS_TWO = {
    "x": {"1": {"a": 3, "c": 2, "b": 1}, "2": {"c": 2, "a": 1}},
    "y": {"1": {"c": 3, "b": 2}, "2": {"a": 2}},
}


def test_one_metric_gives_a_score_matrix_and_several_give_pairs():
    scores = irstd.evaluate(RUNS_TWO, QRELS_TWO, "map")
    assert (scores.index.name, scores.columns.name) == ("topic", "system")
    assert scores.attrs == {"metric": "AP"}
    everything = irstd.evaluate(RUNS_TWO, QRELS_TWO)
    assert everything.columns.names == ["metric", "system"]
    assert everything.columns.unique("metric").tolist() == list(irstd.METRICS)
    pd.testing.assert_frame_equal(everything["AP"], scores)
    one = irstd.evaluate(RUNS_TWO, QRELS_TWO, ["AP"])
    assert list(one.columns) == [("AP", "x"), ("AP", "y")]


MISSING = {"x": {"1": {"a": 1}, "9": {"a": 1}}, "y": {"1": {"b": 1}, "2": {"a": 1}}}
MISSING["z"] = {"1": {"q": 1}, "2": {"q": 1}}  # documents of another collection


@pytest.mark.parametrize(
    ("missing", "value", "shown"), [("zero", 0.0, "0"), ("nan", np.nan, "NaN")]
)
def test_missing_topics_by_rule_and_a_warning_for_each_finding(missing, value, shown):
    runs, qrels = frames(QRELS_TWO | {"3": {"a": 0}}, MISSING)
    with pytest.warns(UserWarning) as caught:
        scores = irstd.evaluate(runs, qrels, ["AP", "RR"], missing=missing)
    found = {str(warning.message).removeprefix("evaluate: ") for warning in caught}
    assert found == {
        "topics without a relevant document are left out: topic 3",
        f"topics missing from a run score {shown}: x (topic 2)",
        "topics without judgments are ignored in: x (topic 9)",
        "runs have no relevant document (do document ids match the qrels?): z",
    }
    assert len(caught) == len(found)
    assert scores.index.tolist() == ["1", "2"]
    np.testing.assert_equal(scores.loc["2", ("AP", "x")], value)
    assert scores.loc["2", ("AP", "y")] == 1
    with pytest.raises(ValueError, match="run 'x' lacks judged topic 2"):
        irstd.evaluate(runs, qrels, "AP", missing="raise")


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"metrics": ["AP", "P@0"]}, ValueError, "unknown metric 'P@0'"),
        ({"metrics": "Judged(rel=2)@3"}, ValueError, "unknown metric"),
        ({"metrics": ["AP", "map"]}, ValueError, "different names, got .*AP"),
        (
            {"metrics": ir_measures.AP, "depth": 9},
            ValueError,
            "cannot be given with ir_measures",
        ),
        ({"runs": {1: None, "1": None}}, ValueError, "run names must differ as text"),
        ({"qrels": {}}, ValueError, "no topic of the qrels"),
        ({"min_relevance": 3}, ValueError, "no topic of the qrels has a document of relevance >="),
    ],
)
def test_wrong_arguments_are_refused(arguments, error, message):
    arguments = {"runs": RUNS_TWO, "qrels": QRELS_TWO} | arguments
    with pytest.raises(error, match=message):
        irstd.evaluate(**arguments)


def test_measures_of_ir_measures_are_computed_by_ir_measures():
    runs, qrels = frames(QRELS_TWO, RUNS_TWO)
    scores = irstd.evaluate(runs, qrels, ["AP", ir_measures.nDCG @ 10])
    found = ir_measures.iter_calc([ir_measures.nDCG @ 10], qrels, runs["x"])
    expected = {m.query_id: m.value for m in found}
    assert scores["ir_measures.nDCG@10"]["x"].to_dict() == pytest.approx(expected)
    by_name = irstd.evaluate(runs, qrels, "ir_measures.nDCG@10")
    pd.testing.assert_frame_equal(by_name, scores["ir_measures.nDCG@10"])


@pytest.mark.parametrize("n_jobs", [1, 2, None])
def test_files_score_as_frames_by_any_number_of_workers(run_files, capfd, n_jobs):
    runs, qrels, folder = run_files
    with pytest.warns(UserWarning, match=r"score 0: run3 \(topic 302\)") as caught:
        expected = irstd.evaluate(runs, qrels)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    files = str(folder / "runs" / "*.gz")
    with (
        joblib.parallel_config(backend="threading", n_jobs=2),
        pytest.warns(UserWarning, match=r"score 0: run3 \(topic 302\)") as caught,
    ):
        found = irstd.evaluate(files, folder / "qrels", n_jobs=n_jobs, progress=True)
    assert len(caught) == 1
    pd.testing.assert_frame_equal(found, expected, check_exact=True)
    assert "5/5" in capfd.readouterr().err


def test_metrics_have_no_limit_of_depth_and_the_ideal_holds_all_that_is_relevant():
    """Oracle: trec_eval; for its -M, see tests/oracles."""
    documents = [f"d{i}" for i in range(3000)]
    order = np.random.default_rng(0).permutation(documents)[:2500].tolist()
    qrels = {"1": {document: int(i < 1500) for i, document in enumerate(documents)}}
    whole = {"1": {document: -i for i, document in enumerate(order)}}
    runs, judged = frames(qrels, {"x": whole})
    names = TREC_EVAL_MORE | {"R@2000": "recall_2000"}
    found = irstd.evaluate(runs, judged, list(names))  # a warning would be an error
    expected = pd.DataFrame(by_trec_eval(qrels, whole, names, ["1"]))
    np.testing.assert_allclose(found, expected, atol=1e-9)

    with pytest.warns(UserWarning, match="beyond depth=1000 are ignored in: x$"):
        irstd.evaluate(runs, judged, "AP", depth=1000)
    with pytest.raises(ValueError, match="R@2000 needs ranks beyond depth=1000"):
        irstd.evaluate(runs, judged, "recall_2000", depth=1000)


def test_exponential_gains_on_paper():
    """A document of grade g gains 2^g - 1; JDCG leaves ranks 1 and 2 undiscounted."""
    runs, qrels = frames({"1": {"a": 3, "b": 2, "c": 1}}, {"x": {"1": {"b": 9, "c": 8, "a": 7}}})
    powers = irstd.evaluate(runs, qrels, ["JDCG", "DCG"], gain="exponential").loc["1"].tolist()
    assert powers == pytest.approx([3 + 1 + 7 / math.log2(3), 3 + 1 / math.log2(3) + 7 / 2])
