"""The table of a paper, and tests of pairs of which one lacks topics."""

import io
import sys
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

import irstd

BASE = "t8orig25c"


@pytest.fixture(scope="module")
def scores():
    several = irstd.load_dataset("sim-trec8", ["AP", "P@10"])
    return several.loc[:, (slice(None), sorted(several["AP"].columns)[::16])]


def test_comparison_table_tests_and_corrects_each_metric(scores):
    """Oracle: scipy's paired t, and Holm's correction by statsmodels."""
    table = irstd.comparison_table(scores, BASE)
    for metric in ("AP", "P@10"):
        part = scores[metric]
        others = part.columns.drop(BASE)
        p = [stats.ttest_rel(part[system], part[BASE]).pvalue for system in others]
        for system, adjusted in zip(others, multipletests(p, method="holm")[1], strict=True):
            sign = "↑" if part[system].mean() > part[BASE].mean() else "↓"
            assert table.marks.loc[system, metric] == (sign if adjusted <= 0.05 else "")
            found = table.cells.loc[(metric, system), "pvalue"]
            assert found == pytest.approx(adjusted, rel=1e-9)
    assert table.marks.loc[BASE].eq("").all()
    assert {"↑", "↓", ""} == {*table.cells["mark"]}
    assert table.means["AP"].is_monotonic_decreasing


def test_comparison_table_of_metrics_with_other_systems_and_topics(scores):
    """A system without a score in a metric, with an empty column or none, is not in its family."""
    several = scores.drop(columns=scores["AP"].columns[4:], level="system")
    baseline, short, *absent = several["AP"].columns
    several = several.drop(columns=[("P@10", absent[0])])
    several["P@10", absent[1]] = np.nan
    several.loc[several.index[:9], ("AP", short)] = np.nan
    table = irstd.comparison_table(several, baseline)
    assert "holm over 1 to 3 tests in each metric, p ≤ 0.05" in table.caption
    assert table.caption.endswith(f"the best: {short} (41); –: no score in this column.")
    latex = table.to_latex()
    assert latex.count("& -- ") == 2 and "nan" not in latex
    assert table.marks.loc[absent, "P@10"].eq("").all()


def test_comparison_table_has_no_best_mean_over_other_topics(scores):
    """Without its worst 40 topics, a copy of a system was bold, and the best with 95%."""
    part = scores.copy()
    worst = scores["AP", BASE].nsmallest(40).index
    part["AP", "copy"] = scores["AP", BASE].drop(worst)
    part["P@10", "copy"] = scores["P@10"].max(axis=1)
    for baseline in (None, BASE):
        found = irstd.comparison_table(part, baseline)
        assert found.means.idxmax().eq("copy").all()
        assert found.marks.loc["copy", "AP"] == ""
        latex = found.to_latex()
        assert "not taken for the best: copy (10)." in latex
        assert ("dagger" if baseline is None else "arrow") in latex
        best = found.cells.index[found.cells["best"]]
        assert best.tolist() == [("AP", scores["AP"].mean().idxmax()), ("P@10", "copy")]
    with pytest.raises(ValueError, match="at least 5 topics"):
        irstd.comparison_table(scores[:4], None)
    with pytest.raises(ValueError, match="two or more systems must have scores on all topics"):
        irstd.comparison_table(part["AP"][[BASE, "copy"]], None)


@pytest.mark.parametrize("method", ["t", "randomization", "wilcoxon", "levene"])
def test_pairwise_tests_use_the_topics_of_both(scores, method):
    """Oracle: the pair alone, without the topics that one of the two lacks."""
    part = scores["AP"].iloc[:, :4].copy()
    part.iloc[20:, 0] = part.iloc[:30, 1] = part.iloc[35:, 2] = part.iloc[:19, 2] = np.nan
    with pytest.warns(UserWarning, match=r"too few topics .* t8orig01a vs. t8orig05a"):
        found = irstd.pairwise_tests(part, method, missing="pairwise", trials=99)
    for row in found.itertuples():
        pair = part[[row.system_a, row.system_b]].dropna()
        assert row.topics == len(pair)
        if len(pair) < 2:
            assert row.pvalue == 1 and row.direction == 0 and np.isnan(row.difference)
        else:
            one = irstd.paired_test(*pair.T.to_numpy(), method, trials=99)
            others = 0.2 if method == "randomization" else 0  # the flips are others
            assert row.pvalue == pytest.approx(one.pvalue, rel=1e-12, abs=others)
            assert row.difference == pytest.approx(one.difference, rel=1e-12)
    with pytest.raises(ValueError, match="all systems at once"):
        irstd.pairwise_tests(part, "tukey", missing="pairwise")


