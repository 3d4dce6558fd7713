"""Lesson 04: its last table, a row for each bold sentence; and its exercise on unseen data.

Public numbers are functions of `public/lesson_04.py`, which are asked here of campaigns, too.
"""

import functools
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from campaigns import TEN, campaign
from fifteen import FIFTEEN
from public.lesson_04 import (
    best_of,
    errors_together,
    false_alarms,
    left_without_two_groups,
    picked,
    reversals,
    spread_and_mean,
    ties,
    without_two_groups,
)
from public.rows import stored
from scipy import stats

import irstd

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "04_variability.ipynb"
CELLS = ["".join(cell["source"]) for cell in json.loads(NOTEBOOK.read_text())["cells"]]
COLUMNS = ["claim", "here", "ten campaigns", "public", "paper", "verdict"]
ROWS = {  # the claims of the table, and their numbers
    "share of a picked difference in spread that is left": "ratio left",
    "share of the gain above .1 that is left": "gain left",
    "correlation of mean and raw sd": "raw trend",
    "by how much the trend in z lies below bounded scores": "below null",
    "equal pairs in which Levene's test rejects": "false alarms: Levene",
    "ties that differ in spread, by the paired test": "ties broken",
    "reversed by another fifty topics, ties, raw": "reversed in raw: ties",
    "the same, foretold by the mean": "reversed in raw: ties by the mean",
}


# public: over the fifteen collections
MEDIANS = ("raw trend", "below null", "false alarms: Levene")


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


def best_scores(seed):
    """The better systems of a campaign, on the topics of all its collections."""
    parts = campaign(seed).collections.values()
    return best_of(pd.concat([part.scores("AP", "later") for part in parts]))


def of_other_groups(scores):
    """Without the two groups that vary most."""
    return without_two_groups(scores, scores.columns.to_series().str.slice(0, 6))


@functools.cache
def all_numbers(seed):
    """What the functions of the public numbers say of a campaign."""
    scores = best_scores(seed)
    found = picked(scores) | spread_and_mean(scores) | false_alarms(scores)
    found |= {"errors together": errors_together(scores)}
    return pd.Series(found | ties(scores, of_other_groups(scores)) | reversals(scores))


def agrees(cell, value):
    """Whether a number is that of the cell, to its last digit and one beside."""
    digits = len(cell.partition(".")[2])
    return abs(float(cell) - value) < 1.01 * 10.0**-digits


@pytest.mark.release
def test_the_column_of_the_campaign():
    found = all_numbers(0)
    for claim, cell in last_table()["here"].items():
        assert agrees(cell, found[ROWS[claim]]), (claim, found[ROWS[claim]])
    assert found["errors together"] == pytest.approx(0.4, abs=0.05)
    assert round(found["raw trend, better half"], 2) == 0.12
    assert found["raw trend"] * found["raw trend, twins"] > 0


def stored_errors():
    """The errors of what is left of a picked difference, and of the gain at .1."""
    errors = stored().query("lesson == '04'").set_index("name")["error"]
    return errors[["ratio left", "gain left"]].round(2).tolist()


@pytest.mark.slow
def test_a_few_groups_make_part_of_what_is_left_in_the_campaign():
    left = left_without_two_groups(of_other_groups(best_scores(0)))
    assert left["ratio left, without two groups"] == pytest.approx(0.69, abs=0.01)


def test_systems_that_are_equally_steady_lie_below_bounded_scores_too():
    """In z by less than public systems, in raw AP as far, within two errors."""
    rows = stored().query("lesson == '04'").set_index("name")
    public = rows["value"]
    for topics, in_z in {"200 topics": 0.23, "fifty topics": 0.13}.items():
        steady = f"equally steady, {topics}, below null"
        assert round(public[steady], 2) == in_z
        assert public[steady] > 2 * rows.loc[steady, "error"]
        assert public[steady] < public["median, below null"] - 2 * rows.loc[steady, "error"]
        raw = f"{steady}, raw"
        assert round(public[raw], 2) == 0.22
        assert abs(public[raw] - public["median, below null, raw"]) < 2 * rows.loc[raw, "error"]


def test_the_trend_is_smaller_among_the_better_half_and_has_the_sign_of_twins():
    public = stored().query("lesson == '04'").set_index("name")["value"]
    assert round(public["median, raw trend, better half"], 2) == 0.39
    assert round(public["raw trend, better half"], 2) == -0.13
    assert public["raw trend below 0 in the better half, collections"] == 3
    assert public["raw trend has the sign of twins, collections"] == 15
    assert round(public["web2004: raw trend"], 2) == -0.55


