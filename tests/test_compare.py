"""Comparison across collections, against scipy; tables of WMZ08: notebook 06 and its ledger."""

import itertools
import re
import warnings

import numpy as np
import pandas as pd
import pytest
from fifteen import fifties
from scipy import stats
from test_standardize import matrix

import irstd

ONE_PAIR = {
    "a": matrix([[0.1, 0.2], [0.3, 0.5]]),
    "b": matrix([[0.4, 0.2], [0.3, 0.9]]).set_axis(["x", "y"]),
}


@pytest.fixture(scope="module")
def parts():
    """The later systems of the simulated campaign on each of its collections, and the originals."""
    collections = fifties(irstd.load_dataset("sim-robust2004-all"))
    collections.pop("T6")
    sets = {"T7": "sim-trec7", "T8": "sim-trec8", "R3": "sim-robust2003"}
    references = {name: irstd.load_dataset(data) for name, data in sets.items()}
    return collections, references | {"R4": None}


def test_drmse_by_hand():
    c = matrix([[0.1, 0.3], [0.3, 0.5]])
    d = matrix([[0.4, 0.6], [0.2, 0.8], [0.0, 1.0]])
    rmse = np.sqrt(((0.2 - 0.2) ** 2 + (0.4 - 0.8) ** 2) / 2)
    sds = [np.std([0.2, 0.4], ddof=1), np.std([0.2, 0.8], ddof=1)]
    assert irstd.drmse(c.mean(), d.mean()[::-1]) == pytest.approx(rmse / np.mean(sds))
    assert irstd.drmse(c, d, mean="geometric") == pytest.approx(rmse / stats.gmean(sds))


@pytest.mark.parametrize("equal_var", [True, False])
def test_false_positives_are_scipys_t_tests(parts, equal_var):
    collections, _ = parts
    c = collections["T8"]
    d = collections["T7"].iloc[:40]
    found = irstd.false_positives(c, d[d.columns[::-1]], equal_var=equal_var)
    expected = stats.ttest_ind(c, d, equal_var=equal_var)
    np.testing.assert_allclose(found["statistic"], expected.statistic, rtol=1e-10)
    np.testing.assert_allclose(found["pvalue"], expected.pvalue, rtol=1e-8)
    np.testing.assert_allclose(found[["mean_c", "mean_d"]], np.c_[c.mean(), d.mean()])
    better = np.where(expected.pvalue > 0.05, None, np.where(expected.statistic > 0, "c", "d"))
    assert found["better_on"].tolist() == better.tolist()
    at_p = irstd.false_positives(c, d, alpha=found["pvalue"].iloc[0], equal_var=equal_var)
    assert at_p["better_on"].iloc[0] is not None  # p <= alpha


def test_false_positives_of_a_collection_against_itself():
    flat = matrix([[0.5, 0.1], [0.5, 0.2]])
    found = irstd.false_positives(flat, flat)
    assert found["pvalue"].tolist() == [1, 1]
    assert found["better_on"].tolist() == [None, None]
    found = irstd.false_positives(flat, flat + 1)
    assert found["pvalue"].iloc[0] == 0  # no spread at all, and not the same
    assert found["better_on"].iloc[0] == "d"


def test_compare_collections_counts_equally_distant_splits():
    same = matrix([[0.1, 0.3], [0.1, 0.3], [0.2, 0.3]])
    pair = {"c": same, "d": same.set_axis(list("xyz"))}
    found = irstd.compare_collections(pair, trials=200).iloc[0]
    assert found["drmse"] == 0 < found["percentile"] < 100  # halves that are alike again
    assert found["percentile_fpr"] == 100


