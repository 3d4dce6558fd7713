"""Many runs: memory is that of a run, not of all; many splits: in parts."""

import tracemalloc
from pathlib import Path

import numpy as np
import pandas as pd

import irstd
from irstd._base import arrays


def peak_of(runs: list[Path], qrels: Path) -> int:
    tracemalloc.start()
    try:
        irstd.evaluate(runs, qrels, "AP")
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_is_that_of_one_run(tmp_path):
    documents = [f"d{i:06}" for i in range(1000)]
    run = pd.DataFrame({"query_id": "1", "doc_id": documents, "score": np.arange(1000.0)})
    qrels = tmp_path / "qrels"
    irstd.write_qrels(run[["query_id", "doc_id"]].assign(relevance=1), qrels)
    runs = [tmp_path / f"{number}.run" for number in range(12)]
    for path in runs:
        irstd.write_run(run, path, tag=path.stem)
    peak_of(runs[:1], qrels)  # what is loaded only once
    few, many = peak_of(runs[:2], qrels), peak_of(runs, qrels)
    frame = irstd.read_run(runs[0]).memory_usage(deep=True).sum()
    assert many < few + 10 * 0.1 * frame  # ten runs more, and not a tenth of each is kept


def test_many_splits_are_computed_in_parts_that_change_nothing(monkeypatch):
    """10,000 splits of many systems do not fit into memory at a time."""
    scores = irstd.load_dataset("sim-trec8").iloc[:, :20]
    splits = irstd.split_topics(scores.index, trials=50)
    whole = irstd.split_experiment(scores, splits)
    chunks = arrays.chunks
    monkeypatch.setattr(arrays, "chunks", lambda total, *_, **__: chunks(total, 1, 7))
    pd.testing.assert_frame_equal(irstd.split_experiment(scores, splits), whole, rtol=1e-12)
