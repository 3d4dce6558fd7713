"""Tests of pairs of systems, against scipy, statsmodels, R, and enumeration of all outcomes."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from test_spread import SAMPLES

import irstd
from irstd.significance import mean_tests, pair_tables
from irstd.significance.pairwise import paired_test, pairwise_tests

RANDOM = ["randomization", "bootstrap", "randomized_tukey"]


def f_by_scipy(a, b):
    found, df = a.var(ddof=1) / b.var(ddof=1), len(a) - 1
    return found, 2 * min(stats.f.cdf(found, df, df), stats.f.sf(found, df, df))


def wilcoxon_by_enumeration(a, b):
    """All signs of mid-ranks, where they are few; else scipy's, which is exact without ties."""
    d = (a - b).round(13)  # its advice for differences that tie on paper
    d = d[d != 0]
    if len(d) > 13:
        return stats.wilcoxon(d)
    ranks = stats.rankdata(np.abs(d))
    sums = np.array([*itertools.product((0, 1), repeat=len(d))]) @ ranks
    found = ranks[d > 0].sum()
    p = min(1, 2 * min((sums <= found).mean(), (sums >= found).mean()))
    return min(found, ranks.sum() - found), p


ORACLES = {
    "t": stats.ttest_rel,
    "wilcoxon": wilcoxon_by_enumeration,
    "sign": lambda a, b: (
        (a > b).sum(),
        stats.binomtest(int((a > b).sum()), int((a != b).sum())).pvalue,
    ),
    "f": f_by_scipy,
    "levene": lambda a, b: stats.levene(a, b, center="median"),
    "levene_mean": lambda a, b: stats.levene(a, b, center="mean"),
    "paired_levene": lambda a, b: stats.ttest_rel(abs(a - np.median(a)), abs(b - np.median(b))),
}


def matrix(n, m, *, digits=None, seed=0):
    rng = np.random.default_rng(seed)
    values = rng.beta(1, 2, (n, 1)) * rng.beta(2, 2, (n, m))
    values = values if digits is None else values.round(digits)
    return pd.DataFrame(values, [str(301 + i) for i in range(n)], [f"s{j}" for j in range(m)])


NEAR = matrix(40, 2).assign(  # differences that are small beside the scores: digits cancel
    c=lambda x: x["s0"] + 1e-7 * x["s1"],
    d=lambda x: 1000 + x["s1"] / 2 + x["s0"] / 9,
    e=lambda x: 1000 + x["s0"] + 1e-3 * np.arange(40) % 7,
    f=lambda x: 3 * x["s1"] + 1e-3 * x["s0"],
)


@pytest.mark.parametrize("method", ORACLES)
@pytest.mark.parametrize(
    "scores",
    [matrix(150, 4, digits=1), matrix(9, 5, digits=1), *map(matrix, (50, 51, 3), (6, 4, 4)), NEAR],
    ids=["150tied", "9tied", "50", "51", "3", "near"],
)
def test_pairwise_tests_are_scipys_of_each_pair(scores, method):
    table = pairwise_tests(scores, method)
    pairs = list(itertools.combinations(scores.columns, 2))
    assert list(zip(table["system_a"], table["system_b"], strict=True)) == pairs
    for (a, b), row in zip(pairs, table.itertuples(), strict=True):
        one, other = scores[a].to_numpy(), scores[b].to_numpy()
        expected = ORACLES[method](one, other)
        assert (row.wins, row.losses) == ((one > other).sum(), (one < other).sum())
        assert row.ties == len(scores) - row.wins - row.losses
        tolerance = {"abs": 1e-10, "rel": 1e-7 if scores is NEAR else 1e-10}
        assert row.statistic == pytest.approx(expected[0], **tolerance)
        assert row.pvalue == pytest.approx(expected[1], abs=1e-10)
        alone = paired_test(scores[a], scores[b], method)
        assert tuple(alone) == pytest.approx((row.statistic, row.pvalue), rel=1e-8, abs=1e-10)


def bootstrap_by_enumeration(a, b, extreme=np.abs):
    """scipy's t of all n^n resamples of the differences, shifted to the mean 0."""
    d = a - b
    found = stats.ttest_rel(a, b).statistic
    samples = np.array(list(itertools.product(range(len(d)), repeat=len(d))))
    shifted = (d - d.mean())[samples]
    same = (samples == samples[:, :1]).all(axis=1)
    t = np.copysign(np.inf, shifted[:, 0])  # of one topic: a mean without an error
    t[~same] = stats.ttest_1samp(shifted[~same], 0, axis=1).statistic
    return found, (extreme(t) >= extreme(found)).mean()


