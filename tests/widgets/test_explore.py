"""Widgets without a kernel: a control moves, the picture and the sentence change."""

import re
import warnings

import ipywidgets
import pytest
from scipy.stats import kendalltau

import irstd
from irstd import widgets


def moved(explorer, name, value):
    before = bytes(explorer.image.value), explorer.text.value
    explorer.controls[name].value = value
    picture = bytes(explorer.image.value)
    assert picture.startswith(b"\x89PNG")
    assert picture != before[0]
    assert explorer.text.value != before[1]
    return explorer.text.value


@pytest.fixture(scope="module")
def scores():
    return irstd.load_dataset("sim-trec8")


def tau_in(text):
    return float(re.search(r" is (-?[01]\.\d{3})\.", text)[1])


def test_metrics():
    collection = irstd.simulate_campaign()["sim-trec8"]
    explorer = widgets.explore_metrics(collection)
    assert "expects to look at 20.0 documents; P@10" in moved(explorer, "p", 0.95)
    text = moved(explorer, "k", 25)
    scores = collection.scores(["RBP.95", "P@25", "AP"])
    rbp, precision, ap = (scores[metric].mean() for metric in ("RBP.95", "P@25", "AP"))
    # Kendall's tau-b by scipy.
    expected = [
        kendalltau(*pair).statistic for pair in [(rbp, precision), (rbp, ap), (precision, ap)]
    ]
    found = [float(number) for number in re.findall(r"\d\.\d{3}", text)]
    assert found == pytest.approx(expected, abs=6e-4)


def test_standardization(scores):
    explorer = widgets.explore_standardization(scores)
    few = tau_in(moved(explorer, "k", 3))
    assert few < tau_in(moved(explorer, "k", 100))
    assert tau_in(moved(explorer, "k", 129)) == 1
    for method in ("z", "uniform", "ecdf", "max", "centre"):
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
    campaign = irstd.simulate_campaign()
    explorer = widgets.explore_pools(campaign)
    few = moved(explorer, "groups", 5)
    known = campaign["sim-trec7"].judge(100, 5).topics["relevant"].mean()
    assert f"knows {known:.0f} relevant documents" in few
    assert "to depth 20 from 5 groups" in moved(explorer, "depth", 20)
    text = moved(explorer, "other", "sim-trec8")
    with warnings.catch_warnings(action="ignore"):  # a topic without a known relevant document
        scores = [
            collection.scores("AP", "later").mean()
            for collection in (campaign["sim-trec7"].judge(20, 5), campaign["sim-trec8"])
        ]
    assert f"dRMSE of AP {irstd.drmse(*scores):.2f}" in text


def shown(explorer, **values):
    """The sentence after the controls are set."""
    for name, value in values.items():
        explorer.controls[name].value = value
    return explorer.text.value


def test_explore_is_a_function_whatever_was_imported_before(scores):
    assert irstd.explore is widgets.explore
    assert shown(irstd.explore(scores), view="matrix").startswith("<p>129 systems on 50 topics;")


def test_the_views_say_what_the_library_says(scores):
    explorer = irstd.explore(scores)
    board = irstd.leaderboard(scores)
    text = shown(explorer, view="leaderboard", sort="gmap")
    best = board["gmap"].idxmax()
    assert f">{best}</th>" in text.split("<tr>")[1]
    assert text.count("<tr>") == len(board)
    sorted_by = [float(x) for x in re.findall(r"font-weight:bold'>([\d.]+)", text)]
    assert sorted_by == board["gmap"].sort_values(ascending=False).round(3).tolist()
    a, b = board.index[[3, 20]]
    text = shown(explorer, view="system", system=a)
    assert f"{a}: rank 4 by the mean, {board.loc[a, 'mean']:.3f}" in text
    text = shown(explorer, view="pair", other=b)
    assert f"t-test p = {irstd.paired_test(scores[a], scores[b]).pvalue:.4f}" in text
    assert f"(median) p = {irstd.levene_test(scores[a], scores[b]).pvalue:.4f}" in text
    topic = scores.index[5]
    text = shown(explorer, view="topic", topic=topic)
    z = irstd.standardize(scores, method="z").loc[topic]
    assert f"{z.idxmax()} (z = {z.max():.1f})" in text
    assert "choose two systems" in shown(explorer, view="pair", other=a)


def test_each_control_of_explore_changes_what_is_shown():
    metrics = irstd.load_dataset("sim-trec8", ["AP", "RR"])
    explorer = irstd.explore(metrics, reference=irstd.standardization_factors(metrics))
    shown(explorer, view="system")
    for name in ("metric", "system", "form"):
        before = bytes(explorer.image.value)
        control = explorer.controls[name]
        control.value = control.options[1]
        assert bytes(explorer.image.value) != before, name
    assert explorer.controls["form"].options == ("raw", "normal", "z")


def test_only_the_controls_that_matter_to_a_view_are_shown(scores):
    explorer = irstd.explore(scores)
    always = {"metric", "form", "view"}
    for view, more in {
        "leaderboard": {"sort"},
        "matrix": set(),
        "system": {"system"},
        "pair": {"system", "other"},
        "topic": {"topic"},
    }.items():
        shown(explorer, view=view)
        controls = explorer.controls.items()
        assert {name for name, c in controls if c.layout.display != "none"} == always | more


def test_a_dollar_sign_in_a_name_is_no_formula(scores):
    odd = scores.iloc[:, :3].set_axis([r"$\frac$", "y", "z"], axis=1)
    explorer = irstd.explore(odd)
    for view in explorer.controls["view"].options:
        assert "frac" in shown(explorer, view=view, system=r"$\frac$") or view in (
            "matrix",
            "topic",
        )


def test_a_name_from_a_file_is_text_not_html():
    scores = irstd.load_dataset("sim-trec8").iloc[:, :3]
    scores.columns = ["<b>x</b>", "y", "z"]
    explorer = irstd.explore(scores)
    for view in ("leaderboard", "system", "pair", "topic"):
        assert "<b>x" not in shown(explorer, view=view, system="<b>x</b>", other="y")


def test_every_control_is_labelled_and_nothing_is_an_output_widget(scores):
    for explorer in (
        widgets.explore_standardization(scores),
        widgets.explore_gmap(scores),
        widgets.explore_threshold(scores.iloc[:, :2]),
        widgets.explore_pools(irstd.simulate_campaign()),
        irstd.explore(scores),
        widgets.explore_metrics(irstd.simulate_campaign()["sim-trec8"]),
    ):
        for control in explorer.controls.values():
            assert control.description
        assert not any(isinstance(child, ipywidgets.Output) for child in explorer.children)
        assert explorer.image.tooltip is None  # JupyterLab cannot show an Image that has one
