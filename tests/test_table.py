"""The table of a paper, and tests of pairs of which one lacks topics."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import irstd

BASE = "t8orig25c"


@pytest.fixture(scope="module")
def scores():
    several = irstd.load_dataset("sim-trec8", ["AP", "P@10"])
    return several.loc[:, (slice(None), sorted(several["AP"].columns)[::16])]


def test_each_metric_has_its_own_test_correction_and_marks(scores):
    """Oracle: scipy's paired t, and Holm's correction by hand."""
    table = irstd.comparison_table(scores, BASE)
    for metric in ("AP", "P@10"):
        part = scores[metric]
        p = {s: stats.ttest_rel(part[s], part[BASE]).pvalue for s in part if s != BASE}
        largest = 0.0
        for left, system in zip(range(len(p), 0, -1), sorted(p, key=p.get), strict=True):
            largest = max(largest, min(1, left * p[system]))
            sign = "↑" if part[system].mean() > part[BASE].mean() else "↓"
            assert table.marks.loc[system, metric] == (sign if largest <= 0.05 else "")
            found = table.tests.loc[system, (metric, "adjusted_pvalue")]
            assert found == pytest.approx(largest, rel=1e-9)
    assert table.marks.loc[BASE].eq("").all()
    assert {"↑", "↓", ""} == {*table.marks.to_numpy().ravel()}
    assert table.means["AP"].is_monotonic_decreasing


def test_no_sentence_is_on_a_mark_that_is_not_there(scores):
    same = pd.DataFrame({"a_b": [0.1, 0.4, 0.3], "c": [0.1, 0.4, 0.3001]})
    table = irstd.comparison_table(same, "c")
    latex = table.to_latex()
    assert "arrow" not in latex and "None is significantly better or worse than c" in latex
    assert r"{}a\_b & 0.267" in latex and r"{}c & \textbf{0.267}" in latex
    table = irstd.comparison_table(scores, BASE, beside=irstd.gmap(scores["AP"]).to_frame())
    latex = table.to_latex()
    for sign, word in (("\\uparrow", "better"), ("\\downarrow", "worse")):
        assert latex.count(sign) > 1 and word in latex
    assert "Not tested: gmap." in latex and "Not tested: gmap." in str(table)
    best = table.means.max()
    assert all(f"*{best[metric]:.3f}*" in str(table) for metric in best.index)


@pytest.mark.parametrize("empty", [True, False])
def test_metrics_with_other_systems_have_their_own_families_and_topics(scores, empty):
    """A system without a score in a metric, with an empty column or none, is not in its family."""
    several = scores.drop(columns=scores["AP"].columns[4:], level="system")
    systems = several["AP"].columns
    baseline, short, *absent = systems
    absent_columns = [("P@10", system) for system in absent]
    several = several.copy()
    several.loc[several.index[:9], ("AP", short)] = np.nan
    if empty:
        several[absent_columns] = np.nan
    else:
        several = several.drop(columns=absent_columns)
    table = irstd.comparison_table(several, baseline)
    assert "holm over the tests in each metric: 3 in AP, 1 in P@10, p ≤ 0.05" in table.caption
    assert table.caption.endswith(f"not bold: {short} (41 in AP). –: no score in this column.")
    pair = several["P@10"][[baseline, short]]
    expected = stats.ttest_rel(pair[short], pair[baseline]).pvalue
    assert table.tests.loc[short, ("P@10", "adjusted_pvalue")] == pytest.approx(expected, rel=1e-9)
    for system in absent:
        line = next(line for line in str(table).splitlines() if line.startswith(system))
        assert line.endswith("–") and "nan" not in line
    latex = table.to_latex()
    assert latex.count("& -- ") == 2 and "nan" not in latex
    assert table.marks.loc[absent, "P@10"].eq("").all()


def test_who_lacks_topics_in_one_metric_may_be_the_best_in_another():
    ap = pd.DataFrame({"a": [0.5, 0.6, 0.9], "b": [0.1, 0.2, 0.3]})
    p10 = ap.copy()
    p10.loc[0, "a"] = np.nan
    table = irstd.comparison_table(pd.concat({"AP": ap, "P@10": p10}, axis=1), "b")
    first = str(table).splitlines()[2]
    assert "*0.667*" in first and "0.750" in first and "*0.750*" not in first
    assert "not bold: a (2 in P@10)." in table.caption


def test_an_unfinished_system_that_equals_the_best_is_not_bold():
    same = pd.DataFrame({"a": [0.5, 0.5, 0.5], "b": [0.5, 0.4, 0.6], "c": [np.nan, 0.5, 0.5]})
    lines = str(irstd.comparison_table(same, "b")).splitlines()
    assert [line.endswith("*0.500*") for line in lines[2:5]] == [True, True, False]


def test_without_a_baseline_the_group_that_holds_the_best_is_marked(scores):
    table = irstd.comparison_table(scores, None)
    for metric in ("AP", "P@10"):
        best = irstd.rank_intervals(scores[metric])["best"]
        assert {*table.marks.index[table.marks[metric] == "†"]} == {*best.index[best]}
    assert "arrow" not in table.to_latex() and "dagger" in table.to_latex()


def test_a_mean_over_other_topics_is_neither_bold_nor_in_the_group_of_the_best(scores):
    """Without its worst 40 topics, a copy of a system was bold, and the best with 95%."""
    part = scores.copy()
    worst = scores["AP", BASE].nsmallest(40).index
    for metric in ("AP", "P@10"):
        part[metric, "copy"] = scores[metric, BASE].drop(worst)
    for baseline, how in ((None, "neither bold nor marked"), (BASE, "compared on these, not bold")):
        found = irstd.comparison_table(part, baseline)
        assert found.means.idxmax().eq("copy").all()
        assert found.marks.loc["copy"].eq("").all()
        assert f"{how}: copy (10)." in found.caption
        assert found.to_latex().count("textbf") == 2
        assert "textbf" not in found.to_latex().split("copy")[1].split("\\\\")[0]


def test_where_no_pair_can_be_tested_the_columns_stay():
    apart = pd.DataFrame({"a": [0.1, 0.2, None, None], "b": [None, None, 0.3, 0.4]})
    found, one = (irstd.pairwise_tests(x, missing="pairwise") for x in (apart, apart.fillna(0.5)))
    assert list(found.columns) == list(one.columns)
    assert (found["pvalue"].item(), found["topics"].item()) == (1, 0)


@pytest.mark.parametrize("method", ["t", "randomization", "wilcoxon", "pitman_morgan"])
def test_a_pair_is_tested_on_the_topics_of_both(scores, method):
    """Oracle: the pair alone, without the topics that one of the two lacks."""
    part = scores["AP"].iloc[:, :4].copy()
    part.iloc[20:, 0] = part.iloc[:30, 1] = part.iloc[35:, 2] = part.iloc[:19, 2] = np.nan
    found = irstd.pairwise_tests(part, method, missing="pairwise", trials=99)
    for row in found.itertuples():
        pair = part[[row.system_a, row.system_b]].dropna()
        assert row.topics == len(pair)
        if len(pair) < 2:
            assert row.pvalue == 1 and np.isnan(row.difference)
        else:
            one = irstd.pairwise_tests(pair, method, trials=99).iloc[0]
            others = 0.2 if method == "randomization" else 0  # the flips are others
            assert row.pvalue == pytest.approx(one["pvalue"], rel=1e-12, abs=others)
            assert row.difference == pytest.approx(one["difference"], rel=1e-12)
    whole = irstd.pairwise_tests(scores["AP"], method, missing="pairwise", trials=99)
    expected = irstd.pairwise_tests(scores["AP"], method, trials=99)
    pd.testing.assert_frame_equal(whole, expected)
    with pytest.raises(ValueError, match="missing"):
        irstd.pairwise_tests(part, method)
    with pytest.raises(ValueError, match="all systems at a time"):
        irstd.pairwise_tests(part, "tukey", missing="pairwise")


def test_a_system_that_lacks_topics_is_named_and_compared_on_those_it_has(scores):
    """A run cut to 40% of its topics; scored 0 on the others it would be told from the base."""
    cut = scores.copy()
    system = scores["AP"].columns[0]
    cut.loc[cut.index[20:], (slice(None), system)] = np.nan
    table = irstd.comparison_table(cut, BASE)
    both = scores["AP"][[system, BASE]][:20]
    assert table.tests.loc[system, ("AP", "pvalue")] == pytest.approx(
        stats.ttest_rel(both[system], both[BASE]).pvalue, rel=1e-9
    )
    assert f"compared on these, not bold: {system} (20)." in table.to_latex()
    with pytest.raises(ValueError, match="needs two systems with all topics"):
        irstd.comparison_table(cut["AP"].iloc[:, :2], None)


def better_on_most_topics_and_worse_in_the_mean():
    rng = np.random.default_rng(1)
    base = rng.uniform(0.3, 0.5, 50)
    gain = np.r_[np.full(40, 0.02), np.full(10, -0.15)] + rng.normal(0, 0.002, 50)
    return pd.DataFrame({"base": base, "mine": base + gain})


def test_a_mark_that_contradicts_the_mean_is_none_and_said():
    """By the sign test "worse", as the mean is, because it is better on 40 topics of 50."""
    two = better_on_most_topics_and_worse_in_the_mean()
    tests = irstd.pairwise_tests(two, "sign", baseline="base")
    assert stats.binomtest(40, 50).pvalue == pytest.approx(tests["pvalue"].item())
    assert (tests["difference"].item() < 0, tests["direction"].item()) == (True, 1)
    table = irstd.comparison_table(two, "base", method="sign")
    assert table.marks.loc["mine"].item() == ""
    assert "the mean is on the other side than the test: mine in score." in table.caption


@pytest.mark.parametrize("method", ["paired_levene", "f", "levene", "pitman_morgan"])
def test_a_test_of_spread_marks_no_means(method):
    two = better_on_most_topics_and_worse_in_the_mean()
    with pytest.raises(ValueError, match="must be a test of means, ranks or signs, got"):
        irstd.comparison_table(two, "base", method=method)


@pytest.mark.parametrize("method", ["t", "sign", "wilcoxon", "randomization", "paired_levene", "f"])
def test_the_direction_is_that_of_the_statistic(scores, method):
    """Oracles: counts, scipy's rank sums, means, and standard deviations."""
    table = scores["P@10"].iloc[:, :5]
    for row in irstd.pairwise_tests(table, method, trials=99).itertuples():
        d = (table[row.system_a] - table[row.system_b]).round(9)
        expected = {
            "t": d.mean(),
            "randomization": d.mean(),
            "sign": (d > 0).sum() - (d < 0).sum(),
            "wilcoxon": rank_sums(d[d != 0]),
        }
        if method in expected:
            assert row.direction == np.sign(round(expected[method], 9))
        else:
            assert row.direction == np.sign(row.difference)


