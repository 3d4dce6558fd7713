"""What notebook 03 says of public data, and of ten other campaigns."""

import numpy as np
import pytest
from campaigns import TEN, campaign

import irstd


def halves(table, epsilon=0.01, trials=1000):
    """Return the mean tau between halves by the arithmetic mean, and by how much GMAP differs."""
    splits = irstd.split_topics(table.index, trials=trials)
    by = [
        irstd.split_experiment(table, splits, epsilon=e, statistics=["tau"])["tau"].mean()
        for e in (None, epsilon)
    ]
    return float(by[0]), float(by[1] - by[0])


@pytest.mark.slow
@pytest.mark.usefixtures("trec_data")
def test_the_table_of_public_numbers():
    scores = irstd.load_dataset("trec8")
    assert (scores == 0).stack().mean() == pytest.approx(0.026, abs=0.0005)
    logs = np.log(scores + 0.01)
    ratios = [t.max() / t.min() for t in map(irstd.topic_influence, (scores, logs))]
    assert ratios == pytest.approx([12, 2.6], abs=0.5)
    tau = irstd.rank_correlation(scores.mean(), irstd.gmap(scores, 1e-5))
    assert tau == pytest.approx(0.814, abs=0.0005)
    assert halves(scores, trials=10_000) == pytest.approx((0.773, -0.019), abs=0.0006)
    metrics = irstd.load_dataset("trec8", ["P@10", "RR"])
    found = {metric: halves(metrics[metric])[1] for metric in ("P@10", "RR")}
    assert found == pytest.approx({"P@10": -0.081, "RR": 0.006}, abs=0.0006)
    lines = irstd.gmap_curve(scores, [1e-6, np.inf]).pivot(
        index="epsilon", columns="split", values="tau"
    )
    assert (lines.iloc[0] < lines.iloc[1]).all()


@pytest.mark.slow
@pytest.mark.usefixtures("trec_data")
@pytest.mark.parametrize(
    ("name", "zeros", "difference"),
    [("trec5", 0.046, 0.048), ("trec6", 0.056, 0.041), ("trec7", 0.022, 0.002),
     ("web2004", 0.185, 0.036)],
)  # fmt: skip
def test_other_public_collections(name, zeros, difference):
    scores = irstd.load_dataset(name)
    assert (scores == 0).stack().mean() == pytest.approx(zeros, abs=0.0005)
    assert halves(scores)[1] == pytest.approx(difference, abs=0.0006)


@pytest.mark.night
def test_ten_campaigns_on_the_simulated_trec8():
    rows = []
    for part in (campaign(seed)["sim-trec8"] for seed in TEN):
        ap, metrics = part.scores("AP", "original"), part.scores(["P@10", "RR"], "original")
        row = [(ap == 0).stack().mean(), irstd.rank_correlation(ap.mean(), irstd.gmap(ap, 1e-5))]
        row += halves(ap, trials=400)
        rows.append(row + [halves(metrics[m], trials=400)[1] for m in ("P@10", "RR")])
        lines = irstd.gmap_curve(ap, [1e-6, np.inf]).pivot(
            index="split", columns="epsilon", values="tau"
        )
        fall = lines[np.inf] - lines[1e-6]
        assert fall.between(0.015, 0.137).all()
    low, high = np.min(rows, axis=0), np.max(rows, axis=0)
    assert low == pytest.approx([0.022, 0.82, 0.77, -0.043, -0.096, -0.005], abs=0.0051)
    assert high == pytest.approx([0.057, 0.88, 0.81, -0.015, -0.057, 0.047], abs=0.0051)
