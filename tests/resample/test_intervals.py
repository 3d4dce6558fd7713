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
    again = interval(scores[::-1], lambda x: x.mean(), level=0.9, trials=1500)
    pd.testing.assert_series_equal(again.low, drawn.low)


def test_the_jackknife_of_two_sets_of_topics_adds_their_variances(scores):
    """By hand, for the ratio of two means."""
    other = scores.iloc[:9].set_axis([f"o{k}" for k in range(9)])

    def ratio(x):
        return x["a"].to_numpy().mean() / x["b"].to_numpy().mean()

    found = interval({"a": scores, "b": other}, ratio, by="jackknife")
    variance = 0
    for name, table in (("a", scores), ("b", other)):
        both = {"a": scores, "b": other}
        left = [ratio(both | {name: table.drop(topic)}) for topic in table.index]
        variance += (len(left) - 1) * np.var(left)
    half = stats.t.ppf(0.975, 8) * np.sqrt(variance)
    assert found == pytest.approx(
        [ratio({"a": scores, "b": other}), found.estimate - half, found.estimate + half]
    )


def test_the_same_topics_are_drawn_alike(scores):
    shifted = scores[::-1] + 0.1
    found = interval(
        {"x": scores, "y": shifted}, lambda s: (s["y"] - s["x"]).mean().mean(), trials=50
    )
    assert found == pytest.approx((0.1, 0.1, 0.1))


def test_a_number_that_draws_move_is_warned_of():
    rng = np.random.default_rng(0)
    systems = rng.normal(size=40) / 10
    x, y = (pd.DataFrame(systems + rng.normal(size=(25, 40))) for _ in range(2))

    def tau(s):
        return irstd.rank_correlation(s["x"].mean(), s["y"].mean())

    with pytest.warns(UserWarning, match="jackknife"):
        interval({"x": x, "y": y}, lambda s: s["x"].mean().std(), trials=100)
    found = interval({"x": x, "y": y}, tau, by="jackknife")
    assert found.low < tau({"x": x, "y": y}) < found.high


def test_what_has_no_interval_is_refused(scores):
    with pytest.raises(ValueError, match="needs 3 topics or more"):
        interval(scores[:2], len)
    with pytest.raises(ValueError, match=r"scores\['b'\] must be"):
        interval({"a": scores, "b": scores / 0}, len)
    with pytest.raises(ValueError, match="got none"):
        interval({}, len)
    with pytest.raises(ValueError, match="by must be one of"):
        interval(scores, len, by="bca")


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
