"""Several collections at once. Oracles: scipy's Welch test, statsmodels' Holm and meta-analysis."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.meta_analysis import combine_effects
from statsmodels.stats.multitest import multipletests

import irstd


def three(systems=5):
    """Sets of topics of one simulated collection, of unequal size; one system is on two only."""
    scores = irstd.load_dataset("sim-robust2004-all").iloc[:, : 9 * systems : 9]
    parts = {"a": scores[:50], "b": scores[50:120], "c": scores[120:150]}
    parts["b"] = parts["b"].drop(columns=scores.columns[-1])
    return parts, scores.columns[0]


def test_the_mean_over_two_collections_is_welchs_test():
    """The t of mean(d) + mean(e) is Welch's of d against -e: scipy."""
    parts, base = three()
    two = {"a": parts["a"], "c": parts["c"]}
    found = irstd.pairwise_tests(two, baseline=base)
    of_mean = found[found["collection"] == "mean"].set_index("system_a")
    for system in parts["a"].columns[1:]:
        d = parts["a"][system] - parts["a"][base]
        e = parts["c"][system] - parts["c"][base]
        welch = stats.ttest_ind(d, -e, equal_var=False)
        row = of_mean.loc[system]
        assert row["pvalue"] == pytest.approx(welch.pvalue)
        assert row["statistic"] == pytest.approx(welch.statistic)
        ends = np.array(welch.confidence_interval(0.95)) / 2
        assert row[["low", "high"]].tolist() == pytest.approx(ends.tolist())
        assert row["difference"] == pytest.approx((d.mean() + e.mean()) / 2)
    for alternative in ("greater", "less"):
        one_sided = irstd.pairwise_tests(two, baseline=base, alternative=alternative)
        system = parts["a"].columns[1]
        d = parts["a"][system] - parts["a"][base]
        e = parts["c"][system] - parts["c"][base]
        welch = stats.ttest_ind(d, -e, equal_var=False, alternative=alternative)
        row = one_sided[one_sided["collection"] == "mean"].set_index("system_a").loc[system]
        assert row["pvalue"] == pytest.approx(welch.pvalue)


def test_each_collection_is_tested_by_itself_and_one_family_is_corrected():
    parts, base = three()
    found = irstd.pairwise_tests(parts, baseline=base, correction="holm")
    for name, scores in parts.items():
        alone = irstd.pairwise_tests(scores, baseline=base)
        rows = found[found["collection"] == name].reset_index(drop=True)
        columns = ["system_a", "difference", "low", "high", "statistic", "pvalue"]
        pd.testing.assert_frame_equal(rows[columns], alone[columns])
        assert rows["topics"].eq(len(scores)).all()
    expected = multipletests(found["pvalue"], method="holm")[1]
    assert found["adjusted_pvalue"].tolist() == pytest.approx(expected.tolist())
    by_collection = irstd.pairwise_tests(
        parts, baseline=base, correction="holm", family="collection"
    )
    for _, rows in by_collection.groupby("collection"):
        expected = multipletests(rows["pvalue"], method="holm")[1]
        assert rows["adjusted_pvalue"].tolist() == pytest.approx(expected.tolist())
    on_two = parts["a"].columns[-1]
    means = found[found["collection"] == "mean"]
    assert on_two not in means["system_a"].tolist()
    assert (found["collection"] == "b").sum() == (found["collection"] == "a").sum() - 1


def test_pairs_are_in_one_order_whatever_the_order_of_the_columns():
    parts, _ = three()
    turned = {name: scores.iloc[:, ::-1] for name, scores in parts.items()}
    turned["a"] = parts["a"]
    found = irstd.pairwise_tests(turned)
    expected = irstd.pairwise_tests(parts)
    pd.testing.assert_frame_equal(found, expected)


def test_the_board_has_means_over_collections_and_their_intervals():
    parts, _ = three()
    with pytest.warns(UserWarning, match="not on all collections"):
        board = irstd.leaderboard(parts)
    on_all = [s for s in parts["a"] if s in parts["b"]]
    for system in on_all:
        means = [parts[name][system].mean() for name in parts]
        sems = [parts[name][system].sem() for name in parts]
        row = board.loc[system]
        assert row["value"] == pytest.approx(np.mean(means))
        error = np.sqrt(np.sum(np.square(sems))) / 3
        assert row["low"] < row["value"] - 1.9 * error < row["value"]
        assert row[["a", "b", "c"]].tolist() == pytest.approx(means)
        assert row["topics"] == 150
    assert board["rank"].dropna().tolist() == list(range(1, len(on_all) + 1))
    last = board.iloc[-1]
    assert last["collections"] == 2
    assert pd.isna(last["value"])
    two = {name: parts[name] for name in ("a", "c")}
    row = irstd.leaderboard(two).loc[on_all[1]]
    welch = stats.ttest_ind(parts["a"][on_all[1]], -parts["c"][on_all[1]], equal_var=False)
    ends = np.array(welch.confidence_interval(0.95)) / 2
    assert row[["low", "high"]].tolist() == pytest.approx(ends.tolist())


