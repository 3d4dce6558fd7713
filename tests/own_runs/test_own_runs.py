"""What a report says of one's own runs. Oracles: scipy, statsmodels, and the tables of irstd."""

import itertools
import re

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

import irstd
from irstd import own_runs
from irstd.own_runs.reading import DUPLICATES, INCOMPLETE, JUDGED_LESS, LEFT_OUT, SCORED_ZERO, SHORT
from irstd.own_runs.summary import code, number, p_text

SIX = irstd.load_dataset("sim-trec8").iloc[:, 2:100:17]


def test_compare_runs_excludes_by_the_smallest_p_of_the_runs_above():
    found = own_runs.compare_runs(SIX)
    pairs = list(itertools.combinations(SIX.columns, 2))
    tests = {(a, b): stats.ttest_rel(SIX[a], SIX[b]).pvalue for a, b in pairs}
    holm = dict(zip(pairs, multipletests(list(tests.values()), method="holm")[1], strict=True))
    means = SIX.mean()
    assert found.chosen == means.idxmax() and found.limit == 0.05 / 5
    for run in SIX.columns.drop(found.chosen):
        row = found.runs.loc[run]
        above = [pair for pair in pairs if run in pair and means[run] == means[list(pair)].min()]
        best = min(above, key=tests.get)
        assert row["against"] == next(name for name in best if name != run)
        assert row["pvalue"] == pytest.approx(tests[best])
        assert row["holm"] == pytest.approx(holm[best])
        test = stats.ttest_rel(SIX[run], SIX[found.chosen])
        interval = test.confidence_interval(1 - 0.05 / 5)
        assert row[["low", "high"]].tolist() == pytest.approx([interval.low, interval.high])
    best = irstd.rank_intervals(SIX)["best"]
    assert list(found.runs["verdict"].cat.categories) == ["may be the best", "not the best"]
    assert (found.others["verdict"] == "may be the best").equals(best[found.others.index])


def test_compare_runs_with_a_baseline_decides_by_holm():
    base = SIX.columns[2]
    others = own_runs.compare_runs(SIX, base).others
    tests = [stats.ttest_rel(SIX[run], SIX[base]).pvalue for run in others.index]
    holm = multipletests(tests, method="holm")[1]
    assert others["holm"].to_numpy() == pytest.approx(holm)
    signs = np.where(holm <= 0.05, np.sign(SIX[others.index].mean() - SIX[base].mean()), 0)
    words = {1: "significantly better", 0: "not significantly different", -1: "significantly worse"}
    assert others["verdict"].tolist() == [words[sign] for sign in signs]
    text = own_runs.summary(own_runs.compare_runs(SIX, base), "AP")
    assert f"Best mean: {code(SIX.mean().idxmax())} (AP {SIX.mean().max():.3f})" in text
    with pytest.raises(ValueError, match="did you mean"):
        own_runs.compare_runs(SIX, base[:-1])
    with pytest.raises(ValueError, match="several metrics: choose one"):
        own_runs.compare_runs(pd.concat({"AP": SIX, "RR": SIX}, axis=1))


def differences(p, n=50):
    """Of n topics, so that a t-test of their mean gives p."""
    noise = np.random.default_rng(3).normal(size=n)
    noise = (noise - noise.mean()) / noise.std(ddof=1)
    return noise + stats.t.ppf(1 - p / 2, n - 1) / np.sqrt(n)


def narrow():
    """Three runs: the second is behind by a p that is just below the limit of .025."""
    first = pd.Series(np.random.default_rng(0).uniform(0.3, 0.6, 50))
    runs = {"a": first, "b": first - 0.1 * differences(0.024), "c": first / 9}
    return pd.DataFrame(runs).rename_axis("topic")


def test_closest_call_has_the_smallest_p_if_those_of_holm_are_1():
    names = "t8orig38c t8orig01b t8orig15b t8orig07a t8orig30a t8orig22c".split()
    found = own_runs.compare_runs(irstd.load_dataset("sim-trec8")[names])
    may_be_best = found.others[found.others["verdict"] == "may be the best"]
    assert (may_be_best["holm"] == 1).all() and len(may_be_best) == 3
    assert found.closest == may_be_best["pvalue"].idxmin()


def test_closest_call_has_the_p_and_the_limit_that_decide():
    comparison = own_runs.compare_runs(narrow())
    p = stats.ttest_rel(narrow()["a"], narrow()["b"]).pvalue
    assert comparison.closest == "b" and p == pytest.approx(0.024)
    text = own_runs.summary(comparison, "AP")
    assert "(not the best)" in text and f"p {p:.4f}, limit {0.05 / 2:.4f}" in text


