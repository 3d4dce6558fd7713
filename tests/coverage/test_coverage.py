"""The page of coverage and levels, simulated anew: `python tests/coverage/test_coverage.py`.

Each case draws scores whose truth is known, and yields of each sample (or pair of systems) whether
the interval holds it, or the test rejects. The page has a line per case; a night's test compares.
"""

import functools
import inspect
import itertools
import re
import sys
from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import irstd
from irstd.compare.columns import (
    average_over_collections,
    estimate_means,
    tabulate_tests_by_collection,
)
from irstd.significance.pair_tests import METHODS, Rules
from irstd.significance.pairs import Pairs
from tests.public_names import public
from tests.texts import read_page

FEW = 200  # samples of what takes long


def matrix(values):
    return pd.DataFrame(values, [str(k) for k in range(len(values))])


def holds(found, truth):
    """For each row, whether its interval holds the truth."""
    return (found["low"] <= truth) & (truth <= found["high"])


def rejections(differences, **options):
    """Whether each column of differences is significant."""
    table = matrix(differences).assign(none=0.0)
    return irstd.pairwise_tests(table, baseline="none", **options)["pvalue"] <= 0.05


def differ_by(method, a, b):
    """For each pair of columns, whether the method rejects; a and b are topics x pairs."""
    pairs = np.arange(a.shape[1])
    both = Pairs(np.hstack([a, b]), pairs, pairs + len(pairs))
    _, pvalues = METHODS[method].test(both)
    return pvalues <= 0.05


@functools.cache
def pairs_alike(n, seed, shape, rho, pairs=4000):
    """Pairs of systems with one distribution, correlated over topics: topics x pairs x 2.

    Once for all tests: the inverse of a beta distribution takes most of the time.
    """
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(n, pairs, 2))
    z[..., 1] = rho * z[..., 0] + np.sqrt(1 - rho**2) * z[..., 1]
    if shape == "t3":
        n_scales = 2
        if rho:
            n_scales = 1  # the two of a pair share theirs
        z /= np.sqrt(rng.chisquare(3, size=(n, pairs, n_scales)) / 3)
    if shape == "beta(.4,3)":
        z = stats.beta(0.4, 3).ppf(stats.norm.cdf(z))
    return z


def level_of(method, shape, rho, n, m, rng):
    seed = rng.bit_generator.seed_seq.entropy
    values = pairs_alike(n, seed, shape, rho)
    yield from differ_by(method, values[..., 0], values[..., 1])


def familywise(n, m, rng):
    """Holm over all pairs of equal systems whose differences vary alike: any rejection."""
    while True:
        equal = matrix(rng.normal(size=(n, m)))
        tests = irstd.pairwise_tests(equal, correction="holm")
        yield tests["adjusted_pvalue"].min() <= 0.05


def random_systems(n, m, rng):
    """The classical interval of erho2: .35^2 is the variance of all systems, 1 that of the rest."""
    truth = 0.35**2 / (0.35**2 + 1 / n)
    while True:
        scores = rng.normal(0, 0.35, m) + rng.normal(size=(n, 1)) + rng.normal(size=(n, m))
        components = irstd.variability.variance_components(matrix(scores))
        yield components["erho2_low"] <= truth <= components["erho2_high"]


def misses(data, metric, n, m, rng):
    """Scores of public systems, dealt at random on each topic: how many the group leaves out."""
    scores = irstd.load_dataset(data, metric).to_numpy()
    while True:
        topics = scores[rng.integers(0, len(scores), n)]
        dealt = [rng.choice(row, m, replace=False) for row in topics]
        best = irstd.rank_intervals(matrix(np.array(dealt)), trials=1)["best"]
        yield 1 - best.mean()


SETS = [("301", "350"), ("351", "400"), ("401", "450"), ("601", "650"), ("651", "700")]


