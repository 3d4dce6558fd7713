"""Spread, against pandas, scipy and theory; components against Brennan and statsmodels."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

from irstd.variability import (
    logit,
    semicircle_bound,
    share_above,
    spread,
    spread_trend,
    variance_components,
)

SCORES = pd.DataFrame(
    {"a": [0.1, 0.2, 0.9, 0.4, 0.0], "b": [0.3, 0.3, 0.4, 0.6, 1.0], "c": [0.5] * 5},
    ["301", "302", "303", "304", "305"],
)


@pytest.mark.parametrize("epsilon", [0.001, 1e-17, 1e-300])
def test_logit_is_scipys_but_at_the_ends(epsilon):
    found = logit(SCORES, epsilon)
    inner = SCORES.mask((SCORES == 0) | (SCORES == 1))
    expected = special.logit(inner)
    expected.loc["305", ["a", "b"]] = special.logit(epsilon) * np.array([1, -1])
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
    assert logit(SCORES.mask(SCORES == 0.9), 0.001).isna().sum().sum() == 1
    with pytest.raises(ValueError, match="epsilon must be a number in"):
        logit(SCORES, 0)
    with pytest.raises(ValueError, match="between 0 and 1, but are not on topics 303, 304, 3"):
        logit(SCORES * 2, epsilon)


def test_spread_is_pandas_and_by_hand():
    """By pandas (sd, quantiles) and by hand (the median absolute deviation)."""
    pd.testing.assert_series_equal(spread(SCORES), SCORES.std().rename("sd"), check_names=False)
    iqr = SCORES.quantile(0.75) - SCORES.quantile(0.25)
    assert spread(SCORES, "iqr").tolist() == pytest.approx(iqr.tolist())
    assert spread(SCORES, "mad").tolist() == pytest.approx([0.2, 0.1, 0])
    assert spread(SCORES, "mad").name == "mad"
    assert spread(SCORES)["c"] == 0


def test_semicircle_bound_takes_a_series():
    found = semicircle_bound(SCORES.mean())
    assert found.index.tolist() == ["a", "b", "c"]
    assert ((SCORES.mean() - 0.5) ** 2 + found**2).tolist() == pytest.approx([0.25] * 3)
    for wrong in ([1.2], np.nan):
        with pytest.raises(ValueError, match="every mean must be a number in .0, 1., got"):
            semicircle_bound(wrong)


def test_share_above_a_threshold():
    assert share_above(SCORES, 0.35).to_dict() == {"a": 0.4, "b": 0.6, "c": 1}
    assert share_above(SCORES, 0.5)["c"] == 0  # at the threshold is not above
    with pytest.raises(ValueError, match="threshold must be a number in"):
        share_above(SCORES, np.nan)


def bounded_scores(rng, level, topics=50, systems=40, steadier=0.0):
    """By scipy's logistic function; `steadier`: how much less noise a better system has."""
    quality = rng.normal(0, 0.4, systems)
    noise = rng.normal(0, 1, (topics, systems)) * np.exp(-steadier * quality)
    logits = special.logit(level) + rng.normal(0, 1.2, (topics, 1)) + quality + noise
    names = [f"s{k}" for k in range(systems)]
    return pd.DataFrame(special.expit(logits), [str(k) for k in range(topics)], names)


def test_spread_trend_is_kendalls_tau():
    scores = bounded_scores(np.random.default_rng(0), 0.3)
    z = (scores.sub(scores.mean(axis=1), axis=0)).div(scores.std(axis=1), axis=0)
    for method, table in (("z", z), (None, scores)):
        found = spread_trend(scores, method=method, trials=20)
        by_scipy = stats.kendalltau(table.mean(), table.std()).statistic
        assert found["trend"] == pytest.approx(by_scipy)
        assert found["low"] < found["null"] < found["high"]


