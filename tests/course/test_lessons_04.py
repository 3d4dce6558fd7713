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
OWN = {"irstd": irstd, "np": np, "pd": pd, "stats": stats}  # what the lesson computes itself
for function in ("def p_values", "def tossed", "def reversed_at_fifty"):
    exec(next(text for text in CELLS if text.startswith(function)), OWN)


def best(scores):
    ranking = scores.mean().sort_values(ascending=False, kind="stable").index
    return scores[ranking[: int(0.75 * len(ranking))]]


def pvalues(table, method):
    return irstd.pairwise_tests(table, method)["pvalue"].to_numpy()


def trends(raw):
    """Return the correlation of mean and sd by form, and what goes with the sd of z.

    That is likeness to the others, as it is and with equal raw sds, and the raw sd.
    """
    forms = [raw, irstd.logit(raw, 1e-4), irstd.standardize(raw, method="z")]
    follows = pd.Series({s: raw[s].corr(raw.drop(columns=s).mean(axis=1)) for s in raw})
    equal = irstd.standardize((raw - raw.mean()) / raw.std(), method="z").std()
    sd = forms[2].std()
    likeness = [follows.corr(sd), follows.corr(equal), sd.corr(raw.std())]
    return [x.mean().corr(x.std()) for x in forms], likeness


def beyond_scale(raw):
    """Return the correlation of the mean with the sd beyond scale alone, by logits and probits.

    Scale alone is the mean sd of copies of each system, moved by one step on all topics.
    """
    grid, steps = np.linspace(0.02, 0.9, 200), np.linspace(-5, 5, 200)[:, None]
    rest = []
    for law in (stats.logistic, stats.norm):
        sds = []
        for x in raw.clip(1e-4, 1 - 1e-4).to_numpy().T:
            copies = law.cdf(law.ppf(x) + law.std() * steps / 1.8)
            sds.append(np.interp(grid, copies.mean(axis=1), copies.std(axis=1)))
        rest.append(raw.mean().corr(raw.std() - np.interp(raw.mean(), grid, np.mean(sds, axis=0))))
    return rest


def lasting(found, *others):
    """Return gains at .1, log ratios of sds and gaps of means of the ten most extreme pairs."""
    pairs = irstd.pairwise_tests(found, "t").query("pvalue > 0.9")
    forms = (lambda x: irstd.share_above(x, 0.1), lambda x: -np.log(x.std()), pd.DataFrame.mean)
    gaps = [
        [f(x)[pairs["system_a"]].to_numpy() - f(x)[pairs["system_b"]].to_numpy() for f in forms]
        for x in (found, *others)
    ]
    ten = np.abs(gaps[0][1]).argsort()[-10:]
    return [[(np.sign(gaps[0][1]) * row[i])[ten].mean() for row in gaps] for i in range(3)]


def own_limit(raw):
    """Return which ties Levene's test breaks, if its limit is set by pairs of equal systems."""
    limit = OWN["tossed"](raw)["Levene"].quantile(0.05)
    return (pvalues(raw, "levene") <= limit)[pvalues(raw, "t") > 0.05].mean()


def ties(old, new=None):
    tied = pvalues(old, "t") > 0.05
    levene, paired = (pvalues(old, m)[tied] <= 0.05 for m in ("levene", "paired_levene"))
    row = [tied.sum(), levene.mean(), paired.mean()]
    if new is not None:
        i, j = np.triu_indices(old.shape[1], 1)
        seen, true = (np.log(t.std().to_numpy()) for t in (old, new))
        row.append(((seen[i] - seen[j]) * (true[i] - true[j]) > 0)[tied][paired].mean())
    return row


@pytest.mark.slow
@pytest.mark.usefixtures("trec_data")
@pytest.mark.filterwarnings("ignore:all standardizing systems score the same")
def test_spread_and_mean_on_eight_public_collections():
    (cell,) = [text for text in CELLS if text.startswith("trend = ")]
    said = ast.literal_eval(ast.parse(cell).body[0].value.value.args[0])
    rows, kept = {}, []
    for name in said:
        scores = irstd.load_dataset(name.lower().replace(" ", "").replace("-", "")).dropna(axis=1)
        by_form, likeness = trends(best(scores))
        assert by_form == pytest.approx(said[name], abs=0.0051)
        rows[name] = [*likeness, *beyond_scale(best(scores))]
        other = irstd.logit(best(scores), 0.01)
        assert other.mean().corr(other.std()) < 0  # by another epsilon, too
        kept.append(lasting(best(scores).iloc[::2], best(scores).iloc[1::2]))
        if name == "Robust 2004":
            two = np.ravel(kept[-1][:2])
            assert two == pytest.approx([0.084, 0.091, 0.186, 0.093], abs=0.00051)
    assert rows["Robust 2004"] == pytest.approx([-0.87, -0.86, 0.07, -0.41, -0.30], abs=0.0051)
    ends = [[-0.95, -0.96, -0.10], [-0.58, -0.59, 0.49]]
    likeness, rest = np.split(np.array([*rows.values()]), [3], axis=1)
    assert np.quantile(likeness, [0, 1], axis=0) == pytest.approx(np.array(ends), abs=0.0051)
    rest = [row for row, (raw, *_) in zip(rest, said.values(), strict=True) if raw > 0]
    ends = [[-0.59, -0.43], [-0.15, -0.03]]
    assert np.quantile(rest, [0, 1], axis=0) == pytest.approx(np.array(ends), abs=0.0051)
    assert [name for name, (raw, *_) in said.items() if raw < 0] == ["Web 2004"]
    means = np.ravel(np.mean(kept, axis=0))
    assert means == pytest.approx([0.095, 0.076, 0.256, 0.075, 0, 0.018], abs=0.00051)
    assert sum(there < found for _, (found, there), _ in kept) == 7
    assert sum(abs(z) < abs(raw) for raw, _, z in said.values()) == 6


