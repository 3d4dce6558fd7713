"""Every figure is a ratio: irstd beside a peer on the same work, in rounds that take turns.

A machine that is busy with something else slows both. The table at the end of the run has for each
task the fastest round of either; `ratio` is the peer's time over that of irstd.
"""

import contextlib
import datetime
import os
import platform
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

import pytest

LIBRARIES = "numpy scipy pandas joblib pytrec-eval-terrier ir-measures ranx".split()


class Row(NamedTuple):
    task: str
    ours: float  # seconds
    peer: str
    theirs: float

    def __str__(self) -> str:
        ratio = self.theirs / self.ours
        digits = f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.2g}"
        peer = f"{self.peer}: {in_words(self.theirs)}"
        return f"| {self.task} | {in_words(self.ours)} | {peer} | {digits} |"


ROWS = pytest.StashKey[list[Row]]()
NOTES = pytest.StashKey[list[str]]()


def in_words(seconds: float) -> str:
    return f"{seconds:.3g} s" if seconds >= 1 else f"{1000 * seconds:.3g} ms"


def pytest_configure(config):
    config.stash[ROWS], config.stash[NOTES] = [], []


@pytest.fixture
def note(request):
    """Add a line below the table."""
    return request.config.stash[NOTES].append


@pytest.fixture
def add_row(request):
    """Add to the table what was not timed by `against`."""
    return lambda *row: request.config.stash[ROWS].append(Row(*row))


@pytest.fixture
def against(benchmark, add_row):
    """Time a function and its peer in turns; the peer may do one part of `share` of the work.

    Returns what they return, for a look at whether the two have done the same.
    """

    def run(task, ours, peer, theirs, *, share=1, rounds=5):
        seconds, results = [], []

        def time_peer():
            start = time.perf_counter()
            results.append(theirs())
            seconds.append(share * (time.perf_counter() - start))

        if rounds > 1:  # caches and worker processes are warm for both
            ours()
            theirs()
        found = benchmark.pedantic(ours, setup=time_peer, rounds=rounds)
        part = f" (one part in {share} done, times {share})" if share > 1 else ""
        benchmark.extra_info.update(task=task, peer=peer + part, peer_seconds=seconds)
        add_row(task, benchmark.stats.stats.min, peer + part, min(seconds))
        return found, results[-1]

    return run


def pytest_terminal_summary(terminalreporter, config):
    rows = config.stash[ROWS]
    if not rows:
        return
    terminalreporter.section("irstd and its peers")
    lines = ["| task | irstd | peer | ratio |", "|---|---|---|---|", *map(str, rows), ""]
    lines += [" ".join([*config.stash[NOTES], machine()])]
    for line in lines:
        terminalreporter.write_line(line)


def machine() -> str:
    versions = [f"Python {platform.python_version()}"]
    for library in LIBRARIES:
        with contextlib.suppress(PackageNotFoundError):
            versions.append(f"{library} {version(library)}")
    cores = f"{os.cpu_count()} cores, {processor()}, {platform.system()}"
    return f"{datetime.date.today()}; {cores}; {', '.join(versions)}."


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()
