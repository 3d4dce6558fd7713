"""What notebook 04 says of public data, and of ten other campaigns."""

import ast
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from campaigns import TEN, campaign
from scipy import stats

import irstd

LESSON = Path(__file__).parents[2] / "notebooks" / "04_variability.ipynb"
CELLS = ["".join(cell["source"]) for cell in json.loads(LESSON.read_text("utf-8"))["cells"]]


def cell_that_starts(start):
    return next(text for text in CELLS if text.startswith(start))


OWN = {"irstd": irstd, "np": np, "pd": pd, "stats": stats}  # what the lesson computes itself
for function in ("def p_values", "def at_random", "def reversed_at_fifty"):
    exec(cell_that_starts(function), OWN)


def best(scores):
    """The three quarters of the systems with the best means."""
    ranking = scores.mean().sort_values(ascending=False, kind="stable").index
    n_best = int(0.75 * len(ranking))
    return scores[ranking[:n_best]]


def pvalues(table, method):
    return irstd.pairwise_tests(table, method)["pvalue"].to_numpy()


def mean_with_sd(table):
    """The correlation of mean and sd, over systems."""
    return table.mean().corr(table.std())


def least_and_most(rows):
    """The ends of each column, in two rows."""
    return np.quantile(rows, [0, 1], axis=0)


def close_to(expected):
    """Close to numbers that are printed with two digits."""
    return pytest.approx(np.array(expected), abs=0.0051)


def trends(raw):
    """Return the correlation of mean and sd by form, and what goes with the sd of z.

    That is likeness to the others, as it is and with equal raw sds, and the raw sd.
    """
    z = irstd.standardize(raw, method="z")
    forms = [raw, irstd.logit(raw, 1e-4), z]
    by_form = [mean_with_sd(form) for form in forms]

    likeness = {}
    for system in raw:
        others = raw.drop(columns=system)
        likeness[system] = raw[system].corr(others.mean(axis=1))
    likeness = pd.Series(likeness)
    with_equal_sds = (raw - raw.mean()) / raw.std()
    sd = z.std()
    equal_sd = irstd.standardize(with_equal_sds, method="z").std()
    return by_form, [likeness.corr(sd), likeness.corr(equal_sd), sd.corr(raw.std())]


def beyond_scale(raw):
    """Return the correlation of the mean with the sd beyond scale alone, by logits and probits.

    Scale alone is the mean sd of copies of each system, moved by one step on all topics.
    """
    means = np.linspace(0.02, 0.9, 200)
    steps = np.linspace(-5, 5, 200)[:, None]
    correlations = []
    for law in (stats.logistic, stats.norm):
        sds = []
        for scores in raw.clip(1e-4, 1 - 1e-4).to_numpy().T:
            copies = law.cdf(law.ppf(scores) + law.std() * steps / 1.8)
            sds.append(np.interp(means, copies.mean(axis=1), copies.std(axis=1)))
        by_scale_alone = np.interp(raw.mean(), means, np.mean(sds, axis=0))
        correlations.append(raw.mean().corr(raw.std() - by_scale_alone))
    return correlations


def lasting(found, *others):
    """Return gains at .1, log ratios of sds and gaps of means of the ten most extreme pairs.

    Of pairs whose means hardly differ. Each is a row: on the topics of `found`, and on others.
    """
    pairs = irstd.pairwise_tests(found, "t").query("pvalue > 0.9")
    on_each = [gaps(table, pairs) for table in (found, *others)]
    _, log_ratio, _ = on_each[0]
    ten = np.abs(log_ratio).argsort()[-10:]
    direction = np.sign(log_ratio)
    rows = []
    for of_tables in zip(*on_each, strict=True):
        rows.append([(direction * gap)[ten].mean() for gap in of_tables])
    return rows


def gaps(table, pairs):
    """By how much the first of each pair is above the second: share above .1, evenness, mean."""
    of_systems = [irstd.share_above(table, 0.1), -np.log(table.std()), table.mean()]
    first = pairs["system_a"]
    second = pairs["system_b"]
    return [values[first].to_numpy() - values[second].to_numpy() for values in of_systems]


