"""The file public.csv of the lessons: each of its numbers is computed anew from public scores."""

import numpy as np
import pytest
from rows import COLUMNS, LESSONS, computed, stored


def test_each_number_has_one_name_and_says_where_it_is_from():
    table = stored()
    assert list(table.columns) == COLUMNS
    assert not table.duplicated(["lesson", "name"]).any()
    assert table.drop(columns="error").notna().all(axis=None)
    assert set(table["lesson"]) == set(LESSONS)


OF_MINUTES = ("02", "03", "04", "05", "08", "09", "10")
EACH = []
for name in LESSONS:
    when = pytest.mark.release if name in OF_MINUTES else pytest.mark.night
    EACH.append(pytest.param(name, marks=when))


@pytest.mark.parametrize("lesson", EACH)
def test_the_numbers_are_what_public_scores_give(lesson, trec_data):
    found = computed(lesson).set_index("name")
    table = stored().query("lesson == @lesson").set_index("name")
    assert list(table.index) == list(found.index)
    assert list(table["function"]) == list(found["function"])
    for column in ("value", "error"):
        told = table[column].astype(float)
        np.testing.assert_allclose(found[column].astype(float), told, rtol=6e-4, err_msg=lesson)


def law(function):
    """g and the break-even of d by design, as stored."""
    rows = stored().query("lesson == '10' and function == @function")
    parts = rows["name"].str.rsplit(": ", n=1, expand=True)
    table = rows.assign(design=parts[0], number=parts[1])
    return table.pivot(index="design", columns="number", values="value")


@pytest.mark.parametrize(
    ("function", "near", "up_to", "larger", "beyond"),
    [
        ("law_on_fifties", 8, 8, 2, 2),
        ("law_on_collections_named_before", 10, 10, 7, 10),
        ("law_on_other_collections", 25, 26, 31, 39),
    ],
)
def test_the_break_even_is_the_gap_between_the_collections(function, near, up_to, larger, beyond):
    """Up to g = 1.4 it is g, up to .3; beyond, where less was said, it is mostly larger."""
    table = law(function)
    small = table["g"] <= 1.4
    off = (table["break-even"] - table["g"]).abs()
    assert ((off <= 0.3)[small].sum(), small.sum()) == (near, up_to)
    assert ((table["break-even"] >= table["g"])[~small].sum(), (~small).sum()) == (larger, beyond)


def test_a_topics_factors_order_systems_no_better_than_two_numbers():
    """With references that are alike; of the fifties a little."""
    for function, low, high in [
        ("law_on_fifties", -0.03, 0),
        ("law_on_collections_named_before", -0.01, 0.02),
        ("law_on_other_collections", -0.01, 0.01),
    ]:
        table = law(function)
        assert low <= (table["topic"] - table["two"]).mean() <= high


def test_nearly_all_matrices_lie_below_what_bounded_scores_give():
    table = law("bounded_scores")
    assert len(table) == 26
    assert (table["z trend"] < table["z null"]).sum() == 25
    assert (table["z trend"] < table["z low"]).sum() == 22
