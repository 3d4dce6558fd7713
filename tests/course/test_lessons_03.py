"""Lesson 03: the numbers of its table and of its cells, by numpy and scipy alone."""

import re
from functools import partial

import how_far
import numpy as np
import pandas as pd
import pytest
from campaigns import campaign
from fifteen import FIFTEEN, ap_of
from how_far import page_of, public, shown, source_of, table_below, text_of
from numpy.testing import assert_allclose
from public.lesson_03 import (
    FAILURE,
    foresee,
    halves,
    lead_without,
    order_of_pairs,
)
from scipy import stats

import irstd

in_the_table = partial(how_far.in_the_table, "03")


def random_halves(scores, trials=1000):
    """In percent: zeros, and random halves with a larger tau by GMAP with 0.01 than by MAP."""
    rng = np.random.default_rng(5)
    forms = scores.to_numpy(), np.log(scores.to_numpy() + 0.01)
    ahead = []
    for _ in range(trials):
        halves = np.array_split(rng.permutation(len(scores)), 2)
        by_map, by_gmap = (
            stats.kendalltau(*[x[half].mean(axis=0).round(12) for half in halves]).statistic
            for x in forms
        )
        ahead.append(by_gmap > by_map)
    return 100 * (scores == 0).mean(axis=None), 100 * np.mean(ahead)


def documentation(name="docs-pandas"):
    """AP of the engines that work, as in the lesson."""
    collection = irstd.documentation_campaign()[name]
    return collection.scores("AP", collection.systems.query("works == 'yes'").index)


@pytest.mark.night
def test_gmap_is_ahead_where_many_scores_are_zero():
    """RM08's finding on TREC 9 and on TREC 8, on the two matrices of the lesson."""
    tables = documentation(), irstd.load_dataset("sim-trec8")
    zeros, ahead = np.transpose([random_halves(table) for table in tables])
    assert_allclose(zeros, in_the_table("zeros, on the collection", 0), atol=0.6)
    assert_allclose(ahead, in_the_table("splits in which", 0), atol=4)


def test_so_it_is_on_public_scores():
    found = public("03")
    for number, what in {"zeros": "zeros, on the collection", "ahead": "splits in which"}.items():
        stored = [100 * found[f"{name}: {number}"] for name in ("genomics2004", "trec8")]
        assert_allclose(stored, in_the_table(what, 1), atol=0.6)


def test_the_worked_example_has_the_numbers_of_the_paper():
    """RM08, section 1; by scipy's geometric mean."""
    example = pd.DataFrame({"first": [0.05, 0.75], "second": [0.10, 0.70]})
    assert example.mean().tolist() == pytest.approx([0.4, 0.4])
    assert_allclose(stats.gmean(example), [0.19, 0.26], atol=0.005)
    assert "0.40 and 0.40, then 0.19 and 0.26" in text_of("03")


def test_the_price_of_a_failure_keeps_the_mean():
    """One topic falls from .2 to 0, that many rise from .2 to .3: the mean of logs stays."""
    printed = re.findall(r"(0\.\d+) +(\d+\.\d)", shown("03", "price-of-zero"))
    epsilon, topics = np.array(printed, float).T
    assert len(topics) == 3
    rise = np.log((0.3 + epsilon) / (0.2 + epsilon))
    fall = np.log((0.2 + epsilon) / epsilon)
    assert_allclose(topics, fall / rise, atol=0.05)


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
    assert_allclose(found, in_the_table("influence in MAP", 0), atol=0.6)


def test_in_map_easy_topics_have_most_influence_on_public_scores(trec_data):
    hard, easy = np.transpose([fifths_of_influence(ap_of(name)) for name in FIFTEEN])
    assert (hard < easy).all()
    found = hard[FIFTEEN.index("trec8")], easy[FIFTEEN.index("trec8")]
    assert_allclose(found, in_the_table("influence in MAP", 1)[:2], atol=0.6)


def test_gmap_foresees_failures_better_than_map():
    tables = documentation(), irstd.load_dataset("sim-trec8")
    found = [foresee(table)["GMAP ahead of MAP"] for table in tables]
    assert_allclose(found, in_the_table("tau with failures", 0), atol=0.02)
    stored = public("03")["median: GMAP ahead of MAP"]
    assert [round(stored, 2)] == in_the_table("tau with failures", 1)


def test_the_table_on_zeros_as_a_cause():
    """Simulated or of the documentation: computed; public: as stored."""
    head, *rows = table_below(page_of("03"), "## Are zeros")
    assert head[-1] == "lead without high scores"
    value = public("03")
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


@pytest.mark.night
def test_the_systems_of_exercise_2_fail_on_other_topics_as_its_answer_says():
    given = {"irstd": irstd, "np": np}
    exec(source_of("03", "question-2-pairs"), given)
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


def test_all_pairs_with_a_coin_for_ties_are_somers_d():
    """Oracle: scipy's Somers' d of a count, given the failures to come."""
    scores = campaign()["sim-trec8"].scores("AP", "original").iloc[:, ::6]
    old, new = next(halves(scores))
    count = -(old < FAILURE).sum()
    to_come = -(new < FAILURE).sum()
    truth = order_of_pairs(to_come)
    found = order_of_pairs(count) @ truth / np.abs(truth).sum()
    assert found == pytest.approx(stats.somersd(to_come, count).statistic)
