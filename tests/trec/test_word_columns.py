"""Columns of words, and runs as files, frames and dicts: the same scores to the last bit."""

import sys
from unittest.mock import patch

import numpy as np
import pytest
from as_frames import dict_of
from hypothesis import given
from hypothesis import strategies as st

import irstd
from irstd.trec.lines import encode_words, find_positions, make_text_array, sort_words

WORD = st.sampled_from(["d1", "d10", "D", "NA", "nan", "None", "0", "007", "d\u00e9", "\U0001f50d"])


@pytest.mark.parametrize("arrow", [True, False])
@given(column=st.lists(WORD, min_size=1), others=st.lists(WORD, unique=True))
def test_words_are_those_of_the_column(arrow, column, others):
    with patch("irstd.trec.lines.has_arrow", return_value=arrow):
        check_words(make_text_array(column), column, others)


def check_words(array, column, others):
    codes, words = encode_words(array)
    assert words == list(dict.fromkeys(column))
    assert [words[code] for code in codes] == column
    lines = np.arange(len(column))
    order = sort_words(array, lines % 2)
    by_bytes = sorted(lines, key=lambda line: column[line].encode(), reverse=True)
    assert order.tolist() == sorted(by_bytes, key=lambda line: line % 2)
    places = find_positions(array, others)
    expected = [others.index(word) if word in others else -1 for word in column]
    assert places.tolist() == expected


@pytest.mark.filterwarnings("ignore:evaluate:UserWarning")
def test_scores_are_the_same_of_files_frames_and_dicts(run_files, monkeypatch):
    _, _, folder = run_files
    runs = folder / "runs"
    qrels = folder / "qrels"
    metrics = [*irstd.METRICS, "nDCG@10", "Judged@10"]
    scores = irstd.evaluate(runs, qrels, metrics)
    frames = irstd.read_runs(runs)
    judged = irstd.read_qrels(qrels)
    dicts = {name: dict_of(frame) for name, frame in frames.items()}
    objects = {name: frame.astype({"doc_id": object}) for name, frame in frames.items()}
    for others in (frames, objects, dicts):
        assert irstd.evaluate(others, dict_of(judged), metrics)[scores.columns].equals(scores)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert irstd.evaluate(runs, qrels, metrics).equals(scores)
    assert irstd.evaluate(dicts, qrels, metrics)[scores.columns].equals(scores)
    for name, frame in irstd.read_runs(runs).items():
        assert frame.to_dict("list") == frames[name].to_dict("list")
