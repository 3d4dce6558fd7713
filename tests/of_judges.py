"""What judges do to scores: numbers of the page on lesson 08, of simulated and of public judges.

`here` gives those of a simulated campaign; public/lesson_08.py asks the same of public scores.
"""

import functools
from dataclasses import replace

import numpy as np
import pandas as pd
from campaigns import campaign
from ladder import nearly_equal, steps
from scipy import stats

import irstd
from irstd.simulate import Judge, judge_collection

JUDGES = ["careful", "lenient", "strict", "harsh"]
FAIR = Judge(criterion=3, acuity=3.5, topic_sd=0.5, seed=5)
FRIENDS = ["r3orig02", "r3orig05", "r3orig08", "r3orig11", "r3orig14"]


def on_twice_as_many(tau):
    r = np.sin(np.pi * tau / 2)
    return 2 / np.pi * np.arcsin(2 * r / (1 + r))


def treatments(part):
    treated = steps(part, part)
    treated["topic's mean"] = irstd.standardize(part, method="center")
    treated["both"] = irstd.standardize(treated["standardized"], method="collection")
    return treated


def across(by_judge, by_people, truth):
    """Pairs of a system by the judge and one by people: in the right order, and found by a t-test.

    At the level at which one in twenty systems differs from itself, or one in twenty of the pairs
    that are nearly equal.
    """
    gap = by_judge.to_numpy()[:, :, None] - by_people.to_numpy()[:, None, :]
    pvalue = stats.ttest_1samp(gap, 0).pvalue
    itself = np.eye(len(truth), dtype=bool)
    near = nearly_equal(truth)
    right = np.sign(gap.mean(axis=0)) == np.sign(np.subtract.outer(truth, truth))
    level = np.quantile(pvalue[itself], 0.05)
    by_near = np.quantile(pvalue[near], 0.05)
    return {
        "right order": right[~itself].mean(),
        "equal false alarms": (pvalue[~itself] <= level).mean(),
        "by nearly equal": (pvalue[~itself & ~near] <= by_near).mean(),
    }


def ladder(part, people, truth):
    same = people.loc[part.index]
    both = zip(treatments(part).items(), treatments(same).values(), strict=True)
    return pd.DataFrame({name: across(a, b, truth) for (name, a), b in both}).T


def gains(part, people, degree=None):
    before = irstd.standardize(people.loc[part.index])
    gain = irstd.standardize(part) - before
    size = heights(gain, before.mean(), degree) if degree else gain.mean()
    return size / (gain.std() / np.sqrt(len(gain)))


def correlation(part, people):
    x = irstd.standardize(people.loc[part.index]).mean()
    return np.corrcoef(x, irstd.standardize(part).mean() - x)[0, 1]


def heights(gain, mean, degree=2):
    """How far systems are above a curve through all."""
    size = gain.mean()
    return size - np.polyval(np.polyfit(mean, size, degree), mean)


def by_random_signs(gain, mean, draws=100):
    rng = np.random.default_rng(0)
    around_curve = gain - gain.mean() + heights(gain, mean)
    shares = []
    for _ in range(draws):
        drawn = around_curve.mul(rng.choice([-1, 1], len(gain)), axis=0)
        t = heights(drawn, mean) / (drawn.std() / np.sqrt(len(drawn)))
        shares.append((t > stats.t.isf(0.025, len(drawn) - 1)).mean())
    return np.mean(shares)


def heights_on_halves(gain, before, rng):
    topics = rng.permutation(gain.index)
    halves = np.array_split(topics, 2)
    return np.corrcoef(*[heights(gain.loc[half], before.loc[half].mean()) for half in halves])[0, 1]


def drawn_topics(people, judge, size, draws):
    """Of so many random topics: people's scores on twenty, and the judge's on all."""
    rng = np.random.default_rng(0)
    for _ in range(draws):
        drawn = rng.permutation(people.index)[:size]
        yield people.loc[drawn[:20]], judge.loc[drawn]


def squared_errors(means, truth):
    return np.array([((mean - truth) ** 2).mean() for mean in means])


def errors(people, judge, truth):
    """The error of people alone, and with the judge of fifty topics."""
    squares = []
    for few, part in drawn_topics(people, judge, 50, 150):
        means = few.mean(), irstd.judges.rectify(few, part)["mean"]
        squares.append(squared_errors(means, truth))
    return np.sqrt(np.mean(squares, axis=0))


