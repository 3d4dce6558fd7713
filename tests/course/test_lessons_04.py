"""What notebook 04 says of public data, and of the truth of the simulation."""

import numpy as np
import pandas as pd
import pytest
from campaigns import TEN, campaign
from scipy import stats

import irstd


def best(scores):
    return scores[scores.mean().sort_values(ascending=False, kind="stable").index[:82]]


def pvalues(table, method):
    return irstd.pairwise_tests(table, method)["pvalue"].to_numpy()


@pytest.mark.slow
@pytest.mark.usefixtures("trec_data")
def test_the_table_of_public_numbers():
    scores = irstd.load_dataset("robust2004")
    raw = best(scores)
    forms = {"raw": raw, "logit": irstd.logit(raw, 1e-4), "z": irstd.standardize(raw, method="z")}
    r = [round(float(np.corrcoef(t.mean(), t.std())[0, 1]), 2) for t in forms.values()]
    assert r == [0.62, -0.73, -0.13]
    for form, expected in {"raw": [997, 104, 322, 187], "z": [857, 401, 409, 362]}.items():
        tied = pvalues(forms[form], "t") > 0.05
        levene, paired = (pvalues(forms[form], m)[tied] for m in ("levene", "paired_levene"))
        left = stats.false_discovery_control(paired) <= 0.05
        found = [tied.sum(), (levene <= 0.05).sum(), (paired <= 0.05).sum(), left.sum()]
        assert found == expected
    options = {"sizes": [10, 50, 90], "trials": 20, "test": "paired_levene"}
    rates = {
        on: irstd.swap_rate(forms["z"], judged_on=on, **options)["error_rate"].round(2).tolist()
        for on in ("sample", "all")
    }
    assert rates["sample"] == pytest.approx([0.34, 0.10, 0.07], abs=0.011)
    assert rates["all"][2] == pytest.approx(0.05, abs=0.011)


@pytest.mark.usefixtures("trec_data")
def test_the_most_extreme_real_pair_of_one_half_on_the_other():
    raw = best(irstd.load_dataset("robust2004"))
    find, confirm = raw.iloc[::2], raw.iloc[1::2]
    pairs = irstd.pairwise_tests(find, "t").query("pvalue > 0.9")
    a, b = (pairs[system].to_numpy() for system in ("system_a", "system_b"))
    ratio = find.std()[a].to_numpy() / find.std()[b].to_numpy()
    most = np.abs(np.log(ratio)).argmax()
    a, b = (a[most], b[most]) if ratio[most] > 1 else (b[most], a[most])
    assert [round(t[a].std() / t[b].std(), 2) for t in (find, confirm)] == [1.34, 1.13]
    assert round(irstd.paired_levene_test(confirm[a], confirm[b]).pvalue, 3) == 0.001
    assert round(irstd.levene_test(confirm[a], confirm[b]).pvalue, 2) == 0.07


@pytest.mark.slow
def test_the_two_systems_and_the_broken_ties_are_what_the_truth_says():
    volatility = campaign()["sim-robust2004"].systems["volatility"]
    assert volatility[["late11f", "late06c"]].round(2).tolist() == [0.72, 1.29]
    raw = best(irstd.load_dataset("sim-robust2004-all"))
    z = irstd.standardize(raw, method="z").iloc[1::2]
    assert z[["late11f", "late06c"]].mean().round(2).tolist() == [-0.16, -0.04]
    collections = enumerate(campaign().collections.values())
    # Other new topics than those of the lesson.
    more = [c.more_topics(100, seed=30 + k).scores("AP", raw.columns) for k, c in collections]
    fresh = pd.concat(more)
    assert fresh["late11f"].std() < fresh["late06c"].std()
    z = (irstd.standardize(table, method="z") for table in (raw, fresh))
    for old, new in ((raw, fresh), z):
        broken = (pvalues(old, "t") > 0.05) & (pvalues(old, "paired_levene") <= 0.05)
        i, j = np.triu_indices(82, 1)
        seen, true = (np.log(t.std().to_numpy()) for t in (old, new))
        same = ((seen[i] - seen[j]) * (true[i] - true[j]) > 0)[broken]
        assert same.mean() > 0.95
        # the winner's curse
        signed = np.sign(seen[i] - seen[j]) * (true[i] - true[j])
        assert np.median(signed[broken]) < np.median(np.abs(seen[i] - seen[j])[broken])


