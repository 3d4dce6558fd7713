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
        public["right order: two numbers"],
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


@pytest.mark.release
def test_the_column_of_the_campaign():
    assert_printed("here", of_campaign(0))


@pytest.mark.release
def test_the_medians_of_ten_campaigns():
    assert_printed("ten campaigns", np.median([of_campaign(seed) for seed in TEN], axis=0))


def suspicions(names):
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
    for suspicion, n_found in suspicions(names):
        accused = names["accused"](suspicion)
        assert len(set(accused) & set(friends)) == n_found
        assert irstd.check("08.3", accused).right == (n_found == 8)
