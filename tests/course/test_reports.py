"""Reports by the irstd command: their words are numbers of the library, and of scipy."""

import os
import re
import sys
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from campaigns import campaign

import irstd


def test_a_number_that_is_no_system_does_not_win(run):
    """H1: query_length had the highest mean AP, 6.000."""
    Path("table.csv").write_text("qid,bm25,dpr,query_length\n1,.637,.404,3\n2,.27,.248,6\n")
    said = run("report --scores table.csv -m AP", 1).err
    assert "query_length has 3 on topic 1" in said


@pytest.mark.night
def test_a_report_holds_all_it_shows(files, run):
    """The page opens anywhere: no script, no address to load from; names are text."""
    factors = irstd.standardization_factors(irstd.load_dataset("sim-robust2003", ["AP", "RR"]))
    factors.to_csv("means.csv", "sds.csv")
    words = "-q --factors means.csv sds.csv --folder tables -m map -m P_10"
    page = run(f"report RUNS QRELS {words} -o -").out
    for absent in ("<script", 'src="http', "<link", "<img/src", "Traceback"):
        assert absent not in page
    assert (
        "&lt;img/src=x/onerror=alert(1)&gt;$a_b$&amp;" in page and "tests are of raw scores" in page
    )
    assert page.count("<img ") == page.count('src="data:image/png;base64,') == 2
    assert page.count("<img ") == page.count('alt="')
    assert f"irstd {irstd.__version__}</footer>" in page
    best = irstd.evaluate(files / "runs", files / "qrels.txt", "AP").mean().max()
    assert f"{best:.3f}" in page
    table = Path("tables", "leaderboard.tex").read_text()
    assert "run & AP & P@10 & gmap & standardized" in table
    assert rf"\textbf{{{best:.3f}}}" in table
    assert r"$^{\dagger}$: in the 95\% confidence set for the best" in table
    made = {path.stem for path in Path("tables").iterdir()}
    assert made == {"scores", "leaderboard", "pairs", "differences"}
    assert sorted(path.name for path in Path().iterdir()) == ["means.csv", "sds.csv", "tables"]


def text_of(report):
    page = BeautifulSoup(Path(report).read_text(), "html.parser").get_text(" ")
    return re.sub(r" (?=[.,:;])", "", " ".join(page.split()))


@pytest.mark.night
def test_report_on_errors_prefers_the_smallest(run):
    errors = 1 - irstd.load_dataset("sim-trec8").iloc[:, [3, 40, 80]]
    irstd.write_scores(errors, "errors.csv")
    run("report --scores errors.csv -m error --smaller-is-better error -q -o errors.html")
    best = errors.mean().idxmin()
    page = text_of("errors.html")
    assert f"{best} (error {errors.mean().min():.3f}) is the best of 3 compared runs" in page
    assert "Other metrics?" not in page


@pytest.mark.slow
@pytest.mark.parametrize("words", ["", "--baseline t8orig30a", "--short --reference trec8"])
def test_guide_explains_what_the_page_shows_and_nothing_else(run, words):
    scores = irstd.load_dataset("sim-trec8")["t8orig30a t8orig01a t8orig02b t8orig09c".split()]
    irstd.write_scores(scores, "ap.csv")
    run(f"report --scores ap.csv -m AP {words} -q -o r.html")
    page = BeautifulSoup(Path("r.html").read_text(), "html.parser")
    guide = page.details.extract()
    terms = {entry.code.get_text() for entry in guide("li")}
    shown = page.get_text()
    assert all(term in shown for term in terms)
    assert ("tested against" in terms) == ("baseline" not in words)
    assert ("gmap" in terms) == ("short" not in words)
    headings = {heading.get_text() for heading in page("h2")}
    assert {heading.get_text() for heading in guide("strong")} <= headings


@pytest.mark.slow
def test_report_on_collections_is_their_table(run):
    scores = {}
    for place, name in (("a", "sim-trec8"), ("b", "sim-robust2003")):
        collection = campaign()[name]
        systems = collection.systems.index[collection.systems["later"]][::11].tolist()
        collection.write(place, systems)
        scores[place] = collection.scores("AP", systems)
    words = " ".join(f"--collection {place} {place}/runs {place}/qrels.gz" for place in scores)
    base = scores["a"].columns[1]
    run(f"report {words} --baseline {base} -q -o r.html")
    page = text_of("r.html")
    table = irstd.comparison_table(scores, base)
    assert table.caption in page
    n_topics = sum(map(len, scores.values()))
    assert f"{base} (AP {table.means['mean'][base]:.3f}) on {n_topics} topics of 2" in page


def test_a_report_on_collections_takes_no_words_of_one(run):
    words = "--collection a a/runs a/qrels.gz --collection b b/runs b/qrels.gz"
    assert "--collection excludes" in run(f"report {words} --scores x.csv", 2).err
    assert "a second --metric" in run(f"report {words} -m AP -m P@10", 2).err
    assert "twice or more" in run("report --collection a a/runs a/qrels.gz", 2).err


def test_short_report_has_a_title_and_the_first_page(run):
    environment = dict(os.environ)
    run("report --scores sim-trec8 -m P@10 -m AP --short --title Tuesday -q -o short.html")
    assert dict(os.environ) == environment
    assert sys.modules.get("rfc3987_syntax", ...) is not None  # it can be imported later
    means = irstd.load_dataset("sim-trec8", "P@10").mean()
    page = text_of("short.html")
    assert page.startswith("Tuesday") and "Which topics?" not in page
    assert f": {means.idxmax()} (P@10 {means.max():.3f})," in page
