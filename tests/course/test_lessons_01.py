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
    assert found["last"].min() == 45
    ends = found[["mean", "last", "not apart", "below", "topics", "systems"]].agg(["min", "max"])
    printed = [[0.35, 45, 15, 0.49, 0.47, 0.15], [0.38, 89, 31, 0.55, 0.60, 0.24]]
    np.testing.assert_allclose(ends, printed, atol=0.005)
    assert (found["topics"] / found["systems"]).between(1.8, 4.1).all()
