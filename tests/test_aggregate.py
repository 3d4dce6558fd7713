"""GMAP against the example of RM08, trec_eval and its formulas in many digits; leaderboard."""

import warnings
from decimal import Decimal, localcontext
from fractions import Fraction
from math import prod

import numpy as np
import pandas as pd
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

import irstd

SMALL = "ignore:epsilon is .*, less than a hundredth:UserWarning"


def matrix(values):
    values = np.asarray(values, dtype=float)
    index = pd.Index([str(i) for i in range(len(values))], name="topic")
    columns = pd.Index([f"s{i}" for i in range(values.shape[1])], name="system")
    return pd.DataFrame(values, index, columns)


def exactly(values, epsilon, adjust="uniform"):
    """The formula in many digits, by the standard library's decimal."""
    with localcontext() as context:
        context.prec = 350
        e, x = Decimal(epsilon), [Decimal(float(value)) for value in values]
        if adjust == "zeros":
            x = [v or e for v in x]
        elif adjust == "floor":
            x = [max(v, e) for v in x]
        else:
            x = [v + e for v in x]
        mean = prod(x) ** (1 / Decimal(len(x)))
        return float(mean - e if adjust == "uniform" else mean)


def test_the_worked_example_of_rm08():
    scores = matrix([[0.05, 0.10], [0.75, 0.70]])
    assert scores.mean().round(2).tolist() == [0.40, 0.40]
    assert irstd.gmap(scores, 0).round(2).tolist() == [0.19, 0.26]
    assert irstd.gmap(scores, np.inf).tolist() == pytest.approx([0.4, 0.4])


@pytest.mark.filterwarnings(SMALL)
@given(
    arrays(float, (5, 2), elements=st.sampled_from([0, 1e-300, 1e-9, 0.05, 0.5, 1 - 1e-16, 1])),
    st.sampled_from([1e-300, 1e-120, 1e-90, 1e-5, 0.01, 1.0, 1e3, 1e12]),
    st.sampled_from(["uniform", "zeros", "floor"]),
)
def test_the_formulas_in_many_digits(values, epsilon, adjust):
    """Where the mean is below epsilon, its error is relative to epsilon."""
    scores = matrix(values)
    found = irstd.gmap(scores, epsilon, adjust=adjust)
    for system in scores:
        expected = exactly(scores[system], epsilon, adjust)
        assert found[system] == pytest.approx(expected, rel=1e-12, abs=1e-12 * min(epsilon, 1))


def test_a_large_epsilon_tends_to_the_mean_without_loss_of_precision():
    scores = irstd.load_dataset("sim-trec8")
    for epsilon in (1e6, 1e9, 1e12, 1e15):
        found = irstd.gmap(scores, epsilon)
        np.testing.assert_allclose(found, scores.mean(), atol=1 / epsilon, rtol=1e-12)
    np.testing.assert_allclose(irstd.gmap(scores, np.inf), scores.mean(), rtol=1e-14)


@pytest.mark.filterwarnings(SMALL)
@given(arrays(float, (6, 3), elements=st.floats(0, 1)), st.floats(1e-9, 10))
def test_gmap_lies_between_the_least_score_and_the_mean_and_grows_with_epsilon(values, epsilon):
    scores = matrix(values)
    found = irstd.gmap(scores, epsilon)
    assert (found <= scores.mean() + 1e-12).all()
    assert (found >= scores.min() - 1e-12).all()
    assert (irstd.gmap(scores, 2 * epsilon) >= found - 1e-12).all()


def check_gm_map(runs, qrels):
    """Oracle: trec_eval's gm_map, which is exp of the mean over topics of log max(AP, 1e-5)."""
    judged = nested(qrels, "relevance")
    scores = irstd.evaluate(runs, qrels, "AP")
    floor, uniform = irstd.gmap(scores, adjust="floor"), irstd.gmap(scores, 0.01)
    evaluator = pytrec_eval.RelevanceEvaluator(judged, {"gm_map"})
    for system, run in runs.items():
        places = run.groupby("query_id")["score"].rank(method="dense")  # it rounds scores
        found = evaluator.evaluate(nested(run.assign(score=places), "score"))
        logs = [found[topic]["gm_map"] if topic in found else np.log(1e-5) for topic in judged]
        assert floor[system] == pytest.approx(np.exp(np.mean(logs)), abs=1e-9)
        formula = np.exp(np.mean(np.log(scores[system] + 0.01))) - 0.01
        assert uniform[system] == pytest.approx(formula, abs=1e-9)


