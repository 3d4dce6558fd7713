"""Judges held against scipy and the parts of irstd; rectified means against ppi-python."""

import warnings

import numpy as np
import pandas as pd
import pytest
from as_frames import qrels_of
from scipy import stats
from statsmodels.stats.inter_rater import cohens_kappa

import irstd
from irstd.judges import compare_judges, compare_labels, rectify


def two_judges(topics=12, systems=5, seed=0):
    """Scores of a truth and of a judge that is lenient and noisy."""
    rng = np.random.default_rng(seed)
    names = [f"s{i}" for i in range(systems)]
    truth = pd.DataFrame(rng.random((topics, systems)), columns=names).rename(index=str)
    noise = rng.normal(scale=0.1, size=truth.shape)
    return truth, (0.3 + 0.6 * truth + noise).clip(0, 1)


def both(truth, judge):
    return pd.concat({"truth": truth, "judge": judge}, axis=1)


def by_plain_computation(judge, truth, alpha=0.05):
    """Each column anew, from what scipy has and from the parts of irstd."""

    def signs(a, b):
        test = stats.ttest_rel(a, b)
        return np.sign(test.statistic) * (test.pvalue <= alpha)

    i, j = np.triu_indices(judge.shape[1], 1)
    itself = signs(judge, truth)
    by_judge = signs(judge.iloc[:, i], judge.iloc[:, j])
    by_truth = signs(truth.iloc[:, i], truth.iloc[:, j])
    both = np.mean(by_judge * by_truth == 1)
    return {
        "topics": len(truth),
        "mean": judge.mean(axis=None),
        "reference_mean": truth.mean(axis=None),
        "drmse": irstd.drmse(judge, truth),
        "drmse_standardized": irstd.drmse(irstd.standardize(judge), irstd.standardize(truth)),
        "tau": irstd.rank_correlation(judge.mean(), truth.mean()),
        "tau_ap": irstd.rank_correlation(judge.mean(), truth.mean(), "tau_ap"),
        "better": np.sum(itself == 1),
        "worse": np.sum(itself == -1),
        "both": both,
        "judge_only": np.mean((by_judge != 0) & (by_truth == 0)),
        "reference_only": np.mean((by_judge == 0) & (by_truth != 0)),
        "opposite": np.mean(by_judge * by_truth == -1),
        "not_confirmed": 1 - both / np.mean(by_judge != 0),
    }


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("alpha", [0.05, 0.5])
def test_compare_judges_is_scipys(seed, alpha):
    truth, judge = two_judges(40, 12, seed)
    levels = np.arange(12) / 10  # so that some systems differ significantly
    truth = truth + levels
    judge = judge + levels
    shuffled = judge[3:].iloc[::-1, ::-1]  # without the first three topics
    found = compare_judges(both(truth, shuffled), reference="truth", alpha=alpha)
    expected = by_plain_computation(judge[3:], truth[3:], alpha)
    assert found.loc["judge"].to_dict() == pytest.approx(expected, abs=1e-9)


def share_covered(found, truth):
    """The share of the intervals that hold the truth."""
    covered = (found["low"] <= truth) & (truth <= found["high"])
    return covered.mean()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t, j: t, r"must have columns \(judge, system\)"),
        (lambda t, j: both(t, j)[["truth"]], "two judges or more, found only truth"),
        (lambda t, j: both(t[:6], j[6:]), "two topics or more in common, found 0"),
        (
            lambda t, j: both(t, j.add_prefix("x")),
            "same systems; only judge has systems xs0, xs1, xs2",
        ),
        (lambda t, j: both(t, j.mask(j == j.iloc[2, 1])), "judge 'judge' has missing .*2"),
        (lambda t, j: both(t[["s0"]], j[["s0"]]), "at least 2 systems, found 1"),
    ],
)
def test_compare_judges_refuses_bad_input(change, message):
    scores = change(*two_judges())
    with pytest.raises(ValueError, match=message):
        compare_judges(scores, reference="truth")


def test_compare_judges_warns_of_a_constant_judge():
    truth, judge = two_judges()
    constant = both(truth, judge * 0 + 0.5)
    with pytest.warns(UserWarning, match="all standardizing systems score the same on topics 0, 1"):
        row = compare_judges(constant, reference="truth").loc["judge"]
    assert np.isnan(row[["tau", "tau_ap", "not_confirmed"]].to_numpy(float)).all()
    assert row[["both", "judge_only", "opposite"]].eq(0).all()


