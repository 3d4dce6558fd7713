"""What can be said of one's own runs, in sentences and a table: all of it from `Standing`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from irstd._base.messages import listed
from irstd.own_runs.reading import HINTS, SMALLER, TIED, OwnRuns, beside
from irstd.own_runs.standing import ALPHA, Standing

MOST = 15  # runs beside the chosen one, in the table and the picture


def compared(own: OwnRuns, found: Standing) -> pd.DataFrame:
    """The first runs, as text: differences from the chosen one, and what decides."""
    others = found.others
    table = found.runs[["mean"]].map(number)
    if len(others):
        table[f"minus {found.chosen}"] = others["difference"].map(number)
        hold = "all together" if found.baseline is not None else "widened"
        table[f"95% interval, {hold}"] = others.apply(span, axis=1)
        if (others["against"] != found.chosen).any():
            table["tested against"] = others["against"]
        table["p"] = others["pvalue"].map(p_text)
        table["p, Holm"] = others["holm"].map(p_text)
        table["verdict"] = found.said.str.partition(":")[0]
    for what, hint in HINTS.items():
        odd = table.index.intersection(own.checks.get(what, []))
        if len(odd):
            table.loc[odd, hint] = "yes"
    first = table.index.drop(found.chosen)[:MOST]
    shown = table.index.isin([*first, found.chosen])
    return table[shown].fillna("")


def summary(found: Standing, metric: str, own: OwnRuns | None = None) -> str:
    """What can be said of the runs, as Markdown: each sentence has a condition or a number."""
    n_apart = 0 if own is None else own.apart.columns.unique("system").size
    sentences = [f"**{_who_leads(found, metric, n_apart)} {_verdict(found)}**"]
    if metric.startswith(SMALLER):
        sentences.append("Smaller is better, so differences and tables are of the negatives.")
    if len(found.others):
        sentences.append(_nearest(found))
        sentences += _on_the_verdicts(found)
    if len(found.others) > MOST:
        shown = f"the first {MOST} of {len(found.others)} others"
        sentences.append(f"The first picture and the first table show {shown}.")
    if own is not None:
        sentences += _on_other_metrics(found, own)
        sentences += _on_what_is_missing(own, found)
    return " ".join(sentences)


def _who_leads(found: Standing, metric: str, n_apart: int) -> str:
    """Who has the best mean, of how many; those that stand apart are no part of it."""
    where = count(found.topics, "topic")
    noun = "run"
    if found.collections > 1:
        where += f" of {found.collections} collections"
        noun = "system"  # which may have a run for each seed
    how = "highest"
    mean = found.runs["mean"].max()
    if metric.startswith(SMALLER):
        how = "lowest"
        mean = -mean
    if len(found.runs) == 1:
        return f"{named(found.best)} has a mean {_name_of(metric)} of {number(mean)} on {where}."
    if n_apart:
        where += f" ({n_apart} more apart)"
    has = "has" if len(found.best) == 1 else "have"
    leads = f"{named(found.best)} {has} the {how} mean {_name_of(metric)}, {number(mean)}"
    return f"Of {count(len(found.runs), noun)} on {where}, {leads}."


def _name_of(metric: str) -> str:
    """The metric as readers know it, though its negative is compared."""
    return plain(metric.removeprefix(SMALLER))


def _verdict(found: Standing) -> str:
    """Name the confidence set for the best, or the runs that differ from the baseline."""
    others = found.others
    if len(found.runs) == 1:
        return "There is no other to compare it with."
    if others.empty:
        return f"To compare them takes three topics or more, not {found.topics}."
    if found.baseline is not None:
        by_words = found.said.groupby(found.said, sort=False)
        parts = [f"{words}: {named(runs.index, 16)}" for words, runs in by_words]
        return f"Compared with {code(found.baseline)}: {'; '.join(parts)}."
    group = others.index[others["verdict"] == 0]
    n_out = len(others) - len(group)
    if group.empty:
        return "It is the best of these, with 95% confidence."
    if n_out == 0:
        none = f"None of the other {len(others)} can be ruled out as the best"
        return f"{none}, with 95% confidence."
    one_of = "" if len(group) == 1 else "one of "
    out = f"out: {n_out} of {count(len(others), 'other')}"
    return f"With 95% confidence, the best of these is it or {one_of}{named(group, 16)}; {out}."


def _nearest(found: Standing) -> str:
    """By how much the verdict on the runs that are nearest to their limit is so; who disagrees."""
    run: Any = found.others.loc[found.nearest]
    nearest = f"is {code(found.nearest)}"
    its_limit = "its limit"
    if len(found.all_nearest) > 1:
        nearest = f"are {named(found.all_nearest)}"
        its_limit = "their limit"
    verdict = found.said[found.nearest].partition(":")[0].replace("may be the best, too", "not out")
    said = f"Nearest to {its_limit} {nearest}, {verdict}: "
    if found.is_narrow:
        said = f"Narrowly {verdict} {nearest}: "
    said += f"{number(run['difference'])} {span(run)}"
    if run["against"] != found.chosen:
        said += f", but tested against {code(run['against'])}"
    said += f", p {p_text(run['pvalue'])}"
    if found.baseline is not None:  # Holm's p decides
        said += f", corrected by Holm {p_text(run['holm'])}"
    said += f", limit {p_text(found.limit)}"
    for test, (p, limit) in _other_tests(found, run).items():
        if pd.isna(p):
            continue
        if (p <= limit) != (run["verdict"] != 0):
            said += f"; not so by {test} ({p_text(p)}, limit {p_text(limit)})"
        elif found.is_narrow:
            said += f"; by {test}, too ({p_text(p)}, limit {p_text(limit)})"
    return said + "."


def _other_tests(found: Standing, run: pd.Series) -> dict[str, tuple[float, float]]:
    """By their names, the p of the tests that do not decide, and its limit."""
    wilcoxon = (run["wilcoxon"], found.limit)
    if len(found.others) == 1:
        return {"Wilcoxon": wilcoxon}
    if found.baseline is not None:
        return {"Wilcoxon, corrected by Holm": wilcoxon}
    return {"Holm": (run["holm"], ALPHA), "Wilcoxon": wilcoxon}


def _on_the_verdicts(found: Standing) -> list[str]:
    """Which others are narrow, or decided by one correction alone; what a baseline leaves open."""
    sentences = []
    narrow = found.narrow.drop(found.all_nearest, errors="ignore")
    if len(narrow):
        sentences.append(f"Narrow, too: {named(narrow)}.")
    others = found.others
    if found.baseline is None:
        only_here = (others["verdict"] < 0) & (others["holm"] > ALPHA)
        if only_here.any():
            n_out = (others["verdict"] < 0).sum()
            sentences.append(f"Holm's correction does not rule out {only_here.sum()} of {n_out}.")
        by_ranks = others.index[(others["verdict"] == 0) & (others["wilcoxon"] <= found.limit)]
        by_ranks = by_ranks.drop(found.all_nearest, errors="ignore")
        if len(by_ranks):
            sentences.append(f"Wilcoxon's test alone would rule out {named(by_ranks)}, too.")
        return sentences
    if found.baseline in found.best:
        sentences.append(
            f"{code(found.baseline)} leads: the tests hold only if it was named beforehand."
        )
    elif len(others) > 1:
        sentences.append(f"Between the {len(others)} others nothing is tested.")
    holds_0 = (others["low"] <= 0) & (others["high"] >= 0)
    if (holds_0 & (others["verdict"] != 0)).any():
        sentences.append("An interval that holds 0 beside a verdict is Bonferroni's, not Holm's.")
    return sentences


def _on_other_metrics(found: Standing, own: OwnRuns) -> list[str]:
    """Who leads by the other metrics, if it is somebody else."""
    leaders = []
    for metric in own.scores.columns.unique(0)[1:]:
        means: Any = own.scores[metric].mean()
        if means[means.index.intersection(found.best)].max() < means.max() - 1e-12:
            first = means.index[means >= means.max() - 1e-12]
            leads = f"{named(first)} ({number(abs(means.max()))})"
            leaders.append(f"by {_name_of(metric)} {leads}")
    return [f"Others lead {', '.join(leaders)}."] if leaders else []


def _on_what_is_missing(own: OwnRuns, found: Standing) -> list[str]:
    """Who stands apart, whether it may lead, that nothing is missing, and warnings."""
    sentences = []
    apart = beside(own, found.chosen)
    if len(apart):
        sentences.append(f"Not finished, and so apart: {named(apart.index)}.")
    may_lead = apart.index[~(apart["high"] <= 0)]
    if found.baseline is None and len(may_lead):
        sentences.append(f"**May lead, too, on topics that are there: {named(may_lead)}.**")
    odd = [
        f"{hint}: {named(own.checks[what])}" for what, hint in HINTS.items() if own.checks.get(what)
    ]
    if odd:
        sentences.append(f"To be looked at: {'; '.join(odd)}.")
    if own.missing.empty:
        repeats = ", and no two runs have the same scores" if len(found.runs) > 1 else ""
        sentences.append(f"No topic is missing{repeats}.")
    if TIED not in own.checks:
        sentences.append("A table of scores does not tell short runs, ties or lacking judgments.")
    for warned in own.warnings:
        for said in warned.removeprefix("evaluate: ").split("; "):
            if "NaN" not in said and "are tied" not in said:  # these are told already
                sentences.append(f"{plain(said[:1].upper() + said[1:])}.")
    return sentences


def named(names: Iterable, limit: int = 5) -> str:
    """The first names, and how many more there are."""
    return listed(map(code, names), limit)


def count(size: int, noun: str) -> str:
    """A number of things: one topic, two topics."""
    return f"{size:,} {noun}{'' if size == 1 else 's'}"


def number(value: float) -> str:
    """A number with three decimals, or as many as it takes not to be a 0 that it is not."""
    text = f"{value + 0.0:.3f}"  # of -0.0, too
    if value != 0 and float(text) == 0:
        return f"{value:.1g}"
    return text.replace("nan", "")


def texts(table: pd.DataFrame) -> pd.DataFrame:
    """A table whose numbers are text, in which no 0 has a sign, without columns of nothing."""
    shown = table.dropna(axis=1, how="all")
    numbers = {str(name): shown[name].map(number) for name in shown.select_dtypes("float")}
    return shown.assign(**numbers).rename(columns=lambda name: str(name).replace("_", " "))


def span(row: pd.Series) -> str:
    """The ends of an interval."""
    return f"[{number(row['low'])}, {number(row['high'])}]"


def p_text(p: float) -> str:
    """A p-value, or its limit: four decimals, or two digits if these are further down."""
    if p < 0.00001:
        return "<\u00a0.00001"
    if p < 0.01:
        return np.format_float_positional(p, precision=2, unique=False, fractional=False)
    return f"{p:.4f}"


def code(name: object) -> str:
    """A name that comes from files, as it is, whatever it holds."""
    return f"<bdi><code>{plain(name)}</code></bdi>"


def plain(text: object) -> str:
    """A text that Markdown and HTML show as it is."""
    return re.sub(r"[^\w\s,:;().-]|_|\.(?=\S)", lambda sign: f"&#{ord(sign[0])};", str(text))
