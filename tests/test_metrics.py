"""The metrics against trec_eval (pytrec_eval-terrier), ir_measures, and slow obvious references."""

import math
import warnings

import ir_measures
import joblib
import numpy as np
import pandas as pd
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

import irstd

NAMED_DCG = "ignore:evaluate. .* as Jarvelin and Kekalainen:UserWarning"
TREC_EVAL = {"AP": "map", "P@10": "P_10", "RR": "recip_rank", "RP": "Rprec", "nVDCG": "ndcg"}
TREC_EVAL_MORE = TREC_EVAL | {
    "P@5": "P_5",
    "nVDCG@10": "ndcg_cut_10",
    "P@1000": "P_1000",
    "R@5": "recall_5",
    "AP@5": "map_cut_5",
    "Success@1": "success_1",
    "bpref": "bpref",
    "NumRet": "num_ret",
}


def frames(qrels, runs):
    """Data frames from {topic: {document: grade}} and {system: {topic: {document: score}}}."""

    def frame(table, value):
        rows = [(t, d, v) for t, documents in table.items() for d, v in documents.items()]
        return pd.DataFrame(rows, columns=["query_id", "doc_id", value])

    return (
        {name: frame(run, "score").astype({"score": float}) for name, run in runs.items()},
        frame(qrels, "relevance"),
    )


def by_trec_eval(qrels, run, metrics, topics):
    """trec_eval's scores, by irstd's names; what it does not return is 0."""
    judged = {topic: qrels[topic] for topic in topics}  # it crashes on topics of negative grades
    found = pytrec_eval.RelevanceEvaluator(judged, set(metrics.values())).evaluate(run)
    return {
        metric: [found.get(topic, {}).get(name, 0.0) for topic in topics]
        for metric, name in metrics.items()
    }


