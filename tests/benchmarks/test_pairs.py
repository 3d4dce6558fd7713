"""Tests of all pairs of systems at once, against a loop over scipy on a share of the pairs."""

from itertools import combinations, islice

import numpy as np
import pytest
from scipy import stats

import irstd

PAIRS, SHARE = 3321, 10  # of 82 systems; the loop does one pair of SHARE, and counts SHARE times


@pytest.fixture(scope="module")
def scores():
    return irstd.load_dataset("sim-robust2004-all").iloc[:, :82]


LOOPS = {
    "t": lambda a, b: stats.ttest_rel(a, b),
    "levene": lambda a, b: stats.levene(a, b),
    "wilcoxon": lambda a, b: stats.wilcoxon(a, b),
}


@pytest.mark.parametrize("method", LOOPS)
@pytest.mark.benchmark(group="all 3,321 pairs of 82 systems x 200 topics by irstd")
def test_irstd(benchmark, scores, method):
    found = benchmark(irstd.pairwise_tests, scores, method)
    assert len(found) == PAIRS
    first = LOOPS[method](scores.iloc[:, 0], scores.iloc[:, 1]).pvalue
    assert found["pvalue"].iloc[0] == pytest.approx(first, abs=1e-10)


@pytest.mark.parametrize("method", LOOPS)
@pytest.mark.benchmark(group="a tenth of these pairs in a loop over scipy")
def test_loop(benchmark, scores, method):
    columns = list(scores.to_numpy().T)

    def loop():
        pairs = islice(combinations(columns, 2), PAIRS // SHARE)
        return np.array([LOOPS[method](a, b).pvalue for a, b in pairs])

    assert len(benchmark.pedantic(loop, rounds=3)) == PAIRS // SHARE


@pytest.mark.benchmark(group="swap rates at the size of HCMV10: 10 sizes, 50 trials, 3,321 pairs")
@pytest.mark.parametrize("judged_on", ["all", "sample"])
def test_swap_rate(benchmark, scores, judged_on):
    sizes = range(10, 101, 10)
    found = benchmark.pedantic(
        irstd.swap_rate, [scores], {"sizes": sizes, "judged_on": judged_on}, rounds=3
    )
    assert len(found) == 10
