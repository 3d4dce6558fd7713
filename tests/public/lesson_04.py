"""What public scores say of lesson 04: spread for users, spread and mean, and tests of spread.

The functions of a score matrix are asked of campaigns, too, by tests/course/of_campaigns.py.
"""

import functools
import itertools
from functools import partial

import numpy as np
import pandas as pd
from fifteen import DATA, FIFTEEN, ap_of, fifties
from halves import left_out
from scipy import stats
from traits import best as best_of
from traits import clusters

import irstd
from irstd.simulate import Collection
from irstd.simulate._design import read_design
from irstd.simulate._model import SALT, draw_campaign

LEVEL = 0.05
N_PICKED = 10
N_FIFTY = 100
N_25 = 40
EQUALLY_SPREAD = 2000
A_HUNDRED = 100  # topics a side, as in the lesson
N_BLOCKS = 8  # of topics, each left out once
TEN = range(1, 11)  # seeds of campaigns, beside the default
N_OF_STEADY = 15  # draws of two sets of fifty topics, of each of these campaigns


@functools.cache
def robust():
    return best_of(irstd.load_dataset("robust2004"))


def gaps(table, first, second):
    """By how much second is spread more than first, in logs; and satisfies less: means."""
    numbers = {
        "ratio": -np.log(table.std()),
        "gain": irstd.share_above(table, 0.1),
        "gain at .5": irstd.share_above(table, 0.5),
    }
    of_systems = pd.DataFrame(numbers)
    return of_systems.loc[first].mean() - of_systems.loc[second].mean()


def most_unlike(scores):
    """The steadier and the other system of the ten pairs most unlike in spread, of one mean."""
    pairs = irstd.pairwise_tests(scores, "t").query("pvalue > 0.9")
    log_sd = np.log(scores.std())
    ratio = log_sd[pairs["system_a"]].to_numpy() - log_sd[pairs["system_b"]].to_numpy()
    ten = np.abs(ratio).argsort()[-N_PICKED:]
    sides = pairs[["system_a", "system_b"]].to_numpy()[ten]
    first_is_wider = ratio[ten] > 0
    first = np.where(first_is_wider, sides[:, 1], sides[:, 0])
    return first, np.where(first_is_wider, sides[:, 0], sides[:, 1])


def picked(scores, splits=40, size=None):
    """What is left, on other topics, of what singles out a pair on so many, by default half."""
    rows = []
    for one, other in irstd.split_topics(len(scores), size=size, trials=splits):
        pairs = most_unlike(scores.iloc[one])
        found = gaps(scores.iloc[one], *pairs).add_suffix(": found")
        rows.append(pd.concat([found, gaps(scores.iloc[other], *pairs).add_suffix(": other")]))
    means = pd.DataFrame(rows).mean()
    for name in ("ratio", "gain"):
        means[f"{name} left"] = means[f"{name}: other"] / means[f"{name}: found"]
    return means.to_dict()


def with_errors(scores):
    """What is left, on a hundred other topics, with errors from leaving out eighths of topics."""
    found = picked(scores, splits=200, size=A_HUNDRED)
    shuffled = np.random.default_rng(0).permutation(len(scores))
    blocks = np.array_split(scores.index[shuffled], N_BLOCKS)
    error = left_out(scores, blocks, partial(picked, splits=A_HUNDRED, size=A_HUNDRED))
    return found | {name: (found[name], error[name]) for name in ("ratio left", "gain left")}


def errors_together(scores, splits=200):
    """The correlation of the errors of a system's mean and sd, which half the topics make."""
    halves = [scores.iloc[half] for half, _ in irstd.split_topics(len(scores), trials=splits)]
    means = pd.DataFrame([half.mean() for half in halves])
    return means.corrwith(pd.DataFrame([half.std() for half in halves])).median()


def better_half(scores):
    """The systems whose mean is above the median of all means."""
    return scores.loc[:, scores.mean() > scores.mean().median()]


def spread_and_mean(scores):
    """Whether better systems are spread more: raw, in z, and beside bounded scores."""
    varied = scores[scores.nunique(axis="columns") > 1]  # on the others z has no scale
    forms = {
        "raw": scores,
        "z": irstd.standardize(varied, method="z"),
    }
    rows = {f"{name} trend": table.mean().corr(table.std()) for name, table in forms.items()}
    better = better_half(scores)
    rows["raw trend, better half"] = better.mean().corr(better.std())
    return rows | beside_bounded(scores)


