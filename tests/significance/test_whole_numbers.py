"""Scores in steps, P@10, as whole numbers: there scipy decides exactly what is equal.

P@10 in shares is a whole number over 10, which a double does not hold; sums, ties and spreads that
are equal on paper then must have the same last bits. Times 10, all of these are whole numbers.
"""

import math

import numpy as np
import pytest
from scipy import stats

import irstd

BY_SCIPY = {
    "t": stats.ttest_rel,
    "levene": stats.levene,
    "levene_mean": lambda a, b: stats.levene(a, b, center="mean"),
    "sign": lambda a, b: stats.binomtest((a > b).sum(), (a != b).sum()),
}
MOST_SYSTEMS = 40  # 780 pairs


@pytest.fixture(params=["sim-trec8", "trec8", "web2012"])
def shares(request):
    """P@10 of a collection; of the public ones, if they are there."""
    if request.param != "sim-trec8":
        request.getfixturevalue("trec_data")
    scores = irstd.load_dataset(request.param, "P@10")
    step = math.ceil(scores.shape[1] / MOST_SYSTEMS)
    return scores.iloc[:, ::step]


def in_tens(shares):
    """The documents that were counted."""
    whole = (10 * shares).round().astype(int)
    np.testing.assert_allclose(whole / 10, shares, atol=1e-12)
    return whole


@pytest.mark.parametrize("method", BY_SCIPY)
@pytest.mark.filterwarnings("ignore")  # of scipy, on pairs without a difference
def test_pairwise_tests_of_shares_have_the_p_of_whole_numbers(method, shares):
    whole = in_tens(shares)
    table = irstd.pairwise_tests(shares, method)
    expected = []
    for pair in zip(table["system_a"], table["system_b"], strict=True):
        a, b = (whole[system].to_numpy() for system in pair)
        p = 1.0
        if (a != b).any():
            p = BY_SCIPY[method](a, b).pvalue
        expected.append(p)
    np.testing.assert_allclose(table["pvalue"], expected, atol=1e-11)


@pytest.mark.filterwarnings("ignore:all standardizing systems score the same")
def test_means_and_spreads_that_are_equal_on_paper_share_a_rank(shares):
    """Kendall's tau of whole numbers: sums, and squares about the mean times the topics."""
    whole = in_tens(shares)
    sums = whole.sum()
    squares = len(whole) * (whole**2).sum() - sums**2
    spreads = irstd.spread(shares)
    expected = stats.kendalltau(sums, squares).statistic
    found = irstd.rank_correlation(shares.mean(), spreads, "tau")
    assert found == pytest.approx(expected, abs=1e-12)
    ranks = stats.rankdata(-sums, method="min")
    for table in (irstd.rank_intervals(shares, trials=1), irstd.leaderboard(shares, epsilon=0.01)):
        np.testing.assert_array_equal(table["rank"][shares.columns], ranks)
