"""The last table of notebook 08 against what its cells give: here, in ten campaigns, in public."""

import functools
import json
import re
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from campaigns import TEN
from public.lesson_08 import functions, suspicions
from public.rows import stored

import irstd
from irstd.exercises import exercises

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "08_judges.ipynb"
DRAWN = "simulate_campaign()"


CELLS = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]


def main_line():
    """The code of the open cells above the exercises."""
    collapsed = False
    for cell in CELLS:
        source = "".join(cell["source"])
        if source.startswith("## Exercises"):
            return
        if cell["cell_type"] == "markdown" and source.startswith("#"):
            collapsed = cell["metadata"].get("jp-MarkdownHeadingCollapsed", False)
        if cell["cell_type"] == "code" and not collapsed:
            yield source


@functools.cache
def lesson(seed=0):
    """What the main line computes on a campaign, by name."""
    names = {}
    for source in main_line():
        on_campaign = source.replace(DRAWN, f"simulate_campaign(seed={seed})")
        public = str(NOTEBOOK.parent / "data" / "public.csv")
        exec(on_campaign.replace("data/public.csv", public), names)
    plt.close("all")
    return names


def of_campaign(seed):
    """The numbers of the column "here", in the order of the bold sentences."""
    names = lesson(seed)
    ladder = names["table"]
    equal = ladder["equal false alarms"]
    errors = names["gain"]
    return [
        names["above"] / len(names["judges"]),
        ladder.loc["two numbers", "right order"],
        equal["two numbers"] - equal["standardized"],
        names["tau"][-1],
        names["of_gains"].loc["correlation", "here"],
        names["of_gains"].loc["above the curve", "here"],
        names["shown"].loc["here, more taste (2)"].iloc[-1],
        errors["ratio"].median(),
        names["of_alone"].loc["lead by order", "here"],
    ]


def public_numbers():
    return stored().query("lesson == '08'").set_index("name")["value"]


def of_public_scores(kind="documents"):
    """The numbers of the column "public", from the file beside the lesson."""
    public = public_numbers()
    found = [
        "right order, other topics: two numbers",
        "two numbers less standardized",
        "tau by judges, all topics",
        "correlation",
        "above the curve",
        "found above the curve",
        "median ratio",
        "judge alone, lead by order",
    ]
    above = public[f"above other topics, {kind}"] / public[f"judges, {kind}"]
    return [above, *(public[f"{name}, {kind}"] for name in found)]


def last_table():
    """The rows of the table by columns, each cell as text."""
    sources = ["".join(cell["source"]) for cell in CELLS]
    (table,) = [source for source in sources if "| verdict |" in source]
    lines = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("|")]
    head, _, *rows = lines
    return pd.DataFrame(rows, columns=head)


def assert_printed(column, values):
    for text, value in zip(last_table()[column], values, strict=True):
        decimals = len(text.partition(".")[2])
        assert float(text) == pytest.approx(value, abs=0.51 * 10.0**-decimals), (column, text)


def test_the_table_has_a_row_for_each_bold_sentence_and_no_blank():
    table = last_table()
    assert list(table.columns)[1:] == ["here", "ten campaigns", "public", "paper", "verdict"]
    text = "\n\n".join("".join(c["source"]) for c in CELLS if c["cell_type"] == "markdown")
    main, _ = text.split("## Exercises")
    bold = re.findall(r"(?m)^\*\*[^*]{40,}\*\*", main)
    assert len(table) == len(bold)
    for sentence, row in zip(bold, table.itertuples(index=False), strict=True):
        assert row.here in sentence
        assert row.public in sentence
    for cell in table.to_numpy().ravel():
        assert re.search(r"\w", cell)


def test_the_public_column_is_that_of_the_file():
    assert_printed("public", of_public_scores())


YEARS = (2019, 2020, 2021)
KINDS = ("documents", "exams")


