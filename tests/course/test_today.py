"""The numbers of notebook 10: what its text says of them, and whether they come out again."""

import json
import re
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
DEFINES = "def |import re|TWO|FAMILIES"
NEW = ["DL 2019", "DL 2020", "DL 2021", "MTEB", "2019 by models", "2020 by models"]


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
    assert told.shape == (17, 28) and (told == "?").sum().sum() > 0.7 * told.size
    assert (told.loc["wmz08-halves"] == "holds").all()
    assert (new.loc["wmz08-central"] == "holds").all()
    assert (old.loc["wmz08-central"] == "holds").sum() == 21
    assert (new.loc["hcmv10-common"] == "fails").all()
    assert (told.loc[["rm08-lead", "rm08-stable", "hcmv10-f5-z"]] != "holds").all(axis=None)
    assert (new.loc["hcmv10-f5-z"] == "?").all()
    assert set((new == "?").sum()) == {12, 13, 14}
    saved = n["wide"]["ours-groups-less-raw"] < -2 * n["error"]["ours-groups-less-raw"]
    assert saved[saved].index.to_list() == [("new", "MTEB")]


@pytest.mark.release
@pytest.mark.usefixtures("trec_data")
def test_the_table_is_what_the_functions_give():
    """All values; the errors, which take long, of one data set."""
    stored = pd.read_csv(NOTEBOOKS / "data" / "today.csv").set_index(["kind", "data", "claim"])
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