def test_closest_call_is_by_holm_where_holm_alone_excludes():
    """Of three runs the p are .03 and two near 0: Holm leaves .03, which is above .05 / 2."""
    scores = narrow().assign(b=lambda runs: runs["a"] - 0.1 * differences(0.03))
    comparison = own_runs.compare_runs(scores)
    row = comparison.runs.loc["b"]
    assert row["pvalue"] == pytest.approx(0.03) and row["verdict"] == "not the best"
    assert "p 0.0300 adjusted by Holm, limit 0.0500" in own_runs.summary(comparison, "AP")


def test_runs_without_topics_in_common_have_no_verdict():
    scores = SIX.copy()
    scores.iloc[:25, 0] = scores.iloc[25:, 1] = np.nan
    with pytest.warns(UserWarning, match="too few topics in common"):
        runs = own_runs.compare_runs(scores, SIX.columns[0]).runs
    assert runs["verdict"].isna().equals(runs["difference"].isna())
    assert runs["verdict"].isna().sum() == 2


@pytest.mark.parametrize("p", [0.049, 0.051])
def test_two_runs_are_tested_at_the_whole_level(p):
    scores = narrow()[["a"]].assign(b=lambda runs: runs["a"] - 0.1 * differences(p))
    comparison = own_runs.compare_runs(scores)
    assert comparison.limit == 0.05 and comparison.others["pvalue"].item() == pytest.approx(p)
    text = own_runs.summary(comparison, "AP")
    assert ("No single winner: 2 of 2 compared runs" in text) == (p > 0.05)
    assert ("is the best of 2 compared runs" in text) == (p < 0.05)


@pytest.mark.parametrize("position", [None, 39])
def test_comparison_rows_have_the_first_15_others_and_the_baseline(position):
    scores = irstd.load_dataset("sim-trec8").iloc[:, :40]
    baseline = position and scores.mean().sort_values().index[-position]
    comparison = own_runs.compare_runs(scores, baseline)
    rows = own_runs.comparison_rows(comparison)
    assert len(rows) == 16 and comparison.chosen in rows.index
    assert "the first 15 of 39 others" in own_runs.summary(comparison, "AP")
    row = comparison.runs.iloc[1]
    assert rows.loc[row.name, "p, Holm (limit 0.05)"] == p_text(row["holm"])
    difference = rows.loc[row.name, f"minus {comparison.chosen}"]
    assert difference == f"{row['difference']:.3f}"
    assert rows.loc[row.name, "95% interval, corrected"] == f"[{row['low']:.3f}, {row['high']:.3f}]"
    assert "others" not in own_runs.summary(own_runs.compare_runs(scores.iloc[:, :16]), "AP")


@pytest.mark.parametrize("seed", range(5))
def test_headline_counts_the_confidence_set_for_the_best(seed):
    scores = irstd.load_dataset("sim-trec8").sample(3 + 3 * seed, axis=1, random_state=seed)
    n_best = irstd.rank_intervals(scores)["best"].sum()
    text = own_runs.summary(own_runs.compare_runs(scores), "AP")
    means = scores.mean().sort_values(ascending=False)
    assert f"{code(means.index[0])} (AP {means.iloc[0]:.3f})" in text
    second = f"{code(means.index[1])} (AP {means.iloc[1]:.3f})"
    assert (f"next is {second}" in text) == (n_best == 1)
    is_one_of_many = (
        f"No single winner: {n_best} of {len(means)} compared runs may be the best" in text
    )
    assert is_one_of_many == (n_best > 1)
    assert ("is the best of" in text) == (n_best == 1)


def test_duplicate_is_named_once_and_not_compared():
    scores = SIX.assign(again=SIX.iloc[:, 2], gappy=SIX.iloc[:, 3])
    scores.loc[scores.index[:5], "gappy"] = np.nan
    own = own_runs.read(scores.assign(gappy_again=scores["gappy"]))
    assert own.checks[DUPLICATES] == [
        f"again (same as {SIX.columns[2]})",
        "gappy_again (same as gappy)",
    ]
    assert own.checks[INCOMPLETE] == ["gappy (45 of 50 topics)"]
    assert own_runs.compare_runs(own.main).limit == 0.05 / 5
    scores.loc[scores.index[7], "again"] += 0.001
    assert own_runs.read(scores).checks[DUPLICATES] == []


def test_over_collections_the_comparison_table_decides():
    scores = irstd.load_dataset("sim-robust2004-all").iloc[:, ::25]
    parts = {"old": scores[:100], "new": scores[100:]}
    base = scores.columns[1]
    found = own_runs.compare_runs(parts, base)
    pvalues = irstd.comparison_table(parts, base).cells.loc["mean"]["pvalue"]
    assert found.others["holm"].tolist() == pvalues[found.others.index].tolist()
    assert f"on {len(scores)} topics of 2 collections" in own_runs.summary(found, "AP")
    in_group = irstd.comparison_table(parts, None).marks["mean"] == "†"
    group = own_runs.compare_runs(parts)
    may_be_best = group.others["verdict"] == "may be the best"
    assert may_be_best.to_dict() == in_group.drop(group.chosen).to_dict()
    parts["new"] = parts["new"].astype(float)
    parts["new"].iloc[0, 1] = np.nan
    assert base not in own_runs.compare_runs(parts).runs.index


