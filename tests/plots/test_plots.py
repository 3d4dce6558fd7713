"""What a figure shows is read back from it."""

import re
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb
from numpy.testing import assert_allclose, assert_array_equal

import irstd
from irstd import plots
from irstd.plots.methods import POOLED

pytestmark = pytest.mark.usefixtures("close_figures")
SMALL = pd.DataFrame({"a": [0.2, 0.4, 0.8], "b": [0.5, 0.5, 0.5]}, ["1", "2", "3"])
RATES = pd.DataFrame({"size": [10, 20], "error_rate": [0.4, 0.3]})


def texts(labels):
    return [label.get_text() for label in labels]


def test_the_matrix_is_drawn_best_system_on_top_or_as_it_stands(scores):
    ax = plots.plot_scores(scores, label="AP")
    order = scores.mean().sort_values(ascending=False).index
    assert_array_equal(ax.images[0].get_array(), scores[order].T)
    assert texts(ax.get_xticklabels())[:2] == ["401", "406"]
    assert ax.figure.axes[1].get_ylabel() == "AP"
    few = scores.iloc[:3, :12]
    ax = plots.plot_scores(few, sort=False)
    assert_array_equal(ax.images[0].get_array(), few.T)
    assert texts(ax.get_yticklabels()) == list(few)
    assert ax.get_ylabel() == "system"


def test_the_marked_intervals_are_those_that_overlap(scores):
    board = irstd.leaderboard(scores)
    mark = board.iloc[12]
    overlap = (board["low"] <= mark["high"]) & (board["high"] >= mark["low"])
    overlap.iloc[12] = False
    found = {c.get_label(): c[0] for c in plots.plot_intervals(scores, rank=13).containers}
    assert_array_equal(found["overlaps with rank 13"].get_xdata(), np.flatnonzero(overlap) + 1)
    assert_array_equal(found["overlaps with rank 13"].get_ydata(), board["mean"][overlap])
    assert found["rank 13"].get_xdata().tolist() == [13]


@pytest.mark.parametrize("n", [50, 51])
def test_differences_name_all_topics_or_the_ends(scores, n):
    a, b = scores.columns[[3, 40]]
    table = pd.concat([scores, scores.iloc[:2].set_axis(["x", "y"])]).iloc[: n + 1]
    table.iloc[2, 3] = np.nan  # not a score of both
    difference = (table[a] - table[b]).dropna().sort_values(ascending=False, kind="stable")
    ax = plots.plot_differences(table, a, b)
    better, worse = ([bar.get_height() for bar in part] for part in ax.containers)
    assert_allclose(better, difference.clip(lower=0))
    assert_allclose(worse, difference.clip(upper=0)[::-1])
    assert [round(bar.get_center()[0]) for bar in ax.containers[1]] == [*range(len(worse))][::-1]
    ends = difference.index[:5], difference.index[:-6:-1]
    most = ["", ""] if n == 50 else [f",\nmost on {', '.join(end)}" for end in ends]
    said = [f"{system} is better{end}" for system, end in zip((a, b), most, strict=True)]
    assert texts(ax.get_legend().get_texts()) == said
    assert texts(ax.get_xticklabels()) == (list(difference.index) if n == 50 else [])
    ax = plots.plot_differences(table.assign(same=table[a]), a, "same")
    assert texts(ax.get_legend().get_texts()) == [f"{s} is better nowhere" for s in (a, "same")]


