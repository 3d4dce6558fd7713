"""Lesson 01: the numbers it prints, and the page that says how far they hold.

Public numbers are functions of `public/lesson_01.py`, which are asked here of campaigns, too.
"""

import functools
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from campaigns import TEN, campaign
from public.lesson_01 import Pairs, paired_over_unpaired, thirteenth, topics_over_systems
from public.rows import stored
from scipy import stats

import irstd

ROOT = Path(__file__).parents[2]
NOTEBOOK = json.loads((ROOT / "notebooks/01_metrics.ipynb").read_text("utf-8"))
TEXT = "\n".join("".join(cell["source"]) for cell in NOTEBOOK["cells"])
PAGE = (ROOT / ".site/pages/how_far/01_metrics.md").read_text("utf-8")
COLUMNS = ["claim", "here", "ten campaigns", "public", "paper", "verdict"]
ROWS = {  # the claims of the table, and their numbers
    "fall of the mean AP, once all is judged": "fall",
    "topics over systems in the variation": "topics over systems, all",
    "the same without broken runs": "topics over systems, runs",
    "half of the interval of the 13th system": "half",
    "of those that overlap with the 13th: share that differs significantly": "overlap, share",
    "pairs 0.015 to 0.025 apart that swap": "swap",
    "the same, if the lead is significant": "swap, significant",
}
PUBLIC = {  # where it is another number
    "topics over systems in the variation": "fifteen, all: median",
    "the same without broken runs": "fifteen, runs: median",
    "of those that overlap with the 13th: share that differs significantly": (
        "fifteen, overlap: median"
    ),
}
CANNOT = "cannot be had"


