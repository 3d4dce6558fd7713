"""Lesson 05: the numbers it prints, and the page that says how far they hold.

Public numbers are functions of `public/lesson_05.py`, which are asked here of campaigns, too.
"""

import ast
import functools
import itertools
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from campaigns import TEN, campaign
from numpy.testing import assert_allclose
from public.gaps_of_references import drawn_at_random, gap, gaps, wrong
from public.lesson_05 import (
    NAMES,
    PAIRS,
    World,
    among_the_better,
    by_common,
    calibrated,
    climb,
    differ,
    gains,
    moves,
    overlaps,
    public_world,
    unlucky,
    without_broken,
)
from public.one_study import mixed, study
from public.rows import stored
from scipy import stats

import irstd

ROOT = Path(__file__).parents[2]
NOTEBOOK = json.loads((ROOT / "notebooks/05_cross_collection.ipynb").read_text("utf-8"))
CELLS = {cell["id"].removeprefix("05-cross-collection-"): cell for cell in NOTEBOOK["cells"]}
TEXT = "\n".join("".join(cell["source"]) for cell in NOTEBOOK["cells"])
PAGE = (ROOT / ".site/pages/how_far/05_cross_collection.md").read_text("utf-8")
LEDGER = pd.read_csv(ROOT / "notebooks/data/claims.csv", dtype=str).set_index("id")["ours"]
COLUMNS = ["claim", "here", "ten campaigns", "public", "paper", "verdict"]
ROWS = {  # the claims of the table, and their numbers
    "systems of 110 that are better than themselves on R3": "better than themselves",
    "systems that differ from themselves on random halves, bound, raw": "unlucky: raw",
    "share of the way to R3 that fifteen automatic groups make, as much known as on R3": "fifteen",
    "right order, one number": "order: one number",
    "share of pairs gained by topics at 5% self": "gain of topics",
    "share of pairs gained by a second number at 5% self": "gain of a second number",
    "draws in which the smaller gap orders better": "the smaller gap orders better",
    "self, with ten common systems": "self: calibrated",
    "pairs that differ significantly, all topics as one": "significant: all topics as one",
    "false positives with overlapping sets of topics": "false positives with overlap",
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
    assert numbers.str.fullmatch(rf"-?\d+(\.\d+)?|{CANNOT}|not in it").all()
    assert table["verdict"].str.fullmatch(r"[a-z].{3,}").all()


def in_the_table(what, column):
    """The numbers of a row of the lesson's own table: "here", "public", or "paper"."""
    (row,) = re.findall(rf"(?m)^\| {what}.*$", TEXT)
    cell = row.split("|")[["here", "public", "paper"].index(column) + 2]
    return [float(x) for x in re.findall(r"\d[.\d]*", cell)]


def by_hand_of_the_lesson(c, d):
    """What the lesson's own cells give for two tables in place of T7 and R3."""
    given = {"ap": {"T7": c, "R3": d}, "irstd": irstd, "np": np, "stats": stats}
    for name in ("drmse-by-hand", "false-positives-by-hand"):
        exec("".join(CELLS[name]["source"]), given)
    assert np.isclose(given["by_hand"], irstd.drmse(c, d))
    assert (given["pvalues"] <= 0.05).sum() == given["tests"]["better_on"].notna().sum()
    return given["by_hand"], given["tests"]["better_on"]


def test_drmse_and_false_positives_are_those_of_06_on_public_scores(trec_data):
    """By the lesson's cells, and by its calls for six pairs, against the ledger of 06."""
    tables = public_world().tables
    distance, better_on = by_hand_of_the_lesson(tables["T7"], tables["R3"])
    assert f"{distance:.3f}" == LEDGER["wmz08-t3-T7-R3"] == "1.857"
    assert 100 * (better_on == "d").mean() == pytest.approx(float(LEDGER["wmz08-t4-better"]), 1e-3)
    assert [distance.round(2), (better_on == "d").sum()] == [
        in_the_table("dRMSE of AP", "public")[-2],
        *in_the_table("systems of 110", "public"),
    ]
    distance, _ = by_hand_of_the_lesson(tables["T7"], tables["T8"])
    assert f"{distance:.4f}" == LEDGER["wmz08-t3-T7-T8"]
    raw, standardized = by_the_calls_of_the_lesson(public_world())
    assert raw["drmse"].mean() == pytest.approx(float(LEDGER["wmz08-f7-ap"]), abs=0.001)
    ratio = standardized["drmse"].mean() / raw["drmse"].mean()
    assert f"{ratio:.4f}" == LEDGER["wmz08-f7-sap"]
    one_way = 100 * standardized[["better_on_c", "better_on_d"]] / 110
    assert f"{one_way.mean(axis=None):.3f}" == LEDGER["wmz08-fpr-mean"]
    assert f"{one_way.max(axis=None):.2f}" == LEDGER["wmz08-fpr-max"]
    assert raw["drmse"].mean().round(2) == in_the_table("dRMSE of AP", "public")[-1]
    assert [standardized["drmse"].mean().round(2)] == in_the_table("mean dRMSE", "public")


def by_the_calls_of_the_lesson(asked):
    """The six pairs, raw and standardized by the originals of each collection."""
    sides = {}
    for name, table in asked.tables.items():
        sides[name] = irstd.standardize(table, asked.references[name])
    return irstd.compare_collections(asked.tables), irstd.compare_collections(sides)


def test_the_six_pairs_of_the_campaign():
    """By numpy and scipy alone; and the standardized ones by the call."""
    tables = world(0).tables
    distances, better = {}, {}
    for c, d in PAIRS:
        x, y = tables[c].to_numpy(), tables[d].to_numpy()
        moved = np.sqrt(np.mean((x.mean(axis=0) - y.mean(axis=0)) ** 2))
        distances[c, d] = 2 * moved / (x.mean(axis=0).std(ddof=1) + y.mean(axis=0).std(ddof=1))
        better[c, d] = (stats.ttest_ind(x, y).pvalue <= 0.05).sum()
    found = [distances["T7", "R3"], np.mean(list(distances.values()))]
    assert_allclose(found, in_the_table("dRMSE of AP", "here")[-2:], atol=0.005)
    assert [better["T7", "R3"]] == in_the_table("systems of 110", "here")
    _, standardized = by_the_calls_of_the_lesson(world(0))
    found = [standardized["drmse"].mean()]
    assert_allclose(found, in_the_table("mean dRMSE", "here"), atol=0.005)
    assert (standardized["drmse"] < 0.45).all()  # "all six pairs are near"


def shown(name):
    (output,) = CELLS[name]["outputs"]
    return "".join(output["data"]["text/plain"])


@pytest.mark.slow
def test_bounds_of_false_positives():
    """By scipy, with other deals than the lesson's; public: as stored."""
    asked = world(0)
    raw = pd.concat([asked.tables[name] for name in ("T7", "T8")]).to_numpy()
    parts = [irstd.standardize(asked.tables[n], asked.references[n]) for n in ("T7", "T8")]
    rng = np.random.default_rng(5)
    rows = []
    for _ in range(3000):
        one, other = np.split(rng.permutation(100), 2)
        sides = raw, pd.concat(parts).to_numpy()
        rows.append([(stats.ttest_ind(x[one], x[other]).pvalue <= 0.05).mean() for x in sides])
    bounds = np.quantile(rows, 0.975, axis=0)
    assert_allclose(bounds, in_the_table("bound of false positives", "here"), atol=0.05)
    assert_allclose(np.mean(rows, axis=0), 0.047, atol=0.008)
    value = stored().query("lesson == '05'").set_index("name")["value"]
    by_originals = float(LEDGER["wmz08-f6-sap"].split(",")[1]) / 100
    found = [value["unlucky: raw"].round(2), round(by_originals, 2)]
    assert found == in_the_table("bound of false positives", "public")
    assert_allclose(value["unlucky: standardized"], by_originals, atol=0.01)


def test_overlapping_sets_of_topics_differ_less_than_a_test_expects():
    """Half of the variance: so the 5% test rejects beyond 1.96 times the root of 2."""
    sds, rates = ast.literal_eval(shown("erratum-numbers"))
    assert sds["overlapping"] == pytest.approx(np.sqrt(0.5), abs=0.02)
    assert rates["overlapping"] == pytest.approx(2 * stats.norm.sf(1.96 * np.sqrt(2)), abs=0.002)
    for right in ("disjoint", "replacement"):
        assert sds[right] == pytest.approx(1, abs=0.03)
        assert rates[right] == pytest.approx(0.05, abs=0.005)


def test_pairs_in_the_wrong_order():
    ways = ["raw", "one number", "standardized"]
    found = climb(world(0))
    wrong_ones = [1 - found[f"order: {way}"] for way in ways]
    assert_allclose(wrong_ones, in_the_table("pairs in the wrong order", "here"), atol=0.006)
    value = stored().query("lesson == '05'").set_index("name")["value"]
    wrong_ones = [1 - value[f"order: {way}"] for way in ways]
    assert_allclose(wrong_ones, in_the_table("pairs in the wrong order", "public"), atol=0.006)


def test_linked_mends_what_weak_and_strong_standardizing_systems_do():
    asked = world(0)
    weak = asked.references["R3"][asked.references["R3"].mean().nsmallest(30).index]
    strong = asked.references["T7"][asked.references["T7"].mean().nlargest(30).index]
    one = irstd.standardize(asked.tables["R3"], weak).mean()
    other = irstd.standardize(asked.tables["T7"], strong).mean()
    ten = one.index[1::11]
    moved = (one[ten] - other[ten]).mean()
    better = asked.better("R3", "T7")
    said = re.search(r"puts (0\.\d+) of the pairs.*?`linked` (0\.\d+)", PAGE, flags=re.DOTALL)
    found = [wrong(side, other, better) for side in (one, one - moved)]
    assert_allclose(found, [float(x) for x in said.groups()], atol=0.006)
    assert gap(one, other) > gap(*(asked.tables[name].mean() for name in ("R3", "T7")))


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


@pytest.mark.slow
def test_the_truth_agrees_with_the_rule_on_the_comparisons_of_exercise_2():
    given = {"irstd": irstd, "itertools": itertools}
    for name in ("question-2-some", "question-2-unseen"):
        exec("".join(CELLS[name]["source"]), given)
    expected = {row["value"] for row in irstd.exercises.exercises()["05.2"]["name"]}
    quality = given["other"]["sim-trec7"].systems["quality"]
    for letter, (scores, references) in given["unseen"].items():
        c, d = scores
        of_systems = quality[scores[c].columns].to_numpy()
        better = np.sign(np.subtract.outer(of_systems, of_systems))
        raw = wrong(scores[c].mean(), scores[d].mean(), better)
        sides = [irstd.standardize(scores[x], references[x]).mean() for x in (c, d)]
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
    pairs = public[[f"differ by P@10: {c}-{d}" for c, d in PAIRS]]
    assert pairs.max() == 8
    assert round(public["self: standardized"], 2) == 0.10
    left = public[["pairs wrong, by one number of ten", "pairs wrong, by the smaller gap"]]
    assert left.round(2).tolist() == [0.11, 0.21]


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
