"""What functions of scores are given by mistake or malice: refused clearly, or right."""

import re
from functools import partial

import numpy as np
import pandas as pd
import pytest
from test_metamorphic import CASES

import irstd
from irstd.significance.pair_tests import METHODS
from irstd.standardize import METHODS as WAYS_TO_STANDARDIZE

VALUES = np.random.default_rng(0).integers(1, 60, (9, 4)) / 64  # exact in single precision too
TOPICS = pd.Index([str(topic) for topic in range(301, 310)], name="topic")
SCORES = pd.DataFrame(VALUES, TOPICS, pd.Index(["s0", "s1", "s2", "s3"], name="system"))
OTHER = (1 - SCORES).set_axis(TOPICS.astype(int) + 100)
BOTH = pd.concat({"AP": SCORES, "RR": 1 - SCORES}, axis=1, names=["metric", "system"])
GAP = SCORES.mask(SCORES.loc["303", "s1"] == SCORES)
A, B = SCORES["s0"], SCORES["s1"]
X = SCORES.mean()
pytestmark = pytest.mark.filterwarnings("ignore:epsilon is .*, less than a hundredth")

# Functions of one score matrix: that say gaps, of these some of several metrics, and the others.
GAPS = "rank_intervals topic_influence gmap leaderboard".split()
SHARES = ["borda"]  # of the systems that have a score
SEVERAL = "standardize standardization_factors".split()
COMPLETE = """spread share_above break_ties factor_sampling gmap_curve item_total_correlation
    pairwise_tests swap_rate topic_difficulty""".split()
NAMES = [*SEVERAL, *GAPS, *SHARES, *COMPLETE]
TAKE = {name: partial(CASES[name], unit=1.0) for name in NAMES}
TAKE |= {
    "standardization_factors": lambda s: irstd.standardization_factors(s).sd,
    "factor_sampling by": lambda s: irstd.factor_sampling(SCORES, s, sizes=[2], trials=3),
    "drmse": lambda s: irstd.drmse(OTHER, s),
    "false_positives": lambda s: irstd.false_positives(s, OTHER),
    "compare_collections": lambda s: irstd.compare_collections({"x": s, "y": OTHER}, trials=3),
    "variance_components": irstd.variability.variance_components,
}
every = pytest.mark.parametrize("name", TAKE)


def numbers(found):
    """The numbers of any result, to compare."""
    if isinstance(found, pd.DataFrame):
        found = found.select_dtypes("number").to_numpy(dtype=float, na_value=np.nan)
    return np.asarray(found, dtype=float)


REFUSED = {
    "no frame": (VALUES, TypeError, "must be a score matrix .*, got ndarray|must be "),
    "a row per system": (SCORES.T, ValueError, r"has one row per system: give .+\.T"),
    "text": (SCORES.astype(str), TypeError, r"column s0 is of dtype (str|object): let irstd"),
    "a mean below": (
        pd.concat([SCORES, SCORES.mean().to_frame("mean").T]),
        ValueError,
        "'mean' is a summary row, not a topic",
    ),
    "infinite": (
        SCORES.replace(VALUES[2, 3], np.inf),
        ValueError,
        "infinite or larger on topic 303, for system s3",
    ),
    "twice": (SCORES.set_axis([1, "1", 2, 3], axis=1), ValueError, "system '1' more than once"),
    "no name": (SCORES.set_axis([None, 1, 2, 3], axis=1), ValueError, "system without a name"),
}


@every
@pytest.mark.parametrize("what", REFUSED)
def test_what_is_no_score_matrix_is_refused(name, what):
    scores, error, message = REFUSED[what]
    with pytest.raises(error, match=message):
        TAKE[name](scores)


@every
def test_several_metrics_are_answered_per_metric_or_refused(name):
    function = TAKE[name]
    if name not in SEVERAL:
        with pytest.raises(ValueError, match=r'several metrics: choose one, as in .*\["AP"\]'):
            function(BOTH)
        return
    found = function(BOTH.sort_index(axis=1, level="system"))
    assert "metric" in [*found.index.names, *found.axes[-1].names]
    for metric in ("AP", "RR"):
        alone = function(BOTH[metric])
        part_numbers = numbers(found[metric]).ravel()
        np.testing.assert_allclose(part_numbers, numbers(alone).ravel(), rtol=1e-12)


@every
def test_gaps_are_refused_or_said(name):
    if name in [*SEVERAL, *GAPS]:
        with pytest.warns(UserWarning, match="on topic 303|NaN there: 303"):
            TAKE[name](GAP)
    elif name in SHARES:
        assert numbers(TAKE[name](GAP)).all()
    else:
        with pytest.raises(ValueError, match=r"\(NaN\) on topic 303, for system s1"):
            TAKE[name](GAP)


