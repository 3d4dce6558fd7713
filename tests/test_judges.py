"""Judges held against plain numpy and scipy on real scores; rectified means against ppi-python."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

import irstd
from irstd.compare.judges import compare_judges, rectify


def two_judges(topics=12, systems=5, seed=0):
    """Scores of a truth and of a judge that is lenient and noisy."""
    rng = np.random.default_rng(seed)
    names = [f"s{i}" for i in range(systems)]
    truth = pd.DataFrame(rng.random((topics, systems)), columns=names).rename(index=str)
    noise = rng.normal(scale=0.1, size=truth.shape)
    return truth, (0.3 + 0.6 * truth + noise).clip(0, 1)


def both(truth, judge):
    return pd.concat({"truth": truth, "judge": judge}, axis=1)


def standard(x):
    return np.nan_to_num(stats.norm.cdf(stats.zscore(x, axis=1, ddof=1)), nan=0.5)


def by_plain_computation(judge, truth, alpha=0.05):
    """Each column anew, pair by pair, from what scipy has; both are topics by systems."""

    def drmse(a, b):
        a, b = a.mean(axis=0), b.mean(axis=0)
        return np.sqrt(np.mean((a - b) ** 2)) / ((np.std(a, ddof=1) + np.std(b, ddof=1)) / 2)

    found = {"topics": len(truth), "mean": judge.mean(), "reference_mean": truth.mean()}
    found["drmse"] = drmse(judge, truth)
    found["drmse_standardized"] = drmse(standard(judge), standard(truth))
    means = judge.mean(axis=0).round(12), truth.mean(axis=0).round(12)
    found["tau"] = stats.kendalltau(*means).statistic
    above = means[1][np.argsort(-means[0])]
    agreed = [np.mean(above[:i] > above[i]) for i in range(1, len(above))]
    found["tau_ap"] = 2 * np.mean(agreed) - 1
    itself = stats.ttest_rel(judge, truth)
    found["better"] = np.sum((itself.pvalue <= alpha) & (itself.statistic > 0))
    found["worse"] = np.sum((itself.pvalue <= alpha) & (itself.statistic < 0))
    i, j = np.triu_indices(judge.shape[1], 1)
    mine, theirs = (stats.ttest_rel(x[:, i], x[:, j]) for x in (judge, truth))
    m, t = mine.pvalue <= alpha, theirs.pvalue <= alpha
    same = mine.statistic * theirs.statistic > 0
    found["both"] = np.mean(m & t & same)
    found["judge_only"], found["reference_only"] = np.mean(m & ~t), np.mean(t & ~m)
    found["opposite"] = np.mean(m & t & ~same)
    found["not_confirmed"] = 1 - np.sum(m & t & same) / np.sum(m)
    return found


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("alpha", [0.05, 0.5])
def test_each_column_is_what_numpy_and_scipy_give(seed, alpha):
    truth, judge = (scores + np.arange(12) / 10 for scores in two_judges(40, 12, seed))
    found = compare_judges(both(truth, judge.iloc[:2:-1, ::-1]), reference="truth", alpha=alpha)
    expected = by_plain_computation(judge[3:].to_numpy(), truth[3:].to_numpy(), alpha)
    assert found.loc["judge"].to_dict() == pytest.approx(expected, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("year", "judge", "expected"),
    [
        (2019, "umbrela_zeroshot", (0.0446, 0.0327, 0.0401)),
        (2019, "binary", (0.0446, 0.2909, 0.0413)),
        (2020, "umbrela_zeroshot", (0.0420, 0.0315, 0.0348)),
        (2020, "preferences", (0.0420, 0.1743, 0.0323)),
        (2020, "exam_binary", (0.0420, 0.2977, 0.0410)),
    ],
)
def test_twenty_human_topics_of_fifty_real_ones(trec_data, year, judge, expected):
    """RMSE of system means (of people, of the judge, rectified) from those of people on all
    topics, over 200 draws of 20 topics."""
    scores = irstd.load_dataset(f"judges-dl{year}")
    truth, other = (scores[name].dropna() for name in ("original", judge))
    rng, squares = np.random.default_rng(0), []
    for _ in range(200):
        few = truth.loc[rng.permutation(truth.index)[:20]]
        means = [few.mean(), other.mean(), rectify(few, other)["mean"]]
        squares.append([((mean - truth.mean()) ** 2).mean() for mean in means])
    assert np.sqrt(np.mean(squares, axis=0)) == pytest.approx(expected, abs=1e-4)


@pytest.mark.night
@pytest.mark.parametrize("year", [2019, 2020])
@pytest.mark.parametrize("n_topics", [200, 1000])
@pytest.mark.usefixtures("trec_data")
def test_coverage_on_topics_like_those_of_real_judges(year, n_topics):
    """Topics drawn again from the real ones, people's scores of 20: their mean is known."""
    judged, shares = irstd.load_dataset(f"judges-dl{year}"), {}
    for judge in judged.columns.unique(0).drop("original"):
        truth, other = (judged[name].dropna() for name in ("original", judge))
        truth, other = truth.align(other, "inner", axis=0)
        rng, held = np.random.default_rng(0), []
        for _ in range(50):
            drawn = rng.choice(truth.index, n_topics)
            y, f = (part.loc[drawn].set_axis(range(n_topics)) for part in (truth, other))
            found, mean = rectify(y[:20], f), truth.mean()
            held.append(((found["low"] <= mean) & (mean <= found["high"])).mean())
        shares[judge] = np.mean(held)
    assert all(0.88 < share < 0.98 for share in shares.values()), shares


