"""A verdict on each claim that a text makes: its rule, and what we get, against what is printed.

The claims that notebook 06 checks are in ``claims.csv``, one row per claim:

======= ==========================================================================================
id      by which a value is given; its first part is the paper
section of the notebook in which the claim is checked
place   in the paper: a section (§), a table (t), a figure (f)
what    what is claimed, in few words
quote   the words of the text; [...] stands for words left out. Rows with one quote are a statement:
        one sentence
printed the number, or the word, on which the claim stands
kind    ``number`` or ``words``: what could have failed, and so is asked of a statement; all others
        count in none. ``elsewhere``: the same, of collections that the statement is not about
        (and, in a list of all fifteen, of its own once more, by the rule for all);
        ``data``: how many files, systems, topics or pools there are, or what a caption says;
        ``arithmetic``: on the text's own numbers; ``definition``: true, or false, of any scores;
        ``ours``: what the text does not say, or says with an "if"
data    data sets that decide it
systems which of their systems; empty: all
by      who standardizes: the systems themselves (of `systems`, if these are some), or the original
        runs of the track; empty: nothing is standardized
reading how the text is read, if it is not the plain reading
plain   what the plain reading gives then
rule    ``digits``, ``within x`` (of the printed number), ``above x``, ``below x``, ``at least x``,
        ``at most x`` or ``between x y``; x and y are numbers, or words of `WORDS`
null    what says nothing: the limit is so far from it (of ``within``: the printed number). Empty:
        the limit cannot be moved, being a sign, or a number of the text
asks    of a claim that systems differ: by which scores it is asked whether it could have failed.
        ``shuffled``: on each topic the scores change owners, so that no system is better than
        another; ``random``: tables of random scores between 0 and 1 with the means of these systems
        and about their spread, for claims about spread
by_null the share of twenty such campaigns that pass, by the value alone
forced  why the row could hardly have failed, if so: 85% of these pass, or what is said here (some
        such rows fail yet, or are undecided)
ground  why this rule: where its limit comes from
tried   of a claim that fails, or has no plain reading: what else was tried
se_topics of words: the error of each value over topics, by leaving out one of eight groups of them;
        p-values, and what the two errors of `se` hold already, have none
======= ==========================================================================================

What came of them when the notebook last ran stands in three columns more: ``ours``, ``se`` and
``verdict``. `rules.py` counts by other rules. The notebook writes the same table to ``ledger.csv``;
copy that to ``claims.csv`` when a value is to change.
"""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

VERDICTS = ("exact", "exact under a reading", "agrees", "differs", "undecided", "not public")
HOLDS = VERDICTS[:3]
# What the words of the texts mean: factors. Much (dramatic, far more) is twice; similar (close) is
# at most half of that on the scale of factors, and little (slight, marginal) a quarter.
WORDS = {"much": 2.0, "similar": 2**0.5, "little": 2**0.25}
WORDS |= {f"1/{word}": 1 / factor for word, factor in WORDS.items()}
SURE = 3  # standard errors by which a value has to keep off a limit
COULD_FAIL = ("number", "words")


class Estimate(NamedTuple):
    """A value and its standard error: of random draws, or of the topics that were drawn."""

    value: float
    se: float


def claims() -> pd.DataFrame:
    """All claims, index ``id``, with the columns that the head of this module lists (all text)."""
    path = Path(__file__).with_name("claims.csv")
    return pd.read_csv(path, index_col="id", dtype=str, keep_default_na=False)


def seed_of(name: str, seed: int = 0) -> int:
    """A seed for the row of this name alone, so that a new row moves no other.

    Examples
    --------
    >>> seed_of("wmz08-f5"), seed_of("wmz08-f5", 1)
    (1112600859, 1112600860)
    """
    return zlib.crc32(name.encode()) + seed


def estimate(draws: Sequence[float]) -> Estimate:
    """The mean of independent draws with its standard error.

    Examples
    --------
    >>> estimate([0, 1, 1, 2])
    Estimate(value=1.0, se=0.408248290463863)
    """
    values = np.asarray(draws, float)
    return Estimate(float(values.mean()), float(values.std(ddof=1) / math.sqrt(values.size)))


def ratio(draws: Sequence[float], others: Sequence[float]) -> Estimate:
    """The ratio of two means of the same draws; its error is that of both (delta method).

    Examples
    --------
    >>> ratio([1, 3], [2, 6])
    Estimate(value=0.5, se=0.0)
    """
    a, b = np.asarray(draws, float), np.asarray(others, float)
    value = float(a.mean() / b.mean())
    return Estimate(value, estimate((a - value * b) / b.mean()).se)