@pytest.mark.parametrize("method", [None, "normal"])
def test_compare_collections_has_the_numbers_of_its_parts(parts, method):
    collections, references = parts
    given = references if method else None
    found = irstd.compare_collections(collections, references=given, method=method)
    pairs = list(itertools.combinations(collections, 2))
    assert list(found[["c", "d"]].itertuples(index=False, name=None)) == pairs
    assert ("references" in found) == (method is not None)
    c, d = collections["T7"], collections["R4"]
    if method:
        c, d = irstd.standardize(c, references["T7"]), irstd.standardize(d)
    row = found.iloc[2]
    assert row["drmse"] == pytest.approx(irstd.drmse(c, d))
    better = irstd.false_positives(c, d)["better_on"]
    assert [row["better_on_c"], row["better_on_d"]] == [(better == x).sum() for x in "cd"]
    assert row["tau"] == pytest.approx(stats.kendalltau(c.mean(), d.mean()).statistic)
    assert row["pearson"] == pytest.approx(stats.pearsonr(c.mean(), d.mean()).statistic)


def test_compare_collections_has_percentiles_among_random_splits(parts):
    collections, _ = parts
    pair = {name: collections[name] for name in ("R3", "R4")}
    found = irstd.compare_collections(pair, trials=100, seed=4).iloc[0]
    pooled = pd.concat(pair.values())
    rows = []
    for order in np.random.default_rng(4).random((100, 100)).argsort(axis=1):
        c, d = pooled.iloc[order[:50]], pooled.iloc[order[50:]]
        rows.append((irstd.drmse(c, d), (stats.ttest_ind(c, d).pvalue <= 0.05).sum()))
    splits = pd.DataFrame(rows, columns=["drmse", "different"])
    different = (stats.ttest_ind(*pair.values()).pvalue <= 0.05).sum()
    assert found["percentile"] == 100 * (splits["drmse"] <= found["drmse"]).mean()
    assert found["percentile_fpr"] == 100 * (splits["different"] <= different).mean()


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda a, b: irstd.drmse(a, b.rename(columns={"s0": "x"})), "only c has system s0"),
        (lambda a, b: irstd.false_positives(a[["s0"]], b), "only d has system s1"),
        (
            lambda a, b: irstd.compare_collections([a, b]),
            "collections must be a dict of 2 or more",
        ),
        (
            lambda a, b: irstd.compare_collections({"a": a, "b": b.add_prefix("x")}),
            "only a has systems s0",
        ),
        (
            lambda a, b: irstd.compare_collections(ONE_PAIR, references=ONE_PAIR),
            "reference needs a method",
        ),
        (
            lambda a, b: irstd.compare_collections(ONE_PAIR, references={"c": a}),
            "keys .'a', 'b'., one per collection",
        ),
    ],
)
def test_comparisons_of_collections_refuse(function, message):
    with pytest.raises(ValueError, match=message):
        function(*ONE_PAIR.values())


def test_compare_collections_takes_references_of_all_topics():
    a, b = ONE_PAIR.values()
    with pytest.raises(ValueError, match="missing"):
        irstd.compare_collections(ONE_PAIR, references={"a": a[:1], "b": b}, method="z")
    of_all = irstd.compare_collections(ONE_PAIR, references={"a": a, "b": None}, method="z")
    pd.testing.assert_frame_equal(of_all, irstd.compare_collections(ONE_PAIR, method="z"))


AP = irstd.load_dataset("sim-trec8", "AP").iloc[:, [3, 40]]
RNG = np.random.default_rng(1)
BY_JUDGE = {f"judge{k}": AP + RNG.normal(0, 0.05, AP.shape) for k in range(3)}
PARTS = {"whole": AP, "ten": AP.iloc[:10], "rounded": AP.round(2)}


@pytest.mark.parametrize("tables", [BY_JUDGE, PARTS], ids=["judges", "parts"])
def test_collections_that_share_topics_are_refused(tables):
    """Ten judges with a p of .06 each became 3e-9."""
    system, baseline = AP.columns
    c, _, d = tables.values()
    for function, arguments in (
        (irstd.compare_collections, [{"c": c, "d": d}]),
        (irstd.combine_collections, [tables, system, baseline]),
        (irstd.comparison_table, [tables, baseline]),
        (irstd.compare_across, [c[system], d[system], (c, d)]),
    ):
        with pytest.raises(ValueError, match="must not share topics"):
            function(*arguments)


