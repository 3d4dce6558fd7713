"""What is called often, or waited for: import, one test, one table of scores."""

import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import irstd

TOPICS, SYSTEMS, METRICS = 5_000, 100, ["AP", "RR", "P@10", "nDCG"]


def run_python(*arguments):
    """The work of a new process of Python, with bytecode kept as an installed package has it."""
    command = [sys.executable, *map(str, arguments)]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    return lambda: subprocess.run(command, env=environment, check=True, capture_output=True)


@pytest.mark.parametrize("work", ["-c|import irstd", "-m|irstd|--help"])
def test_begin(against, work):
    words = work.split("|")
    peer = run_python("-c", "import pandas")
    against(f"`python {' '.join(words)}`", run_python(*words), "`import pandas`", peer)


def called_often(function, *arguments):
    for _ in range(100):
        result = function(*arguments)
    return result


def test_one_pair(against):
    scores = irstd.load_dataset("sim-trec8").iloc[:, :2]
    a, b = scores.iloc[:, 0], scores.iloc[:, 1]
    found, expected = against(
        "a test of one pair, 50 topics, 100 times: `paired_test`",
        lambda: called_often(irstd.paired_test, a, b),
        "`scipy.stats.ttest_rel`",
        lambda: called_often(stats.ttest_rel, a, b),
    )
    np.testing.assert_allclose(found.pvalue, expected.pvalue, rtol=1e-9)


@pytest.fixture(scope="module")
def long_table():
    """Two million scores, one per row."""
    names = [range(TOPICS), [f"s{k}" for k in range(SYSTEMS)], METRICS]
    index = pd.MultiIndex.from_product(names, names=["topic", "system", "metric"])
    values = np.random.default_rng(0).random(len(index)).round(4)
    return pd.DataFrame({"score": values}, index).reset_index()


def pivoted(table):
    return table.pivot(index="topic", columns=["metric", "system"], values="score")


@pytest.mark.parametrize("kind", ["a frame", "a CSV file"])
def test_read_scores(against, long_table, tmp_path, kind):
    source, read, peer = long_table, pd.DataFrame, "pandas' `pivot`"
    if kind == "a CSV file":
        source, read, peer = tmp_path / "scores.csv", pd.read_csv, "pandas' `read_csv` and `pivot`"
        long_table.to_csv(source, index=False)
    found, expected = against(
        f"{len(long_table):,} scores, {kind}, one per row: `read_scores`",
        lambda: irstd.read_scores(source),
        peer,
        lambda: pivoted(read(source)),
    )
    assert np.array_equal(found.to_numpy(), expected[found.columns].to_numpy())
