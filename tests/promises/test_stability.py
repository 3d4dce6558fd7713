"""The order of systems, of topics and of lines in a file is no information: results do not move.

To 1e-12, for scores as metrics give them: shares, their sums, ties on the topics and in the means.
"""

import statistics
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irstd

SHARES = [0.0, 1e-5, 0.1, 0.2, 0.1 + 0.2, 0.3, 1 / 3, 2 / 3, 0.5, 1.0]
SUMS = [0.0, 0.1, 3.7, 12.25, 700.0, 7001.3]  # of precisions or gains
EXACT = {"rtol": 1e-12, "atol": 1e-12}
few = settings(max_examples=40, deadline=None)


@st.composite
def shuffled(draw, low=0.0):
    """A score matrix, and the same in another order of topics and systems."""
    topics, systems = draw(st.integers(3, 12)), draw(st.integers(3, 9))
    element = draw(
        st.sampled_from(
            [
                st.sampled_from(SHARES),
                st.sampled_from(SUMS),
                st.sampled_from([0.1, 0.2, 0.3]),
                st.floats(0, 1).map(lambda score: round(score, 6)),
            ]
        )
    )
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
@given(shuffled(), st.sampled_from([1e-5, 0.01, 1.0, 1e6, np.inf]))
@pytest.mark.parametrize("adjust", ["uniform", "zeros", "floor"])
def test_gmap(adjust, pair, epsilon):
    if epsilon == np.inf and adjust != "uniform":
        epsilon = 1e-5
    one, other = (quietly(irstd.gmap, scores, epsilon, adjust=adjust) for scores in pair)
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
@pytest.mark.parametrize("method", ["t", "sign", "f", "levene", "levene_mean", "pitman_morgan"])
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


def drawn(seed):
    """A larger matrix of some kind, and the same in another order and layout in memory."""
    random = np.random.default_rng(seed)
    n, m = random.integers(6, 40), random.integers(4, 20)
    values = [
        lambda: random.choice(SHARES, (n, m)),
        lambda: random.choice(SUMS, (n, m)),
        lambda: random.integers(0, 11, (n, m)) / 10,
        lambda: random.random((n, m)).round(4),
        lambda: random.permuted(random.choice([0.1, 0.2, 0.7], (n, 1)) * np.ones(m), axis=0),
        lambda: random.random((n, m)),
    ][seed % 6]()
    topics = pd.Index([f"t{i}" for i in range(n)], name="topic")
    systems = pd.Index([f"s{i}" for i in range(m)], name="system")
    scores = pd.DataFrame(values, topics, systems)
    order = random.permutation(n)
    other = scores.iloc[order, random.permutation(m)]
    layout = [np.asfortranarray, np.ascontiguousarray][seed % 2]
    other = pd.DataFrame(layout(other.to_numpy()), other.index, other.columns)
    return scores, other, order


every_kind = pytest.mark.parametrize("seed", range(18))
CLOSE = {"rtol": 1e-12, "atol": 1e-12}


def test_mean_and_sd_of_scores():
    """Against Python's statistics, which computes with fractions."""
    for seed in range(18):
        scores, other, _ = drawn(seed)
        for method, of in (("mean", statistics.mean), ("sd", statistics.stdev)):
            found, again = (
                getattr(irstd.standardization_factors(table), method)["score"]
                for table in (scores, other)
            )
            exact = [of(row) for row in scores.to_numpy().tolist()]
            np.testing.assert_allclose(found, exact, rtol=1e-14, atol=0)
            np.testing.assert_allclose(again[found.index], found, rtol=1e-14, atol=0)


@every_kind
def test_whom_break_ties_keeps(seed):
    one, other, _ = drawn(seed)
    pd.testing.assert_series_equal(irstd.break_ties(one), irstd.break_ties(other))


@every_kind
def test_wilcoxon(seed):
    one, other, _ = drawn(seed)
    systems = one.columns[:2] if len(one) < 14 else one.columns[:4]
    table = irstd.pairwise_tests(one[systems], "wilcoxon")
    for row in table.itertuples():
        swapped = irstd.paired_test(other[row.system_b], other[row.system_a], "wilcoxon")
        assert swapped.pvalue == pytest.approx(row.pvalue, abs=1e-12)


@every_kind
def test_collections(seed):
    (c, c_again, _), (d, d_again, _) = drawn(seed), drawn((seed * 5 + 1) % 18)
    common = [name for name in c if name in d]
    d.index, d_again.index = "d" + d.index, "d" + d_again.index
    again = {"c": c_again[common[::-1]], "d": d_again[common]}
    one = irstd.compare_collections({"c": c[common], "d": d[common]})
    pd.testing.assert_frame_equal(one, irstd.compare_collections(again), **CLOSE)


@every_kind
@pytest.mark.parametrize("method", [None, "normal"])
def test_splits_of_topics(seed, method):
    one, other, order = drawn(seed)
    splits = irstd.split_topics(len(one), trials=6)
    found = quietly(irstd.split_experiment, one, splits, method=method)
    places = np.argsort(order)  # of the same topics
    again = quietly(irstd.split_experiment, other, places[splits], method=method)
    pd.testing.assert_frame_equal(found, again, **CLOSE)


@every_kind
@pytest.mark.parametrize("statistic", ["sd", "mean"])
@pytest.mark.parametrize("judged_on", ["all", "sample"])
def test_swaps(seed, statistic, judged_on):
    one, other, _ = drawn(seed)
    one, other = (
        irstd.swap_rate(scores, sizes=[2, 3], trials=4, statistic=statistic, judged_on=judged_on)
        for scores in (one, other.loc[one.index])  # topics are drawn by their places
    )
    pd.testing.assert_frame_equal(one, other)


@every_kind
def test_samples_of_standardizing_systems(seed):
    one, other, _ = drawn(seed)
    found, again = (
        irstd.factor_sampling(scores, one, sizes=[2, one.shape[1]], trials=4)
        for scores in (one, other)
    )
    pd.testing.assert_frame_equal(found, again, **CLOSE)
    all_of_them = found.loc[found["size"] == one.shape[1], "tau"]
    assert all_of_them.isna().all() or (all_of_them - 1).abs().max() < 1e-12


def test_lines_of_files_in_any_order(tmp_path):
    random = np.random.default_rng(0)
    run = [
        f"{topic} Q0 d{random.integers(999)}-{i} 1 {random.choice([0.5, 1e-300, 1 - 1e-16, 2])} me"
        for topic in ("301", "302", "303")
        for i in range(300)
    ]
    qrels = [f"{line.split()[0]} 0 {line.split()[2]} {random.integers(3)}" for line in run[::3]]
    (tmp_path / "me.run").write_text("\n".join(run))
    (tmp_path / "qrels").write_text("\n".join(qrels))
    one = irstd.evaluate(tmp_path / "me.run", tmp_path / "qrels")
    for _ in range(5):
        (tmp_path / "me.run").write_text("\n".join(random.permutation(run)))
        (tmp_path / "qrels").write_text("\n".join(random.permutation(qrels)))
        other = irstd.evaluate(tmp_path / "me.run", tmp_path / "qrels")
        pd.testing.assert_frame_equal(other.loc[one.index], one, rtol=0, atol=1e-12)
