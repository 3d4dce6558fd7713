"""Names, numbers and shapes that once broke a figure or a widget: drawn, or refused in words."""

import html

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.text import Text

from irstd import plots, widgets
from irstd.plots.style import plain

NAMES = [r"$\frac{$", "_hidden", r"a$b$\$", "<b>x</b>", "long" * 50]
ODD = pd.DataFrame(np.random.default_rng(0).random((5, 5)), NAMES, NAMES)
RANKS = pd.DataFrame({"rank": range(5), "low": range(5), "high": range(5), "best": True}, NAMES)
CURVE = pd.DataFrame({"split": NAMES * 2, "epsilon": [0.1] * 5 + [np.inf] * 5, "tau": 0.5})
DRAWN = [  # how many of the names are written
    (5, lambda s: plots.plot_scores(s, label=NAMES[0])),
    (5, lambda s: plots.plot_intervals(s, rank=1, label=NAMES[0])),
    (5, lambda s: plots.plot_distributions(s, label=NAMES[0])),
    (5, plots.plot_thresholds),
    (5, lambda s: plots.plot_differences(s, *NAMES[:2], label=NAMES[2])),
    (5, lambda s: plots.plot_ranks(RANKS)),
    (5, lambda s: plots.plot_densities(s, label=NAMES[0])),
    (5, lambda s: plots.plot_forms(s, label=NAMES[0])),
    (2, lambda s: plots.plot_systems(s[NAMES[0]], s[NAMES[1]])),
    (2, lambda s: plots.plot_beside_curve(s[NAMES[0]], s[NAMES[1]], pd.Series([0, 1], [0, 1]))),
    (5, lambda s: plots.plot_gmap_curve(CURVE)),
    (1, lambda s: plots.plot_means(s, label=NAMES[0])),
]


@pytest.mark.parametrize(("few", "draw"), DRAWN)
def test_each_name_is_drawn_as_it_is(few, draw):
    figure = draw(ODD).figure
    figure.canvas.draw()
    texts = "\n".join(text.get_text() for text in figure.findobj(Text) if text.get_visible())
    for each in NAMES[:few]:
        assert plain(each) in texts


@pytest.mark.parametrize("name", [*NAMES, r"\$"])
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


def test_names_are_text_in_the_widget_of_a_lesson():
    for names in (["<img src=x onerror=alert(1)>", "\u202eexe.png"], NAMES[:2]):
        text = widgets.explore_threshold(ODD.iloc[:, :2].set_axis(names, axis=1)).text.value
        assert text.count("<img") == 1  # the picture
        for name in names:
            assert f"<bdi>{html.escape(name)}</bdi>" in text