def test_what_verdicts_say_of_the_other_kind():
    """After "exams", the number of the row by these judges; that of the first row is a count."""
    said = []
    for verdict in last_table()["verdict"]:
        number = re.search(r"exams (-?[\d.]+)", verdict)
        said.append(float(number[1]) if number else None)
    public = public_numbers()
    assert said[0] == public["above other topics, exams"]
    assert public["above as many other topics, exams"] == 9
    assert public["above as many other topics, documents"] == 6
    found = of_public_scores("exams")
    assert len(said) == len(found)
    for text, value in zip(said[1:], found[1:], strict=True):
        assert text == pytest.approx(value, abs=0.0051)


def test_what_bold_sentences_say_in_words_of_public_scores():
    public = public_numbers()
    order = "right order, other topics: "
    people, two, one, standardized = (
        public[f"{order}{name}, documents"]
        for name in ("people", "two numbers", "one number", "standardized")
    )
    assert two == pytest.approx(people, abs=0.005)
    assert one == pytest.approx(two, abs=0.005)
    assert two - 0.02 < standardized < two
    assert public["two numbers less standardized, documents 2020"] < 0.03
    assert public["two numbers less standardized, exams 2020"] < 0.03
    by_near = public["by nearly equal, two numbers less standardized, documents"]
    assert by_near == pytest.approx(0.07, abs=0.005)
    for kind in KINDS:
        by_year = public[[f"two numbers less both, {kind} {year}" for year in YEARS]]
        assert by_year.max() > 0 > by_year.min()
    assert public["correlation, umbrela"] == pytest.approx(0.44, abs=0.005)
    assert public["correlation, binary"] == pytest.approx(-0.57, abs=0.005)
    gain, curve = (
        public[[f"found {way}, documents {year}" for year in YEARS]].to_numpy()
        for way in ("by gain", "above the curve")
    )
    assert list(gain > curve) == [True, False, False]
    assert public["found by gain, documents"] == pytest.approx(0.56, abs=0.005)
    for kind in KINDS:
        assert public[f"found degree 1, {kind}"] < public[f"found by gain, {kind}"]
    assert public["lifted by 10, found above the curve, documents"] == pytest.approx(
        0.33, abs=0.005
    )


def test_two_numbers_find_more_than_standardizing_by_nearly_equal_pairs_too():
    names = lesson()
    people, truth = names["people"], names["truth"].to_numpy()
    by_near_pairs = functions()["by_near_pairs"]
    near = [by_near_pairs(names["scores"][judge], people, truth) for judge in names["judges"]]
    found = pd.DataFrame(near).median()
    assert found["two numbers"] - found["standardized"] == pytest.approx(0.07, abs=0.005)


def test_heights_repeat_by_two_methods_of_three():
    public = public_numbers()
    alike, above, chance = (
        public[[f"{number}, {name}" for name in ("umbrela", "binary", "preferences")]].to_numpy()
        for number in (
            "correlation of heights on two halves",
            "above the curve",
            "by random signs",
        )
    )
    np.testing.assert_allclose(alike[1:], [0.44, 0.33], atol=0.005)
    assert alike[0] < 0.1
    assert above[0] < chance[0]
    assert (2 * chance[1:] < above[1:]).all()
    assert (above[1:] < 3.5 * chance[1:]).all()


def test_what_is_said_of_the_error_of_public_judges_alone():
    public = public_numbers()
    less = "judge alone, smaller error"
    shares = public[
        [f"{number}, {kind}" for number in (less, f"{less} after two numbers") for kind in KINDS]
    ]
    np.testing.assert_allclose(shares, [0.22, 0.05, 0.44, 0], atol=0.005)