def test_equally_steady_systems_differ_as_chance_has_it():
    rows = stored().query("lesson == '04'").set_index("name")
    differ = rows.loc["equally steady: ties broken"]
    assert round(differ["value"], 2) == 0.04
    assert abs(differ["value"] - 0.05) < 2 * differ["error"]
    contradicted = rows.loc["equally steady: reversed in raw: ties"]
    assert round(contradicted["value"], 2) == 0.45
    assert abs(contradicted["value"] - 0.5) < 2 * contradicted["error"]
    assert round(rows.loc["reversed in raw: ties, another year", "value"], 2) == 0.25


def test_the_column_of_public_numbers():
    public = stored().query("lesson == '04'").set_index("name")["value"]
    for claim, cell in last_table()["public"].items():
        digits = len(cell.partition(".")[2])
        name = f"median, {ROWS[claim]}" if ROWS[claim] in MEDIANS else ROWS[claim]
        assert float(cell) == round(float(public[name]), digits), claim
    assert public["errors together"] == pytest.approx(0.5, abs=0.05)
    for name in FIFTEEN:
        assert public[f"{name}: trend"] < public[f"{name}: bounded"]
    small = [public[f"{name}: ratio left"] for name in FIFTEEN if name != "robust2004"]
    assert [round(min(small), 2), round(max(small), 2)] == [-0.11, 0.56]
    means = [public[f"{name}: means: other"] for name in FIFTEEN]
    assert round(max(means), 3) == 0.027
    by_nDCG = [public[f"{name}, nDCG: below null"] for name in ("robust2004", "terabyte2006")]
    by_ranks = [public[f"trec8, {metric}: below null"] for metric in ("P@10", "RR")]
    assert round(by_nDCG[0], 2) == 0.14
    assert max(by_nDCG[1], *by_ranks) < 0.005
    assert round(public["robust2004: ratio left"], 2) == 0.68
    assert stored_errors() == [0.12, 0.12]
    assert round(public["ratio left, without two groups"], 2) == 0.38
    assert public["gain at .5: found"] < public["gain at .5: other"] < 0
    assert round(public["median, below null, raw"], 2) == 0.19
    assert public["z below null, collections"] == 15
    assert public["raw below null, collections"] == 12
    assert round(public["most, false alarms: Levene"], 3) == 0.031
    for way, rate in {"ties": 0.26, "ties by the mean": 0.29, "ties by the share": 0.32}.items():
        assert round(public[f"median, reversed in raw: {way}, 25 topics"], 2) == rate
    assert round(public["reversed in raw: ties by the share"], 2) == 0.24
    assert public["corrected"] > public["ties broken"] / 2
    assert public["ties broken on fifty topics"] == pytest.approx(0.11, abs=0.005)


@pytest.mark.release
def test_the_column_of_ten_campaigns():
    found = pd.DataFrame([all_numbers(seed) for seed in TEN])
    for claim, cell in last_table()["ten campaigns"].items():
        assert agrees(cell, found[ROWS[claim]].mean()), (claim, found[ROWS[claim]].mean())
    ends = found["raw trend"].agg(["min", "max"])
    assert ends.to_numpy() == pytest.approx([0.01, 0.59], abs=0.0051)
    assert found["raw trend, better half"].mean() == pytest.approx(0.22, abs=0.0051)
    assert (found["raw trend, better half"] >= found["raw trend"]).sum() == 3
    assert (found["trend"] < found["low"]).all()
    assert (found["without two groups"] > 0.15).all()
    assert found["corrected"].mean() > found["ties broken"].mean() / 2
    assert (found["corrected"] > 0.05).all()
    assert (found["gain at .5: other"] < 0).all()
    by_share, by_spread = (
        found["reversed in raw: ties by the share"],
        found["reversed in raw: ties"],
    )
    assert (by_share > by_spread).all()
    assert (by_share < found["reversed in raw: ties by the mean"]).all()


def test_the_pairs_of_exercise_4_were_changed_where_its_answer_says_so():
    (cell,) = [text for text in CELLS if "rng = np.random.default_rng(292)" in text]
    marked = cell.replace("if rng.random() < 0.5:", "if changed(rng):")
    was_changed = []

    def changed(rng):
        was_changed.append(rng.random() < 0.5)
        return was_changed[-1]

    given = {"irstd": irstd, "np": np, "pd": pd, "changed": changed}
    exec(marked, given)
    expected = {row["value"] for row in irstd.exercises.exercises()["04.4"]["name"]}
    of_letter = zip(given["unseen"], was_changed, strict=True)
    assert {letter for letter, yes in of_letter if yes} == expected
    for letter, (x, y) in given["unseen"].items():
        unpaired = stats.levene(x, y, center="median").pvalue
        paired = irstd.paired_levene_test(x, y)[1]
        assert unpaired > 0.05, "by independent samples nothing is found"
        assert (paired <= 0.02) == (letter in expected)
        assert (paired > 0.1) == (letter not in expected)