def beside_bounded(scores, trials=200):
    """How far Kendall's tau of mean and sd lies below that of bounded scores: in z, and raw."""
    found = {}
    for name, method in {"below null": "z", "below null, raw": None}.items():
        tau = irstd.variability.spread_trend(scores, method=method, trials=trials)
        found[name] = tau["null"] - tau["trend"]
    return found


def equally_steady(seed):
    """AP of the collections of a campaign, in which no system is steadier by design.

    None fails, all have one volatility, and none suffers more than others from hard topics.
    """
    design = read_design()
    systems = [design.later]
    for part in design.collections.values():
        if part.systems is not None:
            systems.append(part.systems)
    for traits in systems:
        traits.failures = 0.0
        traits.volatility_sd = 0.0
        traits.run_volatility_sd = 0.0
        traits.slope_sd = 0.0
    truths = draw_campaign(design, (SALT, seed))
    return [Collection(truth, 100, ()).judge().scores("AP", "later") for truth in truths]


def p_values(u, v):
    """Of two tests of spread, pairs of systems in columns."""
    distances = [np.abs(x - np.median(x, axis=0)) for x in (u, v)]
    tests = {
        "paired Levene": stats.ttest_rel(*distances).pvalue,
        "Levene": stats.levene(u, v, center="median", axis=0).pvalue,
    }
    return pd.DataFrame(tests)


def equal_pairs(scores, seed=0):
    """Pairs that do not differ: on each topic a coin says which of two systems has which score."""
    rng = np.random.default_rng(seed)
    sides = [rng.choice(scores.shape[1], 2, replace=False) for _ in range(EQUALLY_SPREAD)]
    first, second = (scores.to_numpy()[:, side] for side in np.transpose(sides))
    coin = rng.random(first.shape) < 0.5
    return np.where(coin, first, second), np.where(coin, second, first)


def false_alarms(scores):
    rates = (p_values(*equal_pairs(scores)) <= LEVEL).mean()
    return {f"false alarms: {test}": rate for test, rate in rates.items()}


def spread_tests(scores):
    """Of each pair: the test of spread, whether the means are tied, and whether the test breaks it.

    A tie: the means do not differ significantly.
    """
    tests = irstd.pairwise_tests(scores, "paired_levene")
    tests["tied"] = irstd.pairwise_tests(scores)["pvalue"] > LEVEL
    tests["broken"] = tests["tied"] & (tests["pvalue"] <= LEVEL)
    return tests


def share_broken(scores):
    tests = spread_tests(scores)
    return tests["broken"].sum() / tests["tied"].sum()


def without_two_groups(scores, group):
    """The scores without the two groups that are spread more most often, of broken ties."""
    broken = spread_tests(scores).query("broken")
    sd = scores.std()
    is_first = sd[broken["system_a"]].to_numpy() > sd[broken["system_b"]].to_numpy()
    wider = broken["system_a"].where(is_first, broken["system_b"])
    most = group[wider].value_counts().index[:2]
    return scores.loc[:, ~group[scores.columns].isin(most)]


def ties(scores, kept):
    """The share of broken ties; without the two groups most often spread more; corrected."""
    p = spread_tests(scores).query("tied")["pvalue"]
    return {
        "ties broken": (p <= LEVEL).mean(),
        "without two groups": share_broken(kept),
        "corrected": (stats.false_discovery_control(p) <= LEVEL).mean(),
        "by Bonferroni": (p <= LEVEL / len(p)).mean(),
    }


def left_without_two_groups(kept):
    """What is left of a picked difference in spread where two groups cannot be picked."""
    left = picked(kept, splits=200, size=A_HUNDRED)
    return {"ratio left, without two groups": left["ratio left"]}


def ties_on_fifty(scores, trials=20):
    """The share of broken ties on fifty topics, a mean over draws of these."""
    shares = []
    for fifty, _ in irstd.split_topics(len(scores), size=50, trials=trials):
        shares.append(share_broken(scores.iloc[fifty]))
    return {"ties broken on fifty topics": np.mean(shares)}


