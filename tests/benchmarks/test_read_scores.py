"""A long table of scores to a score matrix, against pandas' read and pivot."""

import itertools

import numpy as np
import pandas as pd
import pytest

import irstd

SIZES = {"q": 25_000, "s": 20, "m": 4}  # topics, systems, metrics


@pytest.fixture(scope="module")
def table():
    names = [[f"{kind}{number}" for number in range(size)] for kind, size in SIZES.items()]
    frame = pd.DataFrame(list(itertools.product(*names)), columns=["topic", "system", "metric"])
    return frame.assign(score=np.random.default_rng(1).random(len(frame)))


def pivot(table):
    return table.pivot(index="topic", columns=["metric", "system"], values="score")


def test_read_scores_of_a_file(table, tmp_path, against):
    path = tmp_path / "scores.csv"
    table.to_csv(path, index=False)
    found, expected = against(
        f"read_scores, {len(table):,} rows of CSV",
        lambda: irstd.read_scores(path),
        "pandas",
        lambda: pivot(pd.read_csv(path)),
    )
    np.testing.assert_allclose(found.loc[expected.index, expected.columns], expected, rtol=1e-9)


def test_read_scores_of_a_frame(table, against):
    found, expected = against(
        f"read_scores, {len(table):,} rows of a frame",
        lambda: irstd.read_scores(table),
        "pandas",
        lambda: pivot(table),
    )
    pd.testing.assert_frame_equal(
        found.loc[expected.index, expected.columns], expected, check_exact=True
    )
