"""How today.csv, the numbers of lesson 10, was made: seventeen claims, asked of each score matrix.

With the public data at hand, thirty minutes make it anew::

    IRSTD_DATA=... PYTHONPATH=notebooks python tests/numbers_of_today.py
"""

import re

import numpy as np
import pandas as pd
from fifteen import FIFTEEN
from halves import left_out
from public.lesson_08 import by_year
from scipy import stats
from texts import ROOT

import irstd
from data import ledger as book

STORED = ROOT / "notebooks" / "data" / "today.csv"


def on_scores(x):
    s, parts = irstd.standardize(x), irstd.variability.variance_components(x)
    told = [100 * (irstd.pairwise_tests(y)["pvalue"] <= 0.05).mean() for y in (x, s)]
    return {
        "wmz08-effect": parts["topics"] / parts["systems"],
        "wmz08-skewed": stats.skew(x.to_numpy().ravel()),
        "wmz08-even": stats.kstest(s.to_numpy().ravel(), "uniform").statistic,
        "wmz08-power": told[1] - told[0],
    }


def drawn(x, trials, parts):
    seeds = [book.seed_of(topic) for topic in x.index]
    keys = [np.random.default_rng(seed).random(trials) for seed in seeds]
    size = len(x) // parts
    return np.argsort(keys, axis=0).T[:, : parts * size].reshape(trials, parts, size)


def on_halves(x, trials=500):
    half = drawn(x, trials, 2)
    raw, s = (irstd.split_experiment(x, half, method=m) for m in (None, "normal"))
    by_gmap = irstd.split_experiment(x, half, statistics=["tau"], epsilon=0.01)
    return {
        "wmz08-halves": s["drmse"].mean() / raw["drmse"].mean(),
        "wmz08-bound": s["fpr"].quantile(0.975) / raw["fpr"].quantile(0.975),
        "rm08-lead": (by_gmap["tau"] - raw["tau"]).mean(),
    }


def order(a, b):
    return np.sign(a.round(12)[:, :, None] - b.round(12)[:, None, :])


def shares(forms, rows, asked=True):
    """Pairs in the wrong order on two sets of topics, by each form; last, raw on one set."""
    means = [np.asarray(y)[rows].mean(axis=2) for y in forms]
    first, _, last = means[-1].swapaxes(0, 1)
    truth = order(last, last)
    pairs = [(y[:, 0], y[:, 1]) for y in means] + [(first, first)]
    return [(order(*each) != truth)[(truth != 0) & asked].mean() for each in pairs]


def ratios(name, found):
    """Two sets of topics over one: standardized, centered and raw, and how these differ."""
    s, centered, raw = np.array(found[:3]) / found[3]
    told = {
        "": s,
        "-raw": raw,
        "-less-raw": s - raw,
        "-less-center": s - centered,
    }
    return {name + end: value for end, value in told.items()}


def on_thirds(x, trials=100):
    forms = irstd.standardize(x), irstd.standardize(x, method="center"), x
    found = ratios("ours-central", shares(forms, drawn(x, trials, 3)))
    return {"wmz08-central": found.pop("ours-central")} | found


def on_outliers(x):
    logs = np.log(x + 0.01)
    less = [(y.sum() - y) / (len(y) - 1) for y in (x, logs)]
    means = less[0], np.exp(less[1])
    shares = [y.std(ddof=0).mean() / y.mean().std() for y in means]
    return {"rm08-stable": shares[1] / shares[0]}


def on_trends(x):
    forms = {
        "f2": x,
        "f5-z": irstd.standardize(x, method="z"),
        "f5-logit": irstd.variability.logit(x, 0.01),
    }
    taus = {k: irstd.rank_correlation(y.mean(), irstd.spread(y)) for k, y in forms.items()}
    return {f"hcmv10-{name}": tau for name, tau in taus.items()}