def last_table():
    """The rows of the page, by claim."""
    lines = [line for line in PAGE.splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert rows[0] == COLUMNS
    return pd.DataFrame(rows[2:], columns=COLUMNS).set_index("claim")


def test_the_page_has_a_row_for_each_claim_and_no_blank():
    table = last_table()
    assert list(table.index) == list(ROWS)
    numbers = table[["here", "ten campaigns", "public", "paper"]].stack()
    assert numbers.str.fullmatch(rf"\d+\.\d+|{CANNOT}|not in it").all()
    assert table["verdict"].str.fullmatch(r"[a-z].{3,}").all()


def seen_from_both_sides(scores):
    """The rows of the lesson's own table, by numpy and scipy alone."""
    found = [[scores.mean().std(), scores.mean(axis=1).std()]]
    ratios = []
    for table in (scores, scores.T):
        means = np.sort(table.mean())[::-1]
        ratios.append(
            means[int(np.ceil(0.01 * len(means))) - 1] / means[int(np.ceil(0.75 * len(means))) - 1]
        )
    found.append(ratios)
    order = scores.mean().sort_values(ascending=False).index
    low, high = stats.t.interval(0.95, 49, scores.mean(), scores.sem())
    low, high = pd.Series(low, scores.columns), pd.Series(high, scores.columns)
    mine = order[12]
    found.append([scores[mine].mean(), low[mine], high[mine]])
    overlap = (low <= high[mine]) & (high >= low[mine])
    found.append([overlap.sum() - 1])
    return found


def own_table(column):
    """The numbers of a column of the lesson's table."""
    part = TEXT.partition("## Does it hold?")[2].partition("\n\nThe paper")[0]
    rows = [line.strip("|").split("|") for line in part.splitlines() if line.startswith("|")][2:]
    return [[float(x) for x in re.findall(r"\d+\.?\d*", row[column])] for row in rows]


def agrees_with(column, found):
    for printed, numbers in zip(own_table(column), found, strict=True):
        digits = 0 if printed[0] > 20 else 1 if printed[0] > 1 else 2
        np.testing.assert_allclose(printed, np.round(numbers, digits), atol=1e-9)


def test_the_table_of_the_lesson():
    agrees_with(1, seen_from_both_sides(irstd.load_dataset("sim-trec8")))


def test_the_same_on_public_scores(trec_data):
    agrees_with(2, seen_from_both_sides(irstd.load_dataset("trec8")))


@functools.cache
def pairs_of(seed):
    """All pairs of systems on the fifty topics, the next fifties, and which are of one group."""
    collection = campaign(seed)["sim-trec8"]
    scores = collection.scores("AP")
    new = collection.more_topics(200, seed=1).scores("AP")
    pairs = Pairs(scores.to_numpy(), np.split(new.to_numpy(), 4))
    group = collection.systems["group"][scores.columns].to_numpy()
    return pairs, group[pairs.i] == group[pairs.j]


@functools.cache
def all_numbers(seed):
    """What the functions of the public numbers say of a campaign."""
    collection = campaign(seed)["sim-trec8"]
    scores = collection.scores("AP")
    found = thirteenth(scores)
    found |= {f"topics over systems, {k}": v for k, v in topics_over_systems(scores).items()}
    all_judged = collection.judge(depth=None).scores("AP")
    found["fall"] = scores.mean(axis=None) - all_judged.mean(axis=None)
    pairs, _ = pairs_of(seed)
    found["swap"], found["swap, significant"], *_ = pairs.last_rows()
    return pd.Series(found)


def agrees(cell, value):
    """Whether a number is that of the cell, to its last digit and one beside."""
    digits = len(cell.partition(".")[2])
    return abs(float(cell) - value) < 1.01 * 10.0**-digits


@pytest.mark.release
def test_the_column_of_the_campaign():
    found = all_numbers(0)
    for claim, cell in last_table()["here"].items():
        assert agrees(cell, found[ROWS[claim]]), (claim, found[ROWS[claim]])
    assert (found["overlap"], found["overlapping"], found["overlap, unpaired"]) == (20, 56, 0)
    scores = campaign()["sim-trec8"].scores("AP")
    assert [*paired_over_unpaired(scores).values()] == pytest.approx([1.5, 2.6], abs=0.05)


def test_the_column_of_public_numbers():
    public = stored().query("lesson == '01'").set_index("name")["value"]
    for claim, cell in last_table()["public"].items():
        name = PUBLIC.get(claim, ROWS[claim])
        assert (cell == CANNOT) == (name not in public), claim
        if cell != CANNOT:
            digits = len(cell.partition(".")[2])
            assert float(cell) == round(float(public[name]), digits), claim
    assert (public["overlap"], public["overlapping"]) == (27, 92)
    bought = public[["paired over unpaired, plain", "paired over unpaired, Holm"]]
    assert bought.round(1).tolist() == [1.8, 2.1]
    assert round(public["swap, largest"], 2) == 0.26


def test_what_the_text_says_of_fifteen_collections_and_of_other_fifties():
    public = stored().query("lesson == '01'").set_index("name")["value"]
    overlap = public[[f"fifteen, overlap: {name}" for name in ("least", "most", "below .2")]]
    assert overlap.round(2).tolist() == [0.05, 0.7, 8]
    assert public["fifteen, overlap: most unpaired"] == 0
    assert round(public["ranks 1 to 100, overlap: median"], 2) == 0.18
    swaps = {"without TREC-6": [0.29, 0.15], "random": [0.25, 0.09]}
    for kind, expected in swaps.items():
        found = public[[f"{kind}: swap", f"{kind}: swap, significant"]]
        assert found.round(2).tolist() == expected
    as_many = public.filter(like="random, as many as of years")
    assert as_many.tolist() == [0, 0.05, 0, 0.04]
    assert public["significant leads of .02, of one cluster"] > 0.8
    pairs, one_group = pairs_of(0)
    both = pairs.near & pairs.significant
    assert (one_group[both].sum(), both.sum()) == (13, 19)


def test_what_the_text_says_of_six_runs_and_a_pool_of_their_own():
    public = stored().query("lesson == '01'").set_index("name")["value"]
    assert public[["AP, pooled", "AP, all"]].round(3).tolist() == [0.222, 0.169]
    assert public["P@10, pooled"] == public["P@10, all"]
    assert round(public["missing"], 2) == 0.39


def test_topics_with_many_relevant_documents_miss_more_of_them():
    """Three in ten on the average topic, and half of all."""
    topics = campaign(0)["sim-trec8"].topics
    of_topic = topics["relevant"] / topics["true_relevant"]
    of_all = topics["relevant"].sum() / topics["true_relevant"].sum()
    assert [round(1 - of_topic.mean(), 1), round(1 - of_all, 1)] == [0.3, 0.5]


@pytest.mark.release
def test_the_column_of_ten_campaigns():
    found = pd.DataFrame([all_numbers(seed) for seed in TEN])
    for claim, cell in last_table()["ten campaigns"].items():
        assert agrees(cell, found[ROWS[claim]].mean()), (claim, found[ROWS[claim]].mean())
    assert (found["fall"] > 0).all()


@pytest.mark.release
def test_significant_leads_of_two_groups_seldom_swap_in_ten_campaigns():
    swapped = []
    for seed in TEN:
        pairs, one_group = pairs_of(seed)
        swapped.extend(pairs.swapped[pairs.near & pairs.significant & ~one_group])
    assert np.mean(swapped) == pytest.approx(0.02, abs=0.011)


def test_a_smaller_pool_moves_p10_and_ap_against_each_other():
    """26 of thirty lose by P@10, and none gains; 26 gain by AP."""
    collection = irstd.documentation_campaign()["docs-numpy"]
    qrels = collection.qrels()
    works = collection.systems.query("works == 'yes'").index
    runs = {system: collection.run(system) for system in works}
    few = [
        runs[name].groupby("query_id").head(10) for name in ("name-grams", "summary", "parameters")
    ]
    small = qrels.merge(pd.concat(few)[["query_id", "doc_id"]].drop_duplicates())
    topics = small.loc[small["relevance"] > 0, "query_id"].unique()
    kept = {system: run[run["query_id"].isin(topics)] for system, run in runs.items()}
    both = [
        irstd.evaluate(kept, judged[judged["query_id"].isin(topics)], ["AP", "P@10"]).mean()
        for judged in (qrels, small)
    ]
    change = (both[1] - both[0]).unstack("metric").round(9)
    assert (change["P@10"] < 0).sum() == (change["AP"] > 0).sum() == 26
    assert (change["P@10"] <= 0).all()
    assert (change["AP"] < 0).sum() == 4
