"""Wrong arguments are refused by every public function that takes them: above all, wrong words.

Which these are is read from the signatures: a new function, or a new argument that takes a
word, is asked as soon as it is there.
"""

import inspect

import numpy as np
import pandas as pd
import pytest

import irstd
from tests.public_names import public

SCORES = irstd.load_dataset("sim-trec8").iloc[:12, :14].copy()
OTHER = irstd.load_dataset("sim-robust2003").iloc[:12, :14].set_axis(SCORES.columns, axis=1)
THIRD = OTHER.set_axis([f"x{k}" for k in range(12)])
PAIR = {"c": SCORES, "d": OTHER}
BOTH = pd.concat({"people": SCORES, "model": SCORES**2}, axis=1, names=["judge", "system"])
SEEDS = SCORES.iloc[:, :4].set_axis(
    pd.MultiIndex.from_product([["x", "y"], ["1", "2"]], names=["system", "seed"]), axis=1
)
OF_ONE_MODEL = SCORES.set_axis([f"m-s{k}" for k in range(14)], axis=1)
METRICS = irstd.load_dataset("sim-trec8", ["AP", "RR"])
ONE, TWO = SCORES.iloc[:, 0], SCORES.iloc[:, 1]
RUN = {"1": {"a": 2.0, "b": 1.0}}
QRELS = {"1": {"a": 1, "b": 0}}
first, second = SCORES.columns[:2]
GROUPS = pd.Series(["x", "y"] * 6, SCORES.index)

# A call of each function that is right, by position and by name.
CALLS = {
    "borda": ([SCORES], {}),
    "interval": ([SCORES, lambda scores: scores.mean().max()], {"trials": 20}),
    "item_total_correlation": ([SCORES], {}),
    "logit": ([SCORES, 0.01], {}),
    "spread_trend": ([SCORES], {"trials": 20}),
    "break_ties": ([SCORES], {"method": "z"}),
    "check": None,  # of exercises: tests/course
    "solution": None,  # the same
    "combine_collections": ([PAIR | {"e": THIRD}, first, second], {}),
    "compare_across": ([ONE, OTHER.iloc[:, 1], (SCORES, OTHER)], {}),
    "compare_collections": ([PAIR], {}),
    "compare_judges": ([BOTH], {"reference": "people"}),
    "compare_labels": ([QRELS, QRELS], {}),
    "comparison_table": ([SCORES, first], {}),
    "detectable_difference": ([SCORES], {}),
    "discriminative_power": ([SCORES], {}),
    "drmse": ([SCORES, OTHER], {}),
    "evaluate": ([{"r": RUN}, QRELS], {}),
    "explore": ([SCORES], {}),
    "f_test": ([ONE, TWO], {}),
    "factor_sampling": ([SCORES, SCORES], {"sizes": [3], "trials": 2}),
    "false_positives": ([SCORES, OTHER], {}),
    "gmap": ([SCORES], {}),
    "gmap_curve": ([SCORES, [0.01]], {"trials": 2}),
    "group_differences": ([SCORES, first, second, GROUPS], {}),
    "leaderboard": ([SCORES], {}),
    "levene_test": ([ONE, TWO], {}),
    "list_datasets": ([], {}),
    "load_dataset": (["sim-trec8"], {}),
    "name_seeds": (
        [SCORES.set_axis([f"m-s{k}" for k in range(14)], axis=1), r"(?P<system>.*)-s(?P<seed>\d+)"],
        {},
    ),
    "paired_levene_test": ([ONE, TWO], {}),
    "paired_test": ([ONE, TWO], {"method": "randomization", "trials": 9}),
    "pairwise_tests": ([SCORES], {"method": "bootstrap", "trials": 9}),
    "rank_correlation": ([ONE, TWO], {}),
    "rank_intervals": ([SCORES], {"trials": 10}),
    "read_qrels": None,  # files: tests/trec
    "read_run": None,
    "read_runs": None,
    "read_scores": ([SCORES], {}),
    "rectify": ([SCORES.iloc[:6], SCORES], {}),
    "rmse": ([SCORES, OTHER], {}),
    "seed_test": ([SEEDS, "x", "y"], {}),
    "semicircle_bound": ([0.3], {}),
    "share_above": ([SCORES, 0.1], {}),
    "simulate_campaign": ([], {}),
    "documentation_campaign": ([], {}),
    "split_experiment": ([SCORES, irstd.split_topics(12, trials=2)], {}),
    "split_topics": ([12], {}),
    "spread": ([SCORES], {}),
    "standardization_factors": ([SCORES], {}),
    "standardize": ([SCORES], {}),
    "swap_rate": ([SCORES], {"sizes": [3], "trials": 2}),
    "topic_difficulty": ([SCORES], {}),
    "topic_influence": ([SCORES], {}),
    "topics_needed": ([SCORES.iloc[:, :2], 0.1], {}),
    "variance_components": ([SCORES], {}),
    "write_qrels": None,
    "write_run": None,
    "write_scores": None,
}
# Arguments whose word may be any: a new name, an address of files, a text to search for.
ANY_WORD = {
    ("evaluate", "runs"), ("evaluate", "qrels"), ("read_scores", "source"),
    ("standardization_factors", "metric"),
    ("compare_across", "ours"),
}  # fmt: skip


def arguments_that_take_a_word():
    for name, function in public().items():
        if inspect.isclass(function) or not callable(function) or CALLS.get(name) is None:
            continue
        for argument, parameter in inspect.signature(function).parameters.items():
            if "str" in str(parameter.annotation) and (name, argument) not in ANY_WORD:
                yield name, argument


def test_every_public_function_has_its_call():
    functions = public().items()
    names = {name for name, value in functions if callable(value) and not inspect.isclass(value)}
    assert names == set(CALLS)


def call(name, **changed):
    """The right call of a function, with some arguments changed."""
    function = public()[name]
    positional, named = CALLS[name]
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
    names = [name for name, right in CALLS.items() if right]
    taken = [name for name in names if word in inspect.signature(public()[name]).parameters]
    assert taken
    for name in taken:
        for value in WRONG[word]:
            with pytest.raises((TypeError, ValueError), match=f"^{word} must be"):
                call(name, **{word: value})
        if word == "seed" and name != "simulate_campaign":
            assert str(call(name, seed=3)) == str(call(name, seed=np.random.default_rng(3)))


@pytest.mark.parametrize("answer", ["text", None, 1j, [1, 2], {"a": "text"}, np.array([[1.0]])])
def test_a_function_that_returns_no_number_is_refused(answer):
    with pytest.raises((TypeError, ValueError), match="number"):
        irstd.resample.interval(SCORES, lambda scores: answer, trials=20)
    with pytest.raises((TypeError, ValueError), match="mine"):
        irstd.evaluate({"r": RUN}, QRELS, {"mine": lambda grades: answer})
