"""Names, numbers and shapes that once broke a figure or a widget: drawn, or refused in words."""

import html

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from matplotlib.text import Text

import irstd
from irstd import plots, widgets
from irstd.plots._look import plain

NAMES = [r"$\frac{$", "_hidden", r"a$b$\$", "<b>x</b>", "long" * 50]


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


@pytest.fixture
def odd():
    """Topics and systems of odd names."""
    rng = np.random.default_rng(0)
    return pd.DataFrame(rng.random((5, 5)), NAMES, NAMES)


RANKS = pd.DataFrame({"rank": range(5), "low": range(5), "high": range(5)}, NAMES)
SAMPLED = pd.DataFrame({"size": [5, 9], "tau": [0.8, 0.9]})
CURVE = pd.DataFrame({"split": NAMES * 2, "epsilon": [0.1] * 5 + [np.inf] * 5, "tau": 0.5})

# What each figure writes of the names: at its axes, in its legend, beside its colours.
DRAWN = {
    "plot_scores": lambda s: plots.plot_scores(s, label=NAMES[0]),
    "plot_intervals": lambda s: plots.plot_intervals(s, label=NAMES[0]),
    "plot_distributions": lambda s: plots.plot_distributions(dict(s.items()), label=NAMES[0]),
    "plot_thresholds": lambda s: plots.plot_thresholds(s),
    "plot_differences": lambda s: plots.plot_differences(s, *NAMES[:2], label=NAMES[2]),
    "plot_ranks": lambda s: plots.plot_ranks(RANKS),
    "plot_densities": lambda s: plots.plot_densities(dict(s.items()), label=NAMES[0]),
    "plot_forms": lambda s: plots.plot_forms(s, label=NAMES[0]),
    "plot_systems": lambda s: plots.plot_systems(s[NAMES[0]], s[NAMES[1]]),
    "plot_gmap_curve": lambda s: plots.plot_gmap_curve(CURVE),
    "plot_factor_sampling": lambda s: plots.plot_factor_sampling(
        SAMPLED, percentiles=dict.fromkeys(NAMES, 0.5), lines=dict.fromkeys(NAMES, 0.7)
    ),
    "plot_means": lambda s: plots.plot_means(s, label=NAMES[0]),
    "plot_mean_spread": lambda s: plots.plot_mean_spread(s, label=NAMES[0]),
}
ONE_NAME = {"plot_means", "plot_mean_spread"}


def written(ax):
    """All texts of a figure that are to be seen."""
    return [text.get_text() for text in ax.figure.findobj(Text) if text.get_visible()]


@pytest.mark.parametrize("name", DRAWN)
def test_each_name_is_drawn_as_it_is(odd, name):
    ax = DRAWN[name](odd)
    ax.figure.canvas.draw()
    texts = "\n".join(written(ax))
    few = 1 if name in ONE_NAME else 2 if name == "plot_systems" else len(NAMES)
    for each in NAMES[:few]:
        assert plain(each) in texts


@pytest.mark.parametrize("name", [*NAMES, r"\$", "$", "$$", r"\$a$"])
def test_a_dollar_sign_gives_the_pixels_of_a_dollar_sign(name):
    """Compared with matplotlib's own way to draw a text without formulas."""

    def pixels(text, **how):
        figure = plt.figure(figsize=(8, 1))
        figure.text(0.1, 0.5, text, **how)
        figure.canvas.draw()
        return np.asarray(figure.canvas.buffer_rgba())

    expected = name if len(name) <= 32 else name[:20] + "…" + name[-11:]
    expected = f" {expected}" if expected.startswith("_") else expected
    np.testing.assert_array_equal(pixels(plain(name)), pixels(expected, parse_math=False))


def test_a_name_that_begins_with_an_underscore_is_in_the_legend(odd):
    for draw in (plots.plot_thresholds, lambda s: plots.plot_distributions(dict(s.items()))):
        legend = [text.get_text().strip() for text in draw(odd).get_legend().get_texts()]
        assert "_hidden" in legend
        assert len(legend) == len(NAMES)


