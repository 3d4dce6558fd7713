"""Attacks on what takes scores: refused with a message that names what and where, or right."""

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
    "topic_difficulty": (irstd.topic_difficulty, False, False),
    "item_total_correlation": (irstd.item_total_correlation, False, False),
}
every = pytest.mark.parametrize("name", TAKE)


def numbers(found):
    """The numbers of any result, to compare."""
    if isinstance(found, irstd.Factors):
        return np.column_stack([found.mean, found.sd])
    return found.to_numpy(dtype=float)


THREE = pd.MultiIndex.from_product([["a"], ["b"], SCORES.columns])
TWICE = pd.MultiIndex.from_product([["AP", "RR"], ["1", 1, *"abcd"]])
REFUSED = {
    "no frame": (VALUES, TypeError, "must be a score matrix .*, got ndarray"),
    "None": (None, TypeError, "must be a score matrix .*, got NoneType"),
    "no system": (SCORES.iloc[:, :0], ValueError, "scores is empty: 6 topics x 0 systems"),
    "objects": (SCORES.astype(object), TypeError, r"not so in the column s00 \(object\)"),
    "categories": (SCORES.astype("category"), TypeError, r"column s00 \(category\)"),
    "infinite": (SCORES.replace(VALUES[2, 4], np.inf), ValueError, "at topic 303, system s04"),
    "huge": (SCORES * 1e308, ValueError, r"must be between -1e\+100 and 1e\+100"),
    "twice": (SCORES.set_axis([1, *range(1, 12)], axis=1), ValueError, "system 1 more than once"),
    "no name": (
        SCORES.set_axis([None, *range(11)], axis=1),
        ValueError,
        r"a system without a name",
    ),
    "three levels": (SCORES.set_axis(THREE, axis=1), ValueError, r"ids \(metric, system\)|of one"),
    "a column twice": (SCORES.set_axis(TWICE, axis=1), ValueError, "column .*AP.* more|of one"),
}


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
    interleaved = BOTH.sort_index(axis=1, level="system")
    found = function(interleaved)
    for metric in ("AP", "RR"):
        alone = function(BOTH[metric])
        if isinstance(found, irstd.Factors):
            part = found[metric]
        else:
            part = (
                found[metric]
                if isinstance(found, pd.Series) or name == "standardize"
                else found.loc[metric]
            )
        np.testing.assert_allclose(numbers(part), numbers(alone), rtol=1e-12)


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
    "one-level rows": SCORES.set_axis(pd.MultiIndex.from_arrays([SCORES.index])),
    "integer topics": SCORES.set_axis(SCORES.index.astype(int)),
    "np.str_ topics": SCORES.set_axis(pd.Index([np.str_(t) for t in SCORES.index], dtype=object)),
    "categories as topics": SCORES.set_axis(pd.CategoricalIndex(SCORES.index)),
    "Fortran order": pd.DataFrame(np.asfortranarray(VALUES), SCORES.index, SCORES.columns),
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


@pytest.mark.parametrize("kind", [int, "Int64", "int8", bool, "boolean"])
def test_whole_numbers_of_any_kind(kind):
    whole = SCORES.round().astype(int)
    found = irstd.standardize(whole.astype(kind), method="z")
    pd.testing.assert_frame_equal(found, irstd.standardize(whole.astype(float), method="z"))


def test_ids_that_differ_only_in_what_follows_them_stay_apart():
    index = ["1", "1\0", "1 ", "١", "01", "1.0"]
    found = irstd.standardize(SCORES.set_axis(index))
    assert found.index.tolist() == index
    np.testing.assert_allclose(found, irstd.standardize(SCORES))


def test_missing_nullable_scores_are_missing():
    with pytest.warns(UserWarning, match="missing on the topics 303"):
        found = irstd.standardize(GAP.astype("Float64"))
    assert np.isnan(found.loc["303", "s04"])
    assert found.isna().to_numpy().sum() == 1


@pytest.mark.parametrize("function", [irstd.rank_correlation])
@pytest.mark.parametrize(
    ("x", "error", "message"),
    [
        (np.ma.array(X, mask=[1] + [0] * 11), TypeError, "x is a masked array"),
        (X.astype(str), TypeError, "x must be real numbers, got (str|object)"),
        (X.astype(object), TypeError, "x must be real numbers, got object"),
        (X + 1j, TypeError, "x must be real numbers, got complex128"),
        (X.map(pd.Timestamp), TypeError, "x must be real numbers, got datetime64"),
        (
            X.where(X.index != "s03").astype("Float64"),
            ValueError,
            "x is missing .* on the systems s03",
        ),
        (X.rename({"s00": "s01"}), ValueError, "x has the system s01 more than once"),
        (X[:5], ValueError, "must be of the same systems; only y has s05, s06, s07"),
        (X.to_frame(), ValueError, "x must be the scores of 2 systems or more"),
        (X * 1e308, ValueError, r"x must be between -1e\+100 and 1e\+100"),
        (3.0, ValueError, "x must be the scores of 2 systems or more"),
        ({1: 2}, TypeError, "x must be real numbers, got object"),
    ],
)
def test_what_is_no_list_of_scores_is_refused(function, x, error, message):
    with pytest.raises(error, match=message):
        function(x, X)


