"""What a report says of one's own runs. Oracles: scipy, statsmodels, and the tables of irstd."""

import itertools
import re

import numpy as np
import pandas as pd
import pytest
from campaigns import campaign
from scipy import stats
from statsmodels.stats.multitest import multipletests

import irstd
from irstd import own_runs
from irstd.own_runs.reading import (
    DUPLICATES,
    INCOMPLETE,
    LEFT_OUT,
    SHORT,
    TIED,
    TIED_TOPICS,
    UNRELATED,
)
from irstd.own_runs.summary import code, number, p_text

SIX = irstd.load_dataset("sim-trec8").iloc[:, 2:100:17]


def test_a_run_is_out_by_the_smallest_p_of_the_runs_above_it():
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
    assert found.others["verdict"].eq(0).to_dict() == best.drop(found.chosen).to_dict()


def test_with_a_baseline_holm_decides():
    base = SIX.columns[2]
    found = own_runs.compare_runs(SIX, base)
    others = found.others.index
    tests = [stats.ttest_rel(SIX[run], SIX[base]).pvalue for run in others]
    holm = multipletests(tests, method="holm")[1]
    assert found.others["holm"].to_numpy() == pytest.approx(holm)
    signs = np.sign(SIX[others].mean() - SIX[base].mean())
    assert found.others["verdict"].tolist() == np.where(holm <= 0.05, signs, 0).tolist()


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


def test_the_nearest_is_the_one_with_the_smallest_p_where_holm_s_are_all_1():
    """Six runs of which three may be the best, too: their p are .59, .74 and .82."""
    names = "t8orig38c t8orig01b t8orig15b t8orig07a t8orig30a t8orig22c".split()
    scores = irstd.load_dataset("sim-trec8")[names]
    found = own_runs.compare_runs(scores)
    may_be_best = found.others[found.others["verdict"] == 0]
    assert (may_be_best["holm"] == 1).all() and len(may_be_best) == 3
    assert found.closest == may_be_best["pvalue"].idxmin()


def test_closest_call_has_the_p_and_the_limit_that_decide():
    comparison = own_runs.compare_runs(narrow())
    p = stats.ttest_rel(narrow()["a"], narrow()["b"]).pvalue
    assert comparison.closest == "b" and p == pytest.approx(0.024)
    text = own_runs.summary(comparison, "AP")
    assert "(excluded)" in text and f"p {p:.4f}, limit {0.05 / 2:.4f}" in text


def test_closest_call_is_by_holm_where_holm_alone_excludes():
    """Of three runs the p are .03 and two near 0: Holm leaves .03, which is above .05 / 2."""
    scores = narrow().assign(b=lambda runs: runs["a"] - 0.1 * differences(0.03))
    comparison = own_runs.compare_runs(scores)
    row = comparison.runs.loc["b"]
    assert row["pvalue"] == pytest.approx(0.03) and row["verdict"] == -1
    assert "p 0.0300 adjusted by Holm, limit 0.0500" in own_runs.summary(comparison, "AP")


def test_baseline_that_leads_had_to_be_named_beforehand():
    scores = narrow()[["a", "c"]]
    assert "beforehand" in own_runs.summary(own_runs.compare_runs(scores, "a"), "AP")
    assert "beforehand" not in own_runs.summary(own_runs.compare_runs(scores, "c"), "AP")


@pytest.mark.parametrize("seed", range(5))
def test_headline_counts_the_confidence_set_for_the_best(seed):
    scores = irstd.load_dataset("sim-trec8").sample(3 + 3 * seed, axis=1, random_state=seed)
    n_best = irstd.rank_intervals(scores)["best"].sum()
    text = own_runs.summary(own_runs.compare_runs(scores), "AP")
    means = scores.mean().sort_values(ascending=False)
    assert f"{code(means.index[0])} (AP {means.iloc[0]:.3f})" in text
    assert f"{means.iloc[0] - means.iloc[1]:.3f} before {code(means.index[1])}" in text
    is_one_of_many = f"No single winner: {n_best} of {len(means)} runs may be the best" in text
    assert is_one_of_many == (n_best > 1)
    assert ("is the best of" in text) == (n_best == 1)


def test_means_that_print_alike_are_named_together():
    """The same run with other decimals was bold alone."""
    scores = SIX.iloc[:, :2].assign(near=lambda runs: runs.iloc[:, 0] + 1e-6)
    text = own_runs.summary(own_runs.compare_runs(scores), "AP")
    assert f"{code('near')}, {code(SIX.columns[0])} (AP {scores['near'].mean():.3f}) are" in text


def test_verdict_has_one_place_among_the_verdicts_whichever_there_are():
    some = own_runs.compare_runs(narrow()[["a", "c"]]).verdicts
    more = own_runs.compare_runs(SIX).verdicts
    assert list(some.cat.categories) == list(more.cat.categories) and some.nunique() == 1