def rank_sums(d):
    ranks = stats.rankdata(np.abs(d))
    return ranks[d > 0].sum() - ranks[d < 0].sum()


def test_of_errors_the_smallest_is_the_best():
    """The slowest, and the one that invents most, were bold."""
    rng = np.random.default_rng(4)
    errors = pd.DataFrame({"base": rng.uniform(0.3, 0.5, 50)})
    errors["careful"] = errors["base"] - 0.08 + rng.normal(0, 0.01, 50)
    errors["bold"] = errors["base"] + 0.08 + rng.normal(0, 0.01, 50)
    beside = pd.DataFrame({"ms": [12.0, 340, 95], "size": [1.0, 2, 3]}, index=errors.columns)
    better = {"score": "smaller", "ms": "smaller"}
    table = irstd.comparison_table(errors, "base", beside=beside, better=better)
    assert table.means.index.tolist() == ["careful", "base", "bold"]
    assert table.marks["score"].tolist() == ["↑", "", "↓"]
    text = str(table)
    assert "*12.000*" in text and "*340.000*" not in text and text.count("*") == 4
    assert "the best of score, ms is bold, of score, ms the smallest." in table.caption
    group = irstd.comparison_table(errors, None, better={"score": "smaller"})
    assert group.marks["score"].tolist() == ["†", "", ""]
    assert group.tests["score", "value"].to_dict() == pytest.approx(errors.mean().to_dict())
    plain = irstd.comparison_table(errors, "base", beside=beside)
    assert str(plain).count("*") == 2 and "the largest of score is bold" in plain.caption


