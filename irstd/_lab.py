"""The course in a folder of the user's own, kept up to date without touching what is theirs."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from irstd._files import write_bytes

RECORD = ".irstd-course.json"  # file: SHA-256 of its content when it was copied
START = "00_start_here.ipynb"
# Without these, JupyterLab asks on its first start whether it may fetch news, over the page.
QUIET = {"fetchNews": "false", "checkForUpdates": False, "doNotDisturbMode": False}
PLUGIN = "@jupyterlab/apputils-extension:notification"


def course_folder() -> Path:
    """Where the notebooks of this installation are: in the package, or beside it in a checkout."""
    package = Path(__file__).resolve().parent
    folders = [package / "_notebooks", package.parent / "notebooks"]
    for folder in folders:
        if (folder / START).is_file():
            return folder
    raise FileNotFoundError(f"the notebooks of the course are in none of {folders}")


def copy_course(target: Path, source: Path | None = None) -> list[str]:
    """Copy the course to `target`, and bring an earlier copy up to date.

    A file that is as it was copied is replaced by the course's newer version. A file that has been
    changed since is left alone, and the newer version put beside it as ``NAME.new.ipynb``. What has
    been deleted is copied again.

    Parameters
    ----------
    target : Path
        The user's folder; it is made if it is not there.
    source : Path, optional
        The course; by default that of this installation.

    Returns
    -------
    list of str
        A sentence for each file that was not simply copied or left as it was.
    """
    source = source or course_folder()
    target.mkdir(parents=True, exist_ok=True)
    record_file = target / RECORD
    record = json.loads(record_file.read_text()) if record_file.exists() else {}
    said = []
    for file in sorted(source.glob("*.ipynb")):
        new, mine = _digest(file), target / file.name
        beside = mine.with_suffix(".new.ipynb")
        if not mine.exists():
            write_bytes(file.read_bytes(), mine)
        elif _digest(mine) in (new, record.get(file.name)):
            if _digest(mine) != new:
                write_bytes(file.read_bytes(), mine)
                said.append(f"{file.name} was brought up to date")
        elif record.get(file.name) == new:
            continue  # changed by the user, and nothing newer to offer
        elif not beside.exists() or _digest(beside) != new:
            if beside.exists() and _digest(beside) != record.get(beside.name):
                said.append(f"{file.name} and {beside.name} have changes of yours: left alone")
                continue
            write_bytes(file.read_bytes(), beside)
            record[beside.name] = new
            said.append(f"{file.name} has changes of yours: the new version is {beside.name}")
            continue
        else:
            continue
        record[file.name] = new
    write_bytes(json.dumps(record, indent=1).encode(), record_file)
    return said


def open_lab(target: Path, arguments: list[str]) -> int:
    """Start JupyterLab in `target`, and return its exit code when it ends."""
    if find_spec("jupyterlab") is None:
        raise ModuleNotFoundError("JupyterLab is not installed; pip install jupyterlab")
    settings = Path(tempfile.mkdtemp(prefix="irstd-lab-"))
    try:
        # Read by JupyterLab in place of the defaults; the user's own settings still come first.
        (settings / "overrides.json").write_text(json.dumps({PLUGIN: QUIET}))
        command = [sys.executable, "-m", "jupyterlab", START, *arguments]
        command += [f"--LabApp.app_settings_dir={settings}"]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            command.append("--allow-root")  # in a container there often is no one else
        return subprocess.call(command, cwd=target)
    except KeyboardInterrupt:
        return 0
    finally:
        shutil.rmtree(settings, ignore_errors=True)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