def obvious(ranking, grades, depth):
    """Each metric of one topic, rank by rank, from a list of documents and {document: grade}."""
    ranking = ranking[:depth]
    best = sorted((g for g in grades.values() if g > 0), reverse=True)
    gains = [max(grades.get(document, 0), 0) for document in ranking]
    hits = [int(gain > 0) for gain in gains]
    relevant = len(best)
    at = dict(enumerate(hits, 1))
    precision = {k: sum(hits[:k]) / k for k in range(1, max(len(hits), 10, relevant) + 1)}

    def dcg(values, cut=None):
        return sum(v / (math.log2(i) if i > 2 else 1) for i, v in enumerate(values[:cut], 1))

    def vdcg(values, cut=None):
        return sum(v / math.log2(i + 1) for i, v in enumerate(values[:cut], 1))

    def rbp(values, p):
        return (1 - p) * sum((v > 0) * p ** (i - 1) for i, v in enumerate(values, 1))

    ideal = best
    scores = {
        "SP": sum(precision[i] for i, hit in at.items() if hit),
        "P@10": precision[10],
        "RR": next((1 / i for i, hit in at.items() if hit), 0),
        "RBP.8": rbp(gains, 0.8),
        "RBP.95": rbp(gains, 0.95),
        "RP": precision[relevant],
        "DCG": dcg(gains),
        "VDCG": vdcg(gains),
        "DCG@3": dcg(gains, 3),
        "nDCG": dcg(gains) / dcg(ideal),
        "nVDCG": vdcg(gains) / vdcg(ideal),
        "nDCG@3": dcg(gains, 3) / dcg(ideal, 3),
        "nVDCG@3": vdcg(gains, 3) / vdcg(ideal, 3),
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
    topics = [t for t, documents in qrels.items() if max(documents.values()) > 0]
    return topics if set(topics) & set(run) else []


@settings(deadline=None)
@given(qrels=QRELS, run=RUN)
@pytest.mark.filterwarnings("ignore:evaluate:UserWarning")
def test_any_small_run_scores_as_by_trec_eval(qrels, run):
    topics = comparable(qrels, run)
    if not topics:
        return
    runs, judged = frames(qrels, {"a": run})
    scores = irstd.evaluate(runs, judged, list(TREC_EVAL_MORE))
    assert scores.index.tolist() == topics
    for metric, expected in by_trec_eval(qrels, run, TREC_EVAL_MORE, topics).items():
        np.testing.assert_allclose(scores[metric, "a"], expected, rtol=0, atol=1e-12)


@settings(deadline=None)
@given(qrels=QRELS, run=RUN, depth=st.sampled_from([1, 2, 5, 1000]))
@pytest.mark.filterwarnings("ignore:evaluate:UserWarning")
def test_any_small_run_scores_as_by_the_obvious_loop(qrels, run, depth):
    topics = comparable(qrels, run)
    if not topics:
        return
    runs, judged = frames(qrels, {"a": run})
    metrics = [m for m in obvious(["x"], {"x": 1}, 1) if int(m.partition("@")[2] or 1) <= depth]
    scores = irstd.evaluate(runs, judged, metrics, depth=depth)
    for topic in topics:
        order = sorted(run.get(topic, {}).items(), key=lambda pair: pair[0].encode(), reverse=True)
        order.sort(key=lambda pair: pair[1], reverse=True)
        expected = obvious([document for document, _ in order], qrels[topic], depth)
        for metric in metrics:
            assert scores.at[topic, (metric, "a")] == pytest.approx(expected[metric], abs=1e-12)


@settings(deadline=None)
@given(qrels=QRELS, run=RUN, p=st.sampled_from([0.5, 0.8, 0.95]), level=st.integers(1, 2))
@pytest.mark.filterwarnings("ignore:evaluate:UserWarning")
def test_rbp_is_that_of_ir_measures(qrels, run, p, level):
    topics = [t for t, documents in qrels.items() if max(documents.values()) >= level]
    if not set(topics) & set(run):
        return
    # cwl_eval, which computes ir_measures' RBP, leaves the order of ties to the order given.
    ranked = {
        topic: dict(sorted(docs.items(), key=lambda x: (x[1], x[0].encode()), reverse=True))
        for topic, docs in run.items()
    }
    distinct = {t: {d: -i for i, d in enumerate(docs)} for t, docs in ranked.items()}
    runs, judged = frames(qrels, {"a": run})
    scores = irstd.evaluate(runs, judged, f"RBP{str(p)[1:]}", min_relevance=level)["a"]
    untied = frames(qrels, {"a": distinct})[0]["a"]
    measure = ir_measures.RBP(p=p, rel=level)
    expected = {m.query_id: m.value for m in ir_measures.iter_calc([measure], judged, untied)}
    for topic in topics:
        assert scores[topic] == pytest.approx(expected.get(topic, 0.0), abs=1e-9)


@settings(deadline=None)
@given(qrels=QRELS, run=RUN, k=st.sampled_from([1, 3, 20]), level=st.integers(1, 3))
@pytest.mark.filterwarnings("ignore:evaluate:UserWarning")
def test_cut_offs_and_levels_are_those_of_ir_measures(qrels, run, k, level):
    """Topics without a document of the level score 0 there, too."""
    topics = comparable(qrels, run)
    if not topics:
        return
    runs, judged = frames(qrels, {"a": run})
    pairs = {
        f"RR@{k}": ir_measures.RR @ k,
        "NumRet": ir_measures.NumRet,
        f"Judged@{k}": ir_measures.Judged @ k,
        f"AP(rel={level})@{k}": ir_measures.AP(rel=level) @ k,
        f"P(rel={level})@{k}": ir_measures.P(rel=level) @ k,
        f"RP(rel={level})": ir_measures.Rprec(rel=level),
        f"RR(rel={level})": ir_measures.RR(rel=level),
    }
    scores = irstd.evaluate(runs, judged, list(pairs))
    # Of its measures, some rank ties by document ascending: none are given to it.
    order = runs["a"].sort_values(["score", "doc_id"], ascending=False, key=_in_bytes)
    untied = order.assign(score=-np.arange(len(order), dtype=float))
    counted = judged[judged["query_id"].isin(topics)]
    found = {(metric, topic): 0.0 for metric in pairs for topic in topics}
    names = {measure: name for name, measure in pairs.items()}
    for item in ir_measures.iter_calc(list(names), counted, untied):
        found[names[item.measure], item.query_id] = item.value
    for (metric, topic), expected in found.items():
        assert scores.at[topic, (metric, "a")] == pytest.approx(expected, abs=1e-9), metric


def _in_bytes(column):
    return column.map(str.encode).astype(object) if column.name == "doc_id" else column


def test_err_is_that_of_gdeval():
    rng = np.random.default_rng(5)
    qrels = {t: {f"d{i}": int(rng.integers(-1, 5)) for i in range(40)} | {"d50": 4} for t in "12"}
    run = {t: {f"d{i}": float(i) for i in rng.permutation(60)} for t in "12"}
    runs, judged = frames(qrels, {"x": run})
    ours = irstd.evaluate(runs, judged, ["ERR@20", "ERR@5"])
    for k in (20, 5):
        for item in (ir_measures.ERR @ k).iter_calc(judged, runs["x"]):  # prints five decimals
            assert ours.at[item.query_id, (f"ERR@{k}", "x")] == pytest.approx(item.value, abs=6e-6)


def in_results(name):
    """trec_eval's P.5, as its option has it, is P_5 in what it prints."""
    return name.replace(".", "_")


def test_names_of_trec_eval_mean_what_they_mean_there():
    """Without a warning: the columns have irstd's names."""
    runs, qrels = frames(QRELS_TWO, RUNS_TWO)
    theirs = "map recip_rank Rprec ndcg ndcg_cut.10 P.5 recall_5 success_1 map_cut_5 bpref".split()
    scores = irstd.evaluate(runs, qrels, theirs)
    names = "AP RR RP nVDCG nVDCG@10 P@5 R@5 Success@1 AP@5 bpref".split()
    assert scores.columns.get_level_values(0).unique().tolist() == names
    topics = scores.index.tolist()
    for metric, expected in by_trec_eval(
        QRELS_TWO, RUNS_TWO["x"], dict(zip(names, map(in_results, theirs), strict=True)), topics
    ).items():
        np.testing.assert_allclose(scores[metric, "x"], expected, atol=1e-12)


@pytest.mark.parametrize("metrics", ["nDCG", "DCG@5", ["AP", "nDCG@20"], ["nDCG(rel=2)"]])
def test_ndcg_asked_for_by_name_is_said_to_be_another(metrics):
    runs, qrels = frames(QRELS_TWO, RUNS_TWO)
    qrels["relevance"] *= 2
    with pytest.warns(UserWarning, match="what trec_eval, ir_measures and ranx call nDCG is nVDC"):
        irstd.evaluate(runs, qrels, metrics)


def test_scores_of_one_metric_say_which_and_are_not_taken_for_another():
    runs, qrels = frames(QRELS_TWO, RUNS_TWO)
    scores = irstd.evaluate(runs, qrels, "map")
    assert scores.attrs == {"metric": "AP"}
    factors = irstd.standardization_factors(scores)
    with pytest.raises(ValueError, match="must be of the same metrics"):
        irstd.standardize(irstd.evaluate(runs, qrels, "P_10"), factors)
    both = irstd.evaluate(runs, qrels, ["AP", "SP"])
    with pytest.raises(ValueError, match="must be of the same metrics"):
        irstd.standardize(both, factors)


@pytest.mark.parametrize("kind", ["Int64", "int64", "object"])
def test_measures_of_ir_measures_take_numbers_as_ids(kind):
    runs, qrels = frames(QRELS_TWO, RUNS_TWO)
    expected = irstd.evaluate(runs, qrels, ir_measures.AP)
    number = {"a": 1, "b": 2, "c": 3, "d": 4}

    def numbered(frame):
        ids = frame.assign(doc_id=frame["doc_id"].map(number)).astype({"query_id": "int64"})
        return ids.astype({"query_id": kind, "doc_id": kind})

    found = irstd.evaluate(
        {name: numbered(run) for name, run in runs.items()},
        numbered(qrels).astype({"relevance": float}),
        ir_measures.AP,
    )
    pd.testing.assert_frame_equal(found, expected)


@pytest.mark.parametrize("option", [{"depth": 10}, {"min_relevance": 2}, {"gain": "exponential"}])
def test_what_does_not_bind_measures_of_ir_measures_is_refused(option):
    runs, qrels = frames(QRELS_TWO, RUNS_TWO)
    with pytest.raises(ValueError, match="depth, min_relevance and gain are not those of measures"):
        irstd.evaluate(runs, qrels, ir_measures.AP, **option)


def test_a_topic_without_a_document_of_the_level_scores_0_and_is_named():
    runs, qrels = frames(QRELS_TWO, RUNS_TWO)
    with pytest.warns(UserWarning, match=r"relevance >= 2 score 0 in AP\(rel=2\): 2$"):
        scores = irstd.evaluate(runs, qrels, ["AP", "AP(rel=2)"])
    assert scores["AP(rel=2)"]["x"].tolist() == [1, 0]


@pytest.mark.parametrize("grade", [127, 128, 32768, 2**31 - 1, 2**40])
def test_grades_may_be_large(grade):
    runs, qrels = frames({"1": {"a": grade, "b": 1}}, {"x": {"1": {"b": 2, "a": 1}}})
    expected = (1 + grade / math.log2(3)) / (grade + 1 / math.log2(3))
    assert irstd.evaluate(runs, qrels, "nVDCG").loc["1", "x"] == pytest.approx(expected)


def test_grades_whose_power_is_no_number_are_refused():
    runs, qrels = frames({"1": {"a": 1001}}, {"x": {"1": {"a": 1}}})
    with pytest.raises(ValueError, match=r"needs grades up to 1000, the qrels have 1001"):
        irstd.evaluate(runs, qrels, "VDCG", gain="exponential")


def test_scores_compare_as_doubles():
    """As in trec_eval from 9.0.8 on; pytrec_eval-terrier holds them in single precision."""
    runs, qrels = frames({"1": {"a": 1, "b": 0}}, {"x": {"1": {"a": 1 + 1e-12, "b": 1.0}}})
    assert irstd.evaluate(runs, qrels, "RR").loc["1", "x"] == 1
    single = {"x": runs["x"].assign(score=runs["x"]["score"].astype("float32"))}
    assert irstd.evaluate(single, qrels, "RR").loc["1", "x"] == 0.5


QRELS_TWO = {"1": {"a": 2, "b": 1, "c": 0, "d": 1}, "2": {"a": 1}}
RUNS_TWO = {
    "x": {"1": {"a": 3, "c": 2, "b": 1}, "2": {"c": 2, "a": 1}},
    "y": {"1": {"c": 3, "b": 2}, "2": {"a": 2}},
}


def test_one_metric_gives_a_score_matrix_and_several_give_pairs():
    runs, qrels = frames(QRELS_TWO, RUNS_TWO)
    scores = irstd.evaluate(runs, qrels, "AP")
    assert scores.index.name == "topic"
    assert scores.columns.name == "system"
    assert scores.loc["1", "x"] == pytest.approx((1 + 2 / 3) / 3)
    everything = irstd.evaluate(runs, qrels)
    assert everything.columns.names == ["metric", "system"]
    assert list(dict.fromkeys(everything.columns.get_level_values(0))) == list(irstd.METRICS)
    pd.testing.assert_frame_equal(everything["AP"], scores)
    one = irstd.evaluate(runs, qrels, ["AP"])
    assert list(one.columns) == [("AP", "x"), ("AP", "y")]


@pytest.mark.filterwarnings(NAMED_DCG)
def test_dcg_and_its_variant_on_paper():
    """DCG of base 2 leaves ranks 1 and 2 undiscounted; VDCG divides by log2(rank + 1)."""
    runs, qrels = frames({"1": {"a": 3, "b": 2, "c": 1}}, {"x": {"1": {"b": 9, "c": 8, "a": 7}}})
    scores = irstd.evaluate(runs, qrels, ["DCG", "VDCG", "nDCG", "DCG@2"]).loc["1"]
    assert scores["DCG", "x"] == pytest.approx(2 + 1 + 3 / math.log2(3))
    assert scores["VDCG", "x"] == pytest.approx(2 + 1 / math.log2(3) + 3 / 2)
    assert scores["nDCG", "x"] == pytest.approx((3 + 3 / math.log2(3)) / (5 + 1 / math.log2(3)))
    assert scores["DCG@2", "x"] == 3
    powers = irstd.evaluate(runs, qrels, "DCG", gain="exponential").loc["1", "x"]
    assert powers == pytest.approx(3 + 1 + 7 / math.log2(3))


@pytest.mark.filterwarnings(NAMED_DCG)
def test_r_normalized_scores_of_a_perfect_run_are_one():
    qrels = {"1": {"a": 1, "b": 1}, "2": {f"d{i}": 1 for i in range(30)}}
    run = {t: {d: -i for i, d in enumerate(docs)} for t, docs in qrels.items()}
    runs, judged = frames(qrels, {"x": run})
    scores = irstd.evaluate(runs, judged, ["nP@10", "nRBP.8", "nDCG", "AP", "P@10"])[
        "nP@10 nRBP.8 nDCG AP".split()
    ]
    assert np.allclose(scores, 1)


@pytest.mark.filterwarnings(NAMED_DCG)
def test_what_is_below_min_relevance_gains_nothing():
    runs, qrels = frames(QRELS_TWO, RUNS_TWO)
    with pytest.warns(UserWarning, match="topics without a relevant document are left out: 2"):
        scores = irstd.evaluate(runs, qrels, ["AP", "nDCG"], min_relevance=2)
    assert scores.loc["1", ("AP", "x")] == 1
    assert scores.loc["1", ("nDCG", "x")] == 1
    assert scores.loc["1", ("nDCG", "y")] == 0


MISSING = {"x": {"1": {"a": 1}, "9": {"a": 1}}, "y": {"1": {"b": 1}, "2": {"a": 1}}}


@pytest.mark.parametrize(("missing", "value"), [("zero", 0.0), ("nan", np.nan)])
def test_missing_topics_by_rule_and_one_warning(missing, value):
    runs, qrels = frames(QRELS_TWO | {"3": {"a": 0}}, MISSING)
    with pytest.warns(UserWarning) as caught:
        scores = irstd.evaluate(runs, qrels, ["AP", "RR"], missing=missing)
    assert len(caught) == 1
    text = str(caught[0].message)
    assert "without a relevant document are left out: 3" in text
    assert (
        f"topics that a run does not return score {'0' if missing == 'zero' else 'NaN'}: x (2)"
        in text
    )
    assert "topics of runs that are not judged are left out: 9" in text
    assert scores.index.tolist() == ["1", "2"]
    np.testing.assert_equal(scores.loc["2", ("AP", "x")], value)
    assert scores.loc["2", ("AP", "y")] == 1


def test_missing_topics_can_be_an_error():
    runs, qrels = frames(QRELS_TWO, MISSING)
    with pytest.raises(ValueError, match=r"runs without some of the judged topics: x \(2\)"):
        irstd.evaluate(runs, qrels, "AP", missing="raise")


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (
            {"metrics": "MAP"},
            ValueError,
            "'MAP': did you mean 'AP'. expected one of AP, SP, DCG",
        ),
        ({"metrics": "NDCG@20"}, ValueError, "did you mean 'nVDCG@20'"),
        ({"metrics": ["AP", "P@0"]}, ValueError, "unknown metric 'P@0'"),
        ({"metrics": "RBP.0"}, ValueError, "unknown metric 'RBP.0'"),
        ({"metrics": ["AP", "AP"]}, ValueError, "metrics must differ, got one twice: AP = AP"),
        ({"metrics": ["RBP.5", "RBP.50"]}, ValueError, r"RBP\.5 = RBP\.50"),
        ({"metrics": ["AP", "AP(rel=1)"]}, ValueError, r"AP = AP\(rel=1\)"),
        ({"metrics": "RBP.99999999999999999"}, ValueError, "unknown metric"),  # which rounds to 1
        ({"metrics": "P@" + "9" * 5000}, ValueError, "unknown metric"),
        ({"metrics": "ir_measures.Nothing@3"}, NameError, "measure not found: Nothing"),
        ({"n_jobs": 0}, ValueError, "n_jobs must be a whole number, not 0"),
        (
            {"runs": 3},
            TypeError,
            "expected a path, a folder, a pattern or a list of these, got int",
        ),
        ({"runs": [pd.DataFrame()]}, TypeError, "expected a path.*got DataFrame"),
        ({"runs": {1: None, "1": None}}, ValueError, "runs has a system as text and as a number"),
        ({"runs": {"x": pd.DataFrame()}}, ValueError, "run 'x' lacks the column"),
        ({"qrels": {}}, TypeError, "qrels must be a DataFrame .* or a dict"),
        ({"metrics": []}, ValueError, "metrics is empty"),
        ({"missing": "drop"}, ValueError, "missing must be one of 'zero', 'nan', 'raise', got 'dr"),
        ({"gain": "log"}, ValueError, "gain must be one of"),
        ({"depth": 0}, ValueError, "depth must be at least 1"),
        ({"depth": 2.5}, TypeError, "depth must be a whole number"),
        ({"min_relevance": 0}, ValueError, "min_relevance must be at least 1"),
        (
            {"min_relevance": 3},
            ValueError,
            "no topic of the qrels has a document of relevance >= 3",
        ),
        ({"runs": {}}, ValueError, "runs is empty"),
        ({"runs": pd.DataFrame()}, TypeError, "runs must be a dict of run frames"),
        ({"runs": {"x": 3}}, TypeError, "run 'x' must be a DataFrame.*, got int"),
    ],
)
def test_wrong_arguments_are_refused(arguments, error, message):
    runs, qrels = frames(QRELS_TWO, RUNS_TWO)
    with pytest.raises(error, match=message):
        irstd.evaluate(**({"runs": runs, "qrels": qrels} | arguments))


