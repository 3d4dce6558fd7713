"""Every figure is a ratio: irstd beside a peer on the same work, in rounds that take turns.

A machine that is busy with something else slows both. The table at the end of the run has for each
task the fastest round of either; `ratio` is the peer's time over that of irstd.
"""

import os
import platform
import time
from importlib.metadata import version
from typing import NamedTuple

import pytest

LIBRARIES = "numpy scipy pandas joblib pytrec-eval-terrier ir-measures".split()


class Row(NamedTuple):
    task: str
    ours: float  # seconds
    peer: str
    theirs: float

    def __str__(self) -> str:
        peer = f"{self.peer}: {1000 * self.theirs:.3g} ms | {self.theirs / self.ours:.2g}"
        return f"| {self.task} | {1000 * self.ours:.3g} ms | {peer} |"


ROWS = pytest.StashKey[list[Row]]()


def pytest_configure(config):
    config.stash[ROWS] = []


@pytest.fixture
def against(benchmark, request):
    """Time a function and its peer in turns; the peer may do one part of `share` of the work.

    Returns what they return, for a look at whether the two have done the same.
    """

    def run(task, ours, peer, theirs, *, share=1):
        seconds, results = [], []

        def time_peer():
            start = time.perf_counter()
            results.append(theirs())
            seconds.append(share * (time.perf_counter() - start))

        ours()  # caches and worker processes are warm for both
        theirs()
        found = benchmark.pedantic(ours, setup=time_peer, rounds=5)
        part = f" (one part in {share} done, times {share})" if share > 1 else ""
        row = Row(task, benchmark.stats.stats.min, peer + part, min(seconds))
        request.config.stash[ROWS].append(row)
        return found, results[-1]

    return run


def pytest_terminal_summary(terminalreporter, config):
    rows = config.stash[ROWS]
    if rows:
        terminalreporter.section("irstd and its peers")
        lines = ["| task | irstd | peer | ratio |", "|---|---|---|---|", *map(str, rows), ""]
        versions = [f"{library} {version(library)}" for library in LIBRARIES]
        lines += [f"{os.cpu_count()} cores, Python {platform.python_version()}; {versions}"]
        terminalreporter.write_line("\n".join(lines))