def test_comparison_table_marks_a_test_that_contradicts_the_mean():
    """Better on 40 topics of 50, by the sign test, and worse in the mean."""
    rng = np.random.default_rng(1)
    base = rng.uniform(0.3, 0.5, 50)
    gain = np.r_[np.full(40, 0.02), np.full(10, -0.15)] + rng.normal(0, 0.002, 50)
    two = pd.DataFrame({"base": base, "mine": base + gain})
    table = irstd.comparison_table(two, "base", method="sign")
    assert table.tests["pvalue"].item() == pytest.approx(stats.binomtest(40, 50).pvalue)
    assert table.tests["difference"].item() < 0 < table.tests["direction"].item()
    assert table.marks.loc["mine"].item() == "≠"
    assert "≠ by mean and test on two sides of base (sign, " in table.caption


def rank_sums(d):
    ranks = stats.rankdata(np.abs(d))
    return ranks[d > 0].sum() - ranks[d < 0].sum()


DIRECTIONS = {
    "t": np.mean,
    "sign": lambda d: np.sign(d).sum(),
    "wilcoxon": lambda d: rank_sums(d[d != 0]),
}


@pytest.mark.parametrize("method", DIRECTIONS)
def test_pairwise_tests_have_the_direction_of_the_statistic(scores, method):
    """Oracles: counts, scipy's rank sums, means."""
    table = scores["P@10"].iloc[:, :5]
    for row in irstd.pairwise_tests(table, method).itertuples():
        d = (table[row.system_a] - table[row.system_b]).round(9)
        assert row.direction == np.sign(round(DIRECTIONS[method](d), 9))


def test_comparison_table_prints_its_cells(scores):
    """Text, HTML and LaTeX are written from the cells."""
    scores = scores.rename(columns={BASE: "a<b>"})
    beside = irstd.gmap(scores["AP"]).drop("a<b>")
    table = irstd.comparison_table(scores, "a<b>", beside=beside)
    page = table._repr_html_()
    assert "a&lt;b&gt;" in page
    latex = table.to_latex(digits=4, label="tab:mine", caption="Mine & ours")
    signs = {"↑": r"$^{\uparrow}$", "↓": r"$^{\downarrow}$", "": ""}
    for (metric, system), cell in table.cells.iterrows():
        assert cell["mean"] == pytest.approx(scores[metric, system].mean())
        assert cell["best"] == (system == scores[metric].mean().idxmax())
        bold = (f"{cell['mean']:.3f}", f"{cell['mean']:.4f}")
        if cell["best"]:
            bold = (f"<b>{bold[0]}</b>", rf"\textbf{{{bold[1]}}}")
        assert f"<td >{bold[0]}{cell['mark']}</td>" in page
        assert f"& {bold[1]}{signs[cell['mark']]} &" in latex
    assert "Mine \\& ours" in latex and "tab:mine" in latex
    assert r"a\textless{}b\textgreater{}" in latex
    (line,) = [line for line in str(table).splitlines() if line.startswith("a<b>")]
    assert line.endswith("–")
    assert table.caption.endswith("Not tested: gmap; –: no score in this column.")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"baseline": None, "method": "wilcoxon"}, "without a baseline"),
        ({"baseline": []}, "baseline must name at least one"),
        ({"baseline": BASE, "method": "paired_levene"}, "method must be one of 't', .*, got"),
    ],
)
def test_comparison_table_refuses_other_tests(scores, options, message):
    with pytest.raises(ValueError, match=message):
        irstd.comparison_table(scores["AP"], **options)


def test_comparison_table_warns_of_fewer_than_four_topics_on_a_collection(scores):
    ap = scores["AP"]
    with pytest.warns(UserWarning, match="'few' has systems with fewer than 4 topics"):
        irstd.comparison_table({"few": ap[:3], "many": ap[3:]}, BASE)
    with warnings.catch_warnings(action="error"):
        irstd.comparison_table({"few": ap[:4], "many": ap[4:]}, BASE)


def test_comparison_table_warns_of_a_system_without_scores(scores):
    part = scores["AP"].copy()
    part.iloc[:, 1] = np.nan
    with pytest.warns(UserWarning, match=f"without any score are left out: {part.columns[1]}$"):
        table = irstd.comparison_table(part, part.columns[0])
    assert set(table.means.index) == set(part.columns.delete(1))