def of_itself(scale, tilted, n, m, rng, chosen="at random"):
    """A system of Robust 2004 against itself on two of its sets of topics: is it "different"?

    The references are 35 systems on one, other 35 on the other; m more are in common. `tilted`
    references are mostly of better systems on one side, and of worse ones on the other. Common
    systems are `chosen` at random, as variants of one system (those whose scores by topic
    correlate most with its own), or as the weakest or strongest of those that are left.
    """
    scores = irstd.load_dataset("robust2004")
    means = scores.mean()
    near = scores.corr()
    while True:
        one, other = rng.choice(len(SETS), 2, replace=False)
        c = scores.loc[slice(*SETS[one])]
        d = scores.loc[slice(*SETS[other])]
        system, *others = rng.permutation(scores.columns)
        originals = np.array(others[:70])
        if tilted:
            quality = stats.zscore(means[originals].to_numpy())
            originals = originals[(quality + rng.normal(size=70)).argsort()]
        references = (c[originals[:35]], d[originals[35:]])
        left = others[70:]
        if chosen == "variants":
            left = near.loc[left[0], left].sort_values(ascending=False).index
        elif chosen != "at random":
            left = means[left].sort_values(ascending=chosen == "weak").index
        common = left[:m]
        across = irstd.compare_across(
            c[system], d[system], references, common=(c[common], d[common])
        )
        yield across.loc[scale, "pvalue"] <= 0.05


def differ(a, b):
    """Whether two models differ significantly; their scores are topics x seeds."""
    models = {"a": matrix(a), "b": matrix(b)}
    for scores in models.values():
        if scores.shape[1] == 1:
            scores.columns = ["none"]  # of a system without seeds
    table = pd.concat(models, axis=1, names=["system", "seed"])
    return irstd.seeds.seed_test(table, "a", "b").pvalue <= 0.05


def equal_models(seeds_a, seeds_b, n, m, rng, of_seed=0.03):
    """`seed_test` of two models that are equal: real scores dealt at random, and seeds that differ.

    A seed moves the mean of its model by `of_seed` (sd), and each of its scores by .1.
    """
    scores = irstd.load_dataset("robust2004").to_numpy()
    while True:
        topics = scores[rng.integers(0, len(scores), n)]
        dealt = np.array([rng.choice(row, 2, replace=False) for row in topics])
        models = []
        for seeds, scores_of_model in zip([seeds_a, seeds_b], dealt.T, strict=True):
            runs = []
            for _ in range(seeds if seeds > 1 else 0):
                moved = rng.normal(0, of_seed) + rng.normal(0, 0.1, n)
                runs.append(scores_of_model + moved)
            models.append(np.transpose(runs or [scores_of_model]))
        yield differ(*models)


def ranks_together(step, n, m, rng):
    """All ranks of m systems that differ by `step` each lie in their simultaneous intervals."""
    quality = step * np.arange(m)
    true = stats.rankdata(-quality, "min")
    while True:
        scores = matrix(quality + rng.normal(0, 0.15, (n, 1)) + rng.normal(0, 0.1, (n, m)))
        found = irstd.rank_intervals(scores, simultaneous=True).loc[scores.columns.astype(str)]
        yield holds(found, true).all()


def skewed(method, n, m, rng, pairs=4000):
    """Test exponential differences whose mean is 0: the systems are not exchangeable."""
    d = rng.exponential(size=(n, pairs)) - 1
    yield from differ_by(method, d, np.zeros_like(d))


def rectified(baseline, n, m, rng):
    """Topics drawn from Deep Learning 2019; n by people, 200 more by a judge."""
    scores = irstd.load_dataset("judges-dl2019")
    people = scores["original"].dropna()
    judge = scores["umbrela_zeroshot"].dropna()
    people, judge = people.align(judge, "inner", axis=0)
    while True:
        systems = rng.choice(people.columns, m, replace=False)
        topics = rng.choice(people.index, n + 200)
        y = people.loc[topics, systems].set_axis(range(n + 200))
        f = judge.loc[topics, systems].set_axis(range(n + 200))
        truth = people[systems].mean()
        first = systems[0] if baseline else None
        if baseline:
            truth = truth.drop(first) - truth[first]
        yield from holds(irstd.judges.rectify(y[:n], f, baseline=first), truth)


def combine(differences):
    """The combined row of collections with these differences of two systems."""
    collections = {}
    for k, d in enumerate(differences):
        topics = [f"{k}-{i}" for i in range(len(d))]
        collections[f"c{k}"] = pd.DataFrame({"a": d, "b": 0.0}, topics)
    return irstd.combine_collections(collections, "a", "b").loc["combined"]