def test_measures_of_ir_measures_are_computed_by_ir_measures():
    runs, qrels = frames(QRELS_TWO, RUNS_TWO)
    scores = irstd.evaluate(runs, qrels, ["AP", ir_measures.nDCG @ 10, ir_measures.Judged @ 2])
    expected = {
        m.query_id: m.value
        for m in ir_measures.iter_calc([ir_measures.nDCG @ 10], qrels, runs["x"])
    }
    assert scores["ir_measures.nDCG@10"]["x"].to_dict() == pytest.approx(expected)
    assert scores.columns.get_level_values(0).unique().tolist() == [
        "AP",
        "ir_measures.nDCG@10",
        "ir_measures.Judged@2",
    ]
    by_name = irstd.evaluate(runs, qrels, "ir_measures.nDCG@10")
    pd.testing.assert_frame_equal(by_name, scores["ir_measures.nDCG@10"])
    assert irstd.evaluate(runs, qrels, ir_measures.AP).columns.tolist() == ["x", "y"]


@pytest.fixture
def campaign(tmp_path):
    """Run files and qrels of some size, with ties and a topic that one run lacks."""
    rng = np.random.default_rng(7)
    qrels = {str(t): {f"d{d}": int(rng.integers(-1, 3)) for d in range(0, 60, 2)} for t in range(9)}
    runs = {
        f"s{s}": {
            str(t): {f"d{d}": float(rng.integers(0, 30)) for d in rng.permutation(60)}
            for t in range(s == 3, 9)
        }
        for s in range(5)
    }
    frame_of, judged = frames(qrels, runs)
    for name, run in frame_of.items():
        irstd.write_run(run.sample(frac=1, random_state=1), tmp_path / f"{name}.gz", tag=name)
    irstd.write_qrels(judged, tmp_path / "qrels.txt")
    return frame_of, judged, tmp_path


