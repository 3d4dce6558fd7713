"""A pytest plugin: what notebooks need as tests, loaded when one of them is tested alone too."""

import os
from pathlib import Path

import pytest

os.environ.pop("MPLBACKEND", None)  # a kernel that inherits it shows no figures
if os.environ.get("IRSTD_DATA"):  # kernels run in another folder than this one
    os.environ["IRSTD_DATA"] = str(Path(os.environ["IRSTD_DATA"]).expanduser().resolve())


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The notebook on real data is for the night, and skipped where there are none."""
    for item in items:
        if item.path.name == "06_replication.ipynb":
            item.add_marker("night")
            if not os.environ.get("IRSTD_DATA"):
                item.add_marker(pytest.mark.skip(reason="needs real TREC data: set IRSTD_DATA"))