def combined(between, n, m, rng, sizes=None):
    """m collections of n topics: real differences of two systems, about a true one of each."""
    sizes = sizes or [n] * m
    scores = irstd.load_dataset("robust2004")
    while True:
        real = np.zeros(1)
        while np.mean(real != 0) < 0.9:  # two that are nearly one
            a, b = rng.choice(scores.columns, 2, replace=False)
            real = (scores[a] - scores[b]).to_numpy()
        real = real - real.mean()
        drawn = [rng.choice(real, size) + rng.normal(0.02, between) for size in sizes]
        yield holds(combine(drawn), 0.02)


def draw_topics(scores, n, rng):
    """n topics of each column, drawn with replacement."""
    rows = rng.integers(0, len(scores), (n, scores.shape[1]))
    return np.take_along_axis(scores, rows, axis=0)


def draw_systems(values, pairs, rng):
    """Two different systems for each pair, by their columns (2 x pairs)."""
    return np.transpose([rng.choice(values.shape[1], 2, replace=False) for _ in range(pairs)])


def average_over(tables):
    """The mean of each system over collections, with its interval."""
    return average_over_collections({k: estimate_means(x) for k, x in tables.items()}, 0.95)


def mean_over(sizes, source, n, m, rng):
    """The interval of a system's mean over collections of so many topics, of real scores."""
    values = irstd.load_dataset(*source).to_numpy()
    columns = values[:, rng.integers(0, values.shape[1], 10 * FEW)]
    tables = {k: pd.DataFrame(draw_topics(columns, size, rng)) for k, size in enumerate(sizes)}
    yield from holds(average_over(tables), columns.mean(axis=0))


def trend(n, m, rng):
    """`spread_trend` of matrices of bounded scores, as its null has them."""
    while True:
        systems = rng.normal(0, 0.4, m)
        logits = -1 + rng.normal(0, 1.2, (n, 1)) + systems + rng.normal(size=(n, m))
        scores = matrix(1 / (1 + np.exp(-logits)))
        found = irstd.variability.spread_trend(scores, trials=100, seed=rng)
        yield holds(found, found["trend"])


# By the name of a case: what draws and says of each sample, the numbers of topics and systems, and
# how many samples are drawn; without that number, the case draws a number of its own.
CASES = {}


def case(name, run, sizes, samples=None):
    CASES[name] = (run, sizes, samples)


SHAPES = [("normal", 0.8), ("beta(.4,3)", 0.8), ("t3", 0.0)]
for method in ("t", "wilcoxon", "paired_levene", "levene", "f"):
    sizes = [(10, 2), (25, 2), (50, 2), (200, 2)]
    if method == "paired_levene":
        sizes.insert(0, (20, 2))
    for shape, rho in SHAPES:
        name = f"`{method}`, level .05, {shape}, correlation {rho}"
        case(name, partial(level_of, method, shape, rho), sizes)

name = "`pairwise_tests`, Holm, level .05 of the family"
case(name, familywise, [(10, 5), (50, 5), (50, 20)], FEW)
sizes = [(10, 20), (50, 5), (50, 100), (200, 20)]
case("`variance_components`, erho2, .95", random_systems, sizes, 10 * FEW)

IN_COMMON = [(50, 2), (50, 3), (50, 5), (50, 10), (50, 30)]
ITSELF = "a system against itself on two sets of Robust 2004, level .05"
for scale in ("raw", "centered", "normal", "linked"):
    name = f"`compare_across`, {scale}, {ITSELF}"
    case(name, partial(of_itself, scale, False), IN_COMMON, 5 * FEW)
for scale in ("normal", "linked"):
    name = f"`compare_across`, {scale}, references of unequal strength, {ITSELF}"
    case(name, partial(of_itself, scale, True), [(50, 5)], 5 * FEW)
for chosen in ("variants", "weak", "strong"):
    name = f"`compare_across`, linked, common systems are {chosen}, {ITSELF}"
    run = partial(of_itself, "linked", False, chosen=chosen)
    case(name, run, [(50, 5), (50, 10)], 5 * FEW)
for data, metric in [("robust2004", "AP"), ("web2004", "AP"), ("web2012", "RR"), ("trec8", "P@10")]:
    name = f"`rank_intervals`, `best`, misses an equal system, {data} {metric}, .05"
    sizes = [(5, 2), (5, 10), (10, 2), (10, 3), (25, 10), (50, 2), (50, 40)]
    case(name, partial(misses, data, metric), sizes, 5 * FEW)

