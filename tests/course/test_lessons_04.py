"""Lesson 04: what no cell of it prints, and what its second exercise asks."""

import re

import numpy as np
import pandas as pd
from how_far import in_the_table, source_of, text_of
from numpy.testing import assert_allclose
from scipy import stats

import irstd


def test_ties_of_public_systems_and_those_that_are_broken(trec_data):
    """Of the counts, tests/significance/test_spread.py."""
    scores = irstd.load_dataset("robust2004")
    raw, in_z = irstd.break_ties(scores), irstd.break_ties(scores, method="z")
    for what, count, of in (
        ("ties, raw", "ties", "pairs"),
        ("ties that Levene", "levene", "ties"),
        ("ties that the F", "f", "ties"),
    ):
        shares = [counts[count] / counts[of] for counts in (raw, in_z)]
        assert_allclose(shares, in_the_table("04", what, 1), atol=0.0051, err_msg=what)


def test_by_rr_better_systems_are_spread_less():
    scores = irstd.load_dataset("sim-robust2004-all", "RR")
    assert scores.mean().corr(scores.std()) < 0


def test_the_pairs_of_exercise_2_were_changed_where_its_answer_says_so():
    marked = source_of("04", "question-2-pairs")
    was_changed = []

    def changed(rng):
        was_changed.append(rng.random() < 0.5)
        return was_changed[-1]

    given = {"irstd": irstd, "np": np, "pd": pd, "changed": changed}
    exec(marked.replace("if rng.random() < 0.5:", "if changed(rng):"), given)
    expected = {row["value"] for row in irstd.exercises.read_exercises()["04.2"]["name"]}
    of_letter = zip(given["unseen"], was_changed, strict=True)
    assert {letter for letter, yes in of_letter if yes} == expected
    for letter, pair in given["unseen"].items():
        x, y = pair["first"], pair["second"]
        unpaired = [irstd.levene_test(x, y, center=center)[1] for center in ("mean", "median")]
        assert min(*unpaired, irstd.f_test(x, y)[1]) > 0.05, "independent samples show nothing"
        paired = irstd.paired_levene_test(x, y)[1]
        assert (paired <= 0.02) == (letter in expected)
        assert (paired > 0.1) == (letter not in expected)


def test_a_sentence_on_users_of_exercise_4_has_the_p_of_scipy():
    satisfied = irstd.load_dataset("sim-robust2004-all")[["late04g", "late03g"]] > 0.5
    only_one = satisfied[satisfied.sum(axis=1) == 1].sum()
    p = stats.binomtest(only_one.min(), only_one.sum()).pvalue
    assert re.search(rf"sign test [^()]*, p = {p:.3f}\)", text_of("04"))
