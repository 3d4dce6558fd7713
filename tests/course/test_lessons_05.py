"""Lesson 05: what no cell of it prints, and its second exercise."""

import itertools
import re

import numpy as np
import pytest
from how_far import in_the_table, page_of, public, shown, source_of
from ladder import gap, signs, wrong
from numpy.testing import assert_allclose
from of_campaigns import world
from scipy import stats

import irstd


def test_overlapping_sets_of_topics_differ_less_than_a_test_expects():
    """Half of the variance: so the 5% test rejects beyond 1.96 times the root of 2."""
    rows = re.findall(r"(?m)^([a-z]+) .* (\S+) +(\S+)$", shown("05", "erratum-numbers"))
    found = {scheme: (float(rate), float(sd)) for scheme, rate, sd in rows}
    expected = 2 * stats.norm.sf(1.96 * np.sqrt(2))
    assert found["overlapping"] == pytest.approx((expected, np.sqrt(0.5)), abs=0.01)
    for right in ("disjoint", "replacement"):
        rate, sd = found[right]
        assert rate == pytest.approx(0.05, abs=0.005)
        assert sd == pytest.approx(1, abs=0.03)


def test_public_pairs_in_the_wrong_order():
    ways = [f"{way}: right order" for way in ("raw", "one number", "standardized")]
    wrong_ones = 1 - public("05")[ways]
    assert_allclose(wrong_ones, in_the_table("05", "pairs in the wrong", 1), atol=0.0051)


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
    shifted = [
        asked.tables[name].mean() - references.mean(axis=None)
        for name, references in (("R3", weak), ("T7", strong))
    ]
    assert gap(*shifted) > 2, "one mean subtracted is misled, too"


@pytest.mark.night
def test_the_truth_agrees_with_the_rule_on_the_comparisons_of_exercise_2():
    given = {"irstd": irstd, "itertools": itertools}
    for name in ("question-2-some", "question-2-unseen"):
        exec(source_of("05", name), given)
    expected = {row["value"] for row in irstd.exercises.read_exercises()["05.2"]["name"]}
    quality = given["unseen_campaign"]["sim-trec7"].systems["quality"]
    for letter, (scores, references) in given["unseen"].items():
        c, d = scores
        of_systems = quality[scores[c].columns]
        better = signs(of_systems, of_systems)
        raw = wrong(scores[c].mean(), scores[d].mean(), better)
        sides = [irstd.standardize(scores[x], references[x]).mean() for x in (c, d)]
        assert (raw < wrong(*sides, better)) == (letter in expected), letter
