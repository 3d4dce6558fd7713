"""Lesson 02: what no cell of it prints."""

import pandas as pd
from how_far import in_the_table
from ladder import signs, steps, wrong
from numpy.testing import assert_allclose

import irstd


def test_the_worst_of_a_hundred_draws_of_five():
    """By other draws than those of figure 4."""
    original = irstd.load_dataset("sim-robust2003").loc["601":"650"]
    later = irstd.load_dataset("sim-robust2004-all").loc[original.index]
    taus = irstd.factor_sampling(later, original, sizes=[5], trials=1000)["tau"]
    assert_allclose(taus.quantile(0.01), in_the_table("02", "tau by five", 0), atol=0.02)


def test_pairs_of_two_labs_in_the_right_order(trec_data):
    """Raw, less one mean, and standardized; here a cell prints them."""
    later = irstd.load_dataset("robust2004")
    sides = [later.loc["601":"650"], later.loc["351":"400"]]
    quality = pd.concat([later.loc["401":"450"], later.loc["651":"700"]]).mean()
    common = sides[0].columns[::11]
    systems = sides[0].columns.difference(common)
    better = signs(quality[systems], quality[systems])
    forms = [steps(side, side[common]) for side in sides]
    found = []
    for way in ("raw", "one number", "standardized"):
        means = [form[way][systems].mean() for form in forms]
        found.append(1 - wrong(*means, better))
    assert_allclose(found, in_the_table("02", "pairs in the right order", 1), atol=0.0051)
