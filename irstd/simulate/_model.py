"""The model behind `simulate_campaign`: topics, systems, and the ranks of relevant documents.

Four collections of 50 topics are modelled on TREC-7, TREC-8 and the Robust tracks of 2003 and 2004:
each has original systems, whose runs form the judgment pool, and on each the 110 later systems are
run, which in the last collection are the original ones.

Relevant document d of topic t scores, in system s of group k,

    x = separation_t + slope_s (separation_t - mean) + quality_s + move_s + u_td + v_kd
        + S(volatility_s (g_kt + l_k . f_t)) + noise_s (h_st + e_sd) - failure_st

where `u_td` is how easily any system finds the document, `v_kd` and `g_kt` how the group's method
suits the document and the topic, `f_t` two traits of the topic and `l_k` what they mean to the
group, and `h_st`, `e_sd` belong to the run. Non-relevant documents score
N(0, 1), as in the binormal model of signal detection, and there are M of them, so that M Phi(-x)
are expected above x. How many there really are is a Poisson process along x: drawn between each
relevant document and the next, it gives the ranks of the relevant documents, and no non-relevant
document need be drawn.

* Easy to find: `u_td = w_t S(z)`, less a constant for the "hidden" share of the documents, with the
  long left tail of `S(z) = (1 - exp(-a z)) / a`. Manual groups have a document effect of their own,
  correlated with that of the others, and nothing is hidden from them: they find other documents.
* Topics: the number of relevant documents is log-normal, and topics with many are harder, so that
  P@10 hardly follows it. Numbers, separations and the qualities of groups are the quantiles of
  their distribution in random order: plain draws would make the seeds differ more. New topics are
  plain draws, unless asked for otherwise.
* Systems: `quality_s = mean + sd S(z_k) + run_sd z_s`, and a bonus for manual runs.
* Volatility: a number of each run, log-normal, that goes with it to all collections, in part its
  group's. `S` has a left tail, so that the volatile lose more on some topics than they gain on
  others.
* Frailty: a normal score of each run, half of its variance its own, half its group's. `slope_s`
  goes with it, so that the frail lose more on hard topics.
* Failures: with the chance `failures exp(-z_k)`, times a factor that grows with its frailty, a run
  of a group of quality `z_k` fails on a topic, and loses an amount that is exponential and the
  same for all runs of the group that fail. (In the older designs the chance is the group's, and a
  share `failing_runs` of its runs fail.)
* Moves: in each collection, the quality of a later system is a little higher or lower.
* Judgments: the first run of each original group is pooled to depth 100. A relevant document that
  is not in the pool is not known, and counts as non-relevant in all scores, as in TREC.
* Which non-relevant documents a run holds matters to files and pools only: it draws them from
  5,000 candidates a topic without replacement, the j-th with weight `j ** -CANDIDATE_POWER`.

The parameters are in `wmz08.toml`. `SALT` makes seed 0 a well-chosen one.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import ndtr, ndtri

from irstd._base.arguments import check_count
from irstd.simulate._design import Parameters

SALT = 10
TOPICS = 50
RUN_LENGTH = 1000
POOL_DEPTH = 100
LEAST_KNOWN = 4  # relevant documents; a topic with fewer is drawn again, a little easier
CANDIDATES = 5000
CANDIDATE_POWER = 0.87
LEANINGS = ["leaning_1", "leaning_2"]  # of groups to kinds of topics
OUT_OF_REACH = 2000.0  # with that many others expected above it, a document is not retrieved


def seed_number(seed: int | np.random.Generator) -> int:
    """The seed itself, or one that the generator draws."""
    if isinstance(seed, np.random.Generator):
        return int(seed.integers(2**31))
    return check_count(seed, "seed", minimum=0)


def skewed(z: np.ndarray, a: float) -> np.ndarray:
    """Give normal scores a long left tail: S(z) = (1 - exp(-a z)) / a."""
    return -np.expm1(-a * z) / a


def log_normal(z: np.ndarray, sd: float) -> np.ndarray:
    """Turn normal scores into factors: their mean is 1, and their log has this sd."""
    return np.exp(sd * z - sd**2 / 2)


def normal_quantiles(rng: np.random.Generator, n: int) -> np.ndarray:
    """The midpoint quantiles of the normal distribution, in random order."""
    return rng.permutation(ndtri((np.arange(n) + 0.5) / n))


# How the topics of a collection may be drawn.
DRAWS: dict[str, Callable[..., np.ndarray]] = {
    "random": np.random.Generator.standard_normal,
    "dealt": normal_quantiles,
}


def draw_systems(rng: np.random.Generator, p: Parameters) -> pd.DataFrame:
    """Systems dealt evenly to groups; the manual groups are spread over the best two thirds."""
    group = np.sort(np.arange(p.systems) % p.groups)
    run = np.arange(p.systems) - np.searchsorted(group, group)
    z = normal_quantiles(rng, p.groups)
    best = np.argsort(-z)[: 2 * p.groups // 3]
    manual = np.zeros(p.groups, bool)
    manual[best[np.linspace(0, len(best) - 1, p.manual_groups).astype(int)]] = True
    quality = p.mean + p.sd * skewed(z, p.skew) + p.manual_bonus * manual
    volatility = np.exp(p.volatility_sd * normal_quantiles(rng, p.groups))
    leanings = rng.standard_normal((len(LEANINGS), p.groups))[:, group]
    own_quality = rng.standard_normal(p.systems)
    own_volatility = normal_quantiles(rng, p.systems)
    own_frailty = normal_quantiles(rng, p.systems)
    group_frailty = normal_quantiles(rng, p.groups)
    frailty = (own_frailty + group_frailty[group]) / np.sqrt(2)
    failures = p.failures * np.exp(-z)[group] * log_normal(frailty, p.failures_sd)
    names = [f"{p.prefix}{k + 1:02d}" for k in group]
    systems = [f"{name}{chr(ord('a') + r)}" for name, r in zip(names, run, strict=True)]
    return pd.DataFrame(
        {
            "group": names,
            "manual": manual[group],
            "pooled": run == 0,
            "quality": quality[group] + p.run_sd * own_quality,
            "volatility": volatility[group] * np.exp(p.run_volatility_sd * own_volatility),
            "failures": np.minimum(failures, 1),
            "slope": p.slope_sd * frailty,
            "noise": p.noise,
            **dict(zip(LEANINGS, leanings, strict=True)),
        },
        index=pd.Index(systems, name="system"),
    )


def draw_ranks(rng, relevant: int, level: np.ndarray, of, p: Parameters) -> np.ndarray:
    """Ranks of the relevant documents of a topic (systems x documents).

    By how far these stand out in each system (`level`), and other traits of the systems (`of`).
    """
    group, here, groups = of["group"], len(of["group"]), of["group"].max() + 1
    r = p.manual_correlation
    normal = rng.standard_normal
    w = p.sd * log_normal(normal(), p.sd_spread)
    z, other = normal((2, relevant))
    easy = w * skewed(z, p.skew) - p.hidden_loss * (rng.random(relevant) < p.hidden)
    manual = w * skewed(r * z + np.sqrt(1 - r**2) * other, p.skew)
    suits = p.group_topic_sd * normal((groups, 1))[group]
    suits += p.factor_sd * of["leanings"] @ normal((len(LEANINGS), 1))
    fails = (rng.random((groups, 1))[group] < of["failures"]) & (
        rng.random((here, 1)) < p.failing_runs
    )
    x = level + np.where(of["manual"], manual, easy)
    x += p.group_sd * normal((groups, relevant))[group] + skewed(of["volatility"] * suits, p.tail)
    x += of["noise"] * (p.run_topic_sd * normal((here, 1)) + p.run_sd * normal((here, relevant)))
    x -= fails * p.failure_loss * rng.standard_exponential((groups, 1))[group]

    order = np.argsort(-x, axis=1)
    above = np.minimum(p.non_relevant * ndtr(-np.take_along_axis(x, order, 1)), OUT_OF_REACH)
    others = rng.poisson(np.diff(above, axis=1, prepend=0.0)).cumsum(axis=1)
    ranks = np.empty(x.shape, np.int16)
    places = np.minimum(others + np.arange(1, relevant + 1), np.iinfo(np.int16).max)
    np.put_along_axis(ranks, order, places, 1)
    return ranks


def draw_collection(
    name: str, key: tuple, p: Parameters, systems, documents: Parameters, names: list[str], draw
) -> Truth:
    """Topics of these names, and the ranks of their relevant documents in all systems."""
    rng = np.random.default_rng(key)
    number, apart = DRAWS[draw](rng, len(names)), DRAWS[draw](rng, len(names))
    relevant = np.exp(p.log_relevant + p.log_relevant_sd * number).round().astype(int)
    relevant = np.maximum(relevant, p.least_relevant)
    separation = p.separation + p.separation_sd * skewed(apart, p.separation_skew)
    separation -= p.slope * number
    of = {name: column.to_numpy()[:, None] for name, column in systems.items()}
    of |= {"group": pd.factorize(systems["group"])[0], "leanings": systems[LEANINGS].to_numpy()}
    ranks, pooled = [], systems["pooled"].to_numpy()
    for topic in range(len(names)):
        # A stream of its own: a change to one topic leaves the others as they are.
        rng = np.random.default_rng([*key, 0, topic])
        while True:
            slant = of["slope"] * (separation[topic] - p.separation)
            level = separation[topic] + slant + of["quality"] + of["move"]
            drawn = draw_ranks(rng, relevant[topic], level, of, documents)
            if (drawn[pooled].min(axis=0) <= POOL_DEPTH).sum() >= LEAST_KNOWN:
                break
            separation[topic] += 0.1
        ranks.append(drawn)
    topics = pd.DataFrame(
        {"separation": separation, "true_relevant": relevant}, pd.Index(names, name="topic")
    )
    return Truth(name, topics, systems, np.hstack(ranks), key, p, documents)


def draw_campaign(design: Parameters, key: tuple[int, ...]) -> Iterator[Truth]:
    """All collections of a campaign, with the same later systems."""
    later = draw_systems(np.random.default_rng([*key, 0]), design.later)
    for c, (name, (topics, own)) in enumerate(design.collections.items(), 1):
        moves = design.later.move_sd * normal_quantiles(
            np.random.default_rng([*key, c, 3]), len(later)
        )
        systems = later.assign(original=own is None, later=True, move=moves)
        if own is not None:
            original = draw_systems(np.random.default_rng([*key, c, 1]), own)
            original = original.assign(original=True, later=False, move=0.0)
            systems = pd.concat([original, systems.assign(pooled=False)])
        names = [str(topics.first + topic) for topic in range(TOPICS)]
        yield draw_collection(name, (*key, c), topics, systems, design.documents, names, "dealt")


@dataclass(frozen=True, eq=False)
class Truth:
    """What a collection is before anything is judged, shared by all pools that judge it."""

    name: str
    topics: pd.DataFrame  # separation, true_relevant
    systems: pd.DataFrame  # those of `draw_systems`, original, later
    ranks: np.ndarray  # systems x relevant documents, those of a topic side by side
    key: tuple[int, ...]  # seeds what is drawn only when it is needed
    model: Parameters
    documents: Parameters

    def more_topics(self, n: int, draw: str, seed: int) -> Truth:
        """The same systems on `n` new topics of the same kind."""
        names, key = [f"new{seed}-{i + 1}" for i in range(n)], (*self.key, 2, seed)
        kind = self.model, self.systems, self.documents
        return draw_collection(self.name, key, *kind, names, draw)

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

    def by_rank(self, system: int, documents: np.ndarray | slice, values=1) -> np.ndarray:
        """`values` of relevant documents at their ranks (topics x ranks), 0 elsewhere."""
        found = np.zeros((len(self.topics), RUN_LENGTH + 1), np.result_type(np.int8, values))
        ranks = np.minimum(self.ranks[system, documents], RUN_LENGTH + 1)
        found[self.topic_of[documents], ranks - 1] = values
        return found[:, :RUN_LENGTH]

    def run(self, system: int) -> np.ndarray:
        """Numbers of the documents that a system retrieves (topics x ranks)."""
        relevant, others = self.labels
        labels = self.by_rank(system, slice(None), relevant + 1) - 1
        free = labels < 0
        ordered = np.take_along_axis(others, self.preference(system), 1)
        labels[free] = np.take_along_axis(ordered, free.cumsum(axis=1) - 1, 1)[free]
        return labels

    def frame(self, topic: np.ndarray, labels: np.ndarray) -> pd.DataFrame:
        """Documents as the first two columns of a run or qrels frame."""
        topics = self.topics.index.to_numpy()[topic]
        pairs = zip(topics, labels, strict=True)
        documents = [f"sim{topic}-{label:04d}" for topic, label in pairs]
        return pd.DataFrame({"query_id": topics, "doc_id": documents})
