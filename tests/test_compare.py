"""Comparison across collections, against scipy and the published tables of WMZ08."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from test_standardize import matrix

import irstd
from irstd._base.several import refuse_related

ONE_PAIR = {
    "a": matrix([[0.1, 0.2], [0.3, 0.5]]),
    "b": matrix([[0.4, 0.2], [0.3, 0.9]]).set_axis(["x", "y"]),
}


@pytest.fixture(scope="module")
def parts():
    """The later systems of the simulated campaign on each of its collections, and the originals."""
    scores = irstd.load_dataset("sim-robust2004-all")
    names = {"T7": ("351", "400"), "T8": ("401", "450"), "R3": ("601", "650"), "R4": ("651", "700")}
    collections = {name: scores.loc[first:last] for name, (first, last) in names.items()}
    sets = {"T7": "sim-trec7", "T8": "sim-trec8", "R3": "sim-robust2003"}
    references = {name: irstd.load_dataset(data) for name, data in sets.items()}
    return collections, references | {"R4": None}


def test_rmse_and_drmse_by_hand():
    c = matrix([[0.1, 0.3], [0.3, 0.5]])
    d = matrix([[0.4, 0.6], [0.2, 0.8], [0.0, 1.0]])
    assert irstd.compare.rmse(c, d) == pytest.approx(
        np.sqrt(((0.2 - 0.2) ** 2 + (0.4 - 0.8) ** 2) / 2)
    )
    sds = [np.std([0.2, 0.4], ddof=1), np.std([0.2, 0.8], ddof=1)]
    assert irstd.drmse(c, d) == pytest.approx(irstd.compare.rmse(c, d) / np.mean(sds))
    expected = irstd.compare.rmse(c, d) / stats.gmean(sds)
    assert irstd.drmse(c, d, mean="geometric") == pytest.approx(expected)
    assert irstd.drmse(c.mean(), d.mean()[::-1]) == irstd.drmse(c, d)
    assert irstd.compare.rmse(c[["s1"]], d[["s1"]]) == pytest.approx(0.4)


@pytest.mark.parametrize("options", [{}, {"equal_var": True}, {"equal_var": False}])
def test_false_positives_are_scipys_t_tests(parts, options):
    equal_var = options.get("equal_var", True)
    collections, _ = parts
    c = collections["T8"]
    d = collections["T7"].iloc[:40]
    found = irstd.false_positives(c, d[d.columns[::-1]], **options)
    expected = stats.ttest_ind(c, d, equal_var=equal_var)
    np.testing.assert_allclose(found["statistic"], expected.statistic, rtol=1e-10)
    np.testing.assert_allclose(found["pvalue"], expected.pvalue, rtol=1e-8)
    np.testing.assert_allclose(found[["mean_c", "mean_d"]], np.c_[c.mean(), d.mean()])
    at_p = irstd.false_positives(c, d, alpha=found["pvalue"].iloc[0], **options)
    assert at_p["better_on"].iloc[0] is not None  # p <= alpha
    any_at_all = irstd.false_positives(c, d, alpha=1, **options)["better_on"]
    assert (any_at_all == np.where(expected.statistic > 0, "c", "d")).all()
    better = found["better_on"]
    assert ((better == "d") == (expected.pvalue <= 0.05) & (expected.statistic < 0)).all()
    assert better[expected.pvalue > 0.05].map(lambda x: x is None).all()


def test_a_collection_against_itself_has_no_false_positives():
    flat = matrix([[0.5, 0.1], [0.5, 0.2]])
    found = irstd.false_positives(flat, flat)
    assert found["pvalue"].tolist() == [1, 1]
    assert found["better_on"].tolist() == [None, None]
    found = irstd.false_positives(flat, flat + 1)
    assert found["pvalue"].iloc[0] == 0  # no spread at all, and not the same
    assert found["better_on"].iloc[0] == "d"


def test_splits_that_are_as_far_apart_count_as_no_farther():
    same = matrix([[0.1, 0.3], [0.1, 0.3], [0.2, 0.3]])
    pair = {"c": same, "d": same.set_axis(list("xyz"))}
    found = irstd.compare_collections(pair, trials=200).iloc[0]
    assert found["drmse"] == 0 < found["percentile"] < 100  # halves that are alike again
    assert found["percentile_fpr"] == 100
    for seed in range(5):  # of three ways to halve four topics, the one that is given comes again
        four = matrix(np.random.default_rng(seed).random((4, 3)))
        found = irstd.compare_collections({"c": four[:2], "d": four[2:]}, trials=300).iloc[0]
        assert min(abs(found["percentile"] - 100 * k / 3) for k in (1, 2, 3)) < 10


@pytest.mark.parametrize("method", [None, "normal"])
def test_a_table_of_pairs_holds_what_its_parts_say(parts, method):
    collections, references = parts
    given = references if method else None
    found = irstd.compare_collections(collections, references=given, method=method)
    pairs = list(itertools.combinations(collections, 2))
    assert list(found[["c", "d"]].itertuples(index=False, name=None)) == pairs
    gaps = "difficulty difficulty_error" + " references references_error" * (method is not None)
    assert " ".join(found) == f"c d drmse better_on_c better_on_d tau pearson {gaps}"
    c, d = collections["T7"], collections["R4"]
    if method:
        c, d = irstd.standardize(c, references["T7"]), irstd.standardize(d)
    row = found.iloc[2]
    assert row["drmse"] == pytest.approx(irstd.drmse(c, d))
    better = irstd.false_positives(c, d)["better_on"]
    assert [row["better_on_c"], row["better_on_d"]] == [(better == x).sum() for x in "cd"]
    assert row["tau"] == pytest.approx(stats.kendalltau(c.mean(), d.mean()).statistic)
    assert row["pearson"] == pytest.approx(stats.pearsonr(c.mean(), d.mean()).statistic)


def test_percentiles_among_random_splits(parts):
    collections, _ = parts
    pair = {name: collections[name] for name in ("R3", "R4")}
    one = irstd.compare_collections(pair, trials=300, seed=4).iloc[0]
    pooled = pd.concat(pair.values())
    order = np.random.default_rng(4).random((300, 100)).argsort(axis=1)
    of_pair = (stats.ttest_ind(*pair.values()).pvalue <= 0.05).sum()
    closer = []
    no_more = []
    for places in order:
        c = pooled.iloc[places[:50]]
        d = pooled.iloc[places[50:]]
        closer.append(irstd.drmse(c, d) <= one["drmse"])
        no_more.append((stats.ttest_ind(c, d).pvalue <= 0.05).sum() <= of_pair)
    assert one["percentile"] == 100 * np.mean(closer)
    assert one["percentile_fpr"] == 100 * np.mean(no_more)
    by_default = irstd.compare_collections(pair, trials=50)
    assert by_default.equals(irstd.compare_collections(pair, trials=50, seed=0))


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda a, b: irstd.drmse(a, b.rename(columns={"s0": "x"})), "only c has s0"),
        (lambda a, b: irstd.false_positives(a[["s0"]], b), "only d has s1"),
        (lambda a, b: irstd.drmse(a, b, mean="mean"), "mean must be one of"),
        (
            lambda a, b: irstd.compare.rmse(a * np.nan, b),
            r"c are missing \(NaN\) on the topics 0, 1, of",
        ),
        (lambda a, b: irstd.false_positives(a.iloc[:1], b), "needs 2 topics or more, c has 1"),
        (lambda a, b: irstd.compare_collections([a, b]), "collections must be a dict of 2 score"),
        (lambda a, b: irstd.compare_collections({"a": a, "b": b.add_prefix("x")}), "only a has s0"),
        (lambda a, b: irstd.compare_collections(ONE_PAIR, references={"c": a}), "references must"),
        (lambda a, b: irstd.compare_collections(ONE_PAIR, references=ONE_PAIR), "but no method"),
    ],
)
def test_what_cannot_be_compared_is_refused(function, message):
    with pytest.raises(ValueError, match=message):
        function(*ONE_PAIR.values())


def test_references_are_of_each_collection_and_of_all_its_topics():
    a, b = ONE_PAIR.values()
    with pytest.raises(ValueError, match="missing"), pytest.warns(UserWarning, match="NaN there"):
        irstd.compare_collections(ONE_PAIR, references={"a": a[:1], "b": b}, method="z")
    with pytest.raises(ValueError, match="those of each collection .None for its own.*: a, b"):
        irstd.compare_collections(ONE_PAIR, references={"a": a}, method="z")
    of_all = irstd.compare_collections(ONE_PAIR, references={"a": a, "b": None}, method="z")
    pd.testing.assert_frame_equal(of_all, irstd.compare_collections(ONE_PAIR, method="z"))


def under_one_roof(kind):
    """One system and a baseline on several tables that are no collections, but on one."""
    ap = irstd.load_dataset("sim-trec8", "AP").iloc[:, [3, 40]]
    rng = np.random.default_rng(1)
    if kind == "judges":
        noise = {f"judge{k}": ap + rng.normal(0, 0.05, ap.shape) for k in range(3)}
        return noise
    if kind == "metrics":
        tables = irstd.load_dataset("sim-trec8", ["AP", "P@10", "RR"])
        return {metric: tables[metric][ap.columns] for metric in ("AP", "P@10", "RR")}
    if kind == "roundings":
        return {f"{digits} digits": ap.round(digits) for digits in (2, 3, 4)}
    return {"whole": ap, "with a gap": ap.mask(ap == ap.iloc[0, 0]), "ten": ap.iloc[:10]}


@pytest.mark.parametrize("kind", ["judges", "metrics", "roundings", "parts"])
def test_what_shares_its_topics_is_not_several_collections(kind):
    """Ten judges with a p of .06 each became 3e-9."""
    tables = under_one_roof(kind)
    system, baseline = next(iter(tables.values())).columns
    pair = dict(list(tables.items())[::2])
    for function, arguments in (
        (irstd.compare_collections, [pair]),
        (irstd.combine_collections, [tables, system, baseline]),
        (irstd.comparison_table, [tables, baseline]),
    ):
        with pytest.raises(
            ValueError, match="must not share topics: .* go together|missing|not of the same metric"
        ):
            function(*arguments)
    (_, c), (_, d) = pair.items()
    with pytest.raises(ValueError, match="must not share topics|missing|not of the same metric"):
        irstd.compare_across(c[system], d[system], (c, d))


def test_ids_that_are_used_again_are_other_topics():
    """As whole numbers are: of 2,000 pairs of unlike sets of topics, .001 are refused."""
    scores = irstd.load_dataset("sim-robust2004-all").iloc[:, ::20]
    rng = np.random.default_rng(0)
    refused = 0
    for _ in range(2000):
        order = rng.permutation(len(scores))
        sides = [
            scores.iloc[part].set_axis([f"{k}" for k in range(25)])
            for part in (order[:25], order[25:50])
        ]
        try:
            refuse_related(dict(zip("cd", sides, strict=True)))
        except ValueError:
            refused += 1
    assert refused <= 2 + 3 * np.sqrt(2)


def test_a_collection_in_percent_is_told():
    c, d = ONE_PAIR.values()
    in_percent = {"c": c, "d": 100 * d}
    for function in (irstd.compare_collections, lambda x: irstd.comparison_table(x, "s0")):
        with pytest.raises(ValueError, match="c has scores up to 0.5, d up to 90: .* in percent"):
            function(in_percent)
    with pytest.raises(ValueError, match="ours has scores up to .*, theirs up to 90"):
        irstd.compare_across(c["s0"], 100 * d["s1"], (c, 100 * d))
    both = irstd.compare_collections({"c": 100 * c, "d": 100 * d})
    assert both["drmse"].item() == pytest.approx(irstd.drmse(c, d))


def test_tables_3_to_5_of_wmz08(trec_data):
    """On the public scores: 110 systems of Robust 2004 on four collections."""
    scores = irstd.load_dataset("robust2004")
    names = {"T7": ("351", "400"), "T8": ("401", "450"), "R3": ("601", "650"), "R4": ("651", "700")}
    raw = {name: scores.loc[first:last] for name, (first, last) in names.items()}
    found = irstd.compare_collections(raw, trials=300).set_index(["c", "d"])
    assert found.loc[("T7", "T8"), "drmse"] == pytest.approx(0.6275, abs=5e-5)
    row = found.loc[("T7", "R3")]
    assert row["drmse"] == pytest.approx(1.8575, abs=5e-5)
    assert found["drmse"].mean() == pytest.approx(1.0998, abs=5e-5)
    assert row["better_on_d"] == 103 and row["percentile"] > 99 < row["percentile_fpr"]
    references = {"T7": irstd.load_dataset("trec7"), "T8": irstd.load_dataset("trec8"), "R4": None}
    references["R3"] = irstd.load_dataset("robust2003").loc["601":]
    found = irstd.compare_collections(raw, references=references, method="normal")
    assert found["drmse"].mean() == pytest.approx(0.3727, abs=5e-5)