for seeds in [(3, 3), (1, 3), (5, 2)]:
    name = f"`seed_test`, {seeds[0]} and {seeds[1]} seeds, level .05, robust2004 AP"
    case(name, partial(equal_models, *seeds), [(10, 2), (50, 2)], 20 * FEW)
for one, other in [(1, 3), (5, 2), (10, 2)]:
    name = f"`seed_test`, {one} and {other} seeds that matter much, level .05, robust2004 AP"
    case(name, partial(equal_models, one, other, of_seed=0.08), [(200, 2)], 20 * FEW)
for step in (0, 0.002, 0.02):
    name = f"`rank_intervals`, simultaneous, all ranks of systems {step:g} apart, .95"
    case(name, partial(ranks_together, step), [(15, 20), (50, 20)], 2 * FEW)
for method in ("t", "wilcoxon"):
    name = f"`{method}`, level .05, d exponential less its mean, systems not exchangeable"
    case(name, partial(skewed, method), [(10, 2), (25, 2), (50, 2), (200, 2)])
for what, baseline in {"mean": False, "difference from a baseline": True}.items():
    name = f"`rectify`, {what}, judges-dl2019, .95"
    of_a_draw = 10 - baseline  # systems
    case(name, partial(rectified, baseline), [(10, 10), (20, 10), (40, 10)], of_a_draw * FEW)
for between in (0, 0.02):
    name = f"`combine_collections`, combined, sd {between:g} between, robust2004 AP, .95"
    case(name, partial(combined, between), [(10, 5), (50, 3), (50, 5), (50, 10)], 5 * FEW)
sizes = [8, 12, 20, 50, 200]
name = "`combine_collections`, combined, 8 to 200 topics, sd 0.04 between, robust2004 AP, .95"
case(name, partial(combined, 0.04, sizes=sizes), [(sum(sizes), 5)], 5 * FEW)


def in_clusters(sizes, source, rng):
    """Differences of real systems from none, a column each, and the clusters of their topics.

    Half of a difference is of the cluster, and half of the topic; the signs are random.
    """
    values = irstd.load_dataset(*source).to_numpy()
    first, second = draw_systems(values, 10 * FEW, rng)
    d = values[:, first] - values[:, second]
    codes = np.repeat(np.arange(len(sizes)), sizes)

    def draw(n):
        return draw_topics(d, n, rng) * rng.choice([-1, 1], (n, d.shape[1]))

    of_clusters = draw(len(sizes))
    return matrix(of_clusters[codes] + draw(len(codes)) / 2), pd.Series(codes).rename(str)


def with_clusters(sizes, source, n, m, rng):
    differences, clusters = in_clusters(sizes, source, rng)
    yield from rejections(differences, clusters=clusters)


def with_clusters_over_three(sizes, n, m, rng):
    """The same of the mean over three collections."""
    tables, clusters = {}, {}
    for name in "abc":
        differences, clusters[name] = in_clusters(sizes, ("robust2004", "AP"), rng)
        tables[name] = differences.assign(none=0.0)
    tests = tabulate_tests_by_collection(tables, Rules(clusters=clusters, baselines=["none"]))
    yield from tests["mean"]["pvalue"] <= 0.05


def of_halves(n, m, rng):
    """`false_positives` of systems on two random sets of topics of one collection."""
    scores = irstd.load_dataset("robust2004")
    while True:
        one, other = np.split(rng.permutation(len(scores))[: 2 * n], 2)
        systems = rng.permutation(scores.columns)[:m]
        tests = irstd.false_positives(scores[systems].iloc[one], scores[systems].iloc[other])
        yield from tests["pvalue"] <= 0.05


def dealt_pairs(method, source, n, m, rng, pairs=2000):
    """Two real systems, exchanged at random topic by topic."""
    values = irstd.load_dataset(*source).to_numpy()
    columns = draw_systems(values, pairs, rng).T
    topics = rng.permuted(np.tile(np.arange(len(values)), (pairs, 1)), axis=1)[:, :n]
    two = rng.permuted(values[topics[..., None], columns[:, None]], axis=2)
    yield from differ_by(method, two[..., 0].T, two[..., 1].T)


def losses(share, loss, shape, rng):
    """Rare large losses, and gains that make the mean 0."""
    return share * loss - loss * (rng.random(shape) < share)


