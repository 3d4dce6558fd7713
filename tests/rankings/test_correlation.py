"""Rank correlations and topic difficulty against scipy, ircor, and published facts of TREC 8."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import irstd
from irstd._base.arrays import tau_b

TIED = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=30)


@given(TIED)
def test_tau_is_scipys_tau_b_with_ties(pairs):
    x, y = np.array(pairs, dtype=float).T
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert np.isnan(irstd.rank_correlation(x, y))
    else:
        expected = stats.kendalltau(x, y).statistic
        assert irstd.rank_correlation(x, y) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("m", [2, 9, 255, 300])
def test_many_taus_at_once_are_scipys(m):
    rng = np.random.default_rng(m)
    x, y = rng.integers(0, m, (2, 20, m)) / 7
    x[:, 0], x[:, 1], y[:, 0], y[:, 1] = -1, 99, -1, 99
    for other in (y, np.broadcast_to(y[0], y.shape)):
        expected = [stats.kendalltau(a, b).statistic for a, b in zip(x, other, strict=True)]
        found = tau_b(x, y[0] if other is not y else y)
        np.testing.assert_allclose(found, expected, atol=1e-12)


# Test vectors published with ircor (Urbano and Marrero), and their results to four digits.
VECTORS = pd.read_csv(Path(__file__).with_name("ircor.csv"))


@pytest.mark.parametrize(
    ("n", "expected"), [(1, (0.8519, 0.8333, 0.7321)), (2, (-0.6971, -0.668, -0.7047))]
)
def test_tau_ap_is_ircors(n, expected):
    x, y = VECTORS[[f"x{n}", f"y{n}"]].to_numpy().T
    tied_x, tied_y = np.round(x, 1), np.round(y, 1)
    assert irstd.rank_correlation(x, y, "tau_ap") == pytest.approx(expected[0], abs=5e-5)
    assert irstd.rank_correlation(x, y, "tau_ap_b") == pytest.approx(expected[1], abs=5e-5)
    for a, b in [(tied_x, tied_y), (tied_y, tied_x)]:
        assert irstd.rank_correlation(a, b, "tau_ap_b") == pytest.approx(expected[2], abs=5e-5)


def test_pearson_is_scipys_and_series_are_matched_by_name():
    x = pd.Series([1.0, 2, 4], list("abc"))
    y = pd.Series([3.0, 1, 2], list("cab"))
    expected = stats.pearsonr([1, 2, 4], [1, 2, 3]).statistic
    assert irstd.rank_correlation(x, y, "pearson") == pytest.approx(expected)
    assert irstd.rank_correlation(x, y) == 1


@pytest.mark.parametrize("method", ["tau", "tau_ap_b"])
def test_means_that_are_equal_on_paper_are_tied_in_any_order_of_the_topics(method):
    scores = irstd.load_dataset("sim-trec8", ["P@10", "AP"])
    p10, ap = scores["P@10"], scores["AP"].mean()
    exact = irstd.rank_correlation((10 * p10).round().sum(), ap, method)
    for unit in (1, 1 / 3, 1e9, 1e-15):
        means = (p10.sample(frac=1, random_state=3) * unit).mean()
        assert irstd.rank_correlation(means, ap, method) == pytest.approx(exact, abs=1e-12)
    with pytest.raises(ValueError, match="tau_ap is not defined where scores are tied"):
        irstd.rank_correlation(p10.mean(), ap, "tau_ap")


@given(st.permutations(range(6)), st.permutations(range(6)))
def test_properties_of_rank_correlations(x, y):
    x, y = np.array(x, dtype=float), np.array(y, dtype=float)
    for method in ("tau", "tau_ap", "tau_ap_b"):
        assert irstd.rank_correlation(x, x, method) == pytest.approx(1)
        assert irstd.rank_correlation(x, -x, method) == pytest.approx(-1)
    both = [irstd.rank_correlation(*pair, "tau_ap") for pair in [(x, y), (y, x)]]
    assert irstd.rank_correlation(x, y, "tau_ap_b") == pytest.approx(np.mean(both))


SCORES = pd.DataFrame(
    {"a": [0.1, 0.7, 0.3], "b": [0.2, 0.8, 0.3], "c": [0.6, 0.9, 0.3]}, ["1", "2", "3"]
)


def test_difficulty_by_each_definition():
    z = stats.zscore(SCORES.iloc[:2], axis=1, ddof=1).max(axis=1).tolist()
    assert irstd.topic_difficulty(SCORES).tolist() == pytest.approx([*z, 0])
    expected = {"mean": [0.7, 0.2, 0.7], "max": [0.4, 0.1, 0.7], "median": [0.4, 0.1, 0]}
    for method, values in expected.items():
        found = irstd.topic_difficulty(SCORES, method)
        assert found.tolist() == pytest.approx(values)
        assert (found.name, found.index.name) == ("difficulty", "topic")


def test_item_total_correlation_is_with_the_other_topics():
    found = irstd.item_total_correlation(SCORES)
    expected = stats.pearsonr(SCORES.loc["1"], SCORES.loc[["2", "3"]].sum()).statistic
    assert found["1"] == pytest.approx(expected)
    assert np.isnan(found["3"])


def test_by_max_z_difficulty_needs_two_systems_and_by_the_others_one():
    one = pd.DataFrame({"a": [0.2, 0.6]}, ["1", "2"])
    with pytest.raises(ValueError, match="2 systems or more"):
        irstd.topic_difficulty(one)
    for method in ("mean", "max"):
        assert irstd.topic_difficulty(one, method).to_dict() == {"1": 0.8, "2": 0.4}
    two = one.assign(b=[0.4, 0.2])
    z = np.sqrt(0.5)  # of the better one of two: half their distance by their sd
    assert irstd.topic_difficulty(two).tolist() == pytest.approx([z, z])
