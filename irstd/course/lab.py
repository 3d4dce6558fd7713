"""The course in a folder of the user's own, kept up to date without touching what is theirs."""

from __future__ import annotations

import hashlib
import json
import os
from importlib.util import find_spec
from pathlib import Path

from irstd.trec._write import write_bytes

RECORD = ".irstd-course.json"  # file: SHA-256 of its content when it was copied
START = "00_start_here.ipynb"
# Read by JupyterLab in place of its defaults, so that it does not ask on its first start, over the
# page, whether it may fetch news. The user's own settings still come first.
SETTINGS = Path(__file__).resolve().parent / "jupyterlab"


def course_folder() -> Path:
    """Where the notebooks of this installation are: in the package, or beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    folders = [package / "_notebooks", package.parent / "notebooks"]
    for folder in folders:
        if (folder / START).is_file():
            return folder
    raise FileNotFoundError(f"the notebooks of the course are in none of {folders}")


def copy_course(target: Path, source: Path | None = None) -> list[str]:
    """Copy the course to `target`, and bring an earlier copy up to date.

    A file that is as it was copied is replaced by the course's newer version. A file that has been
    changed since (running and saving it is a change) is left alone, and the newer version put
    beside it as ``NAME.new.ipynb``, once. What has been deleted is copied again.

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

    Raises
    ------
    ValueError
        If `target` is the folder of the course itself.
    OSError
        If a file cannot be read or written.
    """
    source = source or course_folder()
    target.mkdir(parents=True, exist_ok=True)
    if target.samefile(source):
        raise ValueError(f"{target} holds the course itself, not a copy: give another folder")
    record_file = target / RECORD
    record = _read_record(record_file)
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
        elif new in (record.get(file.name), record.get(beside.name)):
            continue  # changed by the user, and nothing newer to offer
        elif beside.exists() and _digest(beside) not in (new, record.get(beside.name)):
            said.append(f"{file.name} and {beside.name} have changes of yours: left alone")
            continue
        else:
            write_bytes(file.read_bytes(), beside)
            record[beside.name] = new
            said.append(f"{file.name} has changes of yours: the new version is {beside.name}")
            continue
        record[file.name] = new
    write_bytes(json.dumps(record, indent=1).encode(), record_file)
    return said


def open_lab(target: Path, arguments: list[str]) -> int:
    """Start JupyterLab in `target`, in this process, and return its exit code when it ends."""
    if find_spec("jupyterlab") is None:
        raise ModuleNotFoundError("JupyterLab is not installed; pip install jupyterlab")
    # A python3 kernel that the user has registered elsewhere must not run the course.
    os.environ.setdefault("JUPYTER_PREFER_ENV_PATH", "1")
    os.environ.pop("MPLBACKEND", None)  # a kernel that inherits it shows no figures
    from jupyterlab.labapp import main  # slow, and needed by no other command

    command = [f"--LabApp.default_url=/lab/tree/{START}", *arguments]
    command.append(f"--LabApp.app_settings_dir={SETTINGS}")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")  # in a container there often is no one else
    os.chdir(target)
    return main(command) or 0


def _read_record(file: Path) -> dict[str, str]:
    """What was copied; nothing if that cannot be told, so that every other file is the user's."""
    try:
        record = json.loads(file.read_bytes())
    except (FileNotFoundError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
