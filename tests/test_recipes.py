"""The recipes of the page on comparisons run, and say what scipy and statsmodels say."""

import itertools
import re

import numpy as np
import pytest
from scipy import stats
from texts import code_of, read_page

import irstd

PAGE = read_page("pages/comparisons")
SECTIONS = dict(re.findall(r"(?ms)^## ([^\n]+)\n(.*?)(?=^## |\Z)", PAGE))


def run(section):
    """Run the recipe of a section, and return its names."""
    names = {}
    for code in code_of(SECTIONS[section]):
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


def test_equivalence_of_all_pairs_is_two_one_sided_tests():
    """Oracles: scipy's one-sided t of each difference, and Holm's by multiplying."""
    names = run("As good as")
    scores, tests = names["scores"], names["tests"]
    expected = []
    for row in tests.itertuples():
        difference = scores[row.system_a] - scores[row.system_b]
        above = stats.ttest_1samp(difference, -0.02, alternative="greater").pvalue
        below = stats.ttest_1samp(difference, 0.02, alternative="less").pvalue
        expected.append(max(above, below))
    order = np.argsort(expected)
    holm = np.maximum.accumulate(np.array(expected)[order] * np.arange(len(order), 0, -1))
    assert tests["margin_pvalue"].to_numpy()[order] == pytest.approx(np.minimum(holm, 1))


@pytest.mark.parametrize(("n", "share"), [(12, 0.54), (25, 0.27), (50, 0.08), (100, 0.12)])
def test_rare_gains_are_called_equivalent_as_the_page_says(n, share):
    """5% of the topics gain .9, the margin is their mean, .045."""
    assert f"{share:.2f}".lstrip("0") in SECTIONS["As good as"]
    rng = np.random.default_rng(n)
    differences = np.where(rng.random((n, 4000)) < 0.05, 0.9, 0) + rng.normal(0, 0.01, (n, 4000))
    below = stats.ttest_1samp(differences, 0.045, alternative="less").pvalue
    assert (below <= 0.05).mean() == pytest.approx(share, abs=0.025)


def test_topics_by_statsmodels_have_the_power_of_noncentral_t():
    """Oracles: scipy's noncentral t, and pingouin's power_ttest of ten topics."""
    names = run("How many topics")
    sd = names["sd"]
    for effect, n in ((names["detectable"] / sd, 50), (0.02 / sd, names["topics_needed"])):
        critical = stats.t.isf(0.025, n - 1)
        shift = effect * np.sqrt(n)
        assert stats.nct.sf(critical, n - 1, [shift, -shift]).sum() == pytest.approx(0.8)
    by_pingouin = 0.9960013714554438  # 0.7.0
    found = names["power"].solve_power(nobs=10, alpha=0.05, power=0.8)
    assert found == pytest.approx(by_pingouin)
    pairs = itertools.combinations(irstd.load_dataset("sim-trec8").to_numpy().T, 2)
    significant = [stats.ttest_rel(*pair).pvalue <= 0.05 for pair in pairs]
    assert names["discriminative_power"] == np.mean(significant)


def test_the_bootstrap_draws_topics_or_whole_clusters():
    """Oracle: scipy, which draws numbers of clusters."""
    names = run("An interval of any number")
    assert names["low"] < names["lead"](names["rows"]) < names["high"]
    clusters = names["clusters"]
    assert [len(rows) for rows in clusters] == [5] * 10

    def lead_of(drawn):
        return names["lead"](np.concatenate([clusters[k] for k in drawn]))

    options = {"method": "percentile", "n_resamples": 1000, "rng": 1}
    expected = stats.bootstrap([np.arange(10)], lead_of, **options).confidence_interval
    ends = names["low_of_clusters"], names["high_of_clusters"]
    assert ends == pytest.approx(tuple(expected), abs=0.1 * (expected.high - expected.low))


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
