"""The lecturer's kit: what the samples of a project say is what their calls give."""

import re
import textwrap

import pytest
from campaigns import campaign
from scipy import stats
from texts import code_of, read_page

SYSTEMS = ["late02h", "late06c", "late09b"]
COLLECTIONS = {"T8": "sim-trec8", "R3": "sim-robust2003"}


def short(number, digits=3):
    return f"{number:.{digits}f}".replace("0.", ".", 1)


def lines_of_sample(letter):
    """The lines of a sample, without the quotation's marks."""
    page = read_page("lecturers/project")
    text = page.partition(f"## Sample {letter}\n")[2].partition("\n## ")[0]
    return [line.removeprefix(">").removeprefix(" ") for line in text.splitlines()]


def sample(letter):
    """Its text on one line."""
    return " ".join(lines_of_sample(letter))


def scores_of(name):
    return campaign()[COLLECTIONS[name]].scores("AP", "later")[SYSTEMS]


@pytest.mark.slow
def test_the_code_of_the_good_sample_prints_its_numbers(capsys):
    (code,) = code_of("\n".join(lines_of_sample("A")))
    exec(textwrap.dedent(code), {})
    printed = capsys.readouterr().out
    printed = {short(float(number)) for number in re.findall(r"\d\.\d+", printed)}
    prose = sample("A").partition("*What is not")[0]
    assert set(re.findall(r"\.\d{3}\b", prose)) <= printed
    judged = {int(share) / 100 for share in re.findall(r"(\d\d)%", prose)} - {0.95}
    assert judged <= {round(float(number), 2) for number in printed}


@pytest.mark.slow
def test_the_poor_sample():
    eighth, robust = (scores_of(name).mean() for name in COLLECTIONS)
    text = sample("B")
    assert (
        "{}, late06c {} and late02h {}".format(*[short(eighth[s]) for s in SYSTEMS[::-1]]) in text
    )
    gain = eighth["late09b"] / eighth["late02h"] - 1
    assert f"improvement of {gain:.0%} over late02h" in text
    assert f"late09b gets {short(robust['late09b'])}" in text
    assert f"even better there by {short(robust['late09b'] - eighth['late09b'])}" in text
    pvalue = stats.ttest_rel(scores_of("R3")["late09b"], scores_of("R3")["late02h"]).pvalue
    assert f"p = {short(pvalue, 2)} on R3" in text