def test_seeds_have_the_interval_of_all_tests_of_the_table():
    scores = irstd.load_dataset("sim-robust2004-all").iloc[:, :100:25]
    scores.columns = ["mine-s1", "mine-s2", "base-s1", "base-s2"]
    parts = {"old": scores[:100], "new": scores[100:]}
    seeds = r"(?P<system>.*)-s(?P<seed>\d)"
    row = own_runs.compare_runs(parts, "base", seeds=seeds).runs.loc["mine"]
    tests = irstd.comparison_table(parts, "base", seeds=seeds).tests
    test = tests[tests["column"] == "mean"].iloc[0]
    assert row["holm"] == test["adjusted_pvalue"]
    half = stats.t.ppf(1 - 0.025 / 3, test["df"]) / stats.t.ppf(0.975, test["df"])
    half_width = half * (test["high"] - test["difference"])
    assert row["high"] - row["difference"] == pytest.approx(half_width)


@pytest.mark.parametrize(("n_runs", "n_topics"), [(1, 50), (3, 4), (2, 5)])
def test_tests_need_two_runs_and_five_topics(n_runs, n_topics):
    found = own_runs.compare_runs(SIX.iloc[:n_topics, :n_runs])
    text = own_runs.summary(found, "AP")
    assert found.others.empty == (n_runs == 1 or n_topics == 4)
    assert ("Nothing to compare" in text) == (n_runs == 1)
    assert ("Tests need 5 topics, not 4" in text) == (n_topics == 4)


def run_of(*documents):
    return {document: float(-rank) for rank, document in enumerate(documents)}


def test_missing_topics_short_and_tied_runs_are_named():
    """Oracle of the difference on common topics: scipy."""
    topics = [f"t{n}" for n in range(8)]
    rng = np.random.default_rng(1)
    whole = {t: run_of(*rng.permutation(["a", "b", "c", "d"])) for t in topics}
    runs = {"whole": whole, "cut": {t: run_of("b", "a", "c", "d") for t in topics[:5]}}
    runs["other"] = {t: run_of("c", "b", "a", "d") for t in topics}
    runs["short"] = {t: run_of(*rng.permutation(["a", "b"])[:1]) for t in topics}
    runs["tied"] = {t: dict.fromkeys("abcd", 1.0) for t in topics}
    qrels = {t: {"a": 1, "b": 0, "c": 0, "d": 0} for t in topics} | {"x": {"a": 0}}
    own = own_runs.read(runs, qrels)
    assert own.checks[INCOMPLETE] == ["cut (5 of 8 topics)"] and own.checks[SHORT] == ["short"]
    remarks = own.missing["which"].tolist()
    assert "tied" in remarks and "topic x" in remarks
    assert "cut" not in own.main and own.incomplete.columns.unique("system").tolist() == ["cut"]
    row = own_runs.incomplete_runs(own, "whole").loc["cut"]
    test = stats.ttest_rel(own.incomplete["AP", "cut"].dropna(), own.main["whole"][topics[:5]])
    interval = test.confidence_interval()
    assert row["topics"] == 5
    assert row[["low", "high"]].tolist() == pytest.approx([interval.low, interval.high])
    comparison = own_runs.compare_runs(own.main)
    text = own_runs.summary(comparison, "AP", own)
    lag = (own.main[comparison.chosen] - own.incomplete["AP", "cut"]).mean()
    side = "behind" if lag > 0 else "ahead of"
    lead = f"{abs(lag):.3f} {side} {code(comparison.chosen)} on these"
    assert f"<code>cut</code> (5 of 8 topics; {lead})" in text
    assert "<code>short</code>" in text and "<code>tied</code>" in text
    assert "No scores are missing" not in text

    zero = own_runs.read(runs, qrels, missing="zero")
    assert zero.incomplete.empty and zero.checks[SCORED_ZERO] == ["cut (5 of 8 topics)"]
    assert zero.main["cut"].sum() == own.incomplete["AP", "cut"].sum()
    two = own_runs.read({"cut": runs["cut"], "whole": whole}, qrels)
    assert len(two.main) == 5 and two.checks[LEFT_OUT] == topics[5:]


def test_run_with_fewer_judged_documents_is_named():
    qrels = {topic: {f"d{k}": k % 2 for k in range(10)} for topic in "ab"}
    known = {topic: {f"d{k}": 10 - k for k in range(10)} for topic in "ab"}
    unknown = {topic: {f"{'d' if k < 5 else 'x'}{k}": 10 - k for k in range(10)} for topic in "ab"}
    own = own_runs.read({"known": known, "unknown": unknown}, qrels)
    assert own.missing["which"].to_dict() == {JUDGED_LESS: "unknown"}


