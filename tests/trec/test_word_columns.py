"""Columns of words, and files that are read with Arrow and without: the same to the last bit."""

import sys

import numpy as np
import pandas as pd
import pyarrow
import pytest
from as_frames import dict_of
from hypothesis import given
from hypothesis import strategies as st

import irstd
from irstd.trec.columns import Words

WORD = st.sampled_from(["d1", "d10", "D", "NA", "nan", "None", "0", "007", "d\u00e9", "\U0001f50d"])


def by_pandas(column):
    return Words.of(column)


def by_arrow(column):
    encoded = pyarrow.array(column, pyarrow.large_string()).dictionary_encode()
    words = pd.arrays.ArrowExtensionArray(encoded.dictionary)
    return Words(words, encoded.indices.to_numpy())


@pytest.mark.parametrize("make", [by_pandas, by_arrow])
@given(column=st.lists(WORD, min_size=1), others=st.lists(WORD, unique=True))
def test_words_are_those_of_the_column(make, column, others):
    words = make(column)
    assert words.texts() == list(dict.fromkeys(column))
    assert words.texts(words.codes) == column
    by_bytes = sorted(set(column), key=str.encode)
    order = words.in_order(np.arange(len(column)))
    assert order.tolist() == [by_bytes.index(word) for word in column]
    places = words.places_among(np.array(others, dtype=object))
    expected = [others.index(word) if word in others else -1 for word in words.texts()]
    assert places.tolist() == expected


@pytest.fixture
def collection(tmp_path):
    """Runs as TREC has them: ids of several parts, ties, lines in any order; and the judgments."""
    rng = np.random.default_rng(7)
    documents = [f"FR9407{n % 31:02d}-{n % 2}-{n:05d}" for n in range(240)]
    judgments = []
    for topic in ("301", "302", "303"):
        for document in rng.choice(documents, 90, replace=False):
            judgments.append((topic, document, int(rng.integers(-1, 3))))
    qrels = pd.DataFrame(judgments, columns=["query_id", "doc_id", "relevance"])
    irstd.write_qrels(qrels, tmp_path / "qrels")
    (tmp_path / "runs").mkdir()
    for name, decimals in (("few-ties", 3), ("many-ties", 1), ("all-tied", 0)):
        rows = []
        for topic in ("301", "302", "303"):
            for document in rng.choice(documents, 150, replace=False):
                rows.append((topic, document, round(rng.random(), decimals)))
        rng.shuffle(rows)
        lines = [f"{topic} Q0 {document} 0 {score} {name}\n" for topic, document, score in rows]
        (tmp_path / "runs" / name).write_text("".join(lines))
    return tmp_path


@pytest.mark.filterwarnings("ignore:.*scores of a topic are tied")
def test_scores_are_the_same_without_arrow(collection, monkeypatch):
    runs = collection / "runs"
    qrels = collection / "qrels"
    metrics = [*irstd.METRICS, "nDCG@10", "bpref"]
    scores = irstd.evaluate(runs, qrels, metrics)
    frames = irstd.read_runs(runs)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert irstd.evaluate(runs, qrels, metrics).equals(scores)
    assert irstd.evaluate(frames, qrels, metrics)[scores.columns].equals(scores)
    for name, frame in irstd.read_runs(runs).items():
        assert frame.to_dict("list") == frames[name].to_dict("list")


@pytest.mark.filterwarnings("ignore:.*scores of a topic are tied")
def test_scores_are_those_of_trec_eval(collection):
    pytrec_eval = pytest.importorskip("pytrec_eval")
    qrels = dict_of(irstd.read_qrels(collection / "qrels"))
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"map", "ndcg", "Rprec", "bpref"})
    names = {"AP": "map", "nDCG": "ndcg", "RP": "Rprec", "bpref": "bpref"}
    scores = irstd.evaluate(collection / "runs", collection / "qrels", list(names))
    for system, run in irstd.read_runs(collection / "runs").items():
        expected = evaluator.evaluate(dict_of(run))
        for metric, theirs in names.items():
            for topic, value in scores[metric, system].items():
                assert value == pytest.approx(expected[topic][theirs], abs=1e-9)