def test_ranks_are_drawn_within_collections():
    parts, _ = three()
    parts = {name: scores.iloc[:, :4] for name, scores in parts.items()}
    found = irstd.rank_intervals(parts, trials=300)
    means = pd.DataFrame({name: scores.mean() for name, scores in parts.items()}).mean(axis=1)
    assert found["value"].tolist() == pytest.approx(means[found.index].tolist())
    assert (found["low"] <= found["rank"]).all()
    assert (found["rank"] <= found["high"]).all()
    other_order = {name: parts[name].iloc[::-1, ::-1] for name in reversed(list(parts))}
    pd.testing.assert_frame_equal(irstd.rank_intervals(other_order, trials=300), found)
    # Out of the group is who is worse than some other by the tests of the mean.
    tests = irstd.pairwise_tests(parts)
    tests = tests[tests["collection"] == "mean"]
    by_number = tests["pvalue"] <= 0.05 / 3
    holm = multipletests(tests["pvalue"], method="holm")[1] <= 0.05
    lost = tests[by_number | holm]
    worse = lost["system_a"].where(lost["difference"] < 0, lost["system_b"])
    assert set(found.index[~found["best"]]) == set(worse)


def test_each_collection_is_standardized_by_its_own_reference():
    parts, _ = three()
    references = {name: scores**2 for name, scores in parts.items()}
    with warnings.catch_warnings(action="ignore"):
        found = irstd.standardize(parts, references, "z")
        for name, scores in parts.items():
            expected = irstd.standardize(scores, references[name], "z")
            pd.testing.assert_frame_equal(found[name], expected)
        with pytest.raises(ValueError, match="a dict with the collections of scores: a, b, c"):
            irstd.standardize(parts, references["a"])
        with pytest.raises(ValueError, match="scores are of one"):
            irstd.standardize(parts["a"], references)


def test_the_table_has_a_column_for_each_collection_and_their_mean():
    parts, base = three()
    table = irstd.comparison_table(parts, base)
    assert table.means.columns.tolist() == ["a", "b", "c", "mean"]
    assert "b (70)" in str(table)
    tests = irstd.pairwise_tests(parts, baseline=base, correction="holm")
    for name, rows in tests.groupby("collection"):
        rows = rows.set_index("system_a")
        significant = rows["adjusted_pvalue"] <= 0.05
        better = rows.index[significant & (rows["difference"] > 0)]
        assert set(table.marks.index[table.marks[name] == "↑"]) == set(better)
    assert f"holm over all {len(tests)} tests" in table.caption
    on_two = parts["a"].columns[-1]
    assert pd.isna(table.means.loc[on_two, "mean"])
    assert pd.isna(table.means.loc[on_two, "b"])
    assert "–: no score in this column" in table.caption
    # Other collections: statsmodels' random effects of Paule and Mandel.
    for system in [s for s in parts["b"] if s != base]:
        differences = [scores[system] - scores[base] for scores in parts.values()]
        effects = combine_effects(
            np.array([d.mean() for d in differences]),
            np.array([d.sem() ** 2 for d in differences]),
            method_re="iterated",
        )
        found = table.tests["collections like these"].loc[system, "difference"]
        assert found == pytest.approx(effects.mean_effect_re)
    means, interval = table.means["mean"], table.interval
    best = means.idxmax()
    assert f"{means[best]:.3f}*" in str(table)
    assert f"[{interval.loc[best, 'low']:.3f}, {interval.loc[best, 'high']:.3f}]" in str(table)
    group = irstd.comparison_table(parts, None)
    with warnings.catch_warnings(action="ignore"):
        best_group = irstd.rank_intervals(parts)["best"]
    marked = group.marks.index[group.marks["mean"] == "†"]
    assert set(marked) == set(best_group.index[best_group])


