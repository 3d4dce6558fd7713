"""The command in an empty folder."""

import pandas as pd
import pytest
from campaigns import write_six_runs

from irstd.__main__ import main


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """One has a tag that would be a script in a careless page."""
    folder = tmp_path_factory.mktemp("files")
    write_six_runs(folder, "<img/src=x/onerror=alert(1)>$a_b$&")
    return folder


@pytest.fixture
def run(files, tmp_path, monkeypatch, capsys):
    """The command in an empty folder: RUNS and QRELS are files; its output and what it said."""
    monkeypatch.chdir(tmp_path)
    names = {"RUNS": str(files / "runs"), "QRELS": str(files / "qrels.txt")}

    def call(words, code=0):
        assert main([names.get(word, word) for word in words.split()]) == code
        return capsys.readouterr()

    yield call
    pd.reset_option("^display")  # a report's notebook sets some
