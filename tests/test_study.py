"""Several collections as one study; oracles: metafor's and Kacker's numbers, scipy's Welch test."""

import functools
import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import irstd
from tests.campaigns import campaign

# Kacker (2004), table 1; metafor's rma(y, v, method="PM"), as statsmodels' tests quote it.
EFFECTS = [61.00, 61.40, 62.21, 62.30, 62.34, 62.60, 62.70, 62.84, 65.90]
VARIANCES = [0.2025, 1.2100, 0.0900, 0.2025, 0.3844, 0.5625, 0.0676, 0.0225, 1.8225]


def collections_with(effects, variances, n=40):
    """Two systems on n topics each, whose differences have these means and squared errors."""
    made = {}
    for k, (effect, variance) in enumerate(zip(effects, variances, strict=True)):
        d = stats.zscore(np.random.default_rng(k).normal(size=n), ddof=1)
        d = effect + d * np.sqrt(n * variance)
        topics = [f"{k}-{i}" for i in range(n)]
        made[f"c{k}"] = pd.DataFrame({"mine": d, "base": np.zeros(n)}, topics)
    return made


def test_the_random_effects_mean_is_metafors():
    found = irstd.combine_collections(collections_with(EFFECTS, VARIANCES), "mine", "base")
    assert found["between"].iloc[0] ** 2 == pytest.approx(0.705395309, rel=1e-5)
    combined, another = found.loc["combined"], found.loc["another"]
    assert combined["difference"] == pytest.approx(62.4076199113, rel=1e-8)
    error = 0.338030602684
    assert combined["high"] - combined["low"] == pytest.approx(2 * stats.t.isf(0.025, 8) * error)
    half = stats.t.isf(0.025, 7) * np.hypot(error, 0.8399)
    assert another["high"] - another["difference"] == pytest.approx(half, rel=1e-4)
    own = stats.ttest_1samp(collections_with(EFFECTS, VARIANCES)["c3"]["mine"], 0)
    assert found.loc["c3", ["low", "high"]].tolist() == pytest.approx(
        list(own.confidence_interval(0.95))
    )
    assert found["weight"].sum() == pytest.approx(1)
    assert found["topics"].tolist() == [40] * 9 + [360] * 2


def test_equal_collections_have_no_spread_and_the_interval_is_no_narrower():
    found = irstd.combine_collections(collections_with([0.1] * 4, [0.01] * 4), "mine", "base")
    assert found["between"].eq(0).all()
    half = found.loc["combined", "high"] - found.loc["combined", "difference"]
    assert half == pytest.approx(stats.t.isf(0.025, 3) * 0.05)


def test_scales_of_combined_differences():
    parts = collections_with([0.2, 0.3, 0.25], [0.01, 0.02, 0.01])
    d_z = irstd.combine_collections(parts, "mine", "base", scale="d_z")
    d = parts["c0"]["mine"]
    assert d_z.loc["c0", "difference"] == pytest.approx((1 - 3 / 155) * d.mean() / d.std())
    scores = irstd.load_dataset("sim-robust2004-all")
    parts = {str(k): scores.iloc[k : k + 50] for k in range(0, 200, 50)}
    pair = scores.columns[[3, 50]]
    found = irstd.combine_collections(parts, *pair, scale="normal")
    mine = irstd.standardize(parts["50"])
    assert found.loc["50", "difference"] == pytest.approx((mine[pair[0]] - mine[pair[1]]).mean())


@pytest.fixture(scope="module")
def two():
    return campaign()["sim-trec8"], campaign()["sim-robust2003"]


def test_across_collections_is_welch_on_each_scale(two):
    c, d = (part.scores(systems="later") for part in two)
    references = [part.scores(systems="original") for part in two]
    mine, theirs = c.columns[[5, 70]]
    common = [part.iloc[:, ::4] for part in (c, d)]
    found = irstd.compare_across(c[mine], d[theirs], references, common=common)
    x, y = (irstd.standardize(part, r) for part, r in zip((c, d), references, strict=True))
    cases = {"raw": (c[mine], d[theirs]), "normal": (x[mine], y[theirs])}
    cases["one number"] = tuple(
        part - reference.to_numpy().mean()
        for part, reference in zip(cases["raw"], references, strict=True)
    )
    for scale, pair in cases.items():
        test = stats.ttest_ind(*pair, equal_var=False)
        ends = test.confidence_interval(0.95)
        row = found.loc[scale, ["statistic", "pvalue", "low", "high"]].tolist()
        assert row == pytest.approx([test.statistic, test.pvalue, *ends], rel=1e-9)
    mean = [part[common[0].columns].mean(axis=1) for part in (x, y)]
    gap = mean[0].mean() - mean[1].mean()
    assert found.loc["references", "difference"] == pytest.approx(gap)
    assert found.loc["linked", "difference"] == pytest.approx(
        found.loc["normal", "difference"] - gap
    )
    factors = [irstd.standardization_factors(r) for r in references]
    published = irstd.compare_across(c[mine], d[theirs], factors)
    pd.testing.assert_frame_equal(published, found.iloc[:3], rtol=1e-9)


