"""Lesson 05: its last table, a row for each bold sentence; and its exercise on unseen data.

Public numbers are functions of `public/lesson_05.py`, which are asked here of campaigns, too.
"""

import functools
import itertools
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from campaigns import TEN, campaign
from public.lesson_05 import (
    TOPICS,
    World,
    by_common,
    calibrated,
    climb,
    gaps,
    moves,
    overlaps,
    study,
    unlucky,
    without_broken,
    wrong,
)
from public.rows import stored

import irstd

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "05_cross_collection.ipynb"
CELLS = ["".join(cell["source"]) for cell in json.loads(NOTEBOOK.read_text())["cells"]]
COLUMNS = ["claim", "here", "ten campaigns", "public", "paper", "verdict"]
ROWS = {  # the claims of the table, and their numbers
    "systems of 110 that are better than themselves on R3": "better than themselves",
    "systems of 100 that differ from themselves, bound, raw": "unlucky: raw",
    "share of the way to R3 that a pool makes, pool first": "way of the pool",
    "right order, one number": "order: one number",
    "points gained by topics at 5% self": "gain of topics",
    "points gained by a second number at 5% self": "gain of a second number",
    "draws in which the smaller gap orders better": "the smaller gap orders better",
    "self, with ten common systems": "self: calibrated",
    "pairs that differ significantly, all topics as one": "significant: all topics as one",
    "false positives with overlapping subsets": "false positives with overlap",
}
CANNOT = "cannot be had"


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
    bold = re.findall(r"(?m)^\*\*[A-Z].+?\*\*", main)
    assert list(table.index) == list(ROWS)
    assert len(bold) == len(table)
    numbers = table[["here", "ten campaigns", "public", "paper"]].stack()
    assert numbers.str.fullmatch(rf"-?\d*\.?\d+|{CANNOT}|not in it").all()
    assert table["verdict"].str.fullmatch(r"[a-z].{3,}").all()


@functools.cache
def world(seed):
    """A campaign, asked as public scores are."""
    parts = dict(zip(TOPICS, campaign(seed).collections.values(), strict=True))
    tables = {name: part.scores("AP", "later") for name, part in parts.items()}
    references = {name: parts[name].scores("AP", "original") for name in ("T7", "T8", "R3")}
    quality = parts["T7"].systems["quality"][tables["T7"].columns]
    return World(tables, references | {"R4": None}, lambda c, d: quality)


def pools(seed):
    """What only a campaign knows: how far a smaller pool moves AP."""
    parts = list(campaign(seed).collections.values())
    t7, r3 = parts[0], parts[2]
    automatic = t7.systems.query("original and not manual")
    small = t7.judge(depth=100, groups=list(automatic["group"].unique()[:15]))
    start, reached, end = (part.scores("AP", "later").mean(axis=None) for part in (t7, small, r3))
    deep = r3.judge(depth=200).scores("AP", "later").mean(axis=None)
    return {
        "way of the pool": (reached - start) / (end - start),
        "topics first": (end - deep) / (end - start),
    }


def all_numbers(seed):
    asked = world(seed)
    found = moves(asked) | unlucky(asked) | pools(seed) | climb(asked) | gaps(asked)
    found |= by_common(asked) | without_broken(asked)
    return pd.Series(found | calibrated(asked) | study(asked) | overlaps(asked))


def agrees(cell, value):
    """Whether a number is that of the cell, to its last digit and one beside."""
    digits = len(cell.partition(".")[2])
    return abs(float(cell) - value) < 1.01 * 10.0**-digits


@pytest.mark.release
def test_the_column_of_the_campaign():
    found = all_numbers(0)
    for claim, cell in last_table()["here"].items():
        assert agrees(cell, found[ROWS[claim]]), (claim, found[ROWS[claim]])


def test_the_column_of_public_numbers():
    public = stored().query("lesson == '05'").set_index("name")["value"]
    for claim, cell in last_table()["public"].items():
        name = ROWS[claim]
        assert (cell == CANNOT) == (name not in public), claim
        if cell != CANNOT:
            digits = len(cell.partition(".")[2])
            assert float(cell) == round(float(public[name]), digits), claim


@pytest.mark.release
@pytest.mark.filterwarnings("ignore:all standardizing systems")  # a drawn reference, all 0
def test_the_column_of_ten_campaigns():
    found = pd.DataFrame([all_numbers(seed) for seed in TEN])
    for claim, cell in last_table()["ten campaigns"].items():
        assert agrees(cell, found[ROWS[claim]].mean()), (claim, found[ROWS[claim]].mean())
    assert (found["gain of topics"] > 0.02).all()
    assert (found["gain of a second number"] < 0).sum() == 8
    topics = found["without broken, gain of topics"]
    assert (topics > 0.015).all()
    second = found["without broken, gain of a second number"]
    assert (second > found["gain of a second number"]).all()
    assert round(second.mean(), 3) == 0.007
    assert found["topics first"].round(2).between(0.10, 0.20).all()
    assert (found["gain of a second number, by common systems"] > 0).all()
    assert (found["the smaller gap orders better"] > 0.9).all()
    assert (found["self: calibrated"] < 0.06).all()


def test_the_picture_of_gaps_has_the_public_points_that_it_names():
    public = stored().query("lesson == '05'").set_index("name")["value"]
    for side, points in (("raw", 6), ("standardized", 7)):
        of_side = public[public.index.str.match(f"(gap|wrong): {side}, ")]
        assert len(of_side) == 2 * points


@pytest.mark.slow
def test_the_truth_agrees_with_the_rule_on_the_comparisons_of_exercise_6():
    start = next(i for i, cell in enumerate(CELLS) if cell.startswith("other = "))
    given = {"irstd": irstd, "itertools": itertools}
    exec("\n".join(CELLS[start : start + 2]), given)
    expected = {row["value"] for row in irstd.exercises.exercises()["05.6"]["name"]}
    quality = given["other"]["sim-trec7"].systems["quality"]
    for letter, (c, d, of_c, of_d) in given["unseen"].items():
        better = np.sign(np.subtract.outer(*[quality[c.columns].to_numpy()] * 2))
        raw = wrong(c.mean(), d.mean(), better)
        sides = [irstd.standardize(c, of_c).mean(), irstd.standardize(d, of_d).mean()]
        assert (raw < wrong(*sides, better)) == (letter in expected), letter


def test_what_is_gained_hangs_on_which_originals_are_kept():
    public = stored().query("lesson == '05'").set_index("name")["value"]
    names = {cut: f"{cut}, gain of" for cut in ("without broken", "without the worst tenth")}
    broken, tenth = (public[[f"{n} topics", f"{n} a second number"]] for n in names.values())
    every = public[["gain of topics", "gain of a second number"]]
    assert broken.round(2).tolist() == [0, 0]
    assert round(tenth.iloc[0], 2) == 0.07
    assert tenth.iloc[1] < every.iloc[1] < broken.iloc[1]
