"""What notebook 08 says beyond its own judges: its cells on ten campaigns and on public scores."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from campaigns import TEN, campaign
from scipy import stats

import irstd
from irstd.simulate import Judge, judge_collection

pytestmark = [
    pytest.mark.night,
    pytest.mark.filterwarnings("ignore:the judge finds nothing relevant"),
    # One of a thousand random samples of topics is told from a random one, and here are thousands.
    pytest.mark.filterwarnings("ignore:the judge's mean is .* on the human topics"),
]
NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "08_judges.ipynb"
CELLS = ["".join(cell["source"]) for cell in json.loads(NOTEBOOK.read_text("utf-8"))["cells"]]
FAIR = Judge(criterion=3, acuity=3.5, topic_sd=0.5, seed=5)
STEPS = ["raw", "two", "topic"]


def lesson(scores, quality=None, humans=None):
    """The functions of the lesson, on other scores."""
    names = {"np": np, "pd": pd, "stats": stats, "irstd": irstd, "scores": scores}
    names |= {"people": scores["original"], "quality": quality, "humans": humans}
    for source in CELLS:
        if source.startswith("def "):
            exec(source.split("\n\n\nways")[0], names)
    return names


def printed(row, column):
    """The numbers of a line of the table at the end, and how far they may be off."""
    (line,) = re.findall(rf"(?m)^\| {row}.*\|$", "\n".join(CELLS))
    cells = line.strip("| ").split(" | ")
    numbers = re.findall(r"\d*\.\d+", cells[column])
    _, decimals = numbers[0].split(".")
    return [float(number) for number in numbers], 0.51 * 10.0 ** -len(decimals)


def assert_within(row, values):
    """Numbers of a campaign are in the ranges that the table gives of ten."""
    ends, error = printed(row, 2)
    for value, low, high in zip(values, ends[::2], ends[1::2], strict=True):
        assert low - error <= value <= high + error, (row, value)


def judges_of_many_topics(scores):
    """The judges with forty topics or more, without those that are another one's copy."""
    judges = []
    for name in scores.columns.unique("judge"):
        is_copy = any(scores[name].equals(scores[other]) for other in judges)
        if len(scores[name].dropna()) >= 40 and not is_copy:
            judges.append(name)
    return judges


def drmse_by_two_numbers(scores, name, steps):
    """dRMSE of a judge's means from people's on its topics, on the step of the lesson."""
    by_judge = scores[name].dropna()
    by_people = scores["original"].loc[by_judge.index]
    return irstd.drmse(steps(by_judge)["two"].mean(), steps(by_people)["two"].mean())


def numbers_of(scores, quality):
    """By line of the table, the medians over the judges with forty topics or more."""
    judges = judges_of_many_topics(scores)
    models = judges[1:]
    names = lesson(scores, quality)
    two = [drmse_by_two_numbers(scores, name, names["steps"]) for name in models]
    ladders = pd.concat({name: names["ladder"](name) for name in models})
    names["ladders"] = ladders  # which `equally_many` looks up
    table = ladders.groupby(level=1, sort=False).median()
    equal = pd.DataFrame([names["equally_many"](name) for name in models]).median()

    errors = [names["rms"](names["off"](scores[name].dropna(), 20)) for name in models]
    alone, by_judge, _, rectified = np.transpose(errors)
    rho = [scores[name].corrwith(scores["original"]).mean() for name in models]
    assert np.corrcoef(rho, rectified / alone)[0, 1] < -0.7

    raw = irstd.compare_judges(scores[judges], reference="original").median()
    return {
        "dRMSE": [raw["drmse"], np.median(two), raw["drmse_standardized"]],
        "tau with people": [raw["tau"]],
        "right order": table["right order"][STEPS],
        "told apart": table["told apart"][["two", "topic"]],
        "of these wrong": [table["of these wrong"]["topic"], equal["two"]],
        "rho with people": [min(rho), max(rho)],
        "error of the means": [np.median(alone), np.median(rectified), by_judge.min()],
    }