@pytest.mark.filterwarnings("ignore:evaluate:UserWarning")
def test_files_score_as_frames_whatever_the_number_of_workers(campaign, capfd):
    runs, qrels, folder = campaign
    expected = irstd.evaluate(runs, qrels)
    files = str(folder / "*.gz")
    pd.testing.assert_frame_equal(irstd.evaluate(files, folder / "qrels.txt"), expected)
    two = irstd.evaluate(files, qrels, n_jobs=2)
    pd.testing.assert_frame_equal(two, expected, check_exact=True)
    with joblib.parallel_config(backend="threading", n_jobs=2):
        again = irstd.evaluate(files, qrels, n_jobs=None, progress=True)
    pd.testing.assert_frame_equal(again, expected, check_exact=True)
    assert "5/5" in capfd.readouterr().err


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_the_warning_is_given_once_by_any_number_of_workers(campaign, n_jobs):
    _, qrels, folder = campaign
    with pytest.warns(UserWarning, match=r"score 0: s3 \(0\)") as caught:
        irstd.evaluate(str(folder / "*.gz"), qrels, "AP", n_jobs=n_jobs)
    assert len(caught) == 1
    assert caught[0].filename == __file__


@settings(deadline=None)
@given(qrels=QRELS, run=RUN)
@pytest.mark.filterwarnings("ignore:evaluate:UserWarning")
def test_ap_is_sp_over_r_and_scores_lie_in_bounds(qrels, run):
    topics = comparable(qrels, run)
    if not topics:
        return
    runs, judged = frames(qrels, {"a": run})
    scores = irstd.evaluate(runs, judged, [*irstd.METRICS, "nP@10", "nRBP.95", "nDCG@5"])
    relevant = [sum(grade > 0 for grade in qrels[topic].values()) for topic in topics]
    np.testing.assert_allclose(scores["SP", "a"] / relevant, scores["AP", "a"], atol=1e-15)
    bounded = scores.drop(columns=["SP", "DCG", "VDCG"], level="metric").to_numpy()
    assert (bounded >= 0).all()
    assert (bounded <= 1 + 1e-12).all()