@pytest.mark.parametrize(
    ("better", "message"),
    [({"AP": "less"}, "better must be one of"), ({"RR": "smaller"}, "columns of better must be")],
)
def test_what_is_better_is_asked_of_columns_that_are_there(scores, better, message):
    with pytest.raises(ValueError, match=message):
        irstd.comparison_table(scores, BASE, better=better)


def test_a_baseline_that_is_named_twice_counts_once(scores):
    once = irstd.comparison_table(scores, [BASE])
    twice = irstd.comparison_table(scores, [BASE, BASE])
    assert twice.caption == once.caption
    assert twice.tests.equals(once.tests)


def test_rows_that_others_print_stand_below_without_a_test(scores):
    names = ["GPT & co", "old"]
    printed = pd.DataFrame({"AP": [0.9, 0.1]}, names)
    table = irstd.comparison_table(scores, BASE, printed=printed)
    alone = irstd.comparison_table(scores, BASE)
    pd.testing.assert_frame_equal(table.marks, alone.marks)
    pd.testing.assert_frame_equal(table.tests, alone.tests)
    *systems, first, second = table._cells("*{}*").index
    assert [first, second] == names and systems == alone.means.index.tolist()
    assert table._cells("*{}*").loc[names].to_numpy().tolist() == [["*0.900*", "–"], ["0.100", "–"]]
    assert "Not tested, as printed elsewhere: GPT & co, old." in table.caption
    assert "GPT \\& co & \\textbf{0.900} & --" in table.to_latex()
    with pytest.warns(UserWarning, match="are they in percent"):
        irstd.comparison_table(scores, BASE, printed=100 * printed)
    for wrong, message in [
        (pd.DataFrame({"MAP": [0.1]}, ["x"]), "the columns of printed must be one of"),
        (pd.DataFrame({"AP": [0.1]}, [BASE]), f"other systems than scores, each once: {BASE}"),
    ]:
        with pytest.raises(ValueError, match=message):
            irstd.comparison_table(scores, BASE, printed=wrong)
    with pytest.raises(TypeError, match="printed must be a DataFrame"):
        irstd.comparison_table(scores, BASE, printed={"AP": 1})


