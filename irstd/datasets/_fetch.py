"""Files of real data: found on this machine, or downloaded once and verified."""

from __future__ import annotations

import csv
import functools
import hashlib
import logging
import os
import warnings
from importlib.resources import files
from pathlib import Path

import pooch
from requests.exceptions import RequestException

from irstd._checks import listed
from irstd.trec._write import write_bytes

# Each source, pinned to a commit.
RAW = "https://raw.githubusercontent.com"
SOURCES = {
    source: f"{RAW}/julian-urbano/{source}/{commit}/data/"
    for source, commit in {
        "irj2015-reliability": "abccb32a56e221b595aeee8bed09ba4410fe84bc",
        "sigir2018-simulation": "7515622336f0c1f0bf0718fc3e3e228c24e6152b",
        "sigir2019-standardization": "ece6223f679c7cb1e06e2c928e6b118ba85853fc",
        "sigir2019-statistical": "dc9f891cfed783daf0d655316a7d69906010bfed",
    }.items()
}
TRECTOOLS = (
    f"{RAW}/joaopalotti/trectools/8a896def007e3d657eb29f820ee3de98e2f32691/examples/robust03"
)
SOURCES["trectools/runs"] = f"{TRECTOOLS}/"
SOURCES["trectools/qrels"] = f"{TRECTOOLS}/qrel/"

TIMEOUT = 30  # seconds without an answer


@functools.cache
def registry() -> dict[str, str]:
    """SHA-256 of each file, by key: the source, and the file's name."""
    with (files("irstd.datasets") / "registry.csv").open() as file:
        return {row["key"]: row["sha256"] for row in csv.DictReader(file)}


def cache_folder() -> Path:
    """Where downloads are kept: ``IRSTD_CACHE``, or the usual place on this system."""
    return Path(os.environ.get("IRSTD_CACHE") or pooch.os_cache("irstd")).expanduser()


def local_file(key: str) -> Path | None:
    """The file in ``IRSTD_DATA`` or in the cache, verified; None if it is in neither."""
    given = os.environ.get("IRSTD_DATA")
    if given and (path := Path(given).expanduser() / key).is_file():
        if not _is_right(path, key):
            raise ValueError(
                f"{path}: is not the file that is expected (its SHA-256 is not that of the"
                " registry); replace it, or unset IRSTD_DATA to have it downloaded"
            )
        return path
    path = cache_folder() / key
    return path if path.is_file() and _is_right(path, key) else None


def fetch_file(key: str) -> Path:
    """The file on this machine, downloaded and verified if need be."""
    found = local_file(key)
    if found:
        return found
    source, name = key.rsplit("/", 1)
    url, target = SOURCES[source] + name, cache_folder() / key
    pooch.get_logger().setLevel(logging.WARNING)  # the progress bar says it
    try:
        pooch.retrieve(
            url,
            f"sha256:{registry()[key]}",
            fname=target.name,
            path=target.parent,
            downloader=pooch.HTTPDownloader(progressbar=True, timeout=TIMEOUT),
        )
    except (RequestException, OSError) as error:
        raise ConnectionError(
            f"{key} is not on this machine and could not be downloaded from {url}"
            f" ({type(error).__name__}); get that file by other means and put it at {target}, or"
            f" at {key} in a folder that the environment variable IRSTD_DATA names"
        ) from error
    except ValueError as error:
        raise ValueError(
            f"{url}: what came is not the file that is expected (its SHA-256 is not that of the"
            " registry), and was not kept; try again later"
        ) from error
    return target


def fetch_files(source: str, needed: str) -> Path:
    """A folder that holds all files of a source; `needed` is one without which nothing goes."""
    keys = [key for key in registry() if key.startswith(f"{source}/")]
    given = os.environ.get("IRSTD_DATA")
    if given and all((Path(given).expanduser() / key).is_file() for key in keys):
        for key in keys:
            local_file(key)  # verified
        return Path(given).expanduser() / source
    fetch_file(needed)
    lacking = []
    for key in keys:
        try:
            path = fetch_file(key)
        except ConnectionError as error:
            lacking.append(key)
            if len(lacking) == 1:
                first = error
            continue
        target = cache_folder() / key
        if path != target:
            target.parent.mkdir(parents=True, exist_ok=True)
            write_bytes(path.read_bytes(), target)
    if len(lacking) >= len(keys) - 1:
        raise first
    if lacking:
        names = listed((key.rsplit("/", 1)[1] for key in lacking), 20)
        warnings.warn(
            f"{len(lacking)} of {len(keys)} files could not be had: {names}", stacklevel=4
        )
    return cache_folder() / source


def _is_right(path: Path, key: str) -> bool:
    return hashlib.sha256(path.read_bytes()).hexdigest() == registry()[key]
