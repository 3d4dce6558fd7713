"""Many runs: memory is that of a run, not of all; many splits: in parts."""

import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import irstd
from irstd._base import arrays

TOPICS, DEPTH = 4, 250


def write_files(folder: Path, runs: int, topics: int = TOPICS, depth: int = DEPTH) -> list[Path]:
    """Runs that draw `depth` of twice as many documents at random; the qrels go beside `folder`."""
    rng = np.random.default_rng(0)
    names = np.array([f"d{place:06}" for place in range(2 * depth)])
    judged = pd.DataFrame({"query_id": np.repeat(range(topics), depth).astype(str)})
    judged["doc_id"] = np.tile(names[::2], topics)
    judged["relevance"] = rng.integers(0, 3, len(judged))
    irstd.write_qrels(judged, folder.parent / "qrels.txt")
    paths = [folder / f"run{number:03}.gz" for number in range(runs)]
    for path in paths:
        drawn = np.concatenate([rng.permutation(names)[:depth] for _ in range(topics)])
        run = judged[["query_id"]].assign(doc_id=drawn, score=rng.integers(0, depth, len(drawn)))
        irstd.write_run(run, path, tag=path.stem)
    return paths


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scale")
    (folder / "runs").mkdir()
    return write_files(folder / "runs", 12), folder / "qrels.txt"


def peak_of(runs: list[Path], qrels: Path) -> int:
    tracemalloc.start()
    try:
        irstd.evaluate(runs, qrels, "AP")
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_is_that_of_one_run(files):
    runs, qrels = files
    peak_of(runs[:1], qrels)  # what is loaded only once
    few, many = peak_of(runs[:2], qrels), peak_of(runs, qrels)
    frame = irstd.read_run(runs[0]).memory_usage(deep=True).sum()
    assert many < few + 10 * 0.1 * frame  # ten runs more, and not a tenth of each is kept


def test_many_splits_are_computed_in_parts_that_change_nothing(monkeypatch):
    """10,000 splits of many systems do not fit into memory at a time."""
    scores = irstd.load_dataset("sim-trec8").iloc[:, :20]
    splits = irstd.split_topics(scores.index, trials=50)
    whole = irstd.split_experiment(scores, splits)
    tests = irstd.pairwise_tests(scores)
    chunks = arrays.chunks
    for module in ("_base.arrays", "significance._pairs"):
        monkeypatch.setattr(
            sys.modules[f"irstd.{module}"], "chunks", lambda total, *_, **__: chunks(total, 1, 7)
        )
    pd.testing.assert_frame_equal(irstd.split_experiment(scores, splits), whole, rtol=1e-12)
    pd.testing.assert_frame_equal(irstd.pairwise_tests(scores), tests)
