"""Lesson 01: what no cell of it prints."""

import math

import numpy as np
import pytest
from how_far import in_the_table, source_of
from numpy.testing import assert_allclose

import irstd


@pytest.mark.parametrize(("name", "column"), [("sim-trec8", 0), ("trec8", 1)])
def test_topics_lie_further_apart_than_systems(name, column, request):
    if column:
        request.getfixturevalue("trec_data")
    scores = irstd.load_dataset(name)
    sds, ratios = [], []
    for means in (scores.mean(), scores.mean(axis=1)):
        ordered = np.sort(means)[::-1]
        first, last = (ordered[math.ceil(share * len(ordered)) - 1] for share in (0.01, 0.75))
        sds.append(means.std())
        ratios.append(first / last)
    assert_allclose(sds, in_the_table("01", "sd of the means", column), atol=0.0051)
    assert_allclose(ratios, in_the_table("01", "means at percentiles", column), atol=0.051)


def test_a_smaller_pool_moves_p10_and_ap_against_each_other():
    """26 of thirty lose by P@10, and none gains; 24 gain by AP, and six lose."""
    given = {}
    for name in ("set-up", "pool", "pool-scores"):
        exec(source_of("01", name), given)
    change = given["change"].round(9)
    assert (change["P@10"] < 0).sum() == 26
    assert (change["P@10"] <= 0).all()
    assert (change["AP"] > 0).sum() == 24
    assert (change["AP"] < 0).sum() == 6
