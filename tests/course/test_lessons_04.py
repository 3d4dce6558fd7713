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


@pytest.mark.night
def test_the_ranges_over_ten_campaigns():
    rows, same = [], []
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
    assert np.min(rows, axis=0) == pytest.approx(
        [0.14, -0.85, -0.14, 971, 0, 0.03, 0, 908, 0.35, 0.34, 224], abs=0.0051
    )
    assert np.max(rows, axis=0) == pytest.approx(
        [0.82, -0.36, 0.64, 1192, 0.19, 0.40, 262, 1077, 0.55, 0.54, 515], abs=0.0051
    )
    assert [min(same[::2]), min(same[1::2])] == pytest.approx([0.40, 0.893], abs=0.0051)
    raw_correlation, _, z_correlation, *_ = np.transpose(rows)
    assert (z_correlation < raw_correlation).sum() == 7