def contradicted(here, there):
    """Of ties that differ in spread here: whether other topics say the reverse.

    And whether the mean here foretells the wrong spread, or the share of scores above .5, a coin if
    the shares are equal.
    """
    i, j = np.triu_indices(here.shape[1], 1)

    def difference(numbers):
        return numbers.to_numpy()[i] - numbers.to_numpy()[j]

    truth = difference(there.std())
    by_share = difference(irstd.share_above(here, 0.5)) * truth
    wrong = {
        "ties": difference(here.std()) * truth < 0,
        "ties by the mean": difference(here.mean()) * truth < 0,
        "ties by the share": (1 - np.sign(by_share)) / 2,
    }
    return pd.DataFrame(wrong)[spread_tests(here)["broken"].to_numpy()]


def reversals(scores, trials=N_FIFTY, size=50):
    """How often another fifty topics contradict what fifty say of the spreads of ties."""
    tables = []
    for one, other in irstd.split_topics(len(scores), size=size, trials=trials):
        tables.append(contradicted(scores.iloc[one], scores.iloc[other]))
    return pd.concat(tables).mean().add_prefix("reversed in raw: ").to_dict()


def by_other_years(scores):
    """How often the topics of another year reverse what those of one say of the spreads of ties."""
    years = itertools.permutations(fifties(scores).values(), 2)
    shares = [contradicted(*both)["ties"].mean() for both in years]
    return {"reversed in raw: ties, another year": np.mean(shares)}


def of_robust():
    scores = robust()
    found = with_errors(scores) | spread_and_mean(scores) | false_alarms(scores)
    found |= {"errors together": errors_together(scores)}
    found |= by_other_years(scores)
    kept = without_two_groups(scores, clusters(scores))
    found |= ties(scores, kept) | ties_on_fifty(scores) | reversals(scores)
    return found | left_without_two_groups(kept)


@functools.cache
def each():
    """Picked pairs, trends, false alarms and reversals by 25 topics, by collection."""
    table = {}
    for name in FIFTEEN:
        scores = best_of(ap_of(name))
        numbers = spread_and_mean(scores) | picked(scores) | false_alarms(scores)
        by_25 = reversals(scores, trials=N_25, size=min(25, len(scores) // 2))
        table[name] = numbers | {f"{key}, 25 topics": value for key, value in by_25.items()}
    return pd.DataFrame(table)


def of_each():
    """Of each of the fifteen collections."""
    found = {}
    for name, numbers in each().items():
        for key in ("raw trend", "z trend", "ratio left"):
            found[f"{name}: {key}"] = numbers[key]
    return found


def of_most():
    """Medians over the fifteen collections, and on how many the trends lie low."""
    table = each()
    keys = ["raw trend", "raw trend, better half", "below null", "below null, raw"]
    keys += [f"false alarms: {test}" for test in ("paired Levene", "Levene")]
    ways = ("ties", "ties by the mean", "ties by the share")
    keys += [f"reversed in raw: {name}, 25 topics" for name in ways]
    found = {f"median, {key}": table.loc[key].median() for key in keys}
    found["most, false alarms: Levene"] = table.loc["false alarms: Levene"].max()
    found["z below null, collections"] = (table.loc["below null"] > 0).sum()
    return found | {"raw below null, collections": (table.loc["below null, raw"] > 0).sum()}


def of_equally_steady():
    """Of ten campaigns in which no system is steadier by design, with errors.

    How far they lie below bounded scores, on all topics of a campaign and as a mean over its
    collections, of fifty topics each; which ties differ in spread, and how often other topics
    reverse these.
    """
    rows = []
    for seed in TEN:
        parts = equally_steady(seed)
        scores = best_of(pd.concat(parts))
        together = beside_bounded(scores, trials=40)
        fifty = pd.DataFrame([beside_bounded(best_of(part), trials=40) for part in parts]).mean()
        row = {f"200 topics, {key}": value for key, value in together.items()}
        row["fifty topics, below null"] = fifty["below null"]
        row["ties broken"] = share_broken(scores)
        of_ties = reversals(scores, trials=N_OF_STEADY)
        row["reversed in raw: ties"] = of_ties["reversed in raw: ties"]
        rows.append(row)
    table = pd.DataFrame(rows)
    return {f"equally steady, {key}": (table[key].mean(), table[key].sem()) for key in table}


NUMBERS = {
    of_robust: "robust2004",
    of_each: DATA,
    of_most: DATA,
    of_equally_steady: "ten campaigns",
}
