"""Attacks on what takes scores: refused with a message that names what and where, or right."""

import re
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import irstd

VALUES = np.random.default_rng(0).integers(1, 60, (6, 12)) / 64  # exact in single precision too
SCORES = pd.DataFrame(
    VALUES,
    pd.Index([str(topic) for topic in range(301, 307)], name="topic"),
    pd.Index([f"s{i:02}" for i in range(12)], name="system"),
)
BOTH = pd.concat({"AP": SCORES, "RR": 1 - SCORES}, axis=1, names=["metric", "system"])
GAP = SCORES.copy()
GAP.loc["303", "s04"] = np.nan
pytestmark = pytest.mark.filterwarnings("ignore:epsilon is .*, less than a hundredth")
X = SCORES.mean()

# What takes one score matrix, and whether it takes several metrics, and gaps.
TAKE = {
    "standardize": (irstd.standardize, True, True),
    "standardization_factors": (irstd.standardization_factors, True, True),
    "gmap": (irstd.gmap, True, True),
    "leaderboard": (irstd.leaderboard, True, True),
    "rank_intervals": (lambda s: irstd.rank_intervals(s, trials=9), False, True),
    "topic_influence": (irstd.topic_influence, False, True),
    "topic_difficulty": (irstd.topic_difficulty, False, False),
    "item_total_correlation": (irstd.item_total_correlation, False, False),
}
every = pytest.mark.parametrize("name", TAKE)


def numbers(found):
    """The numbers of any result, to compare."""
    if isinstance(found, irstd.Factors):
        return np.column_stack([found.mean, found.sd])
    return found.to_numpy(dtype=float)


REFUSED = {
    "no frame": (VALUES, TypeError, "must be a score matrix .*, got ndarray"),
    "no system": (SCORES.iloc[:, :0], ValueError, "scores is empty: 6 topics x 0 systems"),
    "text": (SCORES.astype(str), TypeError, r"not so in the column s00 \((str|object)\)"),
    "categories": (SCORES.astype("category"), TypeError, r"column s00 \(category\)"),
    "infinite": (SCORES.replace(VALUES[2, 4], np.inf), ValueError, "at topic 303, system s04"),
    "huge": (SCORES * 1e308, ValueError, r"must be between -1e\+100 and 1e\+100"),
    "twice": (SCORES.set_axis([1, "1", *range(10)], axis=1), ValueError, "system 1 more than once"),
    "no name": (SCORES.set_axis([None, *range(11)], axis=1), ValueError, "system without a name"),
    "three levels": (
        pd.concat({"a": BOTH}, axis=1), ValueError, r"ids \(metric, system\)|of one metric",
    ),
}  # fmt: skip


@every
@pytest.mark.parametrize("what", REFUSED)
def test_what_is_no_score_matrix_is_refused(name, what):
    scores, error, message = REFUSED[what]
    with pytest.raises(error, match=message):
        TAKE[name][0](scores)


@every
def test_several_metrics_are_answered_per_metric_or_refused(name):
    function, several, _ = TAKE[name]
    if not several:
        with pytest.raises(ValueError, match=r'one metric: choose it, as in scores\["AP"\]'):
            function(BOTH)
        return
    found = function(BOTH.sort_index(axis=1, level="system"))
    for metric in ("AP", "RR"):
        part = found.loc[metric] if name == "leaderboard" else found[metric]
        np.testing.assert_allclose(numbers(part), numbers(function(BOTH[metric])), rtol=1e-12)


@every
def test_gaps_are_refused_or_said(name):
    function, _, gaps = TAKE[name]
    if gaps:
        with pytest.warns(UserWarning, match="on the topics 303"):
            function(GAP)
    else:
        with pytest.raises(ValueError, match=r"\(NaN\) on the topics 303, of the systems s04"):
            function(GAP)


SAME = {
    "float32": SCORES.astype("float32"),
    "Float64": SCORES.astype("Float64"),
    "one-level MultiIndex": SCORES.set_axis(pd.MultiIndex.from_arrays([SCORES.columns]), axis=1),
    "integer topics": SCORES.set_axis(SCORES.index.astype(int)),
    "categories as topics": SCORES.set_axis(pd.CategoricalIndex(SCORES.index)),
    "read-only": SCORES.copy(),
    "sparse": SCORES.astype(pd.SparseDtype(float)),
}
SAME["read-only"].to_numpy().flags.writeable = False


@every
@pytest.mark.parametrize("form", SAME)
def test_the_same_scores_in_another_form(name, form):
    function = TAKE[name][0]
    found, expected = numbers(function(SAME[form])), numbers(function(SCORES))
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("kind", ["Int64", bool])
def test_whole_numbers_of_any_kind(kind):
    whole = SCORES.round().astype(int)
    found = irstd.standardize(whole.astype(kind), method="z")
    pd.testing.assert_frame_equal(found, irstd.standardize(whole.astype(float), method="z"))


def test_ids_that_differ_only_in_what_follows_them_stay_apart():
    index = ["1", "1\0", "1 ", "١", "01", "1.0"]
    found = irstd.standardize(SCORES.set_axis(index))
    assert found.index.tolist() == index


