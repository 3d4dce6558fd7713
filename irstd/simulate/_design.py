"""What the parameters of a simulated campaign are; `irstd.simulate._model` says what they do.

Their values are in a file of the design's name beside this one, such as `wmz08.toml`.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class TopicModel:
    """Parameters of the topics of a collection."""

    first: int  # number of the first topic
    log_relevant: float  # natural log of the number of relevant documents: mean and sd
    log_relevant_sd: float
    least_relevant: int
    separation: float  # mean, sd and a of S
    separation_sd: float
    separation_skew: float
    slope: float  # loss of separation with one sd of the log number


@dataclass(frozen=True, kw_only=True)
class SystemModel:
    """Parameters of a set of systems."""

    prefix: str  # of their names
    systems: int
    groups: int
    mean: float  # quality: mean, sd between groups and a of S
    sd: float
    skew: float
    run_sd: float  # between runs of a group
    noise: float  # of single runs, beside that of other sets of systems
    volatility_sd: float  # of its log, between groups
    failures: float  # chance that a group of middling quality fails on a topic
    manual_groups: int = 0
    manual_bonus: float = 0.0


@dataclass(frozen=True, kw_only=True)
class DocumentModel:
    """Parameters of relevant documents, and of what groups and runs make of them."""

    sd: float  # u: mean of w, a of S, spread of w over topics
    skew: float
    sd_spread: float
    hidden: float  # share, and its loss
    hidden_loss: float
    manual_correlation: float
    group_sd: float  # v
    group_topic_sd: float  # g
    factor_sd: float  # f
    tail: float  # a of S
    run_topic_sd: float  # h
    run_sd: float  # e
    failure_loss: float  # of a group that fails, on average
    failing_runs: float  # share of its runs that fail with it
    non_relevant: float  # M


@dataclass(frozen=True, kw_only=True)
class Design:
    """Parameters of a campaign; a collection without systems of its own has the later ones."""

    later: SystemModel
    collections: dict[str, tuple[TopicModel, SystemModel | None]]
    documents: DocumentModel


def read_design(name: str) -> Design:
    """Read a design from its file."""
    values = tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text(encoding="utf-8"))
    collections = {}
    for collection, part in values["collections"].items():
        own = SystemModel(**part["systems"]) if "systems" in part else None
        collections[collection] = TopicModel(**part["topics"]), own
    later, documents = SystemModel(**values["later"]), DocumentModel(**values["documents"])
    return Design(later=later, collections=collections, documents=documents)
