"""What the name of a column says of what it holds, and what its texts may be."""

from __future__ import annotations

import re

import pandas as pd

ROLES = {
    "topic": ("topic", "topics", "topicid", "queryid", "query", "qid"),
    "system": ("system", "systemid", "run", "runid", "tag"),
    "metric": ("metric", "measure"),
    "score": ("score", "value"),
}
MISSING = ("", "-", "\u2013", "\u2014", "na", "n/a", "nan", "null")
SUMMARIES = "all amean average avg gmap gmean map mean overall sd std sum total".split()
AVERAGES = {"average", "avg", "avg.", "mean"}
UNNAMED = r"|Unnamed: \d+"  # as pandas calls a column without a name
# Python reads 1_000, 0x1 and the digits of all scripts as numbers, other tools do not.
NUMBER = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"


def role_of(name: object) -> str | None:
    """What a column of this name holds: a key of ROLES, or None."""
    key = re.sub(r"[\s_.-]", "", str(name)).lower()
    for role, names in ROLES.items():
        if key in names:
            return role
    return None


def is_summary(name: object, kind: str = "system") -> bool:
    """Whether a row or column of this name sums up the others, which are systems or topics."""
    without_count = re.sub(r"\s*\(.*\)$", "", str(name))  # Avg. (6)
    text = without_count.lower().rstrip(".")
    if text in SUMMARIES:
        return True
    # of topics, the first or the last word says it; but a system averages embeddings
    words = text.split()
    return kind == "topic" and not AVERAGES.isdisjoint(words[:1] + words[-1:])


def are_missing(texts: pd.Series) -> pd.Series:
    """Whether each text says that there is no score."""
    return texts.str.lower().isin(MISSING)


def are_numbers(texts: pd.Series) -> bool:
    """Whether all texts are numbers, or missing."""
    return bool((texts.str.fullmatch(NUMBER) | are_missing(texts)).all())


def are_ids(texts: pd.Series) -> bool:
    """Whether texts are whole numbers, each once, so that they may be topics."""
    present = texts[~are_missing(texts)]
    return bool(present.is_unique and present.str.fullmatch(r"[0-9]+(\.0*)?").all())


def are_shares(texts: pd.Series) -> bool:
    """Whether texts are numbers up to 1, as scores are."""
    return bool(pd.to_numeric(texts, errors="coerce").le(1).all())