@pytest.mark.parametrize(
    ("beside", "message"),
    [
        ({"size": ["7B"]}, "beside must be numeric, but column size"),
        ({"AP": [1]}, "two columns are called AP: rename"),
    ],
)
def test_comparison_table_refuses_beside(scores, beside, message):
    with pytest.raises((TypeError, ValueError), match=message):
        irstd.comparison_table(scores, BASE, beside=pd.DataFrame(beside, [BASE]))
    with pytest.raises(ValueError, match="must be indexed by system"):
        irstd.comparison_table(scores, BASE, beside=pd.DataFrame(beside, ["unknown"]))


def recall_and_latency():
    """Three systems; the most effective is the slowest."""
    random = np.random.default_rng(0).random((30, 6))
    columns = pd.MultiIndex.from_product([["R@1000", "latency (ms)"], ["old", "new", "slow"]])
    scale = np.array([1 / 9, 1 / 9, 1 / 9, 1, 1, 1])
    least = np.array([0.3, 0.5, 0.7, 13, 12, 1900])
    topics = [str(k) for k in range(30)]
    return pd.DataFrame(random * scale + least, topics, columns)


def test_comparison_table_where_smaller_is_better():
    """Oracle: the table of negative numbers, in which larger is better."""
    both = recall_and_latency()
    negative = both.copy()
    negative["latency (ms)"] *= -1
    for baseline in ("old", None):
        expected = irstd.comparison_table(negative, baseline)
        table = irstd.comparison_table(both, baseline, smaller_is_better="latency (ms)")
        pd.testing.assert_frame_equal(table.marks, expected.marks)
        assert table.cells["best"].equals(expected.cells["best"])
        assert table.means["latency (ms)"].equals(-expected.means["latency (ms)"])
        assert "best (the smallest of latency (ms)) of each tested column" in table.caption
    only = both["latency (ms)"]
    parts = {"a": only[:15], "b": only[15:]}
    table = irstd.comparison_table(parts, "old", smaller_is_better=True)
    assert table.means.index.tolist() == ["new", "old", "slow"]
    assert table.marks.loc["new"].tolist() == ["↑"] * 3
    assert "the smallest of each tested column is bold" in table.caption
    with pytest.raises(ValueError, match="smaller_is_better must be one of 'R@1000', 'latency"):
        irstd.comparison_table(both, "old", smaller_is_better=["latency"])


@pytest.mark.parametrize("metric", ["latency (ms)", "Time", "runtime", "query_cost", "errors"])
def test_comparison_table_warns_of_a_metric_named_like_a_cost(metric):
    both = recall_and_latency().rename(columns={"latency (ms)": metric})
    with pytest.warns(
        UserWarning, match="larger values count as better; if smaller is better, pass smaller_is"
    ):
        irstd.comparison_table(both, "old")
    one = both[metric]
    one.attrs["metric"] = metric
    with pytest.warns(UserWarning, match="larger values count as better"):
        irstd.leaderboard(one, epsilon=1)
    with warnings.catch_warnings(action="error"):
        irstd.comparison_table(both, "old", smaller_is_better=[metric])
        irstd.comparison_table(-both, "old")
        irstd.comparison_table(both.rename(columns={metric: "timeliness"}), "old")


def test_to_latex_has_digits_by_column():
    table = irstd.comparison_table(
        recall_and_latency(),
        "old",
        smaller_is_better="latency (ms)",
        beside=pd.DataFrame({"n": [1, 2, 3]}, ["old", "new", "slow"]),
    )
    (row,) = [
        line
        for line in table.to_latex(digits={"latency (ms)": 0, "n": 1}).splitlines()
        if line.startswith("new")
    ]
    recall, latency = table.means.loc["new"]
    assert row.split(" & ")[1].startswith(f"{recall:.3f}")
    assert f"{{{latency:.0f}}}" in row and row.endswith(r"& 2.0 \\")
    with pytest.raises(ValueError, match="digits must be one of 'R@1000', 'latency"):
        table.to_latex(digits={"latency": 0})


def test_comparison_table_has_plain_signs_on_a_console_without_arrows(monkeypatch):
    scores = irstd.load_dataset("sim-trec8").iloc[:, [3, 40, 80]]
    table = irstd.comparison_table(scores, scores.columns[1])
    text = repr(table)
    assert "≤" in text and "↓" in text
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="cp1252"))
    assert repr(table) == text.translate(str.maketrans({"↑": "^", "↓": "v", "≤": "<=", "–": "-"}))
