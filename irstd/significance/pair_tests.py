"""Registry of paired tests: functions from `Pairs` to a statistic and a p-value per pair."""

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
    sign,
    sum_signed_ranks,
    sum_signs,
    t_test,
    tukey,
    wilcoxon,
)
from irstd.significance.pairs import Pairs, TestResult
from irstd.significance.spread import (
    f,
    levene,
    mean_distances,
    paired_levene,
    pitman_morgan,
)


class Method(NamedTuple):
    """A paired test and its properties."""

    test: Callable[..., TestResult]
    spread: Callable[[np.ndarray], np.ndarray] | None = None  # by system, in tests of spread
    direction: Callable[[Pairs], np.ndarray] | None = None  # if not the sign of the difference
    signed: bool = True  # can be one-sided
    random: bool = False  # takes trials and rng
    of_all: bool = False  # p-values are adjusted for all pairs


LEVENE_MEAN = Method(
    partial(levene, center="mean"), partial(mean_distances, center="mean"), signed=False
)


METHODS = {
    "t": Method(t_test),
    "wilcoxon": Method(wilcoxon, direction=sum_signed_ranks),
    "sign": Method(sign, direction=sum_signs),
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
    """Return the minimum number of topics: three for tests of spread, two for others."""
    if METHODS[method].spread is None:
        return 2
    return 3
