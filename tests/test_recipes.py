"""The recipes of the page on comparisons run, and say what scipy and statsmodels say."""

import itertools
import re
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import irstd

PAGE = Path(__file__).parents[1] / ".site" / "pages" / "comparisons.md"
SECTIONS = dict(re.findall(r"(?ms)^## ([^\n]+)\n(.*?)(?=^## |\Z)", PAGE.read_text("utf-8")))


def run(section):
    """Run the recipe of a section, and return its names."""
    names = {}
    for code in re.findall(r"```python\n(.*?)```", SECTIONS[section], re.DOTALL):
        exec(code, names)
    return names


@pytest.mark.parametrize("section", [name for name, text in SECTIONS.items() if "```py" in text])
def test_each_recipe_runs(section):
    assert run(section)


def test_groups_of_topics_are_compared_by_welchs_t():
    """Oracle: scipy's Welch test, whose p is near that of so many permutations."""
    names = run("On which topics?")
    welch = stats.ttest_ind(*names["groups"], equal_var=False)
    assert names["result"].statistic == pytest.approx(abs(welch.statistic))
    assert names["result"].pvalue == pytest.approx(welch.pvalue, abs=0.002)


@pytest.mark.night
@pytest.mark.parametrize("sizes", [(5, 45), (10, 40)])
def test_groups_of_unequal_spread_keep_their_level(sizes):
    """Standard deviations of 2 to 1; with its sign, t rejects .08, and a difference of means .2."""
    size_of_t = run("On which topics?")["size_of_t"]
    rng = np.random.default_rng(0)
    rejected = []
    for _ in range(600):
        groups = rng.normal(0, 2, sizes[0]), rng.normal(0, 1, sizes[1])
        options = {"alternative": "greater", "n_resamples": 499, "rng": rng}
        rejected.append(stats.permutation_test(groups, size_of_t, **options).pvalue <= 0.05)
    assert np.mean(rejected) <= 0.055 + 3 * np.sqrt(0.05 * 0.95 / 600)
    assert np.mean(rejected) >= 0.03


@pytest.mark.night
def test_a_star_in_one_group_only_is_no_difference_of_groups(trec_data):
    """As on the page: old and new topics of Robust 2004, 200 pairs of its thirty best systems."""
    scores = irstd.load_dataset("robust2004")
    is_old = scores.index.astype(int) <= 450
    best = scores.mean().nlargest(30).index
    pairs = np.array(list(itertools.combinations(best, 2)))
    first, second = np.random.default_rng(0).permutation(pairs)[:200].T
    differences = scores[first].to_numpy() - scores[second].to_numpy()
    old, new = differences[is_old], differences[~is_old]
    differ = stats.ttest_ind(old, new, equal_var=False).pvalue <= 0.05
    stars = [stats.ttest_1samp(group, 0).pvalue <= 0.05 for group in (old, new)]
    one_star = stars[0] != stars[1]
    assert one_star.mean() == pytest.approx(0.405, abs=0.005)
    assert differ[one_star].mean() == pytest.approx(0.57, abs=0.02)
