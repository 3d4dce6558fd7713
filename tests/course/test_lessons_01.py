"""What notebook 01 says of public data, and of campaigns with other seeds."""

import numpy as np
import pandas as pd
import pytest
from campaigns import TEN, campaign
from scipy import stats
from statsmodels.stats.multitest import multipletests

import irstd


def thirteenth(scores):
    """The first rows of the table at the end, for the system of rank 13 and for all scores."""
    board = irstd.leaderboard(scores)
    name, row = board.index[12], board.iloc[12]
    overlap = board[(board["low"] <= row["high"]) & (board["high"] >= row["low"])]
    me, rest = scores[[name]], scores.drop(columns=name)
    near = rest.columns.isin(overlap.index)
    p = stats.ttest_rel(me, rest).pvalue, stats.ttest_ind(me, rest).pvalue
    paired, unpaired = (multipletests(values, method="holm")[0] for values in p)
    deviations = scores - scores.to_numpy().mean()
    total = (deviations**2).to_numpy().sum()
    return {
        **row[["mean", "low", "high"]],
        "first": overlap["rank"].min(),
        "last": overlap["rank"].max(),
        "not apart": (p[0] > 0.05).sum(),
        "overlap": (paired & near).sum(),
        "paired": paired.sum(),
        "unpaired": unpaired.sum(),
        "chance": apart_by_chance(scores.to_numpy()),
        "topics": scores.shape[1] * (deviations.mean(axis=1) ** 2).sum() / total,
        "systems": scores.shape[0] * (deviations.mean() ** 2).sum() / total,
    }


def apart_by_chance(table):
    """The null: how many are told from the 13th if the scores of each topic are shuffled."""
    rng, counts = np.random.default_rng(0), []
    for _ in range(200):
        equal = rng.permuted(table, axis=1)
        equal = equal[:, np.argsort(-equal.mean(axis=0))]
        pvalues = stats.ttest_rel(equal[:, [12]], np.delete(equal, 12, axis=1)).pvalue
        counts.append((pvalues <= 0.05).sum())
    return np.mean(counts)


def turned_round(asked, fifties, group=None):
    """The last rows: shares of pairs whose order is another on the next fifty topics."""
    i, j = np.triu_indices(asked.shape[1], 1)
    means = np.array([table.mean(axis=0) for table in (asked, *fifties)])
    lead, *later = means[:, i] - means[:, j]
    turned = np.mean([again * lead < 0 for again in later], axis=0)
    apart = stats.ttest_rel(asked[:, i], asked[:, j]).pvalue <= 0.05
    near = np.abs(np.abs(lead) - 0.02) <= 0.005
    order = np.argsort(-np.abs(lead))
    largest, of_these = order[: apart.sum()], order[near[order]][: (near & apart).sum()]
    found = [turned[part].mean() for part in (near, near & apart, of_these, apart, largest)]
    if group is None:
        return found
    kin = group[i] == group[j]
    return [*found, turned[near & kin].mean()], turned[near & apart & ~kin]


@pytest.mark.usefixtures("trec_data")
def test_the_table_of_public_numbers():
    scores = irstd.load_dataset("trec8")
    printed = [0.324, 0.262, 0.386, 2, 94, 30, 27, 63, 34, 9, 0.54, 0.19]
    found = list(thirteenth(scores).values())
    near = np.repeat([0.0005, 0, 0.5, 0.005], [3, 6, 1, 2])
    assert (np.abs(np.subtract(found, printed)) <= near).all(), found
    ranks = irstd.rank_intervals(scores).query("rank == 13")
    assert ranks[["low", "high"]].to_numpy().tolist() == [[8, 27]]


@pytest.mark.usefixtures("trec_data")
def test_the_next_fifty_of_public_topics():
    table, rng = irstd.load_dataset("robust2004").to_numpy(), np.random.default_rng(0)
    draws = [rng.permutation(table)[:200] for _ in range(50)]
    found = np.mean([turned_round(t[:50], np.split(t[50:], 3)) for t in draws], axis=0)
    np.testing.assert_allclose(found, [0.25, 0.09, 0.21, 0.02, 0.02], atol=0.006)


@pytest.mark.night
def test_the_column_of_ten_other_campaigns():
    collections = [campaign(seed)["sim-trec8"] for seed in TEN]
    found = pd.DataFrame([thirteenth(collection.scores("AP")) for collection in collections])
    assert found["last"].min() == 45
    names = list(found.columns.drop(["low", "high", "first"]))  # as they are printed
    least = [0.34, 45, 15, 18, 77, 30, 9, 0.47, 0.15]
    most = [0.38, 89, 31, 40, 103, 71, 10, 0.60, 0.24]
    ends = found[names].round({"chance": 0}).agg(["min", "max"])
    np.testing.assert_allclose(ends, [least, most], atol=0.005)
    rows, strangers = [], []
    for collection in collections:
        parts = collection, collection.more_topics(200, seed=1)
        asked, new = (part.scores("AP") for part in parts)
        group = collection.systems["group"][asked.columns].to_numpy()
        row, of_two = turned_round(asked.to_numpy(), np.split(new.to_numpy(), 4), group)
        rows.append(row)
        strangers.extend(of_two)
    assert (len(strangers), round(np.mean(strangers), 3)) == (57, 0.022)
    ends = [[0.19, 0.03, 0.07, 0.005, 0.006, 0.04], [0.34, 0.09, 0.46, 0.022, 0.022, 0.18]]
    np.testing.assert_allclose([np.min(rows, axis=0), np.max(rows, axis=0)], ends, atol=0.005)
    # The test does better than the ruler in each of them, if only by a little.
    assert (np.array(rows)[:, 1] <= np.array(rows)[:, 2]).all()
