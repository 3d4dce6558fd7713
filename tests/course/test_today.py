"""The tables of the page on lesson 10 are of its stored numbers, and these come again."""

import warnings

import numbers_of_today
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from public.rows import stored
from texts import read_page

import irstd
from data import today

PAGE = read_page("pages/how_far/10_today")
NEW = ["DL 2019", "DL 2020", "DL 2021", "MTEB", "2019 by models", "2020 by models"]
MARKS = {"holds": "+", "fails": "x", "open": "?"}
WAYS = {
    "ours-central": "one reference",
    "ours-groups": "groups halved",
    "ours-runs": "runs halved",
}
FORMS = {
    "": "standardized",
    "-raw": "raw",
    "-less-raw": "less raw",
    "-less-center": "less centered",
}
PLACES = {
    "law_on_other_collections": "thirteen other collections",
    "law_on_fifties": "Robust 2004, where the rule was found",
    "law_on_collections_named_before": "four, named before the test",
}
TEAMS = ["teams", "g", "d", "raw", "two", "normal", "one pivot", "worst pivot"]


def numbers(function):
    """What a function of public/lesson_10.py found, a row for each design."""
    rows = stored().query("lesson == '10' and function == @function")
    parts = rows["name"].str.rpartition(": ")
    table = rows.assign(design=parts[0], number=parts[2])
    return table.pivot(index="design", columns="number", values="value")


def wide(column="value"):
    """All values, or errors, but those of metrics: a row for each collection."""
    table = today.values().query("kind in @today.KINDS")
    return table.pivot(index=["kind", "data"], columns="claim", values=column)


def cell(row):
    digits = 2 if row["se"] < 1 else 1
    return f"{row['value']:.{digits}f} ({row['se']:.{digits}f}) {MARKS[row['verdict']]}"


def all_values():
    """Values with their errors and marks on new collections, tallies of old ones."""
    table = today.verdicts()
    new = table.query("age == 'new'")
    new = new.assign(cell=[cell(row) for _, row in new.iterrows()])
    shown = new.pivot(index="claim", columns="data", values="cell")[NEW]
    for kind in ("old AP", "old nDCG"):
        verdicts = table.query("kind == @kind").groupby("claim")["verdict"]
        tally = verdicts.agg(lambda v: "/".join(str((v == each).sum()) for each in MARKS_ORDER))
        shown[kind] = tally
    names = today.CLAIMS | {"judges": "another judge: dRMSE much lower"}
    limits = [rule.replace(f"{today.ALIKE:.4f}", "0.17") for rule in today.rules().values()]
    shown = shown.reindex(list(today.rules()))
    shown.insert(0, "limit", limits)
    return shown.rename(index=names).fillna("")


MARKS_ORDER = ("holds", "open", "fails")


def behind():
    """What stands behind the first line: other references, and other ways to mend scores."""
    values, errors = (
        wide(column).rename(columns={"wmz08-central": "ours-central"}) for column in ("value", "se")
    )
    old = values.index.get_level_values("kind").str.startswith("old")
    names = {way + form: f"{WAYS[way]}: {FORMS[form]}" for way in WAYS for form in FORMS}
    names |= {"wmz08-halves": "halves: standardized over raw", "ours-halves-shuffled": "shuffled"}
    rows = {}
    for claim, name in names.items():
        v, e, less = values[claim], errors[claim], "less" in claim
        star = less & (v < -2 * e)
        cells = [f"{a:.2f} ({b:.2f})" + "\\*" * s for a, b, s in zip(v, e, star, strict=True)]
        rows[name] = pd.Series(cells, values.index)[~old].droplevel("kind")
        rows[name]["22 old"] = f"{v[old].median():.2f}" + less * f", {star[old].sum()} \\*"
    table = pd.DataFrame(rows).T[[*NEW, "22 old"]]
    return table.replace({"nan": "", "nan, 0 \\*": ""})


def law():
    """Designs near the law, and beyond 1.4 those with a larger break-even."""
    rows = {}
    for function, name in PLACES.items():
        found = numbers(function)
        small = found["g"] <= 1.4
        near = (found["break-even"] - found["g"]).abs() <= 0.3
        larger = found["break-even"] >= found["g"]
        rows[name] = [f"{near[small].sum()} of {small.sum()}"]
        rows[name].append(f"{larger[~small].sum()} of {(~small).sum()}")
        rows[name].append(f"{(found['topic'] - found['two']).mean():.3f}")
    columns = ["near the law, up to 1.4", "larger, beyond", "wrong pairs: topics less two numbers"]
    return pd.DataFrame(rows, columns).T


