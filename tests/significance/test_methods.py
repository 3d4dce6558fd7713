"""Each test in `METHODS` is documented, agrees with another computation, keeps its level."""

import itertools

import numpy as np
import pytest
from scipy import stats
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm
from test_pairwise import ORACLES as OF_PAIRS
from test_pairwise import bootstrap_by_enumeration, matrix

from irstd.significance.pair_tests import METHODS
from irstd.significance.pairs import all_pairs
from irstd.significance.pairwise import pairwise_tests

SMALL = matrix(6, 3, seed=5)
TRIALS = 4000


def of_each_pair(test):
    """Statistic and p of a test of two samples, for all pairs."""

    def of_all_pairs(scores):
        pairs = itertools.combinations(scores.to_numpy().T, 2)
        return np.array([tuple(test(a, b))[:2] for a, b in pairs])

    return of_all_pairs


def randomization_by_scipy(a, b):
    found = stats.permutation_test((a - b,), np.mean, permutation_type="samples")
    return found.statistic, found.pvalue


def error_by_statsmodels(scores):
    """Standard error of a mean and its df, from anova_lm with topics as blocks."""
    long = scores.rename_axis("topic").reset_index().melt("topic", var_name="system")
    residual = anova_lm(ols("value ~ C(topic) + C(system)", long).fit()).loc["Residual"]
    return np.sqrt(residual["mean_sq"] / len(scores)), residual["df"]


def tukey_by_statsmodels(scores):
    error, df = error_by_statsmodels(scores)
    q = [abs(a - b) / error for a, b in itertools.combinations(scores.mean(), 2)]
    return np.column_stack([q, stats.studentized_range.sf(q, scores.shape[1], df)])


def test_tukey_has_simultaneous_intervals():
    scores = matrix(12, 20, seed=3)
    error, df = error_by_statsmodels(scores)
    table = pairwise_tests(scores, "tukey")
    half = error * stats.studentized_range.ppf(0.95, 20, df)
    np.testing.assert_allclose(table["high"] - table["difference"], half, rtol=1e-6)
    np.testing.assert_allclose(table["difference"] - table["low"], half, rtol=1e-6)
    np.testing.assert_allclose(table["se"], np.sqrt(2) * error, rtol=1e-9)  # of a difference


def randomized_tukey_by_enumeration(scores):
    """All ways to deal the scores of each topic to the systems."""
    ranges = []
    for deal in itertools.product(*map(itertools.permutations, scores.to_numpy())):
        ranges.append(np.ptp(np.mean(deal, axis=0)))
    gaps = [abs(a - b) for a, b in itertools.combinations(scores.mean(), 2)]
    return np.array([(gap, (np.array(ranges) >= gap - 1e-12).mean()) for gap in gaps])


# An independent computation of each test: (statistic, p) of all pairs of a small matrix.
ORACLES = {method: of_each_pair(test) for method, test in OF_PAIRS.items()}
ORACLES |= {
    "randomization": of_each_pair(randomization_by_scipy),
    "bootstrap": of_each_pair(bootstrap_by_enumeration),
    "tukey": tukey_by_statsmodels,
    "randomized_tukey": randomized_tukey_by_enumeration,
}


def share_of_rejections(method, draws=200):
    """On two systems whose paired scores are exchangeable: the null hypothesis of every test."""
    rng = np.random.default_rng(3)
    options = {}
    if METHODS[method].signed:
        options = {"alternative": "two-sided"}
    if METHODS[method].random:
        options |= {"trials": 199, "rng": rng}
    p = []
    for _ in range(draws):
        topic = rng.normal(size=(30, 1))
        values = topic + rng.normal(size=(30, 2))
        p.append(METHODS[method].test(all_pairs(values), **options)[1].item())
    return np.mean(np.array(p) <= 0.05)


@pytest.mark.parametrize("method", METHODS)
def test_each_test_of_pairs_is_documented_has_an_oracle_and_keeps_its_level(method):
    named = f'``"{method}"``' in pairwise_tests.__doc__
    assert named, f'add ``"{method}"`` to the docstring of pairwise_tests'
    assert method in ORACLES, f"add an independent computation of {method!r} to ORACLES here"
    table = pairwise_tests(SMALL, method, trials=TRIALS)
    statistic, p = ORACLES[method](SMALL).T
    np.testing.assert_allclose(table["statistic"], statistic, atol=1e-9)
    exact = not METHODS[method].random or method == "randomization"  # 2^6 flips: all of them
    tolerance = 1e-9 if exact else 4 * np.sqrt(p * (1 - p) / TRIALS) + 1 / TRIALS
    assert ((table["pvalue"] - p).abs() <= tolerance).all()
    assert share_of_rejections(method) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 200)


def test_one_sided_flips_have_half_the_least_p():
    """Of six topics, 1 of 64 ways to flip the signs, or 2 of 64: three pairs, corrected."""
    options = {"method": "randomization", "correction": "bonferroni"}
    table = pairwise_tests(SMALL, alternative="greater", **options)
    assert len(table) == 3
    with pytest.raises(ValueError, match=r"no p-value below 0\.031"):
        pairwise_tests(SMALL, **options)
