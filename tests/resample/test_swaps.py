"""Swap rates against a loop over scipy, and against chance (public scores: lesson 04)."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import irstd
from irstd.resample.swaps import swap_rate


@pytest.fixture(scope="module")
def scores():
    return irstd.standardize(irstd.load_dataset("sim-trec8").iloc[:, :12], method="z")


def paired_levene(a, b):
    return stats.ttest_rel(abs(a - np.median(a)), abs(b - np.median(b)))


def by_a_loop(scores, size, trials, seed, statistic, judged_on, alpha, test):
    """The procedure of HCMV10's figure 6 in words, pair by pair, with scipy."""
    comparisons = 0
    swaps = 0
    values = scores.to_numpy()
    for x, y in irstd.split_topics(len(values), size=size, trials=trials, seed=seed):
        judged = range(len(values)) if judged_on == "all" else x
        for a, b in itertools.combinations(values.T, 2):
            if test(a[judged], b[judged]).pvalue > alpha:
                continue
            comparisons += 1
            difference_x = statistic(a[x]) - statistic(b[x])
            difference_y = statistic(a[y]) - statistic(b[y])
            swaps += difference_x * difference_y < 0
    return comparisons, swaps


@pytest.mark.parametrize("judged_on", ["all", "sample"])
@pytest.mark.parametrize(
    ("statistic", "test", "by_numpy", "by_scipy"),
    [
        ("sd", None, lambda x: np.std(x, ddof=1), paired_levene),
        ("sd", "levene_mean", np.std, lambda a, b: stats.levene(a, b, center="mean")),
        ("mean", None, np.mean, stats.ttest_rel),
    ],
)
def test_swap_rate_is_a_loop_over_scipy(scores, judged_on, statistic, test, by_numpy, by_scipy):
    options = {"statistic": statistic, "judged_on": judged_on, "alpha": 0.3, "test": test}
    row = swap_rate(scores, sizes=[10], trials=4, **options, seed=3).iloc[0]
    comparisons, swaps = by_a_loop(scores, 10, 4, 3, by_numpy, judged_on, 0.3, by_scipy)
    assert swaps > 0
    assert row["comparisons"] == comparisons
    assert row["swaps"] == swaps
    assert row["error_rate"] == swaps / comparisons


@pytest.mark.parametrize("judged_on", ["all", "sample"])
@pytest.mark.parametrize("statistic", ["sd", "mean"])
def test_swap_rate_does_not_count_equal_systems(statistic, judged_on):
    values = np.random.default_rng(0).random(30)
    matrix = pd.DataFrame({name: values for name in "abc"})
    found = swap_rate(matrix, sizes=[7], statistic=statistic, judged_on=judged_on, alpha=1)
    assert found["comparisons"].tolist() == [0]
    assert found["error_rate"].isna().all()


@pytest.mark.parametrize("statistic", ["sd", "mean"])
def test_swap_rate_does_not_count_ties(statistic):
    """By a loop over whole numbers, whose sums and sums of squares are exact."""
    scores = pd.DataFrame(np.random.default_rng(4).integers(0, 3, (14, 6)))
    options = {"statistic": statistic, "judged_on": "all", "test": "t", "alpha": 0.99}
    found = swap_rate(scores, sizes=[5], trials=20, **options, seed=1)
    whole_numbers = IN_WHOLE_NUMBERS[statistic]
    _, swaps = by_a_loop(scores, 5, 20, 1, whole_numbers, "all", 0.99, stats.ttest_rel)
    assert found["swaps"].item() == swaps > 20


IN_WHOLE_NUMBERS = {"mean": np.sum, "sd": lambda five: 5 * np.sum(five**2) - five.sum() ** 2}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sizes": [26]}, "at least 52 topics, found 50"),
        ({"sizes": [2]}, "sizes must be at least 3"),
        ({"sizes": [1], "statistic": "mean"}, "sizes must be at least 2"),
    ],
)
def test_swap_rate_refuses_small_sizes(scores, options, message):
    with pytest.raises(ValueError, match=message):
        swap_rate(scores, **options)


@pytest.mark.night
def test_swap_rate_of_noise_is_that_of_a_coin():
    """Pure noise: a coin, if the pairs are judged on one set; if on all topics, the selection."""
    rng = np.random.default_rng(0)
    noise = [pd.DataFrame(rng.normal(size=(100, 3))) for _ in range(800)]

    def pooled(judged_on):
        options = {"sizes": [5, 25, 50], "trials": 4, "statistic": "mean", "judged_on": judged_on}
        found = [swap_rate(one, seed=k, **options) for k, one in enumerate(noise)]
        counts = sum(one[["swaps", "comparisons"]] for one in found)
        return counts["swaps"] / counts["comparisons"]

    np.testing.assert_allclose(pooled("sample"), 0.5, atol=0.08)
    on_all = pooled("all")
    assert on_all.is_monotonic_decreasing
    assert on_all.iloc[-1] == pytest.approx(0.025, abs=0.01)  # alpha / 2, at half of the topics
