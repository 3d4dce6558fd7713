"""Lesson 08: the numbers it prints, and the page that says how far they hold."""

import re
from functools import partial

import how_far
import numpy as np
import of_judges
import pandas as pd
import pytest
from campaigns import campaign
from how_far import last_table, page_of, public, shown, table_below, text_of
from numpy.testing import assert_allclose
from public.lesson_08 import suspicions
from scipy import stats

import irstd

in_the_table = partial(how_far.in_the_table, "08")

# Said of a few of the hundreds of samples, and of the hundreds of topics, that are drawn.
pytestmark = pytest.mark.filterwarnings("ignore:the judge")
KINDS = ("documents", "exams")
YEARS = (2019, 2020, 2021)
FRIENDS = "friends found above the curve"


def two_judges():
    """The grades of the documentation of pandas, and AP of the engines that work, by both."""
    collection = irstd.documentation_campaign()["docs-pandas"]
    engines = collection.systems.query("works == 'yes'").index
    runs = {engine: collection.run(engine) for engine in engines}
    grades = [collection.qrels(judge) for judge in ("first", "second")]
    return grades, [irstd.evaluate(runs, judge, "AP") for judge in grades]


@pytest.mark.filterwarnings("ignore:evaluate")
def test_the_two_judges_agree_as_the_text_says():
    (first, second), (by_first, by_second) = two_judges()
    a, b = first["relevance"], second["relevance"]
    same = (a == b).mean()
    chance = sum((a == grade).mean() * (b == grade).mean() for grade in range(3))
    found = [same, (same - chance) / (1 - chance)]
    found.append(((a > 0) & (b > 0)).sum() / ((a > 0) | (b > 0)).sum())
    for printed in (f"{found[0]:.3f} of the documents the same grade", f"Kappa is {found[1]:.3f}"):
        assert printed in text_of("08")
    assert "both do so for 0.82" in text_of("08")
    assert np.round(found, 2).tolist() == [0.97, 0.87, 0.82]
    rng = np.random.default_rng(1)
    taus = []
    for _ in range(100):
        one, other = np.array_split(rng.permutation(len(by_first)), 2)
        mean = by_first.iloc[one].mean()
        means = by_second.iloc[one].mean(), by_first.iloc[other].mean()
        taus.append([stats.kendalltau(mean.round(12), y.round(12)).statistic for y in means])
    printed = [in_the_table("tau by another", 0)[0], in_the_table("tau by other", 0)[0]]
    assert_allclose(np.mean(taus, axis=0), printed, atol=0.03)


def as_by_people(judge, people):
    """The share of pairs, A by the judge and B by people, in people's order; with numpy alone."""
    a, b = judge.mean().to_numpy(), people.mean().to_numpy()
    same = np.sign(a[:, None] - b) == np.sign(b[:, None] - b)
    return (same.sum() - np.trace(same)) / (len(a) * (len(a) - 1))


@pytest.mark.slow
def test_two_numbers_bring_judges_together():
    scores = irstd.load_dataset("sim-judges")
    people = scores["original"]
    found = []
    for name in of_judges.JUDGES:
        part = scores[name].dropna()
        same = people.loc[part.index]
        two = [(x - x.mean(axis=None)) / x.mean().std() for x in (part, same)]
        found.append([as_by_people(part, same), as_by_people(*two)])
    assert_allclose(np.median(found, axis=0), in_the_table("pairs as by", 0), atol=0.0051)
    raw, mended = np.transpose(found)
    assert (raw < 0.65).sum() == 3
    assert mended.min().round(2) >= 0.93


