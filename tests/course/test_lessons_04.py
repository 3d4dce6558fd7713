"""Lesson 04: the numbers it prints, and the page that says how far they hold.

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
from numpy.testing import assert_allclose
from public.lesson_04 import (
    best_of,
    equal_pairs,
    errors_together,
    false_alarms,
    left_without_two_groups,
    p_values,
    picked,
    reversals,
    spread_and_mean,
    ties,
    without_two_groups,
)
from public.rows import stored
from scipy import stats

import irstd

ROOT = Path(__file__).parents[2]
NOTEBOOK = json.loads((ROOT / "notebooks/04_variability.ipynb").read_text("utf-8"))
CELLS = {cell["id"].removeprefix("04-variability-"): cell for cell in NOTEBOOK["cells"]}
TEXT = "\n".join("".join(cell["source"]) for cell in NOTEBOOK["cells"])
PAGE = (ROOT / ".site/pages/how_far/04_variability.md").read_text("utf-8")
COLUMNS = ["claim", "here", "ten campaigns", "public", "paper", "verdict"]
ROWS = {  # the claims of the table, and their numbers
    "share of a picked difference in spread that is left": "ratio left",
    "share of the gain above 0.1 that is left": "gain left",
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
    """The rows of the page, by claim."""
    lines = [line for line in PAGE.splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert rows[0] == COLUMNS
    return pd.DataFrame(rows[2:], columns=COLUMNS).set_index("claim")


def test_the_page_has_a_row_for_each_claim_and_no_blank():
    table = last_table()
    assert list(table.index) == list(ROWS)
    numbers = table[["here", "ten campaigns", "public", "paper"]].stack()
    assert numbers.str.fullmatch(r"-?0\.\d+|cannot be had|not in it").all()
    assert table["verdict"].str.fullmatch(r"[a-z].{3,}").all()


def in_the_table(what):
    """The numbers of a row of the lesson's own table: here, and of TREC's systems."""
    (row,) = re.findall(rf"(?m)^\| {what}.*$", TEXT)
    return [[float(x) for x in re.findall(r"\d\.\d+", cell)] for cell in row.split("|")[2:4]]


def printed(name):
    """The numbers that a cell prints."""
    (output,) = CELLS[name]["outputs"]
    return [float(x) for x in re.findall(r"-?\d+\.\d*|(?<=\()\d+", "".join(_plain(output)))]


def _plain(output):
    return output["data"]["text/plain"]


def the_pair():
    scores = irstd.load_dataset("sim-robust2004-all")
    return scores["late03g"], scores["late04g"]


def test_f_is_that_of_scipys_distribution():
    a, b = the_pair()
    ratio = np.var(a, ddof=1) / np.var(b, ddof=1)
    tails = stats.f(len(a) - 1, len(b) - 1)
    p = 2 * min(tails.cdf(ratio), tails.sf(ratio))
    assert_allclose(irstd.f_test(a, b), [ratio, p])
    assert printed("f-by-hand") == [round(ratio, 2), round(p, 3)]


def test_w0_and_w50_are_scipys():
    a, b = the_pair()
    for name, center in {"W0": "mean", "W50": "median"}.items():
        found = stats.levene(a, b, center=center)
        assert_allclose(irstd.levene_test(a, b, center=center), found)
        (row,) = re.findall(
            rf"(?m)^{name} +\[(.*)\]$", "".join(_plain(*_outputs("levene-three-ways")))
        )
        assert [float(w) for w in row.split(",")] == [round(found.statistic, 2)] * 3


def _outputs(name):
    return CELLS[name]["outputs"]


def test_the_pair_has_one_mean_and_serves_different_users():
    variable, steady = the_pair()
    assert abs(variable.mean() - steady.mean()) < 0.002
    assert in_the_table("sds of two")[0] == [round(steady.std(), 2), round(variable.std(), 2)]
    for threshold, ahead in {0.1: steady, 0.5: variable}.items():
        shares = [(system > threshold).mean() for system in (steady, variable)]
        assert max(shares) == (ahead > threshold).mean()


def test_the_pair_of_table_1_on_public_scores(trec_data):
    scores = irstd.load_dataset("robust2004")
    scores = pd.concat([scores.loc["351":"450"], scores.loc["601":]])
    pair = scores.loc[:, np.floor(1000 * scores.mean()) == 304]
    assert sorted(pair.std().round(2)) == in_the_table("sds of two")[1]


def by_scipy(scores, in_z):
    """Ties, and the shares of these that F and W50 break: with numpy and scipy alone."""
    x = scores[scores.mean().nlargest(int(0.75 * scores.shape[1])).index].to_numpy()
    if in_z:
        x = (x - x.mean(axis=1, keepdims=True)) / x.std(axis=1, ddof=1, keepdims=True)
    a, b = (x[:, side] for side in np.triu_indices(x.shape[1], 1))
    same = (a == b).all(axis=0)
    a, b = a[:, ~same], b[:, ~same]
    tied = stats.ttest_rel(a, b).pvalue > 0.05
    a, b = a[:, tied], b[:, tied]
    ratio = a.var(axis=0, ddof=1) / b.var(axis=0, ddof=1)
    tails = stats.f(len(x) - 1, len(x) - 1)
    f = 2 * np.minimum(tails.cdf(ratio), tails.sf(ratio)) <= 0.05
    levene = stats.levene(a, b, center="median", axis=0).pvalue <= 0.05
    return {"ties": tied.sum() + same.sum(), "f": f.sum(), "levene_median": levene.sum()}


def ties_of(scores, column):
    """Table 2 by irstd and by scipy, and as the lesson's own table has it."""
    for place, method in enumerate([None, "z"]):
        counts = irstd.break_ties(scores, method=method)
        found = by_scipy(scores, in_z=method == "z")
        assert counts[list(found)].to_dict() == found
        shares = {
            "ties, raw": counts["ties"] / counts["pairs"],
            "ties that Levene": counts["levene_median"] / counts["ties"],
            "ties that the F": counts["f"] / counts["ties"],
        }
        for row, share in shares.items():
            assert in_the_table(row)[column][place] == round(share, 2), row
        yield counts


