"""Registry of metrics, and the ranking from which they are computed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

REGISTRY: dict[str, Metric] = {}  # by name; in this order they are listed
LARGEST_EXPONENT = 1000  # a gain of 2^1024 is more than a number can hold
FORMS: dict[str, Metric] = {}  # by the forms of names, as P@k


@dataclass(frozen=True)
class Metric:
    """Metric with its names and formula."""

    name: str  # without cut-off, persistence or level
    function: Callable[..., np.ndarray]  # of a Ranking, and of the cut-off or the persistence
    forms: Sequence[str] = ()  # of its name; nP@k is P@k divided by that of the ideal ranking
    highest: float = 1.0  # score; the normalized form has 1, the lowest is 0

    # What it needs beside the run and the relevant documents.
    has_level: bool = True  # the lowest grade that is relevant, as AP(rel=2)
    gets_level: bool = False  # whether the function is called with that level
    needs_nonrelevant: bool = False  # which documents are judged not relevant
    tail: Callable[..., np.ndarray] | None = None  # what relevant ones below the run's end add

    # Names in other tools: ours; k is a cut-off.
    trec_eval: Mapping[str, str] = field(default_factory=dict)
    ir_measures: Mapping[str, str] = field(default_factory=dict)
    understood: Mapping[str, str] = field(default_factory=dict)  # BEIR, MTEB, ranx; lower case

    @property
    def formula(self) -> str:
        """Formula as text, with the letters of the notes of `irstd.evaluate`."""
        docstring = self.function.__doc__ or ""
        return docstring.partition(": ")[2].removesuffix(".")


def metric(*forms: str, **details: Any) -> Callable:
    """Register the decorated function as a metric, with the fields of `Metric`."""

    def register(function: Callable[..., np.ndarray]) -> Callable[..., np.ndarray]:
        name = re.split("[.@]", forms[0])[0]
        REGISTRY[name] = Metric(name, function, forms, **details)
        FORMS.update(dict.fromkeys(forms, REGISTRY[name]))
        return function

    return register


@dataclass(frozen=True, eq=False)
class Ranking:
    """Grades, gains and hits by rank: the input of a metric."""

    grades: np.ndarray  # topics x depth: as `irstd.metrics` says
    gains: np.ndarray  # topics x depth: grade (or 2^grade - 1) of the relevant, 0 of the others
    hits: np.ndarray  # topics x depth: whether the document at each rank is relevant
    n_relevant: np.ndarray  # topics
    n_nonrelevant: Any  # topics: how many are judged and not (None: unknown), grades below 0 apart
    top: float  # the highest grade there is
    computed: dict[tuple, np.ndarray] = field(default_factory=dict)  # by function and argument

    @classmethod
    def of(
        cls,
        grades: np.ndarray,
        gain: str,
        n_relevant: np.ndarray,
        n_nonrelevant: Any = None,
        top: float = 0,
    ) -> Ranking:
        """Create a ranking from grades by rank."""
        hits = grades > 0
        gains = np.where(hits, grades, 0)
        top = max(4, top, gains.max(initial=0))  # 4 as in TREC's gdeval
        if gain == "exponential":
            if top > LARGEST_EXPONENT:
                limit = f"grades must be at most {LARGEST_EXPONENT}"
                raise ValueError(f"gain={gain!r}: 2^{top:.0f} - 1 is too large: {limit}")
            gains = 2.0**gains - 1
        return cls(grades, gains, hits, n_relevant, n_nonrelevant, top)

    @property
    def ranks(self) -> np.ndarray:
        """Ranks from 1 to the depth."""
        return np.arange(1, self.hits.shape[1] + 1)

    @property
    def lengths(self) -> np.ndarray:
        """Number of documents on each topic."""
        return (~np.isneginf(self.grades)).sum(axis=1)

    def score(self, function: Callable[..., np.ndarray], *argument: float) -> np.ndarray:
        """Return the values of a function of the ranking, computed once."""
        key = (function, *argument)
        if key not in self.computed:
            self.computed[key] = function(self, *argument)
        return self.computed[key]


def share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Divide two arrays; 0 where the divisor is 0."""
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)
