"""Several collections as one study; oracles: metafor's and Kacker's numbers, scipy's Welch test."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import irstd
from irstd._base.arrays import differences
from tests.campaigns import campaign
from tests.coverage.test_coverage import SETS

# Kacker (2004), table 1; metafor's rma(y, v, method="PM"), as statsmodels' tests quote it.
EFFECTS = [61.00, 61.40, 62.21, 62.30, 62.34, 62.60, 62.70, 62.84, 65.90]
VARIANCES = [0.2025, 1.2100, 0.0900, 0.2025, 0.3844, 0.5625, 0.0676, 0.0225, 1.8225]


def collections_with(effects, variances, n=40):
    """Two systems on n topics each, whose differences have these means and squared errors."""
    collections = {}
    for k, (effect, variance) in enumerate(zip(effects, variances, strict=True)):
        draws = np.random.default_rng(k).normal(size=n)
        difference = effect + stats.zscore(draws, ddof=1) * np.sqrt(n * variance)
        topics = [f"{k}-{i}" for i in range(n)]
        collections[f"c{k}"] = pd.DataFrame({"mine": difference, "base": np.zeros(n)}, topics)
    return collections


def test_combine_collections_gives_the_random_effects_mean_of_metafor():
    collections = collections_with(EFFECTS, VARIANCES)
    found = irstd.combine_collections(collections, "mine", "base")
    assert found["between"].iloc[0] ** 2 == pytest.approx(0.705395309, rel=1e-5)
    combined = found.loc["combined"]
    another = found.loc["another"]
    assert combined["difference"] == pytest.approx(62.4076199113, rel=1e-8)
    error = 0.338030602684
    width = 2 * stats.t.isf(0.025, 8) * error
    assert combined["high"] - combined["low"] == pytest.approx(width)
    half = stats.t.isf(0.025, 7) * np.hypot(error, 0.8399)
    assert another["high"] - another["difference"] == pytest.approx(half, rel=1e-4)
    own = stats.ttest_1samp(collections["c3"]["mine"], 0).confidence_interval(0.95)
    assert found.loc["c3", ["low", "high"]].tolist() == pytest.approx(list(own))
    assert found["weight"].sum() == pytest.approx(1)
    assert found["topics"].tolist() == [40] * 9 + [360] * 2


def test_combine_collections_without_spread_has_no_narrower_interval():
    found = irstd.combine_collections(collections_with([0.1] * 4, [0.01] * 4), "mine", "base")
    assert found["between"].eq(0).all()
    half = found.loc["combined", "high"] - found.loc["combined", "difference"]
    assert half == pytest.approx(stats.t.isf(0.025, 3) * 0.05)


@pytest.fixture(scope="module")
def two():
    """Two collections with other topics: the later systems' scores, and the original ones'."""
    collections = [campaign()["sim-trec8"], campaign()["sim-robust2003"]]
    later = [collection.scores(systems="later") for collection in collections]
    original = [collection.scores(systems="original") for collection in collections]
    return later, original


def across(sides, ours, theirs, common, references):
    """A system of one side and one of the other, by their names and those in common."""
    c, d = sides
    return irstd.compare_across(c[ours], d[theirs], references, common=(c[common], d[common]))


def compared(two):
    """Two systems, those in common, and what is found with these."""
    sides, references = two
    columns = sides[0].columns
    a, b = columns[[5, 70]]
    common = columns[::4]
    return a, b, common, across(sides, a, b, common, references)


def test_compare_across_is_welch_on_each_scale(two):
    (c, d), references = two
    a, b, common, found = compared(two)
    plain = irstd.compare_across(c[a], d[b], references)

    c_standardized = irstd.standardize(c, references[0])
    d_standardized = irstd.standardize(d, references[1])
    levels = [reference.to_numpy().mean() for reference in references]
    scales = {
        "raw": (c[a], d[b]),
        "normal": (c_standardized[a], d_standardized[b]),
        "centered": (c[a] - levels[0], d[b] - levels[1]),
    }
    for scale, pair in scales.items():
        test = stats.ttest_ind(*pair, equal_var=False)
        low, high = test.confidence_interval(0.95)
        row = plain.loc[scale, ["statistic", "pvalue", "low", "high"]].tolist()
        assert row == pytest.approx([test.statistic, test.pvalue, low, high], rel=1e-9)
        assert found.loc[scale, "difference"] == pytest.approx(plain.loc[scale, "difference"])

    assert found.index.tolist() == ["linked", "raw", "centered", "normal"]
    sides = (c_standardized, a), (d_standardized, b)
    less_common = [table[system] - table[common].mean(axis=1) for table, system in sides]
    welch = stats.ttest_ind(*less_common, equal_var=False)
    by_topics = [
        np.cov(table[common].sub(table[common].mean(axis=1), axis=0).T) / len(table)
        for table, _ in sides
    ]
    covariance = sum(by_topics)
    of_themselves = c_standardized[common].mean() - d_standardized[common].mean()
    moved = of_themselves.var(ddof=0) * len(common) / np.trace(covariance)
    eigenvalues = np.linalg.eigvalsh(covariance)
    df = 1 / (1 / welch.df + (eigenvalues**2).sum() / eigenvalues.sum() ** 2)
    linked = found.loc["linked"]
    assert linked["difference"] == pytest.approx(less_common[0].mean() - less_common[1].mean())
    assert linked["statistic"] == pytest.approx(welch.statistic / np.sqrt(moved))
    assert linked["pvalue"] == pytest.approx(2 * stats.t.sf(abs(linked["statistic"]), df))

    factors = [irstd.standardization_factors(reference) for reference in references]
    published = irstd.compare_across(c[a], d[b], factors)
    pd.testing.assert_frame_equal(published, plain, rtol=1e-9)


def test_compare_across_warns_of_common_systems_that_are_variants():
    """Their level is a row of the page on coverage."""
    scores = irstd.load_dataset("sim-robust2004-all")
    near = scores.corr()
    rng = np.random.default_rng(0)
    warned = {"variants": 0, "random": 0}
    for _ in range(20):
        topics = rng.permutation(len(scores))
        c, d = scores.iloc[topics[:50]], scores.iloc[topics[50:100]]
        systems = rng.permutation(scores.columns)
        references = (c[systems[:30]], d[systems[:30]])
        mine, *others = systems[30:]
        commons = {"variants": near.loc[others[0], others].nlargest(5).index, "random": others[:5]}
        for kind, common in commons.items():
            with warnings.catch_warnings(record=True, action="always") as said:
                across((c, d), mine, mine, common, references)
            warned[kind] += any("correlated by topic" in str(warning.message) for warning in said)
    assert warned["random"] <= 2
    assert warned["variants"] >= 16


ONE = pd.DataFrame({"mine": [0.1], "base": [0.2]}, ["0"])


THREE = collections_with([0.1, 0.2, 0.4], [0.01] * 3)
CONSTANT = {name: scores.assign(mine=0.1) for name, scores in THREE.items()}
TWICE = "c0 and c2 must not share topics"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"collections": {}}, "a dict of 3 or more"),
        ({"collections": THREE | {"c2": THREE["c0"]}}, TWICE),
        ({"collections": THREE | {"combined": ONE}}, "'combined' is reserved for a row"),
        ({"collections": CONSTANT}, "all topics have the same difference"),
        ({"system": "other"}, "system of c0 must be one of"),
        ({"baseline": "mine"}, "are both 'mine'"),
    ],
)
def test_combine_collections_refuses(change, message):
    arguments = {"collections": THREE, "system": "mine", "baseline": "base"} | change
    with pytest.raises(ValueError, match=message):
        irstd.combine_collections(**arguments)


def assert_refused(message, function, *arguments, **options):
    with pytest.raises(ValueError, match=message):
        function(*arguments, **options)


def test_scores_of_different_metrics_or_collections_are_refused():
    ap = irstd.load_dataset("sim-trec8", "AP").iloc[:, :9]
    p10 = irstd.load_dataset("sim-trec8", "P@10").iloc[:, :9]
    a, b = ap.columns[:2]
    metric = "must have the same metric, got AP, P@10"
    parts = {"c": ap[:20], "d": p10[20:40], "e": ap[40:]}
    assert_refused(metric, irstd.combine_collections, parts, a, b)
    assert_refused(metric, irstd.compare_across, ap[a], p10[b], (ap, p10))
    assert_refused(metric, irstd.judges.rectify, ap[:20], p10)
    elsewhere = ap[b].copy()
    elsewhere.attrs = {"collection": "x"}
    assert_refused("must have the same collection, got .*, x", irstd.paired_test, ap[a], elsewhere)


def test_compare_across_refuses_constants():
    c = irstd.load_dataset("sim-trec8")
    d = irstd.load_dataset("sim-robust2003")
    same = (pd.Series(0.5, c.index), pd.Series(0.4, d.index))
    with pytest.raises(ValueError, match="the same on all topics"):
        irstd.compare_across(*same, (c, d))


def of_the_common(c, d):
    """By scipy, of each system against itself: the difference and its squared error."""
    tests = [stats.ttest_ind(c[system], d[system], equal_var=False) for system in c]
    differences = (c.mean() - d.mean()).to_numpy()
    errors = differences / np.array([test.statistic for test in tests])
    return differences, errors**2


def test_compare_across_adds_the_movement_of_common_systems_to_the_error(two):
    (c, d), references = two
    a, b, common, found = compared(two)
    differences, squared_errors = of_the_common(c[common], d[common])
    row = found.loc["raw"]
    test = stats.ttest_ind(c[a], d[b], equal_var=False)
    of_topics = (row["difference"] / test.statistic) ** 2
    squared = np.mean(differences**2)
    variance = of_topics + squared - squared_errors.mean()
    assert variance > 2 * of_topics
    assert row["statistic"] == pytest.approx(row["difference"] / np.sqrt(variance))
    df = variance**2 / (of_topics**2 / test.df + squared**2 / len(common))
    assert row["pvalue"] == pytest.approx(2 * stats.t.sf(abs(row["statistic"]), df))

    # Systems that move less than the test believes change nothing.
    here = c.set_axis(d.index)  # the same scores, of topics with other names
    with warnings.catch_warnings(action="ignore"):
        steady = across((c, here), a, b, common, references)
        alone = irstd.compare_across(c[a], here[b], references)
    assert steady.loc["raw", "pvalue"] == alone.loc["raw", "pvalue"]


def test_compare_collections_counts_gaps_in_sds_of_system_means(two):
    (c, d), references = two
    common = c.columns[::4]
    pair = {"c": c[common], "d": d[common]}
    by_reference = dict(zip("cd", references, strict=True))
    row = irstd.compare_collections(pair, references=by_reference, method="normal").iloc[0]
    standardized = [irstd.standardize(pair[side], by_reference[side]) for side in "cd"]
    for name, (x, y) in {"difficulty": pair.values(), "references": standardized}.items():
        unit = np.mean([x.mean().std(), y.mean().std()])
        of_themselves = x.mean() - y.mean()
        assert row[name] == pytest.approx(of_themselves.mean() / unit)
        assert row[f"{name}_se"] == pytest.approx(stats.sem(of_themselves) / unit)


def test_compare_collections_warns_of_references_that_differ_more(two):
    (c, d), (of_c, of_d) = two
    weak = of_c[of_c.mean().nsmallest(30).index]
    strong = of_d.drop(columns=of_d.mean().nsmallest(30).index)
    pair = {"c": c.iloc[:, ::4], "d": d.iloc[:, ::4]}
    by_reference = {"c": weak, "d": strong}
    with pytest.warns(UserWarning, match="of c and d differ more than the two collections do"):
        irstd.compare_collections(pair, references=by_reference, method="collection")


def test_compare_across_warns_of_fewer_than_five_in_common(two):
    sides, references = two
    means = sides[0].mean()
    middle = means.sort_values().index[len(means) // 2]
    with pytest.warns(UserWarning, match="only 4 systems in common: with fewer than 5"):
        across(sides, middle, middle, means.index[10::22][:4], references)


def test_compare_across_warns_of_systems_outside_the_range_of_the_common_ones(two):
    sides, references = two
    means = sides[0].mean().sort_values()
    common = means.index[-10:]
    weakest, middle = means.index[[0, -15]]
    for ours, theirs, far in [(weakest, middle, "ours"), (middle, weakest, "theirs")]:
        with warnings.catch_warnings(record=True, action="always") as said:
            across(sides, ours, theirs, common, references)
        of_means = [str(warning.message) for warning in said if "the mean of" in str(warning)]
        assert len(of_means) == 1
        assert f"the mean of {far} (" in of_means[0]


def test_compare_across_seldom_warns_of_a_random_system():
    """It is as one more of the common systems: 5%, and less than 10% of pairs here."""
    scores = irstd.load_dataset("sim-robust2004-all")
    c, d = scores[:100], scores[100:]
    rng = np.random.default_rng(0)
    warned = 0
    for _ in range(100):
        ours, theirs, *others = rng.permutation(scores.columns)
        references = (c[others[10:40]], d[others[10:40]])
        with warnings.catch_warnings(record=True, action="always") as said:
            across((c, d), ours, theirs, others[:10], references)
        warned += any("the mean of" in str(warning.message) for warning in said)
    assert warned <= 16


def test_compare_across_refuses_equal_systems_in_common(two):
    (c, d), references = two
    same = [table.iloc[:, [5, 5, 5]].set_axis(list("xyz"), axis=1) for table in (c, d)]
    with pytest.raises(ValueError, match="common must hold different systems"):
        irstd.compare_across(c.iloc[:, 1], d.iloc[:, 2], references, common=same)


@pytest.mark.release
@pytest.mark.parametrize(("tilt", "linked_finds"), [(0, 0.43), (1, 0.29)])
def test_compare_across_linked_finds_differences_where_references_differ(
    trec_data, tilt, linked_finds
):
    """The table of the page on studies, of fewer draws: ten in common; the truth: other topics."""
    found, wrong = across_robust_sets(tilt, m=10, draws=12)
    se = 0.05
    assert found["linked"] > linked_finds - 2 * se
    assert wrong["linked"] < 0.2
    if tilt:
        assert found["normal"] < found["linked"] - 0.1
        assert wrong["normal"] > wrong["linked"]
    else:
        assert abs(found["normal"] - found["linked"]) < 0.1


def across_robust_sets(tilt, m, draws, seed=0):
    """Shares of pairs found different at .05, and of pairs in the wrong order, by scale.

    Two of five sets of topics of Robust 2004 at a time, with references of thirty systems that are
    drawn with a tilt to bad ones here and to good ones there.
    """
    scores = irstd.load_dataset("robust2004")
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(draws):
        one, other = rng.choice(len(SETS), 2, replace=False)
        c = scores.loc[slice(*SETS[one])]
        d = scores.loc[slice(*SETS[other])]
        truth = scores.drop(index=[*c.index, *d.index]).mean()
        z = (truth - truth.mean()) / truth.std()
        order = (tilt * z + rng.gumbel(size=len(z))).sort_values().index
        references = c[order[:30]], d[order[-30:]]
        others = rng.permutation(order[30:-30])
        for ours, theirs in rng.choice(others[m:], (20, 2)):
            if ours == theirs:
                continue
            with warnings.catch_warnings(action="ignore"):
                table = across((c, d), ours, theirs, others[:m], references)
            right = np.sign(table["difference"]) == np.sign(truth[ours] - truth[theirs])
            rows.append(pd.concat({"found": table["pvalue"] <= 0.05, "wrong": ~right}))
    shares = pd.concat(rows, axis=1).mean(axis=1)
    return shares["found"], shares["wrong"]


def test_differences_have_no_noise_of_rounding():
    """A constant difference stays constant, to the last bit."""
    a = np.random.default_rng(0).random(200).round(4)
    assert np.ptp(differences(a + 0.1, a)) == 0
