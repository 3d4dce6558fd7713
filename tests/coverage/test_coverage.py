"""The page of coverage and levels, simulated anew: `python tests/coverage/test_coverage.py`.

Each case draws scores whose truth is known, and says of each sample (or pair of systems) whether
the interval holds it, or the test rejects. The page has a line per case; a night's test compares.
"""

import re
import sys
import warnings
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import irstd
from irstd.significance import pair_tests

PAGE = Path(__file__).parents[2] / ".site" / "pages" / "coverage.md"
FEW = 200  # samples of what takes long


def matrix(values):
    return pd.DataFrame(values, [str(k) for k in range(len(values))])


def pairs_alike(n, rng, shape, rho, pairs=4000):
    """Pairs of systems with one distribution, correlated over topics: topics x (2 pairs)."""
    z = rng.normal(size=(n, pairs, 2))
    z[..., 1] = rho * z[..., 0] + np.sqrt(1 - rho**2) * z[..., 1]
    if shape == "t3":
        z /= np.sqrt(rng.chisquare(3, size=(n, pairs, 1 if rho else 2)) / 3)
    if shape == "beta(.4,3)":
        z = stats.beta(0.4, 3).ppf(stats.norm.cdf(z))
    return z.reshape(n, -1)


def level_of(method, shape, rho, n, m, rng):
    values, i = pairs_alike(n, rng, shape, rho), np.arange(0, 8000, 2)
    return pair_tests.METHODS[method].test(values, i, i + 1)[1] <= 0.05


def familywise(n, m, rng):
    """Holm over all pairs of equal systems whose differences vary alike: any rejection."""
    return [
        irstd.pairwise_tests(matrix(rng.normal(size=(n, m))), correction="holm")[
            "adjusted_pvalue"
        ].min()
        <= 0.05
        for _ in range(FEW)
    ]


def systems_and_topics(n, m, rng, noise=0.5):
    systems = rng.normal(0, 0.35, m)
    return systems, systems + rng.normal(size=(n, 1)) + noise * rng.normal(size=(n, m))


