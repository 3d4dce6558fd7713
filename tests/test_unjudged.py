"""Metrics of one's own, documents that nobody judged, families of runs."""

import numpy as np
import pandas as pd
import pytest
from as_frames import dict_of, qrels_of, run_of
from hypothesis import given
from hypothesis import strategies as st
from public.lesson_01 import RUNS, first_documents
from statsmodels.stats.inter_rater import cohens_kappa

import irstd

NAMES = ["AP", "P@4", "RBP.8", "nDCG", "nJDCG", "RR", "RP"]
pytestmark = pytest.mark.filterwarnings("ignore:evaluate")


def frames(grades):
    """A run of these grades by rank (None: not judged), and what was judged, in and below it."""
    ranked = {f"d{rank}": grade for rank, grade in enumerate(grades)}
    run = {document: -float(rank) for rank, document in enumerate(ranked)}
    judged = {document: grade for document, grade in ranked.items() if grade is not None}
    return run_of({"1": run}), qrels_of({"1": judged | {"below": 2}})


@given(st.lists(st.sampled_from([None, 0, 1, 2]), min_size=1, max_size=12))
def test_what_nobody_judged_is_scored_as_if_it_had_been_judged_relevant(grades):
    """Oracle: the same run with judgments of grade 1 in the places without."""
    run, qrels = frames(grades)
    found = irstd.evaluate({"a": run}, qrels, NAMES, unjudged="relevant").loc["1"]
    _, all_judged = frames([1 if grade is None else grade for grade in grades])
    expected = irstd.evaluate({"a": run}, all_judged, NAMES).loc["1"]
    below_the_run = dict.fromkeys(NAMES, 0)
    below_the_run["RBP.8"] = 0.8 ** len(grades)
    differences = (found - expected).tolist()
    assert differences == pytest.approx(list(below_the_run.values()), abs=1e-12)


def test_the_residual_of_rbp_is_moffat_and_zobels():
    """Their residual: the weights of all ranks that are not judged, those below the run too."""
    run, qrels = frames([1, None, 0, None, 2])
    low = irstd.evaluate({"a": run}, qrels, "RBP.5", unjudged="zero").iat[0, 0]
    high = irstd.evaluate({"a": run}, qrels, "RBP.5", unjudged="relevant").iat[0, 0]
    assert high - low == pytest.approx(0.5**2 + 0.5**4 + 0.5**5)


@pytest.mark.night
def test_without_what_it_alone_found_a_run_loses_two_ranks(trec_data):
    """As on the page: nobody judged what only uic0301 has among its first 100 documents.

    The ranks there are those among six of the 17 run files of the registry.
    """
    folder = trec_data / "trectools"
    runs = irstd.read_runs([folder / "runs" / f"input.{name}.gz" for name in RUNS])
    keys = ["query_id", "doc_id"]
    qrels = irstd.read_qrels(folder / "qrels" / "robust03_qrels.txt")
    first = pd.concat({name: first_documents(run) for name, run in runs.items()}, names=["run"])
    own = first.reset_index("run").drop_duplicates(keys, keep=False).query("run == 'uic0301'")
    is_own = qrels.set_index(keys).index.isin(own.set_index(keys).index)
    rest = qrels[~is_own]
    metrics = ["P@10", "AP"]
    whole = irstd.evaluate(runs, qrels, metrics).mean()
    as_zero = irstd.evaluate(runs, rest, metrics, unjudged="zero").mean()
    as_relevant = irstd.evaluate(runs, rest, metrics, unjudged="relevant").mean()
    found = pd.concat([whole, as_zero, as_relevant], axis=1)
    means = found.xs("uic0301", level="system").round(3)
    assert means.to_numpy().tolist() == [[0.39, 0.359, 0.57], [0.24, 0.217, 0.557]]
    assert found.loc["P@10"].rank(ascending=False).loc["uic0301"].tolist() == [2, 4, 1]


def test_a_metric_of_ones_own_sees_grades_by_rank(recwarn):
    run, qrels = frames([2, 0, None, 1])
    seen = []

    def first(grades):
        seen.append(grades.tolist())
        return grades[0] / 2

    found = irstd.evaluate({"a": run}, qrels, ["P@4", first, "AP(rel=2)"])
    assert found.columns.tolist() == [("P@4", "a"), ("first", "a"), ("AP(rel=2)", "a")]
    assert found["first"].iat[0, 0] == 1
    assert seen == [[2, 0, 0, 1]]
    found = irstd.evaluate({"a": run}, qrels, ["AP", {"nJDCG": np.sum}], min_relevance=2)
    assert found["nJDCG"].iat[0, 0] == 2
    assert not recwarn  # of what the name means elsewhere