def test_marks_are_daggers_if_one_asks_for_them_in_the_table_and_its_caption(scores):
    table = irstd.comparison_table(scores, BASE)
    plain = table.to_latex()
    daggers = table.to_latex(marks={"↑": r"\dagger", "↓": r"\ddagger"})
    assert daggers == plain.replace(r"\uparrow", r"\dagger").replace(r"\downarrow", r"\ddagger")
    assert daggers.count(r"$^{\dagger}$") == (table.marks == "↑").to_numpy().sum() + 1
    with pytest.raises(ValueError, match="marks must be one of"):
        table.to_latex(marks={"*": r"\ast"})


def test_percent_is_of_shares_and_the_caption_says_of_what(scores):
    latency = pd.Series(range(12, 12 + len(scores["AP"].columns)), scores["AP"].columns, name="ms")
    table = irstd.comparison_table(scores, BASE, beside=latency, better={"ms": "smaller"})
    assert "In percent, but for ms." in table.to_latex(percent=True)
    assert "12.000" in table.to_latex(percent=True)
    as_metric = pd.concat({"AP": scores["AP"], "ms": 100 * scores["P@10"]}, axis=1)
    as_metric.columns.names = ["metric", "system"]
    slow = irstd.comparison_table(as_metric, BASE, better={"ms": "smaller"})
    with pytest.raises(ValueError, match="percent=True is of scores up to 1, not of ms"):
        slow.to_latex(percent=True)
    with pytest.raises(ValueError, match="percent=True is of scores up to 1, not of ms"):
        slow.to_latex(percent=True, caption="Mine.")
    with pytest.raises(ValueError, match=f"beside must have a row for each system.*for {BASE}"):
        irstd.comparison_table(scores, BASE, beside=latency.drop(BASE))


def test_a_group_beside_printed_rows_is_of_those_tested_and_these_may_come_first(scores):
    printed = pd.DataFrame({"AP": [0.9]}, ["theirs"])
    table = irstd.comparison_table(scores, None, printed=printed)
    assert "holds the best system of those tested with 95%" in table.caption
    first = table.to_latex(first=["theirs"]).partition("midrule")[2].split("&")[0]
    assert first.strip().endswith("theirs")
