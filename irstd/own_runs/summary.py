"""Sentences and tables of the report on own runs."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd

from irstd._base.messages import listed
from irstd.own_runs.comparison import ALPHA, BEST, FEWEST, RunComparison
from irstd.own_runs.reading import INCOMPLETE, SMALLER, OwnRuns

CLOSE = 5  # a call is close if p is within this factor of its limit
RULE = (
    "A system is `not the best` if significantly worse than another, by a t-test at"
    " .05 / (number compared - 1) or after Holm's correction over all pairs."
)
RULE_OF_A_BASELINE = "Verdicts are by t-tests with Holm's correction, at .05."
MOST = 15  # systems beside the chosen one, in the table and the picture


def summary(comparison: RunComparison, metric: str, own: OwnRuns | None = None) -> str:
    """Summarize a comparison as Markdown: winner, incomplete runs, closest call.

    Parameters
    ----------
    comparison : RunComparison
        Result of `compare_runs`.
    metric : str
        Name of the metric.
    own : OwnRuns, optional
        Result of `read`: its missing and suspicious items are named, too.

    Returns
    -------
    str

    Examples
    --------
    >>> import irstd
    >>> from irstd import own_runs
    >>> scores = irstd.load_dataset("sim-trec8").iloc[:, ::30]
    >>> text = own_runs.summary(own_runs.compare_runs(scores), "AP")
    >>> print(text.partition(" of 5 ")[0])
    **<code>t8orig39a</code> (AP 0.377) is the best
    """
    others = comparison.others
    sentences = [f"**{_state_winner(comparison, metric)}**"]
    if own is not None and own.checks.get(INCOMPLETE):
        sentences.append(f"**{_describe_incomplete_runs(own, comparison.chosen)}**")
    if metric.startswith(SMALLER):
        sentences.append("Smaller is better, so tables and pictures show the negative.")
    if len(others):
        sentences.append(RULE if comparison.baseline is None else RULE_OF_A_BASELINE)
        if 1 / CLOSE <= others["ratio"][comparison.closest] <= CLOSE:
            sentences.append(_describe_closest_call(comparison))
    if len(others) > MOST:
        sentences.append(
            f"The picture and its table show the first {MOST} of {len(others)} others."
        )
    if own is not None:
        sentences += _describe_oddities(own)
    return " ".join(sentences)


def _state_winner(comparison: RunComparison, metric: str) -> str:
    """Return a sentence that names the winner, and whether its lead is significant."""
    where = count(comparison.n_topics, "topic")
    noun = "compared run"
    if comparison.n_collections > 1:
        where += f" of {comparison.n_collections} collections"
        noun = "compared system"  # which may have several seeds
    verdicts = comparison.others["verdict"]
    means = comparison.runs["mean"]
    is_first = means == means.max()
    first = _format_means(means[is_first], metric)
    if comparison.baseline is not None and len(verdicts):
        groups = verdicts.groupby(verdicts, observed=True)
        parts = [f"{words}: {listed(map(code, group.index))}" for words, group in groups]
        baseline = _format_means(means[[comparison.chosen]], metric)
        return (
            f"Compared with {baseline} on {where}, {'; '.join(parts)}."
            f" Best mean: {first}; pairs without the baseline are not tested."
        )
    if len(means) == 1:
        return f"Nothing to compare: {first} on {where}."
    behind = means[~is_first].head(1)
    lead = f"; next is {_format_means(behind, metric)}" if len(behind) else ""
    if verdicts.empty:
        return f"Best mean: {first}{lead}. Tests need {FEWEST} topics, not {comparison.n_topics}."
    n_runs = count(len(means), noun)
    best = means[comparison.runs["verdict"] != BEST[-1]]
    if len(best) == 1:
        return f"{first} is the best of {n_runs} on {where}, with 95% confidence{lead}."
    return (
        f"No single winner: {len(best)} of {n_runs} may be the best (95% confidence, {where}):"
        f" {_format_means(best, metric)}."
    )


def _format_means(means: pd.Series, metric: str) -> str:
    """Format systems with their means in the original metric."""
    if metric.startswith(SMALLER):
        means = -means
    name = plain(metric.removeprefix(SMALLER))
    return listed(f"{code(system)} ({name} {number(mean)})" for system, mean in means.items())


def _describe_incomplete_runs(own: OwnRuns, chosen: str) -> str:
    """Describe incomplete runs: their topics, and their lead or lag on these."""
    runs = []
    for run, difference in own.incomplete[own.metric].sub(own.main[chosen], axis=0).items():
        text = f"{difference.count()} of {len(difference)} topics"
        if difference.any():
            side = "ahead of" if difference.mean() > 0 else "behind"
            text += f"; {number(abs(difference.mean()))} {side} {code(chosen)} on these"
        runs.append(f"{code(run)} ({text})")
    return f"{INCOMPLETE}: {listed(runs)}. Their scores on the other topics are unknown."


def _describe_closest_call(comparison: RunComparison) -> str:
    """Describe the verdict closest to its limit, with p-value and limit."""
    run: Any = comparison.others.loc[comparison.closest]
    text = f"Closest call: {code(run.name)} ({run['verdict']}), "
    is_by_holm = run["pvalue"] > comparison.limit and run["ratio"] == run["holm"] / ALPHA
    if comparison.baseline is None:
        text += f"tested against {code(run['against'])}, "
        if not is_by_holm:
            return f"{text}p {p_text(run['pvalue'])}, limit {p_text(comparison.limit)}."
    return f"{text}p {p_text(run['holm'])} adjusted by Holm, limit {p_text(ALPHA)}."


def _describe_oddities(own: OwnRuns) -> list[str]:
    """Describe duplicates, short runs and other oddities, but not incomplete runs."""
    sentences = [
        f"{what}: {listed(map(code, names))}."
        for what, names in own.checks.items()
        if names and what != INCOMPLETE
    ]
    if own.missing.empty:
        sentences.append("No scores are missing.")
    return sentences


def comparison_rows(comparison: RunComparison) -> pd.DataFrame:
    """Format the first rows of the comparison table as text.

    Parameters
    ----------
    comparison : RunComparison
        Result of `compare_runs`.

    Returns
    -------
    DataFrame
        One row per system, the chosen one and the first 15 others: mean, difference with its
        interval, p-values and verdict.
    """
    table = comparison.runs[["mean"]].map(number)
    others = comparison.others
    if len(others):
        width = (others["high"] - others["low"]).clip(lower=1e-6)
        digits = np.ceil(1 - np.log10(width)).clip(lower=3).astype(int)
        low, high = (others[limit].combine(digits, number) for limit in ("low", "high"))
        table[f"minus {comparison.chosen}"] = others["difference"].combine(digits, number)
        table["95% interval, corrected"] = "[" + low + ", " + high + "]"
        if comparison.baseline is None:
            table["tested against"] = others["against"]
            table[f"p (limit {p_text(comparison.limit)})"] = others["pvalue"].map(p_text)
        table[f"p, Holm (limit {ALPHA})"] = others["holm"].map(p_text)
        table["verdict"] = others["verdict"].astype(str)
    first = table.index.drop(comparison.chosen)[:MOST]
    return table[table.index.isin([*first, comparison.chosen])].fillna("")


def count(size: int, noun: str) -> str:
    """Format a count with its noun, such as ``1 topic`` or ``2 topics``."""
    return f"{size:,} {noun}{'' if size == 1 else 's'}"


def number(value: float, digits: int = 3) -> str:
    """Format a number with three decimals, or as many as show that it is not 0.

    Examples
    --------
    >>> number(0.25), number(0.00004)
    ('0.250', '0.00004')
    """
    text = f"{value + 0.0:.{digits}f}"  # of -0.0, too
    if value and not float(text):
        return number(value, digits + 1)
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
