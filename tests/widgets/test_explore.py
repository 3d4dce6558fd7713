"""`explore` without a kernel: what is chosen is set, what is shown is read."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import irstd


@pytest.fixture
def explorer(scores):
    return irstd.explore(scores)


def test_explore_refuses_several_metrics():
    with pytest.raises(ValueError, match=r'several metrics: choose one, as in scores\["AP"\]'):
        irstd.explore(irstd.load_dataset("sim-trec8", ["AP", "RR"]))


def test_explore_has_the_leaderboard(explorer, scores):
    board = irstd.leaderboard(scores)
    pd.testing.assert_frame_equal(explorer.by_system, board[explorer.by_system.columns])
    assert explorer._systems["columns"] == list(explorer.by_system)
    rows = [(row[0], row[2]) for row in explorer._systems["rows"]]
    assert rows == list(board["mean"].items())
    assert explorer._systems["show"] == ["mean", "low", "high"]
    assert explorer._topics["show"] == ["mean"]
    assert repr(explorer) == "explore(129 systems, 50 topics)"


def test_explore_shows_the_topics_of_a_system(explorer, scores):
    system = scores.columns[3]
    explorer.system = system
    table = explorer.by_topic
    np.testing.assert_array_equal(table["score"], scores.loc[table.index, system])
    np.testing.assert_allclose(table["mean"], scores.mean(axis=1)[table.index])
    np.testing.assert_allclose(table["sd"], scores.std(axis=1)[table.index])
    assert (explorer._topics["show"], explorer._topics["sort"]) == (["score"], "mean")
    assert explorer._topics["names"]["score"] == system
    place = irstd.leaderboard(scores).index.get_loc(system) + 1
    assert f"rank {place} of 129 by the mean, {scores[system].mean():.3f} [" in explorer.summary


def test_explore_shows_the_systems_of_a_topic(explorer, scores):
    topic = scores.index[7]
    explorer.topic = topic
    found = explorer.by_system["score"]
    np.testing.assert_array_equal(found, scores.loc[topic, found.index])
    assert (explorer._systems["show"], explorer._systems["sort"]) == (["score"], "score")
    assert explorer._systems["names"] == {"score": topic}
    assert f"129 systems, mean {scores.loc[topic].mean():.3f}, sd" in explorer.summary


def test_explore_tests_a_pair_as_scipy_does(explorer, scores):
    a, b = scores.columns[[3, 40]]
    explorer.system = a
    explorer.other = b
    difference = scores[a] - scores[b]
    pd.testing.assert_series_equal(
        explorer.by_topic["difference"].sort_index(), difference, check_names=False
    )
    assert (explorer._topics["show"], explorer._topics["sort"]) == (["difference"], "difference")
    p = stats.ttest_rel(scores[a], scores[b]).pvalue
    for text in (
        f"p = {p:.2g}",
        f"Spread {scores[a].std():.3f} and {scores[b].std():.3f}:",
        f"mean difference {difference.mean():+.3f}",
        f"better on {(difference > 0).sum()}, worse on {(difference < 0).sum()};",
    ):
        assert text in explorer.summary
    explorer.topics = list(scores.index[:2])
    assert "p =" not in explorer.summary
    explorer.topics = list(scores.index[:3])
    assert "p =" in explorer.summary


def test_explore_changes_the_form_of_scores(scores):
    factors = irstd.standardization_factors(scores, metric="AP")
    explorer = irstd.explore(scores, reference=factors)
    assert explorer._choices["form"] == ["raw", "normal", "z"]
    explorer.form = "z"
    np.testing.assert_allclose(explorer.scores, irstd.standardize(scores, method="z"))
    table = explorer.by_system
    standardized = irstd.standardize(scores).mean()
    np.testing.assert_allclose(table["standardized"], standardized[table.index])
    explorer.topics = list(scores.index[::2])  # the scale is that of all topics
    kept = irstd.standardize(scores, method="z").iloc[::2]
    np.testing.assert_allclose(explorer.scores, kept)
    zeros = (scores.iloc[::2] == 0).sum()
    assert (explorer.by_system["zeros"] == zeros[explorer.by_system.index]).all()


@pytest.mark.parametrize("trait", ["system", "other", "topic", "form"])
def test_explore_refuses_unknown_choices(explorer, trait):
    with pytest.raises(ValueError, match=f"{trait} must be one of"):
        setattr(explorer, trait, "odd")


def test_explore_shows_missing_scores_as_missing(scores):
    few = scores.iloc[:6, :3].copy()
    few.iloc[0, 0] = np.nan
    explorer = irstd.explore(few)
    topic = few.index[0]
    explorer.system, explorer.other = few.columns[:2]
    explorer.topic = topic
    assert np.isnan(explorer.by_topic.loc[topic, "difference"])
    json.dumps([explorer._systems, explorer._topics], allow_nan=False)
    explorer.other = None
    explorer.topic = None
    mean = few.iloc[1:, 0].mean()
    assert f"by the mean of its 5 topics, {mean:.3f}" in explorer.summary
    assert explorer.by_system["topics"].tolist().count(5) == 1


def test_explore_says_why_nothing_is_shown(scores):
    few = scores.iloc[:3, :3].copy()
    few.iloc[0, 0] = few.iloc[1, 1] = np.nan
    explorer = irstd.explore(few)
    explorer.find = "nowhere"
    assert explorer.summary.startswith("No topic is kept")
    for panel in (explorer._systems, explorer._topics):
        assert panel["rows"] == [] and set(panel["show"]) <= set(panel["columns"])
    explorer.topics = [few.index[0]]
    explorer.system = few.columns[0]
    assert explorer.summary.startswith("it has no score")
    explorer.other = few.columns[1]
    explorer.topics = list(few.index[:2])
    assert explorer.summary.startswith("no topic has a score of both")


@pytest.mark.parametrize(
    ("words", "topics"),
    [
        ("401, 405", ["401", "405"]),
        ("41 401", ["401", *map(str, range(410, 420)), "441"]),
        ("401", ["401"]),
    ],
)
def test_explore_finds_topics_by_ids_or_parts_of_them(explorer, scores, words, topics):
    explorer.find = words
    assert explorer.topics == topics == list(explorer.by_topic.sort_index().index)
    table = explorer.by_system
    np.testing.assert_allclose(table["mean"], scores.loc[topics, table.index].mean())
    assert "intervals and tests do not hold" in explorer.summary
    assert (explorer._systems["rows"][0][5] is None) == (len(topics) == 1)  # no sd
    explorer.find = ""
    assert explorer.topics == list(scores.index)
    assert "do not hold" not in explorer.summary


def test_explore_takes_topics(explorer, scores):
    explorer.topics = ["405", "401", "405"]
    pd.testing.assert_frame_equal(explorer.scores, scores.loc[["405", "401"]])
    with pytest.raises(ValueError, match="topics must be one of"):
        explorer.topics = ["401", "nowhere"]
    explorer = irstd.explore(pd.DataFrame(np.eye(3, 4), ["1", "10", "2"], list("abcd")))
    explorer.find = "1"
    assert explorer.topics == ["1"]  # "1" is part of "10", too, but somebody's id
