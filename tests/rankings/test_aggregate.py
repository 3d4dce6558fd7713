"""GMAP against its formulas in many digits (trec_eval's: tests/oracles); leaderboard."""

from decimal import Decimal, localcontext
from math import prod

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats
from test_standardize import matrix

import irstd

SMALL = "ignore:epsilon is .*, less than a hundredth:UserWarning"


def exactly(values, epsilon, adjust="uniform"):
    """The formula in many digits, by the standard library's decimal."""
    with localcontext() as context:
        context.prec = 700
        e, x = Decimal(epsilon), [Decimal(float(value)) for value in values]
        if adjust == "zeros":
            x = [v or e for v in x]
        elif adjust == "floor":
            x = [max(v, e) for v in x]
        else:
            x = [v + e for v in x]
        mean = prod(x) ** (1 / Decimal(len(x)))
        return float(mean - e if adjust == "uniform" else mean)


@pytest.mark.filterwarnings(SMALL)
@given(
    arrays(float, (5, 2), elements=st.sampled_from([0, 1e-300, 1e-9, 0.05, 0.5, 1 - 1e-16, 1])),
    st.sampled_from([5e-324, 1e-300, 1e-120, 1e-90, 1e-5, 0.01, 1.0, 1e3, 1e12, 1.7e308]),
    st.sampled_from(["uniform", "zeros", "floor"]),
)
def test_gmap_is_its_formula_in_many_digits(values, epsilon, adjust):
    """Where the mean is below epsilon, its error is relative to epsilon."""
    assume(values.max() != 1e-300)  # refused: all that is not 0 is too small
    scores = matrix(values)
    found = irstd.gmap(scores, epsilon, adjust=adjust)
    for system in scores:
        expected = exactly(scores[system], epsilon, adjust)
        assert found[system] == pytest.approx(expected, rel=1e-12, abs=1e-12 * min(epsilon, 1))


@pytest.mark.parametrize(
    ("scores", "arguments", "message"),
    [
        ([[0.1], [0.0]], {"epsilon": 0}, "scores are 0 on topic 1"),
        ([[-0.1]], {}, "some are negative on topic 0"),
        ([[0.1]], {"epsilon": np.inf, "adjust": "zeros"}, "an infinite epsilon needs adjust="),
    ],
)
def test_gmap_refuses_zeros_and_negative_scores(scores, arguments, message):
    with pytest.raises(ValueError, match=message):
        irstd.gmap(matrix(scores), **arguments)
    with pytest.warns(UserWarning, match="missing on topic 1: the mean is over the other topics"):
        found = irstd.gmap(matrix([[0.2, 0.2], [np.nan, 0.8]]), 0)
    assert found.tolist() == pytest.approx([0.2, 0.4])


def test_leaderboard_is_made_of_its_parts():
    scores = irstd.load_dataset("sim-trec8")
    reference = scores.iloc[:, ::2]
    board = irstd.leaderboard(scores, reference=reference, epsilon=0.01)
    low, high = stats.t.interval(0.95, 49, scores.mean(), scores.sem())
    expected = {
        "value": scores.mean(),
        "mean": scores.mean(),
        "low": low,
        "high": high,
        "sd": scores.std(),
        "gmap": irstd.gmap(scores, 0.01),
        "standardized": irstd.standardize(scores, reference).mean(),
        "zeros": (scores == 0).sum(),
        "topics": 50,
    }
    expected = pd.DataFrame(expected).loc[board.index]
    np.testing.assert_allclose(board[list(expected)].astype(float), expected, rtol=1e-9)
    for rank, of in {
        "rank": "mean",
        "rank_gmap": "gmap",
        "rank_standardized": "standardized",
    }.items():
        assert board[rank].tolist() == expected[of].rank(ascending=False).tolist()
    assert board["rank"].is_monotonic_increasing
    z = irstd.standardize(scores, method="z")
    assert irstd.leaderboard(z)["gmap"].isna().all()  # scores below 0 have none


def test_gmap_warns_of_a_small_epsilon():
    """RM08 chose it for AP, whose smallest positive scores are about as small."""
    for function in (irstd.gmap, irstd.leaderboard):
        with pytest.warns(UserWarning, match="less than a hundredth of the smallest positive"):
            function(irstd.load_dataset("sim-trec8", "P@10"))
    irstd.gmap(irstd.load_dataset("sim-trec8"))
    irstd.gmap(matrix([[0.0995], [0]]), 0.001)
    with pytest.warns(UserWarning, match="less than a hundredth"):
        irstd.gmap(matrix([[0.1005], [0]]), 0.001)