@pytest.mark.slow
@pytest.mark.usefixtures("trec_data")
def test_ties_and_reversals_on_robust2004():
    raw = best(irstd.load_dataset("robust2004"))
    z = irstd.standardize(raw, method="z")
    assert ties(raw) == pytest.approx([997, 0.10, 0.32], abs=0.0051)
    assert ties(z) == pytest.approx([857, 0.47, 0.48], abs=0.0051)
    assert own_limit(raw) == pytest.approx(0.28, abs=0.0051)
    options = {"sizes": [90], "trials": 200, "test": "paired_levene"}
    rates = [irstd.swap_rate(z, judged_on=on, **options) for on in ("sample", "all")]
    assert [rate["error_rate"][0] for rate in rates] == pytest.approx([0.06, 0.044], abs=0.011)
    rates = np.ravel([OWN["reversed_at_fifty"](table, raw) for table in (z, raw)])
    assert rates == pytest.approx([0.09, 0.09, 0.46, 0.18, 0.20, 0.24], abs=0.0051)


@pytest.mark.night
def test_the_ranges_over_ten_campaigns():
    rows, gains, controls = [], [], []
    options = {"sizes": [50, 90], "judged_on": "sample", "trials": 20, "test": "paired_levene"}
    for seed in TEN:
        parts = campaign(seed).collections.values()
        scores = pd.concat([part.scores("AP", "later") for part in parts])
        raw = best(scores)
        more = [part.more_topics(100, seed=k) for k, part in enumerate(parts)]
        fresh = pd.concat([part.scores("AP", raw.columns) for part in more])
        z = irstd.standardize(raw, method="z")
        gains.append(np.ravel(lasting(raw.iloc[::2], raw.iloc[1::2], fresh)))
        by_form, likeness = trends(raw)
        rates = irstd.swap_rate(z, **options)["error_rate"]
        row = [*by_form, likeness[0], *ties(raw, fresh)]
        fifty = np.ravel([OWN["reversed_at_fifty"](x, raw) for x in (z, raw)])
        controls.append([*beyond_scale(raw), *likeness[1:], own_limit(raw), *fifty])
        rows.append([*row, *ties(z, irstd.standardize(fresh, method="z")), *rates])
    expected = [
        [0.14, -0.85, -0.14, -0.91, 971, 0, 0.03, 0.40, 908, 0.35, 0.34, 0.89, 0.07, 0.06],
        [0.82, -0.36, 0.64, -0.72, 1192, 0.19, 0.40, 0.99, 1077, 0.55, 0.54, 1, 0.19, 0.11],
    ]
    assert np.quantile(rows, [0, 1], axis=0) == pytest.approx(np.array(expected), abs=0.0051)
    means = [0.065, 0.015, 0.033, 0.128, 0.053, 0.045, 0, -0.005, 0.003]
    assert np.mean(gains, axis=0) == pytest.approx(means, abs=0.00051)
    assert all(max(there) < found for found, *there in np.transpose(gains)[3:6].T)
    expected = [
        [-0.85, -0.80, -0.93, 0.33, 0.03, 0.09, 0.09, 0.21, 0.13, 0.16, 0.18],
        [-0.25, -0.14, -0.77, 0.82, 0.40, 0.17, 0.16, 0.59, 0.38, 0.48, 0.37],
    ]
    assert np.quantile(controls, [0, 1], axis=0) == pytest.approx(np.array(expected), abs=0.0051)
    controls = np.array(controls)
    assert controls[:, 6] == pytest.approx(controls[:, 5], abs=0.017)  # "of ties, too"
    assert controls[:, 4] == pytest.approx([row[6] for row in rows], abs=0.025)  # "about as many"
    assert sum(abs(row[2]) < abs(row[0]) for row in rows) == 7
    assert [row[7] < 0.5 for row in rows if row[6] < 0.1] == [False, True, False]


def test_numbers_of_the_appendix():
    raw = best(irstd.load_dataset("sim-robust2004-all"))
    sds = [irstd.logit(raw, epsilon).std() for epsilon in (1e-4, 0.01)]
    assert irstd.rank_correlation(*sds) == pytest.approx(0.77, abs=0.0051)
    for table, expected in ((raw, [212, 3]), (irstd.standardize(raw, method="z"), [489, 453])):
        p = pvalues(table, "paired_levene")[pvalues(table, "t") > 0.05]
        remain = stats.false_discovery_control(p) <= 0.05
        assert [(p <= 0.05).sum(), remain.sum()] == expected
