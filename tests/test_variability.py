"""Spread, against pandas, scipy and theory."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

from irstd.variability import logit, semicircle_bound, share_above, spread

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
        (SCORES, 0, "epsilon must be above 0 and below 0.5, got 0"),
        (SCORES, 0.5, "epsilon must be above 0 and below 0.5"),
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
    with pytest.raises(ValueError, match="threshold must be finite, got nan"):
        share_above(SCORES, np.nan)


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
    with pytest.raises(ValueError, match="means must be between 0 and 1"):
        semicircle_bound([1.2])
    with pytest.raises(ValueError, match="n_topics must be at least 2"):
        semicircle_bound(0.5, n_topics=1)


def test_logits_of_0_and_1_are_each_others_opposite():
    for epsilon in (0.3, 1e-5, 1e-17, 1e-300):
        ends = logit(pd.DataFrame({"a": [0.0, 1.0]}), epsilon)["a"]
        assert np.isfinite(ends).all()
        assert ends.iloc[0] == -ends.iloc[1] == pytest.approx(special.logit(epsilon))


def test_several_metrics_are_answered_apart():
    both = pd.concat({"AP": SCORES, "RR": SCORES**2}, axis=1)
    for found in (spread(both, "iqr"), share_above(both, 0.3)):
        assert found.index.names == ["metric", "system"]
    assert spread(both)["RR"].tolist() == spread(SCORES**2).tolist()
    assert share_above(both, 0.3)["AP"].tolist() == share_above(SCORES, 0.3).tolist()
