"""What public scores say of lesson 04: spread for users, spread and mean, and tests of spread.

The functions of a score matrix are asked of campaigns, too, by tests/course/test_lessons_04.py.
"""

import functools

import numpy as np
import pandas as pd
from fifteen import DATA, FIFTEEN, ap_of
from scipy import stats
from scipy.cluster import hierarchy
from scipy.spatial.distance import squareform

import irstd

LEVEL = 0.05
N_PICKED = 10
N_FIFTY = 100
N_25 = 40
EQUALLY_SPREAD = 2000
A_HUNDRED = 100  # topics a side, as in the lesson


def best_of(scores):
    """The best three quarters of the systems."""
    ranking = scores.mean().sort_values(ascending=False, kind="stable").index
    return scores[ranking[: int(0.75 * len(ranking))]]


@functools.cache
def robust():
    return best_of(irstd.load_dataset("robust2004"))


def gaps(table, first, second):
    """By how much second is spread more than first, in logs; satisfies less at .1; and is worse."""
    log_sd = np.log(table.std())
    above = irstd.share_above(table, 0.1)
    rows = [-log_sd, above, table.mean()]
    return [(row[first].to_numpy() - row[second].to_numpy()).mean() for row in rows]


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


def picked(scores, new=None, splits=40, size=None):
    """What is left, on other topics, of what singles out a pair on so many, by default half.

    With scores on new topics also what is left on these.
    """
    tables = {"found": [], "other": []}
    if new is not None:
        tables["new"] = []
    for one, other in irstd.split_topics(len(scores), size=size, trials=splits):
        first, second = most_unlike(scores.iloc[one])
        tables["found"].append(gaps(scores.iloc[one], first, second))
        tables["other"].append(gaps(scores.iloc[other], first, second))
        if new is not None:
            tables["new"].append(gaps(new, first, second))
    rows = {}
    for where, of_splits in tables.items():
        means = np.mean(of_splits, axis=0)
        for name, mean in zip(["ratio", "gain", "means"], means, strict=True):
            rows[f"{name}: {where}"] = mean
    for name in ("ratio", "gain"):
        rows[f"{name} left"] = rows[f"{name}: other"] / rows[f"{name}: found"]
    return rows


def errors_together(scores, splits=200):
    """The correlation of the errors of a system's mean and sd, which half the topics make."""
    means = []
    sds = []
    for half, _ in irstd.split_topics(len(scores), trials=splits):
        means.append(scores.iloc[half].mean())
        sds.append(scores.iloc[half].std())
    return pd.DataFrame(means).corrwith(pd.DataFrame(sds)).median()


def spread_and_mean(scores):
    """Whether better systems are spread more: raw, as logits, in z, and beside bounded scores."""
    varied = scores[scores.nunique(axis="columns") > 1]  # on the others z has no scale
    forms = {
        "raw": scores,
        "logit": irstd.logit(scores, 1e-4),
        "z": irstd.standardize(varied, method="z"),
    }
    rows = {f"{name} trend": table.mean().corr(table.std()) for name, table in forms.items()}
    trend = irstd.spread_trend(scores)
    rows |= {"trend": trend["trend"], "bounded": trend["null"], "low": trend["low"]}
    raw = irstd.spread_trend(scores, method=None)
    rows |= {
        "below null, raw": raw["null"] - raw["trend"],
        "below low, raw": raw["low"] - raw["trend"],
    }
    return rows | {"below null": trend["null"] - trend["trend"]}


