"""The page on a class that makes a collection, carried out by three made-up students."""

import re
from pathlib import Path

import pandas as pd
import pytest

import irstd

PAGE = Path(__file__).parents[2] / ".site/lecturers/our_own_collection.md"
CALLS = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), flags=re.DOTALL)
ENGINES = {"anna": "stems-text", "ben": "name-summary", "cem": "text-lucene"}
QUESTIONS = {"q1": "n01", "q2": "n39", "q3": "n44"}  # the class asks what the course asks


@pytest.mark.slow
def test_from_three_questions_to_a_matrix_of_the_class(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    engine, pooling, judging, comparing, scoring = CALLS
    course = irstd.documentation_campaign()["docs-numpy"]
    asked = course.topics.loc[list(QUESTIONS.values()), ["title", "description"]]
    asked.set_axis(pd.Index(QUESTIONS, name="topic")).to_csv("topics.csv")
    class_room = {}
    for name, system in ENGINES.items():
        call = engine.replace("stems-text", system).replace("anna", name)
        exec(call, class_room)
    exec(pooling, class_room)
    pool = pd.read_csv("pool.csv")
    assert pool.groupby("query_id").size().between(10, 30).all()

    Path("judged").mkdir()
    grades = course.qrels().set_index(["query_id", "doc_id"])["relevance"]
    for question, topic in QUESTIONS.items():
        exec(judging.replace("q1", question).replace("anna", f"judged/{question}"), class_room)
        widget = class_room["judging"]
        widget.grades = {name: int(grades.get((topic, name), 0)) for name in widget.names}
    one = irstd.read_qrels("judged/q1.qrels")
    irstd.write_qrels(one, "anna.qrels")
    two = one.assign(relevance=(one["relevance"] > 0).astype(int) * 2)
    irstd.write_qrels(two, "ben.qrels")
    exec(f"kappa = {comparing}", class_room)
    assert 0 < class_room["kappa"] <= 1

    exec(scoring, class_room)
    scores = class_room["scores"]
    assert scores.shape == (3, 3) and set(scores.columns) == set(ENGINES)
    qrels = irstd.read_qrels("class.qrels")
    assert len(qrels) == len(pool)
    expected = irstd.evaluate({n: irstd.read_run(f"{n}.run") for n in ENGINES}, qrels, "AP")
    pd.testing.assert_frame_equal(scores, expected[scores.columns])