def test_duplicate_is_named_and_not_compared():
    scores = SIX.assign(again=SIX.iloc[:, 2], gappy=SIX.iloc[:, 3])
    scores.loc[scores.index[:5], "gappy"] = np.nan
    own = own_runs.read(scores)
    names = [f"again (of {SIX.columns[2]})", f"gappy (of {SIX.columns[3]})"]
    assert own.checks[DUPLICATES] == names
    assert own_runs.compare_runs(own.main).limit == 0.05 / 5
    scores.loc[scores.index[7], ["again", "gappy"]] += 0.001
    own = own_runs.read(scores)
    assert own.checks[DUPLICATES] == []
    assert own.incomplete.columns.unique("system").tolist() == ["gappy"]


def test_a_baseline_is_one_of_the_runs():
    runs = SIX.iloc[:, :3].set_axis(["beta-s1", "beta-s2", "bm25"], axis=1)
    with pytest.raises(ValueError, match="did you mean 'bm25'"):
        own_runs.compare_runs(runs, "bm52")


def test_over_collections_and_seeds_the_table_decides():
    scores = irstd.load_dataset("sim-robust2004-all").iloc[:, ::25]
    parts = {"old": scores[:100], "new": scores[100:]}
    base = scores.columns[1]
    table = irstd.comparison_table(parts, base)
    found = own_runs.compare_runs(parts, base)
    pvalues = table.cells.loc["mean"]["pvalue"][found.others.index]
    assert found.others["holm"].tolist() == pvalues.tolist()
    assert (found.n_topics, found.n_collections) == (len(scores), 2)
    assert f"on {len(scores)} topics of 2 collections" in own_runs.summary(found, "AP")
    in_group = irstd.comparison_table(parts, None).marks["mean"] == "†"
    group = own_runs.compare_runs(parts)
    assert group.others["verdict"].eq(0).to_dict() == in_group.drop(group.chosen).to_dict()

    names = ["mine-s1", "mine-s2", "base-s1", "base-s2"]
    seeds = {name: part.iloc[:, :4].set_axis(names, axis=1) for name, part in parts.items()}
    pattern = r"(?P<system>.*)-s(?P<seed>\d)"
    found = own_runs.compare_runs(seeds, "base", seeds=pattern)
    table = irstd.comparison_table(seeds, "base", seeds=pattern)
    (test,) = (test for _, test in table.tests.iterrows() if test["column"] == "mean")
    row = found.runs.loc["mine"]
    assert row["holm"] == test["adjusted_pvalue"]
    half = stats.t.ppf(1 - 0.025 / 3, test["df"]) / stats.t.ppf(0.975, test["df"])
    assert row["high"] - row["difference"] == pytest.approx(
        half * (test["high"] - test["difference"])
    )
    assert "nan" not in own_runs.summary(found, "AP")


@pytest.mark.parametrize("scores", [SIX.iloc[:, :1], SIX.iloc[:2]])
def test_of_one_run_or_two_topics_nothing_is_compared(scores):
    found = own_runs.compare_runs(scores)
    assert found.others.empty
    said = own_runs.summary(found, "AP")
    assert ("There is one run" in said) == (scores.shape[1] == 1)
    assert ("takes three topics or more, not 2" in said) == (len(scores) == 2)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:evaluate")
def test_what_is_missing_is_found():
    collection = campaign()["sim-trec8"]
    first, second, third, *_ = names = list(collection.systems.index[:5])
    runs = {name: collection.run(name) for name in names}
    topics = runs[first]["query_id"].unique()
    runs[first] = runs[first][runs[first]["query_id"].isin(topics[:20])]
    runs["again"] = runs[second]
    runs["tied"] = runs[third].assign(score=1.0)
    runs["short"] = runs[third].groupby("query_id").head(10)
    qrels = collection.qrels()
    extra = pd.DataFrame({"query_id": ["x"], "doc_id": ["d"], "relevance": [0]})
    own = own_runs.read(runs, pd.concat([qrels, extra]), ["AP", "P@10"])
    assert own.checks[INCOMPLETE] == [f"{first} (20 of 50)"]
    assert own.checks[DUPLICATES] == [f"again (of {second})"]
    assert own.checks[TIED] == ["tied"]
    assert "short" in own.checks[SHORT]
    assert own.checks[UNRELATED] == ["x"]
    assert first not in own.main and own.incomplete.columns.unique("system").tolist() == [first]
    assert own.missing.loc[DUPLICATES, "how many"] == 1
    row = own_runs.incomplete_runs(own, second).loc[first]
    test = stats.ttest_rel(own.incomplete["AP", first].dropna(), own.main[second][topics[:20]])
    interval = test.confidence_interval()
    assert row["topics"] == 20
    assert row[["low", "high"]].tolist() == pytest.approx([interval.low, interval.high])

    zero = own_runs.read(runs, qrels, ["AP"], missing="zero")
    assert zero.incomplete.empty
    assert zero.main[first].sum() == pytest.approx(own.incomplete["AP", first].sum())

    two = own_runs.read({first: runs[first], second: runs[second]}, qrels, ["AP"])
    assert len(two.main) == 20 and len(two.checks[LEFT_OUT]) == 30


