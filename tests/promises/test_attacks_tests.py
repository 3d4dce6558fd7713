"""What tests, splits and comparisons are given by mistake or malice: refused clearly, or right."""

import warnings

import numpy as np
import pandas as pd
import pytest

import irstd
from irstd.significance._pairs import METHODS

RNG = np.random.default_rng(0)
SCORES = pd.DataFrame(RNG.random((12, 4)), [str(301 + i) for i in range(12)], list("abcd"))
OTHER = pd.DataFrame(RNG.random((10, 4)), [str(401 + i) for i in range(10)], list("abcd"))
SPLITS = irstd.split_topics(SCORES.index, trials=3)
SEVERAL = pd.concat({"AP": SCORES, "RR": SCORES}, axis=1)
MISSING = SCORES.mask(SCORES.loc["303", "b"] == SCORES)
A, B = SCORES["a"], SCORES["b"]

# All that takes one score matrix, with arguments that are right.
OF_A_MATRIX = {
    "pairwise_tests": irstd.pairwise_tests,
    "pairwise_tests randomization": lambda s: irstd.pairwise_tests(s, "randomization", trials=50),
    "discriminative_power": irstd.discriminative_power,
    "detectable_difference": irstd.detectable_difference,
    "topics_needed": lambda s: irstd.topics_needed(s, 0.1),
    "variance_components": irstd.variance_components,
    "risk": lambda s: irstd.risk(s, alpha=1),
    "georisk": lambda s: irstd.risk(s, alpha=1, kind="georisk"),
    "break_ties": irstd.break_ties,
    "swap_rate": lambda s: irstd.swap_rate(s, sizes=[3], trials=3),
    "split_experiment": lambda s: irstd.split_experiment(s, SPLITS),
    "gmap_curve": lambda s: irstd.gmap_curve(s, [0.1], trials=3),
    "factor_sampling": lambda s: irstd.factor_sampling(s, SCORES, sizes=[2], trials=3),
    "factor_sampling by": lambda s: irstd.factor_sampling(SCORES, s, sizes=[2], trials=3),
    "rmse": lambda s: irstd.rmse(s, OTHER),
    "drmse": lambda s: irstd.drmse(OTHER, s),
    "false_positives": lambda s: irstd.false_positives(s, OTHER),
    "compare_collections": lambda s: irstd.compare_collections({"x": s, "y": OTHER}, trials=3),
}
OF_SEVERAL = {"spread": irstd.spread, "share_above": lambda s: irstd.share_above(s, 0.5)}
EVERY = OF_A_MATRIX | OF_SEVERAL

# Samples of two systems.
OF_TWO = {
    "paired_test": irstd.paired_test,
    "f_test": irstd.f_test,
    "levene_test": irstd.levene_test,
    "paired_levene_test": irstd.paired_levene_test,
    "pitman_morgan_test": irstd.pitman_morgan_test,
}


def by_name(functions):
    return pytest.mark.parametrize("function", functions.values(), ids=functions.keys())


@by_name(OF_A_MATRIX)
def test_several_metrics_are_not_systems_of_one(function):
    with pytest.raises(ValueError, match=r'of one metric: choose it, as in .*\["AP"\]'):
        function(SEVERAL)


@by_name(EVERY)
def test_a_missing_score_is_named(function):
    with pytest.raises(ValueError, match=r"missing \(NaN\) on the topics 303, of the systems b"):
        function(MISSING)


@by_name(OF_TWO)
@pytest.mark.parametrize(
    ("sample", "error", "message"),
    [
        (np.ma.array([0.1, 0.2, 0.9], mask=[0, 0, 1]), TypeError, "a is a masked array"),
        (np.array([1, 2, 3], "datetime64[D]"), TypeError, "a must be real numbers"),
        ([0.1, np.nan, 0.9], ValueError, "a is missing or infinite on the topics 1"),
        ([0.1], ValueError, "a must be the scores of [23] topics or more"),
        ([[0.1, 0.2, 0.3]], ValueError, "a must be the scores of [23] topics or more"),
        (pd.Series([0.1, 0.2, 0.3], ["1", "1", "2"]), ValueError, "a has the topic 1 more than"),
    ],
)
def test_samples_that_numpy_would_turn_into_numbers_are_refused(function, sample, error, message):
    with pytest.raises(error, match=message):
        function(sample, [0.1, 0.3, 0.5])


LEVELS = {
    "discriminative_power": lambda x: irstd.discriminative_power(SCORES, alpha=x),
    "break_ties": lambda x: irstd.break_ties(SCORES, alpha=x),
    "swap_rate": lambda x: irstd.swap_rate(SCORES, sizes=[3], trials=2, alpha=x),
    "false_positives": lambda x: irstd.false_positives(SCORES, OTHER, alpha=x),
    "compare_collections": lambda x: irstd.compare_collections({"c": SCORES, "d": OTHER}, alpha=x),
    "split_experiment": lambda x: irstd.split_experiment(SCORES, SPLITS, alpha=x),
    "detectable_difference": lambda x: irstd.detectable_difference(SCORES, alpha=x),
}


@by_name(LEVELS)
@pytest.mark.parametrize("alpha", [5, 0, np.nan, "0.05", True])
def test_a_level_is_a_share(function, alpha):
    error = TypeError if isinstance(alpha, (str, bool, type(None))) else ValueError
    with pytest.raises(error, match="alpha must be"):
        function(alpha)


