"""`explore` without a kernel: what is chosen is set, what is shown is read."""

import json
import time

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import irstd
from irstd.widgets.matrix import DIFFICULTIES


def test_the_metric_is_named_and_chosen_topics_are_told(scores):
    explorer = irstd.explore(scores)
    assert explorer.metric == "AP" and "do not hold" not in explorer.summary
    explorer.form, explorer.difficulty = "z", "hardest half"
    assert explorer.scores.equals(irstd.standardize(scores, method="z").loc[explorer.topics])
    assert "intervals and tests do not hold" in explorer.summary


@pytest.fixture
def explorer(scores):
    return irstd.explore(scores)


def test_the_systems_are_those_of_the_leaderboard(explorer, scores):
    board = irstd.leaderboard(scores)
    pd.testing.assert_frame_equal(explorer.by_system, board[explorer.by_system.columns])
    assert explorer._systems["columns"] == list(explorer.by_system)
    rows = [(row[0], row[2]) for row in explorer._systems["rows"]]
    assert rows == list(board["mean"].items())


def test_a_system_shows_its_topics(explorer, scores):
    explorer.system = system = scores.columns[3]
    assert repr(explorer) == f"explore(129 systems, 50 topics, system={system!r})"
    table = explorer.by_topic
    np.testing.assert_array_equal(table["score"], scores.loc[table.index, system])
    np.testing.assert_allclose(table["mean"], scores.mean(axis=1)[table.index])
    assert (explorer._topics["show"], explorer._topics["sort"]) == (["score"], "mean")
    assert explorer._topics["names"]["score"] == system
    place = irstd.leaderboard(scores).index.get_loc(system) + 1
    assert f"rank {place} of 129 by the mean, {scores[system].mean():.3f} [" in explorer.summary


def test_a_topic_shows_its_systems(explorer, scores):
    explorer.topic = scores.index[7]
    score = explorer.by_system["score"]
    np.testing.assert_array_equal(score, scores.loc[scores.index[7], score.index])
    assert explorer._systems["names"] == {"score": scores.index[7]}
    assert explorer._systems["sort"] == "score"
    assert f"129 systems, mean {scores.iloc[7].mean():.3f}, sd" in explorer.summary


def test_two_systems_show_their_differences(explorer, scores):
    a, b = scores.columns[[3, 40]]
    explorer.system, explorer.other = a, b
    difference = scores[a] - scores[b]
    pd.testing.assert_series_equal(
        explorer.by_topic["difference"].sort_index(), difference, check_names=False
    )
    assert (explorer._topics["show"], explorer._topics["sort"]) == (["difference"], "difference")
    p = stats.ttest_rel(scores[a], scores[b]).pvalue
    for said in (
        f"Spread {scores[a].std():.3f} and {scores[b].std():.3f}:",
        f"mean difference {difference.mean():+.3f}",
        f"better on {(difference > 0).sum()},",
        "p < .0001" if p < 1e-4 else f"p = {p:.4f}",
    ):
        assert said in explorer.summary


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_topics_are_kept_by_their_difficulty(explorer, scores, difficulty):
    explorer.difficulty = difficulty
    kept = scores.loc[explorer.topics]
    share = {"quarter": 0.25, "half": 0.5}.get(difficulty.split()[-1], 1)
    assert len(kept) == pytest.approx(share * 50, abs=0.5)
    order = scores.mean(axis=1).sort_values(ascending=not difficulty.startswith("easiest")).index
    assert set(kept.index) == set(order[: len(kept)])
    np.testing.assert_allclose(explorer.by_system["mean"], kept.mean()[explorer.by_system.index])


def test_metric_and_form_change_the_scores():
    metrics = irstd.load_dataset("sim-trec8", ["AP", "RR"])
    explorer = irstd.explore(metrics, reference=irstd.standardization_factors(metrics))
    assert explorer._choices["form"] == ["raw", "normal", "z"]
    explorer.metric, explorer.form = "RR", "z"
    np.testing.assert_allclose(explorer.scores, irstd.standardize(metrics["RR"], method="z"))
    expected = irstd.standardize(metrics["RR"]).mean()[explorer.by_system.index]
    np.testing.assert_allclose(explorer.by_system["standardized"], expected)
    zeros = (metrics["RR"] == 0).sum()
    assert (explorer.by_system["zeros"] == zeros[explorer.by_system.index]).all()
    explorer.difficulty = "hardest quarter"
    explorer.metric, means = "AP", metrics["AP"].mean(axis=1)
    assert {*explorer.topics} == {*means.nsmallest(len(explorer.topics)).index}


@pytest.mark.parametrize("trait", ["system", "other", "topic", "metric", "form", "difficulty"])
def test_what_is_not_there_cannot_be_chosen(explorer, trait):
    with pytest.raises(ValueError, match=f"{trait} must be one of"):
        setattr(explorer, trait, "odd")


def test_missing_scores_are_shown_as_missing(scores):
    few = scores.iloc[:6, :3].copy()
    few.iloc[0, 0] = np.nan
    explorer = irstd.explore(few)
    explorer.system, explorer.other = few.columns[:2]
    explorer.topic = few.index[0]
    assert np.isnan(explorer.by_topic.loc[few.index[0], "difference"])
    json.dumps([explorer._systems, explorer._topics], allow_nan=False)
    explorer.other = explorer.topic = None
    assert f"by the mean of its 5 topics, {few.iloc[1:, 0].mean():.3f}" in explorer.summary
    assert explorer.by_system["topics"].tolist().count(5) == 1


def seconds(n):
    """CPU time to open a matrix of n topics and to filter it."""
    values = np.random.default_rng(0).random((n, 5))
    scores = pd.DataFrame(values, [f"q{i}" for i in range(n)], list("abcde"))
    start = time.process_time()
    explorer = irstd.explore(scores)
    explorer.find, explorer.difficulty = "q1 7 33", "hardest half"
    return time.process_time() - start


def test_many_topics_take_no_longer_than_in_proportion():
    """Eight times the topics, and far less than the 64 times that their square would take."""
    assert seconds(16_000) < 24 * seconds(2_000)


def test_topics_are_found_by_their_ids_or_chosen(explorer, scores):
    for words, found in [
        ("401, 405", ["401", "405"]),
        ("41 401", ["401", *map(str, range(410, 420)), "441"]),
        ("nowhere", []),
        ("", scores.index.tolist()),
        ("401", ["401"]),
    ]:
        explorer.find = words
        assert explorer.topics == found
        assert explorer.by_topic.index.size == len(found)
        assert (explorer.summary == "No topic is kept.") == (not found)
    assert np.isnan(explorer.by_system["sd"]).all()
    assert explorer._systems["rows"][0][5] is None
    explorer.topics = ["405", "401", "405"]
    pd.testing.assert_frame_equal(explorer.scores, scores.loc[["405", "401"]])
    with pytest.raises(ValueError, match="topics must be one of"):
        explorer.topics = ["401", "nowhere"]
    explorer = irstd.explore(pd.DataFrame(np.eye(3, 4), ["1", "10", "2"], list("abcd")))
    explorer.find = "1"
    assert explorer.topics == ["1"]  # "1" is part of "10", too, but somebody's id
