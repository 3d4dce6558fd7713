"""Reports by the irstd command: their words are numbers of the library, and of scipy."""

import json
import re
from pathlib import Path

import nbformat
import pandas as pd
import pytest
from bs4 import BeautifulSoup
from campaigns import campaign
from scipy import stats

import irstd
from irstd.course import report


def test_a_number_that_is_no_system_does_not_win(run):
    """H1: query_length had the highest mean AP, 6.000."""
    Path("table.csv").write_text("qid,bm25,dpr,query_length\n1,.637,.404,3\n2,.27,.248,6\n")
    said = run("report --scores table.csv -m AP", 1).err
    assert "AP is from 0 to 1, not 3 as query_length has on topic 1" in said


@pytest.mark.night
def test_a_report_holds_all_it_shows(files, run):
    """The page opens anywhere: no script, no address to load from; names are text."""
    factors = irstd.standardization_factors(irstd.load_dataset("sim-robust2003", ["AP", "RR"]))
    factors.to_csv("means.csv", "sds.csv")
    words = "-q --factors means.csv sds.csv --folder tables -m map -m P_10"
    page = run(f"report RUNS QRELS {words} -o -").out
    for absent in ("<script", 'src="http', "<link", "<img/src", "Traceback"):
        assert absent not in page
    assert "&lt;img/src=x/onerror=alert(1)&gt;$a_b$&amp;" in page
    assert page.count("<img ") == page.count('src="data:image/png;base64,') == 2
    assert page.count("<img ") == page.count('alt="')
    assert f"irstd {irstd.__version__}</footer>" in page
    best = irstd.evaluate(files / "runs", files / "qrels.txt", "AP").mean().max()
    assert f"{best:.3f}" in page
    table = Path("tables", "leaderboard.tex").read_text()
    assert "run & AP & P@10 & gmap & standardized" in table
    assert rf"\textbf{{{best:.3f}}}" in table
    assert r"$^{\dagger}$: in the 95\% confidence set for the best" in table
    made = {path.name for path in Path("tables").iterdir()}
    assert {Path(name).stem for name in made} == {*report.EXPORTS}
    assert sorted(path.name for path in Path().iterdir()) == ["means.csv", "sds.csv", "tables"]


@pytest.mark.night
@pytest.mark.filterwarnings("ignore:evaluate")
@pytest.mark.parametrize("missing", ["zero", "nan"])
def test_a_run_that_lacks_topics_stands_apart_or_scores_0_and_is_named(run, missing):
    """Of ten, the ninth has the 20 topics it does best on. Oracle: scipy on the topics of both."""
    collection = campaign()["sim-robust2003"]
    scores = collection.scores("AP", "original")
    first, *_, cut, _ = systems = scores.mean().nlargest(10).index.tolist()
    there = scores[cut].nlargest(20).index
    collection.write("mine", systems)
    whole = collection.run(cut)
    irstd.write_run(whole[whole["query_id"].isin(there)], f"mine/runs/{cut}.gz", tag=cut)
    words = f"--missing {missing} -m AP -m P@10 --folder out -q -o r.html"
    run(f"report mine/runs mine/qrels.gz {words}")
    page = text_of("r.html")
    board = pd.read_csv("out/leaderboard.csv", index_col=0)
    if missing == "zero":
        assert "10 runs" in page and f"{first} (AP {board.loc[first, 'mean']:.3f})" in page
        assert f"score 0: {cut}" in page and f"{cut} (20 of 50)" in page
        assert board.loc[cut, "mean"] == pytest.approx(scores.loc[there, cut].sum() / 50)
    else:
        assert scores.loc[there, cut].mean() > scores[first].mean()
        assert "9 runs" in page and f"{first} (AP {board.loc[first, 'mean']:.3f})" in page
        x, y = scores.loc[there, cut], scores.loc[there, first]
        low, high = stats.ttest_rel(x, y).confidence_interval()
        numbers = [x.mean(), y.mean(), (x - y).mean(), low, high]
        assert f"{cut} 20 {' '.join(f'{number:.3f}' for number in numbers)}" in page
        assert f"Could also be best, by the topics that are there: {cut}." in page
        assert {*board.index} == {*systems} - {cut}


