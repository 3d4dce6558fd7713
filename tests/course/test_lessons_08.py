"""Lesson 08: what no cell of it prints, and a table of the page that says how far it holds."""

import re

import numpy as np
import of_judges
import pandas as pd
import pytest
from how_far import in_the_table, page_of, shown, table_below, text_of
from numpy.testing import assert_allclose

import irstd

# Said of a few of the hundreds of samples, and of the hundreds of topics, that are drawn.
pytestmark = pytest.mark.filterwarnings("ignore:the judge")


def by_judge(cell):
    """The numbers of the four judges that a cell shows, a row for each."""
    rows = re.findall(r"(?m)^[a-z]+((?: +\d\.\d+)+)$", shown("08", cell))
    return np.array([row.split() for row in rows], float)


def test_both_judges_call_most_documents_relevant_that_one_of_them_does():
    docs = irstd.documentation_campaign()["docs-pandas"]
    first, second = (docs.qrels(judge)["relevance"] > 0 for judge in ("first", "second"))
    share = (first & second).sum() / (first | second).sum()
    assert f"both do so for {share:.2f}" in text_of("08")


def test_medians_over_the_judges():
    right = np.median(by_judge("mended"), axis=0)
    assert_allclose(right, in_the_table("08", "pairs as by", 0), atol=0.0051)
    _, ratio, _ = np.median(by_judge("ratio"), axis=0)
    assert_allclose([ratio], in_the_table("08", "error with", 0), atol=0.0051)


def test_the_formula_of_what_a_judge_helps():
    rho, ratio, formula = by_judge("ratio").T
    assert_allclose(formula, np.sqrt(1 - 0.6 * rho**2), atol=0.011)
    assert_allclose(ratio, formula, atol=0.06)


@pytest.mark.release
def test_treatments_in_the_campaign():
    table = pd.concat(of_judges.ladders()).groupby(level=1, sort=False).median()
    for name, order, _, _, found, _, _ in table_below(page_of("08"), "## What brings")[1:]:
        numbers = table.loc[name, ["right order", "equal false alarms"]]
        assert_allclose([float(order), float(found)], numbers, atol=0.0051)
