"""What notebook 02 says of public data, and of campaigns with other seeds."""

import numpy as np
import pandas as pd
import pytest
from campaigns import TEN, campaign
from ladder import ladder
from scipy import stats

import irstd

STEPS = ["raw", "one number", "topic's mean", "standardized"]
ENDS = ["least", "most", "of average", "to average", "fewest", "all of them"]


def one_collection(scores):
    """What is said of one matrix, TREC-8 or one like it."""
    standardized = irstd.standardize(scores)
    places = scores.rank(axis=1).sub(1).div(scores.shape[1] - 1).mean()
    units = irstd.standardize(scores, method="z"), irstd.standardize(scores, method="centre")
    beaten = scores.rank(axis=1, method="min").sub(1).div(scores.shape[1] - 1)
    points = units[1] / scores.std(axis=1).mean()
    near = [table.abs() < 0.04 for table in (units[0] - 1, units[0], points - 1)]
    ends = np.array([beaten.where(rows).stack().agg(["min", "max"]) for rows in near])
    best = scores[scores.mean().nlargest(int(0.75 * scores.shape[1])).index]
    return {
        **dict(zip("abc", standardized.stack().quantile([0.25, 0.5, 0.75]), strict=True)),
        **dict(zip(ENDS, ends.ravel(), strict=True)),
        "place": (standardized.mean() - places).abs().max(),
        "all": irstd.item_total_correlation(scores).corr(scores.std(axis=1)),
        "even": irstd.item_total_correlation(standardized).corr(scores.std(axis=1)),
        "best": irstd.item_total_correlation(best).corr(best.std(axis=1)),
    }


def two_labs(a, b, truth):
    """Both standardize by the same ten systems, as the two labs do."""
    common = a.columns[::11]
    own = a.columns.difference(common)
    return ladder((a[own], a[common]), (b[own], b[common]), truth[own]).loc[STEPS]


def by_ten_maps(a, b, truth):
    """By the error of one number, from the ten systems: told apart. By two: how far they move."""
    common, own = a.columns[::11], a.columns.difference(a.columns[::11])
    means, ten = [t[own].mean() - t[common].mean(axis=None) for t in (a, b)], b - a.to_numpy()
    error = ten[common].mean().std() * np.sqrt(1 + 1 / 10)
    told = np.abs(np.subtract.outer(*map(np.array, means))) > stats.t.ppf(0.975, 9) * error
    differ = np.subtract.outer(truth[own].to_numpy(), truth[own].to_numpy()) != 0
    two = [(t[own] - t[common].mean(axis=None)) / t[common].mean().std() for t in (a, b)]
    return [told[differ].mean(), np.diag(told).mean(), irstd.drmse(*two)]


def by_ten(later, original):
    return irstd.factor_sampling(later, original, sizes=[10], trials=300)["tau"].quantile(0.01)


@pytest.mark.usefixtures("trec_data")
def test_the_column_of_public_numbers():
    found = list(one_collection(irstd.load_dataset("trec8")).values())
    expected = [0.26, 0.50, 0.74, 0.75, 1, 0.26, 0.86, 0.50, 0.99, 0.07, 0.37, 0.33, 0.005]
    np.testing.assert_allclose(found, expected, atol=0.005)
    later, old = irstd.load_dataset("robust2004"), irstd.load_dataset("trec7")
    t7, r3, r4 = later.loc["351":"400"], later.loc["601":"650"], later.loc["651":"700"]
    rest = later.drop(index=t7.index.union(r3.index)).mean()
    table = two_labs(r3, t7, rest)
    assert np.round(by_ten_maps(r3, t7, rest), 2).tolist() == [0.51, 0.03, 0.39]
    printed = [  # right, told, wrong, itself, moved, believed
        [0.61, 0.88, 0.88, 0.87], [0.70, 0.38, 0.58, 0.60], [0.27, 0.00, 0.02, 0.03],
        [0.93, 0.02, 0.10, 0.11], [1.87, 0.44, 0.44, 0.41], [0.63, 0.63, 0.36, 0.35],
    ]  # fmt: skip
    assert table.round(2).T.to_numpy().tolist() == printed
    assert irstd.rank_correlation(r3.mean(), r4.mean()) == pytest.approx(0.742, abs=0.0005)
    ten = by_ten(r3, irstd.load_dataset("robust2003").loc["601":"650"])
    even = irstd.rank_correlation(irstd.standardize(r3).mean(), irstd.standardize(r4).mean())
    raw = irstd.rank_correlation(t7.mean(), irstd.standardize(t7).mean())
    assert [even, raw] == pytest.approx([0.720, 0.92], abs=0.0005)
    by_old = irstd.standardize(t7, old).mean()
    assert by_old.mean() == pytest.approx(0.516, abs=0.0005)
    tau = irstd.rank_correlation(by_old, irstd.standardize(t7).mean())
    assert [ten, tau] == pytest.approx([0.89, 0.97], abs=0.005)


