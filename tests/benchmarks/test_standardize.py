"""A million scores standardized, against the same through pandas apply and in bare NumPy."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.special import ndtr

import irstd

pytestmark = pytest.mark.benchmark(group="1,000 systems x 1,000 topics, normal")
VALUES = np.random.default_rng(0).random((1000, 1000))


@pytest.fixture(scope="module")
def scores():
    return pd.DataFrame(VALUES, [str(topic) for topic in range(1000)])


def bare_numpy(values):
    mean, sd = values.mean(axis=1, keepdims=True), values.std(axis=1, ddof=1, keepdims=True)
    return ndtr((values - mean) / sd)


def pandas_apply(scores):
    return scores.T.apply(lambda topic: stats.norm.cdf(stats.zscore(topic, ddof=1)))


def test_irstd(benchmark, scores):
    found = benchmark(irstd.standardize, scores)
    np.testing.assert_allclose(found, bare_numpy(VALUES), atol=1e-12)


def test_bare_numpy(benchmark):
    benchmark(bare_numpy, VALUES)


def test_pandas_apply(benchmark, scores):
    benchmark.pedantic(pandas_apply, [scores], rounds=3)
