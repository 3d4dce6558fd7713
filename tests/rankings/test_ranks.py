"""Ranks: Borda as MTEB counts, the bootstrap by a loop."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy.stats import rankdata, ttest_rel
from statsmodels.stats.multitest import multipletests

import irstd


def table(seed=0, topics=12, systems=7, gaps=0.0):
    rng = np.random.default_rng(seed)
    values = rng.random((topics, systems)).round(2)
    missing = rng.random(values.shape) < gaps
    values[missing] = np.nan
    values[0] = rng.random(systems)  # no system and no topic without a score
    values[:, 0] = rng.random(topics)
    topic_names = [f"t{i}" for i in range(topics)]
    system_names = [f"s{i}" for i in range(systems)]
    return pd.DataFrame(values, topic_names, system_names)


def votes_of_mteb(scores):
    """As the leaderboard's own code counts: n - average rank, gaps skipped in the sum."""
    votes = pd.Series(0.0, scores.columns)
    for _, row in scores.iterrows():
        votes_on_topic = len(row) - row.rank(ascending=False)
        votes += votes_on_topic.fillna(0)
    return votes


@pytest.mark.parametrize("gaps", [0, 0.3])
def test_borda_with_zero_votes_is_that_of_mteb(gaps):
    scores = table(gaps=gaps)
    found = irstd.rankings.borda(scores, missing="zero")
    expected = votes_of_mteb(scores)
    assert found.to_numpy() == pytest.approx(expected.to_numpy())


def test_borda_shares_votes_of_ties():
    values = {"a": [0.1 + 0.2, 0.7], "b": [0.3, 0.1], "c": [np.nan, 0.5]}
    scores = pd.DataFrame(values, ["x", "y"])
    found = irstd.rankings.borda(scores)
    assert found.to_dict() == {"a": 0.75, "b": 0.25, "c": 0.5}


@pytest.mark.filterwarnings("ignore:scores are missing")
@pytest.mark.parametrize("gaps", [0, 0.2])
def test_topic_influence_is_the_share_of_the_sd(gaps):
    scores = table(gaps=gaps)
    sd = scores.std(axis=1, ddof=1)
    found = irstd.topic_influence(scores)
    assert found.to_numpy() == pytest.approx((sd / sd.sum()).to_numpy())
    found = irstd.topic_influence(scores, "z")
    assert found.to_numpy() == pytest.approx(1 / len(scores))


def ranks_from_the_best(means):
    """Rank 1 is the highest; means that are equal on paper share a rank."""
    return rankdata(-means.round(12), method="min")


def best_by_a_loop(scores, level):
    """Systems worse than no other: scipy's tests on common topics, by number and by Holm."""
    tests = []
    for a, b in itertools.combinations(scores, 2):
        common = scores[[a, b]].dropna()
        statistic, pvalue = (0, 1)
        if len(common) > 1:
            statistic, pvalue = ttest_rel(common[a], common[b])
        tests.append((b if statistic > 0 else a, pvalue))
    worse, pvalues = map(np.array, zip(*tests, strict=True))
    by_holm = multipletests(pvalues, 1 - level, "holm")[0]
    by_number = pvalues <= (1 - level) / (scores.shape[1] - 1)
    return ~scores.columns.isin(worse[by_holm | by_number])


def intervals_by_a_loop(scores, trials, seed, level):
    """Percentiles of ranks over resamples, and who may be the best."""
    scores = scores.sort_index().sort_index(axis=1)
    n = len(scores)
    rng = np.random.default_rng(seed)
    lowest = np.nanmin(scores.fillna(0)) - 1  # of a system that has none of the topics drawn
    ranks = []
    equal_chances = [1 / n] * n
    for counts in rng.multinomial(n, equal_chances, size=trials):
        topics = np.repeat(scores.index, counts)
        drawn = scores.loc[topics].reset_index(drop=True)
        means = drawn.mean().fillna(lowest)
        ranks.append(ranks_from_the_best(means))
    ranks = np.sort(ranks, axis=0)
    cut = round((1 - level) / 2 * trials)  # so many are cut off at each end
    low = ranks[cut]
    high = ranks[trials - 1 - cut]
    best = best_by_a_loop(scores, level)
    return pd.DataFrame({"low": low, "high": high, "best": best}, scores.columns)


