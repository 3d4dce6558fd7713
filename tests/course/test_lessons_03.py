"""Lesson 03: what no cell of it prints, its page on zeros, and its second exercise."""

import re

import numpy as np
import pytest
from campaigns import campaign
from how_far import agrees, in_the_table, page_of, public, shown, source_of, table_below
from numpy.testing import assert_allclose
from public.lesson_03 import FAILURE, lead_without

import irstd


def documentation(name="docs-pandas"):
    """AP of the engines that work, as in the lesson."""
    collection = irstd.documentation_campaign()[name]
    return collection.scores("AP", collection.systems.query("works == 'yes'").index)


def influence_of_the_ends(scores):
    """Of the hardest and the easiest fifth by the largest z, in percent: with numpy alone."""
    x = scores.to_numpy()
    z = (x - x.mean(axis=1, keepdims=True)) / x.std(axis=1, ddof=1, keepdims=True)
    order = np.argsort(-z.max(axis=1), kind="stable")
    parts = np.array_split(x.std(axis=1)[order], 5)
    shares = np.array([part.sum() for part in parts]) / x.std(axis=1).sum()
    return 100 * shares[[0, -1]]


def test_in_map_easy_topics_have_most_influence():
    found = influence_of_the_ends(documentation())
    assert_allclose(found, in_the_table("03", "influence in MAP", 0), atol=0.51)


def test_in_map_easy_topics_have_most_influence_on_trec_8(trec_data):
    found = influence_of_the_ends(irstd.load_dataset("trec8"))
    assert_allclose(found, in_the_table("03", "influence in MAP", 1)[:2], atol=0.51)


def test_gmap_foresees_failures_better_than_map():
    """As a cell shows."""
    rows = re.findall(r"(?m)^G?MAP +(\S+) +(\S+)$", shown("03", "foresee-code"))
    by_map, by_gmap = np.array(rows, float)
    assert_allclose(by_gmap - by_map, in_the_table("03", "tau with failures", 0), atol=0.0101)


def test_the_table_on_zeros_as_a_cause():
    """Of the documentation: computed; public: as stored."""
    head, *rows = table_below(page_of("03"), "## Are zeros")
    names = ["zeros", "ahead", *head[3:]]
    assert len(rows) == 7
    for name, *cells in rows:
        if name.startswith("docs"):
            table = documentation(name)
            found = lead_without(table) | {"zeros": (table == 0).mean(axis=None)}
        else:
            found = {number: public("03")[f"{name}: {number}"] for number in names}
        for number, cell in zip(names, cells, strict=True):
            times = 100 if cell.endswith("%") else 1
            assert agrees(cell.rstrip("%"), times * found[number], units=0.6), (name, number)
        if found["lead"] > 0:
            assert found["lead without zeros"] > 2 / 3 * found["lead"]
            assert found["lead without high scores"] < 0.5 * found["lead"]


@pytest.mark.night
def test_the_systems_of_exercise_2_fail_on_other_topics_as_its_answer_says():
    given = {"irstd": irstd, "np": np}
    exec(source_of("03", "question-2-pairs"), given)
    other_year = given["other_year"]
    new = campaign(7)["sim-trec7"].more_topics(400, seed=1).scores("AP")
    fails = (new < FAILURE).mean()
    expected = {row["value"] for row in irstd.exercises.read_exercises()["03.2"]["name"]}
    misled = {"MAP": [], "count": []}
    for letter, pair in given["pairs"].items():
        (first,) = other_year.columns[other_year.eq(pair["first"], axis=0).all()]
        (second,) = other_year.columns[other_year.eq(pair["second"], axis=0).all()]
        fails_more = fails[second] > fails[first]
        assert fails_more == (letter in expected)
        for epsilon in (0.01, 1e-5):
            found = np.log(pair + epsilon).mean()
            assert (found["second"] < found["first"]) == fails_more
        for name, worse in {"MAP": -pair.mean(), "count": (pair < FAILURE).sum()}.items():
            if (worse["second"] > worse["first"]) != fails_more:
                misled[name].append(letter)
    assert misled == {"MAP": ["B", "D", "F"], "count": ["E", "F"]}
