"""Lesson 04: the numbers of its table and of its cells, by numpy and scipy alone."""

import re
from functools import partial

import how_far
import numpy as np
import pandas as pd
import pytest
from how_far import LEDGER, shown, source_of
from numpy.testing import assert_allclose
from of_campaigns import best_scores
from public.lesson_04 import equal_pairs, p_values
from scipy import stats

import irstd

in_the_table = partial(how_far.in_the_table, "04")


def printed(name):
    """The numbers that a cell prints."""
    return [float(x) for x in re.findall(r"-?\d+\.\d*|(?<=\()\d+", shown("04", name))]


def the_pair():
    scores = irstd.load_dataset("sim-robust2004-all")
    return scores["late03g"], scores["late04g"]


def test_f_and_levenes_test_are_scipys():
    a, b = the_pair()
    ratio = np.var(a, ddof=1) / np.var(b, ddof=1)
    tails = stats.f(len(a) - 1, len(b) - 1)
    p = 2 * min(tails.cdf(ratio), tails.sf(ratio))
    assert_allclose(irstd.f_test(a, b), [ratio, p])
    assert printed("f-by-hand") == [round(ratio, 2), round(p, 3)]
    statistics = [stats.levene(a, b, center=by).statistic for by in ("mean", "median")]
    rows = re.findall(r"(?m)^W\d+ +\[(.*)\]$", shown("04", "levene-three-ways"))
    for row, statistic in zip(rows, statistics, strict=True):
        assert [float(w) for w in row.split(",")] == [round(statistic, 2)] * 3


def test_the_pair_has_one_mean_and_serves_different_users():
    variable, steady = the_pair()
    assert abs(variable.mean() - steady.mean()) < 0.002
    assert in_the_table("sds of two", 0) == [round(steady.std(), 2), round(variable.std(), 2)]
    for threshold, ahead in {0.1: steady, 0.5: variable}.items():
        shares = [(system > threshold).mean() for system in (steady, variable)]
        assert max(shares) == (ahead > threshold).mean()


def test_the_pair_of_table_1_on_public_scores():
    """Of the ledger's values, see by_hand.py."""
    sds = [float(LEDGER[f"hcmv10-t1-sd-{which}"]) for which in ("low", "high")]
    assert np.round(sds, 2).tolist() == in_the_table("sds of two", 1)


def by_scipy(scores, in_z):
    """Ties, and the shares of these that F and W50 break: with numpy and scipy alone."""
    x = scores[scores.mean().nlargest(int(0.75 * scores.shape[1])).index].to_numpy()
    if in_z:
        x = (x - x.mean(axis=1, keepdims=True)) / x.std(axis=1, ddof=1, keepdims=True)
    a, b = (x[:, side] for side in np.triu_indices(x.shape[1], 1))
    same = (a == b).all(axis=0)
    a, b = a[:, ~same], b[:, ~same]
    tied = stats.ttest_rel(a, b).pvalue > 0.05
    a, b = a[:, tied], b[:, tied]
    ratio = a.var(axis=0, ddof=1) / b.var(axis=0, ddof=1)
    tails = stats.f(len(x) - 1, len(x) - 1)
    f = 2 * np.minimum(tails.cdf(ratio), tails.sf(ratio)) <= 0.05
    levene = stats.levene(a, b, center="median", axis=0).pvalue <= 0.05
    return {"ties": tied.sum() + same.sum(), "f": f.sum(), "levene_median": levene.sum()}


def ties_of(scores, column):
    """Table 2 by irstd and by scipy, and as the lesson's own table has it."""
    for place, method in enumerate([None, "z"]):
        counts = irstd.break_ties(scores, method=method)
        found = by_scipy(scores, in_z=method == "z")
        assert counts[list(found)].to_dict() == found
        shares = {"ties, raw": counts["ties"] / counts["pairs"]}
        shares["ties that Levene"] = counts["levene_median"] / counts["ties"]
        shares["ties that the F"] = counts["f"] / counts["ties"]
        for row, share in shares.items():
            assert in_the_table(row, column)[place] == round(share, 2), row
        yield counts