def test_the_judgments_that_know_fewer_documents_of_a_run():
    qrels = {topic: {f"d{k}": k % 2 for k in range(10)} for topic in "ab"}
    known = {topic: {f"d{k}": 10 - k for k in range(10)} for topic in "ab"}
    unknown = {topic: {f"{'d' if k < 5 else 'x'}{k}": 10 - k for k in range(10)} for topic in "ab"}
    own = own_runs.read({"known": known, "unknown": unknown}, qrels)
    assert own.missing["which"].tolist() == ["unknown"]
    found = own_runs.compare_runs(own.main)
    assert own_runs.comparison_rows(own, found)["judged less"].to_dict() == {
        "known": "",
        "unknown": "yes",
    }


def test_metrics_are_a_list():
    """Of a text each letter would be a metric."""
    with pytest.raises(TypeError, match="must be lists"):
        own_runs.read(SIX, metrics="AP")


def test_errors_are_compared_by_their_negative():
    errors = pd.concat({"error": 1 - SIX, "AP": SIX}, axis=1, names=["metric", "system"])
    own = own_runs.read(errors, None, ["error"], smaller_is_better=["error"])
    assert own.metric == "minus error"
    pd.testing.assert_frame_equal(own.read_reference(errors), own.main)
    with pytest.raises(ValueError, match="smaller_is_better must be"):
        own_runs.read(errors, None, ["error"], smaller_is_better=["latency"])
    with pytest.raises(ValueError, match="the first of the metrics must be"):
        own_runs.read(errors, None, ["RR"])


def test_a_second_collection_needs_two_runs_of_the_same_names():
    own = own_runs.read(SIX, None, ["AP"])
    assert own.metric == "AP"
    both = own.with_other(SIX.iloc[:, 1:])
    assert list(both) == ["here", "there"] and both["there"].shape[1] == 5
    with pytest.warns(UserWarning, match="1 of the runs is on it"):
        assert own.with_other(SIX.iloc[:, :1]) == {}
    assert own.with_other(None) == {}


def test_tables_are_those_of_irstd():
    own = own_runs.read(SIX, None, ["AP"])
    board = own_runs.leaderboard(own)
    assert "standardized" not in board  # by six runs
    assert board["mean"].tolist() == irstd.leaderboard(SIX)["mean"].tolist()
    ranks = irstd.rank_intervals(SIX).loc[board.index]
    assert board["rank_high"].tolist() == ranks["high"].tolist()
    by_others = own_runs.leaderboard(own, irstd.load_dataset("sim-trec8"))
    expected = irstd.standardize(SIX, irstd.load_dataset("sim-trec8")).mean()
    assert by_others["standardized"].to_dict() == pytest.approx(expected.to_dict())
    hard = own_runs.hard_topics(own)
    assert hard.index.tolist() == SIX.mean(axis=1).sort_values(kind="stable").index[:10].tolist()
    topic = hard.index[0]
    assert hard.loc[topic, "best run"] == SIX.loc[topic].idxmax()
    assert TIED_TOPICS in own.checks


def test_no_zero_has_a_sign_and_ps_are_told_apart_from_their_limit():
    assert [number(x) for x in (-0.0002, 0.0002, 0.0, -0.0, -0.0696, np.nan)] == [
        "-0.0002", "0.0002", "0.000", "0.000", "-0.070", "",
    ]  # fmt: skip
    assert [p_text(p) for p in (0.0096, 0.01, 0.00042, 0.00039, 0.5)] == [
        "0.0096", "0.0100", "0.00042", "0.00039", "0.5000",
    ]  # fmt: skip
    assert p_text(1e-9) == "<\u00a0.00001"
    shown = own_runs.formatted(pd.DataFrame({"x_y": [-0.0004, 0.25], "n": [1, 2], "no": np.nan}))
    assert shown.to_dict("list") == {"x y": ["-0.0004", "0.250"], "n": [1, 2]}


def test_names_are_texts_in_sentences():
    tag = "<img/src=x/onerror=alert(1)>$a_b$&*"
    scores = SIX.iloc[:, :3].rename(columns={SIX.columns[0]: tag})
    said = own_runs.summary(own_runs.compare_runs(scores), "AP")
    assert not re.search(r"[$*]a|<img", said.replace("**", ""))
