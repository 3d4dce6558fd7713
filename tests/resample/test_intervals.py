"""Intervals of any number: Student's for a mean, the jackknife by hand, topics drawn alike."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import irstd
from irstd.resample.intervals import interval


@pytest.fixture(scope="module")
def scores():
    return irstd.load_dataset("sim-trec8").iloc[:20, :6]


def test_of_a_mean_both_are_students(scores):
    expected = stats.ttest_1samp(scores, 0).confidence_interval(0.9)
    found = interval(scores, lambda x: x.mean(), level=0.9, by="jackknife")
    np.testing.assert_allclose([found.low, found.high], expected, rtol=1e-10)
    assert found.estimate.equals(scores.mean())
    drawn = interval(scores, lambda x: x.mean(), level=0.9, trials=1500)
    width = (drawn.high - drawn.low) / (found.high - found.low)
    assert width.between(0.93, 1.07).all()


def test_the_jackknife_by_hand(scores):
    """Of the ratio of two means."""

    def ratio(x):
        return x.iloc[:, 0].mean() / x.iloc[:, 1].mean()

    found = interval(scores, ratio, by="jackknife")
    left = [ratio(scores.drop(topic)) for topic in scores.index]
    half = stats.t.ppf(0.975, 19) * np.sqrt(19 * np.var(left))
    assert found == pytest.approx([ratio(scores), ratio(scores) - half, ratio(scores) + half])


def test_two_matrices_side_by_side_stay_paired(scores):
    both = scores[::-1].join((scores + 0.1).add_suffix(" later"))

    def gain(x):
        later = x.columns.str.endswith(" later")
        return x.loc[:, later].to_numpy().mean() - x.loc[:, ~later].to_numpy().mean()

    found = interval(both, gain, trials=50)
    assert found == pytest.approx((0.1, 0.1, 0.1))


def test_a_number_that_draws_move_is_warned_of():
    rng = np.random.default_rng(0)
    systems = np.tile(rng.normal(size=40) / 10, 2)
    both = pd.DataFrame(systems + rng.normal(size=(25, 80)))

    def tau(x):
        return irstd.rank_correlation(*np.split(x.mean().to_numpy(), 2))

    with pytest.warns(UserWarning, match="jackknife"):
        interval(both, lambda x: x.mean().std(), trials=100)
    found = interval(both, tau, by="jackknife")
    assert found.low < tau(both) < found.high


def test_what_has_no_interval_is_refused(scores):
    with pytest.raises(ValueError, match="needs 3 topics or more"):
        interval(scores[:2], len)
    with pytest.raises(TypeError, match="must be a score matrix"):
        interval({"a": scores}, len)
    with pytest.raises(ValueError, match="one metric: choose it"):
        interval(pd.concat({"AP": scores, "RR": scores}, axis=1), len)


@pytest.mark.parametrize("several", [np.array, tuple, list, lambda x: dict(enumerate(x))])
def test_several_numbers_without_names_are_refused(scores, several):
    with pytest.raises(TypeError, match="must return a number or a Series, which names each, got"):
        interval(scores, lambda x: several(x.mean()), trials=9)


def test_labels_that_depend_on_the_topics_are_refused(scores):
    """The two best systems are others in other draws."""
    for by in ("bootstrap", "jackknife"):
        three = scores.iloc[:, :3]
        close = three - three.mean()
        with pytest.raises(
            ValueError, match="the same labels for any topics, got .* of all topics"
        ):
            interval(close, lambda x: x.mean().nlargest(2), by=by, trials=50)


@pytest.mark.parametrize(("by", "draws"), [("bootstrap", 40), ("jackknife", 20)])
def test_draws_on_which_a_number_is_not_defined_are_counted(scores, by, draws):
    calls = []

    def every_fourth(table):
        calls.append(table)
        return np.nan if len(calls) % 4 == 3 else table.mean().mean()

    with pytest.warns(UserWarning, match=f"NaN on {draws // 4} of {draws} draws of topics"):
        found = interval(scores, every_fourth, by=by, trials=40)
    assert found.low < found.estimate < found.high
