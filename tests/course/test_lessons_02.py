"""Lesson 02: its last table, a row for each bold sentence; and its exercise on unseen data.

Public numbers are functions of `public/lesson_02.py`, which are asked here of campaigns, too.
"""

import functools
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from campaigns import TEN, campaign
from public.lesson_02 import (
    World,
    agreement,
    among_the_better,
    calibrated,
    calibrated_by_groups,
    common_systems,
    ladder,
    level,
    level_by_the_best,
    reading,
    rungs,
    two_numbers,
)
from public.rows import stored

import irstd

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "02_standardization.ipynb"
CELLS = ["".join(cell["source"]) for cell in json.loads(NOTEBOOK.read_text())["cells"]]
COLUMNS = ["claim", "here", "ten campaigns", "public", "paper", "verdict"]
ROWS = {  # the claims of the table, and their numbers: of campaigns, and public where it is another
    "least share that a standardized .84 beats": (
        "one sd above, least: z",
        "median: one sd above, least: z",
    ),
    "largest gap of a standardized mean and a mean place": (
        "mean and place: largest gap",
        "worst: mean and place",
    ),
    "tau of two sets of topics, standardized minus raw": "tau gained",
    "right order, one number": "one number: right order",
    "self by Welch's test, standardized": "standardized: itself",
    "gain of topics over one number at 5% self": "gain of both",
    "gain of a second number at 5% self": "gain of a second number",
    "self by compare_across, standardized": "calibrated, itself: standardized",
    "significant at 5% self, ten systems of whole groups": "10 groups: at equal level",
    "range of the level by twenty originals": "level: range",
}


def number_of(claim, public=False):
    name = ROWS[claim]
    if isinstance(name, str):
        return name
    return name[public]


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
    bold = re.findall(r"(?m)^(?:\*Order\.\* )?\*\*[A-Z][^*]{30,}\*\*", main)
    assert list(table.index) == list(ROWS)
    assert len(bold) == len(table)
    numbers = table[["here", "ten campaigns", "public", "paper"]].stack()
    assert numbers.str.fullmatch(r"-?\d*\.?\d+|cannot be had|not in it").all()
    assert table["verdict"].str.fullmatch(r"[a-z].{3,}").all()


@functools.cache
def world(seed):
    """A campaign, asked as public scores are."""
    parts = campaign(seed).collections
    tables = {name: part.scores("AP", "later") for name, part in parts.items()}
    systems = tables["sim-trec7"].columns
    quality = parts["sim-trec7"].systems["quality"][systems]
    return World(tables, systems.to_series().str.slice(0, 6), lambda c, d: quality)


@functools.cache
def all_numbers(seed):
    """What the functions of the public numbers say of a campaign."""
    parts = campaign(seed).collections
    asked = world(seed)
    found = reading(parts["sim-trec8"].scores("AP", "original")) | agreement(asked)
    found |= ladder(asked) | calibrated(asked) | common_systems(asked)
    r3 = parts["sim-robust2003"]
    return pd.Series(found | level(r3.scores("AP", "later"), r3.scores("AP", "original")))


def agrees(cell, value):
    """Whether a number is that of the cell, to its last digit and one beside."""
    digits = len(cell.partition(".")[2])
    return abs(float(cell) - value) < 1.01 * 10.0**-digits


@pytest.mark.release
def test_the_column_of_the_campaign():
    found = all_numbers(0)
    for claim, cell in last_table()["here"].items():
        assert agrees(cell, found[number_of(claim)]), (claim, found[number_of(claim)])


def test_the_error_of_what_standardizing_gains_in_public():
    errors = stored().query("lesson == '02'").set_index("name")["error"]
    assert errors["gain of both"].round(2) == 0.03


def test_the_column_of_public_numbers():
    public = stored().query("lesson == '02'").set_index("name")["value"]
    for claim, cell in last_table()["public"].items():
        digits = len(cell.partition(".")[2])
        assert float(cell) == round(float(public[number_of(claim, public=True)]), digits), claim


