"""A verdict on each claim that a text makes: its rule, and what we get, against what is printed.

The claims that notebook 06 checks are in ``claims.csv``, one row per claim:

======= ==========================================================================================
id      by which a value is given; its first part is the paper
section of the notebook in which the claim is checked
place   in the paper: a section (§), a table (t), a figure (f)
what    what is claimed, in few words
quote   the words of the text; [...] stands for words left out
printed the number, or the word, on which the claim stands
kind    ``number`` or ``words``: what could have failed; ``arithmetic``: on the text's own numbers;
        ``definition``: true, or false, of any scores; ``ours``: what the text does not say
data    data sets that decide it
reading how the text is read, if it is not the plain reading
plain   what the plain reading gives then
rule    ``digits``, ``within x`` (of the printed number), ``above x``, ``below x``, ``at least x``,
        ``at most x`` or ``between x y``
ground  why this rule: where its limit comes from
tried   of a claim that fails, or has no plain reading: what else was tried
======= ==========================================================================================

What comes of them the notebook writes to ``ledger.csv``.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

VERDICTS = (
    "exact",
    "exact under a reading",
    "agrees",
    "differs",
    "undecided",
    "not public",
)
SURE = 3  # standard errors by which a value has to keep off a limit
COULD_FAIL = ("number", "words")


class Estimate(NamedTuple):
    """The mean of random draws, and its standard error."""

    value: float
    se: float


def claims() -> pd.DataFrame:
    """All claims, index ``id``, with the columns that the head of this module lists (all text)."""
    text = Path(__file__).with_name("claims.csv").read_text(encoding="utf-8")
    return pd.DataFrame(csv.DictReader(io.StringIO(text))).set_index("id")


def estimate(draws: Sequence[float]) -> Estimate:
    """The mean of independent draws with its standard error.

    Examples
    --------
    >>> estimate([0, 1, 1, 2])
    Estimate(value=1.0, se=0.408248290463863)
    """
    values = np.asarray(draws, float)
    return Estimate(float(values.mean()), float(values.std(ddof=1) / math.sqrt(values.size)))


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
    rule: str,
    printed: str,
    ours: float | Sequence[float] | Estimate | None,
    *,
    reading: str = "",
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
    >>> verdict("below 0.05", "", [0.11, 0.047])
    'undecided'
    """
    values = _values(ours)
    if not values:
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
    if isinstance(ours, Estimate):
        return [ours.value]
    return [float(value) for value in np.ravel(ours)]


def _limits(rule: str, printed: str) -> tuple[float, float, bool]:
    """The least and the largest value that a rule lets pass, and whether they themselves pass."""
    words = re.fullmatch(r"(within|above|below|at least|at most|between) (\S+)(?: (\S+))?", rule)
    if not words or bool(words[3]) != (words[1] == "between"):
        raise ValueError(
            f"rule must be digits, within x, above x, below x, at least x, at most x or between x"
            f" y; got {rule!r}"
        )
    kind, x, y = words[1], float(words[2]), float(words[3] or "nan")
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
        Index ``id``: the columns of `claims`, and ``ours`` (as text), ``se`` (of an estimate) and
        ``verdict``.

    Raises
    ------
    ValueError
        If a value is given for a claim that there is not.
    """
    table = claims()
    unknown = sorted(set(ours) - set(table.index))
    if unknown:
        raise ValueError(f"ours has {unknown}, which are no claims")
    if section is not None:
        table = table[table["section"] == section]
    given = [ours.get(name) for name in table.index]
    rows = zip(given, table["rule"], table["printed"], table["reading"], strict=True)
    return table.assign(
        ours=["–" if x is None else ", ".join(f"{v:.4g}" for v in _values(x)) for x in given],
        se=[f"{x.se:.2g}" if isinstance(x, Estimate) else "" for x in given],
        verdict=[verdict(rule, printed, x, reading=how) for x, rule, printed, how in rows],
    )


def counts(table: pd.DataFrame) -> pd.DataFrame:
    """How many claims have which verdict, by kind: those that could have failed come first."""
    kinds = table["kind"].where(~table["kind"].isin(COULD_FAIL), "could have failed")
    found = pd.crosstab(kinds, table["verdict"]).reindex(columns=VERDICTS, fill_value=0)
    order = ["could have failed", "arithmetic", "definition", "ours"]
    return found.reindex(order, fill_value=0).rename_axis(index=None, columns=None)