def rare_losses(method, n, m, rng, pairs=2000):
    d = losses(0.05, 0.9, (n, pairs), rng) + rng.normal(0, 0.02, (n, pairs))
    yield from rejections(d, method=method, trials=1000)


def misses_of_losses(all_ranks, n, m, rng):
    """Two equal systems, one with rare losses: is either not in the set, or a rank missed?"""
    while True:
        values = rng.normal(0, 0.02, (n, 2))
        values[:, 0] += losses(0.08, 0.5, n, rng)
        found = irstd.rank_intervals(matrix(values), simultaneous=True)
        yield (found["low"] > 1).any() if all_ranks else 1 - found["best"].mean()


def in_skewed_clusters(effects, sizes, n, m, rng, draws=2000):
    codes = np.repeat(np.arange(len(sizes)), sizes)
    d = effects(rng, (len(sizes), draws))[codes] + rng.normal(0, 0.05, (n, draws))
    yield from rejections(d, clusters=pd.Series(codes).rename(str))


def of_normal_collections(sizes, n, m, rng, draws=4000):
    tables = {str(k): matrix(rng.normal(size=(size, draws))) for k, size in enumerate(sizes)}
    yield from ~holds(average_over(tables), 0)


def of_zeros_and_ones(sizes, share, n, m, rng, draws=4000):
    tables = {}
    for k, size in enumerate(sizes):
        tables[k] = matrix((rng.random((size, draws)) < share).astype(float))
    yield from holds(average_over(tables), share)


def of_normal_topics(sizes, true, n, m, rng):
    """`combine_collections` of normal differences about true ones with the mean 0."""
    while True:
        yield holds(combine([true(rng) + rng.normal(size=size) for size in sizes]), 0)


def unlike_spreads(n, m, rng):
    c = matrix(rng.normal(size=(n, m)))
    d = matrix(2 * rng.normal(size=(10, m)))
    yield from irstd.false_positives(c, d)["pvalue"] <= 0.05


def of_another_kind(n_alike, n, m, rng):
    """Ours and theirs are one dense system; of the common systems so many are lexical."""
    kinds = np.arange(60) % 2
    while True:
        quality = rng.normal(0.4, 0.08, 60)
        tables = []
        for shift in (0.04, -0.04):
            means = quality + shift * kinds + rng.normal(0, 0.15, (n, 1))
            tables.append(means + 0.08 * rng.normal(size=(n, 60)))
        lexical, dense = rng.permutation(np.arange(0, 60, 2)), rng.permutation(np.arange(1, 60, 2))
        common = [*lexical[:n_alike], *dense[1 : m - n_alike + 1]]
        others = [*lexical[n_alike : n_alike + 12], *dense[15:27]]
        c, d = (pd.DataFrame(x, [f"{i}-{k}" for k in range(n)]) for i, x in enumerate(tables))
        across = irstd.compare_across(
            c[dense[0]], d[dense[0]], (c[others], d[others]), common=(c[common], d[common])
        )
        yield across.loc["linked", "pvalue"] <= 0.05


def diverging_seeds(seeds, n, m, rng):
    """A fifth of the runs lose .1, against a system without seeds of the same mean."""
    while True:
        moved = 0.02 - 0.1 * (rng.random(seeds) < 0.2) + rng.normal(0, 0.008, seeds)
        a = rng.normal(0, 0.1, (n, 1)) + moved + rng.normal(0, 0.05, (n, seeds))
        yield differ(a, rng.normal(0, 0.1, (n, 1)))


def skewed_judge(n, m, rng):
    """A judge of the same mean, whose error is exponential by topic."""
    while True:
        people = matrix(rng.beta(2, 3, (n, m)))
        by_topic = 0.1 * (rng.exponential(size=(n, 1)) - 1)
        judge = people + by_topic + rng.normal(0, 0.01, (n, m))
        both = pd.concat({"people": people, "judge": judge}, axis=1)
        row = irstd.judges.compare_judges(both, reference="people").iloc[0]
        yield (row["better"] + row["worse"]) / m


def of_zeros_by_a_judge(n, m, rng, others=100):
    y = matrix((rng.random((n + others, m)) < 0.9).astype(float))
    judge = y.where(rng.random(y.shape) < 0.9, 1 - y)
    yield from holds(irstd.judges.rectify(y[:n], judge), 0.9)


