"""Rank correlations and topic difficulty against scipy, ircor, and published facts of TREC 8."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import irstd
from irstd._base.arrays import tau_b


def taus_by_scipy(x, y):
    """Tau-b of each row of x with the same row of y."""
    taus = []
    for row_x, row_y in zip(x, y, strict=True):
        tau = stats.kendalltau(row_x, row_y).statistic
        taus.append(tau)
    return taus


@pytest.mark.parametrize("m", [2, 9, 255, 300])
def test_tau_b_of_many_rows_is_scipys(m):
    rng = np.random.default_rng(m)
    x, y = rng.integers(0, m, (2, 20, m)) / 7
    for values in (x, y):  # no row is constant
        values[:, 0] = -1
        values[:, 1] = 99
    row_by_row = tau_b(x, y)
    np.testing.assert_allclose(row_by_row, taus_by_scipy(x, y), atol=1e-12)

    one_row = y[0]
    all_with_one = tau_b(x, one_row)
    repeated = np.broadcast_to(one_row, y.shape)
    np.testing.assert_allclose(all_with_one, taus_by_scipy(x, repeated), atol=1e-12)


# Test vectors published with ircor (Urbano and Marrero), and their results to four digits.
VECTORS = pd.read_csv(Path(__file__).with_name("ircor.csv"))


@pytest.mark.parametrize(
    ("n", "method", "digits", "expected"),
    [
        (1, "tau_ap", 9, 0.8519),
        (1, "tau_ap_b", 9, 0.8333),
        (1, "tau_ap_b", 1, 0.7321),  # with ties
        (2, "tau_ap", 9, -0.6971),
        (2, "tau_ap_b", 9, -0.668),
        (2, "tau_ap_b", 1, -0.7047),
    ],
)
def test_tau_ap_is_ircors(n, method, digits, expected):
    vectors = VECTORS.round(digits)
    found = irstd.rank_correlation(vectors[f"x{n}"], vectors[f"y{n}"], method)
    assert found == pytest.approx(expected, abs=5e-5)


def test_rank_correlation_pearson_matches_series_by_name():
    x = pd.Series([1.0, 2, 4], list("abc"))
    y = pd.Series([3.0, 1, 2], list("cab"))
    found = irstd.rank_correlation(x, y, "pearson")
    expected = stats.pearsonr([1, 2, 4], [1, 2, 3]).statistic
    assert found == pytest.approx(expected)
    assert irstd.rank_correlation(x, y) == 1


def test_tau_ap_is_refused_where_scores_are_tied():
    with pytest.raises(ValueError, match="tau_ap is not defined where scores are tied"):
        irstd.rank_correlation([0.1 + 0.2, 0.3, 0.5], [1, 2, 3], "tau_ap")


VALUES = {"a": [0.1, 0.7, 0.3], "b": [0.2, 0.8, 0.3], "c": [0.6, 0.9, 0.3]}
SCORES = pd.DataFrame(VALUES, ["1", "2", "3"])


def test_topic_difficulty_by_each_definition():
    z = stats.zscore(SCORES.loc[["1", "2"]], axis=1, ddof=1)
    highest_z = z.max(axis=1).tolist()
    found = irstd.topic_difficulty(SCORES)
    assert found.tolist() == pytest.approx([*highest_z, 0])  # on topic 3 all scores are the same

    expected = {"mean": [0.7, 0.2, 0.7], "max": [0.4, 0.1, 0.7], "median": [0.4, 0.1, 0]}
    for method, values in expected.items():
        found = irstd.topic_difficulty(SCORES, method)
        assert found.tolist() == pytest.approx(values)
        assert found.name == "difficulty"
        assert found.index.name == "topic"


def test_item_total_correlation_is_with_the_other_topics():
    found = irstd.rankings.item_total_correlation(SCORES)
    other_topics = SCORES.loc[["2", "3"]].sum()
    expected = stats.pearsonr(SCORES.loc["1"], other_topics).statistic
    assert found["1"] == pytest.approx(expected)
    assert np.isnan(found["3"])


def test_topic_difficulty_max_z_needs_two_systems():
    one = pd.DataFrame({"a": [0.2, 0.6]}, ["1", "2"])
    with pytest.raises(ValueError, match="at least 2 systems"):
        irstd.topic_difficulty(one)
    for method in ("mean", "max"):
        assert irstd.topic_difficulty(one, method).to_dict() == {"1": 0.8, "2": 0.4}


def test_rank_correlation_takes_topics_too():
    hardness = pd.Series([0.1, 0.4, 0.2], pd.Index(["1", "2", "3"], name="topic"))
    assert irstd.rank_correlation(hardness, hardness**2) == 1
