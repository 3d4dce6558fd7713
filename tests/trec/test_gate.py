"""Metrics of one's own, labels and numbers that are refused before anything is scored."""

import numpy as np
import pandas as pd
import pytest

import irstd

QRELS = {"1": {"a": 2, "b": 0, "c": 1}}
RUN = {"m": {"1": {"a": 3.0, "x": 2.0, "c": 1.0}}}


def test_own_metrics_do_not_see_what_others_write():
    def binary(grades):
        grades[grades > 0] = 1
        return grades[:5].mean()

    def gain(grades):
        return (2**grades - 1).sum()

    one = irstd.evaluate(RUN, QRELS, {"gain": gain, "binary": binary})
    other = irstd.evaluate(RUN, QRELS, {"binary": binary, "gain": gain})
    assert one["gain"]["m"].tolist() == other["gain"]["m"].tolist() == [4.0]


def test_own_metrics_may_return_truths_and_numbers_of_numpy():
    metrics = {"any": lambda g: (g > 0).any(), "bool": lambda g: bool(g[0]), "n": lambda g: g.sum()}
    scores = irstd.evaluate(RUN, QRELS, metrics | {"array": lambda g: np.array(0.5)})
    assert scores.loc["1"].tolist() == [1.0, 1.0, 3.0, 0.5]


def test_own_metrics_are_named_and_give_numbers():
    from functools import partial

    with pytest.raises(ValueError, match="the name of a metric"):
        irstd.evaluate(RUN, QRELS, partial(np.mean))
    assert irstd.evaluate(RUN, QRELS, {"mean": partial(np.mean)}).shape == (1, 1)
    with pytest.raises(TypeError, match="text must be a number, got"):
        irstd.evaluate(RUN, QRELS, {"text": str})


def test_a_persistence_that_rounds_to_1_is_refused():
    with pytest.raises(ValueError, match="unknown metric"):
        irstd.evaluate(RUN, QRELS, "RBP.99999999999999999")


def test_labels_are_refused_that_count_twice_or_need_a_huge_square():
    one = {"1": {"a": 1}}
    twice = pd.DataFrame({"query_id": ["1", "1"], "doc_id": ["a", "a"], "relevance": [1, 0]})
    with pytest.raises(ValueError, match="twice"):
        irstd.judges.compare_labels(twice, one)
    many = {"1": {f"d{k}": k for k in range(1000)}}
    with pytest.raises(ValueError, match="a and b have 1000 grades"):
        irstd.judges.compare_labels(many, many)
    number = pd.DataFrame({"query_id": [1], "doc_id": ["a"], "relevance": [1]})
    two = pd.concat([number, number.assign(doc_id="b", relevance=0)])
    assert irstd.judges.compare_labels(two, {"1": {"a": 1, "b": 0}}).documents == 2
