"""The lecturer's kit: what the sample of a project says is what its calls give.

Oracles: scipy and statsmodels.
"""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from campaigns import campaign
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestPower

import irstd

PAGE = Path(__file__).parents[2] / ".site" / "lecturers" / "project.md"
BASELINE, *OTHERS = SYSTEMS = ["late02h", "late06c", "late09b"]


def short(number):
    return f"{number:.3f}".removeprefix("0")


def sample(letter):
    """The text of a sample, on one line, without the quotation's marks."""
    text = PAGE.read_text(encoding="utf-8").partition(f"## Sample {letter}\n")[2].partition("##")[0]
    return " ".join(line.removeprefix(">").strip() for line in text.splitlines())


def differences(collection):
    """Difference to the baseline, its interval, and p."""
    scores = campaign()[collection].scores("AP", "later")
    found = {}
    for other in OTHERS:
        test = stats.ttest_rel(scores[other], scores[BASELINE])
        low, high = test.confidence_interval()
        mean = (scores[other] - scores[BASELINE]).mean()
        found[other] = [mean, low, high, test.pvalue]
    return pd.DataFrame(found, ["mean", "low", "high", "pvalue"]).T


@pytest.mark.slow
def test_the_good_sample_says_what_the_campaign_gives():
    text = sample("A")
    part = campaign()["sim-trec8"]
    scores = part.scores("AP", "later")[SYSTEMS]
    means = [short(mean) for mean in scores.mean()]
    assert f"Mean AP is {means[0]} (`late02h`), {means[1]} (`late06c`) and {means[2]}" in text
    eighth = differences("sim-trec8")
    first, second = [
        f"+{short(row['mean'])} with a 95% interval from -{short(-row['low'])} to"
        f" {short(row['high'])}"
        for _, row in eighth.iterrows()
    ]
    assert first in text and second.replace("with a 95% interval ", "") in text
    p = [short(p)[:3] for p in eighth["pvalue"].round(2)]
    assert f"p = {p[0]} and {p[1]} by paired t-tests" in text
    holm = multipletests(eighth["pvalue"], method="holm")[1].round(2)
    assert set(holm) == {0.35} and ".35 both by Holm for two tests" in text
    gain = scores["late06c"] - scores[BASELINE]
    needed = TTestPower().solve_power(0.02 / gain.std(), power=0.8, alpha=0.05)
    assert f"would take {np.ceil(needed):.0f} topics" in text
    standard = irstd.standardize(scores, part.scores("AP", "original")).mean()
    said = [short(mean) for mean in standard]
    assert f"the means are {said[0]}, {said[1]} and {said[2]}" in text
    failures = (scores < 0.01).sum().tolist()
    assert "Failures (AP below .01): {}, {} and {} topics".format(*failures) in text


@pytest.mark.slow
def test_its_second_look_and_the_poor_sample():
    found = differences("sim-robust2003")
    said = []
    for _, row in found.iterrows():
        low = short(abs(row["low"]))
        if row["low"] < 0:
            low = f"-{low}"
        said.append(f"+{short(row['mean'])} ({low} to {short(row['high'])}")
    text = sample("A")
    assert f"{said[0]})" in text and said[1] in text
    holm = multipletests(found["pvalue"], method="holm")[1]
    p, adjusted = found["pvalue"]["late09b"], holm[1]
    assert f"p = {short(p.round(2))[:3]}, {short(adjusted.round(2))[:3]} by Holm" in text
    robust = campaign()["sim-robust2003"].scores("AP", "later")["late09b"].mean()
    eighth = campaign()["sim-trec8"].scores("AP", "later")["late09b"].mean()
    assert f"late09b gets {short(robust)}" in sample("B")
    assert f"even better there by {short(robust - eighth)}" in sample("B")