@pytest.mark.parametrize(
    ("level", "low", "high"), [(0.1, 0.3, 0.9), (0.5, -0.3, 0.3), (0.9, -0.9, -0.6)]
)
def test_spread_trend_of_bounded_scores_follows_their_level(level, low, high):
    """Where scores are low, better systems spread more; where they are high, less."""
    found = spread_trend(bounded_scores(np.random.default_rng(1), level), trials=40)
    assert low < found["null"] < high


def test_spread_trend_finds_better_systems_that_vary_less():
    rng = np.random.default_rng(2)
    for steadier, sign in ((0.8, -1), (-0.8, 1)):
        found = spread_trend(bounded_scores(rng, 0.35, steadier=steadier), trials=100)
        assert np.sign(found["trend"] - found["null"]) == sign
        assert found["pvalue"] < 0.05


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        (SCORES * 2, "between 0 and 1"),
        (SCORES[["c"] * 3].set_axis(list("xyz"), axis=1), "must be positive, got"),
    ],
)
def test_spread_trend_refuses_constant_or_unbounded_scores(scores, said):
    with pytest.raises(ValueError, match=said):
        spread_trend(scores)


FILE = Path(__file__).with_name("brennan.csv")


def random_scores(n, m):
    rng = np.random.default_rng(0)
    values = rng.beta(1, 2, (n, 1)) * rng.beta(2, 2, (n, m)) + np.linspace(0, 0.2, m)
    return pd.DataFrame(values).rename(index=str, columns=str)


def test_variance_components_are_brennans():
    """Tables 6.2 and 6.5, as the tests of gt4ireval have them, of the synthetic data set no. 4 of
    Brennan (2001), Generalizability theory: 10 persons (the rows of the file), 12 items."""
    found = variance_components(pd.read_csv(FILE, header=None).T)
    expected = {"systems": 0.6258, "topics": 0.8840, "rest": 2.7872, "erho2": 0.729, "phi": 0.672}
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, abs=6e-4 if value < 0.8 else 6e-5)


def test_variance_components_topics_reach_the_coefficient():
    """Brennan's formula turned round; gt4ireval's example: 69 topics for Erho2, 259 for Phi."""
    scores = random_scores(30, 8)
    found = variance_components(scores)
    for name, noise in (("erho2", found["rest"]), ("phi", found["rest"] + found["topics"])):
        n = found[f"topics_{name}"]
        systems = found["systems"]
        assert systems / (systems + noise / n) >= 0.95 > systems / (systems + noise / (n - 1))


def test_variance_components_are_those_of_an_anova():
    """Of statsmodels; and the variance of a difference is 2 rest, averaged over pairs. The interval
    of erho2 is that of limits of the F distribution around statsmodels' F."""
    scores = random_scores(25, 6)
    long = scores.melt(ignore_index=False, var_name="system", value_name="score")
    long = long.rename_axis("topic").reset_index()
    anova = anova_lm(ols("score ~ C(topic) + C(system)", long).fit())
    squares, found = anova["mean_sq"], variance_components(scores, level=0.9)
    rest = squares["Residual"]
    assert found["rest"] == pytest.approx(rest)
    assert found["systems"] == pytest.approx((squares["C(system)"] - rest) / 25)
    assert found["topics"] == pytest.approx((squares["C(topic)"] - rest) / 6)
    low, high = 1 - stats.f.ppf([0.95, 0.05], 5, 24 * 5) / anova.loc["C(system)", "F"]
    assert (found["erho2_low"], found["erho2_high"]) == pytest.approx((max(0, low), high))
    variances = [(scores[a] - scores[b]).var() for a in scores for b in scores if a < b]
    assert np.mean(variances) == pytest.approx(2 * rest)


def test_variance_components_are_not_negative():
    alike = pd.DataFrame({"a": [0.1, 0.5, 0.9], "b": [0.9, 0.5, 0.1]})
    found = variance_components(alike)
    assert found[["systems", "topics", "erho2", "phi"]].tolist() == [0, 0, 0, 0]
    assert found["topics_phi"] == np.inf
    with pytest.raises(ValueError, match="must not all be the same"):
        variance_components(alike * 0)
