"""Experiments over many splits against loops over scipy; the loops do a share of the splits."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import irstd

SPLITS, SHARE = 10_000, 20
WORK = "10,000 splits of 99 topics, 110 systems"


@pytest.fixture(scope="module")
def scores():
    return irstd.load_dataset("sim-robust2004-all").iloc[:99]


@pytest.fixture(scope="module")
def splits():
    return irstd.split_topics(99, trials=SPLITS)


def tau_of(values, c, d):
    return stats.kendalltau(values[c].mean(axis=0).round(12), values[d].mean(axis=0).round(12))[0]


def drmse_and_false_positives_of(values, c, d):
    a, b = values[c], values[d]
    means = a.mean(axis=0), b.mean(axis=0)
    rmse = np.sqrt(((means[0] - means[1]) ** 2).mean())
    drmse = 2 * rmse / (means[0].std(ddof=1) + means[1].std(ddof=1))
    return drmse, (stats.ttest_ind(a, b).pvalue <= 0.05).mean()


EXPERIMENTS = {
    "dRMSE and false positives": (drmse_and_false_positives_of, ["drmse", "fpr"]),
    "tau of means": (tau_of, ["tau"]),
}


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_split_experiment(against, scores, splits, name):
    one_split, statistics = EXPERIMENTS[name]
    values = scores.to_numpy()
    found, expected = against(
        f"{WORK}: `split_experiment`, {name}",
        lambda: irstd.split_experiment(scores, splits, statistics=statistics),
        "a loop over NumPy and scipy",
        lambda: [one_split(values, c, d) for c, d in splits[::SHARE]],
        share=SHARE,
    )
    expected = np.reshape(expected, (-1, len(statistics)))
    np.testing.assert_allclose(found.iloc[::SHARE], expected, atol=1e-12)


def intervals_in_a_loop(values, trials):
    rng, n = np.random.default_rng(0), len(values)
    drawn = [values[rng.integers(0, n, n)].mean(axis=0) for _ in range(trials)]
    ranks = np.sort([stats.rankdata(-means, method="min") for means in drawn], axis=0)
    return ranks[int(0.025 * trials)], ranks[-1 - int(0.025 * trials)]


def test_rank_intervals(against):
    """The bootstrap behind a leaderboard of 332 systems on 41 topics."""
    rng = np.random.default_rng(0)
    table = rng.normal(np.linspace(0, 1, 332), 1, (41, 332))
    scores = pd.DataFrame(table, [f"t{i}" for i in range(41)], [f"s{i:03d}" for i in range(332)])
    found, (low, high) = against(
        "1,000 bootstraps of 41 topics, 332 systems: `rank_intervals`",
        lambda: irstd.rank_intervals(scores, trials=1000),
        "a loop over NumPy and scipy",
        lambda: intervals_in_a_loop(table, 1000),
    )
    found = found.sort_index()  # other draws
    assert np.abs(found["low"].to_numpy() - low).mean() < 5
    assert np.abs(found["high"].to_numpy() - high).mean() < 5