def test_ties_and_broken_ties_are_those_of_break_ties():
    raw, in_z = ties_of(irstd.load_dataset("sim-robust2004-all"), 0)
    counts = re.findall(r"\d+", shown("04", "ties-by-hand"))
    assert [int(n) for n in counts] == raw[["pairs", "ties", "levene_median"]].tolist()
    paired = [round(x["paired_levene"] / x["ties"], 2) for x in (raw, in_z)]
    assert printed("paired-ties")[-2:] == paired


@pytest.mark.filterwarnings("ignore:.*same score")
def test_ties_and_broken_ties_on_public_scores(trec_data):
    raw, in_z = ties_of(irstd.load_dataset("robust2004"), 1)
    assert (raw["ties"], in_z["ties"]) == (997, 857)  # as printed


def rate_of_errors(scores, sizes, trials=60):
    """Figure 6 in numpy: pairs that differ by W50 on all topics, two sets without a common one."""
    x = scores[scores.mean().nlargest(82).index].to_numpy()
    x = (x - x.mean(axis=1, keepdims=True)) / x.std(axis=1, ddof=1, keepdims=True)
    i, j = np.triu_indices(82, 1)
    with np.errstate(invalid="ignore"):  # of a system and its copy
        differ = stats.levene(x[:, i], x[:, j], center="median", axis=0).pvalue <= 0.05
    i, j = i[differ], j[differ]
    rng = np.random.default_rng(3)
    for size in sizes:
        swaps = []
        for _ in range(trials):
            order = rng.permutation(len(x))
            sds = [x[topics].std(axis=0) for topics in (order[:size], order[size : 2 * size])]
            d = [sd[i] - sd[j] for sd in sds]
            swaps.append(d[0] * d[1] < 0)
        yield np.mean(swaps)


def test_the_error_rate_is_that_of_swap_rate():
    found = list(rate_of_errors(irstd.load_dataset("sim-robust2004-all"), (50, 70, 80, 90)))
    assert_allclose(printed("rates"), found, atol=0.015)
    assert in_the_table("error rate", 0) == np.round(printed("rates")[2:], 2).tolist()
    assert printed("swap-by-hand") == printed("swap-called")


def test_the_error_rate_on_public_scores(trec_data):
    found = list(rate_of_errors(irstd.load_dataset("robust2004"), (80, 90), trials=400))
    assert_allclose(found, in_the_table("error rate", 1), atol=0.0065)


def test_the_semicircle_bounds_all_systems():
    for metric in ("AP", "RR"):
        scores = irstd.load_dataset("sim-robust2004-all", metric)
        mean = scores.mean()
        assert ((mean - 0.5) ** 2 + scores.var(ddof=0) <= 0.25).all()
        trend = mean.corr(scores.std())
        assert (trend > 0) == (metric == "AP")


def test_levenes_test_hardly_ever_rejects_where_nothing_differs():
    """By other pairs than those of the lesson."""
    rates = (p_values(*equal_pairs(best_scores(0), seed=1)) <= 0.05).mean()
    assert_allclose(printed("coin-pairs")[1:], rates[["Levene", "paired Levene"]], atol=0.015)


def test_the_pairs_of_exercise_2_were_changed_where_its_answer_says_so():
    marked = source_of("04", "question-2-pairs")
    was_changed = []

    def changed(rng):
        was_changed.append(rng.random() < 0.5)
        return was_changed[-1]

    given = {"irstd": irstd, "np": np, "pd": pd, "changed": changed}
    exec(marked.replace("if rng.random() < 0.5:", "if changed(rng):"), given)
    expected = {row["value"] for row in irstd.exercises.exercises()["04.2"]["name"]}
    of_letter = zip(given["unseen"], was_changed, strict=True)
    assert {letter for letter, yes in of_letter if yes} == expected
    for letter, pair in given["unseen"].items():
        x, y = pair["first"], pair["second"]
        unpaired = [irstd.levene_test(x, y, center=center)[1] for center in ("mean", "median")]
        assert min(*unpaired, irstd.f_test(x, y)[1]) > 0.05, "independent samples show nothing"
        paired = irstd.paired_levene_test(x, y)[1]
        assert (paired <= 0.02) == (letter in expected)
        assert (paired > 0.1) == (letter not in expected)
