"""What all tests share: a quiet Agg backend, and real data if there is any."""

import gc
import os
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from hypothesis import settings
from processes import run_python

import irstd

matplotlib.use("Agg")  # not by MPLBACKEND, which the kernels of the notebooks would inherit

ALIKE = {"deadline": None, "print_blob": True, "derandomize": bool(os.environ.get("CI"))}
settings.register_profile("everyday", max_examples=15, **ALIKE)
settings.register_profile("night", max_examples=100, **ALIKE)
settings.load_profile("night" if os.environ.get("IRSTD_NIGHT") else "everyday")


def pytest_collection_finish():
    """statsmodels' corrections collect all garbage: of what is there by now, there is none."""
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Pages in a browser and the site are for the night; what is, is slow, and so are attacks."""
    for item in items:
        of_release = item.get_closest_marker("release")
        is_page = item.get_closest_marker("browser") or "site" in getattr(item, "fixturenames", ())
        if is_page and not of_release:
            item.add_marker("night")
        takes_long = item.get_closest_marker("night") or of_release
        if takes_long or "test_attacks" in item.nodeid:
            item.add_marker("slow")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol():
    """No test and no example leaves a figure open: Matplotlib warns of more than twenty."""
    done = yield
    plt.close("all")
    return done


@pytest.fixture(scope="module")
def scores():
    """AP of 129 simulated systems on 50 topics."""
    return irstd.load_dataset("sim-trec8")


@pytest.fixture
def run_files(tmp_path):
    """Runs with ties, lines in any order and a topic that one lacks; judgments; their folder."""
    rng = np.random.default_rng(7)
    documents = [f"FR9407{n % 31:02d}-{n % 2}-{n:05d}" for n in range(120)]
    grid = pd.MultiIndex.from_product([["301", "302", "303"], documents])
    pairs = grid.to_frame(index=False, name=["query_id", "doc_id"])
    qrels = pairs.sample(150, random_state=9).assign(relevance=rng.integers(-1, 3, 150))
    irstd.write_qrels(qrels, tmp_path / "qrels")
    (tmp_path / "runs").mkdir()
    runs = {}
    for decimals in range(5):  # of scores: the fewer, the more ties
        run = pairs.sample(200, random_state=decimals)
        run["score"] = rng.random(200).round(decimals)
        runs[f"run{decimals}"] = run
    runs["run3"] = runs["run3"].query("query_id != '302'")
    for name, run in runs.items():
        lines = run.assign(q0="Q0", rank=0, tag=name)
        lines = lines[["query_id", "q0", "doc_id", "rank", "score", "tag"]]
        lines.to_csv(tmp_path / "runs" / f"{name}.gz", sep=" ", header=False, index=False)
    return runs, qrels, tmp_path


@pytest.fixture(scope="session")
def trec_data() -> Path:
    """The folder of real TREC data, laid out by the keys of the registry."""
    folder = os.environ.get("IRSTD_DATA")
    if not folder:
        pytest.skip("needs real TREC data: set IRSTD_DATA to the folder that holds it")
    assert Path(folder).is_dir(), f"IRSTD_DATA is {folder}, which is not a folder"
    return Path(folder)


@pytest.fixture(scope="session")
def site(tmp_path_factory) -> Path:
    """The course as a site, built as the README says: without a warning, once for all workers."""
    pytest.importorskip("sphinx")
    fcntl = pytest.importorskip("fcntl")
    root = tmp_path_factory.getbasetemp()
    root = root.parent if os.environ.get("PYTEST_XDIST_WORKER") else root
    folder, pages = root / "site" / "new", Path(__file__).parents[1] / ".site"
    with open(root / "site.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            done = run_python("-m", "sphinx", "-q", "-W", pages, folder)
            assert (done.returncode, done.stderr) == (0, "")
    return folder