def broken_by_pitman_morgan(x):
    """Ties of means whose variances differ: var(a) - var(b) is the covariance of a + b, a - b."""
    i, j = np.triu_indices(x.shape[1], 1)
    variances = x.cov().to_numpy()
    a, b = np.diag(variances)[[i, j]]
    r = (a - b) / np.sqrt((a + b) ** 2 - 4 * variances[i, j] ** 2)
    p = 2 * stats.t.sf(np.abs(r) * np.sqrt((len(x) - 2) / (1 - r**2)), len(x) - 2)
    return ((p <= 0.05) & (irstd.pairwise_tests(x)["pvalue"] > 0.05)).sum()


def on_best(x):
    best = x[x.mean().nlargest(int(0.75 * x.shape[1])).index]
    best = best[best.max(axis=1) > best.min(axis=1)]
    raw, z = (irstd.break_ties(best, top=1, method=m) for m in (None, "z"))
    before, after = (100 * y[["f", "levene"]] / y["ties"] for y in (raw, z))
    total = irstd.rankings.item_total_correlation(best)
    return {
        "wmz08-reliable": irstd.rank_correlation(total, best.std(axis=1)),
        "hcmv10-common": before["levene"],
        "hcmv10-fewer": 100 * (z["ties"] - raw["ties"]) / raw["pairs"],
        "hcmv10-f": after["f"] - before["f"],
        "hcmv10-levene": after["levene"] - before["levene"],
        "ours-ties": raw["ties"],
        "ours-ties-paired": broken_by_pitman_morgan(best),
    }


def ask(x):
    """All claims of one score matrix."""
    asked = (on_scores, on_halves, on_thirds, on_outliers, on_trends, on_best)
    found = {name: value for each in asked for name, value in each(x).items()}
    return pd.Series(found | {"ours-level": x.to_numpy().mean()})


def group_of(name):
    """The group that sent a run: the letters of its tag up to the first other character."""
    tag = (name if isinstance(name, str) else name[-1]).rpartition("/")[2]
    return re.match("[A-Za-z]+|.+", tag)[0].lower()


def by_halves(x, half):
    """Each half of the systems standardized by itself, centered by itself, and raw."""
    s, centered, raw = (x.to_numpy(copy=True) for _ in range(3))
    for side in (half, ~half):
        z = raw[:, side] - raw[:, side].mean(axis=1, keepdims=True)
        sd = z.std(axis=1, ddof=1, keepdims=True)
        centered[:, side], s[:, side] = z, stats.norm.cdf(z / np.where(sd > 1e-12, sd, 1))
    return s, centered, raw


def on_halved(x, name, group_of, cuts=50, trials=200):
    """Pairs across halves of the groups, of which each is its own reference."""
    group, rows = x.columns.map(group_of), drawn(x, trials, 3)
    size, found = group.value_counts().sort_index(), []
    keys = [np.random.default_rng(book.seed_of(each)).random(cuts) for each in size.index]
    for cut, key in enumerate(np.transpose(keys)):
        turn = size.iloc[np.argsort(key)]
        half = group.isin(turn.index[turn.cumsum() - turn < len(group) / 2])
        found.append(shares(by_halves(x, half), rows[cut::cuts], half[:, None] != half))
    return ratios(name, np.mean(found, axis=0))


def on_controls(x, group_of=group_of):
    """What else would give the number? Two references, and systems that are none."""
    lots = [np.random.default_rng(book.seed_of(topic)) for topic in x.index]
    rows = [lot.permutation(row) for lot, row in zip(lots, x.to_numpy(), strict=True)]
    mixed, half = pd.DataFrame(rows, x.index, x.columns), drawn(x, 500, 2)
    told = {"splits": half, "statistics": "drmse"}
    raw, s = (irstd.split_experiment(mixed, method=m, **told) for m in (None, "normal"))
    found = {"ours-halves-shuffled": s["drmse"].mean() / raw["drmse"].mean()}
    found |= on_halved(x, "ours-runs", str)
    return pd.Series(found | (on_halved(x, "ours-groups", group_of) if group_of else {}))


