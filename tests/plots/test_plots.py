"""What a figure shows is read back from it."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats
from texts import code_of, read_page

import irstd
from irstd import plots

SMALL = pd.DataFrame({"a": [0.2, 0.4, 0.8], "b": [0.5, 0.5, 0.5]}, ["1", "2", "3"])


def texts(labels):
    return [label.get_text() for label in labels]


def legend_of(ax):
    return texts(ax.get_legend().get_texts())


def test_frame_sets_title_size_and_limits(scores):
    frame = {"title": "a title", "size": (7, 3), "ylim": (-1, 5)}
    curve = irstd.gmap_curve(scores, [0.01, 1], trials=2)
    for ax in (plots.plot_distributions(SMALL, **frame), plots.plot_gmap_curve(curve, **frame)):
        assert ax.get_title() == "a title"
        assert_array_equal(ax.figure.get_size_inches(), (7, 3))
        assert ax.get_ylim() == (-1, 5)


def test_panels_share_the_label_of_a_shared_axis():
    axes = plots.panels(2, title="both", size=(6, 2), sharey=True)
    for ax in axes:
        plots.plot_thresholds(SMALL, ax=ax)
    assert axes[0].figure.get_suptitle() == "both"
    assert [bool(ax.get_ylabel()) for ax in axes] == [True, False]


def test_look_leaves_no_style_behind():
    before = plt.rcParams.copy()
    _, (left, right) = plt.subplots(1, 2)
    assert plots.plot_means(SMALL, ax=right) is right
    assert not left.has_data()
    assert plt.rcParams == before


def test_plot_scores_has_the_best_system_on_top(scores):
    ax = plots.plot_scores(scores, label="AP")
    order = scores.mean().sort_values(ascending=False).index
    assert_array_equal(ax.images[0].get_array(), scores[order].T)
    assert texts(ax.get_xticklabels())[:2] == ["401", "406"]
    assert ax.get_yticks()[:2].tolist() == [0, 19]
    assert texts(ax.get_yticklabels())[:2] == ["1", "20"]
    assert texts(plots.plot_scores(SMALL).get_yticklabels()) == ["b", "a"]
    ax = plots.plot_scores(scores, means=True)
    topics, systems = ax.child_axes
    assert_allclose(topics.images[0].get_array(), [scores.mean(axis=1)])
    assert_allclose(systems.images[0].get_array()[:, 0], scores.mean()[order])
    assert {strip.images[0].get_clim() for strip in (topics, systems)} == {ax.images[0].get_clim()}


def test_plot_intervals_colors_those_that_overlap_with_the_marked_one(scores):
    board = irstd.leaderboard(scores)
    mark = board.iloc[12]
    overlap = (board["low"] <= mark["high"]) & (board["high"] >= mark["low"])
    overlap.iloc[12] = False
    ax = plots.plot_intervals(scores, rank=13, label="AP")
    assert ax.get_ylabel() == "mean AP, 95% interval"
    drawn = {part.get_label(): part for part in ax.containers}
    overlapping, _, (bars,) = drawn[f"overlaps with it ({overlap.sum()} systems)"]
    assert_array_equal(
        overlapping.get_xydata().T, [np.flatnonzero(overlap) + 1, board["mean"][overlap]]
    )
    ends = [segment[:, 1] for segment in bars.get_segments()]
    assert_allclose(ends, board.loc[overlap, ["low", "high"]].to_numpy(float))
    assert drawn["rank 13"][0].get_xdata().tolist() == [13]


def test_plot_against_draws_the_intervals_of_scipy(scores):
    few = scores.iloc[:, :6]
    base = few.columns[2]
    tests = irstd.pairwise_tests(few, baseline=base).set_index("system_a")
    groups = pd.Series(["x", "y", "x", "y", "x"], tests.index)
    ax = plots.plot_against(tests, base, groups, label="AP")
    assert texts(ax.get_yticklabels()) == [str(system) for system in tests.index]
    assert legend_of(ax) == [base, "x", "y"]
    for container, name in zip(ax.containers, "xy", strict=True):
        shown = few[groups.index[groups == name]]
        assert_allclose(container[0].get_xdata(), shown.mean() - few[base].mean())
        test = stats.ttest_rel(shown, few[[base]])
        ends = [segment[:, 0] for segment in container[2][0].get_segments()]
        assert_allclose(np.transpose(ends), test.confidence_interval(0.95))
    ax = plots.plot_against(tests, base, groups.astype(pd.CategoricalDtype(["y", "x", "z"])))
    assert legend_of(ax) == [base, "y", "x"]
    ax = plots.plot_against(tests, base, interval="99% intervals", summaries=tests.index[3:])
    assert ax.get_xlabel().endswith(", 99% intervals")
    assert [len(container[0].get_xdata()) for container in ax.containers] == [3, 2]
    assert ax.lines[-1].get_ydata()[0] == 2.5  # a rule between the two
    with pytest.raises(ValueError, match="groups must be 3 or fewer"):
        plots.plot_against(tests, base, pd.Series(list("abcde"), tests.index))


@pytest.mark.parametrize("n", [30, 31])
def test_plot_differences_names_all_topics_or_the_ends(scores, n):
    a, b = scores.columns[[3, 40]]
    table = pd.concat([scores, scores.iloc[:2].set_axis(["x", "y"])]).iloc[: n + 1]
    table.iloc[2, 3] = np.nan  # not a score of both
    difference = (table[a] - table[b]).dropna().sort_values(ascending=False, kind="stable")
    ax = plots.plot_differences(table, a, b)
    better, worse = ax.containers
    assert_allclose([bar.get_height() for bar in better], difference.clip(lower=0))
    assert_allclose([bar.get_height() for bar in worse], difference.clip(upper=0))
    assert better[0].get_facecolor() != worse[0].get_facecolor()
    labels = [f"{a} is better", f"{b} is better"]
    names = list(difference.index)
    if n > 30:
        labels[0] += f",\nmost on topics {', '.join(names[:5])}"
        labels[1] += f",\nmost on topics {', '.join(names[:-6:-1])}"
        names = []
    assert legend_of(ax) == labels
    assert texts(ax.get_xticklabels()) == names


def test_plot_ranks_draws_intervals_from_the_best_down():
    ends = {"rank": [3, 1, 2], "low": [2, 1, 1], "high": [3, 2, 3], "best": [False, True, True]}
    table = pd.DataFrame(ends, index=["c", "a", "b"])
    ax = plots.plot_ranks(table)
    assert texts(ax.get_yticklabels()) == ["a", "b", "c"]
    best, others = ax.lines
    assert_array_equal(best.get_xydata(), [[1, 0], [2, 1]])
    assert_array_equal(others.get_xydata(), [[3, 2]])
    (bars,) = ax.collections
    spans = [part[:, 0].tolist() for part in bars.get_segments()]
    assert spans == [[1, 2], [1, 3], [2, 3]]
    assert ["not the best" in label for label in legend_of(ax)] == [False, False, True]
    assert ax.get_ylim() == (2.5, -0.5)


def test_plot_ranks_names_some_and_says_whether_intervals_hold_together(scores):
    intervals = irstd.rank_intervals(scores, trials=50)
    together = irstd.rank_intervals(scores, simultaneous=True)
    for kind, words in ((intervals, "one system alone"), (together, "hold together")):
        ax = plots.plot_ranks(kind)
        assert any(words in label for label in legend_of(ax))
        assert ax.get_ylabel() == "systems, by their rank"  # too many to be named
    first, other = intervals.index[[0, 20]]
    ax = plots.plot_ranks(intervals, top=30, title="found", named={first: "first", other: "other"})
    assert ax.get_yticks().tolist() == [0, 20]
    assert texts(ax.get_yticklabels()) == ["first", "other"]
    assert ax.get_ylim() == (29.5, -0.5)
    assert ax.get_legend().get_title().get_text() == "found"


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: plots.plot_intervals(SMALL, rank=3), "rank must be one of '1', '2', got"),
        (lambda: plots.plot_systems(SMALL["a"], SMALL["b"].iloc[1:]), "only x has system 1"),
        (lambda: plots.plot_differences(SMALL, "a", "no one"), "b must be one of"),
    ],
)
def test_figures_refuse_bad_arguments(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()


CURVE = pd.DataFrame({"split": "x", "epsilon": [1e-5, 2, np.inf], "tau": [0.6, 0.7, 0.8]})
STEPS = pd.DataFrame({"a": [1.0, 4.0], "b": [2.0, 3.0]}, pd.Index([10, 20], name="step"))
FORMS = pd.DataFrame({"raw": [0.7, 0.6], "standardized": [0.3, 0.2]}, ["SP", "JDCG"])
RATES = pd.DataFrame({"size": [10, 20], "error_rate": [0.4, 0.3]})
X = pd.Series({"a": 2.0, "b": 1.0}, name="x")
Y = pd.Series({"b": 1.5, "a": 4.0}, name="y")
RULE = pd.Series([4.0, 1.0], [2.0, 1.0])
LINES = {  # a plot, and what its lines are drawn through
    "gmap_curve": (lambda: plots.plot_gmap_curve(CURVE), [[[1e-5, 0.6], [2, 0.7], [20, 0.8]]]),
    "lines": (lambda: plots.plot_lines(STEPS), [[[10, 1], [20, 4]], [[10, 2], [20, 3]]]),
    "swap_rates": (
        lambda: plots.plot_swap_rates(RATES),
        [[[10, 0.4], [20, 0.3]], [[0, 0.05], [1, 0.05]]],
    ),
    "forms": (lambda: plots.plot_forms(FORMS), [[[0.7, 0], [0.6, 1]], [[0.3, 0], [0.2, 1]]]),
    "forms apart": (
        lambda: plots.plot_forms(FORMS, apart=0.2),
        [[[0.7, -0.1], [0.6, 0.9]], [[0.3, 0.1], [0.2, 1.1]]],
    ),
    "systems": (lambda: plots.plot_systems(X, Y), [[[2, 4], [1, 1.5]]]),
    "beside_curve": (
        lambda: plots.plot_beside_curve(X, Y, RULE, named=["b"]),
        [[[1, 1], [2, 4]], [[2, 4], [1, 1.5]], [[1, 1.5]]],
    ),
}


@pytest.mark.parametrize("case", LINES)
def test_lines_are_drawn_through_the_numbers(case):
    draw, expected = LINES[case]
    for line, points in zip(draw().lines, expected, strict=True):
        assert_allclose(line.get_xydata(), points)


def test_plot_systems_has_the_diagonal_in_a_square():
    ax = plots.plot_systems(X, Y, diagonal=True)
    assert_array_equal(*ax.lines[1].get_data())
    assert ax.get_xlim() == ax.get_ylim()


def test_plot_gmap_curve_has_map_at_the_right_end():
    ax = plots.plot_gmap_curve(pd.concat([CURVE.assign(split="hard-easy"), CURVE]))
    assert legend_of(ax) == ["hard, easy", "x"]
    assert [texts(ax.get_xticklabels())[end] for end in (0, -1)] == ["0.00001", "MAP"]
    finite = plots.plot_gmap_curve(CURVE.iloc[:2])
    assert "MAP" not in texts(finite.get_xticklabels())


def test_plot_densities_has_the_means():
    ax = plots.plot_densities({"a": np.array([1.0, 2, 3])})
    assert legend_of(ax) == ["a, mean 2.000"]
    assert ax.lines[-1].get_xdata()[0] == 2


def test_plot_means_has_systems_and_topics(scores):
    ax = plots.plot_means(scores, label="AP")
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("mean AP", "")
    of_systems, of_topics = ax.collections
    assert_allclose(np.sort(of_systems.get_offsets()[:, 0]), np.sort(scores.mean()))
    assert_allclose(np.sort(of_topics.get_offsets()[:, 0]), np.sort(scores.mean(axis=1)))


def test_plot_distributions_has_shares(scores):
    table = scores.copy()
    table.iloc[0, 0] = np.nan
    first, other = plots.plot_distributions({"raw": table, "top": scores.iloc[:, :5]}).patches
    values, edges, _ = first.get_data()
    counts, _ = np.histogram(scores.stack().iloc[1:], edges)
    assert len(values) == 20
    assert_allclose(values, counts / counts.sum())
    assert edges[[0, -1]].tolist() == [0, scores.max(axis=None)]
    assert_array_equal(other.get_data().edges, edges)
    assert first.get_fill() and not other.get_fill()


def test_plot_among_marks_a_score_among_others(scores):
    two = scores.iloc[:2]
    ax = plots.plot_among(two, [0.3, 0.4], legend="mine", label="AP")
    _, first, other, second = ax.lines
    assert_array_equal(other.get_xdata(), np.sort(two.iloc[1]))
    assert np.abs(other.get_ydata() - 1).max() <= 0.2  # near its row
    assert len(set(other.get_ydata())) > 100
    assert_array_equal([first.get_xydata()[0], second.get_xydata()[0]], [[0.3, 0], [0.4, 1]])
    assert texts(ax.get_yticklabels()) == list(two.index)
    assert ax.get_ylim() == (1.5, -0.5)  # the first row on top
    assert legend_of(ax) == ["mine"]
    few = plots.plot_among({"lab": SMALL["a"]}, [0.5])
    assert_array_equal(few.lines[0].get_ydata(), [0, 0, 0])  # few stand in one line


def test_plot_factors_orders_topics_from_the_hardest(scores):
    factors = irstd.standardization_factors(scores)
    system = scores.columns[0]
    ax = plots.plot_factors(factors, scores[system][::-1])
    order = scores.mean(axis=1).sort_values(kind="stable").index
    mean, sd = scores.mean(axis=1)[order], scores.std(axis=1)[order]
    means, _, (bars,) = ax.containers[0]
    assert_allclose(np.asarray(means.get_ydata(), float), mean)
    ends = np.array([segment[:, 1] for segment in bars.get_segments()], float)
    assert_allclose(ends, np.transpose([(mean - sd).clip(lower=0), mean + sd]))
    shown = scores[system][order]
    above, below = [line for line in ax.lines if line.get_label().startswith(f"{system}: ")]
    assert_array_equal(above.get_ydata(), shown[shown >= mean])
    assert_array_equal(below.get_ydata(), shown[shown < mean])
    assert below.get_label() == f"{system}: below the mean on {(shown < mean).sum()} topics"
    with pytest.raises(ValueError, match="must have the same topics"):
        plots.plot_factors(factors, scores[system].iloc[1:])


def test_plot_factor_sampling_has_quantiles():
    taus = np.linspace(0.8, 1, 101)
    sampled = pd.DataFrame({"size": [2] * 101 + [5] * 101, "tau": [*(taus - 0.1), *taus]})
    ax = plots.plot_factor_sampling(sampled, lines={"other topics": 0.7})
    median, low, lowest, other = ax.lines
    assert_allclose(median.get_xydata(), [[2, 0.8], [5, 0.9]])
    assert_allclose(low.get_ydata(), [0.71, 0.81])
    assert_allclose(lowest.get_ydata(), [0.702, 0.802])
    assert_array_equal(other.get_ydata(), [0.7, 0.7])
    assert texts(ax.texts) == ["other topics"]


def test_plot_mean_spread_is_below_the_semicircle(scores):
    ax = plots.plot_mean_spread(scores, label="AP", semicircle=True)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("mean AP", "sd of AP over topics")
    points, bound = ax.lines
    assert_allclose(points.get_xydata(), np.c_[scores.mean(), scores.std(ddof=0)])
    highest = np.interp(points.get_xdata(), *bound.get_data())
    assert (points.get_ydata() <= highest + 1e-3).all()
    assert_allclose(bound.get_ydata().max(), 0.5)
    (points,) = plots.plot_mean_spread(scores).lines
    assert_allclose(points.get_ydata(), scores.std())


def test_plot_thresholds_has_the_shares_of_share_above():
    ax = plots.plot_thresholds(SMALL)
    curves = [line for line in ax.lines if line.get_label() in SMALL]
    assert len(curves) == 2
    for line in curves:
        for threshold, share in line.get_xydata()[::20]:
            assert share == irstd.share_above(SMALL, threshold)[line.get_label()]


def test_plot_beside_curve_names_points_and_what_the_legend_has():
    ax = plots.plot_beside_curve(X, Y, RULE, named=["b"], legend={"curve": "rule", "named": "one"})
    assert legend_of(ax) == ["rule", "one"]
    assert [(text.get_text(), text.xy) for text in ax.texts] == [("b", (1, 1.5))]
    plt.close("all")
    with pytest.raises(ValueError, match="x and y must have the same systems"):
        plots.plot_beside_curve(X, Y[1:], RULE)
    assert not plt.get_fignums()  # no empty figure


def test_narrow_figures_have_small_text_and_the_legend_above(scores):
    """At 3.3 inches the Axes collapsed (a warning), and legends lay on curves."""
    copies = [scores.rename(index=f"{n}-{{}}".format) for n in range(4)]
    fig, ax = plt.subplots(figsize=(3.3, 2.2), layout="constrained")
    plots.plot_differences(pd.concat(copies), *scores.columns[:2], ax=ax)
    fig.canvas.draw()
    legend = ax.get_legend().get_window_extent()
    box = ax.get_window_extent()
    assert legend.y0 >= box.y1 - 1
    assert legend.x0 >= 0
    assert box.height > 60
    labels = [*ax.get_legend().texts, *ax.get_yticklabels()]
    assert {label.get_size() for label in labels} == {8}


def test_figures_of_the_papers_are_a_column_wide_and_have_outlines(tmp_path):
    _, _, section = read_page("pages/own_runs").partition("## Figures from")
    code = "\n".join(code_of(section))
    code = code.replace('"trec8', '"sim-trec8').replace('"robust2004', '"sim-robust2004-all')
    code = code.replace('savefig("', f'savefig("{tmp_path}/')
    code = code.replace("1000", "10")  # trials
    exec(code, {})
    files = [path.read_bytes() for path in tmp_path.glob("*.pdf")]
    assert len(files) == 2
    for content in files:
        assert b"MediaBox [ 0 0 237.6 " in content
        assert b"/Type3" not in content
