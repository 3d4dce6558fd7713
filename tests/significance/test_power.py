"""Power against statsmodels, G-theory against Brennan's published example and ANOVA."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm
from statsmodels.stats.power import TTestPower
from test_pairwise import matrix

from irstd.power import detectable_difference, topics_needed, variance_components

FILE = Path(__file__).with_name("brennan.csv")


def test_components_are_those_that_brennan_publishes():
    """Tables 6.2 and 6.5, as the tests of gt4ireval have them, of the synthetic data set no. 4 of
    Brennan (2001), Generalizability theory: 10 persons (the rows of the file), 12 items."""
    found = variance_components(pd.read_csv(FILE, header=None).T)
    expected = {"systems": 0.6258, "topics": 0.8840, "rest": 2.7872, "erho2": 0.729, "phi": 0.672}
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, abs=6e-4 if value < 0.8 else 6e-5)


def test_topics_for_a_coefficient_reach_it():
    """Brennan's formula turned round; gt4ireval's example: 69 topics for Erho2, 259 for Phi."""
    scores = matrix(30, 8)
    found = variance_components(scores)
    for name, noise in (("erho2", found["rest"]), ("phi", found["rest"] + found["topics"])):
        n = found[f"topics_{name}"]
        systems = found["systems"]
        assert systems / (systems + noise / n) >= 0.95 > systems / (systems + noise / (n - 1))


def test_components_are_those_of_the_mean_squares_of_an_anova():
    """Of statsmodels; and the variance of a difference is 2 rest, averaged over pairs. The interval
    of erho2 is that of limits of the F distribution around statsmodels' F."""
    scores = matrix(25, 6)
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
    sd = np.sqrt(np.mean(variances))  # of the average pair
    expected = sd * TTestPower().solve_power(nobs=25, alpha=0.05, power=0.8)
    assert detectable_difference(scores) == pytest.approx(expected, rel=1e-6)


def test_negative_components_are_0_and_no_number_of_topics_helps():
    alike = pd.DataFrame({"a": [0.1, 0.5, 0.9], "b": [0.9, 0.5, 0.1]})
    found = variance_components(alike)
    assert found[["systems", "topics", "erho2", "phi"]].tolist() == [0, 0, 0, 0]
    assert found["topics_phi"] == np.inf


@pytest.mark.parametrize(
    ("n", "power", "alpha"), [(5, 0.8, 0.05), (50, 0.8, 0.05), (200, 0.95, 0.01)]
)
def test_the_detectable_difference_is_that_of_statsmodels(n, power, alpha):
    scores = matrix(n, 2, seed=n)
    sd = (scores["s0"] - scores["s1"]).std()
    found = detectable_difference(scores, power=power, alpha=alpha)
    assert TTestPower().power(found / sd, n, alpha) == pytest.approx(power, abs=1e-9)


@pytest.mark.parametrize("effect", [2.0, 0.5, 0.23, 0.05])
def test_the_topics_needed_are_those_of_statsmodels(effect):
    scores = matrix(40, 2)
    sd = (scores["s0"] - scores["s1"]).std()
    found = topics_needed(scores, effect * sd)
    assert TTestPower().power(effect, found, 0.05) >= 0.8
    assert found == 2 or TTestPower().power(effect, found - 1, 0.05) < 0.8


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda s: detectable_difference(s, power=0.01), "power must be above 0.05 and below 1"),
        (lambda s: detectable_difference(s, alpha=5e-324), "alpha must be at least 1e-15"),
        (lambda s: topics_needed(s, 0), "difference must be above 0"),
        (lambda s: variance_components(s * 0), "must not be all the same"),
    ],
)
def test_what_has_no_power_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call(matrix(10, 3))