def alone(people, judge, truth):
    """The judge on thirty topics less people on twenty of them: squared error, and tau."""
    rows = []
    for few, part in drawn_topics(people, judge, 30, 100):
        means = few.mean(), part.mean()
        taus = [irstd.rank_correlation(mean, truth) for mean in means]
        rows.append([squared_errors(means, truth), taus])
    return np.diff(np.mean(rows, axis=0)).ravel()


@functools.cache
def judged(seed=0):
    """The runs of a campaign by people and by the four judges, and people on 400 other topics."""
    collection = campaign(seed)["sim-robust2003"]
    people = collection.scores("nRBP.9")
    others = collection.more_topics(400, seed=1).scores("nRBP.9")
    return collection, people, judge_collection(collection).dropna(), others


@functools.cache
def ladders(seed=0):
    """By judge, what each treatment finds, with the pairs in the right order by people last."""
    _, people, scores, others = judged(seed)
    truth = others.mean().to_numpy()
    return {judge: ladder(scores[judge], people, truth) for judge in JUDGES}


@functools.cache
def ten_fair(seed=0):
    """Scores by ten judges who have no taste."""
    collection, *_ = judged(seed)
    return [replace(FAIR, seed=each).scores(collection, "nRBP.9") for each in range(6, 16)]


def order(seed=0):
    """Tau by each judge, and of people on fifty other topics."""
    _, people, scores, others = judged(seed)
    by_people = people.mean()
    by_judge = [irstd.rank_correlation(by_people, scores[judge].mean()) for judge in JUDGES]
    fifties = [others.iloc[first : first + 50].mean() for first in range(0, 400, 50)]
    return by_judge, np.mean([irstd.rank_correlation(by_people, means) for means in fifties])


def found(seed=0, taste=2):
    """The share of friends whose gain is above that of all by innocent judges: plain, and above."""
    collection, people, scores, _ = judged(seed)
    innocent = ten_fair(seed) + [scores[judge] for judge in JUDGES]
    largest = {d: max(gains(part, people, d).max() for part in innocent) for d in (None, 2)}
    hits = []
    for group in FRIENDS:
        for each in (5, 6):
            judge = replace(FAIR, taste=taste, favorites=(group,), seed=each)
            part = judge.scores(collection, "nRBP.9")
            hits.append([gains(part, people, d)[f"{group}a"] > largest[d] for d in (None, 2)])
    return np.mean(hits, axis=0)


@functools.cache
def human_topics(seed=0):
    """By judge: error, rectified, as a share of that of people alone; and the judge alone."""
    collection, _, _, others = judged(seed)
    general = judge_collection(collection.more_topics(200, seed=3)).dropna()
    people = general["original"]
    on_600_topics = pd.concat([people, others]).mean()
    rows = {}
    for judge in JUDGES:
        by_people, rectified = errors(people, general[judge], on_600_topics)
        off, lead = alone(people, general[judge], others.mean())
        rows[judge] = [rectified / by_people, off < 0, lead]
    return pd.DataFrame(rows, ["ratio", "smaller error", "lead by order"]).T


def here(seed=0):
    """The numbers of a campaign, by name."""
    collection, people, _, others = judged(seed)
    by_judge, by_topics = order(seed)
    table = pd.concat(ladders(seed)).groupby(level=1, sort=False).median()
    lead = table.loc["two numbers"] - table.loc["standardized"]
    by_people = across(people, people, others.mean().to_numpy())
    partial = replace(FAIR, taste=4, favorites=("r3orig05",)).scores(collection, "nRBP.9")
    critical = stats.t.isf(0.025, len(people) - 1)
    above = [gains(part, people, 2) > critical for part in ten_fair(seed)]
    plain, above_curve = found(seed)
    helped = human_topics(seed)
    return {
        "judges above other topics": np.mean(np.array(by_judge) > by_topics),
        "right order: two numbers": table.loc["two numbers", "right order"],
        "right order: people": by_people["right order"],
        "two numbers less standardized": lead["equal false alarms"],
        "by nearly equal": lead["by nearly equal"],
        "tau of a partial judge": irstd.rank_correlation(people.mean(), partial.mean()),
        "correlation": np.mean([correlation(part, people) for part in ten_fair(seed)]),
        "above the curve": np.mean(above),
        "found above the curve": above_curve,
        "plain gain finds as many": plain >= above_curve,
        "median ratio": helped["ratio"].median(),
        "judge alone, smaller error": helped["smaller error"].mean(),
        "judge alone, lead by order": helped["lead by order"].median(),
    }
