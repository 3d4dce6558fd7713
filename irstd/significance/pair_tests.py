"""Registry of paired tests, and the options of a call."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from irstd._base.arguments import Seed, check_choice, check_count, check_level, make_generator
from irstd._base.arrays import spreads
from irstd._base.clusters import Clusters
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
from irstd.significance.pairs import EXTREMES, Pairs, TestResult
from irstd.significance.spread import (
    f,
    levene,
    mean_distances,
    paired_levene,
)

CORRECTIONS = (
    "bonferroni",
    "sidak",
    "holm",
    "holm-sidak",
    "simes-hochberg",
    "hommel",
    "fdr_bh",
    "fdr_by",
    "fdr_tsbh",
    "fdr_tsbky",
)


class Method(NamedTuple):
    """Paired test: its function and properties."""

    test: Callable[..., TestResult]
    spread: Callable[[np.ndarray], np.ndarray] | None = None  # by system, in tests of spread
    direction: Callable[[Pairs], np.ndarray] | None = None  # if not the sign of the difference
    signed: bool = True  # can be one-sided
    random: bool = False  # takes trials and rng
    of_all: bool = False  # p-values are adjusted for all pairs


METHODS = {
    "t": Method(t_test),
    "wilcoxon": Method(wilcoxon, direction=sum_signed_ranks),
    "sign": Method(sign, direction=sum_signs),
    "tukey": Method(tukey, signed=False, of_all=True),
    "paired_levene": Method(paired_levene, mean_distances),
    "f": Method(f, spreads, signed=False),
    "levene": Method(levene, mean_distances, signed=False),
    "levene_mean": Method(
        partial(levene, center="mean"), partial(mean_distances, center="mean"), signed=False
    ),
    "randomization": Method(randomization, random=True),
    "bootstrap": Method(bootstrap, random=True),
    "randomized_tukey": Method(randomized_tukey, signed=False, random=True, of_all=True),
}


def least_topics(method: str) -> int:
    """Return the minimum number of topics: three for tests of spread, two for others."""
    if METHODS[method].spread is None:
        return 2
    return 3


def list_baselines(baseline: str | Iterable[str] | None) -> list[str] | None:
    """Return one or several baselines as a list, each once; None for none."""
    if baseline is None:
        return None
    if isinstance(baseline, str | int):
        return [baseline]
    return list(dict.fromkeys(baseline))


@dataclass(frozen=True)
class Rules:
    """Method and options of a paired test; see `pairwise_tests`."""

    method: str = "t"
    alternative: str = "two-sided"
    level: float = 0.95
    clusters: Clusters | None = None
    trials: int = 10_000
    seed: Seed = 0
    correction: str | None = None
    baselines: list[str] | None = None  # None: all pairs are tested

    def __post_init__(self) -> None:
        """Raise if an option is invalid or not supported by the method."""
        check_choice(self.method, METHODS, "method")
        check_choice(self.alternative, EXTREMES, "alternative")
        check_level(self.level)
        check_count(self.trials, "trials")
        make_generator(self.seed)
        if self.correction is not None:
            check_choice(self.correction, CORRECTIONS, "correction, if not None,")
            if METHODS[self.method].of_all:
                raise ValueError(
                    f"method={self.method!r} already adjusts its p-values for all pairs: give"
                    " correction=None"
                )
        if self.alternative != "two-sided" and not METHODS[self.method].signed:
            raise ValueError(
                f"method={self.method!r} is two-sided: alternative must be 'two-sided', got"
                f" {self.alternative!r}"
            )
        if self.method != "t" and self.clusters is not None:
            raise ValueError(f'clusters= needs method="t", got {self.method!r}')