def against_itself(c, d, references, systems, others):
    """How often a system differs from itself at .05, by each way to compare."""
    across = functools.partial(irstd.compare_across, common=(c[others], d[others]))
    found = [across(c[one], d[one], references)["pvalue"] <= 0.05 for one in systems]
    return pd.concat(found, axis=1).mean(axis=1)


def on_halves(c, d, draws):
    """The same on random halves of the topics, each half with a third of the systems as its own."""
    rng, found = np.random.default_rng(1), []
    for _ in range(draws):
        topics, systems = rng.permutation(c.index), rng.permutation(c.columns)
        x, y = c.loc[topics[::2]], d.loc[topics[1::2]]
        references = x[systems[::3]], y[systems[1::3]]
        found.append(against_itself(x, y, references, systems[2::6], systems[5::6]))
    return pd.concat(found, axis=1)


@pytest.mark.night
def test_levels_across_collections():
    """A system differs from itself: raw in .38 of cases, standardized in .09, linked in .06."""
    found = []
    for seed in range(1, 4):
        for both in itertools.combinations(campaign(seed).collections.values(), 2):
            parts, references = ([c.scores("AP", s) for c in both] for s in ("later", "original"))
            names = parts[0].columns
            found.append(against_itself(*parts, references, names[1::8], names[::4]))
    rates = pd.concat(found, axis=1).mean(axis=1)
    assert rates["raw"] > 0.25 and rates["one number"] < 0.03
    assert rates["linked"] < 0.12 and rates["normal"] < 0.2


@pytest.mark.night
@pytest.mark.filterwarnings("ignore:there are only")
def test_levels_on_public_collections(trec_data):
    """On halves of one collection raw scores keep the level; judged by a model, they do not."""
    same = [irstd.load_dataset(name, "AP") for name in ("trec7", "trec8", "robust2004", "web2014")]
    rates = pd.concat([on_halves(c, c, 6) for c in same], axis=1).mean(axis=1)
    assert rates[["raw", "linked"]].max() < 0.08 < rates["normal"]
    judges = irstd.load_dataset("judges-dl2019")
    models = [on_halves(judges["original"], judges[m], 2) for m in judges.columns.unique(0)[1:]]
    rates = pd.concat(models, axis=1).mean(axis=1)
    assert rates["raw"] > 0.6 > 0.25 > rates["normal"] > 0.08 > rates["linked"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"collections": {}}, "three score matrices"),
        ({"system": "other"}, "lacks the systems other"),
        ({"references": {}}, "does not standardize"),
        ({"scale": "zz"}, "scale"),
        ({"baseline": "mine"}, "more than once"),
    ],
)
def test_combine_refuses(change, message):
    given = {"collections": collections_with([0.1] * 3, [0.01] * 3)} | change
    system, baseline = given.pop("system", "mine"), given.pop("baseline", "base")
    with pytest.raises(ValueError, match=message):
        irstd.combine_collections(given.pop("collections"), system, baseline, **given)


def test_a_collection_that_is_there_twice_is_told():
    given = collections_with([0.1, 0.2, 0.4], [0.01] * 3)
    with pytest.warns(UserWarning, match="c0 and c2 have the topics 0-0, .* in common"):
        irstd.combine_collections({**given, "c2": given["c0"]}, "mine", "base")


def test_scores_that_say_they_are_of_other_metrics_or_collections_are_refused():
    ap, p10 = (irstd.load_dataset("sim-trec8", name).iloc[:, :9] for name in ("AP", "P@10"))
    elsewhere, metric, (a, b) = ap.copy(), "same metric, but of AP, P@10", ap.columns[:2]
    elsewhere.attrs = {"collection": "x"}
    parts = {"c": ap[:20], "d": p10[20:40], "e": ap[40:]}
    calls = [(irstd.compare_collections, parts), (irstd.combine_collections, parts, a, b)]
    calls.append((irstd.compare_across, ap[a], p10[b], (ap, p10)))
    for said, other in {metric: p10, "same collection, but of .*, x": elsewhere}.items():
        calls += [(irstd.paired_test, ap[a], other[b]), (irstd.rectify, ap[:20], other)]
        calls.append((lambda x: irstd.compare_judges(x, reference="c"), {"c": ap, "d": other}))
        for call, *given in calls:
            with pytest.raises(ValueError, match=f"are not of the {said}"):
                call(*given)
        calls.clear()
