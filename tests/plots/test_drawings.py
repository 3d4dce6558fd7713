"""The drawing of a pool, read back from its patches and texts."""

from matplotlib.colors import to_rgb

from irstd import plots
from irstd.plots.drawings import KINDS

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