def p_values(u, v):
    """Of three tests of spread, pairs of systems in columns."""
    distances = [np.abs(x - np.median(x, axis=0)) for x in (u, v)]
    ratio = u.var(axis=0, ddof=1) / v.var(axis=0, ddof=1)
    freedom = len(u) - 1
    tails = [tail(ratio, freedom, freedom) for tail in (stats.f.cdf, stats.f.sf)]
    tests = {
        "paired Levene": stats.ttest_rel(*distances).pvalue,
        "Levene": stats.levene(u, v, center="median", axis=0).pvalue,
        "F": 2 * np.minimum(*tails),
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


def broken_ties(scores):
    """Pairs without a significant difference of means, and which of these differ in spread.

    Returns the share, and of each pair that differs in spread the system that is spread more.
    """
    tied = irstd.pairwise_tests(scores)["pvalue"] > LEVEL
    tests = irstd.pairwise_tests(scores, "paired_levene")[tied]
    broken = tests[tests["pvalue"] <= LEVEL]
    sd = scores.std()
    is_first = sd[broken["system_a"]].to_numpy() > sd[broken["system_b"]].to_numpy()
    return len(broken) / len(tests), broken["system_a"].where(is_first, broken["system_b"])


def clusters(scores, number=20):
    """Systems whose scores go together, as runs of one group do."""
    distance = 1 - scores.corr().to_numpy()
    np.fill_diagonal(distance, 0)
    linked = hierarchy.linkage(squareform(distance, checks=False), "average")
    return pd.Series(hierarchy.fcluster(linked, number, "maxclust"), scores.columns)


def ties(scores, group=None):
    """The share of broken ties; without the two groups that are most often spread more; in z."""
    group = clusters(scores) if group is None else group
    share, wider = broken_ties(scores)
    most = group[wider].value_counts().index[:2]
    left, _ = broken_ties(scores.loc[:, ~group[scores.columns].isin(most)])
    in_z, _ = broken_ties(irstd.standardize(scores, method="z"))
    return {"ties broken": share, "without two groups": left, "ties broken in z": in_z}


def ties_on_fifty(scores, trials=20):
    """The share of broken ties on fifty topics, a mean over draws of these."""
    shares = []
    for fifty, _ in irstd.split_topics(len(scores), size=50, trials=trials):
        share, _ = broken_ties(scores.iloc[fifty])
        shares.append(share)
    return {"ties broken on fifty topics": np.mean(shares)}


def reversals(scores, trials=N_FIFTY, size=50, in_z=True):
    """How often another fifty topics reverse what fifty say of spreads: all pairs, and ties.

    And how often the mean on the first fifty topics foretells the wrong spread.
    """
    forms = {"raw": scores}
    if in_z:
        forms["z"] = irstd.standardize(scores, method="z")
    i, j = np.triu_indices(scores.shape[1], 1)
    rows = {}
    for form, table in forms.items():
        counts = np.zeros((3, 2))
        for one, other in irstd.split_topics(len(scores), size=size, trials=trials):
            differ = irstd.pairwise_tests(table.iloc[one], "paired_levene")["pvalue"] <= LEVEL
            better = irstd.pairwise_tests(scores.iloc[one])["pvalue"] <= LEVEL
            spread, wanted = (table.iloc[half].std().to_numpy() for half in (one, other))
            mean = scores.iloc[one].mean().to_numpy()
            truth = wanted[i] - wanted[j]
            wrong = (spread[i] - spread[j]) * truth < 0
            wrong_by_mean = (mean[i] - mean[j]) * truth < 0
            tied = differ & ~better
            counts[0] += [(wrong & differ).sum(), differ.sum()]
            counts[1] += [(wrong & tied).sum(), tied.sum()]
            counts[2] += [(wrong_by_mean & tied).sum(), tied.sum()]
        for name, (bad, all_) in zip(["all", "ties", "ties by the mean"], counts, strict=True):
            rows[f"reversed in {form}: {name}"] = bad / all_
    return rows


def of_robust():
    scores = robust()
    found = picked(scores, splits=200, size=A_HUNDRED)
    found |= spread_and_mean(scores) | false_alarms(scores)
    found |= {"errors together": errors_together(scores)}
    return found | ties(scores) | ties_on_fifty(scores) | reversals(scores)


def by_other_metrics():
    """How far below that of bounded scores the trend in z lies; the topics have AP, too."""
    found = {}
    for name, metric in [
        ("robust2004", "nDCG"),
        ("terabyte2006", "nDCG"),
        ("trec8", "P@10"),
        ("trec8", "RR"),
    ]:
        trend = irstd.spread_trend(best_of(irstd.load_dataset(name, metric)))
        found[f"{name}, {metric}: below null"] = trend["null"] - trend["trend"]
    return found


@functools.cache
def each():
    """Picked pairs, trends, false alarms and reversals by 25 topics, by collection."""
    table = {}
    for name in FIFTEEN:
        scores = best_of(ap_of(name))
        numbers = spread_and_mean(scores) | picked(scores) | false_alarms(scores)
        by_25 = reversals(scores, trials=N_25, size=min(25, len(scores) // 2), in_z=False)
        table[name] = numbers | {f"{key}, 25 topics": value for key, value in by_25.items()}
    return pd.DataFrame(table)


def of_each():
    """Of each of the fifteen collections."""
    found = {}
    for name, numbers in each().items():
        for key in ("raw trend", "logit trend", "z trend", "trend", "bounded", "low"):
            found[f"{name}: {key}"] = numbers[key]
        for key in ("ratio left", "gain left", "means: other"):
            found[f"{name}: {key}"] = numbers[key]
    return found


def of_most():
    """Medians over the fifteen collections, and on how many the raw trend lies low."""
    table = each()
    keys = ["below null", "below null, raw"]
    keys += [f"false alarms: {test}" for test in ("paired Levene", "Levene", "F")]
    keys += [f"reversed in raw: {name}, 25 topics" for name in ("ties", "ties by the mean")]
    found = {f"median, {key}": table.loc[key].median() for key in keys}
    found["most, false alarms: Levene"] = table.loc["false alarms: Levene"].max()
    found["raw below null, collections"] = (table.loc["below null, raw"] > 0).sum()
    return found | {"raw below low, collections": (table.loc["below low, raw"] > 0).sum()}


NUMBERS = {
    of_robust: "robust2004",
    of_each: DATA,
    of_most: DATA,
    by_other_metrics: "robust2004, terabyte2006, trec8",
}
