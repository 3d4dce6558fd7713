"""What does not matter, changes nothing: order, unit, names, kinds of numbers.

Of every public function that takes scores: whoever adds one adds it to CASES. Scores are as metrics
give them: shares, their sums, ties on the topics and in the means.
"""

import statistics
from functools import partial

import numpy as np
import pandas as pd
import pytest

import irstd
from irstd.standardize import METHODS as WAYS_TO_STANDARDIZE
from tests.public_names import public

NO_SCORES = set(
    """METRICS Factors check compare_labels evaluate explore
    list_datasets load_dataset load_factors name_seeds read_qrels read_run read_runs read_scores
    semicircle_bound simulate_campaign documentation_campaign solution split_topics
    write_qrels write_run
    write_scores""".split()  # write_scores: see the forms of files
)


def halves(scores):
    """The topics of the first four names, and the others, in the order that they have."""
    first_names = sorted(scores.index)[:4]
    first = scores.index.isin(first_names)
    return scores[first], scores[~first]


def two(scores):
    """The scores of two systems, by name."""
    first, second = sorted(scores.columns)[:2]
    return [scores[first], scores[second]]


def of_seeds(scores):
    """Four systems, by name, as two of two seeds."""
    pairs = pd.MultiIndex.from_product([list("ab"), list("12")], names=["system", "seed"])
    names = sorted(scores.columns)[:4]
    return scores[names].set_axis(pairs, axis=1)


def by_place(scores):
    """Positions of topics in splits, the same topics in any order."""
    positions = np.argsort(scores.index)
    splits = irstd.split_topics(len(scores), trials=6)
    return positions[splits]


OF_NO_UNIT = "erho2 phi topics_erho2 topics_phi erho2_low erho2_high".split()
# Columns of a leaderboard that are in the unit of the scores
IN_THE_UNIT = ["value", "mean", "low", "high", "sd", "gmap"]


def board_without_unit(scores, unit):
    board = irstd.leaderboard(scores, epsilon=0.01 * unit)
    board[IN_THE_UNIT] /= unit
    return board


def combined(scores, unit):
    first_half, second_half = halves(scores)
    others = scores.add_prefix("other ", axis=0)
    collections = {"c": first_half, "d": second_half, "e": others}
    first, second = sorted(scores.columns)[:2]
    collections = {name: irstd.standardize(part, method="z") for name, part in collections.items()}
    return irstd.combine_collections(collections, first, second)


def compared_across(scores, unit):
    references = halves(scores)
    first, second = (half[min(scores.columns)] for half in references)
    return irstd.compare_across(first, second, references=references).loc[["normal"]]


def compared_judges(scores, unit):
    both = pd.concat({"a": scores, "b": scores.iloc[:, ::-1] / 2}, axis=1)
    judges = irstd.judges.compare_judges(both, reference="a")
    return judges.drop(columns=["mean", "reference_mean"])


def means_of_halves(scores):
    first, second = halves(scores)
    return first.mean(), second.mean()


def seeds_tested(scores, unit):
    found = irstd.seeds.seed_test(of_seeds(scores), "a", "b")
    return found[["df", "pvalue"]]


# A call on scores in a unit, with an answer that does not depend on it.
CASES = {
    "borda": lambda s, unit: irstd.rankings.borda(s),
    "break_ties": lambda s, unit: irstd.break_ties(s, top=1.0),
    "combine_collections": combined,
    "compare_across": compared_across,
    "compare_collections": lambda s, unit: irstd.compare_collections(
        dict(zip("cd", halves(s), strict=True)), trials=9
    ),
    "compare_judges": compared_judges,
    "drmse": lambda s, unit: irstd.drmse(*halves(s)),
    "f_test": lambda s, unit: irstd.f_test(*two(s)),
    "factor_sampling": lambda s, unit: irstd.factor_sampling(s, s, sizes=[3], trials=5),
    "false_positives": lambda s, unit: irstd.false_positives(*halves(s))["pvalue"],
    "gmap": lambda s, unit: irstd.gmap(s, 0.01 * unit) / unit,
    "gmap_curve": lambda s, unit: irstd.gmap_curve(s, [0.01 * unit, np.inf], trials=5)["tau"],
    "item_total_correlation": lambda s, unit: irstd.rankings.item_total_correlation(s),
    "leaderboard": board_without_unit,
    "levene_test": lambda s, unit: irstd.levene_test(*two(s)),
    "logit": lambda s, unit: irstd.variability.logit(s / 32 / unit, 0.01),
    "paired_levene_test": lambda s, unit: irstd.paired_levene_test(*two(s)),
    "paired_test": lambda s, unit: tuple(irstd.paired_test(*two(s))),
    "comparison_table": lambda s, unit: irstd.comparison_table(s, min(s.columns)).marks,
    "pairwise_tests": lambda s, unit: irstd.pairwise_tests(s, correction="holm"),
    "rank_intervals": lambda s, unit: irstd.rank_intervals(s, trials=20).drop(columns="value"),
    "rank_correlation": lambda s, unit: irstd.rank_correlation(*means_of_halves(s)),
    "rectify": lambda s, unit: irstd.judges.rectify(s, s / 2) / unit,
    "seed_test": seeds_tested,
    "share_above": lambda s, unit: irstd.share_above(s, 5.5 * unit),
    "split_experiment": lambda s, unit: irstd.split_experiment(s, by_place(s)),
    "spread": lambda s, unit: irstd.spread(s) / unit,
    "spread_trend": lambda s, unit: irstd.variability.spread_trend(s / 32 / unit, trials=20)[
        "trend"
    ],
    "standardization_factors": lambda s, unit: (
        irstd.standardization_factors(s, metric="mine").mean / unit
    ),
    "standardize": lambda s, unit: irstd.standardize(s),
    "swap_rate": lambda s, unit: irstd.swap_rate(s, sizes=[3], trials=5, alpha=0.5),
    "swap_rate of means": lambda s, unit: irstd.swap_rate(
        s, sizes=[2, 3], trials=5, statistic="mean", judged_on="all"
    ),
    "topic_difficulty": lambda s, unit: irstd.topic_difficulty(s),
    "topic_influence": lambda s, unit: irstd.topic_influence(s),
    "variance_components": lambda s, unit: irstd.variability.variance_components(s)[OF_NO_UNIT],
}
DRAWN = ["randomization", "bootstrap", "randomized_tukey"]
METHODS = "wilcoxon sign tukey f levene levene_mean paired_levene".split()


