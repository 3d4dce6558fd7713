"""The words of a column, such as its documents: each once, and for each line which one it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd


class Words(NamedTuple):
    """A column of words."""

    unique: Any  # an array of pandas or NumPy, in order of first appearance
    codes: np.ndarray  # for each line, the place of its word in `unique`

    @classmethod
    def of(cls, column: Sequence[str]) -> Words:
        """A column that is given line by line."""
        codes, unique = pd.factorize(np.array(column, dtype=object))
        return cls(unique, codes)

    def texts(self, codes: Any = slice(None)) -> list[str]:
        """Some of the words, as text."""
        return np.asarray(self.unique[codes], dtype=object).tolist()

    def places_among(self, words: np.ndarray) -> np.ndarray:
        """For each of the unique words, its place among some others; -1 if it is none of them."""
        place_of = {word: place for place, word in enumerate(words)}
        known = np.flatnonzero(pd.Series(self.unique).isin(words))
        places = np.full(len(self.unique), -1)
        places[known] = [place_of[word] for word in self.texts(known)]
        return places

    def in_order(self, lines: np.ndarray) -> np.ndarray:
        """Whole numbers from 0 that are in the order of the words of some lines, by their bytes."""
        codes, used = pd.factorize(self.codes[lines])
        places = np.empty(len(used), dtype=int)
        places[self.unique[used].argsort()] = np.arange(len(used))
        return places[codes]
