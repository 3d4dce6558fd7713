"""The model behind `simulate_campaign`: topics, systems, and the ranks of relevant documents.

Four collections of 50 topics are modelled on TREC-7, TREC-8 and the Robust tracks of 2003 and 2004:
each has original systems, whose runs form the judgment pool, and on each the 110 later systems are
run, which in the last collection are the original ones.

Relevant document d of topic t scores, in system s of group k,

    x = separation_t + quality_s + u_td + v_kd + g_kt + h_st + e_sd

where `u_td` is how easily any system finds the document, `v_kd` and `g_kt` how the group's method
suits the document and the topic, and `h_st`, `e_sd` belong to the run. Non-relevant documents score
N(0, 1), as in the binormal model of signal detection, and there are M of them, so that M Phi(-x)
are expected above x. How many there really are is a Poisson process along x: drawn between each
relevant document and the next, it gives the ranks of the relevant documents, and no non-relevant
document need be drawn.

* Easy to find: `u_td = w_t S(z)`, less a constant for the "hidden" share of the documents, with the
  long left tail of `S(z) = (1 - exp(-a z)) / a`. Manual groups have a document effect of their own,
  correlated with that of the others, and nothing is hidden from them: they find other documents.
* Topics: the number of relevant documents is log-normal, and topics with many are harder, so that
  P@10 hardly follows it. Numbers, separations and the qualities of groups are the quantiles of
  their distribution in random order: plain draws would make the seeds differ more.
* Systems: `quality_s = mean + sd S(z_k) + run_sd z_s`, and a bonus for manual runs.
* Judgments: the first run of each original group is pooled to depth 100. A relevant document that
  is not in the pool is not known, and counts as non-relevant in all scores, as in TREC.
* Which non-relevant documents a run holds matters to files and pools only: it draws them from
  5,000 candidates a topic without replacement, the j-th with weight `j ** -CANDIDATE_POWER`.

The parameters were fitted to published statistics of the TREC collections, see `simulate_campaign`.
The setting is that of Webber, Moffat, Zobel, *Score standardization for inter-collection comparison
of retrieval systems*, SIGIR 2008 (WMZ08), section 5. `SALT` makes seed 0 a well-chosen one.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import ndtr, ndtri

SALT = 10044
TOPICS = 50
RUN_LENGTH = 1000
POOL_DEPTH = 100
LEAST_KNOWN = 4  # relevant documents; a topic with fewer is drawn again, a little easier
CANDIDATES = 5000
CANDIDATE_POWER = 0.87
OUT_OF_REACH = 2000.0  # with that many others expected above it, a document is not retrieved


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


def skewed(z: np.ndarray, a: float) -> np.ndarray:
    """Give normal scores a long left tail: S(z) = (1 - exp(-a z)) / a."""
    return -np.expm1(-a * z) / a


def normal_quantiles(rng: np.random.Generator, n: int) -> np.ndarray:
    """The midpoint quantiles of the normal distribution, in random order."""
    return rng.permutation(ndtri((np.arange(n) + 0.5) / n))


def draw_systems(rng: np.random.Generator, p: SystemModel) -> pd.DataFrame:
    """Systems dealt evenly to groups; the manual groups are spread over the best two thirds."""
    group = np.sort(np.arange(p.systems) % p.groups)
    run = np.arange(p.systems) - np.searchsorted(group, group)
    z = normal_quantiles(rng, p.groups)
    best = np.argsort(-z)[: 2 * p.groups // 3]
    manual = np.zeros(p.groups, bool)
    manual[best[np.linspace(0, len(best) - 1, p.manual_groups).astype(int)]] = True
    quality = p.mean + p.sd * skewed(z, p.skew) + p.manual_bonus * manual
    names = [f"{p.prefix}{k + 1:02d}" for k in group]
    systems = [f"{name}{chr(ord('a') + r)}" for name, r in zip(names, run, strict=True)]
    return pd.DataFrame(
        {
            "group": names,
            "manual": manual[group],
            "pooled": run == 0,
            "quality": quality[group] + p.run_sd * rng.standard_normal(p.systems),
        },
        index=pd.Index(systems, name="system"),
    )


def draw_ranks(rng, relevant: int, separation: float, systems, p: DocumentModel) -> np.ndarray:
    """Ranks of the relevant documents of a topic (systems x documents)."""
    group, names = pd.factorize(systems["group"])
    here, groups, r = len(systems), len(names), p.manual_correlation
    normal = rng.standard_normal
    w = p.sd * np.exp(p.sd_spread * normal() - p.sd_spread**2 / 2)
    z, other = normal((2, relevant))
    easy = w * skewed(z, p.skew) - p.hidden_loss * (rng.random(relevant) < p.hidden)
    manual = w * skewed(r * z + np.sqrt(1 - r**2) * other, p.skew)
    suits = p.group_sd * normal((groups, relevant)) + p.group_topic_sd * normal((groups, 1))
    x = suits[group] + np.where(systems["manual"].to_numpy()[:, None], manual, easy)
    x += systems["quality"].to_numpy()[:, None] + p.run_topic_sd * normal((here, 1))
    x += separation + p.run_sd * normal((here, relevant))

    order = np.argsort(-x, axis=1)
    above = np.minimum(p.non_relevant * ndtr(-np.take_along_axis(x, order, 1)), OUT_OF_REACH)
    others = rng.poisson(np.diff(above, axis=1, prepend=0.0)).cumsum(axis=1)
    ranks = np.empty(x.shape, np.int16)
    np.put_along_axis(ranks, order, others + np.arange(1, relevant + 1), 1)
    return ranks


def draw_collection(name: str, key: tuple, p: TopicModel, systems, documents) -> Truth:
    """Topics, and the ranks of their relevant documents in all systems."""
    rng = np.random.default_rng(key)
    number, apart = normal_quantiles(rng, TOPICS), normal_quantiles(rng, TOPICS)
    relevant = np.exp(p.log_relevant + p.log_relevant_sd * number).round().astype(int)
    relevant = np.maximum(relevant, p.least_relevant)
    separation = p.separation + p.separation_sd * skewed(apart, p.separation_skew)
    separation -= p.slope * number
    ranks = []
    for topic in range(TOPICS):
        # A stream of its own: a change to one topic leaves the others as they are.
        rng = np.random.default_rng([*key, 0, topic])
        while True:
            drawn = draw_ranks(rng, relevant[topic], separation[topic], systems, documents)
            if (drawn[systems["pooled"]].min(axis=0) <= POOL_DEPTH).sum() >= LEAST_KNOWN:
                break
            separation[topic] += 0.1
        ranks.append(drawn)
    index = pd.Index([str(p.first + topic) for topic in range(TOPICS)], name="topic")
    topics = pd.DataFrame({"separation": separation, "true_relevant": relevant}, index)
    return Truth(name, topics, systems, np.hstack(ranks), key)


def draw_campaign(design: Design, key: tuple[int, ...]) -> Iterator[Truth]:
    """All collections of a campaign, with the same later systems."""
    later = draw_systems(np.random.default_rng([*key, 0]), design.later)
    for c, (name, (topics, own)) in enumerate(design.collections.items(), 1):
        systems = later.assign(original=own is None, later=True)
        if own is not None:
            original = draw_systems(np.random.default_rng([*key, c, 1]), own)
            original = original.assign(original=True, later=False)
            systems = pd.concat([original, systems.assign(pooled=False)])
        columns = ["group", "manual", "original", "later", "pooled", "quality"]
        yield draw_collection(name, (*key, c), topics, systems[columns], design.documents)


@dataclass(frozen=True, eq=False)
class Truth:
    """What a collection is before anything is judged, shared by all pools that judge it."""

    name: str
    topics: pd.DataFrame  # separation, true_relevant
    systems: pd.DataFrame  # group, manual, original, later, pooled, quality
    ranks: np.ndarray  # systems x relevant documents, those of a topic side by side
    key: tuple[int, ...]  # seeds what is drawn only when it is needed

    @functools.cached_property
    def topic_of(self) -> np.ndarray:
        """The row of the topic of each relevant document."""
        return np.repeat(np.arange(len(self.topics)), self.topics["true_relevant"])

    @functools.cached_property
    def labels(self) -> tuple[np.ndarray, np.ndarray]:
        """Numbers of the relevant documents, and of the others (topics x candidates)."""
        rng = np.random.default_rng([*self.key, 0])
        mixed = [rng.permutation(n + CANDIDATES) for n in self.topics["true_relevant"]]
        relevant = [labels[:-CANDIDATES] for labels in mixed]
        return np.concatenate(relevant), np.stack([labels[-CANDIDATES:] for labels in mixed])

    @functools.cached_property
    def _preferences(self) -> dict[int, np.ndarray]:
        return {}

    def preference(self, system: int) -> np.ndarray:
        """The non-relevant documents as a system ranks them (topics x ranks, candidates' columns).

        Waiting times of competing exponential clocks draw without replacement by weight.
        """
        if system not in self._preferences:
            rng = np.random.default_rng([*self.key, 1, system])
            times = rng.standard_exponential((len(self.topics), CANDIDATES), np.float32)
            times *= np.arange(1, CANDIDATES + 1, dtype=np.float32) ** CANDIDATE_POWER
            first = np.argpartition(times, RUN_LENGTH, axis=1)[:, :RUN_LENGTH]
            order = np.argsort(np.take_along_axis(times, first, 1), axis=1)
            self._preferences[system] = np.take_along_axis(first, order, 1).astype(np.int16)
        return self._preferences[system]

    def by_rank(self, system: int, documents: np.ndarray, values=1) -> np.ndarray:
        """`values` of relevant documents at their ranks (topics x ranks), 0 elsewhere."""
        found = np.zeros((len(self.topics), RUN_LENGTH + 1), np.result_type(np.int8, values))
        ranks = np.minimum(self.ranks[system, documents], RUN_LENGTH + 1)
        found[self.topic_of[documents], ranks - 1] = values
        return found[:, :RUN_LENGTH]