def pairs_tested(scores, unit, method):
    if method in DRAWN:
        return irstd.pairwise_tests(scores, method, trials=40)
    return irstd.pairwise_tests(scores, method)


def standardized(scores, unit, method):
    found = irstd.standardize(scores, None, method)
    if method == "center":
        return found / unit
    return found


def adjusted_gmap(scores, unit, adjust):
    return irstd.gmap(scores, 0.01 * unit, adjust=adjust) / unit


def correlation_by(scores, unit, method):
    first, second = means_of_halves(scores)
    return irstd.rank_correlation(first, second, method)


for method in METHODS + DRAWN:
    CASES[f"pairwise_tests, {method}"] = partial(pairs_tested, method=method)
for method in WAYS_TO_STANDARDIZE:
    CASES[f"standardize, {method}"] = partial(standardized, method=method)
for adjust in ("zeros", "floor"):
    CASES[f"gmap, {adjust}"] = partial(adjusted_gmap, adjust=adjust)
for method in ("tau_ap_b", "pearson"):
    CASES[f"rank_correlation, {method}"] = partial(correlation_by, method=method)

every = pytest.mark.parametrize("name", CASES)
# What is said of a function's names and numbers is not said again of each of its methods.
each_door = pytest.mark.parametrize("name", [name for name in CASES if ", " not in name])
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::UserWarning")]
SIGNED = (
    "se difference statistic direction low high effect_size wins losses".split()
)  # by the order of a pair
SHARES = [0.0, 1e-5, 0.1, 0.2, 0.1 + 0.2, 0.3, 1 / 3, 2 / 3, 0.5, 1.0]
SUMS = [0.0, 0.1, 3.7, 12.25, 700.0, 7001.3]  # of precisions or gains


def drawn(seed):
    """A score matrix of one of six kinds, and random numbers for more."""
    random = np.random.default_rng(seed)
    n, m = random.integers(6, 10), random.integers(4, 8)
    values = [
        lambda: random.choice(SHARES, (n, m)),
        lambda: random.choice(SUMS, (n, m)),
        lambda: random.integers(0, 11, (n, m)) / 10,
        lambda: random.random((n, m)).round(4),
        lambda: random.permuted(random.choice([0.1, 0.2, 0.7], (n, 1)) * np.ones(m), axis=0),
        lambda: random.random((n, m)),
    ][seed % 6]()
    topics = pd.Index([f"t{i}" for i in range(n)], name="topic")
    systems = pd.Index([f"s{i}" for i in range(m)], name="system")
    return pd.DataFrame(values, topics, systems), random


EXAMPLE = pd.DataFrame(
    np.random.default_rng(1).integers(0, 20, (8, 5)) * 1.0,
    pd.Index([f"30{i}" for i in range(8)], name="topic"),
    pd.Index([f"s{i}" for i in range(5)], name="system"),
)
NIGHT = pytest.param(range(2, 14), marks=pytest.mark.night, id="night")
seeded = pytest.mark.parametrize("seeds", [pytest.param([0, 1, 34], id="day"), NIGHT])


def test_every_public_function_has_its_case():
    missing = set(public()) - set(CASES) - NO_SCORES
    assert not missing, f"add these to CASES, or to NO_SCORES: {missing}"


