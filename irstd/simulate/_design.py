"""Parameters of the simulated campaigns; `irstd.simulate._model` says what they do.

Fitted to published statistics of the TREC collections, see `irstd.simulate.simulate_campaign`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial


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


AD_HOC_TOPICS = partial(
    TopicModel,
    log_relevant=4.47,
    log_relevant_sd=1.33,
    least_relevant=8,
    slope=0.68,
    separation_skew=0.25,
)
ROBUST_TOPICS = partial(
    TopicModel,
    log_relevant=3.805,
    log_relevant_sd=1.1,
    least_relevant=5,
    slope=0.65,
    separation_skew=0.231,
)
AD_HOC_SYSTEMS = partial(
    SystemModel,
    skew=1.58,
    run_sd=0.102,
    noise=1.0,
    volatility_sd=0.235,
    failures=0.0074,
    manual_groups=9,
)

DESIGNS = {
    "wmz08": Design(
        collections={
            "sim-trec7": (
                AD_HOC_TOPICS(first=351, separation=3.057, separation_sd=0.33),
                AD_HOC_SYSTEMS(
                    prefix="t7orig", systems=103, groups=40, mean=0.006, sd=0.108, manual_bonus=0.07
                ),
            ),
            "sim-trec8": (
                AD_HOC_TOPICS(first=401, separation=3.113, separation_sd=0.46),
                AD_HOC_SYSTEMS(
                    prefix="t8orig", systems=129, groups=41, mean=0.108, sd=0.136, manual_bonus=0.11
                ),
            ),
            "sim-robust2003": (
                ROBUST_TOPICS(first=601, separation=3.4, separation_sd=0.271),
                SystemModel(
                    prefix="r3orig",
                    systems=78,
                    groups=16,
                    mean=0.068,
                    sd=0.182,
                    skew=0.775,
                    run_sd=0.056,
                    noise=0.88,
                    volatility_sd=0.235,
                    failures=0.0085,
                ),
            ),
            "sim-robust2004": (
                ROBUST_TOPICS(first=651, separation=3.398, separation_sd=0.42),
                None,
            ),
        },
        later=SystemModel(
            prefix="late",
            systems=110,
            groups=15,
            mean=0.083,
            sd=0.137,
            skew=1.067,
            run_sd=0.052,
            noise=0.62,
            volatility_sd=0.26,
            failures=0.0095,
        ),
        documents=DocumentModel(
            sd=1.357,
            skew=0.867,
            sd_spread=0.36,
            hidden=0.28,
            hidden_loss=0.88,
            manual_correlation=0.49,
            group_sd=0.479,
            group_topic_sd=0.213,
            factor_sd=0.075,
            tail=2.021,
            run_topic_sd=0.119,
            run_sd=0.25,
            failure_loss=2.5,
            failing_runs=0.383,
            non_relevant=5e5,
        ),
    )
}