@pytest.mark.parametrize("name", ["trec7", "trec8", "robust2003"])
@pytest.mark.usefixtures("trec_data")
def test_the_largest_public_z_moves_its_system_by_a_place_at_most(name):
    z = irstd.standardize(irstd.load_dataset(name), method="z")
    topic, system = z.stack().idxmax()
    ranks = [table.mean().rank(ascending=False)[system] for table in (z, z.drop(index=topic))]
    assert abs(ranks[0] - ranks[1]) <= 1


def test_one_number_and_the_means_of_topics_give_the_same_differences():
    parts = campaign().collections
    a, b = (parts[name].scores("AP", "later") for name in ("sim-robust2003", "sim-trec7"))
    common, one = a.columns[::11], parts["sim-trec7"].systems["quality"]
    table = ladder((a, a[common]), (b, b[common]), one[a.columns])
    same = table.loc[["one number", "topic's mean"], ["right", "drmse"]].to_numpy()
    np.testing.assert_allclose(same[0], same[1], atol=1e-12)


def of_a_campaign(seed):
    parts = campaign(seed).collections
    later = {name: part.scores("AP", "later") for name, part in parts.items()}
    t7, _, r3, r4 = later.values()
    truth = parts["sim-trec7"].systems["quality"]
    table, new = two_labs(r3, t7, truth), irstd.standardize(t7).mean()
    old = parts["sim-trec7"].scores("AP", "original")
    gain = []
    for part in parts.values():
        scores = part.scores("AP")
        known = part.systems["quality"][scores.columns]
        means = [irstd.standardize(scores, method=m).mean() for m in ("centre", "z", "normal")]
        raw, *others = (irstd.rank_correlation(mean, known) for mean in means)
        gain.append(np.array(others) - raw)
    return {
        **one_collection(parts["sim-trec8"].scores("AP")),
        **{f"{column} {step}": table.loc[step, column] for column in table for step in STEPS},
        **dict(zip(["ten MAPs", "ten itself", "two"], by_ten_maps(r3, t7, truth), strict=True)),
        "new": irstd.rank_correlation(t7.mean(), new),
        "two sets": irstd.rank_correlation(*[irstd.standardize(t).mean() for t in (r3, r4)]),
        "between": irstd.rank_correlation(r3.mean(), r4.mean()),
        "by ten": by_ten(r3, parts["sim-robust2003"].scores("AP", "original")),
        "level": irstd.standardize(t7, old).mean(axis=None),
        "tau": irstd.rank_correlation(*[irstd.standardize(t7, old).mean(), new]),
        "z": np.mean(gain, axis=0)[0],
        "normal": np.mean(gain, axis=0)[1],
        "one by one": [gains[1] for gains in gain],
    }


@pytest.mark.night
@pytest.mark.filterwarnings("ignore:all standardizing systems score the same")  # there are ten
def test_the_column_of_ten_other_campaigns():
    found = pd.DataFrame([of_a_campaign(seed) for seed in TEN])
    printed = {
        "least": (0.74, 0.80), "most": (0.93, 0.99), "of average": (0.29, 0.36),
        "to average": (0.73, 0.94), "itself topic's mean": (0.05, 0.24), "fewest": (0.61, 0.70),
        "all of them": (0.95, 1), "place": (0.08, 0.10), "all": (0.46, 0.77),
        "even": (0.20, 0.65), "normal": (-0.004, 0.019), "ten MAPs": (0.28, 0.52),
        "ten itself": (0, 0.06), "new": (0.90, 0.94), "two sets": (0.70, 0.87),
        "drmse raw": (1.26, 2.27), "drmse one number": (0.33, 0.54),
        "drmse standardized": (0.20, 0.38), "two": (0.26, 0.40),
        "a": (0.24, 0.26), "b": (0.44, 0.47), "c": (0.72, 0.74), "best": (-0.05, 0.37),
        "right raw": (0.57, 0.69), "right one number": (0.89, 0.92),
        "right standardized": (0.90, 0.94), "told raw": (0.57, 0.76),
        "told one number": (0.31, 0.43), "told standardized": (0.60, 0.67),
        "wrong raw": (0.10, 0.32), "wrong one number": (0, 0), "wrong standardized": (0, 0.01),
        "itself raw": (0.61, 1), "itself one number": (0, 0.06), "itself standardized": (0, 0.12),
        "error raw": (0.55, 0.70), "error standardized": (0.30, 0.35), "between": (0.69, 0.86),
        "by ten": (0.93, 0.95), "level": (0.49, 0.54), "tau": (0.94, 0.98),
    }  # fmt: skip
    for row, (least, most) in printed.items():
        assert [found[row].min(), found[row].max()] == pytest.approx([least, most], abs=0.0055), row
    alone = found["one by one"].explode()
    assert [alone.min(), alone.max()] == pytest.approx([-0.021, 0.034], abs=0.0005)
    assert (found["ten MAPs"] < found["told standardized"]).all()
    # Two numbers, and no topics, buy all of the error that standardized scores buy. The test of a
    # system against itself: too timid by one number, too bold by topic's mean, as promised by
    # both factors.
    names = ["normal", "two", "drmse standardized", *[f"itself {step}" for step in STEPS]]
    assert found[names].mean().round(2).tolist() == [0.01, 0.32, 0.32, 0.86, 0.01, 0.12, 0.05]
