"""Lesson 09: what no cell of it prints, and controls of its bold sentences."""

import numpy as np
import pandas as pd
import pytest
from how_far import public
from of_campaigns import board_of, data_sets
from of_campaigns import queries as queries_of
from public.lesson_09 import all_of, best_of, controls, lower_ahead, mteb, swapped

import irstd


@pytest.mark.night
def test_the_lower_model_is_ahead_as_the_text_says():
    board, queries = board_of(0), queries_of(0)
    large = queries.groupby(np.arange(len(queries)) // 100).mean()
    found = [lower_ahead(each)["lower ahead: a fourteenth apart"] for each in (board, data_sets(0))]
    assert np.round(found, 2).tolist() == [0.32, 0.33]
    helped = lower_ahead(large)["lower ahead: a fourteenth apart"]
    assert 0.05 < found[0] - helped < 0.08


def test_mteb_has_as_many_models_as_the_text_says(trec_data):
    assert mteb().shape == (15, 228)


@pytest.mark.night
def test_the_new_model_may_be_the_best_and_its_bar_overlaps_that_of_the_old_one():
    found = irstd.rank_intervals(board_of(0))
    new, old = found.iloc[15], found.iloc[23]
    assert new["best"]
    assert (new["low"], old["low"], new["high"], old["high"]) == (9, 16, 25, 39)


@pytest.mark.night
def test_if_the_worse_models_come_last_more_pairs_swap_by_z_than_by_borda():
    board = board_of(0)
    half = best_of(board, board.shape[1] // 2)
    others = board.drop(columns=half.columns)
    found = swapped(pd.concat([half, others], axis=1))
    assert round(found["swap: z among those present"], 2) == 0.04
    assert round(found["swap: Borda"], 2) == 0.01


@pytest.mark.parametrize("here", [False, pytest.param(True, marks=pytest.mark.release)])
def test_noise_does_as_much_and_a_model_alone_gains_more(here):
    """The controls in the bold sentences; of MTEB as stored."""
    found = public("09")
    if here:
        found = all_of(board_of(0)) | controls(board_of(0))
    for noise in ("noise", "shuffled"):
        r = found[f"places moved, r, {noise}: says alone"]
        assert r > found["places moved, r: says alone"]
    assert found["gain by noise, worst: z"] > found["gain, worst: z"] - 0.005
    # twice as much as one of many, and by zero votes it loses half as much again
    for name, times in [("hard: mean", 2), ("worst: z", 2), ("any: zero votes", 1.5)]:
        ratio = found[f"gain alone, {name}"] / found[f"gain, {name}"]
        assert ratio == pytest.approx(times, abs=0.2), name
