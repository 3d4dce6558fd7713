"""Several collections at once. Oracles: scipy's Welch test, statsmodels' Holm and meta-analysis."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

import irstd
from irstd._base.several import check_collections
from irstd.seeds import compare_seeds


def three():
    """Sets of topics of one simulated collection, of unequal size; one system is on two only."""
    scores = irstd.load_dataset("sim-robust2004-all").iloc[:, :45:9]
    parts = {"a": scores[:50], "b": scores[50:120], "c": scores[120:150]}
    parts["b"] = parts["b"].drop(columns=scores.columns[-1])
    return parts, scores.columns[0]


def test_comparison_table_tests_the_mean_over_two_collections_as_welch():
    """The t of mean(d) + mean(e) is Welch's of d against -e: scipy. So are intervals of means."""
    parts, base = three()
    parts.pop("b")
    table = irstd.comparison_table(parts, base)
    rows = table.tests[table.tests["column"] == "mean"].set_index("system_a")
    d, e = (part[rows.index].sub(part[base], axis=0) for part in parts.values())
    welch = stats.ttest_ind(d, -e, equal_var=False)
    np.testing.assert_allclose(rows["statistic"], welch.statistic)
    np.testing.assert_allclose(rows["pvalue"], welch.pvalue)
    ends = np.column_stack(welch.confidence_interval(0.95)) / 2
    np.testing.assert_allclose(rows[["low", "high"]], ends)
    np.testing.assert_allclose(rows["difference"], (d.mean() + e.mean()) / 2)
    welch = stats.ttest_ind(parts["a"][base], -parts["c"][base], equal_var=False)
    low, high = table.cells.loc[("mean", base), ["low", "high"]]
    assert (low, high) == pytest.approx(np.array(welch.confidence_interval(0.95)) / 2)
    assert f"[{low:.3f}, {high:.3f}]" in str(table)


def test_comparison_table_tests_each_collection_and_corrects_one_family():
    parts, base = three()
    found = irstd.comparison_table(parts, base).tests
    expected = multipletests(found["pvalue"], method="holm")[1]
    assert found["adjusted_pvalue"].tolist() == pytest.approx(expected.tolist())
    assert found["column"].value_counts().to_dict() == {"a": 4, "b": 3, "c": 4, "mean": 3}


def test_comparison_table_corrects_wilcoxon_over_all_collections_and_their_mean():
    """Oracles: scipy's Wilcoxon on each, Welch's t of the mean, statsmodels' corrections."""
    parts, base = three()
    parts.pop("b")
    table = irstd.comparison_table(parts, base, method="wilcoxon", correction="bonferroni")
    expected = {}
    for system in parts["a"].columns.drop(base):
        d, e = ((scores[system] - scores[base]).round(12) for scores in parts.values())
        for name, x in (("a", d), ("c", e)):
            expected[name, system] = stats.wilcoxon(x[x != 0], method="exact").pvalue
        expected["mean", system] = stats.ttest_ind(d, -e, equal_var=False).pvalue
    tests = table.tests.set_index(["column", "system_a"])
    adjusted = multipletests([expected[key] for key in tests.index], method="bonferroni")[1]
    assert tests["adjusted_pvalue"].tolist() == pytest.approx(adjusted.tolist(), abs=1e-9)
    assert "wilcoxon (the mean over collections: t), bonferroni over all 12" in table.caption
    wins = tests["wins"].unstack("column")
    assert wins["mean"].equals(wins["a"] + wins["c"])


def test_comparison_table_has_pairs_in_one_order():
    parts, _ = three()
    turned = {name: scores.iloc[:, ::-1] for name, scores in parts.items()}
    turned["a"] = parts["a"]
    found = irstd.comparison_table(turned, None).tests
    pd.testing.assert_frame_equal(found, irstd.comparison_table(parts, None).tests)


def test_comparison_table_has_a_column_for_each_collection_and_their_mean():
    parts, base = three()
    table = irstd.comparison_table(parts, base)
    assert table.means.columns.tolist() == ["a", "b", "c", "mean"]
    assert "over topics (a 50, b 70, c 30) and over these 3 collections" in table.caption
    for name, scores in parts.items():
        assert table.means[name].dropna().to_dict() == pytest.approx(scores.mean().to_dict())
    on_two = parts["a"].columns[-1]
    assert table.means.loc[on_two, ["b", "mean"]].isna().all()