@pytest.mark.parametrize(
    ("sizes", "draw", "message"),
    [
        ([7] * 5, np.random.Generator.normal, "c0 has only 7 topics: with fewer than 8,"),
        ([8, 8, 81], np.random.Generator.normal, "fewer than 20 beside a collection of 81"),
        ([25] * 5, np.random.Generator.exponential, r"two systems are skewed \(skewness 1\.\d\)"),
        ([8, 8, 80], np.random.Generator.normal, None),
        ([20, 20, 300], np.random.Generator.normal, None),
    ],
)
def test_combine_collections_warns_where_its_interval_covers_too_little(sizes, draw, message):
    rng = np.random.default_rng(0)
    collections = {}
    for k, n in enumerate(sizes):
        columns = {"a": draw(rng, size=n), "b": np.zeros(n)}
        collections[f"c{k}"] = pd.DataFrame(columns, [f"{k}-{i}" for i in range(n)])
    with warnings.catch_warnings(record=True, action="always") as caught:
        irstd.combine_collections(collections, "a", "b")
    assert [bool(re.search(message, str(x.message))) for x in caught] == [True] * bool(message)


def test_compare_across_knows_topics_by_the_means_of_the_references():
    """Two systems with own references on the same twenty topics, or on others of the same ids."""
    scores = irstd.load_dataset("sim-robust2004-all")
    one = scores.iloc[:20]
    for other, shared in ((one, True), (scores.iloc[20:40].set_axis(one.index), False)):
        arguments = one.iloc[:, 0], other.iloc[:, 50], (one.iloc[:, 1:40:2], other.iloc[:, 2:40:2])
        if shared:
            with pytest.raises(ValueError, match="ours and theirs must not share topics"):
                irstd.compare_across(*arguments)
        else:
            irstd.compare_across(*arguments)


@pytest.mark.parametrize(
    ("slope", "level", "warns"), [(0.5, 0.2, True), (0.5, 0.45, False), (0, 0.2, False)]
)
def test_compare_across_warns_of_weak_systems_where_weak_and_strong_differ(slope, level, warns):
    """Common systems from .1 to .8; on D, the strong ones are worse by a slope."""
    rng = np.random.default_rng(0)
    quality = np.r_[level, level, np.linspace(0.1, 0.8, 15), rng.uniform(0.1, 0.8, 40)]
    sides = []
    for name, means in (("c", quality), ("d", quality * (1 - slope))):
        values = means + rng.normal(0, 0.02, (30, 1)) + rng.normal(0, 0.02, (30, len(means)))
        sides.append(matrix(values).rename(index=f"{name}{{}}".format))
    c, d = sides
    ours, common, references = c.columns[0], c.columns[2:17], c.columns[17:]
    with warnings.catch_warnings(record=True, action="always") as caught:
        both = (c[common], d[common])
        irstd.compare_across(
            c[ours], d[ours], (c[references], d[references]), "center", common=both
        )
    assert any("change differently" in str(x.message) for x in caught) == warns


def test_compare_across_takes_tiny_scores():
    rng = np.random.default_rng(0)
    c, d = (matrix(1e-14 * rng.random((20, 8))).rename(index=f"{name}{{}}".format) for name in "cd")
    references = (c, d)
    small = irstd.compare_across(c["s0"], d["s1"], references, "center", common=references)
    large = irstd.compare_across(
        1e14 * c["s0"], 1e14 * d["s1"], (1e14 * c, 1e14 * d), "center", common=(1e14 * c, 1e14 * d)
    )
    np.testing.assert_allclose(small["pvalue"], large["pvalue"], rtol=1e-6)


def test_collections_in_percent_are_refused():
    c, d = ONE_PAIR.values()
    with pytest.raises(ValueError, match="largest value of c is 0.5, that of d is 90"):
        irstd.compare_collections({"c": c, "d": 100 * d})
    with pytest.raises(ValueError, match="percent"):
        irstd.compare_across(c["s0"], 100 * d["s1"], (c, 100 * d))
