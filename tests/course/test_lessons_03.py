"""Lesson 03: the numbers it prints, and the page that says how far they hold.

Public numbers are functions of `public/lesson_03.py`, which are asked here of campaigns, too.
"""

import functools
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from campaigns import TEN, campaign
from fifteen import FIFTEEN, ap_of
from numpy.testing import assert_allclose
from public.lesson_03 import (
    FAILURE,
    by_more_topics,
    foresee,
    foresee_each_pair,
    halves,
    lead_without,
    more_consistent,
    of_neighbours,
    order_of_pairs,
    orders,
    picked,
    significant,
    votes,
)
from public.rows import stored
from scipy import optimize, stats

import irstd

ROOT = Path(__file__).parents[2]
NOTEBOOK = json.loads((ROOT / "notebooks/03_gmap.ipynb").read_text("utf-8"))
TEXT = "\n".join("".join(cell["source"]) for cell in NOTEBOOK["cells"])
PAGE = (ROOT / ".site/pages/how_far/03_gmap.md").read_text("utf-8")
COLUMNS = ["claim", "here", "ten campaigns", "public", "paper", "verdict"]
ROWS = {  # the claims of the table, and their numbers: of campaigns, and public
    "share of a picked gap in failures that is left": ("failures left", "median: failures left"),
    "share of its gap in GMAP that is left": ("GMAP left", "median: GMAP left"),
    "tau of the orders by MAP and by GMAP 0.00001": ("tau with MAP: GMAP 1e-05",) * 2,
    "influence of the hardest fifth, MAP": ("hardest fifth: MAP",) * 2,
    "tau with scores below 0.01 to come, GMAP - MAP": (
        "GMAP ahead of MAP",
        "median: GMAP ahead of MAP",
    ),
    "the same over all pairs, ties by a coin, count - MAP": (
        "each pair: count ahead of MAP",
        "median: each pair: count ahead of MAP",
    ),
    "tau of halves, GMAP - MAP": ("more consistent", "median: more consistent"),
    "of collections where GMAP is more consistent: it is nearer": ("both", None),
}
CANNOT = "cannot be had"


def rows_of(text):
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def last_table():
    """The rows of the page, by claim."""
    rows = rows_of(PAGE.partition("## Are zeros")[0])
    assert rows[0] == COLUMNS
    return pd.DataFrame(rows[2:], columns=COLUMNS).set_index("claim")


def test_the_page_has_a_row_for_each_claim_and_no_blank():
    table = last_table()
    assert list(table.index) == list(ROWS)
    numbers = table[["here", "ten campaigns", "public", "paper"]].stack()
    assert numbers.str.fullmatch(rf"-?0(\.\d+)?|{CANNOT}|not in it").all()
    assert table["verdict"].str.fullmatch(r"[a-z].{3,}").all()


def random_halves(scores, trials=1000):
    """Tau of random halves, by GMAP with 0.01 and by MAP: by numpy and scipy alone."""
    rng = np.random.default_rng(5)
    found = []
    for _ in range(trials):
        order = rng.permutation(len(scores))
        taus = []
        for table in (np.log(scores + 0.01), scores):
            a, b = (table.iloc[half].mean() for half in np.array_split(order, 2))
            taus.append(stats.kendalltau(a.round(12), b.round(12)).statistic)
        found.append(taus[0] > taus[1])
    return (scores == 0).mean(axis=None), np.mean(found)


def in_the_table(what):
    """The numbers of a row of the lesson's own table: here, of TREC's systems; shares in %."""
    (row,) = re.findall(rf"(?m)^\| {what}.*$", TEXT)
    return [[float(x) for x in re.findall(r"\d[.\d]*", cell)] for cell in row.split("|")[2:4]]


def documentation(name="docs-pandas"):
    """AP of the engines that work, as in the lesson."""
    collection = irstd.documentation_campaign()[name]
    return collection.scores("AP", collection.systems.query("works == 'yes'").index)


@pytest.mark.night
def test_gmap_is_ahead_where_many_scores_are_zero():
    """RM08's finding on TREC 9 and on TREC 8, on the two matrices of the lesson."""
    tables = documentation(), irstd.load_dataset("sim-trec8")
    zeros, ahead = np.transpose([random_halves(table) for table in tables]) * 100
    assert_allclose(zeros, in_the_table("zeros, on the collection")[0], atol=0.6)
    assert_allclose(ahead, in_the_table("splits in which")[0], atol=4)


