"""What a figure shows is read back from it."""

from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb

import irstd
from irstd import plots
from irstd.plots.drawings import KINDS


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def scores():
    return irstd.load_dataset("sim-trec8")


SMALL = pd.DataFrame({"a": [0.2, 0.4, 0.8], "b": [0.5, 0.5, 0.5]}, ["1", "2", "3"])
RATES = pd.DataFrame({"size": [10, 20], "error_rate": [0.4, 0.3]})


def texts(labels):
    return [label.get_text() for label in labels]


def test_the_matrix_is_drawn_best_system_on_top(scores):
    ax = plots.plot_scores(scores, label="AP")
    order = scores.mean().sort_values(ascending=False).index
    np.testing.assert_array_equal(ax.images[0].get_array(), scores[order].T)
    assert texts(ax.get_xticklabels())[:2] == ["401", "406"]
    assert ax.figure.axes[1].get_ylabel() == "AP"
    assert texts(ax.get_yticklabels())[:3] == ["1", "20", "40"]
    assert ax.get_yticks()[:3].tolist() == [0, 19, 39]


def test_the_matrix_as_it_stands(scores):
    few = scores.iloc[:3, :12]
    ax = plots.plot_scores(few, sort=False)
    np.testing.assert_array_equal(ax.images[0].get_array(), few.T)
    assert texts(ax.get_yticklabels()) == list(few)
    assert ax.get_ylabel() == "system"


def test_the_marked_intervals_are_those_that_overlap(scores):
    ax = plots.plot_intervals(scores, rank=13)
    board = irstd.leaderboard(scores)
    mark = board.iloc[12]
    overlap = (board["low"] <= mark["high"]) & (board["high"] >= mark["low"])
    overlap.iloc[12] = False
    container = next(c for c in ax.containers if c.get_label() == "overlaps with rank 13")
    np.testing.assert_array_equal(container[0].get_xdata(), np.flatnonzero(overlap) + 1)
    np.testing.assert_allclose(container[0].get_ydata().astype(float), board["mean"][overlap])
    (one,) = (c for c in ax.containers if c.get_label() == "rank 13")
    assert one[0].get_xdata().tolist() == [13]
    assert "interval of rank 13" in ax.get_legend_handles_labels()[1]


def test_few_systems_have_their_names_at_the_axis(scores):
    few = scores.iloc[:, :17]
    names = list(irstd.leaderboard(few).index)
    ax = plots.plot_intervals(few)
    assert texts(ax.get_xticklabels()) == names
    ax = plots.plot_scores(few)
    assert texts(ax.get_yticklabels()) == names
    ax.figure.canvas.draw()
    boxes = [label.get_window_extent() for label in ax.get_yticklabels()]
    assert all(upper.y0 >= lower.y1 - 1 for upper, lower in pairwise(boxes))


def test_differences_name_their_topics(scores):
    a, b = scores.columns[[3, 40]]
    ax = plots.plot_differences(scores, a, b, label="AP")
    difference = (scores[a] - scores[b]).sort_values(ascending=False, kind="stable")
    heights = [bar.get_height() for bar in sorted(ax.patches, key=lambda bar: bar.get_x())]
    np.testing.assert_allclose(heights, difference)
    assert texts(ax.get_xticklabels()) == list(difference.index)
    better = texts(ax.get_legend().get_texts())
    assert better == [f"{a} is better", f"{b} is better"]
    assert sum(len(part) for part in ax.containers) == len(scores)
    assert len(ax.containers[0]) == (difference >= 0).sum()


def test_of_many_topics_the_largest_differences_are_named(scores):
    twice = pd.concat([scores, scores.rename(index=lambda topic: f"{topic}b") * 0.99])
    a, b = scores.columns[:2]
    legend = plots.plot_differences(twice, a, b).get_legend().get_texts()
    difference = twice[a] - twice[b]
    for text, best in zip(
        legend, (difference.nlargest(5).index, difference.nsmallest(5).index), strict=True
    ):
        assert text.get_text().endswith(f"is better, most on {', '.join(best)}")


