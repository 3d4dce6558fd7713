"""Simulated judges: what they say, files that say the same, and likeness to public judges."""

import numpy as np
import pandas as pd
import pytest
from campaigns import campaign
from scipy.stats import norm

import irstd
from irstd.simulate import Judge
from irstd.simulate.verdicts import JUDGES, _compute_preferences

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def collection():
    return campaign()["sim-robust2003"]


def qrels(judge, collection):
    """What a judge says of the documents that it has seen."""
    documents = np.flatnonzero(collection._is_retrieved)
    said = judge._judge_documents(collection)[documents]
    return collection._truth.frame(documents).assign(relevance=said.astype(int))


def rates(judge, collection):
    """Shares of the relevant and of the other documents that the judge takes for relevant."""
    said = qrels(judge, collection).set_index(["query_id", "doc_id"])["relevance"]
    true = collection.judge(None).qrels().set_index(["query_id", "doc_id"])["relevance"]
    true = true.reindex(said.index, fill_value=0)
    return said[true == 1].mean(), said[true == 0].mean()


@pytest.mark.parametrize(("criterion", "acuity"), [(1, 3), (2, 2.5)])
def test_judge_has_the_hits_and_false_alarms_of_signal_detection(collection, criterion, acuity):
    hits, alarms = rates(Judge(criterion=criterion, acuity=acuity), collection)
    assert hits == pytest.approx(norm.cdf(acuity - criterion), abs=0.025)
    assert alarms == pytest.approx(norm.cdf(-criterion), abs=0.004)


def test_judge_prefers_documents_by_the_log_of_their_rank(collection):
    truth = collection._truth
    relevant = _compute_preferences(truth, np.array([0]))[: truth.n_relevant]
    ranks = np.minimum(truth.ranks[0], 1000)
    assert relevant == pytest.approx(1 - np.log10(ranks) / 3, abs=1e-6)


def test_judge_scores_are_those_of_its_qrels(collection):
    judge = JUDGES["lenient"]
    systems = list(collection.systems.index[[0, 30, 77]])
    runs = {name: collection.run(name) for name in systems}
    scores = irstd.evaluate(runs, qrels(judge, collection), ["AP", "nRBP.9"])
    for metric in ("AP", "nRBP.9"):
        found = judge.scores(collection, metric, systems)
        pd.testing.assert_frame_equal(found, scores[metric], check_names=False, atol=1e-12)


def test_judge_collection_is_in_the_range_of_public_judges():
    """Of judges with 40 topics or more in 2019 and 2020: the range of each column."""
    scores = irstd.load_dataset("sim-judges")
    table = irstd.judges.compare_judges(scores, reference="original")
    columns = ["tau", "drmse", "drmse_standardized", "not_confirmed", "opposite"]
    found = table.loc[list(JUDGES), columns]
    assert (found > [0.77, 0.17, 0.10, 0.02, -1]).all(axis=None)
    assert (found < [0.93, 3.8, 0.58, 0.12, 0.001]).all(axis=None)
    lenience = (table["mean"] - table["reference_mean"])[["lenient", "strict", "harsh"]]
    assert (lenience * [1, -1, -1] > 0.1).all()


def test_judge_scores_leave_out_topics_without_a_relevant_document(collection):
    with pytest.warns(
        UserWarning, match="nothing relevant on some topics, which are left out: topics 6"
    ):
        scores = Judge(criterion=4.5).scores(collection)
    assert 0 < len(scores) < 50
