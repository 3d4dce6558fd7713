"""What trec_eval and ir_measures call the metrics; the names are in irstd/metrics/formulas.py."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from irstd._base.arguments import check_choice
from irstd._base.messages import listed
from irstd.metrics import REGISTRY, from_page, highest_score, is_of_page

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

# What other tools measure and irstd does not know by this name, in any case.
OTHERS = re.compile(
    r"(11pt_avg|accuracy|f1|gm_\w+|hit|hit_rate|hits|infap|iprec\w*|map|mrr|ndcg\w*|num_?\w+|precision"
    r"|recall|rndcg|rprec\w*|set_?(f|map|p|recall|relative_p|r)|utility)([_.][\d.]+)?",
    re.IGNORECASE,
)


def is_measure(name: str) -> bool:
    """Whether a name is that of a metric, here or elsewhere: ``P_10``, ``RBP.8``, ``X@5``."""
    known = not math.isnan(highest_score(from_either(name)))
    with_cut_off = re.search(r"@[0-9]+$", name) is not None
    return known or with_cut_off or is_of_page(name) or OTHERS.fullmatch(name) is not None


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
            f"{source}: {listed(of_page, 2)} is a name of the page of factors and of irstd before"
            f" 0.4, where DCG is JDCG: read it with {argument}"
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
