"""Functions of relevance grades by rank as metrics."""

from functools import partial

import numpy as np
import pytest

import irstd

QRELS = {"1": {"a": 2, "b": 0, "c": 1}}
RUN = {"m": {"1": {"a": 3.0, "x": 2.0, "c": 1.0}}}


def test_own_metrics_see_grades_by_rank_whatever_others_write(recwarn):
    def binary(grades):
        grades[grades > 0] = 1
        return grades[:5].mean()

    def seen(grades):
        assert grades.tolist() == [2, 0, 1]
        return grades[0] / 4

    scores = irstd.evaluate(RUN, QRELS, ["P@4", {"binary": binary}, seen, "AP(rel=2)"])
    assert scores.columns.get_level_values(0).tolist() == ["P@4", "binary", "seen", "AP(rel=2)"]
    assert scores.loc["1"].tolist() == [0.5, 2 / 3, 0.5, 1]
    at_level = irstd.evaluate(RUN, QRELS, {"nJDCG": np.sum}, min_relevance=2)
    assert at_level["nJDCG"].iat[0, 0] == 2
    assert not recwarn  # of what the name means elsewhere


def test_own_metrics_may_return_truths_and_numbers_of_numpy():
    metrics = {"bool": lambda g: bool(g[0]), "array": lambda g: np.array(0.5), "n": np.sum}
    scores = irstd.evaluate(RUN, QRELS, metrics | {"any": lambda g: (g > 0).any()})
    assert scores.loc["1"].tolist() == [1.0, 0.5, 3.0, 1.0]


@pytest.mark.parametrize(("missing", "value"), [("zero", 0), ("nan", np.nan)])
@pytest.mark.filterwarnings("ignore:evaluate. topics missing from a run")
def test_own_metrics_are_not_asked_of_missing_topics(missing, value):
    metrics = {"p": lambda grades: 1 / len(grades)}
    scores = irstd.evaluate(RUN, QRELS | {"2": {"a": 1}}, metrics, missing=missing)
    np.testing.assert_equal(scores["p"]["m"].to_numpy(), [1 / 3, value])


@pytest.mark.parametrize(
    ("metrics", "message"),
    [
        (partial(np.mean), "a metric name, as in"),
        ({"": len}, "a metric name, as in"),
        ({"mine": 3}, "'mine' must be a function"),
        *(
            ({"mine": lambda grades, answer=answer: answer}, "mine must be")
            for answer in ("text", None, 1j, [1, 2], {"a": "text"}, np.array([[1.0]]), np.nan)
        ),
        ([len, len], "different names"),
        ([], "one or more"),
        ("RBP.99999999999999999", "unknown metric"),  # rounds to 1
    ],
)
def test_own_metrics_are_named_and_give_finite_numbers(metrics, message):
    with pytest.raises((TypeError, ValueError), match=message):
        irstd.evaluate(RUN, QRELS, metrics)
