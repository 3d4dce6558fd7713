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
from public.gaps_of_references import drawn_at_random, gaps, wrong
from public.lesson_05 import (
    NAMES,
    World,
    among_the_better,
    by_common,
    calibrated,
    climb,
    differ,
    gains,
    moves,
    overlaps,
    unlucky,
    without_broken,
)
from public.one_study import mixed, study
from public.rows import stored

import irstd

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "05_cross_collection.ipynb"
CELLS = ["".join(cell["source"]) for cell in json.loads(NOTEBOOK.read_text())["cells"]]
COLUMNS = ["claim", "here", "ten campaigns", "public", "paper", "verdict"]
ROWS = {  # the claims of the table, and their numbers
    "systems of 110 that are better than themselves on R3": "better than themselves",
    "systems of 100 that differ from themselves, bound, raw": "unlucky: raw",
    "share of the way to R3 that fifteen automatic groups make, as much known as on R3": "fifteen",
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
    bold = re.findall(r"(?m)^(?:\*Order\.\* )?\*\*[A-Z].+?\*\*", main)
    assert list(table.index) == list(ROWS)
    assert len(bold) == len(table)
    numbers = table[["here", "ten campaigns", "public", "paper"]].stack()
    assert numbers.str.fullmatch(rf"-?\d*\.?\d+|{CANNOT}|not in it").all()
    assert table["verdict"].str.fullmatch(r"[a-z].{3,}").all()


@functools.cache
def world(seed):
    """A campaign, asked as public scores are."""
    parts = dict(zip(NAMES, campaign(seed).collections.values(), strict=True))
    tables = {name: part.scores("AP", "later") for name, part in parts.items()}
    references = {name: parts[name].scores("AP", "original") for name in ("T7", "T8", "R3")}
    quality = parts["T7"].systems["quality"][tables["T7"].columns]
    return World(tables, references | {"R4": None}, lambda c, d: quality)


def known(part):
    """The share of the relevant documents that is known, a mean over topics."""
    return (part.topics["relevant"] / part.topics["true_relevant"]).mean()


def as_much_as(part, share, groups=None):
    """The collection judged as deep as it takes to know this share."""
    low, high = 1, 1000
    while low < high:
        middle = (low + high) // 2
        if known(part.judge(depth=middle, groups=groups)) < share:
            low = middle + 1
        else:
            high = middle
    return part.judge(depth=low, groups=groups)


def pools(seed):
    """What only a campaign knows: how far a smaller pool moves AP, as a share of the way to R3."""
    parts = list(campaign(seed).collections.values())
    t7, r3 = parts[0], parts[2]
    automatic = t7.systems.query("original and not manual")
    all_automatic = list(automatic["group"].unique())
    groups = all_automatic[:15]
    stops = {
        "T7": t7,
        "R3": r3,
        "fifteen, depth 100": t7.judge(depth=100, groups=groups),
        "fifteen": as_much_as(t7, known(r3), groups),
        "all without manual runs": as_much_as(t7, known(r3), all_automatic),
        "all groups": as_much_as(t7, known(r3)),
        "topics": as_much_as(r3, known(t7)),
    }
    ap = {name: part.scores("AP", "later").mean(axis=None) for name, part in stops.items()}
    way = {name: (value - ap["T7"]) / (ap["R3"] - ap["T7"]) for name, value in ap.items()}
    return way | {"topics first": 1 - way["topics"]}


def metrics(seed):
    """Systems that differ significantly from themselves, by AP and by P@10."""
    parts = dict(zip(NAMES, campaign(seed).collections.values(), strict=True))
    found = {}
    for metric in ("AP", "P@10"):
        found |= differ({name: p.scores(metric, "later") for name, p in parts.items()}, metric)
    return found


def all_numbers(seed):
    asked = world(seed)
    found = moves(asked) | unlucky(asked) | pools(seed) | climb(asked) | gaps(asked)
    found |= by_common(asked) | without_broken(asked) | metrics(seed)
    found |= among_the_better(asked) | drawn_at_random(asked)
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
    assert found["fifteen"].round(2).between(0.24, 0.45).all()
    assert found["all groups"].round(2).between(0.11, 0.25).all()
    assert found["topics first"].round(2).between(0.21, 0.41).all()
    assert (found["all groups"] < 0.66 * found["fifteen"]).all()
    by_ap = found.filter(like="differ by AP")
    assert (by_ap["differ by AP: T7-R3"] == by_ap.max(axis="columns")).sum() == 8
    assert round(found["differ by P@10: T7-R3"].mean(), 1) == 2.7
    for half in ("", "better half, "):
        order = found.filter(regex=f"^{half}order: ")
        others = order[[f"{half}order: {rung}" for rung in ("two numbers", "standardized")]]
        gained = others.sub(order[f"{half}order: one number"], axis="index")
        assert (gained < 0.025).all(axis=None)
    at_random = found.filter(like="drawn at random").mean().round(2)
    assert at_random.tolist() == [0.94, 0.84]
    gained = found["better half, gain of topics"].round(2)
    assert [gained.min(), round(gained.mean(), 2), gained.max()] == [0.01, 0.05, 0.10]
    near = found[["gain of topics by near pairs", "gain of a second number by near pairs"]]
    assert near.mean().round(2).tolist() == [0.03, -0.02]
    half = found[[f"better half, order: {rung}" for rung in ("one number", "standardized")]]
    assert half.mean().round(2).tolist() == [0.76, 0.76]
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
    cuts = ["without broken", "without the worst tenth", "without the worst fifth"]
    topics = public[[f"{cut}, gain of topics" for cut in cuts]]
    second = public[[f"{cut}, gain of a second number" for cut in cuts]]
    assert topics.round(3).tolist() == [-0.005, 0.031, -0.015]
    assert round(second.iloc[0], 2) == 0
    assert (second.iloc[1:] < public["gain of a second number"]).all()


def test_what_the_text_says_of_other_metrics_and_of_the_better_half():
    public = stored().query("lesson == '05'").set_index("name")["value"]
    ap, p10 = (public.filter(regex=rf"differ by {m}: (?!T6)") for m in ("AP", "P@10"))
    assert ap.idxmax() == "differ by AP: T7-R3"
    assert ap["differ by AP: R3-R4"] == ap.min() == 2
    assert p10["differ by P@10: T7-R3"] == 1
    assert public["differ by P@10, most of ten pairs"] == 30
    orders = public[[f"better half, order: {rung}" for rung in ("one number", "standardized")]]
    assert orders.round(2).tolist() == [0.75, 0.77]
    assert round(public["better half, gain of topics"], 2) == 0
    near = public[["gain of topics by near pairs", "gain of a second number by near pairs"]]
    assert near.round(2).tolist() == [0.01, -0.02]
    at_random = [f"drawn at random, {way}" for way in ("the smaller gap", "always standardized")]
    assert public[at_random].round(2).tolist() == [0.96, 0.93]


@pytest.mark.slow
def test_what_the_text_says_of_the_campaign_besides():
    found = pools(0)
    for name, share in {
        "fifteen, depth 100": 0.62,
        "all without manual runs": 0.29,
        "all groups": 0.12,
        "topics first": 0.23,
    }.items():
        assert abs(found[name] - share) < 0.011
    counts = pd.Series(metrics(0))
    assert counts.filter(like="AP").idxmax() == "differ by AP: T7-R3"
    assert counts.filter(like="AP").min() == counts["differ by AP: R3-R4"] == 4
    assert counts["differ by P@10: T7-R3"] == 3
    assert counts.filter(like="P@10").max() == 13
    near = gains(world(0))
    assert round(near["gain of topics by near pairs"], 2) == 0
    assert round(near["gain of a second number by near pairs"], 2) == -0.01
    half = among_the_better(world(0))
    assert round(half["better half, order: standardized"], 2) == 0.76
    assert round(half["better half, order: one number"], 2) == 0.79
    assert round(half["better half, gain of topics"], 2) == 0.01
    at_random = drawn_at_random(world(0))
    assert round(at_random["drawn at random, the smaller gap"], 2) == 0.97
    assert round(at_random["drawn at random, always standardized"], 2) == 0.94


@pytest.mark.slow
def test_what_the_text_says_of_one_study():
    """Four collections against one, against four tests, and against fifty topics of all."""
    public = stored().query("lesson == '05'").set_index("name")["value"]
    shares = {
        "significant: one collection": (0.65, 0.65),
        "significant: fifty topics of all": (0.64, 0.64),
        "significant: one of four, corrected": (0.77, 0.75),
        "significant: on none, but as one": (0.17, 0.16),
    }
    campaign = study(world(0)) | mixed(world(0))
    for name, (here, there) in shares.items():
        assert round(campaign[name], 2) == here
        assert round(public[name], 2) == there
