"""Ranks: Borda as MTEB counts, the additive model of statsmodels, the bootstrap by a loop."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from scipy.stats import rankdata

import irstd


def table(seed=0, topics=12, systems=7, gaps=0.0):
    rng = np.random.default_rng(seed)
    values = rng.random((topics, systems)).round(2)
    values[rng.random(values.shape) < gaps] = np.nan
    values[0] = rng.random(systems)  # no system and no topic without a score
    values[:, 0] = rng.random(topics)
    names = [f"s{i}" for i in range(systems)]
    return pd.DataFrame(values, [f"t{i}" for i in range(topics)], names)


def votes_of_mteb(scores):
    """As the leaderboard's own code counts: n - average rank, gaps skipped in the sum."""
    return sum((len(row) - row.rank(ascending=False)).fillna(0) for _, row in scores.iterrows())


@pytest.mark.parametrize("gaps", [0, 0.3])
def test_borda_with_zero_votes_is_that_of_mteb(gaps):
    scores = table(gaps=gaps)
    found = irstd.borda(scores, missing="zero")
    assert found.to_numpy() == pytest.approx(votes_of_mteb(scores).to_numpy())


def test_without_gaps_both_counts_are_the_systems_beaten():
    scores = table()
    expected = votes_of_mteb(scores) / (len(scores) * (scores.shape[1] - 1))
    assert irstd.borda(scores).to_numpy() == pytest.approx(expected.to_numpy())
    best = scores.assign(best=scores.max(axis=1).add(1).iloc[:6])
    assert irstd.borda(best)["best"] == 1  # a gap costs nothing, unless it is said to
    assert irstd.borda(best, missing="zero").idxmax() != "best"


def test_scores_that_tie_on_paper_share_their_votes():
    scores = pd.DataFrame({"a": [0.1 + 0.2, 0.7], "b": [0.3, 0.1], "c": [np.nan, 0.5]}, ["x", "y"])
    assert irstd.borda(scores).to_dict() == {"a": 0.75, "b": 0.25, "c": 0.5}


@pytest.mark.parametrize("gaps", [0, 0.2, 0.5])
def test_the_additive_model_is_that_of_statsmodels(gaps):
    scores = table(gaps=gaps)
    long = scores.stack().rename("score").rename_axis(["topic", "system"]).reset_index()
    fit = smf.ols("score ~ C(system) + C(topic)", long.dropna()).fit()
    grid = pd.MultiIndex.from_product([scores.index, scores.columns], names=["topic", "system"])
    predicted = fit.predict(grid.to_frame(index=False))
    expected = predicted.groupby(grid.get_level_values("system")).mean()
    found = irstd.additive_means(scores)
    assert found[expected.index].to_numpy() == pytest.approx(expected.to_numpy(), abs=1e-10)
    if not gaps:
        assert found.to_numpy() == pytest.approx(scores.mean().to_numpy())


def test_influence_is_the_share_of_the_sd_and_equal_in_z():
    scores = table()
    sd = scores.std(axis=1, ddof=1)
    assert irstd.topic_influence(scores).to_numpy() == pytest.approx((sd / sd.sum()).to_numpy())
    assert irstd.topic_influence(scores, "z").to_numpy() == pytest.approx(1 / len(scores))
    gappy = scores.mask(scores > 0.9)
    sd = gappy.std(axis=1)
    with pytest.warns(UserWarning, match="missing on the topics t.*: the influence is that on"):
        found = irstd.topic_influence(gappy)
    assert found.to_numpy() == pytest.approx((sd / sd.sum()).to_numpy())


def by_a_loop(scores, trials, seed, level):
    """Percentiles of ranks; Hsu's comparison with the best, by the quantile of its definition."""
    scores = scores.sort_index().sort_index(axis=1)
    n, rng, ranks, means = len(scores), np.random.default_rng(seed), [], []
    lowest = np.nanmin(scores.fillna(0)) - 1  # of a system that has none of the topics drawn
    for counts in rng.multinomial(n, [1 / n] * n, size=trials):
        drawn = scores.loc[np.repeat(scores.index, counts)].reset_index(drop=True)
        means.append(drawn.mean().fillna(lowest))
        ranks.append(rankdata(-means[-1].round(12), method="min"))
    out, ranks = round((1 - level) / 2 * trials), np.sort(ranks, axis=0)
    errors, gap = pd.DataFrame(means) - scores.mean(), scores.mean().max() - scores.mean()
    reach = np.sort(errors.rsub(errors.max(axis=1), axis=0), axis=0)[round(level * trials)]
    ends = {"low": ranks[out], "high": ranks[-1 - out], "best": gap <= reach + 1e-12}
    return pd.DataFrame(ends, scores.columns)


@pytest.mark.filterwarnings("ignore:scores are missing")
@pytest.mark.parametrize(
    ("topics", "gaps", "trials", "level"),  # in doubles, (1 - .9) / 2 * 200 is below 10
    [(12, 0, 200, 0.9), (12, 0.4, 200, 0.7), (30, 0, 1000, 0.9)],
)
def test_intervals_are_those_of_a_plain_loop(topics, gaps, trials, level):
    scores = table(topics=topics, gaps=gaps)
    found = irstd.rank_intervals(scores, trials=trials, level=level, seed=5)
    expected = by_a_loop(scores, trials, 5, level)
    pd.testing.assert_frame_equal(
        found[list(expected)].sort_index(), expected, check_dtype=False, check_names=False
    )
    assert found["best"].dtype == bool and found["best"].iloc[0]
    ranks = rankdata(-scores.mean().round(12), method="min")
    assert found["rank"][scores.columns].tolist() == ranks.tolist()


