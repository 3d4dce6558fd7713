"""What all tests share: a quiet Agg backend, and real data if there is any."""

import os
import subprocess
import sys
from pathlib import Path

import matplotlib
import pytest
from hypothesis import settings

matplotlib.use("Agg")  # not by MPLBACKEND, which the kernels of the notebooks would inherit

settings.register_profile("ci", derandomize=True, print_blob=True)
if os.environ.get("CI"):
    settings.load_profile("ci")


@pytest.fixture(scope="session")
def trec_data() -> Path:
    """The folder of real TREC data, laid out by the keys of the registry."""
    folder = os.environ.get("IRSTD_DATA")
    if not folder:
        pytest.skip("needs real TREC data: set IRSTD_DATA to the folder that holds it")
    path = Path(folder)
    if not path.is_dir():
        pytest.fail(f"IRSTD_DATA is {folder}, which is not a folder")
    return path


@pytest.fixture(scope="session")
def site(tmp_path_factory) -> Path:
    """The course as a site, as the command builds it: without a warning."""
    pytest.importorskip("sphinx")
    folder = tmp_path_factory.mktemp("site") / "new"
    command = [sys.executable, "-m", "irstd", "site", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return folder
