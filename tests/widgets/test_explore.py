"""`explore` without a kernel: what is chosen is set, what is shown is read."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import irstd
from irstd.widgets.score_explorer import DIFFICULTIES


def test_several_metrics_are_refused(scores):
    with pytest.raises(ValueError, match=r'one metric: choose it, as in scores\["AP"\]'):
        irstd.explore(irstd.load_dataset("sim-trec8", ["AP", "RR"]))


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
    system = scores.columns[3]
    explorer.system = system
    assert repr(explorer) == "explore(129 systems, 50 topics)"
    table = explorer.by_topic
    np.testing.assert_array_equal(table["score"], scores.loc[table.index, system])
    np.testing.assert_allclose(table["mean"], scores.mean(axis=1)[table.index])
    assert explorer._topics["show"] == ["score"]
    assert explorer._topics["sort"] == "mean"
    assert explorer._topics["names"]["score"] == system
    place = irstd.leaderboard(scores).index.get_loc(system) + 1
    assert f"rank {place} of 129 by the mean, {scores[system].mean():.3f} [" in explorer.summary


def test_a_topic_shows_its_systems(explorer, scores):
    topic = scores.index[7]
    explorer.topic = topic
    found = explorer.by_system["score"]
    np.testing.assert_array_equal(found, scores.loc[topic, found.index])
    assert explorer._systems["names"] == {"score": topic}
    assert explorer._systems["sort"] == "score"
    assert f"129 systems, mean {scores.loc[topic].mean():.3f}, sd" in explorer.summary


def test_two_systems_show_their_differences(explorer, scores):
    a, b = scores.columns[[3, 40]]
    explorer.system = a
    explorer.other = b
    difference = scores[a] - scores[b]
    pd.testing.assert_series_equal(
        explorer.by_topic["difference"].sort_index(), difference, check_names=False
    )
    assert explorer._topics["show"] == ["difference"]
    assert explorer._topics["sort"] == "difference"
    p = stats.ttest_rel(scores[a], scores[b]).pvalue
    p_in_words = f"p = {p:.2g}"
    assert f"Spread {scores[a].std():.3f} and {scores[b].std():.3f}:" in explorer.summary
    assert f"mean difference {difference.mean():+.3f}" in explorer.summary
    assert f"better on {(difference > 0).sum()}," in explorer.summary
    assert p_in_words in explorer.summary


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_topics_are_kept_by_their_difficulty(explorer, scores, difficulty):
    explorer.difficulty = difficulty
    kept = scores.loc[explorer.topics]
    shares = {"all": 1, "quarter": 0.25, "half": 0.5}
    share = shares[difficulty.split()[-1]]
    assert len(kept) == pytest.approx(share * 50, abs=0.5)
    hardest_first = not difficulty.startswith("easiest")
    order = scores.mean(axis=1).sort_values(ascending=hardest_first).index
    assert set(kept.index) == set(order[: len(kept)])
    table = explorer.by_system
    np.testing.assert_allclose(table["mean"], kept.mean()[table.index])
    assert ("intervals and tests do not hold" in explorer.summary) == (difficulty != "all")


def test_the_form_changes_the_scores(scores):
    factors = irstd.standardization_factors(scores, metric="AP")
    explorer = irstd.explore(scores, reference=factors)
    assert explorer._choices["form"] == ["raw", "normal", "z"]
    explorer.form = "z"
    np.testing.assert_allclose(explorer.scores, irstd.standardize(scores, method="z"))
    table = explorer.by_system
    standardized = irstd.standardize(scores).mean()
    np.testing.assert_allclose(table["standardized"], standardized[table.index])
    explorer.difficulty = "hardest half"
    kept = irstd.standardize(scores, method="z").loc[explorer.topics]
    np.testing.assert_allclose(explorer.scores, kept)
    zeros = (scores == 0).sum()
    assert (table["zeros"] == zeros[table.index]).all()


@pytest.mark.parametrize("trait", ["system", "other", "topic", "form", "difficulty"])
def test_what_is_not_there_cannot_be_chosen(explorer, trait):
    with pytest.raises(ValueError, match=f"{trait} must be one of"):
        setattr(explorer, trait, "odd")


def test_missing_scores_are_shown_as_missing(scores):
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


def test_where_nothing_can_be_shown_a_sentence_says_why(scores):
    few = scores.iloc[:3, :3].copy()
    few.iloc[0, 0] = few.iloc[1, 1] = np.nan
    explorer = irstd.explore(few)
    explorer.find = "nowhere"
    assert explorer.summary.startswith("No topic is kept: empty the search for topics")
    for panel in (explorer._systems, explorer._topics):
        assert panel["rows"] == [] and set(panel["show"]) <= set(panel["columns"])
    explorer.topics = [few.index[0]]
    explorer.system = few.columns[0]
    assert explorer.summary.startswith("it has no score on these topics.")
    explorer.other = few.columns[1]
    explorer.topics = list(few.index[:2])
    assert explorer.summary.startswith("no topic has a score of both.")
    assert [row[-1] for row in explorer._topics["rows"]] == [None, None]


def test_topics_are_found_by_their_ids_or_chosen(explorer, scores):
    of_41 = [str(number) for number in range(410, 420)]
    for words, topics in [
        ("401, 405", ["401", "405"]),
        ("41 401", ["401", *of_41, "441"]),
        ("", list(scores.index)),
        ("401", ["401"]),
    ]:
        explorer.find = words
        assert explorer.topics == topics
        assert len(explorer.by_topic) == len(topics)
    assert np.isnan(explorer.by_system["sd"]).all()
    assert explorer._systems["rows"][0][5] is None
    explorer.topics = ["405", "401", "405"]
    pd.testing.assert_frame_equal(explorer.scores, scores.loc[["405", "401"]])
    with pytest.raises(ValueError, match="topics must be one of"):
        explorer.topics = ["401", "nowhere"]

    scores = pd.DataFrame(np.eye(3, 4), ["1", "10", "2"], list("abcd"))
    explorer = irstd.explore(scores)
    explorer.find = "1"
    assert explorer.topics == ["1"]  # "1" is part of "10", too, but somebody's id
