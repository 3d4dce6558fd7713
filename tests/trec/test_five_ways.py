"""Random run files, and tables in five ways: file, frame, CSV, after reset_index, standard input.

Thousands more by ``python tests/fuzz/five_ways.py 0 1000``.
"""

import sys
from pathlib import Path

import pandas as pd
import pytest

import irstd

sys.path.append(str(Path(__file__).parents[1] / "fuzz"))
from five_ways import CHANGED, count
from run_files import count as count_runs


def test_a_table_is_read_the_same_in_five_ways_or_refused():
    counts, wrong = count(range(25))
    assert not wrong, wrong[0]
    assert counts["file", "read"] > 8


@pytest.mark.parametrize("kind", CHANGED)
def test_what_pandas_changes_is_read_right_from_the_file(tmp_path, kind):
    topics = CHANGED[kind]
    table = pd.DataFrame({"topic": topics, "a": [0.1, 0.2, 0.3]})
    file = tmp_path / "table.csv"
    file.write_text(table.to_csv(index=False))
    assert irstd.read_scores(file).index.tolist() == topics
    frame = pd.read_csv(file)
    assert frame["topic"].tolist() != topics  # pandas has done so: nobody can read it back
    as_text = pd.read_csv(file, dtype={"topic": str}, keep_default_na=False)
    assert irstd.read_scores(as_text).index.tolist() == topics


def test_run_files_are_read_as_by_thirty_lines():
    outcomes, wrong = count_runs(range(300))
    assert not wrong, wrong[0]
    assert min(outcomes.values()) > 50


@pytest.mark.release
def test_many_tables_in_five_ways():
    counts, wrong = count(range(1000, 1300))
    assert not wrong, wrong[0]
    assert counts["file", "read"] > 100
