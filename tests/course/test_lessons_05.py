"""Lesson 05: the numbers of its table and of its cells, by numpy and scipy alone."""

import ast
import itertools
import re
from functools import partial

import how_far
import numpy as np
import pandas as pd
import pytest
from how_far import LEDGER, page_of, public, shown, source_of
from ladder import gap, signs, wrong
from numpy.testing import assert_allclose
from of_campaigns import world
from public.lesson_05 import each_rung, public_world
from scipy import stats

import irstd

in_the_table = partial(how_far.in_the_table, "05")


def by_hand_of_the_lesson(c, d):
    """What the lesson's own cells give for two tables in place of T7 and R3."""
    given = {"ap": {"T7": c, "R3": d}, "irstd": irstd, "np": np, "stats": stats}
    for name in ("drmse-by-hand", "false-positives-by-hand"):
        exec(source_of("05", name), given)
    assert np.isclose(given["by_hand"], irstd.drmse(c, d))
    better_on = given["tests"]["better_on"]
    assert (given["pvalues"] <= 0.05).sum() == better_on.notna().sum()
    return given["by_hand"].round(2), (better_on == "d").sum()


def test_drmse_and_false_positives_on_public_scores(trec_data):
    """By the lesson's cells, and by its calls; of the ledger's values, see by_hand.py."""
    tables = public_world().tables
    distance, better = by_hand_of_the_lesson(tables["T7"], tables["R3"])
    assert [better] == in_the_table("systems of 110", 1)
    raw, standardized = by_the_calls_of_the_lesson(public_world())
    means = [table["drmse"].mean() for table in (raw, standardized)]
    assert [distance, means[0].round(2)] == in_the_table("dRMSE of AP", 1)[-2:]
    assert [means[1].round(2)] == in_the_table("mean dRMSE", 1)
    assert f"{means[1] / means[0]:.4f}" == LEDGER["wmz08-f7-sap"]


def by_the_calls_of_the_lesson(asked):
    """The six pairs, raw and standardized by the originals of each collection."""
    sides = {}
    for name, table in asked.tables.items():
        sides[name] = irstd.standardize(table, asked.references.get(name))
    return irstd.compare_collections(asked.tables), irstd.compare_collections(sides)


def test_the_six_pairs_of_the_campaign():
    """By numpy and scipy alone; and the standardized ones by the call."""
    tables = world(0).tables
    distances, better = {}, {}
    for c, d in world(0).pairs:
        x, y = tables[c].to_numpy(), tables[d].to_numpy()
        moved = np.sqrt(np.mean((x.mean(axis=0) - y.mean(axis=0)) ** 2))
        distances[c, d] = 2 * moved / (x.mean(axis=0).std(ddof=1) + y.mean(axis=0).std(ddof=1))
        better[c, d] = (stats.ttest_ind(x, y).pvalue <= 0.05).sum()
    found = [distances["T7", "R3"], np.mean(list(distances.values()))]
    assert_allclose(found, in_the_table("dRMSE of AP", 0)[-2:], atol=0.005)
    assert [better["T7", "R3"]] == in_the_table("systems of 110", 0)
    _, standardized = by_the_calls_of_the_lesson(world(0))
    found = [standardized["drmse"].mean()]
    assert_allclose(found, in_the_table("mean dRMSE", 0), atol=0.005)
    assert (standardized["drmse"] < 0.45).all()  # "all six pairs are near"


@pytest.mark.slow
def test_bounds_of_false_positives():
    """By scipy, with other deals than the lesson's; public: as stored."""
    asked = world(0)
    raw = pd.concat([asked.tables[name] for name in ("T7", "T8")]).to_numpy()
    parts = [irstd.standardize(asked.tables[n], asked.references[n]) for n in ("T7", "T8")]
    rng = np.random.default_rng(5)
    rows = []
    for _ in range(800):
        one, other = np.split(rng.permutation(100), 2)
        sides = raw, pd.concat(parts).to_numpy()
        rows.append([(stats.ttest_ind(x[one], x[other]).pvalue <= 0.05).mean() for x in sides])
    bounds = np.quantile(rows, 0.975, axis=0)
    assert_allclose(bounds, in_the_table("bound of false positives", 0), atol=0.05)
    assert_allclose(np.mean(rows, axis=0), 0.047, atol=0.015)
    value = public("05")
    by_originals = float(LEDGER["wmz08-f6-sap"].split(",")[1]) / 100
    found = [value["unlucky: raw"].round(2), round(by_originals, 2)]
    assert found == in_the_table("bound of false positives", 1)
    assert_allclose(value["unlucky: standardized"], by_originals, atol=0.01)


def test_overlapping_sets_of_topics_differ_less_than_a_test_expects():
    """Half of the variance: so the 5% test rejects beyond 1.96 times the root of 2."""
    sds, rates = ast.literal_eval(shown("05", "erratum-numbers"))
    assert sds["overlapping"] == pytest.approx(np.sqrt(0.5), abs=0.02)
    assert rates["overlapping"] == pytest.approx(2 * stats.norm.sf(1.96 * np.sqrt(2)), abs=0.002)
    for right in ("disjoint", "replacement"):
        assert sds[right] == pytest.approx(1, abs=0.03)
        assert rates[right] == pytest.approx(0.05, abs=0.005)


def test_pairs_in_the_wrong_order():
    for column, found in enumerate([each_rung(world(0)), public("05")]):
        right = [found[f"{way}: right order"] for way in ("raw", "one number", "standardized")]
        wrong_ones = in_the_table("pairs in the wrong order", column)
        assert_allclose(1 - np.array(right), wrong_ones, atol=0.006)


def test_linked_mends_what_weak_and_strong_standardizing_systems_do():
    asked = world(0)
    weak = asked.references["R3"][asked.references["R3"].mean().nsmallest(30).index]
    strong = asked.references["T7"][asked.references["T7"].mean().nlargest(30).index]
    one = irstd.standardize(asked.tables["R3"], weak).mean()
    other = irstd.standardize(asked.tables["T7"], strong).mean()
    ten = one.index[1::11]
    moved = (one[ten] - other[ten]).mean()
    better = asked.better("R3", "T7")
    said = re.search(r"(?s)puts (0\.\d+) of the pairs.*?`linked` (0\.\d+)", page_of("05"))
    found = [wrong(side, other, better) for side in (one, one - moved)]
    assert_allclose(found, [float(x) for x in said.groups()], atol=0.006)
    assert gap(one, other) > gap(*(asked.tables[name].mean() for name in ("R3", "T7")))


@pytest.mark.slow
def test_the_truth_agrees_with_the_rule_on_the_comparisons_of_exercise_2():
    given = {"irstd": irstd, "itertools": itertools}
    for name in ("question-2-some", "question-2-unseen"):
        exec(source_of("05", name), given)
    expected = {row["value"] for row in irstd.exercises.exercises()["05.2"]["name"]}
    quality = given["other"]["sim-trec7"].systems["quality"]
    for letter, (scores, references) in given["unseen"].items():
        c, d = scores
        of_systems = quality[scores[c].columns]
        better = signs(of_systems, of_systems)
        raw = wrong(scores[c].mean(), scores[d].mean(), better)
        sides = [irstd.standardize(scores[x], references[x]).mean() for x in (c, d)]
        assert (raw < wrong(*sides, better)) == (letter in expected), letter
