"""What the name of a column says of what it holds, and what its texts may be."""

from __future__ import annotations

import re

import pandas as pd

ROLES = {
    "topic": ("topic", "topics", "topicid", "queryid", "query", "qid", "questionid"),
    "system": ("system", "systemid", "run", "runid", "tag"),
    "metric": ("metric", "measure"),
    "score": ("score", "value"),
}
# These name a column of systems only where it holds texts: a system may have such a name, too.
SYSTEMS_IN_TEXTS = ("model", "modelname", "method", "methodname", "systemname", "runname")
MISSING = ("", "-", "\u2013", "\u2014", "na", "n/a", "nan", "null")
SUMMARIES = "all amean average avg gmap gmean map mean overall sd std sum total".split()
AVERAGES = {"average", "avg", "mean"}
# What the last rows may be called, below the topics, of a spreadsheet or of `describe`.
LAST_ROWS = (
    "median max maximum min minimum stdev stddev st.dev var variance count n 25% 50% 75%"
).split()
UNNAMED = r"|Unnamed: \d+"  # as pandas calls a column without a name
# Python reads 1_000, 0x1 and the digits of all scripts as numbers, other tools do not.
NUMBER = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"


def role_of(name: object) -> str | None:
    """What a column of this name holds: a key of ROLES, or None."""
    key = _key(name)
    for role, names in ROLES.items():
        if key in names:
            return role
    return None


def names_systems(name: object, texts: pd.Series) -> bool:
    """Whether a column holds names of systems, by what it is called and by its texts."""
    return _key(name) in SYSTEMS_IN_TEXTS and not are_numbers(texts.map(str))


def _key(name: object) -> str:
    return re.sub(r"[\s_.-]", "", str(name)).lower()


def is_summary(name: object) -> bool:
    """Whether a row or column of this name sums up the others, wherever it is."""
    return _bare(name) in SUMMARIES


def summaries_at_the_end(topics: list) -> list:
    """The last of the topics whose names say that they sum up those above."""
    place = len(topics)
    while place and sums_up_as_last(topics[place - 1]):
        place -= 1
    return topics[place:]


def sums_up_as_last(topic: object) -> bool:
    """Whether a last row of this name sums up the others: elsewhere it may be a query's text."""
    text = _bare(topic)
    words = [word.rstrip(".:") for word in text.split()]
    says_average = not AVERAGES.isdisjoint(words[:1] + words[-1:])
    return says_average or text in SUMMARIES or text in LAST_ROWS


def _bare(name: object) -> str:
    without_count = re.sub(r"\s*\(.*\)$", "", str(name))  # Avg. (6)
    return without_count.lower().rstrip(".:")


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


def have_fractions(texts: pd.Series) -> bool:
    """Whether all texts are numbers and some are not whole, as scores are and ids are not."""
    present = texts[~are_missing(texts)]
    whole = present.str.fullmatch(r"[0-9]+(\.0*)?")
    return are_numbers(texts) and not bool(whole.all())


def are_shares(texts: pd.Series) -> bool:
    """Whether texts are numbers up to 1, as scores are."""
    return bool(pd.to_numeric(texts, errors="coerce").le(1).all())