SEEDS = {
    "pairwise_tests": lambda x: irstd.pairwise_tests(SCORES, "bootstrap", trials=9, seed=x),
    "paired_test": lambda x: irstd.paired_test(A, B, "randomization", trials=9, seed=x),
    "swap_rate": lambda x: irstd.swap_rate(SCORES, sizes=[3], trials=2, seed=x),
    "split_topics": lambda x: irstd.split_topics(9, trials=2, seed=x),
    "gmap_curve": lambda x: irstd.gmap_curve(SCORES, [0.1], trials=2, seed=x),
    "factor_sampling": lambda x: irstd.factor_sampling(SCORES, SCORES, sizes=[2], trials=2, seed=x),
    "compare_collections": lambda x: irstd.compare_collections(
        {"c": SCORES, "d": OTHER}, trials=2, seed=x
    ),
}


@by_name(SEEDS)
@pytest.mark.parametrize("seed", [-1, 1.5, None, True])
def test_a_seed_is_a_whole_number_or_a_generator(function, seed):
    with pytest.raises((ValueError, TypeError), match="seed must be"):
        function(seed)
    assert str(function(3)) == str(function(np.random.default_rng(3)))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: irstd.gmap_curve(SCORES, [-1]), ValueError, "epsilon must be at least 0"),
        (lambda: irstd.gmap_curve(SCORES * 0, [0]), ValueError, "epsilon must be positive where"),
        (lambda: irstd.split_experiment(SCORES, SPLITS, statistics=None), TypeError, "statistics"),
        (lambda: irstd.logit(SCORES, np.nan), ValueError, "epsilon must be above 0 and below 0.5"),
        (lambda: irstd.swap_rate(SCORES, sizes=[3.0]), TypeError, "sizes must be a whole number"),
        (lambda: irstd.swap_rate(3, sizes=[3]), TypeError, "scores must be"),
        (
            lambda: irstd.compare_collections({"c": SCORES, "d": OTHER}, references=[OTHER]),
            TypeError,
            "references must be a dict",
        ),
        (lambda: irstd.compare_collections([SCORES, OTHER]), ValueError, "collections must be a"),
        (lambda: irstd.rmse([0.1, 0.2], [0.3, 0.4]), TypeError, "c must be a score matrix or"),
        (lambda: irstd.drmse(A.astype(str), B), TypeError, "c must be real numbers"),
        (lambda: irstd.split_topics("301"), TypeError, "topics must be"),
        (lambda: irstd.split_topics(["1", "1", "2"]), ValueError, "topics .* more than once"),
        (lambda: irstd.semicircle_bound(["a"]), TypeError, "means must be"),
        (lambda: irstd.semicircle_bound(np.nan), ValueError, "means must be between 0 and 1"),
        (lambda: irstd.pairwise_tests(SCORES, level=None), TypeError, "level must be a number"),
    ],
)
def test_wrong_arguments_are_named(call, error, message):
    with pytest.raises(error, match=message):
        call()


FLAGS = {
    "equal_var": lambda x: irstd.split_experiment(SCORES, SPLITS, equal_var=x),
    "progress": lambda x: irstd.swap_rate(SCORES, sizes=[3], trials=2, progress=x),
    "progress of a test": lambda x: irstd.pairwise_tests(SCORES, progress=x),
}
CHOICES = {
    "method": lambda x: irstd.pairwise_tests(SCORES, x),
    "alternative": lambda x: irstd.paired_test(A, B, alternative=x),
    "center": lambda x: irstd.paired_levene_test(A, B, center=x),
    "statistic": lambda x: irstd.swap_rate(SCORES, sizes=[3], statistic=x),
    "judged_on": lambda x: irstd.swap_rate(SCORES, sizes=[3], judged_on=x),
    "scheme": lambda x: irstd.split_topics(9, scheme=x),
}


@pytest.mark.parametrize("value", ["welch", pd.NA, [1], 1, None])
def test_flags_are_true_or_false_and_choices_are_names(value):
    for name, function in FLAGS.items():
        with pytest.raises(TypeError, match=f"{name.split()[0]} must be True or False"):
            function(value)
    for name, function in CHOICES.items():
        with pytest.raises(ValueError, match=f"{name} must be one of"):
            function(value)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("unit", [1e99, 1e-200])
def test_squares_of_scores_neither_overflow_nor_vanish(unit):
    for method in ("f", "levene", "levene_mean", "paired_levene", "pitman_morgan"):
        one, other = (irstd.pairwise_tests(s, method) for s in (SCORES, SCORES * unit))
        np.testing.assert_allclose(other["pvalue"], one["pvalue"], rtol=1e-9)
    for name in ("f_test", "levene_test", "paired_levene_test", "pitman_morgan_test"):
        assert OF_TWO[name](A * unit, B * unit) == pytest.approx(OF_TWO[name](A, B))
    pd.testing.assert_series_equal(irstd.break_ties(SCORES * unit), irstd.break_ties(SCORES))


def test_a_copy_of_a_system_is_not_told_from_it():
    """On paper: .1 + .2 is not .3 in doubles."""
    paper = pd.DataFrame({"a": [0.1 + 0.2, 0.7, 0.5, 0.2], "b": [0.3, 0.7, 0.5, 0.2]})
    for method in METHODS:
        assert irstd.pairwise_tests(paper, method, trials=99)["pvalue"].item() == 1, method


def test_nothing_is_changed_and_nothing_is_said():
    before = SCORES.copy()
    with warnings.catch_warnings(action="error"):
        for function in EVERY.values():
            function(SCORES)
    pd.testing.assert_frame_equal(SCORES, before)
