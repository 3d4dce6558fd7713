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


def three(systems=5):
    """Sets of topics of one simulated collection, of unequal size; one system is on two only."""
    scores = irstd.load_dataset("sim-robust2004-all").iloc[:, : 9 * systems : 9]
    parts = {"a": scores[:50], "b": scores[50:120], "c": scores[120:150]}
    parts["b"] = parts["b"].drop(columns=scores.columns[-1])
    return parts, scores.columns[0]


def test_the_mean_over_two_collections_is_welchs_test():
    """The t of mean(d) + mean(e) is Welch's of d against -e: scipy."""
    parts, base = three()
    parts.pop("b")
    tests = irstd.comparison_table(parts, base).tests
    rows = tests[tests["column"] == "mean"].set_index("system_a")
    d, e = (part[rows.index].sub(part[base], axis=0) for part in parts.values())
    welch = stats.ttest_ind(d, -e, equal_var=False)
    np.testing.assert_allclose(rows["statistic"], welch.statistic)
    np.testing.assert_allclose(rows["pvalue"], welch.pvalue)
    ends = np.column_stack(welch.confidence_interval(0.95)) / 2
    np.testing.assert_allclose(rows[["low", "high"]], ends)
    np.testing.assert_allclose(rows["difference"], (d.mean() + e.mean()) / 2)


def test_each_collection_is_tested_by_itself_and_one_family_is_corrected():
    parts, base = three()
    found = irstd.comparison_table(parts, base).tests
    for name, scores in parts.items():
        alone = irstd.pairwise_tests(scores, baseline=base)
        rows = found[found["column"] == name].reset_index(drop=True)
        columns = ["system_a", "difference", "low", "high", "statistic", "pvalue"]
        pd.testing.assert_frame_equal(rows[columns], alone[columns])
        assert rows["topics"].eq(len(scores)).all()
    expected = multipletests(found["pvalue"], method="holm")[1]
    assert found["adjusted_pvalue"].tolist() == pytest.approx(expected.tolist())
    on_two = parts["a"].columns[-1]
    assert found["column"].value_counts().to_dict() == {"a": 4, "b": 3, "c": 4, "mean": 3}
    assert on_two not in found.loc[found["column"] == "mean", "system_a"].tolist()


@pytest.mark.parametrize("correction", ["bonferroni", "holm"])
def test_wilcoxon_by_collection_is_corrected_over_the_whole_table(correction):
    """Oracles: scipy's Wilcoxon on each, Welch's t of the mean, statsmodels' corrections."""
    parts, base = three()
    parts.pop("b")
    table = irstd.comparison_table(parts, base, method="wilcoxon", correction=correction)
    expected = {}
    for name, scores in parts.items():
        for system in scores.columns.drop(base):
            d = (scores[system] - scores[base]).round(12)
            expected[name, system] = stats.wilcoxon(d[d != 0], method="exact").pvalue
    for system in parts["a"].columns.drop(base):
        d, e = (scores[system] - scores[base] for scores in parts.values())
        expected["mean", system] = stats.ttest_ind(d, -e, equal_var=False).pvalue
    tests = table.tests.set_index(["column", "system_a"])
    adjusted = multipletests([expected[key] for key in tests.index], method=correction)[1]
    assert tests["adjusted_pvalue"].tolist() == pytest.approx(adjusted.tolist(), abs=1e-9)
    assert (
        f"wilcoxon (the mean over collections: t), {correction} over all 12 tests" in table.caption
    )
    for (column, system), row in tests.iterrows():
        sets = parts.values() if column == "mean" else [parts[column]]
        assert row["wins"] == sum((x[system] > x[base]).sum() for x in sets)
        assert row["wins"] + row["ties"] + row["losses"] == row["topics"]


def test_pairs_are_in_one_order_whatever_the_order_of_the_columns():
    parts, _ = three()
    turned = {name: scores.iloc[:, ::-1] for name, scores in parts.items()}
    turned["a"] = parts["a"]
    found = irstd.comparison_table(turned, None).tests
    pd.testing.assert_frame_equal(found, irstd.comparison_table(parts, None).tests)


