"""The first picture of README and site: ``python .github/draw_turn.py`` draws it anew."""

from pathlib import Path

import matplotlib.pyplot as plt

import irstd
from irstd import plots

LABS = {"lab B's system": ("sim-trec7", "late09b"), "lab A's system": ("sim-robust2003", "late03a")}
TITLES = {"Raw: A leads": "mean AP", "Standardized: B leads": "mean standardized AP; .5 is average"}


def draw_turn(file):
    """Two labs, each with a system and topics of its own: who leads turns round (lesson 02)."""
    campaign = irstd.simulate_campaign()
    with plots.look():
        figure, axes = plt.subplots(1, 2, figsize=(9, 2), layout="constrained", sharey=True)
    for n, (lab, (collection, system)) in enumerate(LABS.items()):
        scores = campaign[collection].scores("AP", "later")
        tables = scores, irstd.standardize(scores, scores.iloc[:, ::11])  # ten that both can run
        for ax, table, title in zip(axes, tables, TITLES, strict=True):
            mean, half = table[system].mean(), 2 * table[system].sem()
            ax.errorbar(mean, lab, xerr=half, fmt="o", ms=11, lw=4, color=plots.COLOURS[1 - n])
            ax.annotate(f"{mean:.2f}", (mean, n + 0.2), ha="center")
            ax.set(title=title, xlabel=TITLES[title], ylim=(-0.4, 1.6))
    figure.savefig(file, dpi=100)


if __name__ == "__main__":
    draw_turn(Path(__file__).parents[1] / ".site/_static/turn.png")
