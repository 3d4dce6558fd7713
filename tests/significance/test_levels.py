"""Levels where users need them: unequal clusters, near-twins."""

import numpy as np
import pytest

from tests.levels import (
    AP,
    LEVEL,
    MARGINS,
    SIZES,
    against_none,
    drawn,
    level_of_clusters,
    level_of_margins,
    within,
)


def test_one_long_conversation_among_short_ones():
    assert within(level_of_clusters(SIZES["20: 30, 19 x 1"], ("sim-robust2004-all", "AP"), 1000))


def test_twins_that_differ_on_few_topics_have_no_verdict():
    rng = np.random.default_rng(0)
    d = np.where(rng.random((150, 1)) < 0.07, 0.5, 0)
    for n in (10, 25, 50):
        columns = drawn(np.repeat(d, 500, axis=1), n, rng)
        found = against_none(columns, margin=d.mean())
        few = found["differ"] < 10
        assert few.any()
        assert (found["margin_pvalue"][few] == 1).all()
        assert within(found["margin_pvalue"] <= LEVEL)


@pytest.mark.release
@pytest.mark.parametrize("source", AP)
@pytest.mark.parametrize("sizes", SIZES)
def test_level_of_clusters_on_real_scores(trec_data, sizes, source):
    assert within(level_of_clusters(SIZES[sizes], source, 3000))


@pytest.mark.release
@pytest.mark.parametrize("n", [10, 25, 50])
@pytest.mark.parametrize(("source", "least", "most"), MARGINS)
def test_level_of_margins_on_real_scores(trec_data, source, least, most, n):
    rejected = level_of_margins(source, least, most, n)
    assert len(rejected) >= 5  # pairs
    assert within(rejected)
