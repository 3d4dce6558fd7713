"""Real data files, found on this machine or downloaded once and verified."""

from __future__ import annotations

import hashlib
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


def given_file(key: str) -> Path | None:
    """Return a verified file of the folder ``IRSTD_DATA``, None if there is none."""
    if not os.environ.get("IRSTD_DATA"):
        return None
    folder = Path(os.environ["IRSTD_DATA"]).expanduser()
    if not folder.is_dir():
        raise ValueError(f"the variable IRSTD_DATA names {folder}, which is not a folder")
    path = folder / key
    if not path.is_file():
        return None
    if hashlib.sha256(path.read_bytes()).hexdigest() != store().registry[key]:
        raise ValueError(f"{path}: is not the file that is expected (SHA-256 differs); remove it")
    return path


def fetch_file(key: str) -> Path:
    """Return the path of a data file; download and verify it if needed."""
    given = given_file(key)
    if given:
        return given
    if (BUNDLED / key).is_file():
        return BUNDLED / key
    cache = store()
    url, target = cache.urls[key], cache.abspath / key
    pooch = import_optional("pooch")
    pooch.get_logger().setLevel(logging.WARNING)  # the progress bar says it
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
    """Fetch the files of a source to one folder; raise if the `needed` one fails."""
    cache = store()
    keys = [key for key in cache.registry if key.startswith(f"{source}/")]
    if all(map(given_file, keys)):
        return Path(os.environ["IRSTD_DATA"]).expanduser() / source
    fetch_file(needed)
    lacking = []
    for key in keys:
        place = cache.abspath / key
        try:
            content = fetch_file(key).read_bytes()
        except ConnectionError:
            lacking.append(place.name)
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    if lacking:
        warn(f"{len(lacking)} of {len(keys)} files could not be downloaded: {listed(lacking, 20)}")
    return cache.abspath / source