def test_ids_that_are_used_again_are_other_topics():
    """As in BEIR, where ids are numbers."""
    parts, base = three()
    numbered = {
        name: scores.set_axis([str(k) for k in range(len(scores))])
        for name, scores in parts.items()
    }
    with warnings.catch_warnings(action="error"):
        table = irstd.comparison_table(numbered, base)
    pd.testing.assert_frame_equal(table.tests, irstd.comparison_table(parts, base).tests)


def test_a_run_and_its_copy_have_no_error_and_stop_no_table():
    parts, base = three()
    parts = {name: scores.assign(copy=scores[base]) for name, scores in parts.items()}
    table = irstd.comparison_table(parts, base)
    assert table.marks.loc["copy"].eq("").all()
    assert table.tests["collections like these"].loc["copy"].isna().all()
    assert table.tests["mean"].loc["copy", "pvalue"] == 1


def test_of_two_collections_nothing_is_said_of_others():
    parts, base = three()
    table = irstd.comparison_table({"a": parts["a"], "c": parts["c"]}, base)
    assert "like these" not in table.caption
    assert "like these" not in str(table.tests.columns.tolist())


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
    named = {k: irstd.name_seeds(t, PATTERN, without=["bm25"]) for k, t in tables.items()}
    pvalues = []
    for name, scores in named.items():
        for system in "xy":
            test = irstd.seed_test(scores, system, "bm25")
            assert table.tests[name].loc[system, "pvalue"] == test["pvalue"]
            assert table.means.loc[system, name] == pytest.approx(scores[system].mean().mean())
            assert table.spread.loc[system, name] == pytest.approx(scores[system].mean().std())
            pvalues.append(test["pvalue"])
    for system in "xy":
        pvalues.append(irstd.seed_test(named, system, "bm25")["pvalue"])
    adjusted = multipletests(pvalues, method="holm")[1]
    found = [table.tests[name].loc[s, "adjusted_pvalue"] for name in table.means for s in "xy"]
    assert found == pytest.approx(adjusted.tolist())
    of_seeds = pd.DataFrame({name: t["x"].mean() for name, t in named.items()}).mean(axis=1)
    assert table.spread.loc["x", "mean"] == pytest.approx(of_seeds.std())
    assert pd.isna(table.spread.loc["bm25", "mean"])
    assert "Without seeds: bm25." in table.caption
    assert "±" in str(table)
    assert r"$\pm$" in table.to_latex()
    alone = irstd.comparison_table(tables["a"], "bm25", seeds=PATTERN)
    assert alone.means.columns.tolist() == ["score"]
    assert alone.tests["score"].loc["x", "pvalue"] == table.tests["a"].loc["x", "pvalue"]


def test_one_collection_twice_tells_the_seed_test_no_more_of_seeds():
    """With two collections of the same differences the error of topics shrinks, of seeds not."""
    parts, _ = three()
    one = with_seeds({"a": parts["a"]}, np.random.default_rng(2))["a"]
    named = irstd.name_seeds(one, PATTERN, without=["bm25"])
    other = named.rename(index="other {}".format)
    alone = irstd.seed_test(named, "x", "bm25")
    both = irstd.seed_test({"a": named, "b": other}, "x", "bm25")
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
        irstd.seed_test({"a": named, "b": fewer}, "x", "bm25")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda p, b: irstd.pairwise_tests(p, "wilcoxon"), 'compared by method="t"'),
        (lambda p, b: irstd.pairwise_tests({"a": p["a"]}), "must be a dict of 2 score matrices"),
        (lambda p, b: irstd.pairwise_tests(p | {"mean": p["a"] / 2}), "rename it"),
        (lambda p, b: irstd.pairwise_tests(p | {"d": p["a"]}), "must not share topics"),
        (lambda p, b: irstd.pairwise_tests(p, baseline="nobody"), "baseline must be one of"),
        (lambda p, b: irstd.leaderboard(p, aggregate="borda"), "without aggregate"),
        (
            lambda p, b: irstd.leaderboard(p | {"rank": p["a"].add_prefix("x", axis=0)}),
            "as a column of the board",
        ),
        (lambda p, b: irstd.rank_intervals(p, method="z"), "without method"),
        (lambda p, b: irstd.comparison_table(p, b, seeds="x"), "needs the groups"),
        (lambda p, b: irstd.comparison_table(p, b, seeds=PATTERN), "fits no column"),
        (lambda p, b: irstd.comparison_table(p, None, seeds=PATTERN), "give its name"),
        (lambda p, b: irstd.comparison_table(p, b, better={"a": "smaller"}), "the negative"),
    ],
)
@pytest.mark.filterwarnings("ignore:not on all")
def test_what_cannot_be_answered_is_refused_by_name(call, message):
    parts, base = three()
    with pytest.raises(ValueError, match=message):
        call(parts, base)


