"""Spread, and tests of it, against scipy and R; the counts of broken ties on real scores."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats

import irstd
from irstd.variability import (
    break_ties,
    f_test,
    levene_test,
    logit,
    pitman_morgan_test,
    semicircle_bound,
    share_above,
    spread,
)

# Teeth of guinea pigs by supplement and sleep of students by drug, from R's datasets.
OJ = [15.2, 21.5, 17.6, 9.7, 14.5, 10.0, 8.2, 9.4, 16.5, 9.7, 19.7, 23.3, 23.6, 26.4, 20.0]
OJ += [25.2, 25.8, 21.2, 14.5, 27.3, 25.5, 26.4, 22.4, 24.5, 24.8, 30.9, 26.4, 27.3, 29.4, 23.0]
VC = [4.2, 11.5, 7.3, 5.8, 6.4, 10.0, 11.2, 11.2, 5.2, 7.0, 16.5, 16.5, 15.2, 17.3, 22.5]
VC += [17.3, 13.6, 14.5, 18.8, 15.5, 23.6, 18.5, 33.9, 25.5, 26.4, 32.5, 26.7, 21.5, 23.3, 29.5]
SLEEP_1 = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
SLEEP_2 = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]


def test_f_is_rs_var_test():
    """var.test(len ~ supp, ToothGrowth) and var.test(extra ~ group, sleep)."""
    found = f_test(OJ, VC)
    assert found.statistic == pytest.approx(0.6386, abs=5e-5)
    assert found.pvalue == pytest.approx(0.2331, abs=5e-5)
    found = f_test(SLEEP_1, SLEEP_2)
    assert found.statistic == pytest.approx(0.79834, abs=5e-6)
    assert found.pvalue == pytest.approx(0.7427, abs=5e-5)


def test_levene_is_rs_and_scipys():
    """car's leveneTest(len ~ supp, ToothGrowth), which centres by the median."""
    found = levene_test(OJ, VC)
    assert found.statistic == pytest.approx(1.2136, abs=5e-5)
    assert found.pvalue == pytest.approx(0.2752, abs=5e-5)
    for center, (a, b) in itertools.product(("median", "mean"), [(OJ, VC), (OJ[:20], VC[3:])]):
        expected = stats.levene(a, b, center=center)
        assert levene_test(a, b, center=center) == pytest.approx(tuple(expected), abs=1e-12)


def test_f_with_samples_of_two_sizes_is_the_f_distribution():
    found = f_test(OJ[:20], VC[3:])
    ratio = np.var(OJ[:20], ddof=1) / np.var(VC[3:], ddof=1)
    p = 2 * min(stats.f.cdf(ratio, 19, 26), stats.f.sf(ratio, 19, 26))
    assert found == pytest.approx((ratio, p), abs=1e-12)


SCORE = st.integers(0, 100).map(lambda x: x / 100)
ROWS = st.lists(st.tuples(SCORE, SCORE), min_size=4, max_size=30)


@settings(max_examples=100, deadline=None)
@given(ROWS)
def test_tests_of_two_variances_are_scipys(rows):
    a, b = np.array(rows).T
    if np.ptp(a) == 0 or np.ptp(b) == 0:
        return
    assert f_test(a, b).pvalue == pytest.approx(f_test(b, a).pvalue, abs=1e-10)
    assert f_test(a, b).statistic == pytest.approx(1 / f_test(b, a).statistic)
    if np.ptp(a + b) < 1e-9 or np.ptp(a - b) < 1e-9:
        assert pitman_morgan_test(a, b) == (0, 1)
        return
    r, p = stats.pearsonr(a + b, a - b)
    if abs(r) < 1 - 1e-9:
        t = r * np.sqrt((len(a) - 2) / (1 - r**2))
        assert pitman_morgan_test(a, b) == pytest.approx((t, p), rel=1e-6, abs=1e-7)


@pytest.mark.parametrize("test", [f_test, levene_test, pitman_morgan_test])
def test_systems_without_spread(test):
    flat, flat_too, spread_out = [0.3] * 9, [0.1] * 9, [0.0, 1.0, 0.2] * 3
    neutral = 1 if test is f_test else 0
    assert test(flat, flat_too) == (neutral, 1)
    assert test(spread_out, spread_out) == (neutral, 1)
    assert test(flat, spread_out).pvalue < 0.05
    assert test(spread_out, flat).pvalue < 0.05


def test_distances_that_do_not_vary():
    """Levene of two two-valued systems: 0/0 where the distances are the same, else 1/0."""
    assert levene_test([0, 1, 0, 1], [2, 3, 2, 3]) == (0, 1)
    assert levene_test([0, 1, 0, 1], [0, 3, 0, 3]) == (np.inf, 0)