def by_pair(table):
    """A table of pairs with a row per pair of names in order, without what has a sign."""
    names = table[["system_a", "system_b"]]
    pairs = names.apply(lambda row: " ".join(sorted(row)), axis=1)
    rest = table.drop(columns=["system_a", "system_b", *SIGNED], errors="ignore")
    return rest.set_axis(pairs)


def label(key):
    """A key of one level or several as one text."""
    parts = np.atleast_1d(np.array(key, dtype=object))
    return " ".join(map(str, parts))


def answer(name, scores, unit=1.0):
    """The numbers of the answer by what they are of, in one order."""
    found = CASES[name](scores, unit)
    if isinstance(found, pd.DataFrame) and "system_a" in found:
        found = by_pair(found)
    if isinstance(found, pd.DataFrame):
        numbers = found.select_dtypes("number").rename(columns=str)
        found = numbers.stack(future_stack=True)
    found = pd.Series(found).astype(float)
    found.index = [label(key) for key in found.index]
    return found.groupby(level=0).agg(sorted).explode().astype(float)


def answer_or_refusal(name, scores, unit=1.0):
    """The same of drawn scores, of which a function may refuse some, but not `EXAMPLE`."""
    try:
        return answer(name, scores, unit)
    except ValueError:
        assert len(answer(name, EXAMPLE))
        return pd.Series({"refused": 1.0})


def same(one, other, close=1e-9):
    pd.testing.assert_series_equal(one, other, rtol=close, atol=close, check_names=False)


@every
@seeded
def test_the_order_of_topics_and_systems(name, seeds):
    """To 1e-12; equal seeds included: topics and systems are drawn by their names."""
    for seed in seeds:
        scores, random = drawn(seed)
        n, m = scores.shape
        other = scores.iloc[random.permutation(n), random.permutation(m)]
        layout = [np.asfortranarray, np.ascontiguousarray][seed // 6 % 2]
        other = pd.DataFrame(layout(other.to_numpy()), other.index, other.columns)
        expected = answer_or_refusal(name, scores)
        same(answer_or_refusal(name, other), expected, 1e-12)


@every
@seeded
def test_the_unit_of_the_scores(name, seeds):
    for seed, unit in zip(seeds, [10.0, 1 / 3, 1e-9, 7000.0] * len(seeds), strict=False):
        scores = drawn(seed)[0] * 20
        expected = answer_or_refusal(name, scores)
        same(answer_or_refusal(name, scores * unit, unit), expected)


@every
def test_no_square_is_lost_or_too_large(name):
    """NumPy's warnings are errors; what is too small for squares is refused."""
    expected = answer(name, EXAMPLE)
    for unit in (2.0**200, 2.0**-200):
        same(answer(name, EXAMPLE * unit, unit), expected)
    if name not in ("logit", "spread_trend"):  # of shares, whatever the unit
        with pytest.raises(ValueError, match="are all below 1e-75"):
            answer(name, EXAMPLE * 2.0**-300, 2.0**-300)


@each_door
def test_the_names(name):
    """Other names in the same order, as draws go by it."""
    renamed = EXAMPLE.rename(index="the {}".format, columns="my {}".format)
    found = answer(name, renamed)
    found.index = found.index.str.replace("the ", "").str.replace("my ", "")
    same(found, answer(name, EXAMPLE))


TYPES = ["float32", "Float64", "Int64", "uint8", pd.SparseDtype(float)]
KINDS = {kind: lambda s, kind=kind: s.astype(kind) for kind in TYPES} | {
    "object": lambda s: s.set_axis(s.index.astype(object)),
    "int": lambda s: s.set_axis(s.index.astype(int)),
    "category": lambda s: s.set_axis(pd.CategoricalIndex(s.index)),
    "np.str_": lambda s: s.set_axis([np.str_(x) for x in s.columns], axis=1),
}


@each_door
def test_the_kind_of_numbers_and_of_labels(name):
    before = EXAMPLE.copy()
    expected = answer(name, EXAMPLE)
    for kind in KINDS.values():
        same(answer(name, kind(EXAMPLE)), expected)
    pd.testing.assert_frame_equal(EXAMPLE, before)


@pytest.mark.parametrize("kind", [SHARES, SUMS, 1 + np.arange(50) * 1e-9])
def test_factors_have_the_mean_and_sd_of_fractions(kind):
    """Oracle: Python's statistics, which computes with fractions."""
    scores = np.random.default_rng(0).choice(kind, (40, 12))
    factors = irstd.standardization_factors(pd.DataFrame(scores), metric="mine")
    means = [statistics.mean(row) for row in scores.tolist()]
    sds = [statistics.stdev(row) for row in scores.tolist()]
    np.testing.assert_allclose(factors.mean["mine"], means, rtol=1e-14, atol=0)
    np.testing.assert_allclose(factors.sd["mine"], sds, rtol=1e-14, atol=0)
