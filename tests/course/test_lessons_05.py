"""What notebook 05 says of public data, and of ten other campaigns."""

import numpy as np
import pytest
from campaigns import TEN, campaign

import irstd

TOPICS = {"T7": (351, 400), "T8": (401, 450), "R3": (601, 650), "R4": (651, 700)}


def better(table):
    """Return how many systems are better than themselves, on average over the pairs."""
    return table[["better_on_c", "better_on_d"]].sum().sum() / len(table)


@pytest.mark.slow
@pytest.mark.usefixtures("trec_data")
def test_the_table_of_public_numbers():
    later = irstd.load_dataset("robust2004")
    tables = {n: later.loc[str(a) : str(b)] for n, (a, b) in TOPICS.items()}
    assert [len(table) for table in tables.values()] == [50, 50, 50, 49]
    names = {"T7": "trec7", "T8": "trec8", "R3": "robust2003"}
    references = {n: irstd.load_dataset(name) for n, name in names.items()} | {"R4": None}
    raw = irstd.compare_collections(tables)
    standardized = irstd.compare_collections(tables, references=references, method="normal")
    found = raw["drmse"].mean(), standardized["drmse"].mean(), standardized["drmse"].max()
    assert found == pytest.approx((1.10, 0.37, 0.41), abs=0.005)
    t7_r3 = [table.set_index(["c", "d"]).loc[("T7", "R3")] for table in (raw, standardized)]
    assert [row["drmse"] for row in t7_r3] == pytest.approx([1.86, 0.34], abs=0.005)
    assert t7_r3[0]["better_on_d"] == 103
    assert [round(better(table)) for table in (raw, standardized)] == [39, 11]
    t8 = tables["T8"], irstd.standardize(tables["T8"], references["T8"])
    power = [irstd.discriminative_power(scores) for scores in t8]
    assert power == pytest.approx([0.66, 0.66], abs=0.005)
    splits = irstd.split_topics(t8[0].index, scheme="overlapping", trials=4000)
    rate = irstd.split_experiment(t8[0], splits, statistics=["fpr"])["fpr"].mean()
    assert rate == pytest.approx(0.0056, abs=0.0001)


def right(a, b, quality):
    """Return how often two means, one on each collection, say truly which system is better."""
    says = np.subtract.outer(a.mean().to_numpy(), b.mean().to_numpy())
    truth = np.subtract.outer(quality, quality)
    return (np.sign(says) == np.sign(truth))[truth != 0].mean()


def automatic(part):
    systems = part.systems
    return systems[systems["original"] & ~systems["manual"]]


def pool_shares(t7, r3, groups):
    """Return which part of the jump of AP the smaller pool makes: pool first, and topics first."""
    parts = t7, t7.judge(depth=100, groups=groups), r3.judge(depth=200), r3
    start, small, deep, end = (part.scores("AP", "later").mean(axis=None) for part in parts)
    return (small - start) / (end - start), (end - deep) / (end - start)


@pytest.mark.night
def test_the_ranges_over_ten_campaigns():
    rows, power = [], []
    for seed in TEN:
        parts = dict(zip(TOPICS, campaign(seed).collections.values(), strict=True))
        ap = {n: part.scores("AP", "later") for n, part in parts.items()}
        references = {n: parts[n].scores("AP", "original") for n in ("T7", "T8", "R3")}
        raw = irstd.compare_collections(ap)
        by = irstd.compare_collections(ap, references=references | {"R4": None}, method="normal")
        quality = parts["T7"].systems["quality"][ap["T7"].columns].to_numpy()
        sap = {n: irstd.standardize(ap[n], reference) for n, reference in references.items()}
        groups = list(automatic(parts["T7"])["group"].unique()[:15])
        aged = parts["T7"].scores("AP", list(automatic(parts["T7"]).index))
        rows.append([
            raw["drmse"][1], by["drmse"][1], raw["better_on_d"][1], raw["drmse"].mean(),
            by["drmse"].mean(), by["drmse"].max(), better(raw), better(by),
            right(ap["T7"], ap["R3"], quality), right(sap["T7"], sap["R3"], quality),
            right(sap["T8"], sap["R3"], quality),
            right(irstd.standardize(ap["T7"], aged), sap["R3"], quality),
            *pool_shares(parts["T7"], parts["R3"], groups), by["drmse"][0] > raw["drmse"][0],
        ])  # fmt: skip
        power.append([irstd.discriminative_power(t["T8"]) for t in (ap, sap)])
    *rows, worse = np.array(rows, dtype=float).T
    low, high = np.min(rows, axis=1), np.max(rows, axis=1)
    expected = [1.24, 0.21, 67, 0.92, 0.28, 0.33, 24.8, 2.33, 0.57, 0.89, 0.875, 0.79, 0.43, 0.10]
    assert low == pytest.approx(expected, rel=0.01, abs=0.0051)
    expected = [2.23, 0.45, 110, 1.37, 0.43, 0.48, 52.7, 18.3, 0.70, 0.94, 0.94, 0.88, 0.87, 0.24]
    assert high == pytest.approx(expected, rel=0.01, abs=0.0051)
    assert worse.sum() == 2  # T7 against T8 has the larger dRMSE after standardization
    assert all(s < r / 2 for r, s in zip(rows[3], rows[4], strict=True))
    power = np.array(power)
    assert power.min(axis=0) == pytest.approx([0.556, 0.584], abs=0.005)
    assert power.max(axis=0) == pytest.approx([0.672, 0.68], abs=0.005)
    gain = power[:, 1] - power[:, 0]
    assert [gain.min(), gain.max()] == pytest.approx([0.0025, 0.0525], abs=0.0006)