def test_the_table_has_a_column_for_each_collection_and_their_mean():
    """Its tests are those above; the intervals of its means are Welch's, of scipy."""
    parts, base = three()
    table = irstd.comparison_table(parts, base)
    tests = table.tests
    assert table.means.columns.tolist() == ["a", "b", "c", "mean"]
    assert "over topics (a 50, b 70, c 30) and over these 3 collections" in table.caption
    assert f"holm over all {len(tests)} tests" in table.caption
    for name, scores in parts.items():
        assert table.means[name].dropna().to_dict() == pytest.approx(scores.mean().to_dict())
    better = tests[(tests["adjusted_pvalue"] <= 0.05) & (tests["difference"] > 0)]
    marked = table.cells.index[table.cells["mark"] == "↑"]
    assert set(marked) == set(zip(better["column"], better["system_a"], strict=True))
    on_two = parts["a"].columns[-1]
    assert table.means.loc[on_two, ["b", "mean"]].isna().all()
    assert "–: no score in this column" in table.caption
    means, interval = table.means["mean"], table.cells.loc["mean"]
    best = means.idxmax()
    assert f"{means[best]:.3f}*" in str(table)
    assert f"[{interval.loc[best, 'low']:.3f}, {interval.loc[best, 'high']:.3f}]" in str(table)
    two = {"a": parts["a"], "c": parts["c"]}
    cells = irstd.comparison_table(two, base).cells.loc["mean"]
    welch = stats.ttest_ind(two["a"], -two["c"], equal_var=False)
    ends = np.column_stack(welch.confidence_interval(0.95)) / 2
    np.testing.assert_allclose(cells.loc[two["a"].columns, ["low", "high"]], ends)


