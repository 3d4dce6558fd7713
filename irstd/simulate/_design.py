"""Parameters of the simulated campaigns; `irstd.simulate._model` says what they do.

Fitted to published statistics of the TREC collections, see `irstd.simulate.simulate_campaign`.
"""

from __future__ import annotations

from dataclasses import dataclass


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
    run_topic_sd: float  # h
    run_sd: float  # e
    non_relevant: float  # M


@dataclass(frozen=True, kw_only=True)
class Design:
    """Parameters of a campaign; a collection without systems of its own has the later ones."""

    later: SystemModel
    collections: dict[str, tuple[TopicModel, SystemModel | None]]
    documents: DocumentModel


AD_HOC_TOPICS = {
    "log_relevant": 4.50,
    "log_relevant_sd": 1.33,
    "least_relevant": 8,
    "slope": 0.68,
    "separation_skew": 0.28,
}
ROBUST_TOPICS = {
    "log_relevant": 3.76,
    "log_relevant_sd": 1.10,
    "least_relevant": 5,
    "slope": 0.65,
    "separation_skew": 0.28,
}
AD_HOC_SYSTEMS = {"skew": 1.30, "run_sd": 0.09, "manual_groups": 9}

DESIGNS = {
    "wmz08": Design(
        collections={
            "sim-trec7": (
                TopicModel(first=351, separation=3.03, separation_sd=0.30, **AD_HOC_TOPICS),
                SystemModel(
                    prefix="t7orig",
                    systems=103,
                    groups=40,
                    mean=0.08,
                    sd=0.13,
                    manual_bonus=0.07,
                    **AD_HOC_SYSTEMS,
                ),
            ),
            "sim-trec8": (
                TopicModel(first=401, separation=3.09, separation_sd=0.48, **AD_HOC_TOPICS),
                SystemModel(
                    prefix="t8orig",
                    systems=129,
                    groups=41,
                    mean=0.11,
                    sd=0.17,
                    manual_bonus=0.10,
                    **AD_HOC_SYSTEMS,
                ),
            ),
            "sim-robust2003": (
                TopicModel(first=601, separation=3.39, separation_sd=0.33, **ROBUST_TOPICS),
                SystemModel(
                    prefix="r3orig",
                    systems=78,
                    groups=16,
                    mean=0.17,
                    sd=0.125,
                    skew=1.10,
                    run_sd=0.08,
                ),
            ),
            "sim-robust2004": (
                TopicModel(first=651, separation=3.31, separation_sd=0.36, **ROBUST_TOPICS),
                None,
            ),
        },
        later=SystemModel(
            prefix="late", systems=110, groups=15, mean=0.145, sd=0.17, skew=0.58, run_sd=0.07
        ),
        documents=DocumentModel(
            sd=1.12,
            skew=0.79,
            sd_spread=0.36,
            hidden=0.28,
            hidden_loss=0.88,
            manual_correlation=0.49,
            group_sd=0.41,
            group_topic_sd=0.17,
            run_topic_sd=0.21,
            run_sd=0.33,
            non_relevant=5e5,
        ),
    )
}