@pytest.mark.parametrize("correction", [None, "holm"])
def test_systems_better_than_themselves_are_corrected_for_their_number(correction):
    """By scipy's t-tests and statsmodels' Holm, of twenty systems that are equal but for two."""
    truth, rng = two_judges(50, 20, 2)[0], np.random.default_rng(2)
    judge = truth + rng.normal(0, 0.1, truth.shape) + np.r_[0.2, 0.2, np.zeros(18)]
    row = compare_judges(both(truth, judge), reference="truth", correction=correction)
    p = stats.ttest_rel(judge, truth).pvalue
    p = multipletests(p, method="holm")[1] if correction else p
    assert row[["better", "worse"]].sum(axis=1).item() == (p <= 0.05).sum()
    assert ((p <= 0.05).sum() == 2) == (correction == "holm")


@pytest.mark.parametrize(
    ("change", "arguments", "message"),
    [
        (lambda t, j: t, {}, r"must have columns \(judge, system\)"),
        (both, {"reference": "people"}, "reference must be one of 'truth', 'judge', got 'people'"),
        (lambda t, j: both(t, j)[["truth"]], {}, "two judges or more, found truth alone"),
        (lambda t, j: both(t[:6], j[6:]), {}, "two topics or more in common, found 0"),
        (lambda t, j: both(t, j * np.nan), {}, "found 0: they have"),
        (lambda t, j: both(t, j.add_prefix("x")), {}, "same systems; only judge has xs0, xs1, xs2"),
        (lambda t, j: both(t, j.mask(j == j.iloc[2, 1])), {}, "the judge judge are missing .*2"),
        (both, {"alpha": 0}, "alpha"),
        (both, {"method": "sd"}, "method must be one of"),
        (lambda t, j: both(t[["s0"]], j[["s0"]]), {}, "2 systems or more, scores has 1"),
    ],
)
def test_what_cannot_be_compared_is_refused(change, arguments, message):
    with pytest.raises(ValueError, match=message):
        compare_judges(change(*two_judges()), **({"reference": "truth"} | arguments))


def test_a_constant_judge_is_told_and_has_no_order():
    truth, judge = two_judges()
    with pytest.warns(UserWarning, match="the judge judge gives all systems the same score on the"):
        row = compare_judges(both(truth, judge * 0 + 0.5), reference="truth").loc["judge"]
    assert np.isnan(row[["tau", "tau_ap", "not_confirmed"]].to_numpy(float)).all()
    assert row[["both", "judge_only", "opposite"]].eq(0).all()
    spread = truth.mean().std(ddof=1) / 2
    expected = np.sqrt(((truth.mean() - 0.5) ** 2).mean()) / spread
    assert row["drmse"] == pytest.approx(expected)


Y = np.array([0.1, 0.5, 0.3, 0.9, 0.4, 0.6])
F = np.array([0.2, 0.5, 0.5, 0.8, 0.3, 0.9])
OTHERS = np.array([0.3, 0.6, 0.4, 0.9, 0.1, 0.7, 0.2, 0.5])


def one_system(y=Y, f=F, others=OTHERS):
    human = pd.DataFrame({"s": y}).rename(index=str)
    return human, pd.DataFrame({"s": np.concatenate([f, others])}).rename(index=str)


def test_means_are_those_of_ppi_python():
    """ppi-python 0.2.3 finds .43642422, by a lambda whose covariance has the divisor n."""
    found = rectify(*one_system()).loc["s"]
    human_only = Y.mean()
    ours, theirs = np.var(F, ddof=1), np.var(np.concatenate([F, OTHERS]), ddof=1)
    with_their_divisor = human_only + (found["mean"] - human_only) * 5 / 6 * ours / theirs
    assert ours > theirs  # rectify takes the larger
    assert with_their_divisor == pytest.approx(0.43642422, abs=5e-9)
    by_lambda_one = human_only + (found["mean"] - human_only) / found["weight"]
    assert by_lambda_one == pytest.approx(0.39583333, abs=5e-9)


def test_the_variance_of_a_rectified_mean_is_that_of_the_page():
    found, n = rectify(*one_system()).loc["s"], len(Y)
    known, share = np.corrcoef(Y, F)[0, 1] ** 2, len(OTHERS) / (n + len(OTHERS))
    rest = (1 - known) * (n - 1) / (n - 2) * (1 + share / (n - 3))
    variance = Y.var(ddof=1) / n * (rest + known * (1 - share))
    half = stats.t.ppf(0.975, n - 2) * np.sqrt(variance)
    assert found["high"] - found["mean"] == pytest.approx(half, rel=1e-9)