Y = np.array([0.1, 0.5, 0.3, 0.9, 0.4, 0.6])
F = np.array([0.2, 0.5, 0.5, 0.8, 0.3, 0.9])
OTHERS = np.array([0.3, 0.6, 0.4, 0.9, 0.1, 0.7, 0.2, 0.5])


def one_system(y=Y, f=F, others=OTHERS):
    human = pd.DataFrame({"s": y}).rename(index=str)
    judge = pd.DataFrame({"s": np.concatenate([f, others])}).rename(index=str)
    return human, judge


def test_rectify_has_the_means_of_ppi_python():
    """ppi-python 0.2.3 finds .43642422, by a lambda whose covariance has the divisor n."""
    found = rectify(*one_system()).loc["s"]
    human_only = Y.mean()
    moved = found["mean"] - human_only
    our_divisor = np.var(F, ddof=1)
    their_divisor = np.var(np.concatenate([F, OTHERS]), ddof=1)
    assert our_divisor > their_divisor  # rectify takes the larger
    with_their_divisor = human_only + moved * 5 / 6 * our_divisor / their_divisor
    assert with_their_divisor == pytest.approx(0.43642422, abs=5e-9)
    by_lambda_one = human_only + moved / found["weight"]
    assert by_lambda_one == pytest.approx(0.39583333, abs=5e-9)


def test_rectify_has_the_variance_of_the_page():
    found = rectify(*one_system(), level=0.9).loc["s"]
    n, others = len(Y), len(OTHERS)
    known = np.corrcoef(Y, F)[0, 1] ** 2
    share = others / (n + others)
    rest = (1 - known) * (n - 1) / (n - 2) * (1 + share / (n - 3))
    variance = Y.var(ddof=1) / n * (rest + known * (1 - share))
    half = stats.t.ppf(0.95, n - 2) * np.sqrt(variance)
    assert found["high"] - found["mean"] == pytest.approx(half, rel=1e-9)


@pytest.mark.parametrize(("rho", "mse"), [(0.5, 0.97), (0.9, 0.62)])
def test_rectify_covers_with_many_topics_by_the_judge(rho, mse):
    """With the variance of all topics, .818 at rho .9; *Coverage* has other judges."""
    y, noise = np.random.default_rng(220).normal(size=(2, 220, 1000))
    human = pd.DataFrame(y[:20]).rename(index=str)
    judge = pd.DataFrame(rho * y + np.sqrt(1 - rho**2) * noise).rename(index=str)
    found = rectify(human, judge)
    assert 0.92 <= share_covered(found, 0) <= 0.985
    alone = 2 * stats.t.isf(0.025, 19) * human.sem().to_numpy()
    assert ((found["high"] - found["low"]) / alone).max() <= 1.05 + 1e-12
    assert (found["mean"] ** 2).mean() <= mse * (human.mean() ** 2).mean()


def test_rectify_by_a_useless_judge_is_the_human_interval():
    human, judge = one_system()
    alone = stats.t.interval(0.95, 5, Y.mean(), stats.sem(Y))
    for useless in (judge * 0 + 0.5, 1 - judge, judge.iloc[: len(human)]):
        found = rectify(human, useless).loc["s"]
        assert found["mean"] == pytest.approx(Y.mean())
        assert found[["low", "high"]].tolist() == pytest.approx(alone)
        assert found["weight"] == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda h, j: (h.add_prefix("t", axis=0), j), "none on topics t0, t1"),
        (lambda h, j: (h, j.add_prefix("o")), "human and judge must have the same systems"),
        (lambda h, j: (h[:4], j), "human must have at least 5 topics, found 4"),
        (lambda h, j: (h, h.combine_first(j)), "judge equals human on the human topics"),
        (lambda h, j: (h, j.mask(j == 0.8)), r"judge has missing scores \(NaN\) on topic 3"),
    ],
)
def test_rectify_refuses_bad_input(change, message):
    human, judge = one_system()
    changed_human, changed_judge = change(human, judge)
    with pytest.raises(ValueError, match=message):
        rectify(changed_human, changed_judge)
    with pytest.raises(ValueError, match="level must be a number in .0, 1."):
        rectify(human, judge, level=95)


def zeros_and_ones(n_topics, n_systems, right, seed=0):
    """Scores of 0 and 1 by people, and by a judge that is right with this chance."""
    rng = np.random.default_rng(seed)
    y = rng.uniform(size=(n_topics, n_systems)) < 0.5
    is_right = rng.uniform(size=y.shape) < right
    people = pd.DataFrame(y.astype(float)).rename(index=str)
    return people, people.where(is_right, 1 - people)


