"""Registry of metrics, and the ranking that they score."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

REGISTRY: dict[str, Metric] = {}  # by name, in the order of lists of metrics
LARGEST_EXPONENT = 1000  # a gain of 2^1024 is more than a number can hold
FORMS: dict[str, Metric] = {}  # by the forms of names, such as P@k


@dataclass(frozen=True)
class Metric:
    """Metric with its formula and its names in several tools."""

    name: str  # without cut-off, persistence or level
    function: Callable[..., np.ndarray]  # of a Ranking and the cut-off or persistence
    forms: Sequence[str] = ()  # of the name; nP@k is P@k divided by that of the ideal ranking
    highest: float = 1.0  # highest score; the lowest is 0, and a normalized form has 1

    # Inputs beside the run and the relevant documents.
    gets_level: bool = False  # the function takes the lowest relevant grade as an argument
    needs_nonrelevant: bool = False  # depends on judged nonrelevant documents, on no level

    # Names in irstd by names in other tools; k is a cut-off.
    trec_eval: Mapping[str, str] = field(default_factory=dict)
    ir_measures: Mapping[str, str] = field(default_factory=dict)
    understood: Mapping[str, str] = field(default_factory=dict)  # BEIR, MTEB, ranx; lower case

    @property
    def formula(self) -> str:
        """Formula as text, with the symbols of the notes of `irstd.evaluate`."""
        docstring = self.function.__doc__ or ""
        return docstring.partition(": ")[2].removesuffix(".")


def register_metric(*forms: str, **details: Any) -> Callable:
    """Register the decorated function as a metric, with the fields of `Metric`."""

    def register(function: Callable[..., np.ndarray]) -> Callable[..., np.ndarray]:
        name = re.split("[.@]", forms[0])[0]
        REGISTRY[name] = Metric(name, function, forms, **details)
        FORMS.update(dict.fromkeys(forms, REGISTRY[name]))
        return function

    return register


@dataclass(frozen=True, eq=False)
class Ranking:
    """Grades, gains and relevance by rank: the input of a metric."""

    grades: np.ndarray  # topics x depth, as in the docstring of `irstd.metrics`
    gains: np.ndarray  # topics x depth: grade (or 2^grade - 1) if relevant, else 0
    hits: np.ndarray  # topics x depth: True where the document is relevant
    n_relevant: np.ndarray  # topics: relevant documents
    top: float  # the highest possible grade
    computed: dict[tuple, np.ndarray] = field(default_factory=dict)  # by function and argument

    @classmethod
    def from_grades(
        cls,
        grades: np.ndarray,
        gain: str,
        n_relevant: np.ndarray,
        top: float = 0,
    ) -> Ranking:
        """Create a ranking from grades by rank."""
        hits = grades > 0
        gains = np.where(hits, grades, 0)
        top = max(4, top, gains.max(initial=0))  # 4 as in TREC's gdeval
        if gain == "exponential":
            if top > LARGEST_EXPONENT:
                raise ValueError(
                    f"gain={gain!r} needs grades of at most {LARGEST_EXPONENT}, got {top:.0f}"
                )
            gains = 2.0**gains - 1
        return cls(grades, gains, hits, n_relevant, top)

    @property
    def ranks(self) -> np.ndarray:
        """Ranks, from 1 to the depth."""
        return np.arange(1, self.hits.shape[1] + 1)

    @property
    def lengths(self) -> np.ndarray:
        """Number of retrieved documents by topic."""
        return (~np.isneginf(self.grades)).sum(axis=1)

    def score(self, function: Callable[..., np.ndarray], *argument: float) -> np.ndarray:
        """Return a function of the ranking, computed once per argument."""
        key = (function, *argument)
        if key not in self.computed:
            self.computed[key] = function(self, *argument)
        return self.computed[key]


def divide_or_zero(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Divide two arrays, with 0 where the divisor is 0."""
    return np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)