@pytest.mark.parametrize(("missing", "value"), [("zero", 0), ("nan", np.nan)])
def test_a_metric_of_ones_own_is_not_asked_of_missing_topics(missing, value):
    def one_by_length(grades):
        return 1 / len(grades)

    run, qrels = frames([2, 0, None, 1])
    two_topics = pd.concat([qrels, qrels.assign(query_id="2")])
    metrics = {"p": one_by_length}
    with pytest.warns(UserWarning, match="missing from a run"):
        found = irstd.evaluate({"a": run}, two_topics, metrics, missing=missing)
    assert found["p"]["a"].equals(pd.Series([0.25, value], ["1", "2"]))


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"metrics": {"mine": 3}}, TypeError),
        ({"metrics": {"mine": lambda grades: np.nan}}, ValueError),
        ({"metrics": {"": len}}, ValueError),
        ({"metrics": [len, len]}, ValueError),
        ({"metrics": []}, ValueError),
        ({"unjudged": "relevant", "metrics": "ir_measures.AP"}, ValueError),
        ({"runs": {}}, ValueError),
    ],
)
def test_what_is_refused(arguments, error):
    run, qrels = frames([1, 0])
    arguments = {"runs": {"a": run}, "qrels": qrels} | arguments
    with pytest.raises(error):
        irstd.evaluate(**arguments)


def test_several_baselines_are_one_family_of_tests():
    scores = irstd.load_dataset("sim-trec8").iloc[:, ::8]
    baselines = scores.columns[[1, 0]].tolist()
    others = scores.columns.difference(baselines)
    table = irstd.pairwise_tests(scores, baseline=baselines, correction="bonferroni")
    pairs = set(zip(table["system_a"], table["system_b"], strict=True))
    assert pairs == {(other, baseline) for other in others for baseline in baselines}
    adjusted = np.minimum(1, len(pairs) * table["pvalue"]).to_numpy()
    assert table["adjusted_pvalue"].to_numpy() == pytest.approx(adjusted)
    for wrong in ([], scores.columns.tolist()):
        with pytest.raises(ValueError, match="baseline"):
            irstd.pairwise_tests(scores, baseline=wrong)
    twice = [*baselines, baselines[0]]  # one that is named twice counts once
    paper = irstd.comparison_table(scores, twice, correction="bonferroni")
    signs = (np.sign(table["difference"]) * (adjusted <= 0.05)).groupby(table["system_a"])
    expected = signs.min().where(signs.min() == signs.max(), 0).to_dict()
    marks = paper.marks.iloc[:, 0].map({"↑": 1, "↓": -1, "": 0}).to_dict()
    assert marks == expected | dict.fromkeys(baselines, 0)
    assert set(expected.values()) == {1, 0, -1}


def test_runs_without_a_name_are_refused_with_what_to_give():
    run, qrels = frames([1, 0, 2])
    bare = dict_of(run)  # as of pytrec_eval
    for wrong in (run, [run], bare, [bare], 5):
        with pytest.raises(ValueError, match='{"name": run}'):
            irstd.evaluate(wrong, qrels, "AP")


def test_agreement_on_labels(tmp_path):
    """Cohen (1960)'s example of three categories: kappa .492 of 200 cases."""
    counts = [[88, 10, 2], [14, 40, 6], [18, 10, 12]]
    rows, columns = (np.repeat(labels, np.ravel(counts)) for labels in np.indices((3, 3)))
    first = {"1": {f"d{k}": label for k, label in enumerate(rows.tolist())}}
    second = {"1": {f"d{k}": label for k, label in enumerate(columns.tolist())}}
    found = irstd.judges.compare_labels(first, second | {"2": {"d0": 1}})
    assert found.documents == 200
    assert found.same == 0.7
    assert found.confusion.to_numpy().tolist() == counts
    assert found.kappa == pytest.approx(0.492, abs=5e-4)
    by_statsmodels = cohens_kappa(counts, wt="quadratic").kappa
    assert found.weighted_kappa == pytest.approx(by_statsmodels)
    assert irstd.judges.compare_labels(first, first).weighted_kappa == 1
    irstd.write_qrels(qrels_of(first), tmp_path / "qrels")
    assert irstd.judges.compare_labels(tmp_path / "qrels", str(tmp_path / "qrels")).kappa == 1
    with pytest.raises(ValueError, match="no document in common"):
        irstd.judges.compare_labels(first, {"7": {"d0": 1}})
