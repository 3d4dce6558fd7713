"""What notebook 09 says of the public leaderboard: its own cells, run on real data."""

import ast
import json
import re
import warnings
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest
from scipy import stats

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
        "neighbours that differ significantly": [(names["p"] <= 0.05).sum(), len(names["p"])],
        "factors of ten models: tau, 5th percentile": [
            names["sampled"].query("size == 10")["tau"].quantile(0.05)
        ],
        "tau of halves, raw and z": names["agree"].mean()[["raw", "z"]],
        "and places that those with gaps gain by it": [mean.loc["z", ("worst", "gain")]],
    }
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


def test_ways_to_rank_with_gaps_are_far_apart_beside_their_standard_errors(lesson):
    trials = lesson[0]["trials"]
    tau, error = (t.xs("tau", axis=1, level=1) for t in (trials.mean(), trials.sem()))
    for kind in ("any", "hard"):
        for good in ("share", "additive", "z"):
            for bad in ("mean", "zero"):
                both = np.hypot(error.loc[good, kind], error.loc[bad, kind])
                assert tau.loc[good, kind] - tau.loc[bad, kind] > 5 * both
    gain = trials.mean().xs("gain", axis=1, level=1)
    assert (gain.loc[["share", "additive", "z"], "worst"] > 4).all()
    assert (gain.loc["zero"] < -10).all()


def test_standardizing_does_not_make_halves_agree_better(lesson):
    """By scipy's tau, on other splits than those of the lesson."""
    board, rng, ahead = lesson[0]["board"].to_numpy(), np.random.default_rng(1), []
    z = stats.zscore(board, axis=1, ddof=1)
    for _ in range(200):
        c, d = np.split(rng.permutation(len(board))[:14], 2)
        raw, standard = (stats.kendalltau(t[c].mean(0), t[d].mean(0))[0] for t in (board, z))
        ahead.append(standard - raw)
    assert -0.02 < np.mean(ahead) < 0.002


def test_intervals_hold_the_true_rank_in_the_simulation(lesson):
    """The truth is the mean over the 50 data sets that the leaderboards are drawn from."""
    names, column = lesson
    if column == 0:
        held = {n: names["held"](n, 30) for n in (5, 15, 50)}
        assert held == pytest.approx({5: 0.85, 15: 0.935, 50: 0.965}, abs=0.025)