def test_the_same_on_public_scores(trec_data):
    tables = [irstd.load_dataset(name) for name in ("genomics2004", "trec8")]
    zeros, ahead = np.transpose([random_halves(table, 400) for table in tables]) * 100
    assert_allclose(zeros, in_the_table("zeros, on the collection")[1], atol=0.5)
    assert_allclose(ahead, in_the_table("splits in which")[1], atol=6)


def test_the_worked_example_has_the_numbers_of_the_paper():
    """RM08, section 1; by scipy's geometric mean."""
    example = pd.DataFrame({"first": [0.05, 0.75], "second": [0.10, 0.70]})
    assert example.mean().tolist() == pytest.approx([0.4, 0.4])
    assert_allclose(stats.gmean(example), [0.19, 0.26], atol=0.005)
    assert "0.40 and 0.40, then 0.19 and 0.26" in TEXT


def test_the_price_of_a_failure_keeps_the_mean():
    """That many topics rise, one falls: GMAP stays; with scipy's root in place of the formula."""
    (output,) = [cell for cell in NOTEBOOK["cells"] if cell["id"] == "03-gmap-price-of-zero"]
    printed = re.findall(r"(0\.\d+) +(\d+\.\d)", "".join(_plain(output)))
    assert len(printed) == 3
    for epsilon, topics in printed:
        table = pd.DataFrame({"before": [0.2], "after": [0.0]})

        def change(gains, table=table, epsilon=float(epsilon)):
            logs = np.log(np.array([0.3, 0.2]) + epsilon)
            fall = np.diff(np.log(table[["before", "after"]].to_numpy() + epsilon)).item()
            return gains * (logs[0] - logs[1]) + fall

        assert optimize.brentq(change, 0, 100) == pytest.approx(float(topics), abs=0.05)


def _plain(cell):
    (output,) = cell["outputs"]
    return output["data"]["text/plain"]


def fifths_of_influence(scores):
    """The hardest and the easiest fifth by the largest z: with numpy alone."""
    x = scores.to_numpy()
    z = (x - x.mean(axis=1, keepdims=True)) / x.std(axis=1, ddof=1, keepdims=True)
    order = np.argsort(-z.max(axis=1), kind="stable")
    parts = np.array_split(x.std(axis=1)[order], 5)
    shares = np.array([part.sum() for part in parts]) / x.std(axis=1).sum()
    return 100 * shares[[0, -1]]


def test_in_map_easy_topics_have_most_influence():
    found = fifths_of_influence(documentation())
    assert_allclose(found, in_the_table("influence in MAP")[0], atol=0.6)


def test_in_map_easy_topics_have_most_influence_on_public_scores(trec_data):
    hard, easy = np.transpose([fifths_of_influence(ap_of(name)) for name in FIFTEEN])
    assert (hard < easy).all()
    found = hard[FIFTEEN.index("trec8")], easy[FIFTEEN.index("trec8")]
    assert_allclose(found, in_the_table("influence in MAP")[1][:2], atol=0.6)


def test_gmap_foresees_failures_better_than_map():
    tables = documentation(), irstd.load_dataset("sim-trec8")
    found = [foresee(table)["GMAP ahead of MAP"] for table in tables]
    assert_allclose(found, in_the_table("tau with failures")[0], atol=0.02)
    public = stored().query("name == 'median: GMAP ahead of MAP'")["value"].item()
    assert [round(public, 2)] == in_the_table("tau with failures")[1]


def test_the_table_on_zeros_as_a_cause():
    """Simulated or of the documentation: computed; public: as stored."""
    head, _, *rows = rows_of(PAGE.partition("## Are zeros")[2])
    assert head[-1] == "lead without high scores"
    value = stored().query("lesson == '03'").set_index("name")["value"]
    assert len(rows) == 7
    for name, *cells in rows:
        if name.startswith("docs"):
            table = documentation(name)
            found = lead_without(table) | {"zeros": (table == 0).mean(axis=None)}
        else:
            numbers = ["zeros", "ahead", *head[3:]]
            found = {number: value[f"{name}: {number}"] for number in numbers}
        printed = [float(cell.rstrip("%")) for cell in cells]
        assert_allclose(printed[:2], [100 * found["zeros"], 100 * found["ahead"]], atol=0.6)
        assert_allclose(printed[2:], [found[number] for number in head[3:]], atol=0.0055)
        if found["lead"] > 0:
            assert found["lead without zeros"] > 2 / 3 * found["lead"]
            assert found["lead without high scores"] < 0.5 * found["lead"]
    assert round(value["zeros and lead: Spearman"], 2) == 0.37
    assert 0 < value["of fifteen: lead above 0"] < 15


