"""Lesson 01: the numbers of its table, by numpy and scipy alone."""

import math
import re

import numpy as np
import pandas as pd
from campaigns import campaign
from how_far import table_below, text_of
from scipy import stats

import irstd


def seen_from_both_sides(scores):
    """The rows of the lesson's own table, by numpy and scipy alone."""
    mean = scores.mean().sort_values(ascending=False)
    ratios = []
    for means in (mean, scores.mean(axis=1).sort_values(ascending=False)):
        first, last = (means.iloc[math.ceil(share * len(means)) - 1] for share in (0.01, 0.75))
        ratios.append(first / last)
    interval = stats.t.interval(0.95, 49, mean, scores.sem()[mean.index])
    low, high = (pd.Series(end, mean.index) for end in interval)
    mine = mean.index[12]
    overlap = (low <= high[mine]) & (high >= low[mine])
    return [
        [mean.std(), scores.mean(axis=1).std()],
        ratios,
        [mean[mine], low[mine], high[mine]],
        [overlap.sum() - 1],
    ]


def agrees_with(column, scores):
    """Each row of the lesson's own table, to its last digit."""
    _, *rows = table_below(text_of("01"), "## Does it hold?")
    cells = [row[column] for row in rows if row[0]]
    for cell, numbers in zip(cells, seen_from_both_sides(scores), strict=True):
        printed = [float(x) for x in re.findall(r"\d+\.?\d*", cell)]
        digits = 0 if printed[0] > 20 else 1 if printed[0] > 1 else 2
        np.testing.assert_allclose(printed, np.round(numbers, digits), atol=1e-9)


def test_the_table_of_the_lesson():
    agrees_with(1, irstd.load_dataset("sim-trec8"))


def test_the_same_on_public_scores(trec_data):
    agrees_with(2, irstd.load_dataset("trec8"))


def test_topics_with_many_relevant_documents_miss_more_of_them():
    """Three in ten on the average topic, and half of all."""
    topics = campaign(0)["sim-trec8"].topics
    of_topic = topics["relevant"] / topics["true_relevant"]
    of_all = topics["relevant"].sum() / topics["true_relevant"].sum()
    assert [round(1 - of_topic.mean(), 1), round(1 - of_all, 1)] == [0.3, 0.5]


def test_a_smaller_pool_moves_p10_and_ap_against_each_other():
    """26 of thirty lose by P@10, and none gains; 26 gain by AP."""
    collection = irstd.documentation_campaign()["docs-numpy"]
    qrels = collection.qrels()
    works = collection.systems.query("works == 'yes'").index
    runs = {system: collection.run(system) for system in works}
    few = [
        runs[name].groupby("query_id").head(10) for name in ("name-grams", "summary", "parameters")
    ]
    small = qrels.merge(pd.concat(few)[["query_id", "doc_id"]].drop_duplicates())
    topics = small.loc[small["relevance"] > 0, "query_id"].unique()
    kept = {system: run[run["query_id"].isin(topics)] for system, run in runs.items()}
    both = [
        irstd.evaluate(kept, judged[judged["query_id"].isin(topics)], ["AP", "P@10"]).mean()
        for judged in (qrels, small)
    ]
    change = (both[1] - both[0]).unstack("metric").round(9)
    assert (change["P@10"] < 0).sum() == (change["AP"] > 0).sum() == 26
    assert (change["P@10"] <= 0).all()
    assert (change["AP"] < 0).sum() == 4
