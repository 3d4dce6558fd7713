"""Model of `simulate_campaign`: topics, systems and ranks of relevant documents.

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
  plain draws.
* Systems: `quality_s = mean + sd S(z_k) + run_sd z_s`, and a bonus for manual runs.
* Volatility: a number of each run, log-normal, that goes with it to all collections, in part its
  group's. `S` has a left tail, so that the volatile lose more on some topics than they gain on
  others.
* Frailty: a normal score of each run, half of its variance its own, half its group's. `slope_s`
  goes with it, so that the frail lose more on hard topics.
* Failures: with the chance `failures exp(-z_k)`, times a factor that grows with its frailty, a run
  of a group of quality `z_k` fails on a topic, and loses an amount that is exponential and the
  same for all runs of the group that fail.
* Moves: in each collection, the quality of a later system is a little higher or lower.
* Judgments: the first run of each original group is pooled to depth 100. A relevant document that
  is not in the pool is not known, and counts as non-relevant in all scores, as in TREC.
* Which non-relevant documents a run holds matters to files and pools only: it draws them from
  5,000 candidates a topic without replacement, the j-th with weight `j ** -CANDIDATE_POWER`.

The parameters, `p` below, are in `wmz08.toml`, and `_design` says what each is. `SALT` makes seed 0
a well-chosen one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from string import ascii_lowercase

import numpy as np
import pandas as pd
import scipy

from irstd._base.arguments import Seed, check_count
from irstd.simulate._design import Parameters
from irstd.simulate._truth import Truth

SALT = 10
TOPICS = 50
POOL_DEPTH = 100
LEAST_KNOWN = 4  # relevant documents; a topic with fewer is drawn again, a little easier
LEANINGS = ["leaning_1", "leaning_2"]  # of groups to kinds of topics
OUT_OF_REACH = 2000.0  # with that many others expected above it, a document is not retrieved
LAST_RANK = np.iinfo(np.int16).max


def seed_number(seed: Seed) -> int:
    """Return the seed, or a number drawn from the generator."""
    if isinstance(seed, np.random.Generator):
        return int(seed.integers(2**31))
    return check_count(seed, "seed", minimum=0)


def skewed(z: np.ndarray, a: float) -> np.ndarray:
    """Skew normal scores to the left: S(z) = (1 - exp(-a z)) / a."""
    return -np.expm1(-a * z) / a


def log_normal(z: np.ndarray, sd: float) -> np.ndarray:
    """Convert normal scores to log-normal factors with mean 1 and log-sd `sd`."""
    return np.exp(sd * z - sd**2 / 2)


def normal_quantiles(rng: np.random.Generator, n: int) -> np.ndarray:
    """Return normal quantiles, at the midpoints of n equal parts, in random order."""
    return rng.permutation(scipy.special.ndtri((np.arange(n) + 0.5) / n))


def draw_systems(rng: np.random.Generator, p: Parameters) -> pd.DataFrame:
    """Draw the traits of original systems, evenly distributed over groups."""
    group = np.sort(np.arange(p.systems) % p.groups)
    run = np.arange(p.systems) - np.searchsorted(group, group)  # 0 is the first of its group

    # The order of the draws is part of what a seed means. Quantiles in random order are drawn where
    # the spread of few values should be the same in each campaign, normal numbers elsewhere.
    z = normal_quantiles(rng, p.groups)  # of groups: their quality
    group_volatility = np.exp(p.volatility_sd * normal_quantiles(rng, p.groups))
    group_leanings = rng.standard_normal((len(LEANINGS), p.groups))
    own_quality = rng.standard_normal(p.systems)
    own_volatility = normal_quantiles(rng, p.systems)
    own_frailty = normal_quantiles(rng, p.systems)
    group_frailty = normal_quantiles(rng, p.groups)

    manual = _choose_manual(z, p.manual_groups)
    group_quality = p.mean + p.sd * skewed(z, p.skew) + p.manual_bonus * manual
    frailty = (own_frailty + group_frailty[group]) / np.sqrt(2)
    failures = p.failures * np.exp(-z)[group] * log_normal(frailty, p.failures_sd)

    groups = [f"{p.prefix}{number + 1:02d}" for number in group]
    names = [name + ascii_lowercase[number] for name, number in zip(groups, run, strict=True)]
    columns = {
        "group": groups,
        "manual": manual[group],
        "original": True,
        "later": False,
        "pooled": run == 0,
        "quality": group_quality[group] + p.run_sd * own_quality,
        "move": 0.0,
        "volatility": group_volatility[group] * np.exp(p.run_volatility_sd * own_volatility),
        "failures": np.minimum(failures, 1),
        "slope": p.slope_sd * frailty,
        "noise": p.noise,
        "leaning_1": group_leanings[0, group],
        "leaning_2": group_leanings[1, group],
    }
    return pd.DataFrame(columns, pd.Index(names, name="system"))


def _choose_manual(z: np.ndarray, n_manual: int) -> np.ndarray:
    """Choose the groups with manual runs among the best two thirds by quality `z`."""
    best = np.argsort(-z)[: 2 * len(z) // 3]
    spread = np.linspace(0, len(best) - 1, n_manual).astype(int)
    manual = np.zeros(len(z), bool)
    manual[best[spread]] = True
    return manual


def draw_ranks(
    rng: np.random.Generator,
    relevant: int,
    level: np.ndarray,
    systems: dict[str, np.ndarray],
    p: Parameters,
) -> np.ndarray:
    """Draw the ranks of a topic's relevant documents (systems x documents).

    `level` is the mean score of these in each system; `systems` has the traits of the systems
    (systems x 1), and `p` the parameters of documents.
    """
    group = systems["group"]
    n_systems = len(group)
    n_groups = group.max() + 1
    leanings = np.hstack([systems[name] for name in LEANINGS])
    normal = rng.standard_normal

    # The order of the draws is part of what a seed means.
    easy, easy_by_hand = _draw_ease(rng, relevant, p)
    of_group = p.group_topic_sd * normal(n_groups)
    of_leanings = p.factor_sd * leanings @ normal((len(LEANINGS), 1))
    fails = rng.random(n_groups)[group] < systems["failures"]
    rng.random(n_systems)  # unused, but drawn so that seeds keep their campaigns
    document_of_group = p.group_sd * normal((n_groups, relevant))
    topic_of_run = p.run_topic_sd * normal((n_systems, 1))
    document_of_run = p.run_sd * normal((n_systems, relevant))
    loss = rng.standard_exponential(n_groups)

    # The formula at the top of this file, line by line.
    suits = of_group[group] + of_leanings
    scores = level + np.where(systems["manual"], easy_by_hand, easy)
    scores += document_of_group[group.ravel()] + skewed(systems["volatility"] * suits, p.tail)
    scores += systems["noise"] * (topic_of_run + document_of_run)
    scores -= fails * p.failure_loss * loss[group]
    return _rank_relevant(scores, rng, p.non_relevant)


def _draw_ease(
    rng: np.random.Generator, relevant: int, p: Parameters
) -> tuple[np.ndarray, np.ndarray]:
    """Draw how easy each document is to find, for automatic and for manual groups."""
    w = p.sd * log_normal(rng.standard_normal(1), p.sd_spread)
    z, other = rng.standard_normal((2, relevant))
    hidden = rng.random(relevant) < p.hidden
    r = p.manual_correlation
    correlated = r * z + np.sqrt(1 - r**2) * other
    easy = w * skewed(z, p.skew) - p.hidden_loss * hidden
    return easy, w * skewed(correlated, p.skew)


def _rank_relevant(scores: np.ndarray, rng: np.random.Generator, n_others: float) -> np.ndarray:
    """Return ranks of relevant documents among all documents, by system.

    The scores of the `n_others` other documents are standard normal. They are drawn by their number
    only: how many lie between two of these scores is Poisson.
    """
    order = np.argsort(-scores, axis=1)
    from_best = np.sort(-scores, axis=1)
    expected_above = np.minimum(n_others * scipy.special.ndtr(from_best), OUT_OF_REACH)
    expected_between = np.diff(expected_above, axis=1, prepend=0.0)
    others_above = rng.poisson(expected_between).cumsum(axis=1)
    relevant_above = np.arange(scores.shape[1])
    in_order = np.minimum(others_above + relevant_above + 1, LAST_RANK)
    ranks = np.empty(scores.shape, np.int16)
    np.put_along_axis(ranks, order, in_order, axis=1)
    return ranks


def draw_collection(
    name: str,
    key: tuple[int, ...],
    p: Parameters,
    systems: pd.DataFrame,
    topic_names: list[str],
    draw: Callable[..., np.ndarray],
) -> Truth:
    """Draw topics and the ranks of their relevant documents in all systems."""
    topics = _draw_topics(np.random.default_rng(key), p.topics, topic_names, draw)
    separation = topics["separation"].to_numpy(copy=True)
    traits = {str(name): systems[name].to_numpy()[:, None] for name in systems}
    traits["group"] = pd.factorize(systems["group"])[0][:, None]
    pooled = systems["pooled"].to_numpy()
    ranks = []
    for topic, relevant in enumerate(topics["true_relevant"]):
        # A separate stream, so that a change to one topic leaves the others unchanged.
        rng = np.random.default_rng([*key, 0, topic])
        while True:
            slant = traits["slope"] * (separation[topic] - p.topics.separation)
            level = separation[topic] + slant + traits["quality"] + traits["move"]
            ranks_here = draw_ranks(rng, relevant, level, traits, p.documents)
            best_in_pool = ranks_here[pooled].min(axis=0)
            known = best_in_pool <= POOL_DEPTH
            if known.sum() >= LEAST_KNOWN:
                break
            separation[topic] += 0.1
        ranks.append(ranks_here)
    topics["separation"] = separation
    return Truth(name, topics, systems, np.hstack(ranks), key, p)


def _draw_topics(
    rng: np.random.Generator, p: Parameters, names: list[str], draw: Callable[..., np.ndarray]
) -> pd.DataFrame:
    """Draw each topic's separation and number of relevant documents."""
    z_of_number = draw(rng, len(names))
    z_of_separation = draw(rng, len(names))
    number = np.exp(p.log_relevant + p.log_relevant_sd * z_of_number)
    relevant = np.maximum(number.round().astype(int), p.least_relevant)
    separation = p.separation + p.separation_sd * skewed(z_of_separation, p.separation_skew)
    separation -= p.slope * z_of_number
    columns = {"separation": separation, "true_relevant": relevant}
    return pd.DataFrame(columns, pd.Index(names, name="topic"))