@pytest.mark.parametrize(("side", "extreme"), [("greater", np.positive), ("less", np.negative)])
def test_bootstrap_comes_near_all_resamples_on_either_side(side, extreme):
    scores = matrix(5, 3, seed=2)
    table = pairwise_tests(scores, "bootstrap", trials=20_000, alternative=side)
    for row in table.itertuples():
        pair = scores[row.system_a].to_numpy(), scores[row.system_b].to_numpy()
        found, p = bootstrap_by_enumeration(*pair, extreme)
        assert row.statistic == pytest.approx(found)
        assert row.pvalue == pytest.approx(p, abs=4 * np.sqrt(p * (1 - p) / 20_000))


def test_studentized_range_of_many_values_is_scipys():
    q = np.concatenate([[0], np.geomspace(0.5, 60, mean_tests.NODES)])
    for k, df in [(19, 18), (82, 20088)]:
        expected = [1.0, *stats.studentized_range.sf(q[1::50], k, df)]
        found = mean_tests.studentized_range(q, k, df)
        np.testing.assert_allclose(found[[0, *range(1, len(q), 50)]], expected, atol=1.1e-10)


@pytest.mark.parametrize("method", RANDOM)
def test_the_least_p_of_random_trials(method):
    far = matrix(30, 2, seed=6).assign(s1=lambda x: x["s0"] + 9 + x["s1"])
    assert pairwise_tests(far, method, trials=500)["pvalue"].item() == 1 / 501


def test_randomization_counts_trials():
    """The trials of the flips drawn again by hand: (count + 1) / (B + 1)."""
    a, b = matrix(20, 2, seed=8).to_numpy().T
    signs = np.random.default_rng(7).integers(0, 2, (99, 20)) * 2 - 1
    count = (np.abs((signs * (a - b)).mean(axis=1)) >= abs((a - b).mean())).sum()
    found = paired_test(a, b, "randomization", trials=99, seed=7)
    assert found.pvalue == (count + 1) / 100


@pytest.mark.parametrize("method", ["sign", "wilcoxon", *RANDOM])
def test_pairwise_tests_do_not_depend_on_the_size_of_blocks(method, monkeypatch):
    scores = matrix(15, 6, digits=1)
    expected = pairwise_tests(scores, method, trials=200)
    pd.testing.assert_frame_equal(expected, pairwise_tests(scores, method, trials=200))
    monkeypatch.setattr(pair_tables, "BLOCK", 1000)
    monkeypatch.setattr(mean_tests, "BLOCK", 1000)
    pd.testing.assert_frame_equal(expected, pairwise_tests(scores, method, trials=200))


SIZES = {
    "wilcoxon": np.mean,
    "f": lambda x: np.std(x, ddof=1),
    "paired_levene": lambda x: np.abs(x - np.median(x)).mean(),
    "levene": lambda x: np.abs(x - np.median(x)).mean(),
    "levene_mean": lambda x: np.abs(x - x.mean()).mean(),
}


@pytest.mark.parametrize("method", SIZES)
def test_pairwise_tests_have_differences_of_what_is_tested(method):
    scores = matrix(20, 2)
    a, b = (SIZES[method](scores[name].to_numpy()) for name in scores)
    assert pairwise_tests(scores, method)["difference"].item() == pytest.approx(a - b)


@pytest.mark.parametrize(
    ("scores", "arguments", "message"),
    [
        (matrix(1, 3), {}, "at least 2 topics, found 1"),
        (matrix(9, 3), {"method": "tukey", "correction": "holm"}, "give correction=None"),
        (matrix(9, 3), {"method": "tukey", "alternative": "less"}, "'tukey' is two-sided"),
    ],
)
def test_pairwise_tests_refuse(scores, arguments, message):
    with pytest.raises(ValueError, match=message):
        pairwise_tests(scores, **arguments)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_pairwise_tests_of_one_side_and_their_intervals_are_scipys(alternative):
    scores = matrix(20, 4)
    side = {"alternative": alternative}
    for row in pairwise_tests(scores, level=0.9, **side).itertuples():
        a, b = scores[row.system_a], scores[row.system_b]
        found = stats.ttest_rel(a, b, **side)
        low, high = found.confidence_interval(0.9)
        assert (row.low, row.high) == pytest.approx((low, high), abs=1e-12)
        assert (row.statistic, row.pvalue) == pytest.approx((found.statistic, found.pvalue))
        assert row.effect_size == pytest.approx((a - b).mean() / (a - b).std())
        distances = abs(a - a.median()), abs(b - b.median())
        expected = {
            "wilcoxon": stats.wilcoxon(a, b, **side),
            "sign": stats.binomtest(int((a > b).sum()), len(a), **side),
            "paired_levene": stats.ttest_rel(*distances, **side),
        }
        for method, by_scipy in expected.items():
            found = paired_test(a, b[::-1], method, **side)
            assert found.pvalue == pytest.approx(by_scipy.pvalue), method
    for n in (2, 5, 9):
        few = matrix(n, 3, digits=1, seed=n)
        for row in pairwise_tests(few, "randomization", **side).itertuples():
            d = (few[row.system_a] - few[row.system_b]).round(12)
            expected = stats.permutation_test((d,), np.mean, permutation_type="samples", **side)
            found = row.statistic, row.pvalue
            assert found == pytest.approx((expected.statistic, expected.pvalue), abs=1e-12)


