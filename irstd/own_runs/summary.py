"""Sentences and tables of the report on own runs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from irstd._base.messages import listed
from irstd.own_runs.comparison import ALPHA, RunComparison
from irstd.own_runs.reading import (
    DUPLICATES,
    INCOMPLETE,
    NOTES,
    SMALLER,
    TIED,
    OwnRuns,
    incomplete_runs,
)

MOST = 15  # systems beside the chosen one, in the table and the picture


def summary(comparison: RunComparison, metric: str, own: OwnRuns | None = None) -> str:
    """Summarize a comparison as Markdown: winner, closest call, gaps.

    Examples
    --------
    >>> import irstd
    >>> from irstd import own_runs
    >>> scores = irstd.load_dataset("sim-trec8").iloc[:, ::30]
    >>> text = own_runs.summary(own_runs.compare_runs(scores), "AP")
    """
    sentences = [f"**{_state_winner(comparison, metric)}**"]
    if metric.startswith(SMALLER):
        sentences.append("Smaller is better, so tables and pictures show the negative.")
    if len(comparison.others):
        sentences.append(_describe_closest_call(comparison))
    if comparison.baseline is None:
        sentences += _explain_exclusions(comparison)
    elif comparison.baseline == comparison.runs.index[0] and len(comparison.runs) > 1:
        baseline = code(comparison.baseline)
        sentences.append(f"{baseline} leads: the tests hold only if it was named beforehand.")
    if len(comparison.others) > MOST:
        n_others = len(comparison.others)
        sentences.append(f"The picture and the table show the first {MOST} of {n_others} others.")
    if own is not None:
        sentences += _describe_gaps(own, comparison)
    return " ".join(sentences)


def _state_winner(comparison: RunComparison, metric: str) -> str:
    """Return the winner, and the significance of its lead, as a sentence."""
    noun = "run" if comparison.n_collections == 1 else "system"  # which may have several seeds
    where = count(comparison.n_topics, "topic")
    if comparison.n_collections > 1:
        where += f" of {comparison.n_collections} collections"
    n_runs = len(comparison.runs)
    others = comparison.others
    if n_runs == 1:
        return f"There is one {noun}: {_format_leaders(comparison, metric, 1)} on {where}."
    if comparison.baseline is not None and len(others):
        verdicts = comparison.verdicts
        groups = verdicts.groupby(verdicts, observed=True)
        parts = [f"{words}: {named(group.index, 16)}" for words, group in groups]
        baseline = f"Compared with {_format_mean(comparison, comparison.chosen, metric)} on {where}"
        return f"{baseline}, {'; '.join(parts)}."
    n_leaders = len(_find_leaders(comparison))
    verb = "is" if n_leaders == 1 else "are"
    leaders = f"{_format_leaders(comparison, metric, n_leaders)} {verb}"
    lead = _format_lead(comparison, n_leaders)
    ahead = f"{leaders} ahead{lead}"
    if others.empty:
        return f"{ahead}. To test this takes three topics or more, not {comparison.n_topics}."
    n_best = 1 + (others["verdict"] == 0).sum()
    runs = count(n_runs, noun)
    if n_best == 1:
        return f"{leaders} the best of {runs} on {where}, with 95% confidence{lead}."
    which = f"{n_best} of {runs}" if n_best < n_runs else f"all {runs}"
    return f"No single winner: {which} may be the best (95% confidence, {where}); {ahead}."


def _find_leaders(comparison: RunComparison) -> pd.Index:
    """Return the systems with the highest printed mean."""
    printed = comparison.runs["mean"].map(number)
    return printed.index[printed == printed.iloc[0]]


def _format_leaders(comparison: RunComparison, metric: str, n_leaders: int) -> str:
    """Return the leading systems with their printed mean."""
    if n_leaders == 1:
        return _format_mean(comparison, str(comparison.runs.index[0]), metric)
    mean = number(abs(comparison.runs["mean"].iloc[0]))
    return f"{named(comparison.runs.index[:n_leaders])} ({_original_name(metric)} {mean})"


def _format_mean(comparison: RunComparison, system: str, metric: str) -> str:
    """Return a system with its mean in the original metric."""
    mean = float(comparison.runs["mean"][system])
    if metric.startswith(SMALLER):
        mean = -mean
    return f"{code(system)} ({_original_name(metric)} {number(mean)})"


def _format_lead(comparison: RunComparison, n_leaders: int) -> str:
    """Return the lead of the first systems over the next one."""
    means = comparison.runs["mean"]
    if n_leaders >= len(means):
        return ""
    lead = means.iloc[0] - means.iloc[n_leaders]
    return f", {number(lead)} before {code(means.index[n_leaders])}"


def _describe_closest_call(comparison: RunComparison) -> str:
    """Return the verdict closest to its limit, with p-value and limit."""
    closest = comparison.closest
    run: Any = comparison.others.loc[closest]
    text = f"Closest call: {code(closest)} ({comparison.verdicts[closest]}), "
    if run["against"] != comparison.baseline:
        text += f"tested against {code(run['against'])}, "
    holm_decides = run["holm"] <= ALPHA and run["pvalue"] > comparison.limit
    if comparison.baseline is None and not holm_decides:
        return f"{text}p {p_text(run['pvalue'])}, limit {p_text(comparison.limit)}."
    return f"{text}p {p_text(run['holm'])} adjusted by Holm, limit {p_text(ALPHA)}."


def _explain_exclusions(comparison: RunComparison) -> list[str]:
    """Explain intervals that include 0 though their system is excluded."""
    others = comparison.others
    crosses = (others["low"] <= 0) & (others["high"] >= 0) & (others["verdict"] < 0)
    if not crosses.any():
        return []
    names = named(others.index[crosses])
    return [f"Excluded though the bar crosses the line: {names}, by another test (see the table)."]


def _describe_gaps(own: OwnRuns, comparison: RunComparison) -> list[str]:
    """Describe missing topics, incomplete runs that could lead, and warnings."""
    sentences = []
    for what, words in ((INCOMPLETE, "Incomplete"), (DUPLICATES, "Duplicates")):
        if own.checks.get(what):
            sentences.append(f"{words}, and listed separately: {named(own.checks[what])}.")
    incomplete = incomplete_runs(own, comparison.chosen)
    could_lead = incomplete.index[~(incomplete["high"] <= 0)]
    if comparison.baseline is None and len(could_lead):
        names = named(could_lead)
        sentences.append(f"**Could also be best, by the topics that are there: {names}.**")
    n_others = len(own.missing.index.difference([INCOMPLETE, DUPLICATES]))
    if n_others:
        sentences.append(f"To be looked at: {count(n_others, 'point')} under *What is missing?*.")
    elif own.missing.empty:
        sentences.append("Nothing is missing.")
    if TIED not in own.checks:
        sentences.append("A table of scores cannot show short runs, ties or unjudged documents.")
    for warning in own.warnings:
        for part in warning.removeprefix("evaluate: ").split("; "):
            if "NaN" not in part and "are tied" not in part:  # these are told already
                sentences.append(f"{plain(part[:1].upper() + part[1:])}.")
    return sentences


def comparison_rows(own: OwnRuns, comparison: RunComparison) -> pd.DataFrame:
    """Return the first rows of the comparison table as text."""
    others = comparison.others
    table = comparison.runs[["mean"]].map(number)
    if len(others):
        table[f"minus {comparison.chosen}"] = others["difference"].map(number)
        table["95% interval, widened"] = others.apply(span, axis=1)
        if (others["against"] != comparison.chosen).any():
            table["tested against"] = others["against"]
        table["p"] = others["pvalue"].map(p_text)
        if comparison.baseline is None:
            table["limit of p"] = pd.Series(p_text(comparison.limit), others.index)
        table["p, Holm"] = others["holm"].map(p_text)
        table["verdict"] = comparison.verdicts.astype(str)
    notes = pd.DataFrame("", table.index, list(NOTES.values()))
    for what, note in NOTES.items():
        notes.loc[table.index.intersection(own.checks.get(what, [])), note] = "yes"
    table = table.join(notes.loc[:, notes.any()])
    first = table.index.drop(comparison.chosen)[:MOST]
    shown = table.index.isin([*first, comparison.chosen])
    return table[shown].fillna("")


def _original_name(metric: str) -> str:
    """Return the name of the original metric if its negative is compared."""
    return plain(metric.removeprefix(SMALLER))


def named(names: Iterable, limit: int = 5) -> str:
    """Format the first names as code, with the number of others."""
    return listed(map(code, names), limit)


def count(size: int, noun: str) -> str:
    """Format a count with its noun: one topic, two topics."""
    return f"{size:,} {noun}{'' if size == 1 else 's'}"


def number(value: float) -> str:
    """Format a number with three decimals, or one digit if it is smaller."""
    text = f"{value + 0.0:.3f}"  # of -0.0, too
    if value != 0 and float(text) == 0:
        return f"{value:.1g}"
    return text.replace("nan", "")


def formatted(table: pd.DataFrame) -> pd.DataFrame:
    """Format the numbers of a table, and drop empty columns."""
    shown = table.dropna(axis=1, how="all")
    numbers = {str(name): shown[name].map(number) for name in shown.select_dtypes("float")}
    return shown.assign(**numbers).rename(columns=lambda name: str(name).replace("_", " "))


def span(row: pd.Series) -> str:
    """Format an interval."""
    return f"[{number(row['low'])}, {number(row['high'])}]"


def p_text(p: float) -> str:
    """Format a p-value with four decimals, or two digits if it is smaller."""
    if p < 0.00001:
        return "<\u00a0.00001"
    if p < 0.01:
        return np.format_float_positional(p, precision=2, unique=False, fractional=False)
    return f"{p:.4f}"


def code(name: object) -> str:
    """Format a name as inline code, whatever characters it has."""
    return f"<bdi><code>{plain(name)}</code></bdi>"


def plain(text: object) -> str:
    """Escape a text for Markdown and HTML."""
    return re.sub(r"[^\w\s,:;().-]|_|\.(?=\S)", lambda sign: f"&#{ord(sign[0])};", str(text))
