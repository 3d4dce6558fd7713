"""Wrong arguments are refused by every public function that takes them: above all, wrong words.

Which these are is read from the signatures: a new function, or a new argument that takes a
word, is asked as soon as it is there.
"""

import functools
import inspect
from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest
from test_metamorphic import CASES, EXAMPLE

import irstd
from irstd._base.arguments import _suggest_choice
from tests.public_names import ROOMS, public

RUN = {"1": {"a": 2.0, "b": 1.0}}
QRELS = {"1": {"a": 1, "b": 0}}
OF_ONE_MODEL = EXAMPLE.add_prefix("m-")

# A call that is right, of functions that have no case, or one that does not come to all arguments.
CALLS = {
    "break_ties": ([EXAMPLE], {"method": "z"}),
    "compare_labels": ([QRELS, QRELS], {}),
    "documentation_campaign": ([], {}),
    "evaluate": ([{"r": RUN}, QRELS], {}),
    "explore": ([EXAMPLE], {}),
    "list_datasets": ([], {}),
    "load_dataset": (["sim-trec8"], {}),
    "load_factors": (["trec8", "AP"], {}),
    "name_seeds": ([OF_ONE_MODEL, r"(?P<system>.*)-s(?P<seed>\d+)"], {}),
    "paired_test": ([EXAMPLE["s0"], EXAMPLE["s1"]], {"method": "randomization", "trials": 9}),
    "pairwise_tests": ([EXAMPLE], {"method": "bootstrap", "trials": 9}),
    "read_scores": ([EXAMPLE], {}),
    "semicircle_bound": ([0.3], {}),
    "simulate_campaign": ([], {}),
    "split_topics": ([12], {}),
}
ELSEWHERE = "check solution".split()  # of exercises: tests/course
ELSEWHERE += (
    "read_qrels read_run read_runs write_qrels write_run write_scores".split()
)  # tests/trec
# Arguments whose word may be any: a new name, an address of files, a text to search for.
ANY_WORD = {
    ("evaluate", "runs"), ("evaluate", "qrels"), ("read_scores", "source"),
    ("standardization_factors", "metric"),
    ("compare_across", "ours"),
}  # fmt: skip


def functions():
    """The public functions that are asked here, by name."""
    found = {}
    for name, function in public().items():
        if callable(function) and not inspect.isclass(function) and name not in ELSEWHERE:
            found[name] = function
    return found


def arguments_that_take_a_word():
    for name, function in functions().items():
        for argument, parameter in inspect.signature(function).parameters.items():
            if "str" in str(parameter.annotation) and (name, argument) not in ANY_WORD:
                yield name, argument


@functools.cache
def right_call(name):
    """The arguments of a right call, by position and by name: as its case has them."""
    if name in CALLS:
        return CALLS[name]
    place = irstd if name in irstd.__all__ else next(room for room in ROOMS if hasattr(room, name))
    with patch.object(place, name, side_effect=functions()[name]) as spy:
        CASES[name](EXAMPLE, 1.0)
    return spy.call_args_list[0]


def call(name, **changed):
    """The right call of a function, with some arguments changed."""
    function = functions()[name]
    positional, named = right_call(name)
    bound = inspect.signature(function).bind(*positional, **named)
    bound.arguments |= changed
    return function(*bound.args, **bound.kwargs)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "argument"), list(arguments_that_take_a_word()))
def test_a_word_that_names_nothing_is_refused(name, argument):
    if name != "simulate_campaign":  # a second, and asked elsewhere
        call(name)
    with pytest.raises((ValueError, TypeError)) as caught:
        call(name, **{argument: "no such word"})
    said = str(caught.value)
    assert "no such word" in said or argument in said, said


NO_NAMES = ["welch", pd.NA, [1], 1, np.array(["z", "max"])]
WRONG = {
    "alpha": [5, 0, np.nan, "0.05", True],
    "epsilon": [-1, np.nan, "0.1", True],
    "seed": [-1, 1.5, None, True],
    "equal_var": [*NO_NAMES, None],
} | dict.fromkeys(
    "method zero_sd alternative center statistic judged_on scheme aggregate adjust".split(),
    NO_NAMES,
)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("word", WRONG)
def test_an_argument_is_checked_in_every_function_that_takes_it(word):
    taken = []
    for name, function in functions().items():
        if word in inspect.signature(function).parameters:
            taken.append(name)
    assert taken
    for name in taken:
        for value in WRONG[word]:
            with pytest.raises((TypeError, ValueError), match=f"^{word} must be"):
                call(name, **{word: value})
        if word == "seed" and name != "simulate_campaign":
            assert str(call(name, seed=3)) == str(call(name, seed=np.random.default_rng(3)))


@functools.cache
def choices_of():
    """The choices of every argument that takes one of a few words, by function and argument."""
    found = {}
    for name, argument in arguments_that_take_a_word():
        with patch("irstd._base.arguments._suggest_choice", return_value="") as spy:
            with pytest.raises((ValueError, TypeError)):
                call(name, **{argument: "no such word"})
            if spy.called:
                found[name, argument] = set(spy.call_args.args[1])
    return found


MEANT = {  # by what is typed: the choice, None where none means the same
    "bh": "fdr_bh", "benjamini-hochberg": "fdr_bh", "FDR": "fdr_bh", "fdr-by": "fdr_by",
    "holm-bonferroni": "holm", "holm_sidak": "holm-sidak", "zscore": "z", "z-score": "z",
    "cdf": "normal", "Normal": "normal", "ttest": "t", "t-test": "t",
    "permutation": "randomization",
    "kendall": "tau", "brown-forsythe": "levene", "levene_median": "levene", "tuckey": "tukey",
    "two_sided": "two-sided", "hsd": "tukey",
    "spearman": None, "one-sided": None, "welch": None, "anova": None, "ks": None, "mcnemar": None,
    "friedman": None, "nemenyi": None, "dunnett": None, "mean": None, "less or greater": None,
}  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("typed", MEANT)
def test_a_hint_is_the_choice_that_means_the_same(typed):
    for choices in choices_of().values():
        hint = _suggest_choice(typed, choices - {typed})
        assert hint == (MEANT[typed] if MEANT[typed] in choices else ""), (typed, choices)


@pytest.mark.filterwarnings("ignore")
def test_no_choice_is_taken_for_a_misspelling_of_another():
    everything = set().union(*choices_of().values())
    for choices in choices_of().values():
        for other in everything - choices:
            assert not _suggest_choice(other, choices), (other, choices)
