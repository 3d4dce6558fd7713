"""Ranks: Borda as MTEB counts, the additive model of statsmodels, the bootstrap by a loop."""

import json

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from hypothesis import given
from hypothesis import strategies as st
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


def votes_by_a_loop(scores):
    votes = dict.fromkeys(scores.columns, 0.0)
    for _, row in scores.iterrows():
        for a in scores.columns:
            for b in scores.columns.drop(a):
                votes[a] += (row[a] > row[b]) + 0.5 * (row[a] == row[b])
    return pd.Series(votes)


@pytest.mark.parametrize("gaps", [0, 0.3])
def test_borda_with_zero_votes_is_that_of_mteb(gaps):
    scores = table(gaps=gaps)
    found = irstd.borda(scores, missing="zero")
    assert found.to_numpy() == pytest.approx(votes_of_mteb(scores).to_numpy())


def test_without_gaps_both_counts_are_the_systems_beaten():
    scores = table()
    beaten = votes_by_a_loop(scores)
    assert irstd.borda(scores, missing="zero").to_numpy() == pytest.approx(beaten.to_numpy())
    expected = beaten / (len(scores) * (scores.shape[1] - 1))
    assert irstd.borda(scores).to_numpy() == pytest.approx(expected.to_numpy())


def test_a_gap_costs_votes_only_if_it_is_said_to():
    scores = table()
    best = scores.max(axis=1) + 1
    scores["best"] = best
    scores.iloc[: len(scores) // 2, -1] = np.nan
    assert irstd.borda(scores)["best"] == 1
    assert irstd.borda(scores, missing="zero").idxmax() != "best" or len(scores) < 3


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


def test_parts_that_share_nothing_cannot_be_compared():
    scores = pd.DataFrame(
        {"a": [1, 2, None, None], "b": [2, 1, None, None], "c": [None, None, 1.0, 3]}
    )
    with pytest.raises(ValueError, match="without a system or topic in common"):
        irstd.additive_means(scores)


def test_influence_is_the_share_of_the_sd_and_equal_in_z():
    scores = table()
    sd = scores.std(axis=1, ddof=1)
    assert irstd.topic_influence(scores).to_numpy() == pytest.approx((sd / sd.sum()).to_numpy())
    assert irstd.topic_influence(scores, "z").to_numpy() == pytest.approx(1 / len(scores))


def by_a_loop(scores, trials, seed, level):
    scores = scores.sort_index().sort_index(axis=1)
    n, rng = len(scores), np.random.default_rng(seed)
    ranks, differences = [], []
    first = scores.mean().idxmax()
    for counts in rng.multinomial(n, [1 / n] * n, size=trials):
        drawn = scores.loc[np.repeat(scores.index, counts)].reset_index(drop=True)
        lowest = np.nanmin(scores.fillna(0)) - 1
        ranks.append(rankdata(-drawn.mean().fillna(lowest).round(12), method="min"))
        differences.append(drawn.rsub(drawn[first], axis=0).mean().fillna(0))
    out = int((1 - level) / 2 * trials)
    ranks = np.sort(ranks, axis=0)
    differences = np.sort(differences, axis=0)
    with_first = (differences[out] <= 0) & (differences[-1 - out] >= 0)
    low_high = pd.DataFrame({"low": ranks[out], "high": ranks[-1 - out]}, scores.columns)
    return low_high.assign(with_first=with_first)


@pytest.mark.parametrize("gaps", [0, 0.4])
def test_intervals_are_those_of_a_plain_loop(gaps):
    scores = table(gaps=gaps)
    found = irstd.rank_intervals(scores, trials=200, level=0.9, seed=5)
    expected = by_a_loop(scores, 200, 5, 0.9)
    pd.testing.assert_frame_equal(
        found[["low", "high", "with_first"]].sort_index(), expected, check_dtype=False,
        check_names=False,
    )  # fmt: skip
    ranks = rankdata(-scores.mean().round(12), method="min")
    assert found["rank"][scores.columns].tolist() == ranks.tolist()


def test_intervals_of_borda_are_those_of_its_shares():
    scores = table(gaps=0.3)
    votes = (scores.rank(axis=1) - 1).div(scores.notna().sum(axis=1) - 1, axis=0)
    found = irstd.rank_intervals(scores, aggregate="borda", trials=100)
    pd.testing.assert_frame_equal(found, irstd.rank_intervals(votes, trials=100))
    assert found["value"][scores.columns].to_numpy() == pytest.approx(
        irstd.borda(scores).to_numpy()
    )


@given(st.permutations(range(12)), st.permutations(range(7)))
def test_the_order_of_topics_and_systems_changes_nothing(topics, systems):
    scores = table(gaps=0.3)
    found = irstd.rank_intervals(scores.iloc[topics, systems], trials=50)
    expected = irstd.rank_intervals(scores, trials=50)
    pd.testing.assert_frame_equal(found.sort_index(), expected.sort_index())


@pytest.mark.slow
def test_intervals_hold_the_rank_that_many_topics_would_give():
    """On 50 topics of normal scores, 95% intervals hold the true rank about as often."""
    rng = np.random.default_rng(0)
    quality = np.linspace(0, 1, 10)
    true = pd.Series(range(10, 0, -1), [f"s{i}" for i in range(10)])
    held = []
    for _ in range(300):
        scores = pd.DataFrame(rng.normal(quality, 1, (50, 10)), columns=true.index)
        found = irstd.rank_intervals(scores, trials=300, seed=rng).loc[true.index]
        held.append(((found["low"] <= true) & (true <= found["high"])).mean())
    assert 0.92 <= np.mean(held) <= 0.99


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda s: irstd.rank_intervals(s.iloc[:4]), "5 topics or more"),
        (lambda s: irstd.rank_intervals(s.iloc[:, :1]), "2 systems or more"),
        (lambda s: irstd.rank_intervals(s, level=1), "level must be above 0 and below 1"),
        (lambda s: irstd.rank_intervals(s, aggregate="median"), "aggregate must be one of"),
        (lambda s: irstd.rank_intervals(s, reference=s), "reference is given, but no method"),
        (lambda s: irstd.borda(s, missing="skip"), "missing must be one of"),
        (lambda s: irstd.borda(s.assign(s1=np.nan)), "none at all of the systems s1"),
        (lambda s: irstd.additive_means(s.drop("t3").reindex(s.index)), "on the topics t3"),
        (lambda s: irstd.topic_influence(s * 0), "no differences"),
        (lambda s: irstd.topic_influence(s.mask(s > 0.9)), "missing"),
    ],
)
def test_what_cannot_be_answered_is_refused(call, said):
    with pytest.raises(ValueError, match=said):
        call(table())


