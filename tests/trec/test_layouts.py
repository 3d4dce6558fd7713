"""Random tables of the supported layouts; the many are tests/fuzz/layouts.py."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "fuzz"))

from layouts import count


def test_tables_are_read_exactly_or_refused_with_the_argument_that_decides():
    results, wrong = count(150)
    assert not wrong, wrong[0]
    assert results["read"] >= 140