@pytest.mark.parametrize("clustered", [False, True])
def test_out_of_the_group_is_who_is_worse_than_some_other_by_the_tests_of_its_column(clustered):
    parts, _ = three()
    clusters = None
    if clustered:
        parts = parts["a"]
        clusters = pd.Series(np.arange(len(parts)) // 5, parts.index)
    table = irstd.comparison_table(parts, None, clusters=clusters)
    for column, tests in table.tests.groupby("column"):
        systems = {*tests["system_a"], *tests["system_b"]}
        by_number = tests["pvalue"] <= 0.05 / (len(systems) - 1)
        lost = tests[by_number | (multipletests(tests["pvalue"], method="holm")[1] <= 0.05)]
        worse = lost["system_a"].where(lost["difference"] < 0, lost["system_b"])
        marks = table.marks[column]
        assert set(marks.index[marks == "†"]) == systems - set(worse)


def test_who_lacks_topics_of_one_collection_is_in_no_group_of_it_or_of_the_mean():
    parts, _ = three()
    best = irstd.comparison_table(parts, None).means["mean"].idxmax()
    parts["a"] = parts["a"].copy()
    parts["a"].loc[parts["a"].index[:5], best] = np.nan
    table = irstd.comparison_table(parts, None)
    assert table.marks.loc[best].tolist() == ["", "†", "†", ""]
    assert f"not taken for the best: {best} (45)" in table.caption


def test_a_run_and_its_copy_have_no_error_and_stop_no_table():
    parts, base = three()
    parts = {name: scores.assign(copy=scores[base]) for name, scores in parts.items()}
    table = irstd.comparison_table(parts, base)
    assert table.marks.loc["copy"].eq("").all()
    of_mean = table.tests.query("column == 'mean' and system_a == 'copy'")
    assert of_mean["pvalue"].item() == 1


def with_seeds(parts, rng, lift=0.05, sd=0.03, seeds=3):
    """A baseline without seeds, and two models of several: one better, one as good."""
    tables = {}
    offsets = rng.normal(0, sd, (2, seeds))
    for name, scores in parts.items():
        base = scores.iloc[:, 0]
        columns = {"bm25": base}
        for model, gain in enumerate([lift, 0]):
            for seed in range(seeds):
                noise = rng.normal(0, 0.05, len(base))
                moved = gain + offsets[model, seed] + noise
                columns[f"{'xy'[model]}-s{seed}"] = base + moved
        tables[name] = pd.DataFrame(columns)
    return tables


PATTERN = r"(?P<system>.*)-s(?P<seed>\d)"


def test_seeds_in_the_table_are_those_of_the_seed_test():
    parts, _ = three()
    tables = with_seeds(parts, np.random.default_rng(1))
    table = irstd.comparison_table(tables, "bm25", seeds=PATTERN)
    named = {k: irstd.seeds.name_seeds(t, PATTERN, without=["bm25"]) for k, t in tables.items()}
    pvalues = []
    for name, scores in named.items():
        for system in "xy":
            cell = table.cells.loc[(name, system)]
            assert cell["mean"] == pytest.approx(scores[system].mean().mean())
            assert cell["spread"] == pytest.approx(scores[system].mean().std())
            pvalues.append(irstd.seeds.seed_test(scores, system, "bm25")["pvalue"])
    for system in "xy":
        pvalues.append(compare_seeds(list(named.values()), system, "bm25")["pvalue"])
    adjusted = multipletests(pvalues, method="holm")[1]
    found = [table.cells.loc[(name, s), "pvalue"] for name in table.means for s in "xy"]
    assert found == pytest.approx(adjusted.tolist())
    of_seeds = pd.DataFrame({name: t["x"].mean() for name, t in named.items()}).mean(axis=1)
    assert table.cells.loc[("mean", "x"), "spread"] == pytest.approx(of_seeds.std())
    assert pd.isna(table.cells.loc[("mean", "bm25"), "spread"])
    assert table.cells["low"].isna().all()
    assert "of 3 seeds (± standard deviation over seeds)" in table.caption
    assert "±" in str(table)
    assert r"$\pm$" in table.to_latex()


def test_a_matrix_that_knows_its_metric_may_have_seeds():
    parts, _ = three()
    scores = with_seeds({"a": parts["a"]}, np.random.default_rng(1))["a"]
    named = irstd.seeds.name_seeds(scores, PATTERN, without=["bm25"])
    expected = [irstd.seeds.seed_test(named, system, "bm25")["pvalue"] for system in "xy"]
    for metric in ("score", "AP"):
        table = irstd.comparison_table(scores, "bm25", seeds=PATTERN)
        assert list(table.means) == [metric]
        assert table.tests["pvalue"].tolist() == expected
        assert table.cells["spread"].notna().sum() == 2
        scores.attrs["metric"] = "AP"


def test_one_collection_twice_tells_the_seed_test_no_more_of_seeds():
    """With two collections of the same differences the error of topics shrinks, of seeds not."""
    parts, _ = three()
    one = with_seeds({"a": parts["a"]}, np.random.default_rng(2))["a"]
    named = irstd.seeds.name_seeds(one, PATTERN, without=["bm25"])
    other = named.rename(index="other {}".format)
    alone = irstd.seeds.seed_test(named, "x", "bm25")
    both = compare_seeds([named, other], "x", "bm25")
    assert both["difference"] == pytest.approx(alone["difference"])
    error_alone = alone["difference"] / alone["statistic"]
    error_both = both["difference"] / both["statistic"]
    d = named["x"].mean(axis=1) - named["bm25"].mean(axis=1)
    seeds = named["x"].mean().var() / 3
    halved = error_alone**2 - d.var() / len(d) / 2
    rest = d.var() / len(d) + seeds - error_alone**2
    assert rest > 0
    assert error_both**2 == pytest.approx(max(halved + rest / 2, seeds, d.var() / len(d) / 2))
    with pytest.raises(ValueError, match="the same seeds on all"):
        fewer = other.drop(columns=[("x", "0")])
        compare_seeds([named, fewer], "x", "bm25")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda p, b: irstd.comparison_table(p, b, method="tukey"), "give correction=None"),
        (lambda p, b: irstd.comparison_table({"a": p["a"]}, b), "at least 2 score matrices"),
        (lambda p, b: irstd.comparison_table(p | {"mean": p["a"] / 2}, b), "rename the"),
        (lambda p, b: irstd.comparison_table(p, b, seeds=PATTERN), "fits no column"),
        (lambda p, b: irstd.comparison_table(p, None, seeds=PATTERN), "need a baseline"),
    ],
)
@pytest.mark.filterwarnings("ignore:not on all")
def test_what_cannot_be_answered_is_refused_by_name(call, message):
    parts, base = three()
    with pytest.raises(ValueError, match=message):
        call(parts, base)


def test_runs_and_judgments_by_collection_are_scored_each_by_itself():
    runs = {"x": {"mine": {"1": {"a": 2.0, "b": 1.0}}}, "y": {"mine": {"9": {"a": 1.0}}}}
    qrels = {"x": {"1": {"b": 1}}, "y": {"9": {"a": 1}}}
    found = irstd.evaluate(runs, qrels, "RR")
    assert [(name, scores["mine"].to_dict()) for name, scores in found.items()] == [
        ("x", {"1": 0.5}),
        ("y", {"9": 1}),
    ]
    with pytest.raises(ValueError, match="qrels are of the collections x, y: runs must be"):
        irstd.evaluate(runs["x"], qrels, "RR")