def test_runs_and_judgments_by_collection_are_scored_each_by_itself():
    run = {"1": {"a": 2.0, "b": 1.0}, "2": {"a": 1.0, "c": 3.0}}
    other = {"9": {"a": 1.0}}
    qrels = {"1": {"a": 1}, "2": {"a": 1}}
    other_qrels = {"9": {"a": 1}}
    found = irstd.evaluate(
        {"x": {"mine": run}, "y": {"mine": other}}, {"x": qrels, "y": other_qrels}, "RR"
    )
    assert list(found) == ["x", "y"]
    pd.testing.assert_frame_equal(found["x"], irstd.evaluate({"mine": run}, qrels, "RR"))
    assert found["y"].loc["9", "mine"] == 1
    with pytest.raises(ValueError, match="qrels are of the collections x, y: runs must be"):
        irstd.evaluate({"mine": run}, {"x": qrels, "y": other_qrels}, "RR")


def test_explore_has_a_tab_for_each_collection():
    parts, _ = three()
    tabs = irstd.explore(parts)
    assert list(tabs.titles) == ["a", "b", "c"]
    assert tabs.children[1].by_system.index.tolist()
    assert len(tabs.children) == 3


def test_the_table_in_a_cell_and_in_print():
    parts, base = three()
    table = irstd.comparison_table({"a<b>": parts["a"], "c": parts["c"]}, base)
    page = table._repr_html_()
    assert "a&lt;b&gt; (50)" in page
    assert "<b>" in page
    latex = table.to_latex(digits=1, percent=True, first=[base])
    rows = latex.split("\\midrule\n")[1].splitlines()
    assert rows[0].startswith("{}" + base)
    assert "In percent." in latex
    mean = table.means.loc[base, "mean"]
    assert f"{100 * mean:.1f}" in rows[0]
    with pytest.raises(ValueError, match="first must be one of"):
        table.to_latex(first=["nobody"])


@pytest.mark.release
def test_levels_of_the_mean_over_collections_and_of_the_family():
    """True nulls: two equal systems on three collections of unequal size and spread."""
    rng = np.random.default_rng(0)
    rejected = []
    family = []
    trials = 600
    for _ in range(trials):
        parts = {}
        for name, n, sd in (("a", 10, 0.3), ("b", 50, 0.1), ("c", 25, 0.2)):
            values = rng.beta(0.5, 2, (n, 4)) * sd + rng.normal(size=(n, 1))
            topics = [f"{name}{k}" for k in range(n)]
            parts[name] = pd.DataFrame(values, topics, list("wxyz"))
        tests = irstd.pairwise_tests(parts, baseline="w", correction="holm")
        of_mean = tests[tests["collection"] == "mean"]
        rejected.append((of_mean["pvalue"] <= 0.05).mean())
        family.append((tests["adjusted_pvalue"] <= 0.05).any())
    error = np.sqrt(0.05 * 0.95 / trials)
    assert 0.05 - 4 * error <= np.mean(rejected) <= 0.05 + 3 * error
    assert np.mean(family) <= 0.05 + 3 * error


SEEDS = [pytest.param(3, 0.03, marks=pytest.mark.night)]
SEEDS += [pytest.param(*case, marks=pytest.mark.release) for case in ((3, 0), (5, 0), (5, 0.03))]


@pytest.mark.parametrize(("seeds", "sd"), SEEDS)
def test_level_of_seeds_against_a_fixed_baseline_over_collections(seeds, sd):
    rng = np.random.default_rng(seeds)
    rejected = []
    for _ in range(600):
        parts = {}
        for name, n in (("a", 20), ("b", 50), ("c", 30)):
            topics = [f"{name}{k}" for k in range(n)]
            parts[name] = pd.DataFrame({"s": rng.beta(0.5, 2, n)}, topics)
        tables = with_seeds(parts, rng, lift=0, sd=sd, seeds=seeds)
        named = {k: irstd.name_seeds(t, PATTERN, without=["bm25"]) for k, t in tables.items()}
        rejected.append(irstd.seed_test(named, "y", "bm25")["pvalue"] <= 0.05)
    assert np.mean(rejected) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 600)
