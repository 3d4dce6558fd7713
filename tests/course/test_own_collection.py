"""The page on a class that makes a collection, carried out by three made-up students."""

import itertools
import re
import shlex
from pathlib import Path

import pandas as pd
import pytest
from scipy import stats
from texts import code_of, read_page

import irstd
from irstd.__main__ import main

TEXT = read_page("lecturers/our_own_collection")
CALLS = code_of(TEXT)
ENGINES = {"anna": "k1=1.2, b=0.75", "ben": "k1=1.2, b=0.1", "cem": "k1=0.5, b=1.0"}
QUESTIONS = {"q1": "n01", "q2": "n39", "q3": "n44"}  # the class asks what the course asks


@pytest.fixture(scope="module")
def course():
    return irstd.documentation_campaign()["docs-numpy"]


@pytest.fixture
def judges(course, tmp_path, monkeypatch):
    """The names on the page after all has been done on it, one call after the other."""
    monkeypatch.chdir(tmp_path)
    engine, pooling, judging, comparing, settling, scoring = CALLS
    asked = course.topics.loc[list(QUESTIONS.values()), ["title", "description"]]
    asked.set_axis(pd.Index(QUESTIONS, name="topic")).to_csv("topics.csv")
    page = {}
    for name, settings in ENGINES.items():
        exec(engine.replace(ENGINES["anna"], settings).replace("anna", name), page)
    exec(pooling, page)
    exec(judging, page)
    Path("judged").mkdir()
    truth = course.qrels().set_index(["query_id", "doc_id"])["relevance"]
    for question, topic in QUESTIONS.items():
        for name in ("anna", "ben"):
            widget = page["to_judge"](question, f"{question}-{name}.qrels")
            widget.grades = {doc: int(truth.get((topic, doc), 0)) for doc in widget.names}
            if name == "ben":  # who never says that a document helps
                widget.grades = {doc: grade // 2 * 2 for doc, grade in widget.grades.items()}
        exec(comparing.replace("q1", question), page)
        exec(settling.replace("q1", question), page)
        widget = page["to_judge"](question, f"judged/{question}.qrels")
        theirs = irstd.read_qrels(f"{question}-anna.qrels").set_index("doc_id")["relevance"]
        left = [doc for doc in widget.names if doc not in widget.grades]
        assert set(left) == set(theirs.index[theirs == 1])
        widget.grades = theirs.to_dict()
    exec(scoring, page)
    return page


def test_no_engine_of_the_course_is_significantly_better_than_the_next(course):
    scores = course.scores("AP", course.systems.query("works == 'yes'").index)
    order = scores.mean().sort_values(ascending=False).index
    pairs = itertools.pairwise(order)
    assert min(stats.ttest_rel(scores[a], scores[b]).pvalue for a, b in pairs) > 0.05


@pytest.mark.slow
def test_from_three_questions_to_a_matrix_of_the_class(judges, course):
    """The settled judgments are those of the course, so that its scores come out."""
    pool, scores = judges["pool"], judges["scores"]
    assert pool.groupby("query_id").size().between(5, 15).all()
    assert scores.shape == (3, 3) and set(scores.columns) == set(ENGINES)
    assert set(judges["kappas"]) == set(QUESTIONS)
    assert all(0 < kappa <= 1 for kappa in judges["kappas"].values())
    qrels = irstd.read_qrels("class.qrels")
    assert set(zip(qrels["query_id"], qrels["doc_id"], strict=True)) == set(
        pool.itertuples(index=False, name=None)
    )
    names = {topic: question for question, topic in QUESTIONS.items()}
    expected = course.qrels().assign(query_id=lambda frame: frame["query_id"].map(names))
    assert len(qrels.merge(expected)) == len(qrels)
    (command,) = re.findall(r"```sh\n(.*?)```", TEXT, flags=re.DOTALL)
    assert main(shlex.split(command)[1:]) == 0
    assert "anna" in Path("class.html").read_text("utf-8")