@pytest.mark.parametrize(
    ("epsilon", "error", "message"),
    [
        (np.nan, ValueError, "epsilon must be at least 0, got nan"),
        ("0.1", TypeError, "epsilon must be a number, got '0.1'"),
        ([1, 2], TypeError, "epsilon must be a number"),
        (True, TypeError, "epsilon must be a number, got True"),
    ],
)
@pytest.mark.parametrize("function", [irstd.gmap, irstd.leaderboard])
def test_epsilons_are_checked(function, epsilon, error, message):
    with pytest.raises(error, match=message):
        function(SCORES, epsilon=epsilon)


@pytest.mark.parametrize(
    ("reference", "error", "message"),
    [
        (VALUES, TypeError, "reference must be a score matrix"),
        (SCORES.astype(str), TypeError, "reference must be numbers"),
        (SCORES.iloc[:0], ValueError, "reference is empty"),
        (SCORES.set_axis(list("abcdef")), ValueError, "no topic in common: scores has 301"),
        (BOTH, ValueError, "must be of the same metrics; scores has a single one without a name"),
        (irstd.standardization_factors(BOTH), ValueError, "must be of the same metrics"),
    ],
)
@pytest.mark.parametrize("function", [irstd.standardize, irstd.leaderboard])
def test_references_are_checked(function, reference, error, message):
    with pytest.raises(error, match=message):
        function(SCORES, reference=reference)


@pytest.mark.filterwarnings("ignore:.*(missing|lack scores|score the same) on the topics")
@pytest.mark.filterwarnings("ignore:epsilon is")
@pytest.mark.parametrize("n", [1, 2, 6])
@pytest.mark.parametrize("m", [1, 2, 12])
@pytest.mark.parametrize(
    "kind", ["any", "flat", "zero", "no score of a system", "no score of a topic"]
)
def test_degenerate_matrices_give_no_warning_of_numpy_and_no_infinity(n, m, kind):
    """Or a refusal that says how many are needed; any other warning is a failure."""
    scores = SCORES.iloc[:n, :m].copy()
    if kind in ("flat", "zero"):
        scores[:] = 0.3 if kind == "flat" else 0.0
    elif kind == "no score of a system":
        scores["s00"] = np.nan
    elif kind == "no score of a topic":
        scores.iloc[0] = np.nan
    for function, _, gaps in TAKE.values():
        try:
            found = numbers(function(scores))
        except ValueError as error:
            said = str(error)
            if "or more, scores has" not in said and (gaps or "missing (NaN)" not in said):
                raise
        else:
            assert not np.isinf(found).any()
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
            function(BOTH if several else SCORES)
    pd.testing.assert_frame_equal(BOTH, before)
    assert BOTH.columns.identical(columns)


@pytest.mark.parametrize("p", [1e-300, 1e-150, 1e-30])
def test_scores_as_tiny_as_those_of_a_small_persistence(p):
    """RBP.5 of one document at rank 900 is 2**-900; a topic may have nothing better."""
    tiny = SCORES * p
    np.testing.assert_allclose(irstd.standardize(tiny), irstd.standardize(SCORES), rtol=1e-9)
    np.testing.assert_allclose(
        irstd.item_total_correlation(tiny), irstd.item_total_correlation(SCORES)
    )
    for method in ("tau", "pearson"):
        assert irstd.rank_correlation(tiny.mean(), X, method) == pytest.approx(1)
    assert irstd.leaderboard(tiny)["rank"].equals(irstd.leaderboard(SCORES)["rank"])


SCALED = {
    "spread": irstd.spread,
    "false_positives": lambda s: irstd.false_positives(s, s[::-1] / 2)[["statistic", "pvalue"]],
    "trisk": lambda s: irstd.risk(s, alpha=1, kind="trisk"),
}


@pytest.mark.parametrize("unit", [2.0**300, 2.0**-600, 2.0**-1000])
@pytest.mark.parametrize("name", SCALED)
def test_no_square_is_lost_or_too_large(name, unit):
    """And NumPy says nothing: a warning is an error here."""
    found, expected = SCALED[name](SCORES * unit), SCALED[name](SCORES)
    expected = expected * unit if name == "spread" else expected
    np.testing.assert_allclose(found, expected, rtol=1e-9)


@pytest.mark.parametrize("unit", [2.0**300, 2.0**-600, 2.0**-1000])
def test_rectified_means_of_any_size(unit):
    judge = SCORES**2 + 0.1
    human = SCORES.iloc[:5]
    found, expected = irstd.rectify(human * unit, judge), irstd.rectify(human, judge)
    np.testing.assert_allclose(found, expected * unit, rtol=1e-9)
    same = irstd.rectify(human, judge * unit).drop(columns="weight")
    np.testing.assert_allclose(same, expected.drop(columns="weight"), rtol=1e-9)
