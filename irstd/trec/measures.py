"""What trec_eval and ir_measures call the metrics; the names are in irstd/metrics/formulas.py."""

from __future__ import annotations

import re
from collections.abc import Iterable

from irstd._base.arguments import check_choice
from irstd._base.messages import listed
from irstd.metrics import REGISTRY, from_page, is_of_page

TREC_EVAL: dict[str, str] = {}  # trec_eval's name: ours
TREC_EVAL_WITH_CUT: dict[str, str] = {}  # the same without the cut-off: ``ndcg_cut``, ``nDCG``
UNDERSTOOD: dict[str, str] = {}  # names of BEIR, MTEB and others, in lower case: ours
IR_MEASURES: dict[str, str] = {}  # ir_measures' name without the cut-off: ours
for _metric in REGISTRY.values():
    for _theirs, _ours in _metric.trec_eval.items():
        if _theirs.endswith("_k"):
            TREC_EVAL_WITH_CUT[_theirs.removesuffix("_k")] = _ours.removesuffix("@k")
        else:
            TREC_EVAL[_theirs] = _ours
    UNDERSTOOD |= _metric.understood
    for _theirs, _ours in _metric.ir_measures.items():
        if "(" not in _theirs:  # RBP(p=0.8,rel=1) is read by `from_either`
            IR_MEASURES[_theirs.removesuffix("@k")] = _ours.removesuffix("@k")
TO_TREC_EVAL = {ours: theirs for theirs, ours in TREC_EVAL.items()}
TO_TREC_EVAL_WITH_CUT = {ours: theirs for theirs, ours in TREC_EVAL_WITH_CUT.items()}

# Measures of other tools that are not computed here, but may be in a table of scores.
OTHERS = (
    "gm_map rprec_mult rndcg ndcg_rel gm_bpref iprec_at_recall infap num_q num_rel num_rel_ret"
    " 11pt_avg g bing num_nonrel_judged_ret relative_p relstring runid set_f set_p set_map"
    " set_recall set_relative_p utility yaap iprec numq numrel numrelret setap setf setp setr"
).split()


def _beginnings() -> set[str]:
    """The beginnings of all names, in lower case, by which measures are known from topics."""
    names = [*OTHERS, *TREC_EVAL, *TREC_EVAL_WITH_CUT, *IR_MEASURES]
    for name in UNDERSTOOD:
        names.append(name.removesuffix("k").rstrip("@_"))
    for metric in REGISTRY.values():
        names.append(metric.name)
        names.extend(metric.aliases)
        if metric.has_normalized:
            names.append(f"n{metric.name}")
        if metric.on_page:
            names.extend([metric.on_page, f"n{metric.on_page}"])
    return {name.lower() for name in names}


BEGINNINGS = _beginnings()


def is_measure(name: str) -> bool:
    """Whether a name begins as a measure's does: ``P_10``, ``P(rel=2)@5``, ``RBP.8``."""
    start = re.split(r"[@(]", name.lower())[0]
    without_number = re.sub(r"(_[\d.,+-]+|\.\d+)$", "", start)
    return start in BEGINNINGS or without_number in BEGINNINGS


def are_metrics(names: Iterable[str]) -> bool:
    """Whether names are rather those of metrics than of systems: most, or one with a cut-off."""
    names = list(names)
    measures = [name for name in names if is_measure(name)]
    with_cut_off = [name for name in measures if re.search(r"(@|_|P\.)[0-9]+$", name)]
    return bool(with_cut_off) or 2 * len(measures) > len(names)


def from_trec_eval(name: str) -> str:
    """irstd's name of a measure of trec_eval, BEIR or MTEB; the same name if irstd has no other."""
    with_k = re.fullmatch(r"(\w+[@_])([1-9][0-9]*)", name)
    if with_k:
        ours = UNDERSTOOD.get(f"{with_k[1].lower()}k")
        if ours:
            return ours.replace("@k", f"@{with_k[2]}")
    parts = re.fullmatch(r"(\w+)[_.]([1-9][0-9]*)", name)  # or as its option -m has it: P.10
    if parts and parts[1] in TREC_EVAL_WITH_CUT:
        return f"{TREC_EVAL_WITH_CUT[parts[1]]}@{parts[2]}"
    return TREC_EVAL.get(name, name)


def names_here(
    metrics: Iterable[str], names: str, source: str, argument: str = 'names="page"'
) -> list[str]:
    """The names that metrics of a file have here; `names` is "irstd" or "page"."""
    check_choice(names, ("irstd", "page"), "names")
    metrics = list(metrics)
    if names == "page":
        return [from_page(metric) for metric in metrics]
    of_page = [metric for metric in metrics if is_of_page(metric)]
    if of_page:
        raise ValueError(
            f"{source}: {listed(of_page)} is a name of the page of factors and of irstd before 0.4,"
            f" where DCG and nDCG are those of Jarvelin and Kekalainen: read it with {argument}"
        )
    return metrics


def to_trec_eval(metric: str) -> str | None:
    """trec_eval's name of a metric; None if it computes no such thing."""
    start, at, depth = metric.partition("@")
    if not at:
        return TO_TREC_EVAL.get(metric)
    if start in TO_TREC_EVAL_WITH_CUT:
        return f"{TO_TREC_EVAL_WITH_CUT[start]}_{depth}"
    return None


def from_either(name: str) -> str:
    """irstd's name of a measure of trec_eval or of ir_measures."""
    rbp = re.fullmatch(r"RBP\((?:p=0?\.(\d+),)?rel=1\)", name)  # without rel=1 it has gains
    if rbp:
        return f"RBP.{rbp[1] or 8}"
    start, at, depth = name.partition("@")
    return from_trec_eval(IR_MEASURES.get(start, start) + at + depth)
