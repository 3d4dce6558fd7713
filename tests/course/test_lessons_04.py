"""What notebook 04 says of public data, and of ten other campaigns."""

import ast
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from campaigns import TEN, campaign

import irstd

LESSON = Path(__file__).parents[2] / "notebooks" / "04_variability.ipynb"


def best(scores):
    ranking = scores.mean().sort_values(ascending=False, kind="stable").index
    return scores[ranking[: int(0.75 * len(ranking))]]


def pvalues(table, method):
    return irstd.pairwise_tests(table, method)["pvalue"].to_numpy()


def trends(raw):
    """Return the correlation of mean and sd by form, and of sd with likeness to the others."""
    forms = [raw, irstd.logit(raw, 1e-4), irstd.standardize(raw, method="z")]
    follows = pd.Series({s: raw[s].corr(raw.drop(columns=s).mean(axis=1)) for s in raw})
    return [x.mean().corr(x.std()) for x in forms], follows.corr(forms[2].std())


def beyond_scale(scores, raw):
    """Return the correlation of the mean with the sd beyond scale alone, and scale and noise."""
    topic = scores.mean(axis=1).clip(1e-3, 1 - 1e-3)
    steps = np.log(topic / (1 - topic)).to_numpy() + np.linspace(-4, 4, 200)[:, None]
    alike = 1 / (1 + np.exp(-steps))
    rest = [raw.std() - np.interp(raw.mean(), alike.mean(axis=1), alike.std(axis=1))]
    noise = 0.8 * np.random.default_rng(0).normal(size=(50, 1, len(topic)))
    noisy = 1 / (1 + np.exp(-(steps + noise)))
    means, sds = noisy.mean(axis=(0, 2)), noisy.std(axis=2).mean(axis=0)
    rest.append(raw.std() - np.interp(raw.mean(), means, sds))
    return [raw.mean().corr(x) for x in rest]


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
    source = ["".join(cell["source"]) for cell in json.loads(LESSON.read_text("utf-8"))["cells"]]
    (cell,) = [text for text in source if text.startswith("trend = ")]
    said = ast.literal_eval(ast.parse(cell).body[0].value.value.args[0])
    likeness, rest = {}, {}
    for name in said:
        scores = irstd.load_dataset(name.lower().replace(" ", "").replace("-", "")).dropna(axis=1)
        by_form, likeness[name] = trends(best(scores))
        assert by_form == pytest.approx(said[name], abs=0.0051)
        rest[name] = beyond_scale(scores, best(scores))
    assert [min(likeness.values()), max(likeness.values())] == pytest.approx(
        [-0.95, -0.58], abs=0.0051
    )
    assert likeness["Robust 2004"] == pytest.approx(-0.87, abs=0.0051)
    assert np.max([*rest.values()]) < -0.1
    assert sum(abs(z) < abs(raw) for raw, _, z in said.values()) == 6


@pytest.mark.slow
@pytest.mark.usefixtures("trec_data")
def test_ties_and_reversals_on_robust2004():
    raw = best(irstd.load_dataset("robust2004"))
    z = irstd.standardize(raw, method="z")
    assert ties(raw) == pytest.approx([997, 0.10, 0.32], abs=0.0051)
    assert ties(z) == pytest.approx([857, 0.47, 0.48], abs=0.0051)
    options = {"sizes": [90], "trials": 200, "test": "paired_levene"}
    rates = [
        irstd.swap_rate(z, judged_on=on, **options)["error_rate"][0] for on in ("sample", "all")
    ]
    assert rates == pytest.approx([0.06, 0.044], abs=0.011)


@pytest.mark.night
def test_the_ranges_over_ten_campaigns():
    rows, gains, rest = [], [], []
    options = {"trials": 20, "test": "paired_levene"}
    for seed in TEN:
        parts = campaign(seed).collections.values()
        scores = pd.concat([part.scores("AP", "later") for part in parts])
        raw = best(scores)
        more = [part.more_topics(100, seed=k) for k, part in enumerate(parts)]
        fresh = pd.concat([part.scores("AP", raw.columns) for part in more])
        z = irstd.standardize(raw, method="z")
        found = raw.iloc[::2]
        pairs = irstd.pairwise_tests(found, "t").query("pvalue > 0.9")
        log = np.log(found.std())
        ratio = log[pairs["system_a"]].to_numpy() - log[pairs["system_b"]].to_numpy()
        ten = np.abs(ratio).argsort()[-10:]
        above = [
            irstd.share_above(x, 0.1)[pairs[side].to_numpy()[ten]].to_numpy()
            for x in (found, fresh) for side in ("system_b", "system_a")
        ]  # fmt: skip
        lead = [(np.sign(ratio[ten]) * (above[i] - above[i + 1])).mean() for i in (0, 2)]
        new = np.log(fresh.std())
        lasting = new[pairs["system_a"]].to_numpy() - new[pairs["system_b"]].to_numpy()
        sizes = [(np.sign(ratio[ten]) * x[ten]).mean() for x in (ratio, lasting)]
        gains.append([*lead, *sizes])
        by_form, likeness = trends(raw)
        rest.append(beyond_scale(scores, raw))
        rates = irstd.swap_rate(z, sizes=[50, 90], judged_on="sample", **options)["error_rate"]
        row = [*by_form, likeness, *ties(raw, fresh)]
        rows.append([*row, *ties(z, irstd.standardize(fresh, method="z")), *rates])
    expected = [
        [0.14, -0.85, -0.14, -0.91, 971, 0, 0.03, 0.40, 908, 0.35, 0.34, 0.89, 0.07, 0.06],
        [0.82, -0.36, 0.64, -0.72, 1192, 0.19, 0.40, 0.99, 1077, 0.55, 0.54, 1, 0.19, 0.11],
    ]
    assert np.quantile(rows, [0, 1], axis=0) == pytest.approx(np.array(expected), abs=0.0051)
    assert np.mean(gains, axis=0) == pytest.approx([0.065, 0.033, 0.128, 0.045], abs=0.00051)
    assert np.max(rest) < 0
    assert sum(abs(row[2]) < abs(row[0]) for row in rows) == 7
    assert sum(row[6] < 0.1 for row in rows) == 3