def test_two_systems_that_are_one_mirrored_vary_alike():
    a = np.array([0.1, 0.5, 0.9, 0.2])
    assert pitman_morgan_test(a, 1 - a).pvalue == pytest.approx(1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: f_test([0.1, np.nan], [0.1, 0.2]), "a is missing or infinite on the topics 1"),
        (lambda: f_test([0.1, 0.2], [[0.1, 0.2]]), "b must be the scores of two topics or more"),
        (lambda: levene_test(OJ, VC, center="trimmed"), "center must be one of"),
        (lambda: pitman_morgan_test([1, 2], [1, 3]), "needs 3 topics or more, got 2"),
        (lambda: pitman_morgan_test([1, 2, 3], [1, 3]), "same topics, got 3 and 2"),
    ],
)
def test_samples_that_cannot_be_tested_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


SCORES = pd.DataFrame(
    {"a": [0.1, 0.2, 0.9, 0.4, 0.0], "b": [0.3, 0.3, 0.4, 0.6, 1.0], "c": [0.5] * 5},
    ["301", "302", "303", "304", "305"],
)


def test_logit_is_scipys_but_at_the_ends():
    found = logit(SCORES, 0.001)
    np.testing.assert_allclose(found["c"], 0)
    inner = SCORES.mask((SCORES == 0) | (SCORES == 1))
    np.testing.assert_allclose(
        found.where(inner.notna()), special.logit(inner), rtol=1e-12, atol=1e-12
    )
    assert found.loc["305", "a"] == pytest.approx(special.logit(0.001))
    assert found.loc["305", "b"] == pytest.approx(special.logit(0.999))
    both = pd.concat({"AP": SCORES, "RR": SCORES}, axis=1)
    pd.testing.assert_frame_equal(logit(both, 0.001)["RR"], found, check_names=False)
    assert logit(SCORES.mask(SCORES == 0.9), 0.001).isna().sum().sum() == 1


@pytest.mark.parametrize(
    ("scores", "epsilon", "message"),
    [
        (SCORES, 0, "epsilon must be between 0 and 0.5"),
        (SCORES, 0.5, "epsilon must be between 0 and 0.5"),
        (SCORES * 2, 0.1, "must be between 0 and 1; they are not on the topics 303, 304, 305"),
    ],
)
def test_logits_that_are_not_defined_are_refused(scores, epsilon, message):
    with pytest.raises(ValueError, match=message):
        logit(scores, epsilon)


def test_spreads():
    """By pandas (sd, quantiles) and by hand (the median absolute deviation)."""
    pd.testing.assert_series_equal(spread(SCORES), SCORES.std().rename("sd"), check_names=False)
    iqr = SCORES.quantile(0.75) - SCORES.quantile(0.25)
    assert spread(SCORES, "iqr").tolist() == pytest.approx(iqr.tolist())
    assert spread(SCORES, "mad").tolist() == pytest.approx([0.2, 0.1, 0])
    assert spread(SCORES, "mad").name == "mad"
    assert spread(SCORES)["c"] == 0
    with pytest.raises(ValueError, match="missing .NaN. on the topics 302"):
        spread(SCORES.mask(SCORES == 0.2))
    with pytest.raises(ValueError, match="kind must be one of"):
        spread(SCORES, "variance")


def test_a_threshold_favours_the_steady_system_below_the_mean_and_the_volatile_above():
    """Shares of a normal distribution, by scipy."""
    places = stats.norm.ppf((np.arange(1000) + 0.5) / 1000)
    scores = pd.DataFrame({"steady": 0.5 + 0.1 * places, "volatile": 0.5 + 0.2 * places})
    for threshold in (0.35, 0.65):
        expected = stats.norm.sf(threshold, 0.5, [0.1, 0.2])
        assert share_above(scores, threshold).tolist() == pytest.approx(expected, abs=1e-3)
    assert share_above(scores, 0.35).idxmax() == "steady"
    assert share_above(scores, 0.65).idxmax() == "volatile"
    assert share_above(SCORES, 0.5)["c"] == 0  # at the threshold is not above
    with pytest.raises(ValueError, match="threshold must be a finite number"):
        share_above(SCORES, np.nan)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=2, max_size=20))
def test_no_scores_are_outside_of_the_semicircle(values):
    mean = np.mean(values)
    assert np.std(values) <= semicircle_bound(mean) + 1e-9
    assert np.std(values, ddof=1) <= semicircle_bound(mean, n_topics=len(values)) + 1e-9
    ends = np.rint(values)
    assert np.std(ends) == pytest.approx(semicircle_bound(ends.mean()), abs=1e-9)


