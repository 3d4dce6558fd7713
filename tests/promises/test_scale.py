"""Many runs: memory is that of a run, not of all; many splits: in parts."""

import tracemalloc
from pathlib import Path

import numpy as np
import pandas as pd

import irstd


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
