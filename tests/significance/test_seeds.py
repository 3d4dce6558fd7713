"""Systems with several seeds; oracles: scipy's t-tests, simulation."""

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
            shift = rng.normal(0, of_seed)
            rest = rng.normal(0, noise, topics)
            columns[f"m{k}-s{r}"] = own + shift + rest
    scores = pd.DataFrame(columns).rename(index=str)
    return irstd.seeds.name_seeds(scores, NAMED)


def test_seed_test_of_equal_seeds_is_the_paired_t():
    """Seeds that differ by topic only, and by nothing on average: scipy's paired t."""
    scores = draw(2)
    better = scores["m0"] - scores["m0"].mean() + 0.05
    worse = scores["m1"] - scores["m1"].mean()
    both = pd.concat({"m0": better, "m1": worse}, axis=1, names=["system", "seed"])
    found = irstd.seeds.seed_test(both, "m0", "m1")
    test = stats.ttest_rel(better.mean(axis=1), worse.mean(axis=1))
    expected = [*test.confidence_interval(), test.statistic, 49, 0]
    columns = ["low", "high", "statistic", "df", "by_seed"]
    assert found[columns].tolist() == pytest.approx(expected, abs=1e-9)


def test_seed_test_on_equal_topics_is_welchs_t():
    rng = np.random.default_rng(0)
    a, b = rng.normal(0.5, 0.1, 3), rng.normal(0.4, 0.2, 3)
    same_on_five_topics = {"a": pd.DataFrame([a] * 5), "b": pd.DataFrame([b] * 5)}
    scores = pd.concat(same_on_five_topics, axis=1, names=["system", "seed"])
    found = irstd.seeds.seed_test(scores.rename(index=str), "a", "b")
    test = stats.ttest_ind(a, b, equal_var=False)
    expected = [test.statistic, test.df, test.pvalue]
    assert found[["statistic", "df", "pvalue"]].tolist() == pytest.approx(expected)


def test_seed_test_is_that_of_an_anova():
    """Oracle: the two-way ANOVA of each system by statsmodels; both parts are less than the sum."""
    scores = draw(3)
    found = irstd.seeds.seed_test(scores, "m0", "m1")
    d = scores["m0"].mean(axis=1) - scores["m1"].mean(axis=1)
    parts = [(d.var() / 50, 49)]
    rest = 0
    for system in ("m0", "m1"):
        long = scores[system].rename_axis("topic").reset_index().melt("topic", value_name="score")
        table = anova_lm(ols("score ~ topic + seed", long).fit())
        parts.append((table.loc["seed", "mean_sq"] / 150, 2))
        rest += table.loc["Residual", "mean_sq"] / 150
    variance = sum(part for part, _ in parts) - rest
    assert variance > max(parts[0][0], parts[1][0] + parts[2][0])
    assert found["statistic"] == pytest.approx(d.mean() / np.sqrt(variance))
    assert found["df"] == pytest.approx(variance**2 / sum(part**2 / df for part, df in parts))
    of_two = irstd.seeds.seed_test(scores.drop(columns=("m1", "2")), "m0", "m1")
    assert of_two["df"] < found["df"]


def test_seed_test_of_two_seeds_averages_degrees_of_freedom():
    """Satterthwaite's reject up to .13 for .05 where the seeds of one side alone vary."""
    scores = draw(2)
    a, b = scores["m0"], scores["m1"]
    seeds = (a.mean().var() + b.mean().var()) / 2
    topics = (a.mean(axis=1) - b.mean(axis=1)).var() / 50
    found = irstd.seeds.seed_test(scores, "m0", "m1")
    assert found["df"] == pytest.approx((topics + seeds) / (topics / 49 + seeds))


def test_seed_test_warns_of_five_to_one():
    ten = draw(10)
    with pytest.warns(UserWarning, match="10 seeds, m1 has 2: if one has five times"):
        irstd.seeds.seed_test(ten.drop(columns=ten.columns[-8:]), "m0", "m1")


def seeded_and_fixed(n=20, r=3, seed=0):
    rng = np.random.default_rng(seed)
    base = rng.uniform(0.2, 0.6, n)
    model = base[:, None] + rng.normal(0.02, 0.1, (n, r)) + rng.normal(0, 0.03, r)
    columns = [f"model-s{k}" for k in range(r)]
    return pd.DataFrame(model, columns=columns).assign(bm25=base, other=base / 2)


def test_seed_test_against_a_system_without_seeds():
    """Oracle: its column given twice, as two seeds that do not differ."""
    scores = seeded_and_fixed()
    named = irstd.seeds.name_seeds(scores, NAMED, without=["bm25", "other"])
    assert named["bm25"].columns.tolist() == ["none"]
    found = irstd.seeds.seed_test(named, "model", "bm25")
    twice = scores.rename(columns={"bm25": "bm25-s1"}).assign(**{"bm25-s2": scores["bm25"]})
    twice = irstd.seeds.name_seeds(twice.drop(columns="other"), NAMED)
    pd.testing.assert_series_equal(found, irstd.seeds.seed_test(twice, "model", "bm25"))
    paired = irstd.paired_test(scores["bm25"], scores["other"])
    both = irstd.seeds.seed_test(named, "bm25", "other")
    assert both[["statistic", "pvalue"]].tolist() == pytest.approx(list(paired))


TWO_SEEDS = irstd.seeds.name_seeds(seeded_and_fixed(r=2), NAMED, without=["bm25", "other"])
ONE_SEED = irstd.seeds.name_seeds(seeded_and_fixed(r=1), NAMED, without=["bm25", "other"])
SOME = pd.DataFrame([[0.1, 0.2]], columns=["a-s1", "b"])
MAYBE = r"(?P<system>a|b)(-s(?P<seed>[0-9]))?"
THREE_WORDS = {"a-s1": ("a", 1, "x"), "b": ("b", 1)}
TWICE = dict.fromkeys(SOME, ("a", 1))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: irstd.seeds.name_seeds(SOME, "(a)"), "groups"),
        (lambda: irstd.seeds.name_seeds(SOME, NAMED), r"column b: .* in without=\[\.\.\.\]"),
        (lambda: irstd.seeds.name_seeds(SOME, MAYBE), "seeds does not match column b"),
        (
            lambda: irstd.seeds.name_seeds(SOME, TWICE),
            "same system and seed to columns a-s",
        ),
        (
            lambda: irstd.seeds.name_seeds(SOME, THREE_WORDS),
            "seeds does not match column a-s1",
        ),
        (
            lambda: irstd.seeds.seed_test(ONE_SEED, "model", "bm25"),
            "'model' must have at least 2 seeds",
        ),
        (
            lambda: irstd.seeds.seed_test(TWO_SEEDS, "model", "bm25"),
            "no seeds and the other has 2: .* 3 or",
        ),
        (lambda: irstd.leaderboard(draw(3)), "seed"),
    ],
)
def test_name_seeds_and_seed_test_refuse_bad_input(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_name_seeds_keeps_whole_numbers_and_takes_flags():
    numbers = {"a-s1": ("a", 0)}
    named = irstd.seeds.name_seeds(SOME, numbers, without=["b"])
    assert [*named.columns] == [("a", 0), ("b", "none")]
    assert isinstance(named.columns[0][1], int)
    named = irstd.seeds.name_seeds(SOME, f"(?i){NAMED}", without=["b"])
    assert [*named.columns] == [("a", "1"), ("b", "none")]