def own_limit(raw):
    """Return which ties Levene's test breaks, if its limit is set by pairs of equal systems."""
    limit = OWN["at_random"](raw)["Levene"].quantile(0.05)
    tied = pvalues(raw, "t") > 0.05
    broken = pvalues(raw, "levene") <= limit
    return broken[tied].mean()


def ties(table, new=None):
    """Return how many pairs do not differ in mean, and the shares of these that differ in spread.

    That is by Levene's test and by the paired one; with new topics also the share of the latter
    that they order alike.
    """
    tied = pvalues(table, "t") > 0.05
    levene = pvalues(table, "levene")[tied] <= 0.05
    paired = pvalues(table, "paired_levene")[tied] <= 0.05
    row = [tied.sum(), levene.mean(), paired.mean()]
    if new is not None:
        confirmed = sds_in_the_same_order(table, new)[tied]
        row.append(confirmed[paired].mean())
    return row


def sds_in_the_same_order(old, new):
    """Of each pair, whether the system that varies more does so on new topics as well."""
    i, j = np.triu_indices(old.shape[1], 1)
    old_sd = np.log(old.std().to_numpy())
    new_sd = np.log(new.std().to_numpy())
    return (old_sd[i] - old_sd[j]) * (new_sd[i] - new_sd[j]) > 0


@pytest.mark.slow
@pytest.mark.usefixtures("trec_data")
@pytest.mark.filterwarnings("ignore:all standardizing systems score the same")
def test_spread_and_mean_on_eight_public_collections():
    tree = ast.parse(cell_that_starts("trend = "))
    printed = ast.literal_eval(tree.body[0].value.value.args[0])  # trend = pd.DataFrame({...}).T
    likeness = {}
    rest = {}
    kept = {}
    for name in printed:
        dataset = name.lower().replace(" ", "").replace("-", "")
        scores = best(irstd.load_dataset(dataset).dropna(axis=1))
        by_form, likeness[name] = trends(scores)
        assert by_form == close_to(printed[name])
        rest[name] = beyond_scale(scores)
        assert mean_with_sd(irstd.logit(scores, 0.01)) < 0  # by another epsilon, too
        kept[name] = lasting(scores.iloc[::2], scores.iloc[1::2])

    gain, log_ratio, _ = kept["Robust 2004"]
    assert gain + log_ratio == pytest.approx([0.084, 0.091, 0.186, 0.093], abs=0.00051)
    row = likeness["Robust 2004"] + rest["Robust 2004"]
    assert row == pytest.approx([-0.87, -0.86, 0.07, -0.41, -0.30], abs=0.0051)
    ends = [[-0.95, -0.96, -0.10], [-0.58, -0.59, 0.49]]
    assert least_and_most(list(likeness.values())) == close_to(ends)

    falling = [name for name, (raw, _, _) in printed.items() if raw < 0]
    assert falling == ["Web 2004"]
    rising = [rest[name] for name, (raw, _, _) in printed.items() if raw > 0]
    ends = [[-0.59, -0.43], [-0.15, -0.03]]
    assert least_and_most(rising) == close_to(ends)

    means = np.mean(list(kept.values()), axis=0).ravel()
    assert means == pytest.approx([0.095, 0.076, 0.256, 0.075, 0, 0.018], abs=0.00051)
    shrunk = [there < here for _, (here, there), _ in kept.values()]
    assert sum(shrunk) == 7
    flatter = [abs(z) < abs(raw) for raw, _, z in printed.values()]
    assert sum(flatter) == 6


@pytest.mark.slow
@pytest.mark.usefixtures("trec_data")
def test_ties_and_reversals_on_robust2004():
    raw = best(irstd.load_dataset("robust2004"))
    z = irstd.standardize(raw, method="z")
    assert ties(raw) == pytest.approx([997, 0.10, 0.32], abs=0.0051)
    assert ties(z) == pytest.approx([857, 0.47, 0.48], abs=0.0051)
    assert own_limit(raw) == pytest.approx(0.28, abs=0.0051)
    options = {"sizes": [90], "trials": 200, "test": "paired_levene"}
    on_sample = irstd.swap_rate(z, judged_on="sample", **options)
    on_all = irstd.swap_rate(z, judged_on="all", **options)
    rates = [on_sample["error_rate"][0], on_all["error_rate"][0]]
    assert rates == pytest.approx([0.06, 0.044], abs=0.011)
    fifty = reversals(z, raw)
    assert fifty == pytest.approx([0.09, 0.09, 0.46, 0.18, 0.20, 0.24], abs=0.0051)