def test_the_semicircle_takes_the_series_of_means():
    found = semicircle_bound(SCORES.mean())
    assert found.index.tolist() == ["a", "b", "c"]
    assert ((SCORES.mean() - 0.5) ** 2 + found**2).tolist() == pytest.approx([0.25] * 3)
    with pytest.raises(ValueError, match="mean must be between 0 and 1"):
        semicircle_bound([1.2])
    with pytest.raises(ValueError, match="n_topics must be 2 or more"):
        semicircle_bound(0.5, n_topics=1)


def by_a_loop(kept, alpha):
    """The procedure in words, pair by pair, with scipy."""
    counts = dict.fromkeys(
        ["pairs", "ties", "f", "levene_mean", "levene_median", "pitman_morgan"], 0
    )
    for a, b in itertools.combinations(kept.to_numpy().T, 2):
        counts["pairs"] += 1
        if stats.ttest_rel(a, b).pvalue <= alpha:
            continue
        counts["ties"] += 1
        ratio, df = a.var(ddof=1) / b.var(ddof=1), len(a) - 1
        p = 2 * min(stats.f.cdf(ratio, df, df), stats.f.sf(ratio, df, df))
        counts["f"] += p < alpha
        counts["levene_mean"] += stats.levene(a, b, center="mean").pvalue < alpha
        counts["levene_median"] += stats.levene(a, b, center="median").pvalue < alpha
        counts["pitman_morgan"] += stats.pearsonr(a + b, a - b).pvalue < alpha
    return counts


@pytest.mark.parametrize("method", [None, "z", "normal"])
@pytest.mark.parametrize("top", [0.2, 0.29])
def test_ties_are_broken_as_a_loop_over_scipy_does(method, top):
    scores = irstd.load_dataset("sim-trec8").iloc[:, :100]
    kept = scores[scores.mean().nlargest(round(top * 100)).index]
    for reference in (None, scores) if method else (None,):
        scaled = kept if method is None else irstd.standardize(kept, reference, method)
        found = break_ties(scores, top=top, method=method, reference=reference, alpha=0.1)
        assert found.to_dict() == by_a_loop(scaled, 0.1)
    assert found["levene_median"] > 0


def test_systems_are_kept_by_their_raw_mean():
    """Of 5 the best 3; where means are equal the first in the matrix."""
    rng = np.random.default_rng(1)
    values = rng.random((12, 5)) + np.array([0, 5, 0, 5, 9])
    values[:, 2] = values[::-1, 0]
    scores = pd.DataFrame(values, columns=list("abcde"))
    assert break_ties(scores, top=0.61)["pairs"] == 3
    expected = by_a_loop(scores[["a", "b", "d", "e"]], 0.05)
    assert break_ties(scores, top=0.8).to_dict() == expected


def test_topics_without_scale_are_named():
    scores = irstd.load_dataset("sim-trec8").copy()
    scores.loc["401"] = 0.3
    with pytest.warns(UserWarning, match="401"):
        found = break_ties(scores, method="z")
    assert found.notna().all()


@pytest.mark.parametrize(
    ("scores", "arguments", "message"),
    [
        (SCORES, {"top": 0}, "top must be above 0 and at most 1, got 0"),
        (SCORES, {"top": 0.5}, "two systems or more must be kept; 0.5 of 3 is 1"),
        (SCORES, {"alpha": 0}, "alpha must be above 0"),
        (SCORES, {"reference": SCORES}, "reference is given, but no method"),
        (SCORES, {"method": "zscore"}, "method must be one of"),
        (SCORES.iloc[:2], {}, "needs 3 topics or more, scores has 2"),
        (SCORES.mask(SCORES == 0.9), {}, "missing .NaN. on the topics 303"),
    ],
)
def test_ties_that_cannot_be_counted_are_refused(scores, arguments, message):
    with pytest.raises(ValueError, match=message):
        break_ties(scores, **arguments)


def test_ties_of_robust_2004(trec_data):
    """AP on all 249 topics: pairs as in table 2 of HCMV10, counts as a loop over scipy has them."""
    scores = irstd.load_dataset("robust2004")
    raw = {"pairs": 3321, "ties": 997, "f": 50, "levene_mean": 126, "levene_median": 104}
    assert break_ties(scores).drop("pitman_morgan").to_dict() == raw
    z = {"pairs": 3321, "ties": 857, "f": 466, "levene_mean": 409, "levene_median": 401}
    assert break_ties(scores, method="z").drop("pitman_morgan").to_dict() == z