@pytest.mark.night
def test_the_ranges_over_ten_campaigns():
    rows, same, losses = [], [], []
    for seed in TEN:
        parts = campaign(seed).collections.values()
        raw = best(pd.concat([part.scores("AP", "later") for part in parts]))
        more = [part.more_topics(100, seed=k) for k, part in enumerate(parts)]
        fresh = pd.concat([part.scores("AP", raw.columns) for part in more])
        z = irstd.standardize(raw, method="z")
        forms = {"raw": raw, "logit": irstd.logit(raw, 1e-4), "z": z}
        row = [np.corrcoef(t.mean(), t.std())[0, 1] for t in forms.values()]
        for old, new in ((raw, fresh), (z, irstd.standardize(fresh, method="z"))):
            tied = pvalues(old, "t") > 0.05
            levene, paired = (pvalues(old, m)[tied] for m in ("levene", "paired_levene"))
            broken = paired <= 0.05
            row += [tied.sum(), (levene <= 0.05).mean(), broken.mean()]
            row.append((stats.false_discovery_control(paired) <= 0.05).sum())
            i, j = np.triu_indices(82, 1)
            seen, true = (np.log(t.std().to_numpy()) for t in (old, new))
            same.append(((seen[i] - seen[j]) * (true[i] - true[j]) > 0)[tied][broken].mean())
        rows.append(row)
        losses.append(loss_of_the_steady(raw, 0.5))
    assert np.min(rows, axis=0) == pytest.approx(
        [0.23, -0.87, -0.14, 1116, 0, 0.02, 0, 1035, 0.37, 0.37, 278], abs=0.0051
    )
    assert np.max(rows, axis=0) == pytest.approx(
        [0.78, -0.37, 0.59, 1364, 0.17, 0.40, 342, 1243, 0.55, 0.55, 563], abs=0.0051
    )
    assert [min(same[::2]), min(same[1::2])] == pytest.approx([0.31, 0.967], abs=0.0051)
    raw_correlation, _, z_correlation, *_ = np.transpose(rows)
    assert (z_correlation < raw_correlation).sum() == 7
    assert [min(losses), max(losses)] == pytest.approx([-0.105, 0.040], abs=0.0006)
    assert sum(loss < 0 for loss in losses) == 6


def loss_of_the_steady(raw, threshold):
    """Return how much more often the steadier of the ten most extreme pairs satisfy, confirmed."""
    find, confirm = raw.iloc[::2], raw.iloc[1::2]
    pairs = irstd.pairwise_tests(find, "t").query("pvalue > 0.9")
    a, b = (pairs[system].to_numpy() for system in ("system_a", "system_b"))
    seen = np.log(find.std()[a].to_numpy() / find.std()[b].to_numpy())
    ten = np.abs(seen).argsort()[-10:]
    share = irstd.share_above(confirm, threshold)
    return (-np.sign(seen) * (share[a].to_numpy() - share[b].to_numpy()))[ten].mean()


@pytest.mark.night
def test_reversals_over_ten_campaigns():
    rates = {"sample": [], "all": []}
    for seed in TEN:
        parts = campaign(seed).collections.values()
        z = irstd.standardize(best(pd.concat([p.scores("AP", "later") for p in parts])), method="z")
        options = {"sizes": [10, 50, 90], "trials": 20, "test": "paired_levene"}
        for on, found in rates.items():
            found.append(irstd.swap_rate(z, judged_on=on, **options)["error_rate"].tolist())
    low, high = (limit(rates["sample"], axis=0)[1:] for limit in (np.min, np.max))
    assert low == pytest.approx([0.08, 0.05], abs=0.0051)
    assert high == pytest.approx([0.15, 0.12], abs=0.0051)
    at_90 = np.array(rates["all"])[:, 2]
    assert [at_90.min(), at_90.max()] == pytest.approx([0.02, 0.06], abs=0.0051)
