"""Levels where users need them: unequal clusters."""

import pytest

from tests.levels import (
    AP,
    SIZES,
    level_of_clusters,
    within,
)


def test_one_long_conversation_among_short_ones():
    assert within(level_of_clusters(SIZES["20: 30, 19 x 1"], ("sim-robust2004-all", "AP"), 1000))


@pytest.mark.release
@pytest.mark.parametrize("source", AP)
@pytest.mark.parametrize("sizes", SIZES)
def test_level_of_clusters_on_real_scores(trec_data, sizes, source):
    assert within(level_of_clusters(SIZES[sizes], source, 3000))