def test_gaps_of_a_table_score_zero_if_asked():
    run = SIX.columns[0]
    scores = SIX.copy()
    scores.loc[scores.index[:5], run] = np.nan
    own = own_runs.read(scores, missing="zero")
    assert own.checks[SCORED_ZERO] == [f"{run} (45 of 50 topics)"]
    assert own.main[run].mean() == pytest.approx(SIX[run][5:].sum() / 50)


def test_metrics_are_a_list():
    """Of a text each letter would be a metric."""
    with pytest.raises(TypeError, match="must be a list"):
        own_runs.read(SIX, metrics="AP")


def test_errors_are_compared_by_their_negative():
    errors = pd.concat({"error": 1 - SIX, "AP": SIX}, axis=1, names=["metric", "system"])
    own = own_runs.read(errors, None, ["error"], smaller_is_better=["error"])
    assert own.metric == "negative error" and own.missing.empty
    board = own_runs.leaderboard(own, errors)
    assert board.index[0] == SIX.mean().idxmax() and "gmap" not in board
    assert (
        "larger values count as better"
        in own_runs.read(errors, None, ["error"]).missing.to_string()
    )
    with pytest.raises(ValueError, match="smaller_is_better must be"):
        own_runs.read(errors, None, ["error"], smaller_is_better=["latency"])
    with pytest.raises(ValueError, match="the first of the metrics must be"):
        own_runs.read(errors, None, ["RR"])


def test_leaderboard_is_that_of_irstd():
    own = own_runs.read(SIX, None, ["AP"])
    board = own_runs.leaderboard(own)
    assert "standardized" not in board  # by six runs
    assert board["mean"].tolist() == pytest.approx(irstd.leaderboard(SIX)["mean"].tolist())
    ranks = irstd.rank_intervals(SIX).loc[board.index]
    assert board["rank_high"].tolist() == ranks["high"].tolist()
    by_others = own_runs.leaderboard(own, irstd.load_dataset("sim-trec8"))
    expected = irstd.standardize(SIX, irstd.load_dataset("sim-trec8")).mean()
    assert by_others["standardized"].to_dict() == pytest.approx(expected.to_dict())


def test_only_a_close_call_is_named():
    assert "Closest call" in own_runs.summary(own_runs.compare_runs(narrow()), "AP")
    apart = narrow()[["a"]].assign(b=lambda runs: runs["a"] - 1 - 0.01 * differences(0.5))
    assert "Closest call" not in own_runs.summary(own_runs.compare_runs(apart), "AP")


def test_all_that_may_be_best_are_named():
    """Of three means that print alike the second is excluded."""
    scores = narrow()[["a"]].assign(
        b=lambda runs: runs["a"] - 1e-5, d=lambda runs: runs["a"] - 2e-5 + 1e-3 * differences(1)
    )
    comparison = own_runs.compare_runs(scores)
    assert comparison.runs["verdict"].tolist()[1:] == ["not the best", "may be the best"]
    assert comparison.runs["mean"].map(number).nunique() == 1
    text = own_runs.summary(comparison, "AP")
    mean = f"(AP {scores['a'].mean():.3f})"
    assert f": {code('a')} {mean}, {code('d')} {mean}.**" in text


def test_estimate_and_limits_differ_as_printed():
    scores = narrow()[["a"]].assign(b=lambda runs: runs["a"] - 2e-4 * differences(0.01))
    rows = own_runs.comparison_rows(own_runs.compare_runs(scores))
    low, high = rows.loc["b", "95% interval, corrected"].strip("[]").split(", ")
    assert float(low) < float(rows.loc["b", "minus a"]) < float(high) < 0


def test_numbers_have_no_negative_zero_and_ps_differ_from_their_limit():
    assert [number(x) for x in (-0.0002, 0.0, -0.0, -0.0696, -4e-5)] == [
        "-0.0002", "0.000", "0.000", "-0.070", "-0.00004",
    ]  # fmt: skip
    assert [p_text(p) for p in (0.0096, 0.01, 0.00042, 0.00039, 0.5)] == [
        "0.00960", "0.0100", "0.00042", "0.00039", "0.5000",
    ]  # fmt: skip
    assert p_text(1e-9) == "<\u00a00.00001"


def test_names_are_texts_in_sentences():
    tag = "<img/src=x/onerror=alert(1)>$a_b$&*"
    scores = SIX.iloc[:, :3].rename(columns={SIX.columns[0]: tag})
    said = own_runs.summary(own_runs.compare_runs(scores), "AP")
    assert not re.search(r"[$*]a|<img", said.replace("**", ""))