def rounds():
    found = numbers("trec_covid")
    found = found[found.index.str.startswith("ndcg")][TEAMS]
    shown = found.map(lambda x: f"{x:.2f}")
    return shown.assign(teams=found["teams"].astype(int)).rename(lambda x: x.split(", ")[1])


def bounded():
    found = numbers("bounded_scores").sort_values("level")
    columns = {name: f"z {name}" for name in ("trend", "null", "low", "high")}
    table = found[["level", *columns.values()]].set_axis(["mean score", *columns], axis=1)
    return table.map(lambda x: f"{x:.2f}")


def metrics():
    table = today.values().query("kind == 'metric'")
    value, se = (table.pivot(index="data", columns="claim", values=x) for x in ("value", "se"))
    shown = value[["ours-level", "wmz08-skewed", "hcmv10-f5-z"]].dropna()
    shown = shown.set_axis(["mean score", "skewness", "trend after z"], axis=1)
    return shown.assign(error=se["hcmv10-f5-z"]).map(lambda x: f"{x:.2f}")


TABLES = {
    "claim": all_values,
    "wrong pairs": behind,
    "designs on": law,
    "TREC-COVID": rounds,
    "matrix": bounded,
    "collection": metrics,
}


def as_lines(first, table):
    """A table as the page has it."""
    yield f"| {first.strip()} | {' | '.join(table.columns)} |"
    yield "|" + "---|" * (table.shape[1] + 1)
    for name, cells in table.iterrows():
        yield f"| {name} | {' | '.join(map(str, cells))} |"


@pytest.mark.parametrize("first", TABLES)
def test_the_tables_of_the_page(first):
    assert "\n".join(as_lines(first, TABLES[first]())) in PAGE


def test_the_two_gaps_of_the_lesson_s_picture():
    """Of 18 collections; how many pairs lie near the law, the page's table says."""
    laws = pd.concat([numbers(function) for function in PLACES])
    assert laws.index.str.partition(",").get_level_values(0).nunique() == 18
    above, next_one = laws["break-even"][laws["g"] <= 1.4].nlargest(2)
    assert (round(above, 1), next_one < 3) == (3.5, True)


def test_ties_of_new_collections_differ_less_often_than_by_chance():
    ties = wide()[["ours-ties-paired", "ours-ties"]].loc["new"]
    assert (ties["ours-ties-paired"] < 0.05 * ties["ours-ties"]).all()


def test_the_limits_judge_as_the_ledger_does():
    for rule in today.rules().values():
        for value in np.linspace(-2, 12, 50):
            agrees = today.book.verdict(rule, "", value) == "agrees"
            assert (today.off(rule, value) > 0) == agrees


def test_each_half_is_standardized_by_itself():
    scores = irstd.load_dataset("sim-trec8")
    half = np.arange(scores.shape[1]) % 2 == 0
    assert_allclose(
        numbers_of_today.by_halves(scores, half)[0][:, half], irstd.standardize(scores.loc[:, half])
    )


@pytest.mark.release
@pytest.mark.usefixtures("trec_data")
def test_the_table_is_what_the_functions_give():
    """All values; the errors, which take long, of one data set."""
    kept_values = today.values().set_index(["kind", "data", "claim"])
    n, seen = numbers_of_today, 0
    with warnings.catch_warnings(action="ignore"):  # of topics without a scale
        for kind, data, x, function, grouped in [*n.new_data(), *n.old_data()]:
            value = function(x)
            kept, seen = kept_values.loc[(kind, data)].loc[value.index], seen + len(value)
            assert_allclose(kept["value"], value, rtol=6e-4, atol=1e-9, err_msg=data)
            if data == "DL 2019":
                found = n.answers(kind, data, x, function, grouped).set_index("claim")
                kept = kept[["se_topics", "se_groups", "df"]]
                assert_allclose(kept, found[[*kept]], rtol=6e-4, atol=1e-9)
    assert seen == len(kept_values)