def test_the_table_in_a_cell_and_in_print():
    parts, base = three()
    table = irstd.comparison_table({"a<b>": parts["a"], "c": parts["c"]}, base)
    page = table._repr_html_()
    assert "<th >a&lt;b&gt;</th>" in page
    assert "<b>" in page
    latex = table.to_latex(digits=1)
    assert r"& a\textless{}b\textgreater{} & c & mean" in latex
    (row,) = (row for row in latex.splitlines() if row.startswith(base))
    assert f"& {table.means.loc[base, 'mean']:.1f}" in row


SEEDS = [pytest.param(3, 0.03, marks=pytest.mark.night)]
SEEDS += [pytest.param(*case, marks=pytest.mark.release) for case in ((3, 0), (5, 0), (5, 0.03))]


@pytest.mark.parametrize(("seeds", "sd"), SEEDS)
def test_level_of_seeds_against_a_fixed_baseline_over_collections(seeds, sd):
    rng = np.random.default_rng(seeds)
    rejected = []
    for _ in range(200):
        parts = {}
        for name, n in (("a", 20), ("b", 50), ("c", 30)):
            topics = [f"{name}{k}" for k in range(n)]
            parts[name] = pd.DataFrame({"s": rng.beta(0.5, 2, n)}, topics)
        tables = with_seeds(parts, rng, lift=0, sd=sd, seeds=seeds)
        named = {k: irstd.seeds.name_seeds(t, PATTERN, without=["bm25"]) for k, t in tables.items()}
        rejected.append(compare_seeds(list(named.values()), "y", "bm25")["pvalue"] <= 0.05)
    assert np.mean(rejected) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 200)


@pytest.mark.parametrize("year", ["2019", "2020"])
def test_people_and_a_model_are_no_two_collections(year, trec_data):
    """Twelve models beside people: one set of topics, however strict the judge."""
    scores = irstd.load_dataset(f"judges-dl{year}")
    people, *models = scores.columns.unique("judge")
    for model in models:
        with pytest.raises(ValueError, match="must not share topics"):
            check_collections({"people": scores[people], "model": scores[model]})


@pytest.mark.parametrize(
    ("n", "trials"), [(3, 40), pytest.param(18, 400, marks=pytest.mark.release)]
)
def test_collections_whose_ids_are_used_again_are_not_refused(n, trials):
    """Independent ones, 50 topics called 1 to 50; a warning comes in few of them."""
    rng = np.random.default_rng(0)
    topics = [str(k) for k in range(1, 51)]
    warned = 0
    for _ in range(trials):
        tables = {}
        for k in range(n):
            values = rng.beta(0.5, 2, (50, 1)) + 0.2 * rng.beta(0.5, 2, (50, 8))
            tables[f"c{k}"] = pd.DataFrame(values, topics)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            check_collections(tables)
        warned += len(said) > 0
    assert warned <= 0.03 * trials


def test_topics_that_may_be_shared_are_warned_of():
    """Residuals that go together with p about 1e-5: by chance once in 50,000 such pairs."""
    rng = np.random.default_rng(4)
    values = rng.normal(size=(50, 4))
    other = 0.3 * values + rng.normal(size=(50, 4))
    tables = {"a": pd.DataFrame(values), "b": pd.DataFrame(other)}
    with pytest.warns(UserWarning, match=r"a and b may share topics: scores of 0, 1.*correlated"):
        check_collections(tables)


def test_equal_rows_are_one_collection_under_any_ids():
    """But tables of few and coarse scores, of which rows are equal by chance, are not."""
    scores = irstd.load_dataset("sim-trec8").iloc[:, ::40]
    renamed = scores.rename(index="x{}".format).sample(frac=1, random_state=0)
    with pytest.raises(ValueError, match="x and y must not share topics: .* same scores in both"):
        check_collections({"x": scores, "y": renamed})
    rng = np.random.default_rng(0)
    for _ in range(50):
        coarse = {}
        for name in "xy":
            values = rng.integers(0, 2, (12, 3)).astype(float)
            coarse[name] = pd.DataFrame(values, [f"{name}{i}" for i in range(12)])
        check_collections(coarse)


def test_judges_are_known_by_preferences_and_in_spite_of_a_run_without_scores():
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
