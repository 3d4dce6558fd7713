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
from urllib.request import Request, urlopen

CONFIG = {
    "LabApp": {"expose_app_in_browser": True, "extension_manager": "readonly"},
    # Should the tests be killed, nothing of theirs stays for long.
    "MappingKernelManager": {"cull_idle_timeout": 900, "cull_connected": True},
    "ServerApp": {"shutdown_no_activity_timeout": 900},
}
# All cells stay in the page, not only those in view.
SETTINGS = {"@jupyterlab/notebook-extension/tracker": {"windowingMode": "none"}}


@dataclass(frozen=True)
class Server:
    url: str  # http://127.0.0.1:PORT/
    token: str
    folder: Path  # of the notebooks that it serves

    def ask(self, path: str, method: str = "GET") -> bytes:
        headers = {"Authorization": f"token {self.token}"}
        with urlopen(Request(self.url + path, headers=headers, method=method), timeout=60) as reply:
            return reply.read()

    def notebook(self, name: str) -> str:
        """The address of a notebook, alone in a workspace of its own."""
        workspace = name.removesuffix(".ipynb")
        return f"{self.url}lab/workspaces/{workspace}/tree/{name}?reset&token={self.token}"


@contextmanager
def serve(folder: Path) -> Iterator[Server]:
    """Copy the course into `folder`/course and serve it on a free port, until the block ends."""
    jupyter = {
        name: folder / name.lower()
        for name in (
            "JUPYTER_CONFIG_DIR",
            "JUPYTER_DATA_DIR",
            "JUPYTER_RUNTIME_DIR",
            "JUPYTERLAB_SETTINGS_DIR",
            "JUPYTERLAB_WORKSPACES_DIR",
            "IPYTHONDIR",
        )
    }
    _write(jupyter["JUPYTER_CONFIG_DIR"] / "jupyter_server_config.json", CONFIG)
    for plugin, value in SETTINGS.items():
        _write(jupyter["JUPYTERLAB_SETTINGS_DIR"] / f"{plugin}.jupyterlab-settings", value)
    environment = os.environ | {name: str(path) for name, path in jupyter.items()}
    command = [sys.executable, "-m", "irstd", "lab", str(folder / "course"), "--no-browser", "--"]
    with open(folder / "log", "w") as log:
        process = subprocess.Popen(
            [*command, "--ip=127.0.0.1", "--port=0"],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    server = None
    try:
        running = jupyter["JUPYTER_RUNTIME_DIR"] / f"jpserver-{process.pid}.json"
        server = _wait_until_it_answers(process, running, folder)
        yield server
    finally:
        _stop(process, server)


def _wait_until_it_answers(process: subprocess.Popen, running: Path, folder: Path) -> Server:
    """Wait for the server; what it logged is in the message if it does not come up."""
    until = time.monotonic() + 120
    while process.poll() is None and time.monotonic() < until:
        try:
            found = json.loads(running.read_text())
            server = Server(found["url"], found["token"], folder / "course")
            server.ask("api/status")
            return server
        except (FileNotFoundError, ValueError, URLError):
            time.sleep(0.1)  # between two looks
    log = (folder / "log").read_text()
    raise RuntimeError(f"JupyterLab did not start, exit code {process.poll()}; its log:\n{log}")


def _stop(process: subprocess.Popen, server: Server | None) -> None:
    try:
        if server is not None and process.poll() is None:
            for kernel in json.loads(server.ask("api/kernels")):
                server.ask(f"api/kernels/{kernel['id']}", "DELETE")
    finally:
        process.terminate()
        try:
            process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()  # a kernel ends by itself once its server is gone
            process.wait(timeout=30)


def _write(file: Path, value: dict) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(value))