def nested(frame, value):
    return {
        topic: dict(zip(part["doc_id"], part[value].tolist(), strict=True))
        for topic, part in frame.groupby("query_id")
    }


@pytest.mark.filterwarnings(SMALL)
def test_floor_is_trec_evals_gm_map():
    collection = irstd.simulate_campaign()["sim-robust2003"]
    systems = collection.systems.index[collection.systems["original"]][:3]
    check_gm_map({system: collection.run(system) for system in systems}, collection.qrels())


@pytest.mark.filterwarnings("ignore:evaluate:UserWarning")
def test_floor_is_trec_evals_gm_map_on_real_runs(trec_data):
    runs = irstd.read_runs(trec_data / "trectools" / "runs")
    check_gm_map(runs, irstd.read_qrels(trec_data / "trectools" / "qrels" / "robust03_qrels.txt"))


def test_a_larger_epsilon_orders_trec_8_more_as_the_mean_does(trec_data):
    scores = irstd.load_dataset("trec8")
    taus = [irstd.rank_correlation(scores.mean(), irstd.gmap(scores, e)) for e in (0.001, 0.1)]
    assert taus == pytest.approx([0.859, 0.945], abs=5e-4)


@pytest.mark.parametrize(
    ("scores", "arguments", "message"),
    [
        ([[0.1]], {"epsilon": -1}, "epsilon must be at least 0"),
        (
            [[0.1], [0.0]],
            {"epsilon": 0},
            "epsilon must be positive where scores are 0: so on the topics 1",
        ),
        ([[0.1], [0.0]], {"epsilon": 0, "adjust": "floor"}, "epsilon must be positive"),
        ([[-0.1]], {}, "needs scores >= 0; negative on the topics 0"),
        ([[0.1]], {"adjust": "none"}, "adjust must be one of 'uniform', 'zeros', 'floor'"),
        ([[0.1]], {"epsilon": np.inf, "adjust": "zeros"}, "an infinite epsilon needs adjust="),
    ],
)
def test_what_has_no_geometric_mean_is_refused(scores, arguments, message):
    with pytest.raises(ValueError, match=message):
        irstd.gmap(matrix(scores), **arguments)


def test_missing_scores_are_left_out_and_said():
    with pytest.warns(UserWarning, match="missing on the topics 1: the mean is over the others"):
        found = irstd.gmap(matrix([[0.2, 0.2], [np.nan, 0.8]]), 0)
    assert found.tolist() == pytest.approx([0.2, 0.4])


def test_the_leaderboard_holds_what_its_parts_say():
    scores = irstd.load_dataset("sim-trec8")
    board = irstd.leaderboard(scores, epsilon=0.01)
    assert board.index.name == "system"
    assert board["mean"].is_monotonic_decreasing
    system = board.index[12]
    low, high = stats.t.interval(0.95, 49, scores[system].mean(), stats.sem(scores[system]))
    row = board.loc[system]
    assert row[["low", "high"]].tolist() == pytest.approx([low, high])
    assert row["sd"] == pytest.approx(scores[system].std())
    assert row["gmap"] == pytest.approx(irstd.gmap(scores, 0.01)[system])
    assert row["standardized"] == pytest.approx(irstd.standardize(scores)[system].mean())
    assert row["zeros"] == (scores[system] == 0).sum()
    assert row["rank"] == 13
    ranks = board["standardized"].rank(ascending=False)
    assert row["rank_standardized"] == ranks[system]
    assert len(board.to_csv().splitlines()) == 130
    assert "\\begin{tabular}" in board.head().to_latex(float_format="%.3f")


@pytest.mark.parametrize("gaps", [False, True])
def test_bootstrap_intervals_are_those_of_scipy(gaps):
    """With the same draws; with gaps, which scipy does not know, with draws of its own."""
    scores = irstd.load_dataset("sim-trec8").iloc[:, :25]
    if gaps:
        scores.iloc[:7, 3] = np.nan
        scores = scores.iloc[:, [3, *range(4, 25)]]
    with warnings.catch_warnings(action="ignore"):
        board = irstd.leaderboard(scores, intervals="bootstrap", seed=3)
        by_t = irstd.leaderboard(scores).loc[board.index]
    for system in scores.columns[: 1 if gaps else 25]:
        found = stats.bootstrap(
            (scores[system].dropna(),),
            np.mean,
            method="percentile",
            rng=np.random.default_rng(3),
        ).confidence_interval
        near = {"abs": 3e-3} if gaps else {"rel": 1e-12}
        assert board.loc[system, ["low", "high"]].tolist() == pytest.approx(list(found), **near)
    others = ["mean", "sd", "rank", "standardized"]
    pd.testing.assert_frame_equal(board[others], by_t[others])
    shuffled = scores.sample(frac=1, axis=0, random_state=1).sample(frac=1, axis=1, random_state=1)
    with warnings.catch_warnings(action="ignore"):
        again = irstd.leaderboard(shuffled, intervals="bootstrap", seed=3)
    pd.testing.assert_frame_equal(again, board, rtol=1e-12)