@pytest.mark.night
def test_the_systems_of_exercise_2_fail_on_other_topics_as_its_answer_says():
    (cell,) = [cell for cell in NOTEBOOK["cells"] if cell["id"] == "03-gmap-question-2-pairs"]
    given = {"irstd": irstd, "np": np}
    exec("".join(cell["source"]), given)
    collection = campaign(7)["sim-trec7"]
    new = (collection.more_topics(400, seed=1).scores("AP") < FAILURE).mean()
    expected = {row["value"] for row in irstd.exercises.exercises()["03.2"]["name"]}
    by_map, by_count = {}, {}
    for letter, pair in given["pairs"].items():
        originals = [_name_of(pair[side], given["other_year"]) for side in pair]
        fails_more = new[originals[1]] > new[originals[0]]
        assert fails_more == (letter in expected)
        for epsilon in (0.01, 1e-5):
            found = np.log(pair + epsilon).mean()
            assert (found["second"] < found["first"]) == fails_more
        by_map[letter] = (pair["second"].mean() < pair["first"].mean()) == fails_more
        count = (pair < FAILURE).sum()
        by_count[letter] = (count["second"] > count["first"]) == fails_more
    assert [letter for letter, right in by_map.items() if not right] == ["B", "D", "F"]
    assert [letter for letter, right in by_count.items() if not right] == ["E", "F"]


def _name_of(scores, table):
    """The system that has these scores."""
    (name,) = table.columns[table.eq(scores, axis=0).all()]
    return name


@functools.cache
def all_numbers(seed):
    """What the functions of the public numbers say of a campaign."""
    scores = campaign(seed)["sim-trec8"].scores("AP", "original")
    found = foresee(scores) | foresee_each_pair(scores) | picked(scores)
    found |= votes(scores) | orders(scores)
    return pd.Series(found | {"more consistent": more_consistent(scores)})


def contests(seeds):
    """Whether GMAP is more consistent than MAP, and nearer to quality, on each collection."""
    rows = []
    for seed in seeds:
        for part in campaign(seed).collections.values():
            scores = part.scores("AP", "original")
            quality = part.systems["quality"][scores.columns]
            near = [irstd.rank_correlation(irstd.gmap(scores, e), quality) for e in (np.inf, 0.01)]
            rows.append([more_consistent(scores, 100) > 0, near[1] > near[0]])
    return np.transpose(rows)


def agrees(cell, value):
    """Whether a number is that of the cell, to its last digit and one beside."""
    digits = len(cell.partition(".")[2])
    return abs(float(cell) - value) < 1.01 * 10.0**-digits


@pytest.mark.release
def test_the_column_of_the_campaign():
    found = all_numbers(0).copy()
    consistent, nearer = contests(range(4))
    assert consistent.sum() == 5
    found["both"] = nearer[consistent].mean()
    for claim, cell in last_table()["here"].items():
        assert agrees(cell, found[ROWS[claim][0]]), (claim, found[ROWS[claim][0]])


def test_the_column_of_public_numbers():
    public = stored().query("lesson == '03'").set_index("name")
    for claim, cell in last_table()["public"].items():
        _, name = ROWS[claim]
        assert (cell == CANNOT) == (name is None), claim
        if name is not None:
            digits = len(cell.partition(".")[2])
            assert float(cell) == round(float(public["value"][name]), digits), claim