def matrix_with_gaps():
    """Half of the systems lack 20 of 50 topics each."""
    scores, rng = irstd.load_dataset("sim-trec8").iloc[:, :30], np.random.default_rng(0)
    for system in scores.columns[::2]:
        scores.loc[rng.choice(scores.index, 20, replace=False), system] = np.nan
    return scores


def z_over_what_is_there(scores):
    return scores.sub(scores.mean(axis=1), axis=0).div(scores.std(axis=1), axis=0)


PARTS = {  # by topic, of which each value is the mean
    "mean": lambda scores: scores,
    "borda": lambda s: s.rank(axis=1).sub(1).div(s.notna().sum(axis=1) - 1, axis=0),
    "z": z_over_what_is_there,
    "normal": lambda scores: z_over_what_is_there(scores).apply(stats.norm.cdf),
}


@pytest.mark.parametrize("aggregate", PARTS)
@pytest.mark.filterwarnings("ignore:scores or factors are missing")
def test_leaderboard_with_gaps_has_scipys_interval(aggregate):
    scores = matrix_with_gaps()
    board = irstd.leaderboard(scores, aggregate=aggregate)
    parts = PARTS[aggregate](scores)[board.index]
    value, half = parts.mean(), stats.t.isf(0.025, parts.count() - 1) * parts.sem()
    np.testing.assert_allclose(board["value"], value, atol=1e-12)
    np.testing.assert_allclose(board["high"] - value, half)
    np.testing.assert_allclose(value - board["low"], half)
    assert board["rank"].tolist() == stats.rankdata(-value.round(12), method="min").tolist()
    assert board["topics"].tolist() == parts.count().tolist()
    is_complete = board["topics"] == 50
    for rank, column in {"rank_gmap": "gmap", "rank_standardized": "standardized"}.items():
        expected = stats.rankdata(-board.loc[is_complete, column].round(12), method="min")
        assert board.loc[is_complete, rank].tolist() == expected.tolist()
        assert board.loc[~is_complete, rank].isna().all()


def test_leaderboard_does_not_warn_of_gaps_without_effect(recwarn):
    for aggregate in ("borda", "z", "normal"):
        irstd.leaderboard(matrix_with_gaps(), aggregate=aggregate)
    assert not recwarn.list


def test_gmap_with_infinite_epsilon_is_the_mean():
    scores = matrix([[0.05, 0.10], [0.75, 0.70]])
    assert irstd.gmap(scores, np.inf).tolist() == pytest.approx([0.4, 0.4], rel=1e-14)


def test_leaderboard_warns_of_gaps_once():
    scores = matrix_with_gaps().assign(none=np.nan)
    with pytest.warns(UserWarning, match="missing on topic") as caught:
        board = irstd.leaderboard(scores)
    assert len(caught) == 1
    assert board["mean"].to_dict() == pytest.approx(scores.mean().to_dict(), nan_ok=True)
    assert board.iloc[-1][["mean", "gmap", "standardized", "rank"]].isna().all()
    with pytest.raises(ValueError, match="missing .NaN. for system none"):
        irstd.leaderboard(scores, aggregate="borda")
    factors = irstd.standardization_factors(irstd.load_dataset("sim-trec8").drop(index="403"))
    with pytest.warns(UserWarning, match="missing on topic 403: means are over the other topics"):
        irstd.leaderboard(matrix_with_gaps(), reference=factors, aggregate="z")


@pytest.mark.parametrize("aggregate", ["mean", "borda", "normal"])
def test_leaderboard_smaller_is_better(aggregate):
    """Oracle: the leaderboard of negative numbers; numbers keep their sign."""
    errors = irstd.load_dataset("sim-trec8").iloc[:, ::9] + 1
    errors.attrs.clear()  # they are no longer AP
    board = irstd.leaderboard(errors, aggregate=aggregate, smaller_is_better=True)
    expected = irstd.leaderboard(-errors, aggregate=aggregate)
    ranks = ["rank", "rank_standardized"]
    pd.testing.assert_frame_equal(board[ranks], expected[ranks])
    assert board["mean"].to_dict() == pytest.approx(errors.mean().to_dict())
    sign = 1 if aggregate == "borda" else -1
    if aggregate != "normal":
        assert board["value"].to_dict() == pytest.approx((sign * expected["value"]).to_dict())
    assert board["rank_gmap"].idxmin() == board["gmap"].idxmin()