def test_bootstrap_intervals_of_little():
    scores = matrix([[0.2, 0.5, np.nan], [0.2, 0.6, 0.3], [0.2, np.nan, np.nan]])
    with warnings.catch_warnings(action="ignore"):
        board = irstd.leaderboard(scores, intervals="bootstrap").sort_index()
    assert board["low"].tolist() == pytest.approx([0.2, 0.5, np.nan], nan_ok=True)
    assert board["high"].tolist() == pytest.approx([0.2, 0.6, np.nan], nan_ok=True)
    with pytest.raises(ValueError, match="intervals must be one of 't', 'bootstrap'"):
        irstd.leaderboard(scores, intervals="z")


def test_the_leaderboard_takes_a_reference():
    scores = irstd.load_dataset("sim-robust2004-all").loc["601":"650"]
    reference = irstd.load_dataset("sim-robust2003")
    found = irstd.leaderboard(scores, reference=reference)["standardized"]
    expected = irstd.standardize(scores, reference).mean()[found.index]
    np.testing.assert_allclose(found, expected)
    factors = irstd.standardization_factors(reference)
    np.testing.assert_allclose(irstd.leaderboard(scores, reference=factors)["standardized"], found)


@pytest.mark.filterwarnings(SMALL)
def test_means_that_are_equal_on_paper_share_a_rank():
    scores = matrix([[0.1, 0.3, 0.0], [0.2, 0.0, 0.1], [0.3, 0.3, 0.2]])
    assert scores.mean().iloc[0] != scores.mean().iloc[1]  # .6 / 3, but not to the last bit
    assert Fraction("0.1") + Fraction("0.2") == Fraction("0.3")
    assert irstd.leaderboard(scores)["rank"].tolist() == [1, 1, 3]


def test_scores_below_zero_have_no_gmap_but_a_leaderboard():
    z = irstd.standardize(irstd.load_dataset("sim-trec8"), method="z")
    board = irstd.leaderboard(z)
    assert board["gmap"].isna().all()
    assert board["rank"].tolist()[:2] == [1, 2]


@pytest.mark.filterwarnings(SMALL)
def test_several_metrics_have_a_leaderboard_each():
    scores = irstd.load_dataset("sim-trec8", ["AP", "P@10"])
    board, means = irstd.leaderboard(scores, epsilon=0.01), irstd.gmap(scores, 0.01)
    assert board.index.names == means.index.names == ["metric", "system"]
    mixed = scores.sort_index(axis=1, level="system")
    pd.testing.assert_frame_equal(irstd.leaderboard(mixed, epsilon=0.01).loc[board.index], board)
    for metric in ("AP", "P@10"):
        one = irstd.leaderboard(scores[metric], epsilon=0.01)
        pd.testing.assert_frame_equal(board.loc[metric], one)
        pd.testing.assert_series_equal(means[metric], irstd.gmap(scores[metric], 0.01))


def test_missing_scores_are_left_out_of_the_leaderboard_and_said_once():
    scores = irstd.load_dataset("sim-trec8").iloc[:, :12]
    scores.iloc[3, :2] = np.nan
    scores["none"] = np.nan
    with pytest.warns(UserWarning, match="missing on the topics") as said:
        board = irstd.leaderboard(scores)
    assert len(said) == 1
    assert board["mean"].to_dict() == pytest.approx(scores.mean().to_dict(), nan_ok=True)
    assert board.loc["none", ["mean", "gmap", "standardized", "rank"]].isna().all()


@pytest.mark.parametrize("metric", ["P@10", "RR"])
def test_an_epsilon_far_below_all_scores_is_said(metric):
    """RM08 chose it for AP, whose smallest positive scores are about as small."""
    scores = irstd.load_dataset("sim-trec8", metric)
    for function in (irstd.gmap, irstd.leaderboard):
        with pytest.warns(UserWarning, match="less than a hundredth of the smallest positive"):
            function(scores)
    irstd.gmap(irstd.load_dataset("sim-trec8"))