@pytest.fixture(scope="module")
def robust(trec_data):
    folder = trec_data / "trectools"
    runs = irstd.read_runs(folder / "runs")
    qrels = irstd.read_qrels(folder / "qrels" / "robust03_qrels.txt")
    with warnings.catch_warnings(action="ignore"):  # one of the runs lacks a topic
        return runs, qrels, irstd.evaluate(runs, qrels)


@pytest.mark.filterwarnings("ignore:evaluate:UserWarning")
class TestRealRuns:
    """The TREC 2003 Robust runs against trec_eval, every topic."""

    @staticmethod
    def nested(frame, value):
        return {
            topic: dict(zip(part["doc_id"], part[value].tolist(), strict=True))
            for topic, part in frame.groupby("query_id")
        }

    def test_every_topic_equals_trec_eval(self, robust):
        """pytrec_eval holds scores in single precision, so it is given the ranks that they imply;
        with scores rounded to single precision irstd equals it on the scores themselves."""
        runs, qrels, scores = robust
        judged = self.nested(qrels, "relevance")
        single = {
            name: run.assign(score=run["score"].astype("float32")) for name, run in runs.items()
        }
        in_single = irstd.evaluate(single, qrels, list(TREC_EVAL))
        for name, run in runs.items():
            raw = by_trec_eval(judged, self.nested(run, "score"), TREC_EVAL, scores.index)
            dense = run.assign(score=run.groupby("query_id")["score"].rank(method="dense"))
            exact = by_trec_eval(judged, self.nested(dense, "score"), TREC_EVAL, scores.index)
            for metric in TREC_EVAL:
                np.testing.assert_allclose(scores[metric, name], exact[metric], atol=1e-9, rtol=0)
                np.testing.assert_allclose(in_single[metric, name], raw[metric], atol=1e-9, rtol=0)


