"""A pytest plugin: what notebooks need as tests, loaded when one of them is tested alone too."""

import os
from pathlib import Path

import pytest

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy: workers and kernels share cores
os.environ.pop("MPLBACKEND", None)  # a kernel that inherits it shows no figures
if os.environ.get("IRSTD_DATA"):  # kernels run in another folder than this one
    os.environ["IRSTD_DATA"] = str(Path(os.environ["IRSTD_DATA"]).expanduser().resolve())


# These take long, and come after the five lessons; each day their tables are held to the cells.
OF_THE_NIGHT = ("06", "08")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The notebook on real data is skipped where there are none; long ones are for the night."""
    for item in items:
        if item.path.suffix == ".ipynb" and item.path.name[:2] in OF_THE_NIGHT:
            item.add_marker("night")
        if item.path.name == "06_replication.ipynb" and not os.environ.get("IRSTD_DATA"):
            item.add_marker(pytest.mark.skip(reason="needs real TREC data: set IRSTD_DATA"))
