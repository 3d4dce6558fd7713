"""Lesson 09: its last table, a row for each bold sentence; and its exercise on unseen data.

Public numbers are functions of `public/lesson_09.py`, asked here of simulated boards, too.
"""

import functools
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from campaigns import TEN, campaign
from public.lesson_09 import all_of, best_of, controls, lower_ahead, swapped
from public.rows import stored

import irstd

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "09_leaderboards.ipynb"
CELLS = ["".join(cell["source"]) for cell in json.loads(NOTEBOOK.read_text())["cells"]]
COLUMNS = ["claim", "here", "ten campaigns", "public", "paper", "verdict"]
ROWS = {  # the claims of the table, and their numbers
    "places moved against what a data set says alone, r": "places moved, r: says alone",
    "places gained by half of the models, without hard data sets, mean of what is there": (
        "gain, hard: mean"
    ),
    "places gained by half of the models, without any five, zero votes": "gain, any: zero votes",
    "places gained by half of the models, by hidden failures, mean z": "gain, worst: z",
    "median span of an interval, share of all ranks": "span",
    "lower model ahead, a fourteenth of all places apart": "lower ahead: a fourteenth apart",
    "pairs that swap when others come, Borda": "swap: Borda",
    "tau of halves, z - raw": "tau gained by z",
}


def last_table():
    """The rows of the table, by claim."""
    (text,) = [cell for cell in CELLS if cell.startswith("## Here, elsewhere")]
    lines = [line for line in text.splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert rows[0] == COLUMNS
    return pd.DataFrame(rows[2:], columns=COLUMNS).set_index("claim")


def test_the_table_has_a_row_for_each_bold_sentence_and_no_blank():
    table = last_table()
    main, _, _ = "\n".join(CELLS).partition("## Where this goes wrong")
    bold = re.findall(r"(?m)^\*\*[A-Z][^*]{30,}\*\*", main)
    assert list(table.index) == list(ROWS)
    assert len(bold) == len(table)
    numbers = table[["here", "ten campaigns", "public", "paper"]].stack()
    assert numbers.str.fullmatch(r"-?\d*\.?\d+|cannot be had|not in it").all()
    assert table["verdict"].str.fullmatch(r"[a-z].{3,}").all()


@functools.cache
def world(seed):
    """Fifty data sets of twenty queries each, as the lesson makes them."""
    asked = campaign(seed)["sim-robust2004"].more_topics(1000, seed=9)
    order = asked.topics["separation"].sort_values().index
    sets = np.repeat([f"set{i:02d}" for i in range(50)], 20)
    scores = asked.scores("nDCG@10").loc[order].groupby(sets).mean()
    return scores.sort_index(axis="columns")


def board_of(seed):
    return world(seed).sample(15, random_state=0).sort_index()


@functools.cache
def all_numbers(seed):
    """What the functions of the public numbers say of a simulated board."""
    return pd.Series(all_of(board_of(seed)))


def agrees(cell, value):
    """Whether a number is that of the cell, to its last digit and one beside."""
    digits = len(cell.partition(".")[2])
    return abs(float(cell) - value) < 1.01 * 10.0**-digits


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


@pytest.mark.release
def test_the_column_of_the_campaign():
    found = all_numbers(0)
    for claim, cell in last_table()["here"].items():
        assert agrees(cell, found[ROWS[claim]]), (claim, found[ROWS[claim]])
    for fair in ("shares", "additive", "z"):
        assert abs(found[f"gain, any: {fair}"]) < 0.005
        assert abs(found[f"gain, hard: {fair}"]) < 0.005
    assert found["swap: z by factors"] == 0
    found = found.to_dict() | controls(board_of(0))
    noise_does_as_much(found)
    a_model_alone_gains_more(found)
    assert found["gain by noise, worst: z"] == pytest.approx(0.03, abs=0.005)
    ahead = lower_ahead(world(0))
    assert ahead["lower ahead: a fourteenth apart"] == pytest.approx(0.33, abs=0.005)


def test_the_column_of_public_numbers():
    public = stored().query("lesson == '09'").set_index("name")["value"]
    for claim, cell in last_table()["public"].items():
        digits = len(cell.partition(".")[2])
        assert float(cell) == round(float(public[ROWS[claim]]), digits), claim
    noise_does_as_much(public)
    a_model_alone_gains_more(public)
    assert public["places moved, r, shuffled: says alone"] == pytest.approx(1, abs=0.005)
    assert public["gain by noise, worst: z"] == pytest.approx(0.05, abs=0.005)
    assert public["best half: span"] == pytest.approx(0.31, abs=0.005)
    assert public["best 30: tau gained by z"] == pytest.approx(0.07, abs=0.005)
    assert public["best 30 without TREC-COVID: tau gained by z"] == pytest.approx(0.03, abs=0.005)
    of_best = public[["best 30: places moved, r: sd", "best 30: places moved, r: says alone"]]
    assert of_best.round(2).tolist() == [0.93, 0.90]
    for kind, swaps in (("better", [0.01, 0.02]), ("worse", [0.02, 0.02])):
        found = public[
            [f"{kind} newcomers, swap: {way}" for way in ("z among those present", "Borda")]
        ]
        assert found.round(2).tolist() == swaps
        assert public[f"{kind} newcomers, swap: z by factors"] == 0
    assert public["upper in the last 25"] == pytest.approx(0.12, abs=0.005)
    assert public["influence: largest over least"] > 5
    assert public["swap: z by factors"] == 0


def test_if_the_worse_models_come_last_more_pairs_swap_by_z_than_by_borda():
    board = board_of(0)
    half = best_of(board, board.shape[1] // 2)
    others = board.drop(columns=half.columns)
    found = swapped(pd.concat([half, others], axis=1))
    assert round(found["swap: z among those present"], 2) == 0.04
    assert round(found["swap: Borda"], 2) == 0.01


@pytest.mark.release
def test_the_column_of_ten_campaigns():
    found = pd.DataFrame([all_numbers(seed) for seed in TEN])
    for claim, cell in last_table()["ten campaigns"].items():
        assert agrees(cell, found[ROWS[claim]].mean()), (claim, found[ROWS[claim]].mean())
    alone = found["places moved, r: says alone"]
    assert (alone > found["places moved, r: sd"]).all()
    assert (found["gain, worst: z"] > 0.02).all()


def test_the_boards_of_exercise_5_have_the_first_models_that_its_answer_says():
    (cell,) = [text for text in CELLS if "rng = np.random.default_rng(25)" in text]
    complete = {}
    marked = cell.replace(
        "    hard = small", "    complete[letter] = small.copy()\n    hard = small"
    )
    given = {"irstd": irstd, "np": np, "complete": complete}
    exec(marked, given)
    expected = {row["value"] for row in irstd.exercises.exercises()["09.5"]["name"]}
    for letter, gappy in given["unseen"].items():
        truly_first = complete[letter].mean().idxmax()
        assert (gappy.mean().idxmax() != truly_first) == (letter in expected)
        for aggregate in ("z", "additive", "borda"):
            values = irstd.leaderboard(gappy, aggregate=aggregate)["value"]
            assert values.idxmax() == truly_first
