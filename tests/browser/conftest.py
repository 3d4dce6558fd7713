"""Chromium and a JupyterLab with the course, for all tests of this folder; and only for them.

Playwright runs an event loop while it is open, so that both end with the last test of the folder.
"""

import os
import shutil
from pathlib import Path

import pytest
from pages import OPTIONS, SIZES
from serving import serve

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def missing(what: str) -> None:
    """Skip, or fail where a browser is required."""
    message = f"the browser tests need {what}"
    if os.environ.get("IRSTD_BROWSER") == "required":
        pytest.fail(f"{message}, and IRSTD_BROWSER=required")
    pytest.skip(message)


@pytest.fixture(scope="package")
def browser():
    """Chromium of the system, without a window: one profile, so that JupyterLab is cached."""
    chromium = next(filter(None, map(shutil.which, NAMES)), None)
    if chromium is None:
        missing(f"one of {', '.join(NAMES)} on the PATH")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("the Python package playwright")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=OPTIONS)
        width, height = SIZES[0]
        yield opened.new_context(viewport={"width": width, "height": height})
        opened.close()


@pytest.fixture(scope="package")
def server(browser, tmp_path_factory):
    """JupyterLab with a copy of the course; not started where there is no browser to open it."""
    with serve(tmp_path_factory.mktemp("lab")) as running:
        yield running


@pytest.fixture
def screenshots(tmp_path) -> Path:
    """The folder for pictures of what was tested: IRSTD_SCREENSHOTS, to be looked at."""
    folder = Path(os.environ.get("IRSTD_SCREENSHOTS") or tmp_path).expanduser()
    folder.mkdir(parents=True, exist_ok=True)
    return folder
