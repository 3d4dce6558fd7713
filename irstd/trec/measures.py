"""What trec_eval and ir_measures call the metrics that irstd knows by other names."""

from __future__ import annotations

import re

TREC_EVAL = {
    "map": "AP",
    "recip_rank": "RR",
    "Rprec": "RP",
    "ndcg": "nVDCG",
    "dcg": "VDCG",
    "num_ret": "NumRet",
    "P_": "P@",  # and a cut-off
    "ndcg_cut_": "nVDCG@",
    "recall_": "R@",
    "success_": "Success@",
    "map_cut_": "AP@",
}
OURS = {ours: theirs for theirs, ours in TREC_EVAL.items()} | {"bpref": "bpref"}
IR_MEASURES = {"nDCG": "nVDCG", "Rprec": "RP", "Bpref": "bpref"}

# The beginnings of all names of theirs and ours, by which measures are told from topics.
KNOWN = set(
    "map gm_map recip_rank rprec rprec_mult rndcg ndcg ndcg_rel ndcg_cut dcg p recall success bpref"
    " gm_bpref iprec_at_recall infap map_cut num_q num_ret num_rel num_rel_ret 11pt_avg g bing"
    " num_nonrel_judged_ret relative_p relstring runid set_f set_p set_map set_recall rbp yaap"
    " set_relative_p utility ap err iprec judged mrr numq numrel numrelret numret precision r rr"
    " setap setf setp setr sp vdcg nvdcg rp np".split()
)


def is_measure(name: str) -> bool:
    """Whether a name begins as a measure's does: ``P_10``, ``P(rel=2)@5``, ``RBP.8``."""
    start = re.split(r"[@(]", name.lower())[0]
    return start in KNOWN or re.sub(r"(_[\d.,+-]+|\.\d+)$", "", start) in KNOWN


def from_trec_eval(name: str) -> str:
    """irstd's name of a measure of trec_eval; the same name if irstd has no other."""
    cut = re.fullmatch(r"(\w+)[_.]([1-9][0-9]*)", name)  # or as its option -m has it: P.10
    if cut and f"{cut[1]}_" in TREC_EVAL:
        return TREC_EVAL[f"{cut[1]}_"] + cut[2]
    return TREC_EVAL.get(name, name)


def to_trec_eval(metric: str) -> str | None:
    """trec_eval's name of a metric; None if it computes no such thing."""
    start, at, depth = metric.partition("@")
    return OURS[start + at] + depth if start + at in OURS else None


def from_either(name: str) -> str:
    """irstd's name of a measure of trec_eval or of ir_measures, whose nDCG is nVDCG here."""
    rbp = re.fullmatch(r"RBP\((?:p=0?\.(\d+),)?rel=1\)", name)
    if rbp:
        return f"RBP.{rbp[1] or 8}"
    start, at, depth = name.partition("@")
    return from_trec_eval(IR_MEASURES.get(start, start) + at + depth)
