"""What notebook 05 says of public data, and of ten other campaigns."""

import itertools

import numpy as np
import pandas as pd
import pytest
from campaigns import TEN, campaign
from ladder import compare, ladder, steps
from scipy import stats

import irstd

TOPICS = {"T7": (351, 400), "T8": (401, 450), "R3": (601, 650), "R4": (651, 700)}
STEPS = ["raw", "one number", "standardized"]
LEVELS = [0.001, 0.003, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5]


def all_pairs(tables, references, truth):
    """Means over all pairs of collections; `truth` of two of them may differ."""
    pairs = itertools.combinations(tables, 2)
    each = [ladder(*[(tables[n], references[n]) for n in pair], truth(*pair)) for pair in pairs]
    return (sum(each) / len(each)).loc[STEPS]


def bolder(tables, references, truth):
    """One number at .3: told, and wrong; then each step where 5% differ from themselves."""
    forms = {n: steps(tables[n], references[n]) for n in tables}
    rows = {}
    for step, level in itertools.product(STEPS[1:], LEVELS):
        pairs = itertools.combinations(tables, 2)
        each = [compare(forms[c][step], forms[d][step], truth(c, d), level) for c, d in pairs]
        rows[step, level] = pd.DataFrame(each).mean()
    found = pd.DataFrame(rows).T
    equal = [np.interp(0.05, found.loc[s, "itself"], found.loc[s, "told"]) for s in STEPS[1:]]
    return [*found.loc[("one number", 0.3), ["told", "wrong"]], *equal]


def distances(tables, references):
    """dRMSE of T7 and R3 on each step, then the lowest and highest of the unlike pairs, raw."""
    t7, r3 = (steps(tables[n], references[n]) for n in ("T7", "R3"))
    unlike = [irstd.drmse(tables[c], tables[d]) for c in ("T7", "T8") for d in ("R3", "R4")]
    return [*(irstd.drmse(t7[step], r3[step]) for step in STEPS), min(unlike), max(unlike)]


def bounds(scores):
    """The 97.5% bound of false positives among random halves, on each step."""
    forms, rates = [scores.to_numpy(), irstd.standardize(scores).to_numpy()], []
    for pair in irstd.split_topics(len(scores), trials=2000):
        raw, standardized = ([form[part] for part in pair] for form in forms)
        steps = raw, [half - half.mean() for half in raw], standardized
        rates.append([(stats.ttest_ind(*step).pvalue < 0.05).mean() for step in steps])
    return np.quantile(rates, 0.975, axis=0)


def study(tables):
    """Pairs told apart: by one collection, and by a random-effects mean over all."""
    i, j = np.triu_indices(tables[0].shape[1], 1)
    pairs = [t.to_numpy()[:, i] - t.to_numpy()[:, j] for t in tables]
    effect = np.array([d.mean(axis=0) for d in pairs])
    error = np.array([d.std(axis=0, ddof=1) / np.sqrt(len(d)) for d in pairs])
    effect, error = (each[:, (error > 0).all(axis=0)] for each in (effect, error))
    w = error**-2
    q = (w * (effect - (w * effect).sum(axis=0) / w.sum(axis=0)) ** 2).sum(axis=0)
    between = (q - len(w) + 1) / (w.sum(axis=0) - (w**2).sum(axis=0) / w.sum(axis=0))
    w = 1 / (error**2 + np.maximum(0, between))
    combined = np.abs((w * effect).sum(axis=0)) / np.sqrt(w.sum(axis=0)) > 1.96
    return [(np.abs(effect) > stats.t.ppf(0.975, 49) * error).mean(), combined.mean()]


def rows(tables, references, truth):
    """What a column of the table has."""
    table = all_pairs(tables, references, truth)
    standardized = [irstd.standardize(tables[n], references[n]) for n in tables]
    return table[["drmse", "right", "told", "wrong", "itself"]].to_dict("list") | {
        "moved": [(irstd.false_positives(tables["T7"], tables["R3"])["better_on"] == "d").sum()],
        "bolder": bolder(tables, references, truth),
        "distance": distances(tables, references),
        "study": [*study(list(tables.values())), study(standardized)[1]],
        "bounds": list(bounds(pd.concat([tables["T7"], tables["T8"]]))),
    }