def test_comparison_table_marks_the_confidence_set_for_the_best():
    """Those that are not worse than another at .05 / (m - 1), nor by Holm over their column."""
    parts, _ = three()
    table = irstd.comparison_table(parts, None)
    for column, tests in table.tests.groupby("column"):
        systems = {*tests["system_a"], *tests["system_b"]}
        by_number = tests["pvalue"] <= 0.05 / (len(systems) - 1)
        lost = tests[by_number | (multipletests(tests["pvalue"], method="holm")[1] <= 0.05)]
        worse = lost["system_a"].where(lost["difference"] < 0, lost["system_b"])
        marks = table.marks[column]
        assert set(marks.index[marks == "†"]) == systems - set(worse)


def test_comparison_table_marks_no_system_that_lacks_topics():
    parts, _ = three()
    best = irstd.comparison_table(parts, None).means["mean"].idxmax()
    parts["a"] = parts["a"].copy()
    parts["a"].loc[parts["a"].index[:5], best] = np.nan
    table = irstd.comparison_table(parts, None)
    assert table.marks.loc[best].tolist() == ["", "†", "†", ""]
    assert f"not taken for the best: {best} (45)" in table.caption


def test_comparison_table_of_a_run_and_its_copy():
    parts, base = three()
    parts = {name: scores.assign(copy=scores[base]) for name, scores in parts.items()}
    table = irstd.comparison_table(parts, base)
    assert table.marks.loc["copy"].eq("").all()
    of_mean = table.tests.query("column == 'mean' and system_a == 'copy'")
    assert of_mean["pvalue"].item() == 1


def with_seeds(parts, rng):
    """A baseline without seeds, and two models of three: one better, one as good."""
    tables = {}
    offsets = rng.normal(0, 0.03, (2, 3))
    for name, scores in parts.items():
        base = scores.iloc[:, 0]
        columns = {"bm25": base}
        for model, gain in enumerate([0.05, 0]):
            for seed, offset in enumerate(offsets[model]):
                moved = gain + offset + rng.normal(0, 0.05, len(base))
                columns[f"{'xy'[model]}-s{seed}"] = base + moved
        tables[name] = pd.DataFrame(columns)
    return tables


PATTERN = r"(?P<system>.*)-s(?P<seed>\d)"


def test_comparison_table_tests_seeds_by_the_seed_test():
    parts, _ = three()
    tables = with_seeds(parts, np.random.default_rng(1))
    table = irstd.comparison_table(tables, "bm25", seeds=PATTERN)
    named = {k: irstd.seeds.name_seeds(t, PATTERN, without=["bm25"]) for k, t in tables.items()}
    pvalues = {}
    for system in "xy":
        for name, scores in named.items():
            cell = table.cells.loc[(name, system)]
            assert cell["mean"] == pytest.approx(scores[system].mean().mean())
            assert cell["spread"] == pytest.approx(scores[system].mean().std())
            test = irstd.seeds.seed_test(scores, system, "bm25")
            pvalues[name, system] = test["pvalue"]
        of_mean = compare_seeds(pd.concat(named), system, "bm25")
        pvalues["mean", system] = of_mean["pvalue"]
    adjusted = multipletests(list(pvalues.values()), method="holm")[1]
    assert table.cells.loc[list(pvalues), "pvalue"].tolist() == pytest.approx(adjusted.tolist())
    of_seeds = pd.DataFrame({name: t["x"].mean() for name, t in named.items()}).mean(axis=1)
    assert table.cells.loc[("mean", "x"), "spread"] == pytest.approx(of_seeds.std())
    assert "± standard deviation over 3 seeds" in table.caption
    assert " ± " in str(table)
    one = tables["a"]
    one.attrs["metric"] = "AP"
    alone = irstd.comparison_table(one, "bm25", seeds=PATTERN)
    assert alone.tests["pvalue"].tolist() == [pvalues["a", system] for system in "xy"]


def test_compare_seeds_on_one_collection_twice_halves_the_error_of_topics_alone():
    parts, _ = three()
    one = with_seeds({"a": parts["a"]}, np.random.default_rng(2))["a"]
    named = irstd.seeds.name_seeds(one, PATTERN, without=["bm25"])
    other = named.rename(index="other {}".format)
    alone = compare_seeds(pd.concat({"a": named}), "x", "bm25")
    both = compare_seeds(pd.concat({"a": named, "b": other}), "x", "bm25")
    squares = [(test["difference"] / test["statistic"]) ** 2 for test in (alone, both)]
    d = named["x"].mean(axis=1) - named["bm25"].mean(axis=1)
    of_topics = d.var() / len(d)
    of_seeds = named["x"].mean().var() / 3
    rest = of_topics + of_seeds - squares[0]
    assert rest > 0
    assert squares[1] == pytest.approx(of_seeds + max((of_topics - rest) / 2, 0))
    lacking = pd.concat({"a": named, "b": other.drop(columns=[("x", "0")])})
    with pytest.raises(ValueError, match="the same seeds on all"):
        compare_seeds(lacking, "x", "bm25")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda p, b: irstd.comparison_table(p | {"mean": p["a"] / 2}, b), "rename the"),
        (lambda p, b: irstd.comparison_table(p, b, seeds=PATTERN), "matches none of the columns"),
        (lambda p, b: irstd.comparison_table(p, p["a"].columns[-1]), "system of b must be one of"),
        (lambda p, b: irstd.comparison_table(p, None, seeds=PATTERN), "needs a baseline"),
    ],
)
def test_comparison_table_refuses(call, message):
    parts, base = three()
    with pytest.raises(ValueError, match=message):
        call(parts, base)


