"""Names of metrics in irstd, in other tools, and in former versions.

The form of a name has letters in place of numbers, and `FORMS` has the metric of each form:
``nP(rel=2)@10`` has the form ``nP@k``, which is normalized P; its cut-off is 10, its level 2.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from irstd._base.arguments import check_choice, find_meaning
from irstd._base.messages import listed
from irstd.metrics.formulas import METRICS
from irstd.metrics.registry import FORMS, REGISTRY, Metric, Ranking, divide_or_zero

NAME = re.compile(
    r"([A-Za-z]+)(\.[0-9]{1,15})?"  # a longer persistence might round to 1
    r"(?:\(rel=([1-9][0-9]{0,8})\))?(?:@([1-9][0-9]{0,8}))?"
)
TO_TREC_EVAL: dict[str, str] = {}  # form in trec_eval by form in irstd; k is a cut-off
ELSEWHERE: dict[str, str] = {}  # form in irstd by form in another tool
for _metric in REGISTRY.values():
    TO_TREC_EVAL |= {ours: theirs for theirs, ours in _metric.trec_eval.items()}
    ELSEWHERE |= {**_metric.ir_measures, **_metric.trec_eval, **_metric.understood}

SEVERAL = {  # forms with different meanings in different tools
    "hits@k": "'Success@{k}' (is any relevant?) or, with depth={k}, 'NumRet(rel=1)' (how many?)",
    "map@k": "'AP@{k}', divided by R (trec_eval, BEIR); division by min(R, {k}) is not available",
}

# Names on the factor page of 2008 and in irstd before 0.4, and what they are now.
ON_PAGE = {"DCG": "JDCG", "nDCG": "nJDCG", "VDCG": "DCG", "nVDCG": "nDCG"}

# Measures of other tools that irstd does not know by these names (in upper or lower case).
OTHERS = re.compile(r"(gm_\w+|hits|num_?\w+|utility)([_.][\d.]+)?", re.IGNORECASE)
UP_TO_ONE = re.compile(
    r"(11pt_avg|accuracy|alpha_ndcg|bpref|f1|hit|hit_rate|infap|iprec\w*|map|mrr|ndcg\w*|nerr\w*|precision"
    r"|recall|rndcg|rprec\w*|set_?(f|map|p|recall|relative_p|r))(\(.*\))?([_.@][\d.]+)?",
    re.IGNORECASE,
)
ROUNDING = 1e-6  # other tools use single precision


@dataclass(frozen=True)
class MetricName:
    """Parsed name of a metric."""

    metric: Metric
    argument: tuple[float, ...] = ()  # the cut-off or the persistence, if it has one
    normalized: bool = False
    level: int | None = None  # the lowest relevant grade, if the name has one

    @property
    def cut_off(self) -> float:
        """Last rank that counts, 0 if all do."""
        return max(self.argument, default=0)

    def compute_scores(self, run: Ranking, ideal: Ranking) -> np.ndarray:
        """Return the scores of a run by topic."""
        scores = run.score(self.metric.function, *self.argument)
        if self.normalized:
            return divide_or_zero(scores, ideal.score(self.metric.function, *self.argument))
        return scores


def find_metric(name: str) -> MetricName | None:
    """Parse the name of a metric; return None if there is no such metric."""
    parts = NAME.fullmatch(name)
    if not parts:
        return None
    form, persistence, level, cut_off = parts.groups()
    argument: tuple[float, ...] = ()
    if persistence:
        form += ".p"
        argument = (float(persistence),)
    if cut_off:
        form += "@k"
        argument = (int(cut_off),)
    metric = FORMS.get(form)
    if not metric or (level and metric.needs_nonrelevant):
        return None
    grade = int(level) if level else None
    if grade and metric.gets_level:
        argument = (grade,)
    return MetricName(metric, argument, form.startswith(f"n{metric.name}"), grade)


def parse_metric(name: str) -> MetricName:
    """Parse the name of a metric, or raise ValueError with a suggestion."""
    parsed = find_metric(name)
    if parsed:
        return parsed
    _refuse_ambiguous(name)
    hint = _suggest_metric(name)
    if not hint:
        hint = (
            f"; help(irstd.evaluate) lists all metrics, such as {', '.join(METRICS)}, AP(rel=2) and"
            " ir_measures.Bpref"
        )
    raise ValueError(f"unknown metric {name[:40]!r}{hint}")


def _refuse_ambiguous(name: str) -> None:
    """Raise if different tools mean different metrics by a name."""
    form, k = _split_cut_off(name)
    if form.lower() in SEVERAL:
        meanings = SEVERAL[form.lower()].format(k=k)
        raise ValueError(f"metric {name[:40]!r} is ambiguous: give {meanings}")


def _suggest_metric(name: str) -> str:
    """Return a hint at the metric that an unknown name may mean, or ""."""
    form, k = _split_cut_off(name)
    letters = _reduce_to_letters(form)
    if letters in ("gmmap", "gmap"):
        return ': the geometric mean of AP is irstd.gmap(scores["AP"])'
    if letters in ("rbp", "nrbp"):
        return f": RBP takes a persistence, as in RBP.8; give its cut-off as depth={k or 10}"
    forms = {_reduce_to_letters(form): form for form in FORMS if not form.endswith(".p")}
    forms |= {_reduce_to_letters(theirs): ours for theirs, ours in ELSEWHERE.items()}
    forms |= {"vdcg": "DCG", "nvdcg": "nDCG"}  # before 0.4
    meaning = find_meaning(letters, forms)
    if "," in name:
        return ": give several metrics as a list (in a command, repeat -m)"
    if not meaning or "(" in name:
        return ""
    start = meaning.removesuffix("@k")
    number = re.search("[1-9][0-9]*$", name)
    if start in FORMS and not number:
        return f": did you mean {start!r}?"
    if f"{start}@k" in FORMS:
        if number:
            return f": did you mean '{start}@{number[0]}'?"
        return f": did you mean '{start}@10'? {start}@k needs a cut-off"
    return ""


def _reduce_to_letters(form: str) -> str:
    """Reduce a metric name to its lower-case letters, for comparison."""
    start = re.sub(r"(_cut|_at)?[@._][kp]$", "", form)
    return re.sub("[^a-z]", "", start.lower())


def translate_name(name: str) -> str:
    """Translate a metric name from another tool; keep any other name."""
    rbp = re.fullmatch(r"RBP\((?:p=0?\.(\d+),)?rel=1\)", name)  # without rel=1 it has gains
    if rbp:
        return f"RBP.{rbp[1] or 8}"
    form, k = _split_cut_off(name)
    ours = ELSEWHERE.get(form) or ELSEWHERE.get(form.lower())
    if not ours:
        return name
    return ours.replace("@k", f"@{k}")


def _split_cut_off(name: str) -> tuple[str, str]:
    """Split a name into its form, with k as the cut-off, and the cut-off."""
    cut_off = re.search(r"([_.@])([1-9][0-9]*)\Z", name)
    if not cut_off:
        return name, ""
    mark, k = cut_off.groups()
    start = name.removesuffix(mark + k)
    return f"{start}{mark.replace('.', '_')}k", k


def to_trec_eval(metric: str) -> str | None:
    """Return the trec_eval name of a metric, or None if trec_eval lacks it."""
    form, k = _split_cut_off(metric)
    theirs = TO_TREC_EVAL.get(form)
    return theirs and theirs.replace("_k", f"_{k}")


def is_metric_name(name: str) -> bool:
    """Return True for a metric name of any tool: ``P_10``, ``RBP.8``, ``X@5``."""
    match = find_metric(translate_name(name)) or OTHERS.fullmatch(name) or UP_TO_ONE.fullmatch(name)
    return bool(match or re.search(r"@[0-9]+$", name)) or is_page_name(name)


def translate_page_name(name: str) -> str:
    """Translate a metric name from the factor page (or irstd before 0.4)."""
    start = re.split(r"[^A-Za-z]", name)[0]
    return ON_PAGE.get(start, start) + name.removeprefix(start)


def is_page_name(name: str) -> bool:
    """Return True for a name used only on the factor page or before irstd 0.4."""
    return re.match("n?VDCG(?![A-Za-z])", name) is not None


def translate_names(
    metrics: Iterable[str], names: str, source: str, argument: str = 'names="page"'
) -> dict[str, str]:
    """Return irstd's names by the metric names of a file, or refuse names of the factor page.

    `names` is their origin, "irstd" or "page".
    """
    check_choice(names, ("irstd", "page"), "names")
    if names == "page":
        return {metric: translate_page_name(metric) for metric in metrics}
    of_page = listed(filter(is_page_name, metrics), 2)
    if of_page:
        raise ValueError(
            f"{source}: {of_page} is a metric name of the factor page and of irstd before 0.4,"
            f" where DCG means JDCG: pass {argument}"
        )
    return {metric: metric for metric in metrics}


def get_highest_score(name: str) -> float:
    """Return the highest possible score of a metric, NaN if it is unknown."""
    parsed = find_metric(translate_name(name))
    if not parsed:  # of MAP@10, each meaning is at most 1
        return 1.0 if UP_TO_ONE.fullmatch(name) else math.nan
    if parsed.normalized:
        return 1.0
    return parsed.metric.highest


def check_range(scores: pd.DataFrame, metric: str, name: str) -> None:
    """Raise if a score is outside the range of the metric."""
    highest = get_highest_score(metric)
    numbers = scores.to_numpy(float)
    if math.isnan(highest):
        _refuse_ambiguous(metric)
        return
    outside = np.argwhere((numbers < -ROUNDING) | (numbers > highest + ROUNDING))
    if len(outside):
        row, column = outside[0]
        raise ValueError(
            f"{name}: {metric} must be from 0 to {highest:g}, but column"
            f" {scores.columns[column]!s:.40} has {numbers[row, column]:.6g} on topic"
            f" {scores.index[row]!s:.40}: divide percentages by 100, or remove columns that are not"
            f" {metric}"
        )