@pytest.mark.slow
@pytest.mark.usefixtures("trec_data")
def test_the_column_of_public_numbers():
    later = irstd.load_dataset("robust2004")
    tables = {n: later.loc[str(a) : str(b)] for n, (a, b) in TOPICS.items()}
    names = {"T7": "trec7", "T8": "trec8", "R3": "robust2003"}
    references = {n: irstd.load_dataset(name) for n, name in names.items()} | {"R4": None}

    def truth(c, d):
        return later.drop(index=tables[c].index.union(tables[d].index)).mean()

    found = rows(tables, references, truth)
    printed = {
        "drmse": [1.10, 0.42, 0.37],
        "right": [0.74, 0.88, 0.89],
        "told": [0.51, 0.37, 0.63],
        "wrong": [0.09, 0.00, 0.02],
        "itself": [0.35, 0.02, 0.10],
        "moved": [103],
        "bolder": [0.62, 0.02, 0.51, 0.57],
        "distance": [1.86, 0.46, 0.34, 0.86, 1.86],
        "study": [0.65, 0.78, 0.79],
        "bounds": [0.50, 0.02, 0.16],
    }
    for row, expected in printed.items():
        assert found[row] == pytest.approx(expected, abs=0.0055), row
    splits = irstd.split_topics(tables["T8"].index, scheme="overlapping", trials=4000)
    rate = irstd.split_experiment(tables["T8"], splits, statistics=["fpr"])["fpr"].mean()
    assert rate == pytest.approx(0.0056, abs=0.0001)


def pool_shares(t7, r3):
    """How far T7 is on the way to the AP of R3: without manual runs, by 15 groups; and the rest."""
    groups = list(t7.systems.query("original and not manual")["group"].unique())
    pools = [t7.judge(depth=100, groups=each) for each in (groups, groups[:15])]
    parts = t7, *pools, r3.judge(depth=200), r3
    start, *middle, deep, end = (part.scores("AP", "later").mean(axis=None) for part in parts)
    return [(each - start) / (end - start) for each in middle] + [(end - deep) / (end - start)]


def of_a_campaign(seed):
    parts = dict(zip(TOPICS, campaign(seed).collections.values(), strict=True))
    tables = {n: part.scores("AP", "later") for n, part in parts.items()}
    references = {n: parts[n].scores("AP", "original") for n in ("T7", "T8", "R3")} | {"R4": None}
    truth = parts["T7"].systems["quality"][tables["T7"].columns]
    found = rows(tables, references, lambda c, d: truth)
    found["pool"] = pool_shares(parts["T7"], parts["R3"])
    found["own"] = [all_pairs(tables, dict.fromkeys(tables), lambda c, d: truth)["itself"].iloc[2]]
    return {(name, i): value for name, each in found.items() for i, value in enumerate(each)}


@pytest.mark.night
def test_the_column_of_ten_other_campaigns():
    found = pd.DataFrame([of_a_campaign(seed) for seed in TEN])
    printed = {
        "drmse": [(0.92, 1.37), (0.37, 0.48), (0.28, 0.43)],
        "right": [(0.70, 0.77), (0.88, 0.92), (0.89, 0.93)],
        "told": [(0.47, 0.55), (0.33, 0.38), (0.59, 0.64)],
        "wrong": [(0.04, 0.12), (0, 0), (0, 0.01)],
        "itself": [(0.23, 0.48), (0, 0.02), (0.02, 0.17)],
        "moved": [(67, 110)],
        "pool": [(0.35, 0.67), (0.43, 0.87), (0.10, 0.24)],
        "bolder": [(0.59, 0.63), (0.00, 0.01), (0.45, 0.58), (0.48, 0.68)],
        "bounds": [(0.41, 0.57), (0.00, 0.03), (0.15, 0.17)],
        "study": [(0.59, 0.64), (0.76, 0.81), (0.78, 0.82)],
        "distance": [(1.24, 2.23), (0.33, 0.55), (0.21, 0.45), (0.65, 1.29), (1.24, 2.23)],
    }
    for name, each in printed.items():
        for i, ends in enumerate(each):
            assert list(found[name, i].agg(["min", "max"])) == pytest.approx(ends, abs=0.0055), name
    assert list(found[[("itself", 2), ("own", 0)]].mean()) == pytest.approx([0.08, 0.05], abs=0.006)
    assert (found["bolder", 3] > found["bolder", 2] + 0.03).all()
    assert (found["pool", 0] > 0.7 * found["pool", 1]).all()
