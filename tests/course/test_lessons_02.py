"""Lesson 02: the numbers of its table, by numpy and scipy alone."""

import numpy as np
import pandas as pd
import pytest
from campaigns import campaign
from how_far import table_below, text_of
from ladder import signs, wrong
from scipy import stats

import irstd


@pytest.mark.parametrize("name", ["trec7", "trec8", "robust2003"])
@pytest.mark.usefixtures("trec_data")
def test_the_largest_public_z_moves_its_system_by_a_place_at_most(name):
    z = irstd.standardize(irstd.load_dataset(name), method="z")
    topic, system = z.stack().idxmax()
    without_topic = z.drop(index=topic)
    rank = z.mean().rank(ascending=False)[system]
    rank_without = without_topic.mean().rank(ascending=False)[system]
    assert abs(rank - rank_without) <= 1


def table_of(heading):
    """The rows of the table below a heading of the lesson."""
    return table_below(text_of("02"), heading)[1:]


def standardized_by_hand(scores, reference):
    """By numpy, and scipy's normal distribution."""
    values = reference.to_numpy()
    mean = values.mean(axis=1, keepdims=True)
    sd = values.std(axis=1, ddof=1, keepdims=True)
    z = np.divide(scores.to_numpy() - mean, sd, out=np.zeros(scores.shape), where=sd > 0)
    return pd.DataFrame(stats.norm.cdf(z), scores.index, scores.columns)


def numbers_of_the_lesson(trec8, old_systems, later):
    """The numbers of the lesson's table, but those of labs, by numpy and scipy alone."""
    by_itself = standardized_by_hand(trec8, trec8)
    found = [[(trec8.to_numpy() < 0.2).mean()], np.quantile(by_itself, [0.25, 0.5, 0.75])]
    taus = []
    for old in old_systems:
        new = later.loc[old.index]
        means = [standardized_by_hand(new, reference).mean() for reference in (old, new)]
        taus.append(stats.kendalltau(*means).statistic)
    original = old_systems[-1]
    new = later.loc[original.index]
    by_all = standardized_by_hand(new, original).mean()
    rng = np.random.default_rng(1)
    draws = []
    for _ in range(400):
        five = original.iloc[:, rng.choice(original.shape[1], 5, replace=False)]
        draws.append(stats.kendalltau(standardized_by_hand(new, five).mean(), by_all).statistic)
    return [*found, [np.quantile(draws, 0.01)], [min(taus)]]


def right_orders(sides, quality):
    """Pairs in the right order, raw, less one mean, and standardized."""
    common = sides[0].columns[::11]
    systems = sides[0].columns.difference(common)
    ways = {
        "raw": lambda side: side,
        "less one mean": lambda side: side - side[common].to_numpy().mean(),
        "standardized": lambda side: standardized_by_hand(side, side[common]),
    }
    better = signs(quality[systems], quality[systems])
    means = [[way(side)[systems].mean() for side in sides] for way in ways.values()]
    return [1 - wrong(*both, better) for both in means]


def agree_with(column, numbers):
    """Each number of a column of the lesson's table, to its last digit; of draws within 0.026."""
    for (what, *cells), values in zip(table_of("## Does it hold?"), numbers, strict=True):
        within = 0.026 if "draws" in what else 0.0051
        printed = [float(cell) for cell in cells[column].split(", ")]
        np.testing.assert_allclose(printed, values, atol=within, err_msg=what)


def test_the_lesson_s_numbers_are_those_of_numpy_and_scipy():
    load = irstd.load_dataset
    later = load("sim-robust2004-all")
    original = load("sim-robust2003").loc["601":"650"]
    numbers = numbers_of_the_lesson(
        load("sim-trec8"), [load("sim-trec7"), load("sim-trec8"), original], later
    )
    parts = campaign(0).collections
    sides = [parts[name].scores("AP", "later") for name in ("sim-robust2003", "sim-trec7")]
    agree_with(0, [*numbers, right_orders(sides, parts["sim-trec7"].systems["quality"])])


@pytest.mark.usefixtures("trec_data")
def test_trec_s_own_numbers_and_those_that_the_paper_prints():
    trec7, trec8, robust2003, later = map(
        irstd.load_dataset, ("trec7", "trec8", "robust2003", "robust2004")
    )
    original = robust2003.loc["601":"650"]
    numbers = numbers_of_the_lesson(trec8, [trec7, trec8, original], later)
    sides = [later.loc["601":"650"], later.loc["351":"400"]]
    others = pd.concat([later.loc["401":"450"], later.loc["651":"700"]]).mean()
    agree_with(1, [*numbers, right_orders(sides, others)])
    quartiles = [float(cell) for cell in table_of("## Does it hold?")[1][3].split(", ")]
    np.testing.assert_allclose(quartiles, numbers[1], atol=0.005)
    taus = irstd.factor_sampling(sides[0], original, sizes=[5, 10, 15], trials=1000)
    taus = taus.groupby("size")["tau"]
    # as figure 4 says, of values that by_hand.py has
    assert taus.quantile(0.01)[5] > 0.742
    assert taus.quantile(0.05)[10] > 0.919
    assert taus.quantile(0.01)[15] > 0.919


def first_picture_and_third_exercise(trec8, trec7, later):
    """0.32 is high on a hard topic, low on an easy one; weak originals lift the later systems."""
    by_ease = trec8.mean(axis=1).sort_values().index
    hard, easy = ((trec8.loc[by_ease[k]] < 0.32).mean() for k in (5, -5))
    assert hard > 0.95
    assert easy < 0.15
    best = trec7[trec7.mean().nlargest(77).index]
    at_random = trec7[np.random.default_rng(0).permutation(trec7.columns)[:77]]
    new = later.loc[trec7.index]
    levels = [irstd.standardize(new, old).mean(axis=None) for old in (trec7, at_random, best)]
    assert min(levels[:2]) > 0.5 > 0.45 > levels[2]


def test_the_first_picture_and_the_third_exercise():
    names = ("sim-trec8", "sim-trec7", "sim-robust2004-all")
    first_picture_and_third_exercise(*map(irstd.load_dataset, names))


@pytest.mark.usefixtures("trec_data")
def test_trec_s_own_scores_say_the_same():
    names = ("trec8", "trec7", "robust2004")
    first_picture_and_third_exercise(*map(irstd.load_dataset, names))
