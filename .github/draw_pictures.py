"""Draw the pictures of README and site: ``python .github/draw_pictures.py [NAME ...]``.

Names are the keys of DRAW. All but the first two need Chromium and the extra `test`.
"""

import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import matplotlib.pyplot as plt
from PIL import Image

import irstd
from irstd import plots

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / ".site" / "_static"
BROWSER_TESTS = ROOT / "tests" / "browser"  # helpers that start and run JupyterLab
SIZE = {"width": 1200, "height": 760}
LABS = {"lab B's system": ("sim-trec7", "late04a"), "lab A's system": ("sim-robust2003", "late02e")}
TITLES = {
    "Raw, by the mean: A leads": "mean AP, with its 95% interval",
    "Standardized, by the mean: B leads": "mean standardized AP, with its 95% interval",
}


def draw_turn(file):
    """Draw the systems of two labs, whose order standardization reverses (lesson 02)."""
    campaign = irstd.simulate_campaign()
    with plots.look():
        figure, axes = plt.subplots(1, 2, figsize=(9.6, 2), layout="constrained", sharey=True)
    for n, (lab, (collection, system)) in enumerate(LABS.items()):
        scores = campaign[collection].scores("AP", "later")
        tables = (
            scores,
            irstd.standardize(scores, scores.iloc[:, ::11]),
        )  # ten systems available to both
        for ax, table, title in zip(axes, tables, TITLES, strict=True):
            interval = irstd.leaderboard(table).loc[system]
            ends = [[interval["mean"] - interval["low"]], [interval["high"] - interval["mean"]]]
            color = plots.COLORS[1 - n]
            ax.errorbar(interval["mean"], lab, xerr=ends, fmt="o", ms=11, lw=4, color=color)
            ax.annotate(f"{interval['mean']:.2f}", (interval["mean"], n + 0.2), ha="center")
            ax.set_title(title, fontsize=12)
            ax.set(xlabel=TITLES[title], ylim=(-0.4, 1.6))
            ax.locator_params(axis="x", nbins=5)
    axes[1].axvline(0.5, color="0.5", ls="--", lw=1)  # as good as the average reference system
    figure.savefig(file, dpi=100)


def draw_factors(file):
    """Draw mean and sd of AP by topic, from hard to easy, for each collection."""
    names = irstd.list_datasets().query("factors.str.contains('bundled')").index
    with plots.look():
        figure, axes = plt.subplots(3, 6, figsize=(11, 5.5), layout="constrained", sharey=True)
    for ax, name in zip(axes.flat, names, strict=False):
        factors = irstd.load_factors(name, "AP")
        order = factors.mean["AP"].argsort()
        mean, sd = (table["AP"].to_numpy()[order] for table in (factors.mean, factors.sd))
        places = range(len(mean))
        ax.fill_between(places, mean - sd, mean + sd, color=plots.COLORS[0], alpha=0.3, lw=0)
        ax.plot(places, mean, color=plots.COLORS[0])
        ax.set_title(f"{name} ({factors.n_systems})", fontsize=11)
        ax.set(xticks=[], ylim=(-0.05, 1.05))
    axes.flat[-1].set_axis_off()
    figure.supylabel("AP: mean, and one sd on both sides")
    figure.supxlabel(
        "topics of each collection, from hard to easy (in brackets: number of systems)"
    )
    figure.savefig(file, dpi=80)
    with Image.open(file) as picture:
        picture.convert("RGB").quantize(64).save(file, optimize=True)


@contextmanager
def open_browser():
    """Open a context of the installed Chromium, without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        options = {"executable_path": shutil.which("chromium"), "args": ["--no-sandbox"]}
        chromium = playwright.chromium.launch(**options)
        yield chromium.new_context(viewport=SIZE)
        chromium.close()


def save_screenshot(page, file):
    """Save a screenshot of the window, 800 pixels wide."""
    page.screenshot(path=file)
    with Image.open(file) as picture:
        small = picture.convert("RGB").resize((800, 800 * SIZE["height"] // SIZE["width"]))
        small.quantize(128).save(file, optimize=True)


def draw_report(file):
    """Draw `irstd report --short` on simulated scores."""
    with tempfile.TemporaryDirectory() as folder, open_browser() as context:
        scores = irstd.load_dataset("sim-trec8").iloc[:, ::9]
        irstd.write_scores(scores, Path(folder, "ap.csv"))
        words = ["--scores", "ap.csv", "-m", "AP", "--short", "--title", "Fifteen systems", "-q"]
        command = [sys.executable, "-m", "irstd", "report", *words]
        subprocess.run(command, cwd=folder, check=True)
        page = context.new_page()
        page.goto(Path(folder, "report.html").as_uri())
        save_screenshot(page, file)


@contextmanager
def open_lesson(name):
    """Open a lesson in JupyterLab and run it."""
    sys.path.insert(0, str(BROWSER_TESTS))
    from pages import Notebook
    from serving import serve

    with (
        tempfile.TemporaryDirectory() as folder,
        serve(Path(folder)) as server,
        open_browser() as context,
    ):
        yield Notebook.run(context, server, name).page


def draw_notebook(file, name, anchor):
    """Draw the window at the first output that contains `anchor`."""
    with open_lesson(name) as page:
        page.locator(anchor).first.evaluate("at => at.scrollIntoView({block: 'end'})")
        page.wait_for_timeout(1000)
        save_screenshot(page, file)


def draw_widget(file, name):
    """Draw the figure of the lesson's widget in its initial state."""
    with open_lesson(name) as page:
        address = page.locator(".widget-html img").first.get_attribute("src")
        page.goto(address)
        page.locator("img").screenshot(path=file)
    with Image.open(file) as picture:
        picture.convert("RGB").quantize(128).save(file, optimize=True)


DRAW = {
    "turn": draw_turn,
    "factors": draw_factors,
    "report": draw_report,
    "lesson": partial(
        draw_notebook, name="05_cross_collection.ipynb", anchor=".jp-RenderedImage img"
    ),
    "explore": partial(draw_notebook, name="09_leaderboards.ipynb", anchor=".irstd-explore"),
    "explore_metrics": partial(draw_widget, name="01_metrics.ipynb"),
    "explore_standardization": partial(draw_widget, name="02_standardization.ipynb"),
    "explore_gmap": partial(draw_widget, name="03_gmap.ipynb"),
    "explore_threshold": partial(draw_widget, name="04_variability.ipynb"),
    "explore_pools": partial(draw_widget, name="05_cross_collection.ipynb"),
    "explore_human_topics": partial(draw_widget, name="08_judges.ipynb"),
}


if __name__ == "__main__":
    for name in sys.argv[1:] or DRAW:
        DRAW[name](PICTURES / f"{name}.png")
