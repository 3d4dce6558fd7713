"""JupyterLab with the course, as `irstd lab` starts it, apart from the user's own Jupyter."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

TRACKER = "config/lab/user-settings/@jupyterlab/notebook-extension/tracker.jupyterlab-settings"
LAB = {"expose_app_in_browser": True, "extension_manager": "readonly"}
FILES = {
    "config/jupyter_server_config.json": {"LabApp": LAB},
    TRACKER: {"windowingMode": "none"},  # all cells stay in the page, not only those in view
}


@dataclass(frozen=True)
class Server:
    url: str  # http://127.0.0.1:PORT/
    token: str
    folder: Path  # of the notebooks that it serves

    def notebook(self, name: str) -> str:
        """The address of a notebook, alone in a workspace of its own."""
        workspace = name.removesuffix(".ipynb")
        return f"{self.url}lab/workspaces/{workspace}/tree/{name}?reset&token={self.token}"


@contextmanager
def serve(folder: Path) -> Iterator[Server]:
    """Copy the course into `folder`/course and serve it on a free port, until the block ends."""
    for name, value in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(json.dumps(value))
    names = {"JUPYTER_CONFIG_DIR": "config", "JUPYTER_RUNTIME_DIR": "runtime"}
    environment = os.environ | {name: str(folder / part) for name, part in names.items()}
    command = [sys.executable, "-m", "irstd", "lab", str(folder / "course"), "--no-browser", "--"]
    with open(folder / "log", "w") as log:
        command += ["--ip=127.0.0.1", "--port=0"]
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        running = folder / "runtime" / f"jpserver-{process.pid}.json"
        yield _wait_until_it_answers(process, running, folder)
    finally:
        process.terminate()  # its kernels end with it
        process.wait(timeout=60)


def _wait_until_it_answers(process: subprocess.Popen, running: Path, folder: Path) -> Server:
    """Wait for the server, or raise with what it logged."""
    until = time.monotonic() + 120
    while process.poll() is None and time.monotonic() < until:
        try:
            found = json.loads(running.read_text())
            urlopen(f"{found['url']}api/status?token={found['token']}", timeout=60).close()
            return Server(found["url"], found["token"], folder / "course")
        except (FileNotFoundError, ValueError, URLError):
            time.sleep(0.1)  # between two looks
    log = (folder / "log").read_text()
    raise RuntimeError(f"JupyterLab did not start, exit code {process.poll()}; its log:\n{log}")
