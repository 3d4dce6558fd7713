"""What notebook 09 says of the public leaderboard: its own cells, run on real data."""

import ast
import json
import re
import warnings
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

pytestmark = pytest.mark.night  # it runs the lesson twice
NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "09_leaderboards.ipynb"
CELLS = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]


def rows(start):
    """The lines of the table at the end, from the second column on, by the first."""
    lines = "\n".join("".join(cell["source"]) for cell in CELLS).splitlines()
    table = [line.strip("| ").split(" | ") for line in lines if line.startswith("| ")]
    return {name: values for name, *values in table if len(values) >= 2}[start]


def numbers(text):
    return [float(number) for number in re.findall(r"\d*\.?\d+", text)]


@pytest.fixture(scope="module", params=["sim", "real"])
def lesson(request):
    """What the cells leave behind, up to the exercises, and which column of the table it is."""
    if request.param == "real":
        folder = request.getfixturevalue("trec_data")
        if not (folder / "mteb" / "en-retrieval.jsonl").exists():
            pytest.skip("needs the archived leaderboard")
    names = {}
    sources = ["".join(cell["source"]) for cell in CELLS if cell["cell_type"] == "code"]
    assert sum('data = "sim"' in source for source in sources) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of an epsilon: one real model has a score of 0
        for source in sources[: sources.index("answer = ...")]:
            code = source.replace('data = "sim"', f'data = "{request.param}"')
            if not code.startswith(("predict(", "explore(")):
                exec(compile(ast.parse(code), str(NOTEBOOK), "exec"), names)
                plt.close("all")
    return names, ["sim", "real"].index(request.param)


def test_the_table_of_simulated_and_public_numbers(lesson):
    names, column = lesson
    board, trials, span = names["board"], names["trials"], names["span"]
    mean, sem = trials.mean(), trials.sem()
    found = {
        "models and data sets": board.shape[::-1],
        "largest and smallest influence": names["influence"].agg(["max", "min"]),
        "tau with the truth, no gaps": [names["no_gaps"]],
        "median span of the intervals of ranks": [span.median(), len(span)],
        "group that holds the best, with 95%": [names["best"], len(span)],
        "neighbours that differ significantly": [names["p"].sum(), len(names["p"])],
        "places moved against sd, against what it says alone: r": names["r"][["sd", "says alone"]],
        "lower model ahead, 1 and 8 places apart": [names["ahead"][1], names["ahead"][8]],
        "pairs of the first half that turn: z, Borda, factors, mean": names["came"].values(),
        "tau of halves, raw and z": names["agree"].mean()[["raw", "z"]],
        "and places that those with gaps gain by it": [mean.loc["z", ("worst", "gain")]],
    }
    if not column:
        controls = names["controls"].values()
        found["8 places, in the world; in data sets of 100 queries"] = controls
    gaps = {
        "five of 15 missing at random: mean of what is there": ("mean", "any"),
        "Borda, zero votes": ("zero", "any"),
        "Borda, shares": ("share", "any"),
        "additive": ("additive", "any"),
        "mean z": ("z", "any"),
        "each model's worst five missing: mean z": ("z", "worst"),
    }
    for name, (way, kind) in gaps.items():
        found[name] = [table.loc[way, (kind, "tau")] for table in (mean, sem)]
    for name, values in found.items():
        printed = rows(name)[column]
        digits = max(len(part) for part in re.findall(r"\.(\d+)|$", printed))
        expected = pytest.approx(numbers(printed), abs=0.51 * 10**-digits)
        assert list(values) == expected, name


def test_controls(lesson):
    """Neighbours on shuffled boards; what a data set says alone beside its spread."""
    names, column = lesson
    assert not any(names["neighbours"](each).any() for each in names["shuffled"])
    assert names["r"]["says alone"] > names["r"]["sd"] + 0.2
    if not column:
        z = names["movement"](names["irstd"].standardize(names["board"], method="z"))
        for alone in (names["moves"]["says alone"], z["says alone"]):
            assert alone.max() / alone.min() == pytest.approx(1.8, abs=0.05)


def test_eight_places_on_data_sets_that_no_board_has_seen(lesson):
    names, column = lesson
    if column:
        pytest.skip("of the public board all data sets are seen")
    ahead = []
    for seed in range(1, 31):
        board = names["world"].sample(15, random_state=seed)
        order = board.mean().sort_values(ascending=False).index
        unseen = names["world"].drop(index=board.index)
        ahead.append((unseen[order[8:]].to_numpy() > unseen[order[:-8]].to_numpy()).mean())
    assert min(ahead) > 0.31 and max(ahead) < 0.35