AP = ("robust2004", "AP")
TIED = ("trec8", "P@10")
SIZES = {
    "10 x 5": [5] * 10,
    "25 x 2": [2] * 25,
    "12: 20, 10, 5, 3, 2, 2, 6 x 1": [20, 10, 5, 3, 2, 2] + [1] * 6,
    "10: 27, 9 x 3": [27] + [3] * 9,
    "20: 30, 19 x 1": [30] + [1] * 19,
    "10: 40, 9 x 1": [40] + [1] * 9,
    "30 of 30 / k": [round(30 / k) for k in range(1, 31)],
    "5 x 5": [5] * 5,
    "3 x 10": [10] * 3,
}
name = "`false_positives`, two sets of topics of one collection, level .05, robust2004 AP"
case(name, of_halves, [(10, 2), (50, 2)], 10 * FEW)
for clusters, sizes in SIZES.items():
    for source in (AP, TIED) if clusters == "20: 30, 19 x 1" else (AP,):
        name = f"`pairwise_tests`, clusters, {clusters}, level .05, {' '.join(source)}"
        case(name, partial(with_clusters, sizes, source), [(sum(sizes), 2)])
for clusters in ("25 x 2", "30 of 30 / k", "20: 30, 19 x 1"):
    sizes = SIZES[clusters]
    name = f"`comparison_table`, mean over three, clusters, {clusters}, level .05, robust2004 AP"
    case(name, partial(with_clusters_over_three, sizes), [(3 * sum(sizes), 2)])

MEANS = {
    "two of 5": (5, 5), "5 and 50": (5, 50), "two of 10": (10, 10), "five of 5": (5,) * 5,
    "three of 25": (25,) * 3,
}  # fmt: skip
for counts, sizes in MEANS.items():
    for source in (("robust2004", "AP"), ("web2004", "AP"), ("web2012", "RR")):
        of = f"{counts} topics, {' '.join(source)}"
        name = f"`comparison_table`, mean over collections, {of}, .95"
        case(name, partial(mean_over, sizes, source), [(sum(sizes), 1)])
for method in ("f", "levene", "paired_levene"):
    for source in (("genomics2004", "AP"), ("web2012", "RR")):
        name = f"`{method}`, level .05, real pairs, dealt topic by topic, {' '.join(source)}"
        case(name, partial(dealt_pairs, method, source), [(25, 2), (50, 2)])
for method in ("t", "wilcoxon", "randomization", "bootstrap"):
    name = f"`{method}`, level .05, equal means, a loss of .9 on 5% of topics"
    case(name, partial(rare_losses, method), [(8, 2), (15, 2), (25, 2)])
for what, all_ranks in {"`best`, misses": False, "simultaneous, misses a rank of": True}.items():
    name = f"`rank_intervals`, {what} two equal systems, a loss of .5 on 8% of topics, .05"
    case(name, partial(misses_of_losses, all_ranks), [(8, 2), (15, 2), (50, 2)], 5 * FEW)
EFFECTS = {
    "12 x 4, rare": (lambda rng, shape: losses(0.1, 1, shape, rng), [4] * 12),
    "12 x 4, exponential": (lambda rng, shape: rng.exponential(size=shape) - 1, [4] * 12),
    "8, 8, 4, 4, 2, 2, 4 x 1, two-point": (
        lambda rng, shape: rng.choice([-1.0, 1.0], shape),
        [8, 8, 4, 4, 2, 2, 1, 1, 1, 1],
    ),
    "12 x 4, Laplace": (lambda rng, shape: rng.laplace(size=shape), [4] * 12),
}
for of, (effects, sizes) in EFFECTS.items():
    name = f"`pairwise_tests`, clusters, {of} effects, level .05"
    case(name, partial(in_skewed_clusters, effects, sizes), [(sum(sizes), 2)])
for sizes in ((2, 50), (3, 50), (4, 50)):
    name = f"`comparison_table`, mean over collections, {sizes[0]} and 50 topics, normal, level .05"
    case(name, partial(of_normal_collections, sizes), [(sum(sizes), 1)])
