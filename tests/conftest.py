"""What all tests share: a quiet Agg backend, and real data if there is any."""

import os
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