def quotient(a: Sequence[float], b: Sequence[float]) -> Estimate:
    """The ratio of two estimates, or of two of `percentile`, of independent draws (delta method).

    Examples
    --------
    >>> quotient(Estimate(6, 0.3), [1.94, 2, 2.06])
    Estimate(value=3.0, se=0.15297058540778355)
    """
    both = [x if len(x) == 2 else (x[1], (x[2] - x[0]) / (2 * SURE)) for x in (a, b)]
    value, parts = both[0][0] / both[1][0], [se / x for x, se in both]
    return Estimate(value, abs(value) * math.hypot(*parts))


def jackknife(function: Callable[..., Any], *tables: Any, groups: int = 0) -> Any:
    """A number computed from tables of the same topics, with its error over topics.

    The standard error is that of leaving out one topic (or one of the groups of topics) at a time,
    sqrt((n - 1) var), with the variance (ddof=0) of the n numbers that this gives. Of a function
    that returns a dictionary of numbers: each of them.

    Examples
    --------
    >>> x = pd.Series([1.0, 2.0, 3.0, 6.0])
    >>> jackknife(np.mean, x).se, estimate(x).se  # of a mean they are the same
    (1.0801234497346432, 1.0801234497346435)
    """
    topics, k = tables[0].index.to_numpy(), groups or len(tables[0])
    less = [pd.Series(function(*(x.drop(index=topics[j::k]) for x in tables))) for j in range(k)]
    errors = np.std(less, axis=0) * math.sqrt(k - 1)
    found = pd.Series(function(*tables)).items()
    every = {n: Estimate(float(x), float(se)) for (n, x), se in zip(found, errors, strict=True)}
    return every.get(0, every)


def percentile(draws: Sequence[float], percent: float) -> list[float]:
    """A percentile of independent draws, with those three standard errors below and above it.

    The standard error is that of the share of draws below, sqrt(p (1 - p) / n).

    Examples
    --------
    >>> [round(place) for place in percentile(range(10_001), 50)]
    [4850, 5000, 5150]
    """
    p = percent / 100
    off = SURE * math.sqrt(p * (1 - p) / len(draws))
    return [float(q) for q in np.quantile(draws, np.clip([p - off, p, p + off], 0, 1))]


def verdict(
    rule: str, printed: str, ours: Any, *, reading: str = "", null: str = "", kinder: float = 1
) -> str:
    """What becomes of a claim.

    Parameters
    ----------
    rule : str
        As in ``claims.csv``.
    printed : str
        The number as the text prints it; looked at by the rules ``digits`` and ``within x`` alone.
    ours : float, sequence of float, Estimate or None
        What we get. Several values are those of readings that are equally good, or the range in
        which a value lies. None: what it needs is not public.
    reading : str, optional
        How the text is read, if not plainly.
    null, kinder : str, float, optional
        The limit is moved: its distance from ``null`` becomes so many times kinder (above 1) or
        stricter (below 1). Without a null it stays.

    Returns
    -------
    str
        "exact" if every value rounds to the digits that are printed, "exact under a reading" if it
        does so under the reading; "agrees" if all values keep to any other rule; "differs" if none
        does; "undecided" if some do and others do not, or if an estimate is within three standard
        errors of the limit; "not public" without a value.

    Raises
    ------
    ValueError
        If there is no such rule, or a value is NaN.

    Examples
    --------
    >>> verdict("digits", "0.324", 0.32397)
    'exact'
    >>> verdict("within 0.02", "0.60", Estimate(0.608, 0.001))
    'agrees'
    >>> verdict("above 0.919", "", Estimate(0.9206, 0.0014))
    'undecided'
    >>> verdict("below 1/much", "", 0.45), verdict("below 1/much", "", 0.45, null="1", kinder=0.8)
    ('agrees', 'differs')
    """
    if not (values := _values(ours)):
        return "not public"
    if any(math.isnan(value) for value in values):
        raise ValueError(f"ours must be numbers, got {ours!r}")
    if rule == "digits":
        decimals = len(printed.partition(".")[2])
        kept = [f"{value:.{decimals}f}" == printed for value in values]
        if all(kept):
            return "exact under a reading" if reading else "exact"
        return "undecided" if any(kept) else "differs"
    low, high, closed = _limits(rule, printed)
    if null:
        zero = float(null)
        low = zero + (low - zero) * (kinder if low < zero else 1 / kinder)
        high = zero + (high - zero) * (kinder if high > zero else 1 / kinder)
    off = SURE * ours.se if isinstance(ours, Estimate) else 0
    if off == 0 and not closed:  # on the limit is outside
        low, high = math.nextafter(low, math.inf), math.nextafter(high, -math.inf)
    if all(low + off <= value <= high - off for value in values):
        return "agrees"
    if all(value < low - off or value > high + off for value in values):
        return "differs"
    return "undecided"