def reversals(z, raw):
    """What the lesson's function finds by z, then by raw scores."""
    reversed_at_fifty = OWN["reversed_at_fifty"]
    return np.ravel([reversed_at_fifty(z, raw), reversed_at_fifty(raw, raw)])


@pytest.mark.release
def test_the_ranges_over_ten_campaigns():
    campaigns = [of_a_campaign(seed) for seed in TEN]
    rows = np.array([row for row, _, _ in campaigns])
    gains = np.array([gain for _, gain, _ in campaigns])
    controls = np.array([control for _, _, control in campaigns])

    expected = [
        [0.14, -0.85, -0.14, -0.91, 971, 0, 0.03, 0.40, 908, 0.35, 0.34, 0.89, 0.07, 0.06],
        [0.82, -0.36, 0.64, -0.72, 1192, 0.19, 0.40, 0.99, 1077, 0.55, 0.54, 1, 0.19, 0.11],
    ]
    assert least_and_most(rows) == close_to(expected)
    means = [[0.065, 0.015, 0.033], [0.128, 0.053, 0.045], [0, -0.005, 0.003]]
    assert gains.mean(axis=0) == pytest.approx(np.array(means), abs=0.00051)
    for here, *there in gains[:, 1]:
        assert max(there) < here
    expected = [
        [-0.85, -0.80, -0.93, 0.33, 0.03, 0.09, 0.09, 0.21, 0.13, 0.16, 0.18],
        [-0.25, -0.14, -0.77, 0.82, 0.40, 0.17, 0.16, 0.59, 0.38, 0.48, 0.37],
    ]
    assert least_and_most(controls) == close_to(expected)

    raw_trend = rows[:, 0]
    z_trend = rows[:, 2]
    paired = rows[:, 6]
    right = rows[:, 7]
    assert controls[:, 6] == pytest.approx(controls[:, 5], abs=0.017)  # "of ties, too"
    assert controls[:, 4] == pytest.approx(paired, abs=0.025)  # "about as many"
    assert (np.abs(z_trend) < np.abs(raw_trend)).sum() == 7
    assert (right[paired < 0.1] < 0.5).tolist() == [False, True, False]


def of_a_campaign(seed):
    """A row of the table, what `lasting` returns, and the controls of one campaign."""
    collections = campaign(seed).collections.values()
    raw = best(pd.concat([part.scores("AP", "later") for part in collections]))
    new = []
    for k, part in enumerate(collections):
        more = part.more_topics(100, seed=k)
        new.append(more.scores("AP", raw.columns))
    fresh = pd.concat(new)
    z = irstd.standardize(raw, method="z")
    fresh_z = irstd.standardize(fresh, method="z")

    by_form, (likeness, *other_traits) = trends(raw)
    options = {"sizes": [50, 90], "judged_on": "sample", "trials": 20, "test": "paired_levene"}
    rates = irstd.swap_rate(z, **options)["error_rate"]
    row = [*by_form, likeness, *ties(raw, fresh), *ties(z, fresh_z), *rates]
    gains = lasting(raw.iloc[::2], raw.iloc[1::2], fresh)
    controls = [*beyond_scale(raw), *other_traits, own_limit(raw), *reversals(z, raw)]
    return row, gains, controls


def test_numbers_of_the_appendix():
    raw = best(irstd.load_dataset("sim-robust2004-all"))
    sd = irstd.logit(raw, 1e-4).std()
    sd_by_other_epsilon = irstd.logit(raw, 0.01).std()
    assert irstd.rank_correlation(sd, sd_by_other_epsilon) == pytest.approx(0.77, abs=0.0051)
    z = irstd.standardize(raw, method="z")
    for table, expected in ((raw, [212, 3]), (z, [489, 453])):
        tied = pvalues(table, "t") > 0.05
        paired = pvalues(table, "paired_levene")[tied]
        remain = stats.false_discovery_control(paired) <= 0.05
        assert [(paired <= 0.05).sum(), remain.sum()] == expected