@pytest.mark.release
@pytest.mark.filterwarnings("ignore:all standardizing systems")  # ten of them, all 0
def test_the_column_of_ten_campaigns():
    found = pd.DataFrame([all_numbers(seed) for seed in TEN])
    for claim, cell in last_table()["ten campaigns"].items():
        assert agrees(cell, found[number_of(claim)].mean()), (claim, found[number_of(claim)].mean())
    assert (found["gain of a second number"] > 0).sum() == 9
    assert (found["gain of both"] > 0).all()
    assert (found["standardized: itself"] > 0.05).all()
    assert (found["10 single: at equal level"] > found["10 groups: at equal level"]).all()
    near = found[["gain of both by near pairs", "gain of a second number by near pairs"]]
    assert near.mean().round(2).tolist() == [0.04, 0.01]
    half = pd.DataFrame([among_the_better(world(seed)) for seed in TEN]).mean()
    assert half.round(2).tolist() == [0, 0.05]
    for kind, gain in (("single", 0.055), ("groups", 0)):  # of a second number
        two = found[f"10 {kind}: at equal level"]
        one = found[f"10 {kind}: at equal level, one number"]
        assert (two - one).mean() == pytest.approx(gain, abs=0.01)


@pytest.mark.parametrize("name", ["trec7", "trec8", "robust2003"])
@pytest.mark.usefixtures("trec_data")
def test_the_largest_public_z_moves_its_system_by_a_place_at_most(name):
    z = irstd.standardize(irstd.load_dataset(name), method="z")
    topic, system = z.stack().idxmax()
    without_topic = z.drop(index=topic)
    rank = z.mean().rank(ascending=False)[system]
    rank_without = without_topic.mean().rank(ascending=False)[system]
    assert abs(rank - rank_without) <= 1


def test_one_number_and_the_means_of_topics_give_the_same_differences():
    tables = world(0).tables
    common = tables["sim-trec7"].columns[::11]
    a, b = (rungs(tables[name], common) for name in ("sim-robust2003", "sim-trec7"))
    moved = {rung: a[rung].mean() - b[rung].mean() for rung in ("one number", "topic's mean")}
    np.testing.assert_allclose(moved["one number"], moved["topic's mean"], atol=1e-12)
    by_hand = two_numbers(tables["sim-trec7"], common)
    np.testing.assert_allclose(by_hand, b["two numbers"], atol=1e-12)


def test_the_runs_of_exercise_6_were_cut_where_its_answer_says_so():
    (cell,) = [text for text in CELLS if "rng = np.random.default_rng(46)" in text]
    marked = cell.replace("if rng.random() < 0.5:", "if cut(rng):")
    was_cut = []

    def cut(rng):
        was_cut.append(rng.random() < 0.5)
        return was_cut[-1]

    given = {"irstd": irstd, "np": np, "cut": cut}
    exec(marked, given)
    expected = {row["value"] for row in irstd.exercises.exercises()["02.6"]["name"]}
    of_letter = zip(given["unseen"], was_cut, strict=True)
    assert {letter for letter, yes in of_letter if yes} == expected
    for method in ("normal", "z", "centre"):
        largest = {}
        for letter, labs in given["unseen"].items():
            c, d = (irstd.standardize(lab, method=method).mean() for lab in labs)
            largest[letter] = (c - d).abs().max()
        found = sorted(largest, key=largest.get)[-len(expected) :]
        assert set(found) == expected, method


@pytest.mark.slow
def test_what_the_text_says_of_the_better_half_and_of_other_common_systems():
    """Of public scores, and of the campaign."""
    public = stored().query("lesson == '02'").set_index("name")["value"]
    parts = campaign(0).collections
    r3 = parts["sim-robust2003"]
    here = among_the_better(world(0)) | calibrated_by_groups(world(0))
    here |= (
        agreement(world(0))
        | ladder(world(0))
        | level_by_the_best(r3.scores("AP", "later"), r3.scores("AP", "original"))
    )
    said = {
        "tau, better half gained": (0, 0.09),
        "better half, gain in order": (-0.02, 0.03),
        "better half, gain of both": (-0.01, 0.05),
        "gain of both by near pairs": (0, 0.01),
        "gain of a second number by near pairs": (0.01, 0.007),
        "calibrated by groups, itself": (0.07, 0.1),
        "level: range, best three quarters": (0.05, 0.04),
        "level: range, as many": (0.09, 0.09),
    }
    for name, (of_campaign, of_public) in said.items():
        assert abs(here[name] - of_campaign) < 0.0101, name
        assert abs(public[name] - of_public) < 0.0051, name