def on_judges(x):
    """dRMSE of people and each judge, standardized over raw."""
    found, people = [], x["original"]
    for judge in x.columns.unique(0).drop("original"):
        a = x[judge].dropna()
        b = people.loc[a.index]
        found.append([irstd.drmse(irstd.standardize(a), irstd.standardize(b)), irstd.drmse(a, b)])
    by_topic, raw = np.mean(found, axis=0)
    return pd.Series({"judges": by_topic / raw})


TWO = {"robust2004": "nDCG", "terabyte2006": "nDCG"}  # of which two metrics are public
TWO |= {f"web{year}": "nDCG@20" for year in range(2010, 2015)}


def judges(year):
    """People, and the models that judged forty topics or more; of two that are alike, one."""
    people, models = by_year()[year]
    return pd.concat({"original": people} | models, axis=1).dropna()


def by_one(function, x):
    return [pd.Series(function(x[name])) for name in x.columns.unique(0)]


def mean_of(function):
    return lambda x: pd.DataFrame(by_one(function, x)).mean()


def change(function):
    """By the second metric, less by the first."""
    return lambda x: by_one(function, x)[1] - by_one(function, x)[0]


def new_data():
    for year in (2019, 2020, 2021):
        both = judges(year)
        models = both.drop(columns="original", level=0)
        yield "new", f"DL {year}", both["original"], every, True
        yield "new", f"DL {year}", both, on_judges, True
        if year < 2021:  # twelve judges take an hour
            yield "by models", f"{year} by models", models, mean_of(every), True
    board = irstd.load_dataset("mteb-retrieval").dropna(axis="columns")
    yield "new", "MTEB", board.loc[:, ~board.T.duplicated()], every, True


def every(x, group_of=group_of):
    return pd.concat([ask(x), on_controls(x, group_of)])


def anonymous(x):
    return every(x, None)


def old_data():
    for name in FIFTEEN:
        yield "old AP", f"{name} AP", irstd.load_dataset(name), anonymous, False
    for name, metric in TWO.items():
        x = irstd.load_dataset(name, metric)
        both = {"AP": irstd.load_dataset(name).loc[x.index], metric: x}
        yield "old nDCG", f"{name} {metric}", x, anonymous, False
        yield "metric", f"{name} {metric} less AP", pd.concat(both, axis=1), change(ask), False
    runs = {metric: irstd.load_dataset("robust2003-runs", metric) for metric in ("AP", "nRBP.9")}
    yield "metric", "six runs nRBP.9 less AP", pd.concat(runs, axis=1), change(on_scores), True


FAMILIES = ["FEVER ClimateFEVER", "NQ HotpotQA DBPedia", "NFCorpus SCIDOCS SciFact TRECCOVID"]
FAMILIES += ["ArguAna Touche2020", "CQADupstackRetrieval QuoraRetrieval", "FiQA2018", "MSMARCO"]


def parts_of(x, grouped):
    count, groups = len(x) if len(x) <= 60 else 50, {}
    for name in x.columns if grouped else ():
        groups.setdefault(group_of(name), []).append(name)
    topics = [x.index[k::count] for k in range(count)]
    if "MSMARCO" in x.index:
        topics = [family.split() for family in FAMILIES]
    return topics, list(groups.values())


def answers(kind, data, x, function, grouped):
    value, (topics, groups) = function(x), parts_of(x, grouped)
    columns = {"value": value, "se_topics": left_out(x, topics, function)}
    columns["se_groups"] = left_out(x, groups, function, axis=1) if groups else 0 * value
    df = min(len(part) for part in (topics, groups) if part) - 1
    found = pd.DataFrame(columns).rename_axis("claim").reset_index()
    return found.assign(kind=kind, data=data, df=df)


if __name__ == "__main__":
    made = pd.concat([answers(*each) for source in (new_data, old_data) for each in source()])
    made.to_csv(STORED, index=False, float_format="%.4g")
