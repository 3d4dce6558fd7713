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


def all_pairs(tables, references, truth):
    """Means over all pairs of collections; `truth` of two of them may differ."""
    pairs = itertools.combinations(tables, 2)
    each = [ladder(*[(tables[n], references[n]) for n in pair], truth(*pair)) for pair in pairs]
    return (sum(each) / len(each)).loc[STEPS]


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


@pytest.mark.slow
@pytest.mark.usefixtures("trec_data")
def test_the_column_of_public_numbers():
    later = irstd.load_dataset("robust2004")
    tables = {n: later.loc[str(a) : str(b)] for n, (a, b) in TOPICS.items()}
    names = {"T7": "trec7", "T8": "trec8", "R3": "robust2003"}
    references = {n: irstd.load_dataset(name) for n, name in names.items()} | {"R4": None}
    s = {n: irstd.standardize(tables[n], references[n]) for n in ("T7", "R3")}
    found = [irstd.drmse(t["T7"], t["R3"]) for t in (tables, s)]
    assert found == pytest.approx([1.86, 0.34], abs=0.005)
    assert (irstd.false_positives(tables["T7"], tables["R3"])["better_on"] == "d").sum() == 103

    def truth(c, d):
        return later.drop(index=tables[c].index.union(tables[d].index)).mean()

    table = all_pairs(tables, references, truth)
    assert table["drmse"].round(2).tolist() == [1.10, 0.42, 0.37]
    assert table["right"].round(2).tolist() == [0.74, 0.88, 0.89]
    assert table["told"].round(2).tolist() == [0.51, 0.37, 0.63]
    assert table["wrong"].round(2).tolist() == [0.09, 0.00, 0.02]
    assert table["itself"].round(2).tolist() == [0.35, 0.02, 0.10]
    one = {n: steps(tables[n], references[n])["one number"] for n in tables}
    pairs = itertools.combinations(tables, 2)
    bold = pd.DataFrame([compare(one[c], one[d], truth(c, d), 0.3) for c, d in pairs]).mean()
    assert bold[["told", "wrong"]].round(2).tolist() == [0.62, 0.02]
    assert bounds(later.loc["351":"450"]) == pytest.approx([0.50, 0.02, 0.16], abs=0.0055)
    assert study(list(tables.values())) == pytest.approx([0.65, 0.78], abs=0.005)
    splits = irstd.split_topics(tables["T8"].index, scheme="overlapping", trials=4000)
    rate = irstd.split_experiment(tables["T8"], splits, statistics=["fpr"])["fpr"].mean()
    assert rate == pytest.approx(0.0056, abs=0.0001)


def pool_shares(t7, r3):
    """Which part of the jump of AP the smaller pool makes: pool first, and topics first."""
    groups = list(t7.systems.query("original and not manual")["group"].unique()[:15])
    parts = t7, t7.judge(depth=100, groups=groups), r3.judge(depth=200), r3
    start, small, deep, end = (part.scores("AP", "later").mean(axis=None) for part in parts)
    return (small - start) / (end - start), (end - deep) / (end - start)


def of_a_campaign(seed):
    parts = dict(zip(TOPICS, campaign(seed).collections.values(), strict=True))
    tables = {n: part.scores("AP", "later") for n, part in parts.items()}
    references = {n: parts[n].scores("AP", "original") for n in ("T7", "T8", "R3")} | {"R4": None}
    truth = parts["T7"].systems["quality"][tables["T7"].columns]
    table = all_pairs(tables, references, lambda c, d: truth)
    moved = irstd.false_positives(tables["T7"], tables["R3"])["better_on"]
    pool = pool_shares(parts["T7"], parts["R3"])
    return table.stack().to_dict() | {
        "moved": (moved == "d").sum(),
        "pool": pool[0],
        "last": pool[1],
    }


@pytest.mark.night
def test_the_column_of_ten_other_campaigns():
    found = pd.DataFrame([of_a_campaign(seed) for seed in TEN])
    low, high = found.min(), found.max()
    printed = {
        "drmse": [(0.92, 1.37), (0.37, 0.48), (0.28, 0.43)],
        "right": [(0.70, 0.77), (0.88, 0.92), (0.89, 0.93)],
        "told": [(0.47, 0.55), (0.33, 0.38), (0.59, 0.64)],
        "wrong": [(0.04, 0.12), (0, 0), (0, 0.01)],
        "itself": [(0.23, 0.48), (0, 0.02), (0.02, 0.17)],
    }
    for column, ranges in printed.items():
        for step, ends in zip(STEPS, ranges, strict=True):
            place = [(step, column)]
            assert [*low[place], *high[place]] == pytest.approx(ends, abs=0.0055), place
    assert [low["moved"], high["moved"]] == [67, 110]
    assert [low["pool"], high["pool"]] == pytest.approx([0.43, 0.88], abs=0.0055)
    assert [low["last"], high["last"]] == pytest.approx([0.10, 0.24], abs=0.0055)