def test_evaluate_by_collection():
    runs = {"x": {"mine": {"1": {"a": 2.0, "b": 1.0}}}, "y": {"mine": {"9": {"a": 1.0}}}}
    qrels = {"x": {"1": {"b": 1}}, "y": {"9": {"a": 1}}}
    found = irstd.evaluate(runs, qrels, "RR")
    assert [(name, scores["mine"].to_dict()) for name, scores in found.items()] == [
        ("x", {"1": 0.5}),
        ("y", {"9": 1}),
    ]
    with pytest.raises(ValueError, match="qrels has the collections x, y: runs must be"):
        irstd.evaluate(runs["x"], qrels, "RR")


@pytest.mark.parametrize("year", ["2019", "2020"])
def test_check_collections_refuses_two_judges_of_one_collection(year, trec_data):
    """Twelve models beside people: one set of topics, however strict the judge."""
    scores = irstd.load_dataset(f"judges-dl{year}")
    people, *models = scores.columns.unique("judge")
    for model in models:
        with pytest.raises(ValueError, match="must not share topics"):
            check_collections({"people": scores[people], "model": scores[model]})


def test_check_collections_takes_used_ids_for_other_topics():
    """Independent collections, 50 topics called 1 to 50; a warning comes in few of them."""
    rng = np.random.default_rng(0)
    topics = [str(k) for k in range(1, 51)]
    warned = 0
    for _ in range(40):
        tables = {}
        for name in "abc":
            values = rng.beta(0.5, 2, (50, 1)) + 0.2 * rng.beta(0.5, 2, (50, 8))
            tables[name] = pd.DataFrame(values, topics)
        with warnings.catch_warnings(record=True, action="always") as caught:
            check_collections(tables)
        warned += len(caught) > 0
    assert warned <= 1


def test_check_collections_warns_of_topics_that_may_be_shared():
    """Residuals that go together with p about 1e-5: by chance once in 50,000 such pairs.

    Collections without a common topic do not count among the pairs that are tested.
    """
    rng = np.random.default_rng(4)
    values = rng.normal(size=(50, 4))
    other = 0.3 * values + rng.normal(size=(50, 4))
    tables = {"a": pd.DataFrame(values), "b": pd.DataFrame(other)}
    for name in range(20):
        topics = [f"{name}-{k}" for k in range(50)]
        tables[f"c{name}"] = pd.DataFrame(rng.normal(size=(50, 4)), topics)
    with pytest.warns(
        UserWarning, match=r"a and b may share topics, since .* on topics 0, 1.*correlated"
    ):
        check_collections(tables)


def test_check_collections_refuses_equal_rows_under_any_ids():
    """But tables of few and coarse scores, of which rows are equal by chance, are not."""
    scores = irstd.load_dataset("sim-trec8").iloc[:, ::40]
    renamed = scores.rename(index="x{}".format).sample(frac=1, random_state=0)
    with pytest.raises(ValueError, match="x and y must not share topics, but 50 topics"):
        check_collections({"x": scores, "y": renamed})
    rng = np.random.default_rng(0)
    for _ in range(50):
        coarse = {}
        for name in "xy":
            values = rng.integers(0, 2, (12, 3)).astype(float)
            coarse[name] = pd.DataFrame(values, [f"{name}{i}" for i in range(12)])
        check_collections(coarse)


def test_check_collections_refuses_judges_of_preferences_and_gaps():
    rng = np.random.default_rng(0)
    won = rng.random(50) < 0.6
    other = won ^ (rng.random(50) < 0.1)
    preferences = [pd.DataFrame({"a": by, "b": ~by}).astype(float) for by in (won, other)]
    scores = irstd.load_dataset("sim-robust2004-all").iloc[:50, ::6]
    model = scores + rng.normal(0, 0.05, scores.shape) + rng.normal(0, 0.6, (50, 1))
    model.iloc[:, 0] = np.nan
    model.loc["extra"] = 0.1
    for people, judge in (preferences, (scores, model)):
        with pytest.raises(ValueError, match="must not share topics"):
            check_collections({"people": people, "model": judge})
