"""Risk against gdeval's loop, scipy's t and the published formulas by hand."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import irstd
from irstd.significance.risk import risk


@pytest.fixture(scope="module")
def scores():
    return irstd.load_dataset("sim-trec8").iloc[:, ::10]


@pytest.mark.parametrize("alpha", [0, 1, 5, 10])
def test_urisk_is_that_of_gdeval(scores, alpha):
    """What gdeval.pl of the TREC Web track adds up and divides by the topics."""
    base = scores.columns[3]
    found = risk(scores, base, alpha=alpha)
    assert found.name == "urisk" and found[base] == 0
    for system in scores:
        total = 0.0
        for mine, theirs in zip(scores[system], scores[base], strict=True):
            difference = mine - theirs
            if difference < 0:
                difference *= 1 + alpha
            total += difference
        assert found[system] == pytest.approx(total / len(scores), abs=1e-12)
    given = risk(scores.drop(columns=base), scores[base][::-1], alpha=alpha)
    pd.testing.assert_series_equal(given, found.drop(base))


@pytest.mark.parametrize("alpha", [0, 5])
def test_trisk_is_a_t_of_weighted_differences(scores, alpha):
    d = scores.sub(scores.mean(axis=1), axis=0)
    weighted = d.where(d >= 0, (1 + alpha) * d)
    expected = stats.ttest_1samp(weighted, 0).statistic
    found = risk(scores, alpha=alpha, kind="trisk")
    np.testing.assert_allclose(found, expected, rtol=1e-10)


def test_zrisk_and_georisk_by_hand():
    """Three systems, two topics: sums 1.2, .8, 1.0 by system, 2, 1 by topic, 3 of all."""
    table = pd.DataFrame({"a": [0.9, 0.3], "b": [0.5, 0.3], "c": [0.6, 0.4]})
    z = {
        "a": [(0.9 - 0.8) / np.sqrt(0.8), (0.3 - 0.4) / np.sqrt(0.4)],
        "b": [(0.5 - 1.6 / 3) / np.sqrt(1.6 / 3), (0.3 - 0.8 / 3) / np.sqrt(0.8 / 3)],
        "c": [(0.6 - 2 / 3) / np.sqrt(2 / 3), (0.4 - 1 / 3) / np.sqrt(1 / 3)],
    }
    zrisk = {name: sum(3 * x if x < 0 else x for x in pair) for name, pair in z.items()}
    assert risk(table, alpha=2, kind="zrisk").to_dict() == pytest.approx(zrisk)
    expected = {
        name: np.sqrt(table[name].mean() * stats.norm.cdf(zrisk[name] / 2)) for name in table
    }
    assert risk(table, alpha=2, kind="georisk").to_dict() == pytest.approx(expected)


def test_topics_and_systems_that_score_nothing_bear_no_risk():
    table = pd.DataFrame({"a": [0.5, 0.0, 0.2], "b": [0.4, 0.0, 0.3], "none": 0.0})
    found = risk(table, alpha=3, kind="zrisk")
    assert found.notna().all()
    assert found["none"] == 0
    expected = risk(table.drop(index=1)[["a", "b"]], alpha=3, kind="zrisk")
    assert found[["a", "b"]].tolist() == pytest.approx(expected.tolist())
    assert risk(table, alpha=3, kind="georisk")["none"] == 0
    assert (risk(table * 0, alpha=3, kind="georisk") == 0).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"alpha": -1}, "alpha must be at least 0"),
        ({"alpha": 1, "kind": "risk"}, "kind must be one of"),
        ({"alpha": 1, "baseline": "nobody"}, "baseline must be one of"),
        ({"alpha": 1, "baseline": [0.1, 0.2]}, "must be of the same topics, got 50 and 2"),
        ({"alpha": 1, "kind": "zrisk", "baseline": "a"}, "has no baseline"),
    ],
)
def test_risks_that_are_not_defined_are_refused(scores, arguments, message):
    with pytest.raises(ValueError, match=message):
        risk(scores, **arguments)
    with pytest.raises(ValueError, match="needs scores >= 0"):
        risk(scores - 1, alpha=1, kind="georisk")


def test_two_equal_systems_are_what_random_signs_show():
    """URisk of |d| with random signs is -alpha / 2 mean|d|; p by all 2^8 signs."""
    rng = np.random.default_rng(3)
    table = pd.DataFrame(rng.random((8, 2)), columns=["base", "other"])
    d = (table["other"] - table["base"]).to_numpy()
    flips = np.array(list(itertools.product((-1, 1), repeat=8))) * d
    for kind in ("urisk", "trisk"):
        found = risk(table, "base", alpha=5, kind=kind, trials=4000).loc["other"]
        weighted = np.where(flips < 0, 6 * flips, flips)
        null = weighted.mean(axis=1)
        if kind == "trisk":
            null = null / weighted.std(axis=1, ddof=1) * np.sqrt(8)
        assert found[kind] == risk(table, "base", alpha=5, kind=kind)["other"]
        assert found["equal"] == pytest.approx(null.mean(), rel=0.05)
        assert found["pvalue"] == pytest.approx((null <= found[kind] + 1e-9).mean(), abs=0.03)
    with pytest.raises(ValueError, match="no trials"):
        risk(table, alpha=1, kind="zrisk", trials=9)