@pytest.mark.filterwarnings("ignore:(scores are missing|pairs with too few topics)")
@pytest.mark.parametrize(
    ("topics", "gaps", "trials", "level"),  # in doubles, (1 - .9) / 2 * 200 is below 10
    [(12, 0, 200, 0.9), (12, 0.4, 200, 0.9), (30, 0, 1000, 0.9)],
)
def test_rank_intervals_are_those_of_a_loop(topics, gaps, trials, level):
    scores = table(topics=topics, gaps=gaps)
    if gaps:
        scores.iloc[2:, -1] = np.nan  # in one of ten samples, no topic of this system is drawn
    found = irstd.rank_intervals(scores, trials=trials, level=level, seed=5)
    expected = intervals_by_a_loop(scores, trials, 5, level)
    intervals = found[["low", "high", "best"]].sort_index()
    pd.testing.assert_frame_equal(intervals, expected, check_dtype=False, check_names=False)
    assert found["best"].dtype == bool
    assert found["best"].iloc[0]
    ranks = found["rank"][scores.columns]
    assert ranks.tolist() == ranks_from_the_best(scores.mean()).tolist()


@pytest.mark.night
@pytest.mark.parametrize(("m", "n", "sd"), [(10, 15, 0.15), (20, 50, 0)])
@pytest.mark.filterwarnings("ignore:scores are missing")
def test_rank_intervals_with_gaps_keep_the_level_of_the_best(m, n, sd):
    """Without gaps: the page of coverage."""
    rng = np.random.default_rng(m + n)
    quality = np.sort(rng.normal(0, sd, m))
    held = []
    for _ in range(60):
        scores = pd.DataFrame(rng.normal(quality, size=(n, m)))
        gappy = scores.mask(rng.random(scores.shape) < 0.2)
        held.append(irstd.rank_intervals(gappy, trials=1, seed=rng)["best"][str(m - 1)])
    assert np.mean(held) >= 0.95 - 3 * np.sqrt(0.95 * 0.05 / 60)


@pytest.mark.filterwarnings("ignore:scores are missing")
@pytest.mark.parametrize("gaps", [0, 0.2])
def test_rank_intervals_simultaneous_are_holms(gaps):
    """Oracle: scipy's paired t-tests, statsmodels' Holm."""
    rng = np.random.default_rng(1)
    scores = table(seed=1, topics=20, gaps=gaps) + rng.permutation(7) / 5
    pairs = list(itertools.combinations(scores, 2))
    tests = [ttest_rel(*scores[[*pair]].dropna().to_numpy().T) for pair in pairs]
    rejected = multipletests([test.pvalue for test in tests], 0.1, "holm")[0]
    expected = pd.DataFrame({"low": 1, "high": 7}, scores.columns)
    for (a, b), test in itertools.compress(zip(pairs, tests, strict=True), rejected):
        better, worse = (a, b) if test.statistic > 0 else (b, a)
        expected.loc[worse, "low"] += 1
        expected.loc[better, "high"] -= 1
    found = irstd.rank_intervals(scores, level=0.9, simultaneous=True)
    pd.testing.assert_frame_equal(
        found.loc[scores.columns, ["low", "high"]], expected, check_names=False
    )


def test_rank_intervals_keep_equal_systems_in_the_set():
    same = pd.DataFrame({"a": [0.1, 0.4, 0.2, 0.3, 0.9]}).assign(b=lambda scores: scores["a"])
    for level in (0.2, 0.95):
        assert irstd.rank_intervals(same, trials=1, level=level)["best"].all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda s: irstd.rank_intervals(s.iloc[:4]), "at least 5 topics"),
        (lambda s: irstd.rank_intervals(s, level=1), "level must be a number in .0, 1."),
        (lambda s: irstd.topic_influence(s * 0), "must differ between systems"),
    ],
)
def test_rank_intervals_refuse_bad_input(call, message):
    scores = table()
    with pytest.raises(ValueError, match=message):
        call(scores)


def test_rank_intervals_and_borda_of_mteb(trec_data):
    """BEIR's data sets: the order by MTEB's Borda count; test_datasets has its `Average`."""
    data = irstd.load_dataset("mteb-retrieval")
    found = irstd.rank_intervals(data.dropna(axis=1))
    assert found["best"].sum() == 30  # of 228, where one was "with the first"
    check_with_gaps = data.dropna(axis=1, how="all")
    votes = irstd.rankings.borda(check_with_gaps, missing="zero")
    assert votes.rank().tolist() == votes_of_mteb(check_with_gaps).rank().tolist()
