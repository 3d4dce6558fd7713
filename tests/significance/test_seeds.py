"""Systems with several seeds; oracles: statsmodels' mean squares, scipy's t-tests, simulation."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

import irstd

NAMED = r"(?P<system>.*)-s(?P<seed>[0-9]+)"


def draw(seeds, *, topics=50, of_seed=0.03, noise=0.1, systems=2, seed=0):
    """Equal systems: topics differ, and seeds do, on all topics alike and topic by topic."""
    rng = np.random.default_rng(seed)
    columns = {}
    for k in range(systems):
        own = rng.normal(0.4, 0.15, topics)
        for r in range(seeds):
            columns[f"m{k}-s{r}"] = own + rng.normal(0, of_seed) + rng.normal(0, noise, topics)
    return irstd.name_seeds(pd.DataFrame(columns).rename(index=str), NAMED)


def test_components_are_those_of_mean_squares():
    n, m, r = 12, 4, 3
    scores = draw(r, topics=n, systems=m)
    long = scores.rename_axis("topic").stack(["system", "seed"], future_stack=True)
    long = long.rename("y").reset_index()
    formula = "y ~ C(topic) * C(system) + C(system):C(seed)"
    table = anova_lm(ols(formula, long).fit())
    ms = table["sum_sq"] / [n - 1, m - 1, (n - 1) * (m - 1), m * (r - 1), (n - 1) * m * (r - 1)]
    topic, system, both, seed, rest = ms
    expected = [system - both - seed + rest, topic - both, seed - rest, both - rest, rest]
    expected = np.maximum(0, np.array(expected) / [n * r, m * r, n, r, 1])
    found = irstd.variance_components(scores[scores.columns[::-1]], facet="seed")
    assert found.iloc[:5].tolist() == pytest.approx(expected.tolist(), abs=1e-12)
    one = expected[0] / (expected[0] + expected[3] / n + expected[2] + expected[4] / n)
    assert found["erho2_one"] == pytest.approx(one, abs=1e-12)
    assert found["erho2_one"] <= found["erho2"] <= found["erho2_many"]


def test_without_seeds_that_differ_it_is_the_paired_test_of_means():
    """Seeds that differ by topic only, and by nothing on average: scipy's paired t."""
    scores = draw(2)
    seeds = {name: scores[name] - scores[name].mean() for name in ("m0", "m1")}
    seeds["m0"] = seeds["m0"] + 0.05
    found = irstd.seed_test(pd.concat(seeds, axis=1, names=["system", "seed"]), "m0", "m1")
    test = stats.ttest_rel(seeds["m0"].mean(axis=1), seeds["m1"].mean(axis=1))
    assert found["statistic"] == pytest.approx(test.statistic)
    assert found["df"] == pytest.approx(49) and found["by_seed"] == pytest.approx(0, abs=1e-9)
    assert (found["low"], found["high"]) == pytest.approx(tuple(test.confidence_interval()))


def test_on_topics_that_say_nothing_it_is_welchs_test_of_seeds():
    rng = np.random.default_rng(0)
    levels = {"a": rng.normal(0.5, 0.1, 4), "b": rng.normal(0.4, 0.2, 3)}
    parts = {name: pd.DataFrame([level] * 5).rename(index=str) for name, level in levels.items()}
    found = irstd.seed_test(pd.concat(parts, axis=1, names=["system", "seed"]), "a", "b")
    test = stats.ttest_ind(levels["a"], levels["b"], equal_var=False)
    assert found[["statistic", "df", "pvalue"]].tolist() == pytest.approx(
        [test.statistic, test.df, test.pvalue]
    )


@pytest.mark.slow
def test_levels_of_tests_with_seeds():
    """Of 400 pairs of equal systems it tells some 5% apart; seeds taken for topics, 30%."""
    own, of_means, as_topics = 0, 0, 0
    for seed in range(400):
        scores = draw(3, seed=seed)
        a, b = scores["m0"].to_numpy(), scores["m1"].to_numpy()
        own += irstd.seed_test(scores, "m0", "m1")["pvalue"] <= 0.05
        of_means += stats.ttest_rel(a.mean(axis=1), b.mean(axis=1)).pvalue <= 0.05
        as_topics += stats.ttest_rel(a.ravel(), b.ravel()).pvalue <= 0.05
    assert 8 <= own <= 32 < of_means < as_topics


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: irstd.name_seeds(pd.DataFrame({"a": [0.1]}), NAMED), "columns a"),
        (lambda: irstd.name_seeds(pd.DataFrame({"a": [0.1]}), "(a)"), "groups"),
        (lambda: irstd.seed_test(draw(1), "m0", "m1"), "2 seeds or more"),
        (lambda: irstd.seed_test(draw(2), "m0", "m7"), "no system m7"),
        (lambda: irstd.variance_components(draw(3).iloc[:, 1:], facet="seed"), "as many seeds"),
        (lambda: irstd.variance_components(draw(3), facet="judge"), "facet"),
        (lambda: irstd.variance_components(draw(3)), "seed"),
        (lambda: irstd.leaderboard(draw(3)), "seed"),
    ],
)
def test_what_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