def test_rectify_warns_of_a_judge_of_zeros_and_ones_that_agrees_with_people():
    people, judge = zeros_and_ones(55, 2, right=0.9)
    judge[:5] = people[:5]
    with pytest.warns(UserWarning, match="judge equals human"):
        assert share_covered(rectify(people[:5], judge), 0.5) == 1


def people_and_strict():
    """Scores by people and by a strict judge of the same topics."""
    judges = irstd.load_dataset("sim-judges")
    people = judges["original"].dropna()
    return people, judges["strict"].loc[people.index]


def test_rectify_warns_of_topics_that_the_judge_could_not_judge():
    """The error was three times as large, and 24% of the intervals covered, without a word."""
    people, strict = people_and_strict()
    twenty = people.sample(20, random_state=0)
    with warnings.catch_warnings(action="error"):
        rectify(twenty, strict)
    dead = pd.DataFrame(0.0, [f"x{k}" for k in range(49)], strict.columns)
    with pytest.warns(UserWarning) as caught:
        rectify(twenty, pd.concat([strict, dead]))
    alike, no_sample = [str(warning.message) for warning in caught]
    assert "the same score on 49 of" in alike
    assert "random sample" in no_sample


@pytest.mark.parametrize("seed", range(10))
def test_rectify_accepts_ties_that_people_see_too(seed):
    """Two systems tie on half of the topics, five on one of sixteen, mostly unseen by people."""
    people, judge = zeros_and_ones(110, 5, 0.8, seed)
    for systems in ([0, 1], list(people)):
        with warnings.catch_warnings(action="error"):
            rectify(people.loc[people.index[:10], systems], judge[systems])


def test_rectify_warns_of_topics_that_are_no_random_sample():
    people, strict = people_and_strict()
    hardest = people.mean(axis=1).nsmallest(15).index
    with pytest.warns(UserWarning, match="random sample of all"):
        rectify(people.loc[hardest], strict)
    with warnings.catch_warnings(record=True, action="always") as caught:
        for seed in range(30):  # of random ones, in about one of a hundred
            rectify(people.sample(15, random_state=seed), strict)
    assert len(caught) <= 2


def test_rectify_with_a_baseline_is_of_differences():
    people, judge = people_and_strict()
    few = people.sample(15, random_state=1)
    base, other = people.columns[[3, 8]]
    found = rectify(few, judge, baseline=base)
    differences = [(table[other] - table[base]).to_frame("x") for table in (few, judge)]
    expected = rectify(*differences).loc["x"]
    assert found.loc[other].tolist() == pytest.approx(expected.tolist())
    assert found.columns[0] == "difference" and base not in found.index


def test_rectify_takes_missing_topics_as_nan():
    people = irstd.load_dataset("sim-robust2003")
    judge = people**0.5
    sample = people.iloc[::5]
    pd.testing.assert_frame_equal(
        rectify(sample.reindex(people.index), judge), rectify(sample, judge)
    )
    with pytest.raises(ValueError, match="human"):
        rectify(sample.mask(sample > 0.9), judge)


def test_compare_labels_has_the_kappas_of_cohen_and_statsmodels(tmp_path):
    """Cohen (1960)'s example of three categories: kappa .492 of 200 cases."""
    counts = [[88, 10, 2], [14, 40, 6], [18, 10, 12]]
    rows, columns = (np.repeat(labels, np.ravel(counts)) for labels in np.indices((3, 3)))
    first = {"1": {f"d{k}": label for k, label in enumerate(rows.tolist())}}
    second = {"1": {f"d{k}": label for k, label in enumerate(columns.tolist())}}
    found = compare_labels(first, second | {"2": {"d0": 1}})
    assert found.documents == 200
    assert found.same == 0.7
    assert found.confusion.to_numpy().tolist() == counts
    assert found.kappa == pytest.approx(0.492, abs=5e-4)
    by_statsmodels = cohens_kappa(counts, wt="quadratic").kappa
    assert found.weighted_kappa == pytest.approx(by_statsmodels)
    irstd.write_qrels(qrels_of(first), tmp_path / "qrels")
    assert compare_labels(tmp_path / "qrels", str(tmp_path / "qrels")).kappa == 1
    with pytest.raises(ValueError, match="no document in common"):
        compare_labels(first, {"7": {"d0": 1}})
    many = {"1": {f"d{k}": k for k in range(1000)}}
    with pytest.raises(ValueError, match="a and b have 1000 different grades"):
        compare_labels(many, many)
