"""The lessons' widgets without a kernel: a control moves, the picture and the sentence change."""

import re
import warnings

import pytest
from bs4 import BeautifulSoup
from campaigns import campaign
from IPython.core.formatters import DisplayFormatter
from scipy.stats import kendalltau

import irstd
from irstd import widgets

pytestmark = pytest.mark.slow


def moved(explorer, name, value):
    """Move one control; the sentence that is shown then."""
    assert all(control.description for control in explorer.controls.values())
    picture_before, text_before = parts_of(explorer)
    explorer.controls[name].value = value
    picture, text = parts_of(explorer)
    assert picture != picture_before
    assert text != text_before
    data, _ = DisplayFormatter().format(explorer)
    assert data["text/html"] == explorer.text.value
    assert "application/vnd.jupyter.widget-view+json" in data
    return text


def parts_of(explorer):
    """The picture and the sentence, which is the text of the picture, too."""
    shown = BeautifulSoup(explorer.text.value, "html.parser")
    assert shown.img["src"].startswith("data:image/png;base64,iVBORw0KGgo")
    assert shown.img["alt"] == shown.p.get_text()
    return shown.img["src"], shown.p.get_text()


def tau_in(text):
    return float(re.search(r" is (-?[01]\.\d{3})\.", text)[1])


def test_metrics():
    collection = campaign()["sim-trec8"]
    explorer = widgets.explore_metrics(collection)
    assert "expects to look at 20.0 documents; P@10" in moved(explorer, "p", 0.95)
    text = moved(explorer, "k", 25)
    scores = collection.scores(["RBP.95", "P@25", "AP"])
    rbp = scores["RBP.95"].mean()
    precision = scores["P@25"].mean()
    ap = scores["AP"].mean()
    expected = [
        kendalltau(rbp, precision).statistic,
        kendalltau(rbp, ap).statistic,
        kendalltau(precision, ap).statistic,
    ]
    found = [float(number) for number in re.findall(r"\d\.\d{3}", text)]
    assert found == pytest.approx(expected, abs=6e-4)


def test_standardization(scores):
    explorer = widgets.explore_standardization(scores)
    few = tau_in(moved(explorer, "k", 3))
    assert few < tau_in(moved(explorer, "k", 100))
    assert tau_in(moved(explorer, "k", 129)) == 1
    for method in ("z", "uniform", "ecdf", "max", "center"):
        assert f"({method})" in moved(explorer, "method", method)


def test_gmap(scores):
    explorer = widgets.explore_gmap(scores)
    text = moved(explorer, "exponent", -4.0)
    expected = irstd.rank_correlation(scores.mean(), irstd.gmap(scores, 1e-4))
    assert tau_in(text) == pytest.approx(expected, abs=5e-4)
    assert "counts 75% of" in text


def test_threshold(scores):
    two = scores.iloc[:, [0, 40]]
    explorer = widgets.explore_threshold(two)
    text = moved(explorer, "threshold", 0.5)
    for share in irstd.share_above(two, 0.5):
        assert f"{share:.0%}" in text


def test_pools():
    explorer = widgets.explore_pools(campaign())
    few = moved(explorer, "groups", 5)
    known = campaign()["sim-trec7"].judge(100, 5).topics["relevant"].mean()
    assert f"knows {known:.0f} relevant documents" in few
    assert "to depth 100 from 5 groups" in few
    assert "to depth 20 from 5 groups" in moved(explorer, "depth", 20)
    text = moved(explorer, "other", "sim-trec8")
    here = campaign()["sim-trec7"].judge(20, 5)
    there = campaign()["sim-trec8"]
    with warnings.catch_warnings(action="ignore"):  # a topic without a known relevant document
        means_here = here.scores("AP", "later").mean()
        means_there = there.scores("AP", "later").mean()
    assert f"dRMSE of AP {irstd.drmse(means_here, means_there):.2f}" in text


def test_human_topics():
    scores = irstd.load_dataset("sim-judges")
    explorer = widgets.explore_human_topics(scores)
    text = moved(explorer, "judge", "harsh")
    error = ((scores["harsh"] - scores["original"]).mean() ** 2).mean() ** 0.5
    assert f"alone is off by {error:.4f}." in text
    every = moved(explorer, "n", 50)
    assert every.count("0.0000") == 2  # people alone, and with a judge who is not needed
    few = moved(explorer, "n", 10)
    assert "10 of 50 topics" in few
    assert "0.0000" not in few
