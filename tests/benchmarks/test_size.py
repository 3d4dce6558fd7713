"""Large experiments: what they cost, whether that is linear, and the memory they need.

The runs are ten files of 250 topics x 1,000 documents, each under a hundred names (hard links), as
a thousand would need 13 GB. So the disk is not measured, and the judgments are small.
"""

import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from test_evaluate import pytrec_eval

import irstd

FILES, TOPICS, DEPTH = 10, 250, 1000


def write_files(folder, topics, depth):
    """Ten runs that draw `depth` of twice as many documents, of which a tenth is judged."""
    folder.mkdir()
    rng = np.random.default_rng(0)
    documents = np.array([f"FT911-{number:07}" for number in range(2 * depth)])
    names = np.array([str(301 + topic) for topic in range(topics)])
    judged = {"query_id": np.repeat(names, 200), "doc_id": np.tile(documents[:200], topics)}
    qrels = pd.DataFrame(judged | {"relevance": rng.integers(0, 2, 200 * topics)})
    irstd.write_qrels(qrels, folder / "qrels.txt")
    for number in range(FILES):
        drawn = np.concatenate([rng.permutation(documents)[:depth] for _ in range(topics)])
        scores = np.tile(np.arange(depth, 0, -1) / 7, topics)
        run = pd.DataFrame({"query_id": np.repeat(names, depth), "doc_id": drawn, "score": scores})
        irstd.write_run(run, folder / f"{number}.run", tag=f"run{number}")
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = write_files(tmp_path_factory.mktemp("size") / "runs", TOPICS, DEPTH)
    (folder / "many").mkdir()
    for number in range(1000):
        os.link(folder / f"{number % FILES}.run", folder / "many" / f"{number:04}.run")
    return folder


def ten(folder):
    return sorted(folder.glob("*.run"))


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_thousand_runs(against, folder, n_jobs):
    many = sorted((folder / "many").iterdir())
    found, expected = against(
        f"1,000 run files x 250 topics x 1,000 documents to 11 metrics, `n_jobs={n_jobs}`",
        lambda: irstd.evaluate(many, folder / "qrels.txt", n_jobs=n_jobs),
        "pytrec_eval-terrier, 5 metrics",
        lambda: pytrec_eval(ten(folder), folder / "qrels.txt"),
        share=100,
        rounds=1,
    )
    np.testing.assert_allclose(found["AP"].mean(), np.tile(expected, 100), atol=1e-9)


PEAK = """if True:
    import resource, sys
    import irstd
    irstd.evaluate(sys.argv[2:], sys.argv[1])
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def peak(runs, qrels):
    """Megabytes (Linux counts in kB) that a process needs at most."""
    return float(subprocess.check_output([sys.executable, "-c", PEAK, qrels, *runs]))


def test_memory(folder, note):
    many = sorted((folder / "many").iterdir())
    few, more = (peak(many[:n], folder / "qrels.txt") for n in (10, 100))
    note(f"Peak memory of `evaluate`: {few:.0f} MB for 10 runs, {more:.0f} MB for 100.")
    assert more < few + 30
