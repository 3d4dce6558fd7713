"""Which discount and which gains the nDCG of public scores has, seen from the scores themselves.

A run with one relevant document among the first twenty shows both: RR tells its rank r, ERR@20 its
grade g, as ERR is (2^g - 1) / 2^4 / r, and nDCG is gain / discount, over a number of the topic.
"""

import numpy as np
import pytest

from irstd import load_dataset

YEARS = ["web2010", "web2011", "web2012", "web2013", "web2014"]
METRICS = {"nDCG": "nDCG@20", "RR": "RR", "ERR": "ERR@20", "P": "P@20"}


def spread(ratio):
    """How far a number that should be one on a topic is from its median there: a relative mean."""
    off = ratio.div(ratio.median(axis=1), axis=0) - 1
    return float(off.abs().stack().mean())


@pytest.mark.usefixtures("trec_data")
@pytest.mark.parametrize("name", YEARS)
def test_web_tracks_have_the_discount_of_trec_eval_and_exponential_gains(name):
    scores = {short: load_dataset(name, metric) for short, metric in METRICS.items()}
    one_relevant = (scores["P"].round(3) == 0.05) & (scores["RR"] > 0.0499)
    rank = (1 / scores["RR"].where(one_relevant)).round()
    grade = np.log2(scores["ERR"] * 16 * rank + 1).round()  # scores have five decimals
    grade = grade.where(grade > 0)
    several_grades = grade.nunique(axis=1) > 1
    assert several_grades.sum() >= 4
    grade = grade[several_grades]
    rank = rank[several_grades]
    ndcg = scores["nDCG"][several_grades]
    discount = np.log2(rank + 1)
    here = spread(ndcg * discount / (2**grade - 1))
    assert here < 0.01
    assert spread(ndcg * discount / grade) > 10 * here
    assert spread(ndcg * np.maximum(1, np.log2(rank)) / (2**grade - 1)) > 10 * here
