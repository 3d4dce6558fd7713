"""The name of a metric taken apart: ``nP(rel=2)@10`` is P at 10, normalized, of grades from 2."""

from __future__ import annotations

import re
from dataclasses import dataclass

from irstd.metrics.formulas import METRICS
from irstd.metrics.registry import NEEDED, NEVER, REGISTRY, Metric

NAME = re.compile(
    r"(?P<start>[A-Za-z]+?)(?P<p>\.[0-9]+)?"
    r"(?:\(rel=(?P<level>[1-9][0-9]{0,8})\))?(?:@(?P<k>[1-9][0-9]{0,8}))?"
)
ANY_NAME = re.compile(  # as people and other tools write them
    r"(?P<start>[A-Za-z][A-Za-z_-]*?)(?:_cut|_at)?(?P<p>\.[0-9]+)?(?:[@_]?(?P<k>[1-9][0-9]*))?"
)


@dataclass(frozen=True)
class MetricName:
    """The parts of the name of a metric."""

    metric: Metric
    argument: tuple[float, ...]  # the cut-off or the persistence, if it has one
    normalized: bool
    level: int | None  # the lowest grade that is relevant, if the name says so


def parse_metric(name: str) -> MetricName:
    """The parts of the name of a metric; ValueError if it is none."""
    parts = NAME.fullmatch(name)
    if parts:
        start = parts["start"]
        metric = REGISTRY.get(start)
        normalized = False
        if metric is None and start.startswith("n"):
            metric = REGISTRY.get(start.removeprefix("n"))
            normalized = True
        if metric and _is_allowed(metric, parts, normalized):
            level = None
            if parts["level"]:
                level = int(parts["level"])
            if parts["p"] and float(parts["p"]) == 1:
                raise ValueError(f"{name}: the persistence rounds to 1, and scores to 0")
            return MetricName(metric, _argument(metric, parts), normalized, level)
        refuse_former(name)
    raise ValueError(
        f"unknown metric {name[:40]!r}{_hint(name)} help(irstd.evaluate) lists all, as"
        f" {', '.join(METRICS)}, nP@20, AP(rel=2)"
    )


def from_page(name: str) -> str:
    """The name of a metric that the page of factors, or irstd before 0.4, calls so."""
    parts = re.match(r"(?P<n>n?)(?P<start>[A-Za-z]+)(?P<rest>.*)", name)
    if parts:
        for metric in REGISTRY.values():
            if parts["start"] == metric.on_page:
                return f"{parts['n']}{metric.name}{parts['rest']}"
    return name


def is_of_page(name: str) -> bool:
    """Whether nothing but the page of factors, and irstd before 0.4, calls a metric so."""
    start = re.split(r"[^A-Za-z]", name)[0]
    return from_page(name) != name and start.removeprefix("n") not in REGISTRY


def refuse_former(name: str) -> None:
    """Raise if it is a name of before irstd 0.4."""
    if is_of_page(name):
        new = from_page(name)
        raise ValueError(
            f"{name} is called {new} since irstd 0.4, as in trec_eval; what was {new} before,"
            f" Jarvelin and Kekalainen's, is {from_page(new)}"
        )


def _is_allowed(metric: Metric, parts: re.Match, normalized: bool) -> bool:
    """Whether a metric has the parts that a name has, and the name those that it must have."""
    if parts["k"] and metric.cut_off == NEVER:
        return False
    if not parts["k"] and metric.cut_off == NEEDED:
        return False
    if bool(parts["p"]) != metric.has_persistence:
        return False
    if parts["level"] and not metric.has_level:
        return False
    return metric.has_normalized or not normalized


def _argument(metric: Metric, parts: re.Match) -> tuple[float, ...]:
    """What the function of the metric gets beside the ranking."""
    if metric.gets_level and parts["level"]:
        return (int(parts["level"]),)
    if parts["k"]:
        return (int(parts["k"]),)
    if parts["p"]:
        return (float(parts["p"]),)
    return ()


def _spellings() -> dict[str, str]:
    """What may be meant by a name, both without cut-off, that in letters of lower case alone."""
    spellings = {}
    for metric in REGISTRY.values():
        for theirs, ours in [*metric.trec_eval.items(), *metric.understood.items()]:
            plain = re.sub(r"(_cut|_at)?[_@]k$", "", theirs.lower())
            spellings[plain.replace("_", "")] = ours.partition("@")[0]
        for alias in metric.aliases:
            spellings[alias] = metric.name
    for name, metric in REGISTRY.items():  # last: ours go before theirs
        if metric.has_normalized:
            spellings[f"n{name.lower()}"] = f"n{name}"
        spellings[name.lower()] = name
    return spellings


def _hint(name: str) -> str:
    """What may be meant by a name that is none, as part of a sentence."""
    if name.lower() in ("gm_map", "gmap", "gm_ap"):
        return ': the geometric mean of AP is irstd.gmap(scores["AP"]);'
    level = "".join(re.findall(r"\(rel=[1-9][0-9]*\)", name)[:1])
    plain = re.sub(r"\(p=0?(\.[0-9]+)\)", r"\1", name.replace(level, ""))  # as ir_measures
    parts = ANY_NAME.fullmatch(plain)
    meant = parts and _spellings().get(re.sub("[_-]", "", parts["start"]).lower())
    if not parts or not meant:
        return ";"
    metric = REGISTRY[meant if meant in REGISTRY else meant.removeprefix("n")]
    p = parts["p"] or (".95" if metric.has_persistence else "")
    k = parts["k"] or ("10" if metric.cut_off == NEEDED else "")
    meant += p + level + (k and f"@{k}")
    if meant == name:
        return ";"
    return f": did you mean {meant!r}?"
