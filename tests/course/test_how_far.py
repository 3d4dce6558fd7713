"""Tables of lessons, and of the pages on how far they hold, have the numbers that are known.

Those of cells, which nbval compares; of claims.csv, which test_ledger.py holds; of public.csv; and
of campaigns.

Public numbers are functions of `public/lesson_0*.py`, and of_campaigns.py asks them of campaigns.
"""

import pandas as pd
import pytest
from campaigns import TEN
from how_far import (
    CANNOT,
    CLAIMS,
    IN_LESSONS,
    LEDGER,
    MADE,
    NUMBERS,
    agrees,
    last_table,
    numbers_in,
    page_of,
    printed_in_the_table,
    public,
    shown,
    table_below,
    text_of,
)
from of_campaigns import all_numbers

LESSONS = sorted({row["lesson"] for row in CLAIMS})
of_each = pytest.mark.parametrize("lesson", LESSONS)
STATISTICS = {
    "mean": pd.DataFrame.mean,
    "min": pd.DataFrame.min,
    "max": pd.DataFrame.max,
    "above 0": lambda table: (table > 0).sum(),
    "most": lambda table: (table > 0).mean().round(),
}


def claims_of(lesson):
    return [row for row in CLAIMS if row["lesson"] == lesson]


def check_numbers(lesson, column, number_of, **how):
    """Of a column, on the page or in the lesson."""
    printed = numbers_in(page_of(lesson) + text_of(lesson))
    for row in NUMBERS:
        if (row["lesson"], row["of"]) == (lesson, column):
            number = number_of(row)
            assert agrees(row["printed"], number, **how), (row["name"], number)
            assert row["printed"] in printed, row


@of_each
def test_the_column_of_public_numbers(lesson):
    table, numbers = last_table(lesson), public(lesson)
    for column in table.columns.intersection(["public", "exams"]):
        for row in claims_of(lesson):
            cell, name = table.loc[row["claim"], column], row[column]
            assert (cell == CANNOT) == (not name), row["claim"]
            assert not name or agrees(cell, numbers[name]), row["claim"]


@of_each
def test_other_public_numbers_on_the_page_or_in_the_lesson(lesson):
    check_numbers(
        lesson, "public", lambda row: public(lesson, row["statistic"] or "value")[row["name"]]
    )


@pytest.mark.release
@pytest.mark.filterwarnings("ignore:all standardizing systems")  # a drawn reference, all 0
@pytest.mark.filterwarnings("ignore:the mean of (ours|theirs) .* is far from")
@pytest.mark.filterwarnings("ignore:the judge")  # of a few of the hundreds of samples
@of_each
@pytest.mark.parametrize(("column", "seeds"), [(MADE[0], [0]), (MADE[1], TEN)], ids=MADE)
def test_the_columns_of_campaigns(lesson, column, seeds):
    table = last_table(lesson)
    found = pd.DataFrame([all_numbers(lesson, seed) for seed in seeds])
    for row in claims_of(lesson):
        cell, numbers = table.loc[row["claim"], column], found[row["here"]]
        typical = numbers.median() if lesson == "08" else numbers.mean()
        is_known = cell != CANNOT and agrees(cell, typical, units=1.01)
        assert is_known or (cell == CANNOT and pd.isna(typical)), (row["claim"], typical)

    def number_of(row):
        return STATISTICS[row["statistic"] or "mean"](found[[row["name"]]]).item()

    check_numbers(lesson, column, number_of, units=1.01)


def known(row):
    """The numbers of which one stands in the lesson."""
    lesson, name = row["lesson"], row["name"]
    if row["source"] == "cell":
        found = numbers_in(shown(lesson, name))
    elif row["source"] == "public":
        found = [public(lesson)[name]]
    elif row["source"] == "campaign":
        found = [all_numbers(lesson, 0)[name]]
    else:
        found = numbers_in(LEDGER[name][row["source"]])
    return [float(number) * float(row["times"] or 1) for number in found]


CELLS = {}
for row in IN_LESSONS:
    marks = pytest.mark.release if row["source"] == "campaign" else ()
    place = (row["lesson"], row["row"], row["column"])
    CELLS[place] = pytest.param(*place, marks=marks)


@pytest.mark.filterwarnings("ignore:the judge")  # of a few of the hundreds of samples
@pytest.mark.parametrize(("lesson", "what", "column"), CELLS.values())
def test_the_own_table_of_a_lesson(lesson, what, column):
    place = (lesson, what, column)
    rows = [row for row in IN_LESSONS if (row["lesson"], row["row"], row["column"]) == place]
    for text, row in zip(printed_in_the_table(*place), rows, strict=True):
        assert any(agrees(text, number) for number in known(row)), row


# The number of each cell of a row; of some the test of the lesson asks a campaign.
TABLES = {
    ("08", "## Do judges disturb"): [
        "judges, {row}",
        "above other topics, {row}",
        "tau by judges, {row}",
        "tau by other topics {year}",
        "tau by judges, all topics, {row}",
        "tau by as many other topics {year}",
    ],
    ("08", "## What brings"): [
        None,
        "right order, other topics: {row}, documents",
        "right order, other topics: {row}, exams",
        None,
        "equal false alarms: {row}, documents",
        "equal false alarms: {row}, exams",
    ],
    ("08", "## Which method finds"): [
        f"found {{row}}, documents {year}" for year in range(2019, 2022)
    ],
    ("08", "## Are heights above"): [
        "above the curve, {row}",
        "by random signs, {row}",
        "below the curve, {row}",
        "correlation of heights on two halves, {row}",
    ],
    ("09", "## Which other models"): [
        "{gain}, hard: mean",
        "{gain}, any: zero votes",
        "{gain}, worst: z",
    ],
}
GAINS = {"alone": "gain alone", "half": "gain"}


@pytest.mark.parametrize(("lesson", "heading"), TABLES)
def test_other_tables_of_public_numbers(lesson, heading):
    numbers = public(lesson)
    _, *rows = table_below(page_of(lesson), heading)
    for row, *cells in rows:
        words = {"row": row, "year": row[-4:], "gain": GAINS.get(row, f"gain of {row}")}
        for text, name in zip(cells, TABLES[lesson, heading], strict=True):
            if name:
                assert agrees(text, numbers[name.format(**words)]), (row, name)