@pytest.mark.parametrize(("n", "others", "draws"), [
    (20, 200, 1000),
    *(pytest.param(n, k * n, 4000, marks=pytest.mark.night)
      for n in (10, 20, 40) for k in (1.5, 10, 50)),
])  # fmt: skip
@pytest.mark.parametrize(
    ("rho", "judge", "least", "mse"),
    [(0.5, "normal", 0.94, 0.97), (0.9, "normal", 0.94, 0.62), (0, "convex", 0.91, 0.65)],
)
def test_intervals_cover_where_a_judge_has_judged_many_topics(
    n, others, draws, rho, judge, least, mse
):
    """With the variance of all topics, .818 at 20, 800 and rho .9; the convex judge .779."""
    rng = np.random.default_rng(n + int(others))
    y = rng.normal(size=(n + int(others), draws))
    noise, true = rng.normal(size=y.shape), 0
    f = rho * y + np.sqrt(1 - rho**2) * noise
    if judge == "convex":
        y, true = rng.exponential(size=y.shape), 1
        f = y**2 + noise
    y, f = (pd.DataFrame(x).rename(index=str) for x in (y, f))
    found = rectify(y[:n], f)
    share = ((found["low"] <= true) & (true <= found["high"])).mean()
    chance = 3 * np.sqrt(least * (1 - least) / draws)
    assert least - chance <= share <= 0.985
    squares = [((means - true) ** 2).mean() for means in (found["mean"], y[:n].mean())]
    assert squares[0] <= mse * squares[1]


def test_a_judge_that_says_nothing_leaves_the_human_interval():
    human, judge = one_system()
    alone = stats.t.interval(0.95, 5, Y.mean(), stats.sem(Y))
    for useless in (judge * 0 + 0.5, 1 - judge, judge.iloc[: len(human)]):
        found = rectify(human, useless).loc["s"]
        assert found["mean"] == pytest.approx(Y.mean())
        assert found[["low", "high"]].tolist() == pytest.approx(alone)
        assert found["weight"] == 0
    tight, wide = rectify(human, judge, level=0.5).loc["s"], rectify(human, judge).loc["s"]
    assert tight["high"] - tight["low"] < (wide["high"] - wide["low"]) / 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda h, j: (h.add_prefix("t", axis=0), j), "judge lacks the human topics t0, t1"),
        (lambda h, j: (h, j.add_prefix("o")), "human and judge must be of the same systems"),
        (lambda h, j: (h[:4], j), "5 topics or more, human has 4"),
        (lambda h, j: (h, j.mask(j == 0.8)), r"judge are missing \(NaN\) on the topics 3"),
    ],
)
def test_what_cannot_be_rectified_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        rectify(*change(*one_system()))
    with pytest.raises(ValueError, match="level must be above 0 and below 1"):
        rectify(*one_system(), level=95)


@pytest.mark.parametrize("correlation", [0, 0.3, 0.6, 0.9])
def test_intervals_are_hardly_wider_than_without_the_judge(correlation):
    """2,000 draws of 20 human topics of 50; skewed scores in [0, 1], too high by .3."""
    z = np.random.default_rng(1).standard_normal((2, 50, 2000))
    z[1] = correlation * z[0] + np.sqrt(1 - correlation**2) * z[1]
    truth, judge = (pd.DataFrame(x).rename(index=str) for x in stats.norm.cdf(z - 0.6))
    human, expected = truth.iloc[:20], stats.norm.cdf(-0.6 / np.sqrt(2))  # mean of Phi(z - .6)
    found = rectify(human, judge * 0.7 + 0.3)
    assert 0.93 <= ((found["low"] <= expected) & (expected <= found["high"])).mean() <= 0.97
    ratio = (found["high"] - found["low"]) / (2 * stats.t.isf(0.025, 19) * human.sem()).to_numpy()
    assert ratio.max() <= 1.05 + 1e-12
    r = np.corrcoef(truth.to_numpy().ravel(), judge.to_numpy().ravel())[0, 1]
    gain = np.sqrt(1 - r**2 * 0.6)  # as the docstring says
    assert ratio.mean() == pytest.approx(gain, abs=0.05)
    rmse = [np.sqrt(((means - expected) ** 2).mean()) for means in (found["mean"], human.mean())]
    assert rmse[0] / rmse[1] == pytest.approx(gain, abs=0.05)


def test_the_interval_of_tau_is_the_jackknife_over_the_topics_of_both():
    people = irstd.load_dataset("sim-robust2003").iloc[:12, :9]
    judges = pd.concat({"people": people, "kind": people.iloc[:10] ** 0.5 + 0.1}, axis=1)
    row = irstd.compare_judges(judges, reference="people", level=0.9).loc["kind"]
    cut = {name: judges[name].iloc[:10] for name in ("people", "kind")}
    expected = irstd.interval(
        cut,
        lambda s: irstd.rank_correlation(s["people"].mean(), s["kind"].mean()),
        level=0.9,
        by="jackknife",
    )
    assert row[["tau", "tau_low"]].tolist() == pytest.approx([expected.estimate, expected.low])
    assert row["tau_high"] == pytest.approx(min(1, expected.high))
