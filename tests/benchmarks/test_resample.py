"""Experiments over many splits against loops over scipy; the loops run on a share of the splits."""

import numpy as np
import pytest
from scipy import stats

import irstd

SPLITS, SHARE = 10_000, 20  # a loop does one split of SHARE, and counts SHARE times


@pytest.fixture(scope="module")
def scores():
    everything = irstd.load_dataset("sim-robust2004-all")
    return everything.iloc[:99]


@pytest.fixture(scope="module")
def splits():
    return irstd.split_topics(99, trials=SPLITS)


def taus_in_a_loop(values, splits):
    logs = np.log(values + 0.01)
    return np.array(
        [
            [
                stats.kendalltau(v[c].mean(axis=0).round(12), v[d].mean(axis=0).round(12)).statistic
                for v in (values, logs)
            ]
            for c, d in splits
        ]
    )


def taus(scores, splits):
    return np.column_stack(
        [
            irstd.split_experiment(scores, splits, statistics=["tau"], epsilon=epsilon)
            for epsilon in (None, 0.01)
        ]
    )


@pytest.mark.benchmark(group="tau of MAP and GMAP: irstd 10,000 splits, the loop 500")
def test_taus_irstd(benchmark, scores, splits):
    found = benchmark.pedantic(taus, [scores, splits], rounds=5, warmup_rounds=1)
    expected = taus_in_a_loop(scores.to_numpy(), splits[:50])
    np.testing.assert_allclose(found[:50], expected, atol=1e-12)


@pytest.mark.benchmark(group="tau of MAP and GMAP: irstd 10,000 splits, the loop 500")
def test_taus_loop(benchmark, scores, splits):
    benchmark.pedantic(taus_in_a_loop, [scores.to_numpy(), splits[: SPLITS // SHARE]], rounds=3)


def pairs_in_a_loop(values, splits):
    result = []
    for c, d in splits:
        a, b = values[c], values[d]
        means = a.mean(axis=0), b.mean(axis=0)
        rmse = np.sqrt(((means[0] - means[1]) ** 2).mean())
        drmse = 2 * rmse / (means[0].std(ddof=1) + means[1].std(ddof=1))
        result.append((drmse, (stats.ttest_ind(a, b).pvalue <= 0.05).mean()))
    return np.array(result)


@pytest.mark.benchmark(group="dRMSE and false positives: irstd 10,000 splits, the loop 500")
def test_pairs_irstd(benchmark, scores, splits):
    arguments = {"statistics": ["drmse", "fpr"]}
    found = benchmark.pedantic(irstd.split_experiment, [scores, splits], arguments, rounds=5)
    expected = pairs_in_a_loop(scores.to_numpy(), splits[:50])
    np.testing.assert_allclose(found[:50], expected, atol=1e-12)


@pytest.mark.benchmark(group="dRMSE and false positives: irstd 10,000 splits, the loop 500")
def test_pairs_loop(benchmark, scores, splits):
    benchmark.pedantic(pairs_in_a_loop, [scores.to_numpy(), splits[: SPLITS // SHARE]], rounds=3)