def test_paired_test_is_that_of_pingouin_and_r():
    """Student's sleep data: pingouin 0.7.0's ttest of the differences; R's t.test; its wilcox.test
    of the example of depression."""
    a, b, x, y = SAMPLES[["sleep 2", "sleep 1", "depression x", "depression y"]]
    found = paired_test(a, b)
    assert found.statistic == pytest.approx(4.0621, abs=5e-5)
    assert found.effect_size == pytest.approx(1.2845575625910546, rel=1e-12)  # its cohen_d
    assert found.pvalue == pytest.approx(0.002832890197384273, rel=1e-12)
    assert (found.low, found.high) == pytest.approx((0.7001142, 2.4598858), abs=5e-8)
    found = paired_test(x, y, "wilcoxon")
    assert np.isnan(found.low)
    assert found.statistic == 45 - 40  # R's V of 40 is the larger sum of ranks
    assert found.pvalue / 2 == pytest.approx(0.01953, abs=5e-6)  # R's is one-sided


def test_corrections_that_can_never_reject_are_refused():
    scores = matrix(30, 12)  # 66 pairs
    far = scores.assign(s11=lambda x: x["s0"] + 1 + x["s1"])
    options = {"method": "bootstrap", "correction": "holm"}
    with pytest.raises(ValueError, match="for 66 pairs, none can be .* give trials=1320"):
        pairwise_tests(far, trials=1318, **options)
    assert pairwise_tests(far, trials=1320, **options)["adjusted_pvalue"].min() <= 0.05
    assert len(pairwise_tests(scores, baseline="s0", trials=1000, **options)) == 11


@pytest.mark.parametrize(("method", "n_systems"), [("t", 2_001), ("randomized_tukey", 1_001)])
def test_pairwise_tests_refuse_pairs_that_would_take_gigabytes(method, n_systems):
    scores = pd.DataFrame(np.random.default_rng(0).random((3, n_systems)))
    pairs = n_systems * (n_systems - 1) // 2
    with pytest.raises(ValueError, match=f"{pairs:,} pairs of .* GB .* give baseline="):
        irstd.pairwise_tests(scores, method)
    assert len(irstd.pairwise_tests(scores, baseline="0")) == n_systems - 1


def test_several_baselines_are_one_family_of_tests():
    scores = irstd.load_dataset("sim-trec8").iloc[:, ::8]
    baselines = scores.columns[[1, 0]].tolist()
    others = scores.columns.difference(baselines)
    table = irstd.pairwise_tests(scores, baseline=baselines, correction="bonferroni")
    pairs = set(zip(table["system_a"], table["system_b"], strict=True))
    assert pairs == {(other, baseline) for other in others for baseline in baselines}
    adjusted = np.minimum(1, len(pairs) * table["pvalue"]).to_numpy()
    assert table["adjusted_pvalue"].to_numpy() == pytest.approx(adjusted)
    for wrong in ([], scores.columns.tolist()):
        with pytest.raises(ValueError, match="baseline"):
            irstd.pairwise_tests(scores, baseline=wrong)
    twice = [*baselines, baselines[0]]  # one that is named twice counts once
    paper = irstd.comparison_table(scores, twice, correction="bonferroni")
    signs = (np.sign(table["difference"]) * (adjusted <= 0.05)).groupby(table["system_a"])
    expected = signs.min().where(signs.min() == signs.max(), 0).to_dict()
    marks = paper.marks.iloc[:, 0].map({"↑": 1, "↓": -1, "": 0}).to_dict()
    assert marks == expected | dict.fromkeys(baselines, 0)
    assert set(expected.values()) == {1, 0, -1}
