"""The tests of pairs by name: `METHODS` says of each what there is to know.

A test takes `Pairs`, and returns a statistic and a p-value of each.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from irstd._base.arrays import spreads
from irstd.significance.mean_tests import (
    bootstrap,
    randomization,
    randomized_tukey,
    side_of_ranks,
    side_of_signs,
    sign,
    t_test,
    tukey,
    wilcoxon,
)
from irstd.significance.pairs import Found, Pairs
from irstd.significance.spread import (
    f,
    levene,
    mean_distances,
    paired_levene,
    pitman_morgan,
)


class Method(NamedTuple):
    """A test by its name, and what there is to know of it."""

    test: Callable[..., Found]
    spread: Callable[[np.ndarray], np.ndarray] | None = None  # of each system, that it compares
    side: Callable[[Pairs], np.ndarray] | None = None  # of ranks and signs: whom they speak for
    signed: bool = True  # so that it can be one-sided
    random: bool = False  # it takes trials and rng
    of_all: bool = False  # a p-value is that of the largest of all differences


LEVENE_MEAN = Method(
    partial(levene, center="mean"), partial(mean_distances, center="mean"), signed=False
)


METHODS = {
    "t": Method(t_test),
    "wilcoxon": Method(wilcoxon, side=side_of_ranks),
    "sign": Method(sign, side=side_of_signs),
    "tukey": Method(tukey, signed=False, of_all=True),
    "paired_levene": Method(paired_levene, mean_distances),
    "pitman_morgan": Method(pitman_morgan, spreads),
    "f": Method(f, spreads, signed=False),
    "levene": Method(levene, mean_distances, signed=False),
    "levene_mean": LEVENE_MEAN,
    "randomization": Method(randomization, random=True),
    "bootstrap": Method(bootstrap, random=True),
    "randomized_tukey": Method(randomized_tukey, signed=False, random=True, of_all=True),
}


def least_topics(method: str) -> int:
    """Topics that a test needs: of two, both are as far from the center, so spreads need three."""
    if METHODS[method].spread is None:
        return 2
    return 3
