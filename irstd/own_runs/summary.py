"""Sentences and tables of the report on own runs."""

from __future__ import annotations

import re
from typing import Any

import pandas as pd

from irstd._base.messages import listed
from irstd.own_runs.comparison import ALPHA, FEWEST, RunComparison
from irstd.own_runs.reading import (
    DUPLICATES,
    INCOMPLETE,
    LEFT_OUT,
    SCORED_ZERO,
    SMALLER,
    OwnRuns,
    incomplete_runs,
)

GAPS = [INCOMPLETE, SCORED_ZERO, LEFT_OUT, DUPLICATES]
MOST = 15  # systems beside the chosen one, in the table and the picture


def summary(comparison: RunComparison, metric: str, own: OwnRuns | None = None) -> str:
    """Summarize a comparison as Markdown: winner, closest call and gaps.

    Examples
    --------
    >>> import irstd
    >>> from irstd import own_runs
    >>> scores = irstd.load_dataset("sim-trec8").iloc[:, ::30]
    >>> text = own_runs.summary(own_runs.compare_runs(scores), "AP")
    """
    others = comparison.others
    sentences = [f"**{_state_winner(comparison, metric)}**"]
    if metric.startswith(SMALLER):
        sentences.append("Smaller is better, so tables and pictures show the negative.")
    if len(others):
        sentences.append(_describe_closest_call(comparison))
    crosses = others.index[(others["verdict"] == "excluded") & (others["high"] >= 0)]
    if len(crosses):
        names = listed(map(code, crosses))
        by = "by Holm's correction, or against another run"
        sentences.append(f"Excluded though the bar crosses the line: {names} ({by}).")
    if len(others) > MOST:
        sentences.append(
            f"The picture and the table show the first {MOST} of {len(others)} others."
        )
    if own is not None:
        sentences += _describe_gaps(own, comparison)
    return " ".join(sentences)


def _state_winner(comparison: RunComparison, metric: str) -> str:
    """Return a sentence that names the winner, and whether its lead is significant."""
    where = count(comparison.n_topics, "topic")
    noun = "run"
    if comparison.n_collections > 1:
        where += f" of {comparison.n_collections} collections"
        noun = "system"  # which may have several seeds
    verdicts = comparison.others["verdict"]
    means = comparison.runs["mean"]
    if comparison.baseline is not None and len(verdicts):
        groups = verdicts.groupby(verdicts, observed=True)
        parts = [f"{words}: {listed(map(code, group.index))}" for words, group in groups]
        baseline = _format_means(means[[comparison.chosen]], metric)
        return f"Compared with {baseline} on {where}, {'; '.join(parts)}."
    printed = means.map(number)
    is_first = (printed == printed.iloc[0]) & (comparison.runs["verdict"] != "excluded")
    first = _format_means(means[is_first], metric)
    if len(means) == 1:
        return f"There is one {noun}: {first} on {where}."
    lead = ""
    if not is_first.all():
        behind = means[~is_first]
        lead = f", {number(means.iloc[0] - behind.iloc[0])} before {code(behind.index[0])}"
    first += " is" if is_first.sum() == 1 else " are"
    if verdicts.empty:
        return f"{first} ahead{lead}. Tests need {FEWEST} topics, not {comparison.n_topics}."
    n_runs = count(len(means), noun)
    n_best = 1 + (verdicts != "excluded").sum()
    if n_best == 1:
        return f"{first} the best of {n_runs} on {where}, with 95% confidence{lead}."
    which = f"{n_best} of {n_runs}" if n_best < len(means) else f"all {n_runs}"
    return (
        f"No single winner: {which} may be the best (95% confidence, {where}); {first} ahead{lead}."
    )


def _format_means(means: pd.Series, metric: str) -> str:
    """Format systems of equal printed mean, with that mean in the original metric."""
    mean = means.iloc[0]
    if metric.startswith(SMALLER):
        mean = -mean
    name = plain(metric.removeprefix(SMALLER))
    return f"{listed(map(code, means.index))} ({name} {number(mean)})"


def _describe_closest_call(comparison: RunComparison) -> str:
    """Describe the verdict closest to its limit, with p-value and limit."""
    run: Any = comparison.others.loc[comparison.closest]
    text = f"Closest call: {code(run.name)} ({run['verdict']}), "
    is_by_holm = run["holm"] <= ALPHA and run["pvalue"] > comparison.limit
    if comparison.baseline is None:
        text += f"tested against {code(run['against'])}, "
        if not is_by_holm:
            return f"{text}p {p_text(run['pvalue'])}, limit {p_text(comparison.limit)}."
    return f"{text}p {p_text(run['holm'])} adjusted by Holm, limit {p_text(ALPHA)}."


def _describe_gaps(own: OwnRuns, comparison: RunComparison) -> list[str]:
    """Describe missing topics, duplicates, and incomplete runs that could lead."""
    sentences = []
    for what in GAPS:
        if own.checks.get(what):
            sentences.append(f"{what}: {listed(map(code, own.checks[what]))}.")
    incomplete = incomplete_runs(own, comparison.chosen)
    could_lead = incomplete.index[~(incomplete["high"] <= 0)]
    if comparison.baseline is None and len(could_lead):
        names = listed(map(code, could_lead))
        sentences.append(f"**Could also be best, by the topics that are there: {names}.**")
    sentences = sentences or ["No scores are missing."]
    if len(own.missing.index.difference(GAPS)):
        sentences.append("To be looked at: see *What is missing?*")
    return sentences


def comparison_rows(comparison: RunComparison) -> pd.DataFrame:
    """Format the first rows of the comparison table as text."""
    runs = comparison.runs
    table = runs[["mean"]].map(number)
    others = comparison.others
    if len(others):
        table[f"minus {comparison.chosen}"] = others["difference"].map(number)
        spans = [
            f"[{number(low)}, {number(high)}]" for low, high in others[["low", "high"]].to_numpy()
        ]
        table["95% interval, widened"] = pd.Series(spans, others.index)
        if comparison.baseline is None:
            table["tested against"] = others["against"]
            table["p"] = others["pvalue"].map(p_text)
            table.loc[others.index, "limit of p"] = p_text(comparison.limit)
        table[f"p, Holm (limit {ALPHA})"] = others["holm"].map(p_text)
        table["verdict"] = others["verdict"].astype(str)
    first = table.index.drop(comparison.chosen)[:MOST]
    return table[table.index.isin([*first, comparison.chosen])].fillna("")


def count(size: int, noun: str) -> str:
    """Format a count with its noun, such as ``1 topic`` or ``2 topics``."""
    return f"{size:,} {noun}{'' if size == 1 else 's'}"


def number(value: float) -> str:
    """Format a number with three decimals, or with one digit if that would be 0."""
    text = f"{value + 0.0:.3f}"  # of -0.0, too
    if value != 0 and float(text) == 0:
        return f"{value:.1g}"
    return text


def p_text(p: float) -> str:
    """Format a p-value with four decimals, or with five below .01."""
    if p < 0.00001:
        return "<\u00a00.00001"
    return f"{p:.4f}" if p >= 0.01 else f"{p:.5f}"


def code(name: object) -> str:
    """Format a name as inline HTML code."""
    return f"<code>{plain(name)}</code>"


def plain(text: object) -> str:
    """Escape text for Markdown and HTML."""
    return re.sub(r"[^\w\s,:;().-]|_|\.(?=\S)", lambda sign: f"&#{ord(sign[0])};", str(text))
