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
ORIGINALS = {"T7": "trec7", "T8": "trec8", "R3": "robust2003"}  # of R4 there are none
STEPS = ["raw", "one number", "standardized"]
LEVELS = [0.001, 0.003, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5]
PUBLIC = {
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
RANGES = {
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


def all_pairs(tables, references, truth):
    """Means over all pairs of collections; `truth` of two of them may differ."""
    ladders = []
    for c, d in itertools.combinations(tables, 2):
        side_c = (tables[c], references[c])
        side_d = (tables[d], references[d])
        ladders.append(ladder(side_c, side_d, truth(c, d)))
    mean = sum(ladders) / len(ladders)
    return mean.loc[STEPS]


def bolder(tables, references, truth):
    """One number at .3: told, and wrong; then each step where 5% differ from themselves."""
    forms = {name: steps(tables[name], references[name]) for name in tables}
    rows = {}
    for step in STEPS[1:]:
        for level in LEVELS:
            rows[step, level] = mean_over_pairs(forms, step, level, truth)
    found = pd.DataFrame(rows).T
    told, wrong = found.loc[("one number", 0.3), ["told", "wrong"]]
    equally_bold = []
    for step in STEPS[1:]:
        by_level = found.loc[step]
        equally_bold.append(np.interp(0.05, by_level["itself"], by_level["told"]))
    return [told, wrong, *equally_bold]


def mean_over_pairs(forms, step, level, truth):
    """What `compare` finds on one step at one level, over all pairs of collections."""
    rows = []
    for c, d in itertools.combinations(forms, 2):
        rows.append(compare(forms[c][step], forms[d][step], truth(c, d), level))
    return pd.DataFrame(rows).mean()


def distances(tables, references):
    """dRMSE of T7 and R3 on each step, then the lowest and highest of the unlike pairs, raw."""
    t7 = steps(tables["T7"], references["T7"])
    r3 = steps(tables["R3"], references["R3"])
    by_step = [irstd.drmse(t7[step], r3[step]) for step in STEPS]
    pairs = itertools.product(("T7", "T8"), ("R3", "R4"))
    unlike = [irstd.drmse(tables[c], tables[d]) for c, d in pairs]
    return [*by_step, min(unlike), max(unlike)]


def bounds(scores):
    """The 97.5% bound of false positives among random halves, on each step."""
    raw = scores.to_numpy()
    standardized = irstd.standardize(scores).to_numpy()
    rates = []
    for one, other in irstd.split_topics(len(scores), trials=2000):
        centred_one = raw[one] - raw[one].mean()
        centred_other = raw[other] - raw[other].mean()
        rates.append(
            [
                share_significant(raw[one], raw[other]),
                share_significant(centred_one, centred_other),
                share_significant(standardized[one], standardized[other]),
            ]
        )
    return np.quantile(rates, 0.975, axis=0)


def share_significant(a, b):
    return (stats.ttest_ind(a, b).pvalue < 0.05).mean()


def study(tables):
    """Pairs that differ significantly: by one collection, and by a random-effects mean over all."""
    i, j = np.triu_indices(tables[0].shape[1], 1)
    effects = []
    errors = []
    for table in tables:
        scores = table.to_numpy()
        differences = scores[:, i] - scores[:, j]
        effects.append(differences.mean(axis=0))
        errors.append(differences.std(axis=0, ddof=1) / np.sqrt(len(differences)))
    vary = (np.array(errors) > 0).all(axis=0)
    effect = np.array(effects)[:, vary]
    error = np.array(errors)[:, vary]
    alone = np.abs(effect) > stats.t.ppf(0.975, 49) * error

    weight = 1 / (error**2 + variance_between(effect, error))
    combined = (weight * effect).sum(axis=0) / np.sqrt(weight.sum(axis=0))
    together = np.abs(combined) > 1.96
    return [alone.mean(), together.mean()]


def variance_between(effect, error):
    """The variance between collections, of each pair, by DerSimonian and Laird."""
    weight = error**-2
    total = weight.sum(axis=0)
    mean = (weight * effect).sum(axis=0) / total
    q = (weight * (effect - mean) ** 2).sum(axis=0)
    scale = total - (weight**2).sum(axis=0) / total
    between = (q - len(weight) + 1) / scale
    return np.maximum(0, between)


def rows(tables, references, truth):
    """What a column of the table has."""
    ladders = all_pairs(tables, references, truth)
    found = ladders[["drmse", "right", "told", "wrong", "itself"]].to_dict("list")
    moved = irstd.false_positives(tables["T7"], tables["R3"])
    standardized = [irstd.standardize(tables[name], references[name]) for name in tables]
    raw_alone, raw_together = study(list(tables.values()))
    _, standardized_together = study(standardized)

    found["moved"] = [(moved["better_on"] == "d").sum()]
    found["bolder"] = bolder(tables, references, truth)
    found["distance"] = distances(tables, references)
    found["study"] = [raw_alone, raw_together, standardized_together]
    found["bounds"] = list(bounds(pd.concat([tables["T7"], tables["T8"]])))
    return found


@pytest.mark.slow
@pytest.mark.usefixtures("trec_data")
def test_the_column_of_public_numbers():
    later = irstd.load_dataset("robust2004")
    tables = {name: later.loc[str(a) : str(b)] for name, (a, b) in TOPICS.items()}
    references = {name: irstd.load_dataset(dataset) for name, dataset in ORIGINALS.items()}
    references["R4"] = None

    def truth(c, d):
        """The means over all other topics."""
        topics = tables[c].index.union(tables[d].index)
        return later.drop(index=topics).mean()

    found = rows(tables, references, truth)
    for row, expected in PUBLIC.items():
        assert found[row] == pytest.approx(expected, abs=0.0055), row
    splits = irstd.split_topics(tables["T8"].index, scheme="overlapping", trials=4000)
    rates = irstd.split_experiment(tables["T8"], splits, statistics=["fpr"])
    assert rates["fpr"].mean() == pytest.approx(0.0056, abs=0.0001)


def pool_shares(t7, r3):
    """How far T7 is on the way to the AP of R3: without manual runs, by 15 groups; and the rest."""
    groups = list(t7.systems.query("original and not manual")["group"].unique())
    automatic = mean_ap(t7.judge(depth=100, groups=groups))
    of_15_groups = mean_ap(t7.judge(depth=100, groups=groups[:15]))
    deep = mean_ap(r3.judge(depth=200))
    start = mean_ap(t7)
    end = mean_ap(r3)
    way = end - start
    return [(automatic - start) / way, (of_15_groups - start) / way, (end - deep) / way]


def mean_ap(collection):
    return collection.scores("AP", "later").mean(axis=None)


def of_a_campaign(seed):
    """A column of the table by one campaign, as a dict by (row, place in the row)."""
    collections = dict(zip(TOPICS, campaign(seed).collections.values(), strict=True))
    tables = {name: part.scores("AP", "later") for name, part in collections.items()}
    references = {name: collections[name].scores("AP", "original") for name in ORIGINALS}
    references["R4"] = None
    quality = collections["T7"].systems["quality"][tables["T7"].columns]

    def truth(c, d):
        """The same for all pairs."""
        return quality

    found = rows(tables, references, truth)
    found["pool"] = pool_shares(collections["T7"], collections["R3"])
    by_themselves = all_pairs(tables, dict.fromkeys(tables), truth)
    found["own"] = [by_themselves["itself"].iloc[2]]
    flat = {}
    for name, values in found.items():
        for place, value in enumerate(values):
            flat[name, place] = value
    return flat


@pytest.mark.release
def test_the_column_of_ten_other_campaigns():
    found = pd.DataFrame([of_a_campaign(seed) for seed in TEN])
    for name, ranges in RANGES.items():
        for place, expected in enumerate(ranges):
            ends = [found[name, place].min(), found[name, place].max()]
            assert ends == pytest.approx(expected, abs=0.0055), name
    of_itself = found[[("itself", 2), ("own", 0)]].mean()
    assert list(of_itself) == pytest.approx([0.08, 0.05], abs=0.006)
    assert (found["bolder", 3] > found["bolder", 2] + 0.03).all()
    assert (found["pool", 0] > 0.7 * found["pool", 1]).all()
