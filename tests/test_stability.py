"""The order of systems, of topics and of lines in a file is no information: results do not move.

To 1e-12, for scores at the ends of the doubles, thousands of equal scores, and means that tie on
paper.
"""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irstd

# Scores as they are, as they tie, and as far out as they can be.
ODD = [0.0, 1e-300, 1e-16, 0.1, 0.2, 0.3, 1 / 3, 2 / 3, 0.5, 1 - 1e-16, 1.0]
EXACT = {"rtol": 0, "atol": 1e-12}
few = settings(max_examples=40, deadline=None)


@st.composite
def shuffled(draw, low=0.0):
    """A score matrix, and the same in another order of topics and systems."""
    topics, systems = draw(st.integers(3, 12)), draw(st.integers(3, 9))
    kind = draw(st.sampled_from(["odd", "near", "tied", "any"]))
    element = {
        "odd": st.sampled_from(ODD),
        "near": st.sampled_from([1.0, 1 - 1e-16, 1 - 2e-16, 1 - 1e-15]),
        "tied": st.sampled_from([0.1, 0.2, 0.3]),
        "any": st.floats(0, 1),
    }[kind]
    rows = st.lists(element, min_size=systems, max_size=systems)
    values = np.array(draw(st.lists(rows, min_size=topics, max_size=topics)))
    scores = pd.DataFrame(
        values,
        pd.Index([f"t{i}" for i in range(topics)], name="topic"),
        pd.Index([f"s{i}" for i in range(systems)], name="system"),
    )
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    return scores, scores.iloc[random.permutation(topics), random.permutation(systems)]


def quietly(function, *arguments, **keywords):
    with warnings.catch_warnings(action="ignore"):
        return function(*arguments, **keywords)


@few
@given(shuffled())
@pytest.mark.parametrize("method", ["z", "normal", "uniform", "ecdf", "max", "centre"])
def test_standardized_scores(method, pair):
    one, other = (quietly(irstd.standardize, scores, method=method) for scores in pair)
    pd.testing.assert_frame_equal(other.loc[one.index, one.columns], one, **EXACT)


@few
@given(shuffled(), st.sampled_from([1e-300, 1e-16, 1e-5, 1.0, 1e300, np.inf]))
@pytest.mark.parametrize("adjust", ["uniform", "zeros", "floor"])
def test_gmap(adjust, pair, epsilon):
    if epsilon == np.inf and adjust != "uniform":
        epsilon = 1e-5
    one, other = (irstd.gmap(scores, epsilon, adjust=adjust) for scores in pair)
    pd.testing.assert_series_equal(other[one.index], one, rtol=1e-12, atol=1e-12)
    assert np.isfinite(one).all()


@few
@given(shuffled())
def test_the_leaderboard_and_its_ranks(pair):
    one, other = (quietly(irstd.leaderboard, scores) for scores in pair)
    pd.testing.assert_frame_equal(other.loc[one.index], one, **EXACT)


@few
@given(shuffled())
@pytest.mark.parametrize("method", ["max_z", "mean", "max", "median"])
def test_the_difficulty_of_topics(method, pair):
    one, other = (quietly(irstd.topic_difficulty, scores, method) for scores in pair)
    pd.testing.assert_series_equal(other[one.index], one, **EXACT)


@few
@given(shuffled())
@pytest.mark.parametrize("method", ["t", "sign", "f", "levene", "levene_mean"])
def test_the_tests_of_pairs(method, pair):
    one, other = (quietly(irstd.pairwise_tests, scores, method) for scores in pair)
    key = [frozenset(names) for names in zip(one["system_a"], one["system_b"], strict=True)]
    again = [frozenset(names) for names in zip(other["system_a"], other["system_b"], strict=True)]
    one, other = one["pvalue"].set_axis(key), other["pvalue"].set_axis(again)
    assert not one.isna().any()
    np.testing.assert_allclose(other[key], one, rtol=0, atol=1e-12)


@few
@given(shuffled())
def test_the_ties_that_spread_breaks(pair):
    one, other = (quietly(irstd.break_ties, scores, top=1.0) for scores in pair)
    pd.testing.assert_series_equal(one, other)


@few
@given(shuffled(), shuffled())
def test_two_collections(c, d):
    common = [name for name in c[0] if name in d[0]]
    first, second = c[0][common], d[0][common]
    again = c[1][common[::-1]], d[1][common[::-1]]
    one, other = irstd.rmse(first, second), irstd.rmse(*again)
    assert one == pytest.approx(other, abs=1e-12)
    one, other = (quietly(irstd.drmse, *pair) for pair in ((first, second), again))
    spread = min(first.mean().std(), second.mean().std())
    if spread > 1e-12:  # else the systems have one mean, but for the last digits
        assert one == pytest.approx(other, rel=1e-9)
    for method in ("tau", "tau_ap_b"):
        one = quietly(
            irstd.rank_correlation, first.mean().round(12), second.mean().round(12), method
        )
        other = quietly(
            irstd.rank_correlation, again[0].mean().round(12), again[1].mean().round(12), method
        )
        assert one == pytest.approx(other, abs=1e-12, nan_ok=True)


@few
@given(shuffled())
def test_false_positives(pair):
    half = len(pair[0]) // 2 + 1
    tables = []
    for scores in pair:
        first = scores.loc[[topic for topic in scores.index if int(topic[1:]) < half]]
        table = quietly(irstd.false_positives, first, scores)
        tables.append(table["pvalue"])
    np.testing.assert_allclose(tables[1][tables[0].index], tables[0], rtol=0, atol=1e-12)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**32))
def test_thousands_of_equal_scores_of_a_run(seed):
    """The ids alone decide the order, whatever the order of the lines: as trec_eval does it."""
    random = np.random.default_rng(seed)
    names = np.array([f"d{i}" for i in range(3000)])
    relevant = random.choice(names, 40, replace=False)
    qrels = pd.DataFrame({"query_id": "1", "doc_id": relevant, "relevance": 1})
    run = pd.DataFrame({"query_id": "1", "doc_id": names, "score": 0.5})
    one = irstd.evaluate({"r": run}, qrels)
    other = irstd.evaluate({"r": run.iloc[random.permutation(3000)]}, qrels.iloc[::-1])
    pd.testing.assert_frame_equal(one, other, rtol=0, atol=0)
    ranked = sorted(names, key=str.encode, reverse=True)[:1000]
    hits = np.isin(ranked, relevant)
    ap = (hits.cumsum() / np.arange(1, 1001))[hits].sum() / 40
    assert one["AP", "r"].item() == pytest.approx(ap, abs=1e-12)


def test_scores_of_a_run_at_the_ends_of_the_doubles():
    """1e-300 is above 0, and 1 above 1 - 1e-16: as doubles, not as single precision."""
    scores = [1.0, 1 - 1e-16, 1e-300, 5e-324, 0.0, -1e-300]
    run = pd.DataFrame({"query_id": "1", "doc_id": list("abcdef"), "score": scores})
    for place, name in enumerate("abcdef", 1):
        qrels = pd.DataFrame({"query_id": ["1"], "doc_id": [name], "relevance": [1]})
        assert irstd.evaluate({"r": run}, qrels, "RR").loc["1", "r"] == 1 / place