def test_differences_leave_out_topics_without_both_scores(scores):
    few = scores.iloc[:6, :2].copy()
    few.iloc[2, 0] = np.nan
    ax = plots.plot_differences(few, *few.columns)
    topics = texts(ax.get_xticklabels())
    assert sorted(topics) == sorted(set(few.index) - {few.index[2]})


def test_rank_intervals_are_drawn_from_the_best_down():
    table = pd.DataFrame(
        {"rank": [3, 1, 2], "low": [2, 1, 1], "high": [3, 2, 3]}, index=["c", "a", "b"]
    )
    ax = plots.plot_ranks(table)
    assert texts(ax.get_yticklabels()) == ["a", "b", "c"]
    np.testing.assert_array_equal(ax.lines[0].get_xydata(), [[1, 0], [2, 1], [3, 2]])
    spans = [segment[:, 0].tolist() for segment in ax.collections[0].get_segments()]
    assert spans == [[1, 2], [1, 3], [2, 3]]
    assert ax.get_ylim() == (2.5, -0.5)
    assert len(plots.plot_ranks(table, top=2).get_yticklabels()) == 2
    lines = plots.plot_ranks(table.assign(with_first=[False, True, True])).collections[0]
    blue, also, grey = map(tuple, lines.get_colors())
    assert blue == also != grey


def test_means_of_systems_and_topics(scores):
    ax = plots.plot_means(scores)
    for points, means in zip(ax.collections, [scores.mean(), scores.mean(axis=1)], strict=True):
        np.testing.assert_allclose(np.sort(points.get_offsets()[:, 0]), np.sort(means))


def test_histograms_are_shares(scores):
    ax = plots.plot_distributions({"raw": scores, "standardized": irstd.standardize(scores)})
    for stairs, table in zip(ax.patches, [scores, irstd.standardize(scores)], strict=True):
        values, edges, _ = stairs.get_data()
        assert values.sum() == pytest.approx(1)
        expected = np.histogram(table, edges)[0] / table.size
        np.testing.assert_allclose(values, expected)


