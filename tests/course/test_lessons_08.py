"""The last table of notebook 08 against what its cells give: here, in ten campaigns, in public."""

import functools
import json
import re
from dataclasses import replace
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from campaigns import TEN
from public.lesson_08 import heights_on_halves, suspicions
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
        exec(on_campaign.replace("public.csv", str(NOTEBOOK.with_name("public.csv"))), names)
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
        names["shown"].loc["here, taste 2", "above the curve"],
        errors["ratio"].median(),
        (errors["judge alone"] < errors["people alone"]).mean(),
    ]


def of_public_scores():
    """The numbers of the column "public", from the file beside the lesson."""
    public = stored().query("lesson == '08'").set_index("name")["value"]
    equal = "equal false alarms: "
    return [
        public["above other topics"] / public["judges"],
        public["right order, other topics: two numbers"],
        public[f"{equal}two numbers"] - public[f"{equal}standardized"],
        public["tau"],
        public["correlation"],
        public["above the curve"],
        public["found above the curve"],
        public["median ratio"],
        public["judges alone better than 20 topics"] / public["judges"],
    ]


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
    bold = re.findall(r"(?m)^\*\*[^*]{40,}\*\*$", main)
    assert len(table) == len(bold)
    for sentence, row in zip(bold, table.itertuples(index=False), strict=True):
        assert row.here in sentence
        assert row.public in sentence
    for cell in table.to_numpy().ravel():
        assert re.search(r"\w", cell)


def test_the_public_column_is_that_of_the_file():
    assert_printed("public", of_public_scores())


def test_what_bold_sentences_say_in_words_of_public_scores():
    """Half of the judges on fifty topics, half of the lead after both, and no clear winner."""
    public = stored().query("lesson == '08'").set_index("name")["value"]
    assert public["above as many other topics"] / public["judges"] == pytest.approx(0.5, abs=0.05)
    order = "right order, other topics: "
    people, two, standardized = public[
        [f"{order}people", f"{order}two numbers", f"{order}standardized"]
    ]
    assert two < people < two + 0.02
    assert two - 0.02 < standardized < two
    equal = "equal false alarms: "
    lead = public[f"{equal}two numbers"] - public[f"{equal}standardized"]
    left = public[f"{equal}two numbers"] - public[f"{equal}both"]
    assert left / lead == pytest.approx(0.5, abs=0.1)
    by_year = public[[f"two numbers less both {year}" for year in (2019, 2020, 2021)]]
    assert list(by_year > 0) == [True, False, False]
    gain, curve = (
        public[[f"found {way} {year}" for year in (2019, 2020, 2021)]].to_numpy()
        for way in ("by gain", "above the curve")
    )
    assert list(gain > curve) == [True, False, False]
    other_curves = public[[f"found degree {degree}" for degree in (1, 3, 4)]]
    assert other_curves.max() < public["found by gain"] < public["found above the curve"]
    assert public["topics that a judge alone is worth"] == pytest.approx(1, abs=0.2)
    by_order = public["judges alone better than 20 topics by order"] / public["judges"]
    assert by_order == pytest.approx(0.31, abs=0.005)
    assert public["correlation of heights on two halves"] == pytest.approx(0.18, abs=0.005)


@pytest.mark.night
def test_the_heights_of_fair_judges_do_not_repeat():
    names = lesson()
    rng = np.random.default_rng(0)
    alike = []
    for seed in range(10):
        judge = replace(names["fair"], seed=seed)
        part = judge.scores(names["collection"], "nRBP.9")
        people = names["people"].loc[part.index]
        alike.append(np.mean([heights_on_halves(part, people, rng) for _ in range(20)]))
    assert np.mean(alike) == pytest.approx(0.06, abs=0.01)


@pytest.mark.release
def test_half_of_the_lead_is_left_after_both():
    equal = lesson()["table"]["equal false alarms"]
    lead = equal["two numbers"] - equal["standardized"]
    assert (equal["two numbers"] - equal["both"]) / lead == pytest.approx(0.5, abs=0.1)


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