@pytest.mark.slow
def test_the_friend_is_first_and_tau_does_not_show_it():
    collection = campaign()["sim-robust2003"]
    people = collection.scores("nRBP.9").mean()
    friends = {"favourites": ("r3orig05",), "taste": 4}
    judges = of_judges.FAIR, of_judges.replace(of_judges.FAIR, **friends)
    means = [people, *(judge.scores(collection, "nRBP.9").mean() for judge in judges)]
    ranks = [int(mean.rank(ascending=False)["r3orig05a"]) for mean in means]
    taus = [round(stats.kendalltau(people, mean).statistic, 2) for mean in means[1:]]
    assert (ranks, taus) == ([50, 46, 1], [0.9, 0.89])
    printed = re.findall(
        r"(?m)^(?:people|fair|partial) +(\d+)\.0 +(\d\.\d+)$", shown("08", "friend-ranks")
    )
    assert [int(rank) for rank, _ in printed] == ranks
    assert [float(tau) for _, tau in printed] == [1, *taus]


def test_the_columns_of_public_numbers_in_the_lesson():
    found = public("08")
    by_topics = np.median([found[f"tau by other topics {year}"] for year in YEARS])
    for column, kind in enumerate(KINDS, start=1):
        numbers = {
            "tau by another": [found[f"tau by judges, {kind}"]],
            "tau by other": [by_topics],
            "pairs as by": [
                found[f"right order: {name}, {kind}"] for name in ("raw", "two numbers")
            ],
            "friends found": [found[f"found above the curve, {kind}"]],
            "error with": [found[f"median ratio, {kind}"]],
        }
        for what, values in numbers.items():
            assert np.round(values, 2).tolist() == in_the_table(what, column), (what, kind)
    assert in_the_table("friends found", 0) == [float(last_table("08").loc[FRIENDS, "here"])]


def test_the_formula_of_what_a_judge_helps():
    rows = re.findall(r"(?m)^\w+ +(\d\.\d+) +(\d\.\d+)$", shown("08", "ratio"))
    rho, ratio = np.array(rows, float).T
    assert_allclose(ratio, np.sqrt(1 - 0.6 * rho**2), atol=0.06)
    assert np.median(ratio).round(2) == in_the_table("error with", 0)[0]
    by_formula = re.findall(r"the ratios would be (.+?)\. The", text_of("08"))[0]
    printed = [float(x) for x in re.findall(r"\d\.\d+", by_formula)]
    assert_allclose(printed, np.sqrt(1 - 0.6 * rho**2), atol=0.006)


def test_fair_judges_let_the_weak_gain_and_above_the_curve_is_chance():
    plain, above = (
        [int(x) for x in re.findall(r"\d+", row)]
        for row in shown("08", "deeper-fair").splitlines()[1:]
    )
    assert 6 < np.mean(plain) < 7
    assert 1.5 < np.mean(above) < 2.5


@pytest.mark.release
def test_heights_of_fair_judges_are_chance():
    """They hardly repeat, and as many gains are significant as with random signs."""
    _, people, _, _ = of_judges.judged()
    rng = np.random.default_rng(0)
    alike, signs = [], []
    for part in of_judges.ten_fair():
        before = irstd.standardize(people.loc[part.index])
        gain = irstd.standardize(part) - before
        halves = [of_judges.heights_on_halves(gain, before, rng) for _ in range(20)]
        alike.append(np.mean(halves))
        signs.append(of_judges.by_random_signs(gain, before.mean()))
    assert np.mean(alike) == pytest.approx(0, abs=0.05)
    assert np.mean(signs) == pytest.approx(0.021, abs=0.005)


@pytest.mark.release
def test_treatments_in_the_campaign():
    table = pd.concat(of_judges.ladders()).groupby(level=1, sort=False).median()
    for name, order, _, _, found, _, _ in table_below(page_of("08"), "## What brings")[1:]:
        numbers = table.loc[name, ["right order", "equal false alarms"]]
        assert_allclose([float(order), float(found)], numbers, atol=0.0051)


@pytest.mark.release
def test_planted_friends_are_looked_for_by_the_gains_of_the_lesson():
    _, people, scores, _ = of_judges.judged()
    part = scores["lenient"]
    people = people.loc[part.index]
    found = suspicions(part, people, irstd.standardize(people))
    for way, degree in (("by gain", None), ("above the curve", 2)):
        assert_allclose(found[way], of_judges.gains(part, people, degree))