@pytest.mark.parametrize("n", [11, 20])
def test_there_are_more_sets_than_colours(n):
    many = pd.DataFrame(
        np.random.default_rng(0).random((9, n)), columns=[f"s{i}" for i in range(n)]
    )
    for draw in (
        lambda: plots.plot_distributions(dict(many.items())),
        lambda: plots.plot_densities(many),
        lambda: plots.plot_thresholds(many),
        lambda: plots.plot_forms(many),
    ):
        handles, names = draw().get_legend_handles_labels()
        assert len(names) == n
        looks = {
            (to_hex(getattr(h, "get_edgecolor", getattr(h, "get_color", None))()[:3])
             if not hasattr(h, "get_marker") else to_hex(h.get_color()),
             h.get_linestyle(), getattr(h, "get_marker", str)())
            for h in handles
        }  # fmt: skip
        assert len(looks) == n


def test_no_figure_stays_open_when_a_plot_fails(odd):
    for fail in (
        lambda: plots.plot_weights(ranks=0),
        lambda: plots.plot_distributions({}),
        lambda: plots.plot_differences(odd, NAMES[0], "no one"),
        lambda: plots.plot_ranks(odd),
        lambda: plots.plot_densities({"a": ["text"]}),
        lambda: plots.plot_scores(odd, label=BadText()),
    ):
        with pytest.raises((TypeError, ValueError)):
            fail()
        assert plt.get_fignums() == []


class BadText:
    def __str__(self):
        raise ValueError("no text")


def test_what_was_drawn_on_before_stays_open_when_a_plot_fails(odd):
    _, ax = plt.subplots()
    with pytest.raises(ValueError, match="no text"):
        plots.plot_scores(odd, label=BadText(), ax=ax)
    assert plt.get_fignums() == [1]


@pytest.mark.parametrize(
    "draw",
    [plots.plot_scores, plots.plot_intervals, plots.plot_means, plots.plot_thresholds,
     plots.plot_mean_spread, lambda s: plots.plot_differences(s, "a", "b")],
)  # fmt: skip
def test_several_metrics_are_not_systems(draw):
    several = irstd.load_dataset("sim-trec8", ["AP", "RR"])
    with pytest.raises(ValueError, match=r'scores\["AP"\]|scores\[\'AP\'\]'):
        draw(several)
    assert plt.get_fignums() == []


def test_names_are_text_in_the_widget_of_a_lesson(odd):
    for names in (["<img src=x onerror=alert(1)>", "\u202eexe.png"], NAMES[:2]):
        text = widgets.explore_threshold(odd.iloc[:, :2].set_axis(names, axis=1)).text.value
        assert "<img" not in text
        for name in names:
            assert f"<bdi>{html.escape(name)}</bdi>" in text


def test_explore_takes_any_names(odd):
    explorer = irstd.explore(odd)
    for name in NAMES:
        explorer.system = explorer.topic = name
        assert explorer.by_topic["score"].loc[name] == odd.loc[name, name]
    assert not any(name in explorer.summary for name in NAMES)  # explore.js writes them, as text


def test_explore_takes_metrics_of_different_systems():
    scores = irstd.load_dataset("sim-trec8", ["AP", "RR"]).iloc[:, :200]
    explorer = irstd.explore(scores)
    explorer.system = explorer.other = scores["AP"].columns[-1]
    explorer.metric = "RR"
    assert (explorer.system, explorer.other) == (None, None)
    assert len(explorer.by_system) == 71
    explorer.form = "normal"
    assert explorer.scores.shape == (50, 71)


@pytest.mark.parametrize("names", [["a", None], [("a", 1), "b"]])
def test_systems_without_a_name_are_refused_and_odd_ones_become_text(odd, names):
    scores = odd.iloc[:, :2].set_axis(pd.Index(names, tupleize_cols=False), axis=1)
    if None in names:
        with pytest.raises(ValueError, match="a system without a name"):
            irstd.explore(scores)
    else:
        explorer = irstd.explore(scores)
        explorer.system = "('a', 1)"
        assert "rank" in explorer.summary


@pytest.mark.parametrize("n", [1, 3])
def test_the_lesson_on_thresholds_takes_two_systems(odd, n):
    with pytest.raises(ValueError, match=f"scores must be those of two systems, got {n}"):
        widgets.explore_threshold(odd.iloc[:, :n])
