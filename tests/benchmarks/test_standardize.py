"""A million scores standardized, against the same through pandas apply and in bare NumPy."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.special import ndtr

import irstd


@pytest.fixture(scope="module")
def scores():
    values = np.random.default_rng(0).random((1000, 1000))
    return pd.DataFrame(values, [str(topic) for topic in range(1000)])


def bare_numpy(scores):
    values = scores.to_numpy()
    mean, sd = values.mean(axis=1, keepdims=True), values.std(axis=1, ddof=1, keepdims=True)
    return ndtr((values - mean) / sd)


def pandas_apply(scores):
    return scores.apply(lambda topic: stats.norm.cdf(stats.zscore(topic, ddof=1)), axis=1).tolist()


@pytest.mark.parametrize("peer", [bare_numpy, pandas_apply])
def test_standardize(against, scores, peer):
    found, expected = against(
        "1,000 systems x 1,000 topics: `standardize`",
        lambda: irstd.standardize(scores),
        {"bare_numpy": "the formula in NumPy", "pandas_apply": "`DataFrame.apply`"}[peer.__name__],
        lambda: peer(scores),
    )
    np.testing.assert_allclose(found, expected, atol=1e-12)