def test_num_ret_with_a_level_counts_relevant_documents():
    """The numbers of ir_measures' own test (test_official holds all of them)."""
    grades = dict(zip("abcd", [1, 2, 0, 1], strict=True))
    runs, qrels = frames({"1": grades}, {"x": {"1": dict(zip("abcde", range(5), strict=True))}})
    scores = irstd.evaluate(runs, qrels, ["num_ret", "NumRet(rel=1)", "NumRet(rel=2)"])
    assert scores.loc["1"].tolist() == [5, 3, 1]
    assert scores.columns[0] == ("NumRet", "x")
    with pytest.raises(ValueError, match=r"unknown metric 'Judged\(rel=2\)@3'"):
        irstd.evaluate(runs, qrels, "Judged(rel=2)@3")


@pytest.fixture
def deep():
    """A run of 2,500 documents on a topic of 1,500 relevant ones."""
    names = [f"d{i}" for i in range(3000)]
    order = np.random.default_rng(0).permutation(names)[:2500]
    qrels = {"1": {name: int(i < 1500) for i, name in enumerate(names)}}
    return qrels, {"1": {str(name): 2500.0 - i for i, name in enumerate(order)}}


def test_metrics_have_no_limit_of_depth_and_the_ideal_holds_all_that_is_relevant(deep):
    """Oracle: trec_eval; it is given the first 1,000, as pytrec_eval has no -M."""
    qrels, run = deep
    names = TREC_EVAL_MORE | {"R@2000": "recall_2000"}
    runs, judged = frames(qrels, {"x": run})
    scores = irstd.evaluate(runs, judged, list(names)).loc["1"]
    for metric, value in by_trec_eval(qrels, run, names, ["1"]).items():
        assert scores[metric, "x"] == pytest.approx(value[0], abs=1e-9), metric
    first = {"1": dict(list(run["1"].items())[:1000])}
    with pytest.warns(UserWarning, match="ranks below depth=1000 do not count in: x$"):
        scores = irstd.evaluate(runs, judged, list(TREC_EVAL_MORE), depth=1000).loc["1"]
    for metric, value in by_trec_eval(qrels, first, TREC_EVAL_MORE, ["1"]).items():
        assert scores[metric, "x"] == pytest.approx(value[0], abs=1e-9), metric
    with pytest.raises(ValueError, match="R@2000 looks at ranks below depth=1000"):
        irstd.evaluate(runs, judged, "recall_2000", depth=1000)
    assert len(irstd.evaluate(runs, judged, ["P@2500", "AP"], depth=2500)) == 1


def test_factors_of_bpref_and_num_ret_go_to_trec_eval_and_back(tmp_path):
    runs, judged = frames(QRELS_TWO, RUNS_TWO)
    scores = irstd.evaluate(runs, judged, ["AP", "bpref", "NumRet"])
    irstd.standardization_factors(scores).to_trec_eval(tmp_path / "z")
    lines = (tmp_path / "z").read_text().splitlines()
    assert [line.split()[1] for line in lines][:3] == ["map", "bpref", "num_ret"]
    back = irstd.Factors.from_trec_eval(tmp_path / "z")
    assert back.mean.columns.tolist() == ["AP", "bpref", "NumRet"]