@pytest.mark.parametrize("seed", TEN)
def test_the_ladder_and_tau_in_ten_campaigns(seed):
    """The topics tell more apart than two numbers; other topics change the order more."""
    collection = campaign(seed)["sim-robust2003"]
    scores = judge_collection(collection)
    found = numbers_of(scores, collection.systems["quality"])
    new = collection.more_topics(200, seed=1).scores("nRBP.9").to_numpy()
    people = scores["original"].mean()
    taus = [irstd.rank_correlation(people, fifty.mean(axis=0)) for fifty in np.split(new, 4)]
    other = np.mean(taus)
    for row, values in found.items():
        assert_within(row, values)
    assert_within("tau of people with people", [other])
    assert found["told apart"]["topic"] > found["told apart"]["two"] + 0.05
    assert found["tau with people"][0] > other


@pytest.mark.parametrize("seed", TEN)
def test_a_friend_gains_more_than_anybody_by_fair_judges(seed):
    collection = campaign(seed)["sim-robust2003"]
    humans = collection.scores("nRBP.9")
    names = lesson(pd.concat({"original": humans}, axis=1), humans=humans)
    gains = names["gains"]

    ascending = humans.mean().sort_values().index
    from_the_28th_down = ascending[27::-1]
    own = next(name for name in from_the_28th_down if name.endswith("a"))
    friends = (own[:-1],)
    strong_taste = replace(FAIR, taste=4, favourites=friends).scores(collection, "nRBP.9")
    slight_taste = replace(FAIR, taste=1, favourites=friends).scores(collection, "nRBP.9")
    assert strong_taste.mean().idxmax() == own

    by_fair_judges = {}
    for slip in range(5):
        fair = replace(FAIR, seed=slip).scores(collection, "nRBP.9")
        by_fair_judges[slip] = gains(fair)
    by_fair_judges = pd.concat(by_fair_judges, axis=1)
    others = judge_collection(collection).drop(columns="original", level="judge")
    by_others = []
    for name in others.columns.unique("judge"):
        by_others.append(gains(others[name].dropna()).max())
    largest = [by_fair_judges.loc[own].max(), by_fair_judges.max(axis=None), max(by_others)]
    assert_within("largest gain, t", largest)
    assert_within("the friend's by its judge", [gains(strong_taste)[own]])
    assert gains(slight_taste)[own] > by_fair_judges.loc[own].max() + 0.5

    place = humans.columns.get_loc(own)
    off = names["off"](strong_taste, 20, draws=30).mean(axis=0)[:, place]
    *_, line, rectified = off
    assert abs(rectified) < 0.05 < 0.25 < line


@pytest.mark.parametrize("column", [1, 3, 4])
def test_the_table_of_simulated_and_public_numbers(request, column):
    if column > 1:
        request.getfixturevalue("trec_data")
    dataset = {1: "sim-judges", 3: "judges-dl2019", 4: "judges-dl2020"}[column]
    scores = irstd.load_dataset(dataset)
    if column == 1:
        quality = campaign()["sim-robust2003"].systems["quality"]
    else:
        quality = scores["original"].mean()
    for row, values in numbers_of(scores, quality).items():
        expected, error = printed(row, column)
        assert list(values) == pytest.approx(expected, abs=error), row


def taus_on_halves(scores, judges, rng):
    """On half of the topics: people's order beside theirs on the other half, and beside judges'."""
    people = scores["original"].dropna()
    half, other_half = np.array_split(rng.permutation(people.index), 2)
    means = people.loc[half].mean()
    taus = {"other": irstd.rank_correlation(means, people.loc[other_half].mean())}
    for name in judges:
        by_judge = scores[name].reindex(half).dropna()
        same_topics = people.loc[by_judge.index]
        taus[name] = irstd.rank_correlation(same_topics.mean(), by_judge.mean())
    return taus


@pytest.mark.usefixtures("trec_data")
@pytest.mark.parametrize(("column", "dataset"), [(3, "judges-dl2019"), (4, "judges-dl2020")])
def test_halves_of_public_topics(column, dataset):
    """People on the other half, and judges on the same half, beside people on a half."""
    scores = irstd.load_dataset(dataset)
    names = scores.columns.unique("judge")
    _, *judges = [name for name in names if len(scores[name].dropna()) >= 40]
    rng = np.random.default_rng(0)
    taus = [taus_on_halves(scores, judges, rng) for _ in range(200)]
    other, *of_judges = pd.DataFrame(taus).mean()
    expected, error = printed("on random halves", column)
    assert [other, min(of_judges), max(of_judges)] == pytest.approx(expected, abs=error)
    assert np.mean(np.array(of_judges) > other) > 0.5