def test_a_real_leaderboard(trec_data):
    """BEIR's data sets: MTEB's own column `Average`, and the order by its Borda count."""
    file = trec_data / "mteb" / "en-retrieval.jsonl"
    rows = pd.DataFrame([json.loads(line) for line in file.read_text().splitlines()])
    data = rows.loc[:, "ArguAna":].apply(pd.to_numeric, errors="coerce").T
    complete = data.loc[:, data.notna().all()]
    assert data.shape == (15, 374)
    assert complete.shape[1] == 228
    found = irstd.rank_intervals(complete / 100)
    average = pd.to_numeric(rows["Average"])[complete.columns]
    assert (100 * found["value"][complete.columns.astype(str)]).to_numpy() == pytest.approx(
        average.to_numpy(), abs=0.00501
    )
    assert found["rank"].is_monotonic_increasing
    for scores in (complete, data.dropna(axis=1, how="all")):
        votes, plain = irstd.borda(scores, missing="zero"), votes_of_mteb(scores)
        assert votes.to_numpy() == pytest.approx(plain.to_numpy())
        assert votes.rank().tolist() == plain.rank().tolist()
    beaten = votes_by_a_loop(complete.iloc[:, ::20])
    assert irstd.borda(complete.iloc[:, ::20], missing="zero").to_numpy() == pytest.approx(
        beaten.to_numpy()
    )