@pytest.mark.release
def test_heights_of_fair_judges_are_chance():
    """They hardly repeat, and as many gains are significant as with random signs."""
    names = lesson()
    rng = np.random.default_rng(0)
    alike, signs = [], []
    for part in names["ten"]:
        before = irstd.standardize(names["people"].loc[part.index])
        gain = irstd.standardize(part) - before
        halves = [functions()["heights_on_halves"](gain, before, rng) for _ in range(20)]
        alike.append(np.mean(halves))
        signs.append(functions()["by_random_signs"](gain, before.mean()))
    assert np.mean(alike) == pytest.approx(0, abs=0.05)
    above = names["of_gains"].loc["above the curve", "here"]
    assert np.mean(signs) == pytest.approx(above, abs=0.005)


@pytest.mark.release
def test_the_gain_of_fair_judges_with_the_spread_of_people():
    names = lesson()
    left = [
        functions()["with_equal_spreads"](part, names["people"].loc[part.index])
        for part in names["ten"]
    ]
    assert np.mean(left) == pytest.approx(-0.07, abs=0.005)


@pytest.mark.release
def test_what_is_said_in_words_of_the_campaign():
    """Half of the lead is left after both; by error, most judges alone are worse."""
    of_alone = lesson()["of_alone"]["here"]
    assert of_alone["smaller error"] == 0.25
    assert of_alone["smaller error after two numbers"] == 0.5
    equal = lesson()["table"]["equal false alarms"]
    lead = equal["two numbers"] - equal["standardized"]
    assert (equal["two numbers"] - equal["both"]) / lead == pytest.approx(0.5, abs=0.1)


@pytest.mark.release
def test_plain_gain_finds_as_many_friends_in_most_other_campaigns():
    as_many = []
    for seed in TEN:
        plain, above_curve = lesson(seed)["shown"].loc["here, more taste (2)"]
        as_many.append(plain >= above_curve)
    assert sum(as_many) > len(TEN) / 2


@pytest.mark.release
def test_planted_friends_are_looked_for_by_the_gains_of_the_lesson():
    names = lesson()
    part = names["scores"]["lenient"]
    people = names["people"].loc[part.index]
    found = suspicions(part, people, irstd.standardize(people))
    for way, degree in (("by gain", None), ("above the curve", 2)):
        np.testing.assert_allclose(found[way], names["gains"](part, people, degree))


@pytest.mark.release
def test_the_column_of_the_campaign():
    assert_printed("here", of_campaign(0))


@pytest.mark.release
def test_the_medians_of_ten_campaigns():
    assert_printed("ten campaigns", np.median([of_campaign(seed) for seed in TEN], axis=0))


def ways_to_look(names):
    """Ways to look for a friend, and how many of the eight of exercise 3 they find."""
    gains = names["gains"]

    def by_two_numbers(part, people):
        treated = [names["treatments"](each)["two numbers"] for each in (part, people)]
        gain = treated[0] - treated[1]
        return gain.mean() / gain.std()

    def above_a_raw_curve(part, people):
        x = people.mean()
        return part.mean() - np.polyval(np.polyfit(x, part.mean(), 2), x)

    def places(part, people):
        return part.mean().rank() - people.mean().rank()

    return [
        (lambda part, people: gains(part, people, 1), 8),
        (lambda part, people: gains(part, people, 2), 8),
        (lambda part, people: gains(part, people, 3), 8),
        (by_two_numbers, 8),
        (above_a_raw_curve, 8),
        (places, 5),
        (gains, 1),
        (lambda part, people: part.mean() - people.mean(), 0),
    ]


@pytest.mark.release
def test_exercise_3_asks_what_a_function_does_and_not_how():
    """Whoever allows for how good a system is finds all friends; a plain gain does not."""
    names = lesson()
    (source,) = [s for s in map("".join, (c["source"] for c in CELLS)) if "def accused" in s]
    exec(source, names)
    friends = [row["value"] for row in exercises()["08.3"]["name"]]
    for suspicion, n_found in ways_to_look(names):
        accused = names["accused"](suspicion)
        assert len(set(accused) & set(friends)) == n_found
        assert irstd.check("08.3", accused).right == (n_found == 8)