def draw_more_topics(truth: Truth, n: int, seed: int) -> Truth:
    """Draw `n` new topics of the same kind for the same systems."""
    return draw_collection(
        name=truth.name,
        key=(*truth.key, 2, seed),  # a stream of random numbers that nothing else has
        p=truth.parameters,
        systems=truth.systems,
        topic_names=[f"new{seed}-{number + 1}" for number in range(n)],
        draw=np.random.Generator.standard_normal,
    )


def draw_campaign(design: Parameters, key: tuple[int, ...]) -> Iterator[Truth]:
    """Draw all collections of a campaign, which share the later systems."""
    later = draw_systems(np.random.default_rng([*key, 0]), design.later)
    for number, (name, p) in enumerate(design.collections.items(), start=1):
        collection_key = (*key, number)
        rng = np.random.default_rng([*collection_key, 3])
        move = design.later.move_sd * normal_quantiles(rng, len(later))
        systems = later.assign(later=True, move=move)
        if p.systems is not None:
            original = draw_systems(np.random.default_rng([*collection_key, 1]), p.systems)
            systems = pd.concat([original, systems.assign(original=False, pooled=False)])
        topics = range(p.topics.first, p.topics.first + TOPICS)
        yield draw_collection(
            name=name,
            key=collection_key,
            p=p,
            systems=systems,
            topic_names=list(map(str, topics)),
            draw=normal_quantiles,
        )
