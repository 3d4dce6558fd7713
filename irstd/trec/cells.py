"""Cells, the one form that all scores are brought to, and the score matrix that they make.

Cells are a DataFrame with a score a row: topic, system, metric, score, and the column where the
score stands, all as text; the numbers of the lines are its index.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
import pandas as pd

LONGEST = 170  # letters of a message beside the file and the line
MISSING = ("", "-", "\u2013", "\u2014", "na", "n/a", "nan", "null")
# Python reads 1_000, 0x1 and the digits of all scripts as numbers, other tools do not.
NUMBER = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
SUMS = (
    "all amean average avg count gmap gmean macro map max maximum mean median micro min minimum"
    " mittelwert overall sd std stdev sum summary total var variance"
).split()
WORDS = {"average", "avg", "macro", "mean", "micro"}  # at the beginning or end of what sums up


@dataclass(frozen=True)
class Source:
    """Where scores come from."""

    name: str
    mark: str = ", row "  # between the name and the number of a line, in messages
    system: str = "run"  # the name of the system, where there is none

    def fail(self, problem: str, line: object = None) -> NoReturn:
        """Raise what is wrong and what to give; the end is cut off if that is long."""
        place = "" if line is None else f"{self.mark}{line}"
        raise ValueError(f"{self.name}{place}: {problem[:LONGEST]}")

    def refuse(self, cells: pd.DataFrame, wrong: Any, problem: str) -> None:
        """Raise what is wrong with the first of some cells, whose parts `problem` may name."""
        if wrong.any():
            first = cells[np.asarray(wrong)].iloc[0]
            self.fail(problem.format_map(first).rstrip(), first.name)


def is_sum(name: str, is_last: bool = False) -> bool:
    """Whether a row or column of this name sums up the others: ``all``, ``Avg. (6)``.

    A last row does so by a word, too, which elsewhere may be that of a query.
    """
    words = re.findall(r"[^\W_]+", name.partition("(")[0].lower())
    by_word = is_last and not WORDS.isdisjoint(words[:1] + words[-1:])
    return by_word or (len(words) == 1 and words[0] in SUMS)


def texts_of(values: pd.Series) -> pd.Series:
    """A column as text, which gives back each number to the last bit; no text where it is missing.

    Blanks around a text are no part of it.
    """
    return values.astype(object).map(_text).astype(object)


def _text(value: Any) -> str:
    if pd.api.types.is_scalar(value) and pd.isna(value):  # a list may stand beside scores
        return ""
    if isinstance(value, np.floating):
        value = float(value)
    return str(value).strip(" \t")


def are_numbers(texts: pd.Series) -> pd.Series:
    """Whether each text is a number, or says that there is none."""
    return texts.str.fullmatch(NUMBER) | texts.str.lower().isin(MISSING)


def matrix(cells: pd.DataFrame, source: Source) -> pd.DataFrame:
    """A matrix of cells: one row per topic, columns (metric, system)."""
    topics = cells["topic"].unique().tolist()
    sums = [topic for topic in topics if is_sum(topic, topic == topics[-1])]
    source.refuse(
        cells, cells["topic"].isin(sums), "{topic!r:.40} sums up topics, is none: remove it"
    )
    nameless = (cells["topic"] == "") | (cells["system"] == "")
    source.refuse(cells, nameless, "a score without the name of its topic or system")
    cells = cells.assign(score=_numbers(cells, source))
    keys = ["metric", "system"]
    repeated = cells.duplicated([*keys, "topic"])
    source.refuse(cells, repeated, "a second score of topic {topic:.40}: {system:.40} {metric}")
    columns = pd.MultiIndex.from_frame(cells[keys].drop_duplicates().astype(str))
    table = cells.pivot(index="topic", columns=keys, values="score").loc[topics, columns]
    return pd.DataFrame(table.to_numpy(), pd.Index(topics, name="topic"), columns)


def _numbers(cells: pd.DataFrame, source: Source) -> pd.Series:
    """The scores as numbers, NaN where they are missing; refused if one is none."""
    texts = cells["score"]
    numbers = texts.where(texts.str.fullmatch(NUMBER), "nan").astype(float)
    wrong = np.isinf(numbers) | ~are_numbers(texts)
    of_text = ~cells["column"].isin(cells["column"][numbers.notna().to_numpy()])
    problem = "{score!r:.40} in {column!r:.40} is not a finite number"
    of_truths = wrong & texts.isin(["True", "False"])
    source.refuse(cells, of_truths, problem + "; give 1 and 0, as .astype(int) makes")
    advice = "; say system={column!r:.40} if that names systems, else remove it"
    source.refuse(cells, wrong & of_text, problem + advice)
    source.refuse(cells, wrong, problem)
    return numbers