def test_what_the_text_says_of_fifteen_public_collections():
    public = stored().query("lesson == '03'").set_index("name")

    def of_each(number, column="value"):
        return public[column][[f"{name}: {number}" for name in FIFTEEN]].to_numpy()

    assert (of_each("GMAP ahead of MAP") > 0).all()
    assert (of_each("each pair: GMAP ahead of MAP") > 0).all()
    assert (of_each("each pair: count ahead of MAP") > 0).sum() == 6
    by_map = of_each("each pair: count, ties by MAP ahead of MAP")
    assert 0 < np.median(by_map) < np.median(of_each("each pair: GMAP ahead of MAP"))
    value = public["value"]
    for name, ahead, on in (("GMAP", 0.14, 15), ("count", 0.07, 12)):
        name = f"neighbours: {name} ahead of MAP"
        found = value[[f"median: {name}", f"of fifteen: {name}"]].round(2).tolist()
        assert found == [ahead, on]
    of_many = value[[f"robust2004, 100 topics: {name} ahead of MAP" for name in ("count", "GMAP")]]
    assert of_many.round(2).tolist() == [0.14, 0.11]
    behind = [f"terabyte2006, 70 topics: {name} ahead of MAP" for name in ("count", "GMAP")]
    assert value[behind].round(2).tolist() == [-0.15, 0.01]
    shown = of_each("GMAP gap that MAP shows")
    assert 0.28 < np.median(shown) < 0.36  # a third
    assert (shown.min() < 0, shown.max().round(1)) == (True, 0.7)
    left = of_each("failures left")
    assert (left.min().round(2), left.max().round(2)) == (0.08, 0.75)
    gains = of_each("more consistent"), of_each("more consistent", "error")
    assert significant(*gains) == {"less": 4, "more": 2, "by Holm": 0}
    assert max(value[f"cut {cut}: by Holm"] for cut in range(3)) == 1


def test_what_the_text_says_of_other_failures_and_of_what_map_shows():
    value = stored().query("lesson == '03'").set_index("name")["value"]
    ahead = {}
    for failure in (0.05, 0.1, 0.3):
        for number in ("GMAP", "count"):
            name = f"{number} ahead of MAP, below {failure:g}"
            ahead[failure, number] = value[f"of fifteen: {name}"], value[f"median: {name}"]
    assert ahead[0.3, "GMAP"] == (3, pytest.approx(-0.03, abs=0.005))
    assert ahead[0.3, "count"] == (1, pytest.approx(-0.02, abs=0.005))
    assert ahead[0.1, "count"][1] < 0
    for rival in ("mean of roots", "mean place"):
        assert value[f"of fifteen: {rival} ahead of MAP"] >= 14
        assert value[f"median: {rival} ahead of MAP"] < value["median: GMAP ahead of MAP"]


def test_a_count_orders_neighbours_and_by_many_topics_all_systems_better_than_map():
    near = of_neighbours(campaign()["sim-trec8"].scores("AP", "original"))
    gmap, count = (near[f"neighbours: {name} ahead of MAP"] for name in ("GMAP", "count"))
    assert gmap > count > 0.1
    tables = [part.scores("AP", "later") for part in campaign().collections.values()]
    many = by_more_topics(pd.concat(tables), [100])
    gmap, count = (many[f"100 topics: {name} ahead of MAP"] for name in ("GMAP", "count"))
    assert count > gmap > 0.1


def test_what_the_text_says_of_other_failures_in_the_campaign():
    scores = campaign()["sim-trec8"].scores("AP", "original")
    assert 0.14 < picked(scores)["GMAP gap that MAP shows"] < 0.18  # a sixth
    for failure, ahead in {0.1: -0.013, 0.3: -0.026}.items():
        found = foresee(scores, failure)
        assert found["count ahead of MAP"] == pytest.approx(ahead, abs=0.001)
    assert found["GMAP ahead of MAP"] < 0


def test_all_pairs_with_a_coin_for_ties_are_somers_d():
    """Oracle: scipy's Somers' d of a count, given the failures to come."""
    scores = campaign()["sim-trec8"].scores("AP", "original").iloc[:, ::6]
    old, new = next(halves(scores))
    count = -(old < FAILURE).sum()
    to_come = -(new < FAILURE).sum()
    truth = order_of_pairs(to_come)
    found = order_of_pairs(count) @ truth / np.abs(truth).sum()
    assert found == pytest.approx(stats.somersd(to_come, count).statistic)


@pytest.mark.release
def test_the_column_of_ten_campaigns():
    found = pd.DataFrame([all_numbers(seed) for seed in TEN])
    means = found.mean()
    consistent, nearer = contests(TEN)
    assert consistent.sum() == 20
    means["both"] = nearer[consistent].mean()
    for claim, cell in last_table()["ten campaigns"].items():
        assert agrees(cell, means[ROWS[claim][0]]), (claim, means[ROWS[claim][0]])
    assert (found["each pair: count ahead of MAP"] > 0).sum() == 5
    assert (found["GMAP ahead of MAP"] > 0).all()
    below_a_third = [
        foresee(campaign(seed)["sim-trec8"].scores("AP", "original"), 0.3) for seed in TEN
    ]
    ahead = pd.DataFrame(below_a_third)[["GMAP ahead of MAP", "count ahead of MAP"]]
    assert (ahead < 0).all(axis=None)
