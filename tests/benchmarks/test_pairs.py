"""Tests of all pairs of systems at once, against a loop over scipy on a share of the pairs."""

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

import irstd

SIZES, TRIALS = range(10, 101, 10), 50


@pytest.fixture(scope="module")
def scores():
    return irstd.load_dataset("sim-robust2004-all").iloc[:, :82]


LOOPS = {"t": stats.ttest_rel, "levene": stats.levene, "wilcoxon": stats.wilcoxon}


def loop_over_pairs(columns, test, share):
    return [test(a, b).pvalue for a, b in list(combinations(columns, 2))[::share]]


@pytest.mark.parametrize("method", LOOPS)
def test_all_pairs(against, scores, method):
    columns = list(scores.to_numpy().T)
    found, expected = against(
        f"all 3,321 pairs of 82 systems on 200 topics: `pairwise_tests`, {method}",
        lambda: irstd.pairwise_tests(scores, method),
        f"a loop over `scipy.stats.{LOOPS[method].__name__}`",
        lambda: loop_over_pairs(columns, LOOPS[method], 9),
        share=9,
    )
    np.testing.assert_allclose(found["pvalue"][::9], expected, rtol=1e-6, atol=1e-12)


def loop_over_swaps(values, share):
    """For each size a part of the trials; Levene's test, which all use, for a part of the pairs."""
    loop_over_pairs(list(values.T), stats.levene, share)
    rng, swaps = np.random.default_rng(0), 0
    for size in np.repeat(SIZES, TRIALS // share):
        order = rng.permutation(len(values))
        x, y = (values[part].std(axis=0, ddof=1) for part in (order[:size], order[-size:]))
        swaps += sum((x[i] - x[j]) * (y[i] - y[j]) < 0 for i, j in combinations(range(len(x)), 2))
    return swaps


def test_swap_rate(against, scores):
    found, _ = against(
        "swap rates at the size of Hosseini et al.: 10 sizes, 50 trials, 3,321 pairs: `swap_rate`",
        lambda: irstd.swap_rate(scores, sizes=SIZES, trials=TRIALS),
        "a loop over pairs and `scipy.stats.levene`",
        lambda: loop_over_swaps(scores.to_numpy(), 10),
        share=10,
    )
    assert len(found) == 10