def holds(sample, function, by, n, m, rng):
    """Whether `interval` holds the truth of each sample."""
    found = []
    for _ in range(FEW // 2):
        scores, truth = sample(n, m, rng)
        with warnings.catch_warnings(action="ignore"):
            at = irstd.interval(scores, function, by=by, trials=100, seed=rng)
        found.append(at.low <= truth <= at.high)
    return found


def gmap(n, m, rng):
    scores = matrix(rng.beta(0.5, 2, (n, 1)))
    truth = np.exp(stats.beta(0.5, 2).expect(lambda x: np.log(x + 0.01))) - 0.01
    return scores, truth


def gaps(n, m, rng):
    scores = rng.beta(0.5, 2, (n, 1))
    scores[2:][rng.random((n - 2, 1)) < 0.3] = np.nan
    return matrix(scores), 0.2


def judges(n, m, rng, method="tau"):
    systems, x = systems_and_topics(n, m, rng)
    taste = rng.normal(0, 0.12, m)
    y = 0.7 * x + 0.3 * systems + taste + rng.normal(0, 0.35, (n, m))
    truth = irstd.rank_correlation(systems, systems + taste, method)
    return {"x": matrix(x), "y": matrix(y)}, truth


def tau(scores, method="tau"):
    return irstd.rank_correlation(scores["x"].mean(), scores["y"].mean(), method)


def two_collections(n, m, rng):
    systems, x = systems_and_topics(n, m, rng)
    other = systems + rng.normal(0.1, 0.15, m)
    y = other + rng.normal(size=(n, 1)) + 0.5 * rng.normal(size=(n, m))
    truth = np.sqrt(((systems - other) ** 2).mean()) * 2 / (systems.std(ddof=1) + other.std(ddof=1))
    y = matrix(y).rename(index="other {}".format)
    return {"x": matrix(x), "y": y}, truth


def fixed_systems(n, m, rng):
    systems, x = systems_and_topics(n, m, rng, noise=1)
    return matrix(x), systems.var(ddof=1) / (systems.var(ddof=1) + 1 / n)


def random_systems(n, m, rng):
    """The classical interval of erho2: .35^2 is the variance of all systems, 1 that of the rest."""
    found = []
    for _ in range(10 * FEW):
        x = irstd.variance_components(matrix(systems_and_topics(n, m, rng, noise=1)[1]))
        found.append(x["erho2_low"] <= 0.35**2 / (0.35**2 + 1 / n) <= x["erho2_high"])
    return found


def enough(n, m, rng):
    """`assurance=.8`: how often the topics are as many as the true variance needs, or more."""
    needed = irstd.topics_needed(pd.DataFrame({"a": [1, -1] * 50_000, "b": 0.0}), 0.4)
    pilots = (matrix(rng.normal(size=(n, 1))).assign(b=0.0) for _ in range(FEW))
    return [irstd.topics_needed(pilot, 0.4, assurance=0.8) >= needed for pilot in pilots]


SIZES = [(10, 2), (25, 2), (50, 2), (200, 2)]
FIFTY = [(50, 5), (50, 100)]
BOTH, ONE = ("bootstrap", "jackknife"), [(10, 1), (50, 1)]
CASES = {
    f"`{method}`, level .05, {shape}, correlation {rho}": (
        partial(level_of, method, shape, rho),
        [(20, 2), *SIZES] if method == "paired_levene" else SIZES,
    )
    for method in ("t", "wilcoxon", "paired_levene", "pitman_morgan", "levene", "f")
    for shape, rho in (("normal", 0.8), ("beta(.4,3)", 0.8), ("t3", 0.0))
}
CASES |= {
    "`pairwise_tests`, Holm, level .05 of the family": (familywise, [(10, 5), (50, 5), (50, 20)]),
    "`topics_needed`, assurance .8": (enough, [(10, 2), (50, 2)]),
    "`variance_components`, erho2, .95": (random_systems, [(10, 20), *FIFTY, (200, 20)]),
}
INTERVALS = {
    "geometric mean, epsilon .01": (gmap, lambda x: irstd.gmap(x, 0.01).iloc[0], BOTH, ONE),
    "mean with gaps, beta(.5,2)": (gaps, lambda x: x.mean().iloc[0], BOTH, ONE),
    "tau of two judges": (judges, tau, BOTH, [(25, 20), (50, 20), (50, 100)]),
    "tau_AP of two judges": (
        partial(judges, method="tau_ap"), partial(tau, method="tau_ap"), BOTH, [(50, 20)],
    ),
    "dRMSE": (two_collections, lambda s: irstd.drmse(*s.values()), BOTH, [(10, 20), (50, 20)]),
    "erho2 of these systems": (
        fixed_systems, lambda s: irstd.variance_components(s)["erho2"], BOTH, [(50, 20)],
    ),
}  # fmt: skip
CASES |= {
    f"`interval`, {by}, {name}, .95": (partial(holds, sample, function, by), sizes)
    for name, (sample, function, ways, sizes) in INTERVALS.items()
    for by in ways
}


def rows(names=CASES, seed=0):
    for name in names:
        run, sizes = CASES[name]
        for n, m in sizes:
            hits = np.asarray(run(n, m, np.random.default_rng(seed)), dtype=float)
            share = hits.mean()
            yield name, n, m, share, max(np.sqrt(share * (1 - share) / len(hits)), 1 / len(hits))


@pytest.mark.night
@pytest.mark.parametrize("name", CASES)
def test_the_page_says_what_is_simulated(name, monkeypatch):
    written = re.findall(r"(?m)^\| (`.*) \| (\d+) \| (\d+) \| (\S+) \| (\S+) \|$", PAGE.read_text())
    printed = {(case, int(n), int(m)): float(share) for case, n, m, share, _ in written}
    if name.startswith("`interval`"):  # which is slow: fewer samples, and of the first size only
        monkeypatch.setattr(sys.modules[__name__], "FEW", 80)
        monkeypatch.setitem(CASES, name, (CASES[name][0], CASES[name][1][:1]))
    for case, n, m, share, error in rows([name], seed=1):
        assert share == pytest.approx(printed[case, n, m], abs=3 * np.sqrt(2) * error + 0.002)


if __name__ == "__main__":
    for row in rows([name for name in CASES if " ".join(sys.argv[1:]) in name]):
        print("| {} | {} | {} | {:.3f} | {:.3f} |".format(*row), flush=True)
