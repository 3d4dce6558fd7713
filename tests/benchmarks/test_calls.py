"""What is called again and again, or waited for: import, one test, one table of scores."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import irstd

TOPICS, SYSTEMS, METRICS = 5_000, 100, ["AP", "RR", "P@10", "nDCG"]


def run_python(code):
    """The work of a new process that runs this code."""
    return lambda: subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("code", ["import irstd", "import irstd.__main__"])
def test_import(against, code):
    against(
        f"`{code}`, in a process", run_python(code), "`import pandas`", run_python("import pandas")
    )


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


def test_a_frame_of_scores(against, long_table):
    found, expected = against(
        f"{len(long_table):,} scores, a frame, one per row: `read_scores`",
        lambda: irstd.read_scores(long_table),
        "pandas' `pivot`",
        lambda: pivoted(long_table),
    )
    assert np.array_equal(found.to_numpy(), expected[found.columns].to_numpy())


def test_a_file_of_scores(against, long_table, tmp_path):
    path = tmp_path / "scores.csv"
    long_table.to_csv(path, index=False)
    found, expected = against(
        f"{len(long_table):,} scores, a CSV file, one per row: `read_scores`",
        lambda: irstd.read_scores(path),
        "pandas' `read_csv` and `pivot`",
        lambda: pivoted(pd.read_csv(path)),
    )
    assert np.array_equal(found.to_numpy(), expected[found.columns].to_numpy())
