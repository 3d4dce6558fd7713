"""Simulated campaigns, drawn once for all tests of a process, and what is said of them."""

import functools
from pathlib import Path

import irstd

TEN = range(1, 11)  # the seeds beside the default
PAGE = Path(__file__).parents[1] / ".site" / "pages" / "simulation.md"


@functools.cache
def campaign(seed=0):
    return irstd.simulate_campaign(seed=seed)


def said():
    """The text of the page, on one line."""
    return " ".join(PAGE.read_text(encoding="utf-8").split())
