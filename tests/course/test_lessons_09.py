"""Lesson 09: the numbers it prints, and the page that says how far they hold.

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
from public.lesson_09 import all_of, best_of, controls, lower_ahead, mteb, swapped
from public.rows import stored

import irstd

ROOT = Path(__file__).parents[2]
NOTEBOOK = json.loads((ROOT / "notebooks/09_leaderboards.ipynb").read_text("utf-8"))
TEXT = "\n".join("".join(cell["source"]) for cell in NOTEBOOK["cells"])
PAGE = (ROOT / ".site/pages/how_far/09_leaderboards.md").read_text("utf-8")
COLUMNS = ["claim", "here", "ten campaigns", "public", "verdict"]
ROWS = {  # the claims of the page, and their numbers
    "median span of an interval, share of all ranks": "span",
    "lower model ahead, a fourteenth of all places apart": "lower ahead: a fourteenth apart",
    "places gained by half of the models, without hard data sets, mean of what is there": (
        "gain, hard: mean"
    ),
    "places gained by half of the models, without any five, zero votes": "gain, any: zero votes",
    "places gained by half of the models, by hidden failures, mean z": "gain, worst: z",
    "places moved against what a data set says alone, r": "places moved, r: says alone",
    "pairs that swap when others come, Borda": "swap: Borda",
    "tau of halves, z - raw": "tau gained by z",
}
OF_THE_LESSON = {  # the rows of its own table
    "median span": ["span"],
    "lower of two": ["lower ahead: a fourteenth apart"],
    "gain by hiding": [f"gain, worst: {way}" for way in ("mean", "zero votes", "z")],
    "places moved": ["places moved, r: sd", "places moved, r: says alone"],
    "tau of halves": ["tau gained by z"],
}


def rows_of(part):
    """The cells of a table of the page, below a heading."""
    text = PAGE.partition(part)[2].partition("\n## ")[0]
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def last_table():
    """The rows of the page, by claim."""
    head, _, *rows = rows_of("# How far does lesson 09 hold?")
    assert head == COLUMNS
    return pd.DataFrame(rows, columns=COLUMNS).set_index("claim")


def in_the_table(what, column):
    """The numbers of a row of the lesson's own table: 0 here, 1 of MTEB."""
    (row,) = re.findall(rf"(?m)^\| {what}.*$", TEXT)
    return re.findall(r"-?\d[.\d]*", row.split("|")[2 + column])


def test_the_page_has_a_row_for_each_claim_and_no_blank():
    table = last_table()
    assert list(table.index) == list(ROWS)
    assert table[COLUMNS[1:4]].stack().str.fullmatch(r"-?\d\.\d+").all()
    assert table["verdict"].str.fullmatch(r"[a-z].{3,}").all()


@functools.cache
def asked(seed):
    """The queries of the lesson, in the order of how far they keep models apart."""
    more = campaign(seed)["sim-robust2004"].more_topics(1000, seed=9)
    return more.scores("nDCG@10").loc[more.topics["separation"].sort_values().index]


@functools.cache
def world(seed):
    """Fifty data sets of twenty queries each, as the lesson makes them."""
    sets = np.repeat([f"set{i:02d}" for i in range(50)], 20)
    return asked(seed).groupby(sets).mean().sort_index(axis="columns")


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


@pytest.mark.slow
def test_the_lower_model_is_ahead_as_the_text_says():
    board, queries = board_of(0), asked(0)
    large = queries.groupby(np.arange(len(queries)) // 100).mean()
    found = [lower_ahead(each)["lower ahead: a fourteenth apart"] for each in (board, world(0))]
    assert np.round(found, 2).tolist() == [0.32, 0.33]
    helped = lower_ahead(large)["lower ahead: a fourteenth apart"]
    assert 0.05 < found[0] - helped < 0.08
    assert lower_ahead(board)["lower ahead: neighbours"] > 0.44


PUBLIC = pytest.param(1, id="public")


@pytest.mark.parametrize("column", [pytest.param(0, id="here", marks=pytest.mark.release), PUBLIC])
def test_the_table_of_the_lesson(column):
    """Here by the functions of the public numbers; of MTEB as stored."""
    public = stored().query("lesson == '09'").set_index("name")["value"]
    numbers = public if column else all_numbers(0)
    for what, names in OF_THE_LESSON.items():
        for text, name in zip(in_the_table(what, column), names, strict=True):
            assert agrees(text, numbers[name]), (what, name)


def test_mteb_has_as_many_models_as_the_text_says(trec_data):
    assert mteb().shape == (15, 228)


def test_intervals_and_models_that_may_be_the_best():
    found = irstd.rank_intervals(board_of(0))
    span = found["high"] - found["low"] + 1
    assert (span.median(), found["best"].sum()) == (14, 13)
    assert found["best"].iloc[15]
    new, old = (found.iloc[place] for place in (15, 23))
    assert (new["low"], old["low"], new["high"], old["high"]) == (9, 16, 25, 39)


def test_the_table_of_those_who_have_gaps():
    public = stored().query("lesson == '09'").set_index("name")["value"]
    head, _, *rows = rows_of("## Who else")
    names = {"alone": "gain alone", "half": "gain"}
    for share, *cells in rows:
        for kind, text in zip(head[1:], cells, strict=True):
            assert agrees(text, public[f"{names.get(share, f'gain of {share}')}, {kind}"])


@pytest.mark.release
def test_the_column_of_the_campaign():
    found = all_numbers(0)
    for claim, cell in last_table()["here"].items():
        assert agrees(cell, found[ROWS[claim]]), (claim, found[ROWS[claim]])
    for fair in ("shares", "z"):
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