def test_a_report_that_fails_says_where_and_keeps_what_it_did(tmp_path, monkeypatch, run):
    course = tmp_path / "course"
    course.mkdir()
    code = [
        nbformat.v4.new_code_cell("runs = qrels = None", metadata={"tags": ["parameters"]}),
        nbformat.v4.new_code_cell("1"),
        nbformat.v4.new_code_cell("raise ValueError('no such thing')"),
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = nbformat.v4.new_notebook(cells=code, metadata={"kernelspec": kernel})
    nbformat.write(notebook, course / report.TEMPLATE)
    monkeypatch.setattr(report, "course_folder", lambda: course)
    said = run("report RUNS QRELS -q", 1).err
    assert "irstd report: ValueError: no such thing (the notebook stopped there: see " in said
    assert [path.name for path in tmp_path.iterdir()] == ["course"]
    kept = json.loads(Path(said.strip().rpartition("see ")[2].rstrip(")")).read_text())
    assert any("no such thing" in str(cell.get("outputs")) for cell in kept["cells"])


def text_of(report):
    page = BeautifulSoup(Path(report).read_text(), "html.parser").get_text(" ")
    return re.sub(r" (?=[.,:;])", "", " ".join(page.split()))


@pytest.mark.night
def test_a_report_on_errors_that_are_better_when_small(run):
    errors = 1 - irstd.load_dataset("sim-trec8").iloc[:, [3, 40, 80]]
    irstd.write_scores(errors, "errors.csv")
    words = "-m error --smaller-is-better error --folder out -q -o errors.html"
    run(f"report --scores errors.csv {words}")
    page = text_of("errors.html")
    best = errors.mean().idxmin()
    assert f"{best} (error {errors.mean().min():.3f}) is the best of 3 runs" in page
    assert "Smaller is better" in page
    assert "Which topics?" in page
    board = pd.read_csv("out/leaderboard.csv", index_col=0)
    assert board.index[0] == best
    assert not {"gmap", "zeros"} & {*board}  # an error of 0 is no failure
    said = run("report --scores errors.csv -m error --smaller-is-better latency -q", 1).err
    assert "smaller_is_better must be" in said


@pytest.mark.slow
@pytest.mark.parametrize("with_baseline", [True, pytest.param(False, marks=pytest.mark.night)])
def test_a_report_on_collections_is_their_table(run, with_baseline):
    later = {}
    for place, name in (("a", "sim-trec8"), ("b", "sim-robust2003")):
        collection = campaign()[name]
        systems = collection.systems.index[collection.systems["later"]][::11].tolist()
        collection.write(place, systems)
        later[place] = collection.scores("AP", systems)
    words = " ".join(f"--collection {place}={place}/runs:{place}/qrels.gz" for place in later)
    base = later["a"].columns[1] if with_baseline else None
    run(f"report {words} {f'--baseline {base}' if base else '--short'} -q -o r.html")
    page = text_of("r.html")
    table = irstd.comparison_table(later, base)
    marks = table.marks["mean"]
    if base:
        assert table.caption in page
        n_topics = sum(map(len, later.values()))
        assert f"{base} (AP {table.means['mean'][base]:.3f}) on {n_topics} topics of 2" in page
        said = f"significantly worse: {', '.join(marks.index[marks == '↓'])}"
    else:
        said = f"{(marks == '†').sum()} of {len(marks)} systems may be the best"
    assert said in page


def test_a_report_on_collections_takes_no_words_of_one(run):
    words = "--collection a=a/runs:a/qrels.gz --collection b=b/runs:b/qrels.gz"
    assert "--collection excludes --scores" in run(f"report {words} --scores x.csv", 2).err
    said = run(f"report {words} --min-relevance 2 -m AP -m P@10", 2).err
    assert "excludes --min-relevance, second --metric" in said
    assert "two or more" in run("report --collection a=a/runs:a/qrels.gz", 1).err
    assert "a: expected NAME=RUNS:QRELS" in run("report --collection a", 2).err


@pytest.mark.night
def test_a_short_report_is_the_first_page(run):
    """Of a data set, by the first of two metrics."""
    scores = irstd.load_dataset("sim-trec8", "P@10")
    run("report --scores sim-trec8 -m P@10 -m AP --short --title Tuesday -q -o short.html")
    page = text_of("short.html")
    assert page.startswith("Tuesday")
    leader = scores.mean().idxmax()
    assert f"{leader} (P@10 {scores.mean().max():.3f}) is ahead" in page
    assert "the first 15 of 128 others." in page
    html = Path("short.html").read_text()
    assert html.count("<img ") == 1 and "Which topics?" not in page


@pytest.mark.slow
def test_a_report_and_its_tables_name_one_group_and_no_interval_contradicts_it(run):
    """Bonferroni's intervals leave out 0 exactly where t-tests at .05 / 14 reject (scipy)."""
    scores = irstd.load_dataset("sim-trec8", "AP").iloc[:, 2::9]
    irstd.write_scores(scores, "ap.csv")
    run("report --scores ap.csv -m AP --folder out -q -o r.html")
    page = text_of("r.html")
    leader = scores.mean().idxmax()
    table = Path("out/leaderboard.tex").read_text()
    rows = [line.removeprefix("{}").split(" & ") for line in table.splitlines()]
    group = {row[0] for row in rows if row[0] in scores and "dagger" in row[1]}
    assert len(group) == 4 and f"{len(group)} of 15 runs may be the best" in page
    assert "95\\% confidence set for the best" in table
    pairs = pd.read_csv("out/pairs.csv", index_col="system")
    for system in scores.columns.drop(leader):
        test = stats.ttest_rel(scores[leader], scores[system])
        assert (pairs.loc[system, "high"] < 0) == (test.pvalue <= 0.05 / 14)
        assert system not in group or pairs.loc[system, "high"] >= 0
        assert system not in group or f"{system} {scores[system].mean():.3f}" in page


def test_a_page_that_cannot_be_kept_is_refused_before_the_work(run):
    irstd.write_scores(irstd.load_dataset("sim-trec8").iloc[:, :3], "scores.csv")
    assert "is not in a folder" in run("report --scores scores.csv -q -o scores.csv/x.html", 1).err
