"""Tests of spread against scipy and R; broken ties (on public scores: lesson 04, notebook 06)."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import irstd
from irstd.significance.spread import f_test, levene_test, paired_levene_test
from irstd.significance.ties import break_ties

# Teeth of guinea pigs by supplement and sleep of students by drug, from R's datasets.
SAMPLES = (
    pd.read_csv(Path(__file__).with_name("samples.csv")).groupby("sample")["value"].apply(list)
)
OJ, VC, SLEEP_1, SLEEP_2 = SAMPLES[["OJ", "VC", "sleep 1", "sleep 2"]]


@pytest.mark.parametrize("test", [f_test, levene_test, paired_levene_test])
def test_tests_of_spread_of_systems_without_spread(test):
    flat, flat_too, spread_out = [0.3] * 9, [0.1] * 9, [0.0, 1.0, 0.2] * 3
    neutral = 1 if test is f_test else 0
    assert test(flat, flat_too) == (neutral, 1)
    assert test(flat, spread_out).pvalue < 0.05
    assert test(spread_out, flat).pvalue < 0.05


THREE = pd.DataFrame(np.random.default_rng(0).random((5, 3)))


def test_levene_test_of_distances_that_do_not_vary():
    """Levene of two two-valued systems: 0/0 where the distances are the same, else 1/0."""
    assert levene_test([0, 1, 0, 1], [2, 3, 2, 3]) == (0, 1)
    assert levene_test([0, 1, 0, 1], [0, 3, 0, 3]) == (np.inf, 0)
    assert levene_test([0.1, 0.4] * 3, [0.8, 1.1] * 3) == (0, 1)  # on paper


def by_a_loop(kept, alpha):
    """The procedure in words, by tests of all pairs, which test_pairwise holds against scipy."""
    ties = irstd.pairwise_tests(kept)["pvalue"] > alpha
    counts = {"pairs": len(ties), "ties": ties.sum()}
    for test in ("f", "levene_mean", "levene", "paired_levene"):
        counts[test] = (irstd.pairwise_tests(kept, test)["pvalue"][ties] <= alpha).sum()
    return counts


@pytest.mark.parametrize("method", [None, "z"])
@pytest.mark.parametrize("top", [0.2, 0.29])
def test_break_ties_is_a_loop_over_tests_of_pairs(method, top):
    scores = irstd.load_dataset("sim-trec8").iloc[:, :100]
    kept = scores[scores.mean().nlargest(round(top * 100)).index]
    for reference in (None, scores) if method else (None,):
        scaled = kept if method is None else irstd.standardize(kept, reference, method)
        found = break_ties(scores, top=top, method=method, reference=reference, alpha=0.1)
        assert found.to_dict() == by_a_loop(scaled, 0.1)
    assert found["levene"] > 0


def test_break_ties_keeps_systems_by_their_raw_mean():
    """Of 5 the best 3; where means are equal the first by name."""
    rng = np.random.default_rng(1)
    values = rng.random((12, 5)) + np.array([0, 5, 0, 5, 9])
    values[:, 2] = values[::-1, 0]
    scores = pd.DataFrame(values, columns=list("cbade"))
    assert break_ties(scores, top=0.61)["pairs"] == 3
    expected = by_a_loop(scores[["a", "b", "d", "e"]], 0.05)
    assert break_ties(scores, top=0.8).to_dict() == expected


def test_paired_levene_test_is_a_t_test_of_distances():
    """From the mean; from the median: test_pairwise. Series are matched by topic."""
    a, b = pd.Series(SLEEP_1), pd.Series(SLEEP_2)
    expected = stats.ttest_rel(abs(a - a.mean()), abs(b - b.mean()))
    found = paired_levene_test(a, b[::-1], center="mean")
    assert found == pytest.approx((expected.statistic, expected.pvalue), abs=1e-12)


def test_f_test_and_levene_test_are_rs_and_scipys():
    """var.test(len ~ supp, ToothGrowth), var.test(extra ~ group, sleep), and car's leveneTest(len ~
    supp, ToothGrowth), which centers by the median."""
    assert f_test(OJ, VC) == pytest.approx((0.6386, 0.2331), abs=5e-5)
    assert f_test(SLEEP_1, SLEEP_2) == pytest.approx((0.79834, 0.7427), abs=5e-5)
    assert levene_test(OJ, VC) == pytest.approx((1.2136, 0.2752), abs=5e-5)
    ratio = np.var(OJ[:20], ddof=1) / np.var(VC[3:], ddof=1)
    p = 2 * min(stats.f.cdf(ratio, 19, 26), stats.f.sf(ratio, 19, 26))
    assert f_test(OJ[:20], VC[3:]) == pytest.approx((ratio, p), abs=1e-12)
    for center in ("median", "mean"):
        expected = stats.levene(OJ[:20], VC[3:], center=center)
        found = levene_test(OJ[:20], VC[3:], center=center)
        assert found == pytest.approx(tuple(expected), abs=1e-12)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: paired_levene_test([1, 2, 3, 4], [1, 3, 5]), "same topics, got 4 and 3"),
        (lambda: break_ties(THREE, top=0.5), "top=0.5 keeps 1 of 3"),
        (lambda: break_ties(THREE, reference=THREE), "reference needs a method"),
        (lambda: break_ties(THREE[:2]), "at least 3 topics, found 2"),
    ],
)
def test_tests_of_spread_refuse(call, message):
    with pytest.raises(ValueError, match=message):
        call()
