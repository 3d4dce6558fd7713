"""Splits and the experiments over them, against loops over scipy and published figures."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import irstd

ONES = np.ones((3, 2, 4), int)


@given(
    n=st.integers(2, 20),
    scheme=st.sampled_from(["disjoint", "replacement", "overlapping"]),
    seed=st.integers(0, 99),
)
def test_split_topics_follows_its_scheme(n, scheme, seed):
    splits = irstd.split_topics(n, scheme=scheme, trials=7, seed=seed)
    assert splits.shape == (7, 2, n // 2)
    assert splits.min() >= 0 and splits.max() < n
    for c, d in splits.tolist():
        if scheme != "replacement":
            assert len(set(c)) == len(set(d)) == n // 2
        if scheme == "disjoint":
            assert not set(c) & set(d)


@pytest.mark.parametrize("scheme", ["disjoint", "replacement", "overlapping"])
def test_split_topics_draws_all_topics_equally(scheme):
    splits = irstd.split_topics(10, scheme=scheme, trials=4000, seed=np.random.default_rng(3))
    for half in (0, 1):
        counts = np.bincount(splits[:, half].ravel(), minlength=10)
        assert stats.chisquare(counts).pvalue > 1e-4


@pytest.mark.parametrize("scheme", ["disjoint", "replacement", "overlapping"])
def test_split_experiment_is_a_loop_over_scipy(scores, scheme):
    splits = irstd.split_topics(scores.index, scheme=scheme, size=20, trials=30, seed=2)
    found = irstd.split_experiment(scores, splits)
    assert found.columns.tolist() == ["drmse", "fpr", "tau"]
    assert found.index.name == "trial"
    for trial, (c, d) in enumerate(splits):
        a, b = scores.iloc[c], scores.iloc[d]
        rmse = np.sqrt(((a.mean() - b.mean()) ** 2).mean())
        drmse = 2 * rmse / (a.mean().std() + b.mean().std())
        fpr = (stats.ttest_ind(a, b).pvalue <= 0.05).mean()
        tau = stats.kendalltau(a.mean().round(12), b.mean().round(12)).statistic
        assert found.loc[trial].tolist() == pytest.approx([drmse, fpr, tau], abs=1e-12)


def test_split_experiment_standardizes_first(scores):
    splits = irstd.split_topics(scores.index, trials=5).astype(np.uint64)
    found = irstd.split_experiment(scores, splits, method="normal")
    expected = irstd.split_experiment(irstd.standardize(scores), splits.tolist())
    pd.testing.assert_frame_equal(found, expected)


@pytest.mark.parametrize("scheme", ["disjoint", "replacement", "overlapping"])
def test_split_topics_does_not_depend_on_order(scores, scheme):
    other = scores.iloc[::-1]
    one, again = (
        irstd.split_topics(table.index, scheme=scheme, trials=5, seed=1)
        for table in (scores, other)
    )
    assert (scores.index.to_numpy()[one] == other.index.to_numpy()[again]).all()


def test_gmap_curve_is_made_of_gmaps(scores):
    curve = irstd.gmap_curve(scores, [0.01, np.inf], trials=20, seed=1)
    curve = curve.set_index(["epsilon", "split"])["tau"]
    order = irstd.topic_difficulty(scores).sort_values(ascending=False).index
    halves = {
        "hard-easy": (order[:25], order[25:]),
        "cent-ccent": (order[12:37], order[:12].append(order[37:])),
    }
    splits = irstd.split_topics(50, trials=20, seed=1)
    for epsilon in (0.01, np.inf):
        for name, pair in halves.items():
            a, b = (irstd.gmap(scores.loc[half], epsilon) for half in pair)
            tau = stats.kendalltau(a, b).statistic
            assert curve[epsilon, name] == pytest.approx(tau, abs=1e-12)
        random = irstd.split_experiment(scores, splits, statistics=["tau"], epsilon=epsilon)
        assert curve[epsilon, "random"] == pytest.approx(random["tau"].mean(), abs=1e-12)


def test_split_topics_refuses_scores_and_negative_numbers():
    with pytest.raises(TypeError, match="give scores.index"):
        irstd.split_topics(pd.DataFrame({"a": [0.1, 0.2]}))
    with pytest.raises(ValueError, match="topics must be at least 2, got -5"):
        irstd.split_topics(-5)


def test_factor_sampling_is_a_loop_over_standardize():
    scores = irstd.load_dataset("sim-robust2004-all").loc["601":"650"].iloc[:, :20]
    reference = irstd.load_dataset("sim-robust2003")
    found = irstd.factor_sampling(scores, reference, sizes=[3, 10], trials=6, seed=5)
    assert found.columns.tolist() == ["size", "trial", "tau", "constant"]
    rng = np.random.default_rng(5)
    full = irstd.standardize(scores, reference).mean()
    for size in (3, 10):
        drawn = rng.random((6, 78)).argsort(axis=1)[:, :size]
        for trial in range(6):
            sample = reference.iloc[:, drawn[trial]]
            tau = stats.kendalltau(irstd.standardize(scores, sample).mean(), full).statistic
            row = found[(found["size"] == size) & (found["trial"] == trial)]
            assert row["tau"].item() == pytest.approx(tau, abs=1e-12)


def test_factor_sampling_counts_constant_topics(recwarn):
    reference = pd.DataFrame(np.eye(6), [str(i) for i in range(6)], list("abcdef"))
    scores = reference + np.arange(6)
    found = irstd.factor_sampling(scores, reference, sizes=[2, 6], trials=20)
    assert (found["constant"] == found["size"].map({2: 4, 6: 0})).all()
    assert (found[found["size"] == 6]["tau"] == 1).all()
    assert not recwarn.list


def test_split_experiment_is_that_of_urbano_et_al_2019(trec_data):
    """Between halves of 49 topics: tau .785 raw, .791 normal, .784 uniform, .783 z, .789 ecdf."""
    scores = irstd.load_dataset("robust2004").loc["601":]
    splits = irstd.split_topics(scores.index, trials=2000)
    published = {None: 0.785, "normal": 0.791, "uniform": 0.784, "z": 0.783, "ecdf": 0.789}
    for method, tau in published.items():
        found = irstd.split_experiment(scores, splits, method=method, statistics=["tau"])
        assert found["tau"].mean() == pytest.approx(tau, abs=0.0025)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda s: irstd.split_experiment(s, ONES[:, :, :1]),
            r"of shape .trials, 2, at least 2",
        ),
        (lambda s: irstd.split_experiment(s, 50 * ONES), "positions from 0 to 49, got 50 to 50"),
        (lambda s: irstd.split_topics(["1", "1", "2"]), "topics .* more than once"),
        (lambda s: irstd.split_topics(10, size=6), "of size=6 need 12 topics, got 10"),
        (
            lambda s: irstd.factor_sampling(s, s, sizes=[130], trials=1),
            "at most 129, the number of systems",
        ),
        (lambda s: irstd.factor_sampling(s, s, sizes=[1], trials=1), "sizes must be at least 2"),
    ],
)
def test_split_topics_and_experiments_refuse_bad_input(scores, call, message):
    with pytest.raises(ValueError, match=message):
        call(scores)
