"""Chromium and a JupyterLab with the course, for all tests of this folder; and only for them.

Playwright runs an event loop while it is open, so that both end with the last test of the folder.
"""

import os
import shutil

import pytest
from pages import OPTIONS
from serving import serve

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@pytest.fixture(scope="package")
def browser():
    """Chromium of the system, without a window: one profile, so that JupyterLab is cached."""
    chromium = next(filter(None, map(shutil.which, NAMES)), None)
    if chromium is None:
        required = os.environ.get("IRSTD_BROWSER") == "required"
        (pytest.fail if required else pytest.skip)(f"needs one of {', '.join(NAMES)} on the PATH")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=OPTIONS)
        yield opened.new_context(viewport={"width": 1280, "height": 800})
        opened.close()


@pytest.fixture(scope="package")
def server(browser, tmp_path_factory):
    """JupyterLab with a copy of the course; not started where there is no browser to open it."""
    with serve(tmp_path_factory.mktemp("lab")) as running:
        yield running