@pytest.mark.parametrize(
    ("x", "error", "message"),
    [
        (np.ma.array(X, mask=[1, 0, 0, 0]), TypeError, "x must not be a masked array"),
        (X.astype(object), TypeError, "x must be real numbers, .*dtype object"),
        (X.where(X.index != "s3"), ValueError, "x must be numbers.* item s3"),
        (X * 1e308, ValueError, r"x must be numbers between -1e\+75 and 1e\+75"),
        (X.rename({"s0": "s1"}), ValueError, "x has the item 's1' more than once"),
        (X[:2], ValueError, "must have the same items; only y has items s2, s3"),
    ],
)
def test_what_is_no_list_of_scores_is_refused(x, error, message):
    with pytest.raises(error, match=message):
        irstd.rank_correlation(x, X)


OF_TWO = "paired_test f_test levene_test paired_levene_test".split()


@pytest.mark.parametrize(
    ("sample", "error", "message"),
    [
        (np.ma.array([0.1, 0.2, 0.9], mask=[0, 0, 1]), TypeError, "a must not be a masked array"),
        (np.array([1, 2, 3], "datetime64[D]"), TypeError, "a must be real numbers"),
        ([0.1, np.nan, 0.9], ValueError, "a must be numbers between"),
        ([0.1], ValueError, "a must have one number for each of at least [23] topics"),
        (pd.Series([0.1, 0.2, 0.3], ["1", "1", "2"]), ValueError, "a has the topic '1' more than"),
    ],
)
def test_samples_that_numpy_would_turn_into_numbers_are_refused(sample, error, message):
    for name in OF_TWO:
        with pytest.raises(error, match=message):
            getattr(irstd, name)(sample, [0.1, 0.3, 0.5])


@pytest.mark.parametrize(
    ("reference", "error", "message"),
    [
        (VALUES, TypeError, "reference must be a score matrix"),
        (SCORES.iloc[:0], ValueError, "reference is empty"),
        (
            SCORES.set_axis(list("abcdefghi")),
            ValueError,
            "no topic in common: scores has topics 301",
        ),
        (BOTH, ValueError, "scores has no metric name"),
        (
            irstd.standardization_factors(BOTH),
            ValueError,
            "reference has AP, RR",
        ),
    ],
)
def test_references_are_checked(reference, error, message):
    for function in (irstd.standardize, irstd.leaderboard):
        with pytest.raises(error, match=message):
            function(SCORES, reference=reference)


@pytest.mark.filterwarnings("ignore:.*(missing on |(no score|score the same) on topic)")
@pytest.mark.parametrize("shape", [(1, 1), (1, 2), (2, 1), (9, 4)])
@pytest.mark.parametrize("kind", ["flat", "zero", "no score of a system", "no score of a topic"])
def test_degenerate_matrices_give_no_warning_of_numpy_and_no_infinity(shape, kind):
    """Or a refusal that says how many are needed; any other warning is a failure."""
    scores = SCORES.iloc[: shape[0], : shape[1]].copy()
    if kind == "flat":
        scores[:] = 0.3
    elif kind == "zero":
        scores[:] = 0.0
    elif kind == "no score of a system":
        scores["s0"] = np.nan
    else:
        scores.iloc[0] = np.nan
    said = r"scores must have at least|missing scores \(NaN\)|are missing \(NaN\)|must differ"
    for name in [*SEVERAL, *GAPS, *SHARES, "topic_difficulty", "item_total_correlation"]:
        try:
            found = numbers(TAKE[name](scores))
            assert not np.isinf(found).any()
        except ValueError as error:
            if not re.search(said, str(error)):
                raise
    for method in WAYS_TO_STANDARDIZE:
        if method == "collection" and kind.startswith("no score"):
            continue  # refused where no topic has the scores of all systems
        standardized = irstd.standardize(scores, method=method).to_numpy()
        assert not np.isinf(standardized).any()


@pytest.mark.parametrize("method", METHODS)
def test_a_copy_of_a_system_is_not_told_from_it(method):
    """On paper: .1 + .2 is not .3 in doubles."""
    paper = pd.DataFrame({"a": [0.1 + 0.2, 0.7, 0.5, 0.2], "b": [0.3, 0.7, 0.5, 0.2]})
    found = irstd.pairwise_tests(paper, method, trials=99)
    assert found["pvalue"].item() == 1