@pytest.mark.filterwarnings("ignore:scores (or factors )?are missing")
def test_intervals_of_other_aggregates_are_those_of_what_each_topic_adds():
    scores = table(gaps=0.3)
    votes = (scores.rank(axis=1) - 1).div(scores.notna().sum(axis=1) - 1, axis=0)
    found = irstd.rank_intervals(scores, aggregate="borda", trials=100)
    pd.testing.assert_frame_equal(found, irstd.rank_intervals(votes, trials=100))
    for aggregate, of in (("borda", irstd.borda), ("additive", irstd.additive_means)):
        value = irstd.rank_intervals(scores, aggregate=aggregate, trials=9)["value"]
        assert value[scores.columns].to_numpy() == pytest.approx(of(scores).to_numpy())
    in_z = irstd.rank_intervals(scores, method="z", trials=9)  # gaps stay, and are no error
    pd.testing.assert_frame_equal(
        in_z, irstd.rank_intervals(irstd.standardize(scores, method="z"), trials=9)
    )
    whole = table()
    found = irstd.rank_intervals(whole, aggregate="additive")
    pd.testing.assert_frame_equal(found, irstd.rank_intervals(whole))


def test_a_system_that_was_spared_the_hard_topics_is_no_leader_by_additive_means():
    """Rank 5 of 9 became 1, without a word."""
    scores = irstd.load_dataset("sim-trec8").iloc[:, ::16].copy()
    spared = scores.mean().sort_values().index[-5]
    scores.loc[scores.mean(axis=1).nsmallest(20).index, spared] = np.nan
    with pytest.warns(UserWarning, match="missing on the topics .*: means are over the others"):
        by_mean = irstd.rank_intervals(scores)
    additive = irstd.rank_intervals(scores, aggregate="additive")  # and no warning
    assert (by_mean["rank"][spared], additive["rank"][spared]) == (1, 5)


@pytest.mark.parametrize(
    ("m", "n", "sd", "boards"),
    [
        (10, 15, 0.15, 60),
        (20, 50, 0, 60),
        *(
            pytest.param(m, n, sd, 300, marks=pytest.mark.night)
            for m in (10, 100) for n in (15, 50) for sd in (0, 0.15)
        ),
    ],
)  # fmt: skip
@pytest.mark.filterwarnings("ignore:scores are missing")
@pytest.mark.parametrize(("aggregate", "gaps"), [("mean", 0), ("mean", 0.2), ("borda", 0)])
def test_the_group_holds_the_truly_best_system_as_often_as_the_level_says(
    m, n, sd, boards, aggregate, gaps
):
    """Those not told from the first one by one held the best in .86 (m = 50)."""
    rng, held = np.random.default_rng(m + n), []
    quality = np.sort(rng.normal(0, sd, m))
    for _ in range(boards):
        scores = pd.DataFrame(quality + rng.normal(size=(n, m)))
        scores = scores.mask(rng.random(scores.shape) < gaps)
        found = irstd.rank_intervals(scores, aggregate=aggregate, trials=300, seed=rng)
        held.append(found["best"][str(m - 1)])
    assert np.mean(held) >= 0.95 - 3 * np.sqrt(0.95 * 0.05 / boards)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda s: irstd.rank_intervals(s.iloc[:4]), "5 topics or more"),
        (lambda s: irstd.rank_intervals(s.iloc[:, :1]), "2 systems or more"),
        (lambda s: irstd.rank_intervals(s, level=1), "level must be above 0 and below 1"),
        (lambda s: irstd.rank_intervals(s, reference=s), "reference is given, but no method"),
        (lambda s: irstd.borda(s, missing="skip"), "missing must be one of"),
        (lambda s: irstd.borda(s.assign(s1=np.nan)), "none at all of the systems s1"),
        (lambda s: irstd.additive_means(s.drop("t3").reindex(s.index)), "on the topics t3"),
        (
            lambda s: irstd.additive_means(pd.DataFrame({"a": [1, np.nan], "b": [np.nan, 2]})),
            "without a system or topic in common",
        ),
        (lambda s: irstd.topic_influence(s * 0), "no differences"),
    ],
)
def test_what_cannot_be_answered_is_refused(call, said):
    with pytest.raises(ValueError, match=said):
        call(table())


def test_a_real_leaderboard(trec_data):
    """BEIR's data sets: the order by MTEB's Borda count; test_datasets has its `Average`."""
    data = irstd.load_dataset("mteb-retrieval")
    complete = data.loc[:, data.notna().all()]
    found = irstd.rank_intervals(complete)
    assert found["best"].sum() == 19  # of 228, where one was "with the first"
    value = found["value"][complete.columns].to_numpy()
    assert value == pytest.approx(complete.mean().to_numpy(), rel=1e-12)
    assert found["rank"].is_monotonic_increasing
    for scores in (complete, data.dropna(axis=1, how="all")):
        votes, plain = irstd.borda(scores, missing="zero"), votes_of_mteb(scores)
        assert votes.to_numpy() == pytest.approx(plain.to_numpy())
        assert votes.rank().tolist() == plain.rank().tolist()
