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
    numbers = re.findall(r"\d*\.\d+", line.strip("| ").split(" | ")[column])
    return [float(number) for number in numbers], 0.51 * 10.0 ** -len(numbers[0].split(".")[1])


def within(row, values):
    """Whether numbers of a campaign are in the ranges that the table gives of ten."""
    ends, error = printed(row, 2)
    for value, low, high in zip(values, ends[::2], ends[1::2], strict=True):
        assert low - error <= value <= high + error, (row, value)


def numbers_of(scores, quality):
    """By line of the table, the medians over the judges with forty topics or more."""
    judges = []
    for name in scores.columns.unique("judge"):
        known = len(scores[name].dropna()) >= 40
        if known and not any(scores[name].equals(scores[other]) for other in judges):
            judges.append(name)
    names, ladders, two = lesson(scores, quality), {}, []
    for name in judges[1:]:
        part, ladders[name] = scores[name].dropna(), names["ladder"](name)
        same = scores["original"].loc[part.index]
        two.append(irstd.drmse(*(names["steps"](each)["two"].mean() for each in (part, same))))
    names["ladders"] = pd.concat(ladders)
    table = names["ladders"].groupby(level=1, sort=False).median()
    equal = pd.DataFrame([names["equally_many"](name) for name in judges[1:]]).median()
    error = [names["rms"](names["off"](scores[name].dropna(), 20)) for name in judges[1:]]
    alone, by_judge, _, rectified = np.transpose(error)
    rho = [scores[name].corrwith(scores["original"]).mean() for name in judges[1:]]
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
    means = collection.more_topics(200, seed=1).scores("nRBP.9").to_numpy().reshape(4, 50, -1)
    people = scores["original"].mean()
    other = np.mean([irstd.rank_correlation(people, each) for each in means.mean(axis=1)])
    for row, values in (found | {"tau of people with people": [other]}).items():
        within(row, values)
    assert found["told apart"]["topic"] > found["told apart"]["two"] + 0.05
    assert found["tau with people"][0] > other


@pytest.mark.parametrize("seed", TEN)
def test_a_friend_gains_more_than_anybody_by_fair_judges(seed):
    collection = campaign(seed)["sim-robust2003"]
    humans = collection.scores("nRBP.9")
    names = lesson(pd.concat({"original": humans}, axis=1), humans=humans)
    own = next(name for name in humans.mean().sort_values().index[27::-1] if name.endswith("a"))
    fair = [replace(FAIR, seed=slip).scores(collection, "nRBP.9") for slip in range(5)]
    partial = replace(FAIR, taste=4, favourites=(own[:-1],)).scores(collection, "nRBP.9")
    assert partial.mean().idxmax() == own
    others = judge_collection(collection).drop(columns="original", level="judge")
    kinds = [names["gains"](others[name].dropna()) for name in others.columns.unique("judge")]
    fair = pd.concat([names["gains"](part) for part in fair], axis=1)
    most = [fair.max(axis=None), max(each.max() for each in kinds)]
    within("largest gain, t", [fair.loc[own].max(), *most])
    within("the friend's by its judge", [names["gains"](partial)[own]])
    slight = replace(FAIR, taste=1, favourites=(own[:-1],)).scores(collection, "nRBP.9")
    assert names["gains"](slight)[own] > fair.loc[own].max() + 0.5
    place = humans.columns.get_loc(own)
    *_, line, rectified = names["off"](partial, 20, draws=30).mean(axis=0)[:, place]
    assert abs(rectified) < 0.05 < 0.25 < line


@pytest.mark.parametrize("column", [1, 3, 4])
def test_the_table_of_simulated_and_public_numbers(request, column):
    if column > 1:
        request.getfixturevalue("trec_data")
    name = {1: "sim-judges", 3: "judges-dl2019", 4: "judges-dl2020"}[column]
    scores = irstd.load_dataset(name)
    made = campaign()["sim-robust2003"].systems["quality"]
    for row, values in numbers_of(
        scores, made if column == 1 else scores["original"].mean()
    ).items():
        expected, error = printed(row, column)
        assert list(values) == pytest.approx(expected, abs=error), row


@pytest.mark.usefixtures("trec_data")
@pytest.mark.parametrize(("column", "dataset"), [(3, "judges-dl2019"), (4, "judges-dl2020")])
def test_halves_of_public_topics(column, dataset):
    """People on the other half, and judges on the same half, beside people on a half."""
    scores, rng, taus = irstd.load_dataset(dataset), np.random.default_rng(0), []
    people = scores["original"].dropna()
    known = [name for name in scores.columns.unique("judge") if len(scores[name].dropna()) >= 40]
    for _ in range(200):
        a, b = np.array_split(rng.permutation(people.index), 2)
        row = {"other": irstd.rank_correlation(people.loc[a].mean(), people.loc[b].mean())}
        for name in known[1:]:
            same = scores[name].reindex(a).dropna()
            row[name] = irstd.rank_correlation(people.loc[same.index].mean(), same.mean())
        taus.append(row)
    other, *judges = pd.DataFrame(taus).mean()
    expected, error = printed("on random halves", column)
    assert [other, min(judges), max(judges)] == pytest.approx(expected, abs=error)
    assert np.mean(np.array(judges) > other) > 0.5
