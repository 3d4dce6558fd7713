"""Real data files, found on this machine or downloaded once and verified."""

from __future__ import annotations

import logging
import os
from importlib.resources import files
from pathlib import Path
from typing import Any

from irstd._base.messages import import_optional, listed, warn

REGISTRY = files("irstd.datasets") / "registry.txt"  # key, SHA-256 and address of each file
BUNDLED = Path(str(files("irstd.datasets"))) / "bundled"  # under a licence of its own
TIMEOUT = 30  # seconds without an answer


def store() -> Any:
    """Return the download cache (``IRSTD_CACHE``, or the system's cache folder)."""
    pooch = import_optional("pooch")
    cache = pooch.create(pooch.os_cache("irstd"), base_url="", env="IRSTD_CACHE")
    with REGISTRY.open(encoding="utf-8") as file:
        cache.load_registry(file)
    return cache


def given_file(key: str, sha256: str) -> Path | None:
    """Return a verified file of the folder ``IRSTD_DATA``, None if there is none."""
    if not os.environ.get("IRSTD_DATA"):
        return None
    folder = Path(os.environ["IRSTD_DATA"]).expanduser()
    if not folder.is_dir():
        raise ValueError(f"the environment variable IRSTD_DATA is {folder}, which is not a folder")
    path = folder / key
    if not path.is_file():
        return None
    if import_optional("pooch").file_hash(path) != sha256:
        raise ValueError(f"{path}: is not the expected file (its SHA-256 differs); remove it")
    return path


def fetch_file(key: str) -> Path:
    """Return the path of a data file; download and verify it if needed."""
    cache = store()
    given = given_file(key, cache.registry[key])
    if given:
        return given
    if (BUNDLED / key).is_file():
        return BUNDLED / key
    url, target = cache.urls[key], cache.abspath / key
    pooch = import_optional("pooch")
    pooch.get_logger().setLevel(logging.WARNING)  # the progress bar shows it
    try:
        downloader = pooch.HTTPDownloader(progressbar=True, timeout=TIMEOUT)
        return Path(cache.fetch(key, downloader=downloader))
    except OSError as error:  # those of the network are
        found = f"is damaged at {target}" if target.exists() else "is not on this machine"
        raise ConnectionError(
            f"{key} {found} and could not be downloaded from {url} ({type(error).__name__}); save"
            f" it as {target}, or as {key} in the folder IRSTD_DATA"
        ) from error


def fetch_folder(source: str, needed: str) -> Path:
    """Fetch the files of a source; return the folder that holds the `needed` one."""
    folder = fetch_file(needed).parent.parent
    keys = [key for key in store().registry if key.startswith(f"{source}/")]
    missing = []
    for key in keys:
        try:
            is_there = fetch_file(key).is_relative_to(folder)
        except ConnectionError:
            is_there = False
        if not is_there:
            missing.append(Path(key).name)
    if missing:
        warn(f"{len(missing)} of {len(keys)} files are not in {folder}: {listed(missing, 20)}")
    return folder
