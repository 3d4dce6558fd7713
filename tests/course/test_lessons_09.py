"""Lesson 09: the numbers of its table, and controls of its bold sentences."""

from functools import partial

import how_far
import numpy as np
import pandas as pd
import pytest
from how_far import agrees, public
from of_campaigns import all_numbers, board_of, data_sets
from of_campaigns import queries as queries_of
from public.lesson_09 import all_of, best_of, controls, lower_ahead, mteb, swapped

import irstd

in_the_table = partial(how_far.in_the_table, "09")

OF_THE_LESSON = {  # the rows of its own table
    "median span": ["span"],
    "lower of two": ["lower ahead: a fourteenth apart"],
    "gain by hiding": [f"gain, worst: {way}" for way in ("mean", "zero votes", "z")],
    "places moved": ["places moved, r: sd", "places moved, r: says alone"],
    "tau of halves": ["tau gained by z"],
}


def noise_does_as_much(found):
    """The controls in the bold sentences: a board of noise has the same r, and the same gain."""
    for noise in ("noise", "shuffled"):
        r = found[f"places moved, r, {noise}: says alone"]
        assert r > found["places moved, r: says alone"]
    assert found["gain by noise, worst: z"] > found["gain, worst: z"] - 0.005


def a_model_alone_gains_more(found):
    """Twice as much as one of many, and by zero votes it loses half as much again."""
    for name, times in [("hard: mean", 2), ("worst: z", 2), ("any: zero votes", 1.5)]:
        ratio = found[f"gain alone, {name}"] / found[f"gain, {name}"]
        assert ratio == pytest.approx(times, abs=0.2), name


@pytest.mark.slow
def test_the_lower_model_is_ahead_as_the_text_says():
    board, queries = board_of(0), queries_of(0)
    large = queries.groupby(np.arange(len(queries)) // 100).mean()
    found = [lower_ahead(each)["lower ahead: a fourteenth apart"] for each in (board, data_sets(0))]
    assert np.round(found, 2).tolist() == [0.32, 0.33]
    helped = lower_ahead(large)["lower ahead: a fourteenth apart"]
    assert 0.05 < found[0] - helped < 0.08


@pytest.mark.parametrize(
    "column", [pytest.param(0, id="here", marks=pytest.mark.release), pytest.param(1, id="public")]
)
def test_the_table_of_the_lesson(column):
    """Here by the functions of the public numbers; of MTEB as stored."""
    numbers = public("09") if column else all_numbers("09", 0)
    for what, names in OF_THE_LESSON.items():
        for text, name in zip(in_the_table(what, column), names, strict=True):
            assert agrees(str(text), numbers[name]), (what, name)


def test_mteb_has_as_many_models_as_the_text_says(trec_data):
    assert mteb().shape == (15, 228)


def test_intervals_and_models_that_may_be_the_best():
    found = irstd.rank_intervals(board_of(0))
    span = found["high"] - found["low"] + 1
    assert (span.median(), found["best"].sum()) == (14, 13)
    assert found["best"].iloc[15]
    new, old = (found.iloc[place] for place in (15, 23))
    assert (new["low"], old["low"], new["high"], old["high"]) == (9, 16, 25, 39)


def test_if_the_worse_models_come_last_more_pairs_swap_by_z_than_by_borda():
    board = board_of(0)
    half = best_of(board, board.shape[1] // 2)
    others = board.drop(columns=half.columns)
    found = swapped(pd.concat([half, others], axis=1))
    assert round(found["swap: z among those present"], 2) == 0.04
    assert round(found["swap: Borda"], 2) == 0.01


def test_noise_does_as_much_and_a_model_alone_gains_more():
    noise_does_as_much(public("09"))
    a_model_alone_gains_more(public("09"))


@pytest.mark.release
def test_so_it_is_on_the_board_of_the_lesson():
    board = board_of(0)
    found = all_of(board) | controls(board)
    noise_does_as_much(found)
    a_model_alone_gains_more(found)
