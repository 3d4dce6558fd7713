"""What notebook 01 says of public data, and of campaigns with other seeds."""

import numpy as np
import pandas as pd
import pytest
from campaigns import TEN, campaign

import irstd


def thirteenth(scores):
    """The rows of the table at the end, for the system of rank 13 and for all scores."""
    board = irstd.leaderboard(scores)
    name, row = board.index[12], board.iloc[12]
    overlap = board[(board["low"] <= row["high"]) & (board["high"] >= row["low"])]
    pvalues = irstd.pairwise_tests(scores, baseline=name)["pvalue"]
    deviations = scores - scores.to_numpy().mean()
    total = (deviations**2).to_numpy().sum()
    return {
        **row[["mean", "low", "high"]],
        "first": overlap["rank"].min(),
        "last": overlap["rank"].max(),
        "not apart": (pvalues > 0.05).sum(),
        "below": (scores < 0.2).mean(axis=None),
        "topics": scores.shape[1] * (deviations.mean(axis=1) ** 2).sum() / total,
        "systems": scores.shape[0] * (deviations.mean() ** 2).sum() / total,
    }


@pytest.mark.usefixtures("trec_data")
def test_the_table_of_public_numbers():
    scores = irstd.load_dataset("trec8")
    printed = [0.324, 0.262, 0.386, 2, 94, 30, 0.53, 0.54, 0.19]
    found = list(thirteenth(scores).values())
    np.testing.assert_allclose(found[:3], printed[:3], atol=0.0005)
    np.testing.assert_allclose(found[3:], printed[3:], atol=0.005)
    ranks = irstd.rank_intervals(scores).query("rank == 13")
    assert ranks[["low", "high"]].to_numpy().tolist() == [[8, 27]]


@pytest.mark.night
def test_the_column_of_ten_other_campaigns():
    found = pd.DataFrame([thirteenth(campaign(seed)["sim-trec8"].scores("AP")) for seed in TEN])
    assert found["last"].min() == 46
    ends = found[["mean", "last", "not apart", "below", "topics", "systems"]].agg(["min", "max"])
    printed = [[0.36, 46, 17, 0.47, 0.46, 0.16], [0.39, 91, 32, 0.53, 0.59, 0.25]]
    np.testing.assert_allclose(ends, printed, atol=0.005)
    assert (found["topics"] / found["systems"]).between(1.8, 4).all()


def test_runs_whose_places_depend_on_which_ndcg_is_meant(trec_data):
    qrels = irstd.read_qrels(trec_data / "trectools" / "qrels" / "robust03_qrels.txt")
    runs = irstd.read_runs(trec_data / "trectools" / "runs" / "*.gz")
    with pytest.warns(UserWarning) as warned:
        means = irstd.evaluate(runs, qrels, ["nDCG@20", "nVDCG@20"]).mean().unstack("metric")
    assert any("what trec_eval, ir_measures and ranx call nDCG" in str(w.message) for w in warned)
    places = means.rank()
    assert (places["nDCG@20"] != places["nVDCG@20"]).sum() == 3


@pytest.mark.filterwarnings("ignore:.*topic.*:UserWarning")
def test_ties_that_change_real_numbers(trec_data):
    """The rule is held against pytrec_eval in tests/test_metrics.py; here, what another gives."""
    qrels = irstd.read_qrels(trec_data / "trectools" / "qrels" / "robust03_qrels.txt")
    folder = trec_data / "trectools" / "runs"
    run = irstd.read_run(folder / "input.rutcor03100.gz")
    assert run.duplicated(["query_id", "score"], keep=False).mean() > 0.99
    upwards = run.sort_values(["score", "doc_id"], ascending=[False, True])
    reversed_ties = upwards.assign(score=-np.arange(len(run), dtype=float))
    ap = irstd.evaluate({"rule": run, "reversed": reversed_ties}, qrels, "AP").mean()
    assert ap.round(3).to_dict() == {"rule": 0.074, "reversed": 0.058}

    run = irstd.read_run(folder / "input.InexpC2.gz")
    single = run.assign(score=run["score"].astype("float32").astype(float))
    ap = irstd.evaluate({"double": run, "single": single}, qrels, "AP")
    moved = (ap["single"] - ap["double"]).loc[lambda change: change != 0]
    assert moved.index.tolist() == ["330"]
    assert moved.abs().round(7).tolist() == [2.5e-6]
