"""Tests of all pairs of systems at once, against a loop over scipy on a share of the pairs."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import irstd


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


# Queries of BEIR's eighteen data sets
BEIR = [6980, 50, 500, 3237, 323, 7405, 648, 1000, 97, 49, 13145, 10000, 400, 1406, 1535, 6666]
BEIR += [300, 249]


def of_size(n, systems, name):
    """Scores of so many topics, systems alike as those of one group are."""
    rng = np.random.default_rng(n)
    values = rng.beta(0.5, 1, (n, 1)) + rng.normal(0, 0.1, (n, systems))
    topics = [f"{name}-{k}" for k in range(n)]
    return pd.DataFrame(values, topics, [f"s{k}" for k in range(systems)])


def loop_over_collections(collections):
    pvalues = []
    for scores in collections.values():
        base = scores["s0"].to_numpy()
        for system in scores.columns[1:]:
            pvalues.append(stats.ttest_rel(scores[system].to_numpy(), base).pvalue)
    return pvalues


def test_the_table_of_eighteen_collections(against):
    collections = {f"c{k}": of_size(n, 10, f"c{k}") for k, n in enumerate(BEIR)}
    table, expected = against(
        f"10 systems on 18 collections of BEIR's sizes, {sum(BEIR):,} topics: `comparison_table`",
        lambda: irstd.comparison_table(collections, "s0"),
        "a loop over `scipy.stats.ttest_rel`, without the means over collections and the caption",
        lambda: loop_over_collections(collections),
    )
    tests = table.tests.set_index(["column", "system_a"])["pvalue"]
    found = [tests[name, f"s{k}"] for name in collections for k in range(1, 10)]
    np.testing.assert_allclose(found, expected, rtol=1e-6)