@pytest.mark.parametrize("size", [1e-15, 1.0, 7000.0, 1e9])
def test_ties_are_ties_in_any_unit(size):
    """Means of tenths, which are equal on paper where their sums of integers are."""
    tenths = np.random.default_rng(0).integers(0, 4, (50, 40))
    scores = matrix(tenths / 10 * size)
    expected = stats.rankdata(-tenths.sum(axis=0), method="min")
    board = irstd.leaderboard(scores, epsilon=size)
    assert board["rank"].to_dict() == dict(zip(scores.columns, expected, strict=True))


def with_gaps():
    """Half of the systems lack 20 of 50 topics each."""
    scores, rng = irstd.load_dataset("sim-trec8").iloc[:, :30], np.random.default_rng(0)
    for system in scores.columns[::2]:
        scores.loc[rng.choice(scores.index, 20, replace=False), system] = np.nan
    return scores


def z_over_what_is_there(scores):
    return scores.sub(scores.mean(axis=1), axis=0).div(scores.std(axis=1), axis=0)


VALUES = {
    "borda": irstd.borda,
    "additive": irstd.additive_means,
    "z": lambda scores: z_over_what_is_there(scores).mean(),
    "normal": lambda scores: z_over_what_is_there(scores).apply(stats.norm.cdf).mean(),
}


@pytest.mark.parametrize("aggregate", VALUES)
def test_systems_with_gaps_are_ranked_by_what_is_said(aggregate):
    scores = with_gaps()
    board = irstd.leaderboard(scores, aggregate=aggregate)  # and no warning: filterwarnings=error
    value = VALUES[aggregate](scores)[board.index]
    assert board["value"].to_numpy() == pytest.approx(value.to_numpy())
    assert board["rank"].tolist() == stats.rankdata(-value.round(12), method="min").tolist()
    assert board["topics"].tolist() == scores.notna().sum()[board.index].tolist()
    complete = scores.columns[1::2]
    for rank, column in {"rank_gmap": "gmap", "rank_standardized": "standardized"}.items():
        expected = stats.rankdata(-board.loc[complete, column].round(12), method="min")
        assert board.loc[complete, rank].tolist() == expected.tolist()
    gmaps = irstd.gmap(scores[complete])
    assert board.loc[complete, "gmap"].to_numpy() == pytest.approx(gmaps.to_numpy())
    assert board.loc[scores.columns[::2], ["rank_gmap", "rank_standardized"]].isna().all(axis=None)


@pytest.mark.parametrize("aggregate", VALUES)
def test_gaps_in_several_metrics_are_filled_metric_by_metric(aggregate):
    scores = with_gaps()
    both = pd.concat({"AP": scores, "other": 1 - scores}, axis=1, names=["metric", "system"])
    mixed = irstd.leaderboard(both.sort_index(axis=1, level="system"), aggregate=aggregate)
    for metric in ("AP", "other"):
        one = irstd.leaderboard(both[metric], aggregate=aggregate)
        pd.testing.assert_frame_equal(mixed.loc[metric], one)


def test_gaps_of_the_factors_are_still_said():
    scores = with_gaps()
    full = irstd.load_dataset("sim-trec8").drop(index="403")
    factors = irstd.standardization_factors(full)
    with pytest.warns(UserWarning, match="missing on the topics 403: means are over the others"):
        irstd.leaderboard(scores, reference=factors, aggregate="z")


def test_a_system_without_scores_and_an_unknown_way_are_refused():
    scores = with_gaps()
    with pytest.raises(ValueError, match="aggregate must be one of 'mean', .* got 'share'"):
        irstd.leaderboard(scores, aggregate="share")
    for aggregate in VALUES:
        with pytest.raises(ValueError, match="none at all of the systems none; leave them out"):
            irstd.leaderboard(scores.assign(none=np.nan), aggregate=aggregate)


@pytest.mark.parametrize("seed", ["x", None, -1, 0.5])
def test_a_seed_is_checked_whether_it_is_used_or_not(seed):
    for call in (irstd.leaderboard, irstd.rank_intervals):
        with pytest.raises((TypeError, ValueError), match="seed must be"):
            call(with_gaps(), seed=seed)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_columns_and_types_of_a_leaderboard_are_the_same_whatever_it_is_of():
    whole, gaps = irstd.load_dataset("sim-trec8").iloc[:, :30], with_gaps()
    expected = irstd.leaderboard(whole).dtypes
    z = irstd.standardize(whole, method="z")
    for scores in (whole, gaps, z, whole.assign(none=np.nan), whole.iloc[:1]):
        pd.testing.assert_series_equal(irstd.leaderboard(scores).dtypes, expected)
    for aggregate in VALUES:
        found = irstd.leaderboard(gaps, aggregate=aggregate, intervals="bootstrap")
        pd.testing.assert_series_equal(found.dtypes, expected)
