"""Columns of words, and files that are read with Arrow and without: the same to the last bit."""

import sys

import numpy as np
import pandas as pd
import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st

import irstd
from irstd.trec.lines import Words

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


@pytest.mark.filterwarnings("ignore:evaluate:UserWarning")
def test_scores_are_the_same_without_arrow(run_files, monkeypatch):
    _, _, folder = run_files
    runs = folder / "runs"
    qrels = folder / "qrels"
    metrics = [*irstd.METRICS, "nDCG@10", "bpref"]
    scores = irstd.evaluate(runs, qrels, metrics)
    frames = irstd.read_runs(runs)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert irstd.evaluate(runs, qrels, metrics).equals(scores)
    assert irstd.evaluate(frames, qrels, metrics)[scores.columns].equals(scores)
    for name, frame in irstd.read_runs(runs).items():
        assert frame.to_dict("list") == frames[name].to_dict("list")
