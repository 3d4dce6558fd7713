"""What notebook 09 says of the public leaderboard: its own cells, run on real data."""

import ast
import json
import re
import warnings
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

import irstd

pytestmark = pytest.mark.night  # it runs the lesson twice
NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "09_leaderboards.ipynb"
CELLS = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
GAPS = {  # lines of the table: how the gaps are filled, and which they are
    "five of 15 missing at random: mean of what is there": ("mean", "any"),
    "Borda, zero votes": ("zero", "any"),
    "Borda, shares": ("share", "any"),
    "additive": ("additive", "any"),
    "mean z": ("z", "any"),
    "each model's worst five missing: mean z": ("z", "worst"),
}


def printed_rows():
    """The lines of the table at the end, from the second column on, by the first."""
    lines = "\n".join("".join(cell["source"]) for cell in CELLS).splitlines()
    rows = {}
    for line in lines:
        name, *values = line.strip("| ").split(" | ")
        if line.startswith("| ") and len(values) >= 2:
            rows[name] = values
    return rows


def numbers(text):
    return [float(number) for number in re.findall(r"\d*\.?\d+", text)]


@pytest.fixture(scope="module", params=["sim", "real"])
def lesson(request):
    """What the cells leave behind, up to the exercises, and which column of the table it is."""
    if request.param == "real":
        folder = request.getfixturevalue("trec_data")
        if not (folder / "mteb" / "en-retrieval.jsonl").exists():
            pytest.skip("needs the archived leaderboard")
    return run_cells(request.param), ["sim", "real"].index(request.param)


def run_cells(data):
    """The names that the cells leave behind on the simulated or the real leaderboard."""
    names = {}
    sources = ["".join(cell["source"]) for cell in CELLS if cell["cell_type"] == "code"]
    chooses = ['data = "sim"' in source for source in sources]
    assert sum(chooses) == 1
    exercises = sources.index("answer = ...")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of an epsilon: one real model has a score of 0
        for source in sources[:exercises]:
            code = source.replace('data = "sim"', f'data = "{data}"')
            if not code.startswith(("predict(", "explore(")):
                exec(compile(ast.parse(code), str(NOTEBOOK), "exec"), names)
                plt.close("all")
    return names


def table_of(names):
    """The lines of the table, of what the cells leave behind."""
    trials = names["trials"]
    mean = trials.mean()
    error = trials.sem()
    n_models = len(names["span"])
    found = {
        "models and data sets": names["board"].shape[::-1],
        "largest and smallest influence": names["influence"].agg(["max", "min"]),
        "tau with the truth, no gaps": [names["no_gaps"]],
        "median span of the intervals of ranks": [names["span"].median(), n_models],
        "group that holds the best, with 95%": [names["best"], n_models],
        "neighbours that differ significantly": [names["p"].sum(), len(names["p"])],
        "places moved against sd, against what it says alone: r": names["r"][["sd", "says alone"]],
        "lower model ahead, 1 and 8 places apart": [names["ahead"][1], names["ahead"][8]],
        "pairs of the first half that swap: z, Borda, factors, mean": names["came"].values(),
        "tau of halves, raw and z": names["agree"].mean()[["raw", "z"]],
        "and places that those with gaps gain by it": [mean.loc["z", ("worst", "gain")]],
        "five of the hardest missing: places gained by additive, z, shares": mean.loc[
            ["additive", "z", "share"], ("hard", "gain")
        ],
    }
    for name, (way, kind) in GAPS.items():
        column = (kind, "tau")
        found[name] = [mean.loc[way, column], error.loc[way, column]]
    return found


def decimals(text):
    """With how many decimals the numbers of a cell are printed, at most."""
    return max((len(digits) for digits in re.findall(r"\.(\d+)", text)), default=0)


def test_the_table_of_simulated_and_public_numbers(lesson):
    names, column = lesson
    found = table_of(names)
    if column == 0:
        controls = names["controls"].values()
        found["8 places, in the world; in data sets of 100 queries"] = controls
        found["what halves of a data set's queries say alone: r"] = [sum(names["same"]) / 15]
        right = names["counts"]["right"] / names["counts"]["pairs"]
        shares = right[["significant", "largest"]]
        found["significant neighbours in the right order; as many of the largest leads"] = shares
    rows = printed_rows()
    for name, values in found.items():
        printed = rows[name][column]
        error = 0.51 * 10 ** -decimals(printed)
        assert list(values) == pytest.approx(numbers(printed), abs=error), name


def test_controls(lesson):
    """Neighbours on shuffled boards; what a data set says alone beside its spread."""
    names, column = lesson
    for board in names["shuffled"]:
        assert not names["neighbours"](board).any()
    assert names["r"]["says alone"] > names["r"]["sd"] + 0.2
    if column == 0:
        raw = names["moves"]
        z = names["movement"](irstd.standardize(names["board"], method="z"))
        for moves in (raw, z):
            alone = moves["says alone"]
            assert alone.max() / alone.min() == pytest.approx(1.8, abs=0.05)


def test_eight_places_on_data_sets_that_no_board_has_seen(lesson):
    names, column = lesson
    if column == 1:
        pytest.skip("of the public board all data sets are seen")
    world = names["world"]
    ahead = []
    for seed in range(1, 31):
        board = world.sample(15, random_state=seed)
        order = board.mean().sort_values(ascending=False).index
        unseen = world.drop(index=board.index)
        upper = unseen[order[:-8]].to_numpy()
        lower = unseen[order[8:]].to_numpy()  # eight places below
        ahead.append((lower > upper).mean())
    assert min(ahead) > 0.31
    assert max(ahead) < 0.35