def test_rank_intervals_are_drawn_from_the_best_down():
    ends = {"rank": [3, 1, 2], "low": [2, 1, 1], "high": [3, 2, 3], "best": [False, True, True]}
    table = pd.DataFrame(ends, index=["c", "a", "b"])
    ax = plots.plot_ranks(table)
    assert texts(ax.get_yticklabels()) == ["a", "b", "c"]
    assert_array_equal(ax.lines[0].get_xydata(), [[1, 0], [2, 1], [3, 2]])
    spans = [segment[:, 0].tolist() for segment in ax.collections[0].get_segments()]
    assert spans == [[1, 2], [1, 3], [2, 3]]
    blue, also, grey = map(tuple, ax.collections[0].get_colors())
    assert blue == also != grey and ax.get_ylim() == (2.5, -0.5)
    assert len(plots.plot_ranks(table.drop(columns="best"), top=2).get_yticklabels()) == 2


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: plots.plot_intervals(SMALL, rank=3), "rank must be one of '1', '2', got"),
        (lambda: plots.plot_systems(SMALL["a"], SMALL["b"].iloc[1:]), "only x has 1"),
        (lambda: plots.plot_weights(1.0, 10), "p must"),
        (lambda: plots.plot_differences(SMALL, "a", "no one"), "b must be one of"),
        (lambda: plots.plot_scores(pd.concat({"AP": SMALL, "RR": SMALL}, axis=1)), "choose it"),
    ],
)
def test_what_cannot_be_drawn_is_refused(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()


def test_what_the_curves_of_the_methods_are():
    ax = plots.plot_weights(0.5, 4)
    assert [line.get_ydata().sum() for line in ax.lines] == pytest.approx([1, 1])
    curve = pd.DataFrame({"split": ["x"] * 3, "epsilon": [0.01, 2, np.inf], "tau": [0.6, 0.7, 0.8]})
    ax = plots.plot_gmap_curve(curve)
    assert ax.get_xticklabels()[-1].get_text() == "MAP"
    assert_allclose(ax.lines[0].get_xydata(), [[0.01, 0.6], [2, 0.7], [20, 0.8]])
    ax = plots.plot_densities({"a": np.array([1.0, 2, 3])})
    assert texts(ax.get_legend().texts) == ["a, mean 2.000"]
    ax = plots.plot_swap_rates(RATES, noise=RATES.assign(error_rate=0.5))
    assert [line.get_ydata()[0] for line in ax.lines] == [0.4, 0.5, 0.05]
    assert_array_equal(ax.lines[0].get_xydata(), [[10, 0.4], [20, 0.3]])
    table = pd.DataFrame({"raw": [0.7, 0.6], "standardized": [0.3, 0.2]}, ["SP", "DCG"])
    ax = plots.plot_forms(table)
    for line, form in zip(ax.lines, table, strict=True):
        assert_array_equal(line.get_xydata(), np.c_[table[form], [0, 1]])
    assert texts(ax.get_yticklabels()) == ["SP", "DCG"]


def test_a_figure_is_drawn_where_it_is_told_to_and_leaves_no_style_behind():
    before = plt.rcParams.copy()
    _, (left, right) = plt.subplots(1, 2)
    assert plots.plot_means(SMALL, ax=right) is right
    assert not left.has_data()
    assert plt.rcParams == before


def test_what_is_judged_is_what_the_pooled_runs_have_on_top():
    runs = {"A": "abcd", "B": "bxad", "new": "nbyc"}
    colours = [to_rgb(kind["color"]) for kind in POOLED]
    for depth, pooled, expected in [
        (2, ["A", "B"], [1, 0, 2, 2, 0, 1, 1, 2, 2, 0, 2, 2]),
        (4, None, [1] * 12),
    ]:
        relevant = {"b", "n", "d"} if pooled else set()
        ax = plots.plot_pooling(runs, relevant, depth=depth, pooled=pooled)
        found = [colours.index(to_rgb(p.get_facecolor())) for p in ax.patches[:12]]
        assert found == expected
        assert {text.get_text()[0] for text in ax.texts if "✓" in text.get_text()} == relevant


def test_means_spreads_shares_and_pairs_are_where_they_belong(scores):
    ax = plots.plot_means(scores)
    for points, means in zip(ax.collections, [scores.mean(), scores.mean(axis=1)], strict=True):
        assert_allclose(np.sort(points.get_offsets()[:, 0]), np.sort(means))
    (stairs,) = plots.plot_distributions({"raw": scores}).patches
    values, edges, _ = stairs.get_data()
    assert len(values) == 20
    assert_allclose(values, np.histogram(scores, edges)[0] / scores.size)
    points, bound = plots.plot_mean_spread(scores, semicircle=True).lines
    assert_allclose(points.get_xydata(), np.c_[scores.mean(), scores.std(ddof=0)])
    assert (points.get_ydata() <= np.interp(points.get_xdata(), *bound.get_data()) + 1e-3).all()
    assert_allclose(plots.plot_mean_spread(scores).lines[0].get_ydata(), scores.std())
    for line in plots.plot_thresholds(SMALL, threshold=0.3).lines:
        if line.get_label() in SMALL:
            for x, y in line.get_xydata()[::20]:
                assert y == irstd.share_above(SMALL, x)[line.get_label()]
    x, y = pd.Series({"a": 1, "b": 2}, name="x"), pd.Series({"b": 20, "a": 10}, name="y")
    ax = plots.plot_systems(x, y, diagonal=True)
    assert_array_equal(ax.lines[1].get_xydata(), [[1, 10], [2, 20]])
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("x", "y")
    assert (ax.lines[0].get_slope(), ax.lines[0].get_xy1()) == (1, (1, 1))


def test_in_a_column_text_is_small_and_the_legend_above(scores):
    """At 3.3 inches the Axes collapsed (a warning), and legends lay on curves."""
    many = pd.concat([scores.set_axis([f"{k}-{t}" for t in scores.index]) for k in range(4)])
    fig, ax = plt.subplots(figsize=(3.3, 2.2), layout="constrained")
    plots.plot_differences(many, *scores.columns[:2], ax=ax)
    fig.canvas.draw()
    legend, box = (part.get_window_extent() for part in (ax.get_legend(), ax))
    assert legend.y0 >= box.y1 - 1 and legend.x0 >= 0 and box.height > 60
    assert {t.get_size() for t in [*ax.get_legend().texts, *ax.get_yticklabels()]} == {8}


def test_the_recipes_of_the_papers_figures_are_a_column_wide_and_have_outlines(tmp_path):
    page = (Path(__file__).parents[2] / ".site/pages/own_runs.md").read_text()
    code = "\n".join(re.findall("```python\n(.*?)```", page.partition("## Figures of")[2], re.S))
    code = code.replace('"trec8', '"sim-trec8').replace('"robust2004', '"sim-robust2004-all')
    exec(code.replace('savefig("', f'savefig("{tmp_path}/').replace("1000", "10"), {})
    files = [path.read_bytes() for path in tmp_path.glob("*.pdf")]
    assert [b"MediaBox [ 0 0 237.6 " in x and b"/Type3" not in x for x in files] == [True] * 2
