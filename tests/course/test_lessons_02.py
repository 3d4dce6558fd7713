"""What notebook 02 says of public data, and of campaigns with other seeds."""

import numpy as np
import pandas as pd
import pytest
from campaigns import TEN, campaign
from ladder import ladder
from scipy import stats

import irstd

STEPS = ["raw", "one number", "topic's mean", "standardized"]

# The public column, in the order of `one_collection`
PUBLIC = [0.26, 0.50, 0.74, 0.75, 1, 0.26, 0.86, 0.50, 0.99, 0.07, 0.37, 0.33, 0.005]
PUBLIC_LABS = {  # on each of STEPS
    "right": [0.61, 0.88, 0.88, 0.87],
    "told": [0.70, 0.38, 0.58, 0.60],
    "wrong": [0.27, 0.00, 0.02, 0.03],
    "itself": [0.93, 0.02, 0.10, 0.11],
    "drmse": [1.87, 0.44, 0.44, 0.41],
    "error": [0.63, 0.63, 0.36, 0.35],
}
RANGES = {  # over ten campaigns
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


def one_collection(scores):
    """What is said of one matrix, TREC-8 or one like it."""
    standardized = irstd.standardize(scores)
    a, b, c = standardized.stack().quantile([0.25, 0.5, 0.75])

    z = irstd.standardize(scores, method="z")
    points = irstd.standardize(scores, method="centre") / scores.std(axis=1).mean()
    least, most = share_beaten(scores, z - 1)
    of_average, to_average = share_beaten(scores, z)
    fewest, all_of_them = share_beaten(scores, points - 1)

    n_others = scores.shape[1] - 1
    places = scores.rank(axis=1).sub(1).div(n_others).mean()
    n_best = int(0.75 * scores.shape[1])
    best = scores[scores.mean().nlargest(n_best).index]
    item_total = irstd.item_total_correlation(scores)
    even = irstd.item_total_correlation(standardized)
    of_the_best = irstd.item_total_correlation(best)
    return {
        "a": a,
        "b": b,
        "c": c,
        "least": least,
        "most": most,
        "of average": of_average,
        "to average": to_average,
        "fewest": fewest,
        "all of them": all_of_them,
        "place": (standardized.mean() - places).abs().max(),
        "all": item_total.corr(scores.std(axis=1)),
        "even": even.corr(scores.std(axis=1)),
        "best": of_the_best.corr(best.std(axis=1)),
    }


def share_beaten(scores, distance):
    """The least and the largest share of the others that a system at distance 0 beats."""
    n_others = scores.shape[1] - 1
    beaten = scores.rank(axis=1, method="min").sub(1).div(n_others)
    near = beaten.where(distance.abs() < 0.04).stack()
    return near.min(), near.max()


def common_and_own(table):
    """The ten systems that both labs run, and the others."""
    common = table.columns[::11]
    return common, table.columns.difference(common)


def two_labs(a, b, truth):
    """Both standardize by the same ten systems, as the two labs do."""
    common, own = common_and_own(a)
    table = ladder((a[own], a[common]), (b[own], b[common]), truth[own])
    return table.loc[STEPS]


def by_ten_maps(a, b, truth):
    """By one number, with its error from the ten systems: the pairs that differ significantly, and
    the systems that differ from themselves. By two numbers: dRMSE.
    """
    common, own = common_and_own(a)
    means_a = a[own].mean() - a[common].mean(axis=None)
    means_b = b[own].mean() - b[common].mean(axis=None)

    moves = b[common] - a[common].to_numpy()
    error = moves.mean().std() * np.sqrt(1 + 1 / 10)
    difference = np.subtract.outer(means_a.to_numpy(), means_b.to_numpy())
    told = np.abs(difference) > stats.t.ppf(0.975, 9) * error
    qualities = truth[own].to_numpy()
    differ = np.subtract.outer(qualities, qualities) != 0

    scaled_a = means_a / a[common].mean().std()
    scaled_b = means_b / b[common].mean().std()
    return [told[differ].mean(), np.diag(told).mean(), irstd.drmse(scaled_a, scaled_b)]


def by_ten(later, original):
    """The tau that 99 in 100 choices of ten standardizing systems reach."""
    sampled = irstd.factor_sampling(later, original, sizes=[10], trials=300)
    return sampled["tau"].quantile(0.01)


def tau_of_means(a, b):
    return irstd.rank_correlation(a.mean(), b.mean())


@pytest.mark.usefixtures("trec_data")
def test_the_column_of_public_numbers():
    found = one_collection(irstd.load_dataset("trec8"))
    np.testing.assert_allclose(list(found.values()), PUBLIC, atol=0.005)

    later = irstd.load_dataset("robust2004")
    old = irstd.load_dataset("trec7")
    t7 = later.loc["351":"400"]
    r3 = later.loc["601":"650"]
    r4 = later.loc["651":"700"]
    rest = later.drop(index=t7.index.union(r3.index)).mean()
    of_ten_maps = np.round(by_ten_maps(r3, t7, rest), 2)
    assert of_ten_maps.tolist() == [0.51, 0.03, 0.39]
    table = two_labs(r3, t7, rest).round(2)
    assert table.columns.tolist() == list(PUBLIC_LABS)
    assert table.T.to_numpy().tolist() == list(PUBLIC_LABS.values())

    assert tau_of_means(r3, r4) == pytest.approx(0.742, abs=0.0005)
    even = tau_of_means(irstd.standardize(r3), irstd.standardize(r4))
    raw = tau_of_means(t7, irstd.standardize(t7))
    assert [even, raw] == pytest.approx([0.720, 0.92], abs=0.0005)
    by_old = irstd.standardize(t7, old)
    assert by_old.mean().mean() == pytest.approx(0.516, abs=0.0005)
    ten = by_ten(r3, irstd.load_dataset("robust2003").loc["601":"650"])
    tau = tau_of_means(by_old, irstd.standardize(t7))
    assert [ten, tau] == pytest.approx([0.89, 0.97], abs=0.005)


@pytest.mark.parametrize("name", ["trec7", "trec8", "robust2003"])
@pytest.mark.usefixtures("trec_data")
def test_the_largest_public_z_moves_its_system_by_a_place_at_most(name):
    z = irstd.standardize(irstd.load_dataset(name), method="z")
    topic, system = z.stack().idxmax()
    without_topic = z.drop(index=topic)
    rank = z.mean().rank(ascending=False)[system]
    rank_without = without_topic.mean().rank(ascending=False)[system]
    assert abs(rank - rank_without) <= 1


def test_one_number_and_the_means_of_topics_give_the_same_differences():
    collections = campaign().collections
    a = collections["sim-robust2003"].scores("AP", "later")
    b = collections["sim-trec7"].scores("AP", "later")
    quality = collections["sim-trec7"].systems["quality"]
    common = a.columns[::11]
    table = ladder((a, a[common]), (b, b[common]), quality[a.columns])
    columns = ["right", "drmse"]
    one_number = table.loc["one number", columns].to_numpy()
    of_topics = table.loc["topic's mean", columns].to_numpy()
    np.testing.assert_allclose(one_number, of_topics, atol=1e-12)


def of_a_campaign(seed):
    """The numbers of the last column, of one campaign."""
    collections = campaign(seed).collections
    t7, _, r3, r4 = (part.scores("AP", "later") for part in collections.values())
    truth = collections["sim-trec7"].systems["quality"]
    old_t7 = collections["sim-trec7"].scores("AP", "original")
    old_r3 = collections["sim-robust2003"].scores("AP", "original")

    found = one_collection(collections["sim-trec8"].scores("AP"))
    table = two_labs(r3, t7, truth)
    for column in table:
        for step in STEPS:
            found[f"{column} {step}"] = table.loc[step, column]
    told, itself, drmse = by_ten_maps(r3, t7, truth)
    found["ten MAPs"] = told
    found["ten itself"] = itself
    found["two"] = drmse

    new = irstd.standardize(t7)
    by_old = irstd.standardize(t7, old_t7)
    found["new"] = tau_of_means(t7, new)
    found["two sets"] = tau_of_means(irstd.standardize(r3), irstd.standardize(r4))
    found["between"] = tau_of_means(r3, r4)
    found["by ten"] = by_ten(r3, old_r3)
    found["level"] = by_old.mean(axis=None)
    found["tau"] = tau_of_means(by_old, new)

    gains = pd.DataFrame([gains_over_raw(part) for part in collections.values()])
    found["z"] = gains["z"].mean()
    found["normal"] = gains["normal"].mean()
    found["one by one"] = gains["normal"].tolist()
    return found


def gains_over_raw(collection):
    """By how much standardized means are nearer to the true order than raw ones, in tau."""
    scores = collection.scores("AP")
    quality = collection.systems["quality"][scores.columns]
    taus = {}
    for method in ("centre", "z", "normal"):
        means = irstd.standardize(scores, method=method).mean()
        taus[method] = irstd.rank_correlation(means, quality)
    return {name: taus[name] - taus["centre"] for name in ("z", "normal")}


@pytest.mark.release
@pytest.mark.filterwarnings("ignore:all standardizing systems score the same")  # there are ten
def test_the_column_of_ten_other_campaigns():
    found = pd.DataFrame([of_a_campaign(seed) for seed in TEN])
    for row, (least, most) in RANGES.items():
        ends = [found[row].min(), found[row].max()]
        assert ends == pytest.approx([least, most], abs=0.0055), row
    alone = found["one by one"].explode()
    assert [alone.min(), alone.max()] == pytest.approx([-0.021, 0.034], abs=0.0005)
    assert (found["ten MAPs"] < found["told standardized"]).all()
    # Two numbers, and no topics, buy all of the error that standardized scores buy. The test of a
    # system against itself: too timid by one number, too bold by topic's mean, as promised by
    # both factors.
    of_itself = [f"itself {step}" for step in STEPS]
    names = ["normal", "two", "drmse standardized", *of_itself]
    assert found[names].mean().round(2).tolist() == [0.01, 0.32, 0.32, 0.86, 0.01, 0.12, 0.05]