name = "`comparison_table`, mean over collections, three of 25 topics, 19 of 20 scores 1, .95"
case(name, partial(of_zeros_and_ones, [25] * 3, 0.95), [(75, 1)])
name = "`combine_collections`, combined, 8, 8, 8 and 200 topics, normal, sd 0.3 between, .95"
run = partial(of_normal_topics, [8, 8, 8, 200], lambda rng: rng.normal(0, 0.3))
case(name, run, [(224, 4)], FEW)
name = "`combine_collections`, combined, one collection in ten unlike the others, .95"
run = partial(of_normal_topics, [50] * 6, lambda rng: 0.5 * losses(0.1, -10 / 3, (), rng))
case(name, run, [(300, 6)], FEW)
name = "`false_positives`, pooled variance, the other side 10 topics with twice the sd, level .05"
case(name, unlike_spreads, [(50, 4000)])
for n_alike in (10, 5):
    name = f"`compare_across`, linked, {n_alike} of 10 common systems of another kind, level .05"
    case(name, partial(of_another_kind, n_alike), [(50, 10)], 2 * FEW)
for seeds in (3, 5):
    name = f"`seed_test`, {seeds} seeds and none, a fifth of the runs diverge, level .05"
    case(name, partial(diverging_seeds, seeds), [(200, 2)], 2 * FEW)
name = "`compare_judges`, `better` or `worse`, a judge whose errors are exponential, level .05"
case(name, skewed_judge, [(10, 12), (25, 12)], 2 * FEW)
name = "`rectify`, mean, nine of ten scores 1, the others 0, a judge right in .9, .95"
case(name, of_zeros_by_a_judge, [(10, 4000)], 20 * FEW)
case("`spread_trend`, .95", trend, [(50, 20)], FEW)


def rows(names=CASES, seed=0, quick=False):
    """The lines of the page: case, topics, systems, the share of hits and its standard error.

    A `quick` look is at the first size only, and at two fifths of the samples.
    """
    for name in names:
        run, sizes, samples = CASES[name]
        if quick:
            sizes = sizes[:1]
            samples = 2 * samples // 5
        for n, m in sizes:
            rng = np.random.default_rng(seed)
            hits = np.array(list(itertools.islice(run(n, m, rng), samples)), dtype=float)
            share = hits.mean()
            error = np.sqrt(share * (1 - share) / len(hits))
            yield name, n, m, share, max(error, 1 / len(hits))


def printed_shares():
    """The shares on the page, by case, topics and systems."""
    page = read_page("pages/coverage")
    lines = re.findall(r"(?m)^\| (`.*) \| (\d+) \| (\d+) \| (\S+) \| (\S+) \|$", page)
    return {(case, int(n), int(m)): float(share) for case, n, m, share, _ in lines}


# Functions whose arguments are those of another, or of the test that they take.
AS_IN = {"paired_test": "pairwise_tests"}
AS_IN |= dict.fromkeys(["break_ties", "compare_judges", "swap_rate"], "t")


def test_every_promise_of_a_level_has_a_row():
    named = " ".join(CASES)
    for name, function in public().items():
        if not inspect.isfunction(function):
            continue
        if {"level", "alpha"} & set(inspect.signature(function).parameters):
            assert f"`{AS_IN.get(name, name)}`" in named, name


# Sets of real topics, and what is drawn twice, take long; where samples do, a few are asked for.
LONG = """compare_across combine_collections erho2 spread_trend""".split()
SLOW = ("`rank_intervals`", "`compare_across`", "`seed_test`", "`rectify`", "`comb")


def by_time(name):
    takes_long = any(word in name for word in LONG)
    return pytest.param(name, marks=pytest.mark.release if takes_long else pytest.mark.night)


@pytest.mark.filterwarnings("ignore::UserWarning")  # of what the page says: few, unequal
@pytest.mark.parametrize("name", [by_time(name) for name in CASES])
def test_the_page_says_what_is_simulated(name, request):
    printed = printed_shares()
    if re.search("[Rr]obust|trec8|web20|genomics|judges-", name):
        request.getfixturevalue("trec_data")
    for case, n, m, share, error in rows([name], seed=1, quick=name.startswith(SLOW)):
        margin = 3 * np.sqrt(2) * error + 0.002
        assert share == pytest.approx(printed[case, n, m], abs=margin)


if __name__ == "__main__":
    part_of_the_name = " ".join(sys.argv[1:])
    wanted = [name for name in CASES if part_of_the_name in name]
    for row in rows(wanted):
        print("| {} | {} | {} | {:.3f} | {:.3f} |".format(*row), flush=True)
