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


@pytest.mark.filterwarnings("ignore:all standardizing systems")  # drawn ones, of a topic of zeros
@pytest.mark.filterwarnings("ignore:the mean of (ours|theirs)")
@pytest.mark.filterwarnings("ignore:the judge")  # of a few of the hundreds of samples
@pytest.mark.parametrize("lesson", EACH)
def test_the_numbers_are_what_public_scores_give(lesson, trec_data):
    found = computed(lesson).set_index("name")
    table = stored().query("lesson == @lesson").set_index("name")
    assert list(table.index) == list(found.index)
    assert list(table["function"]) == list(found["function"])
    for column in ("value", "error"):
        told = table[column].astype(float)
        np.testing.assert_allclose(found[column].astype(float), told, rtol=6e-4, err_msg=lesson)
