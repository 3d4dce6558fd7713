"""The numbers of notebook 10: what its text says of them, and whether they come out again."""

import warnings

import numpy as np
import pandas as pd
import pytest
import today

NEW = ["DL 2019", "DL 2020", "MTEB", "2019 by models", "2020 by models"]


def test_what_the_text_says_follows_from_the_table(monkeypatch):
    monkeypatch.chdir(today.NOTEBOOKS)
    table = today.functions("def |import numpy|CLAIMS|stored|full|asked")["table"]
    told = table.pivot(index="claim", columns="data", values="verdict").drop("judges")
    new, old = told[NEW], told.drop(columns=NEW)
    assert told.shape == (17, 27)
    assert (told.loc["wmz08-halves"] == "holds").all()
    assert (new.loc["wmz08-central"] == "holds").all()
    assert (old.loc["wmz08-central"] == "holds").sum() == 21
    assert (new.loc["hcmv10-common"] == "fails").all()
    assert (told.loc[["rm08-lead", "rm08-stable", "hcmv10-f5-z"]] != "holds").all(axis=None)
    assert (new.loc["hcmv10-f5-z"] == "?").all()
    assert set((new == "?").sum()) == {12, 13, 14}
    assert (told == "?").sum().sum() > 0.7 * told.size


@pytest.mark.night
@pytest.mark.usefixtures("trec_data")
def test_the_table_is_what_the_functions_give():
    """All values; the errors, which take long, of one data set."""
    n, stored = today.functions(), pd.read_csv(today.TABLE).set_index(["kind", "data", "claim"])
    seen = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of topics without a scale
        for kind, data, *rest in today.matrices(n["ask"], n["on_scores"], n["on_judges"]):
            value = rest[1](rest[0])
            kept, seen = stored.loc[(kind, data)].loc[value.index], seen + len(value)
            np.testing.assert_allclose(kept["value"], value, rtol=6e-4, atol=1e-9, err_msg=data)
            if data == "DL 2019":
                found = today.answers(n["left_out"], kind, data, *rest).set_index("claim")
                kept = kept[["se_topics", "se_groups", "df"]]
                np.testing.assert_allclose(kept, found[[*kept]], rtol=6e-4, atol=1e-9)
    assert seen == len(stored)