def test_ties_and_broken_ties_are_those_of_break_ties():
    raw, in_z = ties_of(irstd.load_dataset("sim-robust2004-all"), 0)
    shown = re.findall(r"\d+", "".join(_plain(*_outputs("ties-by-hand"))))
    assert [int(n) for n in shown] == raw[["pairs", "ties", "levene_median"]].tolist()
    paired = [x["paired_levene"] / x["ties"] for x in (raw, in_z)]
    assert printed("paired-ties")[-2:] == [round(share, 2) for share in paired]


@pytest.mark.filterwarnings("ignore:.*same score")
def test_ties_and_broken_ties_on_public_scores(trec_data):
    raw, in_z = ties_of(irstd.load_dataset("robust2004"), 1)
    assert (raw["ties"], in_z["ties"]) == (997, 857)  # as printed


def rate_of_errors(scores, sizes, trials=60):
    """Figure 6 in numpy: pairs that differ by W50 on all topics, two sets without a common one."""
    x = scores[scores.mean().nlargest(82).index].to_numpy()
    x = (x - x.mean(axis=1, keepdims=True)) / x.std(axis=1, ddof=1, keepdims=True)
    i, j = np.triu_indices(82, 1)
    with np.errstate(invalid="ignore"):  # of a system and its copy
        differ = stats.levene(x[:, i], x[:, j], center="median", axis=0).pvalue <= 0.05
    i, j = i[differ], j[differ]
    rng = np.random.default_rng(3)
    for size in sizes:
        swaps = []
        for _ in range(trials):
            order = rng.permutation(len(x))
            sds = [x[topics].std(axis=0) for topics in (order[:size], order[size : 2 * size])]
            d = [sd[i] - sd[j] for sd in sds]
            swaps.append(d[0] * d[1] < 0)
        yield np.mean(swaps)


def test_the_error_rate_is_that_of_swap_rate():
    found = list(rate_of_errors(irstd.load_dataset("sim-robust2004-all"), (50, 70, 80, 90)))
    assert_allclose(printed("rates"), found, atol=0.015)
    assert in_the_table("error rate")[0] == np.round(printed("rates")[2:], 2).tolist()
    assert printed("swap-by-hand") == printed("swap-called")


def test_the_error_rate_on_public_scores(trec_data):
    found = list(rate_of_errors(irstd.load_dataset("robust2004"), (80, 90), trials=400))
    assert_allclose(found, in_the_table("error rate")[1], atol=0.0065)


def test_the_semicircle_bounds_all_systems():
    for metric in ("AP", "RR"):
        scores = irstd.load_dataset("sim-robust2004-all", metric)
        mean = scores.mean()
        assert ((mean - 0.5) ** 2 + scores.var(ddof=0) <= 0.25).all()
        trend = mean.corr(scores.std())
        assert (trend > 0) == (metric == "AP")


def test_the_spread_goes_with_the_mean_raw_and_less_in_z_on_public_scores(trec_data):
    scores = irstd.load_dataset("robust2004")
    z = irstd.standardize(scores, method="z")
    raw, in_z = (table.mean().corr(table.std()) for table in (scores, z))
    assert raw > 0.8
    assert abs(in_z) < 0.2


def test_levenes_test_hardly_ever_rejects_where_nothing_differs():
    """By other pairs than those of the lesson."""
    rates = (p_values(*equal_pairs(best_scores(0), seed=1)) <= 0.05).mean()
    assert_allclose(printed("coin-pairs")[1:], rates[["Levene", "paired Levene"]], atol=0.015)


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


def test_what_the_page_says_of_trends_and_corrections():
    public = stored().query("lesson == '04'").set_index("name")["value"]
    in_z = np.array([public[f"{name}: z trend"] for name in FIFTEEN])
    assert (in_z > 0).sum() == 11
    assert [in_z.min().round(2), in_z.max().round(2)] == [-0.70, 0.71]
    assert public["median, false alarms: paired Levene"] == pytest.approx(0.04, abs=0.005)
    found = public[["corrected", "by Bonferroni", "ties broken on fifty topics"]]
    assert found.round(2).tolist() == [0.19, 0.05, 0.11]


def test_the_pairs_of_exercise_2_were_changed_where_its_answer_says_so():
    marked = "".join(CELLS["question-2-pairs"]["source"])
    was_changed = []

    def changed(rng):
        was_changed.append(rng.random() < 0.5)
        return was_changed[-1]

    given = {"irstd": irstd, "np": np, "pd": pd, "changed": changed}
    exec(marked.replace("if rng.random() < 0.5:", "if changed(rng):"), given)
    expected = {row["value"] for row in irstd.exercises.exercises()["04.2"]["name"]}
    of_letter = zip(given["unseen"], was_changed, strict=True)
    assert {letter for letter, yes in of_letter if yes} == expected
    for letter, pair in given["unseen"].items():
        x, y = pair["first"], pair["second"]
        unpaired = [irstd.levene_test(x, y, center=center)[1] for center in ("mean", "median")]
        assert min(*unpaired, irstd.f_test(x, y)[1]) > 0.05, "independent samples show nothing"
        paired = irstd.paired_levene_test(x, y)[1]
        assert (paired <= 0.02) == (letter in expected)
        assert (paired > 0.1) == (letter not in expected)