def test_systems_are_matched_by_name():
    x, y = pd.Series({"a": 1, "b": 2}, name="x"), pd.Series({"b": 20, "a": 10}, name="y")
    ax = plots.plot_systems(x, y, diagonal=True)
    np.testing.assert_array_equal(ax.lines[1].get_xydata(), [[1, 10], [2, 20]])
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("x", "y")


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: plots.plot_intervals(SMALL, rank=0), "at least 1, got 0"),
        (lambda: plots.plot_intervals(SMALL, rank=3), "at most 2, the number of systems, got 3"),
        (
            lambda: plots.plot_systems(SMALL["a"], SMALL["a"].iloc[1:]),
            "of the same systems; only x has 1",
        ),
        (lambda: plots.plot_weights(1.0, 10), "p must"),
        (lambda: plots.plot_weights(0.5, 0), "k must"),
        (lambda: plots.plot_swap_rates(SMALL), "rates lacks the column 'size'"),
        (lambda: plots.plot_swap_rates(RATES, noise=SMALL), "noise lacks the column 'size'"),
    ],
)
def test_what_cannot_be_drawn_is_refused(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()


def test_weights_add_up_to_one():
    ax = plots.plot_weights(0.5, 4, ranks=60)
    assert [line.get_ydata().sum() for line in ax.lines] == pytest.approx([1, 1])


def test_percentiles_of_factor_sampling():
    sampled = pd.DataFrame({"size": np.repeat([5, 9], 101), "tau": [*np.linspace(0, 1, 101)] * 2})
    ax = plots.plot_factor_sampling(sampled, lines={"other": 0.7})
    assert [line.get_ydata()[0] for line in ax.lines] == pytest.approx([0.5, 0.05, 0.01, 0.7])
    assert "other (0.700)" in texts(ax.get_legend().texts)


def test_the_gmap_curve_ends_at_map(scores):
    curve = irstd.gmap_curve(scores, [0.01, 1, np.inf], trials=5)
    ax = plots.plot_gmap_curve(curve)
    assert ax.get_xticklabels()[-1].get_text() == "MAP"
    map_taus = curve[np.isinf(curve["epsilon"])]["tau"]
    assert [line.get_ydata()[-1] for line in ax.lines[1::2]] == pytest.approx(map_taus.tolist())


def test_densities_name_their_means():
    ax = plots.plot_densities({"a": np.array([1.0, 2, 3]), "b": np.array([2.0, 3, 4])})
    assert texts(ax.get_legend().texts) == ["a, mean 2.000", "b, mean 3.000"]


def test_a_figure_is_drawn_where_it_is_told_to_and_leaves_no_style_behind(scores):
    before = plt.rcParams.copy()
    _, (left, right) = plt.subplots(1, 2)
    assert plots.plot_means(scores, ax=right) is right
    assert not left.has_data()
    assert plt.rcParams == before


def test_the_look_leaves_alone_what_a_notebook_sets_up_with_its_first_figure(scores, monkeypatch):
    """The inline backend turns interactive mode on at the first figure; without it, none shows."""
    draw = plt.figure

    def first_figure(*arguments, **keywords):
        plt.rcParams["interactive"] = True
        return draw(*arguments, **keywords)

    monkeypatch.setattr(plt, "figure", first_figure)
    plots.plot_means(scores)
    assert plt.isinteractive()
    plt.ioff()


def test_shares_above_a_threshold():
    ax = plots.plot_thresholds(SMALL, threshold=0.3)
    steps = {line.get_label(): line.get_xydata() for line in ax.lines}
    for system in "ab":
        for x, y in steps[system][::20]:
            assert y == irstd.share_above(SMALL, x)[system]


def test_systems_stay_below_the_semicircle(scores):
    ax = plots.plot_mean_spread(scores, semicircle=True)
    points, bound = (line.get_xydata() for line in ax.lines)
    np.testing.assert_allclose(points, np.c_[scores.mean(), scores.std(ddof=0)])
    assert (points[:, 1] <= np.interp(points[:, 0], *bound.T) + 1e-3).all()
    raw = plots.plot_mean_spread(scores).lines[0].get_ydata()
    np.testing.assert_allclose(raw, scores.std())


def test_swap_rates_are_drawn_against_the_number_of_topics_beside_those_of_noise():
    ax = plots.plot_swap_rates(RATES)
    np.testing.assert_array_equal(ax.lines[0].get_xydata(), [[10, 0.4], [20, 0.3]])
    assert ax.lines[1].get_ydata()[0] == 0.05
    ax = plots.plot_swap_rates(RATES, noise=RATES.assign(error_rate=0.5), level=None)
    assert [line.get_ydata().tolist() for line in ax.lines] == [[0.4, 0.3], [0.5, 0.5]]
    assert texts(ax.get_legend().get_texts()) == ["these systems", "pure noise"]


def test_forms_are_points_by_metric():
    table = pd.DataFrame({"raw": [0.7, 0.6], "standardized": [0.3, 0.2]}, ["SP", "DCG"])
    ax = plots.plot_forms(table)
    for line, form in zip(ax.lines, table, strict=True):
        np.testing.assert_array_equal(line.get_xydata(), np.c_[table[form], [0, 1]])
    assert texts(ax.get_yticklabels()) == ["SP", "DCG"]


RUNS = {"A": "abcd", "B": "bxad", "new": "nbyc"}


def kinds(ax, documents):
    patches = [patch for patch in ax.patches if patch.get_width() == 0.8]
    names = {to_rgb(colour): kind for kind, colour in KINDS.items()}
    return [names[to_rgb(patch.get_facecolor())] for patch in patches[:documents]]


def test_what_is_judged_is_what_the_pooled_runs_have_on_top():
    ax = plots.plot_pooling(RUNS, {"b", "n", "d"}, depth=2, pooled=["A", "B"])
    judged = {"a", "b", "x"}
    expected = [
        "not judged" if d not in judged else f"judged, {'' if d == 'b' else 'not '}relevant"
        for run in RUNS.values()
        for d in run
    ]
    assert kinds(ax, 12) == expected
    ticked = {text.get_text()[0] for text in ax.texts if "✓" in text.get_text()}
    assert ticked == {"b", "n", "d"}


def test_without_a_choice_all_runs_are_pooled():
    ax = plots.plot_pooling(RUNS, set(), depth=4)
    assert set(kinds(ax, 12)) == {"judged, not relevant"}