def _values(ours: Any) -> list[float]:
    """The values alone."""
    if ours is None:
        return []
    return [float(value) for value in np.ravel(ours[0] if isinstance(ours, Estimate) else ours)]


def _limits(rule: str, printed: str) -> tuple[float, float, bool]:
    """The least and the largest value that a rule lets pass, and whether they themselves pass."""
    words = re.fullmatch(r"(within|above|below|at least|at most|between) (\S+)(?: (\S+))?", rule)
    if not words or bool(words[3]) != (words[1] == "between"):
        raise ValueError(f"rule must be one of those of claims.csv, got {rule!r}")
    kind = words[1]
    x, y = (float(WORDS.get(word, word)) for word in (words[2], words[3] or "nan"))
    if kind == "within":
        return float(printed) - x, float(printed) + x, True
    low = {"above": x, "at least": x, "between": x}.get(kind, -math.inf)
    high = {"below": x, "at most": x, "between": y}.get(kind, math.inf)
    return low, high, kind not in ("above", "below")


def ledger(ours: Mapping[str, Any], section: str | None = None) -> pd.DataFrame:
    """The claims beside what we get, with a verdict for each.

    Parameters
    ----------
    ours : mapping
        Of ids of claims to values, as `verdict` takes them. A claim without a value is one whose
        data are not public.
    section : str, optional
        The claims of one section alone.

    Returns
    -------
    DataFrame
        Index ``id``: the columns of `claims`, with ``ours`` (as text), ``se`` (of an estimate) and
        ``verdict`` as they are now.

    Raises
    ------
    ValueError
        If a value is given for a claim that there is not.
    """
    table = claims()
    if unknown := sorted(set(ours) - set(table.index)):
        raise ValueError(f"ours has {unknown}, which are no claims")
    table = table if section is None else table[table["section"] == section]
    given = [ours.get(name) for name in table.index]
    found = table.assign(
        ours=["–" if x is None else ", ".join(f"{v:.4g}" for v in _values(x)) for x in given],
        se=[f"{x.se:.2g}" if isinstance(x, Estimate) else "" for x in given],
    )
    return found.assign(verdict=moved(found, 1))


def moved(table: pd.DataFrame, kinder: float) -> list[str]:
    """The verdicts of a ledger if each limit that can be moved were so many times kinder."""
    found = []
    for _, row in table.iterrows():
        ours: Any = None if row.ours == "–" else [float(x) for x in row.ours.split(", ")]
        ours = Estimate(ours[0], float(row.se)) if row.se else ours
        options = {"reading": row.reading, "null": row.null, "kinder": kinder}
        found.append(verdict(row.rule, row.printed, ours, **options))
    return found


def statements(table: pd.DataFrame) -> pd.DataFrame:
    """What becomes of each statement: of all rows of a ledger with one quote that could fail.

    Returns
    -------
    DataFrame
        Index ``quote``: ``text`` (the paper), ``rows``, and ``outcome``: "in full", "under a
        reading", "could hardly fail" (all its rows are forced), "in part" (some rows fail and some
        hold), "not" (some fail, none holds), "undecided" (a row is, and none fails), or "not
        public". Rows that are not public count only where there are no others.
    """
    asked = table[table["kind"].isin(COULD_FAIL)]
    by = asked.assign(text=asked.index.str.split("-").str[0]).groupby("quote", sort=False)
    outcomes = by[["verdict", "forced"]].apply(_outcome)
    return pd.DataFrame({"text": by["text"].first(), "rows": by.size(), "outcome": outcomes})


def _outcome(rows: pd.DataFrame) -> str:
    """What becomes of a statement with these rows."""
    rows = rows[rows["verdict"] != "not public"]
    found = set(rows["verdict"])
    holds = rows["verdict"].isin(HOLDS)
    if not found:
        return "not public"
    if holds.all():
        if (rows["forced"] != "").all():
            return "could hardly fail"
        return "under a reading" if "exact under a reading" in found else "in full"
    if "differs" in found:
        return "in part" if holds.any() else "not"
    return "undecided"