@pytest.mark.parametrize(
    ("x", "error", "message"),
    [
        (np.ma.array(X, mask=[1] + [0] * 11), TypeError, "x is a masked array"),
        (X.astype(object), TypeError, "x must be real numbers, got object"),
        (X + 1j, TypeError, "x must be real numbers, got complex128"),
        (X.where(X.index != "s03"), ValueError, "x is missing .* on the systems s03"),
        (X * 1e308, ValueError, r"x is missing .* between -1e\+100 and 1e\+100"),
        (X.rename({"s00": "s01"}), ValueError, "x has the system s01 more than once"),
        (X[:5], ValueError, "must be of the same systems; only y has s05, s06, s07"),
        (X.to_numpy()[:5], ValueError, "must be of the same systems, got 5 and 12"),
        (X.to_frame(), ValueError, "x must be the scores of 2 systems or more"),
    ],
)
def test_what_is_no_list_of_scores_is_refused(x, error, message):
    with pytest.raises(error, match=message):
        irstd.rank_correlation(x, X)


@pytest.mark.parametrize(
    ("epsilon", "error"), [(np.nan, ValueError), ("0.1", TypeError), (True, TypeError)]
)
def test_epsilons_are_checked(epsilon, error):
    for function in (irstd.gmap, irstd.leaderboard):
        with pytest.raises(error, match="epsilon must be"):
            function(SCORES, epsilon=epsilon)


@pytest.mark.parametrize(
    ("reference", "error", "message"),
    [
        (VALUES, TypeError, "reference must be a score matrix"),
        (SCORES.iloc[:0], ValueError, "reference is empty"),
        (SCORES.set_axis(list("abcdef")), ValueError, "no topic in common: scores has 301"),
        (BOTH, ValueError, "must be of the same metrics; scores has a single one without a name"),
        (irstd.standardization_factors(BOTH), ValueError, "must be of the same metrics"),
    ],
)
def test_references_are_checked(reference, error, message):
    for function in (irstd.standardize, irstd.leaderboard):
        with pytest.raises(error, match=message):
            function(SCORES, reference=reference)


@pytest.mark.filterwarnings("ignore:.*(missing|lack scores|score the same) on the topics")
@pytest.mark.parametrize("shape", [(1, 1), (1, 2), (2, 1), (2, 2), (6, 12)])
@pytest.mark.parametrize("kind", ["flat", "zero", "no score of a system", "no score of a topic"])
def test_degenerate_matrices_give_no_warning_of_numpy_and_no_infinity(shape, kind):
    """Or a refusal that says how many are needed; any other warning is a failure."""
    scores = SCORES.iloc[: shape[0], : shape[1]].copy()
    if kind in ("flat", "zero"):
        scores[:] = 0.3 if kind == "flat" else 0.0
    elif kind == "no score of a system":
        scores["s00"] = np.nan
    else:
        scores.iloc[0] = np.nan
    said = r"or more, scores has|missing \(NaN\)|none at all of|no differences between"
    for function, _, _ in TAKE.values():
        try:
            assert not np.isinf(numbers(function(scores))).any()
        except ValueError as error:
            if not re.search(said, str(error)):
                raise
    for method in ("z", "normal", "uniform", "ecdf", "max", "centre"):
        assert not np.isinf(irstd.standardize(scores, method=method).to_numpy()).any()


@pytest.mark.parametrize("epsilon", [0, 5e-324, 1e-200, 1e-5, 1e200, 1.7e308, np.inf])
def test_gmap_of_any_epsilon_lies_between_the_least_score_and_the_mean(epsilon):
    scores = SCORES + 0.01
    found = irstd.gmap(scores, epsilon)
    assert (found >= scores.min() * (1 - 1e-12)).all()
    assert (found <= scores.mean() * (1 + 1e-12)).all()
    if epsilon == 0:
        np.testing.assert_allclose(found, stats.gmean(scores))


def test_inputs_are_left_as_they_were():
    before, columns = BOTH.copy(), BOTH.columns.copy()
    for function, several, _ in TAKE.values():
        with warnings.catch_warnings(action="ignore"):
            function(BOTH if several else BOTH["AP"])
    pd.testing.assert_frame_equal(BOTH, before)
    assert BOTH.columns.identical(columns)


UNITS = [2.0**300, 2.0**-600, 2.0**-1000]
SCALED = {
    "standardize": irstd.standardize,
    "item_total_correlation": irstd.item_total_correlation,
    "rank": lambda s: irstd.leaderboard(s)[["rank"]].sort_index(),
    "tau": lambda s: pd.Series(irstd.rank_correlation(s.mean(), X)),
    "pearson": lambda s: pd.Series(irstd.rank_correlation(s.mean(), X, "pearson")),
    "false_positives": lambda s: irstd.false_positives(s, s[::-1] / 2)[["statistic", "pvalue"]],
    "trisk": lambda s: irstd.risk(s, alpha=1, kind="trisk"),
    "spread": lambda s: irstd.spread(s) / s.max(axis=None),
    "rectify": lambda s: irstd.rectify(s[:5], SCORES**2)[["mean", "high"]] / s.max(axis=None),
    "judge": lambda s: irstd.rectify(SCORES[:5], s + s.max(axis=None))[["mean", "high"]],
}


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("name", SCALED)
def test_no_square_is_lost_or_too_large(name, unit):
    """RBP.5 of one document at rank 900 is 2**-900. NumPy says nothing: a warning is an error."""
    found, expected = SCALED[name](SCORES * unit), SCALED[name](SCORES)
    np.testing.assert_allclose(found.astype(float), expected.astype(float), rtol=1e-9)
