"""The numbers of notebook 10: what its text says of them, and whether they come out again."""

import json
import re
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.multitest import multipletests

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
DEFINES = "def |import re|TWO"
NEW = ["DL 2019", "DL 2020", "MTEB", "2019 by models", "2020 by models"]


def run(starts):
    """What the cells define that start so."""
    cells, names = json.loads((NOTEBOOKS / "10_today.ipynb").read_text("utf-8"))["cells"], {}
    sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    for source in filter(re.compile(starts).match, sources):
        exec(source, names)
    return names


def test_what_the_text_says_follows_from_the_table(monkeypatch):
    monkeypatch.chdir(NOTEBOOKS)
    n = run(f"{DEFINES}|CLAIMS|stored|full|table|asked")
    told = n["table"].pivot(index="claim", columns="data", values="verdict").drop("judges")
    new, old = told[NEW], told.drop(columns=NEW)
    assert told.shape == (17, 27) and (told == "?").sum().sum() > 0.7 * told.size
    assert (told.loc["wmz08-halves"] == "holds").all()
    assert (new.loc["wmz08-central"] == "holds").all()
    assert (old.loc["wmz08-central"] == "holds").sum() == 21
    assert (new.loc["hcmv10-common"] == "fails").all()
    assert (told.loc[["rm08-lead", "rm08-stable", "hcmv10-f5-z"]] != "holds").all(axis=None)
    assert (new.loc["hcmv10-f5-z"] == "?").all()
    assert set((new == "?").sum()) == {12, 13, 14}
    p = np.random.default_rng(0).random(17) ** 5
    np.testing.assert_allclose(n["holm"](p).clip(max=1), multipletests(p, method="holm")[1])
    value, error = n["wide"], n["error"]
    less = {name: value[name] < -2 * error[name] for name in value.filter(like="-less-")}
    saved = pd.DataFrame(less).groupby("kind").sum()
    assert (value["ours-central-raw"] < 2**0.5).sum() == 17
    assert saved["ours-central-less-raw"].agg(["sum", "min"]).to_list() == [22, 2]
    assert saved["ours-central-less-centre"].sum() == 1
    assert value.index[less["ours-groups-less-raw"]].to_list() == [("new", "MTEB")]
    beyond = value["ours-halves-shuffled"] - value["wmz08-halves"]
    assert value["ours-halves-shuffled"].max() < 1 and beyond.idxmax() == ("new", "MTEB")
    ties = value[["ours-ties-paired", "ours-ties"]]
    assert ties.loc["new"].to_numpy().tolist() == [[0, 131], [6, 280], [22, 4316]]
    share = ties["ours-ties-paired"] / ties["ours-ties"]
    assert share.groupby("kind").max().round(2).to_list() == [0.09, 0.02, 0.35, 0.34]


def simulated(seed):
    """Sixteen groups of four runs: all seeds have the topics in common, and nothing else."""
    same, rng = np.random.default_rng(0), np.random.default_rng([1, seed])
    of_group = rng.normal(0, 0.5, 16) + rng.normal(0, 0.5, (50, 16))
    of_run = rng.normal(0, 0.2, 64) + rng.normal(0, 0.6, (50, 64))
    logits = same.normal(-1, 1, (50, 1)) + np.repeat(of_group, 4, axis=1) + of_run
    runs = [f"{'abcdefghijklmnop'[k // 4]}{k}" for k in range(64)]
    return pd.DataFrame(1 / (1 + np.exp(-logits)), [f"t{k}" for k in range(50)], runs)


@pytest.mark.night
def test_errors_over_groups_are_those_of_new_groups():
    """The jackknife of four draws over what sixty draws do."""
    n = run(f"{DEFINES}|CLAIMS")
    really = pd.DataFrame([n["ask"](simulated(k)) for k in range(60)]).std()
    errors = [n["left_out"](x, n["parts_of"](x, True)[1], 1) for x in map(simulated, range(4))]
    careful = ((pd.DataFrame(errors) ** 2).mean() ** 0.5 / really)[[*n["CLAIMS"]]]
    assert careful.quantile([0, 0.5, 1]).round(1).to_list() == [0.8, 1.1, 1.8]


@pytest.mark.night
@pytest.mark.usefixtures("trec_data")
def test_the_table_is_what_the_functions_give():
    """All values; the errors, which take long, of one data set."""
    stored = pd.read_csv(NOTEBOOKS / "today.csv").set_index(["kind", "data", "claim"])
    n, seen = run(DEFINES), 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of topics without a scale
        for kind, data, x, function, grouped in [*n["new_data"](), *n["old_data"]()]:
            value = function(x)
            kept, seen = stored.loc[(kind, data)].loc[value.index], seen + len(value)
            np.testing.assert_allclose(kept["value"], value, rtol=6e-4, atol=1e-9, err_msg=data)
            if data == "DL 2019":
                found = n["answers"](kind, data, x, function, grouped).set_index("claim")
                kept = kept[["se_topics", "se_groups", "df"]]
                np.testing.assert_allclose(kept, found[[*kept]], rtol=6e-4, atol=1e-9)
    assert seen == len(stored)
